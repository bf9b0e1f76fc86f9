//! How long it takes: composed from phases, and under the schedule.

use num_rational::Ratio;
use thiserror::Error;

use crate::realtime::prem::{Check, Ns, Phase, Phases, Rule, Schedule, Slot, TileSet, TiledKernel};

/// The time from the launch of the kernels until all of them have ended: *at most* so much, under an assumption. The only
/// kind that may become the execution time C of a response-time analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    time: Ns,
    assumption: Assumption,
}

/// What must be true for an execution time to hold; beside that, that all blocks spin on the timer when the schedule
/// starts, the prologue after their launch, and see the timer reach a start time without delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// Memory phases of different kernels never overlap, however early a phase ends, so the durations are those of each
    /// kernel while the others compute at most.
    Apart,
    /// Memory phases of different kernels overlap, or may: each phase takes at most its duration under contention, and
    /// blocks fall behind the schedule where that is longer than planned.
    Contended,
}

/// Why there is no bound on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoBound {
    /// Memory phases of different kernels overlap so many times, and the planned durations are not said to hold then.
    #[error("memory phases overlap {} and no contended durations are given", times(*.0))]
    Overlaps(u64),
    /// They do once a phase ends early: whole tiles let the writeback begin when the computation ends, and before its
    /// planned start it may meet a memory phase of another kernel.
    #[error("memory phases overlap once a phase ends early, and no contended durations are given")]
    Early,
}

/// A number of times in words, its digits in groups of three.
fn times(count: u64) -> String {
    let digits = count.to_string();
    let group = |(place, digit): (usize, char)| {
        let comma = place > 0 && (digits.len() - place).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    let grouped: String = digits.chars().enumerate().flat_map(group).collect();
    format!("{grouped} time{}", if count == 1 { "" } else { "s" })
}

impl Assumption {
    /// A sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::Apart => {
                "each phase takes at most its duration while its kernel's own blocks run and no other kernel is in a memory phase; \
                 none ever is"
            }
            Self::Contended => {
                "each phase takes at most its [contended] duration, whatever runs beside it; blocks fall behind the schedule"
            }
        }
    }

    /// As it stands in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Contended => "contended",
        }
    }
}

impl Execution {
    /// Of all kernels together, or of one of them (its index, from 0), from their launch on, with `prologue` until the
    /// schedule starts, warm-up, and all rounding to the timer.
    ///
    /// `planned` and `early` are the checks of the schedule with [`Durations`](crate::realtime::prem::Durations) as planned and up
    /// to that. Where memory phases of different kernels can overlap, the planned durations prove nothing; then those
    /// under contention count, with which blocks begin late.
    ///
    /// # Errors
    /// If memory phases can overlap and a kernel has no durations under contention.
    pub fn of(
        schedule: &Schedule,
        kernel: Option<usize>,
        prologue: Ns,
        planned: &Check,
        early: &Check,
    ) -> Result<Self, NoBound> {
        let kernels = schedule.tile_set().kernels();
        let apart = planned.holds(Rule::Relaxed) && early.holds(Rule::Relaxed);
        let contended: Option<Vec<Phases>> = kernels.iter().map(|kernel| kernel.contended).collect();
        let (assumption, durations) = match (apart, contended) {
            (true, _) => (Assumption::Apart, kernels.iter().map(|kernel| kernel.phases).collect()),
            (false, Some(contended)) => (Assumption::Contended, contended),
            (false, None) => {
                return Err(match planned.memory_overlaps() {
                    (0, _) => NoBound::Early,
                    (pairs, _) => NoBound::Overlaps(pairs),
                });
            }
        };
        let slots = schedule.slots().iter().filter(|slot| kernel.is_none_or(|kernel| kernel == slot.kernel));
        let end = slots.map(|slot| latest(schedule, slot, durations[slot.kernel])).max().unwrap_or_default();
        let start = schedule.tile_set().start();
        Ok(Self { time: prologue + Ns(end.0.saturating_sub(start.0)), assumption })
    }

    /// The time.
    pub fn time(self) -> Ns {
        self.time
    }

    /// What must be true for it to hold.
    pub fn assumption(self) -> Assumption {
        self.assumption
    }
}

/// When a slot has ended its last tile at the latest, if its phases take up to `durations`.
///
/// A phase begins at its start time or, late, when the phase before ends. So the end of the last phase is that of a chain of
/// phases without a gap, the first of which began at its start time: the longest such chain is the latest end. Start times
/// grow by the same amount from each tile to that `pattern` tiles later, and a chain shrinks by the same amount, so of the
/// tiles at which a chain may begin only the first and the last of each residue matter.
fn latest(schedule: &Schedule, slot: &Slot, durations: Phases) -> Ns {
    let tiles = schedule.tiles(slot);
    let pattern = schedule.pattern().min(tiles);
    let chain = |tile: u64| {
        let left = durations.tile() * (tiles - tile);
        let prefetch = schedule.start(slot, tile, Phase::Prefetch).1 + left;
        if !schedule.mode().times_writebacks() {
            return prefetch;
        }
        let writeback = schedule.start(slot, tile, Phase::Writeback).1 + left;
        prefetch.max(writeback - durations.prefetch - durations.compute)
    };
    (0..pattern).chain(tiles - pattern..tiles).map(chain).max().unwrap_or_default()
}

/// When the last writeback ends if every phase takes just its planned duration, from the start of the schedule on. *No*
/// bound: see [`Execution`].
pub fn planned_end(schedule: &Schedule) -> Ns {
    let end = |slot: &Slot| schedule.end(slot, schedule.tiles(slot) - 1, Phase::Writeback);
    let end = schedule.slots().iter().map(end).max().unwrap_or_default();
    Ns(end.0.saturating_sub(schedule.tile_set().start().0))
}

/// Tiles times the sum of the durations (Kr19 section 4.2.4), the largest of all kernels; under contention where such
/// durations are given.
///
/// An upper bound on the time without a schedule only if the durations are worst cases under contention.
pub fn composed(tile_set: &TileSet) -> Ns {
    let tile = |kernel: &TiledKernel| kernel.contended.unwrap_or(kernel.phases).tile();
    tile_set.kernels().iter().map(|kernel| tile(kernel) * kernel.tiles).max().unwrap_or_default()
}

/// One kernel after the other, each alone, without a schedule.
pub fn one_after_other(tile_set: &TileSet) -> Ns {
    tile_set.kernels().iter().map(|kernel| kernel.phases.tile() * kernel.tiles).sum()
}

/// One time over another.
pub fn ratio(time: Ns, over: Ns) -> Ratio<u64> {
    Ratio::new(time.0, over.0.max(1))
}
