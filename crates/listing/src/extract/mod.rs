//! The entries of a listing with their letters, counts and programs.

mod choice;
mod definitions;
mod entry;
mod on_machine;
mod unknown;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use crate::classes::{Classes, Found};
use crate::collect::program_or_all;
use crate::declared::may_be_header;
use crate::flow::{Findings, StructureError};
use crate::known::{ProgramOf, Studied};
use crate::message::{fail, one_line};
use crate::opcodes::{count, with_all_unrated};
use crate::options::{Options, capability, flow_options, launch};
use crate::params::has_parameter;
use crate::reached::reached;
use crate::routine::{Listing, Routine};
use crate::{Reading, Text, unreachable};
use on_machine::on_machine;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::waits::{self, Covered};
use warpspan_model::PerUnit;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy};

pub(crate) use choice::chosen;
pub use choice::{entry, has_entry, target};
pub use definitions::{Definition, Symbol};
use entry::Whole;
pub use entry::{Entry, Line, of_parameter, of_uniform};
pub use unknown::Unknown;

/// The entries of a text, in its order.
///
/// # Errors
/// If the text is not a listing or lacks the entry, an opcode is in no class, no capability is known, or a
/// bound or a uniform branch is given for a label that does not exist.
pub fn extract(text: &Text, options: &Options) -> Result<Vec<Entry>, InputError> {
    all_of(&Reading::of(text)?, options)
}

/// The same of a text whose routines are read already.
pub(crate) fn all_of(reading: &Reading<'_>, options: &Options) -> Result<Vec<Entry>, InputError> {
    let (entries, unknown) = with_unknown(reading, options)?;
    match unknown.error(reading.place()) {
        Some(error) => Err(error),
        None => Ok(entries),
    }
}

/// The entries of a text as [`extract()`] gives them, and labels of the options that none of them has.
pub fn extract_with_unknown(text: &Text, options: &Options) -> Result<(Vec<Entry>, Unknown), InputError> {
    with_unknown(&Reading::of(text)?, options)
}

fn with_unknown(reading: &Reading<'_>, options: &Options) -> Result<(Vec<Entry>, Unknown), InputError> {
    let (place, studied) = (reading.place(), &reading.studied);
    let listing = &studied.listing;
    let chosen = chosen(place, listing, options)?;
    if let Some(declarations) = &options.declarations {
        declarations.check_entries(place, listing)?;
    }
    let mut used = HashSet::new();
    let mut entries = Vec::new();
    for &number in &chosen {
        let (entry, of_use) = one(place, studied, number, options)?;
        used.extend(of_use);
        entries.push(entry);
    }
    // A jump to one of several targets may be declared too, by its line.
    let is_switch = |one: &&Instruction<'_>| matches!(one.flow, Flow::Switch(_));
    let all = listing.routines.iter().flat_map(|routine| &routine.instructions);
    used.extend(all.filter(is_switch).map(|one| one.line.to_string()));
    let mut in_vain = unread_params(place, listing, &chosen, options, &entries)?;
    let whole = |entry: &Entry| entry.program.as_ref().err().is_none_or(StructureError::is_unbounded_only);
    let whole = entries.iter().all(whole);
    let mut unused: Vec<&String> =
        options.loop_bounds.labels().filter(|label| !used.contains(*label)).collect();
    unused.sort_unstable();
    let is_left_out = |label: &str| {
        let header = |&(routine, at): &unreachable::Place| may_be_header(&listing.routines[routine], at);
        chosen.iter().any(|&entry| unreachable::places(listing, entry, label).iter().any(header))
    };
    let left_out: BTreeSet<&String> =
        unused.into_iter().filter(|label| !options.unreachable.is_empty() && is_left_out(label)).collect();
    in_vain.extend(left_out.iter().map(|label| {
        format!(
            "[declared.unused] the bound of loop {}: control never reaches it, as a declaration of what is unreachable says",
            one_line(label)
        )
    }));
    entries.iter_mut().for_each(|entry| entry.in_vain.clone_from(&in_vain));
    let unknown = |label: &&String| whole && !used.contains(*label) && !left_out.contains(label);
    let unknown = Unknown {
        bounds: options.loop_bounds.labels().filter(unknown).cloned().collect(),
        uniform: options.uniform.iter().filter(unknown).cloned().collect(),
        unreachable: options
            .unreachable
            .iter()
            .filter(|name| chosen.iter().all(|&entry| unreachable::places(listing, entry, name).is_empty()))
            .map(|name| (name.clone(), unreachable::candidates(listing, name)))
            .collect(),
    };
    Ok((entries, unknown))
}

