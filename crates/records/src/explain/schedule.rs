//! What the warps of a schedule do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::Explain;
use crate::explain::sentences::why;
use warpspan_check::schedule::{Activity, Doing, Issued};
use warpspan_model::words;

/// How the cycles of a warp divide, from cycle 1 to its last issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Division {
    /// The warp.
    pub warp: String,
    /// The cycle of its last issue, which is the sum of all shares.
    pub cycles: u64,
    /// The cycles that the whole schedule takes.
    pub makespan: u64,
    /// What it does in how many cycles; what it never does is left out.
    pub shares: Vec<Share>,
}

/// Cycles in which a warp does something, or waits for something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// What it does.
    pub state: State,
    /// The unit, where it waits for one; else null.
    pub unit: Option<String>,
    /// How many cycles.
    pub cycles: u64,
}

words! {
    /// What a warp does in a cycle.
    State {
        /// It issues an instruction.
        Issues = "issues",
        /// It is ready, and its unit takes no more.
        Unit = "waits-for-unit",
        /// It is ready, its unit would take it, and its scheduler issues no more.
        Issue = "waits-for-issue",
        /// It waits for the result of its last instruction.
        Latency = "waits-for-latency",
        /// It stands at a barrier.
        Barrier = "waits-at-barrier",
        /// Its block waits for a slot.
        Slot = "waits-for-slot",
        /// It has issued its last instruction.
        Finished = "finished",
    }
}

/// What a warp does in a cycle, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Moment {
    /// The cycle.
    pub cycle: u64,
    /// The warp.
    pub warp: String,
    /// What it does.
    pub state: State,
    /// The instruction that it issues, or that it stands before, from 1; null where there is none.
    pub instruction: Option<u64>,
    /// The letter of that instruction; null where it is not ready for one.
    pub letter: Option<String>,
    /// The unit that takes no more; else null.
    pub unit: Option<String>,
    /// The first cycle in which it no longer waits for this; null where that depends on the scheduler.
    pub until: Option<u64>,
    /// The issues that fill the unit or the scheduler, or the one whose result it waits for.
    pub by: Vec<Holder>,
    /// The warps that have not come to the barrier.
    pub missing: Vec<String>,
    /// What it does and why a work-conserving scheduler may have it so, in words.
    pub why: String,
}

/// An issue that keeps a warp from issuing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holder {
    /// The warp.
    pub warp: String,
    /// The instruction, from 1.
    pub instruction: u64,
    /// Its letter.
    pub letter: String,
    /// The cycle of the issue.
    pub cycle: u64,
    /// The last cycle in which it holds its unit.
    pub until: u64,
}

impl Explain {
    /// How the cycles of one warp of a schedule divide.
    pub fn of_schedule(activity: &Activity, warp: usize) -> Self {
        Self { division: Some(division(activity, warp)), ..Self::empty("schedule") }
    }

    /// What some warps of a schedule do in a cycle.
    pub fn of_cycle(activity: &Activity, cycle: u64, warps: impl Iterator<Item = usize>) -> Self {
        Self { moments: warps.map(|warp| moment(activity, warp, cycle)).collect(), ..Self::empty("schedule") }
    }
}

/// How the cycles of a warp divide.
pub(super) fn division(activity: &Activity, warp: usize) -> Division {
    let spent = activity.spent(warp);
    let share = |state, cycles| Share { state, unit: None, cycles };
    let of_unit = |(unit, cycles)| Share { state: State::Unit, unit: Some(unit), cycles };
    let shares = std::iter::once(share(State::Issues, spent.issues))
        .chain(spent.units.into_iter().map(of_unit))
        .chain([
            share(State::Issue, spent.width),
            share(State::Barrier, spent.barrier),
            share(State::Latency, spent.latency),
            share(State::Slot, spent.absent),
        ]);
    Division {
        warp: activity.name(warp),
        cycles: spent.total,
        makespan: activity.makespan(),
        shares: shares.filter(|share| share.cycles > 0).collect(),
    }
}

fn moment(activity: &Activity, warp: usize, cycle: u64) -> Moment {
    let name = activity.name(warp);
    let holder = |of: &Issued| Holder {
        warp: activity.name(of.warp),
        instruction: of.instruction as u64 + 1,
        letter: of.letter.clone(),
        cycle: of.cycle,
        until: of.until,
    };
    let doing = activity.at(warp, cycle);
    let why = why(activity, &name, cycle, &doing);
    let nothing = |state| Moment {
        cycle,
        warp: name.clone(),
        state,
        instruction: None,
        letter: None,
        unit: None,
        until: None,
        by: Vec::new(),
        missing: Vec::new(),
        why: why.clone(),
    };
    match doing {
        Doing::Absent { starts } => Moment { until: Some(starts), ..nothing(State::Slot) },
        Doing::Finished { .. } => nothing(State::Finished),
        Doing::Issues(of) => Moment {
            instruction: Some(of.instruction as u64 + 1),
            letter: Some(of.letter),
            ..nothing(State::Issues)
        },
        Doing::Latency { of, ready } => Moment {
            instruction: Some(of.instruction as u64 + 2),
            until: Some(ready),
            by: vec![holder(&of)],
            ..nothing(State::Latency)
        },
        Doing::Barrier { instruction, missing, opens } => Moment {
            instruction: Some(instruction as u64 + 1),
            until: Some(opens),
            missing: missing.into_iter().map(|warp| activity.name(warp)).collect(),
            ..nothing(State::Barrier)
        },
        Doing::Unit { next, unit, by, .. } => Moment {
            instruction: Some(next.instruction as u64 + 1),
            letter: Some(next.letter),
            unit: Some(unit),
            by: by.iter().map(holder).collect(),
            ..nothing(State::Unit)
        },
        Doing::Width { next, by, .. } => Moment {
            instruction: Some(next.instruction as u64 + 1),
            letter: Some(next.letter),
            by: by.iter().map(holder).collect(),
            ..nothing(State::Issue)
        },
    }
}
