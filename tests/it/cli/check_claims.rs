//! `check` judges every claim of a record: false claims are refuted, and claims that are not proved are
//! named.
use std::time::Duration;

use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use warpspan::check::{Claims, Judgement, PhaseClaim, judge};
use warpspan::engines::portfolio::Solver;
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor, WarpGroup};

fn solve(args: &[&str]) -> Value {
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .args(["solve", "--with-schedule", "--format", "json"])
        .args(args)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The exit code, and the judgement of each claim.
fn check(record: &Value) -> (i32, Value) {
    let line = record.to_string();
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output = command.args(["check", "-", "--format", "json"]).write_stdin(line).output().unwrap();
    let said = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap(), said)
}

fn judgement(said: &Value, claim: &str) -> String {
    let claims = said["claims"].as_array().unwrap();
    let found = claims.iter().find(|judged| judged["claim"] == claim);
    found.map_or_else(|| "-".to_owned(), |judged| judged["judgement"].as_str().unwrap().to_owned())
}

/// Checks that a record with one claim changed is refuted at that claim.
fn refuted(record: &Value, path: &str, value: Value, claim: &str) {
    let mut record = record.clone();
    *record.pointer_mut(path).unwrap() = value.clone();
    let (code, said) = check(&record);
    assert_eq!(code, 4, "{path} = {value}: {said}");
    assert_eq!(judgement(&said, claim), "refuted", "{path} = {value}: {said}");
    assert!(!said["errors"].as_array().unwrap().is_empty());
}

/// A regression: LCL on two warps takes 4 cycles at most, and a record with other numbers was once accepted.
#[test]
fn every_number_of_a_record_is_judged() {
    let record = solve(&["--kernel", "LLCLL", "--warps", "4"]);
    let (code, said) = check(&record);
    assert_eq!(code, 0, "{said}");
    for claim in
        ["schedule", "lower", "upper", "verdict", "best_case", "phase.upper", "phase.rates", "phase.labels"]
    {
        assert_eq!(judgement(&said, claim), "confirmed", "{claim}: {said}");
    }
    for claim in ["engine", "seconds", "notes", "version", "checks", "states", "stop"] {
        assert_eq!(judgement(&said, claim), "not-judged", "{claim}: {said}");
    }
    refuted(&record, "/upper", json!(18), "verdict");
    refuted(&record, "/verdict", json!("bounded"), "verdict");
    refuted(&record, "/verdict", json!("nearly"), "verdict");
    refuted(&record, "/lower", json!(16), "lower");
    refuted(&record, "/upper", json!(16), "upper");
    refuted(&record, "/best_case", json!(99), "best_case");
    refuted(&record, "/best_case", json!(17), "best_case"); // The best case is 16.
    refuted(&record, "/best_case", json!(15), "best_case"); // Sixteen L's are needed.
    refuted(&record, "/phase/upper", json!(16), "phase.upper");
    refuted(&record, "/phase/rates", json!(["3"]), "phase.rates");
    refuted(&record, "/phase/rates", json!([]), "phase.rates");
    refuted(&record, "/phase/labels", json!(["LLCLL"]), "phase.labels");
    refuted(&record, "/phase/labels", json!(["LLLL"]), "phase.labels");
    refuted(&record, "/phase/theta", json!("2"), "phase.theta");
    refuted(&record, "/stop", json!("soon"), "stop");
    refuted(&record, "/not_exact", json!("paths"), "not_exact");
    refuted(&record, "/evidence/upper/name", json!("hearsay"), "evidence.upper");
    refuted(&record, "/evidence/upper/name", json!("segments"), "evidence.upper");
    refuted(&record, "/evidence/upper/checked", json!("angels"), "evidence.upper");
    refuted(&record, "/evidence/lower/name", json!("phase"), "evidence.lower");
}

/// A record in which all claims are false but agree with each other: lower 7, upper 8 "exact", best case 99.
#[test]
fn the_line_of_the_defect() {
    let mut record = solve(&["--kernel", "LCL", "--warps", "3"]);
    assert_eq!(record["lower"], 7); // The worst case is I + 2 a.
    record["upper"] = json!(8);
    assert_eq!(record["verdict"], "exact");
    record["best_case"] = json!(99);
    record["phase"]["upper"] = json!(5);
    let (code, said) = check(&record);
    assert_eq!(code, 4);
    for claim in ["verdict", "best_case", "phase.upper"] {
        assert_eq!(judgement(&said, claim), "refuted", "{claim}: {said}");
    }
    assert_eq!(judgement(&said, "upper"), "confirmed", "8 is no less than the worst case: {said}");
}

/// Where the plain methods do not reach, neither an upper bound nor the verdict is judged, and the exit code
/// is 3 instead of 0.
#[test]
fn what_is_not_proved_does_not_look_proved() {
    let mut record =
        solve(&["--kernel", "LLCCLLCCLLCC", "--warps", "64", "--sigma-c", "2", "--time-limit", "1s"]);
    let (code, said) = check(&record);
    assert_eq!(code, 0, "the phase bound by its definition: {said}");
    record["upper"] = record["lower"].clone();
    record["verdict"] = json!("exact");
    record["stop"] = Value::Null;
    record["best_case"] = json!(record["lower"].as_u64().unwrap() - 1);
    let (code, said) = check(&record);
    assert_eq!(code, 3, "{said}");
    for claim in ["upper", "verdict", "best_case"] {
        assert_eq!(judgement(&said, claim), "not-judged", "{claim}: {said}");
    }
    assert_eq!(said["upper_verified"], false);
    record["surprise"] = json!({"wcet": 3});
    assert_eq!(judgement(&check(&record).1, "surprise"), "not-judged");
    record["schedule"].as_array_mut().unwrap().pop();
    let (code, said) = check(&record);
    assert_eq!((code, judgement(&said, "schedule")), (4, "refuted".to_owned()));
    for claim in ["lower", "upper", "verdict", "best_case"] {
        assert_eq!(judgement(&said, claim), "not-judged", "{claim}: {said}");
    }
}

