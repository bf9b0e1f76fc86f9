//! Filling the part of the record of `extract` that is about a machine.

use std::collections::BTreeMap;

use crate::Assumption;
use crate::assumption::listed;
use crate::extract::{Asked, Entry, Footprint, MachineBound, Memory};
use crate::extract_machine::{MachineLine, OnMachine, UsedLetter};
use warpspan_kernel::input::NamedMachine;
use warpspan_listing::{self as listing, SourceLine};
use warpspan_model::machine::LetterId;
use warpspan_model::source::Message;

impl Entry {
    /// The same record with the entry on the machine that it was extracted for, and the bound for so many warps if
    /// one is asked for. `source` has the line of the source of each line of the listing.
    #[must_use]
    pub fn with_machine(
        self,
        entry: &listing::Entry,
        named: &NamedMachine,
        (asked, source): (Option<&Asked<'_>>, &BTreeMap<u32, SourceLine>),
        words: impl Fn(&Message) -> String,
    ) -> Self {
        let accesses = entry.on_machine.iter().flat_map(|on| &on.accesses);
        let memory = accesses.map(|access| Memory::new(access, source)).collect();
        let footprints = entry.on_machine.iter().flat_map(|on| &on.footprints);
        let footprint = footprints.map(Footprint::new).collect();
        let unplaced = entry.on_machine.iter().flat_map(|on| on.unplaced.iter().copied());
        let unplaced = unplaced.collect();
        let machine = entry.on_machine.as_ref().map(|on| {
            let bound = asked.map(|asked| MachineBound::new(entry, on, asked));
            OnMachine::new(on, named, bound, words)
        });
        Self { memory, footprint, unplaced, machine, ..self }
    }
}

impl OnMachine {
    fn new(
        on: &listing::OnMachine,
        named: &NamedMachine,
        bound: Option<Result<MachineBound, Message>>,
        words: impl Fn(&Message) -> String,
    ) -> Self {
        let machine = &on.machine;
        let letters: Vec<UsedLetter> = on
            .instructions
            .iter()
            .map(|(&letter, &instructions)| {
                let found = machine.letter(letter);
                UsedLetter {
                    name: found.name.clone(),
                    unit: machine.unit_of(letter).name.clone(),
                    occupancy: found.occupancy,
                    latency: [found.latency.least, found.latency.most],
                    instructions,
                }
            })
            .collect();
        let (bound, error) = match bound {
            Some(Ok(bound)) => (Some(bound), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        Self {
            bound,
            bound_error: error.map(|error| words(&error)),
            name: named.name.clone(),
            program: on.program.as_ref().ok().map(|program| machine.text(&program.normal())),
            structure_error: on.program.as_ref().err().map(|error| words(&error.message())),
            assumptions: assumptions(on, named, &words),
            notes: on.worst_lines().iter().map(&words).collect(),
            listing: on.lines.iter().map(|line| MachineLine::new(on, line)).collect(),
            letters,
        }
    }
}

/// What the numbers of the letters rest on.
pub(super) fn assumptions(
    on: &listing::OnMachine,
    named: &NamedMachine,
    words: &impl Fn(&Message) -> String,
) -> Vec<Assumption> {
    let bases: Vec<&str> = on.instructions.keys().map(|&letter| on.base(letter)).collect();
    let all = named.assumes(&bases).into_iter().chain(on.assumptions());
    listed(all, |remedy| words(&Message::of(remedy.clone())))
}

impl MachineLine {
    fn new(on: &listing::OnMachine, line: &listing::machine::MachineLine) -> Self {
        let parts = match &line.letters {
            Ok(parts) => parts,
            Err(what) => return Self { line: line.line, letters: None, why: what.clone() },
        };
        let written = |letter: LetterId, count: u64| {
            let name = on.machine.letter(letter).written();
            if count > 1 { format!("{name}{count}") } else { name }
        };
        let mut letters: String = parts.iter().map(|part| written(part.letter, part.count)).collect();
        letters.push_str(if line.barrier { "|" } else { "" });
        let mut why: Vec<&str> = parts.iter().map(|part| part.why.as_str()).collect();
        why.dedup();
        Self { line: line.line, letters: Some(letters), why: why.join("; ") }
    }
}
