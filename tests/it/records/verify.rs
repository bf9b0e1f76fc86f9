//! `verify` names the weakest link, and never says more of a number than its record does.

use assert_cmd::Command;
use serde_json::{Value, json};
use warpspan::records::verify::{How, Number};
use warpspan::records::{Verify, verify};

use crate::records::{printed, root};

/// What `verify` says of a line.
fn of(line: &str) -> Verify {
    Verify::of(line.trim().as_bytes()).unwrap().unwrap()
}

fn number<'a>(found: &'a Verify, name: &str) -> &'a Number {
    found.numbers.iter().find(|number| number.name == name).unwrap_or_else(|| panic!("{name}: {found:?}"))
}

fn checked(found: &Verify, name: &str) -> (How, Vec<String>) {
    let number = number(found, name);
    (number.checked, number.by.clone())
}

fn by(name: &str) -> Vec<String> {
    vec![name.to_owned()]
}

/// The line with a field changed.
fn with(line: &str, field: &str, value: Value) -> String {
    let mut record: Value = serde_json::from_str(line).unwrap();
    *record.pointer_mut(field).unwrap() = value;
    record.to_string()
}

#[test]
fn each_end_of_solve_has_its_theorem() {
    let two = of(&printed("solve --kernel LLCLL --warps 2 --engine phase --format json"));
    assert_eq!(checked(&two, "upper"), (How::Machine, by("longest-pair")));
    let four = of(&printed("solve --kernel LLCLL --warps 4 --engine phase --format json"));
    assert_eq!(checked(&four, "upper"), (How::Machine, by("closed-form")));
    assert_eq!(checked(&four, "lower"), (How::Machine, by("schedule")));
    let program = of(&printed("solve --kernel [LCLCLC/LLLL] --warps 4 --format json"));
    assert_eq!(checked(&program, "upper"), (How::Paper, by("program")));
    assert_eq!(program.weakest.unwrap().checked, How::Paper);
    let searched = of(&printed("solve --kernel LCCC --warps 4 --sigma-c 2 --engine states --format json"));
    assert_eq!(checked(&searched, "upper"), (How::Tested, by("exhaustive")));
    assert_eq!(searched.weakest.unwrap().checked, How::Tested);
}

/// A sum over segments is checked no better than its parts, one of which was searched.
#[test]
fn a_sum_of_segments_is_as_weak_as_its_parts() {
    let searched = of(&printed("solve --kernel LCLCC|LC --warps 5 --sigma-c 2 --format json"));
    assert_eq!(checked(&searched, "upper"), (How::Tested, by("segments")));
    let formulas = of(&printed("bound --kernel LCC|LC --warps 4 --sigma-c 2 --format json"));
    assert_eq!(checked(&formulas, "bounds: segments"), (How::Machine, by("segments")));
}

#[test]
fn every_row_of_bound_has_its_theorem_and_unsafe_ones_none() {
    let found = of(&printed("bound --kernel LL --warps 4 --sigma-l 2 --up-to 1 --format json"));
    let how = |name: &str| checked(&found, &format!("bounds: {name}"));
    assert_eq!(how("pessimistic"), (How::NoBound, vec![]));
    assert_eq!(how("min-over-y"), (How::NoBound, vec![]));
    assert_eq!(how("critical-path"), (How::Machine, by("critical-path")));
    assert_eq!(how("phase"), (How::Machine, by("phase")));
    assert_eq!(how("bottleneck"), (How::Paper, by("bottleneck")));
    let at_one = of(&printed("bound --kernel LCL --warps 4 --format json"));
    assert_eq!(checked(&at_one, "bounds: pessimistic"), (How::Paper, by("pessimistic")));
    assert_eq!(checked(&at_one, "bounds: phase"), (How::Machine, by("closed-form")));
    let grid = of(&printed("bound --kernel LLCLL --warps-per-block 2 --blocks 4 --resident 2 --format json"));
    assert_eq!(checked(&grid, "bounds: relay"), (How::Machine, by("equal-blocks")));
    for kernel in ["LLC|LL", "LL[C/L]"] {
        let line =
            format!("bound --kernel {kernel} --warps-per-block 2 --blocks 4 --resident 2 --format json");
        assert_eq!(checked(&of(&printed(&line)), "bounds: relay"), (How::Paper, by("relay")), "{kernel}");
    }
}

