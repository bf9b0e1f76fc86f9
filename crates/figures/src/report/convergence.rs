//! The estimate against its x (Be12 Fig. 6 and 7), and its last term. The estimate never rises with x, and may
//! fall below the worst case; its last term, Be12's T^(W, x), may rise.

use crate::chart::axis::Axis;
use crate::chart::lines::across;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::case::{Case, Family};
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, GREEN, PURPLE, VERMILION};

/// Draws a figure for each case with at least two values of x. Cases whose estimate becomes unsafe come
/// first.
pub(super) fn section(families: &[Family], paper: &Paper) -> Section {
    let cases = families.iter().flat_map(|family| family.cases.iter().map(move |case| (family, case)));
    let cases: Vec<(&Family, &Case)> = cases.filter(|(_, case)| case.estimates.len() > 1).collect();
    Section::new(
        "estimate",
        "Convergence of the estimate",
        "The estimate of Be12 Eq. 42-43, min over y = 1..x of ceil(W/y) T(y), against x, as Be12 Fig. 6 and 7, \
         and T^(W, x) = ceil(W/x) T(x) itself where the table has it. Cases in \
         which it falls furthest below the worst case come first.",
        &cases,
        |(_, case)| low(case),
        |(family, case), file| figure(family, case, file, paper),
    )
}

/// The most by which the estimate lies below the worst case, in millionths of it.
fn low(case: &Case) -> u128 {
    let low = case.estimates.values().map(|&value| case.lower.saturating_sub(value)).max().unwrap_or(0);
    u128::from(low) * 1_000_000 / u128::from(case.lower.max(1))
}

fn figure(family: &Family, case: &Case, file: String, paper: &Paper) -> Figure {
    let estimates = || case.estimates.iter().map(|(&x, &value)| (x, value));
    let places = |wanted: &dyn Fn(u64) -> bool| -> Vec<(f64, f64)> {
        estimates().filter(|&(_, value)| wanted(value)).map(|(x, value)| (real(x), real(value))).collect()
    };
    let ends = |of: fn(u64, u64) -> u64, from: u64| estimates().fold(from, |found, (x, _)| of(found, x));
    let x = Axis::count("x of the estimate", ends(u64::min, u64::MAX), ends(u64::max, 0));
    let terms = || case.terms.iter().map(|(&x, &value)| (x, value));
    let of_terms = terms().map(|(_, value)| value);
    let values: Vec<u64> = (estimates().map(|(_, value)| value).chain(of_terms))
        .chain([case.pessimistic, case.lower, case.upper])
        .collect();
    let bounds = if case.is_exact() {
        vec![Series::new(&["worst case, exact"], Look::ink(Stroke::Solid, None), across(&x, case.upper))]
    } else {
        vec![
            Series::new(&["worst case, at most"], Look::ink(Stroke::Dashed, None), across(&x, case.upper)),
            Series::new(&["worst case, at least"], Look::ink(Stroke::Solid, None), across(&x, case.lower)),
        ]
    };
    let look = |colour, stroke, marker| Look { colour, stroke, marker };
    let below = places(&|value| value < case.lower);
    let first = estimates().find(|&(_, value)| value < case.lower);
    let series = [
        Series::new(
            &["pessimistic (Be12 Eq. 5-7)"],
            look(GREEN, Stroke::Long, None),
            across(&x, case.pessimistic),
        ),
        Series::new(
            &["T^(W, x) itself (Be12 Eq. 43)"],
            look(BLUE, Stroke::Solid, Some(Marker::Square)),
            terms().map(|(x, value)| (real(x), real(value))).collect(),
        ),
        Series::new(
            &["estimate (Be12 Eq. 42)"],
            look(PURPLE, Stroke::Dotted, Some(Marker::Diamond)),
            places(&|_| true),
        ),
        Series::new(
            &["estimate below the worst case", "(unsafe)"],
            look(VERMILION, Stroke::None, Some(Marker::Cross)),
            below,
        ),
    ];
    let title = format!("{}, W = {}", family.name(), case.warps);
    let chart = Chart {
        title: format!("Estimate for {title}"),
        y: Axis::cycles_between(
            values.iter().copied().min().unwrap_or(0),
            values.iter().copied().max().unwrap_or(1),
        ),
        bands: Vec::new(),
        series: bounds.into_iter().chain(series).flatten().collect(),
        tips: estimates().map(|(x, value)| (real(x), tip(case, x, value))).collect(),
        x,
    };
    let caption = match first {
        Some((x, value)) => {
            format!(
                "From x = {x} on the estimate is {value} or less, below the worst case ({}): unsafe.",
                case.worst()
            )
        }
        None => format!("The estimate stays at or above the worst case ({}) for these x.", case.worst()),
    };
    let steps: Vec<bool> = case
        .terms
        .iter()
        .zip(case.terms.iter().skip(1))
        .filter(|((x, _), (next, _))| *x + 1 == **next)
        .map(|((_, value), (_, next))| next > value)
        .collect();
    let rises = match steps.iter().filter(|&&rises| rises).count() {
        _ if steps.is_empty() => String::new(),
        0 => " T^(W, x) itself never rises.".to_owned(),
        rises => format!(" T^(W, x) itself rises in {rises} of {} steps.", steps.len()),
    };
    let caption = caption + &rises;
    Figure { file, title, caption, svg: chart.draw(paper), points: Some(chart.points()) }
}

fn tip(case: &Case, x: u64, value: u64) -> String {
    let note = if value < case.lower { ", unsafe" } else { "" };
    let term = case.terms.get(&x).map_or_else(String::new, |term| format!("\nT^(W, x) {term}"));
    format!(
        "x = {x}\nestimate {value}{note}{term}\nworst case {}\npessimistic {}",
        case.worst(),
        case.pessimistic
    )
}
