//! Which phases overlap: the check covers every pair of phases of the whole run, without going through the
//! run.
//!
//! Start times repeat from one hyperperiod to the next, up to the rounding to the timer, which repeats every
//! R = g / gcd(g, `T_hyper`) hyperperiods (g is the granularity of the timer). So the overlap of phase a in
//! tile m with phase b in tile m + delta depends only on delta and on m mod R, and vanishes for all but the
//! few delta that bring the two within a phase's length of each other. The check goes through slots, phases,
//! delta and m mod R, and counts how many tiles of the run each case stands for. It does not depend on the
//! number of tiles, and approximates no start time.
//!
//! This module imports nothing of the search for offsets.

use std::collections::BTreeMap;

use crate::schedule::Window;
use crate::{Phase, Rule, Schedule, Slot};
use warpspan_model::time::Nanoseconds;

/// The durations that phases take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durations {
    /// Each phase takes its worst case, as planned.
    Planned,
    /// Each phase takes any time up to its worst case. A writeback that does not wait for a time of its own
    /// may then lie anywhere from the start of its tile to its planned end.
    UpTo,
}

/// The overlaps of a phase of one kernel with a phase of another one, or with a phase of other blocks of the
/// same kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// The indices of the kernels, from 0; they are equal for overlaps within a kernel.
    pub kernels: (usize, usize),
    /// A phase of each kernel.
    pub phases: (Phase, Phase),
    /// The number of pairs that overlap in a steady pattern of hyperperiods ([`Check::pattern`]).
    pub steady: u64,
    /// The number of pairs that overlap in the whole run. Phases that start together as one slot count once.
    pub count: u64,
    /// The sum of the overlaps over the pairs, in ns.
    pub total: u128,
    /// The longest overlap.
    pub longest: Nanoseconds,
}

/// The overlaps of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The overlaps by kernels and phases; pairs that never overlap are left out.
    pub overlaps: Vec<Overlap>,
    /// The number of hyperperiods in a steady pattern; it is 1 unless rounding to the timer differs from one
    /// to the next.
    pub pattern: u64,
    /// Whether a slot starts several blocks together, so that they overlap phase by phase.
    pub blocks_together: bool,
}

impl Check {
    /// The numbers of pairs of memory phases that overlap in the whole run: of different kernels, and of
    /// blocks of the same kernel that do not start together.
    #[doc(hidden)]
    pub fn memory_overlaps(&self) -> (u64, u64) {
        let memory = |overlap: &&Overlap| overlap.phases.0.is_memory() && overlap.phases.1.is_memory();
        let (mut between, mut within) = (0, 0);
        for overlap in self.overlaps.iter().filter(memory) {
            if overlap.kernels.0 == overlap.kernels.1 {
                within += overlap.count;
            } else {
                between += overlap.count;
            }
        }
        (between, within)
    }

    /// Whether no two memory phases overlap that the rule keeps apart.
    pub fn holds(&self, rule: Rule) -> bool {
        let (between, within) = self.memory_overlaps();
        match rule {
            Rule::Relaxed => between == 0,
            Rule::Strict => between == 0 && within == 0 && !self.blocks_together,
        }
    }
}

/// Checks every pair of phases of the run. No limit stops it, so a schedule that a search has found in time
/// is always checked.
pub fn check(schedule: &Schedule, durations: Durations) -> Check {
    let slots = schedule.slots();
    let kernels = schedule.tile_set().kernels();
    let most = kernels.iter().map(|kernel| kernel.tiles).max().unwrap_or(0);
    let pattern = schedule.pattern().min(most);
    let mut found = BTreeMap::new();
    for (i, one) in slots.iter().enumerate() {
        for other in &slots[i + 1..] {
            for a in Phase::ALL {
                for b in Phase::ALL {
                    pair(schedule, durations, pattern, (one, a), (other, b), &mut found);
                }
            }
        }
    }
    let together = |slot: &Slot| slot.block.is_none() && kernels[slot.kernel].blocks > 1;
    Check { overlaps: found.into_values().collect(), pattern, blocks_together: slots.iter().any(together) }
}

