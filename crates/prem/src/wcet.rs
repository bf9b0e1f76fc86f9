//! Execution times: composed from phases, and under the schedule.

use num_rational::Ratio;
use thiserror::Error;

use crate::{Check, Phase, Phases, Rule, Schedule, Slot, TileSet, TiledKernel};
use warpspan_model::assumption;
use warpspan_model::time::Nanoseconds;
use warpspan_model::words;

/// An upper bound on the time from the launch of the kernels until all of them have ended, which holds under
/// an assumption. Nothing else may become the execution time C of a response-time analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    time: Nanoseconds,
    assumption: Contention,
}

words! {
    /// What a bound assumes.
    // An execution time holds under it. It also needs that all blocks spin on the timer when the schedule starts,
    // the prologue after their launch, and that they see the timer reach a start time without delay.
    Contention {
        /// The memory phases of kernels do not overlap, and each phase takes at most its duration.
        // However early a phase ends: so it is enough that the durations hold while the other kernels compute at most.
        Apart = "apart",
        /// Each phase takes at most its duration under contention.
        // Memory phases of different kernels overlap, or may overlap; blocks fall behind the schedule where that is
        // longer than planned.
        Contended = "contended",
    }
}

/// Why there is no bound on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoBound {
    /// Memory phases of different kernels overlap so many times, and the planned durations are not said to
    /// hold then.
    #[error("memory phases overlap {} and no contended durations are given", times(*.0))]
    Overlaps(u64),
    /// Memory phases overlap once a phase ends early: with whole tiles the writeback begins when the computation ends,
    /// and before its planned start it may overlap a memory phase of another kernel.
    #[error("memory phases overlap once a phase ends early, and no contended durations are given")]
    Early,
}

/// Words for a number of times, with digits in groups of three.
fn times(count: u64) -> String {
    let digits = count.to_string();
    let group = |(place, digit): (usize, char)| {
        let comma = place > 0 && (digits.len() - place).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    let grouped: String = digits.chars().enumerate().flat_map(group).collect();
    format!("{grouped} time{}", if count == 1 { "" } else { "s" })
}

impl Contention {
    /// What a bound under it rests on.
    pub fn rests_on(self) -> assumption::Assumption {
        let value = match self {
            Self::Apart => {
                "at most its duration while its kernel's own blocks run and no other kernel is in a memory phase; none ever is"
            }
            Self::Contended => {
                "at most its [contended] duration, whatever else runs; blocks fall behind the schedule"
            }
        };
        self.declared("each phase takes", value)
    }

    /// What the keys of the file declare that give the durations.
    fn declared(self, subject: &str, value: &str) -> assumption::Assumption {
        let key = match self {
            Self::Apart => "durations in the file",
            Self::Contended => "[contended] in the file",
        };
        assumption::Assumption::declared(assumption::Id::TilesPhases, subject, value).by(key)
    }

    /// The durations of phases that a bound under it counts: of all kernels, or of each where they differ.
    pub fn durations(self, kernels: &[TiledKernel]) -> Vec<assumption::Assumption> {
        let of = |kernel: &TiledKernel| match self {
            Self::Apart => Some(kernel.phases),
            Self::Contended => kernel.contended,
        };
        let is_same = kernels.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]));
        let shown = if is_same { kernels.get(..1).unwrap_or_default() } else { kernels };
        let row = |kernel: &TiledKernel| {
            let Phases { prefetch, compute, writeback } = of(kernel)?;
            let whose = if is_same { "a tile" } else { kernel.name.as_str() };
            let value = format!("at most {}, {} and {} ns", prefetch.0, compute.0, writeback.0);
            let subject = format!("{whose}, its prefetch, computation and writeback");
            Some(self.declared(&subject, &value))
        };
        shown.iter().filter_map(row).collect()
    }
}

