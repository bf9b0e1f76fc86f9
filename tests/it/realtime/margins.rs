//! How far what a deadline rests on may be wrong: at the last value that holds it is met, and one step beyond it is not.

use assert_cmd::Command;
use serde_json::Value;

const LAUNCH: [&str; 13] = [
    "docs/tutorial/conv.sm_87.sass",
    "--gpu",
    "jetson-orin",
    "--grid",
    "60x135",
    "--block",
    "32x8",
    "--deadline",
    "10ms",
    "--loop-bound",
    ".L_x_2=3",
    "--format",
    "json",
];

fn time(flags: &[&str]) -> Value {
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output = run.arg("time").args(flags).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The flags that say a value of an assumption, besides those of the launch.
fn flags(id: &str, value: &str) -> Option<Vec<String>> {
    let number = value.split(' ').next().unwrap().to_owned();
    let flags = match id {
        "clock.highest" => vec!["--clock".to_owned(), format!("{number}..1300")],
        "gpu.multiprocessors" => vec!["--multiprocessors".to_owned(), number],
        "dram.rate" => vec!["--dram-rate".to_owned(), value.replace(' ', "")],
        "dram.others" => vec!["--dram-others".to_owned(), value.replace(' ', "")],
        "launch.overhead" => vec!["--launch-overhead".to_owned(), value.replace(' ', "")],
        "launch.copy-in" => vec!["--copy-in".to_owned(), value.replace(' ', "")],
        "launch.copy-out" => vec!["--copy-out".to_owned(), value.replace(' ', "")],
        "loop.bound" => vec!["--loop-bound".to_owned(), format!(".L_x_2={number}")],
        _ => return None,
    };
    Some(flags)
}

#[test]
fn the_last_value_holds_and_the_next_one_does_not() {
    let found = time(&[&LAUNCH[..], &["--margins", "--dram-bytes", "50MB:lines"]].concat());
    assert_eq!(found["verdict"], "proved");
    let (mut ended, mut endless) = (Vec::new(), Vec::new());
    for one in found["assumptions"].as_array().unwrap() {
        let Some(margin) = one["margin"].as_object() else { continue };
        let id = one["id"].as_str().unwrap();
        let [Some(last), Some(next)] = ["holds_to", "breaks_at"].map(|key| margin[key].as_str()) else {
            endless.push(id);
            continue;
        };
        let verdict = |value: &str| {
            let flags = flags(id, value).unwrap_or_else(|| panic!("{id}: no flag is known"));
            let mut all: Vec<&str> = LAUNCH.to_vec();
            if id == "loop.bound" {
                all.drain(9..11);
            }
            all.extend(["--dram-bytes", "50MB:lines"]);
            all.extend(flags.iter().map(String::as_str));
            time(&all)["verdict"].clone()
        };
        assert_eq!((verdict(last), verdict(next)), ("proved".into(), "undecided".into()), "{one}");
        ended.push(id);
    }
    ended.sort_unstable();
    let expected = [
        "clock.highest",
        "dram.others",
        "dram.rate",
        "gpu.multiprocessors",
        "launch.copy-in",
        "launch.copy-out",
        "launch.overhead",
        "loop.bound",
    ];
    assert_eq!((&ended[..], &endless[..]), (&expected[..], &["dram.bytes"][..]));
}

/// What breaks first stands first among the rows of its kind, and nothing is said of a deadline that is not met.
#[test]
fn what_breaks_first_stands_first() {
    let found = time(&[&LAUNCH[..], &["--margins"]].concat());
    assert_eq!(found["verdict"], "proved", "{found}");
    let kinds: Vec<&Value> =
        found["assumptions"].as_array().unwrap().iter().map(|one| &one["margin"]).collect();
    let mut assumed = found["assumptions"].as_array().unwrap().iter().filter(|one| one["kind"] == "assumed");
    // Without this the deadline is missed: it stands before what has a number.
    assert_eq!(assumed.next().unwrap()["id"], "schedulers.spread");
    let with: Vec<bool> = assumed.map(|one| one["margin"].is_object()).collect();
    assert!(with.is_sorted_by(|a, b| a >= b) && kinds.iter().any(|margin| margin.is_null()), "{found}");
    let mut missed = LAUNCH.to_vec();
    missed[8] = "1us";
    missed.push("--margins");
    assert!(time(&missed)["assumptions"].as_array().unwrap().iter().all(|one| one["margin"].is_null()));
}

/// Of two bounds of one loop the smaller counts, and so does its margin; a long deadline leaves room for times that are as long.
#[test]
fn margins_are_of_the_numbers_that_count() {
    let found = time(&[&LAUNCH[..], &["--margins", "--loop-bound", ".L_x_2=2"]].concat());
    let loops: Vec<&Value> =
        found["assumptions"].as_array().unwrap().iter().filter(|one| one["id"] == "loop.bound").collect();
    let [one] = loops[..] else { panic!("{found}") };
    assert_eq!(
        (&one["value"], &one["source"]),
        (&"at most 2 iterations".into(), &"--loop-bound .L_x_2=2".into())
    );
    assert!(one["margin"].is_null(), "{one}");
    let mut long = LAUNCH.to_vec();
    long[8] = "3000s";
    long.push("--margins");
    let found = time(&long);
    let of = |id: &str| {
        let all = found["assumptions"].as_array().unwrap();
        all.iter().find(|one| one["id"] == id).unwrap()["margin"]["holds_to"].as_str().map(str::to_owned)
    };
    assert!(of("launch.overhead").unwrap().starts_with("2999.99"), "{found}");
    assert_eq!(of("dram.rate").as_deref(), Some("0.1 GB/s"));
}
