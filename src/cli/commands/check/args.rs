//! Flags of `check`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{FlagArgs, Format};

#[derive(Debug, Args)]
pub(in crate::cli) struct CheckArgs {
    /// A schedule (.csv, .json), or lines of `solve --format json --with-schedule`; `-` for standard input
    #[arg(value_name = "SCHEDULE")]
    pub(in crate::cli) file: PathBuf,
    /// The instance of a schedule file (TOML); lines of `solve` carry their own
    #[arg(value_name = "INSTANCE")]
    pub(in crate::cli) instance: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
    #[command(flatten)]
    pub(in crate::cli) flags: FlagArgs,
}
