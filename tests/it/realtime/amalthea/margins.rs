//! How far numbers of a model may be wrong: the model with the last value that holds is proved, and the one with the next is not.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use warpspan::model::time::TimeUnit;

const CAMERA: &str = "instances/camera.amxmi";

/// The exit code for a model, and its record.
fn answered(text: &str, args: &[&str]) -> (i32, Value) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output =
        command.args(["rta", "-", "--format", "json"]).args(args).write_stdin(text).output().unwrap();
    (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
}

/// The ends of a margin in picoseconds, and whether the value would have to change for a proof.
fn ends(record: &Value, subject: &str) -> Option<([u64; 2], bool)> {
    let rows = record["assumptions"].as_array().unwrap();
    let margin = &rows.iter().find(|row| row["subject"] == subject).unwrap()["margin"];
    let time = |end: &Value| Some(TimeUnit::Milliseconds.read(end.as_str()?.strip_suffix(" ms")?).unwrap().0);
    Some(([time(&margin["holds_to"])?, time(&margin["breaks_at"])?], margin["would_do"] == true))
}

/// The camera without the limit of its event chain, which is about times between jobs too.
fn without_chain() -> String {
    let text = fs::read_to_string(CAMERA).unwrap();
    let (before, behind) = text.split_once("<timingConstraints").unwrap();
    format!("{before}{}", behind.split_once("</timingConstraints>").unwrap().1)
}

/// With these cycles of its one runnable, and with this time between its jobs in picoseconds.
fn steer(text: &str, cycles: u64) -> String {
    text.replace("upperBound=\"2000000\"/>", &format!("upperBound=\"{cycles}\"/>"))
}

fn every(text: &str, milliseconds: u64, time: u64) -> String {
    let old = format!("<recurrence value=\"{milliseconds}\" unit=\"ms\"/>");
    assert!(text.contains(&old));
    text.replace(&old, &format!("<recurrence value=\"{time}\" unit=\"ps\"/>"))
}

#[test]
fn a_model_holds_up_to_its_margins_and_no_further() {
    let text = without_chain();
    let (_, record) = answered(&text, &["--margins"]);
    // Half a nanosecond a cycle.
    let ([holds, breaks], _) = ends(&record, "Control, a job on its own").unwrap();
    assert_eq!(breaks, holds + 1);
    assert_eq!(answered(&steer(&text, holds / 500), &[]).0, 0);
    assert_ne!(answered(&steer(&text, holds / 500 + 1), &[]).0, 0);
    for (task, period) in [("Control", 10), ("Lanes_on_host", 50), ("Detect_on_host", 100)] {
        let ([holds, breaks], _) = ends(&record, &format!("{task}, time between jobs")).unwrap();
        assert_eq!(breaks, holds - 1);
        assert_eq!(answered(&every(&text, period, holds), &[]).0, 0, "{task}");
        assert_eq!(answered(&every(&text, period, 2 * holds), &[]).0, 0, "{task}");
        assert_ne!(answered(&every(&text, period, breaks), &[]).0, 0, "{task}");
    }
}

/// A kernel of several parts: all of them take as many times as long.
#[test]
fn all_parts_of_a_job_grow_together() {
    let text = fs::read_to_string(CAMERA).unwrap();
    let (_, record) = answered(&text, &["--margins"]);
    let ([holds, _], _) = ends(&record, "Detect_on_host, a job on its own").unwrap();
    let with = |time: u64| {
        // 2 ms before the launch and 1 ms behind it.
        let runnable = |text: String, name: &str, old: u64| {
            let (before, behind) = text.split_once(&format!("<runnables name=\"{name}\">")).unwrap();
            let cycles = time.div_ceil(3) * (old / 2) / 500;
            let new =
                behind.replacen(&format!("value=\"{}\"", old * 1_000_000), &format!("value=\"{cycles}\""), 1);
            assert_ne!(new, behind);
            format!("{before}<runnables name=\"{name}\">{new}")
        };
        runnable(runnable(text.clone(), "Detect_before", 4), "Detect_after", 2)
    };
    assert_eq!(answered(&with(holds), &[]).0, 0);
    assert_ne!(answered(&with(holds + 3_000_000), &[]).0, 0);
    // The limit of an event chain is about the time between jobs too, which is not known to be better where it is longer.
    assert_eq!(ends(&record, "Control, time between jobs"), None);
}

#[test]
fn what_would_do_is_said_of_an_undecided_model() {
    let whole = without_chain();
    let ([_, breaks], _) = ends(&answered(&whole, &["--margins"]).1, "Control, time between jobs").unwrap();
    let (code, record) = answered(&every(&whole, 10, breaks), &["--margins"]);
    assert_eq!((code, &record["verdict"]), (3, &"undecided".into()));
    let ([holds, breaks], would_do) = ends(&record, "Control, time between jobs").unwrap();
    assert!(would_do && breaks == holds - 1);
    assert_eq!(answered(&every(&whole, 10, holds), &[]).0, 0);
    assert_ne!(answered(&every(&whole, 10, breaks), &[]).0, 0);
}

/// A model that is refuted has no margins, and says of its bounds what they rest on.
#[test]
fn a_refuted_model_says_what_its_bounds_rest_on() {
    let text =
        fs::read_to_string(CAMERA).unwrap().replace("limitValue value=\"10\"", "limitValue value=\"0.1\"");
    let (code, record) = answered(&text, &["--margins"]);
    assert_eq!((code, &record["verdict"]), (5, &"refuted".into()));
    let ids = |list: &str| -> Vec<&str> {
        record[list].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
    };
    assert!(!ids("assumptions").contains(&"core.scheduling"));
    assert!(ids("bounds_rest_on").contains(&"core.scheduling"));
    let numbers = record["numbers"].as_array().unwrap();
    let of = |name: &str| {
        let number = numbers.iter().find(|number| number["name"] == name).unwrap();
        number["rests_on"].as_array().unwrap().contains(&"core.scheduling".into())
    };
    assert!(of("Lanes_on_host: response_bound") && !of("verdict"));
}
