//! Flags of `bound`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{Format, GridArgs, InstanceArgs, LimitArgs, OrderArg, PathArgs};

#[derive(Debug, Args)]
pub(crate) struct BoundArgs {
    /// The x of the estimate by few warps (Be12 Eq. 42)
    ///
    /// It is the least of ceil(W/y) T(y) over y = 1..x. By default x is 4 where the closed form gives T(y); else there is no
    /// estimate, since each T(y) is an ILP.
    #[arg(long, value_name = "X", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) up_to: Option<u64>,
    /// What is known of the order in which the schedulers of a machine try their warps
    #[arg(long, value_enum, value_name = "ORDER", default_value = "worst")]
    pub(crate) policy: OrderArg,
    /// Write the bounds with their proof: .v for Coq, .json for the checker, both in the folder proofs
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
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
}
