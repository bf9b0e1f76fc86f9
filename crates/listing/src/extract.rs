//! The entries of a listing with their letters, counts and programs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use crate::classes::{Class, Classes, Given};
use crate::collect::program_or_all;
use crate::declare::{Declarations, reached};
use crate::flow::{FlowOptions, LoopBound, StructureError};
use crate::machine::{Evidence, MachineAlphabet, MachineLine, OnMachine, Passes, Transactions};
use crate::opcodes::{count, with_all_unrated};
use crate::params::{Launch, Params, Range};
use crate::routine::{Flow, Instruction, Language, Listing, Routine};
use crate::text::{fail, fail_with, one_line};
use crate::{LoopBounds, Text, affine, fault, machine, unreachable};
use warpspan_model::device::{CAPABILITIES, Capability};
use warpspan_model::machine::Machine;
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::{Code, CodeError, PerUnit, Unit};

/// What to extract, and what the user knows about it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The only entry to extract; all if none is given.
    pub entry: Option<String>,
    /// The compute capability; that of the listing if none is given.
    pub capability: Option<Capability>,
    /// Classes that take precedence over those of the table.
    pub classes: Vec<Given>,
    /// Bounds of loops.
    pub loop_bounds: LoopBounds,
    /// How often all warps of a launch pass loops together at most. The program then repeats such a loop once for each time a warp
    /// comes to it, and nobody but who counts the passes beside the program may use it; see [`LoopBound::total`].
    pub loop_totals: LoopBounds,
    /// Values of parameters and sizes of the launch, for which alone the bounds of loops then hold.
    pub params: Params,
    /// Labels or lines of branches that all threads of a warp take the same way.
    pub uniform: HashSet<String>,
    /// Labels or lines to which control never comes.
    pub unreachable: BTreeSet<String>,
    /// What a file declares of the entries; what stands in the fields above wins.
    pub declarations: Option<Arc<Declarations>>,
    /// Whether to keep the instructions, each with its letter and why.
    pub explain: bool,
    /// A machine, to extract a program over its letters too.
    pub machine: Option<Arc<Machine>>,
    /// The transactions of memory instructions on the machine.
    pub transactions: Transactions,
    /// Whether an opcode that no class has is an error. If not, it counts as the dearest instruction of each unit.
    pub strict: bool,
}

/// A kernel of a listing.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name, mangled as in the file.
    pub name: String,
    /// The line where it begins.
    pub line: u32,
    /// The language of the listing.
    pub language: Language,
    /// The capability that the letters are for.
    pub capability: Capability,
    /// The kernel string, where the code is a straight line: one letter an instruction, `|` for a barrier.
    pub kernel: Option<String>,
    /// Conditional branches, returns, exits and calls.
    pub branches: usize,
    /// The loops that were analysed.
    pub loops: Vec<LoopBound>,
    /// The values that the user gave for parameters and sizes of the launch: the program holds for no others.
    pub params: BTreeMap<String, Range>,
    /// The lines of branches that all threads of a warp must take alike since one way of them has a shuffle, vote, match or
    /// reduction of all lanes, which CUDA demands; nothing else shows that they do.
    pub shuffles: BTreeSet<u32>,
    /// The lines to which control never comes, as the user says, each with its instruction.
    pub unreachable: BTreeMap<u32, String>,
    /// The matrix instructions whose time is assumed, each with its first line and what is assumed.
    pub assumed_matrix: Vec<String>,
    /// The names of the parameters that it reads.
    pub(super) parameters: BTreeSet<String>,
    /// How many instructions the listing has.
    pub instructions: usize,
    /// For each unit, the number of instructions that have letters of it.
    pub letters: PerUnit<usize>,
    /// Barriers of the listing.
    pub barriers: usize,
    /// The instructions, if they were asked for.
    pub lines: Vec<Line>,
    /// The structured program, or why there is none.
    pub program: Result<Piece, StructureError>,
    /// The entry on the machine of the options, if they name one.
    pub on_machine: Option<OnMachine>,
    /// The opcodes that no class has, each with its first line. They count as the dearest instruction of each unit.
    pub unknown_opcodes: Vec<(String, u32)>,
}

