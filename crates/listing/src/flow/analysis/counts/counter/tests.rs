//! Counters of single loops.

use crate::flow::Work;
use crate::flow::analysis::groups::Returns;
use crate::flow::analysis::testing::{kernel, sass, with_function};
use crate::flow::region::{Most, Region, build};

/// The trip count of the only loop of a text.
fn trips_of(text: &str, capability: &str) -> Option<u64> {
    with_function(text, capability, |function, _| {
        let regions = build(
            function,
            &Returns::new(),
            Most { pieces: 1000, copies: 1000 },
            false,
            &mut Work::default(),
        );
        let found = |region: &Region| match region {
            Region::Loop(one) => Some(one.bound.clone()),
            _ => None,
        };
        let bound = regions.iter().find_map(found).unwrap();
        assert_eq!(bound.inferred, bound.most.is_some());
        bound.most
    })
}

fn trips(body: &str) -> Option<u64> {
    trips_of(&kernel(body), "6.1")
}

#[test]
fn a_counter_in_place_and_one_that_is_copied_back() {
    let test = "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra L;\nexit;";
    assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r1, %r1, 3;\n{test}")), Some(4));
    let test = "setp.ne.s32 %p1, %r2, 10;\nmov.u32 %r1, %r2;\n@%p1 bra L;\nexit;";
    assert_eq!(trips(&format!("mov.s32 %r1, 0;\nL:\nadd.s32 %r2, %r1, 1;\n{test}")), Some(10));
}

#[test]
fn what_is_no_constant_or_not_in_every_pass() {
    let test = "setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra L;\nexit;";
    let with = |start: &str, update: &str| trips(&format!("{start}\nL:\n{update}\n{test}"));
    let step = "add.s32 %r1, %r1, 1;";
    assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", step), Some(7));
    assert_eq!(with("ld.param.s32 %r3, [n];\nmov.s32 %r1, 0;", step), None);
    assert_eq!(with("mov.s32 %r3, 7;\nld.param.s32 %r1, [n];", step), None);
    assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", "@%p2 add.s32 %r1, %r1, 1;"), None);
    let twice = "add.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;";
    assert_eq!(with("mov.s32 %r3, 7;\nmov.s32 %r1, 0;", twice), Some(4));
}

/// What is left of a number that is not known, as compilers make it of the rest of a loop that they
/// unrolled four times.
#[test]
fn the_rest_of_an_unrolled_loop() {
    let body = |skip: &str| {
        format!(
            "ld.param.s32 %r3, [n];\nand.b32 %r1, %r3, 3;\nsetp.eq.s32 %p2, %r1, 0;\n{skip}\nL:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nM:\nexit;"
        )
    };
    assert_eq!(trips(&body("@%p2 bra M;")), Some(3));
    // Without the branch around it, the loop would begin at 0 and go around.
    assert_eq!(trips(&body("")), None);
}

/// (x & 63) - (x & 3) is a multiple of 4, whatever x is.
#[test]
fn what_a_mask_leaves_of_a_sum_without_its_remainder() {
    let body = |start: &str| {
        format!("{start}\nL:\nadd.s32 %r1, %r1, -4;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nM:\nexit;")
    };
    let masked = "ld.global.u32 %r2, [%rd1];\nand.b32 %r3, %r2, 63;\nand.b32 %r4, %r2, 3;\nsetp.eq.s32 %p3, %r3, 0;\n@%p3 bra M;\nadd.s32 %r5, %r3, -1;\nsetp.lt.u32 %p2, %r5, 3;\n@%p2 bra M;\nsub.s32 %r1, %r3, %r4;";
    assert_eq!(trips(&body(masked)), Some(15));
    // The remainder of another number.
    assert_eq!(trips(&body(&masked.replace("%r4, %r2, 3", "%r4, %r6, 3"))), None);
    // What was taken of it before it was overwritten stays known.
    assert_eq!(trips(&body(&masked.replace("add.s32 %r5", "mov.u32 %r2, 0;\nadd.s32 %r5"))), Some(15));
    let bytes = masked.replace("ld.global.u32 %r2", "ld.global.u8 %r2").replace("63", "65535");
    assert_eq!(trips(&body(&bytes)), Some(63));
    let ones = masked
        .replace("and.b32 %r3, %r2, 63", "popc.b32 %r3, %r2")
        .replace("and.b32 %r4, %r2", "and.b32 %r4, %r3");
    assert_eq!(trips(&body(&ones)), Some(8));
}

/// A limit that is the counter of a loop around, from the end: n - i - ((n - i) & 3) is a multiple of 4.
#[test]
fn the_rest_of_a_difference() {
    let body = |rest: &str| {
        format!(
            "mov.u32 %r1, %tid.x;\nsub.s32 %r2, 2000, %r1;\nand.b32 %r3, %r2, 3;\nadd.s32 %r4, %r2, -1;\n{rest}\nsub.s32 %r6, %r5, %r1;\nsetp.lt.u32 %p2, %r4, 3;\n@%p2 bra M;\nL:\nadd.s32 %r6, %r6, -4;\nsetp.ne.s32 %p1, %r6, 0;\n@%p1 bra L;\nM:\nexit;"
        )
    };
    assert_eq!(trips(&body("sub.s32 %r5, 2000, %r3;")), Some(500));
    // What is left is 1 away from a multiple of 4.
    assert_eq!(trips(&body("sub.s32 %r5, 2001, %r3;")), None);
}

