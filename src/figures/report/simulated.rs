//! Runs of warp-scheduling policies, as `simulate` reports them.

use crate::figures::gantt;
use crate::figures::report::{Figure, Section};

/// The runs of one instance.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The kernels, their warps and what they run on.
    pub title: String,
    /// The policies with their makespans, in cycles.
    pub runs: Vec<(String, u64)>,
    /// The best and the worst case, as far as they are known.
    pub extremes: Vec<u64>,
}

/// Draws a chart of each instance.
pub(super) fn section(simulated: &[Simulated]) -> Section {
    Section::new(
        "runs",
        "Policies, one beside the other",
        "A bar for each policy, as long as its makespan; dashed lines at the best and the worst case, where they are known.",
        simulated,
        |Simulated { title, runs, extremes }, file| Figure {
            file,
            title: title.clone(),
            caption: "Each run is one of the schedules, simulated.".to_owned(),
            svg: gantt::policies(runs, extremes, title),
        },
    )
}
