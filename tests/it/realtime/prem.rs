//! `prem` on the cases of Kr19 (F. Kreiliger, Time-predictable GPU execution, 2019), and on the command line.
use crate::common::{assumption, without_identity};
use std::path::Path;

use approx::assert_abs_diff_eq;
use assert_cmd::Command;
use serde_json::{Value, json};

fn warpspan() -> Command {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(120));
    command
}

fn record(args: &[&str], code: i32) -> Value {
    let output = warpspan().arg("prem").args(args).args(["--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn instance(name: &str, args: &[&str]) -> Value {
    record(&[&[format!("instances/{name}.toml").as_str()], args].concat(), 0)
}

/// The record of a file's content.
fn of_text(content: &str, args: &[&str], code: i32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.toml");
    std::fs::write(&path, content).unwrap();
    record(&[&[path.to_str().unwrap()], args].concat(), code)
}

/// One line on stderr that holds `message`, exit code 2, nothing on stdout.
fn refused(content: &str, args: &[&str], message: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.toml"), content).unwrap();
    let output = warpspan().current_dir(&folder).args(["prem", "f.toml"]).args(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(stderr.contains(message), "{stderr}\n{message}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

const ISOLATED: &str = "[phases]\nprefetch_ns = 1781\ncompute_ns = 506\nwriteback_ns = 421\n";

fn four(extra: &str) -> String {
    format!("kernels = 4\nblocks = 2\ntiles = 512\ntimer_ns = 160\n{ISOLATED}{extra}")
}

/// A Jetson TX2 runs 16 kernels at once, whatever room its multiprocessors have (Kr19 section 4.1.3); the others would
/// start late.
#[test]
fn kernels_that_the_gpu_does_not_run_at_once() {
    let of = |kernels| format!("kernels = {kernels}\nblocks = 1\ntiles = 2\ntimer_ns = 160\n{ISOLATED}");
    refused(
        &of(17),
        &[],
        "f.toml:2: 17 kernels: the GPU runs 16 at once (a jetson-tx2, since no [gpu] is given)",
    );
    of_text(&of(16), &[], 0);
}

/// Section 4.2.4: published as 7.045 ms.
#[test]
fn kr19_contended() {
    assert_eq!(instance("kr19-contended", &[])["composed_ns"], 7_045_120);
}

/// Section 4.2.4, the same sum of the averages in isolation.
#[test]
fn kr19_isolated() {
    assert_eq!(instance("kr19-isolated", &[])["composed_ns"], 1_386_496);
}

/// Table 4.1: 2.67 ms on average, and 0.15 percent of that between the shortest and the longest.
#[test]
fn kr19_offset_1300() {
    let record = instance("kr19-offset-1300", &[]);
    assert_eq!(record["hyperperiod_ns"], 4 * 1300);
    // 1300 ns do not keep memory phases apart: a prefetch alone takes 1781
    assert_eq!((&record["relaxed"], &record["assumption"]), (&json!(false), &json!("contended")));
    assert_eq!((&record["composed_ns"], &record["isolated_ns"]), (&json!(7_045_120), &json!(1_386_496)));
    // the last slot of the last tile: 511 * 5200 + 3900 = 2661100, on the timer 2661120, and its 2708 ns
    assert_eq!(record["planned_ns"], 2_663_828);
    assert_eq!((&record["pattern"], &record["largest_delay_ns"]), (&json!(2), &json!(140)));
    // under contention the last slot never waits again: 3900 on the timer, and 512 tiles
    assert_eq!(record["execution_ns"], 4000 + 7_045_120);
}

/// Table 4.1: 2.874 ms on average, and 0.04 percent of that between the shortest and the longest.
#[test]
fn kr19_offset_1400() {
    let record = instance("kr19-offset-1400", &[]);
    assert_eq!((&record["hyperperiod_ns"], &record["planned_ns"]), (&json!(5600), &json!(2_868_628)));
    assert_eq!(record["execution_ns"], 4320 + 7_045_120);
}

/// Sections 3.2.4 and 4.2.3: 1026 x 1022 elements in tiles of 4 x 512 are 1024 tiles, 512 of each block (erratum K6).
#[test]
fn kr19_plan() {
    let plan = instance("kr19-plan", &["--plan"]);
    assert_eq!(plan["schema"], "warpspan/prem-plan/1");
    let size = |height: u64, width: u64| json!({"height": height, "width": width});
    assert_eq!((&plan["tile"], &plan["tile_results"]), (&size(4, 512), &size(2, 510)));
    assert_eq!((&plan["results"], &plan["grid"]), (&size(1024, 1020), &size(512, 2)));
    assert_eq!((&plan["tiles_in_all"], &plan["tiles"]), (&json!(1024), &json!(512)));
    assert_eq!(plan["shared_memory"], 16384);
    // 1024 tiles of 2048 floats; no tile is cut off here
    assert_eq!((&plan["bytes_read"], &plan["bytes_written"]), (&json!(1024 * 8192), &json!(1024 * 1020 * 4)));
    // With its tiles the file is the same as with tiles = 512.
    let [planned, counted] = ["kr19-plan", "kr19-offset-1400"].map(|name| {
        let mut found = without_identity(instance(name, &[]));
        found["assumptions"].as_array_mut().unwrap().retain(|one| one["id"] != "gpu.multiprocessors");
        found
    });
    assert_eq!(planned, counted);
}

/// Tiles, bytes and the best tile by counting every element of every tile.
#[test]
fn a_plan_agrees_with_a_count_of_elements() {
    for (image, mask, tile, blocks) in [
        ((9, 14), (3, 3), (4, 5), 2),
        ((7, 7), (1, 1), (2, 3), 3),
        ((10, 6), (4, 2), (6, 6), 1),
        ((5, 5), (5, 5), (5, 5), 4),
    ] {
        let size = |(height, width): (u64, u64)| format!("{{ height = {height}, width = {width} }}");
        let text = format!(
            "kernels = 1\nblocks = {blocks}\n[plan]\nimage = {}\nmask = {}\ntile = {}\nelement_bytes = 2\n",
            size(image),
            size(mask),
            size(tile)
        );
        let plan = of_text(&text, &["--plan"], 0);
        let counted = |tile: (u64, u64)| {
            let (mut tiles, mut read, mut written) = (0_u64, 0, 0);
            let (high, wide) = (image.0 - mask.0 + 1, image.1 - mask.1 + 1);
            let mut top = 0;
            while top < high {
                let mut left = 0;
                while left < wide {
                    tiles += 1;
                    for y in top..(top + tile.0).min(image.0) {
                        for x in left..(left + tile.1).min(image.1) {
                            read += 2;
                            written += if y < top + tile.0 + 1 - mask.0
                                && x < left + tile.1 + 1 - mask.1
                                && y < high
                                && x < wide
                            {
                                2
                            } else {
                                0
                            };
                        }
                    }
                    left += tile.1 - mask.1 + 1;
                }
                top += tile.0 - mask.0 + 1;
            }
            (tiles, read, written)
        };
        let (tiles, read, written) = counted(tile);
        assert_eq!(plan["tiles_in_all"], tiles, "{text}");
        assert_eq!(plan["tiles"], tiles.div_ceil(blocks), "{text}");
        assert_eq!((&plan["bytes_read"], &plan["bytes_written"]), (&json!(read), &json!(written)), "{text}");
        let least = (mask.0..=image.0)
            .flat_map(|height| (mask.1..=image.1).map(move |width| (height, width)))
            .filter(|&(height, width)| height * width <= tile.0 * tile.1)
            .map(|tile| counted(tile).1)
            .min();
        assert_eq!(plan["least_read_bytes"].as_u64(), least, "{text}");
    }
}

/// Plans with a mistake.
#[test]
fn a_plan_that_is_wrong_gets_one_clear_line() {
    let good = "blocks = 2\nthreads_per_block = 512\nshared_memory = 16384\n[plan]\n\
                image = { height = 1026, width = 1022 }\nmask = { height = 3, width = 3 }\n";
    for (from, to, message) in [
        ("height = 1026", "height = 0", "f.toml:5: image.height = 0: want 1 or more"),
        ("width = 1022", "width = 9999999", "f.toml:5: image.width = 9999999: want 1048576 or less"),
        (", width = 1022", "", "f.toml:5: missing field `width`"),
        ("height = 3", "height = 1027", "f.toml:6: a mask that is larger than the image"),
        ("mask = { height = 3, width = 3 }\n", "", "f.toml:4: missing field `mask`"),
        ("[plan]\n", "[plan]\nelement_bytes = 65\n", "f.toml:5: element_bytes = 65: want 64 or less"),
        ("[plan]\n", "[plan]\nelements = 4\n", "f.toml:5: unknown field `elements`"),
        (
            "shared_memory = 16384\n",
            "",
            "f.toml:3: no tile: want tile, or threads_per_block and shared_memory",
        ),
        (
            "shared_memory = 16384",
            "shared_memory = 8192",
            "f.toml:4: a tile of 2 x 512 elements has no room for the mask",
        ),
        (
            "[plan]\n",
            "[plan]\ntile = { height = 5, width = 512 }\n",
            "f.toml:5: a tile of 5 x 512 elements and its results need 20480 bytes",
        ),
        (
            "[plan]\n",
            "[plan]\ntile = { height = 4, width = 2 }\n",
            "f.toml:5: a tile of 4 x 2 elements has no room for the mask",
        ),
        (
            "[plan]\n",
            "[plan]\ntile = { height = 4, width = 1023 }\n",
            "f.toml:5: a tile of 4 x 1023 elements is larger than the image",
        ),
        ("blocks = 2\n", "blocks = 2\ntiles = 512\n", "f.toml:2: both tiles and [plan]"),
        ("blocks = 2\n", "blocks = 8193\n", "f.toml:1: blocks = 8193: want 8192 or less"),
    ] {
        assert!(good.contains(from), "{from}");
        refused(&good.replacen(from, to, 1), &["--plan"], message);
    }
    refused(&four(""), &["--plan"], "f.toml: no [plan]: want image and mask in it");
    refused(good, &["--plan", "--search"], "cannot be used with");
    refused(&format!("kernels = 1\n{good}"), &[], "f.toml: kernel K1: no [phases]");
}

/// Nothing that is called a bound is below what was measured: Table 4.1, averages with half of the jitter,
/// and Fig. 4.9, where offsets of up to 1200 ns take some 2.5 ms. Without durations under contention there is
/// no bound, and the reason is told.
#[test]
fn no_bound_is_below_what_was_measured() {
    for (offset, measured) in [("600", 2_500_000), ("1300", 2_672_000), ("1400", 2_874_600)] {
        let args = ["--prefetch-offset", offset];
        let record = instance("kr19-least", &args);
        assert!(record["execution_ns"].as_u64() >= Some(measured), "{offset}");
        assert!(record["kernels"][0]["execution_ns"].as_u64() >= Some(measured), "{offset}");
        let record = of_text(&four(""), &args, 3);
        assert_eq!((&record["execution_ns"], &record["assumption"]), (&Value::Null, &Value::Null));
        assert_eq!(record["kernels"][3]["execution_ns"], Value::Null);
        assert_eq!(record["composed_over_execution"], Value::Null);
        let reason = record["no_bound"].as_str().unwrap();
        assert!(reason.ends_with(" times and no contended durations are given"), "{reason}");
        assert_eq!(record.get("total_ns"), None);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("f.toml"), four("[offsets]\nprefetch_ns = 1300\n")).unwrap();
    let names = if cfg!(feature = "figures") { &["s.h", "s.svg"][..] } else { &["s.h"] };
    let files = names.iter().flat_map(|name| ["--schedule".to_owned(), file(name)]);
    let output = warpspan().args(["prem", &file("f.toml")]).args(files).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    let reason = "no bound: memory phases overlap 5,629 times and no contended durations are given";
    assert!(text.contains(reason) && !text.contains("at most"), "{text}");
    for name in names {
        let drawn = std::fs::read_to_string(file(name)).unwrap();
        assert!(drawn.contains("NOT proved: memory phases overlap 5,629 times"), "{drawn}");
    }
}

/// What a kernel takes beside its tiles is in the bound; where the file does not say it, the output says that
/// it is assumed 0.
#[test]
fn the_prologue_counts() {
    let text = |extra: &str| format!("{extra}{}", four(""));
    let (without, with) = (of_text(&text(""), &[], 0), of_text(&text("prologue_ns = 8000\n"), &[], 0));
    let of = |record: &Value| record["execution_ns"].as_u64().unwrap();
    assert_eq!(of(&with), of(&without) + 8000);
    assert_eq!(of(&with["kernels"][1]), of(&without["kernels"][1]) + 8000);
    let kind = |record: &Value| assumption(record, "tiles.prologue").unwrap()["kind"].clone();
    assert_eq!((&with["prologue_ns"], kind(&with)), (&json!(8000), json!("declared")));
    assert_eq!((&without["prologue_ns"], kind(&without)), (&Value::Null, json!("assumed")));
    refused(&text("prologue_ns = -1\n"), &[], "f.toml:1: prologue_ns = -1: want 0 or more");
    refused(
        &text("prologue_ns = 9223372036854775807\n"),
        &[],
        "f.toml:1: prologue_ns = 9223372036854775807: want",
    );
}

/// Contention makes no phase shorter.
#[test]
fn contended_durations_are_no_shorter() {
    let contended = "[contended]\nprefetch_ns = 1780\ncompute_ns = 506\nwriteback_ns = 421\n";
    let message = "f.toml: kernel K1: prefetch takes 1780 ns under contention and 1781 ns without: want contended durations";
    refused(&four(contended), &[], message);
}

/// A tile of 2708 ns leaves no room for another's memory phase beside its computation of 506 ns: by hand,
/// tile after tile is the least, and with phases 3 * 1920 + 1920 + 3 * 480 + 480 ns.
#[test]
fn kr19_least() {
    let record = instance("kr19-least", &[]);
    assert_eq!((&record["minimal_offset_ns"], &record["hyperperiod_ns"]), (&json!(2720), &json!(4 * 2720)));
    assert_eq!((&record["memory_overlaps"], &record["relaxed"]), (&json!(0), &json!(true)));
    assert_eq!((&record["strict"], &record["blocks_together"]), (&json!(false), &json!(true)));
    let record = instance("kr19-least", &["--mode", "phase-kernel"]);
    assert_eq!(record["hyperperiod_ns"], 9600);
    assert_eq!(record["offsets"], json!({"prefetch_ns": 1920, "writeback_ns": 480}));
    let record = instance("kr19-least", &["--mode", "phase-block", "--rule", "strict"]);
    assert_eq!((&record["hyperperiod_ns"], &record["strict"]), (&json!(19200), &json!(true)));
}

/// Different kernels: 2720 for the first, then the small one within the computation of the long one.
#[test]
fn kr19_different() {
    let record = record(&["instances/kr19-different.toml"], 3);
    assert_eq!(record["search"], json!({"least_hyperperiod_ns": 7040, "stop": "proved"}));
    assert_eq!((&record["hyperperiod_ns"], &record["memory_overlaps"]), (&json!(7040), &json!(0)));
    // a writeback that comes early may meet a memory phase of another kernel
    assert_eq!((&record["execution_ns"], &record["relaxed_if_early"]), (&Value::Null, &json!(false)));
    assert_eq!(
        record["no_bound"],
        "memory phases overlap once a phase ends early, and no contended durations are given"
    );
    let phases = instance("kr19-different", &["--mode", "phase-kernel"]);
    assert_eq!((&phases["assumption"], &phases["relaxed_if_early"]), (&json!("apart"), &json!(true)));
}

/// Two kernels of two blocks, with warm-up and start.
const TWO_KERNELS: &str = "kernels = 2\nblocks = 2\ntiles = 3\ntimer_ns = 10\nstart_ns = 1000\nwarm_up_ns = 200\n\
    [phases]\nprefetch_ns = 40\ncompute_ns = 30\nwriteback_ns = 20\n\
    [offsets]\nprefetch_ns = 50\nwriteback_ns = 30\n";

/// Figures 3.5 and 3.6 for two kernels of two blocks, by the formulas of section 3.2.5, warm-up and start
/// included.
#[test]
fn every_start_time_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("f.toml"), TWO_KERNELS).unwrap();
    for (mode, slots, per) in [("phase-kernel", 2, 1), ("phase-block", 4, 2)] {
        let (base, hyperperiod) = ((slots - 1) * 50 + 40, (slots - 1) * 50 + 40 + (slots - 1) * 30 + 20);
        let args = [
            "prem",
            &file("f.toml"),
            "--mode",
            mode,
            "--schedule",
            &file("s.csv"),
            "--schedule",
            &file("s.json"),
        ];
        warpspan().args(args).assert().success();
        let mut reader = csv::Reader::from_path(file("s.csv")).unwrap();
        let rows: Vec<warpspan::realtime::prem::PhaseRecord> =
            reader.deserialize().map(Result::unwrap).collect();
        let json: Vec<warpspan::realtime::prem::PhaseRecord> =
            serde_json::from_slice(&std::fs::read(file("s.json")).unwrap()).unwrap();
        assert_eq!(rows, json);
        assert_eq!(rows.len(), 2 * 2 * 3 * 3);
        for row in rows {
            let kernel: u64 = row.kernel[1..].parse().unwrap();
            let slot = if per == 2 { (kernel - 1) * 2 + row.block - 1 } else { kernel - 1 };
            let begin = 1000 + 200 + (row.tile - 1) * hyperperiod;
            let (start, length) = match row.phase.as_str() {
                "prefetch" => (begin + slot * 50, 40),
                "compute" => (begin + slot * 50 + 40, 30),
                _ => (begin + base + slot * 30, 20),
            };
            assert_eq!((row.planned_start_ns, row.planned_end_ns), (start, start + length), "{row:?}");
        }
    }
}

/// The header compiles, and what it computes are the start times of the table.
#[test]
fn the_header_is_c() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for mode in ["tile-kernel", "phase-block"] {
        let args = ["prem", "instances/kr19-least.toml", "--mode", mode];
        let files = ["--schedule", &file("prem.h"), "--schedule", &file("s.csv")];
        warpspan().args(args).args(files).assert().success();
        if cfg!(feature = "figures") {
            warpspan().args(args).args(["--schedule", &file("s.svg")]).assert().success();
            let svg = std::fs::read_to_string(file("s.svg")).unwrap();
            assert_eq!(svg.matches("<title>").count(), 4 * 2 * 2 * 3, "a box a phase of the first two tiles");
        }
        let header = std::fs::read_to_string(file("prem.h")).unwrap();
        assert_eq!(header.contains("WRITEBACK"), mode == "phase-block");
        let program = "#include <stdio.h>\n#include \"prem.h\"\nint main(void) {\n\
            for (int t = 0; t < PREM_TILES(3); t += 100) for (int k = 0; k < PREM_KERNELS; k++)\n\
            for (int b = 0; b < PREM_BLOCKS(k); b++) printf(\"%llu\\n\", PREM_PREFETCH_START_NS(0ull, k, b, t));\n\
            return 0; }\n";
        std::fs::write(file("main.c"), program).unwrap();
        let mut compiler = std::process::Command::new("cc");
        compiler.args(["-Wall", "-Werror", "-o"]).arg(file("main")).arg(file("main.c"));
        let Ok(status) = compiler.status() else { return };
        assert!(status.success());
        let output = std::process::Command::new(file("main")).output().unwrap();
        let mut reader = csv::Reader::from_path(file("s.csv")).unwrap();
        let rows = reader.deserialize().map(|row| row.unwrap());
        let prefetches = rows.filter(|row: &warpspan::realtime::prem::PhaseRecord| {
            row.phase == "prefetch" && (row.tile - 1).is_multiple_of(100)
        });
        let expected: String = prefetches.map(|row| format!("{}\n", row.formula_ns)).collect();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

/// The text of the header for one instance, so that a change of it is noticed.
#[test]
fn the_header_keeps_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("f.toml"), TWO_KERNELS).unwrap();
    let args = ["prem", &file("f.toml"), "--mode", "phase-block", "--schedule", &file("prem.h")];
    warpspan().args(args).assert().success();
    assert_eq!(std::fs::read_to_string(file("prem.h")).unwrap(), include_str!("two_kernels.h"));
}

/// A phase that exceeds its duration is detected; without jitter nothing is, and the time is that of the
/// schedule.
#[test]
fn overruns_are_detected() {
    let args = ["--mode", "phase-kernel", "--jitter"];
    let exact = &instance("kr19-least", &[&args[..], &["100..100"]].concat())["simulation"];
    assert_eq!(exact["longest_ns"], instance("kr19-least", &args[..2])["execution_ns"]);
    assert_eq!((&exact["overruns"]["compute"], &exact["late_starts"]), (&json!(0), &json!(0)));
    assert_eq!(exact["overruns"]["first"], json!([]));
    assert_abs_diff_eq!(exact["jitter_percent"].as_f64().unwrap(), 0.0);
    let early = &instance("kr19-least", &[&args[..], &["50..100", "--runs", "20"]].concat())["simulation"];
    assert_eq!((&early["overruns"]["prefetch"], &early["memory_overlaps"]), (&json!(0), &json!(0)));
    // 10 percent more of 421 ns is within the slot of 480, but more than was promised
    let late = &instance("kr19-least", &[&args[..], &["110..110"]].concat())["simulation"];
    for phase in ["prefetch", "compute", "writeback"] {
        assert_eq!(late["overruns"][phase], 512 * 8, "{phase}");
    }
    assert_eq!(late["longest_overrun_ns"], 178);
    let first = json!({"run": 1, "kernel": 1, "block": 1, "tile": 1, "phase": "prefetch", "by_ns": 178});
    assert_eq!(late["overruns"]["first"][0], first);
    let seeded =
        |seed| instance("kr19-least", &["--jitter", "80..105", "--seed", seed])["simulation"].clone();
    assert_eq!(seeded("1"), seeded("1"));
    assert_ne!(seeded("1"), seeded("2"));
    // every phase of a fourfold tile begins late but the first
    let text = format!("kernels = 2\ntiles = 5\ntimer_ns = 1\n{ISOLATED}");
    let late = &of_text(&text, &["--jitter", "400..400"], 0)["simulation"];
    assert_eq!((&late["side"], &late["contention"]), (&json!("estimate"), &json!(false)));
    assert_eq!(late["late_starts"], 2 * 4);
    assert_eq!(late["longest_ns"], 2708 + 5 * 4 * 2708);
    assert!(late["memory_overlaps"].as_u64() > Some(0));
}

/// A million tiles are no more work than one; the numbers are those of one hyperperiod, a million times.
#[test]
fn a_million_tiles() {
    let text = four("[offsets]\nprefetch_ns = 1300\n").replace("512", "1000000");
    let record = of_text(&text, &["--timer", "1"], 3);
    assert_eq!(record["planned_ns"], 999_999_u64 * 5200 + 3900 + 2708);
    let first = &record["overlaps"][0];
    assert_eq!((&first["count"], &first["longest_ns"]), (&json!(1_000_000), &json!(481)));
    assert_eq!(first["total_ns"], 481_000_000);
}

/// Durations from instruction strings: LLCLL on 4 warps takes at most 17 cycles, at 1300 MHz 13.08 ns; LC on
/// 1 warp 2.
#[test]
fn durations_come_from_strings() {
    let text = "kernels = 2\ntiles = 10\ntimer_ns = 1\n[gpu]\npreset = \"jetson-tx2\"\nclock_mhz = 1300\n\
                [phases]\nprefetch_code = \"LLCLL\"\ncompute_ns = 20\nwriteback_code = \"L\"\nwarps = 4\n";
    let kernel = &of_text(text, &[], 3)["kernels"][0];
    assert_eq!((&kernel["prefetch_ns"], &kernel["writeback_ns"]), (&json!(14), &json!(4)));
    refused(
        &text.replace("warps = 4\n", ""),
        &[],
        "f.toml:8: prefetch_code = \"LLCLL\": want warps in the same table",
    );
    refused(&text.replace("clock_mhz = 1300\n", ""), &[], "want clock_mhz in [gpu]");
    refused(&text.replace("LLCLL", "LX"), &[], "f.toml:8: prefetch_code = \"LX\": character 2 is 'X'");
}

#[test]
fn bad_input_gets_one_clear_line() {
    let good = four("");
    let wrong = |from: &str, to: &str, message: &str| refused(&good.replacen(from, to, 1), &[], message);
    wrong("prefetch_ns = 1781", "prefetch_ns = 0", "f.toml:6: prefetch_ns = 0: want 1 or more");
    wrong("compute_ns = 506", "compute_ns = -506", "f.toml:7: compute_ns = -506: want 1 or more");
    wrong("writeback_ns = 421\n", "", "f.toml:5: want one of writeback_ns and writeback_code");
    wrong("compute_ns = 506", "compute_ns = 0.5", "f.toml:7: compute_ns = 0.5: want a whole number");
    wrong("timer_ns = 160", "timer_ns = 0", "f.toml:4: timer_ns = 0: want 1 or more");
    wrong("tiles = 512", "tiles = 0", "f.toml:3: tiles = 0: want 1 or more");
    wrong("tiles = 512\n", "", "f.toml: no tiles: want 1 or more");
    wrong("tiles = 512", "tiles = 9223372036854775807", "all tiles one after the other take more than");
    wrong("kernels = 4", "kernels = 9999999999", "f.toml:1: kernels = 9999999999: want 8192 or fewer");
    wrong("kernels = 4\n", "", "f.toml: no kernels: want kernels = N or [[kernel]] tables");
    wrong("kernels = 4", "kernel = 4", "f.toml:1: ");
    refused(&four("[[kernel]]\n"), &[], "f.toml:9: both kernels and [[kernel]]");
    refused(&four("[offsets]\nprefetch_ns = -1\n"), &[], "f.toml:10: prefetch_ns = -1: want 0 or more");
    refused(
        &four("[gpu]\npreset = \"k20\"\n"),
        &[],
        "f.toml:10: preset = \"k20\": no such GPU: want a preset, all of which `warpspan gpus` lists",
    );
    let phases = ["--mode", "phase-kernel", "--prefetch-offset", "100"];
    refused(
        &good,
        &phases,
        "--prefetch-offset: prefetch offset of 100 ns: phase-kernel wants 160 ns or more",
    );
    refused(&good, &["--rule", "strict"], "tile-kernel starts the blocks of a kernel together");
    refused(&good, &["--jitter", "105..80"], "want LOW..HIGH in percent");
    refused(&good, &["--prefetch-offset", "18446744073709551615"], "the schedule takes more than");
    refused(&good, &["--schedule", "x.txt"], "x.txt: want a name that ends in .csv, .json, .svg or .h");
    refused("\u{0}", &[], "f.toml:1: ");
    for (table, message) in [
        ("capacity = 0.5", "f.toml:10: capacity = 0.5: want a number from 1 to 8192 with up to 6 decimals"),
        ("capacity = 9000", "f.toml:10: capacity = 9000: want a number from 1 to 8192"),
        ("capacity = nan", "f.toml:10: capacity = NaN: want a number from 1 to 8192"),
        ("capacity = \"2\"", "f.toml:10: capacity = \"2\": want a number from 1 to 8192"),
        ("at_least = 0", "f.toml:10: at_least = 0: want 1 or more"),
        ("at_least = 8193", "f.toml:10: at_least = 8193: want 8192 or less"),
        ("unscheduled_ns = 0", "f.toml:10: unscheduled_ns = 0: want 1 or more"),
        (
            "unscheduled_ns = 1",
            "f.toml:10: unscheduled_ns = 1: all memory phases one after the other take 9019392 ns",
        ),
        (
            "unscheduled_ns = 9100000\n",
            "f.toml:10: unscheduled_ns = 9100000: all memory phases one after the other",
        ),
        ("unscheduled_ns = 2397000\ncapacity = 3", "f.toml:11: both capacity and unscheduled_ns"),
        ("least = 2", "f.toml:10: unknown field `least`"),
    ] {
        refused(&four(&format!("[sharing]\n{table}\n")), &[], message);
    }
    for range in ["0..10", "10..0:1", "0..10:0", "0..1000000000:1", "-1..3:1", "a..b:c", ""] {
        refused(&good, &[&format!("--offsets={range}")], "want A..B:STEP in ns, 100000 offsets or fewer");
    }
    refused(&good, &["--chart", "x.svg"], "--offsets <A..B:STEP>");
    refused(
        &good,
        &["--offsets", "0..1:1", "--chart", "x.h"],
        "x.h: want a name that ends in .svg, .csv or .json",
    );
    refused(&good, &["--offsets", "0..1:1", "--prefetch-offset", "3"], "cannot be used with");
    warpspan().args(["prem", "no-such-file"]).assert().code(2);
}

/// All blocks must run at once: 32 a multiprocessor, 2048 threads, 64 kB.
#[test]
fn blocks_must_fit_on_the_multiprocessors() {
    let many = four("").replace("blocks = 2", "blocks = 17");
    refused(&many, &[], "f.toml:2: 64 of 68 blocks fit on 2 multiprocessors of 2048 threads");
    of_text(&many.replace("blocks = 17", "blocks = 16"), &[], 0);
    let threads = |threads| format!("threads_per_block = {threads}\n{}", four(""));
    of_text(&threads(512), &[], 0);
    refused(&threads(513), &[], "f.toml:3: 6 of 8 blocks fit");
    let memory = |bytes| format!("shared_memory = {bytes}\n{}", four(""));
    of_text(&memory(16384), &[], 0);
    refused(&memory(16385), &[], "6 of 8 blocks fit");
    of_text(&format!("{}[gpu]\nmultiprocessors = 3\nthreads = 2048\nblocks = 32\n", many), &[], 0);
}

/// A limit leaves an interval and exit code 3.
#[test]
fn a_time_limit_leaves_an_interval() {
    let record = record(&["instances/kr19-different.toml", "--time-limit", "0s"], 3);
    assert_eq!(record["search"]["stop"], "time-limit");
    assert!(record["search"]["least_hyperperiod_ns"].as_u64() <= Some(7040));
    assert!(record["hyperperiod_ns"].as_u64() >= Some(7040));
    assert_eq!(record["relaxed"], true);
}

/// Every instance file of Kr19 has its test here.
#[test]
fn every_instance_has_its_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let tests = include_str!("prem.rs");
    for name in names.filter(|name| name.starts_with("kr19-")) {
        let test = name.trim_end_matches(".toml").replace('-', "_");
        assert!(tests.contains(&format!("fn {test}()")), "{name}");
    }
}
