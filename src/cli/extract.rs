//! `warpspan extract`.

use crate::cli::args::{ExtractArgs, Format};
use crate::cli::extract_record::{EXTRACT, EntryRecord, ExtractRecord};
use crate::cli::listing::options;
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure, extract_text};
use crate::listing::{Text, extract};
use crate::source::{bytes, name};

pub(super) fn run(args: &ExtractArgs) -> Result<Exit, Failure> {
    let mut options = options(&args.code, args.compute_capability)?;
    options.explain = args.explain || args.warps.is_some();
    let text = Text::new(&name(&args.file), bytes(&args.file)?)?;
    let entries = extract(&text, &options)?;
    if entries.is_empty() {
        eprintln!("warpspan: {}: no entry", name(&args.file));
    }
    let launch = args.warps.map(|warps| (warps, args.warps_per_block));
    let records: Vec<EntryRecord> = entries.iter().map(|entry| EntryRecord::new(entry, launch)).collect();
    let unbounded = records.iter().any(|record| record.bound_error.is_some());
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
    // what was asked for is not there for every entry; its reason is
    Ok(if unbounded { Exit::Limit } else { Exit::Done })
}
