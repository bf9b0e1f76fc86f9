//! What looks wrong in a model, and what the analysis does not use.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::time::{Duration, TimeUnit};
use crate::realtime::amalthea::cost::Costs;
use crate::realtime::amalthea::model::{Activation, Finding, Model, Step, Work};

/// Where things stand that the model does not keep.
#[derive(Debug)]
pub(super) struct Places {
    /// The names and lines of stimuli.
    pub(super) stimuli: Vec<(String, usize)>,
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
        schedulers(model, places),
        deadlines(model, places),
        tasks(model),
        ticks(model),
        unused(model, places),
        sharing(model),
    ];
    found.extend(parts.into_iter().flatten());
    found.sort_by_key(|finding| finding.line);
    found.dedup();
    model.findings = found;
}

fn warning(line: usize, what: String) -> Finding {
    Finding { line, is_warning: true, what }
}

fn note(line: usize, what: String) -> Finding {
    Finding { line, is_warning: false, what }
}

/// Schedulers that run elsewhere than where they are responsible.
fn schedulers(model: &Model, places: &Places) -> Vec<Finding> {
    let mut found = Vec::new();
    for (name, executing, line) in &places.schedulers {
        let Some(scheduler) = model.schedulers.iter().find(|scheduler| scheduler.name == *name) else {
            continue;
        };
        let definition = |name: &str| {
            model.units.iter().find(|unit| unit.name == name).map(|unit| unit.definition.clone())
        };
        let own: BTreeSet<&str> =
            scheduler.responsible.iter().map(|&unit| model.units[unit].definition.as_str()).collect();
        for unit in executing {
            let kind = definition(unit).unwrap_or_default();
            let is_own = scheduler.responsible.iter().any(|&own| model.units[own].name == *unit);
            if !is_own && !scheduler.responsible.is_empty() {
                let own: Vec<&str> = own.iter().copied().collect();
                found.push(warning(
                    *line,
                    format!(
                        "the scheduler {name} is responsible for units of the kind {} and executed on {unit}, a {kind}: \
                         its own time is not counted anywhere",
                        own.join(", ")
                    ),
                ));
            }
        }
        let named = |definition: &&str| {
            definition.len() > 2 && name.to_lowercase().contains(&definition.to_lowercase())
        };
        let all: BTreeSet<&str> = model.units.iter().map(|unit| unit.definition.as_str()).collect();
        for other in
            all.iter().filter(|definition| named(definition) && !own.is_empty() && !own.contains(*definition))
        {
            let own: Vec<&str> = own.iter().copied().collect();
            let own = own.join(", ");
            found.push(warning(
                *line,
                format!("the scheduler {name} is named after {other} and responsible for {own}"),
            ));
        }
    }
    for scheduler in &model.schedulers {
        if !scheduler.is_fixed_priority() {
            let algorithm =
                if scheduler.algorithm.is_empty() { "no algorithm" } else { &scheduler.algorithm };
            found.push(note(
                model.lines.of(scheduler.at),
                format!(
                    "{} has {algorithm}: the bounds hold for every order of its tasks in which no unit is idle while \
                     a task is ready, and use neither its parameters nor priorities",
                    scheduler.name
                ),
            ));
        }
    }
    found
}

/// Deadlines that look exchanged, exceed the period, or are missing.
fn deadlines(model: &Model, places: &Places) -> Vec<Finding> {
    let periodic = |number: &usize| match model.tasks[*number].activation {
        Activation::Recurring { period, .. } => Some((*number, period, model.tasks[*number].deadline?)),
        _ => None,
    };
    let numbers: Vec<usize> = (0..model.tasks.len()).collect();
    let known: Vec<(usize, Duration, Duration)> = numbers.iter().filter_map(periodic).collect();
    let name = |number: usize| model.tasks[number].name.as_str();
    let line = |number: usize| places.deadlines.get(&number).copied().unwrap_or_default();
    let ms = |time| TimeUnit::Milliseconds.write(time);
    let mut found = Vec::new();
    for &(one, period, deadline) in &known {
        let other = known.iter().find(|&&(_, other_period, other_deadline)| {
            period != other_period && deadline == other_period && other_deadline == period
        });
        match other {
            Some(&(other, other_period, other_deadline)) if one < other => found.push(warning(
                line(one).min(line(other)),
                format!(
                    "the deadlines of {} ({} ms, period {} ms) and {} ({} ms, period {} ms) look exchanged, each is \
                     the period of the other: taken as they stand",
                    name(one),
                    ms(deadline),
                    ms(period),
                    name(other),
                    ms(other_deadline),
                    ms(other_period)
                ),
            )),
            Some(_) => {}
            None if deadline > period => found.push(warning(
                line(one),
                format!(
                    "the deadline of {}, {} ms, exceeds its period, {} ms: taken as it stands",
                    name(one),
                    ms(deadline),
                    ms(period)
                ),
            )),
            None => {}
        }
    }
    for number in numbers.iter().copied().filter(|&number| model.tasks[number].deadline.is_none()) {
        if matches!(model.tasks[number].activation, Activation::Recurring { .. } | Activation::Once) {
            let what = format!("{} has no deadline: it only has to come to an end", name(number));
            found.push(note(model.lines.of(model.tasks[number].at), what));
        }
    }
    found
}

