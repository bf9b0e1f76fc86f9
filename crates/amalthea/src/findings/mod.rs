//! What looks wrong in a model, and what the analysis does not use.

mod mapping;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Activation, Finding, Model, Step, Work};

/// Where things stand that the model does not keep.
#[derive(Debug)]
pub(super) struct Places {
    /// The names and lines of stimuli.
    pub(super) stimuli: Vec<(String, usize)>,
    /// The stimuli that a task names.
    pub(super) used_stimuli: BTreeSet<usize>,
    /// The names and lines of runnables.
    pub(super) runnables: Vec<(String, usize)>,
    /// For each allocation of a scheduler: its name, its executing units, the line.
    pub(super) schedulers: Vec<(String, Vec<String>, usize)>,
    /// The lines of deadlines, by tasks.
    pub(super) deadlines: BTreeMap<usize, usize>,
}

/// Adds all findings to a model, in the order of its lines.
pub(super) fn add(model: &mut Model, places: &Places) {
    let mut found = std::mem::take(&mut model.findings);
    let parts = [
        mapping::schedulers(model, places),
        mapping::sharing(model),
        tasks::deadlines(model, places),
        tasks::tasks(model),
        tasks::ticks(model),
        unused(model, places),
    ];
    found.extend(parts.into_iter().flatten());
    found.sort_by_key(|finding| finding.line);
    found.dedup();
    model.findings = found;
}

/// What nothing refers to.
fn unused(model: &Model, places: &Places) -> Vec<Finding> {
    fn called(work: &Work, found: &mut BTreeSet<usize>) {
        match work {
            Work::Call(runnable) => {
                found.insert(*runnable);
            }
            Work::All(parts) | Work::OneOf { work: parts, .. } => {
                parts.iter().for_each(|part| called(part, found))
            }
            Work::Ticks { .. } | Work::Label { .. } => {}
        }
    }
    let mut calls = BTreeSet::new();
    let mut triggered = BTreeSet::new();
    for step in model.tasks.iter().flat_map(|task| &task.steps) {
        match step {
            Step::Run(_, work) => called(work, &mut calls),
            Step::Trigger { stimulus, .. } => {
                triggered.insert(*stimulus);
            }
            Step::Wait { .. } | Step::Set { .. } | Step::Clear(_) => {}
        }
    }
    model.runnables.iter().for_each(|runnable| called(&runnable.work, &mut calls));
    let mut found = Vec::new();
    for (number, (name, line)) in places.runnables.iter().enumerate() {
        if !calls.contains(&number) {
            found.push(Finding::note(*line, format!("the runnable {name} is called by nothing")));
        }
    }
    for (number, (name, line)) in places.stimuli.iter().enumerate() {
        if !places.used_stimuli.contains(&number) {
            found.push(Finding::note(*line, format!("the stimulus {name} releases no task")));
        }
    }
    for task in &model.tasks {
        let Activation::Triggered(stimulus) = task.activation else { continue };
        if !triggered.contains(&stimulus) {
            let name = places.stimuli.get(stimulus).map_or("", |(name, _)| name);
            let what = format!("no task triggers {name}: {} is taken to be released never", task.name);
            found.push(Finding::warning(model.lines.of(task.at), what));
        }
    }
    found
}
