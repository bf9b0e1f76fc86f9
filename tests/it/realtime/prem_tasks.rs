//! Kernels cut into tiles as kernels of `rta` and tasks of `partition`: C is the bound of `prem`, where what it assumes holds.

use assert_cmd::Command;
use serde_json::Value;

const TILES: &str = "kernels = 2\nblocks = 2\ntiles = 10\ntimer_ns = 160\nprologue_ns = 5000\nmode = \"phase-kernel\"\n\
    threads_per_block = 512\nshared_memory = 16384\n\
    [phases]\nprefetch_ns = 1781\ncompute_ns = 506\nwriteback_ns = 421\n";
const CONTENDED: &str = "[contended]\nprefetch_ns = 7680\ncompute_ns = 3200\nwriteback_ns = 2880\n";

fn kernel(name: &str, extra: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{name}\"\nperiod = 1\nblocks = 2\nthreads_per_block = 512\nshared_memory = 16384\nregisters_per_thread = 0\n{extra}\n"
    )
}

fn system(kernels: &[String]) -> String {
    format!("unit = \"ms\"\n[gpu]\npreset = \"jetson-tx2\"\n{}", kernels.concat())
}

/// Runs a command on a file beside `tiles.toml`; returns its exit code, its record or nothing, and its messages.
fn run(command: &str, file: &str, tiles: &str) -> (i32, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiles.toml"), tiles).unwrap();
    std::fs::write(folder.path().join("f.toml"), file).unwrap();
    let mut warpspan = Command::cargo_bin("warpspan").unwrap();
    let output =
        warpspan.current_dir(&folder).args([command, "f.toml", "--format", "json"]).output().unwrap();
    let record = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap(), record, String::from_utf8(output.stderr).unwrap())
}

/// What `prem` says of the tiles.
fn execution_ns(tiles: &str) -> [u64; 2] {
    let (code, record, stderr) = run("prem", tiles, tiles);
    assert_eq!(code, 0, "{stderr}");
    [0, 1].map(|kernel: usize| record["kernels"][kernel]["execution_ns"].as_u64().unwrap())
}

const PREM: &str = "prem = \"tiles.toml\"";

#[test]
fn rta_takes_the_bound_of_prem() {
    let both = system(&[kernel("a", PREM), kernel("b", PREM)]);
    let (code, record, stderr) = run("rta", &both, TILES);
    assert_eq!(code, 0, "{stderr}");
    for (n, ns) in execution_ns(TILES).into_iter().enumerate() {
        let kernel = &record["kernels"][n];
        assert_eq!(
            (kernel["execution"].as_f64().unwrap() * 1e6).round(),
            f64::from(u32::try_from(ns).unwrap())
        );
        assert_eq!((&kernel["meets"], &kernel["measured"]), (&"yes".into(), &"at-most".into()));
    }
    let notes = record.to_string();
    assert!(notes.contains("tiles.toml, the kernels\",\"value\":\"launched together"), "{notes}");
    assert!(notes.contains("no other kernel is in a memory phase"), "{notes}");
}

/// Beside another kernel only durations under contention count: 10 tiles of 13,760 ns after the prologue and the start of
/// the last slot.
#[test]
fn in_company_only_durations_under_contention_count() {
    let company = system(&[kernel("a", PREM), kernel("b", PREM), kernel("c", "execution = 0.1")]);
    let (code, _, stderr) = run("rta", &company, TILES);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("f.toml:11: prem = \"tiles.toml\": other kernels or copies may use the memory"),
        "{stderr}"
    );
    let (code, record, stderr) = run("rta", &company, &format!("{TILES}{CONTENDED}"));
    assert_eq!(code, 0, "{stderr}");
    let c = record["kernels"][1]["execution"].as_f64().unwrap() * 1e6;
    assert!((5000.0 + 137_600.0..5000.0 + 137_600.0 + 2000.0).contains(&c), "{c}");
    assert!(record.to_string().contains("at most its [contended] duration, whatever else runs"));
}

/// C is a bound that no block has to reach, so it refutes nothing: with a deadline below it the verdict is open.
#[test]
fn a_bound_refutes_nothing() {
    let late = system(&[kernel("a", &format!("{PREM}\ndeadline = 0.01")), kernel("b", PREM)]);
    let (code, record, stderr) = run("rta", &late, TILES);
    assert_eq!((code, &record["verdict"]), (3, &"undecided".into()), "{stderr}");
    assert_eq!(record["kernels"][0]["meets"], "unknown");
    let given = system(&[kernel("a", "execution = 0.05\ndeadline = 0.01"), kernel("b", "execution = 0.05")]);
    assert_eq!(run("rta", &given, TILES).0, 5);
}

