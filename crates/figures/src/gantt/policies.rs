//! Bars of the makespans of warp-scheduling policies, between the best and the worst case.

use crate::gantt::{Bar, FILLS, Gantt, WIDTH};
use crate::paper::Paper;
use crate::shapes::{multiples, real, step};

/// Draws a bar for each policy, as long as its makespan in cycles, and a dashed line at each of `extremes`, the
/// best and the worst case where they are known. Returns the text of an SVG file, for light paper and dark.
pub fn policies(runs: &[(String, u64)], extremes: &[u64], title: &str, paper: &Paper) -> String {
    let end =
        runs.iter().map(|(_, makespan)| *makespan).chain(extremes.iter().copied()).max().unwrap_or(1).max(1);
    let bar = |(lane, (name, makespan)): (usize, &(String, u64))| Bar {
        lane,
        rows: std::iter::once(0..1).collect(),
        from: 0.0,
        to: real(*makespan),
        fill: FILLS[lane % FILLS.len()],
        name: makespan.to_string(),
        short: String::new(),
        tip: format!("{name}: {makespan} cycles"),
    };
    let marks = extremes.iter().map(|&cycles| real(cycles)).collect();
    Gantt {
        title,
        label: format!("Makespans of policies on {title}"),
        caveat: None,
        unit: "cycles",
        scale: WIDTH / real(end),
        begin: 0.0,
        end: real(end),
        ticks: multiples(0, end, step(end, 12)).map(|cycles| (real(cycles), cycles.to_string())).collect(),
        marks: (!extremes.is_empty()).then_some(("best, worst case", marks)),
        signs: Vec::new(),
        lanes: runs.iter().map(|(name, _)| name.clone()).collect(),
        rows: None,
        height: 22.0,
        bars: runs.iter().enumerate().map(bar).collect(),
        outlines: None,
        strips: None,
        fences: None,
        legend: Vec::new(),
    }
    .draw(paper)
}
