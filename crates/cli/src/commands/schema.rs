//! `warpspan schema`.

use clap::Args;

use crate::output::print;
use crate::{Exit, Failure};
use warpspan_records::schemas::{FORMATS, Format};

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The format whose JSON Schema is printed; without it, the formats are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let Some(name) = &args.name else {
        let lines = FORMATS.iter().map(|format| format!("{:<16}  {}\n", format.name, format.what));
        print(&lines.collect::<String>())?;
        return Ok(Exit::Done);
    };
    let format = Format::named(name).ok_or_else(|| {
        let names = FORMATS.map(|format| format.name);
        Failure::usage(format!("{name:?} is not known: want one of {}", names.join(", ")))
    })?;
    let text = serde_json::to_string_pretty(&format.schema()).map_err(Failure::internal)?;
    print(&(text + "\n"))?;
    Ok(Exit::Done)
}
