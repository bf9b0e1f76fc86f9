//! Schedulers that are elsewhere than their cores, and cores that several tasks or schedulers share.

use std::collections::BTreeSet;

use crate::findings::Places;
use crate::model::{Finding, Model, Scheduler};

/// Schedulers that run elsewhere than where they are responsible.
pub(super) fn schedulers(model: &Model, places: &Places) -> Vec<Finding> {
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
                found.push(Finding::warning(
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
            found.push(Finding::warning(
                *line,
                format!("the scheduler {name} is named after {other} and responsible for {own}"),
            ));
        }
    }
    for scheduler in &model.schedulers {
        if !scheduler.is_fixed_priority() && !scheduler.is_earliest_deadline_first() {
            let algorithm =
                if scheduler.algorithm.is_empty() { "no algorithm" } else { &scheduler.algorithm };
            found.push(Finding::note(
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

/// Processing units that schedulers share, and tasks of one priority.
pub(super) fn sharing(model: &Model) -> Vec<Finding> {
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
            found.push(Finding::warning(
                line,
                format!(
                    "{} is shared by the schedulers {}: each of their tasks is taken to delay every task of another",
                    unit.name,
                    schedulers.join(", ")
                ),
            ));
        }
        // By deadlines, whatever the priorities.
        let mut of = schedulers.iter().map(|&one| &model.schedulers[one]);
        if schedulers.len() == 1 && of.all(Scheduler::is_earliest_deadline_first) {
            continue;
        }
        let without = tasks.iter().filter(|task| task.priority.is_none());
        let without: Vec<&str> = without.map(|task| task.name.as_str()).collect();
        // Where none has one, all are equal.
        if !without.is_empty() && without.len() < tasks.len() {
            let what = format!(
                "{} without a priority on {}: taken to delay each other task there, and to be delayed by each",
                without.join(", "),
                unit.name
            );
            found.push(Finding::note(line, what));
            continue;
        }
        let priorities: BTreeSet<Option<i64>> = tasks.iter().map(|task| task.priority).collect();
        if tasks.len() > 1 && priorities.len() < tasks.len() {
            let what = format!(
                "{} have equal priorities on {}: each is taken to delay the other",
                names.join(", "),
                unit.name
            );
            let what = if priorities.len() == 1 { what } else { format!("some of {what}") };
            found.push(Finding::note(line, what));
        }
    }
    found
}
