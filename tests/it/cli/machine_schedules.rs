//! Schedules on machines: `simulate` writes them, and `check` judges files of them and records of `solve`.

use assert_cmd::Command;
use serde_json::{Value, json};

const TWO: &str = "[machine]\nname = \"two\"\nschedulers = 2\nissue_width = 1\n[[unit]]\nname = \"L\"\nshared = true\n\
                   occupancy = 2\nlatency = [3, 9]\n[[unit]]\nname = \"SFU\"\nlatency = 4\n[[letter]]\nname = \"G\"\n\
                   unit = \"L\"\nlatency = [5, 6]\nassumed = [\"latency\"]\n";
const ONE_A_CYCLE: &str = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n";
const FLAGS: [&str; 6] = ["--machine", "two.toml", "--kernel", "LG<SFU>", "--warps", "4"];

/// A folder with both machines.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.toml"), TWO).unwrap();
    std::fs::write(folder.path().join("one.toml"), ONE_A_CYCLE).unwrap();
    folder
}

/// The exit code, standard output and standard error.
fn warpspan(folder: &tempfile::TempDir, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder.path()).timeout(std::time::Duration::from_secs(60));
    let output = command.args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn refused(folder: &tempfile::TempDir, args: &[&str], input: &str, part: &str) {
    let (code, out, error) = warpspan(folder, args, input);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {error}");
    assert!(error.contains(part) && error.lines().count() == 1, "{error}");
}

fn judgement(said: &Value, claim: &str) -> String {
    let claims = said["claims"].as_array().unwrap();
    let found = claims.iter().find(|judged| judged["claim"] == claim);
    found.map_or_else(|| "-".to_owned(), |judged| judged["judgement"].as_str().unwrap().to_owned())
}

#[test]
fn simulate_writes_what_check_judges() {
    let folder = folder();
    for (policy, file, latency) in
        [("gto", "s.csv", "random"), ("cggty", "s.json", "least"), ("lrr", "s.csv", "most")]
    {
        let flags = ["--policy", policy, "--schedule", file, "--latency", latency, "--format", "json"];
        let (code, out, error) = warpspan(&folder, &[&["simulate"], &FLAGS[..], &flags].concat(), "");
        assert_eq!(code, 0, "{error}");
        let run: Value = serde_json::from_str(&out).unwrap();
        let said = warpspan(&folder, &[&["check", file], &FLAGS[..], &["--format", "json"]].concat(), "");
        assert_eq!(said.0, 0, "{said:?}");
        let said: Value = serde_json::from_str(&said.1).unwrap();
        assert_eq!(said["makespan"], run["runs"][0]["last_issue"]);
        assert_eq!(said["instance"], run["instance"]);
        assert_eq!(said["recomputed_by"], "critical path");
        assert_eq!(said["recomputed_upper"], run["upper"]);
    }
    let (code, out, _) = warpspan(&folder, &[&["check", "s.csv"], &FLAGS[..]].concat(), "");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("LG<SFU>, 4 warps; machine two: ") && out.contains("\nschedule    valid, "),
        "{out}"
    );
    let svg = ["--policy", "gto", "--schedule", "s.svg"];
    refused(
        &folder,
        &[&["simulate"], &FLAGS[..], &svg].concat(),
        "",
        "s.svg: schedules on machines are not drawn",
    );
    assert!(!folder.path().join("s.svg").exists());
}

#[test]
fn false_files_are_refused() {
    let folder = folder();
    let flags = ["--machine", "one.toml", "--kernel", "LC", "--warps", "2"];
    let head = "cycle,group,warp,instruction,letter,latency\n";
    let text = format!("{head}1,1,1,1,L,1\n2,1,1,2,C,1\n3,1,2,1,L,1\n4,1,2,2,C,1\n");
    let check = |text: &str| warpspan(&folder, &[&["check", "-"], &flags[..]].concat(), text);
    assert_eq!(check(&text).0, 0, "{:?}", check(&text));
    for (from, to, what) in [
        ("3,1,2,1,L,1", "3,1,2,1,L,2", "issues L with a latency of 2: want 1 to 1"),
        ("4,1,2,2,C,1", "5,1,2,2,C,1", "not work-conserving"),
        ("3,1,2,1,L,1", "2,1,2,1,L,1", "scheduler 1 issues more than 1 instructions"),
        ("4,1,2,2,C,1\n", "", "the schedule ends after 3 of 4 instructions"),
    ] {
        let (code, out, error) = check(&text.replace(from, to));
        assert_eq!(code, 4, "{error}");
        assert!(out.contains("NOT valid") && out.contains(what), "{out}");
    }
    let wrong = |text: &str, part: &str| {
        refused(&folder, &[&["check", "-"], &flags[..]].concat(), text, part);
    };
    wrong(&text.replace("2,1,1,2,C,1", "2,1,1,2,C"), "line 3: 5 fields instead of 6: want cycle,group,warp");
    wrong(
        &text.replace("2,1,1,2,C,1", "2,1,1,2,L,1"),
        "issue 2 (cycle 2): instruction 2 of group 1 is C, not L",
    );
    wrong(&text.replace("2,1,1,2,C,1", "2,0,1,2,C,1"), "issue 2 (cycle 2): group 0: indexes count from 1");
    wrong(&text.replace("2,1,1,2,C,1", "2,1,1,3,C,1"), "issue 2 (cycle 2): no instruction 3 in group 1");
    wrong("[\n{\"cycle\": 1}\n]\n", "line 2: missing field");
    let paths = ["check", "-", "--machine", "one.toml", "--kernel", "L[L/]", "--warps", "2"];
    refused(&folder, &paths, head, "the code is no straight line");
}

