//! The command line of `solve`: its results, and one clear line and exit code 2 for every bad input.
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;

fn warpspan() -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(120));
    command
}

/// Checks that the command prints one line on stderr that holds `message`, nothing on stdout, and exits with
/// code 2.
fn refused(args: &[&str], message: &str) {
    let output = warpspan().args(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(stderr.contains(message), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
}

/// The same for the content of a file; the message begins with the file and the line.
fn refused_file(content: &str, place_and_message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.toml");
    std::fs::write(&path, content).unwrap();
    let output = warpspan().arg("solve").arg(&path).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(place_and_message), "{stderr}\n{place_and_message}");
}

fn json(args: &[&str], code: i32) -> serde_json::Value {
    let output = warpspan().args(args).args(["--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The verdict and the worst case of each instance file, by its name.
#[test]
#[cfg_attr(not(feature = "highs"), ignore = "some need the ILP")]
fn instances_have_their_worst_case() {
    let expected = [
        ("async-api-increment-cc20-w4", 47), // The 15 letters begin with LL; by hand I + 3a.
        ("async-api-increment-cc20-w48", 531),
        ("async-api-increment-w4", 42),
        ("async-api-increment-w48", 482),
        ("cccc-sigma4-w8", 11),
        ("lc-cc20-w4", 9),
        ("lcl-w4", 9),
        ("lclcl-half-w4", 26),
        ("lclcl-half-w420", 2522),
        ("ll-sigma2-w4", 5),
        ("llc-w4", 9),
        ("llcll-w4", 17),
        ("llcll-w600", 2401),
        ("machine-lcsfu-w4", 35),
        ("si21-example", 21),
        ("si21-example-rotating", 18),
        ("simple-templates-int-cc20-w4", 57),
        ("simple-templates-int-cc20-w48", 629),
        ("simple-templates-int-w4", 44),
        ("simple-templates-int-w48", 484),
        ("template-cc20-w4", 65),
        ("template-cc20-w48", 725),
        ("template-w4", 45),
        ("template-w48", 485),
        ("two-kernels", 6),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    // The instances of other commands have tests of their own.
    let others = [
        "camera",
        "gcaps-",
        "graph-",
        "kr19-",
        "machine-short-",
        "pa19-",
        "processes-",
        "saxpy-conv",
        "si21-partition-",
        "si21-stand-in-",
        "si21-t",
        "tx2-",
    ];
    let solved = std::fs::read_dir(folder).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
        !others.iter().any(|other| name.starts_with(other))
    });
    assert_eq!(solved.count(), expected.len());
    for (name, worst) in expected {
        let record = json(&["solve", &format!("instances/{name}.toml")], 0);
        assert_eq!(record["verdict"], "exact", "{name}");
        assert_eq!((&record["lower"], &record["upper"]), (&worst.into(), &worst.into()), "{name}");
        assert!(record["stop"].is_null() && record["not_exact"].is_null(), "{name}");
    }
}

#[test]
fn the_record_of_solve_is_the_contract() {
    let record =
        json(&["solve", "--kernel", "LLCLL", "--warps", "4", "--engine", "phase", "--with-schedule"], 0);
    assert_eq!(record["schema"], "warpspan/solve/2");
    assert_eq!(
        record["instance"],
        serde_json::json!({"groups": [{"kernel": "LLCLL", "warps": 4}], "sigma_l": "1", "sigma_c": "1"})
    );
    assert_eq!(record["engine"], "phase");
    assert_eq!(
        record["phase"],
        serde_json::json!({"rates": ["4"], "labels": ["LLLLL"], "theta": "1", "upper": 17})
    );
    let evidence = serde_json::json!({
        "lower": {"name": "schedule", "checked": "machine"},
        "upper": {"name": "closed-form", "checked": "machine"},
    });
    assert_eq!(record["evidence"], evidence);
    assert_eq!(record["checks"], serde_json::json!([]));
    for key in ["best_case", "model", "states", "stop", "not_exact"] {
        assert_eq!(record.get(key), Some(&serde_json::Value::Null), "{key}");
    }
    let schedule = record["schedule"].as_array().unwrap();
    assert_eq!(schedule.len(), 20);
    let first = serde_json::json!({"cycle": 1, "group": 1, "warp": 4, "instruction": 1, "unit": "L"});
    assert_eq!(schedule[0], first);
    assert!(record["seconds"].is_number());
}

#[test]
#[cfg(feature = "highs")]
fn the_ilp_reports_its_model_and_its_interval() {
    let record = json(&["solve", "--kernel", "LCL", "--warps", "3", "--formulation", "short", "--plain"], 0);
    assert_eq!((record["engine"].as_str(), record["upper"].as_u64()), (Some("ilp"), Some(7)));
    for key in ["rows", "columns", "nonzeros"] {
        assert!(record["model"][key].as_u64().unwrap() > 0);
    }
    let gap = ["solve", "--engine", "ilp", "--kernel", "LLCCLLCC", "--sigma-c", "2"]; // The worst case is below the phase bound.
    let record = json(&[&gap[..], &["--warps", "7", "--time-limit", "500ms"]].concat(), 3);
    assert_eq!((record["verdict"].as_str(), record["stop"].as_str()), (Some("bounded"), Some("time-limit")));
    assert!(record["lower"].as_u64() <= Some(32) && record["upper"].as_u64() >= Some(32));
    let record = json(&[&gap[..], &["--warps", "48", "--memory-limit", "1M"]].concat(), 3);
    assert_eq!(record["stop"], "memory-limit");
    assert!(record["notes"][0].as_str().unwrap().contains("estimated at"), "{record}");
    let record = json(&["solve", "instances/cccc-sigma4-w8.toml", "--horizon", "paper"], 3);
    assert_eq!((record["not_exact"].as_str(), record["upper"].as_u64()), (Some("horizon"), Some(11)));
    assert!(record["stop"].is_null(), "{record}");
}

#[test]
fn the_states_are_searched_or_refused() {
    let record = json(&["solve", "instances/cccc-sigma4-w8.toml", "--engine", "states"], 0);
    assert_eq!((record["engine"].as_str(), record["verdict"].as_str()), (Some("states"), Some("exact")));
    assert_eq!((record["lower"].as_u64(), record["states"].as_u64()), (Some(11), Some(495)));
    assert_eq!(record["best_case"], 8);
    let args = ["solve", "--engine", "states", "--kernel", "LLCCLLCCLLCC", "--warps", "64"];
    let record = json(&[&args[..], &["--memory-limit", "1G"]].concat(), 3); // worst case 12 + 63 * 7
    assert_eq!((record["stop"].as_str(), record["states"].is_null()), (Some("memory-limit"), true));
    assert!(record["lower"].as_u64() <= Some(453) && record["upper"].as_u64() >= Some(453), "{record}");
    assert!(record["notes"][0].as_str().unwrap().contains("states"));
}

/// Where the closed form does not apply, `--engine phase` means the phase bound and the search that it
/// guides.
#[test]
fn the_phase_bound_and_its_search() {
    // The search over all states gives these exact values.
    for (args, worst, upper) in [
        (&["--kernel", "LLCCLLCC", "--warps", "7", "--sigma-c", "2"][..], 32, 33),
        (&["--kernel", "LCCC", "--warps", "4", "--sigma-c", "2"], 9, 9),
        (&["--group", "LCLL:3", "--group", "CCL:2", "--sigma-c", "2"], 12, 12),
    ] {
        let phase = json(&[&["solve", "--engine", "phase", "--with-schedule"], args].concat(), 0);
        let states = json(&[&["solve", "--engine", "states"], args].concat(), 0);
        assert_eq!((&phase["lower"], &phase["upper"]), (&states["lower"], &states["upper"]), "{args:?}");
        let groups = args.iter().filter(|&&arg| arg == "--group").count().max(1);
        assert_eq!(phase["phase"]["labels"].as_array().unwrap().len(), groups);
        let found = (phase["lower"].as_u64(), phase["phase"]["upper"].as_u64());
        assert_eq!(found, (Some(worst), Some(upper)), "{args:?}");
    }
    // With too many states for any search, the answer is an interval within a few per cent, found at once.
    let args = ["solve", "--kernel", "LLCCLLCCLLCC", "--warps", "64", "--sigma-c", "2", "--time-limit", "1s"];
    let record = json(&args, 3);
    let (lower, upper) = (record["lower"].as_u64().unwrap(), record["upper"].as_u64().unwrap());
    assert!(upper - lower <= upper / 20, "{record}");
}

/// A beam gives a lower bound with its schedule, and the best case with another schedule.
#[test]
fn beams_and_best_schedules() {
    let args = ["solve", "--kernel", "LCCCLLCCLLL", "--warps", "7", "--sigma-l", "2", "--sigma-c", "2"];
    let exact = json(&[&args[..], &["--engine", "states"]].concat(), 0);
    let beam = json(&[&args[..], &["--beam", "2", "--with-schedule"]].concat(), 3);
    assert_eq!((beam["engine"].as_str(), beam["not_exact"].as_str()), (Some("beam"), Some("beam")));
    assert!(beam["stop"].is_null());
    let last =
        beam["schedule"].as_array().unwrap().iter().map(|issue| issue["cycle"].as_u64()).max().unwrap();
    assert_eq!(last, beam["lower"].as_u64());
    assert!(
        beam["lower"].as_u64() <= exact["lower"].as_u64()
            && beam["upper"].as_u64() >= exact["upper"].as_u64()
    );

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best.csv").display().to_string();
    let best = json(&["solve", "instances/llcll-w4.toml", "--best-schedule", &file], 0);
    assert_eq!((best["engine"].as_str(), best["best_case"].as_u64()), (Some("states"), Some(16)));
    let valid = predicate::str::contains("valid, 16 cycles");
    warpspan().args(["check", &file, "instances/llcll-w4.toml"]).assert().success().stdout(valid);

    let args = ["solve", "instances/llcll-w4.toml"];
    refused(&[&args[..], &["--beam", "0"]].concat(), "want a number of states, 1 or more");
    refused(&[&args[..], &["--beam", "5", "--engine", "states"]].concat(), "cannot be used with");
    refused(&[&args[..], &["--beam", "5", "--best-schedule", &file]].concat(), "only --engine states finds");
    refused(
        &[&args[..], &["--engine", "phase", "--best-schedule", &file]].concat(),
        "only --engine states finds",
    );
}

#[test]
fn the_record_of_bound_says_what_is_safe() {
    let record = json(&["bound", "instances/lcl-w4.toml", "--up-to", "2"], 0);
    assert_eq!(record["schema"], "warpspan/bound/2");
    assert_eq!(
        (record["lower"].as_u64(), record["upper"].as_u64()),
        (Some(9), Some(9)),
        "the best safe ones"
    );
    let bound =
        |name: &str| record["bounds"].as_array().unwrap().iter().find(|b| b["name"] == name).unwrap().clone();
    assert_eq!(
        (bound("min-over-y")["value"].as_u64(), bound("min-over-y")["safe"].as_bool()),
        (Some(8), Some(false))
    );
    assert_eq!(bound("min-over-y")["terms"][1], serde_json::json!({"y": 2, "makespan": 4, "value": 8}));
    assert_eq!((bound("phase")["value"].as_u64(), bound("phase")["rates"][0].as_str()), (Some(9), Some("2")));
    assert_eq!(bound("pessimistic")["safe"], true);
    assert_eq!(bound("bottleneck")["side"], "lower");
    let record = json(&["bound", "instances/llcll-w600.toml", "--up-to", "7"], 0);
    let estimate = &record["bounds"][3];
    assert_eq!((estimate["name"].as_str(), estimate["value"].as_u64()), (Some("min-over-y"), Some(2494)));
}

#[test]
#[cfg(feature = "highs")]
fn bound_labels_what_is_unsafe() {
    let record = json(&["bound", "instances/cccc-sigma4-w8.toml"], 0);
    let first = &record["bounds"][0];
    assert_eq!((first["name"].as_str(), first["value"].as_u64()), (Some("pessimistic"), Some(8)));
    assert_eq!(first["safe"], false);
    assert_eq!(record["upper"], 11, "not the unsafe 8");
}

#[test]
fn bad_flags() {
    for command in ["solve", "bound"] {
        refused(&[command, "--kernel", "LLX", "--warps", "4"], "character 3 is 'X': want L, C");
        refused(&[command, "--kernel", "", "--warps", "4"], "the kernel is empty");
        refused(&[command, "--kernel", "L", "--warps", "0"], "0 is not in 1..");
        refused(&[command, "--kernel", "L", "--warps", "-1"], "-1");
        refused(
            &[command, "--kernel", "L", "--warps", "4", "--sigma-l", "0"],
            "\"0\": want a whole number or 1/n",
        );
        refused(
            &[command, "--kernel", "L", "--warps", "4", "--sigma-c", "2/3"],
            "want a whole number or 1/n",
        );
        refused(
            &[command, "--kernel", "L99999999999999999999", "--warps", "4"],
            "more than 67108864 instructions",
        );
        refused(&[command, "--kernel", "LL", "--warps", "18446744073709551615"], "exceed 2^61");
        refused(&[command, "--warps", "4"], "no kernel is given");
        refused(&[command, "--kernel", "L"], "no number of warps is given");
        refused(&[command, "--group", "L:2", "--kernel", "L"], "cannot be used with");
        refused(&[command, "--group", "L"], "want STRING:N");
        refused(&[command, "--group", "L:0"], "want a number of warps");
        refused(
            &[command, "--kernel", "L", "--warps", "1", "--compute-capability", "1.3"],
            "no compute capability",
        );
        refused(&[command, "no-such-file.toml"], "no-such-file.toml: cannot be read: No such file");
        refused(&[command, "instances"], "instances: cannot be read: Is a directory");
        refused(
            &[command, "instances/two-kernels.toml", "--warps", "3"],
            "--warps does not say which [[group]]",
        );
    }
    let one = ["solve", "--kernel", "L", "--warps", "2"];
    refused(&[&one[..], &["--time-limit", "soon"]].concat(), "--time-limit");
    refused(&[&one[..], &["--memory-limit", "much"]].concat(), "--memory-limit");
    refused(&[&one[..], &["--threads", "0"]].concat(), "--threads");
    refused(
        &[&one[..], &["--schedule", "x.txt"]].concat(),
        "x.txt: want a name that ends in .csv, .json or .svg",
    );
    refused(&[&one[..], &["--schedule", "no/such/folder/x.csv"]].concat(), "cannot be written");
    refused(
        &["solve", "instances/lcl-w4.toml", "instances/llc-w4.toml", "--schedule", "x.csv"],
        "one file for 2 instances",
    );
}

#[test]
#[cfg(feature = "highs")]
fn bad_flags_of_the_ilp() {
    let one = ["solve", "--kernel", "L", "--warps", "2"];
    refused(&[&one[..], &["--horizon", "0"]].concat(), "want safe, paper or a number");
    refused(&[&one[..], &["--write-model", "m.txt"]].concat(), "m.txt: want a name that ends in .lp or .mps");
    refused(&[&one[..], &["--write-model", "no/such/folder/m.lp"]].concat(), "cannot be written");
    refused(
        &[&one[..], &["--engine", "phase", "--plain"]].concat(),
        "only --engine ilp takes the options of the ILP",
    );
}

#[test]
fn bad_files() {
    refused_file(
        "[kernel]\nstring = \"LLX\"\n[launch]\nwarps = 4\n",
        "f.toml:2: string = \"LLX\": character 3",
    );
    refused_file("[kernel]\nstring = \"L\"\ncolour = 1\n", "f.toml:3: unknown field `colour`");
    refused_file("[kernel]\nstring = \"L\"\n[launch]\nwarps = 0\n", "f.toml:4: warps = 0: want 1 or more");
    let half = "[kernel]\nstring = \"L\"\n[multiprocessor]\nsigma_l = \"2/3\"\n[launch]\nwarps = 4\n";
    refused_file(half, "f.toml:4: sigma_l = \"2/3\": want a whole number or 1/n");
    let both = "[kernel]\nstring = \"L\"\n[multiprocessor]\nsigma_l = 1\ncompute_capability = \"2.0\"\n";
    refused_file(both, "f.toml:3: [multiprocessor]: sigma_l and compute_capability contradict each other");
    refused_file("", "no kernel is given");
    refused_file("[kernel", "f.toml:1: ");
    refused_file("\u{0}\u{1}", "f.toml:1: ");
}

#[test]
fn standard_input_is_a_file() {
    let text =
        "[kernel]\nstring = \"LCL\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[launch]\nwarps = 4\n";
    warpspan()
        .args(["solve", "-"])
        .write_stdin(text)
        .assert()
        .success()
        .stdout(predicate::str::contains("9 cycles"));
    warpspan()
        .args(["solve", "-"])
        .write_stdin("[kernel")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("standard input:1"));
}

#[test]
fn schedules_are_written_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for name in ["s.csv", "s.json"] {
        warpspan().args(["solve", "instances/llcll-w600.toml", "--schedule", &file(name)]).assert().success();
        let valid = predicate::str::contains("valid, 2401 cycles");
        warpspan().args(["check", &file(name), "instances/llcll-w600.toml"]).assert().success().stdout(valid);
    }
    if cfg!(feature = "figures") {
        warpspan()
            .args(["solve", "instances/llcll-w4.toml", "--schedule", &file("s.svg")])
            .assert()
            .success();
        let svg = std::fs::read_to_string(folder.path().join("s.svg")).unwrap();
        assert_eq!(svg.matches("<title>warp ").count(), 20, "a box an issue");
    }

    // A schedule that breaks a rule is named, with exit code 4.
    let text = std::fs::read_to_string(folder.path().join("s.csv")).unwrap();
    let without_last: String =
        text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.path().join("short.csv"), without_last).unwrap();
    let ends = predicate::str::contains("ends after 2999 of 3000 instructions");
    warpspan().args(["check", &file("short.csv"), "instances/llcll-w600.toml"]).assert().code(4).stdout(ends);

    // A malformed row is bad input.
    std::fs::write(folder.path().join("broken.csv"), text.replacen("L\n", "L,9\n", 1)).unwrap();
    refused(&["check", &file("broken.csv"), "instances/llcll-w600.toml"], "line 2: 6 fields instead of 5");
    refused(&["check", &file("s.csv")], "no kernel is given");
    refused(&["check", "instances", "instances/lcl-w4.toml"], "Is a directory");
    std::fs::write(folder.path().join("s2.json"), "[{\"cycle\": 1}]").unwrap();
    refused(&["check", &file("s2.json"), "instances/lcl-w4.toml"], "line 1: missing field");
}

