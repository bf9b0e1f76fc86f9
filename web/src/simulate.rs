//! The record of `simulate`, for all policies of the model.

use serde_json::Value;
use warpspan::engines::extremes::range;
use warpspan::engines::policy::{Policy, Scenario, on_units, simulate as play};
use warpspan::model::PerUnit;
use warpspan::records::{Envelope, Simulate};

use crate::ask::Ask;
use crate::json;

pub(crate) fn simulate(ask: &Ask) -> Result<Value, String> {
    let (workload, instance, rests) = ask.straight()?;
    let limits = ask.limits();
    let played = on_units(&instance, 1, None, PerUnit::from_fn(|_| 1)).map_err(|error| error.to_string())?;
    let scenario = Scenario::of(&played);
    let range = range(&instance, &limits, None).map_err(|error| error.message().to_string())?;
    let suits = |policy: &Policy| {
        !matches!(policy, Policy::Worst | Policy::Cggty) && scenario.suits(&played, *policy).is_ok()
    };
    let mut runs = Vec::new();
    for policy in Policy::ALL.into_iter().filter(suits) {
        let run = play(&played, policy, &scenario, &limits).map_err(|error| error.to_string())?;
        range.holds(&run).map_err(|error| error.to_string())?;
        runs.push(run);
    }
    let record = Simulate::new((&workload).into(), &played, &scenario, &runs, Some(&range), None);
    json(Envelope::new(record.resting_on(&rests, ToString::to_string)))
}
