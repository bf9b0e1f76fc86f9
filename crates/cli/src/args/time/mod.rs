//! Flags of `time`.

pub(crate) mod parse;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::time::parse::Other;
use crate::args::{CodeArgs, Format, MemoryArgs, hold, latency};
use warpspan_kernel::input::Moved;
use warpspan_launch::{self as launch, Clocks, FirstCache, Held, Sizes};
use warpspan_model::device::Preset;
use warpspan_model::machine::Latency;
use warpspan_model::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct TimeArgs {
    /// PTX, or SASS as cuobjdump or nvdisasm print it; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(long, value_name = "NAME", help = "The GPU, a name of `gpus`: jetson-orin", long_help = format!("The GPU: {}", Preset::all()), required_unless_present = "system", conflicts_with = "system")]
    pub(crate) gpu: Option<String>,
    /// Blocks of the launch: N, NxM or N,M,K
    #[arg(long, value_name = "N", value_parser = launch::grid)]
    pub(crate) grid: Sizes,
    /// Threads of a block: N, NxM or N,M,K
    #[arg(long, value_name = "N", value_parser = launch::block)]
    pub(crate) block: Sizes,
    /// How long the launch may take: 800ns, 10us, 5ms, 1s
    #[arg(long, value_name = "TIME", value_parser = launch::time)]
    pub(crate) deadline: Option<Duration>,
    /// Times of measured launches in their order, to be shown beside the bound with an estimate by extreme value theory
    ///
    /// The first line is the unit: cycles, ns, us, ms or s; then each line is the time of a launch. The estimate is no bound, and the verdict does not
    /// depend on it. A measured time above the bound ends the command.
    #[arg(long, value_name = "FILE")]
    pub(crate) evt: Option<PathBuf>,
    /// How many lines to list with what they add [default: 5 in text, all in JSON]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Say of each item how far it may be wrong before the deadline is no longer proved to be met, while all else stays as it is
    #[arg(long, requires = "deadline", conflicts_with_all = ["co_running", "system"])]
    pub(crate) margins: bool,
    /// Stop the search for margins after this time: 30s, 5m
    ///
    /// A margin that is not found by then is an interval.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, requires = "margins")]
    pub(crate) time_limit: Option<std::time::Duration>,
    /// Print the answer alone, in one line
    #[arg(long, conflicts_with = "assumptions")]
    pub(crate) short: bool,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
    #[command(flatten)]
    pub(crate) totals: TotalArgs,
    #[command(flatten)]
    pub(crate) launch: LaunchArgs,
    #[command(flatten)]
    pub(crate) others: OtherKernelsArgs,
    #[command(flatten)]
    pub(crate) machine: NumberArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) traffic: TrafficArgs,
}

/// What is declared of the traffic of the launch.
#[derive(Debug, Args)]
#[command(next_help_heading = "What the launch moves through the memory")]
pub(crate) struct TrafficArgs {
    /// The most bytes that the launch reads and writes in DRAM: 537MB, 8KB/block, 500MB..537MB [default: every access]
    ///
    /// Each sector of 32 bytes may come alone in its line, unless `:lines` follows: 537MB:lines. Of two
    /// numbers, the lower is what it moves at least.
    #[arg(long, value_name = "BYTES", value_parser = Moved::read)]
    pub(crate) dram_bytes: Option<Moved>,
    /// The most bytes that the launch moves through L2, in the same form
    #[arg(long, value_name = "BYTES", value_parser = Moved::read)]
    pub(crate) l2_bytes: Option<Moved>,
    /// The first cache of a multiprocessor keeps what a block has read until the block ends
    ///
    /// How much that is follows from the addresses in the code. It is refused if more may be touched than the cache has while a block runs:
    /// by all blocks of the launch, unless blocks run one after the other on a multiprocessor. By default the cache is what is left if
    /// shared memory is as large as it can be.
    #[arg(long, value_name = "SIZE", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = FirstCache::read, conflicts_with_all = ["co_running", "system"])]
    pub(crate) l1_keeps_block: Option<FirstCache>,
    /// L2 keeps what the launch has touched until the launch ends [if given without a value: sectors]
    ///
    /// How much that is follows from the addresses in the code. It is refused if the launch may touch more than L2 has. With
    /// `lines` all that comes from DRAM comes in whole lines.
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "sectors", conflicts_with_all = ["co_running", "system"])]
    pub(crate) l2_keeps_launch: Option<Kept>,
    /// L2 holds all that the launch touches from before it starts until it ends, so that no access waits for DRAM
    ///
    /// SIZE is how large all of that is, with local memory of all threads that are there at once. If it is not given, it follows from the
    /// addresses in the code. ARRAYS are the only ones of which L2 holds what the launch touches, by the parameters that point to them:
    /// k_param_0,k_param_2. It is refused if L2 has less, with code and constants, twice where L2 has two halves. How long an access then
    /// takes at most stands in the machine (`latency_in_l2`).
    #[arg(long, value_name = "SIZE|ARRAYS", num_args = 0..=1, require_equals = true, default_missing_value = "*", value_parser = Held::read, conflicts_with_all = ["co_running", "system", "l2_keeps_launch"])]
    pub(crate) l2_holds: Option<Held>,
    /// Nothing else uses the DRAM while the launch runs, which has one block: no copies and no CPU cores
    ///
    /// How long an access then takes at most stands in the machine (`latency_in_idle_dram`), and for how long the DRAM pauses besides
    /// (`idle_dram`).
    #[arg(long, conflicts_with_all = ["co_running", "system", "dram_others", "dram_clock", "host_memory"])]
    pub(crate) dram_idle: bool,
    /// Pointers that are different parameters are to different arrays, so that a store to one leaves the others in the first cache
    ///
    /// No two of these arrays share a sector of 32 bytes.
    #[arg(long, requires = "l1_keeps_block")]
    pub(crate) arrays_distinct: bool,
    /// What Nsight Compute counted of the launch: a file of `ncu --csv` or `--print-raw`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dram_bytes", "l2_bytes"])]
    pub(crate) ncu: Option<PathBuf>,
}

