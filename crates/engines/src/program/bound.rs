//! The bound on the finish of the warps of structured programs.
//!
//! A block has B warps. The best gain of segment k on any path is `a_k`, and that of a whole path is `a` (a
//! barrier leaves every label open). I and n are the numbers of letters and of switches of a chain, which
//! goes from barrier to barrier as the proof does. Then
//!
//! ```text
//! finish <= max over chains (I + n c) + (B - 1) sum over k of a_k + the other warps' a          for every theta
//! finish <= max over chains I + sum over U of floor(the others' letters for U / sigma_U)        the critical path
//! ```
//!
//! Where all W warps of a group take the same path, the first line holds with the maximum over single paths of
//! I + n c + (W - 1) a in place of the first two terms, which is smaller (`joint`).
//!
//! The bound is the smallest of all these. `docs/programs.md` has the proofs.

use std::collections::BTreeMap;
use warpspan_check::seal::SEAL;

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::assumptions::assumptions;
use crate::program::labels::PieceLabels;
use crate::program::terms::Terms;
use warpspan_check::bound::{Demand, Theorem, Upper};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::{Cycles, Unit, Workload};

/// The bound of programs on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramBound {
    /// A bound on the makespan of every schedule, whatever paths the warps take.
    pub makespan: Upper,
    /// For each group, a bound on the cycle in which any warp of any of its blocks finishes.
    pub finish: Vec<Cycles>,
    /// The price of a change from the slow label at which the bound is smallest, for the group that finishes
    /// last.
    pub theta: Rational,
    /// The rate a of each group at that price: the cycles that a further warp of a block adds.
    pub rates: Vec<Rational>,
    /// For each group, which letters act as a load/store phase and which as a compute phase at that price, in
    /// the order of the text.
    pub labels: Vec<Vec<PieceLabels>>,
    /// For each group and line, in cycles, what the letters of the line add to a where they agree with their
    /// labels, which is 1/sigma each. Without the line, a is smaller by no more than that, at the same theta.
    /// The sum over the lines is a plus the cost of the changes of label. It is larger where warps of a block
    /// may take different paths between barriers.
    pub adds: Vec<BTreeMap<u32, Rational>>,
    /// Whether some schedule attains the bound, as the shape of the workload shows. It does for one block
    /// alone with one path, or one path for all its warps, at sigma 1, and one warp or at least three.
    pub exact: bool,
    /// What the bound rests on besides the rules of the model.
    pub assumes: Vec<Assumption>,
}

/// Computes the bound. It tries a few values of theta, each in time O(pieces log rounds).
///
/// # Errors
/// If a program has no instruction, or a branch or loop that the theory does not cover, or a number does not
/// fit.
pub fn bound(workload: &Workload) -> Result<ProgramBound, ProgramError> {
    let terms = Terms::new(workload)?;
    let finishes = (0..terms.groups.len()).map(|group| terms.finish(group)).collect::<Result<Vec<_>, _>>()?;
    let &(latest, theta) = finishes.iter().max_by_key(|(cycles, _)| *cycles).expect("a workload has a group");
    let programs = || terms.groups.iter().map(|group| &*group.program);
    let rates = programs().map(|program| terms.rate(program, theta)).collect::<Result<_, _>>()?;
    let (mut labels, mut adds, mut assumes) = (Vec::new(), Vec::new(), Vec::new());
    if workload.takes_same_path() {
        let value = "take the same path";
        assumes.push(Assumption::declared(Id::PathsSame, "all warps of a group", value).by("same_path"));
    }
    for program in programs() {
        let path = terms.best_path(program, theta)?;
        labels.push(path.labels);
        adds.push(path.adds);
        assumptions(program, &mut assumes);
    }
    assumes.dedup();
    Ok(ProgramBound {
        makespan: Upper::proved(latest, Theorem::Program, SEAL),
        finish: finishes.iter().map(|&(cycles, _)| cycles).collect(),
        theta,
        rates,
        labels,
        adds,
        exact: is_exact(workload),
        assumes,
    })
}

/// Whether the bound is attained, which it is for one block alone with one path, or the same path for all its
/// warps, at sigma 1, and one warp or at least three. Interleaved arms have a bound that no path may attain.
fn is_exact(workload: &Workload) -> bool {
    let [group] = workload.groups() else { return false };
    let one = |unit| workload.multiprocessor().sigma(unit).letters_a_cycle() == 1;
    workload.warps_per_block().is_none()
        && group.warps != 2
        && (group.code.is_straight() || workload.takes_same_path() && !group.code.program().is_interleaved())
        && Unit::ALL.into_iter().all(one)
}

/// The most that the warps of the workload issue, for the bounds that do not look at phases.
///
/// # Errors
/// As [`bound()`].
pub fn demand(workload: &Workload) -> Result<Demand, ProgramError> {
    Ok(Terms::new(workload)?.demand)
}
