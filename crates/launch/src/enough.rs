//! How fast the DRAM would have to be for a deadline.

use crate::Failure;
use crate::failure::Kind;
use crate::margins::{Rates, shown_rate};
use warpspan_model::Cycles;
use warpspan_records::margin::{Margin, end};

/// The bound in cycles of a launch whose DRAM has a rate of so many steps.
pub(crate) type AtRate<'a> = dyn Fn(u64) -> Result<Cycles, Failure> + 'a;

/// The least rate of the DRAM with which a launch that is not proved to end in time is proved to: `cycles` bounds it, and `in_time` decides
/// that. None if the DRAM cannot be faster, or if that was stopped before anything was known.
pub(crate) fn enough(
    Rates { best, now }: Rates,
    cycles: &AtRate<'_>,
    in_time: &dyn Fn(Cycles) -> bool,
) -> Result<Option<Margin>, Failure> {
    let does = |steps: u64| match cycles(steps) {
        Ok(cycles) => Ok(Some(in_time(cycles))),
        Err(failure) if failure.kind == Kind::Stopped => Ok(None),
        // Such as a rate below what others take.
        Err(failure) if failure.kind == Kind::Usage => Ok(Some(false)),
        Err(failure) => Err(failure),
    };
    if now >= best {
        return Ok(None);
    }
    let end = end([best, now, 0], None, false, &does)?;
    Ok(Margin::new(end, [best, 0], false, &shown_rate))
}
