//! `warpspan rta --measured`: the launch order of the logs, the measured run beside the computed one, and logs
//! that are refused.

use assert_cmd::Command;
use serde_json::Value;

const LOGS: [&str; 4] = [
    "tests/data/tx2/concurrent_1st_1.json",
    "tests/data/tx2/concurrent_1st_2.json",
    "tests/data/tx2/concurrent_1st_3.json",
    "tests/data/tx2/concurrent_1st_4.json",
];

fn rta(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("rta").args(args).output().unwrap()
}

fn measured(before: &[&str], logs: &[&str], code: i32) -> Value {
    let output = rta(&[before, &["--format", "json", "--measured"], logs].concat());
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn texts<'a>(record: &'a Value, key: &str) -> Vec<&'a str> {
    record["launches"].as_array().unwrap().iter().map(|launch| launch[key].as_str().unwrap()).collect()
}

fn times(record: &Value, key: &str) -> Vec<f64> {
    record["launches"].as_array().unwrap().iter().map(|launch| launch[key].as_f64().unwrap()).collect()
}

/// Pa19 Fig. 4.1: launched in the order K2, K3, K4, K1, complete after 6, 12, 11 and 10 seconds. With C as it was
/// measured, the computed run is within 5 microseconds of the measured one.
#[test]
fn the_launch_order_is_that_of_the_logs() {
    let record = measured(&[], &LOGS, 0);
    assert_eq!(record["schema"], "warpspan/measured/1");
    assert_eq!(texts(&record, "kernel"), ["Kernel 2", "Kernel 3", "Kernel 4", "Kernel 1"]);
    for (end, seconds) in times(&record, "end").iter().zip([6.069, 12.069, 11.069, 10.069]) {
        assert!((end - seconds).abs() < 0.0005, "{end}");
    }
    for [measured, computed] in [["start", "computed_start"], ["end", "computed_end"]] {
        for (one, other) in times(&record, measured).iter().zip(times(&record, computed)) {
            assert!((0.0..5e-6).contains(&(one - other)), "{one} {other}");
        }
    }
    for launch in record["launches"].as_array().unwrap() {
        let mut spread = vec![0_u64; 2];
        for block in launch["blocks"].as_array().unwrap() {
            spread[usize::try_from(block["multiprocessor"].as_u64().unwrap()).unwrap() - 1] += 1;
        }
        assert_eq!(launch["computed_spread"], Value::from(spread));
    }
    // The bounds have no time for the launch itself: they are up to 4 microseconds below the response times.
    assert_eq!(record["bounds_hold"], true);
    for (response, bound) in times(&record, "response").iter().zip(times(&record, "response_bound")) {
        assert!((0.0..4e-6).contains(&(response - bound)), "{response} {bound}");
    }
    // The order of the logs on the command line does not matter.
    let reversed: Vec<&str> = LOGS.into_iter().rev().collect();
    assert_eq!(measured(&[], &reversed, 0)["launches"], record["launches"]);
}

/// With C of the configuration, whole seconds, blocks take 34 millionths longer by the times of the logs.
#[test]
fn c_is_that_of_the_file() {
    let record = measured(&["tests/data/tx2/rta.json"], &LOGS, 0);
    assert_eq!(times(&record, "execution"), [6.0, 6.0, 5.0, 4.0]);
    for (longest, c) in times(&record, "longest_block").iter().zip(times(&record, "execution")) {
        assert!((33.8e-6..34.2e-6).contains(&(longest / c - 1.0)), "{longest}");
    }
    assert_eq!((&record["executions_hold"], &record["bounds_hold"]), (&true.into(), &true.into()));
    // C that is too small by a hundredth is noticed. As the calls overlap, another order would explain the responses.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rta.json").display().to_string();
    let text = std::fs::read_to_string("tests/data/tx2/rta.json").unwrap();
    std::fs::write(&path, text.replace("000000000", "950000000").replace("5950000000", "5000000000"))
        .unwrap();
    let record = measured(&[&path], &LOGS, 0);
    assert_eq!(record["executions_hold"], true, "larger C are kept");
    std::fs::write(&path, text.replace("6000000000", "5940000000")).unwrap();
    let record = measured(&[&path], &LOGS, 5);
    assert_eq!((&record["executions_hold"], &record["bounds_hold"]), (&false.into(), &true.into()));
    assert_eq!(record["rules_hold"], true);
}

