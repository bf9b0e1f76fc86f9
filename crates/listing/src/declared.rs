//! From the file to the options of an entry: by lines of the listing, which name each place of it exactly.

use std::collections::HashSet;

use crate::classes::Classes;
use crate::declarations::{At, Declarations, Declared, Mark};
use crate::machine::Transactions;
use crate::message::one_line;
use crate::params::Params;
use crate::reached::{code_of, reached};
use crate::routine::{Listing, Routine};
use crate::{Options, capability_for};
use warpspan_isa::instruction::Flow;
use warpspan_model::source::{InputError, Message, Remedy};

/// An instruction by the numbers of its routine and of itself.
type Place = (usize, usize);

impl Declarations {
    fn error(&self, line: usize, what: impl Into<Message>) -> InputError {
        InputError { place: self.place.clone(), line: Some(line), what: what.into() }
    }

    /// Checks that every entry of the file is one of the listing; `listed` is the listing's name in messages.
    pub(crate) fn check_entries(&self, listed: &str, listing: &Listing<'_>) -> Result<(), InputError> {
        let known = |name: &str| listing.routines.iter().any(|routine| routine.entry && routine.name == name);
        match self.entries.iter().find(|one| !known(&one.name.value)) {
            None => Ok(()),
            Some(one) => {
                let what = format!("no entry {:?} in {listed}", one_line(&one.name.value));
                Err(self.error(one.name.line, what))
            }
        }
    }

    /// What it says of entries with such names, and of opcodes.
    #[doc(hidden)]
    pub fn of_entries(&self, such: impl Fn(&str) -> bool) -> Self {
        let entries = self.entries.iter().filter(|one| such(&one.name.value)).cloned().collect();
        Self { entries, ..self.clone() }
    }

    /// The options of an entry with what the file says of it; what the options say already wins.
    pub(crate) fn with(
        &self,
        listed: &str,
        listing: &Listing<'_>,
        entry: usize,
        options: &Options,
    ) -> Result<Options, InputError> {
        let mut all = options.clone();
        all.classes.extend(self.classes.iter().cloned());
        let Some(table) = self.table(listed, listing, entry)? else { return Ok(all) };
        let mut known = HashSet::new();
        for said in &table.loops {
            let [place] = self.places(listing, entry, said)?[..] else {
                return Err(
                    self.error(said.line, "this label stands twice: want instruction = NUMBER".to_owned())
                );
            };
            let (routine, line) = (&listing.routines[place.0], line(listing, place));
            if !may_be_header(routine, place.1) {
                return Err(self.error(said.line, format!("{} is no loop", describe(said, listing, entry))));
            }
            self.alone(listing, said, place, may_be_header)?;
            if !known.insert(place) {
                let what = format!("a second bound of {}", describe(said, listing, entry));
                return Err(self.error(said.line, what));
            }
            all.loop_bounds.also(&line, said.value);
        }
        for said in &table.uniform {
            for place in self.branches(listing, entry, said)? {
                self.alone(listing, said, place, is_branch)?;
                all.uniform.insert(line(listing, place));
            }
        }
        for said in &table.unreachable {
            for place in self.places(listing, entry, said)? {
                self.alone(listing, said, place, |_, _| true)?;
                all.unreachable.insert(line(listing, place));
            }
        }
        if !table.transactions.is_empty() {
            let capability = capability_for(listed, &listing.routines[entry], options)?;
            let classes = Classes::new(listing.language, capability, all.classes.clone());
            self.transactions(listing, entry, table, &classes, &mut all.transactions)?;
        }
        for (name, said) in &table.params {
            let wrong =
                |what: String| self.error(said.line, format!("{} = {}: {what}", one_line(name), said.value));
            let mut declared = Params::default();
            declared.add(&format!("{name}={}", said.value)).map_err(wrong)?;
            // Of one input the value is a fact, and another one is another input.
            let other = declared.iter().find_map(|(name, range)| {
                all.params.get(name).filter(|&given| !table.of_input.is_empty() && given != range)
            });
            if let Some(other) = other {
                let what = format!(
                    "{} = {}, and {other} is asked for: that is another input",
                    one_line(name),
                    said.value
                );
                return Err(self.error(said.line, what));
            }
            all.params.extend_unless_given(declared);
        }
        Ok(all)
    }

