//! Certificates: an answer with its proof, which a checker accepts that shares no code with this program.
//!
//! A certificate states the input as the user gave it and the two ends of the worst case, and says for each end
//! what proves it. The theorems are those of the folder `proofs`, which Coq has checked; what is left for each
//! instance is a computation, which the checker repeats:
//!
//! | end | proof | the checker computes |
//! |---|---|---|
//! | at least | [`Lower::Schedule`] | a replay of the schedule |
//! | at most | [`Upper::Phases`] | the critical path, and the phase bound at the prices theta |
//! | at most | [`Upper::Search`] | all states from which the phase bound does not show that every schedule ends in time; with barriers all states |
//! | at most | [`Upper::Segments`] | one of these for each segment between the barriers of one block, and their sum |
//! | both | [`Upper::Theorem`] | the closed form of one kernel at sigma 1, or the longest path of two warps |
//!
//! [`coq`] writes a certificate as a file that `coqc` checks against `proofs`, and [`json`] as one for the small
//! checker that is extracted from the proofs.

mod coq;
mod json;
mod search;
mod upper;

use thiserror::Error;

use crate::bound::Interval;
use crate::model::{Code, Cycles, Instance, Kernel, PerUnit, Throughput, Workload};
use crate::schedule::Witness;

pub use coq::coq;
pub use json::json;
pub use upper::{Proved, Upper};

/// The input of a certificate and what is proved of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    sigma: PerUnit<Throughput>,
    /// The kernels as the user gave them, each with its number of warps.
    kernels: Vec<(Kernel, u64)>,
    /// With barriers, the number of warps in a block, or 0 if each group is one block.
    warps_per_block: Option<u64>,
    lower: Option<Lower>,
    upper: Proved,
}

/// What proves the lower end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lower {
    /// A schedule: for each cycle the warps that issue in it, numbered from 0 group by group, in increasing order.
    Schedule(Vec<Vec<u64>>),
}

/// Why there is no certificate of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refused {
    /// A kernel has branches or loops.
    #[error("a kernel has branches or loops: certificates are for kernel strings")]
    Paths,
}

/// The most issues of a schedule that a certificate holds. The text takes a few bytes for each.
const MOST_ISSUES: usize = 1_000_000;

impl Certificate {
    /// Whether certificates are for workloads of this kind.
    ///
    /// # Errors
    /// If the workload has branches or loops.
    pub fn is_possible(workload: &Workload) -> Result<(), Refused> {
        workload.instance().map(|_| ()).ok_or(Refused::Paths)
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
        let kernel = |code: &Code| code.kernel().cloned();
        let kernels = workload.groups().iter().map(|group| Some((kernel(&group.code)?, group.warps)));
        let kernels = kernels.collect::<Option<_>>().ok_or(Refused::Paths)?;
        let sigma = PerUnit::from_fn(|unit| workload.multiprocessor().sigma(unit));
        let schedule = witness.filter(|witness| witness.schedule().issues().len() <= MOST_ISSUES);
        let lower = schedule.map(|witness| Lower::Schedule(cycles(instance, witness)));
        let upper = Proved::of(instance, worst);
        let warps_per_block = instance.has_barriers().then(|| instance.warps_per_block().unwrap_or(0));
        Ok(Self { sigma, kernels, warps_per_block, lower, upper })
    }

    /// The cycles that a schedule is proved to take, if the certificate proves a lower end.
    pub fn at_least(&self) -> Option<Cycles> {
        match (&self.lower, &self.upper.by) {
            (Some(Lower::Schedule(cycles)), _) => Some(Cycles(cycles.len() as u64)),
            (None, Upper::Theorem) => Some(self.upper.cycles),
            (None, _) => None,
        }
    }

    /// The cycles that every schedule is proved to end within.
    pub fn at_most(&self) -> Cycles {
        self.upper.cycles
    }
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
