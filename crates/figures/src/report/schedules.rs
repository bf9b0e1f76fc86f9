//! The schedules of `solve`, each drawn as a Gantt chart.

use crate::gantt::warps_within;
use crate::report::case::shortened;
use crate::report::{Shows, Sketch};
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

impl From<Drawn> for Sketch {
    fn from(Drawn { workload, instance, witness, upper, window }: Drawn) -> Self {
        let group = |group: &Group| {
            let plural = if group.warps == 1 { "" } else { "s" };
            format!("{}, {} warp{plural}", shortened(&group.code.to_string()), group.warps)
        };
        let groups: Vec<String> = workload.groups().iter().map(group).collect();
        let sigma = |unit| format!("sigma_{unit} = {}", workload.multiprocessor().sigma(unit));
        let title = format!("{}; {}", groups.join(" + "), Unit::ALL.map(sigma).join(", "));
        let makespan = witness.makespan().0;
        let caption = if makespan == upper {
            format!("{makespan} cycles, which no schedule exceeds: a worst case.")
        } else {
            format!("{makespan} cycles; the worst case is at most {upper}.")
        };
        Self {
            section: Shows::Schedule,
            interest: upper.saturating_sub(makespan),
            title: title.clone(),
            caption,
            points: None,
            draw: Box::new(move |paper| warps_within(&instance, witness.schedule(), &title, window, paper)),
        }
    }
}
