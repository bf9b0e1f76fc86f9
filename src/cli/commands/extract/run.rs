//! `warpspan extract`.

use crate::cli::args::Format;
use crate::cli::commands::extract::args::ExtractArgs;
use crate::cli::commands::extract::text::text as entry_text;
use crate::cli::flags::in_flags;
use crate::cli::instances::machine;
use crate::cli::listing::{options, options_on};
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure};
use crate::listing::{Text, extract};
use crate::records::Extract;
use crate::records::extract::Entry;
use crate::source::{bytes, name};

pub(in crate::cli) fn run(args: &ExtractArgs) -> Result<Exit, Failure> {
    let named = machine(&args.machine)?;
    let mut options = match &named {
        Some(named) => options_on(&args.code, args.compute_capability, named, &args.machine.transactions)?,
        None => options(&args.code, args.compute_capability)?,
    };
    options.explain = args.explain || args.warps.is_some();
    let text = Text::new(&name(&args.file), bytes(&args.file)?)?;
    let entries = extract(&text, &options)?;
    if entries.is_empty() {
        eprintln!("warpspan: {}: no entry", name(&args.file));
    }
    let launch = args.warps.map(|warps| (warps, args.warps_per_block));
    let record = |entry| {
        let record = Entry::new(entry, launch, in_flags);
        match &named {
            Some(named) => record.with_machine(entry, named, in_flags),
            None => record,
        }
    };
    let records: Vec<Entry> = entries.iter().map(record).collect();
    let unbounded = records.iter().any(|record| record.bound_error.is_some());
    print(&match args.format {
        Format::Text => {
            let text = |record| entry_text(record, args.explain);
            records.iter().map(text).collect::<Vec<_>>().join("\n")
        }
        Format::Json => line(Extract { file: name(&args.file), entries: records })?,
    })?;
    // An entry without a bound has the reason in its place.
    Ok(if unbounded { Exit::Limit } else { Exit::Done })
}
