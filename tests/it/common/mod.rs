//! Helpers that several tests need.

pub(crate) mod cases;
#[cfg(feature = "figures")]
pub(crate) mod tables;

use serde_json::Value;
use warpspan::model::assumption::Id;

#[cfg(feature = "highs")]
use warpspan::engines::{ilp, phase};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor};

/// An instance of one kernel.
pub(crate) fn single(kernel: &str, warps: u64, sigma_l: &str, sigma_c: &str) -> Instance {
    let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), sigma_c.parse().unwrap());
    Instance::single(kernel.parse().unwrap(), warps, multiprocessor).unwrap()
}

/// All kernel strings of a length.
pub(crate) fn strings(length: u32) -> impl Iterator<Item = String> {
    (0..1_u32 << length)
        .map(move |bits| (0..length).map(|at| if bits >> at & 1 == 1 { 'C' } else { 'L' }).collect())
}

/// One thread, a gigabyte and no time limit: as much as several tests may use side by side.
pub(crate) fn limits() -> Limits {
    Limits::new(None, 1 << 30, 1, std::sync::Arc::default())
}

/// The result of the ILP on an instance, over a horizon that the phase bound makes safe.
#[cfg(feature = "highs")]
pub(crate) fn by_ilp(instance: &Instance, options: &ilp::Options) -> ilp::Outcome {
    ilp::solve(instance, phase::bound(instance).makespan, options, &limits(), None).unwrap()
}

/// A row of the table of exact values.
#[derive(Debug, Clone, serde::Deserialize)]
pub(crate) struct Row {
    pub(crate) kernel: String,
    pub(crate) sigma_l: String,
    pub(crate) sigma_c: String,
    pub(crate) warps: u64,
    pub(crate) worst: u64,
    pub(crate) best: u64,
}

impl Row {
    pub(crate) fn instance(&self) -> Instance {
        single(&self.kernel, self.warps, &self.sigma_l, &self.sigma_c)
    }
}

/// Exact worst and best makespans, found by an exhaustive search over all states outside this project.
pub(crate) fn oracle() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/makespans.csv");
    let rows =
        csv::Reader::from_path(path).unwrap().into_deserialize().collect::<Result<Vec<Row>, _>>().unwrap();
    assert_eq!(rows.len(), 1508);
    rows
}

/// A record without what tells from which build, command and files it is.
pub(crate) fn without_identity(mut record: Value) -> Value {
    let fields = record.as_object_mut().expect("a record");
    fields.retain(|key, _| !["build", "command", "arguments", "inputs"].contains(&key.as_str()));
    record
}

/// The assumptions of a name in a record in JSON, which has none twice and each kind together. A name that there is not is a mistake of
/// the test, so that none is missing only because it is called otherwise.
#[track_caller]
pub(crate) fn assumptions<'r>(record: &'r Value, id: &str) -> Vec<&'r Value> {
    assert!(Id::ALL.iter().any(|known| known.name() == id), "{id}: no such assumption");
    let all = record["assumptions"].as_array().expect("a record with assumptions");
    let kinds = ["declared", "assumed", "modelled", "sourced"];
    let kind = |one: &Value| kinds.iter().position(|kind| one["kind"] == *kind).expect("a kind");
    assert!(all.is_sorted_by_key(kind), "each kind stands together, in this order: {kinds:?}: {record}");
    for (at, one) in all.iter().enumerate() {
        let known = |id: &Id| one["id"] == id.name();
        assert!(Id::ALL.iter().any(known), "{one}");
        let same = |other: &&Value| ["id", "subject"].iter().all(|key| one[key] == other[key]);
        assert!(!all[..at].iter().any(|other| same(&other)), "twice: {one}");
    }
    all.iter().filter(|one| one["id"] == id).collect()
}

/// The assumption of a name that a record has once at most.
#[track_caller]
pub(crate) fn assumption<'r>(record: &'r Value, id: &str) -> Option<&'r Value> {
    let all = assumptions(record, id);
    assert!(all.len() < 2, "{all:?}");
    all.first().copied()
}
