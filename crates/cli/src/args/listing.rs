//! Flags that name a listing, and what the user knows of its code.

use std::path::PathBuf;

use clap::Args;

/// A listing that stands for a kernel string.
#[derive(Debug, Args)]
#[command(next_help_heading = "Code")]
pub(crate) struct ListingArgs {
    /// PTX or SASS instead of a kernel string
    ///
    /// `extract` reads it in the same way. It runs on the machine of the compute capability that it is for (in a sweep, in the
    /// paper's model), unless --compute-capability or the sigmas ask for the paper's model.
    #[arg(long, value_name = "FILE")]
    pub(crate) ptx: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
}

impl ListingArgs {
    /// With what a grid file says where the flags do not.
    pub(crate) fn or(&self, said: impl Fn(&str) -> Option<String>) -> Self {
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
                unreachable: list(&code.unreachable, "unreachable"),
                classes: path(&code.classes, "classes"),
                declare: path(&code.declare, "declare"),
                param: list(&code.param, "param"),
                strict: code.strict,
            },
        }
    }
}

/// Which code, and what the user knows of it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Code")]
pub(crate) struct CodeArgs {
    /// One entry only, by its name in the file
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// The most passes of a loop, each time a warp comes to it
    ///
    /// That is how often a warp passes the header of the loop. LABEL may be a line.
    #[arg(long, value_name = "LABEL=N")]
    pub(crate) loop_bound: Vec<String>,
    /// Bounds of loops: a TOML file of lines LABEL = N
    #[arg(long, value_name = "FILE")]
    pub(crate) loop_bounds: Option<PathBuf>,
    /// All threads of a warp take the same path at this branch
    ///
    /// LABEL is the label of the branches, or the line of one.
    #[arg(long, value_name = "LABEL")]
    pub(crate) uniform: Vec<String>,
    /// Control never comes to this line
    ///
    /// LABEL is the line of an instruction or the first label before it, such as the call of `assert`. What only leads there is left out.
    #[arg(long, value_name = "LABEL")]
    pub(crate) unreachable: Vec<String>,
    /// The value of a parameter, for which loops are counted
    ///
    /// NAME is the name of the parameter, its position from 0 (2 or param_2), or c[0x0][0x160], or one of blockDim.x, gridDim.y and their like.
    /// pointers=*256 says that each pointer is a multiple of 256.
    /// The bounds hold for this value only.
    #[arg(long, value_name = "NAME=N")]
    pub(crate) param: Vec<String>,
    /// Classes of opcodes, before those of the table: a TOML file of [[class]] tables with opcode, unit, letters
    #[arg(long, value_name = "FILE")]
    pub(crate) classes: Option<PathBuf>,
    /// A file of declarations for the listing (TOML)
    ///
    /// `extract` writes it if it is not there (`-` to standard output), for you to fill in, and every command reads it. Flags
    /// win over it; of two bounds of a loop the smaller counts.
    #[arg(long, value_name = "FILE")]
    pub(crate) declare: Option<PathBuf>,
    /// Refuse an opcode that no class has; else it is a warning, and counts as the most expensive one of each unit
    #[arg(long)]
    pub(crate) strict: bool,
}

impl CodeArgs {
    /// The first of these flags that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let Self { entry, loop_bound, loop_bounds, uniform, unreachable, classes, declare, param, strict } =
            self;
        let given = [
            ("--entry", entry.is_some()),
            ("--loop-bound", !loop_bound.is_empty()),
            ("--loop-bounds", loop_bounds.is_some()),
            ("--uniform", !uniform.is_empty()),
            ("--unreachable", !unreachable.is_empty()),
            ("--classes", classes.is_some()),
            ("--declare", declare.is_some()),
            ("--param", !param.is_empty()),
            ("--strict", *strict),
        ];
        given.into_iter().find_map(|(flag, given)| given.then_some(flag))
    }
}
