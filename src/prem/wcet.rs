//! How long it takes: composed from phases, and under the schedule.

use num_rational::Ratio;

use crate::prem::{Check, Ns, Rule, Schedule, TiledKernel, Workload};

/// The time from the start of the kernels until all of them have ended: *at most* so much, under an assumption. The only
/// kind that may become the execution time C of a response-time analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execution {
    time: Ns,
    assumption: Assumption,
}

/// What must be true for an execution time to hold; beside that, that the blocks start before their first start time, and
/// see the timer reach it without delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// Memory phases of different kernels never overlap, so the durations are those of each kernel while the others
    /// compute at most.
    Apart,
    /// The same, but only if no phase ends early: whole tiles let the writeback begin when the computation ends, and
    /// before its planned start it may meet a memory phase of another kernel.
    ApartIfExact,
    /// Memory phases of different kernels overlap: the durations must hold in spite of that.
    Overlapping,
}

impl Assumption {
    /// A sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::Apart => {
                "each phase takes at most its duration while no other kernel is in a memory phase; none ever is"
            }
            Self::ApartIfExact => {
                "each phase takes just its duration, no less, and the duration holds while no other kernel is in a memory \
                 phase; none is then"
            }
            Self::Overlapping => {
                "each phase takes at most its duration although memory phases of kernels overlap"
            }
        }
    }

    /// As it stands in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::ApartIfExact => "apart-if-exact",
            Self::Overlapping => "overlapping",
        }
    }
}

impl Execution {
    /// Of all kernels together, or of one of them (its index, from 0), from `Start_kernel` on, with warm-up and with all
    /// rounding to the timer.
    ///
    /// `planned` and `early` are the checks of the schedule with [`Durations`](crate::prem::Durations) as planned and up
    /// to that.
    pub fn of(schedule: &Schedule, kernel: Option<usize>, planned: &Check, early: &Check) -> Self {
        let slots = schedule.slots().iter().filter(|slot| kernel.is_none_or(|kernel| kernel == slot.kernel));
        let ends = slots.map(|slot| {
            let last = schedule.tiles(slot) - 1;
            schedule.end(slot, last, crate::prem::Phase::Writeback)
        });
        let end = ends.max().unwrap_or_default();
        let assumption = match (planned.holds(Rule::Relaxed), early.holds(Rule::Relaxed)) {
            (true, true) => Assumption::Apart,
            (true, false) => Assumption::ApartIfExact,
            (false, _) => Assumption::Overlapping,
        };
        Self { time: Ns(end.0.saturating_sub(schedule.workload().start().0)), assumption }
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

/// The hyperperiods one after the other (Kr19: tiles times `T_hyper`), without start and warm-up.
///
/// This is *not* an upper bound: the last tile of the last slot may end later, see [`Execution`].
pub fn hyperperiods(schedule: &Schedule) -> Ns {
    schedule.hyperperiod() * schedule.workload().kernels().iter().map(|k| k.tiles).max().unwrap_or(0)
}

/// Tiles times the sum of the durations (Kr19 section 4.2.4), the largest of all kernels; under contention where such
/// durations are given.
///
/// An upper bound on the time without a schedule only if the durations are worst cases under contention.
pub fn composed(workload: &Workload) -> Ns {
    let tile = |kernel: &TiledKernel| kernel.contended.unwrap_or(kernel.phases).tile();
    workload.kernels().iter().map(|kernel| tile(kernel) * kernel.tiles).max().unwrap_or_default()
}

/// One kernel after the other, each alone, without a schedule.
pub fn one_after_other(workload: &Workload) -> Ns {
    workload.kernels().iter().map(|kernel| kernel.phases.tile() * kernel.tiles).sum()
}

/// One time over another.
pub fn ratio(time: Ns, over: Ns) -> Ratio<u64> {
    Ratio::new(time.0, over.0.max(1))
}