/// What a record claims beyond what is known, and words that nobody knows, make its numbers unknown.
#[test]
fn a_record_that_claims_too_much_is_not_believed() {
    let line = printed("solve --kernel LLCLL --warps 4 --engine states --format json");
    assert_eq!(checked(&of(&line), "upper").0, How::Tested);
    for (name, word) in
        [("exhaustive", "machine"), ("relay", "machine"), ("bottleneck", "machine"), ("program", "machine")]
    {
        let tampered = of(&with(&line, "/evidence/upper", json!({"name": name, "checked": word})));
        assert_eq!(checked(&tampered, "upper"), (How::Unknown, vec![]), "{name} by {word}");
        assert_eq!(tampered.weakest.unwrap().number, "upper");
    }
    for evidence in [
        json!({"name": "oracle", "checked": "machine"}),
        json!({"name": "phase"}),
        json!("machine"),
        json!(null),
    ] {
        let tampered = of(&with(&line, "/evidence/upper", evidence.clone()));
        assert_eq!(checked(&tampered, "upper").0, How::Unknown, "{evidence}");
        let doubted = tampered.notes.iter().any(|note| note.contains("is not known"));
        assert_eq!(doubted, !evidence.is_null(), "{evidence}");
    }
    // What Coq has checked of blocks that follow one another has no barriers.
    let barriers = printed(
        "solve --kernel LL|C --warps-per-block 2 --blocks 4 --resident 2 --engine phase --format json",
    );
    let relay = json!({"name": "relay", "checked": "machine"});
    assert_eq!(checked(&of(&with(&barriers, "/evidence/upper", relay)), "upper").0, How::Unknown);
    // What Coq has checked is of straight code on a multiprocessor of two units.
    let phase = json!({"name": "phase", "checked": "machine"});
    for command in [
        "solve --kernel [LCLCLC/LLLL] --warps 4 --format json",
        "solve instances/machine-lcsfu-w4.toml --format json",
    ] {
        let tampered = of(&with(&printed(command), "/evidence/upper", phase.clone()));
        assert_eq!(checked(&tampered, "upper").0, How::Unknown, "{command}");
    }
}

/// A row of `bound` of an older version names no evidence.
#[test]
fn evidence_that_is_missing_is_unknown() {
    let line = printed("bound --kernel LCL --warps 4 --format json");
    let mut record: Value = serde_json::from_str(&line).unwrap();
    for row in record["bounds"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("evidence");
    }
    let found = of(&record.to_string());
    assert_eq!(checked(&found, "upper").0, How::Unknown);
    assert_eq!(checked(&found, "bounds: phase").0, How::Unknown);
    assert_eq!(checked(&found, "bounds: min-over-y").0, How::NoBound);
    assert_eq!(found.weakest.unwrap().checked, How::Unknown);
}

/// Algorithm 2 takes C as it was solved: where a search found C, no response time is proved on paper.
#[test]
fn response_times_by_algorithm_2_are_as_weak_as_c() {
    let line = printed("rta instances/pa19-section-3-6.toml --format json");
    let given = of(&line);
    assert_eq!(checked(&given, "verdict"), (How::Paper, by("algorithm-2")));
    assert_eq!(checked(&given, "K1: execution").0, How::Assumed);
    let solved = json!({
        "kernel": "LCCC", "resident_blocks": 1, "warps": 4, "lower": 4, "upper": 4, "serial": 4,
        "evidence": {"name": "exhaustive", "checked": "tested"},
    });
    let line = with(&line, "/kernels/0/solved", solved);
    let searched = of(&with(&line, "/kernels/0/measured", json!(null)));
    assert_eq!(checked(&searched, "K1: execution"), (How::Tested, by("exhaustive")));
    assert_eq!(checked(&searched, "K1: response_bound"), (How::Tested, by("algorithm-2")));
    assert_eq!(checked(&searched, "verdict").0, How::Tested);
    // The bounds in any company do not use it.
    let bounds = of(&with(&with(&line, "/kernels/0/measured", json!(null)), "/by", json!("bound")));
    assert_eq!(checked(&bounds, "K1: response_bound"), (How::Paper, by("response-bound")));
}

