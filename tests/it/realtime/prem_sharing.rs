//! Memory phases that share the memory: against a simulation in small steps, against adversaries that share it as
//! badly as they can, and against Kr19's Table 4.1.

use assert_cmd::Command;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use warpspan::model::time::Nanoseconds;
use warpspan::realtime::prem::{
    Capacity, Mode, Offsets, Phases, Schedule, Sharing, TileSet, TiledKernel, Waiting, shared_bound,
    shared_run,
};

use crate::common::limits;

/// A kernel in tests: blocks, tiles, prefetch, computation, writeback.
type Small = (u64, u64, [u64; 3]);

fn tile_set(kernels: &[Small], timer: u64) -> TileSet {
    let kernel = |&(blocks, tiles, [p, c, w]): &Small| TiledKernel {
        name: "K".into(),
        blocks,
        tiles,
        phases: Phases { prefetch: Nanoseconds(p), compute: Nanoseconds(c), writeback: Nanoseconds(w) },
        contended: None,
    };
    let kernels = kernels.iter().map(kernel).collect();
    TileSet::new(kernels, Nanoseconds(timer), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap()
}

/// A block that is played step by step: what is left of its phase, in parts of a ns, or when it may begin.
struct Played {
    slot: usize,
    tile: u64,
    /// 0 to 2; 3 while it waits for its tile, 4 while it waits for its writeback.
    phase: usize,
    left: u64,
}

/// Plays a schedule in equal steps. In each step `share` gives each block that is in a memory phase what it gets done; the
/// others compute for `step`. Returns the time of the last end, in parts of a ns of which `fine` make one.
fn played(
    schedule: &Schedule,
    (fine, step): (u64, u64),
    waits: bool,
    mut durations: impl FnMut(u64) -> u64,
    mut share: impl FnMut(&[usize]) -> Vec<u64>,
) -> u64 {
    let tile_set = schedule.tile_set();
    let tick = |time: u64| time.next_multiple_of(tile_set.timer().0) * fine;
    let mut blocks = Vec::new();
    for (number, slot) in schedule.slots().iter().enumerate() {
        let together = if slot.block.is_some() { 1 } else { tile_set.kernels()[slot.kernel].blocks };
        for _ in 0..together {
            blocks.push(Played { slot: number, tile: 0, phase: 3, left: 0 });
        }
    }
    let timed_writeback = matches!(schedule.mode(), Mode::PhaseKernel | Mode::PhaseBlock);
    let (mut now, mut end) = (0, 0);
    loop {
        // What can begin now begins, with nothing left to wait for.
        let mut unfinished = false;
        for block in &mut blocks {
            let slot = &schedule.slots()[block.slot];
            let kernel = &tile_set.kernels()[slot.kernel];
            let phases = [kernel.phases.prefetch.0, kernel.phases.compute.0, kernel.phases.writeback.0];
            loop {
                let base = block.tile * schedule.hyperperiod().0;
                if block.phase < 3 && block.left == 0 {
                    if block.phase == 2 {
                        block.tile += 1;
                        end = now;
                    }
                    block.phase = [1, 4, 3][block.phase];
                    if block.phase == 1 {
                        block.left = durations(phases[1]) * fine;
                    }
                } else if block.phase == 3
                    && block.tile < kernel.tiles
                    && (!waits || now >= tick(base + slot.prefetch.0))
                {
                    (block.phase, block.left) = (0, durations(phases[0]) * fine);
                } else if block.phase == 4
                    && (!waits || !timed_writeback || now >= tick(base + slot.writeback.0))
                {
                    (block.phase, block.left) = (2, durations(phases[2]) * fine);
                } else {
                    break;
                }
            }
            unfinished |= block.tile < kernel.tiles;
        }
        if !unfinished {
            return end;
        }
        let memory: Vec<usize> = (0..blocks.len()).filter(|&b| [0, 2].contains(&blocks[b].phase)).collect();
        let done = share(&memory);
        for (&b, done) in memory.iter().zip(done) {
            blocks[b].left = blocks[b].left.saturating_sub(done);
        }
        for block in blocks.iter_mut().filter(|block| block.phase == 1) {
            block.left -= step;
        }
        now += step;
    }
}

fn small() -> impl Strategy<Value = Small> {
    (1_u64..3, 1_u64..4, prop::array::uniform3(1_u64..30))
}

fn schedules() -> impl Strategy<Value = Schedule> {
    let modes = prop::sample::select(Mode::ALL.to_vec());
    (prop::collection::vec(small(), 1..4), 1_u64..9, modes, 0_u64..40, 0_u64..40).prop_filter_map(
        "the mode refuses these offsets",
        |(kernels, timer, mode, prefetch, writeback)| {
            let offsets = Offsets { prefetch: Nanoseconds(prefetch), writeback: Nanoseconds(writeback) };
            Schedule::uniform(&tile_set(&kernels, timer), mode, offsets).ok()
        },
    )
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(22), ..ProptestConfig::default() }
}

