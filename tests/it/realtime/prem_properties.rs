//! `prem` against brute force: every nanosecond of the run, every offset, every order.
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use warpspan::limits::{Ending, Stop};
use warpspan::model::time::Nanoseconds;
use warpspan::realtime::prem::{
    Check, Contention, Durations, Execution, Mode, Offsets, Phase, Phases, Rule, Schedule, TileSet,
    TiledKernel, check, least_hyperperiod, least_offsets,
};

use crate::common::limits;

fn phases(prefetch: u64, compute: u64, writeback: u64) -> Phases {
    Phases {
        prefetch: Nanoseconds(prefetch),
        compute: Nanoseconds(compute),
        writeback: Nanoseconds(writeback),
    }
}

fn kernel(blocks: u64, tiles: u64, phases: Phases) -> TiledKernel {
    TiledKernel { name: "K".into(), blocks, tiles, phases, contended: None }
}

fn looked(schedule: &Schedule, durations: Durations) -> Check {
    check(schedule, durations)
}

/// A phase: kernel, slot, phase, start, end.
type Placed = (usize, usize, Phase, u64, u64);

/// Every phase of the run, by Kr19's formulas, start times rounded up to the timer.
fn placed(schedule: &Schedule) -> Vec<Placed> {
    let tile_set = schedule.tile_set();
    let timer = tile_set.timer().0;
    let tick = |time: u64| time + (timer - time % timer) % timer;
    let mut all = Vec::new();
    for (number, slot) in schedule.slots().iter().enumerate() {
        let kernel = &tile_set.kernels()[slot.kernel];
        let (p, c, w) = (kernel.phases.prefetch.0, kernel.phases.compute.0, kernel.phases.writeback.0);
        for n in 1..=kernel.tiles {
            let base = tile_set.start().0 + tile_set.warm_up().0 + (n - 1) * schedule.hyperperiod().0;
            let start = tick(base + slot.prefetch.0);
            let timed = matches!(schedule.mode(), Mode::PhaseKernel | Mode::PhaseBlock);
            let back = if timed { tick(base + slot.writeback.0) } else { start + p + c };
            assert!(back >= start + p + c, "the writeback comes after the computation");
            all.push((slot.kernel, number, Phase::Prefetch, start, start + p));
            all.push((slot.kernel, number, Phase::Compute, start + p, start + p + c));
            all.push((slot.kernel, number, Phase::Writeback, back, back + w));
        }
    }
    all
}

/// When a run ends, from the start of the kernels on, if the phases of each tile take what `durations` says:
/// a phase begins when its time has come on the timer and the phase before has ended.
fn played(schedule: &Schedule, durations: impl Fn(u64, &TiledKernel) -> Phases) -> u64 {
    let tile_set = schedule.tile_set();
    let tick = |time: u64| time.next_multiple_of(tile_set.timer().0);
    let mut last = 0;
    for slot in schedule.slots() {
        let kernel = &tile_set.kernels()[slot.kernel];
        let mut now = 0;
        for n in 1..=kernel.tiles {
            let base = tile_set.start().0 + tile_set.warm_up().0 + (n - 1) * schedule.hyperperiod().0;
            let durations = durations(n, kernel);
            now = now.max(tick(base + slot.prefetch.0)) + durations.prefetch.0 + durations.compute.0;
            if matches!(schedule.mode(), Mode::PhaseKernel | Mode::PhaseBlock) {
                now = now.max(tick(base + slot.writeback.0));
            }
            now += durations.writeback.0;
        }
        last = last.max(now);
    }
    last - tile_set.start().0
}

/// Pairs, ns in all and ns at most, by kernels and phases.
type Overlaps = BTreeMap<(usize, usize, Phase, Phase), (u64, u128, u64)>;

