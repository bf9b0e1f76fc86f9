//! `warpspan rta` of several processes, on the command line, and files of tasks that are refused.

use crate::common::assumption;
use assert_cmd::Command;
use serde_json::Value;
use warpspan::model::assumption::Id;
use warpspan::realtime::processes::{read_tasks, rests_on};

fn rta(arguments: &[&str], input: Option<&str>) -> (i32, String, String) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("rta").args(arguments);
    if let Some(input) = input {
        command.write_stdin(input);
    }
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn tasks_and_kernels_have_one_record() {
    let (code, text, _) = rta(&["instances/gcaps-table-4-preemptive.toml", "--format", "json"], None);
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &record["schema"]), (0, &"warpspan/rta-processes/2".into()));
    assert_eq!(record["scheduling"], "preemptive");
    assert_eq!(record["update"], 1);
    let task = &record["tasks"][0];
    assert_eq!((&task["published_estimate"], &task["meets"]), (&16.into(), &"yes".into()));
    let best_effort = &record["tasks"][5];
    assert!(best_effort["meets"].is_null() && record["kernels"].as_array().unwrap().is_empty());
    // Of a best-effort task nothing is known, so no least time is either.
    assert!(best_effort["response_least"].is_null() && !task["response_least"].is_null());

    let (code, text, _) = rta(&["instances/processes-tx2.toml", "--format", "json"], None);
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &record["scheduling"]), (0, &"time-slices".into()));
    assert_eq!(record["kernels"][2]["process"], "detector");
    let turns = assumption(&record, "process.turns").unwrap();
    assert!(turns["value"].as_str().unwrap().contains("take turns in one ring"), "{record}");
}

#[test]
fn a_configuration_of_the_examiner_with_processes_is_bounded() {
    let spin = |label: &str| {
        format!(
            "{{\"filename\":\"./bin/timer_spin.so\",\"log_name\":\"a.json\",\"label\":\"{label}\",\"thread_count\":1024,\"block_count\":2,\
             \"data_size\":0,\"additional_info\":100000000}}"
        )
    };
    let text = format!(
        "{{\"name\":\"t\",\"max_iterations\":1,\"max_time\":0,\"cuda_device\":0,\"use_processes\":true,\"benchmarks\":[{},{}]}}",
        spin("K1"),
        spin("K2")
    );
    let (code, out, _) = rta(&["-"], Some(&text));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("2 processes take turns of 1000000 ns on the GPU, 200000 ns to change"), "{out}");
    assert!(out.contains("240000000"), "{out}");
    assert!(out.contains("1 from a source: --assumptions"), "{out}");
    for flag in ["--explain", "--with-schedule"] {
        let (code, _, error) = rta(&["-", flag], Some(&text));
        assert_eq!(code, 2);
        assert!(error.contains(&format!("{flag} is for the kernels of one process")), "{error}");
    }
}

/// A file of tasks is one of tasks also where a number of it is too large for TOML.
#[test]
fn a_number_that_is_too_large_is_named() {
    for number in ["99999999999999999999", "340282366920938463463374607431768211456"] {
        let text = format!(
            "[processes]\nscheduling = \"preemptive\"\nupdate = {number}\n[[task]]\nname = \"a\"\ncore = \"0\"\n"
        );
        let (code, _, error) = rta(&["-"], Some(&text));
        assert_eq!(code, 2);
        assert!(
            error.contains(&format!(":3: update = {number}: want a number, 9223372036854775807 or less")),
            "{error}"
        );
    }
}

/// Only a task of another core waits for an update, and its core matters only where another task is there.
#[test]
fn a_lock_is_assumed_to_suspend_only_where_a_task_may_wait_for_it() {
    let says = |update: u64, tasks: &[(&str, &str)]| {
        let task = |(number, (core, gpu)): (usize, &(&str, &str))| {
            format!(
                "[[task]]\nname = \"t{number}\"\ncore = \"{core}\"\npriority = {number}\nperiod = 99\ncpu = 1\n{gpu}\n"
            )
        };
        let tasks: String = tasks.iter().enumerate().map(task).collect();
        let text = format!("[processes]\nscheduling = \"preemptive\"\nupdate = {update}\n{tasks}");
        let set = read_tasks("f.toml", &text).unwrap();
        rests_on(&set).iter().any(|one| one.id == Id::GcapsLockSuspends)
    };
    let (uses, idle) = ("gpu = [{ pure = 5 }]", "");
    assert!(says(1, &[("0", uses), ("1", uses), ("0", idle)]));
    assert!(!says(0, &[("0", uses), ("1", uses), ("0", idle)]));
    assert!(!says(1, &[("0", uses), ("1", uses)]));
    assert!(!says(1, &[("0", uses), ("0", uses), ("1", idle)]));
    assert!(!says(1, &[("0", uses), ("1", idle), ("0", idle)]));
}

