//! What extreme value theory estimates from measured times, which stands beside a bound.

use crate::Document;
use warpspan_records::Time;
use warpspan_records::estimate::{Law, Level, Method};

/// What was measured, what is estimated, and what was tested. Each has its name.
pub(crate) fn facts(out: &mut Document, found: &Time) {
    let Some(estimate) = &found.estimate else { return };
    let unit = &estimate.unit;
    out.fact(
        "measured",
        format!(
            "{} launches of {}: {} to {} {unit}, half of them up to {}",
            estimate.launches,
            estimate.file,
            estimate.shortest,
            estimate.longest,
            digits(estimate.median)
        ),
    );
    out.facts("estimate", estimate.unsupported.iter().map(|why| format!("not supported: {why}")));
    out.facts("estimate", estimate.methods.iter().map(|method| of_method(method, unit)));
    let all = || estimate.tests.iter().chain(estimate.methods.iter().flat_map(|method| &method.tests));
    match (all().count(), all().filter(|test| !test.passed).count()) {
        (0, _) => {}
        (count, 0) => out.fact("  tests", format!("all {count} passed, which proves no assumption")),
        (count, failed) => out.fact("  tests", format!("{failed} of {count} failed")),
    }
    out.facts("  assumes", &estimate.assumes);
    out.fact("  meaning", "an estimate by extreme value theory: no bound, and no part of the verdict");
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
fn tail(law: &Law) -> String {
    match law.end {
        Some(end) => format!("; shape {:.3}, so that it ends at {}", law.shape, digits(end)),
        None if law.shape > 0.0 => format!("; shape {:.3}, a heavy tail without end", law.shape),
        None => "; shape 0".to_owned(),
    }
}