/// A table of three words that reads two of them.
#[test]
fn a_bit_is_cleared_by_any_two_of_three_words() {
    let cleared = |table: &str| {
        let clear = format!("LOP3.LUT P0, R4, R4, R5, R4, {table}, !PT");
        trips_of(&sass("75", &["IADD3 R5, R4, -0x1, RZ", &clear, "@P0 BRA 0x0", "EXIT"]), "7.5")
    };
    // a & b, b & c, and a & c, of which the last one is the number itself.
    assert_eq!(["0xc0", "0x88", "0xa0"].map(cleared), [Some(33), Some(33), None]);
}

/// What a first run of the analysis knows of a counter holds in the second one too: the last pass comes back above the limit.
#[test]
fn a_loop_behind_one_that_takes_four_times_as_much() {
    let body = "ld.global.u32 %r2, [%rd1];\nand.b32 %r1, %r2, 60;\nsetp.le.s32 %p1, %r1, 12;\n@%p1 bra B;\nA:\nadd.s32 %r1, %r1, -16;\nsetp.gt.s32 %p2, %r1, 12;\n@%p2 bra A;\nB:\nsetp.eq.s32 %p3, %r1, 0;\n@%p3 bra M;\nL:\nadd.s32 %r1, %r1, -4;\nsetp.ne.s32 %p4, %r1, 0;\n@%p4 bra L;\nM:\nexit;";
    assert_eq!(trips(body), Some(3));
}

#[test]
fn threads_begin_at_their_index() {
    let step = |by: &str| {
        format!(
            "mov.u32 %r1, %tid.x;\nL:\nadd.s32 %r1, %r1, {by};\nsetp.lt.s32 %p1, %r1, 5000;\n@%p1 bra L;\nexit;"
        )
    };
    // Thread 0 is 64 at its first test, and 4992 at the 78th.
    assert_eq!(trips(&step("64")), Some(79));
    // A step of at least one.
    assert_eq!(trips(&step("%ntid.x")), Some(5000));
    assert_eq!(trips(&step("%laneid")), None);
}

#[test]
fn sass_with_pairs_and_uniform_registers() {
    let count = |lines: &[&str]| trips_of(&sass("75", lines), "7.5");
    let mut lines = vec![
        "MOV R4, RZ",
        "IADD3 R4, R4, 0x2, RZ",
        "ISETP.LT.AND P0, PT, R4, 0x9, PT",
        "@P0 BRA 0x8",
        "EXIT",
    ];
    assert_eq!(count(&lines), Some(5));
    // A load of 64 bits into R3 writes the counter too, and what is not known may write anything.
    for other in ["LDG.E.64 R3, [R6.64]", "WHATEVER R8, R9"] {
        lines.insert(1, other);
        lines[4] = "@P0 BRA 0x8";
        assert_eq!(count(&lines), None, "{other}");
        lines.remove(1);
    }
    let uniform = [
        "UMOV UR4, URZ",
        "UIADD3 UR4, UR4, 0x1, URZ",
        "UISETP.GE.AND UP0, UPT, UR4, 0x9, UPT",
        "@!UP0 BRA 0x8",
        "EXIT",
    ];
    assert_eq!(count(&uniform), Some(9));
    // Threads that diverge at the branch write the register one after the other.
    let parted = [
        "UMOV UR4, URZ",
        "UIADD3 UR4, UR4, 0x1, URZ",
        "ISETP.GE.AND P0, PT, R9, UR4, PT",
        "@!P0 BRA 0x8",
        "EXIT",
    ];
    assert_eq!(count(&parted), None);
}

/// A limit that is read in the wrong way would be too low.
#[test]
fn a_limit_is_no_lower_than_what_instructions_give() {
    let count = |limit: &[&str]| {
        let back = format!("@P0 BRA {:#x}", 8 * (limit.len() + 1));
        let rest =
            ["MOV R0, RZ", "IADD3 R0, R0, 0x1, RZ", "ISETP.LT.U32.AND P0, PT, R0, R5, PT", &back, "EXIT"];
        trips_of(&sass("75", &[limit, &rest].concat()), "7.5")
    };
    assert_eq!(count(&["MOV R5, 0xa"]), Some(10));
    // Up to 3.x the third operand of an upper word is one word, whatever is in the register behind it.
    let words = ["MOV R1, 0x10", "MOV R2, 0x20", "MOV R3, 0xa", "MOV R4, RZ"];
    assert_eq!(count(&[&words[..], &["IMAD.U32.U32.HI R5, R1, R2, R3"]].concat()), None);
    assert_eq!(count(&[&words[..], &["IMAD.HI.U32 R5, R1, R2, R3"]].concat()), Some(1));
    // 0xffffffff and ~0xffffffff carry nothing.
    let words = ["MOV R1, 0xffffffff", "MOV R2, 0xffffffff", "IADD3 R3, P0, R1, ~R2, RZ"];
    let found = count(&[&words[..], &["SEL R5, 0x1, 0x9, P0"]].concat());
    assert!(found.is_none_or(|found| found >= 9), "{found:?}");
    // The condition code is another one behind a result that is no first operand.
    let words = ["MOV R1, 0x1", "IADD RZ.CC, R1, -0x1", "LOP.AND.NZ P1, R2.CC, R1, R1", "IADD.X R3, RZ, RZ"];
    let found = count(&[&words[..], &["IADD R5, -R3, 0x9"]].concat());
    assert!(found.is_none_or(|found| found >= 9), "{found:?}");
}
