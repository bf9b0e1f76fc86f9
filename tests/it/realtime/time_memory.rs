//! `warpspan time` where the memory that all multiprocessors share decides: no answer is below what the DRAM, the L2 or
//! atomics at one address need.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use crate::common::{assumption, assumptions};

const FOLDER: &str = "tests/data/memory";

fn run(args: &str) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args.split_whitespace()).output().unwrap()
}

fn record(args: &str) -> (Value, i32) {
    let output = run(&format!("{args} --format json"));
    let error = || panic!("{args}: {}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| error()), output.status.code().unwrap())
}

fn first_line(args: &str) -> String {
    let output = run(args);
    String::from_utf8(output.stdout).unwrap().lines().next().unwrap_or_default().to_owned()
}

fn refused(args: &str, message: &str) {
    let output = run(args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args}: {error}");
    assert!(error.contains(message) && error.lines().count() == 1, "{args}: {error}");
}

/// A copy of 16 bytes of each of four places by each thread of 65,536 blocks of 256.
fn copy4(gpu: &str, sm: u64, more: &str) -> String {
    let launch = "--grid 65536 --block 256 --transactions *=1";
    format!("time {FOLDER}/copy.sm_{sm}.sass --entry copy4 --gpu {gpu} {launch} {more}")
}

/// What each launch moves, in bytes, and the rates of the data sheets, in bytes a second, typed in once more.
#[test]
fn no_launch_ends_before_its_bytes_have_moved() {
    let copied = 65_536 * 256 * 4 * 16 * 2;
    let rounds = |blocks: u64| blocks * 256 * 8 * 16 * 2 * 100;
    let stream = |sm: u64, grid: u64, line: u64, gpu: &str, clock: u64| {
        format!(
            "time {FOLDER}/stream8.sm_{sm}.sass --gpu {gpu} --grid {grid} --block 256 --clock {clock} --loop-bound {line}=100 \
             --transactions *=1"
        )
    };
    let cases = [
        (copy4("jetson-orin", 87, ""), copied, 204_800_000_000),
        (copy4("jetson-tx2", 62, ""), copied, 59_700_000_000),
        (copy4("h100", 90, "--clock 1980"), copied, 3_350_000_000_000),
        (stream(87, 96, 73, "jetson-orin", 1300), rounds(96), 204_800_000_000),
        (stream(62, 16, 38, "jetson-tx2", 1300), rounds(16), 59_700_000_000),
        (stream(90, 1056, 39, "h100", 1980), rounds(1056), 3_350_000_000_000),
    ];
    for (args, bytes, rate) in cases {
        let least = u128::from(bytes) * 1_000_000_000 / rate;
        let bound = u128::from(record(&args).0["bound_ns"].as_u64().unwrap());
        assert!(bound >= least, "{args}: {bound} ns for {bytes} bytes, which take {least}");
        // And it is no bound of ten times everything.
        assert!(bound < 10 * least, "{args}: {bound} ns for {bytes} bytes, which take {least}");
    }
}

/// 16.8 million lanes at one address are done one after the other, whatever is declared of their transactions. An H100 was
/// seen to do 0.274 additions of floats a cycle at one word (docs/silicon).
#[test]
fn atomics_at_one_address_take_as_long_as_was_measured() {
    for more in ["", "--transactions *=1"] {
        let args =
            format!("time {FOLDER}/atom1.sm_90.sass --gpu h100 --grid 65536 --block 256 --clock 1980 {more}");
        let cycles = record(&args).0["bound_cycles"].as_u64().unwrap();
        assert!(cycles >= 65_536 * 256 * 1000 / 274, "{args}: {cycles}");
        let found = record(&args).0;
        let atomics = assumptions(&found, "server.rate").into_iter().find(|one| one["subject"] == "ATOMICS");
        let atomics = atomics.unwrap_or_else(|| panic!("{found}"));
        assert_eq!(atomics["value"], "0.25 a cycle (a lane in four cycles, at one address)");
    }
}

/// The cycles from one barrier to the next that an H100 and an H200 took (`micro.barrier` of docs/silicon), by the warps of the
/// block, are no more than the bound says.
#[test]
fn barriers_take_as_long_as_was_measured() {
    for (warps, measured) in [(1, 14), (2, 16), (4, 20), (8, 28), (16, 44), (32, 76)] {
        for gpu in ["h100", "h200"] {
            let args = format!("bound --machine {gpu} --kernel (<BARRIER>|)32 --warps {warps}");
            let upper = record(&args).0["upper"].as_u64().unwrap();
            assert!(upper >= 32 * measured, "{args}: {upper}");
        }
        // The guide's 16 threads a cycle leave a warp the barrier of a multiprocessor for 2 cycles.
        for gpu in ["jetson-xavier", "rtx-2080", "jetson-orin", "rtx-4090"] {
            let args = format!("bound --machine {gpu} --kernel (<BARRIER>|)32 --warps {warps}");
            assert!(record(&args).0["upper"].as_u64().unwrap() >= 32 * 2 * (warps - 1), "{args}");
        }
    }
}

/// A barrier of a listing takes the unit of the machine file, whichever language it is in: PTX was counted by a table
/// of its own, in which a barrier was a branch.
#[test]
fn barriers_of_listings_take_as_long_as_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let ptx = ".version 7.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n".to_owned()
        + &"\tbar.sync 0;\n".repeat(32)
        + "\tret;\n}\n";
    let line = |at: usize, text: &str| {
        format!(
            "        /*{at:04x}*/                   {text} ;  /* 0x0000000000007b1d */\n{:44}/* 0x000fec0000010000 */\n",
            ""
        )
    };
    let sass = "\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_PTX_SM(EF_CUDA_SM90)\"\n"
        .to_owned()
        + &(0..32).map(|n| line(16 * n, "BAR.SYNC.DEFER_BLOCKING 0x0")).collect::<String>()
        + &line(512, "EXIT")
        + "\t\t..........\n";
    for (name, text) in [("k.ptx", ptx), ("k.sm_90.sass", sass)] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        for (warps, measured) in [(1, 14), (2, 16), (4, 20), (8, 28), (16, 44), (32, 76)] {
            let args = format!("time {} --gpu h100 --grid 1 --block {}", file.display(), 32 * warps);
            let cycles = record(&args).0["bound_cycles"].as_u64().unwrap();
            assert!(cycles >= 32 * measured, "{args}: {cycles}");
        }
    }
}

