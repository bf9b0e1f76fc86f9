//! Flags.

mod extract;
mod gpus;
mod partition;
mod prem;
mod rta;
mod schema;
mod simulate;
mod solve;
mod sweep;

use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::limits::{Limits, default_threads, half_of};
use crate::model::device::Capability;
use crate::model::{Code, CodeError, Group, Throughput};

pub(super) use extract::{CodeArgs, ExtractArgs, ListingArgs};
pub(super) use gpus::GpusArgs;
pub(super) use partition::{FigureArg, OrderArg, PairsArg, PartitionArgs, PartitionFormat, TestArg};
pub(super) use prem::{ModeArg, PremArgs, RuleArg};
pub(super) use rta::{MethodArg, RtaArgs};
pub(super) use schema::SchemaArgs;
pub(super) use simulate::{PolicyArg, SimulateArgs};
#[cfg(feature = "highs")]
pub(super) use solve::FormulationArg;
pub(super) use solve::{EngineArg, SolveArgs};
pub(super) use sweep::SweepArgs;

/// Exact worst-case makespans of GPU warps on one streaming multiprocessor.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The exact worst-case makespan, or the narrowest proved interval within the limits, with a worst schedule
    #[command(
        after_help = "Exit codes: 0 every worst case is exact; 2 bad usage or input; 3 a worst case is not exact, stopped by a limit or \
                            Ctrl-C (`stop` in JSON) or for another reason (`not_exact`), the interval is printed; 4 two engines or \
                            the verifier disagree; 1 internal error."
    )]
    Solve(SolveArgs),
    /// Every bound and estimate, each with its side, whether it is safe, and its equation
    Bound(BoundArgs),
    /// Judges a schedule file, or each claim of lines of `solve --format json --with-schedule`
    #[command(
        after_help = "Exit codes: 0 the schedule is valid and every number of the record confirmed; 2 bad usage or input; 3 a number is \
                            not judged, since only the engine knows; 4 the schedule is not valid or a claim is refuted; 1 internal \
                            error."
    )]
    Check(CheckArgs),
    /// Warp-scheduling policies on an instance, beside the exact worst and best case
    Simulate(SimulateArgs),
    /// A grid of kernels x sigmas x warps x engines, to a table that survives a crash
    Sweep(SweepArgs),
    /// Figures of tables and schedules, and one HTML page that holds them
    Report(ReportArgs),
    /// Completion and response times of kernels on a GPU, with C given or solved from a kernel string
    #[command(
        after_help = "Exit codes: 0 all deadlines are proved to be met, 5 one is proved to be missed, 3 undecided; 1 internal \
                            error; 2 bad usage or input; 4 two methods disagree (a bug)."
    )]
    Rta(RtaArgs),
    /// Time-triggered schedules of tiles in prefetch, compute and writeback phases
    #[command(
        after_help = "Exit codes: 0 the time is bounded; 3 it has no bound, or a limit or Ctrl-C ended the search; 2 bad usage or input; 1 \
                            internal error."
    )]
    Prem(PremArgs),
    /// Which GPU tasks share which multiprocessors, so that all deadlines hold
    #[command(
        after_help = "Exit codes: 0 schedulable, which the verifier has judged again; 5 impossible, which is proved; 3 none was found, or a \
                            limit or Ctrl-C came first; 2 bad usage or input; 4 the verifier finds a fault (a bug); 1 internal \
                            error."
    )]
    Partition(Box<PartitionArgs>),
    /// PTX or SASS text to instruction strings and structured programs
    #[command(
        after_help = "Exit codes: 0 done; 3 with --warps, an entry has no bound; 2 bad usage or input; 1 internal error."
    )]
    Extract(ExtractArgs),
    /// The GPUs and compute capabilities known, with their sources and what is assumed
    Gpus(GpusArgs),
    /// JSON Schemas of what is printed with `--format json`, and of the TOML files
    Schema(SchemaArgs),
}

/// Naming an instance; flags win over the file.
#[derive(Debug, Args)]
pub(super) struct InstanceArgs {
    /// Instance files (TOML), `-` for standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) flags: FlagArgs,
}

