//! Accesses of tasks to memories whose latency a model has in a place that is not used.

use crate::model::{Label, Runnable, Step, Task, Work};
use crate::read::hardware::Hardware;

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
                let label = &labels[*label];
                let Some((memory, line)) =
                    label.memory.as_ref().and_then(|memory| hardware.slow.get_key_value(memory))
                else {
                    continue;
                };
                for unit in task.units.iter().map(|&unit| &hardware.units[unit]) {
                    let access = unit.accesses.iter().find(|(name, _)| name == memory).map(|(_, one)| one);
                    let latency = access.and_then(|one| if *is_write { one.write } else { one.read });
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
        }
    }
    Ok(())
}