/// The parts of a ns, divisible by every number of blocks up to six, and the step.
const FINE: (u64, u64) = (60 * 64, 60);

proptest! {
    #![proptest_config(config(300))]

    /// The time of a run with shared memory, against steps of 1/64 ns in whole numbers. A step is late by at most itself in
    /// each phase that ends in it.
    #[test]
    fn a_run_with_shared_memory(schedule in schedules(), capacity in 1_u64..5, waits in any::<bool>()) {
        let share = |memory: &[usize]| {
            let many = memory.len() as u64;
            vec![60.min(60 * capacity / many.max(1)); memory.len()]
        };
        let stepped = played(&schedule, FINE, waits, |time| time, share);
        let waiting = if waits { Waiting::Timed } else { Waiting::Never };
        let read = Capacity::read(&capacity.to_string()).unwrap();
        let run = shared_run(&schedule, waiting, read, &limits(), |time| time).unwrap();
        let blocks: u64 = schedule.tile_set().kernels().iter().map(|kernel| kernel.blocks).sum();
        prop_assume!(blocks <= 6);
        let phases: u64 = schedule.tile_set().kernels().iter().map(|k| 3 * k.blocks * k.tiles).sum();
        let slack = 1 + phases.div_ceil(64);
        let stepped = stepped / FINE.0;
        prop_assert!(run.0 <= stepped + slack && stepped <= run.0 + slack, "{} by events, {stepped} by steps", run.0);
    }
}

/// What an adversary starves: the block of the lowest index, of the highest, or, drawn by a number, any.
fn adversary(kind: u64, capacity: u64) -> impl FnMut(&[usize]) -> Vec<u64> {
    let mut state = kind;
    move |memory| {
        let mut order: Vec<usize> = (0..memory.len()).collect();
        match kind {
            0 => {}
            1 => order.reverse(),
            _ => {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.sort_by_key(|&n| (state >> (n % 48)) & 7);
            }
        }
        let mut done = vec![0; memory.len()];
        for &n in order.iter().rev().take(usize::try_from(capacity).unwrap()) {
            done[n] = 1;
        }
        done
    }
}

proptest! {
    #![proptest_config(config(2000))]

    /// However the memory is shared, and however much shorter phases are, no run takes longer than the bound.
    #[test]
    fn no_adversary_exceeds_the_bound(
        schedule in schedules(), at_least in 1_u64..4, kind in 0_u64..40, early in any::<bool>()
    ) {
        let sharing = Sharing { capacity: None, at_least: Some(at_least) };
        let bound = shared_bound(&schedule, None, Nanoseconds::ZERO, sharing).unwrap();
        let mut state = kind;
        let durations = |time: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if early { 1 + (state >> 40) % time } else { time }
        };
        let time = played(&schedule, (1, 1), true, durations, adversary(kind, at_least));
        prop_assert!(time <= bound.0, "{time} ns, bound {} ns", bound.0);
    }
}

/// The bound is attained: two blocks of a tile each, one of which is starved while the other is in a memory phase.
#[test]
fn an_adversary_attains_the_bound() {
    let tile_set = tile_set(&[(1, 1, [10, 1, 20]), (1, 1, [5, 3, 7])], 1);
    let offsets = Offsets { prefetch: Nanoseconds::ZERO, writeback: Nanoseconds::ZERO };
    let schedule = Schedule::uniform(&tile_set, Mode::TileKernel, offsets).unwrap();
    let sharing = Sharing { capacity: None, at_least: Some(1) };
    let bound = shared_bound(&schedule, None, Nanoseconds::ZERO, sharing).unwrap();
    // The second: its tile of 15 ns, and the memory phases of the first.
    assert_eq!(bound.0, 15 + 30);
    assert_eq!(played(&schedule, (1, 1), true, |time| time, adversary(1, 1)), bound.0);
    assert_eq!(shared_bound(&schedule, Some(0), Nanoseconds::ZERO, sharing), Some(Nanoseconds(31 + 12)));
    assert_eq!(played(&schedule, (1, 1), true, |time| time, adversary(0, 1)), 31 + 12);
    assert_eq!(shared_bound(&schedule, None, Nanoseconds::ZERO, Sharing::default()), None);
}

