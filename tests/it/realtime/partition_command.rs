//! The command `partition`: what comes out, and that every bad input gets one clear line and exit code 2.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, reason = "a test fails by panicking")]

use crate::common::assumptions;
use std::path::Path;
use std::process::Output;

use approx::assert_relative_eq;
use assert_cmd::Command;

pub(crate) fn warpspan(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder).timeout(std::time::Duration::from_secs(120)).args(args).output().unwrap()
}

pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    let all = [&["partition"], args, &["--format", "json"]].concat();
    record(&warpspan(here(), &all))
}

/// The record on stdout; the exit code is that of its verdict.
fn record(output: &Output) -> serde_json::Value {
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let code = match record["verdict"].as_str().unwrap() {
        "schedulable" => 0,
        "not-found" => 3,
        "impossible" => 5,
        other => panic!("{other}"),
    };
    assert_eq!(output.status.code(), Some(code), "{record}");
    record
}

/// One line on stderr that begins so, exit code 2, nothing on stdout.
pub(crate) fn refused_with(folder: &Path, args: &[&str], message: &str) {
    let output = warpspan(folder, args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(stderr.starts_with(&format!("warpspan: {message}")), "{args:?}: {stderr}\n{message}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
}

fn refused(content: &str, message: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.toml"), content).unwrap();
    refused_with(folder.path(), &["partition", "f.toml"], message);
}

const FORMULA: &str = "instances/si21-partition-formula.toml";

#[test]
fn the_record_is_the_contract() {
    let record = json(&[FORMULA, "--test", "np-edf"]);
    assert_eq!(record["schema"], "warpspan/partition/2");
    assert_eq!((&record["schedulable"], &record["used"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!((&record["verdict"], &record["required"]), (&"not-found".into(), &14.into()));
    assert_eq!(record["partitions"], serde_json::json!([]));
    let record = json(&[FORMULA]);
    assert_eq!((&record["schedulable"], &record["used"]), (&true.into(), &11.into()));
    assert_eq!((&record["test"], &record["method"]), (&"edf".into(), &"SMS-INA".into()));
    assert_eq!(
        record["partitions"][0],
        serde_json::json!({"multiprocessors": 2, "tasks": ["signs", "log"], "conflict": {"signs": false, "log": false},
            "execution": {"signs": 135.2, "log": 180}, "setup": null})
    );
    let tasks = record["partitions"].as_array().unwrap().iter().map(|p| p["tasks"].as_array().unwrap().len());
    assert_eq!(tasks.sum::<usize>(), 8);
    let exact = json(&[FORMULA, "--test", "edf", "--exact"]);
    assert_eq!((&exact["method"], &exact["used"]), (&"exact".into(), &10.into()));
    let baseline = json(&[FORMULA, "--test", "edf", "--baseline"]);
    assert_eq!((&baseline["method"], &baseline["verdict"]), (&"1G".into(), &"not-found".into()));
}

/// CCCCCCCCLCCL with two L's that count twice at capability 2.0: 14 letters, CCCCCCCCLLCCLL, with a = 14 - 3
/// = 11: a block of 8 warps adds S = 14 + 7 * 11 = 91 cycles. 32 blocks, 4 at once: on one multiprocessor 32
/// S; the clock is 10 MHz.
#[test]
fn execution_times_of_kernel_strings() {
    let record = json(&["instances/si21-partition-kernels.toml", "--test", "edf"]);
    let partition = &record["partitions"][0];
    let execution = partition["execution"]["increment"].as_f64().unwrap();
    let m = partition["multiprocessors"].as_f64().unwrap();
    // At 2.0 the string is CCCCCCCCLLCCLL: I = 14 and a = 11. Of 32 blocks of 8 warps, 4 at once, 8 are followed.
    assert_eq!(m, 1.0);
    assert_relative_eq!(execution, (32.0 * 8.0 * 11.0 + 8.0 * (14.0 - 11.0)) / 10.0);
}

/// A task from a listing: a straight line is as good as its string, and a program as its longest path. By hand
/// at 2.0: CCC, then sixteen times LLCCC, so I = 83 and a = 51. A block of two warps costs 102, and 32 more where
/// it is followed. With one slot every block is followed: P(x) = Q(x) = 134 x and L = 134, so four blocks take
/// at most P(2) = 268 on two multiprocessors.
#[test]
fn execution_times_of_listings() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["straight.ptx", "flow.ptx"] {
        std::fs::copy(here().join("tests/data/code").join(file), folder.path().join(file)).unwrap();
    }
    let task = |code: &str| {
        format!(
            "multiprocessors = 2\n[gpu]\nthreads = 64\nblocks = 1\nclock_mhz = 1\n[multiprocessor]\n\
             compute_capability = \"2.0\"\n[[task]]\nname = \"x\"\nperiod = 4000\nkind = \"compute\"\n{code}\n\
             blocks = 4\nthreads_per_block = 64\nk = 1\n"
        )
    };
    let execution = |code: &str| {
        std::fs::write(folder.path().join("f.toml"), task(code)).unwrap();
        let output = warpspan(folder.path(), &["partition", "f.toml", "--baseline", "--format", "json"]);
        let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(record["assumptions"].to_string().contains("machine.paper"));
        let table = warpspan(folder.path(), &["partition", "f.toml", "--baseline", "--format", "csv"]);
        assert!(String::from_utf8_lossy(&table.stderr).contains("no cache misses"));
        record["partitions"][0]["execution"]["x"].as_f64().unwrap()
    };
    let listed = execution("ptx = \"straight.ptx\"\nentry = \"swap\"");
    assert_relative_eq!(listed, execution("code = \"CCCCCCCCCCCCCLCCCCL|LCL\""));
    let program = execution("ptx = \"flow.ptx\"\nentry = \"counted\"");
    assert_relative_eq!(program, 268.0);
    assert_relative_eq!(execution("code = \"[CCC/C](LCCC)16\""), program);
    let bad = |code: &str, message: &str| {
        std::fs::write(folder.path().join("f.toml"), task(code)).unwrap();
        refused_with(folder.path(), &["partition", "f.toml"], message);
    };
    bad("ptx = \"none.ptx\"", "f.toml:12: none.ptx: ");
    bad("ptx = \"flow.ptx\"\nentry = \"asked\"", "f.toml:12: flow.ptx:");
    bad(
        "code = \"LC\"\nentry = \"asked\"",
        "f.toml:9: task \"x\": entry, loop_bounds, params, uniform, unreachable, transactions, classes and declare",
    );
    bad("code = \"LC\"\nptx = \"flow.ptx\"", "f.toml:8: task \"x\": code beside ptx: want one of");
    std::fs::write(
        folder.path().join("f.toml"),
        task("ptx = \"flow.ptx\"\nentry = \"asked\"\nloop_bounds = { HEAD = 4 }"),
    )
    .unwrap();
    stdout(&warpspan(folder.path(), &["partition", "f.toml", "--baseline"]));
}

/// Each instance has partitions by the policy that it names, or by the default, and two tasks share one of them. By
/// hand for the table, not preempted on one multiprocessor: hotspot may block vectoradd for 5, and 5 + 6 <= 12; beside
/// transpose, vectoradd is in conflict.
#[test]
fn the_instances_succeed_as_they_are() {
    for (name, test, used) in [("formula", "edf", 11), ("table", "np-edf", 2), ("kernels", "np-edf", 2)] {
        let record = json(&[&format!("instances/si21-partition-{name}.toml")]);
        assert_eq!((&record["verdict"], &record["test"]), (&"schedulable".into(), &test.into()), "{name}");
        assert_eq!(record["used"], used, "{name}");
        let parts = record["partitions"].as_array().unwrap();
        assert!(parts.iter().any(|part| part["tasks"].as_array().unwrap().len() == 2), "{name}");
    }
    let table = json(&["instances/si21-partition-table.toml"]);
    let tasks: Vec<_> = table["partitions"].as_array().unwrap().iter().map(|part| &part["tasks"]).collect();
    assert!(tasks.contains(&&serde_json::json!(["vectoradd", "hotspot"])), "{table}");
    let wrong = one("multiprocessors = 2\n", "multiprocessors = 2\ntest = \"fifo\"\n");
    refused(&wrong, "f.toml:2: test = \"fifo\": want one of edf, np-edf, np-dm");
}

#[cfg(feature = "figures")]
#[test]
fn a_table_and_a_chart() {
    let folder = tempfile::tempdir().unwrap();
    let chart = folder.path().join("c.svg");
    let args = ["partition", FORMULA, "--test", "edf", "--format", "csv", "--chart", chart.to_str().unwrap()];
    let text = stdout(&warpspan(here(), &args));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "task,kind,partition,multiprocessors,conflict,execution,deadline,period");
    assert_eq!((lines.len(), lines[1]), (9, "signs,compute,1,2,false,135.2,150,200"));
    let svg = std::fs::read_to_string(chart).unwrap();
    assert!(svg.contains("8 tasks in 4 partitions on 11 of 11 multiprocessors, test edf"));
    assert_eq!(svg.matches("<title>").count(), 8);
}

/// Verdict, reason, multiprocessors, notes and what it rests on for tasks "C period deadline" of a kind in ticks, without
/// conflict; C may be a list.
fn judged(multiprocessors: usize, tasks: &[(&str, &str, &str)], args: &[&str]) -> [serde_json::Value; 5] {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("multiprocessors = {multiprocessors}\n");
    for (number, (c, period, deadline)) in tasks.iter().enumerate() {
        text += &format!(
            "[[task]]\nname = \"t{number}\"\nperiod = {period}\ndeadline = {deadline}\nkind = \"compute\"\n\
             execution = [{c}]\nk = 1\n"
        );
    }
    std::fs::write(folder.path().join("f.toml"), text).unwrap();
    let all = [&["partition", "f.toml", "--format", "json"], args].concat();
    let record = record(&warpspan(folder.path(), &all));
    ["verdict", "reason", "required", "notes", "assumptions"].map(|key| record[key].clone())
}

/// Four tasks that fill one multiprocessor, the last of them a little faster on two: no test may fail on the
/// faster one. One more that fills another.
#[test]
fn the_optimum_is_not_lost_where_a_task_gets_faster() {
    let mut tasks =
        vec![("2.5", "10", "2.5"), ("2.5", "10", "5"), ("2.5", "10", "7.5"), ("2.5, 2.499987", "10", "10")];
    for there in [1, 2] {
        for (args, required) in [(["--test=edf", "--exact"], 1), (["--test=edf", "--baseline"], there)] {
            let [verdict, _, found, notes, _] = judged(there, &tasks, &args);
            assert_eq!((verdict, found), ("schedulable".into(), required.into()), "{there} {args:?}");
            assert_eq!(notes, serde_json::json!([]));
        }
    }
    tasks.push(("10", "10", "10"));
    let [verdict, _, required, ..] = judged(2, &tasks, &["--test", "edf", "--exact"]);
    assert_eq!((verdict, required), ("schedulable".into(), 2.into()));
}

/// `impossible` and `can be missed` are proved; where the test gives up it says so.
#[test]
fn what_is_not_decided_is_not_called_impossible() {
    let full =
        [("0.000001", "0.000002", "0.000002"), ("499999999.999993", "999999999.999986", "999999999.999986")];
    let [verdict, ..] = judged(1, &full, &["--test", "edf", "--exact"]);
    assert_eq!(verdict, "schedulable", "U = 1 and D = T");
    let long = [("6.800233", "10.000019", "10.000019"), ("4.525179", "14.142157", "14.142156")];
    for args in [["--test", "edf", "--exact"], ["--test", "edf", "--baseline"]] {
        let [verdict, reason, ..] = judged(1, &long, &args);
        assert_eq!(verdict, "not-found", "{args:?}");
        assert!(reason.as_str().unwrap().starts_with("not decided: too many deadlines"), "{reason}");
    }
    let [verdict, _, required, notes, _] = judged(2, &long, &["--test", "edf", "--exact"]);
    assert_eq!((verdict, required), ("schedulable".into(), 2.into()));
    assert_eq!(notes, serde_json::json!(["not proved to be the fewest: 1 multiprocessors may do"]));
    let [verdict, reason, ..] = judged(1, &[long[0], ("4.525179", "14.142157", "10.000019")], &["--exact"]);
    assert_eq!(verdict, "impossible", "{reason}");
}

/// C of LCL in four blocks, two at a time, is 9 at most. That is no proof that a deadline of 8 is impossible,
/// since an upper end says nothing of the least time that the kernel takes.
#[test]
fn upper_ends_of_code_make_nothing_impossible() {
    let folder = tempfile::tempdir().unwrap();
    let text = "multiprocessors = 1\n[gpu]\nthreads = 64\nblocks = 8\nclock_mhz = 1\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n\
        [[task]]\nname = \"a\"\nperiod = 100\ndeadline = 8\nkind = \"memory\"\ncode = \"LCL\"\nblocks = 4\nthreads_per_block = 32\nk = 1\n";
    std::fs::write(folder.path().join("f.toml"), text).unwrap();
    for exact in [&[][..], &["--exact"]] {
        let all = [&["partition", "f.toml", "--format", "json"], exact].concat();
        let found = record(&warpspan(folder.path(), &all));
        assert_eq!(found["verdict"], "not-found");
        let reason = found["reason"].as_str().unwrap();
        assert!(reason.starts_with("with execution times that are upper bounds, "), "{reason}");
    }
}

/// Under np-dm the verdict depends on the order of tasks of equal deadline; what must then be kept is a row.
#[test]
fn ties_of_priorities_are_named() {
    let mut tasks = [("3", "8", "8"), ("2", "21", "12"), ("4", "14", "12"), ("3", "15", "15")];
    let [verdict, _, _, _, rests_on] = judged(1, &tasks, &["--test", "np-dm"]);
    assert_eq!(verdict, "schedulable");
    let policy = |rests_on: &serde_json::Value| {
        let all = rests_on.as_array().unwrap();
        all.iter().find(|one| one["id"] == "partition.tests").unwrap().clone()
    };
    let of = policy(&rests_on);
    assert!(of["value"].as_str().unwrap().ends_with("; of equal ones the task named first"), "{of}");
    assert_eq!((&of["kind"], &of["source"]), (&"declared".into(), &"test".into()));
    tasks.swap(1, 2);
    assert_eq!(judged(1, &tasks, &["--test", "np-dm"])[0], "not-found");
    // Where nobody says it, it is assumed.
    assert_eq!(policy(&judged(1, &tasks, &[])[4])["kind"], "assumed");
}

/// A time limit ends a long series of tests about when it says, and a test in which little blocks for 50
/// million periods is short.
#[test]
fn time_limits_hold_within_tests() {
    let folder = tempfile::tempdir().unwrap();
    let task = |number: usize, period: u64, c: &str| {
        format!(
            "[[task]]\nname = \"t{number}\"\nperiod = {period}\nkind = \"compute\"\nexecution = [{c}]\nk = 1\n"
        )
    };
    let mut text = "multiprocessors = 1\n".to_owned();
    text.extend((0..600).map(|number| task(number, 20, "0.033278")));
    text += &task(600, 20, "0.033199");
    text += &task(601, 1_000_000_000, "0.000003");
    std::fs::write(folder.path().join("f.toml"), text).unwrap();
    let start = std::time::Instant::now();
    let output =
        warpspan(folder.path(), &["partition", "f.toml", "--test", "np-dm", "--time-limit", "500ms"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "warpspan: stopped by time-limit before an answer was known\n"
    );
    let baseline = warpspan(folder.path(), &["partition", "f.toml", "--baseline"]);
    assert!(String::from_utf8(baseline.stdout).unwrap().contains("can be missed"));
    assert!(start.elapsed().as_secs_f64() < 8.0, "{:?}", start.elapsed());
}

/// A file of one task, with a line changed.
fn one(from: &str, to: &str) -> String {
    let file = "multiprocessors = 2\n[[task]]\nname = \"x\"\nperiod = 10\ndeadline = 9\nkind = \"memory\"\na = 4\n\
                b = 1\nk = 2\n";
    assert!(file.contains(from));
    file.replacen(from, to, 1)
}

#[test]
fn bad_files_get_one_line() {
    refused(
        &one("deadline = 9", "deadline = 11"),
        "f.toml:5: task \"x\": deadline = 11 beyond the period = 10",
    );
    refused(
        &one("\"x\"", "\"x\\u0007\""),
        "f.toml:3: task \"x\\u{7}\": name = \"x\\u{7}\": want one or more characters",
    );
    for name in ["  ", "a\\u202eb", "a\\u200b"] {
        let output = one("\"x\"", &format!("\"{name}\""));
        refused(
            &output,
            &format!(
                "f.toml:3: task \"{}\": name = ",
                name.replace("\\u", "\\u{").replace("2e", "2e}").replace("0b", "0b}")
            ),
        );
    }
    refused(&one("period = 10", "period = \"\"\"a\nb\\u001bc\"\"\""), "f.toml:4: period = ");
    refused(&one("k = 2", "k = 2\n\"x\\u001b\" = 1"), "f.toml:10: unknown field `x\\u{1b}`");
    refused(&one("period = 10", "period = 0"), "f.toml:4: task \"x\": period = 0: want more than 0");
    refused(&one("deadline = 9", "deadline = 0"), "f.toml:5: task \"x\": deadline = 0: want more than 0");
    refused(&one("a = 4", "a = -4"), "f.toml:7: a = -4: want a number from 0 to");
    refused(&one("a = 4", "a = nan"), "f.toml:7: a = nan: want a number from 0 to");
    refused(&one("a = 4", "a = 1e300"), "f.toml:7: a = ");
    refused(&one("a = 4", "a = \"four\""), "f.toml:7: a = \"four\": want a number");
    refused(&one("k = 2", "k = 0.5"), "f.toml:9: k = 0.5: want 1 or more");
    refused(&one("k = 2\n", ""), "f.toml:2: task \"x\": no k: want the factor under conflict");
    refused(&one("a = 4\nb = 1\n", "a = 0\nb = 0\n"), "f.toml:2: task \"x\": an execution time of 0 on 1");
    refused(&one("b = 1\n", ""), "f.toml:2: task \"x\": a without b, or b without a");
    refused(
        &one("\"memory\"", "\"texture\""),
        "f.toml:6: task \"x\": kind = \"texture\": want memory or compute",
    );
    refused(&one("sors = 2", "sors = 0"), "f.toml:1: multiprocessors = 0: want 1 or more");
    refused(&one("sors = 2", "sors = 100000"), "f.toml:1: multiprocessors = 100000: want 1 to 1000");
    refused("multiprocessors = 2\n", "f.toml: 0 tasks: want 1 to 1000");
    refused(&one("a = 4\nb = 1\nk = 2\n", ""), "f.toml:2: task \"x\": no execution time: want one of");
    refused(&one("a = 4", "code = \"LC\"\na = 4"), "f.toml:2: task \"x\": a and b beside code: want one of");
    let table = |text: &str| one("a = 4\nb = 1\nk = 2\n", text);
    refused(
        &table("execution = [4, 5]\nk = 2\n"),
        "f.toml:7: task \"x\": 4 on 1 multiprocessors but 5 on 2: want times that never grow",
    );
    refused(
        &table("execution = [4, 3]\nconflict = [4, 2.5]\n"),
        "f.toml:7: task \"x\": 3 without and 2.5 with conflict on 2 multiprocessors",
    );
    refused(
        &table("execution = [4]\nconflict = [4, 4]\n"),
        "f.toml:7: task \"x\": 1 times without and 2 with",
    );
    refused(&table("execution = []\nk = 1\n"), "f.toml:7: task \"x\": no execution time");
    refused(&table("execution = [4]\n"), "f.toml:2: task \"x\": execution wants conflict");
    refused(&table("code = \"LC\"\nk = 2\n"), "f.toml:2: task \"x\": code without [gpu]");
    let gpu = "[gpu]\nthreads = 64\nblocks = 2\nclock_mhz = 1\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    let code = |text: &str| table(&format!("code = {text}\nk = 2\n{gpu}"));
    refused(
        &code("\"LX\"\nblocks = 1\nthreads_per_block = 32"),
        "f.toml:7: code = \"LX\": character 2 is 'X'",
    );
    refused(&code("\"LC\""), "f.toml:7: task \"x\": code wants blocks and threads_per_block");
    refused(
        &code("\"LC\"\nblocks = 1\nthreads_per_block = 128"),
        "f.toml:7: task \"x\": a block needs 128 threads in whole warps",
    );
    refused(
        &code("\"LC\"\nblocks = 1000000000000000000\nthreads_per_block = 32"),
        "f.toml:8: blocks = 1000000000000000000: want 2147483648 or less",
    );
    refused(
        &code("\"LC\"\nblocks = 2147483648\nthreads_per_block = 32"),
        "f.toml:7: task \"x\": an execution time above 1000000000: want fewer blocks",
    );
    let fast = code("\"LC\"\nblocks = 1\nthreads_per_block = 32")
        .replace("clock_mhz = 1\n", "clock_mhz = 0.000001\n");
    refused(&fast, "f.toml:14: clock_mhz = 0.000001: want 1 to 10000");
    let vast = code("\"(LC)20\"\nblocks = 4\nthreads_per_block = 32")
        .replace("threads = 64", "threads = 4000000000000000000");
    refused(&vast, "f.toml:12: threads = 4000000000000000000: want 16384 or less");
    let twice = one(
        "k = 2\n",
        "k = 2\n[[task]]\nname = \"x\"\nperiod = 1\nkind = \"compute\"\na = 1\nb = 0\nk = 1\n",
    );
    refused(&twice, "f.toml: two tasks are called \"x\": want a name each");
    refused("[[task]]\n", "f.toml:1: missing field");
}

#[test]
fn bad_flags_get_one_line() {
    let refused = |args: &[&str], message: &str| refused_with(here(), args, message);
    refused(&["partition"], "the following required arguments were not provided");
    refused(&["partition", FORMULA, "--quick"], "the argument '[FILE]' cannot be used with");
    refused(
        &["partition", FORMULA, "--experiment", "3.4"],
        "the argument '[FILE]' cannot be used with '--experiment",
    );
    refused(
        &["partition", FORMULA, "--exact", "--order", "bf"],
        "the argument '--exact' cannot be used with",
    );
    refused(&["partition", "--experiment", "3.7"], "invalid value '3.7' for '--experiment <FIGURE>'");
    refused(
        &["partition", "--experiment", "3.4", "--serial", "2,0"],
        "invalid value '2,0' for '--serial <R,R>'",
    );
    for (flag, value) in [
        ("--tasks", "0"),
        ("--tasks", "1001"),
        ("--sets", "0"),
        ("--multiprocessors", "1"),
        ("--memory-share", "1.1"),
        ("--memory-share", "nan"),
        ("--deadline-ratio", "0"),
        ("--periods", "80,50"),
        ("--periods", "0,50"),
        ("--periods", "50,,80"),
        ("--shortest", "-1"),
        ("--factor", "0.9,2"),
        ("--factor", "1.2"),
    ] {
        let flags = ["partition", "--experiment", "3.4", &format!("{flag}={value}")];
        refused(&flags, &format!("invalid value '{value}' for '{flag} <"));
        refused(&["partition", FORMULA, &format!("{flag}=3,4")], "");
    }
    refused(&["partition", "--experiment", "3.4", "-o", "t.txt"], "t.txt: want a name that ends in .csv");
    refused(&["partition", FORMULA, "--chart", "t.png"], "t.png: want a name that ends in .svg");
    refused(&["partition", "nowhere.toml"], "nowhere.toml: cannot be read");
    let folder = tempfile::tempdir().unwrap();
    let task =
        |n: usize| format!("[[task]]\nname = \"t{n}\"\nperiod = 9\nkind = \"memory\"\na = 1\nb = 0\nk = 1\n");
    let many = (0..17).map(task).collect::<String>();
    std::fs::write(folder.path().join("many.toml"), format!("multiprocessors = 2\n{many}")).unwrap();
    refused_with(
        folder.path(),
        &["partition", "many.toml", "--exact"],
        "many.toml: 17 tasks: --exact wants at most 16",
    );
    let stopped = warpspan(here(), &["partition", FORMULA, "--exact", "--time-limit", "0s"]);
    assert_eq!(stopped.status.code(), Some(3));
    assert!(stopped.stdout.is_empty());
}

/// A table that was broken off in the middle of a row is gone on with; the counts are those of one that was
/// not.
#[test]
fn experiments_resume() {
    /// The column of the utilisation; then come the sets, the method, the schedulable and the impossible sets.
    const UTILISATION: usize = 14;
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        warpspan(
            folder.path(),
            &[&["partition", "--experiment", "3.4", "--quick", "-o", name], more].concat(),
        )
    };
    let counts = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        // Without the last three, the times and the version.
        text.lines().map(|line| line.rsplitn(4, ',').nth(3).unwrap().to_owned()).collect()
    };
    assert!(stdout(&run("a.csv", &["--jobs", "1"])).starts_with("a.csv: 60 of 60 rows; "));
    let whole = std::fs::read(folder.path().join("a.csv")).unwrap();
    std::fs::write(folder.path().join("b.csv"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(run("b.csv", &[]).status.code(), Some(2), "without --resume");
    assert!(stdout(&run("b.csv", &["--resume"])).starts_with("b.csv: 60 of 60 rows; "));
    assert_eq!(counts("a.csv"), counts("b.csv"));
    let other = run("b.csv", &["--resume", "--seed", "2"]);
    let message = String::from_utf8(other.stderr).unwrap();
    assert!(
        message.contains("a row of another experiment (seed = \"1\" there, \"2\" here): want"),
        "{message}"
    );
    for (flags, difference) in [
        (["--memory-share", "0.4"], "memory_share = \"0.5\" there, \"0.4\" here"),
        (["--deadline-ratio", "1"], "deadline_ratio = \"0.75\" there, \"1.0\" here"),
        (["--periods", "50,100"], "periods = \"50 80 100 125"),
        (["--shortest", "2"], "shortest = \"1.0\" there, \"2.0\" here"),
        (["--serial", "0,0.1"], "serial_compute = \"0.02\" there, \"0.0\" here"),
        (["--factor", "1.2,2"], "factor_memory = \"2.3\" there, \"2\" here"),
        (["--multiprocessors", "60"], "multiprocessors = \"68\" there, \"60\" here"),
        (["--slices", "17x4"], "slices = \"\" there, \"17x4\" here"),
        (["--test", "np-edf"], "test = \"edf\" there, \"np-edf\" here"),
        (["--tasks", "51"], "1G, 50 tasks, utilisation 2: a row more than the experiment has"),
    ] {
        let other = run("b.csv", &[&["--resume"][..], &flags].concat());
        let message = String::from_utf8(other.stderr).unwrap();
        assert!(other.status.code() == Some(2) && message.contains(difference), "{message}");
    }
    // Si21 Fig. 3.4 in short: all schedulable at 2, none at 68, nothing better than SMS on the way.
    let rate = |utilisation: &str, method: &str| -> u32 {
        let text = String::from_utf8(whole.clone()).unwrap();
        let line = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let line =
            line.into_iter().find(|line| line[UTILISATION] == utilisation && line[UTILISATION + 2] == method);
        line.unwrap()[UTILISATION + 3].parse().unwrap()
    };
    let impossible = String::from_utf8(whole.clone()).unwrap();
    let impossible = impossible.lines().filter(|line| line.split(',').nth(UTILISATION) == Some("68"));
    assert!(
        impossible.map(|line| line.split(',').nth(UTILISATION + 4)).eq([Some("20"); 5]),
        "the same sets for all methods"
    );
    for method in ["1G", "SMS-INA", "SMS-ACT", "BF-INA", "BF-ACT"] {
        assert_eq!((rate("2", method), rate("68", method)), (20, 0), "{method}");
        assert!(rate("44", "SMS-INA") >= rate("44", method));
    }
    if cfg!(not(feature = "figures")) {
        return;
    }
    // The report draws it.
    let drawn = stdout(&warpspan(folder.path(), &["report", "a.csv", "-o", "out"]));
    assert!(drawn.ends_with("2 figures\n"), "{drawn}");
    let page = std::fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(page.contains("Schedulable sets, 50 tasks, M = 68, edf, b/a = 0.02 and 0.1"));
    assert!(page.contains("SMS-INA 20 of 20"), "tips");
    assert!(folder.path().join("out/partitions-02.svg").exists());
    std::fs::write(
        folder.path().join("bad.csv"),
        String::from_utf8_lossy(&whole).replace(",20,1G,", ",x,1G,"),
    )
    .unwrap();
    refused_with(folder.path(), &["report", "bad.csv", "-o", "o"], "bad.csv:2: ");
}

/// Nothing but a table of the experiment is gone on with, and nothing else is touched.
#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["partition", "--experiment", "3.4", "--quick", "--time-limit", "0s", "-o", "t.csv"];
    let path = folder.path().join("t.csv");
    let left_alone = |content: &str, more: &[&str], message: &str| {
        std::fs::write(&path, content).unwrap();
        refused_with(folder.path(), &[&args[..], more].concat(), message);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content, "{message}");
    };
    for content in ["important data without newline", "a,b,c\n", "a,b,c\n1,2,3\n4,5"] {
        for more in [&[][..], &["--resume"]] {
            left_alone(content, more, "t.csv: not a table as this version writes them: want another name");
        }
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(warpspan(folder.path(), &args).status.code(), Some(3));
    let header = std::fs::read_to_string(&path).unwrap();
    let periods = "50 80 100 125 160 200 250 400 500 800 1000 2000 4000";
    let row = format!(
        "3.4,50,68,,edf,0.5,0.75,{periods},1,0.02,0.1,1.2,2.3,1,2,20,1G,20,0,0.1,0,{}\n",
        env!("CARGO_PKG_VERSION")
    );
    left_alone(&header, &[], "t.csv: there is a table already: --resume to go on with it");
    let twice = "t.csv: 1G, 50 tasks, utilisation 2: a row more than the experiment has: want each once";
    left_alone(&format!("{header}{row}{row}3.4,5"), &["--resume"], twice);
    let message =
        "t.csv:5: schedulable \"x\": invalid digit found in string: want the values of a table of partition";
    left_alone(&format!("{header}{row}\n\n{}", row.replace("1G,20", "SMS-INA,x")), &["--resume"], message);
    let message = "t.csv:4: 21 of 20 sets schedulable in 0.1 s each: want a table of partition --experiment";
    left_alone(&format!("{header}{row}\n{}", row.replace("1G,20", "SMS-INA,21")), &["--resume"], message);
    std::fs::write(&path, format!("{header}{row}3.4,5")).unwrap();
    assert_eq!(warpspan(folder.path(), &[&args[..], &["--resume"]].concat()).status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{header}{row}"));
}

/// Ctrl-C ends an experiment with whole rows and exit code 3.
#[test]
#[cfg(unix)]
fn an_interrupt_keeps_whole_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warpspan"))
        .current_dir(folder.path())
        .args(["partition", "--experiment", "3.5", "-o", "t.csv", "--jobs", "1"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let text = std::fs::read_to_string(folder.path().join("t.csv")).unwrap();
    assert!(text.ends_with('\n') && text.starts_with("figure,tasks,"));
    assert!(text.lines().all(|line| line.split(',').count() == 22));
}

/// A device is no table; without -o rows go to standard output, whose end is said.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("full.csv");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let args = ["partition", "--experiment", "3.4", "--quick"];
    refused_with(folder.path(), &[&args[..], &["-o", "full.csv"]].concat(), "full.csv: not a regular file");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warpspan"));
    let output = command.args(args).stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output: No space left"));
}

/// An experiment with other parameters: one point for each method, and rows that record all of them.
#[test]
fn experiments_take_parameters() {
    let flags = "partition --experiment 3.5 --tasks 3 --sets 7 --multiprocessors 2 --memory-share 1 --deadline-ratio 1 \
                 --periods 10 --shortest 0 --serial 0,0 --factor 1,1 --seed 4";
    let text = stdout(&warpspan(here(), &flags.split_whitespace().collect::<Vec<_>>()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[1].starts_with("3.5,3,2,,edf,1.0,1.0,10,0.0,0.0,0.0,1,1,4,2,7,1G,"), "{text}");
}

/// Slices in the record, in the text, in a note where their size is not given, and in an experiment.
#[test]
fn partitions_come_in_slices() {
    let record = json(&[FORMULA, "--test", "edf", "--slices", "5x2"]);
    assert_eq!(record["slices"], serde_json::json!({"count": 5, "multiprocessors": 2, "unused": 1}));
    assert_eq!(record["multiprocessors"], 10);
    assert_eq!(json(&[FORMULA, "--test", "edf"])["slices"], serde_json::Value::Null);
    let exact = json(&[FORMULA, "--test", "edf", "--slices", "11x1", "--exact"]);
    assert_eq!((&exact["verdict"], &exact["used"]), (&"schedulable".into(), &10.into()));
    let exact = json(&[FORMULA, "--test", "edf", "--slices", "3", "--exact"]);
    assert_eq!(exact["slices"]["multiprocessors"], 3);
    let all = assumptions(&exact, "gpu.multiprocessors");
    let slice = all.iter().find(|one| one["subject"] == "multiprocessors of a slice").unwrap();
    assert!(slice["value"].as_str().unwrap().starts_with("3, which is 11 divided by 3"), "{slice}");
    let refused = |slices: &str, message: &str| {
        refused_with(here(), &["partition", FORMULA, "--slices", slices], message);
    };
    refused(
        "12",
        "instances/si21-partition-formula.toml: slices = 12: there are 11 multiprocessors: want slices of 1",
    );
    refused("6x2", "instances/si21-partition-formula.toml: slices = 6x2: there are 11 multiprocessors");
    for wrong in ["0", "7x0", "x", "7x", "7X14", "1001"] {
        refused(wrong, &format!("invalid value '{wrong}' for '--slices <N[xM]>': want a number of slices"));
    }
    let flags = "partition --experiment 3.4 --tasks 4 --sets 5 --multiprocessors 8 --slices 4x2";
    let text = stdout(&warpspan(here(), &flags.split_whitespace().collect::<Vec<_>>()));
    assert!(text.lines().nth(1).unwrap().starts_with("3.4,4,8,4x2,edf,"), "{text}");
    let too_many = ["partition", "--experiment", "3.4", "--multiprocessors", "8", "--slices", "9"];
    let output = warpspan(here(), &too_many);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("slices = 9: there are 8"), "{message}");
}
