//! Flags of `extract`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::Format;
use crate::model::device::Capability;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExtractArgs {
    /// PTX, or SASS as cuobjdump, nvdisasm or CuAssembler print it; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) code: CodeArgs,
    #[arg(long, value_name = "X.Y", help = capabilities())]
    pub(in crate::cli) compute_capability: Option<Capability>,
    /// List each instruction with its letter, how often it counts, and why
    #[arg(long)]
    pub(in crate::cli) explain: bool,
    /// The bound for so many warps, and the phase and share of each line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps: Option<u64>,
    /// Warps of a block, which share its barriers [default: all]
    #[arg(long, value_name = "N", requires = "warps", value_parser = clap::value_parser!(u64).range(1..))]
    pub(in crate::cli) warps_per_block: Option<u64>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
}

/// A listing that stands for a kernel string.
#[derive(Debug, Args)]
#[command(next_help_heading = "Kernel from a listing")]
pub(in crate::cli) struct ListingArgs {
    /// PTX or SASS instead of a kernel string, as `extract` reads it, for the file's target unless --compute-capability says another
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) ptx: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) code: CodeArgs,
}

impl ListingArgs {
    /// With what a grid file says where the flags do not.
    pub(in crate::cli) fn or(&self, said: impl Fn(&str) -> Option<String>) -> Self {
        let path = |flag: &Option<PathBuf>, key| flag.clone().or_else(|| said(key).map(PathBuf::from));
        let list = |flag: &Vec<String>, key| match said(key) {
            Some(text) if flag.is_empty() => text.split(',').map(|item| item.trim().to_owned()).collect(),
            _ => flag.clone(),
        };
        let code = &self.code;
        Self {
            ptx: path(&self.ptx, "ptx"),
            code: CodeArgs {
                entry: code.entry.clone().or_else(|| said("entry")),
                loop_bound: list(&code.loop_bound, "loop-bound"),
                loop_bounds: path(&code.loop_bounds, "loop-bounds"),
                uniform: list(&code.uniform, "uniform"),
                classes: path(&code.classes, "classes"),
            },
        }
    }
}

/// Which code, and what the user knows of it.
#[derive(Debug, Args)]
pub(in crate::cli) struct CodeArgs {
    /// One entry only, by its name in the file
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) entry: Option<String>,
    /// How often a warp passes the header of a loop at most, each time it comes to the loop; LABEL may be a line
    #[arg(long, value_name = "LABEL=N")]
    pub(in crate::cli) loop_bound: Vec<String>,
    /// Bounds of loops: a TOML file of lines LABEL = N
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) loop_bounds: Option<PathBuf>,
    /// All threads of a warp go the same way at the branches to this label, or at the branch in this line
    #[arg(long, value_name = "LABEL")]
    pub(in crate::cli) uniform: Vec<String>,
    /// Classes of opcodes, before those of the table: a TOML file of [[class]] tables with opcode, unit, letters
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) classes: Option<PathBuf>,
}

fn capabilities() -> String {
    format!(
        "The compute capability that letters are counted for: {} [default: that of the file]",
        Capability::all()
    )
}