/// An instruction of an entry.
#[derive(Debug, Clone)]
pub struct Line {
    /// Where it stands, from 1.
    pub line: u32,
    /// The first label before it.
    pub label: Option<String>,
    /// Predicate, opcode and operands.
    pub text: String,
    /// Its letters and why.
    pub class: Class,
}

impl Entry {
    /// The code that its warps run; `place` is the listing's name in messages. A straight line becomes a
    /// kernel string, in which an instruction has as many letters as it keeps its unit busy, unless these are
    /// too many for a kernel string.
    ///
    /// # Errors
    /// If it has no program or no letter.
    pub fn code(&self, place: &str) -> Result<Code, InputError> {
        let program = self.program.as_ref().map_err(|error| self.without_program(place, error))?;
        let Some(instructions) = &self.kernel else { return Ok(Code::Program(program.clone())) };
        match program.straight_line() {
            Some(kernel) => Ok(Code::Kernel(kernel)),
            // The letters are too many to be written out, but a program of them has a bound.
            None if instructions.contains(Unit::ALL.map(Unit::letter)) => Ok(Code::Program(program.clone())),
            None => Err(fail(place, self.line, format!("{}: {}", self.name, CodeError::Empty))),
        }
    }
}

impl Entry {
    /// What the program rests on, a sentence each.
    pub fn rests_on(&self) -> Vec<String> {
        let said = self.holds_for().into_iter().chain(self.of_unreachable());
        let said = said.chain(self.assumed_matrix.iter().cloned());
        said.chain(self.of_shuffles()).chain(self.of_waits()).collect()
    }

    /// Why a launch may never end where some of its blocks have not begun, if that is so: a loop of it waits for what they write.
    pub fn needs_all_blocks(&self) -> Option<String> {
        self.loops.iter().find_map(|one| {
            let wait = one.wait.as_ref().filter(|wait| wait.needs_all_blocks())?;
            let (line, opcode) = (wait.line, one_line(&wait.opcode));
            Some(format!(
                "the loop at line {} waits for memory that other blocks write ({opcode} in line {line})",
                one.line
            ))
        })
    }

    /// What was declared of loops that wait for memory that other blocks write, a sentence each.
    pub fn of_waits(&self) -> impl Iterator<Item = String> {
        self.loops.iter().filter_map(|one| one.word_for_total().or_else(|| one.word_for_wait()))
    }

    /// What launches the program holds for, where the user gave values of parameters or sizes.
    pub fn holds_for(&self) -> Option<String> {
        let said: Vec<String> = self.params.iter().map(|(name, range)| format!("{name} = {range}")).collect();
        (!said.is_empty()).then(|| format!("holds only for launches with {}", said.join(", ")))
    }

    /// To which places control never comes, because the user says so.
    pub fn of_unreachable(&self) -> Option<String> {
        let said: Vec<String> =
            self.unreachable.iter().map(|(line, text)| format!("line {line} ({text})")).collect();
        (!said.is_empty()).then(|| {
            format!("that control never comes to {} is taken from what was declared", said.join(" or "))
        })
    }

    /// Which branches are taken to be uniform because of shuffles.
    pub fn of_shuffles(&self) -> Option<String> {
        let lines: Vec<String> = self.shuffles.iter().map(ToString::to_string).collect();
        let plural = if lines.len() == 1 { "" } else { "s" };
        (!lines.is_empty()).then(|| {
            let lines = lines.join(", ");
            format!("line{plural} {lines}: all threads of a warp go the same way: a shuffle of all lanes is on one")
        })
    }

