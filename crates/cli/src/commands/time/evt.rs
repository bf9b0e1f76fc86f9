//! Measured times beside the bound, and what extreme value theory estimates from them.

use std::path::Path;

use crate::{Exit, Failure};
use warpspan_evt::Sample;
use warpspan_launch::words::time;
use warpspan_model::source::{name, text_of};
use warpspan_model::time::TimeUnit;
use warpspan_records::Time;
use warpspan_records::estimate::Estimate;

/// Adds the estimate of the measured times in a file to an answer, of which nothing else changes.
///
/// A measured time beyond what is proved ends the command: then an assumption of the bound does not hold for what was measured.
pub(super) fn add(found: &mut Time, path: &Path) -> Result<(), Failure> {
    let place = name(path);
    let sample = Sample::read(&place, &text_of(path, "measured times of launches")?)?;
    judge(found, &place, &sample)?;
    found.estimate = Some(Box::new(Estimate::new(&place, &sample)));
    Ok(())
}

/// Compares each measured time with what is proved.
fn judge(found: &Time, place: &str, sample: &Sample) -> Result<(), Failure> {
    let in_cycles = sample.unit() == TimeUnit::Cycles;
    if in_cycles && found.bound_cycles.is_none() {
        let what = "cycles cannot be compared with a bound that is one of time, as with co-running kernels: want ns, us, ms or s";
        return Err(Failure::usage(format!("{place}: {what}")));
    }
    // Grains are cycles, or picoseconds.
    let (most, least, grains) =
        if in_cycles { (found.bound_cycles, None, 1) } else { (found.bound_ns, Some(found.least_ns), 1_000) };
    let text = |number: u64| if in_cycles { format!("{number} cycles") } else { time(number) };
    let many = |count: usize| format!("{count} of {} launches", sample.times().len());
    let times = || sample.times().iter().map(|time| time.0).enumerate();
    if let Some(most) = most {
        let limit = most.saturating_mul(grains);
        let above = times().filter(|(_, time)| *time > limit).count();
        if let Some((at, longest)) =
            times().max_by_key(|(at, time)| (*time, usize::MAX - at)).filter(|_| above > 0)
        {
            let what = format!(
                "{} took longer than the bound of {}, {} {}: what the bound assumes does not hold for them, or their times include \
                 what it leaves out (--launch-overhead, --copy-in, --copy-out)",
                many(above),
                text(most),
                sample.launch(at),
                text(longest.div_ceil(grains))
            );
            return Err(Failure::ending(Exit::Refuted, format!("{place}: REFUTED: {what}")));
        }
    }
    if let Some(least) = least {
        let limit = least.saturating_mul(grains);
        let below = times().filter(|(_, time)| *time < limit).count();
        if let Some((at, shortest)) = times().min_by_key(|(_, time)| *time).filter(|_| below > 0) {
            let what = format!(
                "{} took less than the {} that any launch takes, {} {}: want the times of this launch, on a GPU whose clock is no faster (--clock)",
                many(below),
                text(least),
                sample.launch(at),
                text(shortest / grains)
            );
            return Err(Failure::ending(Exit::Refuted, format!("{place}: REFUTED: {what}")));
        }
    }
    Ok(())
}