/// An entry, and the labels and lines that were of use to it.
pub(crate) fn one(
    place: &str,
    studied: &Studied<'_>,
    number: usize,
    options: &Options,
) -> Result<(Entry, HashSet<String>), InputError> {
    let Some(declarations) = &options.declarations else { return with(place, studied, number, options) };
    let listing = &studied.listing;
    let options = declarations.with(place, listing, number, options)?;
    let (mut entry, used) = with(place, studied, number, &options)?;
    entry.of_input = declarations.of_input(&entry.name);
    entry.given.extend(declarations.assumption(&entry.name));
    if entry.program.as_ref().err().is_none_or(StructureError::is_unbounded_only) {
        declarations.check_used(place, listing, number, &used)?;
    }
    Ok((entry, used))
}

/// The parameters that have a value and that no entry reads, a sentence each. `chosen` are the numbers of the entries.
///
/// # Errors
/// If no entry has such a parameter.
fn unread_params(
    place: &str,
    listing: &Listing<'_>,
    chosen: &[usize],
    options: &Options,
    entries: &[Entry],
) -> Result<Vec<String>, InputError> {
    let unread = |name: &&str| !entries.iter().any(|entry| entry.params.contains_key(*name));
    let unread = options.params.iter().map(|(name, _)| name).filter(unread);
    let (unread, unknown): (Vec<&str>, Vec<&str>) =
        unread.partition(|name| chosen.iter().any(|&number| has_parameter(&listing.routines[number], name)));
    let sentence = |name: &&str| {
        format!("[declared.unused] the value of {}: the code reads no integer of this name", one_line(name))
    };
    let Some(name) = unknown.first() else { return Ok(unread.iter().map(sentence).collect()) };
    let mut known = BTreeSet::new();
    for &number in chosen {
        known.extend(launch(&listing.routines[number], listing.language, options)?.names);
    }
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.extend(["blockDim.x", "gridDim.x"]);
    let what = format!(": no entry of {place} reads {name:?}: want one of {}", names.join(", "));
    Err(InputError::with("", Message::of(Remedy::GivenParams).then(what)))
}

