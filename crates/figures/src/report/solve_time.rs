//! The time to an answer against the number of warps, with a line for each engine (Be12 Fig. 5).

use std::collections::BTreeSet;

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::case::{Case, End, Family, Run};
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE, VERMILION};

/// The looks of the engines; the last one is for any other engine.
const LOOKS: [(&str, Colour, Stroke, Marker); 10] = [
    ("auto", INK, Stroke::Solid, Marker::Disc),
    ("states", BLUE, Stroke::Dashed, Marker::Square),
    ("phase", GREEN, Stroke::Dotted, Marker::Triangle),
    ("ilp-short", VERMILION, Stroke::Solid, Marker::Cross),
    ("ilp-long", PURPLE, Stroke::Long, Marker::Diamond),
    ("ilp-aggregated", ORANGE, Stroke::Solid, Marker::Wedge),
    ("ilp-short-plain", VERMILION, Stroke::Dotted, Marker::Square),
    ("ilp-long-plain", PURPLE, Stroke::Dashed, Marker::Triangle),
    ("ilp-aggregated-plain", ORANGE, Stroke::Dotted, Marker::Disc),
    ("", INK, Stroke::Long, Marker::Square),
];

/// Draws a figure for each family that at least two engines solved, or that was solved for at least three
/// numbers of warps.
pub(super) fn section(families: &[Family], paper: &Paper) -> Section {
    let enough = |family: &&Family| {
        let solved = family.cases.iter().filter(|case| case.runs.iter().any(is_engine)).count();
        engines(family).len() > 1 || solved > 2
    };
    let families: Vec<&Family> = families.iter().filter(enough).collect();
    Section::new(
        "solve-time",
        "Solve time against warps",
        "Wall-clock time of a cell without that of the estimate, as Be12 Fig. 5; where a cell was solved more than once, \
         the shortest.",
        &families,
        |family| longest(family),
        |family, file| figure(family, file, paper),
    )
}

/// How many runs ended without a proof, and the bits of the longest time, which are in the order of times.
fn longest(family: &Family) -> (usize, u64) {
    let runs = || family.cases.iter().flat_map(|case| &case.runs).filter(|run| is_engine(run));
    let stopped = runs().filter(|run| run.end != End::Proved).count();
    (stopped, runs().map(|run| run.seconds).fold(0.0, f64::max).to_bits())
}

fn is_engine(run: &Run) -> bool {
    run.asked != "bounds"
}

fn engines(family: &Family) -> BTreeSet<&str> {
    let runs = family.cases.iter().flat_map(|case| &case.runs);
    runs.filter(|run| is_engine(run)).map(|run| run.asked.as_str()).collect()
}

/// The shortest run of an engine that finished, or else the shortest one that was stopped.
fn shortest<'a>(case: &'a Case, asked: &str) -> Option<&'a Run> {
    let runs = case.runs.iter().filter(|run| run.asked == asked);
    runs.min_by(|a, b| {
        (a.end, a.seconds).partial_cmp(&(b.end, b.seconds)).unwrap_or(std::cmp::Ordering::Equal)
    })
}

fn figure(family: &Family, file: String, paper: &Paper) -> Figure {
    let engines = engines(family);
    let runs = |asked: &str| {
        let runs = family.cases.iter().filter_map(|case| Some((case.warps, shortest(case, asked)?)));
        runs.collect::<Vec<(u64, &Run)>>()
    };
    let place = |&(warps, run): &(u64, &Run)| (real(warps), Axis::log10(run.seconds));
    let all: Vec<(u64, &Run)> = engines.iter().flat_map(|asked| runs(asked)).collect();
    let line = |asked: &&str| {
        let look = LOOKS.iter().find(|(name, ..)| name == asked).unwrap_or(&LOOKS[LOOKS.len() - 1]);
        let &(_, colour, stroke, marker) = look;
        let look = Look { colour, stroke, marker: Some(marker) };
        Series::new(&[asked], look, runs(asked).iter().map(place).collect())
    };
    let ended = |end| all.iter().filter(|(_, run)| run.end == end).map(place).collect::<Vec<_>>();
    let mark = |marker| Look::ink(Stroke::None, Some(marker));
    let (stopped, otherwise) = (ended(End::TimeLimit), ended(End::Otherwise));
    let count = stopped.len() + otherwise.len();
    let marks = [
        Series::new(&["stopped by the time limit"], mark(Marker::Ring), stopped),
        Series::new(&["ended otherwise without a proof"], mark(Marker::Frame), otherwise),
    ];
    let seconds = || all.iter().map(|(_, run)| run.seconds);
    let warps = || all.iter().map(|&(warps, _)| warps);
    let title = family.name();
    let chart = Chart {
        title: format!("Solve time of {title}"),
        x: Axis::warps(warps().collect()),
        y: Axis::seconds(seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max)),
        bands: Vec::new(),
        series: engines.iter().rev().filter_map(line).chain(marks.into_iter().flatten()).collect(),
        tips: family.cases.iter().map(|case| (real(case.warps), tip(case, &engines))).collect(),
    };
    let mut caption = format!("Time to an answer for each engine asked for: {}.", join(&engines));
    if count > 0 {
        let plural = if count == 1 { "" } else { "s" };
        caption +=
            &format!(" {count} ringed or framed point{plural}: no proof yet, so the time to one is longer.");
    }
    Figure { file, title, caption, svg: chart.draw(paper), points: Some(chart.points()) }
}

fn join(engines: &BTreeSet<&str>) -> String {
    engines.iter().copied().collect::<Vec<_>>().join(", ")
}

fn tip(case: &Case, engines: &BTreeSet<&str>) -> String {
    let mut text = format!("W = {}", case.warps);
    for asked in engines {
        if let Some(run) = shortest(case, asked) {
            let stopped = match run.end {
                End::Proved => "",
                End::TimeLimit => ", stopped by the time limit",
                End::Otherwise => ", no proof",
            };
            let time = std::time::Duration::from_secs_f64(run.seconds);
            text += &format!("\n{asked} {time:.3?}{stopped}");
        }
    }
    text
}