    /// The error that the entry has no program; `place` is the listing's name.
    #[doc(hidden)]
    pub fn without_program(&self, place: &str, error: &StructureError) -> InputError {
        match error.obstacles.first() {
            Some((line, _)) => fail_with(place, *line, error.after_line()),
            None => {
                let what = Message::text(one_line(&self.name)).then(": ").append(error.message());
                fail_with(place, self.line, what)
            }
        }
    }
}

/// The entry of a text that the options name, or else its only one.
///
/// # Errors
/// Those of [`extract()`]; also if the options name no entry and there is none or more than one.
pub fn entry(text: &Text, options: &Options) -> Result<Entry, InputError> {
    let named = match &options.entry {
        Some(_) => options.clone(),
        None => match names(&text.listing()?)[..] {
            [name] => Options { entry: Some(name.to_owned()), ..options.clone() },
            [] => return Err(InputError::new(text.place(), "no entry: want a listing of a kernel")),
            ref names => {
                let what = Message::text(format!("{} entries: want ", names.len()))
                    .remedy(Remedy::Entry(names.iter().map(|&name| name.to_owned()).collect()))
                    .then(format!(", one of {}", names.join(", ")));
                return Err(InputError::with(text.place(), what));
            }
        },
    };
    let mut found = extract(text, &named)?;
    let (first, second) = (found.first(), found.get(1));
    if let (Some(first), Some(second)) = (first, second) {
        let versions: Vec<&str> = found.iter().map(|one| one.capability.version).collect();
        let what = if first.capability == second.capability {
            let lines: Vec<String> = found.iter().map(|one| one.line.to_string()).collect();
            Message::text(format!(
                "{} begins in lines {}: want the listing of one object file",
                one_line(&first.name),
                lines.join(", ")
            ))
        } else {
            Message::text(format!(
                "{} is there for capabilities {}: want one of them with ",
                one_line(&first.name),
                versions.join(", ")
            ))
            .remedy(Remedy::Capability)
        };
        return Err(InputError::with(text.place(), what));
    }
    let what = "no such entry"; // a name without an entry is an error of `extract` already
    found.pop().ok_or_else(|| InputError::new(text.place(), what))
}

fn names<'a>(listing: &Listing<'a>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    listing.routines.iter().filter(|one| one.entry && seen.insert(one.name)).map(|one| one.name).collect()
}

/// The routines without those that stand there for other capabilities too, where the options name one.
fn of_capability(
    place: &str,
    listing: &Listing<'_>,
    chosen: Vec<usize>,
    options: &Options,
) -> Result<Vec<usize>, InputError> {
    let Some(capability) = options.capability else { return Ok(chosen) };
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for routine in chosen.iter().map(|&number| &listing.routines[number]) {
        targets.entry(routine.name).or_default().push(routine.target.as_deref().unwrap_or("an unknown one"));
    }
    let is_for = |&number: &usize| {
        let routine = &listing.routines[number];
        targets[routine.name].len() == 1 || routine.target.as_deref() == Some(capability.version)
    };
    let kept: Vec<usize> = chosen.into_iter().filter(is_for).collect();
    for (name, of_name) in targets {
        if !kept.iter().any(|&number| listing.routines[number].name == name) {
            let what = Message::text(format!(
                "{name} is there for capabilities {}: want one of them with ",
                of_name.join(", ")
            ))
            .remedy(Remedy::Capability);
            return Err(InputError::with(place, what));
        }
    }
    Ok(kept)
}

/// The entries of a text, in its order.
///
/// # Errors
/// If the text is not a listing or lacks the entry, an opcode is in no class, no capability is known, or a
/// bound or a uniform branch is given for a label that does not exist.
pub fn extract(text: &Text, options: &Options) -> Result<Vec<Entry>, InputError> {
    let (entries, unknown) = extract_with_unknown(text, options)?;
    match unknown.error(text.place()) {
        Some(error) => Err(error),
        None => Ok(entries),
    }
}

