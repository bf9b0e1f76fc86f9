//! The arguments: the flags that several commands share, each command with its own, and the help of all.

// Layers: a module uses only those of the groups above its own.
mod format;
mod limits;
mod listing;
mod memory;
mod order;

mod instance;

pub(crate) mod bound;
pub(crate) mod budget;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod gpus;
pub(crate) mod init;
pub(crate) mod partition;
pub(crate) mod prem;
pub(crate) mod report;
pub(crate) mod rta;
pub(crate) mod schema;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod time;
pub(crate) mod trace;
pub(crate) mod verify;

mod help;

use std::sync::LazyLock;
use std::time::Duration;

use clap::{ColorChoice, Parser, Subcommand};

use warpspan_records::Build;

pub(super) use format::Format;
pub(super) use help::{command, is_command};
pub(super) use instance::{FlagArgs, GridArgs, InstanceArgs, MachineArgs, PathArgs};
pub(super) use instance::{hold, latency};
pub(super) use limits::{LimitArgs, limits};
pub(super) use listing::{CodeArgs, ListingArgs};
pub(super) use memory::MemoryArgs;
pub(super) use order::{OrderArg, unused};

/// Worst-case times of GPU kernels, with their proofs
///
/// Exact worst-case makespans of GPU warps on one streaming multiprocessor, and what follows from them: the time of a
/// launch, response times of kernels that share a GPU, and whether deadlines are met. No number is too low, and each comes
/// with what it follows from.
#[derive(Debug, Parser)]
#[command(name = "warpspan", version = LONG_VERSION.as_str(), arg_required_else_help = true)]
#[command(
    after_help = "`warpspan COMMAND -h` has examples and the usual options, `warpspan COMMAND --help` all."
)]
pub(super) struct Cli {
    /// Colours of words that say the same without them
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_short_help = true
    )]
    pub(super) color: ColorChoice,
    /// List all that an answer rests on, with the name of each item, who vouches for it, and what says otherwise
    #[arg(long, global = true, hide_short_help = true)]
    pub(super) assumptions: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The exact worst case of warps or a grid, with a worst schedule
    ///
    /// Where limits end the search first, it is the narrowest interval that is proved by then.
    Solve(solve::SolveArgs),
    /// Every bound and estimate, and which of them are safe
    ///
    /// Each stands with its side, how it is checked, and its equation.
    Bound(bound::BoundArgs),
    /// Verifies a schedule, or each claim of results of solve
    ///
    /// A schedule is replayed in integers, and the upper bound computed again by a second, plain route. No engine is used, and
    /// nothing else in a file is trusted.
    Check(check::CheckArgs),
    /// What of a result is machine-checked, proved on paper, or tested
    ///
    /// It also says what is assumed, and where each theorem stands. Nothing is computed again: a number that is
    /// wrong is found by `check`, which verifies a result of `solve` by plain routes, or by a certificate (`solve
    /// --certificate`).
    Verify(verify::VerifyArgs),
    /// Why a number of a result is what it is, or why a warp waits
    ///
    /// Of a record: what each number follows from, whether the conditions of the theorem hold for its instance, what a second
    /// computation says, what it is made of, and why the command ended as it did. Of a schedule, which is replayed first: how
    /// the cycles of a warp divide, and with --cycle what each warp does and for what it waits.
    Explain(Box<explain::ExplainArgs>),
    /// Warp-scheduling policies, with the exact worst and best case
    Simulate(simulate::SimulateArgs),
    /// A grid of kernels, sigmas, warps and engines to a table
    ///
    /// The table survives a crash, and `--resume` completes it.
    Sweep(sweep::SweepArgs),
    /// Figures of tables and schedules, and an HTML page that holds them
    Report(report::ReportArgs),
    /// Response times of kernels on a GPU, and whether deadlines are met
    ///
    /// C is given, or solved from a kernel string, a listing or a program. The verdict rests on what is proved.
    Rta(rta::RtaArgs),
    /// How long a launch takes at most: from a listing to a deadline
    Time(Box<time::TimeArgs>),
    /// Whether the kernels of a file meet their deadlines: a gate
    ///
    /// Each kernel has the options of `time` as keys. One table says what is proved of each, and the exit code whether all are
    /// proved to meet their deadlines.
    Budget(budget::BudgetArgs),
    /// Schedules of tiles in prefetch, compute and writeback phases
    Prem(prem::PremArgs),
    /// Which GPU tasks share which multiprocessors to meet all deadlines
    Partition(Box<partition::PartitionArgs>),
    /// PTX or SASS to kernel strings and programs, and their bounds
    Extract(extract::ExtractArgs),
    /// The bounds of two versions of the code, and what changed them
    Compare(Box<compare::CompareArgs>),
    /// What a traced run did, and declarations for its input alone
    ///
    /// It reads what Accel-Sim's tracer (NVBit) writes, joined to the listing by the addresses of instructions: passes of loops, branches
    /// at which no warp diverged, transactions, and what a block and the launch touched.
    Trace(trace::TraceArgs),
    /// The GPUs and compute capabilities known, with their sources
    Gpus(gpus::GpusArgs),
    /// JSON Schemas of records and of the TOML files
    Schema(schema::SchemaArgs),
    /// A commented file to start from
    Init(init::InitArgs),
    /// A script that completes commands and options in a shell
    Completions(completions::CompletionsArgs),
    /// The manual pages of all commands, written into a folder
    Man(completions::ManArgs),
}

/// What `--version` says: the version, and what this build can do.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    #[cfg(feature = "highs")]
    let solver = format!("HiGHS {}", warpspan_ilp::solver_version());
    #[cfg(not(feature = "highs"))]
    let solver = "none, built without the feature highs";
    let drawings = if cfg!(feature = "figures") {
        "SVG, PDF, TikZ and HTML"
    } else {
        "none, built without the feature figures"
    };
    let build = Build::of_this();
    format!("{} ({build})\nILP solver  {solver}\ndrawings    {drawings}", env!("CARGO_PKG_VERSION"))
});

impl Command {
    /// The limits on the time and the memory of the whole command, as far as they are given.
    pub(super) fn watched(&self) -> (Option<Duration>, Option<u64>) {
        match self {
            Self::Solve(args) => args.limits.given(),
            Self::Bound(args) => args.limits.given(),
            Self::Simulate(args) => args.limits.given(),
            Self::Rta(args) => args.limits.given(),
            Self::Prem(args) => args.limits.given(),
            Self::Partition(args) => args.limits_given(),
            Self::Sweep(args) => (None, args.memory_limit_given()), // its time limit is for each cell
            Self::Check(_)
            | Self::Report(_)
            | Self::Time(_)
            | Self::Budget(_)
            | Self::Extract(_)
            | Self::Compare(_)
            | Self::Trace(_)
            | Self::Gpus(_)
            | Self::Schema(_)
            | Self::Init(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Explain(_)
            | Self::Verify(_) => (None, None),
        }
    }
}