/// The overlaps, nanosecond by nanosecond.
fn brute(all: &[Placed]) -> Overlaps {
    let last = all.iter().map(|phase| phase.4).max().unwrap();
    let mut together: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for now in 0..last {
        let active: Vec<usize> = (0..all.len()).filter(|&i| all[i].3 <= now && now < all[i].4).collect();
        for (n, &i) in active.iter().enumerate() {
            for &j in &active[n + 1..] {
                assert_ne!(all[i].1, all[j].1, "a slot does one thing at a time");
                *together.entry((i, j)).or_default() += 1;
            }
        }
    }
    let mut out = BTreeMap::new();
    for ((i, j), length) in together {
        let (a, b) = if all[i].1 < all[j].1 { (all[i], all[j]) } else { (all[j], all[i]) };
        let (p, q) = if a.0 == b.0 && a.2 > b.2 { (b.2, a.2) } else { (a.2, b.2) };
        let entry: &mut (u64, u128, u64) = out.entry((a.0, b.0, p, q)).or_default();
        *entry = (entry.0 + 1, entry.1 + u128::from(length), entry.2.max(length));
    }
    out
}

fn agrees_with_brute_force(schedule: &Schedule) {
    let check = looked(schedule, Durations::Planned);
    let found = check.overlaps.iter().filter(|overlap| overlap.count > 0);
    let found: Overlaps = found
        .map(|o| ((o.kernels.0, o.kernels.1, o.phases.0, o.phases.1), (o.count, o.total, o.longest.0)))
        .collect();
    assert_eq!(found, brute(&placed(schedule)), "{schedule:?}");
}

/// Whether the rule holds, phase by phase over the whole run.
fn holds(schedule: &Schedule, rule: Rule) -> bool {
    let memory: Vec<Placed> =
        placed(schedule).into_iter().filter(|phase| phase.2 != Phase::Compute).collect();
    let apart = |a: &Placed, b: &Placed| a.1 != b.1 && (rule == Rule::Strict || a.0 != b.0);
    let clash = |a: &Placed, b: &Placed| apart(a, b) && a.3 < b.4 && b.3 < a.4;
    !memory.iter().enumerate().any(|(n, a)| memory[n + 1..].iter().any(|b| clash(a, b)))
}

fn any_phases(most: u64) -> impl Strategy<Value = Phases> {
    (1..=most, 1..=most, 1..=most).prop_map(|(p, c, w)| phases(p, c, w))
}

fn any_workload(most: u64) -> impl Strategy<Value = TileSet> {
    let kernel = (1..=2_u64, 1..=5_u64, any_phases(most)).prop_map(|(b, t, p)| kernel(b, t, p));
    (prop::collection::vec(kernel, 1..=3), 1..=5_u64, 0..=7_u64, 0..=7_u64, any::<bool>()).prop_map(
        |(kernels, timer, start, warm_up, same)| {
            let kernels = if same { vec![kernels[0].clone(); kernels.len()] } else { kernels };
            TileSet::new(kernels, Nanoseconds(timer), Nanoseconds(start), Nanoseconds(warm_up)).unwrap()
        },
    )
}

