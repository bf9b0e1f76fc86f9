//! Runs of `rta`: the blocks on each multiprocessor over time.

use crate::gantt::{self, is_cut};
use crate::paper::Paper;
use crate::report::{Figure, Section};
use warpspan_model::time::Duration;
use warpspan_rta::{Occupancy, Window};

/// A run of `rta`.
#[derive(Debug, Clone)]
pub struct Run {
    /// The method that found the response times.
    pub method: String,
    /// A caution about what the drawing leaves out.
    pub caution: Option<String>,
    /// The occupancy that is drawn.
    pub occupancy: Occupancy,
}

/// Draws a chart of each run.
pub(super) fn section(runs: &[Run], paper: &Paper) -> Section {
    Section::new(
        "occupancy",
        "Blocks on multiprocessors",
        "Time across, the threads of each multiprocessor in rows, a box for blocks of one launch that begin together. Placed by \
         the scheduling rules of the GPU, every block taking its C, as rta found and replayed it.",
        runs,
        |run| late(&run.occupancy),
        |run, file| figure(run, file, paper),
    )
}

/// The number of launches that are drawn to end after their deadline.
fn late(occupancy: &Occupancy) -> usize {
    let ends = |window: &Window| {
        let of = occupancy
            .stays
            .iter()
            .filter(|stay| (stay.kernel, stay.launch) == (window.kernel, window.launch));
        of.map(|stay| stay.end).max()
    };
    let is_late = |window: &&Window| window.deadline.is_some_and(|deadline| ends(window) > Some(deadline));
    occupancy.windows.iter().filter(is_late).count()
}

fn figure(Run { method, caution, occupancy }: &Run, file: String, paper: &Paper) -> Figure {
    let names: Vec<&str> = occupancy.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
    let more = if occupancy.kernels.len() > names.len() { ", ..." } else { "" };
    let title = format!("Kernels {}{more}", names.join(", "));
    let end = occupancy.stays.iter().map(|stay| stay.end).max().unwrap_or(Duration(0));
    let cut = if is_cut(occupancy) { "; only the first boxes are drawn" } else { "" };
    let caption = format!(
        "{} multiprocessors of {} threads, until {} {}{cut}; response times by {method}.",
        occupancy.multiprocessors,
        occupancy.threads,
        occupancy.unit.write(end),
        occupancy.unit
    );
    let drawn = caution.as_ref().map_or_else(|| title.clone(), |caution| format!("{title}: {caution}"));
    Figure { file, svg: gantt::occupancy(occupancy, &drawn, paper), title, caption, points: None }
}
