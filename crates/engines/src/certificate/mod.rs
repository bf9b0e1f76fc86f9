//! Certificates: an answer with its proof, which a checker accepts that shares no code with this program.
//!
//! A certificate states the input as the user gave it and the two ends of the worst case, and says for each end
//! what proves it. The theorems are those of the folder `proofs`, which Coq has checked; what is left for each
//! instance is a computation, which the checker repeats:
//!
//! | end | proof | the checker computes |
//! |---|---|---|
//! | at least | [`Lower::Schedule`] | a replay of the schedule |
//! | at least | [`Lower::Bottleneck`] | the letters of the fullest unit, in every complete schedule |
//! | at most | [`Upper::Phases`] | the critical path, and the phase bound at the prices theta |
//! | at most | [`Upper::Search`] | all states from which the phase bound does not show that every schedule ends in time; with barriers all states |
//! | at most | [`Upper::Segments`] | one of these for each segment between the barriers of one block, and their sum |
//! | at least | [`Lower::Grid`] | a replay of the schedule of blocks that follow one another |
//! | at most | [`Upper::Relay`] | the bound for equal blocks that follow one another, at the prices theta |
//! | both | [`Upper::Theorem`] | the closed form of one kernel at sigma 1, or the longest path of two warps |
//!
//! [`coq`] writes a certificate as a file that `coqc` checks against `proofs`, and [`json`] as one for the small
//! checker that is extracted from the proofs.

mod coq;
mod grid;
mod json;
mod search;
mod upper;

use grid::is_of_warps;
use thiserror::Error;

use warpspan_check::bound::Interval;
use warpspan_check::schedule::Witness;
use warpspan_model::{Code, Cycles, Grid, Instance, Kernel, PerUnit, Throughput, Unit, Workload};

pub use coq::coq;
pub use json::json;
pub use upper::{Proved, Upper};

/// The input of a certificate and what is proved of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    sigma: PerUnit<Throughput>,
    /// The kernels as the user gave them, each with its number of warps.
    kernels: Vec<(Kernel, u64)>,
    shape: Shape,
    lower: Option<Lower>,
    upper: Proved,
}

/// How the warps are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Warps that start together, without barriers.
    Warps,
    /// Warps that start together in blocks that share barriers: the number of warps in a block, or 0 if each group
    /// is one block.
    Barriers(u64),
    /// Equal blocks that follow one another. The warps of the kernel are those of one block.
    Grid { blocks: u64, multiprocessors: u64, resident: u64 },
}

impl Shape {
    fn of(instance: &Instance) -> Self {
        if instance.has_barriers() {
            Self::Barriers(instance.warps_per_block().unwrap_or(0))
        } else {
            Self::Warps
        }
    }

    fn of_grid(grid: &Grid) -> Self {
        let (blocks, multiprocessors) = (grid.blocks(), grid.multiprocessors());
        Self::Grid { blocks, multiprocessors, resident: grid.resident() }
    }
}

/// What proves the lower end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lower {
    /// A schedule: for each cycle the warps that issue in it, numbered from 0 group by group, in increasing order.
    Schedule(Vec<Vec<u64>>),
    /// A schedule of blocks that follow one another.
    Grid {
        /// The slots that blocks take, in the order in which they start. Each multiprocessor has its slots one
        /// after the other.
        slots: Vec<u64>,
        /// For each cycle the warps that issue in it, in increasing order. Slot k holds the warps from k b on, b
        /// being the warps of a block.
        cycles: Vec<Vec<u64>>,
    },
    /// The fullest unit: every complete schedule takes at least these cycles.
    Bottleneck(Cycles),
}

/// Why there is no certificate of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refused {
    /// A kernel has branches or loops.
    #[error("a kernel has branches or loops: certificates are for kernel strings")]
    Paths,
    /// Blocks that follow one another or are on several multiprocessors have barriers.
    #[error(
        "blocks with barriers that follow one another or are on several multiprocessors: certificates of grids are \
         for blocks without barriers"
    )]
    GridBarriers,
    /// A number does not fit.
    #[error("a number of the bound does not fit in 64 bits")]
    TooLarge,
}

/// The most issues of a schedule that a certificate holds. The text takes a few bytes for each.
const MOST_ISSUES: usize = 1_000_000;

/// The most slots of a grid whose schedule a certificate holds. The checker looks at all of them in each cycle.
const MOST_SLOTS: u64 = 10_000;

impl Certificate {
    /// Whether certificates are for workloads of this kind.
    ///
    /// # Errors
    /// If the workload has branches or loops.
    pub fn is_possible(workload: &Workload) -> Result<(), Refused> {
        workload.instance().map(|_| ()).ok_or(Refused::Paths)
    }

    /// Whether certificates are for grids of this kind.
    ///
    /// # Errors
    /// If the grid has branches or loops, or blocks that follow one another or are on several multiprocessors have
    /// barriers.
    pub fn is_possible_for(grid: &Grid) -> Result<(), Refused> {
        let instance = grid.block().instance().ok_or(Refused::Paths)?;
        if instance.has_barriers() && !is_of_warps(grid) {
            return Err(Refused::GridBarriers);
        }
        Ok(())
    }