#[test]
fn lines_of_solve_are_judged() {
    let args =
        ["solve", "instances/llcll-w4.toml", "--engine", "phase", "--with-schedule", "--format", "json"];
    let line = String::from_utf8(warpspan().args(args).output().unwrap().stdout).unwrap();
    let check = |line: &str| warpspan().args(["check", "-"]).write_stdin(line.to_owned()).assert();
    check(&line)
        .success()
        .stdout(predicate::str::contains("upper       confirmed: 17 cycles, verified by 17"));
    let wrong = line.replace("\"lower\":17", "\"lower\":18");
    check(&wrong).code(4).stdout(predicate::str::contains("lower is 18, but the schedule takes 17"));
    let wrong = line.replace("\"upper\":17,\"evid", "\"upper\":16,\"evid");
    check(&wrong).code(4).stdout(predicate::str::contains("upper is 16, but a schedule takes 17"));
    let wrong = line.replace("{\"cycle\":1,\"group\":1,\"warp\":4", "{\"cycle\":1,\"group\":1,\"warp\":1");
    check(&wrong).code(4).stdout(predicate::str::contains("NOT valid"));
    check("{\"schema\":1}").code(2).stderr(predicate::str::contains("standard input:1"));
    let bare = ["solve", "instances/llcll-w4.toml", "--engine", "phase", "--format", "json"];
    let line = String::from_utf8(warpspan().args(bare).output().unwrap().stdout).unwrap();
    check(&line).code(2).stderr(predicate::str::contains("--with-schedule"));
}

