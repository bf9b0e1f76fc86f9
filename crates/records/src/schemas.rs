//! JSON Schemas of the records and of the TOML files, so that editors and other programs know their fields.
//!
//! A schema of a record describes what is printed: a field that may be absent is optional, every other one is required.
//! A schema of a file describes what is read. Texts such as kernel strings are only described as texts: the reader
//! checks them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::{
    Body, Bound, Budget, Check, CoLocated, Compare, Envelope, Explain, Extract, Gpu, Measured, Partition,
    PartitionClasses, Prem, PremMeasured, PremOffsets, PremPlan, Rta, RtaGraphs, RtaModel, RtaProcesses,
    Simulate, Solve, SweepPlan, SweepRow, Time, Trace, Verify,
};
use warpspan_check::schedule::{GridIssueRecord, IssueRecord, MachineIssueRecord};
use warpspan_kernel::input;
use warpspan_listing as listing;
use warpspan_partition as partition;
use warpspan_prem as prem;
use warpspan_rta::{self as rta, processes};
use warpspan_sweep as sweep;

/// A format that has a schema.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name by which `warpspan schema` knows it.
    pub name: &'static str,
    /// What it is of, in a line.
    pub what: &'static str,
    schema: fn() -> Schema,
}

/// All formats: first those of records, then those of files.
pub const FORMATS: [Format; 40] = [
    record::<Solve>("solve", "a line of `solve` in JSON"),
    record::<Bound>("bound", "a line of `bound` in JSON"),
    record::<Check>("check", "a line of `check` in JSON"),
    record::<Verify>("verify", "a line of `verify` in JSON"),
    record::<Explain>("explain", "a line of `explain` in JSON"),
    record::<Simulate>("simulate", "a line of `simulate` in JSON"),
    record::<SweepPlan>("sweep-plan", "the line of a dry run of `sweep`"),
    format("sweep-row", "a line of a table of `sweep` in JSON lines", printed::<SweepRow>),
    record::<Rta>("rta", "the line of `rta` in JSON"),
    record::<RtaModel>("rta-model", "the line of `rta` for an AMALTHEA model in JSON"),
    record::<RtaProcesses>("rta-processes", "the line of `rta` for several processes in JSON"),
    record::<RtaGraphs>("rta-graphs", "the line of `rta` for graphs in JSON"),
    record::<Measured>("measured", "the line of a measured run of `rta` in JSON"),
    record::<Time>("time", "the line of `time` in JSON"),
    record::<Budget>("budget", "the line of `budget` in JSON"),
    record::<Prem>("prem", "the line of `prem` in JSON"),
    record::<PremOffsets>("prem-offsets", "the line of a sweep of offsets of `prem` in JSON"),
    record::<PremPlan>("prem-plan", "the line of a plan of `prem` in JSON"),
    record::<PremMeasured>("prem-measured", "the line of a measured run of `prem` in JSON"),
    record::<Partition>("partition", "the line of `partition` in JSON"),
    record::<PartitionClasses>("partition-classes", "the line of classified times of `partition` in JSON"),
    record::<CoLocated>("co-located", "the line of `partition` for kernels that run together in JSON"),
    record::<Extract>("extract", "the line of `extract` in JSON"),
    record::<Gpu>("gpus", "a line of `gpus` in JSON"),
    record::<Compare>("compare", "the line of `compare` in JSON"),
    record::<Trace>("trace", "the line of `trace` in JSON"),
    format("schedule", "a schedule in JSON, as `solve` writes it", printed::<Vec<IssueRecord>>),
    format(
        "grid-schedule",
        "a schedule of a grid in JSON, as `solve` writes it",
        printed::<Vec<GridIssueRecord>>,
    ),
    format(
        "machine-schedule",
        "a schedule on a machine in JSON, as `solve` writes it",
        printed::<Vec<MachineIssueRecord>>,
    ),
    format(
        "instance-file",
        "an instance in TOML, of `solve`, `bound`, `check` and `simulate`",
        input::schema,
    ),
    format("machine-file", "a machine with latency and issue width in TOML", input::machine_schema),
    format("system-file", "kernels on a GPU in TOML, of `rta`", rta::schema),
    format("processes-file", "tasks of several processes on a GPU in TOML, of `rta`", processes::schema),
    format(
        "budget-file",
        "kernels with their launches and deadlines in TOML, of `budget`",
        input::budget_schema,
    ),
    format("tasks-file", "tasks in TOML, of `partition`", partition::schema),
    format("tiles-file", "kernels cut into tiles in TOML, of `prem`", prem::schema),
    format("grid-file", "a grid in TOML, of `sweep`", sweep::schema),
    format("classes-file", "classes of instructions in TOML", listing::classes_schema),
    format("loop-bounds-file", "bounds of loops in TOML", listing::loop_bounds_schema),
    format("declarations-file", "declarations for a listing in TOML", listing::declarations_schema),
];

impl Format {
    /// The format with the given name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// The JSON Schema of the format, in the draft 2020-12.
    pub fn schema(&self) -> Value {
        let mut schema = (self.schema)();
        schema.insert("title".to_owned(), self.what.into());
        let mut schema = schema.to_value();
        join_lines(&mut schema);
        schema
    }
}

/// Joins the lines of each paragraph in the descriptions, so that a schema does not change when a comment of
/// the code is wrapped differently.
fn join_lines(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if name == "description" => {
                        let paragraphs: Vec<String> =
                            text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
                        *text = paragraphs.join("\n\n");
                    }
                    other => join_lines(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(join_lines),
        _ => {}
    }
}

const fn record<R: Body + JsonSchema>(name: &'static str, what: &'static str) -> Format {
    format(name, what, envelope::<R>)
}

const fn format(name: &'static str, what: &'static str, schema: fn() -> Schema) -> Format {
    Format { name, what, schema }
}

/// The schema of what is printed for a type.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of a record in its envelope, which names its schema.
fn envelope<R: Body + JsonSchema>() -> Schema {
    let mut schema = printed::<Envelope<R>>();
    if let Some(name) = schema.pointer_mut("/properties/schema").and_then(Value::as_object_mut) {
        name.insert("const".to_owned(), R::SCHEMA.into());
    }
    schema
}
