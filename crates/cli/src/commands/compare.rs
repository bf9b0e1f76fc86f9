//! `warpspan compare`.

use std::path::Path;
use std::sync::Arc;

use crate::args::CodeArgs;
use crate::args::compare::{CompareArgs, Form};
use crate::document::shown;
use crate::instances::machine;
use crate::listing::{for_every_input, options, options_on};
use crate::output::print;
use crate::record::{line, plain};
use crate::{Exit, Failure};
use warpspan_document::compare::document;
use warpspan_kernel::input::{NamedMachine, listing_bytes, machine_of};
use warpspan_launch::flags::in_flags;
use warpspan_listing::{Options, Text, Unknown, extract_with_unknown, has_entry};
use warpspan_model::source::{InputError, name};
use warpspan_records::compare::{Allowed, Verdict};
use warpspan_records::compared::{Items, ItemsError};
use warpspan_records::extract::{Asked, Entry};
use warpspan_records::{Compare, Extract};
use warpspan_sweep::lines;

/// How many changed lines a person is shown of each entry.
const TOP: usize = 10;

pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let contents = [listing_bytes(&args.old)?, listing_bytes(&args.new)?];
    let are_results = [is_result(&contents[0]), is_result(&contents[1])];
    let [old, new] = contents;
    let (old, new) = match are_results {
        [true, true] => {
            without_flags(args)?;
            (results(&args.old, &old)?, results(&args.new, &new)?)
        }
        [false, false] => listings(args, old, new)?,
        [is_result, _] => {
            let (result, listing) = if is_result { (&args.old, &args.new) } else { (&args.new, &args.old) };
            let what = "want two listings, or two files of results";
            return Err(Failure::usage(format!(
                "{} holds results in JSON and {} does not: {what}",
                name(result),
                name(listing)
            )));
        }
    };
    let top = match args.format {
        Form::Text | Form::Markdown => args.top.unwrap_or(TOP),
        Form::Json => args.top.unwrap_or(usize::MAX),
    };
    let found = Compare::new(&old, &new, Allowed { rise: args.worse_than, gone: args.allow_gone }).top(top);
    let exit = match found.verdict {
        Verdict::Within => Exit::Done,
        Verdict::Unknown => Exit::Limit,
        Verdict::Worse | Verdict::Gone => Exit::Refuted,
    };
    print(&match args.format {
        Form::Text => shown(&found, document)?,
        Form::Json => line(found)?,
        Form::Markdown => {
            let shown = plain(&found)?;
            document(&shown).markdown()
        }
    })?;
    Ok(exit)
}

/// Whether a file holds lines of JSON: no listing begins with a brace.
fn is_result(content: &[u8]) -> bool {
    content.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Refuses flags that only say something of listings.
fn without_flags(args: &CompareArgs) -> Result<(), Failure> {
    let own = [
        ("--warps", args.warps.is_some()),
        ("--compute-capability", args.compute_capability.is_some()),
        ("--machine", args.machine.machine.is_some()),
    ];
    let own = own.into_iter().find_map(|(flag, given)| given.then_some(flag));
    let of_old = args.declare_old.as_ref().map(|_| "--declare-old");
    match own.or_else(|| args.code.given()).or(of_old) {
        Some(flag) => Err(Failure::usage(format!("{flag}: the files hold results, not listings"))),
        None => Ok(()),
    }
}

/// The bounds in lines of JSON.
fn results(path: &Path, content: &[u8]) -> Result<Items, Failure> {
    let place = name(path);
    let mut items = Items::new(&*place);
    for (number, line) in lines(content) {
        let error = |what: ItemsError| InputError {
            place: place.clone(),
            line: Some(number),
            what: what.to_string().into(),
        };
        items.add_line(line).map_err(error)?;
    }
    if items.is_empty() {
        return Err(InputError::new(place, "no results").into());
    }
    Ok(items)
}

/// The bounds of the entries of two listings.
fn listings(args: &CompareArgs, old: Vec<u8>, new: Vec<u8>) -> Result<(Items, Items), Failure> {
    let Some(warps) = args.warps else {
        return Err(Failure::usage("listings have bounds for a number of warps: want --warps N"));
    };
    let declare_old = args.declare_old.as_ref().or(args.code.declare.as_ref()).cloned();
    let code_of_old = CodeArgs { declare: declare_old, ..args.code.clone() };
    let old_text = Text::new(&name(&args.old), old)?;
    let new_text = Text::new(&name(&args.new), new)?;
    let named = machine(&args.machine)?;
    let on = |text: &Text| match &named {
        None if args.compute_capability.is_none() => {
            machine_of(text, args.code.entry.as_deref()).map(|found| found.map(Arc::new))
        }
        named => Ok(named.clone()),
    };
    let [on_old, on_new] = [on(&old_text)?, on(&new_text)?];
    // Bounds of two models say nothing of each other.
    if on_old.is_some() != on_new.is_some() {
        return Err(Failure::usage(
            "the machine of only one of the listings is known: want --machine NAME, or --compute-capability X.Y for the \
             bounds of the paper's model",
        ));
    }
    let (old, unknown_in_old) = listing(args, &code_of_old, &old_text, on_old.as_ref(), warps)?;
    let (new, unknown_in_new) = listing(args, &args.code, &new_text, on_new.as_ref(), warps)?;
    // A label may be one of either version.
    if let Some(error) = unknown_in_old.and(&unknown_in_new).error(new_text.place()) {
        return Err(error.into());
    }
    if let Some(entry) = args.code.entry.as_ref().filter(|_| old.is_empty() && new.is_empty()) {
        return Err(Failure::usage(format!("no entry {entry:?} in either file")));
    }
    Ok((old, new))
}

/// The bounds of the entries of a listing, and labels of flags that it does not have.
fn listing(
    args: &CompareArgs,
    code: &CodeArgs,
    text: &Text,
    named: Option<&Arc<NamedMachine>>,
    warps: u64,
) -> Result<(Items, Unknown), Failure> {
    let mut items = Items::new(text.place());
    if let Some(entry) = &code.entry
        && !has_entry(text, entry)?
    {
        return Ok((items, Unknown::default()));
    }
    let options = match named {
        Some(named) => options_on(code, args.compute_capability, named, &args.machine.transactions)?,
        None => options(code, args.compute_capability)?,
    };
    for_every_input(&options)?;
    let (entries, unknown) = extract_with_unknown(text, &Options { explain: true, ..options })?;
    let (warps_per_block, source) = (args.warps_per_block, text.source_lines());
    let asked = Asked { warps, warps_per_block, top: None, source: &source };
    let record = |entry| match named {
        Some(named) => {
            Entry::new(entry, None, in_flags).with_machine(entry, named, (Some(&asked), &source), in_flags)
        }
        None => Entry::new(entry, Some((warps, warps_per_block)), in_flags).with_source(&asked),
    };
    let entries = entries.iter().map(record).collect();
    let record = Extract { file: text.place().to_owned(), entries };
    items.add_extract(&record).map_err(Failure::internal)?;
    Ok((items, unknown))
}
