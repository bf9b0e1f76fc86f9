//! JSON Schemas of the records and of the TOML files, so that editors and other programs know their fields.
//!
//! A schema of a record describes what is printed: a field that may be absent is optional, every other one is required. A schema
//! of a file describes what is read. Texts such as kernel strings are only described as texts: the reader judges them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::records::{
    Body, Bound, Check, Envelope, Extract, Gpu, Partition, Prem, Rta, Simulate, Solve, SweepPlan, SweepRow,
};
use crate::schedule::IssueRecord;

/// What a schema is of.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name by which `warpspan schema` knows it.
    pub name: &'static str,
    /// What it is of, in a line.
    pub what: &'static str,
    schema: fn() -> Schema,
}

/// All formats: records, then files.
pub const FORMATS: [Format; 12] = [
    record::<Solve>("solve", "a line of `solve --format json`"),
    record::<Bound>("bound", "a line of `bound --format json`"),
    record::<Check>("check", "a line of `check --format json`"),
    record::<Simulate>("simulate", "a line of `simulate --format json`"),
    record::<SweepPlan>("sweep-plan", "the line of `sweep --dry-run`"),
    Format {
        name: "sweep-row",
        what: "a line of a table of `sweep` that ends in .jsonl",
        schema: printed::<SweepRow>,
    },
    record::<Rta>("rta", "the line of `rta --format json`"),
    record::<Prem>("prem", "the line of `prem --format json`"),
    record::<Partition>("partition", "the line of `partition --format json`"),
    record::<Extract>("extract", "the line of `extract --format json`"),
    record::<Gpu>("gpus", "a line of `gpus --format json`"),
    Format {
        name: "schedule",
        what: "a schedule in a file that ends in .json",
        schema: printed::<Vec<IssueRecord>>,
    },
];

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Its JSON Schema, of the draft 2020-12.
    pub fn schema(&self) -> Value {
        (self.schema)().to_value()
    }
}

const fn record<R: Body + JsonSchema>(name: &'static str, what: &'static str) -> Format {
    Format { name, what, schema: envelope::<R> }
}

/// The schema of what is printed.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of a record in its envelope, which names its schema.
fn envelope<R: Body + JsonSchema>() -> Schema {
    let mut schema = printed::<Envelope<R>>();
    schema.insert("title".to_owned(), R::SCHEMA.into());
    if let Some(name) = schema.pointer_mut("/properties/schema").and_then(Value::as_object_mut) {
        name.insert("const".to_owned(), R::SCHEMA.into());
    }
    schema
}
