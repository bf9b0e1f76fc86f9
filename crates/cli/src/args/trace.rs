//! Flags of `trace`.

use std::path::PathBuf;

use clap::Args;

use crate::args::Format;

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// What Accel-Sim's tracer wrote of launches of the kernel, grouped by blocks (.traceg); `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The SASS that ran, as cuobjdump or nvdisasm print it
    #[arg(long, value_name = "FILE")]
    pub(crate) sass: PathBuf,
    /// The kernel, by its name in the listing [default: the one that the trace names]
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Write what was found as declarations for these inputs alone; `-` for standard output, and nothing else there
    ///
    /// The file must not exist yet. Other commands take it with --declare, and say for which input their answers hold, or refuse it.
    #[arg(long, value_name = "FILE")]
    pub(crate) declare: Option<PathBuf>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
