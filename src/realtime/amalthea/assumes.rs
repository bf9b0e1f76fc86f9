//! What the bounds of a model take for granted.

use crate::realtime::amalthea::model::{Activation, Model};

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
            "a core is idle only when no task is ready, and changes tasks in no time; under fixed priorities a larger \
             number is more urgent",
        );
    }
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