/// Whether a text has an entry of this name.
///
/// # Errors
/// If the text is not a listing.
#[doc(hidden)]
pub fn has_entry(text: &Text, name: &str) -> Result<bool, InputError> {
    Ok(names(&text.listing()?).contains(&name))
}

/// The labels of bounds and uniform branches that the options give and that no entry has.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Unknown {
    bounds: BTreeSet<String>,
    uniform: BTreeSet<String>,
    /// Each with what might be meant.
    unreachable: BTreeMap<String, Option<String>>,
}

impl Unknown {
    /// Those that are unknown in another listing too.
    #[doc(hidden)]
    pub fn and(&self, other: &Self) -> Self {
        let both = |one: &BTreeSet<String>, other| one.intersection(other).cloned().collect();
        let of_other = |(name, _): &(&String, &Option<String>)| other.unreachable.contains_key(*name);
        let unreachable =
            self.unreachable.iter().filter(of_other).map(|(name, might)| (name.clone(), might.clone()));
        Self {
            bounds: both(&self.bounds, &other.bounds),
            uniform: both(&self.uniform, &other.uniform),
            unreachable: unreachable.collect(),
        }
    }

    /// The error about the least label, so that the message is the same in every run; `place` is the listing's name.
    #[doc(hidden)]
    pub fn error(&self, place: &str) -> Option<InputError> {
        let error = |given: Remedy, kind: &str, label: &String| {
            let what = format!(": {label:?} is {kind} in {place}: want its label or its line");
            InputError::with("", Message::of(given).then(what))
        };
        let bound = self.bounds.first().map(|label| error(Remedy::GivenBounds, "no loop", label));
        let uniform =
            || self.uniform.first().map(|label| error(Remedy::GivenUniform, "no conditional branch", label));
        let unreachable = || {
            let (name, might) = self.unreachable.first_key_value()?;
            let might = might.as_ref().map_or(String::new(), |might| format!(", such as {might}"));
            let what = format!(
                ": no instruction of {place} is at {name:?}: want the line or the label of one{might}"
            );
            Some(InputError::with("", Message::of(Remedy::GivenUnreachable).then(what)))
        };
        bound.or_else(uniform).or_else(unreachable)
    }
}

/// The entries of a text as [`extract()`] gives them, and labels of the options that none of them has.
#[doc(hidden)]
pub fn extract_with_unknown(text: &Text, options: &Options) -> Result<(Vec<Entry>, Unknown), InputError> {
    let listing = text.listing()?;
    let chosen = chosen(text.place(), &listing, options)?;
    if let Some(declarations) = &options.declarations {
        declarations.check_entries(text.place(), &listing)?;
    }
    let mut used = HashSet::new();
    let mut entries = Vec::new();
    for &number in &chosen {
        let (entry, of_use) = one(text.place(), &listing, number, options)?;
        used.extend(of_use);
        entries.push(entry);
    }
    // A jump to one of several targets may be declared too, by its line.
    let is_switch = |one: &&Instruction<'_>| matches!(one.flow, Flow::Switch(_));
    let all = listing.routines.iter().flat_map(|routine| &routine.instructions);
    used.extend(all.filter(is_switch).map(|one| one.line.to_string()));
    check_params(text.place(), &listing, &chosen, options, &entries)?;
    let whole = |entry: &Entry| entry.program.as_ref().err().is_none_or(StructureError::is_unbounded_only);
    let whole = entries.iter().all(whole);
    let unknown = |label: &&String| whole && !used.contains(*label);
    let unknown = Unknown {
        bounds: options.loop_bounds.0.keys().filter(unknown).cloned().collect(),
        uniform: options.uniform.iter().filter(unknown).cloned().collect(),
        unreachable: options
            .unreachable
            .iter()
            .filter(|name| chosen.iter().all(|&entry| unreachable::places(&listing, entry, name).is_empty()))
            .map(|name| (name.clone(), unreachable::candidates(&listing, name)))
            .collect(),
    };
    Ok((entries, unknown))
}