fn any_mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(Mode::ALL.to_vec())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(10), failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config(3000))]

    /// The interval check is exact: pairs, lengths and sums, on the timer's grid and off it.
    #[test]
    fn the_interval_check_is_brute_force(
        tile_set in any_workload(9), mode in any_mode(), prefetch in 0..=20_u64, writeback in 0..=20_u64,
    ) {
        let offsets = Offsets { prefetch: Nanoseconds(prefetch), writeback: Nanoseconds(writeback) };
        if let Ok(schedule) = Schedule::uniform(&tile_set, mode, offsets) {
            agrees_with_brute_force(&schedule);
        }
    }

    /// Under contention the bound is the end of the run in which every phase takes as long as it may, block
    /// by block and tile by tile; no shorter durations end later, and only where memory phases cannot overlap
    /// do planned ones count.
    #[test]
    fn the_bound_is_the_longest_run(
        tile_set in any_workload(6), mode in any_mode(), prefetch in 0..=12_u64, writeback in 0..=12_u64,
        longer in prop::collection::vec((0..=9_u64, 0..=9_u64, 0..=9_u64), 3), prologue in 0..=9_u64, seed in any::<u64>(),
    ) {
        let with = |(kernel, by): (&TiledKernel, &(u64, u64, u64))| {
            let p = kernel.phases;
            let contended = phases(p.prefetch.0 + by.0, p.compute.0 + by.1, p.writeback.0 + by.2);
            TiledKernel { contended: Some(contended), ..kernel.clone() }
        };
        let kernels = tile_set.kernels().iter().zip(&longer).map(with).collect();
        let tile_set = TileSet::new(kernels, tile_set.timer(), tile_set.start(), tile_set.warm_up()).unwrap();
        let offsets = Offsets { prefetch: Nanoseconds(prefetch), writeback: Nanoseconds(writeback) };
        if let Ok(schedule) = Schedule::uniform(&tile_set, mode, offsets) {
            let (planned, early) = (looked(&schedule, Durations::Planned), looked(&schedule, Durations::UpTo));
            let execution = Execution::of(&schedule, None, Nanoseconds(prologue), &planned, &early).unwrap();
            let contended = |kernel: &TiledKernel| kernel.contended.unwrap();
            let (longest, shorter) = match execution.assumption() {
                Contention::Apart => {
                    prop_assert!(holds(&schedule, Rule::Relaxed));
                    (played(&schedule, |_, kernel| kernel.phases), 0)
                }
                Contention::Contended => {
                    let shorter = |n: u64, kernel: &TiledKernel| {
                        let least = |most: Nanoseconds, shift: u32| (seed >> ((shift + n as u32) % 60)) % most.0 + 1;
                        let most = contended(kernel);
                        phases(least(most.prefetch, 0), least(most.compute, 7), least(most.writeback, 13))
                    };
                    (played(&schedule, |_, kernel| contended(kernel)), played(&schedule, shorter))
                }
            };
            prop_assert!(shorter <= longest);
            prop_assert_eq!(execution.time().0, longest + prologue);
        }
    }

    /// The least even offsets satisfy the rule, and no smaller ones on the grid are allowed and do.
    #[test]
    fn least_offsets_are_least(tile_set in any_workload(7), mode in any_mode(), strict in any::<bool>()) {
        let rule = if strict { Rule::Strict } else { Rule::Relaxed };
        let many: Vec<TiledKernel> =
            tile_set.kernels().iter().map(|k| TiledKernel { tiles: 9, ..k.clone() }).collect();
        let tile_set = TileSet::new(many, tile_set.timer(), tile_set.start(), tile_set.warm_up()).unwrap();
        let Some(least) = least_offsets(&tile_set, mode, rule, None) else {
            prop_assert!(strict && matches!(mode, Mode::TileKernel | Mode::PhaseKernel));
            prop_assert!(tile_set.kernels().iter().any(|kernel| kernel.blocks > 1));
            return Ok(());
        };
        let schedule = Schedule::uniform(&tile_set, mode, least).unwrap();
        prop_assert!(holds(&schedule, rule), "{tile_set:?} {mode} {least:?}");
        prop_assert!(looked(&schedule, Durations::Planned).holds(rule));
        let timer = tile_set.timer().0;
        let satisfied = |offsets| {
            Schedule::uniform(&tile_set, mode, offsets).is_ok_and(|schedule| holds(&schedule, rule))
        };
        if matches!(mode, Mode::TileKernel | Mode::TileBlock) {
            for d in (0..least.prefetch.0).step_by(timer as usize) {
                let offsets = Offsets { prefetch: Nanoseconds(d), writeback: Nanoseconds::ZERO };
                prop_assert!(!satisfied(offsets), "{tile_set:?} {mode}: {d} < {least:?}");
            }
            return Ok(());
        }
        // phases: prefetches with writebacks far apart, then writebacks beside the prefetches found
        for d in (0..least.prefetch.0).step_by(timer as usize) {
            let offsets = Offsets { prefetch: Nanoseconds(d), writeback: Nanoseconds(200 * timer) };
            prop_assert!(!satisfied(offsets), "{tile_set:?} {mode}: prefetch {d} < {least:?}");
        }
        for e in (0..least.writeback.0).step_by(timer as usize) {
            let offsets = Offsets { prefetch: least.prefetch, writeback: Nanoseconds(e) };
            prop_assert!(!satisfied(offsets), "{tile_set:?} {mode}: writeback {e} < {least:?}");
        }
    }
}