#[test]
fn files_of_tasks_that_are_wrong_are_refused() {
    let file = |processes: &str, task: &str| {
        format!("[processes]\n{processes}\n[[task]]\nname = \"a\"\ncore = \"0\"\n{task}\n")
    };
    let wrong =
        |processes: &str, task: &str| read_tasks("f.toml", &file(processes, task)).unwrap_err().to_string();
    let slices = "scheduling = \"time-slices\"\nslice = 2\nswitch = 1";
    let task = "priority = 1\nperiod = 10\ncpu = 1";
    assert!(read_tasks("f.toml", &file(slices, task)).is_ok());
    assert_eq!(
        wrong("scheduling = \"fair\"", task),
        "f.toml:2: scheduling = \"fair\": want \"time-slices\" or \"preemptive\""
    );
    for (processes, task, message) in [
        (
            "scheduling = \"time-slices\"\nslice = 2",
            task,
            "scheduling = \"time-slices\" and no switch: want switch = TIME",
        ),
        ("scheduling = \"time-slices\"\nslice = 0\nswitch = 1", task, "slice = 0: want more than 0"),
        (
            "scheduling = \"preemptive\"\nupdate = 1\nslice = 1",
            task,
            "slice is no key of scheduling = \"preemptive\"",
        ),
        ("scheduling = \"preemptive\"\nupdate = 1\nwaiting = \"spin\"", task, "want \"suspend\" or \"busy\""),
        (slices, "priority = 1\ncpu = 1", "task a: no period: want period = TIME, or best_effort = true"),
        (slices, "period = 10\ncpu = 1", "task a: no priority"),
        (slices, "priority = 1\nperiod = 10\nbest_effort = true", "task a: best_effort = true with a period"),
        (slices, "priority = 1\nperiod = 0\ncpu = 1", "task a: a period or a job of 0: want more than 0"),
        (slices, "priority = 1\nperiod = 10\ncpu = \"1\"", "want a time in ticks, a number"),
        (slices, "priority = 1\nperiod = 10\ncpu = 0.5", "cpu = 0.5: want"),
        (slices, "priority = 1\nperiod = 10\ncpu = [1, -1]", "want a number, 0 or more"),
        (
            slices,
            "priority = 1\nperiod = 10\ncpu = 1\ngpu = [{}]",
            "f.toml:11: task a: a GPU segment without pure",
        ),
        (
            "scheduling = \"preemptive\"\nupdate = 340282366920938463463374607431768211456",
            task,
            "f.toml:3: update = 340282366920938463463374607431768211456: want a number, 9223372036854775807 or less",
        ),
        (slices, "priority = 1\nperiod = 10\ngpu = [{ kernel = 1 }]", "unknown field `kernel`"),
        (
            slices,
            "priority = 1\nperiod = 10\ncpu = 1\n[[task]]\nname = \"b\"\ncore = \"1\"\npriority = 1\nperiod = 9\ncpu = 1",
            "f.toml:11: task b: priority = 1 is that of task a too: want another",
        ),
    ] {
        let found = wrong(processes, task);
        assert!(found.contains(message), "{found}");
    }
    // Times that cannot be added up end in no bound, not in a wrong one.
    let long = "priority = 1\nperiod = 4611686018427387904\ncpu = 1\ngpu = [{ pure = 4611686018427387904 }, { pure = 4611686018427387904 }]";
    let set = read_tasks("f.toml", &file(slices, long)).unwrap();
    assert!(warpspan::realtime::processes::bounds(&set)[0].is_err());
}