/// The critical path of LC on two warps is the worst case, so that every number is confirmed.
#[test]
fn every_number_of_a_record_is_judged() {
    let folder = folder();
    let flags =
        ["--machine", "one.toml", "--kernel", "LC", "--warps", "2", "--with-schedule", "--format=json"];
    let (code, line, error) = warpspan(&folder, &[&["solve"], &flags[..]].concat(), "");
    assert_eq!(code, 0, "{error}");
    let record: Value = serde_json::from_str(&line).unwrap();
    let check = |record: &Value| {
        let (code, out, error) = warpspan(&folder, &["check", "-", "--format", "json"], &record.to_string());
        assert_eq!(error, "");
        (code, serde_json::from_str::<Value>(&out).unwrap())
    };
    let (code, said) = check(&record);
    assert_eq!(code, 3, "{said}");
    for claim in ["schedule", "lower", "upper", "verdict", "completion_upper", "evidence.upper"] {
        assert_eq!(judgement(&said, claim), "confirmed", "{claim}: {said}");
    }
    assert_eq!(judgement(&said, "best_case"), "not-judged");
    assert_eq!(said["instance"], record["instance"]);
    let false_at = |path: &str, value: Value, claim: &str| {
        let mut record = record.clone();
        *record.pointer_mut(path).unwrap() = value.clone();
        let (code, said) = check(&record);
        assert_eq!(code, 4, "{path} = {value}: {said}");
        assert_eq!(judgement(&said, claim), "refuted", "{path} = {value}: {said}");
    };
    false_at("/lower", json!(3), "lower");
    false_at("/lower", json!(5), "lower");
    false_at("/upper", json!(3), "upper");
    false_at("/completion_upper", json!(3), "completion_upper");
    false_at("/best_case", json!(5), "best_case");
    false_at("/best_case", json!(1), "best_case");
    false_at("/verdict", json!("bounded"), "verdict");
    false_at("/evidence/upper/name", json!("closed-form"), "evidence.upper");
    false_at("/evidence/lower/checked", json!("sworn"), "evidence.lower");
    false_at("/not_exact", json!("no-engine"), "not_exact");
    false_at("/machine_schedule/0/latency", json!(2), "schedule");
    false_at("/instance/machine/issue_width", Value::Null, "schedule");
    let wrong = |path: &str, value: Value, part: &str| {
        let mut record = record.clone();
        *record.pointer_mut(path).unwrap() = value;
        refused(&folder, &["check", "-"], &record.to_string(), part);
    };
    wrong(
        "/machine_schedule",
        Value::Null,
        "the record has no schedule to replay: solve with --with-schedule",
    );
    wrong("/instance/machine/units/0/instances", json!(0), "instances 0");
    wrong("/instance/machine/letters/0/unit", json!("C"), "unit L: want its letter in its place");
    wrong("/instance/groups/0/kernel", json!("LX"), "kernel \"LX\": character 2");
    wrong("/machine_schedule/1/letter", json!("SFU"), "not SFU");
    let named = ["check", "-", "--machine", "one.toml"];
    refused(&folder, &named, &line, "a record of solve carries its instance: name no other");
}

/// Where the plain routes give more than the search, the upper end rests on the engine.
#[test]
fn what_only_the_engine_knows_is_not_judged() {
    let folder = folder();
    let machine = ["--machine", "one.toml", "--latency-of", "L=3", "--kernel", "LL", "--warps", "2"];
    let flags = ["--with-schedule", "--format", "json"];
    let (code, line, error) = warpspan(&folder, &[&["solve"], &machine[..], &flags].concat(), "");
    assert_eq!(code, 0, "{error}");
    let record: Value = serde_json::from_str(&line).unwrap();
    let (code, out, _) = warpspan(&folder, &["check", "-", "--format", "json"], &line);
    let said: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 3, "{out}");
    assert_eq!(judgement(&said, "lower"), "confirmed");
    assert_eq!(judgement(&said, "upper"), "not-judged");
    assert_eq!((&record["upper"], &said["recomputed_upper"]), (&json!(5), &json!(6)));
    assert_eq!(said["instance"], record["instance"]);
    let (code, out, _) = warpspan(&folder, &["check", "-"], &line);
    assert_eq!(code, 3);
    assert!(out.contains("\nupper       NOT judged: ") && out.contains("\nlower       confirmed: "), "{out}");
}