/// PTX is counted by tables, and a verdict that rests on them says so once, whichever kernel is PTX.
#[test]
fn a_verdict_from_ptx_says_so() {
    const VALUE: &str = "ptxas makes no more of it than the tables count, since the GPU runs no PTX; SASS needs no such thing";
    let folder = tempfile::tempdir().unwrap();
    let ptx = folder.path().join("k.ptx");
    let text =
        ".version 7.0\n.target sm_87\n.address_size 64\n.visible .entry k()\n{\n\tbar.sync 0;\n\tret;\n}\n";
    std::fs::write(&ptx, text).unwrap();
    let ptx = ptx.display().to_string();
    let system = folder.path().join("s.toml");
    let kernel = format!("[[kernel]]\nblocks = 2\nthreads_per_block = 64\nptx = {ptx:?}\nperiod = 100000\n");
    let gpu = "unit = \"us\"\nmachine = \"8.7\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n";
    std::fs::write(&system, format!("{gpu}{kernel}")).unwrap();
    let system = system.display();
    let copy = format!("{FOLDER}/copy.sm_87.sass --entry copy4 --grid 64 --block 256 --transactions *=1");
    let said = |args: &str| {
        let found = record(args).0;
        let own = assumption(&found, "listing.ptx");
        assert!(own.is_none_or(|one| one["kind"] == "assumed" && one["value"] == VALUE), "{own:?}");
        own.iter().len()
    };
    for (args, times) in [
        (format!("time {ptx} --gpu jetson-orin --grid 2 --block 64"), 1),
        (format!("time {copy} --gpu jetson-orin"), 0),
        (format!("time {copy} --registers 32 --system {system}"), 1),
        (format!("time {ptx} --grid 2 --block 64 --registers 32 --system {system}"), 1),
        (format!("rta {system}"), 1),
    ] {
        assert_eq!(said(&args), times, "{args}");
    }
}