    /// The certificate of an answer: the worst case of the workload lies in the interval, and the witness takes
    /// as many cycles as its lower end.
    ///
    /// The certificate may prove less than the answer says ([`at_least`](Self::at_least),
    /// [`at_most`](Self::at_most)): an upper end that follows from a search too large to be repeated is proved
    /// only as far as the phase bound goes, and a lower end without a schedule only where a theorem gives the worst case.
    ///
    /// # Errors
    /// If the workload has branches or loops.
    pub fn new(workload: &Workload, worst: Interval, witness: Option<&Witness>) -> Result<Self, Refused> {
        let instance = workload.instance().ok_or(Refused::Paths)?;
        let schedule = witness.filter(|witness| witness.schedule().issues().len() <= MOST_ISSUES);
        Self::of_warps(workload, worst, schedule.map(|witness| Lower::Schedule(cycles(instance, witness))))
    }

    /// The same of the answer for a grid. If all of its blocks start together on one
    /// multiprocessor, the certificate is about their warps.
    ///
    /// # Errors
    /// As [`is_possible_for`](Self::is_possible_for), or if a number does not fit.
    pub fn of_grid(grid: &Grid, worst: Interval, witness: Option<&Witness>) -> Result<Self, Refused> {
        Self::is_possible_for(grid)?;
        let slots = grid.multiprocessors().saturating_mul(grid.at_once());
        let few = is_of_warps(grid) || slots <= MOST_SLOTS;
        let schedule = witness.filter(|witness| few && witness.schedule().issues().len() <= MOST_ISSUES);
        let lower = schedule.map(|witness| grid::schedule(grid, witness));
        if is_of_warps(grid) {
            return Self::of_warps(grid.together(), worst, lower);
        }
        let upper = grid::relay(grid, worst.upper().cycles()).ok_or(Refused::TooLarge)?;
        Self::build(grid.block(), Shape::of_grid(grid), lower, upper)
    }

    fn of_warps(workload: &Workload, worst: Interval, lower: Option<Lower>) -> Result<Self, Refused> {
        let instance = workload.instance().ok_or(Refused::Paths)?;
        let shape = Shape::of(instance);
        let upper = Proved::of(instance, worst);
        let lower = lower.or_else(|| fullest(instance, shape).filter(|_| upper.by != Upper::Theorem));
        Self::build(workload, shape, lower, upper)
    }

    /// The certificate of the bounds of a workload: its upper end without a search, and of its lower end the fullest
    /// unit where there are no barriers.
    ///
    /// # Errors
    /// If the workload has branches or loops.
    pub fn of_bounds(workload: &Workload) -> Result<Self, Refused> {
        let instance = workload.instance().ok_or(Refused::Paths)?;
        let shape = Shape::of(instance);
        Self::build(workload, shape, fullest(instance, shape), Proved::without_search(instance))
    }

    /// The certificate of the upper bound of a grid.
    ///
    /// # Errors
    /// As [`of_grid`](Self::of_grid).
    pub fn of_grid_bounds(grid: &Grid) -> Result<Self, Refused> {
        Self::is_possible_for(grid)?;
        if is_of_warps(grid) {
            return Self::of_bounds(grid.together());
        }
        let upper = grid::relay(grid, Cycles(0)).ok_or(Refused::TooLarge)?;
        Self::build(grid.block(), Shape::of_grid(grid), None, upper)
    }

    fn build(
        workload: &Workload,
        shape: Shape,
        lower: Option<Lower>,
        upper: Proved,
    ) -> Result<Self, Refused> {
        let kernel = |code: &Code| code.kernel().cloned();
        let kernels = workload.groups().iter().map(|group| Some((kernel(&group.code)?, group.warps)));
        let kernels = kernels.collect::<Option<_>>().ok_or(Refused::Paths)?;
        let sigma = PerUnit::from_fn(|unit| workload.multiprocessor().sigma(unit));
        Ok(Self { sigma, kernels, shape, lower, upper })
    }

    /// The cycles that a schedule is proved to take, if the certificate proves a lower end.
    pub fn at_least(&self) -> Option<Cycles> {
        match (&self.lower, &self.upper.by) {
            (Some(Lower::Schedule(cycles) | Lower::Grid { cycles, .. }), _) => {
                Some(Cycles(cycles.len() as u64))
            }
            (_, Upper::Theorem) => Some(self.upper.cycles),
            (Some(Lower::Bottleneck(cycles)), _) => Some(*cycles),
            (None, _) => None,
        }
    }

    /// The cycles that every schedule is proved to end within.
    pub fn at_most(&self) -> Cycles {
        self.upper.cycles
    }
}

/// What the fullest unit proves, where the checker has that claim. The bottleneck of [`warpspan_check::bound`] may be larger,
/// since it also counts the letters of the longest string.
fn fullest(instance: &Instance, shape: Shape) -> Option<Lower> {
    let cycles = |unit| instance.total_issues_on(unit).div_ceil(instance.given_sigma(unit));
    (shape == Shape::Warps)
        .then(|| Lower::Bottleneck(Cycles(Unit::ALL.map(cycles).into_iter().max().unwrap_or(0))))
}

/// The warps that issue in each cycle.
fn cycles(instance: &Instance, witness: &Witness) -> Vec<Vec<u64>> {
    let mut firsts = vec![0];
    for group in instance.groups() {
        firsts.push(firsts[firsts.len() - 1] + group.warps);
    }
    let mut cycles = vec![Vec::new(); usize::try_from(witness.makespan().0).unwrap_or_default()];
    for issue in witness.schedule().issues() {
        let cycle = &mut cycles[usize::try_from(issue.cycle - 1).unwrap_or_default()];
        cycle.push(firsts[issue.group as usize] + u64::from(issue.warp));
    }
    cycles.iter_mut().for_each(|warps| warps.sort_unstable());
    cycles
}