    /// The table of an entry, which must be of the same instructions.
    fn table(
        &self,
        listed: &str,
        listing: &Listing<'_>,
        entry: usize,
    ) -> Result<Option<&Declared>, InputError> {
        let name = listing.routines[entry].name;
        let mut tables = self.entries.iter().filter(|one| one.name.value == name).peekable();
        let Some(&first) = tables.peek() else { return Ok(None) };
        let code = code_of(listing, entry, &first.of_input);
        let found = tables.find(|one| one.code.value == code_of(listing, entry, &one.of_input));
        let stale = || {
            let what = format!(
                "{} has other instructions in {listed} than those that this was written for (code = \"{code}\" there): \
                 look at each declaration again, and then put that code here, or begin with a new file: ",
                one_line(&name)
            );
            if !first.of_input.is_empty() {
                let what = format!(
                    "{} has other instructions in {listed} than those that were traced, or of_input was changed: want what `warpspan trace` writes",
                    one_line(&name)
                );
                return self.error(first.code.line, what);
            }
            let remedy =
                Remedy::Declarations { loops: Vec::new(), uniform: Vec::new(), unreachable: Vec::new() };
            self.error(first.code.line, Message::text(what).remedy(remedy))
        };
        found.ok_or_else(stale).map(Some)
    }

    /// The places that a mark names.
    fn places<T>(&self, listing: &Listing<'_>, entry: usize, said: &At<T>) -> Result<Vec<Place>, InputError> {
        let number = self.function(listing, entry, said)?;
        let routine = &listing.routines[number];
        let count = routine.instructions.len();
        let found: Vec<usize> = match &said.mark {
            Mark::Label(label) => {
                let named = routine.labels.iter().filter(|(name, at)| name == label && *at < count);
                named.map(|(_, at)| *at).collect()
            }
            Mark::Instruction(at) => {
                let at = usize::try_from(*at - 1).ok().filter(|at| *at < count);
                at.into_iter().collect()
            }
        };
        if found.is_empty() {
            let what = describe(said, listing, entry);
            return Err(match &said.mark {
                Mark::Label(_) => self.error(said.line, format!("no {what}")),
                Mark::Instruction(_) => self.error(said.line, format!("no {what}: it has {count}")),
            });
        }
        Ok(found.into_iter().map(|at| (number, at)).collect())
    }

    /// The routine that a place is in: the entry, or one that it calls.
    fn function<T>(&self, listing: &Listing<'_>, entry: usize, said: &At<T>) -> Result<usize, InputError> {
        let Some(name) = &said.function else { return Ok(entry) };
        let found = reached(listing, entry).into_iter().find(|&one| listing.routines[one].name == name);
        found.ok_or_else(|| {
            let caller = one_line(&listing.routines[entry].name);
            self.error(said.line, format!("function {:?}: {caller} calls no such function", one_line(name)))
        })
    }

    /// The conditional branches that a mark names: one instruction, or all that go to a label.
    fn branches(&self, listing: &Listing<'_>, entry: usize, said: &At<()>) -> Result<Vec<Place>, InputError> {
        let places = self.places(listing, entry, said)?;
        let number = places[0].0;
        let routine = &listing.routines[number];
        let named = |at: usize| match &said.mark {
            Mark::Instruction(_) => places.contains(&(number, at)),
            Mark::Label(_) => {
                matches!(routine.instructions[at].flow, Flow::Branch(to) if places.contains(&(number, to)))
            }
        };
        let found: Vec<Place> = (0..routine.instructions.len())
            .filter(|&at| named(at) && is_branch(routine, at))
            .map(|at| (number, at))
            .collect();
        if found.is_empty() {
            let what = describe(said, listing, entry);
            return Err(match &said.mark {
                Mark::Label(_) => self.error(said.line, format!("no conditional branch goes to {what}")),
                Mark::Instruction(_) => self.error(said.line, format!("{what} is no conditional branch")),
            });
        }
        Ok(found)
    }

