//! What a drawing of one run does not show.

use warpspan_model::time::Duration;
use warpspan_rta::{Analysis, Method, Occupancy, System};

/// What is known of a kernel's response times.
pub(crate) struct Seen {
    pub(crate) name: String,
    /// The safe bound.
    pub(crate) bound: Option<Duration>,
    /// The longest that the simulator finds.
    pub(crate) longest: Option<Duration>,
}

/// Of all kernels.
pub(crate) fn seen(system: &System, analysis: &Analysis) -> Vec<Seen> {
    let simulated = match analysis.method {
        Method::Simulate => Some(&analysis.estimates),
        _ => analysis.simulated.as_ref().map(|(responses, _)| responses),
    };
    let of = |(task, judged): (usize, &warpspan_rta::KernelVerdict)| Seen {
        name: system.tasks()[task].name.clone(),
        bound: judged.bound,
        longest: simulated.and_then(|responses| Some(responses[task]?.worst)),
    };
    analysis.kernels.iter().enumerate().map(of).collect()
}

/// A line for a drawing in which a response time is shorter than what is proved of all runs; `None` if all are as long.
pub(crate) fn caution(occupancy: &Occupancy, kernels: &[Seen]) -> Option<String> {
    let end = occupancy.stays.iter().map(|stay| stay.end).max()?;
    let write = |time| format!("{} {}", occupancy.unit.write(time), occupancy.unit);
    let beyond =
        |kernel: &&Seen| kernel.bound.is_none_or(|bound| kernel.longest.is_none_or(|seen| seen < bound));
    let beyond: Vec<&Seen> = kernels.iter().filter(beyond).collect();
    let longest = beyond.iter().filter_map(|kernel| Some((kernel.bound?, kernel)));
    let bounded = longest.max_by_key(|(bound, _)| *bound).map(|(bound, kernel)| {
        let seen = kernel
            .longest
            .map_or_else(String::new, |seen| format!("{} takes up to {} in it, ", kernel.name, write(seen)));
        format!("{seen}the safe bound of {} is {}", kernel.name, write(bound))
    });
    let unbounded = beyond.iter().find(|kernel| kernel.bound.is_none());
    let unbounded = unbounded.map(|kernel| format!("{} has no safe bound", kernel.name));
    let what: Vec<String> = bounded.into_iter().chain(unbounded).collect();
    (!what.is_empty()).then(|| format!("one run, which ends at {}; {}", write(end), what.join(", ")))
}