impl Execution {
    /// The bound for all kernels together, or for one of them (its index, from 0). It counts from their
    /// launch, and contains the `prologue` until the schedule starts, the warm-up, and all rounding to the
    /// timer.
    ///
    /// `planned` and `early` are the checks of the schedule with
    /// [`Durations::Planned`](crate::Durations) and with
    /// [`Durations::UpTo`](crate::Durations). Where memory phases of different kernels can
    /// overlap, the planned durations prove nothing. Then the durations under contention count, with which
    /// blocks begin late.
    ///
    /// # Errors
    /// If memory phases can overlap and a kernel has no durations under contention.
    pub fn of(
        schedule: &Schedule,
        kernel: Option<usize>,
        prologue: Nanoseconds,
        planned: &Check,
        early: &Check,
    ) -> Result<Self, NoBound> {
        let kernels = schedule.tile_set().kernels();
        let apart = planned.holds(Rule::Relaxed) && early.holds(Rule::Relaxed);
        let contended: Option<Vec<Phases>> = kernels.iter().map(|kernel| kernel.contended).collect();
        let (assumption, durations) = match (apart, contended) {
            (true, _) => (Contention::Apart, kernels.iter().map(|kernel| kernel.phases).collect()),
            (false, Some(contended)) => (Contention::Contended, contended),
            (false, None) => {
                return Err(match planned.memory_overlaps() {
                    (0, _) => NoBound::Early,
                    (pairs, _) => NoBound::Overlaps(pairs),
                });
            }
        };
        Ok(Self { time: by_durations(schedule, kernel, prologue, &durations), assumption })
    }

    /// The same, if other kernels than these may be in memory phases too: by durations under contention, also
    /// where the kernels never disturb each other. `None` if a kernel has none.
    pub fn contended(schedule: &Schedule, kernel: Option<usize>, prologue: Nanoseconds) -> Option<Self> {
        let kernels = schedule.tile_set().kernels();
        let durations: Option<Vec<Phases>> = kernels.iter().map(|kernel| kernel.contended).collect();
        let time = by_durations(schedule, kernel, prologue, &durations?);
        Some(Self { time, assumption: Contention::Contended })
    }

    /// The upper bound.
    pub fn time(self) -> Nanoseconds {
        self.time
    }

    /// The assumption under which it holds.
    pub fn assumption(self) -> Contention {
        self.assumption
    }
}

/// The latest end of the kernels, or of one of them, from their launch on, if phases take up to `durations`.
fn by_durations(
    schedule: &Schedule,
    kernel: Option<usize>,
    prologue: Nanoseconds,
    durations: &[Phases],
) -> Nanoseconds {
    let slots = schedule.slots().iter().filter(|slot| kernel.is_none_or(|kernel| kernel == slot.kernel));
    let end = slots.map(|slot| latest(schedule, slot, durations[slot.kernel])).max().unwrap_or_default();
    prologue + Nanoseconds(end.0.saturating_sub(schedule.tile_set().start().0))
}

/// The latest end of the last tile of a slot, if its phases take up to `durations`.
///
/// A phase begins at its start time, or late, when the phase before ends. So the end of the last phase is the
/// end of a chain of phases without a gap, the first of which began at its start time: the longest such chain
/// gives the latest end. Start times grow by the same amount from each tile to the tile `pattern` later, and
/// a chain shrinks by the same amount. So of the tiles at which a chain may begin, only the first and the
/// last of each residue have to be examined.
pub(super) fn latest(schedule: &Schedule, slot: &Slot, durations: Phases) -> Nanoseconds {
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

/// The end of the last writeback, from the start of the schedule on, if every phase takes exactly its planned
/// duration. This is *no* bound: see [`Execution`].
pub fn planned_end(schedule: &Schedule) -> Nanoseconds {
    let end = |slot: &Slot| schedule.end(slot, schedule.tiles(slot) - 1, Phase::Writeback);
    let end = schedule.slots().iter().map(end).max().unwrap_or_default();
    Nanoseconds(end.0.saturating_sub(schedule.tile_set().start().0))
}

/// The number of tiles times the sum of the durations (Kr19 section 4.2.4), the largest of all kernels.
/// Durations under contention are used where they are given.
///
/// This is an upper bound on the time without a schedule only if the durations are worst cases under
/// contention.
pub fn composed(tile_set: &TileSet) -> Nanoseconds {
    let tile = |kernel: &TiledKernel| kernel.contended.unwrap_or(kernel.phases).tile();
    tile_set.kernels().iter().map(|kernel| tile(kernel) * kernel.tiles).max().unwrap_or_default()
}

/// The time of one kernel after the other, each alone, without a schedule.
pub fn one_after_other(tile_set: &TileSet) -> Nanoseconds {
    tile_set.kernels().iter().map(|kernel| kernel.phases.tile() * kernel.tiles).sum()
}

/// The ratio of one time to another.
pub fn ratio(time: Nanoseconds, over: Nanoseconds) -> Ratio<u64> {
    Ratio::new(time.0, over.0.max(1))
}
