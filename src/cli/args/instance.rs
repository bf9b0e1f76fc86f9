//! Flags that name an instance.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::ListingArgs;
use crate::model::device::Capability;
use crate::model::{Code, CodeError, Group, Throughput};

/// Naming an instance; flags win over the file.
#[derive(Debug, Args)]
pub(in crate::cli) struct InstanceArgs {
    /// Instance files (TOML), `-` for standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) flags: FlagArgs,
}

/// What is assumed of the paths of a program.
#[derive(Debug, Args)]
pub(in crate::cli) struct PathArgs {
    /// Assume that all warps of a group take the same path through a program with branches or loops, which makes the
    /// interval narrower and often exact; it does not follow from branches that are uniform within each warp
    #[arg(long)]
    pub(in crate::cli) same_path: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct FlagArgs {
    /// Kernel string of L and C, `|` for a barrier, with counts and brackets: LLCLL, L2CL2, (LLC|)16; or, for `solve` and
    /// `bound`, a program as `extract` prints it: C(LLC)0..16{LC/C}
    #[arg(long, value_name = "STRING", conflicts_with = "ptx")]
    pub(in crate::cli) kernel: Option<Code>,
    /// Number of warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps: Option<u64>,
    /// Warps of a block, which share their barriers [default: all warps of a group]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps_per_block: Option<u64>,
    /// Warps that may issue a load/store in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(in crate::cli) sigma_l: Option<Throughput>,
    /// Warps that may issue a CUDA-core instruction in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(in crate::cli) sigma_c: Option<Throughput>,
    #[arg(long, value_name = "X.Y", help = format!("Both sigmas by compute capability: {}", Capability::all()), conflicts_with_all = ["sigma_l", "sigma_c"])]
    pub(in crate::cli) compute_capability: Option<Capability>,
    /// Warps of one of several kernels or programs on the multiprocessor; repeatable, instead of --kernel and --warps
    #[arg(long, value_name = "STRING:N", value_parser = group, conflicts_with_all = ["kernel", "warps", "ptx"])]
    pub(in crate::cli) group: Vec<Group>,
    #[command(flatten)]
    pub(in crate::cli) listing: ListingArgs,
}

/// A grid of blocks that follow one another, instead of a number of warps.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grid of blocks that follow one another")]
pub(in crate::cli) struct GridArgs {
    /// Blocks of a grid, which wait for room and follow one another; instead of --warps, with --warps-per-block
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["warps", "group"])]
    pub(in crate::cli) blocks: Option<u64>,
    /// Blocks that a multiprocessor holds at once [default: all]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) resident: Option<u64>,
    /// Multiprocessors that take blocks from the same queue [default: 1]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) multiprocessors: Option<u64>,
}

fn group(text: &str) -> Result<Group, String> {
    let (string, warps) = text.rsplit_once(':').ok_or("want STRING:N")?;
    let code = string.parse().map_err(|error: CodeError| error.to_string())?;
    match warps.trim().parse() {
        Ok(warps) if warps > 0 => Ok(Group { code, warps }),
        _ => Err(format!("{warps:?}: want a number of warps, 1 or more")),
    }
}
