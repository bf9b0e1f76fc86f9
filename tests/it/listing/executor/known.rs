//! Listings that had programs which were too small, and what the executor makes of small listings, worked out by hand.

use std::collections::BTreeSet;

use super::counts::judge_counts;
use super::judge::{Effort, judge};
use super::passes::Count;
use super::random::Random;
use super::read::read;
use super::run;

/// SASS of these lines, the first of them line 4.
fn sass(sm: u32, lines: &str) -> String {
    let mut text = Vec::new();
    for (number, line) in lines.split(';').map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (label, rest) = line.split_once(": ").map_or((None, line), |(label, rest)| (Some(label), rest));
        text.extend(label.map(|label| format!(".{label}:")));
        text.push(format!("        /*{:04x}*/                   {rest} ;", 8 * (number + 1)));
    }
    let lines = text.join("\n").replace("(L", "(.L");
    format!(
        "\tcode for sm_{sm}\n\t\tFunction : k\n\t.headerflags    @\"EF_CUDA_SM{sm}\"\n{lines}\n\t\t.....\n"
    )
}

/// All that a warp of so many threads was seen to issue, by line.
fn traces(listing: &str, threads: u32) -> BTreeSet<Vec<u32>> {
    let (code, mut random) = (read(listing), Random::new(7));
    let mut found = BTreeSet::new();
    for _ in 0..3000 {
        if let Ok(steps) = run(&code, threads, &mut random, 60) {
            let letters = steps.iter().filter(|step| code.letter(step.inst));
            found.insert(letters.map(|step| code.insts[step.inst].line).collect());
        }
    }
    found
}

/// The library refuses the listing, or its program covers all that is issued.
fn holds(listing: &str) {
    let effort = Effort { runs: 1500, limit: 200, count: Count::Warp };
    let verdict = judge(listing, &read(listing), &mut Random::new(5), effort);
    if let Some(violation) = verdict.violation {
        panic!("{}\n{listing}\n{}", violation.class, violation.text);
    }
}

const IF_THEN: &str =
    "BSSY B0, `(L_1); @P0 BRA `(L_1); FADD R2, R2, R3; LDG.E R2, [R4]; L_1: BSYNC B0; STG.E [R4], R2; EXIT";

#[test]
fn the_executor_waits_at_barriers() {
    let expected = [
        vec![4, 5, 6, 7, 9, 10],
        vec![4, 5, 9, 10],
        vec![4, 5, 9, 6, 7, 9, 10],
        vec![4, 5, 6, 9, 7, 9, 10],
        vec![4, 5, 6, 7, 9, 9, 10],
    ];
    assert_eq!(traces(&sass(75, IF_THEN), 2), BTreeSet::from(expected));
    // Those that end are waited for no longer; BREAK takes threads out.
    let ends = "BSSY B0, `(L_1); @P0 EXIT; L_1: BSYNC B0; LDG.E R2, [R4]; EXIT";
    assert_eq!(traces(&sass(75, ends), 2), BTreeSet::from([vec![4], vec![4, 7, 8]]));
    let breaks =
        "BSSY B0, `(L_1); @P0 BRA `(L_1); BREAK B0; BRA `(L_2); L_1: BSYNC B0; L_2: LDG.E R2, [R4]; EXIT";
    let parted = traces(&sass(75, breaks), 2).into_iter().filter(|trace| trace.len() == 7).count();
    assert_eq!(parted, 6, "6 7 11 and 9 11 interleaved, the second 11 behind 6");
}

#[test]
fn the_executor_has_a_stack() {
    let sync = "SSY `(L_1); @P0 SYNC; FADD R2, R2, R3; SYNC; L_1: LDG.E R2, [R4]; EXIT";
    assert_eq!(traces(&sass(50, sync), 2), BTreeSet::from([vec![4, 5, 9], vec![4, 5, 6, 7, 9]]));
    let plain = "SSY `(L_1); @P0 BRA `(L_1); FADD R2, R2, R3; L_1: LDG.E R2, [R4]; EXIT";
    let expected = [vec![4, 5, 8], vec![4, 5, 6, 8], vec![4, 5, 8, 6, 8], vec![4, 5, 6, 8, 8]];
    assert_eq!(traces(&sass(50, plain), 2), BTreeSet::from(expected));
    // Threads break out of a loop one by one and go on together.
    let breaks = "PBK `(L_1); L_2: LDG.E R2, [R4]; @P0 BRK; BRA `(L_2); L_1: STG.E [R4], R2; EXIT";
    let found = traces(&sass(50, breaks), 3);
    assert!(found.contains(&vec![4, 6, 7, 8, 6, 7, 8, 6, 7, 10]), "{found:?}");
    assert!(found.iter().all(|trace| trace.iter().filter(|line| **line == 10).count() == 1), "{found:?}");
}

