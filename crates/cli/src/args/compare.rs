//! Flags of `compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::{CodeArgs, MachineArgs};
use warpspan_model::device::Capability;
use warpspan_records::compare::Percent;

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The old version: a listing (PTX or SASS), or lines of solve, bound, extract, rta, time or budget in JSON
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new version, of the same kind
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Exit with 5 if a new upper bound is larger by more: 5%
    #[arg(long, value_name = "P%")]
    pub(crate) worse_than: Option<Percent>,
    /// Let entries of the old version be gone, which is exit code 5 otherwise
    #[arg(long)]
    pub(crate) allow_gone: bool,
    /// How many lines to list of each entry [default: 10]
    ///
    /// The largest change comes first. In JSON all are listed by default.
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Of listings: the bounds for so many warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps: Option<u64>,
    /// Of listings: warps of a block, which share its barriers [default: all]
    #[arg(long, value_name = "N", requires = "warps", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps_per_block: Option<u64>,
    #[arg(long, value_name = "X.Y", help = capabilities())]
    pub(crate) compute_capability: Option<Capability>,
    /// Declarations for the old listing, in place of those of --declare
    #[arg(long, value_name = "FILE")]
    pub(crate) declare_old: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Form,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

/// The forms of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For a person
    Text,
    /// One object on one line
    Json,
    /// A table in Markdown, for a pull request
    Markdown,
}

fn capabilities() -> String {
    format!(
        "Of listings: the paper's model, with letters L and C counted for this compute capability: {} [default: the \
         machine of each file's capability]",
        Capability::all()
    )
}
