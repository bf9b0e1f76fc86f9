//! Deadlines, stimuli, events and ticks of tasks that look wrong or are missing.

use std::collections::BTreeSet;

use crate::cost::Costs;
use crate::findings::Places;
use crate::model::{Activation, Finding, Model, Step};
use warpspan_model::time::{Duration, TimeUnit};

/// Deadlines that look exchanged, exceed the period, or are missing.
pub(super) fn deadlines(model: &Model, places: &Places) -> Vec<Finding> {
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
            Some(&(other, other_period, other_deadline)) if one < other => found.push(Finding::warning(
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
            None if deadline > period => found.push(Finding::warning(
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
            found.push(Finding::note(model.lines.of(model.tasks[number].at), what));
        }
    }
    found
}

/// Tasks that never run, or whose events are never cleared.
pub(super) fn tasks(model: &Model) -> Vec<Finding> {
    let mut found = Vec::new();
    for task in &model.tasks {
        let line = model.lines.of(task.at);
        if task.units.is_empty() {
            found.push(Finding::warning(
                line,
                format!("{} has no allocation: taken to run nowhere", task.name),
            ));
        }
        if task.activation == Activation::Never {
            found.push(Finding::warning(
                line,
                format!("{} has no stimulus: taken to be released never", task.name),
            ));
        }
        if task.activation == Activation::Once {
            found.push(Finding::note(line, format!("{} is released once", task.name)));
        }
        let cleared = |event: &String| {
            task.steps.iter().any(|step| matches!(step, Step::Clear(all) if all.contains(event)))
        };
        for step in &task.steps {
            if let Step::Wait { events, .. } = step {
                for event in events.iter().filter(|event| !cleared(event)) {
                    found.push(Finding::warning(
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
pub(super) fn ticks(model: &Model) -> Vec<Finding> {
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
        Finding::warning(model.lines.of(at), what)
    };
    found.into_iter().map(what).collect()
}