#[derive(Debug, Args)]
pub(super) struct FlagArgs {
    /// Kernel string of L and C, `|` for a barrier, with counts and brackets: LLCLL, L2CL2, (LLC|)16; or, for `solve` and
    /// `bound`, a program as `extract` prints it: C(LLC)0..16{LC/C}
    #[arg(long, value_name = "STRING", conflicts_with = "ptx")]
    pub(super) kernel: Option<Code>,
    /// Number of warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) warps: Option<u64>,
    /// Warps of a block, which share their barriers [default: all warps of a group]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) warps_per_block: Option<u64>,
    /// Warps that may issue a load/store in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(super) sigma_l: Option<Throughput>,
    /// Warps that may issue a CUDA-core instruction in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(super) sigma_c: Option<Throughput>,
    #[arg(long, value_name = "X.Y", help = format!("Both sigmas by compute capability: {}", Capability::all()), conflicts_with_all = ["sigma_l", "sigma_c"])]
    pub(super) compute_capability: Option<Capability>,
    /// Warps of one of several kernels or programs on the multiprocessor; repeatable, instead of --kernel and --warps
    #[arg(long, value_name = "STRING:N", value_parser = group, conflicts_with_all = ["kernel", "warps", "ptx"])]
    pub(super) group: Vec<Group>,
    #[command(flatten)]
    pub(super) listing: ListingArgs,
}

fn group(text: &str) -> Result<Group, String> {
    let (string, warps) = text.rsplit_once(':').ok_or("want STRING:N")?;
    let code = string.parse().map_err(|error: CodeError| error.to_string())?;
    match warps.trim().parse() {
        Ok(warps) if warps > 0 => Ok(Group { code, warps }),
        _ => Err(format!("{warps:?}: want a number of warps, 1 or more")),
    }
}

#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// Stop after so long with the interval known by then: 30s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    time_limit: Option<Duration>,
    /// Memory that engines may use: 500M, 2G [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl LimitArgs {
    /// Limits that begin now and end with Ctrl-C; a second Ctrl-C ends the process at once.
    pub(super) fn limits(&self) -> std::io::Result<Limits> {
        limits(self.time_limit, self.memory_limit, self.threads)
    }
}

fn limits(time: Option<Duration>, memory: Option<ByteSize>, threads: Option<u16>) -> std::io::Result<Limits> {
    let flag = std::sync::Arc::default();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, std::sync::Arc::clone(&flag))?;
        signal_hook::flag::register(signal, std::sync::Arc::clone(&flag))?;
    }
    let memory = memory.map_or_else(|| half_of(available_memory()), |size| size.as_u64());
    let threads = threads.map_or_else(default_threads, usize::from);
    Ok(Limits::new(time, memory, threads, flag))
}

/// The memory that is available now on any system, in bytes; 0 where the system does not tell.
fn available_memory() -> u64 {
    sysinfo::System::new().map_or(0, |mut system| {
        system.refresh_memory();
        system.available_memory()
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Text,
    /// One object an instance, one line each
    Json,
}
#[derive(Debug, Args)]
pub(super) struct BoundArgs {
    #[command(flatten)]
    pub(super) instance: InstanceArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// The x of the estimate min over y = 1..x of ceil(W/y) T(y) (Be12 Eq. 42) [default: 4 where the closed form gives
    /// T(y), else no estimate, since each T(y) is an ILP]
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(super) up_to: Option<u64>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// A schedule (.csv, .json), or lines of `solve --format json --with-schedule`; `-` for standard input
    #[arg(value_name = "SCHEDULE")]
    pub(super) file: PathBuf,
    /// The instance of a schedule file (TOML); lines of `solve` carry their own
    #[arg(value_name = "INSTANCE")]
    pub(super) instance: Option<PathBuf>,
    #[command(flatten)]
    pub(super) flags: FlagArgs,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Tables of `sweep` (.csv, .jsonl), or lines of `solve` or `rta` `--format json --with-schedule`, or of `extract --warps`
    /// (.json, .jsonl)
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Folder for index.html and the figures; made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: PathBuf,
}