/// The grid of the timer is assumed wherever there is one.
#[test]
fn prem_assumes_that_the_schedule_starts_on_the_grid_of_the_timer() {
    let timer = |found: &Verify| -> Vec<String> {
        let all = found.assumptions.iter().filter(|one| one.id == "tiles.timer");
        all.map(|one| one.value.clone()).collect()
    };
    let shows = |step: u64| {
        [format!("multiples of {step} ns and nothing between them, and the schedule starts on one of them")]
    };
    let found = of(&printed("prem instances/kr19-offset-1300.toml --format json"));
    assert_eq!(checked(&found, "execution_ns"), (How::Paper, by("tiles")));
    assert_eq!(timer(&found), shows(160));
    let at_any_time = of(&printed("prem instances/kr19-offset-1300.toml --timer 1 --format json"));
    assert_eq!(timer(&at_any_time), shows(1));
    let text = printed("prem instances/kr19-offset-1300.toml --assumptions");
    assert!(text.contains("the timer shows: multiples of 160 ns and nothing between them, and the schedule starts on one of them [tiles.timer; timer_ns and start_ns]\n"), "{text}");
    let offsets = of(&printed("prem instances/kr19-plan.toml --offsets 1200..1300:100 --format json"));
    assert_eq!(timer(&offsets), shows(160));
    let moved = std::fs::read_to_string(root().join("instances/kr19-offset-1300.toml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moved.toml");
    std::fs::write(&file, format!("start_ns = 161\n{moved}")).unwrap();
    let moved = printed(&format!("prem {} --format json", file.display()));
    assert!(moved.contains("and the schedule starts 1 ns after one of them"), "{moved}");
}

/// A launch whose code is read from a listing.
const TIME: &str = "time docs/tutorial/conv.sm_87.sass --entry conv --gpu jetson-orin --grid 60x135 --block 32x8 \
                    --loop-bound .L_x_2=3 --transactions *=2 --deadline 20ms";

/// The theorem of a time is on paper, and the reading of the listing is tested only.
#[test]
fn a_time_from_a_listing_is_tested_only() {
    let found = of(&printed(&format!("{TIME} --format json")));
    let steps = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let all = steps(&["critical-path-with-memory", "launch", "listing"]);
    assert_eq!(checked(&found, "bound_ns"), (How::Tested, all));
    assert_eq!(checked(&found, "verdict").0, How::Tested);
    assert!(found.assumptions.iter().any(|one| one.value.contains("1300 MHz")), "{:?}", found.assumptions);
}

/// Every record that is verified fits its schema and its text says the same of the weakest link.
#[test]
fn all_commands_have_their_records_verified() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.jsonl");
    let sweep = format!("sweep --kernels LLCLL,LC|C --warps 2..3 --sigma-c 1,2 -o {}", table.display());
    Command::cargo_bin("warpspan").unwrap().args(sweep.split(' ')).assert().success();
    let rows = std::fs::read_to_string(&table).unwrap();
    let mut lines: Vec<(String, &str)> = rows.lines().map(|row| (row.to_owned(), "unknown")).collect();
    for (command, weakest) in [
        ("bound instances/two-kernels.toml", "paper"),
        ("bound instances/machine-lcsfu-w4.toml", "paper"),
        ("solve instances/machine-lcsfu-w4.toml", "tested"),
        ("simulate instances/llcll-w4.toml --policy lrr", "unknown"),
        ("rta instances/saxpy-conv.toml", "paper"),
        ("rta instances/camera.amxmi", "paper"),
        ("partition instances/si21-partition-formula.toml", "paper"),
        ("partition instances/si21-partition-co-located.toml --co-located", "unknown"),
        ("compare tests/data/compare/old.ptx tests/data/compare/new.ptx --warps 32", "unknown"),
        (TIME, "tested"),
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--format", "json"]).collect();
        let output =
            Command::cargo_bin("warpspan").unwrap().current_dir(root()).args(words).output().unwrap();
        assert!(!output.stdout.is_empty(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        lines.push((String::from_utf8(output.stdout).unwrap(), weakest));
    }
    for (command, weakest) in [
        ("extract docs/tutorial/conv.sm_87.sass --warps 8 --loop-bound .L_x_2=3 --machine 8.7", "tested"),
        ("prem instances/kr19-offset-1300.toml", "tested"),
        ("rta instances/graph-tx2.toml", "paper"),
    ] {
        lines.push((printed(&format!("{command} --format json")), weakest));
    }
    let schema = warpspan::records::schemas::Format::named("verify").unwrap().schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (line, weakest) in lines {
        let verify = |more: &[&str]| {
            let mut command = Command::cargo_bin("warpspan").unwrap();
            let output = command.args(["verify", "-"]).args(more).write_stdin(line.clone()).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let record: Value = serde_json::from_str(&verify(&["--format", "json"])).unwrap();
        validator.validate(&record).unwrap_or_else(|error| panic!("{}: {error}", error.instance_path()));
        assert_eq!(record["weakest"]["checked"], weakest, "{line}");
        let first = format!("{:<24} {}: ", "weakest link", record["weakest"]["number"].as_str().unwrap());
        // The record itself says the same, and rows of tables say nothing.
        let said: Value = serde_json::from_str(&line).unwrap();
        if said["schema"].is_string() {
            assert_eq!(said["numbers"], record["numbers"], "{line}");
            assert_eq!(record["contradictions"], Value::Null);
        }
        let ids: Vec<&Value> =
            record["assumptions"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
        for number in record["numbers"].as_array().unwrap() {
            let rests_on = number["rests_on"].as_array().unwrap();
            assert!(rests_on.iter().all(|id| ids.contains(&id)), "{number}");
            let has_to = number["side"] == "upper" && !ids.is_empty();
            assert!(!has_to || !rests_on.is_empty(), "{number}");
        }
        assert!(verify(&[]).starts_with(&first), "{line}");
    }
}

/// A record that contradicts itself proves nothing, and is named.
#[test]
fn a_record_that_contradicts_itself_is_refused() {
    let time = printed(&format!("{TIME} --format json"));
    let solve = printed("solve --kernel LLCLL --warps 4 --engine phase --format json");
    let rta = printed("rta instances/saxpy-conv.toml --format json");
    let without_numbers = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record.as_object_mut().unwrap().remove("numbers");
        record.to_string()
    };
    for (line, field, value, number) in [
        (&time, "/verdict", json!("refuted"), "verdict"),
        (&time, "/deadline_ns", json!(1000), "verdict"),
        (&time, "/bound_ns", json!(1), "bound_ns"),
        (&solve, "/lower", json!(99), "upper"),
        (&rta, "/kernels/0/response_bound", json!(0.5), "saxpy: response_bound"),
    ] {
        for line in [with(line, field, value.clone()), without_numbers(&with(line, field, value.clone()))] {
            let found = of(&line);
            assert!(found.contradictions.iter().any(|one| one.number == number), "{field}: {found:?}");
            assert_eq!(checked(&found, number).0, How::Unknown, "{field}");
            for command in ["verify", "explain"] {
                let mut run = Command::cargo_bin("warpspan").unwrap();
                run.args([command, "-"]).write_stdin(line.clone()).assert().code(4);
            }
        }
    }
    // What the list of numbers alone says is not believed either.
    let listed = with(&solve, "/numbers/1/value", json!("5"));
    assert_eq!(checked(&of(&listed), "upper").0, How::Unknown);
    // Nor a list of what a number rests on that is not the one of the assumptions: an id too many, none, or one whose row is gone.
    for (field, value) in [
        ("/numbers/0/rests_on", json!(["no.such"])),
        ("/numbers/0/rests_on", json!([])),
        ("/assumptions/0/id", json!("no.such")),
    ] {
        let found = of(&with(&time, field, value));
        assert!(!found.contradictions.is_empty(), "{field}");
    }
}

/// Whatever command reads a listing, no more is known of its numbers than of the reader.
#[test]
fn what_was_read_from_a_listing_is_only_tested() {
    let conv = "--ptx docs/tutorial/conv.sm_87.sass --loop-bound .L_x_2=3 --warps 8 --machine jetson-orin";
    for command in [format!("bound {conv}"), format!("solve {conv} --engine phase")] {
        let found = of(&printed(&format!("{command} --format json")));
        let upper = found.numbers.iter().find(|one| one.name == "upper").unwrap();
        assert!(
            upper.checked == How::Tested && upper.by.iter().any(|by| by == "listing"),
            "{command}: {upper:?}"
        );
        assert!(printed(&command).contains("the reader of listings by tests only"), "{command}");
    }
    let found = of(&printed("bound --kernel LLCLL --warps 4 --format json"));
    assert!(found.numbers.iter().all(|one| !one.by.iter().any(|by| by == "listing")));
}

/// Nothing is passed over: a record without evidence is refused, and so is what is no record.
#[test]
fn what_holds_no_evidence_is_refused() {
    let refused = |line: &str| {
        let assert = Command::cargo_bin("warpspan").unwrap().args(["verify", "-"]).write_stdin(line).assert();
        let output = assert.failure().code(2).get_output().clone();
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let gpus = printed("gpus 8.7 --format json");
    assert!(refused(&gpus).contains("such a record holds no bound with evidence"));
    assert!(refused("{\"schema\":\"warpspan/solve/9\"}").contains("want one of warpspan/solve/2"));
    assert!(refused("").contains("want a line of --format json"));
    assert!(refused("LLCLL").contains("want a row of a table"));
    // One line that is wrong leaves the others unprinted.
    let good = printed("solve --kernel LC --warps 2 --format json");
    assert!(refused(&format!("{good}{gpus}")).contains(":2:"));
}

#[test]
fn without_a_record_all_theorems_are_listed() {
    let table: Value = serde_json::from_str(&printed("verify --format json")).unwrap();
    let listed = table["theorems"].as_array().unwrap().len();
    assert_eq!(listed, warpspan::bound::statement::STATEMENTS.len());
    assert_eq!(table["weakest"], Value::Null);
    let text = printed("verify");
    for statement in warpspan::bound::statement::STATEMENTS {
        assert!(text.contains(&format!("\n{} ", statement.name)) || text.starts_with(statement.name));
    }
    let _: verify::Verify = serde_json::from_value(table).unwrap();
}
