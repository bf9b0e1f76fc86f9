//! Runs of `rta`: blocks on multiprocessors over time.

use crate::figures::gantt::{self, is_cut};
use crate::figures::report::{Figure, Section};
use crate::realtime::rta::{Occupancy, Time};

/// A run of `rta`.
#[derive(Debug, Clone)]
pub struct Run {
    /// How its response times were found.
    pub method: String,
    /// What the drawing does not show.
    pub caution: Option<String>,
    /// What is drawn.
    pub occupancy: Occupancy,
}

/// A chart a run.
pub(super) fn section(runs: &[Run]) -> Section {
    Section::new(
        "occupancy",
        "Blocks on multiprocessors",
        "Time across, the threads of each multiprocessor in rows, a box for blocks of one launch that begin together. Placed by \
         the scheduling rules of the GPU, every block taking its C, as rta found and replayed it.",
        runs,
        figure,
    )
}

fn figure(Run { method, caution, occupancy }: &Run, file: String) -> Figure {
    let names: Vec<&str> = occupancy.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
    let more = if occupancy.kernels.len() > names.len() { ", ..." } else { "" };
    let title = format!("Kernels {}{more}", names.join(", "));
    let end = occupancy.stays.iter().map(|stay| stay.end).max().unwrap_or(Time(0));
    let cut = if is_cut(occupancy) { "; only the first boxes are drawn" } else { "" };
    let caption = format!(
        "{} multiprocessors of {} threads, until {} {}{cut}; response times by {method}.",
        occupancy.multiprocessors,
        occupancy.threads,
        occupancy.unit.write(end),
        occupancy.unit
    );
    let drawn = caution.as_ref().map_or_else(|| title.clone(), |caution| format!("{title}: {caution}"));
    Figure { file, svg: gantt::occupancy(occupancy, &drawn), title, caption }
}
