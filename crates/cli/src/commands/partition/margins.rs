//! How far numbers of a file of tasks may be wrong.

use toml::Value;

use crate::Failure;
use crate::args::partition::PartitionArgs;
use crate::commands::partition::answer::{answer, judged};
use crate::commands::partition::record::record;
use crate::commands::partition::task_set::set_of;
use crate::margins::{NumbersOf, toml_of};
use warpspan_model::limits::Limits;
use warpspan_partition::kernel_times;
use warpspan_records::Partition;
use warpspan_records::partition::{Part, Verdict};
use warpspan_records::rta;

/// Adds to a record how far numbers of its file may be wrong. Partitions that were found stay as they are: with other numbers, others may
/// be found.
pub(super) fn add(
    args: &PartitionArgs,
    (place, text): (&str, &str),
    found: &mut Partition,
    limits: &Limits,
) -> Result<(), Failure> {
    let mut file = toml_of(text)?;
    if let (Verdict::Schedulable, Value::Table(file)) = (found.verdict, &mut file) {
        file.insert("partition".to_owned(), found.partitions.iter().map(table).collect::<Vec<_>>().into());
    }
    let judge = |text: &str| {
        let (set, test) = set_of(args, place, text, |launch, gpu| kernel_times(launch, gpu, limits))?;
        let answer = match set.given() {
            [] => answer(args, &set, test, limits)?,
            _ => judged(args, &set, Vec::new(), (test, limits))?,
        };
        let other = record(&set, test, &answer);
        Ok((of(other.verdict), other.assumptions))
    };
    let numbers = NumbersOf { file, unit: None, system: None };
    numbers.add((of(found.verdict), &mut found.assumptions, &mut found.notes), limits, judge)
}

/// A partition as a file gives it.
fn table(part: &Part) -> Value {
    let multiprocessors = i64::try_from(part.multiprocessors).unwrap_or(i64::MAX);
    let keys = [("multiprocessors", multiprocessors.into()), ("tasks", part.tasks.clone().into())];
    Value::Table(keys.map(|(key, value)| (key.to_owned(), value)).into_iter().collect())
}

const fn of(verdict: Verdict) -> rta::Verdict {
    match verdict {
        Verdict::Schedulable => rta::Verdict::Proved,
        Verdict::NotFound => rta::Verdict::Undecided,
        Verdict::Impossible => rta::Verdict::Refuted,
    }
}