#[test]
fn a_broken_rule_is_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.json").display().to_string();
    let text = std::fs::read_to_string(LOGS[2]).unwrap();
    std::fs::write(&path, text.replace("6.068822517", "6.06")).unwrap();
    let logs = [LOGS[0], LOGS[1], &path, LOGS[3]];
    let record = measured(&[], &logs, 5);
    assert_eq!(record["rules_hold"], false);
    let rule = record["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "R2").unwrap();
    let breach = &rule["breach"];
    assert_eq!((&breach["kernel"], &breach["block"]), (&"Kernel 3".into(), &2.into()));
    assert_eq!((&breach["multiprocessor"], &breach["at"]), (&1.into(), &6.06.into()));
    let text = rta(&[&["--measured"], &logs[..]].concat());
    assert!(
        String::from_utf8(text.stdout)
            .unwrap()
            .contains("breaks R2   block 2 of Kernel 3 on multiprocessor 1")
    );
    // Within a tolerance of ten milliseconds it is kept.
    measured(&["--tolerance", "10ms"], &logs, 0);
}

#[cfg(feature = "figures")]
#[test]
fn the_computed_run_is_drawn_over_the_measured_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.svg").display().to_string();
    let draw = |more: &[&str]| {
        let output = rta(&[&["--schedule", &path], more, &["--measured"], &LOGS].concat());
        assert_eq!(output.status.code(), Some(0));
        std::fs::read_to_string(&path).unwrap()
    };
    let drawing = draw(&[]);
    assert_eq!(drawing.matches("<title>measured: ").count(), drawing.matches("measured: Kernel").count());
    assert!(drawing.contains("computed: Kernel 2, launch 1: 4 blocks on multiprocessor 1"));
    assert!(drawing.contains("SM 2"));
    let one = draw(&["--big-sm"]);
    assert!(one.contains("SM 1 to 2") && !one.contains("SM 2") && !one.contains("on multiprocessor 1"));
}

