//! Measured times beside the bound, and what extreme value theory estimates from them.

use std::path::Path;

use crate::{Exit, Failure};
use warpspan_evt::Sample;
use warpspan_launch::words::time;
use warpspan_model::source::{name, text_of};
use warpspan_model::time::TimeUnit;
use warpspan_records::estimate::{Estimate, Level, Method};
use warpspan_records::{Time, estimate};

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

/// The lines for a person: what was measured, what is estimated, and what was tested. Each has its name.
pub(super) fn lines(found: &Time) -> Vec<(&'static str, String)> {
    let Some(estimate) = &found.estimate else { return Vec::new() };
    let unit = &estimate.unit;
    let mut lines = vec![(
        "measured",
        format!(
            "{} launches of {}: {} to {} {unit}, half of them up to {}",
            estimate.launches,
            estimate.file,
            estimate.shortest,
            estimate.longest,
            digits(estimate.median)
        ),
    )];
    if let Some(why) = &estimate.unsupported {
        lines.push(("estimate", format!("not supported: {why}")));
    }
    for method in &estimate.methods {
        lines.push(("estimate", of_method(method, unit)));
    }
    let all = || estimate.tests.iter().chain(estimate.methods.iter().flat_map(|method| &method.tests));
    if all().all(|test| test.passed) && all().next().is_some() {
        lines.push(("  tests", format!("all {} passed, which proves no assumption", all().count())));
    } else if all().next().is_some() {
        let failed = all().filter(|test| !test.passed).count();
        lines.push(("  tests", format!("{failed} of {} failed", all().count())));
    }
    lines.extend(estimate.assumes.iter().map(|what| ("  assumes", what.clone())));
    lines.push((
        "  meaning",
        "an estimate by extreme value theory: no bound, and no part of the verdict".to_owned(),
    ));
    lines
}

fn of_method(method: &Method, unit: &str) -> String {
    let name = match (method.block, method.threshold) {
        (Some(block), _) => format!("{} maxima of {block} launches", method.used),
        (None, threshold) => format!("{} times above {}", method.used, digits(threshold.unwrap_or_default())),
    };
    if let Some(why) = &method.unsupported {
        return format!("not supported: {why}, by {name}");
    }
    let shown = |level: &&Level| [1e-3, 1e-6, 1e-9].contains(&level.probability);
    let level = |level: &Level| {
        format!(
            "{:.0e} takes longer than {} ({} to {})",
            1.0 / level.probability,
            digits(level.time),
            digits(level.low),
            digits(level.high)
        )
    };
    let levels: Vec<String> = method.levels.iter().filter(shown).map(level).collect();
    let tail = method.law.as_ref().map_or_else(String::new, tail);
    format!("one launch in {} {unit}, by {name}{tail}", levels.join(", in "))
}

/// A time with six digits or all that are whole, rounded up.
fn digits(time: f64) -> String {
    let places = (0..6).rev().find(|places| time.abs() < 10_f64.powi(6 - places)).unwrap_or(0);
    let unit = 10_f64.powi(places);
    let text = format!("{:.*}", usize::try_from(places).unwrap_or(0), (time * unit).ceil() / unit);
    if places == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// What the shape of a law says.
fn tail(law: &estimate::Law) -> String {
    match law.end {
        Some(end) => format!("; shape {:.3}, so that it ends at {}", law.shape, digits(end)),
        None if law.shape > 0.0 => format!("; shape {:.3}, a heavy tail without end", law.shape),
        None => "; shape 0".to_owned(),
    }
}
