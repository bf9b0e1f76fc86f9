//! Reading any record.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{
    Body, Bound, Budget, Check, Claim, CoLocated, Compare, Envelope, Explain, Extract, Gpu, Measured,
    Partition, PartitionClasses, Prem, PremMeasured, PremOffsets, PremPlan, Rta, RtaGraphs, RtaModel,
    RtaProcesses, SOLVE_1, Simulate, Solve, SweepPlan, SweepRow, Time, Trace, Verify,
};
use warpspan_model::source::json;
use warpspan_sweep::read_row;

/// A line of JSON that warpspan prints.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A record of `solve`.
    Solve(Envelope<Solve>),
    /// A record of `solve` as version 0.1.0 wrote it.
    Solve1(Claim),
    /// A record of `bound`.
    Bound(Envelope<Bound>),
    /// A record of `check`.
    Check(Envelope<Check>),
    /// A record of `verify`.
    Verify(Envelope<Verify>),
    /// A record of `explain`.
    Explain(Envelope<Explain>),
    /// A record of `simulate`.
    Simulate(Envelope<Simulate>),
    /// A record of `sweep --dry-run`.
    SweepPlan(Envelope<SweepPlan>),
    /// A row of a table of `sweep`, which has no schema.
    SweepRow(SweepRow),
    /// A record of `rta`.
    Rta(Envelope<Rta>),
    /// A record of `rta` for an AMALTHEA model.
    RtaModel(Envelope<RtaModel>),
    /// A record of `rta` for several processes.
    RtaProcesses(Envelope<RtaProcesses>),
    /// A record of `rta` for graphs.
    RtaGraphs(Envelope<RtaGraphs>),
    /// A record of `rta --measured`.
    Measured(Envelope<Measured>),
    /// A record of `time`.
    Time(Envelope<Time>),
    /// A record of `prem`.
    Prem(Envelope<Prem>),
    /// A record of `prem --offsets`.
    PremOffsets(Envelope<PremOffsets>),
    /// A record of `prem --plan`.
    PremPlan(Envelope<PremPlan>),
    /// A record of `prem --measured`.
    PremMeasured(Envelope<PremMeasured>),
    /// A record of `partition`.
    Partition(Envelope<Partition>),
    /// A record of `partition --classify`.
    PartitionClasses(Envelope<PartitionClasses>),
    /// A record of `partition --co-located`.
    CoLocated(Envelope<CoLocated>),
    /// A record of `extract`.
    Extract(Envelope<Extract>),
    /// A record of `gpus`.
    Gpu(Envelope<Gpu>),
    /// A record of `compare`.
    Compare(Envelope<Compare>),
    /// A record of `budget`.
    Budget(Envelope<Budget>),
    /// A record of `trace`.
    Trace(Envelope<Trace>),
}

/// The schemas that [`read`] reads, besides rows of tables.
const SCHEMAS: [&str; 26] = [
    Solve::SCHEMA,
    SOLVE_1,
    Bound::SCHEMA,
    Check::SCHEMA,
    Verify::SCHEMA,
    Explain::SCHEMA,
    Simulate::SCHEMA,
    SweepPlan::SCHEMA,
    Rta::SCHEMA,
    RtaModel::SCHEMA,
    RtaProcesses::SCHEMA,
    RtaGraphs::SCHEMA,
    Measured::SCHEMA,
    Time::SCHEMA,
    Prem::SCHEMA,
    PremOffsets::SCHEMA,
    PremPlan::SCHEMA,
    PremMeasured::SCHEMA,
    Partition::SCHEMA,
    PartitionClasses::SCHEMA,
    CoLocated::SCHEMA,
    Extract::SCHEMA,
    Gpu::SCHEMA,
    Compare::SCHEMA,
    Budget::SCHEMA,
    Trace::SCHEMA,
];