/// Records of every kind of instance are confirmed, and small ones in every claim.
#[test]
fn honest_records_are_confirmed() {
    for args in [
        &["--kernel", "LLCCLLCC", "--warps", "7", "--sigma-c", "2"][..],
        &["--group", "LCLL:3", "--group", "CCL:2", "--sigma-c", "2"],
        &["--group", "LCLL:30", "--group", "CCL:20", "--sigma-c", "3"],
        &["--kernel", "LLC|LCC", "--warps", "5", "--sigma-l", "2"],
        &["--kernel", "LLC|LCC", "--warps", "6", "--warps-per-block", "2"],
        &["--kernel", "LC", "--warps", "4", "--compute-capability", "2.1"],
        &["--kernel", "LLC", "--warps", "2"],
        &["--kernel", "LLC", "--warps", "1", "--sigma-c", "5"],
        &["--kernel", "LLCLL", "--warps", "600"],
        &["--kernel", "LLCLL", "--warps", "6", "--engine", "states"],
        &["--kernel", "LCLCC", "--warps", "6", "--sigma-c", "4", "--engine", "phase"],
    ] {
        let record = solve(args);
        let (code, said) = check(&record);
        assert_eq!(code, 0, "{args:?}: {said}");
        assert_eq!(judgement(&said, "upper"), "confirmed", "{args:?}: {said}");
        refuted(
            &record,
            "/verdict",
            json!(if record["verdict"] == "exact" { "bounded" } else { "exact" }),
            "verdict",
        );
    }
}

/// The plain methods confirm the records of random instances, whichever engine found the bound: nothing true
/// is refuted, and no claim on one kernel is left open.
#[test]
fn nothing_honest_is_refuted() {
    let limits = Limits::new(Some(Duration::from_secs(60)), 1 << 28, 1, Default::default());
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for _ in 0..150 {
        let sigma =
            |rng: &mut ChaCha8Rng| ["1", "2", "3", "5", "1/2"][rng.random_range(0..5)].parse().unwrap();
        let multiprocessor = Multiprocessor::new(sigma(&mut rng), sigma(&mut rng));
        let groups = rng.random_range(1..=2);
        let group = |rng: &mut ChaCha8Rng| {
            let length = rng.random_range(1..=if groups == 1 { 14 } else { 6 });
            let kernel: String =
                (0..length).map(|_| ["L", "C", "LL", "CC", "C|L"][rng.random_range(0..5)]).collect();
            WarpGroup { kernel: kernel.parse().unwrap(), warps: rng.random_range(1..=6) }
        };
        let groups: Vec<WarpGroup> = (0..groups).map(|_| group(&mut rng)).collect();
        let instance = Instance::new(groups, multiprocessor).unwrap();
        let limits = limits.within(Duration::from_secs(1));
        let solution = Solver::new().limits(&limits).solve(&instance).unwrap();
        let phase = solution.phase().map(|phase| PhaseClaim {
            rates: phase.rates.iter().map(ToString::to_string).collect(),
            labels: phase.labels.iter().map(ToString::to_string).collect(),
            theta: phase.theta.to_string(),
            upper: phase.upper,
        });
        let claims = Claims {
            lower: solution.worst_case().lower().cycles(),
            upper: solution.worst_case().upper().cycles(),
            verdict: Some(if solution.worst_case().is_exact() { "exact" } else { "bounded" }.to_owned()),
            best_case: solution.best_case(),
            phase,
            ..Claims::default()
        };
        let schedule = solution.witness().unwrap().schedule().clone();
        for judged in judge(&instance, schedule, Some(&claims)).judged {
            let open = ["stop", "not_exact", "upper", "verdict", "best_case"].contains(&judged.claim);
            let groups = instance.groups().len();
            let may_be_open = open || groups > 1 && judged.claim == "phase.upper";
            let fits = judged.claim == "stop" && !solution.worst_case().is_exact(); // This claim is then not made.
            assert!(
                fits || judged.judgement == Judgement::Confirmed
                    || may_be_open && judged.judgement == Judgement::NotJudged,
                "{instance:?}: {judged:?}"
            );
        }
    }
}

/// A line of version 0.1.0, as it was written then, is judged too.
#[test]
fn records_of_the_first_schema_are_read() {
    let line = r#"{"schema":"warpspan/solve/1","version":"0.1.0","instance":{"groups":[{"kernel":"LC","warps":2}],
        "sigma_l":"1","sigma_c":"1"},"verdict":"exact","lower":3,"upper":3,"best_case":3,"engine":"phase","stop":"proved",
        "seconds":0.001,"model":null,"states":6,"phase":{"rates":["1"],"labels":["LC"],"theta":"1","upper":3},"notes":[],
        "schedule":[{"cycle":1,"group":1,"warp":1,"instruction":1,"unit":"L"},
        {"cycle":2,"group":1,"warp":1,"instruction":2,"unit":"C"},{"cycle":2,"group":1,"warp":2,"instruction":1,"unit":"L"},
        {"cycle":3,"group":1,"warp":2,"instruction":2,"unit":"C"}]}"#;
    let record: Value = serde_json::from_str(line).unwrap();
    let (code, said) = check(&record);
    assert_eq!(code, 0, "{said}");
    refuted(&record, "/upper", json!(4), "verdict");
    refuted(&record, "/stop", json!("no-engine"), "stop");
    let mut other = record;
    other["schema"] = json!("warpspan/solve/3");
    assert_eq!(check(&other).0, 2);
}
