//! Flags of `gpus`.

use clap::Args;

use crate::cli::args::Format;

#[derive(Debug, Args)]
pub(in crate::cli) struct GpusArgs {
    /// Only the presets and capabilities of these names: jetson-orin, 8.7
    #[arg(value_name = "NAME")]
    pub(in crate::cli) names: Vec<String>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(in crate::cli) format: Format,
}