    /// Adds the transactions, which the options may say already of a line, a label or all.
    fn transactions(
        &self,
        listing: &Listing<'_>,
        entry: usize,
        table: &Declared,
        classes: &Classes,
        all: &mut Transactions,
    ) -> Result<(), InputError> {
        let given = all.clone();
        let labels = crate::machine::labels(listing);
        for said in &table.transactions {
            let places = self.places(listing, entry, said)?;
            let routine = &listing.routines[places[0].0];
            let memory =
                |routine: &Routine<'_>, at: usize| Transactions::are_of(classes, &routine.instructions[at]);
            let named: Vec<Place> = match &said.mark {
                Mark::Instruction(_) => places,
                Mark::Label(label) => (0..routine.instructions.len())
                    .filter(|&at| labels.get(&routine.instructions[at].line) == Some(&label.as_str()))
                    .map(|at| (places[0].0, at))
                    .collect(),
            };
            let found: Vec<Place> = named.into_iter().filter(|&(_, at)| memory(routine, at)).collect();
            if found.is_empty() {
                let what = format!("{} is no memory instruction", describe(said, listing, entry));
                return Err(self.error(said.line, what));
            }
            for place in found {
                self.alone(listing, said, place, memory)?;
                let at = listing.routines[place.0].line_of(place.1);
                if given.of(at, labels.get(&at).copied()).is_none() {
                    all.declare(at, said.value.transactions);
                    if let Some(touched) = said.value.touched {
                        all.declare_touched(at, touched);
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses a place whose line holds another one that might be meant, since lines name places from here on.
    fn alone<T>(
        &self,
        listing: &Listing<'_>,
        said: &At<T>,
        place: Place,
        might_be: impl Fn(&Routine<'_>, usize) -> bool,
    ) -> Result<(), InputError> {
        let routine = &listing.routines[place.0];
        if !is_alone(routine, place.1, might_be) {
            let on_line = routine.line_of(place.1);
            let what = format!(
                "line {on_line} of the listing holds several such places: want an instruction a line"
            );
            return Err(self.error(said.line, what));
        }
        Ok(())
    }

    /// Checks that each bound was of use, where the whole code was looked at; `used` are the lines of loops.
    pub(crate) fn check_used(
        &self,
        listed: &str,
        listing: &Listing<'_>,
        entry: usize,
        used: &HashSet<String>,
    ) -> Result<(), InputError> {
        let Some(table) = self.table(listed, listing, entry)? else { return Ok(()) };
        for said in &table.loops {
            for place in self.places(listing, entry, said)? {
                let routine = &listing.routines[place.0];
                if !used.contains(&line(listing, place)) && !used.contains(&routine.place(place.1)) {
                    return Err(
                        self.error(said.line, format!("{} is no loop", describe(said, listing, entry)))
                    );
                }
            }
        }
        Ok(())
    }
}

/// Whether no other instruction of the same line might be meant.
pub(super) fn is_alone(
    routine: &Routine<'_>,
    place: usize,
    might_be: impl Fn(&Routine<'_>, usize) -> bool,
) -> bool {
    let on_line = routine.line_of(place);
    let beside = |&at: &usize| at != place && routine.instructions[at].line == on_line;
    !(0..routine.instructions.len()).filter(beside).any(|at| might_be(routine, at))
}

/// Whether threads of a warp may leave an instruction on different ways.
pub(super) fn is_branch(routine: &Routine<'_>, at: usize) -> bool {
    let instruction = &routine.instructions[at];
    instruction.conditional || matches!(instruction.flow, Flow::Switch(_))
}

/// Whether something branches to an instruction, without which it heads no loop.
pub(crate) fn may_be_header(routine: &Routine<'_>, at: usize) -> bool {
    routine.instructions.iter().any(|one| match &one.flow {
        Flow::Branch(to) => *to == at,
        Flow::Switch(to) => to.contains(&at),
        _ => false,
    })
}

fn line(listing: &Listing<'_>, (routine, at): Place) -> String {
    listing.routines[routine].line_of(at).to_string()
}

/// A place in words.
fn describe<T>(said: &At<T>, listing: &Listing<'_>, entry: usize) -> String {
    let function = said.function.as_deref().unwrap_or(listing.routines[entry].name);
    let mark = match &said.mark {
        Mark::Label(label) => format!("label {:?}", one_line(label)),
        Mark::Instruction(at) => format!("instruction {at}"),
    };
    format!("{mark} in {}", one_line(&function))
}
