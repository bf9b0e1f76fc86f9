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

/// The launch with another deadline.
fn due(deadline: &str, flags: &[&str]) -> Value {
    let mut all = LAUNCH.to_vec();
    all[8] = deadline;
    all.extend(flags);
    time(&all)
}

fn of_dram(found: &Value) -> &Value {
    let all = found["assumptions"].as_array().unwrap();
    &all.iter().find(|one| one["id"] == "dram.rate").unwrap()["margin"]
}

/// Without being asked for margins an undecided answer says which rate of the DRAM would do: the one that a search for margins finds too,
/// and with which the deadline is met.
#[test]
fn a_rate_of_the_dram_that_would_do_does() {
    let (usual, searched) = (due("8ms", &[]), due("8ms", &["--margins"]));
    assert_eq!((&usual["verdict"], of_dram(&usual)), (&"undecided".into(), of_dram(&searched)));
    let [does, does_not] =
        ["holds_to", "breaks_at"].map(|key| of_dram(&usual)[key].as_str().unwrap().replace(' ', ""));
    assert_eq!(due("8ms", &["--dram-rate", &does])["verdict"], "proved", "{does}");
    assert_eq!(due("8ms", &["--dram-rate", &does_not])["verdict"], "undecided", "{does_not}");
    // What would do stands first among what nobody vouches for.
    let mut assumed = usual["assumptions"].as_array().unwrap().iter().filter(|one| one["kind"] == "assumed");
    assert_eq!(assumed.next().unwrap()["id"], "dram.rate");
    // Not even the rate of the data sheet brings this bound below the deadline.
    let none = due("3ms", &[]);
    let margin = &of_dram(&none);
    assert_eq!((&margin["would_do"], &margin["holds_to"]), (&true.into(), &Value::Null), "{none}");
    assert_eq!(due("3ms", &["--dram-rate", "204.8GB/s"])["verdict"], "undecided");
}

/// A limit leaves out what is not known, and the rest of the answer stays as it is.
#[test]
fn a_limit_leaves_margins_out() {
    let (whole, cut) = (due("10ms", &[]), due("10ms", &["--margins", "--time-limit", "0s"]));
    assert!(cut["notes"].to_string().contains("the search for margins was stopped"), "{cut}");
    assert_eq!((&cut["assumptions"], &cut["bound_ns"]), (&whole["assumptions"], &whole["bound_ns"]));
    let mut run = Command::cargo_bin("warpspan").unwrap();
    run.arg("time").args(LAUNCH).args(["--time-limit", "1s"]).assert().code(2);
}

/// A deadline that is missed rests on what the least time rests on, and the text lists that and no more.
#[test]
fn what_is_missed_lists_what_refutes_it() {
    let found = due("1us", &["--copy-in", "2us"]);
    let numbers = found["numbers"].as_array().unwrap();
    let verdict = numbers.iter().find(|one| one["name"] == "verdict").unwrap();
    let refuting: Vec<&str> =
        verdict["rests_on"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(refuting, ["clock.highest", "gpu.multiprocessors", "launch.copy-in", "launch.copy-out"]);
    let text = |flags: &[&str]| {
        let mut args = LAUNCH[..11].to_vec();
        args[8] = "1us";
        args.extend(["--copy-in", "2us"]);
        args.extend(flags);
        let output = Command::cargo_bin("warpspan").unwrap().arg("time").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(5));
        String::from_utf8(output.stdout).unwrap()
    };
    let usual = text(&[]);
    assert!(usual.lines().next().unwrap().contains("at least 16.019 us, "), "{usual}");
    assert!(usual.contains("proved        on 1 declaration and 3 assumptions\n"), "{usual}");
    assert!(!usual.contains("loop .L_x_2") && !usual.contains("DRAM: 122.8"), "{usual}");
    // All that the bound rests on follows where it is asked for.
    let all = text(&["--assumptions"]);
    let (of_answer, of_bound) = all.split_once("\nbound ").unwrap();
    let of_answer: Vec<&str> =
        refuting.iter().filter(|id| of_answer.contains(&format!("[{id}"))).copied().collect();
    assert_eq!(of_answer, refuting);
    for one in found["assumptions"].as_array().unwrap() {
        assert!(of_bound.contains(&format!("[{}", one["id"].as_str().unwrap())), "{one}");
    }
}

/// What else is said of the DRAM changes which rate would do: a rate that the flags refuse, or that changes nothing, would not.
#[test]
fn what_would_do_is_asked_for_in_the_words_of_the_flags() {
    for (deadline, flags, would_do) in [
        ("12ms", &["--dram-clock", "2133"][..], true),
        ("8ms", &["--dram-clock", "2133"], false),
        ("30ms", &["--dram-spread", "none"], false),
        ("9ms", &["--dram-others", "20GB/s"], true),
        ("11ms", &["--dram-rate", "100.05GB/s"], true),
    ] {
        let found = due(deadline, flags);
        assert_eq!(found["verdict"], "undecided", "{flags:?}");
        let margin = of_dram(&found);
        assert_eq!(margin["holds_to"].is_string(), would_do, "{flags:?}: {margin}");
        let others = &flags[if flags[0] == "--dram-rate" { 2 } else { 0 }..];
        let verdict = |rate: &str| {
            let rate = rate.replace(' ', "");
            due(deadline, &[others, &["--dram-rate", &rate]].concat())["verdict"].clone()
        };
        if let (Some(does), Some(does_not)) = (margin["holds_to"].as_str(), margin["breaks_at"].as_str()) {
            assert_eq!(
                (verdict(does), verdict(does_not)),
                ("proved".into(), "undecided".into()),
                "{flags:?}"
            );
        } else {
            let highest = if flags[0] == "--dram-clock" { "136.5GB/s" } else { "204.8GB/s" };
            assert_eq!(verdict(highest), "undecided", "{flags:?}");
        }
        let searched = due(deadline, &[flags, &["--margins"]].concat());
        assert_eq!(of_dram(&searched), margin, "{flags:?}");
    }
}

/// Of a machine without DRAM nothing is proved, whatever its numbers are.
#[test]
fn nothing_would_do_where_nothing_is_proved() {
    let found = due("1ms", &["--machine", "8.7", "--margins"]);
    for one in found["assumptions"].as_array().unwrap() {
        assert!(one["margin"].is_null() || one["margin"]["holds_to"].is_null(), "{one}");
    }
}

/// A deadline between two nanoseconds is compared as it is.
#[test]
fn deadlines_are_exact() {
    let bound = due("10ms", &[])["bound_ns"].as_u64().unwrap();
    let found = due(&format!("{bound}ns"), &["--margins"]);
    let between = due(&format!("{}.95ns", bound - 1), &["--margins"]);
    let margins = |found: &Value| {
        found["assumptions"].as_array().unwrap().iter().filter(|one| one["margin"].is_object()).count()
    };
    assert!(margins(&found) > 5 && margins(&between) == margins(&found), "{between}");
    // The least time is 14019 ns and a part of one.
    let mut args = LAUNCH[..11].to_vec();
    args[8] = "14019.1ns";
    let output = Command::cargo_bin("warpspan").unwrap().arg("time").args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(": more than 14.019 us, at most") && text.contains("; deadline 14019.1 ns missed"),
        "{text}"
    );
}
