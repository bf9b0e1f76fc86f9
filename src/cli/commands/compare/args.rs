//! Flags of `compare`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{CodeArgs, Format, MachineArgs};
use crate::model::device::Capability;
use crate::records::compare::Percent;

#[derive(Debug, Args)]
pub(in crate::cli) struct CompareArgs {
    /// The old version: a listing (PTX or SASS), or lines of solve, bound, extract, rta or time in JSON
    #[arg(value_name = "OLD")]
    pub(in crate::cli) old: PathBuf,
    /// The new version, of the same kind
    #[arg(value_name = "NEW")]
    pub(in crate::cli) new: PathBuf,
    /// Exit with 5 if a new upper bound is larger by more: 5%
    #[arg(long, value_name = "P%")]
    pub(in crate::cli) worse_than: Option<Percent>,
    /// How many lines to list of each entry [default: 10]
    ///
    /// The largest change comes first. In JSON all are listed by default.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) top: Option<usize>,
    /// Of listings: the bounds for so many warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps: Option<u64>,
    /// Of listings: warps of a block, which share its barriers [default: all]
    #[arg(long, value_name = "N", requires = "warps", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps_per_block: Option<u64>,
    #[arg(long, value_name = "X.Y", help = capabilities())]
    pub(in crate::cli) compute_capability: Option<Capability>,
    /// Declarations for the old listing, in place of those of --declare
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) declare_old: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
    #[command(flatten)]
    pub(in crate::cli) code: CodeArgs,
    #[command(flatten)]
    pub(in crate::cli) machine: MachineArgs,
}

fn capabilities() -> String {
    format!(
        "Of listings: the compute capability that letters are counted for: {} [default: that of each file]",
        Capability::all()
    )
}