fn with(
    place: &str,
    studied: &Studied<'_>,
    number: usize,
    options: &Options,
) -> Result<(Entry, HashSet<String>), InputError> {
    let (left, unreachable) = reachable(studied, number, options)?;
    let studied = left.as_deref().and_then(|left| left.as_ref().ok()).unwrap_or(studied);
    let listing = &studied.listing;
    let routine = &listing.routines[number];
    let launch = launch(routine, listing.language, options)?;
    let capability = capability(place, routine, options)?;
    let mut classes = Classes::new(listing.language, capability, options.classes.clone());
    if !options.strict {
        classes = classes.counting_unknown();
    }
    let unknown_opcodes = unknown(routine, &classes);
    let assumed_matrix = assumed_matrix(listing, number, &classes);
    let starts_next = starts_next(listing, number, &classes);
    let given_classes = given_classes(listing, number, &classes);
    let mut given = options.transactions.assumptions();
    let uniform: BTreeSet<&String> = options.uniform.iter().collect();
    given.extend(uniform.into_iter().map(|branch| of_uniform(branch)));
    // Of a text that cannot be read it does not matter which opcodes are known.
    let counted = count(place, routine, &mut classes);
    let (letters, barriers) =
        if routine.fault.is_some() { counted.unwrap_or_else(|_| (PerUnit::both(0), 0)) } else { counted? };
    let lines = if options.explain { lines(routine, &mut classes) } else { vec![] };
    let branches = routine.instructions.iter().filter(|one| {
        one.conditional && !matches!(one.flow, Flow::Next) || matches!(one.flow, Flow::Switch(_))
    });
    let flow_options = flow_options(routine, capability, options, &launch);
    let branches = branches.count();
    let find = |classes: &mut Classes| program_or_all(studied, number, classes, flow_options);
    // Expressions are kept for one question only.
    let known = if launch.symbolic {
        Rc::new(find(&mut classes))
    } else {
        let of = ProgramOf {
            routine: number,
            given: options.classes.clone(),
            capability,
            strict: options.strict,
            loop_bounds: options.loop_bounds.clone(),
            loop_totals: options.loop_totals.clone(),
            uniform: options.uniform.clone(),
            launch: launch.clone(),
        };
        studied.programs.get(of, |_| find(&mut classes))
    };
    let (program, found) = &*known;
    if let Some((line, what)) = found.too_small.first() {
        return Err(fail(place, *line, what));
    }
    let Findings { loops, used, shuffles, unreached, .. } = found;
    let program = program.clone().map_err(|error| with_all_unrated(error, routine, &mut classes));
    let on_machine = match &options.machine {
        Some(machine) => {
            Some(on_machine(place, studied, number, machine, &classes, (flow_options, loops), options)?)
        }
        None => None,
    };
    let kernel = program.as_ref().ok().and_then(string);
    let entry = Entry {
        name: routine.name.to_owned(),
        line: routine.line,
        language: listing.language,
        capability,
        kernel,
        branches,
        loops: loops.clone(),
        unreached: unreached.clone(),
        params: launch.used.clone(),
        shuffles: shuffles.clone(),
        unreachable,
        assumed_matrix,
        parameters: launch.names.clone(),
        open_numbers: launch.numbers.clone(),
        of_input: BTreeSet::new(),
        in_vain: Vec::new(),
        whole: Whole::of(
            listing.language,
            reached(listing, number).into_iter().map(|at| &listing.routines[at]),
        ),
        instructions: routine.instructions.len(),
        letters,
        barriers,
        lines,
        program,
        on_machine,
        starts_next,
        given_classes,
        given,
        unknown_opcodes,
    };
    Ok((entry, used.clone()))
}

/// The listing without the ways of an entry that lead to where control never comes, if the options name any such place of it, and
/// the lines of these places with their instructions.
type Reachable<'a> = (Option<Rc<Result<Studied<'a>, String>>>, BTreeMap<u32, String>);

fn reachable<'a>(
    Studied { listing, left, .. }: &Studied<'a>,
    entry: usize,
    options: &Options,
) -> Result<Reachable<'a>, InputError> {
    let (mut never, mut said) = (HashSet::new(), BTreeMap::new());
    for name in &options.unreachable {
        for (routine, at) in unreachable::places(listing, entry, name) {
            let one = &listing.routines[routine].instructions[at];
            said.entry(one.line).or_insert_with(|| one_line(one));
            never.insert((routine, at));
        }
    }
    if never.is_empty() {
        return Ok((None, said));
    }
    let of = (entry, never);
    let left = left.get(of, |(entry, never)| unreachable::without(listing, *entry, never).map(Studied::from));
    match &*left {
        Ok(_) => Ok((Some(left), said)),
        Err(what) => {
            let name = one_line(&listing.routines[entry].name);
            let lines: Vec<String> = said.keys().map(ToString::to_string).collect();
            let what = format!(": {name}: {what} (line {}), so that nothing is left of it", lines.join(", "));
            Err(InputError::with("", Message::of(Remedy::GivenUnreachable).then(what)))
        }
    }
}

/// The opcodes of a routine that no class has and that count as the most expensive one, each with its first line.
fn unknown(routine: &Routine<'_>, classes: &Classes) -> Vec<(String, u32)> {
    let mut seen = HashSet::new();
    let first = routine.instructions.iter().filter(|one| seen.insert(one.opcode()));
    first
        .filter(|one| classes.is_counted_unknown(one))
        .map(|one| (one_line(&one.opcode()), one.line))
        .collect()
}