/// The entry that the options name, or else all of them, by their numbers.
pub(super) fn chosen(
    place: &str,
    listing: &Listing<'_>,
    options: &Options,
) -> Result<Vec<usize>, InputError> {
    let wanted = |routine: &Routine<'_>| match &options.entry {
        Some(name) => routine.name == name,
        None => routine.entry,
    };
    let chosen: Vec<usize> =
        (0..listing.routines.len()).filter(|&number| wanted(&listing.routines[number])).collect();
    let chosen = of_capability(place, listing, chosen, options)?;
    if let (Some(name), []) = (&options.entry, &chosen[..]) {
        let names = names(listing);
        let what = match names[..] {
            [] => format!("no entry {name:?}: the file has none"),
            _ => format!("no entry {name:?}: want one of {}", names.join(", ")),
        };
        return Err(InputError::new(place, what));
    }
    fault::check(listing, &chosen)?;
    Ok(chosen)
}

/// An entry, and the labels and lines that were of use to it.
pub(super) fn one<'a>(
    place: &str,
    listing: &Listing<'a>,
    number: usize,
    options: &Options,
) -> Result<(Entry, HashSet<String>), InputError> {
    let Some(declarations) = &options.declarations else { return with(place, listing, number, options) };
    let options = declarations.with(place, listing, number, options)?;
    let (entry, used) = with(place, listing, number, &options)?;
    if entry.program.as_ref().err().is_none_or(StructureError::is_unbounded_only) {
        declarations.check_used(place, listing, number, &used)?;
    }
    Ok((entry, used))
}

/// Checks that some entry reads each parameter that has a value. `chosen` are their numbers.
fn check_params(
    place: &str,
    listing: &Listing<'_>,
    chosen: &[usize],
    options: &Options,
    entries: &[Entry],
) -> Result<(), InputError> {
    let unused = |name: &&str| !entries.iter().any(|entry| entry.params.contains_key(*name));
    let Some(name) = options.params.iter().map(|(name, _)| name).find(unused) else { return Ok(()) };
    let mut known = BTreeSet::new();
    for &number in chosen {
        known.extend(launch(&listing.routines[number], listing.language, options)?.names);
    }
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.extend(["blockDim.x", "gridDim.x"]);
    let what = format!(": no entry of {place} reads {name:?}: want one of {}", names.join(", "));
    Err(InputError::with("", Message::of(Remedy::GivenParams).then(what)))
}

fn with<'a>(
    place: &str,
    listing: &Listing<'a>,
    number: usize,
    options: &Options,
) -> Result<(Entry, HashSet<String>), InputError> {
    let (left, unreachable) = reachable(listing, number, options)?;
    let listing = left.as_ref().unwrap_or(listing);
    let routine = &listing.routines[number];
    let launch = launch(routine, listing.language, options)?;
    let capability = capability(place, routine, options)?;
    let mut classes = Classes::new(listing.language, capability, options.classes.clone());
    if !options.strict {
        classes = classes.counting_unknown();
    }
    let unknown_opcodes = unknown(routine, &classes);
    let assumed_matrix = assumed_matrix(listing, number, &classes);
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
    let (program, found) = program_or_all(listing, number, &mut classes, flow_options);
    let (loops, used, shuffles) = (found.loops, found.used, found.shuffles);
    let program = program.map_err(|error| with_all_unrated(error, routine, &mut classes));
    let on_machine = match &options.machine {
        Some(machine) => {
            Some(on_machine(place, listing, number, machine, &classes, (flow_options, &loops), options)?)
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
        loops,
        params: launch.used.clone(),
        shuffles,
        unreachable,
        assumed_matrix,
        parameters: launch.names.clone(),
        instructions: routine.instructions.len(),
        letters,
        barriers,
        lines,
        program,
        on_machine,
        unknown_opcodes,
    };
    Ok((entry, used))
}

/// The listing without the ways of an entry that lead to where control never comes, if the options name any such place of it, and
/// the lines of these places with their instructions.
type Reachable<'a> = (Option<Listing<'a>>, BTreeMap<u32, String>);