#[test]
fn what_the_bound_assumes_is_checked() {
    let two = |one: &str, other: &str| system(&[kernel("a", one), kernel("b", other)]);
    let with = |extra: &str| two(PREM, &format!("{PREM}\n{extra}"));
    let good = with("");
    let cases = [
        (
            with("release = 0.5"),
            TILES.to_owned(),
            "kernel b: its kernels are launched together: want one period and release",
        ),
        (good.replace("b\"\nperiod = 1", "b\"\nperiod = 2"), TILES.to_owned(), "want one period and release"),
        (
            with("jitter = 0.1"),
            TILES.to_owned(),
            "kernel b: its kernels are launched together: want no jitter",
        ),
        (with("sporadic = true"), TILES.to_owned(), "want no jitter, and not sporadic"),
        (with("copy_in = 0.1"), format!("{TILES}{CONTENDED}"), "kernel b: a copy would delay its launch"),
        (with("copy_in = 0.1"), TILES.to_owned(), "want [contended] durations"),
        (
            two(&format!("{PREM}\nstream = \"s\""), &format!("{PREM}\nstream = \"s\"")),
            TILES.to_owned(),
            "its stream has another kernel",
        ),
        (
            good.replacen("blocks = 2", "blocks = 3", 1),
            TILES.to_owned(),
            "kernel a: 3 blocks, and 2 in the file",
        ),
        (
            good.replacen("block = 512", "block = 256", 1),
            TILES.to_owned(),
            "kernel a: 256 threads a block, and 512 in the file",
        ),
        (
            good.replacen("memory = 16384", "memory = 1024", 1),
            TILES.to_owned(),
            "kernel a: 1024 bytes of shared memory a block, and 16384 in the file",
        ),
        (
            // Two of 40 and two of 24 KiB fit if the GPU places one of each together, and else they need not.
            system(&[
                kernel("a", PREM).replace("16384", "40960").replace("blocks = 2", "blocks = 1"),
                kernel("b", PREM).replace("16384", "40960").replace("blocks = 2", "blocks = 1"),
                kernel("c", "execution = 0.1").replace("16384", "24576"),
            ]),
            format!("{TILES}{CONTENDED}").replace("16384", "40960").replace("blocks = 2", "blocks = 1"),
            "must fit at once, however the GPU places them",
        ),
        (good.replace("period = 1", "period = 0.03"), TILES.to_owned(), "want a period that is no shorter"),
        (
            system(&[kernel("a", PREM)]),
            TILES.to_owned(),
            "it has 2 kernels, and 1 here name it: want as many",
        ),
        (
            good.replace("unit = \"ms\"\n", ""),
            TILES.to_owned(),
            "its times are in ns, and unit = ticks: want ns, us, ms or s",
        ),
        (with("execution = 1"), TILES.to_owned(), "kernel b: both execution and prem: want one of them"),
        (with("measured = \"alone\""), TILES.to_owned(), "kernel b: measured is of execution = TIME"),
        (
            good.clone(),
            TILES.replace("phase-kernel", "tile-kernel") + "[offsets]\nprefetch_ns = 0\n",
            "no bound: memory phases overlap",
        ),
        (
            good.clone(),
            TILES.replace("phase-kernel", "tiles"),
            "mode = \"tiles\": want one of tile-kernel, tile-block",
        ),
        (good.clone(), TILES.replace("tiles = 10\n", ""), "tiles.toml: no tiles: want 1 or more"),
        (good.replace("tiles.toml", "none.toml"), TILES.to_owned(), "prem = \"none.toml\": none.toml"),
        (
            system(&[
                kernel("a", PREM),
                kernel("b", PREM),
                kernel("c", "execution = 0.1").replace("blocks = 2", "blocks = 9"),
            ]),
            format!("{TILES}{CONTENDED}"),
            "the blocks of all kernels must fit at once",
        ),
    ];
    for (file, tiles, message) in cases {
        let (code, record, stderr) = run("rta", &file, &tiles);
        assert_eq!((code, stderr.lines().count()), (2, 1), "{message}: {stderr}");
        assert!(stderr.starts_with("warpspan: f.toml:") && stderr.contains(message), "{stderr}\n{message}");
        assert_eq!(record, Value::Null);
    }
}

fn tasks(extra: &str) -> String {
    format!(
        "[gpu]\npreset = \"jetson-tx2\"\n[[task]]\nname = \"t\"\nperiod = 1000\nkind = \"memory\"\n{extra}\n"
    )
}

/// Four blocks of 512 threads fit on one multiprocessor of the TX2, so C(1) = C(2), in microseconds; nine of 1024 do not fit
/// on two.
#[test]
fn partition_takes_the_bound_of_prem() {
    let contended = format!("{TILES}{CONTENDED}");
    let (code, record, stderr) = run("partition", &tasks(PREM), &contended);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(record["used"], 1, "{record}");
    assert!(record.to_string().contains("at most its [contended] duration"), "{record}");
    // Two blocks of each kernel of 1024 threads fit on both multiprocessors only.
    let large = contended.replace("= 512", "= 1024");
    let (code, record, stderr) = run("partition", &tasks(PREM), &large);
    assert_eq!((code, &record["used"]), (0, &2.into()), "{stderr}");
    for (file, tiles, message) in [
        (
            tasks(PREM),
            TILES.to_owned(),
            "task \"t\": prem = \"tiles.toml\": other partitions may use the memory meanwhile",
        ),
        (tasks(PREM), contended.replace("= 512", "= 1024").replace("blocks = 2", "blocks = 3"), "fit on"),
        (tasks(&format!("{PREM}\nk = 2")), contended.clone(), "k or conflict together with prem"),
        (tasks(&format!("{PREM}\na = 1\nb = 1")), contended.clone(), "a and b beside prem: want one of"),
        (
            tasks(PREM).replace("[gpu]\npreset = \"jetson-tx2\"", "multiprocessors = 2"),
            contended.clone(),
            "no [gpu]",
        ),
        (tasks(PREM), contended.replace("threads_per_block = 512\n", ""), "want threads_per_block in it"),
        (tasks("prem = \"none.toml\""), contended.clone(), "none.toml"),
    ] {
        let (code, _, stderr) = run("partition", &file, &tiles);
        assert_eq!((code, stderr.lines().count()), (2, 1), "{message}: {stderr}");
        assert!(stderr.contains(message), "{stderr}\n{message}");
    }
}
