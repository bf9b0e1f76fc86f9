//! What calls leave as it was, and what lanes that return apart do not have in common.

use super::*;
use crate::flow::testing::sass;

/// How many lines the access touches at most that stands in this place.
fn lines_at(number: usize, lines: &[&str]) -> Option<u64> {
    let text = Text::new("k", sass("8.7", lines).into_bytes()).unwrap();
    let listing = text.listing().unwrap();
    let mut params = Params::default();
    params.add("blockDim.x=32").unwrap();
    let options = Options { params, ..Options::default() };
    let launch = crate::options::launch(&listing.routines[0], listing.language, &options).unwrap();
    let (found, _) = infer((&listing, 0), &launch, 256, &BTreeMap::new());
    found[&(number, false)].most.map(|one| one.lines)
}

/// A kernel that computes an address for each thread, calls a function, and stores there.
fn store_behind_call(function: &[&str]) -> Option<u64> {
    let kernel = [
        "S2R R0, SR_TID.X",
        "MOV R4, 0x4",
        "IMAD.WIDE R2, R0, R4, c[0x0][0x160]",
        "MOV R20, 0x50",
        "CALL.REL.NOINC 0x38",
        "STG.E [R2.64], R0",
        "EXIT",
    ];
    lines_at(5, &[&kernel[..], function].concat())
}

#[test]
fn a_call_writes_what_the_function_writes() {
    let returns = "RET.REL.NODEC R20 `(k)";
    assert_eq!(store_behind_call(&["IADD3 R5, R0, 0x1, RZ", returns]), Some(1));
    // Wide results are several registers.
    for one in ["IADD3 R3, R0, 0x1, RZ", "IMAD.WIDE R2, R0, 0x80, RZ", "LDG.E.128 R0, [R8.64]", "FOO R2, R0"]
    {
        assert_eq!(store_behind_call(&[one, returns]), None, "{one}");
    }
    // What it calls writes too, and so may what nobody knows.
    let deeper = |one| {
        let inner = ["MOV R21, 0x90", "CALL.REL.NOINC 0x50", returns, one, "RET.REL.NODEC R21 `(k)"];
        store_behind_call(&inner)
    };
    assert_eq!(deeper("IADD3 R5, R0, 0x1, RZ"), Some(1));
    assert_eq!(deeper("IADD3 R2, R0, 0x1, RZ"), None);
    assert_eq!(store_behind_call(&["CALL.REL.NOINC 0x800", returns]), None);
}

/// What all lanes read at one place, as the index of a line, behind a call.
fn read_behind_call(call: &str, function: &[&str]) -> Option<u64> {
    let kernel = [
        "S2R R0, SR_TID.X",
        "MOV R2, c[0x0][0x160]",
        "MOV R3, c[0x0][0x164]",
        "MOV R20, 0x50",
        call,
        "LDG.E R6, [R2.64]",
        "IMAD.WIDE R8, R6, 0x80, R2",
        "STG.E [R8.64], R0",
        "EXIT",
    ];
    lines_at(7, &[&kernel[..], function, &["RET.REL.NODEC R20 `(k)"]].concat())
}

#[test]
fn lanes_that_return_apart_may_read_different_numbers() {
    let call = "CALL.REL.NOINC 0x48";
    assert_eq!(read_behind_call(call, &["IADD3 R5, R0, 0x1, RZ"]), Some(1));
    let compares = "ISETP.LT.AND P0, PT, R0, 0x7, PT";
    for function in [
        &[compares, "@P0 BRA 0x60", "IADD3 R5, R0, 0x1, RZ"][..],
        &[compares, "@P0 RET.REL.NODEC R20 `(k)"],
        &[compares, "@P0 WARPSYNC 0x7f"],
    ] {
        assert_ne!(read_behind_call(call, function), Some(1), "{function:?}");
    }
    assert_ne!(read_behind_call(&format!("@P0 {call}"), &["IADD3 R5, R0, 0x1, RZ"]), Some(1));
}

