//! `warpspan extract`.

mod declare;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::args::extract::ExtractArgs;
use crate::args::{CodeArgs, Format};
use crate::commands::extract::declare::{is_to_be_written, write};
use crate::document;
use crate::instances::machine;
use crate::listing::{options, options_on, warn_of_unknown};
use crate::output::print;
use crate::record::{in_text, line};
use crate::{Exit, Failure};
use warpspan_document::extract::{self, Shown};
use warpspan_kernel::entry;
use warpspan_kernel::input::{listing_bytes, machine_of};
use warpspan_launch::flags::in_flags;
use warpspan_listing::{Text, extract};
use warpspan_model::source::name;
use warpspan_records::Extract;
use warpspan_records::extract::{Asked, Entry};

/// How many lines a person is shown with what they add.
const TOP: usize = 20;

pub(crate) fn run(args: &ExtractArgs) -> Result<Exit, Failure> {
    let to_write = args.code.declare.as_ref().filter(|path| is_to_be_written(path));
    let code = match to_write {
        Some(_) => &CodeArgs { declare: None, ..args.code.clone() },
        None => &args.code,
    };
    let text = Text::new(&name(&args.file), listing_bytes(&args.file)?)?;
    let named = match machine(&args.machine)? {
        // A bound for a capability whose machine is known is a bound on that machine.
        None if args.warps.is_some() && args.compute_capability.is_none() && !args.symbolic => {
            machine_of(&text, args.code.entry.as_deref())?.map(Arc::new)
        }
        named => named,
    };
    let mut options = match &named {
        Some(named) => options_on(code, args.compute_capability, named, &args.machine.transactions)?,
        None => options(code, args.compute_capability)?,
    };
    options.explain = args.explain || args.warps.is_some();
    options.footprints = named.is_some();
    if let Some(path) = to_write
        && let Some(declarations) = write(path, &text, &options)?
    {
        print(&declarations)?;
        return Ok(Exit::Done);
    }
    let entries = extract(&text, &options)?;
    entries.iter().for_each(|entry| warn_of_unknown(text.place(), &entry.unknown_opcodes));
    if entries.is_empty() {
        tell!("{}: no entry", name(&args.file));
    }
    let launch = args.warps.map(|warps| (warps, args.warps_per_block));
    let source = if launch.is_some() || named.is_some() { text.source_lines() } else { BTreeMap::new() };
    let top = match args.format {
        Format::Text => Some(args.top.unwrap_or(TOP)),
        Format::Json => args.top,
    };
    let asked = launch.map(|(warps, warps_per_block)| Asked { warps, warps_per_block, top, source: &source });
    let record = |entry| match &named {
        // The bound is that on the machine alone.
        Some(named) => {
            Entry::new(entry, None, in_flags).with_machine(entry, named, (asked.as_ref(), &source), in_flags)
        }
        None => {
            let record = Entry::new(entry, launch, in_flags);
            match &asked {
                Some(asked) => record.with_source(asked),
                None => record,
            }
        }
    };
    let mut records: Vec<Entry> = entries.iter().map(record).collect();
    if let Some((warps, block)) = launch.filter(|_| args.symbolic) {
        for (record, entry) in records.iter_mut().zip(&entries) {
            record.set_symbolic(warps, &entry::symbolic(entry, &text, &options, warps, block), in_flags);
        }
    }
    let unbounded = records.iter().any(|record| {
        let expressed = record.symbolic.is_some();
        record.bound_error.is_some() && !expressed
            || record.machine.as_ref().is_some_and(|machine| machine.bound_error.is_some())
    });
    print(&match args.format {
        Format::Text => {
            let shown = Shown { why: args.explain, most_expensive: args.top.is_some() };
            let text = |records: &Vec<_>| {
                let entries = records.iter().map(|record| document::text(&extract::document(record, shown)));
                entries.collect::<Vec<_>>().join("\n")
            };
            in_text(&records, text)?
        }
        Format::Json => line(Extract { file: name(&args.file), entries: records })?,
    })?;
    // An entry without a bound has the reason in its place.
    Ok(if unbounded { Exit::Limit } else { Exit::Done })
}