/// The first instruction of an entry, or of what it calls, that lets the next kernel begin, unless the user gives it a class.
fn starts_next(listing: &Listing<'_>, entry: usize, classes: &Classes) -> Option<(String, u32)> {
    let starts = |one: &&Instruction<'_>| {
        let covered = waits::of(&one.opcode()).map(|one| one.covered);
        covered == Some(Covered::StartsNext) && !matches!(classes.find_of(one), Some(Found::Given(_)))
    };
    let mut all =
        reached(listing, entry).into_iter().flat_map(|number| &listing.routines[number].instructions);
    all.find(starts).map(|one| (one_line(&one.opcode()), one.line))
}

/// The first instruction with each opcode of an entry and of what it calls.
fn first_of_each_opcode<'l, 'a>(
    listing: &'l Listing<'a>,
    entry: usize,
) -> impl Iterator<Item = &'l Instruction<'a>> {
    let mut seen = HashSet::new();
    let all = reached(listing, entry).into_iter().flat_map(|number| &listing.routines[number].instructions);
    all.filter(move |one| seen.insert(one.opcode()))
}

/// The opcodes of an entry and of what it calls that count as the user says, each with its first line, and with the condition under
/// which a class ends a refusal.
fn given_classes(listing: &Listing<'_>, entry: usize, classes: &Classes) -> Vec<Assumption> {
    first_of_each_opcode(listing, entry)
        .filter_map(|one| {
            let Some(Found::Given(given)) = classes.find_of(one) else { return None };
            let (opcode, line, place) = (one_line(&one.opcode()), one.line, one_line(&given.place));
            let unless = waits::of(&one.opcode()).and_then(|wait| wait.covered.unless());
            let unless = unless.map_or_else(String::new, |unless| format!(", if {unless}"));
            let value = format!("counts as {place} says, also in what it moves and writes{unless}");
            Some(Assumption::declared(Id::ClassOfOpcode, format!("{opcode} (line {line})"), value))
        })
        .collect()
}

/// The opcodes of an entry and of what it calls whose time is assumed, each with its first line.
fn assumed_matrix(listing: &Listing<'_>, entry: usize, classes: &Classes) -> Vec<Assumption> {
    first_of_each_opcode(listing, entry)
        .filter_map(|one| {
            let subject = format!("{} (line {})", one_line(&one.opcode()), one.line);
            Some(Assumption::assumed(Id::MatrixTime, subject, classes.assumed(&one.opcode())?))
        })
        .collect()
}

fn lines(routine: &Routine<'_>, classes: &mut Classes) -> Vec<Line> {
    let mut labels = routine.labels.iter().peekable();
    let mut lines = Vec::with_capacity(routine.instructions.len());
    for (at, instruction) in routine.instructions.iter().enumerate() {
        let mut label = None;
        while let Some((name, _)) = labels.next_if(|(_, label)| *label <= at) {
            label = label.or(Some((*name).to_owned()));
        }
        let Some(class) = classes.class_of(instruction).cloned() else { continue };
        let guard = instruction.guard.map_or(String::new(), |guard| {
            format!("@{}{} ", if guard.negated { "!" } else { "" }, guard.register)
        });
        let operands = instruction.operands.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("{guard}{} {operands}", instruction.opcode()).trim_end().to_owned();
        lines.push(Line { line: instruction.line, label, text, class });
    }
    lines
}

/// The instructions of a piece without branches and loops, one letter each, however long it keeps its unit
/// busy.
fn string(piece: &Piece) -> Option<String> {
    let parts = piece.pieces().filter(|piece| !matches!(piece, Piece::Sequence(_)));
    let letter = |piece: &Piece| match piece {
        Piece::Letters { letter: unit, .. } => Some(unit.letter()),
        Piece::Barrier { .. } => Some('|'),
        _ => None,
    };
    parts.map(letter).collect()
}
