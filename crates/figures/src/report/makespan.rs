//! The makespan against the number of warps: the worst case, its bounds, and where Be12's numbers lie below
//! it.

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::case::{Case, Family};
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, GREEN, PURPLE, VERMILION};

/// Draws a figure for each family with at least two numbers of warps.
pub(super) fn section(families: &[Family], paper: &Paper) -> Section {
    let families: Vec<&Family> = families.iter().filter(|family| family.cases.len() > 1).collect();
    Section::new(
        "makespan",
        "Makespan against warps",
        "The worst case over all work-conserving schedules, and what bounds or estimates it.",
        &families,
        |family| family.interest(),
        |family, file| figure(family, file, paper),
    )
}

fn figure(family: &Family, file: String, paper: &Paper) -> Figure {
    let cases = &family.cases;
    let point = |case: &Case, value: u64| (real(case.warps), real(value));
    let all = |value: fn(&Case) -> u64| cases.iter().map(|case| point(case, value(case))).collect();
    let some = |value: &dyn Fn(&Case) -> Option<u64>| -> Vec<(f64, f64)> {
        cases.iter().filter_map(|case| Some(point(case, value(case)?))).collect()
    };
    let exact = cases.chunk_by(|a, b| a.is_exact() && b.is_exact());
    let exact =
        exact.filter(|run| run[0].is_exact()).map(|run| run.iter().map(|c| point(c, c.upper)).collect());
    let estimate = |case: &Case| case.estimate().map(|(_, value)| value);
    let low_estimate = |case: &Case| estimate(case).filter(|&value| value < case.lower);
    let low_pessimistic = |case: &Case| Some(case.pessimistic).filter(|&value| value < case.lower);
    // If there are many cases, their intervals are shown only by the band.
    let few = cases.len() <= 40;
    let bounded = |value: fn(&Case) -> u64| move |case: &Case| (few && !case.is_exact()).then(|| value(case));
    let look = |colour, stroke, marker| Look { colour, stroke, marker: Some(marker) };
    let series = [
        Series::new(
            &["pessimistic (Be12 Eq. 5-7)"],
            look(GREEN, Stroke::Long, Marker::Triangle),
            all(|case| case.pessimistic),
        ),
        Series::new(
            &["phase bound (upper)"],
            look(BLUE, Stroke::Dashed, Marker::Square),
            all(|case| case.phase),
        ),
        Series::new(
            &[&format!("estimate, {} (Be12 Eq. 42)", reach(cases))],
            look(PURPLE, Stroke::Dotted, Marker::Diamond),
            some(&estimate),
        ),
        Series::new(
            &["at least (lower bound)"],
            Look::ink(Stroke::None, Some(Marker::Triangle)),
            some(&bounded(|c| c.lower)),
        ),
        Series::new(
            &["at most (upper bound)"],
            Look::ink(Stroke::None, Some(Marker::Wedge)),
            some(&bounded(|c| c.upper)),
        ),
        Series::of_runs(
            &["worst case, exact"],
            Look::ink(Stroke::Solid, Some(Marker::Disc)),
            exact.collect(),
        ),
        Series::new(
            &["pessimistic below the worst case", "(unsafe)"],
            look(VERMILION, Stroke::None, Marker::Ring),
            some(&low_pessimistic),
        ),
        Series::new(
            &["estimate below the worst case", "(unsafe)"],
            look(VERMILION, Stroke::None, Marker::Cross),
            some(&low_estimate),
        ),
    ];
    let most = cases
        .iter()
        .map(|case| case.pessimistic.max(case.phase).max(case.upper).max(estimate(case).unwrap_or(0)));
    let title = family.name();
    let chart = Chart {
        title: format!("Makespan of {title}"),
        x: Axis::count("warps W", cases[0].warps, cases[cases.len() - 1].warps),
        y: Axis::cycles(most.max().unwrap_or(1)),
        bands: bands(cases),
        series: series.into_iter().flatten().collect(),
        tips: cases.iter().map(|case| (real(case.warps), tip(case))).collect(),
    };
    let known = cases.iter().filter(|case| case.is_exact()).count();
    let mut caption = format!("The worst case is known for {known} of {} numbers of warps.", cases.len());
    caption += &unsafe_at(" The estimate is below it", cases, &|case| low_estimate(case).is_some());
    caption += &unsafe_at(" Pessimistic is below it", cases, &|case| low_pessimistic(case).is_some());
    Figure { file, title, caption, svg: chart.draw(paper), points: Some(chart.points()) }
}

/// The stretches in which the worst case is not known; each reaches to the neighbouring cases.
fn bands(cases: &[Case]) -> Vec<Vec<(f64, f64, f64)>> {
    let mut bands: Vec<Vec<(f64, f64, f64)>> = Vec::new();
    let mut open = false;
    for two in cases.windows(2) {
        let place = |case: &Case| (real(case.warps), real(case.lower), real(case.upper));
        let wide = two.iter().any(|case| !case.is_exact());
        if wide && !open {
            bands.push(vec![place(&two[0])]);
        }
        if let (true, Some(band)) = (wide, bands.last_mut()) {
            band.push(place(&two[1]));
        }
        open = wide;
    }
    bands
}

/// Says which x the estimates have.
fn reach(cases: &[Case]) -> String {
    let mut all: Vec<u64> = cases.iter().filter_map(|case| case.estimate()).map(|(x, _)| x).collect();
    all.dedup();
    match all[..] {
        [x] => format!("x = {x}"),
        _ => "largest x".to_owned(),
    }
}

/// A sentence that names the warps at which something is unsafe; empty if there are none.
fn unsafe_at(what: &str, cases: &[Case], is_low: &dyn Fn(&Case) -> bool) -> String {
    const MOST: usize = 8;
    let warps: Vec<String> =
        cases.iter().filter(|case| is_low(case)).map(|case| case.warps.to_string()).collect();
    match warps.len() {
        0 => String::new(),
        1..=MOST => format!("{what} at W = {}: unsafe.", warps.join(", ")),
        many => format!("{what} at {many} of them: unsafe."),
    }
}

fn tip(case: &Case) -> String {
    let note = |value: u64| if value < case.lower { ", unsafe" } else { "" };
    let mut text = format!("W = {}\nworst case {}\nphase bound {}", case.warps, case.worst(), case.phase);
    text += &format!("\npessimistic {}{}", case.pessimistic, note(case.pessimistic));
    if let Some((x, value)) = case.estimate() {
        text += &format!("\nestimate {value} (x = {x}){}", note(value));
    }
    text
}
