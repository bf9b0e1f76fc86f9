//! Partitions that a file gives.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::task_set::Given;
use crate::{Partition, Task, TaskSet};
use warpspan_model::source::{InputError, Source, Spanned};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PartitionTable {
    /// How many multiprocessors it has.
    multiprocessors: Spanned<i64>,
    /// The names of its tasks.
    tasks: Spanned<Vec<Spanned<String>>>,
}

/// Reads the partitions of a file; each task is in one of them, if there are any.
pub(super) fn given(
    source: &Source<'_>,
    tables: &[Spanned<PartitionTable>],
    tasks: &[Task],
) -> Result<Vec<Given>, InputError> {
    let numbers: FxHashMap<&str, usize> =
        tasks.iter().enumerate().map(|(number, task)| (task.name(), number)).collect();
    let mut is_placed = vec![false; tasks.len()];
    let mut given = Vec::with_capacity(tables.len());
    for table in tables {
        let (at, table) = (table.span().start, table.get_ref());
        let most = TaskSet::MOST as u64;
        let count = source.plausible("multiprocessors", &table.multiprocessors, most)?;
        let multiprocessors = usize::try_from(count).unwrap_or(usize::MAX);
        let mut of = Vec::new();
        for name in table.tasks.get_ref() {
            let error = |what: &str| {
                source.error(name.span().start, format!("tasks = [{:?}]: {what}", name.get_ref()))
            };
            let &number = numbers
                .get(name.get_ref().as_str())
                .ok_or_else(|| error("there is no such task: want the name of a [[task]]"))?;
            if std::mem::replace(&mut is_placed[number], true) {
                return Err(error("this task is in a partition already: want each task in one"));
            }
            of.push(number);
        }
        if of.is_empty() {
            let what = "tasks = []: a partition without tasks: want one or more";
            return Err(source.error(table.tasks.span().start, what));
        }
        of.sort_unstable();
        let line = source.error(at, "").line;
        given.push(Given { partition: Partition { multiprocessors, tasks: of }, line });
    }
    let left = is_placed.iter().position(|is_placed| !is_placed).filter(|_| !tables.is_empty());
    if let Some(name) = left.and_then(|number| tasks.get(number)).map(Task::name) {
        let what = format!("task {name:?} is in no [[partition]]: want each task in one");
        return Err(InputError::new(source.place, what));
    }
    Ok(given)
}