/// The key of the overlaps: the kernels, and a phase of each.
type Kind = (usize, usize, Phase, Phase);

/// The window in which a phase may lie.
fn window(schedule: &Schedule, durations: Durations, (slot, phase): (&Slot, Phase)) -> Window {
    let planned = schedule.window(slot, phase);
    if durations == Durations::UpTo && phase == Phase::Writeback {
        return Window { shift: Nanoseconds::ZERO, length: planned.shift + planned.length, ..planned };
    }
    planned
}

/// The overlaps of two phases of two slots.
fn pair(
    schedule: &Schedule,
    durations: Durations,
    pattern: u64,
    one: (&Slot, Phase),
    other: (&Slot, Phase),
    found: &mut BTreeMap<Kind, Overlap>,
) {
    let (a, b) = (window(schedule, durations, one), window(schedule, durations, other));
    let timer = schedule.tile_set().timer();
    let hyperperiod = schedule.hyperperiod().signed();
    let begin = schedule.begins(0).signed();
    let start = |window: Window, tile: i128| {
        let planned = begin + tile * hyperperiod + window.anchor.signed();
        let ticks = -((-planned).div_euclid(timer.signed()));
        ticks * timer.signed() + window.shift.signed()
    };
    // The overlap of tile m of the first slot with tile m + delta of the second.
    let overlap = |m: i128, delta: i128| {
        let (s, t) = (start(a, m), start(b, m + delta));
        (s + a.length.signed()).min(t + b.length.signed()) - s.max(t)
    };
    let apart = (b.anchor + b.shift).signed() - (a.anchor + a.shift).signed();
    let slack = timer.signed() - 1;
    let first = (-b.length.signed() - apart - slack).div_euclid(hyperperiod);
    let last = (a.length.signed() - apart + slack).div_euclid(hyperperiod);
    let (tiles, others) = (schedule.tiles(one.0), schedule.tiles(other.0));
    for delta in first..=last {
        let steady = (0..pattern).filter(|&m| overlap(m.into(), delta) > 0).count() as u64;
        let from = (-delta).max(0);
        let until = i128::from(tiles).min(i128::from(others) - delta);
        if steady == 0 && until <= from {
            continue;
        }
        let mut sum = Overlap {
            kernels: (one.0.kernel, other.0.kernel),
            phases: (one.1, other.1),
            steady,
            count: 0,
            total: 0,
            longest: Nanoseconds::ZERO,
        };
        for m in from..until.min(from + i128::from(schedule.pattern())) {
            let length = Nanoseconds(u64::try_from(overlap(m, delta)).unwrap_or(0));
            if length > Nanoseconds::ZERO {
                let times = (until - 1 - m) / i128::from(schedule.pattern()) + 1;
                let times = u64::try_from(times).unwrap_or(u64::MAX);
                sum.count += times;
                sum.total += u128::from(length.0) * u128::from(times);
                sum.longest = sum.longest.max(length);
            }
        }
        if sum.steady > 0 || sum.count > 0 {
            add(sum, found);
        }
    }
}

fn add(mut one: Overlap, found: &mut BTreeMap<Kind, Overlap>) {
    if one.kernels.0 == one.kernels.1 && one.phases.0 > one.phases.1 {
        one.phases = (one.phases.1, one.phases.0);
    }
    let kind = (one.kernels.0, one.kernels.1, one.phases.0, one.phases.1);
    let sum = found.entry(kind).or_insert(Overlap {
        steady: 0,
        count: 0,
        total: 0,
        longest: Nanoseconds::ZERO,
        ..one
    });
    sum.steady += one.steady;
    sum.count += one.count;
    sum.total += one.total;
    sum.longest = sum.longest.max(one.longest);
}
