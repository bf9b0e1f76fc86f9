//! Time-triggered schedules of tiles, as `prem` reports them.

use crate::gantt;
use crate::paper::Paper;
use crate::report::{Figure, Section};
use crate::scale::time;
use crate::shapes::real;
use warpspan_prem::Schedule;

/// A schedule that is to be drawn.
#[derive(Debug)]
pub struct Triggered {
    /// The names of the kernels, and the mode.
    pub title: String,
    /// What is proved of the times.
    pub caveat: String,
    /// How many pairs of memory phases of different kernels overlap by plan.
    pub overlaps: u64,
    /// The schedule, checked.
    pub schedule: Schedule,
}

/// Draws a chart of each schedule.
pub(super) fn section(schedules: &[Triggered], paper: &Paper) -> Section {
    Section::new(
        "tiles",
        "Time-triggered schedules of tiles",
        "Time across, a row a block, a box a phase of a tile; the first two tiles (Kr19 Fig. 3.3 to 3.6).",
        schedules,
        |of| of.overlaps,
        |Triggered { title, caveat, schedule, .. }, file| Figure {
            file,
            title: title.clone(),
            caption: format!("Hyperperiod {}. {caveat}", time(real(schedule.hyperperiod().0))),
            svg: gantt::tiles(schedule, title, caveat, paper),
            points: None,
        },
    )
}
