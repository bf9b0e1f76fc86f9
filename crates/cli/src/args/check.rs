//! Flags of `check`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{FlagArgs, Format};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A schedule (.csv, .json), or lines of `solve --format json --with-schedule`; `-` for standard input
    #[arg(value_name = "SCHEDULE")]
    pub(crate) file: PathBuf,
    /// The instance of a schedule file (TOML); lines of `solve` carry their own
    #[arg(value_name = "INSTANCE")]
    pub(crate) instance: Option<PathBuf>,
    /// A file that the record must be made from: a listing, declarations, classes, a machine; it is refused if the file has changed
    /// since. Records of every command have what they were made from
    #[arg(long = "input", value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) flags: FlagArgs,
}
