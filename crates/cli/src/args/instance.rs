//! Flags that name an instance.

use std::path::PathBuf;

use clap::Args;

use crate::args::{ListingArgs, MemoryArgs, memory};
use warpspan_model::device::Capability;
use warpspan_model::machine::Latency;
use warpspan_model::time::Clock;
use warpspan_model::{Group, Throughput};

/// Naming an instance; flags win over the file.
#[derive(Debug, Args)]
pub(crate) struct InstanceArgs {
    /// Instance files (TOML) or a listing of a kernel, `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) flags: FlagArgs,
}

/// What is assumed of the paths of a program.
#[derive(Debug, Args)]
#[command(next_help_heading = "Instance")]
pub(crate) struct PathArgs {
    /// Assume that all warps of a group take the same path
    ///
    /// Through a program with branches or loops, this makes the interval narrower and often exact. It does not follow from
    /// branches that are uniform within each warp.
    #[arg(long)]
    pub(crate) same_path: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Instance")]
pub(crate) struct FlagArgs {
    /// Kernel string of L and C: LLCLL, L2CL2, (LLC|)16
    ///
    /// `|` is a barrier. `solve` and `bound` also take a program as `extract` prints it: C(LLC)0..16{LC/C}.
    #[arg(long, value_name = "STRING", conflicts_with = "ptx")]
    pub(crate) kernel: Option<String>,
    /// Number of warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps: Option<u64>,
    /// Warps of a block, which share their barriers [default: all warps of a group]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) warps_per_block: Option<u64>,
    /// Warps that issue an L in a cycle: N, 1/n [default: 1]
    ///
    /// L is a load/store instruction.
    #[arg(long, value_name = "R", conflicts_with = "machine")]
    pub(crate) sigma_l: Option<Throughput>,
    /// Warps that issue a C in a cycle: N, 1/n [default: 1]
    ///
    /// C is an instruction of the CUDA cores.
    #[arg(long, value_name = "R", conflicts_with = "machine")]
    pub(crate) sigma_c: Option<Throughput>,
    #[arg(long, value_name = "X.Y", help = format!("Both sigmas by compute capability: {}", Capability::all()), conflicts_with_all = ["sigma_l", "sigma_c", "machine"])]
    pub(crate) compute_capability: Option<Capability>,
    /// Warps of one of several kernels; repeatable
    ///
    /// Instead of --kernel and --warps. The string may be a program.
    #[arg(long, value_name = "STRING:N", value_parser = group, conflicts_with_all = ["kernel", "warps", "ptx"])]
    pub(crate) group: Vec<Group<String>>,
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

impl FlagArgs {
    /// Whether they name the code of the warps.
    pub(crate) fn name_a_kernel(&self) -> bool {
        self.kernel.is_some() || self.listing.ptx.is_some() || !self.group.is_empty()
    }

    /// Whether they name an instance, or a part of one.
    pub(crate) fn name_something(&self) -> bool {
        self.name_a_kernel()
            || self.machine.machine.is_some()
            || self.warps.is_some()
            || self.sigma_l.is_some()
            || self.sigma_c.is_some()
    }
}

/// A machine with latency and issue width, instead of sigmas.
#[derive(Debug, Args)]
#[command(next_help_heading = "Machine with latency and issue width")]
pub(crate) struct MachineArgs {
    /// A GPU of `gpus`, a capability or a TOML file
    ///
    /// Kernel strings are over the letters of the machine: L2<SFU>C.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) machine: Option<String>,
    /// The latency of a letter of the machine in cycles, instead of its own: GLOBAL=30..800, or one number for both ends
    #[arg(long, value_name = "LETTER=LO..HI", requires = "machine", value_parser = latency)]
    pub(crate) latency_of: Vec<(String, Latency)>,
    /// The cycles for which a letter of the machine holds a unit, instead of its own
    #[arg(long, alias = "occupancy-of", value_name = "LETTER=N", requires = "machine", value_parser = hold)]
    pub(crate) hold_of: Vec<(String, u64)>,
    /// Transactions of a memory instruction [default: the worst case]
    ///
    /// They are those of one pass of the instruction in this line of the listing, of those after a label, or of all (*=N).
    #[arg(long, value_name = "LABEL=N", requires = "machine")]
    pub(crate) transactions: Vec<String>,
    /// The clock in megahertz at which the memory of a GPU counts [default: the highest of the data sheet]
    #[arg(long, value_name = "MHZ", requires = "machine", value_parser = memory::clock)]
    pub(crate) clock: Option<Clock>,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

pub(crate) fn latency(text: &str) -> Result<(String, Latency), String> {
    let want = || "want LETTER=LO..HI or LETTER=N, cycles of 1 or more".to_owned();
    let (letter, cycles) = text.split_once('=').ok_or_else(want)?;
    let (least, most) = cycles.split_once("..").unwrap_or((cycles, cycles));
    let number = |text: &str| text.trim().parse().ok().filter(|&cycles| cycles > 0).ok_or_else(want);
    let (least, most) = (number(least)?, number(most)?);
    if least > most {
        return Err(want());
    }
    Ok((letter.trim().to_owned(), Latency { least, most }))
}

pub(crate) fn hold(text: &str) -> Result<(String, u64), String> {
    let pair = text.split_once('=').and_then(|(letter, cycles)| Some((letter, cycles.trim().parse().ok()?)));
    let (letter, cycles) =
        pair.filter(|&(_, cycles)| cycles > 0).ok_or("want LETTER=N, cycles of 1 or more")?;
    Ok((letter.trim().to_owned(), cycles))
}

/// A grid of blocks that follow one another, instead of a number of warps.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grid of blocks that follow one another")]
pub(crate) struct GridArgs {
    /// Blocks of a grid, which wait for room and follow one another; instead of --warps, with --warps-per-block
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["warps", "group"])]
    pub(crate) blocks: Option<u64>,
    /// Blocks that a multiprocessor holds at once [default: all]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) resident: Option<u64>,
    /// Multiprocessors that take blocks from the same queue [default: 1]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) multiprocessors: Option<u64>,
}

fn group(text: &str) -> Result<Group<String>, String> {
    let (string, warps) = text.rsplit_once(':').ok_or("want STRING:N")?;
    match warps.trim().parse() {
        Ok(warps) if warps > 0 => Ok(Group { code: string.to_owned(), warps }),
        _ => Err(format!("{warps:?}: want a number of warps, 1 or more")),
    }
}