/// What comes from DRAM into a cache that keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kept {
    /// Each sector may come alone in its line
    Sectors,
    /// Whole lines come
    Lines,
}

/// What only a launch as a whole shows of its code.
#[derive(Debug, Args)]
#[command(next_help_heading = "Code")]
pub(crate) struct TotalArgs {
    /// The most passes of a loop by all warps of all blocks together, such as of a queue
    ///
    /// Each pass of its header by a warp counts, also the one in which the warp leaves. LABEL may be a line.
    #[arg(long, value_name = "LABEL=N")]
    pub(crate) loop_total: Vec<String>,
}

/// How blocks are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dealt {
    /// No multiprocessor gets more of them than it has to.
    Evenly,
}

/// What is known of the launch besides its size.
#[derive(Debug, Args)]
#[command(next_help_heading = "The launch")]
pub(crate) struct LaunchArgs {
    /// The multiprocessors that run, of which power modes switch some off [default: all of the GPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "system")]
    pub(crate) multiprocessors: Option<u64>,
    /// How blocks are dealt to multiprocessors: evenly, none gets more than ceil(blocks / multiprocessors) [default: in any way]
    ///
    /// The GPU has to be the launch's own, and hold all its blocks at once. Nothing in CUDA guarantees it; whoever declares it has seen
    /// on which multiprocessors blocks run (`%smid`).
    #[arg(long, value_name = "HOW", value_enum, conflicts_with_all = ["co_running", "system"])]
    pub(crate) blocks_dealt: Option<Dealt>,
    /// Registers of a thread [default: what the listing says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=255))]
    pub(crate) registers: Option<u64>,
    /// Bytes of shared memory that the kernel declares [default: what the listing says]
    #[arg(long, value_name = "BYTES")]
    pub(crate) shared: Option<u64>,
    /// Bytes of shared memory that the launch adds [default: assumed 0]
    #[arg(long, value_name = "BYTES")]
    pub(crate) dynamic_shared: Option<u64>,
    /// The clock of the GPU in megahertz: 1300, 900..1300
    ///
    /// Two numbers are the slowest and the fastest clock. By default it is assumed to be the highest of the data sheet.
    #[arg(long, value_name = "MHZ", value_parser = launch::clocks, conflicts_with = "system")]
    pub(crate) clock: Option<Clocks>,
    /// The clock may be above the highest of the data sheet
    #[arg(long, requires = "clock")]
    pub(crate) overclocked: bool,
    /// The longest time from the call until blocks may start [default: assumed 0]
    #[arg(long, value_name = "TIME", value_parser = launch::time)]
    pub(crate) launch_overhead: Option<Duration>,
    /// The time of copies before the kernel, which the deadline includes [default: assumed 0]
    #[arg(long, value_name = "TIME", value_parser = launch::time)]
    pub(crate) copy_in: Option<Duration>,
    /// The time of copies after the kernel [default: assumed 0]
    #[arg(long, value_name = "TIME", value_parser = launch::time)]
    pub(crate) copy_out: Option<Duration>,
}

/// What else is on the GPU.
#[derive(Debug, Args)]
#[command(next_help_heading = "Co-running kernels")]
pub(crate) struct OtherKernelsArgs {
    /// Nothing else is on the GPU [default: assumed, unless other kernels are given]
    #[arg(long, conflicts_with_all = ["co_running", "system"])]
    pub(crate) alone: bool,
    /// Another kernel that may be launched once at any time, or at most once in each PERIOD; repeatable
    #[arg(long, alias = "beside", value_name = "FILE:ENTRY:GRID:BLOCK[:PERIOD]", value_parser = parse::other, conflicts_with = "system")]
    pub(crate) co_running: Vec<Other>,
    /// A system file of `rta` with the GPU, the machine and the other kernels
    #[arg(long, value_name = "FILE")]
    pub(crate) system: Option<PathBuf>,
}

/// The numbers of the machine.
#[derive(Debug, Args)]
#[command(next_help_heading = "Latencies and holds")]
pub(crate) struct NumberArgs {
    /// A GPU that `gpus` lists, a compute capability or a TOML file, for latencies and holds [default: those of the GPU]
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "system")]
    pub(crate) machine: Option<String>,
    /// The latency of a letter of the machine in cycles, instead of its own: GLOBAL=30..800, or one number for both ends
    #[arg(long, value_name = "LETTER=LO..HI", value_parser = latency, conflicts_with = "system")]
    pub(crate) latency_of: Vec<(String, Latency)>,
    /// The cycles for which a letter of the machine holds a unit, instead of its own
    #[arg(long, alias = "occupancy-of", value_name = "LETTER=N", value_parser = hold, conflicts_with = "system")]
    pub(crate) hold_of: Vec<(String, u64)>,
    /// Transactions of a memory instruction [default: the worst case]
    ///
    /// They are those of one pass of the instruction in this line of the listing, of those after a label, or of all (*=N).
    #[arg(long, value_name = "LABEL=N")]
    pub(crate) transactions: Vec<String>,
}
