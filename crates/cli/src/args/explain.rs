//! Flags of `explain`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{FlagArgs, Format, GridArgs};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Records as `verify` takes them, or a schedule (.csv, .json); `-` for standard input
    #[arg(value_name = "RECORD|SCHEDULE")]
    pub(crate) file: PathBuf,
    /// The instance of a schedule file (TOML); records carry their own
    #[arg(value_name = "INSTANCE")]
    pub(crate) instance: Option<PathBuf>,
    /// What warps of the schedule do in this cycle, and why they wait
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cycle: Option<u64>,
    /// This warp of the schedule alone: its number, or GROUP:WARP where there are several groups, or BLOCK:WARP of a grid
    /// [default: the one that ends last; with --cycle, all]
    #[arg(long, value_name = "W", value_parser = warp)]
    pub(crate) warp: Option<WarpArg>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) flags: FlagArgs,
    #[command(flatten)]
    pub(crate) grid: GridArgs,
}

/// A warp: the number of its group or block, if it was given, and its own in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WarpArg {
    pub(crate) of: Option<u64>,
    pub(crate) number: u64,
}

fn warp(text: &str) -> Result<WarpArg, String> {
    let number = |text: &str| {
        let number = text.trim().parse().ok().filter(|&number: &u64| number > 0);
        number.ok_or_else(|| "want W, GROUP:WARP or BLOCK:WARP, which count from 1".to_owned())
    };
    Ok(match text.split_once(':') {
        Some((of, warp)) => WarpArg { of: Some(number(of)?), number: number(warp)? },
        None => WarpArg { of: None, number: number(text)? },
    })
}
