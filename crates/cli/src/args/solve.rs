//! Flags of `solve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::{Format, GridArgs, InstanceArgs, LimitArgs, OrderArg, PathArgs};
#[cfg(feature = "highs")]
use warpspan_ilp::{Formulation, Horizon};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
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
pub(crate) struct SolveArgs {
    /// Which engine
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: EngineArg,
    /// Only a beam search: the N most promising states after each cycle, for a quick interval with its schedule
    #[arg(long, value_name = "N", value_parser = width, conflicts_with = "engine")]
    pub(crate) beam: Option<usize>,
    /// What is known of the order in which the schedulers of a machine try their warps
    #[arg(long, value_enum, value_name = "ORDER", default_value = "worst")]
    pub(crate) policy: OrderArg,
    /// Write the schedule to a file: .csv, .json or .svg
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<PathBuf>,
    /// Write a schedule of the best case; makes --engine auto mean states, which finds it
    #[arg(long, value_name = "FILE")]
    pub(crate) best_schedule: Option<PathBuf>,
    /// Write the answer with its proof: .v for Coq, .json for the checker, both in the folder proofs
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Put the schedule into the JSON
    #[arg(long)]
    pub(crate) with_schedule: bool,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) instance: InstanceArgs,
    #[command(flatten)]
    pub(crate) paths: PathArgs,
    #[command(flatten)]
    pub(crate) grid: GridArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[cfg(feature = "highs")]
    #[command(flatten)]
    pub(crate) ilp: IlpArgs,
}

/// Options of the ILP; any of them makes `--engine auto` mean the ILP.
#[cfg(feature = "highs")]
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the ILP (each makes --engine auto mean ilp)")]
pub(crate) struct IlpArgs {
    /// Formulation [default: aggregated]
    #[arg(long, value_enum)]
    pub(crate) formulation: Option<Formulation>,
    /// Cycles of the model: safe (the smaller of critical path and phase bound, so that no schedule is longer; the critical path
    /// alone where the ILP is a check of the phase bound), paper (Be12 Eq. 5-7; unsafe above sigma 1) or a number
    /// [default: safe; with --plain paper]
    #[arg(long, value_name = "safe|paper|N", value_parser = horizon)]
    pub(crate) horizon: Option<Horizon>,
    /// The formulation as published: no renaming of warps, no windows, and the paper's horizon unless --horizon says otherwise
    #[arg(long)]
    pub(crate) plain: bool,
    /// Write the model, with rows named by equation: .lp or .mps
    #[arg(long, value_name = "FILE")]
    pub(crate) write_model: Option<PathBuf>,
    /// Write the log of HiGHS
    #[arg(long, value_name = "FILE")]
    pub(crate) solver_log: Option<PathBuf>,
}

#[cfg(feature = "highs")]
fn horizon(text: &str) -> Result<Horizon, String> {
    match text {
        "safe" => Ok(Horizon::Safe),
        "paper" => Ok(Horizon::Paper),
        _ => match text.parse() {
            Ok(cycles) if cycles > 0 => Ok(Horizon::Cycles(cycles)),
            _ => Err("want safe, paper or a number of cycles".into()),
        },
    }
}
