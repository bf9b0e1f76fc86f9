//! The record of `warpspan partition`.

use crate::commands::partition::answer::{Answer, Verdict};
use warpspan_kernel::input::key;
use warpspan_partition::{Division, Setup, TaskSet, Test, Verified};
use warpspan_records::assumption::listed;
use warpspan_records::partition as record;

pub(super) fn record(set: &TaskSet, test: Test, answer: &Answer) -> record::Partition {
    let (verdict, reason, verified) = match &answer.verdict {
        Verdict::Schedulable(verified) => (record::Verdict::Schedulable, None, Some(verified)),
        Verdict::NotFound(why) => (record::Verdict::NotFound, Some(why), None),
        Verdict::Impossible(why) => (record::Verdict::Impossible, Some(why), None),
    };
    let rests_on = match verdict {
        record::Verdict::Impossible => set.rests_on_least(test),
        record::Verdict::Schedulable | record::Verdict::NotFound => set.rests_on(Some(test)),
    };
    let of = |division: &Division| Some(division.setup(verified?));
    let setup: Setup = set.division().and_then(of).unwrap_or_default();
    let parts = verified.into_iter().flat_map(Verified::partitions).enumerate();
    record::Partition {
        test,
        method: answer.method.to_owned(),
        schedulable: verified.is_some(),
        verdict,
        reason: reason.cloned(),
        assumptions: listed(rests_on, key),
        tasks: set.tasks().iter().map(record::Task::from).collect(),
        multiprocessors: set.multiprocessors(),
        slices: set.slices().map(|slices| record::Slices {
            count: slices.count,
            multiprocessors: slices.size,
            unused: set.unused(),
        }),
        mechanism: record::Mechanism::of(set, &setup.steps),
        required: answer.required,
        used: verified.map(Verified::used),
        partitions: parts
            .map(|(at, part)| record::Part::new(set, part, setup.parts.get(at).cloned()))
            .collect(),
        notes: answer.notes.clone(),
    }
}