impl Record {
    /// The name and the version of its schema; empty for a row of a table, which has none.
    pub fn schema(&self) -> &str {
        match self {
            Self::Solve(record) => &record.schema,
            Self::Solve1(claim) => &claim.schema,
            Self::Bound(record) => &record.schema,
            Self::Check(record) => &record.schema,
            Self::Verify(record) => &record.schema,
            Self::Explain(record) => &record.schema,
            Self::Simulate(record) => &record.schema,
            Self::SweepPlan(record) => &record.schema,
            Self::SweepRow(_) => "",
            Self::Rta(record) => &record.schema,
            Self::RtaModel(record) => &record.schema,
            Self::RtaProcesses(record) => &record.schema,
            Self::RtaGraphs(record) => &record.schema,
            Self::Measured(record) => &record.schema,
            Self::Time(record) => &record.schema,
            Self::Prem(record) => &record.schema,
            Self::PremOffsets(record) => &record.schema,
            Self::PremPlan(record) => &record.schema,
            Self::PremMeasured(record) => &record.schema,
            Self::Partition(record) => &record.schema,
            Self::PartitionClasses(record) => &record.schema,
            Self::CoLocated(record) => &record.schema,
            Self::Extract(record) => &record.schema,
            Self::Gpu(record) => &record.schema,
            Self::Compare(record) => &record.schema,
            Self::Budget(record) => &record.schema,
            Self::Trace(record) => &record.schema,
        }
    }
}

/// Why a line is not a record.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The line is not JSON, or a field is missing or has another type.
    #[error("{0}")]
    Json(String),
    /// The line names a schema, or a version of one, that is not known.
    #[error("schema {found:?}: want one of {}", want.join(", "))]
    Schema {
        /// The schema that it names.
        found: String,
        /// The schemas that are known.
        want: Vec<&'static str>,
    },
    /// The line names no schema and is not a row of a table of `sweep`.
    #[error("{0}")]
    Row(String),
}

/// The field that distinguishes a record of a command from a row of a table.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

/// Reads a line.
///
/// # Errors
/// If it is no JSON object, names a schema that is not known, or lacks a field that its schema has.
pub fn read(line: &[u8]) -> Result<Record, ReadError> {
    let head = serde_json::from_slice(line).map(|Head { schema }| schema);
    let Some(schema) = head.ok().flatten() else {
        return read_row(line).map(Record::SweepRow).map_err(ReadError::Row);
    };
    match schema.as_str() {
        Solve::SCHEMA => of(line, Record::Solve),
        SOLVE_1 => of(line, Record::Solve1),
        Bound::SCHEMA => of(line, Record::Bound),
        Check::SCHEMA => of(line, Record::Check),
        Verify::SCHEMA => of(line, Record::Verify),
        Explain::SCHEMA => of(line, Record::Explain),
        Simulate::SCHEMA => of(line, Record::Simulate),
        SweepPlan::SCHEMA => of(line, Record::SweepPlan),
        Rta::SCHEMA => of(line, Record::Rta),
        RtaModel::SCHEMA => of(line, Record::RtaModel),
        RtaProcesses::SCHEMA => of(line, Record::RtaProcesses),
        RtaGraphs::SCHEMA => of(line, Record::RtaGraphs),
        Measured::SCHEMA => of(line, Record::Measured),
        Time::SCHEMA => of(line, Record::Time),
        Prem::SCHEMA => of(line, Record::Prem),
        PremOffsets::SCHEMA => of(line, Record::PremOffsets),
        PremPlan::SCHEMA => of(line, Record::PremPlan),
        PremMeasured::SCHEMA => of(line, Record::PremMeasured),
        Partition::SCHEMA => of(line, Record::Partition),
        PartitionClasses::SCHEMA => of(line, Record::PartitionClasses),
        CoLocated::SCHEMA => of(line, Record::CoLocated),
        Extract::SCHEMA => of(line, Record::Extract),
        Gpu::SCHEMA => of(line, Record::Gpu),
        Compare::SCHEMA => of(line, Record::Compare),
        Budget::SCHEMA => of(line, Record::Budget),
        Trace::SCHEMA => of(line, Record::Trace),
        _ => Err(ReadError::Schema { found: schema, want: SCHEMAS.to_vec() }),
    }
}

fn of<T: DeserializeOwned>(line: &[u8], record: fn(T) -> Record) -> Result<Record, ReadError> {
    parsed(line).map(record)
}

/// A line of JSON as a value of this type.
pub(crate) fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, ReadError> {
    json(line, "").map_err(|error| ReadError::Json(error.what))
}
