//! Registers of PTX that are wider than what is written to them: the number fills them.

use super::*;

/// A kernel in which each lane reads a line of its own, in a row or where a branch lets it.
fn kernel(body: &str) -> Text {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u32 n, .param .b8 c[16])\n{{\n.reg .pred %p<2>;\n\
         .reg .b16 %rs<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [a];\ncvta.to.global.u64 %rd1, %rd1;\n\
         mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 128;\nadd.u64 %rd3, %rd1, %rd3;\n{body}\nEND:\nret;\n}}\n"
    );
    Text::new("k.ptx", text.into_bytes()).unwrap()
}

/// The most sectors of any access; none if nothing is known of one.
fn sectors(body: &str) -> Option<u64> {
    let text = kernel(body);
    let listing = text.listing().unwrap();
    let params = vec!["blockDim.x=64".to_owned(), "gridDim.x=2".to_owned()];
    let launched = Launched { kernel: "k", params, accesses: vec![], footprints: vec![] };
    let launch = launch(&listing.routines[0], listing.language, &launched);
    let (found, _) = infer((&listing, 0), &launch, 8, &BTreeMap::new());
    found.values().map(|one| Some(one.most?.sectors)).try_fold(0, |all, one| Some(all.max(one?)))
}

#[test]
fn a_number_without_a_sign_fills_a_wider_register_with_zeros() {
    let ends = "@%p1 bra END;\nld.global.u32 %r4, [%rd3];";
    for body in [
        // The bytes of -100 and the numbers behind it are 156 and more.
        "add.s32 %r3, %r2, -100;\ncvt.u8.s8 %r5, %r3;\nmax.s32 %r5, %r5, 0;\nmul.wide.u32 %rd3, %r5, 128;\nadd.u64 %rd3, %rd1, %rd3;\n\
         ld.global.u32 %r4, [%rd3];",
        &format!("add.s32 %r3, %r2, -100;\ncvt.u8.s8 %r5, %r3;\nsetp.lt.s32 %p1, %r5, 0;\n{ends}"),
        &format!("add.s32 %r3, %r2, -100;\ncvt.u16.s16 %r5, %r3;\nsetp.lt.s32 %p1, %r5, 0;\n{ends}"),
        &format!("add.s32 %r3, %r2, -100;\ncvt.u8.s8 %rs1, %r3;\nsetp.lt.s16 %p1, %rs1, 0;\n{ends}"),
        &format!("add.s32 %r3, %r2, -100;\ncvt.u32.s32 %rd4, %r3;\nsetp.lt.s64 %p1, %rd4, 0;\n{ends}"),
        &format!(
            "cvt.s64.s32 %rd4, %r2;\nadd.s64 %rd4, %rd4, -100;\ncvt.u32.s64 %rd5, %rd4;\nsetp.lt.s64 %p1, %rd5, 0;\n{ends}"
        ),
        &format!("ld.param.u32 %rd2, [n];\nsetp.lt.s64 %p1, %rd2, 0x80000000;\n{ends}"),
        &format!("ld.global.nc.u32 %rd2, [%rd1];\nsetp.lt.s64 %p1, %rd2, 0x80000000;\n{ends}"),
        &format!(
            "ld.param.f32 %f1, [n];\ncvt.rzi.u32.f32 %rd2, %f1;\nsetp.lt.s64 %p1, %rd2, 0x80000000;\n{ends}"
        ),
    ] {
        assert!(sectors(body).is_none_or(|found| found == 32), "{body}: {:?}", sectors(body));
    }
    // Where nothing is wider, nothing is lost.
    let row = "cvt.u32.u64 %r5, %rd3;\ncvt.u64.u32 %rd4, %r2;\nshl.b64 %rd4, %rd4, 2;\nadd.u64 %rd4, %rd1, %rd4;\nld.global.u32 %r4, [%rd4];";
    assert_eq!(sectors(row), Some(4));
}

/// `010` is 8 (*PTX ISA*, "Integer Constants").
#[test]
fn offsets_of_parameters_may_be_octal() {
    let body = "ld.param.u32 %r3, [c+010];\nld.param.u32 %r5, [c+10];\nsub.s32 %r5, %r5, %r3;\nmul.lo.s32 %r5, %r5, %r2;\n\
                mul.wide.s32 %rd3, %r5, 128;\nadd.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r4, [%rd3];";
    assert!(sectors(body).is_none_or(|found| found == 32), "{:?}", sectors(body));
}

/// A comparison is the opposite of an earlier one only while nothing writes what both read, whatever the registers are called.
#[test]
fn registers_without_a_percent_sign_are_written_too() {
    let text = |names: [&str; 3]| {
        let [i, a, n] = names;
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 A)\n{{\n.reg .pred p, q, e;\n.reg .b32 i, a, n, %r<4>;\n\
             .reg .b64 x;\nld.param.u64 x, [A];\nmov.u32 {i}, 0;\nL0:\nld.global.u32 {n}, [x];\nadd.u64 x, x, 4;\nmov.u32 {a}, 7;\n\
             setp.lt.s32 p, {a}, {n};\n@p add.s32 {i}, {i}, 1;\nmov.u32 {a}, 0;\nsetp.ge.s32 q, {a}, {n};\n@q add.s32 {i}, {i}, 1;\n\
             setp.lt.s32 e, {i}, 10;\n@e bra L0;\nret;\n}}\n"
        );
        let text = Text::new("k.ptx", text.into_bytes()).unwrap();
        crate::extract(&text, &Options::default()).unwrap().remove(0).loops[0].most
    };
    // A number that stays between 0 and 7 never ends the loop.
    assert_eq!([["i", "a", "n"], ["%r1", "%r2", "%r3"]].map(text), [None, None]);
}
