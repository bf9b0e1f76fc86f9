//! The time that a block adds to a busy time of its multiprocessor, whatever else runs there.

use num_rational::Ratio;
use warpspan_check::seal::SEAL;

use crate::phase::rate;
use warpspan_check::bound::{Theorem, Upper};
use warpspan_model::{Cycles, Instance, Unit};

/// Upper bound on the cycles that a block adds to a busy time of its multiprocessor. A busy time is an
/// interval in which the multiprocessor has warps without a pause. Its length is at most the sum of this
/// bound over the blocks that are resident at some time in it, whatever they run and whenever they arrive.
/// `block` is the block alone, as one group, whose warps run the same string.
///
/// With W warps, I instructions and rate a, summed over the segments between barriers, the bound is
///
/// ```text
/// I + (W - 1) a                      both sigmas 1
/// I + (W - 1) (I_L / sigma_L + I_C / sigma_C)      else
/// ```
///
/// `docs/response-times.md` section 5 has the proof, which is Theorem R of `docs/relay.md` at the least theta.
/// Rounds of the exact worst
/// case of what a multiprocessor holds at once are *not* safe.
pub fn busy(block: &Instance) -> Upper {
    let of = |group: &warpspan_model::WarpGroup| {
        let (kernel, others) = (&group.kernel, group.warps - 1);
        if block.has_unit_sigma() {
            return kernel.instructions() + others * rate(kernel);
        }
        // Warps of other blocks fill the units too, so sigma may well exceed the number of warps of this
        // block.
        let weight = |unit| Ratio::new(u128::from(kernel.count(unit)), u128::from(block.given_sigma(unit)));
        let waits: Ratio<u128> = Unit::ALL.into_iter().map(weight).sum();
        let waits = (waits * u128::from(others)).ceil().to_integer();
        kernel.instructions() + u64::try_from(waits).unwrap_or(u64::MAX >> 1)
    };
    Upper::proved(Cycles(block.groups().iter().map(of).sum()), Theorem::BusyTime, SEAL)
}