const EARLY_RETURN: &str = ".version 7.0\n.target sm_52\n.func f()\n{\n@%p1 bra F2;\nld.global.u32 %r1, [%rd1];\n@%p2 ret;\nF2:\n\
    st.global.u32 [%rd1], %r1;\nret;\n}\n.visible .entry k(.param .u64 p)\n{\ncall f;\nadd.u32 %r1, %r1, 1;\nret;\n}\n";

#[test]
fn the_executor_waits_behind_calls() {
    let found = traces(EARLY_RETURN, 3);
    assert!(found.contains(&vec![14, 5, 6, 9, 9, 15]), "{found:?}");
    assert!(found.iter().all(|trace| trace.iter().filter(|line| **line == 15).count() == 1), "{found:?}");
}

#[test]
fn a_bsync_in_each_arm() {
    for sm in [70, 75, 80, 86] {
        holds(&sass(sm, IF_THEN));
    }
    holds(&sass(
        75,
        "BSSY B0, `(L_1); L_2: LDG.E R2, [R4]; @P0 BRA `(L_2); L_1: BSYNC B0; STG.E [R4], R2; EXIT",
    ));
}

#[test]
fn outer_loops_that_only_end() {
    holds(&sass(
        50,
        "PBK `(L_1); L_2: PBK `(L_3); L_4: LDG.E R2, [R4]; @!P4 EXIT; @P3 BRA `(L_4); STG.E [R4], R2; STG.E [R4], R2; \
         BRK; L_3: @!P0 BRK; BRA `(L_2); L_1: EXIT",
    ));
    holds(&sass(
        75,
        "L_2: BSSY B0, `(L_3); L_4: LDG.E R2, [R4]; @!P4 EXIT; @P3 BRA `(L_4); STG.E [R4], R2; STG.E [R4], R2; \
         L_3: BSYNC B0; @!P0 BRA `(L_2); EXIT",
    ));
}

#[test]
fn early_returns() {
    holds(EARLY_RETURN);
    for ret in ["@P0 RET.REL.NODEC R20", "@P0 BRA `(L_2)"] {
        let text = format!(
            "CALL.REL.NOINC `(L_1); LDG.E R2, [R4]; EXIT; L_1: {ret}; FADD R2, R2, R3; L_2: RET.REL.NODEC R20"
        );
        holds(&sass(75, &text));
    }
}

#[test]
fn counts_that_are_not_evident() {
    let kernel = |body: &str| format!(".version 3.0\n.target sm_20\n{body}\n");
    let shadow = ".func f(.reg .s32 n)\n{\n.reg .pred p;\n{\n.reg .s32 n;\nmov.s32 n, 0;\n}\nL:\nadd.s32 n, n, 1;\nld.global.u32 %r1, [%rd1];\n\
                  setp.lt.s32 p, n, 3;\n@p bra L;\nret;\n}\n.visible .entry k(.param .u64 p)\n{\nmov.s32 %r1, -100;\ncall f, (%r1);\nret;\n}";
    let late = ".visible .entry k(.param .u64 p, .param .u32 n)\n{\nmov.s64 %rl21, 0;\nmov.s64 %rl23, -9;\nL1:\nsetp.ge.u64 %p2, %rl21, %rl22;\n\
                sub.u64 %rl21, %rl21, 1;\nmov.s64 %rl22, 18446744073709551613;\n@!%p2 bra L2;\nbra L1;\nL2:\nret;\n}";
    for body in [shadow, late] {
        let listing = kernel(body);
        let found = judge_counts(&listing, &read(&listing), &mut Random::new(1));
        assert!(found.is_ok(), "{}", found.unwrap_err().text);
    }
}

#[test]
fn places_that_nobody_waits_at() {
    holds(&sass(
        50,
        "SSY `(L_1); @!P4 BRA `(L_1); STG.E [R4], R2; FADD R5, R2, R3; L_1: LDG.E R2, [R4]; EXIT",
    ));
    holds(&sass(
        75,
        "BSSY B0, `(L_1); @P2 BRA `(L_1); FADD R5, R2, R3; BSYNC B0; L_1: LDG.E R2, [R4]; FADD R5, R2, R3; EXIT",
    ));
    holds(&sass(
        50,
        "SSY `(L_1); @P0 BRA `(L_2); STG.E [R4], R2; EXIT; L_2: SYNC; L_1: FADD R5, R2, R3; EXIT",
    ));
}

