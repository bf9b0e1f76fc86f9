//! The tables of a machine in a file.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::input::machine::Number;
use crate::input::memory::ServerTable;
use warpspan_model::source::{Spanned, WholeOrText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MachineFile {
    /// The machine as a whole.
    pub(super) machine: Spanned<MachineTable>,
    /// The kinds of unit.
    #[serde(default)]
    pub(super) unit: Vec<Spanned<UnitTable>>,
    /// Further letters on the units.
    #[serde(default)]
    pub(super) letter: Vec<Spanned<LetterTable>>,
    /// The memory that all multiprocessors share.
    #[serde(default)]
    pub(super) server: Vec<Spanned<ServerTable>>,
    /// What the short names of sources stand for.
    #[serde(default)]
    pub(super) sources: BTreeMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineTable {
    /// A name for results.
    pub(crate) name: Option<String>,
    /// The compute capability that the machine stands for.
    pub(crate) capability: Option<String>,
    /// How many schedulers there are; 1 if it is not given.
    pub(crate) schedulers: Option<Spanned<i64>>,
    /// How many instructions a scheduler issues in a cycle, or `unlimited`.
    #[schemars(with = "WholeOrText")]
    pub(crate) issue_width: Spanned<toml::Value>,
    /// Whether each scheduler gets no more than its share of the warps of a block, rounded up; true if it is not given. Smaller
    /// bounds rest on it, and say so.
    pub(crate) spread: Option<bool>,
    /// For a machine that runs PTX as it stands and tracks each register by itself, as simulators do: for how many cycles an
    /// instruction keeps the next one of its warp waiting that does not need its result. A GPU does not, and it is not given.
    pub(crate) ptx_stall: Option<Spanned<i64>>,
    /// For how long DRAM may serve nothing that nothing else uses; not known if it is not given.
    pub(crate) idle_dram: Option<IdleDramTable>,
    /// The clock in megahertz at which rates by the second count.
    #[schemars(with = "Option<f64>")]
    pub(crate) clock_mhz: Option<Spanned<toml::Value>>,
}

/// Pauses of DRAM that nothing else uses.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IdleDramTable {
    /// The cycles of a pause, in which the DRAM serves nothing.
    pub(super) pause: Spanned<i64>,
    /// In so many cycles there is one pause at most.
    pub(super) pause_every: Spanned<i64>,
}

/// The tables of a machine.
pub(crate) struct MachineTables<'a> {
    pub(crate) machine: &'a MachineTable,
    pub(crate) units: &'a [Spanned<UnitTable>],
    pub(crate) letters: &'a [Spanned<LetterTable>],
    pub(crate) servers: &'a [Spanned<ServerTable>],
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitTable {
    /// The name of the unit and of its letter.
    pub(super) name: Spanned<String>,
    /// How many instances there are, for each scheduler if they are private; 1 if it is not given.
    pub(super) instances: Option<Spanned<i64>>,
    /// For how many cycles an issue holds an instance; 1 if it is not given.
    #[serde(rename = "hold", alias = "occupancy")]
    pub(super) hold: Option<Spanned<i64>>,
    /// Whether all schedulers share the instances; false if it is not given.
    #[serde(default)]
    pub(super) shared: bool,
    /// The least and the greatest latency in cycles, or one number for both; 1 if it is not given.
    #[schemars(with = "Option<WholeOrPair>")]
    pub(super) latency: Option<Spanned<toml::Value>>,
    /// How many requests an issue sends to servers, by their names.
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    pub(super) requests: Option<Spanned<BTreeMap<String, Spanned<i64>>>>,
    /// Where the numbers are from, as keys of `[sources]`.
    #[serde(default)]
    pub(super) sources: String,
    /// Which numbers no source gives.
    #[serde(default)]
    pub(super) assumed: Vec<Number>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LetterTable {
    /// The name of the letter.
    pub(super) name: Spanned<String>,
    /// The name of its unit.
    pub(super) unit: Spanned<String>,
    /// For how many cycles an issue holds an instance; that of the unit if it is not given.
    #[serde(rename = "hold", alias = "occupancy")]
    pub(super) hold: Option<Spanned<i64>>,
    /// The least and the greatest latency in cycles, or one number for both; that of the unit if it is not
    /// given.
    #[schemars(with = "Option<WholeOrPair>")]
    pub(super) latency: Option<Spanned<toml::Value>>,
    /// The greatest latency in cycles where L2 holds what is accessed, which somebody has to declare; not known if it is not given.
    pub(super) latency_in_l2: Option<Spanned<i64>>,
    /// The greatest latency in cycles where nothing else uses the DRAM, which somebody has to declare, without its pauses; not known if it is
    /// not given.
    pub(super) latency_in_idle_dram: Option<Spanned<i64>>,
    /// How many requests an issue sends to servers, by their names.
    #[schemars(with = "Option<BTreeMap<String, u64>>")]
    pub(super) requests: Option<Spanned<BTreeMap<String, Spanned<i64>>>>,
    /// Where the numbers are from, as keys of `[sources]`.
    #[serde(default)]
    pub(super) sources: String,
    /// Which numbers no source gives.
    #[serde(default)]
    pub(super) assumed: Vec<Number>,
}

/// In a schema: a whole number, or a least and a greatest one.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "it describes values and holds none")]
enum WholeOrPair {
    Whole(u64),
    Pair([u64; 2]),
}

/// The JSON Schema of a file that holds a machine alone.
#[doc(hidden)]
pub fn schema() -> Schema {
    schema_for!(MachineFile)
}
