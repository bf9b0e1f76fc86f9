//! Flags of `verify`.

use std::path::PathBuf;

use clap::Args;

use crate::args::Format;

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Records, one a line; `-` for standard input [default: every theorem]
    ///
    /// These are lines of `--format json`, of `solve`, `bound`, `simulate`, `extract`, `compare`, `rta`, `time`, `budget`, `prem` or `partition`, or of a
    /// table of `sweep` in JSON lines. Without any, all is listed that numbers can follow from.
    #[arg(value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