fn reachable<'a>(
    listing: &Listing<'a>,
    entry: usize,
    options: &Options,
) -> Result<Reachable<'a>, InputError> {
    let (mut never, mut said) = (HashSet::new(), BTreeMap::new());
    for name in &options.unreachable {
        for (routine, at) in unreachable::places(listing, entry, name) {
            let one = &listing.routines[routine].instructions[at];
            let text = format!("{} {}", one.opcode, one.operands);
            said.entry(one.line).or_insert_with(|| one_line(&text.trim_end()));
            never.insert((routine, at));
        }
    }
    if never.is_empty() {
        return Ok((None, said));
    }
    match unreachable::without(listing, entry, &never) {
        Ok(left) => Ok((Some(left), said)),
        Err(what) => {
            let name = one_line(&listing.routines[entry].name);
            let lines: Vec<String> = said.keys().map(ToString::to_string).collect();
            let what = format!(": {name}: {what} (line {}), so that nothing is left of it", lines.join(", "));
            Err(InputError::with("", Message::of(Remedy::GivenUnreachable).then(what)))
        }
    }
}

/// The launch of a routine, as the options say.
pub(super) fn launch(
    routine: &Routine<'_>,
    language: Language,
    options: &Options,
) -> Result<Launch, InputError> {
    let wrong = |what| InputError::with("", Message::of(Remedy::GivenParams).then(format!(": {what}")));
    Launch::of(routine, language, &options.params).map_err(wrong)
}

/// What the options and the code say of how the hardware runs it.
pub(super) fn flow_options<'o>(
    routine: &Routine<'_>,
    capability: Capability,
    options: &'o Options,
    launch: &'o Launch,
) -> FlowOptions<'o> {
    // Code with BSSY is for 7.0 and later, whatever its letters are taken for.
    let alternates = routine.instructions.iter().any(|one| one.name() == "BSSY");
    FlowOptions {
        loop_bounds: &options.loop_bounds.0,
        loop_totals: &options.loop_totals.0,
        uniform: &options.uniform,
        launch,
        independent_threads: alternates || !matches!(capability.version.as_bytes()[0], b'2'..=b'6'),
    }
}

/// The opcodes of a routine that no class has and that count as the dearest one, each with its first line.
fn unknown(routine: &Routine<'_>, classes: &Classes) -> Vec<(String, u32)> {
    let mut seen = HashSet::new();
    let first = routine.instructions.iter().filter(|one| seen.insert(one.opcode));
    first.filter(|one| classes.is_counted_unknown(one)).map(|one| (one_line(&one.opcode), one.line)).collect()
}

/// The opcodes of an entry and of what it calls whose time is assumed, each with its first line.
fn assumed_matrix(listing: &Listing<'_>, entry: usize, classes: &Classes) -> Vec<String> {
    let mut seen = HashSet::new();
    let all = reached(listing, entry).into_iter().flat_map(|number| &listing.routines[number].instructions);
    let first = all.filter(|one| seen.insert(one.opcode));
    first
        .filter_map(|one| {
            Some(format!("{} (line {}) {}", one_line(&one.opcode), one.line, classes.assumed(one.opcode)?))
        })
        .collect()
}

/// The most passes of loops by the lines of their headers, where all loops that begin in a line have a bound. A loop is there
/// several times where code has been copied.
fn bounds_by_line(loops: &[LoopBound]) -> BTreeMap<u32, u64> {
    let mut found: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    for one in loops {
        let known = found.entry(one.line).or_insert(one.most);
        *known = (*known).zip(one.most).map(|(known, most)| known.max(most));
    }
    found.into_iter().filter_map(|(line, most)| Some((line, most?))).collect()
}

