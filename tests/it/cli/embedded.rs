//! Commands inside another program, as the Python package runs them: the answers of the command line, nothing printed.

use crate::common::without_identity;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use warpspan::embedded::{Answer, Host, Standing, flags, run};

/// The answer, and what was told meanwhile.
fn answered(command: &str, stop: bool) -> (Answer, Vec<Standing>) {
    answered_with(command, stop, BTreeMap::new())
}

/// The same where these texts stand in place of files.
fn answered_with(command: &str, stop: bool, texts: BTreeMap<PathBuf, Vec<u8>>) -> (Answer, Vec<Standing>) {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let told: Arc<Mutex<Vec<Standing>>> = Arc::default();
    let (flag, list) = (Arc::new(AtomicBool::new(false)), Arc::clone(&told));
    let stopper = Arc::clone(&flag);
    let observer = Arc::new(move |standing| {
        list.lock().unwrap().push(standing);
        stopper.fetch_or(stop, Ordering::Relaxed);
    });
    let answer = run(&words, Host { stop: flag, observer, texts });
    let told = told.lock().unwrap().clone();
    (answer, told)
}

/// A line of JSON without the time that it took.
fn untimed(line: &str) -> serde_json::Value {
    let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
    record.as_object_mut().unwrap().remove("seconds");
    record
}

#[test]
fn answers_are_those_of_the_program() {
    for command in [
        "solve instances/llcll-w4.toml",
        "bound instances/llcll-w600.toml",
        "rta instances/pa19-scenario-1.toml",
    ] {
        let command = format!("{command} --format json");
        let (answer, _) = answered(&command, false);
        let printed = Command::new(env!("CARGO_BIN_EXE_warpspan"))
            .args(command.split_whitespace())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert_eq!(Some(i32::from(answer.code)), printed.status.code(), "{command}");
        let printed = untimed(std::str::from_utf8(&printed.stdout).unwrap());
        let found = untimed(&answer.out);
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(printed["arguments"], serde_json::Value::from(words), "{command}");
        assert!(found["command"].is_null() && found["inputs"] == printed["inputs"], "{found}");
        assert_eq!(without_identity(found), without_identity(printed), "{command}");
        assert!(answer.failure.is_none() && answer.messages.is_empty());
    }
}

#[test]
fn a_text_is_read_in_place_of_a_file() {
    let file = "instances/pa19-scenario-1.toml";
    let text = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let (expected, _) = answered(&format!("rta {file} --format json"), false);
    for name in ["-", "no-such-file.toml"] {
        let texts = BTreeMap::from([(name.into(), text.clone())]);
        let (answer, _) = answered_with(&format!("rta --format json {name}"), false, texts);
        let [found, wanted] = [&answer.out, &expected.out].map(|out| without_identity(untimed(out)));
        assert_eq!(found, wanted, "{name}");
    }
    let wrong = BTreeMap::from([("-".into(), b"kernell = 1".to_vec())]);
    let failed = answered_with("rta -", false, wrong).0.failure.unwrap();
    assert_eq!((failed.place.as_deref(), failed.line), (Some("standard input"), Some(1)));
}

#[test]
fn failures_have_their_parts() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[kernel]\nstring = \"LLX\"\n").unwrap();
    let (answer, _) = answered(&format!("solve {} --warps 4", file.path().display()), false);
    let failed = answer.failure.unwrap();
    assert_eq!((answer.code, failed.line), (2, Some(2)));
    assert_eq!(failed.place.as_deref(), file.path().to_str());
    assert!(failed.message.starts_with(&format!("{}:2: ", file.path().display())), "{}", failed.message);
    let (answer, _) = answered("solve --kernel LLC", false);
    assert_eq!(answer.failure.unwrap().remedies, ["--warps"]);
    let (answer, _) = answered("solve --kernel", false);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
}

#[test]
fn what_is_told_holds_and_the_flag_stops() {
    let long = "solve --kernel LCLLCLCCLLC --warps 12 --sigma-l 2 --sigma-c 2 --engine states --format json";
    let (answer, told) = answered(long, true);
    let record = untimed(&answer.out);
    assert_eq!((answer.code, &record["stop"]), (3, &"interrupted".into()));
    let (at_least, at_most) = (record["lower"].as_u64().unwrap(), record["upper"].as_u64().unwrap());
    let Some(&Standing::Interval { lower, upper }) = told.first() else { panic!("{told:?}") };
    assert!(lower <= at_least && at_least < at_most && at_most <= upper);

    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.jsonl");
    let (_, told) = answered(&format!("sweep --kernels LLC --warps 1..5 -o {}", table.display()), false);
    let steps: Vec<Standing> = (1..=5).map(|done| Standing::Steps { done, steps: 5 }).collect();
    assert_eq!(told, steps);
}

#[test]
fn flags_say_what_they_take() {
    let all = flags("solve");
    let of = |name: &str| all.iter().find(|flag| flag.name == name).unwrap();
    assert_eq!((of("warps").value.as_deref(), of("warps").several), (Some("N"), None));
    assert_eq!((of("same-path").value.as_deref(), of("group").several), (None, Some(' ')));
    assert!(of("engine").words.contains(&"states".to_owned()) && !of("files").named);
    assert!(flags("no-such-command").is_empty());
}

/// A stop ends commands that search nothing, too: at the next bound, with what is known by then.
#[test]
fn a_stop_ends_the_time_of_a_launch_and_a_budget() {
    let conv =
        "--gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3 --deadline 4ms --format json";
    let words: Vec<String> =
        format!("time docs/tutorial/conv.sm_87.sass {conv}").split_whitespace().map(str::to_owned).collect();
    let host = |stop| Host {
        stop: Arc::new(AtomicBool::new(stop)),
        observer: Arc::new(|_| ()),
        texts: BTreeMap::new(),
    };
    let stopped = run(&words, host(true));
    assert_eq!((stopped.code, stopped.out.as_str()), (3, ""));
    assert_eq!(stopped.failure.unwrap().message, "stopped by an interrupt before there was a bound");
    assert!(run(&words, host(false)).failure.is_none());
    // Of a budget each kernel that was not timed says so.
    let table = "[[kernel]]\nname = \"NAME\"\nlisting = \"docs/tutorial/conv.sm_87.sass\"\ngpu = \"jetson-orin\"\ngrid = 64\n\
                 block = 256\nloop-bound = \".L_x_2=3\"\ndeadline = \"1s\"\n";
    let text = ["first", "second", "third"].map(|name| table.replace("NAME", name)).concat();
    let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let file = folder.path().join("budget.toml");
    std::fs::write(&file, text.replace("docs/tutorial", "../docs/tutorial")).unwrap();
    let (answer, told) = answered(&format!("budget {} --format json", file.display()), true);
    assert_eq!(told.len(), 3);
    let record: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let outcomes: Vec<&str> =
        record["kernels"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["met", "error", "error"], "{record}");
    assert!(record["kernels"][2]["error"].as_str().unwrap().contains("stopped by an interrupt"), "{record}");
}