#[test]
#[cfg(feature = "highs")]
fn models_are_written_with_their_equations() {
    let folder = tempfile::tempdir().unwrap();
    for (formulation, row) in
        [("short", "eq34_g1_w1_i1_t1"), ("long", "eq33_g1_w1_t1"), ("aggregated", "conserve_L")]
    {
        for ending in ["lp", "mps"] {
            let path = folder.path().join(format!("{formulation}.{ending}"));
            let args = ["solve", "--kernel", "LC", "--warps", "2", "--plain", "--formulation", formulation];
            warpspan().args(args).arg("--write-model").arg(&path).assert().success();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(row), "{formulation}.{ending}");
        }
    }
}

/// A full disk is reported, and no result is lost: it is on stdout before the file fails.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("full.csv");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let output =
        warpspan().args(["solve", "instances/llcll-w600.toml", "--schedule"]).arg(&link).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2401 cycles"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_warpspan"))
        .args(["solve", "--kernel", "LCL", "--warps", "4", "--engine", "phase"])
        .stdout(full)
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

/// A horizon within which no schedule ends is the user's choice and not a bug: what other engines know stays
/// valid.
#[test]
#[cfg(feature = "highs")]
fn a_horizon_too_short_for_any_schedule() {
    for formulation in ["short", "long", "aggregated"] {
        for plain in [&[][..], &["--plain"]] {
            for (kernel, warps, horizon, worst) in
                [("LL", "1", "1", 2), ("LL", "3", "1", 6), ("LLC", "2", "4", 5)]
            {
                let args =
                    ["solve", "--kernel", kernel, "--warps", warps, "--engine", "ilp", "--horizon", horizon];
                let args = [&args[..], &["--formulation", formulation], plain].concat();
                let output = warpspan().args(&args).args(["--format", "json"]).output().unwrap();
                assert!([Some(0), Some(3)].contains(&output.status.code()), "{args:?} {output:?}");
                let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let (lower, upper) = (record["lower"].as_u64().unwrap(), record["upper"].as_u64().unwrap());
                assert!((lower..=upper).contains(&worst), "{args:?} {record}");
                let says =
                    |note: &serde_json::Value| note.as_str().unwrap().contains("no schedule ends within it");
                assert!(record["notes"].as_array().unwrap().iter().any(says), "{args:?} {record}");
            }
        }
    }
}