/// The verdict stands on rates that nobody vouches for, and says so; a given rate takes that away.
#[test]
fn a_verdict_says_on_what_it_stands() {
    let deadline = |more: &str| {
        copy4("jetson-orin", 87, &format!("--deadline 1s --clock 1300 --multiprocessors 16 {more}"))
    };
    let (found, code) = record(&deadline(""));
    assert_eq!((found["verdict"].as_str(), code), (Some("proved"), 0));
    let rate = |found: &Value| assumption(found, "dram.rate").unwrap_or_else(|| panic!("{found}")).clone();
    let assumed = rate(&found);
    assert_eq!(assumed["value"], "122.8 GB/s in lines (60 % of the data sheet's 204.8 GB/s)");
    assert_eq!([&assumed["kind"], &assumed["subject"]], ["assumed", "DRAM"]);
    assert!(assumed["remedy"].as_str().unwrap().starts_with("--dram-rate"), "{assumed}");
    let text = String::from_utf8(run(&deadline("")).stdout).unwrap();
    let counted = counted(&found);
    assert!(text.contains(&format!("; deadline 1 s met\nproved        on {counted}\n")), "{text}");
    let given = record(&deadline("--dram-rate 140GB/s")).0;
    let declared = rate(&given);
    assert_eq!([&declared["kind"], &declared["source"]], ["declared", "--dram-rate"]);
    assert_eq!((&declared["value"], &declared["remedy"]), (&"140 GB/s in lines".into(), &Value::Null));
    let slower = |more: &str| record(&deadline(more)).0["bound_ns"].as_u64().unwrap();
    assert!(slower("--dram-rate 70%") < slower(""));
    assert!(slower("--dram-rate 140GB/s") > slower("--dram-rate 150GB/s"));
    assert!(slower("--dram-clock 2133") > slower(""));
    assert!(slower("--dram-others 20GB/s") > slower(""));
    assert!(slower("--dram-spread none") > 10 * slower(""));
}

/// On how much a record rests, as the text has it.
fn counted(found: &Value) -> String {
    let of = |kinds: &[&str]| {
        let all = found["assumptions"].as_array().unwrap().iter();
        all.filter(|one| kinds.iter().any(|kind| one["kind"] == *kind)).count()
    };
    let several = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let assumed = several(of(&["assumed", "modelled"]), "assumption");
    match of(&["declared"]) {
        0 => assumed,
        declared => format!("{} and {assumed}", several(declared, "declaration")),
    }
}

/// A deadline that is met rests on what the bound rests on, and of one that is open only the bound does: one that is missed rests on less.
#[test]
fn what_is_proved_says_on_how_much_it_rests() {
    let said = |deadline: &str| {
        let args = copy4("jetson-orin", 87, &format!("--deadline {deadline}"));
        let text = String::from_utf8(run(&args).stdout).unwrap();
        let rests = text.lines().filter_map(|line| {
            let (name, on) = line.split_once(" on ")?;
            let name = name.trim_end();
            ["proved", "bound"].contains(&name).then(|| (name.to_owned(), on.to_owned()))
        });
        (first_line(&args), counted(&record(&args).0), rests.collect::<Vec<_>>())
    };
    for (deadline, verdict, name) in [("1s", "1 s met", "proved"), ("40ms", "40 ms undecided", "bound")] {
        let (line, all, rests) = said(deadline);
        assert!(line.ends_with(&format!("; deadline {verdict}")), "{line}");
        assert_eq!(rests, [(name.to_owned(), all)]);
    }
    let (line, all, rests) = said("1us");
    assert!(line.ends_with("; deadline 1 us missed"), "{line}");
    let of = |name: &str, on: &str| (name.to_owned(), on.to_owned());
    assert_eq!(rests, [of("proved", "4 assumptions"), of("bound", &format!("{all}: --assumptions"))]);
}

