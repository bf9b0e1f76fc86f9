//! Flags of `gpus`.

use clap::Args;

use crate::args::Format;

#[derive(Debug, Args)]
pub(crate) struct GpusArgs {
    /// Only the presets and capabilities of these names: jetson-orin, 8.7
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
