//! Response times under warp-scheduling policies, as `simulate` reports them.

use crate::report::{Figure, Section};
use crate::{Responses, responses as draw};

/// Draws one chart of all instances of several groups that were run under the same policies.
pub(super) fn section(all: &[Responses]) -> Section {
    let policies =
        |of: &Responses| -> Vec<String> { of.policies.iter().map(|(name, _)| name.clone()).collect() };
    let mut charts: Vec<Vec<Responses>> = Vec::new();
    for responses in all {
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
                svg: draw(chart, &title),
                points: None,
                title,
                caption: "Each number is that of one simulated run; none is a bound.".to_owned(),
            }
        },
    )
}
