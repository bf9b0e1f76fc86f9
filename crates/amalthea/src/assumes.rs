//! What the bounds of a model assume.

use crate::model::{Activation, Model, Task};

/// The assumptions, a sentence each.
pub fn assumes(model: &Model) -> Vec<String> {
    let mut found = vec!["a job takes at most the upper ticks of the model, and may take as many"];
    if model.tasks.iter().any(|task| !task.units.is_empty()) && !model.labels.is_empty() {
        found.push(
            "the accesses of a job to labels follow one another and take what the latencies and data rates of the model \
             say, also while others access the memory; where it gives neither, or no memory or size of a label, they take no time",
        );
    }
    let on = |gpu: bool| {
        model.tasks.iter().any(|task| task.units.iter().any(|&unit| model.units[unit].is_gpu == gpu))
    };
    if on(true) {
        found.push(
            "a GPU runs one task at a time, is idle only when none is ready, changes tasks in no time, and runs jobs of one \
             task in the order of their releases",
        );
    }
    if on(false) {
        found.push(
            "a core is idle only when no task is ready, changes tasks in no time, and runs jobs of one task in the order of \
             their releases; under fixed priorities a larger number is more urgent",
        );
    }
    let deadlines = by_deadlines(model);
    found.extend(deadlines.as_deref());
    if model.tasks.iter().any(|task| task.units.len() > 1) {
        found.push(
            "a task with several cores stays on one of them, or moves so that it never waits while one of them runs \
             what may not delay it",
        );
    }
    if model.tasks.iter().any(|task| matches!(task.activation, Activation::Recurring { .. })) {
        found.push("no activation is dropped; arrivals of different stimuli may lie at any distance");
        if model.at_offsets {
            found.push(
                "where limits of event chains are judged, jobs arrive exactly at the offsets of the model and a period after one \
                 another",
            );
        }
    }
    if !model.chains.is_empty() {
        found.push("the data of an event chain is that of jobs that arrive when all tasks of the chain have arrived before");
    }
    found.into_iter().map(str::to_owned).collect()
}

/// What is taken for the deadlines of tasks under a scheduler that orders jobs by them.
fn by_deadlines(model: &Model) -> Option<String> {
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
    let known = "under EarliestDeadlineFirst a job with an earlier deadline is more urgent, and of equal deadlines any; the \
                 deadline of a job is the limit of the model on its response time, from its arrival or its release";
    (!tasks.is_empty()).then(|| format!("{known}{rest}"))
}