/// Tasks that never run, or whose events are never cleared.
fn tasks(model: &Model) -> Vec<Finding> {
    let mut found = Vec::new();
    for task in &model.tasks {
        let line = model.lines.of(task.at);
        if task.units.is_empty() {
            found.push(warning(line, format!("{} has no allocation: taken to run nowhere", task.name)));
        }
        if task.activation == Activation::Never {
            found.push(warning(line, format!("{} has no stimulus: taken to be released never", task.name)));
        }
        if task.activation == Activation::Once {
            found.push(note(line, format!("{} is released once", task.name)));
        }
        let cleared = |event: &String| {
            task.steps.iter().any(|step| matches!(step, Step::Clear(all) if all.contains(event)))
        };
        for step in &task.steps {
            if let Step::Wait { events, .. } = step {
                for event in events.iter().filter(|event| !cleared(event)) {
                    found.push(warning(
                        line,
                        format!(
                            "{} waits for {event} and never clears it, so that later jobs may not wait: the lower ends \
                             count no wait for it",
                            task.name
                        ),
                    ));
                }
            }
        }
    }
    found
}

/// Ticks that are missing for a processing unit that needs them.
fn ticks(model: &Model) -> Vec<Finding> {
    let costs: Vec<Costs<'_>> = (0..model.units.len()).map(|unit| Costs::new(model, unit)).collect();
    let mut found = BTreeSet::new();
    for task in &model.tasks {
        for (&unit, step) in
            task.units.iter().flat_map(|unit| task.steps.iter().map(move |step| (unit, step)))
        {
            let Step::Run(_, work) = step else { continue };
            if let Err(at) = costs[unit].times(work) {
                found.insert((at, model.units[unit].definition.as_str(), task.name.as_str()));
            }
        }
    }
    let what = |(at, definition, name)| {
        let what = format!("no ticks for {definition}, on which {name} runs: {name} has no bound");
        warning(model.lines.of(at), what)
    };
    found.into_iter().map(what).collect()
}

/// What nothing refers to.
fn unused(model: &Model, places: &Places) -> Vec<Finding> {
    fn called(work: &Work, found: &mut BTreeSet<usize>) {
        match work {
            Work::Call(runnable) => {
                found.insert(*runnable);
            }
            Work::All(parts) | Work::OneOf(parts) => parts.iter().for_each(|part| called(part, found)),
            Work::Ticks { .. } | Work::Label { .. } => {}
        }
    }
    let mut calls = BTreeSet::new();
    let mut triggered = BTreeSet::new();
    for step in model.tasks.iter().flat_map(|task| &task.steps) {
        match step {
            Step::Run(_, work) => called(work, &mut calls),
            Step::Trigger(stimulus) => {
                triggered.insert(*stimulus);
            }
            Step::Wait { .. } | Step::Set(_) | Step::Clear(_) => {}
        }
    }
    model.runnables.iter().for_each(|runnable| called(&runnable.work, &mut calls));
    let mut found = Vec::new();
    for (number, (name, line)) in places.runnables.iter().enumerate() {
        if !calls.contains(&number) {
            found.push(note(*line, format!("the runnable {name} is called by nothing")));
        }
    }
    for task in &model.tasks {
        let Activation::Triggered(stimulus) = task.activation else { continue };
        if !triggered.contains(&stimulus) {
            let name = places.stimuli.get(stimulus).map_or("", |(name, _)| name);
            let what = format!("no task triggers {name}: {} is taken to be released never", task.name);
            found.push(warning(model.lines.of(task.at), what));
        }
    }
    found
}

/// Processing units that schedulers share, and tasks of one priority.
fn sharing(model: &Model) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, unit) in model.units.iter().enumerate().filter(|(_, unit)| !unit.is_gpu) {
        let tasks: Vec<_> = model.tasks.iter().filter(|task| task.units.contains(&number)).collect();
        let schedulers: BTreeSet<usize> = tasks.iter().filter_map(|task| task.scheduler).collect();
        let Some(first) = tasks.first() else { continue };
        let line = model.lines.of(first.at);
        let names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        if schedulers.len() > 1 {
            let schedulers: Vec<&str> =
                schedulers.iter().map(|&one| model.schedulers[one].name.as_str()).collect();
            found.push(warning(
                line,
                format!(
                    "{} is shared by the schedulers {}: each of their tasks is taken to delay every task of another",
                    unit.name,
                    schedulers.join(", ")
                ),
            ));
        }
        let priorities: BTreeSet<i64> = tasks.iter().map(|task| task.priority).collect();
        if tasks.len() > 1 && priorities.len() < tasks.len() {
            let what = format!(
                "{} have equal priorities on {}: each is taken to delay the other",
                names.join(", "),
                unit.name
            );
            let what = if priorities.len() == 1 { what } else { format!("some of {what}") };
            found.push(note(line, what));
        }
    }
    found
}