/// The formulation as published also uses the paper's horizon, Eq. 5-7: with 4 L and 2 C a warp, three warps
/// have 12 for LCL on four.
#[test]
#[cfg(feature = "highs")]
fn plain_takes_the_horizon_of_the_paper() {
    let says = |args: &[&str], note: &str| {
        let record = json(&[&["solve", "--kernel", "LCL", "--warps", "4", "--plain"], args].concat(), 0);
        assert!(record["notes"].as_array().unwrap().contains(&note.into()), "{record}");
    };
    says(&[], "aggregated formulation as published, horizon 12");
    says(&["--horizon", "safe"], "aggregated formulation as published, horizon 9");
    says(&["--horizon", "10"], "aggregated formulation as published, horizon 10");
}

/// A check that is predicted or found to take longer than the answer and a tenth of a second is left out, and
/// the output says so.
#[test]
#[cfg(feature = "highs")]
fn an_answer_does_not_wait_for_its_check() {
    let args = ["solve", "--kernel", "LCLCC", "--warps", "6", "--sigma-c", "2"];
    let record = json(&args, 0);
    assert_eq!((record["upper"].as_u64(), record["engine"].as_str()), (Some(15), Some("states")));
    let by =
        |name: &str| record["checks"].as_array().unwrap().iter().find(|check| check["by"] == name).unwrap();
    assert_eq!(by("phase")["result"], "consistent");
    let ilp = by("ilp")["result"].as_str().unwrap();
    assert!(["agrees", "unfinished", "untried"].contains(&ilp), "{record}");
    let out = warpspan().args(args).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        text.contains("cross-check the ILP ") && text.contains("cross-check the phase bound does not"),
        "{text}"
    );
}