#[test]
fn the_capacity_is_fitted_to_a_time_without_a_schedule() {
    let tile_set = tile_set(&[(2, 512, [1781, 506, 421]); 4], 160);
    let fitted = |ns| Capacity::fitted(&tile_set, Nanoseconds(ns)).map(|capacity| capacity.to_string());
    // 8 blocks of 512 tiles of 2202 ns: 9019392 ns of memory phases in 2397000 ns.
    assert_eq!(fitted(2_397_000).as_deref(), Some("3.762783"));
    assert_eq!(fitted(9_019_392).as_deref(), Some("1"));
    assert_eq!([fitted(0), fitted(9_100_000), fitted(1000)], [None, None, None]);
}

fn sweep(args: &[&str]) -> Value {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("prem").args(args).args(["--format", "json"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Table 4.1 and Fig. 4.9. One number is fitted, the 2.397 ms without a schedule, and the spread of the phases is chosen; the
/// rest is what the model says. docs/prem.md has the table, with what the model does not explain.
#[test]
fn kr19_table_4_1() {
    let args =
        ["instances/kr19-least.toml", "--offsets", "0..1400:100", "--jitter", "50..150", "--runs", "20"];
    let record = sweep(&args);
    assert_eq!(record["schema"], "warpspan/prem-offsets/2");
    let near = |estimate: &Value, milliseconds: f64, percent: f64| {
        let mean = estimate["mean_ns"].as_f64().unwrap() / 1e6;
        assert!((mean / milliseconds - 1.0).abs() * 100.0 < percent, "{mean} ms, measured {milliseconds} ms");
    };
    let jitter = |estimate: &Value| estimate["jitter_percent"].as_f64().unwrap();
    near(&record["unscheduled"], 2.397, 1.0);
    assert!((jitter(&record["unscheduled"]) - 1.47).abs() < 0.5, "{record}");
    let row = |offset: usize| &record["rows"][offset / 100];
    near(&row(1300)["estimate"], 2.67, 0.3);
    near(&row(1400)["estimate"], 2.874, 0.3);
    // Measured: 0.15 and 0.04 percent. Of the former the model explains a part only.
    assert!((0.02..0.15).contains(&jitter(&row(1300)["estimate"])));
    assert!((0.02..0.08).contains(&jitter(&row(1400)["estimate"])));
    for offset in (0..=1100).step_by(100) {
        // Fig. 4.9: some 2.5 ms and 1.4 percent; the model is 4 percent below.
        near(&row(offset)["estimate"], 2.41, 1.0);
        assert!(jitter(&row(offset)["estimate"]) > 0.8, "{offset}");
    }
    for row in record["rows"].as_array().unwrap() {
        assert!(row["shared_bound_ns"].as_u64() >= row["estimate"]["longest_ns"].as_u64());
        assert_eq!(row["estimate"]["side"], "estimate");
    }
    // Without jitter all kernels run in step where they start together, and the memory rests while they compute.
    let same = sweep(&["instances/kr19-least.toml", "--offsets", "0..0:1"]);
    near(&same["rows"][0]["estimate"], 2.656, 0.1);
}

/// The files of a sweep hold what the record does; without a capacity there are bounds and no estimates; offsets that
/// a mode refuses stay in the table with their reason.
#[test]
fn a_sweep_writes_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (csv, json) = (file("o.csv"), file("o.json"));
    let args =
        ["instances/kr19-offset-1300.toml", "--offsets", "1200..1300:100", "--chart", &csv, "--chart", &json];
    let record = sweep(&args);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(written, record);
    let text = std::fs::read_to_string(&csv).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with("1300,5200,2663828,"), "{text}");
    #[cfg(feature = "figures")]
    {
        let svg = file("o.svg");
        sweep(&["instances/kr19-offset-1300.toml", "--offsets", "1200..1300:100", "--chart", &svg]);
        let drawn = std::fs::read_to_string(&svg).unwrap();
        assert!(drawn.contains("jitter in percent") && drawn.contains("of 3.762783 blocks"), "{drawn}");
    }
    let refused = sweep(&["instances/kr19-contended.toml", "--mode", "phase-kernel", "--offsets", "0..0:1"]);
    assert_eq!(refused["capacity"], Value::Null);
    assert_eq!(refused["rows"][0]["estimate"], Value::Null);
    assert!(refused["notes"][0].as_str().unwrap().starts_with("no estimates"));
    let modes = sweep(&["instances/kr19-least.toml", "--mode", "phase-kernel", "--offsets", "0..200:200"]);
    let reason = modes["rows"][0]["refused"].as_str().unwrap();
    assert!(reason.starts_with("prefetch offset of 0 ns: phase-kernel wants"), "{reason}");
}
