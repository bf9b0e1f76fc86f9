//! Clocks and other figures of a GPU that are declared: none is above the data sheet in silence.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::tempdir;

use crate::common::assumption;

const PTX: &str =
    ".version 8.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{\nadd.u32 %r1, %r2, 1;\nret;\n}\n";

/// What a command says of a file of this text, and its exit code.
fn run(command: &str, text: &str, flags: &[&str]) -> (String, Option<i32>) {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), PTX).unwrap();
    std::fs::write(folder.path().join("f.toml"), text).unwrap();
    let is_code = text.contains(".target");
    if is_code {
        std::fs::write(folder.path().join("k.ptx"), text).unwrap();
    }
    let file = if command == "time" || is_code { "k.ptx" } else { "f.toml" };
    let mut run = Command::cargo_bin("warpspan").unwrap();
    let output = run.current_dir(folder.path()).args([command, file]).args(flags).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code())
}

fn time(flags: &[&str]) -> (String, Option<i32>) {
    let launch = ["--gpu", "jetson-orin", "--grid", "4", "--block", "64"];
    run(
        "time",
        "[machine]\nschedulers = 5\nissue_width = 1\n[[unit]]\nname = \"ALU\"\n",
        &[&launch, flags].concat(),
    )
}

#[test]
fn a_clock_above_the_data_sheet_is_refused() {
    for clock in ["2000", "1300.001", "600..1400"] {
        let (said, code) = time(&["--clock", clock]);
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains(
                "the data sheet of jetson-orin has 1300 MHz at most: want a lower clock, or --overclocked"
            ),
            "{said}"
        );
        let (said, code) = time(&["--clock", clock, "--overclocked"]);
        assert_eq!(code, Some(0), "{said}");
        let clocks = clock.replace("..", " to ");
        let row = format!("declared      clock: {clocks} MHz, above the 1300 of the data sheet\n");
        assert!(said.contains(&row), "{said}");
    }
    for clock in ["1300", "600..1300", "600"] {
        let (said, code) = time(&["--clock", clock, "--overclocked"]);
        assert!(code == Some(2) && said.contains("want no --overclocked"), "{said}");
    }
    let (said, code) = time(&["--overclocked"]);
    assert!(code == Some(2) && said.contains("--clock"), "{said}");
}

#[test]
fn a_declared_clock_stands_with_the_answer() {
    let of = |flags: &[&str]| {
        let (said, _) = time(&[flags, &["--format", "json"]].concat());
        let record: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
        let clocks = ["clock.declared", "clock.overclocked", "clock.highest"];
        let found = clocks.into_iter().filter_map(|id| Some((id, assumption(&record, id)?)));
        let [(id, one)] = found.collect::<Vec<_>>()[..] else { panic!("{record}") };
        (id, one["value"].as_str().unwrap().to_owned(), one["source"].as_str().map(str::to_owned))
    };
    for (clock, words) in [("1300", "1300"), ("600..1300", "600 to 1300"), ("828.75", "828.75")] {
        let (said, _) = time(&["--clock", clock]);
        assert!(said.contains(&format!("declared      clock: {words} MHz\n")), "{said}");
        let (id, value, source) = of(&["--clock", clock]);
        assert_eq!(
            (id, value, source.as_deref()),
            ("clock.declared", format!("{words} MHz"), Some("--clock"))
        );
    }
    let (id, value, _) = of(&["--clock", "1400", "--overclocked"]);
    assert_eq!((id, &*value), ("clock.overclocked", "1400 MHz, above the 1300 of the data sheet"));
    let (id, value, source) = of(&[]);
    assert_eq!(
        (id, &*value, source),
        ("clock.highest", "always the highest of the data sheet, 1300 MHz", None)
    );
}