/// Whether some offsets on the grid satisfy the rule in a hyperperiod of so many ticks, the first at 0.
fn some_offsets(all: &[Phases], timer: u64, ticks: u64) -> bool {
    let hyperperiod = ticks * timer;
    let occupied = |phases: &Phases, at: u64| -> Vec<u64> {
        let (p, c, w) = (phases.prefetch.0, phases.compute.0, phases.writeback.0);
        (0..p).chain(p + c..p + c + w).map(|t| (at + t) % hyperperiod).collect()
    };
    fn place(
        rest: &[Phases],
        busy: &mut [bool],
        at: std::ops::Range<u64>,
        timer: u64,
        occupied: &dyn Fn(&Phases, u64) -> Vec<u64>,
    ) -> bool {
        let Some((first, rest)) = rest.split_first() else { return true };
        let ticks = busy.len() as u64 / timer;
        for tick in at {
            let times = occupied(first, tick * timer);
            if times.iter().any(|&t| busy[t as usize]) {
                continue;
            }
            times.iter().for_each(|&t| busy[t as usize] = true);
            let done = place(rest, busy, 0..ticks, timer, occupied);
            times.iter().for_each(|&t| busy[t as usize] = false);
            if done {
                return true;
            }
        }
        false
    }
    if all.iter().any(|phases| phases.tile().0 > hyperperiod) {
        return false;
    }
    place(all, &mut vec![false; hyperperiod as usize], 0..1, timer, &occupied)
}

