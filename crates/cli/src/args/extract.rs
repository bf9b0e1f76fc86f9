//! Flags of `extract`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{CodeArgs, Format, MachineArgs};
use warpspan_model::device::Capability;

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// PTX, or SASS as cuobjdump, nvdisasm or CuAssembler print it; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(long, value_name = "X.Y", help = capabilities())]
    pub(crate) compute_capability: Option<Capability>,
    /// List each instruction with its letter, how often it counts, and why
    #[arg(long)]
    pub(crate) explain: bool,
    /// The bound for so many warps, and what each line adds
    ///
    /// Each line stands with its phase and its share; on a machine with what it adds, and why.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps: Option<u64>,
    /// Warps of a block, which share its barriers [default: all]
    #[arg(long, value_name = "N", requires = "warps", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps_per_block: Option<u64>,
    /// How many lines to list, the most expensive first
    ///
    /// These are lines of the source and of the listing. By default they are 20 in text and all in JSON; in text without --machine,
    /// it is the whole listing in its order.
    #[arg(long, value_name = "N", requires = "warps")]
    pub(crate) top: Option<usize>,
    /// The bound as an expression in the bounds of those loops that have none
    #[arg(long, requires = "warps", conflicts_with = "machine")]
    pub(crate) symbolic: bool,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

fn capabilities() -> String {
    format!(
        "The paper's model, with letters L and C counted for this compute capability: {} [default: with --warps the \
         machine of the file's capability]",
        Capability::all()
    )
}
