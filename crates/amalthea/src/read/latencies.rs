//! Accesses of tasks to memories whose latency a model has in a place that is not used, or nowhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Label, ProcessingUnit, Runnable, Step, Task, Untimed, Work};
use crate::read::hardware::Hardware;

/// The labels that a task reads (false) and writes (true).
fn accesses(task: &Task, runnables: &[Runnable]) -> BTreeSet<(usize, bool)> {
    let mut found = BTreeSet::new();
    let mut seen = vec![false; runnables.len()];
    let mut left: Vec<&Work> = task
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Run(_, work) => Some(work),
            Step::Trigger { .. } | Step::Wait { .. } | Step::Set { .. } | Step::Clear(_) => None,
        })
        .collect();
    while let Some(work) = left.pop() {
        match work {
            Work::Ticks { .. } => {}
            Work::Call(runnable) => {
                if !std::mem::replace(&mut seen[*runnable], true) {
                    left.push(&runnables[*runnable].work);
                }
            }
            Work::All(parts) | Work::OneOf { work: parts, .. } => left.extend(parts),
            Work::Label { label, is_write, .. } => {
                found.insert((*label, *is_write));
            }
        }
    }
    found
}

/// Refuses a task that accesses a label in a memory whose definition says that an access takes time, from a unit that has no
/// latency for it: it would be taken to take none.
///
/// # Errors
/// The line of the memory, and what is wrong.
pub(super) fn refuse_unknown(
    task: &Task,
    runnables: &[Runnable],
    labels: &[Label],
    hardware: &Hardware,
) -> Result<(), (usize, String)> {
    for (label, is_write) in accesses(task, runnables) {
        let label = &labels[label];
        let slow = label.memory.as_ref().and_then(|memory| hardware.slow.get_key_value(memory));
        let Some((memory, line)) = slow else { continue };
        for unit in task.units.iter().map(|&unit| &hardware.units[unit]) {
            let access = unit.accesses.iter().find(|(name, _)| name == memory).map(|(_, one)| one);
            let latency = access.and_then(|one| if is_write { one.write } else { one.read });
            if latency.is_none() {
                return Err((
                    *line,
                    format!(
                        "the definition of {memory} has an access take time, and {} accesses {} there from {}, which has no \
                         latency for it: want an access element of {} with readLatency and writeLatency",
                        task.name, label.name, unit.name, unit.name
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// The most labels that a finding names.
const MOST_NAMED: usize = 5;

/// The accesses to labels that count as no time, because the model does not say how long they take: one item for each reason.
pub(super) fn untimed(
    tasks: &[Task],
    runnables: &[Runnable],
    (labels, lines): (&[Label], &[usize]),
    units: &[ProcessingUnit],
) -> Vec<Untimed> {
    let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for task in tasks {
        for (label, is_write) in accesses(task, runnables) {
            for unit in task.units.iter().map(|&unit| &units[unit]) {
                if let Some(why) = why_untimed(&labels[label], unit, is_write) {
                    found.entry(why).or_default().insert(label);
                }
            }
        }
    }
    let untimed = |(why, of): (String, BTreeSet<usize>)| {
        let named: Vec<&str> = of.iter().take(MOST_NAMED).map(|&label| labels[label].name.as_str()).collect();
        let further = of.len() - named.len();
        let further = if further > 0 { format!(" and {further} more") } else { String::new() };
        let line = of.first().and_then(|&first| lines.get(first)).copied().unwrap_or_default();
        Untimed { labels: named.join(", ") + &further, why, line }
    };
    found.into_iter().map(untimed).collect()
}

/// Why the model does not say how long an access to a label takes, if it does not.
fn why_untimed(label: &Label, unit: &ProcessingUnit, is_write: bool) -> Option<String> {
    let (Some(_), Some(memory)) = (label.bits, &label.memory) else {
        let lacks = if label.bits.is_none() { "size" } else { "memory" };
        return Some(format!("the model gives no {lacks}"));
    };
    let Some((_, access)) = unit.accesses.iter().find(|(name, _)| name == memory) else {
        return Some(format!("{} has no access element of {memory}", unit.name));
    };
    let (latency, key) = if is_write { (access.write, "writeLatency") } else { (access.read, "readLatency") };
    (latency.is_none() && access.rate.is_none())
        .then(|| format!("the access element of {} for {memory} has no {key} and no dataRate", unit.name))
}
