//! `warpspan init`: a commented file to start from.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::output::{Target, print};
use crate::{Exit, Failure};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The command that takes the file
    #[arg(value_name = "COMMAND", value_enum)]
    kind: Kind,
    /// Write it to a new file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// An instance, also for bound, check and simulate
    Solve,
    /// Kernels on a GPU
    Rta,
    /// GPU tasks that are to be partitioned
    Partition,
    /// Kernels cut into tiles
    Prem,
    /// A grid of kernels, sigmas, warps and engines
    Sweep,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Self::Solve => include_str!("solve.toml"),
            Self::Rta => include_str!("rta.toml"),
            Self::Partition => include_str!("partition.toml"),
            Self::Prem => include_str!("prem.toml"),
            Self::Sweep => include_str!("sweep.toml"),
        }
    }
}

pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let text = args.kind.text();
    let Some(path) = &args.output else {
        print(text)?;
        return Ok(Exit::Done);
    };
    if path.symlink_metadata().is_ok() {
        let what = "is there already: want a new name, since init replaces no file";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    Target::open(path)?.write(|_, out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Done)
}
