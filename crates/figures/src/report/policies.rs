//! Warp-scheduling policies between the best and the worst case, against the number of warps.

use std::collections::BTreeSet;

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::case::{Case, Family};
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE};

/// The looks of the policies; the last one is for any other policy.
const LOOKS: [(&str, Colour, Stroke, Marker); 6] = [
    ("lrr", BLUE, Stroke::Dashed, Marker::Square),
    ("gto", GREEN, Stroke::Long, Marker::Triangle),
    ("oldest", PURPLE, Stroke::Dotted, Marker::Diamond),
    ("rt-paws", ORANGE, Stroke::Dashed, Marker::Wedge),
    ("random", INK, Stroke::Dotted, Marker::Cross),
    ("", INK, Stroke::Long, Marker::Square),
];

/// Draws a figure for each family with policies at two or more numbers of warps.
pub(super) fn section(families: &[Family], paper: &Paper) -> Section {
    let enough = |family: &&Family| simulated(family).count() > 1;
    let families: Vec<&Family> = families.iter().filter(enough).collect();
    Section::new(
        "policies",
        "Policies",
        "Makespans of simulated warp-scheduling policies, in cycles above the bottleneck (what the busier unit takes alone). \
         Each is a work-conserving schedule, so none is above the worst case, and none below the best.",
        &families,
        |family| spread(family),
        |family, file| figure(family, file, paper),
    )
}

/// The largest difference of two policies, in cycles.
fn spread(family: &Family) -> u64 {
    let of = |case: &Case| Some(case.policies.values().max()? - case.policies.values().min()?);
    family.cases.iter().filter_map(of).max().unwrap_or(0)
}

fn simulated(family: &Family) -> impl Iterator<Item = &Case> {
    family.cases.iter().filter(|case| !case.policies.is_empty())
}

/// The cycles by which a makespan exceeds the bottleneck.
fn above(case: &Case, makespan: u64) -> u64 {
    makespan.saturating_sub(case.bottleneck)
}

fn figure(family: &Family, file: String, paper: &Paper) -> Figure {
    let cases: Vec<&Case> = simulated(family).collect();
    let names: BTreeSet<&str> = cases.iter().flat_map(|case| case.policies.keys()).copied().collect();
    let some = |value: &dyn Fn(&Case) -> Option<u64>| -> Vec<(f64, f64)> {
        cases.iter().filter_map(|case| Some((real(case.warps), real(above(case, value(case)?))))).collect()
    };
    let policy = |name: &&str| {
        let look = LOOKS.iter().find(|(known, ..)| known == name).unwrap_or(&LOOKS[LOOKS.len() - 1]);
        let &(_, colour, stroke, marker) = look;
        let points = some(&|case| case.policies.get(*name).copied());
        Series::new(&[name], Look { colour, stroke, marker: Some(marker) }, points)
    };
    let exact = cases.iter().all(|case| case.is_exact());
    let worst = if exact { "worst case, exact" } else { "worst case, at most" };
    let extremes = [
        Series::new(&["best case"], Look::ink(Stroke::Dotted, None), some(&|case| case.best)),
        Series::new(&[worst], Look::ink(Stroke::Solid, Some(Marker::Disc)), some(&|case| Some(case.upper))),
    ];
    let warps = || cases.iter().map(|case| case.warps);
    let title = family.name();
    let chart = Chart {
        title: format!("Policies on {title}"),
        x: Axis::count("warps W", warps().min().unwrap_or(1), warps().max().unwrap_or(1)),
        y: Axis::above_bottleneck(cases.iter().map(|case| above(case, case.upper)).max().unwrap_or(1).max(1)),
        bands: Vec::new(),
        series: extremes.into_iter().chain(names.iter().map(policy)).flatten().collect(),
        tips: cases.iter().map(|case| (real(case.warps), tip(case))).collect(),
    };
    let attains = |case: &&&Case| case.policies.values().any(|&cycles| cycles == case.lower);
    let caption = format!(
        "Some policy takes as long as the worst case is at least in {} of {} numbers of warps.",
        cases.iter().filter(attains).count(),
        cases.len()
    );
    Figure { file, title, caption, svg: chart.draw(paper), points: Some(chart.points()) }
}

fn tip(case: &Case) -> String {
    let mut text = format!("W = {}\nworst case {}", case.warps, case.worst());
    for (name, cycles) in &case.policies {
        text += &format!("\n{name} {cycles}");
    }
    if let Some(best) = case.best {
        text += &format!("\nbest case {best}");
    }
    text + &format!("\nbottleneck {}", case.bottleneck)
}
