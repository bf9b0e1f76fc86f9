//! `warpspan rta` from the command line.

use crate::common::assumptions;
use approx::assert_abs_diff_eq;
use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

const PAPER: &str = "instances/pa19-section-3-6.toml";

fn warpspan(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.arg("rta").args(args);
    command
}

fn json(args: &[&str]) -> Value {
    let output = warpspan(args).args(["--format", "json"]).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

/// What is said of a system on standard input: the text, the record, and the exit code of both.
fn said(system: &str, args: &[&str]) -> (String, Value, i32) {
    let run =
        |format: &str| warpspan(&["-", "--format", format]).args(args).write_stdin(system).output().unwrap();
    let (text, record) = (run("text"), run("json"));
    assert_eq!(text.status.code(), record.status.code());
    let code = text.status.code().unwrap();
    (String::from_utf8(text.stdout).unwrap(), serde_json::from_slice(&record.stdout).unwrap(), code)
}

fn refused(text: &str, message: &str) {
    warpspan(&["-"]).write_stdin(text).assert().code(2).stdout("").stderr(
        predicate::str::contains(message).and(predicate::function(|text: &str| text.lines().count() == 1)),
    );
}

#[test]
fn the_record_is_that_of_the_contract() {
    let record = json(&[PAPER]);
    assert_eq!(record["schema"], "warpspan/rta/5");
    assert_eq!(record["method"], "algorithm2");
    let first = &record["kernels"][0];
    for (key, value) in [
        ("execution", 4),
        ("release", 0),
        ("completion", 4),
        ("response_bound", 4),
        ("response_estimate", 4),
        ("deadline", 15),
    ] {
        assert_eq!(first[key], value, "{key}");
    }
    for key in ["response", "worst_response", "bound", "proved"] {
        assert!(first[key].is_null() && record[key].is_null(), "{key} is gone");
    }
    assert_eq!(first["name"], "K1");
    let arrivals = assumptions(&record, "launch.arrivals");
    assert_eq!(arrivals[0]["value"], "exactly a period apart, the first at its release");
    assert_eq!((arrivals.len(), &arrivals[1]["value"]), (5, &"15 ticks".into()));
    assert_eq!((&first["meets"], &first["reason"]), (&"yes".into(), &Value::Null));
    assert_eq!(
        (&record["verdict"], &record["by"], &record["stop"]),
        (&"proved".into(), &"algorithm2".into(), &Value::Null)
    );
    assert_abs_diff_eq!(first["utilisation"].as_f64().unwrap(), 273.07, epsilon = 0.01);
    assert_abs_diff_eq!(record["utilisation"].as_f64().unwrap(), 2969.6, epsilon = 0.01);
    assert_eq!(record["schedulable"], true);
    let completions: Vec<u64> = record["kernels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kernel| kernel["completion"].as_u64().unwrap())
        .collect();
    assert_eq!(completions, [4, 10, 12, 11]);
}

#[cfg(feature = "figures")]
#[test]
fn drawings_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for name in ["a.svg", "a.csv", "a.json"] {
        warpspan(&[PAPER, "--method", "simulate", "--schedule", &at(name)]).assert().success();
    }
    let csv = std::fs::read_to_string(at("a.csv")).unwrap();
    assert!(
        csv.starts_with("kernel,launch,multiprocessor,start,end,blocks,rounds\nK1,1,1,0,4,1,1\n"),
        "{csv}"
    );
    let blocks: u64 =
        csv.lines().skip(1).map(|line| line.split(',').nth(5).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(blocks, 2 + 7 + 2 + 5);
    let stays: Vec<Value> = serde_json::from_slice(&std::fs::read(at("a.json")).unwrap()).unwrap();
    assert_eq!(stays.len() + 1, csv.lines().count());
    let svg = std::fs::read_to_string(at("a.svg")).unwrap();
    assert!(svg.contains("K2, launch 1: 3 blocks on multiprocessor 2, from 0 to 6"));
    // Pa19 Fig. 4.2: all multiprocessors are one. It holds 8 blocks of 512 threads, of which K2 has 7 at first.
    warpspan(&["instances/pa19-scenario-1.toml", "--big-sm", "--schedule", &at("big.svg")])
        .assert()
        .success();
    let big = std::fs::read_to_string(at("big.svg")).unwrap();
    assert!(big.contains("SM 1 to 2") && !big.contains("on multiprocessor 2"));
    let blocks = |kernel: &str, from: u64| -> u64 {
        let tips = big.split("<title>").filter(|tip| tip.starts_with(&format!("{kernel}, launch 1: ")));
        let tips = tips.filter(|tip| tip.contains(&format!(", from {from} to ")));
        tips.map(|tip| tip.split(' ').nth(3).unwrap().parse::<u64>().unwrap()).sum()
    };
    assert_eq!(
        [blocks("K2", 0), blocks("K3", 0), blocks("K3", 6), blocks("K4", 6), blocks("K1", 6)],
        [7, 1, 1, 5, 2]
    );
    warpspan(&[PAPER, "--schedule", &at("a.png")])
        .assert()
        .code(2)
        .stderr(predicate::str::contains(".csv, .json or .svg"));

    let record = warpspan(&[PAPER, "--format", "json", "--with-schedule"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    std::fs::write(at("run.jsonl"), record).unwrap();
    let mut report = Command::cargo_bin("warpspan").unwrap();
    report.args(["report", &at("run.jsonl"), "-o", &at("page")]).assert().success();
    let page = std::fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.contains("Blocks on multiprocessors") && page.contains("K2, launch 1: 3 blocks"));
}

#[test]
fn the_chain_from_a_string_to_response_times() {
    let record = json(&["instances/tx2-chain.toml"]);
    assert_eq!(record["verdict"], "proved");
    for kernel in record["kernels"].as_array().unwrap() {
        let cycles = kernel["solved"]["upper"].as_f64().unwrap();
        let execution = kernel["execution"].as_f64().unwrap();
        // 1300 MHz, rounded up to a picosecond
        assert_abs_diff_eq!(execution, cycles / 1300.0, epsilon = 2e-6);
        assert!(execution * 1300.0 >= cycles);
    }
}

#[test]
fn bad_systems_are_refused_with_their_line() {
    let gpu = "[gpu]\npreset = \"jetson-tx2\"\n[[kernel]]\n";
    let kernel = |lines: &str| format!("{gpu}blocks = 1\nthreads_per_block = 512\n{lines}");
    refused(&kernel(""), "standard input:3: kernel K1: C is missing");
    refused(&kernel("execution = 0"), "standard input:6: execution = 0: want more than 0");
    refused(&kernel("execution = 1\nperiod = 0"), "standard input:7: period = 0: want more than 0");
    refused(
        &kernel("execution = 1\nrelease = -3"),
        "standard input:7: release = -3: want a number, 0 or more",
    );
    refused(&kernel("execution = 1.5"), "standard input:6: execution = 1.5: want a whole number");
    refused(&kernel("execution = 1\ncode = \"L\""), "both execution and code");
    refused(&kernel("code = \"LXL\""), "standard input:6: code = \"LXL\": character 2 is 'X'");
    let sigmas = "[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    refused(
        &kernel(&format!("code = \"LCL\"\n{sigmas}")),
        "33 cycles are no time in ticks: want unit = \"cycles\"",
    );
    refused(&kernel("execution = 1\nshared_memory = 65537"), "a block needs 65537 bytes of shared memory");
    refused(&kernel("execution = 1\npriod = 3"), "standard input:7: unknown field `priod`");
    refused(
        &format!("{gpu}blocks = 1\nthreads_per_block = 1025\nexecution = 1"),
        "standard input:5: threads_per_block = 1025: want 1024 or less",
    );
    refused(
        &format!("{gpu}blocks = 0\nthreads_per_block = 32\nexecution = 1"),
        "standard input:4: blocks = 0",
    );
    let stream = "[[stream]]\nname = \"a\"\n";
    refused(
        &format!("{stream}{}", kernel("execution = 1\nstream = \"b\"")),
        "stream = \"b\": no [[stream]] has this name",
    );
    let two = kernel(
        "execution = 1\nstream = \"a\"\npriority = 1\n[[kernel]]\nblocks = 1\nthreads_per_block = 32\nexecution = 1\nstream = \"a\"\npriority = 2",
    );
    refused(&two, "priority = 2: stream \"a\" has priority 1, and a priority belongs to a stream");
    refused("", "standard input: no [gpu]");
    refused("[gpu]\npreset = \"jetson-tx2\"\n", "no kernel is given: want a [[kernel]] table");
    refused(
        "[gpu]\npreset = \"tx3\"\n",
        "standard input:2: preset = \"tx3\": no such GPU: did you mean \"jetson-tx2\"",
    );
    refused("unit = \"weeks\"\n", "standard input:1: unit = \"weeks\": want ticks, cycles, ns, us, ms or s");
    let huge = kernel(
        "execution = 4000000000000000000\n[[kernel]]\nblocks = 9\nthreads_per_block = 32\nexecution = 4000000000000000000",
    );
    refused(&huge, "exceed 2^62 grains of time");
    warpspan(&[PAPER, "--horizon", "x"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--horizon x: want a number"));
    warpspan(&["no-such-file.toml"]).assert().code(2).stdout("");
}

const TX2: &str = "[gpu]\npreset = \"jetson-tx2\"\n";

fn kernel(name: &str, lines: &str) -> String {
    let keys = ["registers_per_thread", "shared_memory"];
    let missing = keys.iter().filter(|key| !lines.contains(*key)).map(|key| format!("{key} = 0\n"));
    format!("[[kernel]]\nname = \"{name}\"\n{}{lines}\n", missing.collect::<String>())
}

#[test]
fn a_deadline_that_is_missed_for_certain_is_refuted() {
    let text = format!(
        "{TX2}{}",
        kernel("K", "blocks = 9\nthreads_per_block = 512\nexecution = 4\nperiod = 20\ndeadline = 7")
    );
    let (text, record, code) = said(&text, &[]);
    assert_eq!(code, 5);
    assert!(text.starts_with("schedulable refuted: "), "{text}");
    let first = &record["kernels"][0];
    assert_eq!(
        (&first["meets"], &record["verdict"], &record["schedulable"]),
        (&"no".into(), &"refuted".into(), &false.into())
    );
    assert_eq!(first["missed"], serde_json::json!({"launch": 1, "release": 0, "completion": 8}));
    assert_eq!(record["by"], "schedule");
}

/// Blocks of two sizes and copies: Algorithm 2 has estimates, which are no bounds, and the bound exceeds a
/// deadline of 18. That is neither "yes" nor exit 0, in the text and in the record, by no method; and one
/// name is one number in both.
#[test]
fn an_estimate_is_no_verdict() {
    let mixed = format!(
        "unit = \"ms\"\n{TX2}{}{}",
        kernel(
            "A",
            "period = 40\nblocks = 12\nthreads_per_block = 512\nexecution = 4\ncopy_in = 1\ncopy_out = 0.5"
        ),
        kernel(
            "B",
            "period = 40\ndeadline = 18\nblocks = 6\nthreads_per_block = 1024\nexecution = 3\ncopy_in = 2\ncopy_out = 1.5"
        )
    );
    for method in ["algorithm2", "closed-form", "simulate"] {
        let (text, record, code) = said(&mixed, &["--method", method]);
        assert_eq!(code, 3, "{method}");
        assert!(text.starts_with("schedulable undecided"), "{text}");
        assert_eq!((&record["verdict"], &record["by"]), (&"undecided".into(), &Value::Null));
        assert_eq!((&record["schedulable"], &record["stop"]), (&false.into(), &Value::Null));
        let late = &record["kernels"][1];
        assert_eq!(late["meets"], "unknown");
        let bound = late["response_bound"].as_f64().unwrap();
        assert!(bound > 18.0);
        let reason = late["reason"].as_str().unwrap();
        assert!(reason.starts_with(&format!("bound {bound} ms > deadline 18 ms; ")), "{reason}");
        assert!(reason.contains(" % of it is "), "{reason}");
        assert!(text.contains(&format!("B: {reason}")), "{text}");
        // Names and numbers of the table are those of the record.
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let header = cells(text.lines().find(|line| line.starts_with("| kernel")).unwrap());
        for (index, name) in ["A", "B"].into_iter().enumerate() {
            let row = cells(text.lines().find(|line| line.starts_with(&format!("| {name} "))).unwrap());
            for (title, cell) in header.iter().zip(&row).skip(5).filter(|(title, _)| !title.is_empty()) {
                let value = &record["kernels"][index][title.replace(' ', "_")];
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(cell.replace('-', "null"), value, "{title}");
            }
        }
    }
}

#[test]
fn what_cannot_be_played_is_judged_on_the_bounds() {
    let primes = ["1000003", "1000033", "1000037", "1000039"].map(|period| {
        kernel(period, &format!("blocks = 1\nthreads_per_block = 32\nexecution = 1\nperiod = {period}"))
    });
    let (text, record, code) = said(&format!("{TX2}{}", primes.concat()), &[]);
    assert_eq!((code, &record["verdict"], &record["by"]), (0, &"proved".into(), &"bound".into()));
    assert!(record["kernels"][0]["response_estimate"].is_null());
    assert!(text.contains("want periods with common factors, or --horizon"), "{text}");
    let closed = warpspan(&[PAPER, "--method", "closed-form"]).assert().success().get_output().stdout.clone();
    assert!(
        String::from_utf8(closed)
            .unwrap()
            .contains("the closed form is for kernels of equal execution times")
    );
}

/// A launch every tick that takes a billion: refuted, and soon. Where nothing is refuted a limit ends the
/// work with what is known, and exit 3.
#[test]
fn limits_end_the_work_with_an_answer() {
    let billion = format!(
        "{TX2}{}",
        kernel("K", "period = 1\nblocks = 1\nthreads_per_block = 32\nexecution = 1000000000")
    );
    let (_, record, code) = said(&billion, &["--memory-limit", "100M", "--time-limit", "30s"]);
    assert_eq!((code, &record["verdict"], &record["by"]), (5, &"refuted".into(), &"least-response".into()));
    assert_eq!(record["stop"], "memory-limit");
    let lines = "period = 1000\ndeadline = 2500\nblocks = 1800\nthreads_per_block = 1024\nexecution = 2\ncopy_in = 90";
    let long = format!(
        "{TX2}{}{}",
        kernel("A", lines),
        kernel("B", "blocks = 1\nthreads_per_block = 64\nexecution = 1")
    );
    let (text, record, code) = said(&long, &["--time-limit", "0s"]);
    assert_eq!((code, &record["verdict"], &record["stop"]), (3, &"undecided".into(), &"time-limit".into()));
    assert!(record["kernels"][0]["response_estimate"].is_null());
    assert!(text.contains("until a limit was reached (time-limit)"), "{text}");
}

/// The drawing is one run, which ends before the safe bound; where it ends just there, nothing is to be said.
#[cfg(feature = "figures")]
#[test]
fn a_drawing_says_that_responses_may_be_longer() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("a.svg").display().to_string();
    let system = format!(
        "{TX2}{}{}",
        kernel("A", "blocks = 9\nthreads_per_block = 512\nexecution = 4\ncopy_in = 1"),
        kernel("B", "blocks = 5\nthreads_per_block = 1024\nexecution = 3")
    );
    let (_, record, _) = said(&system, &["--schedule", &svg]);
    let bounds =
        record["kernels"].as_array().unwrap().iter().map(|kernel| kernel["response_bound"].as_u64().unwrap());
    let longest = bounds.max().unwrap();
    let drawing = std::fs::read_to_string(&svg).unwrap();
    let part = format!(" is {longest} ticks");
    assert!(drawing.contains("one run, which ends at ") && drawing.contains("the safe bound of "));
    assert!(drawing.contains(&part), "{part}");
    let run = folder.path().join("run.json");
    let output =
        warpspan(&["-", "--format", "json", "--with-schedule"]).write_stdin(system).output().unwrap();
    std::fs::write(&run, output.stdout).unwrap();
    let page = folder.path().join("page");
    let mut report = Command::cargo_bin("warpspan").unwrap();
    report.args(["report", run.to_str().unwrap(), "-o", page.to_str().unwrap()]).assert().success();
    assert!(std::fs::read_to_string(page.join("index.html")).unwrap().contains(&part));
    warpspan(&[PAPER, "--schedule", &svg]).assert().success();
    assert!(!std::fs::read_to_string(&svg).unwrap().contains("safe bound"));
}

#[test]
fn help_lists_the_exit_codes() {
    let help = warpspan(&["--help"]).assert().success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    assert!(help.contains("5  a deadline is proved to be missed"), "{help}");
}

/// What a block needs and the file leaves out counts as the most that one may have: 255 registers for each of 256 threads leave
/// room for one block, so that 16 take eight rounds on two multiprocessors. Nothing is refuted by that.
#[test]
fn registers_and_shared_memory_that_are_left_out_count_as_the_most() {
    let lines =
        "period = 100\ndeadline = 10\nrelease = 0\nblocks = 16\nthreads_per_block = 256\nexecution = 10\n";
    let open = |lines: &str| format!("{TX2}[[kernel]]\nname = \"A\"\n{lines}");
    let (text, record, code) = said(&open(lines), &[]);
    assert_eq!((code, &record["verdict"]), (3, &"undecided".into()));
    assert!(record["kernels"][0]["response_bound"].as_u64().unwrap() >= 80);
    let sentence = "registers_per_thread and shared_memory of A: not given, so taken to be the most that a block may have";
    assert!(text.contains(sentence), "{text}");
    assert!(record["notes"].as_array().unwrap().contains(&sentence.into()), "{record}");
    // Either of them is enough to keep a second block out.
    for (given, missing) in
        [("shared_memory = 0", "registers_per_thread"), ("registers_per_thread = 32", "shared_memory")]
    {
        let (text, record, _) = said(&open(&format!("{lines}{given}\n")), &[]);
        assert!(record["kernels"][0]["response_bound"].as_u64().unwrap() >= 80, "{given}");
        assert!(text.contains(&format!("{missing} of A: not given")), "{text}");
    }
    let known = format!("{lines}registers_per_thread = 32\nshared_memory = 0\n");
    let (text, record, code) = said(&open(&known), &[]);
    assert_eq!((code, &record["verdict"]), (0, &"proved".into()));
    assert_eq!(record["kernels"][0]["response_bound"], 10);
    assert!(!text.contains("not given"), "{text}");
    // A run in which blocks need the most refutes nothing: they may need less.
    let late = lines.replace("deadline = 10", "deadline = 9");
    assert_eq!(said(&open(&late), &[]).1["by"], "least-response");
    assert_eq!(said(&open(lines), &["--method", "simulate"]).1["verdict"], "undecided");
}

/// A kernel that is launched once may be launched at any time if no release is given: K1 one after K2 waits for all of its
/// ten rounds of 5.
#[test]
fn one_launch_without_a_release_may_come_at_any_time() {
    let text = format!(
        "{TX2}{}{}",
        kernel("K1", "blocks = 4\nthreads_per_block = 1024\nexecution = 1\ndeadline = 20"),
        kernel("K2", "blocks = 40\nthreads_per_block = 1024\nexecution = 5\ndeadline = 100")
    );
    let (_, record, code) = said(&text, &[]);
    assert_eq!((code, &record["verdict"]), (3, &"undecided".into()));
    assert!(record["kernels"][0]["response_bound"].as_u64().unwrap() >= 50, "{record}");
    let given = text.replace("name = ", "release = 0\nname = ");
    assert_eq!(said(&given, &[]).1["kernels"][0]["response_bound"], 1);
}

/// Algorithm 2 takes 0 for a release that is not given. That is an estimate: the first launch may come at any time, and
/// one of K0 at 1 ends at 5 (K1 at 0 takes all four places until 2, 4 and 6; at 2 the rest of K1 is ahead).
#[test]
fn a_release_that_is_not_given_proves_nothing() {
    let system = |release: &str| {
        let gpu = "[gpu]\nmultiprocessors = 2\nthreads = 2048\nblocks = 32\n";
        let k0 = format!(
            "blocks = 1\nthreads_per_block = 1024\nexecution = 3\nperiod = 24\ndeadline = 3\n{release}"
        );
        let k1 = format!(
            "blocks = 12\nthreads_per_block = 1024\nexecution = 2\nperiod = 24\n{}",
            if release.is_empty() { "" } else { "release = 0\n" }
        );
        format!("{gpu}{}{}", kernel("K0", &k0), kernel("K1", &k1))
    };
    let (text, record, code) = said(&system(""), &[]);
    assert_eq!((code, &record["verdict"], &record["by"]), (3, &"undecided".into(), &Value::Null));
    assert!(
        text.contains("the first launch of K0 may come at any time, since no release is given"),
        "{text}"
    );
    assert_eq!(record["kernels"][0]["response_bound"], 9);
    let (_, record, code) = said(&system("release = 1"), &[]);
    assert_eq!((code, &record["verdict"]), (5, &"refuted".into()));
    // With both at 0 Algorithm 2 proves it, and the parts of the weaker bound do not pose as those of its bound.
    let (_, record, code) = said(&system("release = 0"), &["--explain"]);
    assert_eq!((code, &record["verdict"], &record["by"]), (0, &"proved".into(), &"algorithm2".into()));
    let (k0, k1) = (&record["kernels"][0], &record["kernels"][1]);
    assert_eq!((&k0["response_bound"], &k0["explanation"]["bound"]), (&3.into(), &3.into()));
    assert_eq!(k1["response_bound"], 8);
    assert_eq!(k1["explanation"]["bound"], 9);
    let (text, ..) = said(&system("release = 0"), &["--explain"]);
    assert!(text.contains("The response bounds above are those of Algorithm 2."), "{text}");
}

#[test]
fn explanations_come_only_when_they_are_asked_for() {
    let plain = json(&["instances/tx2-copies.toml"]);
    for key in ["explanation", "no_bound"] {
        assert!(plain["kernels"][0].get(key).is_none() && plain.get("trace").is_none(), "{key}");
    }
    let record = json(&["instances/tx2-copies.toml", "--explain", "--margins"]);
    for kernel in record["kernels"].as_array().unwrap() {
        let found = &kernel["explanation"];
        let mut sum: f64 =
            ["copy_wait", "jitter", "rounding"].iter().map(|part| found[part].as_f64().unwrap()).sum();
        for share in found["shares"].as_array().unwrap() {
            let parts = ["copies", "run", "beside", "ahead_a", "ahead_c", "later_a"];
            sum += parts.iter().map(|part| share[part].as_f64().unwrap()).sum::<f64>();
        }
        assert_eq!(found["bound"], kernel["response_bound"]);
        assert_abs_diff_eq!(sum, found["bound"].as_f64().unwrap(), epsilon = 1e-9);
    }
    assert!(record.get("trace").is_none(), "Algorithm 2 does not cover copies");
    let paper = json(&[PAPER, "--explain"]);
    assert_eq!(paper["trace"][1]["steps"][1]["t_a"], 4);
    assert_eq!(paper["trace"][1]["steps"][1]["free_threads"], 1024);
    assert!(paper["kernels"][0]["no_bound"].is_string());
}

/// What a block takes of a resource that the GPU does not state keeps no block waiting, so the answer is that of a file that
/// does not say it.
#[test]
fn a_need_that_the_gpu_does_not_limit_limits_nothing() {
    let gpu = |stated: &str| format!("[gpu]\nmultiprocessors = 2\nthreads = 2048\n{stated}");
    let a = "[[kernel]]\nname = \"A\"\nblocks = 4\nthreads_per_block = 512\n";
    let b = "[[kernel]]\nname = \"B\"\nblocks = 4\nthreads_per_block = 256\n";
    let given = ["period = 1000\nexecution = 5\n", "period = 1000\nexecution = 7\n"];
    let code = ["period = 100000\ncode = \"LCLC\"\n", "code = \"LCC\"\n"];
    let alone = ["execution = 5\n", "execution = 7\n"];
    let nodes = "[[graph]]\nperiod = 1000\n[[graph.node]]\nkernel = \"A\"\n[[graph.node]]\nkernel = \"B\"\n";
    for (head, times, tail) in [
        ("", given, ""),
        ("unit = \"cycles\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n", code, ""),
        ("", alone, nodes),
    ] {
        let system = |stated: &str, need: &str| {
            said(&format!("{head}{}{a}{}{need}{b}{}{tail}", gpu(stated), times[0], times[1]), &[]).1
        };
        let of = |record: &Value| {
            let list = if tail.is_empty() { "kernels" } else { "graphs" };
            let all = record[list].as_array().unwrap().iter();
            all.map(|one| one["response_bound"].as_f64()).collect::<Vec<_>>()
        };
        let free = of(&system("", ""));
        assert!(free.iter().all(Option::is_some), "{free:?}");
        for need in [
            "registers_per_thread = 32\n",
            "shared_memory = 1000\n",
            "registers_per_thread = 255\nshared_memory = 1048576\n",
        ] {
            assert_eq!(of(&system("", need)), free, "{need}");
        }
        // Where the GPU states it, it counts.
        let one_block =
            of(&system("registers = 16384\nshared_memory = 65536\n", "registers_per_thread = 32\n"));
        assert!(one_block.iter().zip(&free).any(|(one, free)| one > free), "{one_block:?} {free:?}");
    }
}

/// The answer opens with what would mend it. With 255 registers one block of 256 threads fits on a multiprocessor of the Jetson
/// TX2, with 32 eight; by their threads alone eight do too, which is what estimates take.
#[test]
fn what_is_left_out_of_blocks_is_said_first_and_estimates_follow_the_threads() {
    let kernel = |name: &str, needs: &str| {
        let rest = "period = 1000\nrelease = 0\nblocks = 16\nthreads_per_block = 256\nexecution = 10\n";
        format!("[[kernel]]\nname = \"{name}\"\n{rest}{needs}")
    };
    let (open, zero) = ("", "registers_per_thread = 0\nshared_memory = 0\n");
    let (text, record, _) = said(&format!("{TX2}{}{}", kernel("A", open), kernel("B", zero)), &[]);
    let mend = "give registers_per_thread and shared_memory of A: without them the bounds count 1 block at a time on a multiprocessor; \
                with 32 registers and no shared memory it would be 8";
    assert_eq!(text.lines().nth(1), Some(format!("to mend     {mend}").as_str()));
    assert_eq!(record["mends"], serde_json::json!([mend]));
    assert!(
        text.contains(
            "estimates follow the threads alone, as in Pa19, and bounds do not: what a block of A needs"
        ),
        "{text}"
    );
    let known = format!("{TX2}{}{}", kernel("A", zero), kernel("B", zero));
    for method in ["algorithm2", "simulate", "closed-form"] {
        let estimates = |record: &Value| {
            let all = record["kernels"].as_array().unwrap().iter();
            all.map(|one| [one["completion"].clone(), one["response_estimate"].clone()]).collect::<Vec<_>>()
        };
        let open = said(&format!("{TX2}{}{}", kernel("A", open), kernel("B", open)), &["--method", method]).1;
        let known = said(&known, &["--method", method]).1;
        assert_eq!(estimates(&open), estimates(&known), "{method}");
        assert_ne!(open["kernels"][0]["completion"], Value::Null, "{method}");
        // They prove nothing: a block may need more.
        assert_ne!(open["by"], "algorithm2");
        let bound = |record: &Value| record["kernels"][0]["response_bound"].as_f64().unwrap();
        assert!(bound(&open) > bound(&known), "{method}");
    }
    let (text, record, _) = said(&known, &[]);
    assert!(
        record["mends"].is_null() && !text.contains("to mend") && !text.contains("follow the threads"),
        "{text}"
    );
    // One missing key, on a GPU whose registers are known.
    let (text, ..) = said(&format!("{TX2}{}", kernel("A", "shared_memory = 0\n")), &[]);
    let one = "to mend     give registers_per_thread of A: without it the bounds count 1 block at a time on a multiprocessor; with 32 registers it \
               would be 8";
    assert!(text.lines().nth(1).unwrap().starts_with(one), "{text}");
}
