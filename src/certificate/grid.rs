//! What is proved of equal blocks that follow one another on one multiprocessor.

use num_traits::{CheckedAdd, CheckedMul};

use crate::certificate::{Proved, Upper};
use crate::engines::phase::Rational;
use crate::engines::program::Company;
use crate::model::{Cycles, Grid, Instance, Unit};
use crate::schedule::grid::Witness;

/// The number of prices among which the best is sought.
const MOST_THETAS: usize = 40;

/// The bound of `docs/relay.md`, section 5, as far as Coq has checked it (`relay_equal_blocks` in
/// `proofs/Relay/EqualBlocks.v`): without the sum over units, without the rule for odd strings, and with one more
/// price where a block may be left before its end. The result is `None` if a number does not fit.
pub(super) fn relay(grid: &Grid, known: Cycles) -> Option<Proved> {
    let together = grid.together().instance()?;
    let company = Company::new(std::slice::from_ref(grid.block()), together.total_warps()).ok()?;
    let followed = grid.blocks().div_ceil(grid.at_once());
    let left = if grid.at_once() > 1 { left_early(together) } else { None };
    let mut least: Option<(Cycles, Rational)> = None;
    for theta in company.thetas(MOST_THETAS).ok()? {
        let terms = company.terms(0, theta).ok()?;
        let beside =
            terms.beside().ok()?.checked_mul(&Rational::from(i128::from(grid.blocks() - followed)))?;
        let mut cost = beside.checked_add(&terms.relay(followed).ok()?)?;
        if let Some(worth) = left {
            cost = cost.checked_add(&(theta - worth))?;
        }
        let cycles = Cycles(u64::try_from(cost.floor().to_integer()).ok()?);
        if least.is_none_or(|(found, _)| cycles < found) {
            least = Some((cycles, theta));
        }
    }
    let (cycles, theta) = least?;
    Some(Proved { cycles: cycles.max(known), by: Upper::Relay(vec![theta]) })
}

/// 1/sigma of the faster unit, if the code ends with a slow letter and begins with a fast one.
fn left_early(instance: &Instance) -> Option<Rational> {
    let [l, c] = Unit::ALL.map(|unit| instance.sigma(unit));
    let (slow, fast) = if l <= c { (Unit::LoadStore, c) } else { (Unit::CudaCore, l) };
    let units = instance.groups()[0].kernel.units();
    let pays = units.last() == Some(&slow) && units.first() != Some(&slow);
    pays.then(|| Rational::new(1, fast.into()))
}

/// The warps that issue in each cycle. Slot k holds the warps from k b on, b being the warps of a block; where
/// several slots are free, blocks start in the first of them. Which of them a block takes is of no matter on one
/// multiprocessor.
pub(super) fn cycles(grid: &Grid, witness: &Witness) -> Vec<Vec<u64>> {
    let index = |number: u64| usize::try_from(number).unwrap_or_default();
    let mut ends = vec![0; index(grid.blocks())];
    for issue in witness.schedule().issues() {
        ends[index(issue.block)] = issue.cycle;
    }
    let mut free_from = vec![0; index(grid.at_once())];
    let mut slot_of = vec![0; ends.len()];
    for start in witness.schedule().starts() {
        let slot = free_from.iter().position(|&end| end < start.cycle).unwrap_or_default();
        free_from[slot] = ends[index(start.block)];
        slot_of[index(start.block)] = slot as u64;
    }
    let mut cycles = vec![Vec::new(); index(witness.makespan().0)];
    for issue in witness.schedule().issues() {
        cycles[index(issue.cycle - 1)]
            .push(slot_of[index(issue.block)] * grid.warps_per_block() + issue.warp);
    }
    cycles.iter_mut().for_each(|warps| warps.sort_unstable());
    cycles
}
