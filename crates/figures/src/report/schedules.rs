//! The schedules of `solve`, each drawn as a Gantt chart.

use crate::gantt::warps_within;
use crate::paper::Paper;
use crate::report::case::shortened;
use crate::report::{Figure, Section};
use warpspan_check::schedule::Witness;
use warpspan_model::{Group, Instance, Unit, Workload};

/// A schedule that is to be drawn.
#[derive(Debug)]
pub struct Drawn {
    /// The workload, as it was given.
    pub workload: Workload,
    /// The instance of the workload.
    pub instance: Instance,
    /// The schedule, replayed.
    pub witness: Witness,
    /// The worst case is at most this, in cycles.
    pub upper: u64,
    /// The first and the last cycle that are drawn; all without it.
    pub window: Option<(u64, u64)>,
}

/// Draws a chart of each schedule.
pub(super) fn section(schedules: &[Drawn], paper: &Paper) -> Section {
    let schedules: Vec<&Drawn> = schedules.iter().collect();
    Section::new(
        "schedule",
        "Schedules",
        "Time across, a row a warp, a box an instruction issued; below, the slots that a unit leaves idle. Long schedules are drawn \
         as densities. Each was replayed before it was drawn.",
        &schedules,
        |drawn| drawn.upper.saturating_sub(drawn.witness.makespan().0),
        |drawn, file| figure(drawn, file, paper),
    )
}

fn figure(
    Drawn { workload, instance, witness, upper, window }: &Drawn,
    file: String,
    paper: &Paper,
) -> Figure {
    let group = |group: &Group| {
        let plural = if group.warps == 1 { "" } else { "s" };
        format!("{}, {} warp{plural}", shortened(&group.code.to_string()), group.warps)
    };
    let groups: Vec<String> = workload.groups().iter().map(group).collect();
    let sigma = |unit| format!("sigma_{unit} = {}", workload.multiprocessor().sigma(unit));
    let title = format!("{}; {}", groups.join(" + "), Unit::ALL.map(sigma).join(", "));
    let makespan = witness.makespan().0;
    let caption = if makespan == *upper {
        format!("{makespan} cycles, which no schedule exceeds: a worst case.")
    } else {
        format!("{makespan} cycles; the worst case is at most {upper}.")
    };
    let svg = warps_within(instance, witness.schedule(), &title, *window, paper);
    Figure { file, title, caption, svg, points: None }
}
