//! Flags.

use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::input::KEYS;
use crate::limits::{Limits, default_memory, default_threads};
use crate::model::{Capability, Kernel, Throughput, WarpGroup};
use crate::policy::Width;

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
    Solve(SolveArgs),
    /// Every bound and estimate, each with its side, whether it is safe, and its equation
    Bound(BoundArgs),
    /// Judges a schedule file, or lines of `solve --format json --with-schedule`
    Check(CheckArgs),
    /// Warp-scheduling policies on an instance, beside the exact worst and best case
    Simulate(SimulateArgs),
    /// A grid of kernels x sigmas x warps x engines, to a table that survives a crash
    Sweep(SweepArgs),
    /// Figures of tables and schedules, and one HTML page that holds them
    Report(ReportArgs),
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
    /// Kernel string of L and C, with counts and brackets: LLCLL, L2CL2, (LLC)16
    #[arg(long, value_name = "STRING")]
    pub(super) kernel: Option<Kernel>,
    /// Number of warps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) warps: Option<u64>,
    /// Warps that may issue a load/store in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(super) sigma_l: Option<Throughput>,
    /// Warps that may issue a CUDA-core instruction in a cycle: a whole number or 1/n [default: 1]
    #[arg(long, value_name = "R")]
    pub(super) sigma_c: Option<Throughput>,
    /// Both sigmas by compute capability, 2.0 to 9.0
    #[arg(long, value_name = "X.Y", conflicts_with_all = ["sigma_l", "sigma_c"])]
    pub(super) compute_capability: Option<Capability>,
    /// Warps of one of several kernels on the multiprocessor; repeatable, instead of --kernel and --warps
    #[arg(long, value_name = "STRING:N", value_parser = group, conflicts_with_all = ["kernel", "warps"])]
    pub(super) group: Vec<WarpGroup>,
}

fn group(text: &str) -> Result<WarpGroup, String> {
    let (string, warps) = text.rsplit_once(':').ok_or("want STRING:N")?;
    let kernel = string.parse().map_err(|error| format!("{error}"))?;
    match warps.trim().parse() {
        Ok(warps) if warps > 0 => Ok(WarpGroup { kernel, warps }),
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
    let memory = memory.map_or_else(default_memory, |size| size.as_u64());
    let threads = threads.map_or_else(default_threads, usize::from);
    Ok(Limits::new(time, memory, threads, flag))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Text,
    /// One object an instance, one line each
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineArg {
    /// Closed form, states, phase bound, ILP, as suits the instance; checked by the others where that is quick
    Auto,
    /// Exhaustive search over states; exact, and the best case too, where they fit in memory
    States,
    /// The binary ILP on HiGHS
    Ilp,
    /// The closed form (one kernel, sigma 1 after the expansion to sub-warps), else the phase bound and its search
    Phase,
}

fn width(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|&width| width > 0)
        .ok_or_else(|| "want a number of states, 1 or more".to_owned())
}

#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub(super) instance: InstanceArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Which engine
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) engine: EngineArg,
    /// Only a beam search: the N most promising states after each cycle, for a quick interval with its schedule
    #[arg(long, value_name = "N", value_parser = width, conflicts_with = "engine")]
    pub(super) beam: Option<usize>,
    #[cfg(feature = "highs")]
    #[command(flatten)]
    pub(super) ilp: IlpArgs,
    /// Write the schedule to a file: .csv, .json or .svg
    #[arg(long, value_name = "FILE")]
    pub(super) schedule: Option<PathBuf>,
    /// Write a schedule of the best case; makes --engine auto mean states, which finds it
    #[arg(long, value_name = "FILE")]
    pub(super) best_schedule: Option<PathBuf>,
    /// Put the schedule into the JSON
    #[arg(long)]
    pub(super) with_schedule: bool,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}