/// A loop in which lanes wait for one another, and in each pass store to a line of its own.
fn store_in_loop_of_waits(within: &str, function: &[&str]) -> Option<u64> {
    let kernel = [
        "S2R R0, SR_TID.X",
        "MOV R2, c[0x0][0x160]",
        "MOV R3, c[0x0][0x164]",
        "MOV R7, RZ",
        "MOV R20, 0x70",
        "ISETP.EQ.U32.AND P0, PT, R7, R0, PT",
        within,
        "WARPSYNC 0xffffffff",
        "IMAD.WIDE.U32 R8, R7, 0x80, R2",
        "STG.E [R8.64], R0",
        "IADD3 R7, R7, 0x1, RZ",
        "ISETP.LT.U32.AND P1, PT, R7, 0x20, PT",
        "@P1 BRA 0x28",
        "EXIT",
    ];
    lines_at(9, &[&kernel[..], function, &["RET.REL.NODEC R20 `(k)"]].concat())
}

#[test]
fn lanes_that_wait_in_a_function_may_be_in_different_passes() {
    let (call, wait) = ("CALL.REL.NOINC 0x70", "WARPSYNC 0xffffffff");
    assert_eq!(store_in_loop_of_waits("NOP", &[]), Some(1));
    assert_eq!(store_in_loop_of_waits(call, &["IADD3 R5, R0, 0x1, RZ"]), Some(1));
    assert_eq!(store_in_loop_of_waits(call, &[wait]), Some(1));
    let guarded = |what: &str| format!("@P0 {what}");
    assert_eq!(store_in_loop_of_waits(&guarded(wait), &[]), None);
    assert_eq!(store_in_loop_of_waits(&guarded(call), &[wait]), None);
    assert_eq!(store_in_loop_of_waits(call, &[&guarded(wait)]), None);
}

#[test]
fn lanes_that_come_apart_may_see_different_uniform_predicates() {
    let behind = |before: &[&str], branch: &str, function: &[&str]| {
        let start = ["S2R R0, SR_TID.X", "MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]", "MOV R6, RZ"];
        let store = [branch, "MOV R6, 0x1", "IMAD.WIDE.U32 R8, R6, 0x80, R2", "STG.E [R8.64], R0", "EXIT"];
        let number = start.len() + before.len() + 3;
        lines_at(number, &[&start[..], before, &store, function].concat())
    };
    let (yes, no) = ("UISETP.EQ.AND UP0, UPT, URZ, URZ, UPT", "UISETP.NE.AND UP0, UPT, URZ, URZ, UPT");
    let (back, call) = ("RET.REL.NODEC R20 `(k)", ["MOV R20, 0x60", "CALL.REL.NOINC 0x58"]);
    assert_eq!(behind(&call, "@UP0 BRA 0x40", &[yes, back]), Some(1));
    assert_eq!(behind(&call, "@UP0 BRA 0x40", &["@P0 BRA 0x70", yes, back, no, back]), Some(2));
    // Without a call, behind a branch at which the lanes do not wait.
    let votes = ["@P0 BRA 0x30", "NOP", "VOTEU.ANY UP0, P0"];
    assert_eq!(behind(&votes, "@UP0 BRA 0x48", &[]), Some(2));
    assert_eq!(behind(&votes[1..], "@UP0 BRA 0x40", &[]), Some(1));
}

#[test]
fn a_register_of_the_module_is_that_of_all_functions() {
    let lines = |outside: &str, inside: &str| {
        let text = format!(
            ".version 7.8\n.target sm_87\n.address_size 64\n{outside}\n.func f()\n{{\n{inside}\nmov.u32 %g1, %tid.x;\nret;\n}}\n\
             .visible .entry k(.param .u64 a)\n{{\n{inside}\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\nld.param.u64 %d1, [a];\n\
             mov.u32 %r0, %tid.x;\nmov.u32 %g1, 0;\ncall f;\nmul.wide.u32 %d3, %g1, 128;\nadd.s64 %d2, %d1, %d3;\n\
             st.global.u32 [%d2], %r0;\nret;\n}}\n"
        );
        let text = Text::new("k.ptx", text.into_bytes()).unwrap();
        let listing = text.listing().unwrap();
        let number = listing.routines.iter().position(|one| one.name == "k").unwrap();
        let params = vec!["blockDim.x=32".to_owned(), "blockDim.y=1".to_owned(), "blockDim.z=1".to_owned()];
        let launched = Launched { kernel: "k", params, accesses: vec![], footprints: vec![] };
        let launch = launch(&listing.routines[number], listing.language, &launched);
        let (found, _) = infer((&listing, number), &launch, 256, &BTreeMap::new());
        found.values().next().unwrap().most.map(|one| one.lines)
    };
    assert_eq!(lines("", ".reg .b32 %g<4>;"), Some(1));
    assert_eq!(lines(".reg .b32 %g<4>;", ""), None);
}