/// Where an instance is beyond every engine, no limit stopped anything, and the record says so.
#[test]
fn no_engine_is_not_a_limit() {
    let args = ["solve", "--kernel", "LC", "--warps", "4294967296", "--sigma-l", "2"];
    let record = json(&args, 3);
    assert!(record["stop"].is_null(), "{record}");
    assert_eq!(record["not_exact"], "no-engine");
    assert_eq!(record["evidence"]["lower"], serde_json::json!({"name": "bottleneck", "checked": "paper"}));
    let text = String::from_utf8(warpspan().args(args).output().unwrap().stdout).unwrap();
    assert!(text.contains("(not exact: no engine takes an instance of this size)"), "{text}");
}

/// Why an answer is an interval is said as it is: neither is too large for an engine.
#[test]
fn the_reason_of_an_interval_is_the_true_one() {
    for (file, flags, name, words) in [
        ("grid", &[][..], "machine-grid", "grids on machines are not searched"),
        ("rate", &[], "memory", "how the memory delays results is not searched"),
        ("size", &[], "states", "there are more states than are searched"),
        ("size", &["--engine", "phase"], "not-asked", "the engine that was asked for makes no search"),
        ("size", &["--policy", "lrr"], "order", "no engine searches the schedules of one order"),
    ] {
        let file = format!("tests/data/not-exact/{file}.toml");
        let args = [&["solve", &file][..], flags].concat();
        let record = json(&args, 3);
        assert_eq!((record["not_exact"].as_str(), record["stop"].is_null()), (Some(name), true), "{args:?}");
        let text = String::from_utf8(warpspan().args(&args).output().unwrap().stdout).unwrap();
        assert!(text.contains(&format!("(not exact: {words})")), "{text}");
    }
}

/// Ctrl-C keeps the interval.
#[test]
#[cfg(all(unix, feature = "highs"))]
fn an_interrupt_keeps_the_interval() {
    interrupted(&["--engine", "ilp", "--kernel", "LLCCLLCC", "--warps", "7", "--sigma-c", "2"], 32);
}

/// Ctrl-C works in the dense sweep and in the search by levels.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_search() {
    interrupted(&["--engine", "states", "--kernel", "LLCLLCLL", "--warps", "44"], 266);
    interrupted(&["--engine", "states", "--kernel", "(LLC)9", "--warps", "11"], 207);
}

/// Stops a run by Ctrl-C; the worst case is known from the closed form.
#[cfg(unix)]
fn interrupted(args: &[&str], worst: u64) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warpspan"))
        .arg("solve")
        .args(args)
        .args(["--memory-limit", "4G", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut text = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["stop"], "interrupted");
    assert!(record["lower"].as_u64() <= Some(worst) && record["upper"].as_u64() >= Some(worst), "{record}");
}
