//! `warpspan extract`.

use crate::cli::args::{ExtractArgs, Format};
use crate::cli::flags::in_flags;
use crate::cli::listing::options;
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure, extract_text};
use crate::listing::{Text, extract};
use crate::records::Extract;
use crate::records::extract::Entry;
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
    let records: Vec<Entry> = entries.iter().map(|entry| Entry::new(entry, launch, in_flags)).collect();
    let unbounded = records.iter().any(|record| record.bound_error.is_some());
    print(&match args.format {
        Format::Text => {
            let text = |record| extract_text::text(record, args.explain);
            records.iter().map(text).collect::<Vec<_>>().join("\n")
        }
        Format::Json => line(Extract { file: name(&args.file), entries: records })?,
    })?;
    // what was asked for is not there for every entry; its reason is
    Ok(if unbounded { Exit::Limit } else { Exit::Done })
}