/// The traffic of a launch may be declared; what every access would move stays beside it.
#[test]
fn declared_traffic_counts_and_the_rest_is_kept() {
    let (bytes, plain) = (65_536_u64 * 256 * 64 * 2, copy4("jetson-orin", 87, ""));
    let undeclared = record(&plain).0["bound_ns"].as_u64().unwrap();
    let lines = format!("{plain} --dram-bytes {bytes}:lines");
    let (found, _) = record(&lines);
    let bound = found["bound_ns"].as_u64().unwrap();
    assert_eq!(found["memory"]["undeclared_bound_ns"].as_u64(), Some(undeclared));
    // At 60 % of 204.8 GB/s.
    let physics = u128::from(bytes) * 1_000_000_000 / 122_880_000_000;
    assert!(u128::from(bound) >= physics && bound < undeclared, "{bound} {physics} {undeclared}");
    let declared = assumption(&found, "dram.bytes").unwrap();
    assert_eq!([&declared["kind"], &declared["source"]], ["declared", "--dram-bytes"]);
    assert_eq!(declared["value"], format!("at most {bytes} bytes, in lines"));
    assert_eq!(assumption(&record(&plain).0, "dram.bytes"), None);
    let of_block = record(&format!("{plain} --dram-bytes {}/block:lines", bytes / 65_536)).0;
    assert_eq!(of_block["bound_ns"].as_u64(), Some(bound));
    // Sectors that come alone cost three times their bytes.
    let sectors = record(&format!("{plain} --dram-bytes {}", bytes / 4)).0["bound_ns"].as_u64().unwrap();
    let few_lines =
        record(&format!("{plain} --dram-bytes {}:lines", bytes / 4)).0["bound_ns"].as_u64().unwrap();
    assert!(sectors > few_lines && sectors < undeclared);
    // More than the instructions can move says nothing, but as the least it cannot be.
    let (large, _) = record(&format!("{plain} --dram-bytes 1TB"));
    assert_eq!(large["bound_ns"].as_u64(), Some(undeclared));
    assert!(
        large["notes"]
            .to_string()
            .contains("[declared.larger] bytes of --dram-bytes: your declaration of 1000000000000")
    );
    // What says nothing is none of what the answer rests on.
    assert_eq!(assumption(&large, "dram.bytes"), None);
    refused(&format!("{plain} --dram-bytes 1TB..2TB"), "more than the instructions of the launch can move");
}

/// What moves for certain cannot move faster than the data sheet says.
#[test]
fn a_deadline_below_what_must_move_is_refuted() {
    let bytes = 65_536_u64 * 256 * 64 * 2;
    let args = copy4("jetson-orin", 87, &format!("--dram-bytes {bytes}..{bytes}:lines --deadline 10ms"));
    let (found, code) = record(&args);
    assert_eq!((found["verdict"].as_str(), code), (Some("refuted"), 5), "{found}");
    assert_eq!(found["least_ns"].as_u64(), Some(bytes * 10 / 2048));
}

/// A machine file that knows no server proves nothing about a launch that moves data.
#[test]
fn memory_without_limit_is_an_assumption_of_the_headline() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.toml");
    let machine = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n";
    std::fs::write(&file, machine).unwrap();
    let args = copy4(
        "jetson-orin",
        87,
        &format!("--machine {} --clock 1300 --multiprocessors 16 --deadline 10s", file.display()),
    );
    let (found, code) = record(&args);
    assert_eq!((found["verdict"].as_str(), code), (Some("undecided"), 3));
    let unlimited = assumption(&found, "memory.unlimited").unwrap_or_else(|| panic!("{found}"));
    assert_eq!(unlimited["kind"], "assumed");
    assert_eq!(assumption(&found, "clock.declared").unwrap()["value"], "1300 MHz");
    assert!(first_line(&args).ends_with("; deadline 10 s undecided"), "{}", first_line(&args));
    let reason = "the bound takes the memory to be without limit, since the machine has no [[server]] DRAM";
    assert_eq!(found["reason"], reason);
    // With a server it is judged.
    std::fs::write(&file, format!("{machine}[[server]]\nname = \"DRAM\"\nrate = \"100 B/cycle\"\n")).unwrap();
    let (found, code) = record(&args);
    assert_eq!((code, assumption(&found, "memory.unlimited")), (0, None));
    assert!(first_line(&args).ends_with("; deadline 10 s met"), "{}", first_line(&args));
    // Who writes a rate into a machine file and names no source vouches for it.
    let rate = assumption(&found, "dram.rate").unwrap();
    assert_eq!([&rate["kind"], &rate["value"]], ["declared", "100 B/cycle in lines"]);
    assert_eq!(rate["source"], format!("--machine {}", file.display()));
    assert_eq!(assumption(&found, "memory.device").unwrap()["kind"], "assumed");
}