/// From 7.0 on: threads that `BREAK` takes out of the set, that return one by one, whose register is stored to twice or by nobody,
/// and that pass a `BSYNC` under a predicate.
#[test]
fn threads_that_do_not_wait() {
    for lines in [
        "L_2: BSSY B1, `(L_8); @!P3 BRA `(L_6); BREAK B1; BRA `(L_8); L_6: BSYNC B1; L_8: @P0 BRA `(L_2); EXIT",
        "BSSY B0, `(L_1); @P0 BRA `(L_2); CALL.REL.NOINC `(L_5); L_2: BSYNC B0; L_1: STG.E [R4], R2; EXIT; L_5: BREAK B0; RET.REL.NODEC R20",
        "CALL.REL.NOINC `(L_1); LDG.E R2, [R4]; EXIT; L_1: @P0 RET.REL.NODEC R20; RET.REL.NODEC R20",
        "@P0 CALL.REL.NOINC `(L_1); LDG.E R2, [R4]; EXIT; L_1: RET.REL.NODEC R20",
        "BSSY B1, `(L_7); BSSY B1, `(L_4); BSYNC B1; L_7: EXIT; L_4: STG.E [R4], R2; EXIT",
        "BSSY B0, `(L_4); L_4: @!P1 BSYNC B0; FADD R5, R2, R3; EXIT",
    ] {
        holds(&sass(75, lines));
    }
}

/// Up to 6.x: what `SYNC` takes off is not its own; an arm that waits while the other one ends.
#[test]
fn places_of_others() {
    holds(&sass(50, "SSY `(L_3); PBK `(L_5); L_5: SYNC; L_3: EXIT"));
    // A call pushes a place, too, also one that looks like a jump since nothing in the function returns.
    holds(&sass(50, "SSY `(L_3); CAL `(L_6); L_3: EXIT; L_6: SYNC; RET"));
    holds(&sass(35, "SSY `(L_3); CAL `(L_6); L_3: EXIT; L_6: NOP.S; RET"));
    holds(&sass(
        50,
        "SSY `(L_3); @P2 BRA `(L_5); SYNC; L_5: STG.E [R4], R2; EXIT; L_3: LDG.E R2, [R4]; EXIT",
    ));
}

/// A branch that both ways of which may come to the barrier of the next pass parts threads all the same, and so does one before a
/// barrier that some threads need not pass, since they end or find another way.
#[test]
fn barriers_that_decide_nothing() {
    let kernel = |sm: u32, body: &str, functions: &str| {
        format!(".version 7.0\n.target sm_{sm}\n.visible .entry k()\n{{\n{body}\n}}\n{functions}")
    };
    let ends = ".func ends()\n{\nexit;\n}\n";
    for sm in [52, 75] {
        for leave in ["@!%p1 exit;", "@%p1 bra L13;"] {
            holds(&kernel(
                sm,
                &format!(
                    "L2:\nbar.sync 0;\n@%p2 bra L11;\n{leave}\nbra L12;\nL11:\nadd.u32 %r1, %r1, 1;\nL12:\nbra L2;\nL13:\n\
                     ld.global.u32 %r1, [%rd1];\nexit;"
                ),
                "",
            ));
        }
        holds(&kernel(
            sm,
            "@!%p1 bra L2;\ncall ends;\nbar.sync 0;\nbra L3;\nL2:\nst.global.u32 [%rd1], %r1;\nL3:\nadd.u32 %r1, %r1, 1;\nexit;",
            ends,
        ));
        holds(&kernel(
            sm,
            "@%p1 bra L2;\nst.global.u32 [%rd1], %r1;\n@%p2 bra L1;\nbar.sync 0;\nL1:\nbra L3;\nL2:\nadd.u32 %r1, %r1, 1;\nL3:\nexit;",
            "",
        ));
    }
    let next_pass = "L_2: BAR.SYNC 0x0; BSSY B0, `(L_4); @P2 BRA `(L_3); @!P1 EXIT; BRA `(L_4); L_3: FADD R2, R2, R3; \
                     L_4: BSYNC B0; BRA `(L_2); EXIT";
    holds(&sass(75, next_pass));
    let early = "@P2 BRA `(L_3); L_8: @!P3 BRA `(L_9); BAR.SYNC 0x0; @P0 BRA `(L_8); EXIT; L_9: BAR.SYNC 0x0; L_3: FADD R5, R2, R3; EXIT";
    holds(&sass(75, early));
}
