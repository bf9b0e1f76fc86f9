//! `osModel` and `mappingModel`: schedulers, and the processing units and priorities of tasks.

use std::collections::BTreeMap;

use crate::model::{Finding, Scheduler};
use crate::read::names::{Names, references};
use crate::xml::Element;
use warpspan_model::source::{InputError, quoted};

/// Where a task runs.
#[derive(Debug, Clone)]
pub(super) struct Allocation {
    pub(super) scheduler: usize,
    pub(super) units: Vec<usize>,
    pub(super) priority: Option<i64>,
}

pub(super) fn scheduler(element: Element<'_>) -> Result<Scheduler, InputError> {
    let algorithm = match element.child("schedulingAlgorithm") {
        Some(algorithm) => algorithm.kind().to_owned(),
        // From version 2 on, a scheduler refers to the definition of its algorithm.
        None => references(element, "definition").pop().unwrap_or_default(),
    };
    // These give a task its time only while a budget lasts or in its slots.
    let may_idle =
        ["Server", "Bandwidth", "Tdma", "TDMA", "Pfair", "PFair", "EarlyReleaseFair", "TimeTriggered"];
    if may_idle.iter().any(|word| algorithm.contains(word)) {
        let what = format!("{algorithm} may leave a unit idle while a task is ready, which is not analysed");
        return Err(
            element.error(format!("{what}: want fixed priorities, or another algorithm that never does"))
        );
    }
    if let Some(own) = element.child("computationItems") {
        return Err(own.error("the time that a scheduler takes is not analysed: want one that takes none"));
    }
    if let Some(parent) = element.child("parentAssociation") {
        return Err(
            parent.error("a scheduler under another one is not analysed: want one with cores of its own")
        );
    }
    let name = element.required("name")?.to_owned();
    Ok(Scheduler { name, algorithm, responsible: Vec::new(), at: element.bytes().start })
}

/// Reads for which processing units schedulers are responsible.
pub(super) fn responsibilities(
    models: &[Element<'_>],
    names: &Names,
    units: &Names,
    schedulers: &mut [Scheduler],
) -> Result<(), InputError> {
    for allocation in
        models.iter().flat_map(|model| model.children("schedulerAllocation").collect::<Vec<_>>())
    {
        let scheduler = names.one(allocation, "scheduler")?;
        schedulers[scheduler].responsible.extend(units.all(allocation, "responsibility")?);
        units.all(allocation, "executingPU")?;
    }
    Ok(())
}

/// The number of an attribute `priority`, or of a parameter `priority`; 0 where the attribute or the number of a value is not there,
/// since EMF does not write a number of 0, and none where there are no parameters or the parameter has no value.
fn priority(allocation: Element<'_>) -> Result<Option<i64>, InputError> {
    let mut found = None;
    for parameters in allocation.children("schedulingParameters") {
        let keys = references(parameters, "key");
        let is_key = keys.iter().any(|key| key.eq_ignore_ascii_case("priority"));
        if let Some(other) = keys.iter().find(|_| !is_key) {
            let what = format!("the scheduling parameter {} is not analysed", quoted(other));
            return Err(parameters.error(format!("{what}: want priority alone")));
        }
        let (holder, name) = match parameters.child("value") {
            Some(value) if is_key => (value, "value"),
            Some(value) => {
                return Err(value.error("a value of no scheduling parameter: want key=\"priority\""));
            }
            None if is_key => continue,
            None => (parameters, "priority"),
        };
        let number = match holder.attribute(name) {
            Some(text) => text.parse().map_err(|_| {
                holder.error(format!("the priority is {}: want a whole number", quoted(text)))
            })?,
            None if !is_key || matches!(holder.kind(), "IntegerObject" | "LongObject") => 0,
            None => {
                let what = format!("the priority is of the kind {}", quoted(holder.kind()));
                return Err(holder.error(format!("{what}: want an IntegerObject with a value")));
            }
        };
        if found.replace(number).is_some() {
            return Err(parameters.error("a second priority of the task: want one"));
        }
    }
    Ok(found)
}

/// That the defaults of priorities are not used, where a task has no priority of its own.
pub(super) fn unused_defaults(
    models: &[Element<'_>],
    allocations: &BTreeMap<usize, Allocation>,
) -> Vec<Finding> {
    if allocations.values().all(|one| one.priority.is_some()) {
        return Vec::new();
    }
    let definitions =
        models.iter().flat_map(|model| model.children("schedulingParameterDefinitions").collect::<Vec<_>>());
    let is_priority =
        |one: &Element<'_>| one.attribute("name").is_some_and(|name| name.eq_ignore_ascii_case("priority"));
    let with_default = definitions.filter(|one| is_priority(one) && one.child("defaultValue").is_some());
    let what = "the default of the scheduling parameter priority is not used: a task without a priority of its own is taken to \
                delay each other task, and to be delayed by each";
    with_default.map(|one| Finding { line: one.line(), is_warning: false, what: what.to_owned() }).collect()
}

/// The allocation of each task, by its number.
pub(super) fn allocations(
    models: &[Element<'_>],
    tasks: &Names,
    names: &Names,
    units: &Names,
    schedulers: &[Scheduler],
    findings: &mut Vec<Finding>,
) -> Result<BTreeMap<usize, Allocation>, InputError> {
    let mut found = BTreeMap::new();
    for model in models {
        if let Some(isr) = model.child("isrAllocation") {
            return Err(isr.error("interrupt service routines are not analysed: want a model without them"));
        }
        for allocation in model.children("taskAllocation") {
            let task = tasks.one(allocation, "task")?;
            let scheduler = names.one(allocation, "scheduler")?;
            let mut affinity = units.all(allocation, "affinity")?;
            let responsible = &schedulers[scheduler].responsible;
            let strange: Vec<&usize> = affinity.iter().filter(|unit| !responsible.contains(unit)).collect();
            if !strange.is_empty() {
                let text =
                    |name| allocation.attribute(name).unwrap_or_default().replace("?type=ProcessingUnit", "");
                findings.push(Finding {
                    line: allocation.line(),
                    is_warning: true,
                    what: format!(
                        "{} has the affinity {}, but its scheduler {} is not responsible for that: taken to run where \
                         the affinity says",
                        references(allocation, "task").concat(),
                        text("affinity"),
                        schedulers[scheduler].name,
                    ),
                });
            }
            if affinity.is_empty() {
                affinity.clone_from(responsible);
            }
            if affinity.is_empty() {
                let what =
                    format!("no affinity, and {} is responsible for no unit", schedulers[scheduler].name);
                return Err(allocation.error(format!("{what}: want the processing units of the task")));
            }
            affinity.sort_unstable();
            affinity.dedup();
            let one = Allocation { scheduler, units: affinity, priority: priority(allocation)? };
            if found.insert(task, one).is_some() {
                return Err(allocation.error("a second allocation of this task: want one"));
            }
        }
    }
    Ok(found)
}
