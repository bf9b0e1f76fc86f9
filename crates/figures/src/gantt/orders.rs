//! The orders in which policies issue the instructions of warps (Si21 Fig. 4.1).

use crate::gantt::{Bar, FILLS, Gantt, Sign, WIDTH};
use crate::paper::Paper;
use crate::shapes::{multiples, real, step};
use warpspan_check::schedule::{Schedule, row};
use warpspan_model::Instance;

/// Draws the schedules of policies one below the other: each policy has a frame with a row for each warp, and
/// each instruction is a box with its letter in the colour of its group, in the cycle of its issue. A dashed
/// outline goes on to the end of its latency. `launch` has the cycle after which each group is there.
///
/// `title` is drawn above. A pointer over a box shows the warp, the instruction and the cycles. Returns the text
/// of an SVG file, for light paper and dark.
pub fn orders(instance: &Instance, runs: &[(String, Schedule)], launch: &[u64], title: &str) -> String {
    let (mut bars, mut waits, mut end) = (Vec::new(), Vec::new(), 1);
    let fill = |group: usize| FILLS[group % FILLS.len()];
    for (lane, (policy, schedule)) in runs.iter().enumerate() {
        for issue in schedule.issues() {
            let group = issue.group as usize;
            let letter = instance.groups()[group].kernel.units()[issue.instruction as usize].to_string();
            let at = row(instance, group, issue.warp);
            let result = issue.cycle + issue.latency - 1;
            end = end.max(result);
            let until = if issue.latency > 1 { format!(", result in cycle {result}") } else { String::new() };
            let tip = format!(
                "{policy}: group {}, warp {}: instruction {} ({letter}), cycle {}{until}",
                group + 1,
                issue.warp + 1,
                issue.instruction + 1,
                issue.cycle
            );
            let bar = |to: u64, name: &str| Bar {
                lane,
                rows: std::iter::once(at..at + 1).collect(),
                from: real(issue.cycle) - 1.0,
                to: real(to),
                fill: fill(group),
                name: name.to_owned(),
                short: String::new(),
                tip: tip.clone(),
            };
            bars.push(bar(issue.cycle, &letter));
            if issue.latency > 1 {
                waits.push(bar(result, ""));
            }
        }
    }
    let warps: u64 = instance.groups().iter().map(|group| group.warps).sum();
    let scale = (WIDTH / real(end)).clamp(2.0, 26.0);
    let every = step(end, 40);
    let sign = |(group, &at): (usize, &u64)| Sign {
        at: real(at),
        line: 0,
        is_release: true,
        fill: fill(group),
        tip: format!("group {} is there after cycle {at}", group + 1),
    };
    let legend = |group: usize| (format!("group {}", group + 1), fill(group).0);
    let is_late = launch.iter().any(|&launch| launch > 0);
    Gantt {
        title,
        label: format!("Schedules of {title}"),
        caveat: Some("a row for each warp, from the first group to the last"),
        unit: "cycle",
        scale,
        begin: 0.0,
        end: real(end),
        ticks: multiples(1, end, every).map(|cycle| (real(cycle) - 0.5, cycle.to_string())).collect(),
        marks: None,
        signs: launch.iter().enumerate().filter(|_| is_late).map(sign).collect(),
        lanes: runs.iter().map(|(policy, _)| policy.clone()).collect(),
        rows: Some(usize::try_from(warps).unwrap_or(usize::MAX)),
        height: if warps > 24 { 14.0 } else { 20.0 },
        bars,
        outlines: (!waits.is_empty()).then_some(("latency", waits)),
        strips: None,
        fences: None,
        legend: (0..instance.groups().len()).map(legend).collect(),
    }
    .draw(&Paper::default())
}