proptest! {
    #![proptest_config(config(400))]

    /// The least hyperperiod of whole tiles: every smaller one fails for all offsets on the grid.
    #[test]
    fn the_least_hyperperiod_of_tiles_is_least(
        all in prop::collection::vec(any_phases(5), 1..=4), same in any::<bool>(), timer in 1..=3_u64,
    ) {
        let all = if same { vec![all[0]; all.len()] } else { all };
        let kernels: Vec<TiledKernel> = all.iter().map(|&phases| kernel(2, 6, phases)).collect();
        let tile_set = TileSet::new(kernels, Nanoseconds(timer), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap();
        let found = least_hyperperiod(&tile_set, Mode::TileKernel, Rule::Relaxed, &limits(), |_| {});
        let found = found.unwrap().unwrap();
        prop_assert_eq!((found.ending, found.least), (Ending::Proved, found.schedule.hyperperiod()));
        prop_assert!(holds(&found.schedule, Rule::Relaxed));
        let ticks = found.least.0 / timer;
        prop_assert_eq!(ticks * timer, found.least.0);
        prop_assert!(some_offsets(&all, timer, ticks));
        for fewer in 1..ticks {
            prop_assert!(!some_offsets(&all, timer, fewer), "{:?}: {} < {}", all, fewer, ticks);
        }
    }

    /// The order of Mitten against every order.
    #[test]
    fn the_order_of_phases_is_best(
        all in prop::collection::vec(any_phases(9), 1..=5), timer in 1..=3_u64,
    ) {
        let kernels: Vec<TiledKernel> = all.iter().map(|&phases| kernel(1, 6, phases)).collect();
        let tile_set = TileSet::new(kernels, Nanoseconds(timer), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap();
        let found = least_hyperperiod(&tile_set, Mode::PhaseKernel, Rule::Strict, &limits(), |_| {});
        let schedule = found.unwrap().unwrap().schedule;
        prop_assert!(holds(&schedule, Rule::Strict));
        agrees_with_brute_force(&schedule);
        let up = |time: u64| time.div_ceil(timer) * timer;
        let best = orders(all.len()).into_iter().map(|order| {
            let (mut read, mut free) = (0, all.iter().map(|phases| up(phases.prefetch.0)).sum());
            let computed: Vec<u64> = order.iter().map(|&i| {
                let start: u64 = read;
                read += up(all[i].prefetch.0);
                start + all[i].prefetch.0 + all[i].compute.0
            }).collect();
            for (&i, computed) in order.iter().zip(computed) {
                free = up(computed).max(free) + up(all[i].writeback.0);
            }
            free
        }).min().unwrap();
        prop_assert_eq!(schedule.hyperperiod().0, best, "{:?}", all);
    }
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let longer = |order: Vec<usize>| {
        (0..count).map(move |at| {
            let mut order = order.clone();
            order.insert(at, count - 1);
            order
        })
    };
    orders(count - 1).into_iter().flat_map(longer).collect()
}

/// Where a wide hyperperiod is not a multiple of the offset, even offsets are not the best: P = W = 1, C = 3,
/// three kernels.
#[test]
fn even_offsets_are_not_always_best() {
    let kernels = vec![kernel(1, 4, phases(1, 3, 1)); 3];
    let tile_set = TileSet::new(kernels, Nanoseconds(1), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap();
    let even = least_offsets(&tile_set, Mode::TileKernel, Rule::Strict, None).unwrap();
    assert_eq!(even.prefetch, Nanoseconds(3));
    let schedule = Schedule::uniform(&tile_set, Mode::TileKernel, even).unwrap();
    assert_eq!(schedule.hyperperiod(), Nanoseconds(9));
    let found = least_hyperperiod(&tile_set, Mode::TileKernel, Rule::Strict, &limits(), |_| {});
    assert_eq!(found.unwrap().unwrap().least, Nanoseconds(7));
}

/// A search that is stopped leaves a schedule that holds, and a hyperperiod that none is below.
#[test]
fn a_limit_leaves_an_interval() {
    let kernels = vec![kernel(1, 4, phases(1, 3, 1)); 3];
    let tile_set = TileSet::new(kernels, Nanoseconds(1), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap();
    let limits = limits();
    limits.interrupt();
    let found = least_hyperperiod(&tile_set, Mode::TileKernel, Rule::Strict, &limits, |_| {});
    let found = found.unwrap().unwrap();
    assert_eq!(found.ending, Ending::Stopped(Stop::Interrupted));
    assert!(found.least <= Nanoseconds(7) && found.schedule.hyperperiod() >= Nanoseconds(7));
    assert!(holds(&found.schedule, Rule::Strict));
}

/// Durations up to the planned ones: where it says so, no draw of durations makes memory phases of kernels
/// overlap.
#[test]
fn early_phases_are_covered() {
    let kernels = vec![kernel(1, 30, phases(2, 8, 2)); 2];
    let tile_set = TileSet::new(kernels, Nanoseconds(1), Nanoseconds::ZERO, Nanoseconds::ZERO).unwrap();
    let jitter = warpspan::realtime::prem::Jitter { low: 10, high: 100 };
    for (mode, planned, early) in [(Mode::TileKernel, true, false), (Mode::PhaseKernel, true, true)] {
        let offsets = least_offsets(&tile_set, mode, Rule::Relaxed, None).unwrap();
        let schedule = Schedule::uniform(&tile_set, mode, offsets).unwrap();
        assert_eq!(looked(&schedule, Durations::Planned).holds(Rule::Relaxed), planned, "{mode}");
        assert_eq!(looked(&schedule, Durations::UpTo).holds(Rule::Relaxed), early, "{mode}");
        let outcome = warpspan::realtime::prem::simulate(&schedule, jitter, 20, 1, &limits()).unwrap();
        assert_eq!(outcome.memory_overlaps == 0, early, "{mode}");
        assert!(!outcome.is_overrun());
    }
}
