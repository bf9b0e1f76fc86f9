//! How late the warps of structured programs can finish.
//!
//! A block has B warps. The best gain of segment k on any path is `a_k`, that of a whole path is `a` (a
//! barrier leaves every label open). I and n are the letters and switches of a chain, which goes from barrier
//! to barrier as the proof does. Then
//!
//! ```text
//! finish <= max over chains (I + n c) + (B - 1) sum over k of a_k + the other warps' a          for every theta
//! finish <= max over chains I + sum over U of floor(the others' letters for U / sigma_U)        the critical path
//! ```
//!
//! The smallest of all these is the bound. `docs/programs.md` has the proofs.

use std::collections::BTreeMap;

use crate::bound::{Basis, Demand, Upper};
use crate::engines::phase::Rational;
use crate::engines::program::ProgramError;
use crate::engines::program::assumptions::assumptions;
use crate::engines::program::labels::PieceLabels;
use crate::engines::program::terms::Terms;
use crate::model::{Cycles, Unit, Workload};

/// The bound of programs on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramBound {
    /// No schedule takes longer, whatever paths the warps take.
    pub makespan: Cycles,
    /// No warp of any block of the group finishes later.
    pub finish: Vec<Cycles>,
    /// The price of a change from the slow label at which the bound is smallest, for the group that finishes
    /// last.
    pub theta: Rational,
    /// a of each group at that price: cycles that a further warp of a block adds.
    pub rates: Vec<Rational>,
    /// Which letters of each group act as a load/store phase and which as a compute phase, at that price, in
    /// the order of the text.
    pub labels: Vec<Vec<PieceLabels>>,
    /// By line of each group, in cycles: what its letters add to a where they agree with their labels,
    /// 1/sigma each. Without the line a is smaller by no more than that, at the same theta. The sum over the
    /// lines is a plus what the changes of the label cost. It is more where warps of a block may take
    /// different ways between barriers.
    pub adds: Vec<BTreeMap<u32, Rational>>,
    /// Whether some schedule takes as long: one block alone, one path, sigma 1, and one warp or at least
    /// three.
    pub exact: bool,
    /// What must hold of the code besides, one sentence each.
    pub assumes: Vec<String>,
}

impl ProgramBound {
    /// The bound with its evidence.
    pub fn upper(&self) -> Upper {
        Upper::formula(self.makespan, Basis::Program, "phase bound of structured programs")
    }
}

/// Computes the bound. It looks at a few values of theta, each in time O(pieces log rounds).
///
/// # Errors
/// If a program has no instruction, or a branch or loop that the theory does not cover, or a number does not
/// fit.
pub fn bound(workload: &Workload) -> Result<ProgramBound, ProgramError> {
    let terms = Terms::new(workload)?;
    let finishes = (0..terms.groups.len()).map(|group| terms.finish(group)).collect::<Result<Vec<_>, _>>()?;
    let &(makespan, theta) =
        finishes.iter().max_by_key(|(cycles, _)| *cycles).expect("a workload has a group");
    let programs = || terms.groups.iter().map(|group| &*group.program);
    let rates = programs().map(|program| terms.rate(program, theta)).collect::<Result<_, _>>()?;
    let (mut labels, mut adds, mut assumes) = (Vec::new(), Vec::new(), Vec::new());
    for program in programs() {
        let path = terms.best_path(program, theta)?;
        labels.push(path.labels);
        adds.push(path.adds);
        assumptions(program, &mut assumes);
    }
    assumes.dedup();
    Ok(ProgramBound {
        makespan,
        finish: finishes.iter().map(|&(cycles, _)| cycles).collect(),
        theta,
        rates,
        labels,
        adds,
        exact: is_exact(workload),
        assumes,
    })
}

/// Whether the bound is attained: by one block alone on one path at sigma 1, of one warp or of at least
/// three.
fn is_exact(workload: &Workload) -> bool {
    let [group] = workload.groups() else { return false };
    let one = |unit| workload.multiprocessor().sigma(unit).letters_a_cycle() == 1;
    workload.warps_per_block().is_none()
        && group.warps != 2
        && group.code.is_straight()
        && Unit::ALL.into_iter().all(one)
}

/// What warps of the workload issue at most, for the bounds that do not look at phases.
///
/// # Errors
/// As [`bound()`].
pub fn demand(workload: &Workload) -> Result<Demand, ProgramError> {
    Ok(Terms::new(workload)?.demand)
}
