//! `warpspan schema`.

use crate::args::schema::SchemaArgs;
use crate::output::{Target, print};
use crate::{Exit, Failure};
use warpspan_records::schemas::{FORMATS, Format};

pub(crate) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let named = args.name.as_deref().map(named).transpose()?;
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::usage(format!("{}: cannot be written: {error}", folder.display())))?;
        for format in named.map_or_else(|| FORMATS.to_vec(), |one| vec![one]) {
            let text = text(&format)?;
            let file = Target::open(&folder.join(format!("{}.json", format.name)))?;
            file.write(|_, out| out.write_all(text.as_bytes()))?;
        }
        return Ok(Exit::Done);
    }
    match named {
        Some(format) => print(&text(&format)?)?,
        None => {
            let lines = FORMATS.iter().map(|format| format!("{:<18}  {}\n", format.name, format.what));
            print(&lines.collect::<String>())?;
        }
    }
    Ok(Exit::Done)
}

fn named(name: &str) -> Result<Format, Failure> {
    Format::named(name).ok_or_else(|| {
        let names = FORMATS.map(|format| format.name);
        Failure::usage(format!("{name:?} is not known: want one of {}", names.join(", ")))
    })
}

fn text(format: &Format) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(&format.schema()).map_err(Failure::internal)? + "\n")
}
