//! What the bounds of a model rest on.

use crate::analysis::Analysis;
use crate::model::{Activation, Model, Range, Task};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::TimeUnit;
use warpspan_rta::{Basis, DeadlineMet, Verdict};

/// What the verdict on a model rests on, or its bounds where there is none. What refutes needs no more than the times of jobs, of accesses and
/// between arrivals, and what the data of an event chain is.
pub fn rests_on(model: &Model, analysis: &Analysis) -> Vec<Assumption> {
    rows(model, analysis, analysis.verdict == Verdict::Refuted)
}

/// What the response bounds of a model and the latencies of its chains rest on, whatever its verdict is.
pub fn bounds_rest_on(model: &Model, analysis: &Analysis) -> Vec<Assumption> {
    rows(model, analysis, false)
}

fn rows(model: &Model, analysis: &Analysis, refuted: bool) -> Vec<Assumption> {
    let declared = |id, subject: &str, value: &str| Assumption::declared(id, subject, value).by("the model");
    let modelled = Assumption::modelled;
    let mut all = vec![match refuted {
        true => declared(
            Id::ExecutionLeast,
            "a job",
            "at least the lower ticks of the model, and it may take the upper ones",
        ),
        false => declared(
            Id::ExecutionGiven,
            "a job",
            "at most the upper ticks of the model, and it may take as many",
        ),
    }];
    // Ticks at the clock of a unit, and what accesses take by sizes, latencies and data rates.
    for (task, found) in model.tasks.iter().zip(&analysis.tasks) {
        let Some(Range { lower, upper }) = found.execution else { continue };
        let [lower, upper] = [lower, upper].map(|time| TimeUnit::Milliseconds.write(time));
        let value = if lower == upper { format!("{upper} ms") } else { format!("{lower} to {upper} ms") };
        all.push(
            declared(all[0].id, &format!("{}, a job on its own", task.name), &value)
                .by("ticks, clocks and accesses of the model"),
        );
    }
    if model.tasks.iter().any(|task| !task.units.is_empty()) && !model.labels.is_empty() {
        let value = "follow one another and take what the latencies and data rates of the model say, also while others access the \
                     memory";
        all.push(declared(Id::LabelsTime, "accesses of a job to labels", value));
    }
    // A bound from below is valid without the time of an access.
    if !refuted {
        all.extend(model.untimed.iter().map(|one| {
            let subject = format!("an access to {}", one.labels);
            Assumption::assumed(Id::LabelsTime, subject, format!("no time, since {}", one.why))
        }));
    }
    let activations = || {
        let value = "none is dropped; arrivals of different stimuli may lie at any distance";
        modelled(Id::LaunchArrivals, "activations", value)
    };
    let of_chains = || {
        let value = "that of jobs that arrive when all tasks of the chain have arrived before";
        modelled(Id::ChainData, "the data of an event chain", value)
    };
    let arrivals = || model.tasks.iter().filter_map(arrivals);
    if refuted {
        let chain_is_late = analysis.chains.iter().any(|chain| chain.meets == DeadlineMet::No);
        if analysis.by == Some(Basis::Overload) {
            all.extend(arrivals());
            all.push(activations());
        }
        all.extend(chain_is_late.then(of_chains));
        return all;
    }
    let on = |gpu: bool| {
        model.tasks.iter().any(|task| task.units.iter().any(|&unit| model.units[unit].is_gpu == gpu))
    };
    if on(true) {
        let value = "runs one task at a time, is idle only when none is ready, changes tasks in no time, and runs jobs of one task \
                     in the order of their releases";
        all.push(modelled(Id::CoreScheduling, "a GPU", value));
    }
    if on(false) {
        let value = "is idle only when no task is ready, changes tasks in no time, and runs jobs of one task in the order of their \
                     releases; under fixed priorities a larger number is more urgent";
        all.push(modelled(Id::CoreScheduling, "a core", value));
    }
    all.extend(by_deadlines(model));
    if model.tasks.iter().any(|task| task.units.len() > 1) {
        let value = "stays on one of them, or moves so that it never waits while one of them runs what may not delay it";
        all.push(modelled(Id::CoreScheduling, "a task with several cores", value));
    }
    if model.tasks.iter().any(|task| matches!(task.activation, Activation::Recurring { .. })) {
        all.extend(arrivals());
        all.push(activations());
        if model.at_offsets {
            let value = "exactly at the offsets of the model and a period after one another, where limits of event chains are judged";
            all.push(declared(Id::LaunchArrivals, "jobs arrive", value));
        }
    }
    all.extend((!model.chains.is_empty()).then(of_chains));
    all
}

/// The time between two jobs of a task with a recurring stimulus.
fn arrivals(task: &Task) -> Option<Assumption> {
    let Activation::Recurring { period, longest, .. } = task.activation else { return None };
    let [period, longest] = [period, longest].map(|time| TimeUnit::Milliseconds.write(time));
    let value = if period == longest { format!("{period} ms") } else { format!("{period} to {longest} ms") };
    let subject = format!("{}, time between jobs", task.name);
    Some(Assumption::declared(Id::LaunchArrivals, &subject, &value).by("a stimulus of the model"))
}

/// What is taken for the deadlines of tasks under a scheduler that orders jobs by them.
fn by_deadlines(model: &Model) -> Option<Assumption> {
    let is_ordered = |task: &&Task| {
        task.scheduler.is_some_and(|one| model.schedulers[one].is_earliest_deadline_first())
            && task.units.iter().any(|&unit| !model.units[unit].is_gpu)
    };
    let tasks: Vec<&Task> = model.tasks.iter().filter(is_ordered).collect();
    let without = tasks.iter().filter(|task| task.ordering_deadline().is_none());
    let without: Vec<&str> = without.map(|task| task.name.as_str()).collect();
    let rest = if without.is_empty() {
        String::new()
    } else {
        let names = without.join(", ");
        format!("; on the cores of tasks without one that orders their jobs ({names}) jobs come in any order")
    };
    let value = format!(
        "a job with an earlier deadline is more urgent, and of equal deadlines any; the deadline of a job is the limit of the model on \
         its response time, from its arrival or its release{rest}"
    );
    (!tasks.is_empty()).then(|| Assumption::modelled(Id::CoreScheduling, "EarliestDeadlineFirst", value))
}