/// Options of the ILP; any of them makes `--engine auto` mean the ILP.
#[cfg(feature = "highs")]
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the ILP (each makes --engine auto mean ilp)")]
pub(super) struct IlpArgs {
    /// Formulation [default: aggregated]
    #[arg(long, value_enum)]
    pub(super) formulation: Option<FormulationArg>,
    /// Cycles looked at: safe (the critical path), paper (Be12 Eq. 5-7) or a number [default: safe]
    #[arg(long, value_name = "safe|paper|N", value_parser = horizon)]
    pub(super) horizon: Option<crate::ilp::Horizon>,
    /// The formulation as published: no renaming of warps, no windows
    #[arg(long)]
    pub(super) plain: bool,
    /// Write the model, with rows named by equation: .lp or .mps
    #[arg(long, value_name = "FILE")]
    pub(super) write_model: Option<PathBuf>,
    /// Write the log of HiGHS
    #[arg(long, value_name = "FILE")]
    pub(super) solver_log: Option<PathBuf>,
}

#[cfg(feature = "highs")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormulationArg {
    /// Be12 with short constraints (34, 37)
    Short,
    /// Be12 with long constraints (33, 36)
    Long,
    /// Warps of a group as an ordered crowd
    Aggregated,
}

#[cfg(feature = "highs")]
fn horizon(text: &str) -> Result<crate::ilp::Horizon, String> {
    use crate::ilp::Horizon;
    match text {
        "safe" => Ok(Horizon::Safe),
        "paper" => Ok(Horizon::Paper),
        _ => match text.parse() {
            Ok(cycles) if cycles > 0 => Ok(Horizon::Cycles(cycles)),
            _ => Err("want safe, paper or a number of cycles".into()),
        },
    }
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyArg {
    /// Loose round robin
    Lrr,
    /// Greedy, then oldest
    Gto,
    /// Oldest first
    Oldest,
    /// Two groups by priority, in turn by budget (Si21 Algorithm 5)
    RtPaws,
    /// An order drawn anew each cycle
    Random,
    /// The adversary: the worst schedule there is; only where the machine is that of the model
    Worst,
    /// All of them that the machine and the priorities allow
    All,
}

#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    pub(super) instance: InstanceArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    /// Which policy
    #[arg(long, value_enum, default_value = "all")]
    pub(super) policy: PolicyArg,
    /// Instructions that a scheduler issues a cycle: 1, or as many as the units take, which is the model of the worst case
    #[arg(long, value_name = "1|unlimited", value_parser = issue_width, default_value = "unlimited")]
    pub(super) issue_width: Width,
    /// Cycles from the issue of a load/store until the warp is ready again
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) latency_l: u64,
    /// Cycles from the issue of a CUDA-core instruction until the warp is ready again
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) latency_c: u64,
    /// The cycle after which the warps of each group are there: 0,1 [default: 0, that is, ready in cycle 1]
    #[arg(long, value_name = "T,T", value_delimiter = ',')]
    pub(super) launch: Option<Vec<u64>>,
    /// The priority of each group, larger is more urgent: 1,2 [default: all 1]
    #[arg(long, value_name = "P,P", value_delimiter = ',')]
    pub(super) priority: Option<Vec<u64>>,
    /// Warp schedulers; warp w, in order of launch, belongs to scheduler w mod N
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(super) schedulers: u64,
    /// Of the random policy
    #[arg(long, value_name = "N", default_value = "0")]
    pub(super) seed: u64,
    /// Write the schedule of a single policy to a file: .csv, .json or .svg
    #[arg(long, value_name = "FILE")]
    pub(super) schedule: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}

fn issue_width(text: &str) -> Result<Width, String> {
    match text {
        "1" => Ok(Width::One),
        "unlimited" => Ok(Width::Unlimited),
        _ => Err("want 1 or unlimited".into()),
    }
}

