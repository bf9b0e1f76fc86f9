//! `warpspan extract`.

use std::path::Path;

use crate::cli::args::{CodeArgs, ExtractArgs, Format};
use crate::cli::extract_record::{EXTRACT, EntryRecord, ExtractRecord};
use crate::cli::instances::{bytes, name};
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure, extract_text};
use crate::code::{Options, Text, extract, read_classes, read_loop_bounds};
use crate::input::InputError;

pub(super) fn run(args: &ExtractArgs) -> Result<Exit, Failure> {
    let mut options = options(&args.code)?;
    options.explain = args.explain || args.warps.is_some();
    let text = Text::new(&name(&args.file), bytes(&args.file)?)?;
    let entries = extract(&text, &options)?;
    let launch = args.warps.map(|warps| (warps, args.warps_per_block));
    let records: Vec<EntryRecord> = entries.iter().map(|entry| EntryRecord::new(entry, launch)).collect();
    print(&match args.format {
        Format::Text => {
            let text = |record| extract_text::text(record, args.explain);
            records.iter().map(text).collect::<Vec<_>>().join("\n")
        }
        Format::Json => line(&ExtractRecord {
            schema: EXTRACT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            file: name(&args.file),
            entries: records,
        })?,
    })?;
    Ok(Exit::Done)
}

/// What the flags say about the code.
fn options(args: &CodeArgs) -> Result<Options, Failure> {
    let read = |path: &Path| -> Result<String, Failure> {
        let wrong = |_| InputError::new(name(path), "not UTF-8 text: want TOML");
        Ok(String::from_utf8(bytes(path)?).map_err(wrong)?)
    };
    let mut loop_bounds = match &args.loop_bounds {
        Some(path) => read_loop_bounds(&name(path), &read(path)?)?,
        None => Default::default(),
    };
    for bound in &args.loop_bound {
        loop_bounds.add(bound).map_err(|what| InputError::new(format!("--loop-bound {bound}"), what))?;
    }
    let classes = match &args.classes {
        Some(path) => read_classes(&name(path), &read(path)?)?,
        None => vec![],
    };
    let uniform = args.uniform.iter().cloned().collect();
    let capability = args.compute_capability;
    Ok(Options { entry: args.entry.clone(), capability, classes, loop_bounds, uniform, explain: false })
}
