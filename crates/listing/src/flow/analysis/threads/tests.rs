//! Branches that are uniform, and those beside them.

use crate::flow::analysis::testing::{sass, with_function};

/// Whether the branch by P3, the first to X, cannot diverge. Names in braces are those of lines such as `X:`.
fn uniform(capability: &str, lines: &[&str]) -> bool {
    let places: Vec<(String, usize)> = (0..lines.len())
        .filter(|&at| lines[at].ends_with(':'))
        .map(|at| {
            (format!("{{{}}}", &lines[at][..1]), lines[..at].iter().filter(|one| !one.ends_with(':')).count())
        })
        .collect();
    let code: Vec<String> = lines
        .iter()
        .filter(|line| !line.ends_with(':'))
        .map(|line| {
            places
                .iter()
                .fold((*line).to_owned(), |line, (name, at)| line.replace(name, &format!("{:#x}", 8 * at)))
        })
        .collect();
    let branch =
        lines.iter().filter(|line| !line.ends_with(':')).position(|line| *line == "@P3 BRA {X}").unwrap();
    let code: Vec<&str> = code.iter().map(String::as_str).collect();
    let dots = format!("{}.{}", &capability[..1], &capability[1..]);
    with_function(&sass(capability, &code), &dots, |function, _| function.uniform_at(branch))
}

/// The lines, a test of R1 (unless P3 is what they give) and a branch.
fn then(lines: &[&str], test: &[&str]) -> Vec<String> {
    let tail = ["@P3 BRA {X}", "FADD R5, R5, R5", "X:", "FADD R5, R5, R5", "EXIT"];
    lines.iter().chain(test).chain(&tail).map(|line| (*line).to_owned()).collect()
}

fn holds(capability: &str, lines: &[&str], test: &[&str]) -> bool {
    let all = then(lines, test);
    uniform(capability, &all.iter().map(String::as_str).collect::<Vec<_>>())
}

const R1: &[&str] = &["ISETP.EQ.AND P3, PT, R1, 0x1, PT"];

/// The groups of a branch come to different results, and wait for each other behind.
#[test]
fn what_only_a_group_agrees_on() {
    let parted = |inside: &[&str]| {
        let before = [
            "S2R R0, SR_TID.X",
            "BSSY B0, {E}",
            "ISETP.EQ.AND P0, PT, R0, RZ, PT",
            "@P0 BRA {A}",
            "MOV R9, RZ",
            "A:",
        ];
        holds("75", &[&before[..], inside, &["BSYNC B0", "E:"]].concat(), R1)
    };
    assert!(parted(&["MOV R1, 0x1"]));
    assert!(parted(&["MOV R1, UR4"]));
    assert!(!parted(&["VOTEU.ANY UR4, UPT, PT", "MOV R1, UR4"]));
    assert!(!parted(&["R2UR UR4, R0", "MOV R1, UR4"]));
    let paths = |branch| {
        ["MOV R1, 0x1", "BRA {C}", "B:", "MOV R1, 0x2", "C:"].into_iter().fold(
            vec![branch],
            |mut all, one| {
                all.push(one);
                all
            },
        )
    };
    assert!(!parted(&[&["VOTE.ANY P1, P0"], &paths("@P1 BRA {B}")[..]].concat()));
    assert!(!parted(&[&["VOTEU.ANY UP0, P0"], &paths("@UP0 BRA {B}")[..]].concat()));
    assert!(!parted(&paths("BRA.DIV UR4, {B}")));
    assert!(parted(&[&["ISETP.EQ.AND P1, PT, RZ, c[0x0][0x160], PT"], &paths("@P1 BRA {B}")[..]].concat()));
    // In the block of a call from which the threads return separately.
    let call = [
        "S2R R0, SR_TID.X",
        "BSSY B0, {E}",
        "CALL.REL.NOINC {F}",
        "R2UR UR4, R0",
        "MOV R1, UR4",
        "BSYNC B0",
        "E:",
    ];
    let function = [
        "F:",
        "ISETP.EQ.AND P0, PT, R0, RZ, PT",
        "@P0 RET.REL.NODEC R20 0x0",
        "MOV R9, RZ",
        "RET.REL.NODEC R20 0x0",
    ];
    let all: Vec<String> = then(&call, R1).into_iter().chain(function.map(str::to_owned)).collect();
    assert!(!uniform("75", &all.iter().map(String::as_str).collect::<Vec<_>>()));
    // Without the first branch all threads agree.
    let whole = [
        &["S2R R0, SR_TID.X", "ISETP.EQ.AND P0, PT, R0, RZ, PT", "VOTE.ANY P1, P0"],
        &paths("@P1 BRA {B}")[..],
    ]
    .concat();
    assert!(holds("75", &whole, R1));
    // What the whole warp votes holds behind a barrier too, but not what some threads vote, or what others keep.
    let behind = |vote: &'static str| [&[vote, "BAR.SYNC 0x0"], &paths("@P1 BRA {B}")[..]].concat();
    let first = ["S2R R0, SR_TID.X", "ISETP.EQ.AND P0, PT, R0, RZ, PT"];
    assert!(!parted(&behind("VOTE.ANY P1, P0")));
    assert!(holds("75", &[&first[..], &behind("VOTE.ANY P1, P0")].concat(), R1));
    assert!(!holds("75", &[&first[..], &behind("@P0 VOTE.ANY P1, P0")].concat(), R1));
}

#[test]
fn results_that_are_easily_missed() {
    let tid = [
        "S2R R0, SR_TID.X",
        "MOV R1, RZ",
        "ISETP.EQ.AND P3, PT, R0, 0x1, PT",
        "ISETP.EQ.AND P0, PT, R0, 0x1, PT",
    ];
    let with = |capability, lines: &[&str], test| holds(capability, &[&tid, lines].concat(), test);
    assert!(with("61", &[], R1));
    assert!(!with("75", &["MOV R2, c[0x0][0x160]", "R2P PR, R2, 0x1"], &[]));
    assert!(with("75", &["MOV R2, c[0x0][0x160]", "R2P PR, R2, 0x8"], &[]));
    assert!(!with("61", &["R2P CC, R0, 0xf", "IADD.X R1, RZ, RZ"], R1));
    assert!(!with("61", &["PSET.BF.AND.AND R1, PT, PT, P0"], R1));
    assert!(!with("61", &["MOV R1, R0", "HADD2.MRG_H0 R1, RZ, RZ"], R1));
    assert!(!with("61", &["IMNMX.U32.XLO R4.CC, R0, 0x5, PT", "IMNMX.XHI R1, RZ, c[0x0][0x140], PT"], R1));
    let world = ["ISETP.EQ.AND P0, PT, RZ, c[0x0][0x160], PT", "MOV R1, R0", "@P0 MOV R1, 0x1"];
    let result = ["BAR.RED.OR.DEFER_BLOCKING 0x0, P5", "B2R.RESULT RZ, P0", "@!P0 MOV R1, 0x2"];
    assert!(!with("75", &[&world[..], &result].concat(), R1));
    assert!(with("75", &[&world[..], &result[2..]].concat(), R1));
}
