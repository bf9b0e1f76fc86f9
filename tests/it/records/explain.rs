//! `explain` says what a number follows from, what of it holds, and what warps wait for; it never says more than `verify`.

use std::collections::BTreeMap;
use std::process::{Command, Output};

use serde_json::{Value, json};
use warpspan::records::explain::{Holds, Reason, State};
use warpspan::records::verify::How;
use warpspan::records::{Explain, Verify};

use crate::records::{printed, root};

fn of(line: &str) -> Explain {
    Explain::of(line.trim().as_bytes()).unwrap().unwrap()
}

fn reason<'a>(found: &'a Explain, name: &str) -> &'a Reason {
    found.reasons.iter().find(|reason| reason.name == name).unwrap_or_else(|| panic!("{name}: {found:?}"))
}

/// The line with a field changed.
fn with(line: &str, field: &str, value: Value) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    *record.pointer_mut(field).unwrap() = value;
    record.to_string()
}

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpspan")).current_dir(root()).args(args).output().unwrap()
}

/// Runs `explain` on a text as a file of this name.
fn explain(name: &str, text: &str, more: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    let output = run(&[&["explain", file.to_str().unwrap()], more].concat());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const LLCLL: &str = "solve --kernel LLCLL --warps 4 --engine phase --with-schedule --format json";

#[test]
fn a_closed_form_comes_with_its_conditions_and_a_second_computation() {
    let found = of(&printed(LLCLL));
    let upper = reason(&found, "upper");
    assert_eq!((upper.value.as_str(), upper.checked), ("17", How::Machine));
    assert_eq!(upper.by, ["closed-form"]);
    assert_eq!(upper.conditions.len(), 5);
    assert!(upper.conditions.iter().all(|one| one.holds == Holds::Yes), "{upper:?}");
    let again = upper.judged.iter().find(|one| one.claim == "evidence.upper").unwrap();
    assert_eq!(again.judgement.name(), "confirmed");
    assert_eq!(found.ended.as_ref().unwrap().exit, 0);
    assert!(!found.is_refuted());
}

/// What does not hold is proved by nothing, whatever the record says, and the exit code is 4.
#[test]
fn a_number_whose_conditions_fail_is_not_proved() {
    let line = printed(LLCLL);
    let closed = json!({"name": "closed-form", "checked": "machine"});
    for (what, tampered) in [
        ("a smaller upper end", with(&with(&line, "/upper", json!(16)), "/lower", json!(16))),
        ("a larger sigma", with(&line, "/instance/sigma_l", json!("2"))),
        (
            "two warps",
            with(&with(&line, "/instance/groups/0/warps", json!(2)), "/evidence/upper", closed.clone()),
        ),
        ("a barrier", with(&line, "/instance/groups/0/kernel", json!("LL|CLL"))),
    ] {
        let found = of(&tampered);
        assert!(found.is_refuted(), "{what}: {found:?}");
        let wrong = found.reasons.iter().filter(|reason| reason.is_refuted());
        assert!(wrong.clone().count() > 0);
        wrong.for_each(|reason| assert_eq!(reason.checked, How::Unknown, "{what}"));
        let (code, text, _) = explain("record.json", &tampered, &[]);
        assert_eq!(code, 4, "{what}: {text}");
        assert!(text.contains("REFUTED") || text.contains("FAILS"), "{what}: {text}");
    }
}

/// Without a schedule the judge still computes the upper end again.
#[test]
fn a_record_without_a_schedule_is_judged_too() {
    let line = printed("solve --kernel LLCLLCL --warps 5 --sigma-c 2 --engine states --format json");
    let found = of(&line);
    let upper = reason(&found, "upper");
    assert_eq!((upper.by.as_slice(), upper.checked), (&["exhaustive".to_owned()][..], How::Tested));
    assert_eq!(upper.conditions[0].holds, Holds::Yes);
    assert!(
        upper.judged.iter().any(|one| one.claim == "upper" && one.judgement.name() == "confirmed"),
        "{upper:?}"
    );
    let value: Value = serde_json::from_str(&line).unwrap();
    let (lower, best) = (value["lower"].as_u64().unwrap(), value["best_case"].as_u64().unwrap());
    assert!(of(&with(&line, "/upper", json!(lower - 1))).is_refuted());
    assert!(of(&with(&line, "/best_case", json!(best + 1))).is_refuted());
    assert!(of(&with(&line, "/lower", json!(lower + 1))).is_refuted());
}

/// On no record does a number look better checked than `verify` says that it is.
#[test]
fn nothing_is_said_to_be_checked_better_than_verify_says() {
    let strength = |how: How| match how {
        How::Machine => 3,
        How::Paper => 2,
        How::Tested => 1,
        How::Unknown | How::Assumed | How::NoBound => 0,
    };
    for command in [
        LLCLL,
        "solve llc* lcl* two-kernels* --format json",
        "solve instances/machine-lcsfu-w4.toml --with-schedule --format json",
        "solve --kernel LC(LLC)0..16[LC/CC] --warps 8 --format json",
        "solve --kernel LCL --warps-per-block 1 --blocks 4 --resident 2 --with-schedule --format json",
        "solve --kernel LCL|CC|L --warps 6 --warps-per-block 2 --format json",
        "bound --kernel LLCLL --warps 600 --up-to 8 --format json",
        "bound --kernel LCC|LC --warps 4 --sigma-c 2 --format json",
        "simulate llcll-w4* --format json",
        "rta instances/pa19-section-3-6.toml --explain --format json",
        "rta instances/tx2-chain.toml --explain --format json",
        "prem instances/kr19-offset-1300.toml --format json",
        "partition instances/si21-partition-table.toml --format json",
        "partition instances/si21-partition-co-located.toml --co-located --format json",
        "compare tests/data/code/ret.ptx tests/data/code/ret.ptx --warps 4 --format json",
        "time docs/tutorial/conv.sm_87.sass --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --deadline 9ms --format json",
    ] {
        for line in printed(command).lines() {
            let (found, verify) = (of(line), Verify::of(line.as_bytes()).unwrap().unwrap());
            assert!(!found.is_refuted(), "{command}: {found:?}");
            assert_eq!(found.reasons.len(), verify.numbers.len());
            for (reason, number) in found.reasons.iter().zip(&verify.numbers) {
                assert_eq!((&reason.name, &reason.value), (&number.name, &number.value));
                assert!(strength(reason.checked) <= strength(number.checked), "{command}: {reason:?}");
            }
        }
    }
}

#[test]
fn a_response_bound_is_the_sum_of_its_terms() {
    let line = printed("rta instances/tx2-copies.toml --explain --format json");
    let found = of(&line);
    let with_terms = found.reasons.iter().filter(|reason| !reason.terms.is_empty());
    assert!(with_terms.clone().count() > 0, "{found:?}");
    for reason in with_terms {
        let sum: f64 = reason.terms.iter().map(|term| term.value.parse::<f64>().unwrap()).sum();
        let value: f64 = reason.value.parse().unwrap();
        assert!((sum - value).abs() < 1e-6, "{reason:?}");
        assert!(reason.terms.is_sorted_by(|a, b| a.percent >= b.percent), "{reason:?}");
    }
    assert!(!found.smaller.is_empty());
    let mut record: Value = serde_json::from_str(&line).unwrap();
    let kernels = record["kernels"].as_array_mut().unwrap();
    let kernel = kernels.iter_mut().find(|kernel| kernel["explanation"].is_object()).unwrap();
    kernel["explanation"]["jitter"] = json!(1_000_000);
    assert!(of(&record.to_string()).is_refuted());
}

/// A verdict that its own numbers contradict.
#[test]
fn a_verdict_above_its_deadline_fails() {
    let line = printed("rta instances/pa19-section-3-6.toml --format json");
    assert_eq!(of(&line).ended.unwrap().exit, 0);
    let late = of(&with(&line, "/kernels/0/deadline", json!(1)));
    assert_eq!(reason(&late, "verdict").checked, How::Unknown);
}

/// What each warp does in each cycle, counted from the issues alone: in the paper's model a warp issues, or has
/// finished, or waits while its unit is full.
fn counted(schedule: &Value, warp: u64) -> BTreeMap<String, u64> {
    let issues = schedule.as_array().unwrap();
    let number = |issue: &Value, field: &str| issue[field].as_u64().unwrap();
    let own: Vec<&Value> = issues.iter().filter(|issue| number(issue, "warp") == warp).collect();
    let mut counts = BTreeMap::new();
    let mut cycle = 1;
    for issue in own {
        while cycle < number(issue, "cycle") {
            *counts.entry(format!("waits for {}", issue["unit"].as_str().unwrap())).or_default() += 1;
            cycle += 1;
        }
        *counts.entry("issues".to_owned()).or_default() += 1;
        cycle += 1;
    }
    counts
}

#[test]
fn the_cycles_of_every_warp_divide_as_its_issues_say() {
    for command in [
        LLCLL,
        "solve --kernel LLCLCCLL --warps 7 --sigma-c 2 --with-schedule --format json",
        "solve --kernel LCCLL --warps 9 --sigma-l 2 --sigma-c 3 --with-schedule --format json",
    ] {
        let line = printed(command);
        let record: Value = serde_json::from_str(&line).unwrap();
        for warp in 1..=record["instance"]["groups"][0]["warps"].as_u64().unwrap() {
            let (_, text, error) =
                explain("record.json", &line, &["--warp", &warp.to_string(), "--format", "json"]);
            assert_eq!(error, "");
            let found: Value = serde_json::from_str(&text).unwrap();
            let shares = found["division"]["shares"].as_array().unwrap();
            let share = |share: &Value| {
                let name = match share["unit"].as_str() {
                    Some(unit) => format!("waits for {unit}"),
                    None => share["state"].as_str().unwrap().to_owned(),
                };
                (name, share["cycles"].as_u64().unwrap())
            };
            let shares: BTreeMap<String, u64> = shares.iter().map(share).collect();
            assert_eq!(shares, counted(&record["schedule"], warp), "{command}, warp {warp}");
            assert_eq!(found["division"]["cycles"], shares.values().sum::<u64>());
        }
    }
}

/// In each cycle, a wait for a unit names as many issues on it as the unit takes, all in this cycle.
#[test]
fn a_full_unit_is_filled_by_issues_of_that_cycle() {
    let line =
        printed("solve --kernel LCCLL --warps 9 --sigma-l 2 --sigma-c 3 --with-schedule --format json");
    let record: Value = serde_json::from_str(&line).unwrap();
    let issues = record["schedule"].as_array().unwrap();
    for cycle in 1..=record["lower"].as_u64().unwrap() {
        let (_, text, _) =
            explain("record.json", &line, &["--cycle", &cycle.to_string(), "--format", "json"]);
        let found: Value = serde_json::from_str(&text).unwrap();
        let moments = found["moments"].as_array().unwrap();
        assert_eq!(moments.len(), 9);
        for moment in moments {
            let on = |unit: &str| {
                let here = |issue: &&Value| issue["cycle"] == cycle && issue["unit"] == unit;
                issues.iter().filter(here).count()
            };
            match moment["state"].as_str().unwrap() {
                "waits-for-unit" => {
                    let unit = moment["unit"].as_str().unwrap();
                    assert_eq!(on(unit), if unit == "L" { 2 } else { 3 }, "{moment}");
                    assert_eq!(moment["by"].as_array().unwrap().len(), on(unit), "{moment}");
                }
                "issues" | "finished" => {}
                other => panic!("{other}: {moment}"),
            }
        }
    }
}

/// Barriers, latencies, an issue width and slots, each by hand.
#[test]
fn every_kind_of_wait_is_named() {
    let moment = |file: &str, text: &str, more: &[&str]| {
        let (code, out, error) = explain(file, text, &[more, &["--format", "json"]].concat());
        assert_eq!((code, error.as_str()), (0, ""));
        let found: Value = serde_json::from_str(&out).unwrap();
        found["moments"][0].clone()
    };
    // Two warps of one block: L | C. Warp 1 issues L first, and waits for warp 2 at the barrier.
    let barrier = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n2,1,2,1,L\n3,1,1,2,C\n4,1,2,2,C\n";
    let at = moment("s.csv", barrier, &["--kernel", "L|C", "--warps", "2", "--cycle", "2", "--warp", "1"]);
    assert_eq!(at["state"], "waits-at-barrier");
    assert_eq!(
        (&at["missing"], &at["until"], &at["instruction"]),
        (&json!(["warp 2"]), &json!(3), &json!(2))
    );
    let at = moment("s.csv", barrier, &["--kernel", "L|C", "--warps", "2", "--cycle", "3", "--warp", "2"]);
    assert_eq!(
        (&at["state"], &at["unit"], &at["by"][0]["warp"]),
        (&json!("waits-for-unit"), &json!("C"), &json!("warp 1"))
    );
    // One block of one warp at a time: the second block waits for the slot of the first.
    let slots = "cycle,multiprocessor,slot,block,start,warp,instruction,unit\n1,1,1,1,1,1,1,L\n2,1,1,1,1,1,2,C\n\
                 3,1,1,2,3,1,1,L\n4,1,1,2,3,1,2,C\n";
    let grid = ["--kernel", "LC", "--warps-per-block", "1", "--blocks", "2", "--resident", "1"];
    let at = moment("s.csv", slots, &[&grid[..], &["--cycle", "2", "--warp", "2:1"]].concat());
    assert_eq!(
        (&at["state"], &at["until"], &at["warp"]),
        (&json!("waits-for-slot"), &json!(3), &json!("warp 1 of block 2"))
    );
    // A machine that issues one instruction a cycle, with an L of latency 3 that holds its unit for 2 cycles.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.toml");
    let text = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\noccupancy = 2\nlatency = 3\n[[unit]]\nname = \"C\"\n";
    std::fs::write(&file, text).unwrap();
    let schedule = "cycle,group,warp,instruction,letter,latency\n1,1,1,1,L,3\n2,2,1,1,C,1\n3,1,2,1,L,3\n4,1,1,2,C,1\n6,1,2,2,C,1\n";
    let on = ["--machine", file.to_str().unwrap(), "--group", "LC:2", "--group", "C:1"];
    let at = |cycle: &str, warp: &str| {
        moment("s.csv", schedule, &[&on[..], &["--cycle", cycle, "--warp", warp]].concat())
    };
    assert_eq!(at("1", "2:1")["state"], "waits-for-issue");
    let held = at("2", "1:2");
    assert_eq!(
        (&held["state"], &held["by"][0]["cycle"], &held["by"][0]["until"]),
        (&json!("waits-for-unit"), &json!(1), &json!(2))
    );
    let result = at("3", "1:1");
    assert_eq!((&result["state"], &result["until"]), (&json!("waits-for-latency"), &json!(4)));
    assert_eq!(at("5", "1:1")["state"], "finished");
    let (_, out, _) = explain("s.csv", schedule, &[&on[..], &["--warp", "1:2", "--format", "json"]].concat());
    let found: Value = serde_json::from_str(&out).unwrap();
    let shares = found["division"]["shares"].as_array().unwrap();
    let cycles: Vec<u64> = shares.iter().map(|share| share["cycles"].as_u64().unwrap()).collect();
    assert_eq!(cycles, [2, 2, 2], "{shares:?}"); // issues, waits for L in cycles 1 and 2, for its result in 4 and 5
    assert_eq!(shares[0]["state"], State::Issues.name());
}

#[test]
fn what_cannot_be_explained_is_refused_in_a_line() {
    let line = printed(LLCLL);
    let plain = printed("solve --kernel LLCLL --warps 4 --engine phase --format json");
    let csv = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n2,1,1,2,C\n";
    let mix = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n1,2,1,1,C\n2,1,1,2,C\n";
    let not_valid = "cycle,group,warp,instruction,unit\n1,1,1,1,L\n3,1,1,2,C\n";
    for (file, text, more, want) in [
        ("r.json", line.as_str(), &["--cycle", "18"][..], "the schedule takes 17 cycles: want 1 to 17"),
        (
            "r.json",
            &line,
            &["--warp", "5"],
            "there is no such warp in the schedule, whose last one is warp 4",
        ),
        ("r.json", &line, &["--kernel", "L"], "a record carries its instance: name no other"),
        (
            "r.json",
            &plain,
            &["--cycle", "1"],
            "the record has no schedule: want one of solve --with-schedule",
        ),
        ("r.json", &printed("gpus --format json"), &[], "such a record holds no number that is explained"),
        (
            "s.csv",
            csv,
            &["--kernel", "LC", "--warps", "1", "--warp", "x"],
            "want W, GROUP:WARP or BLOCK:WARP",
        ),
        ("s.csv", not_valid, &["--kernel", "LC", "--warps", "1"], "not work-conserving"),
        ("s.csv", mix, &["--group", "LC:1", "--group", "C:1", "--warp", "1"], "want GROUP:WARP"),
    ] {
        let (code, out, error) = explain(file, text, more);
        assert_eq!((code, out.as_str()), (2, ""), "{more:?}: {error}");
        assert!(error.contains(want) && error.lines().count() == 1, "{more:?}: {error}");
    }
}
