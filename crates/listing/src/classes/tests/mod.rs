//! Opcodes and their classes.

pub(crate) mod ptxas_expansion;
mod waiting;

use super::*;

fn class(language: Language, capability: &str, opcode: &str) -> String {
    let mut classes = Classes::new(language, capability.parse().unwrap(), vec![]);
    match classes.class(&Opcode::new(opcode)).map(|class| class.letters.clone()) {
        Some(Letters::Unit(unit, count)) => format!("{unit}{count}"),
        Some(letters) => letters.to_string(),
        None => "?".to_owned(),
    }
}

#[test]
fn ptx_at_2_0() {
    let is =
        |opcode: &str, expected: &str| assert_eq!(class(Language::Ptx, "2.0", opcode), expected, "{opcode}");
    for memory in
        ["ld.global.f32", "st.shared.v2.s32", "ldu.global.s32", "atom.global.exch.b32", "red.global.add.f32"]
    {
        is(memory, "L1");
    }
    // These also count the code that adds up the values of a warp whose lanes add at one address.
    is("atom.global.add.u32", "CL");
    is("red.global.add.u32", "CL");
    for memory in
        ["tex.2d.v4.u32.f32", "tld4.r.2d.v4.f32.f32", "prefetch.global.L1", "suld.b.2d.b32", "sust.b.1d.b32"]
    {
        is(memory, "L1");
    }
    is("ld.const.f32", "L1");
    is("membar.cta", "L1");
    is("ld.param.u64", "C2");
    is("st.param.f32", "C1");
    is("mov.u32", "C1");
    is("mov.u64", "C2");
    is("add.f32", "C1");
    is("fma.rn.f64", "C8");
    is("mul.lo.s32", "C3");
    is("mul.wide.s32", "C8");
    is("rcp.approx.ftz.f32", "C16");
    is("div.rn.f32", "C163");
    is("shl.b32", "C2");
    is("cvt.rn.f32.s32", "C3");
    is("cvt.rn.f64.s32", "C13");
    is("bra.uni", "C1");
    is("exit", "-");
    is("bar.sync", "|");
    is("bar.warp.sync", "C1");
    is("frobnicate.u32", "?");
}

#[test]
fn sass() {
    let is = |at: &str, opcode: &str, expected: &str| {
        assert_eq!(class(Language::Sass, at, opcode), expected, "{opcode}");
    };
    is("6.1", "LDG.E", "L1");
    is("6.1", "STS.64", "L1");
    is("6.1", "XMAD.MRG", "C1");
    is("6.1", "MUFU.RCP", "C4");
    is("7.5", "DMUL", "C32");
    is("7.5", "ULDC.64", "C1");
    is("7.5", "IMAD.MOV.U32", "C1");
    is("7.5", "BAR.SYNC", "|");
    is("8.0", "EXIT", "-");
    is("8.0", "HMMA.16816.F32", "C4");
    is("9.0", "HGMMA.64x8x16.F32", "C");
    is("8.0", "FROB", "?");
}

#[test]
fn what_the_user_gives_comes_first() {
    let given = |opcode: &str, unit, letters| Given {
        opcode: opcode.into(),
        unit,
        letter: None,
        letters,
        place: "f:1".into(),
    };
    let list = vec![given("mma.sync", Some(Unit::CudaCore), 16), given("ld.const", None, 1)];
    let mut classes = Classes::new(Language::Ptx, "8.0".parse().unwrap(), list);
    assert_eq!(
        classes.class(&Opcode::new("mma.sync.aligned.m16n8k16")).unwrap().letters,
        Letters::Unit(Unit::CudaCore, 16)
    );
    assert_eq!(classes.class(&Opcode::new("ld.const.f32")).unwrap().letters, Letters::None);
    assert_eq!(
        classes.class(&Opcode::new("ld.global.f32")).unwrap().letters,
        Letters::Unit(Unit::LoadStore, 1)
    );
}