/// A system, tasks on partitions, tiles and a budget, with these keys of the GPU.
fn files(keys: &str) -> [(&'static str, String); 3] {
    let gpu = format!("[gpu]\npreset = \"jetson-orin\"\n{keys}\n");
    [
        (
            "rta",
            format!(
                "unit = \"us\"\n{gpu}[[kernel]]\nptx = \"k.ptx\"\nblocks = 4\nthreads_per_block = 64\nregisters_per_thread = 8\nshared_memory = 0\nperiod = 1000\n"
            ),
        ),
        (
            "partition",
            format!(
                "{gpu}[[task]]\nname = \"x\"\nperiod = 4000\nkind = \"compute\"\nptx = \"k.ptx\"\nblocks = 4\nthreads_per_block = 64\nregisters_per_thread = 8\nshared_memory = 0\nk = 1\n"
            ),
        ),
        (
            "prem",
            format!(
                "kernels = 2\ntiles = 10\ntimer_ns = 1\n{gpu}[phases]\nprefetch_code = \"L\"\ncompute_ns = 5\nwriteback_ns = 5\nwarps = 4\n"
            ),
        ),
    ]
}

#[test]
fn files_say_their_clock() {
    for (command, text) in files("clock_mhz = 1400") {
        let (said, code) = run(command, &text, &[]);
        assert_eq!(code, Some(2), "{command}: {said}");
        let want = "clock_mhz = 1400: the data sheet has 1300 MHz at most: want a lower clock, or overclocked = true";
        assert!(said.contains(want), "{command}: {said}");
    }
    for (command, text) in files("clock_mhz = 1400\noverclocked = true") {
        let (said, _) = run(command, &text, &["--format", "json"]);
        assert!(
            said.contains("\"value\":\"1400 MHz, above the 1300 of the data sheet\""),
            "{command}: {said}"
        );
    }
    for (command, text) in files("clock_mhz = 1000") {
        let (said, _) = run(command, &text, &["--format", "json"]);
        assert!(
            said.contains("\"clock.declared\"") && said.contains("\"value\":\"1000 MHz\""),
            "{command}: {said}"
        );
    }
    for keys in ["clock_mhz = 1000\noverclocked = true", "overclocked = true"] {
        for (command, text) in files(keys) {
            let (said, code) = run(command, &text, &[]);
            assert!(code == Some(2) && said.contains("overclocked"), "{command}: {said}");
        }
    }
    let budget = "[[kernel]]\nname = \"x\"\nlisting = \"k.ptx\"\ngpu = \"jetson-orin\"\ngrid = 4\nblock = 64\ndeadline = \"1ms\"\nclock = 1400\n";
    let (said, _) = run("budget", budget, &[]);
    assert!(said.contains("1300 MHz at most"), "{said}");
}

/// No other figure of a GPU that is named is above what it has.
#[test]
fn a_gpu_has_no_more_than_it_has() {
    for (key, most) in [
        ("multiprocessors = 17", "16"),
        ("threads = 2048", "1536"),
        ("registers = 131072", "65536"),
        ("shared_memory = 200000", "167936"),
        ("blocks = 17", "16"),
    ] {
        for (command, text) in files(&format!("clock_mhz = 1000\n{key}")) {
            let (said, code) = run(command, &text, &[]);
            assert_eq!(code, Some(2), "{command} {key}: {said}");
            assert!(
                said.contains(&format!("{key}: jetson-orin has {most}: want no more")),
                "{command}: {said}"
            );
        }
    }
    let (said, code) = time(&["--multiprocessors", "17"]);
    assert!(code == Some(2) && said.contains("jetson-orin has 16"), "{said}");
    let (said, code) = time(&["--machine", "f.toml"]);
    assert!(code == Some(2) && said.contains("schedulers 5: jetson-orin has 4: want no more"), "{said}");
    let machine = |text: &str| {
        let launch = ["--gpu", "jetson-orin", "--grid", "4", "--block", "64", "--machine", "f.toml"];
        run(
            "time",
            &format!("[machine]\nissue_width = 1\nclock_mhz = 1000\n[[unit]]\nname = \"ALU\"\n{text}"),
            &launch,
        )
        .0
    };
    let (dram, l2) = (
        "[[server]]\nname = \"DRAM\"\nrate = \"300 GB/s\"\n",
        "[[server]]\nname = \"L2\"\nrate = \"300 B/cycle\"\n",
    );
    assert!(
        machine(dram).contains("server DRAM: rate 300 GB/s: jetson-orin has 204.8 GB/s: want no more"),
        "{}",
        machine(dram)
    );
    // No source says how much its L2 gives.
    assert!(!machine(l2).contains("want no more"), "{}", machine(l2));
}

/// A machine that is named after a GPU brings its memory, so that the numbers of the file are no more than that GPU has.
#[test]
fn a_machine_of_a_gpu_has_its_data_sheet() {
    let of = |keys: &str| {
        let (_, text) = files("").into_iter().next().unwrap();
        let keys = format!("threads = 1536\nregisters = 65536\nshared_memory = 167936\n{keys}");
        let text = text.replace("preset = \"jetson-orin\"", &keys);
        run("rta", &format!("machine = \"jetson-orin\"\n{text}"), &[])
    };
    let (said, code) = of("multiprocessors = 16\nclock_mhz = 1300");
    assert!(code == Some(0) && said.contains("clock: 1300 MHz"), "{said}");
    let (said, code) = of("multiprocessors = 16\nclock_mhz = 1301");
    let want = "f.toml:3: clock_mhz = 1301: the data sheet of jetson-orin has 1300: want no more";
    assert!(code == Some(2) && said.contains(want), "{said}");
    let (said, code) = of("multiprocessors = 17\nclock_mhz = 1300");
    assert!(
        code == Some(2) && said.contains("multiprocessors = 17: jetson-orin has 16: want no more"),
        "{said}"
    );
}

/// Answers in cycles say at which clock the bytes of a cycle were counted, which is no higher than the GPU has.
#[test]
fn cycles_are_those_of_a_clock() {
    for command in ["bound", "solve", "extract"] {
        let code = PTX.replace("add.u32 %r1, %r2, 1;", "ld.global.u32 %r1, [%rd1];");
        let of = |flags: &[&str]| {
            run(
                command,
                &code,
                &[&["--machine", "jetson-orin", "--warps", "4", "--assumptions"], flags].concat(),
            )
        };
        for (flags, clock) in [(&["--clock", "900"][..], "900"), (&[], "1300")] {
            let (said, code) = of(flags);
            assert!(
                code != Some(2) && said.contains("clock: ") && said.contains(&format!("{clock} MHz")),
                "{command}: {said}"
            );
        }
        let (said, code) = of(&["--clock", "1301"]);
        let want = "--clock 1301: the data sheet of jetson-orin has 1300 MHz at most: want a lower clock";
        assert!(code == Some(2) && said.contains(want), "{command}: {said}");
    }
}
