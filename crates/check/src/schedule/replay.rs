//! The verifier of schedules, which replays the semantics of [`warpspan_model`] and of its
//! [machines](warpspan_model::machine) in integers.
//!
//! It goes from one cycle in which something happens to the next: a start, an issue, the end of a latency or of an
//! occupancy. It imports no engine and merges no warps, so a schedule that passes proves a lower bound, whatever found
//! it.

mod blocks;
mod issue;
mod state;
#[cfg(test)]
mod tests;
mod witness;

use crate::schedule::{Launch, Schedule, Violation};
use state::Replay;

pub use witness::Witness;

/// Replays a schedule and returns the witness, or the first rule that the schedule breaks.
///
/// The time is O(issues x log issues + cycles in which something happens x pairs of a scheduler and a unit for which a
/// warp is ready) and the memory O(warps).
///
/// # Errors
/// The first violation in order of cycles, or code that is no straight line.
pub fn replay<'a>(launch: impl Into<Launch<'a>>, schedule: Schedule) -> Result<Witness, Violation> {
    let rules = launch.into().rules()?;
    let found = schedule.issues().len() as u64;
    let expected = rules.total_issues();
    if rules.warps_with_code() > found {
        // A schedule with too few issues ends here, so the replay is no larger than the schedule.
        return Err(Violation::Unfinished { found, expected });
    }
    let mut replay = Replay::new(&rules);
    let (mut starts, mut issues) = (schedule.starts(), schedule.issues());
    let mut cycle: u64 = 0;
    // Whether the cycle after this one may break a rule, though nothing happens in it: the slots of this one are gone.
    let mut look = true;
    while let Some(given) =
        starts.first().map(|start| start.cycle).into_iter().chain(issues.first().map(|i| i.cycle)).min()
    {
        if given == 0 {
            return Err(Violation::CycleZero);
        }
        let after = if look { cycle.checked_add(1) } else { None };
        cycle = replay.agenda.first().into_iter().chain(after).chain([given]).min().unwrap_or(given);
        let now;
        (now, starts) = starts.split_at(starts.partition_point(|start| start.cycle <= cycle));
        let issued;
        (issued, issues) = issues.split_at(issues.partition_point(|issue| issue.cycle <= cycle));
        replay.advance(cycle);
        replay.start(cycle, now)?;
        for issue in issued {
            replay.issue(issue)?;
        }
        replay.find_idle(cycle)?;
        look = !issued.is_empty();
    }
    if found < expected {
        return Err(Violation::Unfinished { found, expected });
    }
    let Replay { last_issues, completions, .. } = replay;
    Ok(Witness { schedule, last_issues, completions })
}