/// The entry on a machine.
fn on_machine<'a>(
    place: &str,
    listing: &Listing<'a>,
    number: usize,
    machine: &Machine,
    classes: &Classes,
    (flow_options, loops): (FlowOptions<'_>, &[LoopBound]),
    options: &Options,
) -> Result<OnMachine, InputError> {
    let routine = &listing.routines[number];
    if let Some(label) = options.transactions.unknown(listing, classes) {
        let what = format!("transactions of {label:?}: no memory instruction has this label or line");
        return Err(InputError::new(place, what));
    }
    let (aligned, mut bounds) = (options.params.pointers(), bounds_by_line(loops));
    // Of a line among the code of another function, nobody knows of which the loop is.
    let others = listing.routines.iter().enumerate().filter(|(other, _)| *other != number);
    let spans = others
        .filter_map(|(_, other)| Some(other.instructions.first()?.line..=other.instructions.last()?.line));
    let spans: Vec<_> = if bounds.is_empty() { vec![] } else { spans.collect() };
    bounds.retain(|line, _| !spans.iter().any(|span| span.contains(line)));
    let touched = affine::infer(routine, listing.language, flow_options.launch, aligned, &bounds);
    let touched = machine::by_line(routine, &touched);
    if let Err((line, what)) = machine::check(listing, routine, &options.transactions, &touched) {
        return Err(fail(place, line, what));
    }
    let mut letters =
        MachineAlphabet::new(classes.clone(), machine, (&options.transactions, &touched), listing);
    let (program, _) = program_or_all(listing, number, &mut letters, flow_options);
    let (mut worst_case, mut instructions) = (Vec::new(), BTreeMap::new());
    let mut lines = Vec::with_capacity(routine.instructions.len());
    let mut counted = Vec::with_capacity(routine.instructions.len());
    for instruction in &routine.instructions {
        let (letters, barrier) = match letters.parts(instruction) {
            Ok((letters, barrier)) => (Ok(letters), barrier),
            Err(obstacle) => (Err(obstacle.to_string()), false),
        };
        for part in letters.iter().flatten() {
            *instructions.entry(part.letter).or_insert(0) += 1;
        }
        let passes: Vec<Passes> = letters.iter().flatten().filter_map(|part| part.passes).collect();
        if passes.iter().any(|one| one.evidence == Evidence::Assumed && one.all > one.passes) {
            worst_case.push(instruction.line);
        }
        counted.push(passes);
        lines.push(MachineLine { line: instruction.line, letters, barrier });
    }
    let accesses = machine::accesses(routine, listing.language, &touched, |at, number| {
        counted.get(at).and_then(|all| all.get(number)).map(|one| (one.all, one.evidence))
    });
    let own_letters = machine.letters().len();
    let machine = Arc::new(letters.machine().map_err(|error| fail(place, routine.line, error))?);
    let lines = if options.explain { lines } else { vec![] };
    let (dependences, reaches_memory) = (letters.has_dependences(), letters.reaches_memory());
    Ok(OnMachine {
        machine,
        program,
        lines,
        instructions,
        worst_case,
        accesses,
        pointers: options.params.pointers(),
        dependences,
        reaches_memory,
        own_letters,
    })
}

pub(super) fn capability(
    place: &str,
    routine: &Routine<'_>,
    options: &Options,
) -> Result<Capability, InputError> {
    if let Some(capability) = options.capability {
        return Ok(capability);
    }
    let target = routine.target.as_deref();
    let known = CAPABILITIES.into_iter().find(|known| Some(known.version) == target);
    known.ok_or_else(|| {
        let what = match target {
            Some(target) => format!("{} is for capability {target}, which is not known", routine.name),
            None => format!("no capability is named for {}", routine.name),
        };
        let what = Message::text(one_line(&what)).then(": want ").remedy(Remedy::Capability);
        fail_with(place, routine.line, what)
    })
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
        let text = format!("{guard}{} {operands}", instruction.opcode).trim_end().to_owned();
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
