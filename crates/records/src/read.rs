//! Reading any record.

use serde::Deserialize;

use crate::read_error::{ReadError, parsed};
use crate::verify::{Found, Number};
use crate::{
    Body, Bound, Budget, Check, Claim, CoLocated, Compare, Envelope, Explain, Extract, Gpu, Measured,
    Partition, PartitionClasses, Prem, PremMeasured, PremOffsets, PremPlan, Rta, RtaGraphs, RtaModel,
    RtaProcesses, SOLVE_1, Simulate, Solve, SweepPlan, SweepRow, Time, Trace, Verify,
};
use warpspan_sweep::read_row;

/// The records of commands, each with what prints it.
macro_rules! records {
    ($($name:ident $by:literal,)*) => {
        /// A line of JSON that warpspan prints.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Record {
            $(
                #[doc = concat!("A record of ", $by, ".")]
                $name(Envelope<$name>),
            )*
            /// A record of `solve` as version 0.1.0 wrote it.
            Solve1(Claim),
            /// A row of a table of `sweep`, which has no schema.
            SweepRow(SweepRow),
        }

        /// The schemas that [`read`] reads, besides rows of tables.
        const SCHEMAS: &[&str] = &[$($name::SCHEMA,)* SOLVE_1];

        impl Record {
            /// The name and the version of its schema; empty for a row of a table, which has none.
            pub fn schema(&self) -> &str {
                match self {
                    $(Self::$name(record) => &record.schema,)*
                    Self::Solve1(claim) => &claim.schema,
                    Self::SweepRow(_) => "",
                }
            }

            /// Its numbers, and what they follow from; `None` where no number of such a record claims anything.
            pub(crate) fn found(&self) -> Option<Found> {
                match self {
                    $(Self::$name(record) => record.record.found(),)*
                    Self::Solve1(claim) => Found::of(|found| found.solve_1(claim)),
                    Self::SweepRow(row) => Found::of(|found| found.sweep_row(row)),
                }
            }

            /// What it says itself of its numbers; empty in older records.
            pub(crate) fn numbers(&self) -> &[Number] {
                let said = match self {
                    $(Self::$name(record) => record.numbers.as_ref(),)*
                    Self::Solve1(_) | Self::SweepRow(_) => None,
                };
                said.map_or(&[], |said| &said.numbers)
            }
        }

        /// A line that names a schema.
        fn of_schema(schema: String, line: &[u8]) -> Result<Record, ReadError> {
            match schema.as_str() {
                $($name::SCHEMA => parsed(line).map(Record::$name),)*
                SOLVE_1 => parsed(line).map(Record::Solve1),
                _ => Err(ReadError::Schema { found: schema, want: SCHEMAS.to_vec() }),
            }
        }
    };
}

records! {
    Solve "`solve`",
    Bound "`bound`",
    Check "`check`",
    Verify "`verify`",
    Explain "`explain`",
    Simulate "`simulate`",
    SweepPlan "a dry run of `sweep`",
    Rta "`rta`",
    RtaModel "`rta` for an AMALTHEA model",
    RtaProcesses "`rta` for several processes",
    RtaGraphs "`rta` for graphs",
    Measured "a measured run of `rta`",
    Time "`time`",
    Prem "`prem`",
    PremOffsets "a sweep of offsets of `prem`",
    PremPlan "a plan of `prem`",
    PremMeasured "a measured run of `prem`",
    Partition "`partition`",
    PartitionClasses "classified times of `partition`",
    CoLocated "`partition` for kernels that run together",
    Extract "`extract`",
    Gpu "`gpus`",
    Compare "`compare`",
    Budget "`budget`",
    Trace "`trace`",
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
    of_schema(schema, line)
}
