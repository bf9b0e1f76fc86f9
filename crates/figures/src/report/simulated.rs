//! Runs of warp-scheduling policies, as `simulate` reports them.

use crate::paper::Paper;
use crate::report::{Figure, Section};
use crate::{Responses, gantt, responses};

/// The runs of one instance.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The kernels, their warps and what they run on.
    pub title: String,
    /// The policies with their makespans, in cycles.
    pub runs: Vec<(String, u64)>,
    /// The best and the worst case, as far as they are known.
    pub extremes: Vec<u64>,
    /// The response times of its groups.
    pub responses: Responses,
}

/// Draws a chart of each instance.
pub(super) fn section(simulated: &[Simulated], paper: &Paper) -> Section {
    Section::new(
        "runs",
        "Policies, one beside the other",
        "A bar for each policy, as long as its makespan; dashed lines at the best and the worst case, where they are known.",
        simulated,
        |Simulated { runs, .. }| {
            let makespans = || runs.iter().map(|(_, makespan)| *makespan);
            makespans().max().unwrap_or(0) - makespans().min().unwrap_or(0)
        },
        |Simulated { title, runs, extremes, .. }, file| Figure {
            file,
            title: title.clone(),
            caption: "Each run is one of the schedules, simulated.".to_owned(),
            svg: gantt::policies(runs, extremes, title, paper),
            points: None,
        },
    )
}

/// Draws one chart of all instances of several groups that were run under the same policies.
pub(super) fn responses_section(simulated: &[Simulated]) -> Section {
    let policies =
        |of: &Responses| -> Vec<String> { of.policies.iter().map(|(name, _)| name.clone()).collect() };
    let mut charts: Vec<Vec<Responses>> = Vec::new();
    for Simulated { responses, .. } in simulated {
        if responses.policies.iter().any(|(_, times)| times.len() < 2) {
            continue;
        }
        match charts.iter_mut().find(|chart| policies(&chart[0]) == policies(responses)) {
            Some(chart) => chart.push(responses.clone()),
            None => charts.push(vec![responses.clone()]),
        }
    }
    Section::new(
        "responses",
        "Response times of groups",
        "A bar for each group and policy, as high as its response time, from its launch to its last result; below, the means. \
         Lower is better.",
        &charts,
        |_| (),
        |chart, file| {
            let title = format!("Simulated response times under {}", policies(&chart[0]).join(", "));
            Figure {
                file,
                svg: responses(chart, &title),
                points: None,
                title,
                caption: "Each number is that of one simulated run; none is a bound.".to_owned(),
            }
        },
    )
}
