//! Flags of `schema`.

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct SchemaArgs {
    /// The format whose JSON Schema is printed; without it, the formats are listed
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
}
