//! Flags of `schema`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The format whose JSON Schema is printed; without it, the formats are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Write the schema into this folder instead, or those of all formats, as files NAME.json; made if there is none
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}