#[test]
fn what_cannot_be_is_refused_in_a_line() {
    let plain = copy4("jetson-orin", 87, "");
    for (flag, message) in [
        ("--dram-rate 0GB/s", "want a rate above 0"),
        ("--dram-rate NaN", "want a rate above 0"),
        ("--dram-rate 120%", "want per cent"),
    ] {
        let output = run(&format!("{plain} {flag}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag}");
        assert!(error.lines().next().unwrap().contains(message), "{flag}: {error}");
    }
    refused(&format!("{plain} --dram-rate 300GB/s"), "more than the data sheet's 204.8 GB/s");
    refused(&format!("{plain} --dram-others 500GB/s"), "others and pauses leave nothing of it");
    refused(&format!("{plain} --ncu tests/data/ncu/metrics.csv"), "copy4");
    refused(&format!("{plain} --machine {}", bad(&["name = \"DRAM\"", "rate = \"0 B/cycle\""])), "m.toml:9");
    refused(&format!("{plain} --machine {}", bad(&["name = \"DRAM\""])), "rate");
    refused(
        &format!(
            "{plain} --machine {}",
            bad(&[
                "name = \"X\"",
                "rate = \"1 B/cycle\"",
                "[[letter]]",
                "name = \"G\"",
                "unit = \"L\"",
                "requests = { DRAM = 1 }"
            ])
        ),
        "the machine has no server \"DRAM\": want X",
    );
}

/// A machine file with these lines in its first server.
fn bad(lines: &[&str]) -> String {
    static FOLDERS: std::sync::Mutex<Vec<tempfile::TempDir>> = std::sync::Mutex::new(Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.toml");
    let machine = "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n";
    std::fs::write(&file, format!("{machine}[[server]]\n{}\n", lines.join("\n"))).unwrap();
    let name = file.display().to_string();
    assert!(Path::new(&name).is_file());
    FOLDERS.lock().unwrap().push(folder);
    name
}

/// The steps do not depend on the number of blocks.
#[test]
fn a_billion_blocks_are_answered() {
    let args = format!(
        "time {FOLDER}/copy.sm_87.sass --entry copy4 --gpu jetson-orin --grid 1000000000 --block 256 --transactions *=1"
    );
    assert!(record(&args).0["bound_ns"].as_u64().unwrap() > 300_000_000_000);
}

/// A kernel that reaches no memory may have to wait for one that does, so a machine without servers proves nothing of it.
#[test]
fn memory_without_limit_beside_a_kernel_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (machine, quiet) = (folder.path().join("m.toml"), folder.path().join("quiet.sass"));
    std::fs::write(&machine, "[machine]\nissue_width = 1\n[[unit]]\nname = \"L\"\n[[unit]]\nname = \"C\"\n")
        .unwrap();
    let code = "Resource usage:\n Function k:\n  REG:8 STACK:0 SHARED:0 LOCAL:0\n\n\tcode for sm_62\n\t\tFunction : k\n\
                .headerflags @\"EF_CUDA_SM62\"\n/*0008*/ MOV R1, R2 ;\n/*0010*/ EXIT ;\n\t\t..........\n";
    std::fs::write(&quiet, code).unwrap();
    let base = format!(
        "time {} --gpu jetson-tx2 --clock 1300 --machine {} --grid 4 --block 64 --deadline 1s",
        quiet.display(),
        machine.display()
    );
    assert_eq!(record(&base).1, 0);
    let beside = format!("{base} --co-running docs/tutorial/vote.sm_62.sass:vote:16:64:10ms");
    let (found, code) = record(&beside);
    assert_eq!((found["verdict"].as_str(), code), (Some("undecided"), 3), "{found}");
    let unlimited = assumption(&found, "memory.unlimited").unwrap_or_else(|| panic!("{found}"));
    assert_eq!(unlimited["subject"], "vote (co-running 1): memory behind the multiprocessors");
    assert_eq!(assumption(&record(&base).0, "memory.unlimited"), None);
}

/// Rates by the second are no rates by the cycle without a clock: memory is never left out in silence.
#[test]
fn a_machine_in_an_instance_needs_a_clock_for_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("i.toml");
    let text = |clock: &str, rate: &str| {
        format!(
            "[machine]\nissue_width = 1\n{clock}[[unit]]\nname = \"L\"\nrequests = {{ DRAM = 4 }}\n[[server]]\nname = \"DRAM\"\n\
             rate = \"{rate}\"\n[kernel]\nstring = \"LL\"\n[launch]\nwarps = 2\n"
        )
    };
    std::fs::write(&file, text("", "1 GB/s")).unwrap();
    refused(&format!("solve {}", file.display()), "its rate is one by the second: want a clock");
    let upper = |text: String| {
        std::fs::write(&file, text).unwrap();
        record(&format!("solve {}", file.display())).0["upper"].as_u64().unwrap()
    };
    // Four requests of 32 bytes by each of four letters, at a byte a cycle.
    assert_eq!(upper(text("clock_mhz = 1000\n", "1 GB/s")), upper(text("", "1 B/cycle")));
    assert!(upper(text("", "1 B/cycle")) >= 4 * 4 * 32);
}
