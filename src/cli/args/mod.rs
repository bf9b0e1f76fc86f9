//! The arguments: each command with its flags, which stand in its folder, and the flags that several commands share.

mod instance;
mod limits;
mod listing;

use std::sync::LazyLock;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::cli::commands::bound::BoundArgs;
use crate::cli::commands::check::CheckArgs;
use crate::cli::commands::compare::CompareArgs;
use crate::cli::commands::completions::{CompletionsArgs, ManArgs};
use crate::cli::commands::explain::ExplainArgs;
use crate::cli::commands::extract::ExtractArgs;
use crate::cli::commands::gpus::GpusArgs;
use crate::cli::commands::init::InitArgs;
use crate::cli::commands::partition::PartitionArgs;
use crate::cli::commands::prem::PremArgs;
use crate::cli::commands::report::ReportArgs;
use crate::cli::commands::rta::RtaArgs;
use crate::cli::commands::schema::SchemaArgs;
use crate::cli::commands::simulate::SimulateArgs;
use crate::cli::commands::solve::SolveArgs;
use crate::cli::commands::sweep::SweepArgs;
use crate::cli::commands::time::TimeArgs;
use crate::cli::commands::verify::VerifyArgs;

pub(super) use instance::{FlagArgs, GridArgs, InstanceArgs, MachineArgs, PathArgs};
pub(super) use instance::{latency, occupancy};
pub(super) use limits::{LimitArgs, limits};
pub(super) use listing::{CodeArgs, ListingArgs};

/// Exact worst-case makespans of GPU warps on one streaming multiprocessor.
#[derive(Debug, Parser)]
#[command(version, long_version = LONG_VERSION.as_str(), arg_required_else_help = true)]
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
    /// What of a result is checked by a machine, proved on paper, tested only, or taken for granted, and where each theorem stands
    #[command(
        long_about = "What of a result is checked by a machine, proved on paper, tested only, or taken for granted, and where each \
                      theorem stands.\n\nNothing is computed again: a number that is wrong is found by `check`, which judges a \
                      result of `solve` by plain routes, or by a certificate (`solve --certificate`).",
        after_help = "Exit codes: 0 done; 2 bad usage or input; 1 internal error."
    )]
    Verify(VerifyArgs),
    /// Why a number of a result is what it is, or why a warp of a schedule waits
    #[command(
        long_about = "Why a number of a result is what it is, or why a warp of a schedule waits.\n\nOf a record: what each number \
                      follows from, whether the conditions of the theorem hold for its instance, what a second computation \
                      says, what it is made of, and why the command ended as it did. Of a schedule, which is replayed first: how \
                      the cycles of a warp divide, and with --cycle what each warp does and for what it waits.",
        after_help = "Exit codes: 0 done; 2 bad usage or input; 4 a condition does not hold or a number is refuted; 1 internal error."
    )]
    Explain(Box<ExplainArgs>),
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
    /// How long a launch of a kernel takes at most: from a listing, a GPU and a grid to a deadline
    #[command(
        after_help = "Exit codes: 0 the deadline is proved to be met, or there is none; 5 it is proved to be missed, 3 undecided, or there \
                            is no bound; 1 internal error; 2 bad usage or input."
    )]
    Time(Box<TimeArgs>),
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
    /// The bounds of two versions of the code, and which lines make them larger or smaller
    #[command(
        after_help = "Exit codes: 0 done; 5 a new upper bound exceeds the old one by more than --worse-than; 3 a bound is missing, \
                            the entry stands in the table with its reason; 2 bad usage or input; 1 internal error."
    )]
    Compare(Box<CompareArgs>),
    /// The GPUs and compute capabilities known, with their sources and what is assumed
    Gpus(GpusArgs),
    /// JSON Schemas of what is printed with `--format json`, and of the TOML files
    Schema(SchemaArgs),
    /// A commented file to start from, for `solve`, `rta`, `partition`, `prem` or `sweep`
    Init(InitArgs),
    /// A script that completes commands and options in a shell
    Completions(CompletionsArgs),
    /// The manual pages of all commands, written into a folder
    Man(ManArgs),
}

/// What `--version` says: the version, and what this build can do.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    #[cfg(feature = "highs")]
    let solver = format!("HiGHS {}", crate::engines::ilp::solver_version());
    #[cfg(not(feature = "highs"))]
    let solver = "none, built without the feature highs";
    let drawings =
        if cfg!(feature = "figures") { "SVG and HTML" } else { "none, built without the feature figures" };
    format!("{}\nILP solver  {solver}\ndrawings    {drawings}", env!("CARGO_PKG_VERSION"))
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
            | Self::Extract(_)
            | Self::Compare(_)
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Text,
    /// One object an instance, one line each
    Json,
}
