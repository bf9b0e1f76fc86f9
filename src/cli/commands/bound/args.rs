//! Flags of `bound`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{Format, GridArgs, InstanceArgs, LimitArgs, PathArgs};

#[derive(Debug, Args)]
pub(in crate::cli) struct BoundArgs {
    /// The x of the estimate by few warps (Be12 Eq. 42)
    ///
    /// It is the least of ceil(W/y) T(y) over y = 1..x. By default x is 4 where the closed form gives T(y); else there is no
    /// estimate, since each T(y) is an ILP.
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(in crate::cli) up_to: Option<u64>,
    /// Write the bounds with their proof: .v for Coq, .json for the checker, both in the folder proofs
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) certificate: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
    #[command(flatten)]
    pub(in crate::cli) instance: InstanceArgs,
    #[command(flatten)]
    pub(in crate::cli) paths: PathArgs,
    #[command(flatten)]
    pub(in crate::cli) grid: GridArgs,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArgs,
}
