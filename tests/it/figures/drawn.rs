//! What drawings of schedules, runs and tiles show: barriers, idle slots, densities, windows and overlaps.

use crate::figures::report::{figure, page, printed, warpspan};

/// LLC|LLC|LLC on 8 warps in blocks of 4: two barriers of each block, where the schedule says that its last warp
/// arrives; and as many idle slots as the issues leave.
#[test]
fn barriers_and_idle_slots_are_drawn() {
    let args = ["solve", "--kernel", "(LLC|)3", "--warps", "8", "--warps-per-block", "4"];
    let record = printed(&[&args[..], &["--format", "json", "--with-schedule"]].concat());
    let (folder, _) = page(&[("s.json", &record)]);
    let svg = figure(&folder, "schedule-01.svg");
    let value: serde_json::Value = serde_json::from_str(&record).unwrap();
    let issues: Vec<(u64, u64, u64)> = value["schedule"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| ["warp", "instruction", "cycle"].map(|key| issue[key].as_u64().unwrap()).into())
        .collect();
    for block in [1, 2] {
        for barrier in [1, 2] {
            let of = |&&(warp, instruction, _): &&(u64, u64, u64)| {
                warp.div_ceil(4) == block && instruction == 3 * barrier
            };
            let last = issues.iter().filter(of).map(|issue| issue.2).max().unwrap();
            let tip = format!("barrier {barrier} of block {block} opens at the end of cycle {last}");
            assert_eq!(svg.matches(&tip).count(), 1, "{tip}");
        }
    }
    assert_eq!(svg.matches(" opens at the end of cycle ").count(), 4);
    let cycles = issues.iter().map(|issue| issue.2).max().unwrap();
    // Six of nine letters are L, and each unit has a slot a cycle.
    for (unit, used) in [("L", 8 * 6), ("C", 8 * 3)] {
        let idle: u64 = svg
            .split("<title>")
            .filter_map(|rest| rest.trim_start().split_once(&format!(": 1 of 1 slots for {unit} idle")))
            .map(|(cycles, _)| {
                let numbers: Vec<u64> = cycles.split(' ').filter_map(|word| word.parse().ok()).collect();
                numbers[numbers.len() - 1] - numbers[0] + 1
            })
            .sum();
        assert_eq!(idle, cycles - used, "{unit}");
    }
}

/// 600 warps are drawn as a density that fits a screen; a window of it has a box for each instruction.
#[test]
fn long_schedules_are_densities_and_windows_are_not() {
    let args = ["solve", "instances/llcll-w600.toml", "--format", "json", "--with-schedule"];
    let record = printed(&args);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.json"), &record).unwrap();
    let drawn = |args: &[&str]| {
        let output = warpspan(folder.path(), &[&["report", "s.json", "-o", "out"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        figure(&folder, "schedule-01.svg")
    };
    let svg = drawn(&[]);
    let height: f64 = svg.split_once(" height=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    assert!(height < 700.0, "{height}");
    // Every instruction is counted in one of the columns.
    let counted = |unit: &str| -> u64 {
        svg.split(&format!("\n{unit}: "))
            .skip(1)
            .map(|rest| rest.split(' ').next().unwrap().parse::<u64>().unwrap())
            .sum()
    };
    assert_eq!([counted("L"), counted("C")], [4 * 600, 600]);
    assert!(svg.contains("A column is 12 cycles, a row 10 warps"));
    for (args, message) in [
        (["--from", "9", "--to", "8"], "s.json:1: nothing from cycle 9 to 8: want --from before --to"),
        (["--from", "x", "--to", "8"], "s.json:1: --from x: want a cycle, a whole number"),
    ] {
        let output = warpspan(folder.path(), &[&["report", "s.json", "-o", "out"], &args[..]].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.starts_with(&format!("warpspan: {message}")), "{stderr}");
    }
}

/// A window of a run: what lies in it, with the launches that are released or due there.
#[test]
fn a_window_of_a_run_has_only_what_lies_in_it() {
    let chain = printed(&["rta", "instances/tx2-chain.toml", "--format", "json", "--with-schedule"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.json"), &chain).unwrap();
    let output = warpspan(folder.path(), &["report", "r.json", "-o", "out", "--from", "0.9", "--to", "1.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = figure(&folder, "occupancy-01.svg");
    for (part, count) in [
        ("increment, launch 2: 4 blocks on multiprocessor", 2),
        ("release of increment, launch 2: 1", 1),
        ("deadline of increment, launch 1: 1", 1),
        ("release of", 1),
        ("deadline of", 1),
        ("template, launch", 0),
    ] {
        assert_eq!(svg.matches(part).count(), count, "{part}");
    }
}

/// Two of four kernels' memory phases overlap: the stretches that are marked are those of the phases as planned.
#[test]
fn overlaps_of_memory_phases_are_marked() {
    let drawn = |file: &str| {
        let (folder, page) = page(&[("p.json", &printed(&["prem", file, "--format", "json"]))]);
        (figure(&folder, "tiles-01.svg"), page)
    };
    let (svg, page) = drawn("instances/kr19-offset-1300.toml");
    assert!(page.contains("5629 overlaps of memory phases") && svg.contains("\noverlap\n"));
    let tiles: Vec<(String, u64, u64)> = svg
        .split("<title>")
        .filter_map(|rest| {
            let (name, rest) = rest.trim_start().split_once(", block ")?;
            let (phase, rest) = rest.split_once(": ")?.1.split_once(", ")?;
            let (from, rest) = rest.split_once(" to ")?;
            let span = (from.parse().unwrap(), rest.split_once(" ns")?.0.parse().unwrap());
            (phase != "compute").then(|| (name.to_owned(), span.0, span.1))
        })
        .collect();
    assert_eq!(tiles.len(), 4 * 2 * 2 * 2, "kernels, blocks, tiles, memory phases");
    let mut expected = 0;
    for (name, from, to) in &tiles {
        let overlaps =
            |other: &&(String, u64, u64)| &other.0 != name && other.1.max(*from) < other.2.min(*to);
        expected += tiles.iter().filter(overlaps).count();
    }
    assert!(expected > 0);
    assert_eq!(svg.matches("overlaps a memory phase of K").count(), expected);
    let (svg, _) = drawn("instances/kr19-least.toml");
    assert!(!svg.contains("overlap"));
}