/// Logs that are refused, each with one line that says what is wrong.
#[test]
fn malformed_logs_are_refused() {
    let good = std::fs::read_to_string(LOGS[0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.json").display().to_string();
    let run = |text: &str, before: &[&str]| {
        std::fs::write(&path, text).unwrap();
        let output = rta(&[before, &["--measured", &path]].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        stderr
    };
    let without = |key: &str| good.replace(key, &format!("{key}_old"));
    for (text, message) in [
        (String::new(), "EOF while parsing a value: want a result log"),
        ("[1, 2]".to_owned(), "want a result log of the CUDA scheduling examiner"),
        (good[..good.len() / 2].to_owned(), "want a result log"),
        (good.replace("\"times\"", "\"time\""), "log.json:10: unknown field `time`"),
        (without("PID"), "unknown field `PID_old`"),
        (good.replace("\"PID\": 13211,", ""), "missing field `PID`"),
        (good.replace("13211", "-1"), "log.json:8: PID = -1: want a whole number, 0 or more"),
        (good.replace("4096", "30720"), "max_resident_threads = 30720: a Jetson TX2 has 4096"),
        (good.replace("[{},", "[7,"), "log.json:10: "),
        (
            good.replace("\"thread_count\": 512", "\"thread_count\": 4096"),
            "thread_count = 4096: want 1024 or less",
        ),
        (
            good.replace("\"thread_count\": 512", "\"thread_count\": 0"),
            "thread_count = 0: want a whole number",
        ),
        (good.replace("\"thread_count\": 512", "\"thread_count\": \"x\""), "log.json:12: invalid type"),
        (
            good.replace("\"block_count\": 2", "\"block_count\": 3"),
            "log.json:12: block_times: 4 numbers for 3 blocks",
        ),
        (good.replace("\"block_count\": 2", "\"block_count\": 0"), "block_times: 4 numbers for 0 blocks"),
        (good.replace("\"block_count\": 2, ", ""), "log.json:12: no block_count"),
        (good.replace("[1,1]", "[1]"), "block_smids: 1 numbers for 2 blocks"),
        (
            good.replace("[1,1]", "[1,2]"),
            "log.json:12: block_smids: 2: the GPU has 2 multiprocessors, which count from 0",
        ),
        (good.replace("[1,1]", "[1,18446744073709551615]"), "the GPU has 2 multiprocessors"),
        (
            good.replace("10.068959125", "5.0"),
            "block_times: block 1 runs from 6.068823573 to 5: want an end after the start",
        ),
        (good.replace("10.068959125", "0"), "block 1 runs from 6.068823573 to 0"),
        (good.replace("10.068959125", "-3"), "a time of -3 seconds: want a number, 0 or more"),
        (good.replace("10.068959125", "-1e-12"), "seconds: want a number, 0 or more"),
        (good.replace("10.068959125", "1e300"), "2^62"),
        (good.replace("10.068959125", "1e999"), "log.json:12: number out of range"),
        (
            good.replace("[0.068093312, 0.068721376", "[0.5, 0.4"),
            "cuda_launch_times: want the call, its return and the end",
        ),
        (good.replace("[0.068093312, 0.068721376, 10.068711424]", "[1, 2]"), "log.json:12: invalid length 2"),
        (good.replace("\"copy_out_times\"", "\"copies\""), "log.json:11: unknown field `copies`"),
        (
            good.replace("\"copy_out_times\"", "\"cpu_core\""),
            "log.json:11: one of copy_in_times and copy_out_times is missing",
        ),
        (
            good.split("{\"kernel_name\"").next().unwrap().trim_end().trim_end_matches(',').to_owned() + "]}",
            "no launch in any log",
        ),
    ] {
        let found = run(&text, &[]);
        assert!(found.contains(message), "{message}: {found}");
    }
    // What does not fit the system that C is taken from.
    for (text, message) in [
        (
            good.replace("\"Kernel 1\"", "\"Kernel 7\""),
            "log.json:12: the system has no kernel named \"Kernel 7\": want one of Kernel 1, ",
        ),
        (
            good.replace("\"thread_count\": 512", "\"thread_count\": 256"),
            "256 threads in a block: kernel Kernel 1 of the system has 512",
        ),
        (
            good.replace("\"shared_memory\": 0", "\"shared_memory\": 9"),
            "9 bytes of shared memory: kernel Kernel 1 of the system has 0",
        ),
    ] {
        let found = run(&text, &["tests/data/tx2/rta.json"]);
        assert!(found.contains(message), "{message}: {found}");
    }
    let ticks = folder.path().join("ticks.toml").display().to_string();
    std::fs::copy("instances/pa19-scenario-1.toml", &ticks).unwrap();
    assert!(run(&good, &[&ticks]).contains("those of the system are ticks: want ns, us, ms or s"));
    // Logs of two processes, and flags that are of the analysis of a system.
    std::fs::write(&path, good.replace("13211", "13212")).unwrap();
    for (args, message) in [
        (
            vec!["--measured", LOGS[1], &path],
            "process 13212, but tests/data/tx2/concurrent_1st_2.json is of process 13211",
        ),
        (vec!["--measured", LOGS[1], "--horizon", "3"], "cannot be used with"),
        (vec!["--measured", LOGS[1], "--tolerance", "soon"], "invalid value 'soon'"),
        (vec!["--measured", LOGS[1], "--schedule", "x.csv"], "want a name that ends in .svg"),
        (vec!["instances/pa19-scenario-1.toml", "--tolerance", "1us"], "required"),
        (vec!["instances/pa19-scenario-1.toml", "--big-sm"], "required"),
        (
            vec!["instances/pa19-scenario-1.toml", "--big-sm", "--schedule", "x.csv"],
            "want a name that ends in .svg",
        ),
    ] {
        let output = rta(&args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

/// The call of A returns last, but A is launched first and fills the GPU for a second, so that B waits: by the order of the
/// returns B is ahead. That nothing but the order of launches explains the wait, the logs do not say.
#[test]
fn a_bound_is_exceeded_only_if_no_order_of_launches_explains_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str, calls: [f64; 3], blocks: &[(f64, f64, u64)]| {
        let path = folder.path().join(name).display().to_string();
        let times: Vec<f64> = blocks.iter().flat_map(|&(start, end, _)| [start, end]).collect();
        let on: Vec<u64> = blocks.iter().map(|&(.., on)| on).collect();
        let text = serde_json::json!({
            "benchmark_name": "Spin", "label": name, "max_resident_threads": 4096, "PID": 1, "times": [{}, {
                "kernel_name": "spin", "block_count": blocks.len(), "thread_count": 1024, "shared_memory": 0,
                "cuda_launch_times": calls, "block_times": times, "block_smids": on
            }]
        });
        std::fs::write(&path, text.to_string()).unwrap();
        path
    };
    let full = [(1.5, 2.5, 0), (1.5, 2.5, 0), (1.5, 2.5, 1), (1.5, 2.5, 1)];
    let a = log("a", [1.4, 2.0, 2.6], &full);
    let b = log("b", [1.6, 1.8, 3.1], &[(2.5, 3.0, 0)]);
    let record = measured(&[], &[&a, &b], 0);
    assert_eq!(
        (&record["launches"][0]["kernel"], &record["launches"][0]["response"]),
        (&"b".into(), &1.2.into())
    );
    assert_eq!(record["launches"][0]["response_bound"], 0.5);
    assert_eq!((&record["bounds_hold"], &record["rules_hold"]), (&true.into(), &true.into()));
    // No order explains a wait of five seconds more.
    let late = log("late", [1.6, 1.8, 8.1], &[(7.5, 8.0, 0)]);
    assert_eq!(measured(&[], &[&a, &late], 5)["bounds_hold"], false);
}
