//! The best case: proved by a search of all states where they are few, else the shortest schedule of a policy.

use serde::Serialize;
use serde_json::Value;
use warpspan::engines::policy::{Policy, Scenario, on_units, simulate};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::engines::states;
use warpspan::model::PerUnit;
use warpspan::schedule::file::records;
use warpspan::schedule::{IssueRecord, Schedule, replay};

use crate::ask::Ask;
use crate::json;

/// The shortest schedule that is known.
#[derive(Debug, Serialize)]
struct Best {
    makespan: u64,
    /// Whether no schedule is shorter.
    proved: bool,
    /// The policy that took it; null where a search found it.
    policy: Option<String>,
    schedule: Vec<IssueRecord>,
}

/// The largest number of states that are searched for a best case; it takes about a second.
const MOST_STATES: u64 = 1_000_000;

pub(crate) fn best(ask: &Ask) -> Result<Value, String> {
    let (_, instance, _) = ask.straight()?;
    let limits = ask.limits();
    let states = states::predict(&instance, &limits);
    if states.states <= MOST_STATES && states.method.is_some() {
        let solver = Solver::new().limits(&limits).engine(EngineChoice::States);
        let solution = solver.solve(&instance).map_err(|error| error.message().to_string())?;
        if let (Some(makespan), Some(witness)) = (solution.best_case(), solution.best_witness()) {
            let schedule = records(&instance, witness.schedule()).collect();
            return json(Best { makespan: makespan.0, proved: true, policy: None, schedule });
        }
    }
    let workload =
        on_units(&instance, 1, None, PerUnit::from_fn(|_| 1)).map_err(|error| error.to_string())?;
    let scenario = Scenario::of(&workload);
    let mut shortest: Option<(u64, Policy, Schedule)> = None;
    for policy in [Policy::Gto, Policy::Lrr, Policy::Oldest] {
        let run = simulate(&workload, policy, &scenario, &limits).map_err(|error| error.to_string())?;
        let makespan = run.makespan().0;
        if shortest.as_ref().is_none_or(|(least, ..)| makespan < *least) {
            shortest = Some((makespan, policy, run.schedule()));
        }
    }
    let (makespan, policy, schedule) = shortest.ok_or("no policy suits the instance")?;
    let witness = replay(&instance, schedule).map_err(|error| error.to_string())?;
    let schedule = records(&instance, witness.schedule()).collect();
    json(Best { makespan, proved: false, policy: Some(policy.to_string()), schedule })
}