/// Flags win over the grid file, key by key; the file's keys are the long flags of the grid.
#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// A grid file (TOML)
    #[arg(value_name = "GRID")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) grid: GridArgs,
    /// The table: .csv, or .jsonl for an object a line
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub(super) output: Option<PathBuf>,
    /// Go on with a table that was broken off
    #[arg(long)]
    pub(super) resume: bool,
    /// Only the k-th of n parts of the cells: 2/5
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(super) shard: Option<(u64, u64)>,
    /// Cells side by side [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Memory of the whole sweep: 500M, 2G [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory_limit: Option<ByteSize>,
    /// Start even a sweep of more than 100,000 cells or, by the prediction, 24 hours
    #[arg(long)]
    pub(super) yes: bool,
    /// Only say how many cells there are and what they may take
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl SweepArgs {
    /// Limits of the whole sweep, but for the time, which is for each cell.
    pub(super) fn limits(&self) -> std::io::Result<Limits> {
        limits(None, self.memory_limit, self.jobs)
    }
}

/// The grid: lists between commas, ranges A..B and A..B/STEP.
#[derive(Debug, Args)]
#[command(next_help_heading = "Grid")]
pub(super) struct GridArgs {
    /// Kernel strings
    #[arg(long, value_name = "A,B")]
    pub(super) kernels: Option<String>,
    /// A file of kernel strings, one a line
    #[arg(long, value_name = "FILE")]
    pub(super) kernels_file: Option<String>,
    /// All strings of these lengths: 1..6
    #[arg(long, value_name = "LENGTHS")]
    pub(super) all_strings: Option<String>,
    /// Random strings: length=8,count=100,share=0.5,seed=7 (share: of L's); several lists between semicolons
    #[arg(long, value_name = "LIST")]
    pub(super) random: Option<String>,
    /// Numbers of warps: 1..64,128
    #[arg(long, value_name = "NUMBERS")]
    pub(super) warps: Option<String>,
    /// sigma_L: 1,1/2 [default: 1]
    #[arg(long, value_name = "R,R")]
    pub(super) sigma_l: Option<String>,
    /// sigma_C: 1,2 [default: 1]
    #[arg(long, value_name = "R,R")]
    pub(super) sigma_c: Option<String>,
    /// Instead of sigmas: 2.0,3.5
    #[arg(long, value_name = "X.Y")]
    pub(super) compute_capabilities: Option<String>,
    /// auto, states, phase, ilp-short, ilp-long, ilp-aggregated (each also -plain: as published, with its horizon), bounds [default: auto]
    #[arg(long, value_name = "NAMES")]
    pub(super) engines: Option<String>,
    /// The x of the estimate (Be12 Eq. 42) [default: 4 where the closed form gives T(y), else no estimate]
    #[arg(long, value_name = "NUMBERS")]
    pub(super) up_to: Option<String>,
    /// For each cell, and again for its estimate: 30s, 5m [default: 1m]
    #[arg(long, value_name = "TIME")]
    pub(super) time_limit: Option<String>,
    /// Also simulate warp-scheduling policies: lrr, gto, oldest, rt-paws, random [default: none]
    #[arg(long, value_name = "NAMES")]
    pub(super) policies: Option<String>,
}

impl GridArgs {
    /// The flags that are given, by the keys of a grid file.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let values = [
            &self.kernels,
            &self.kernels_file,
            &self.all_strings,
            &self.random,
            &self.warps,
            &self.sigma_l,
            &self.sigma_c,
            &self.compute_capabilities,
            &self.engines,
            &self.up_to,
            &self.time_limit,
            &self.policies,
        ];
        KEYS.into_iter().zip(values).filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(k, n)| 1 <= k && k <= n).ok_or_else(|| "want K/N with 1 <= K <= N".to_owned())
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
    /// Tables of `sweep` (.csv, .jsonl), or lines of `solve --format json --with-schedule` (.json, .jsonl)
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Folder for index.html and the figures; made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: PathBuf,
}
