//! The forward search by levels, for long kernels and few warps. It keeps only states that can be reached.
//!
//! Here a state is the number of instructions that each warp has issued, in rising order within its group,
//! and its level is their sum. A cycle leads from a level to one of the next few, so levels are done in
//! order, each by all threads, and each state remembers the latest and the earliest cycle in which it can be
//! reached. No state is dropped because of another: an earlier arrival or a state further ahead may be the
//! worse one (timing anomalies).

mod arrival;
mod forward;
mod moves;
mod path_back;
mod state_set;

use crate::states::levels::forward::{Forward, Halt};
use crate::states::levels::moves::{Moves, State};
use crate::states::{Extreme, Meter, Method, Outcome, Unfinished};
use warpspan_check::bound::{Theorem, Upper};
use warpspan_check::schedule::Schedule;
use warpspan_check::seal::SEAL;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::{Cycles, Instance};

/// Searches all reachable states.
pub(super) fn search(
    instance: &Instance,
    limits: &Limits,
    states: u64,
    meter: &Meter<'_>,
) -> Result<Outcome, Unfinished> {
    let searched = |cycles| Upper::proved(Cycles(cycles), Theorem::CriticalPathOfStates, SEAL);
    let halted =
        |Halt { stop, upper }| Unfinished { states, ending: stop.into(), upper: upper.map(searched) };
    let moves = Moves::new(instance).ok_or(Halt { stop: Stop::MemoryLimit, upper: None }).map_err(halted)?;
    let forward = Forward { moves: &moves, limits, meter };
    let (start, end) = (moves.start(), moves.end());
    let run = forward.run(&start, &end).map_err(halted)?;
    let schedule = |extreme| forward.way(&start, &end, &run, extreme).map(|way| schedule(&moves, &way));
    let (worst, best) = (schedule(Extreme::Worst), schedule(Extreme::Best));
    let arrival = run.arrival.expect("every schedule ends");
    let value = |extreme| Cycles(arrival.cycle(extreme).into());
    Ok(Outcome {
        worst: Upper::proved(value(Extreme::Worst), Theorem::Exhaustive { states: run.states }, SEAL),
        best: Some(value(Extreme::Best)),
        states: run.states,
        method: Method::Levels,
        stop: worst.as_ref().err().or(best.as_ref().err()).copied(),
        schedule: worst.ok(),
        best_schedule: best.ok(),
    })
}

fn schedule(moves: &Moves<'_>, way: &[State]) -> Schedule {
    let mut issues = Vec::new();
    for (cycle, pair) in (1..).zip(way.windows(2)) {
        moves.issues(&pair[0], &pair[1], cycle, &mut issues);
    }
    Schedule::new(issues)
}
