//! Writing a file of declarations: everything that may be said of a listing, with what is known of it.
//!
//! Every number that the code does not give stands as `?` behind a `#`, so that nobody has to take a guess of ours
//! for a fact.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::classes::{Classes, Given};
use crate::declare::branches::branches_of;
use crate::declare::writer::{Writer, plain};
use crate::declared::may_be_header;
use crate::extract::one;
use crate::known::Studied;
use crate::params::Launch;
use crate::reached::{code_of, reached};
use crate::routine::Routine;
use crate::{Entry, LoopBound, Obstacle, Options, Params, Text, WaitKind, capability_for};
use warpspan_isa::instruction::Language;
use warpspan_model::Unit;
use warpspan_model::assumption::Id;
use warpspan_model::source::{InputError, quoted};

/// A file of declarations for a listing, and how much of it is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undeclared {
    /// The text of the file, in TOML.
    pub text: String,
    /// How many loops have no bound.
    pub loops: usize,
    /// How many branches stand in the way of a program unless they part no warp.
    pub branches: usize,
    /// How many opcodes have no number of letters.
    pub opcodes: usize,
}

const HEAD: &str = "\
# What the code of the kernels does not show, for you to say. Put a number in place of each ? that you know, and take
# away the # in front of its line. What stays behind a # is not said. Everything that is said must hold for every
# launch: a number that is too low gives a time that is too low.
";

/// Writes what is known and what may be said of the entries that the options name, or else of all.
///
/// # Errors
/// Those of [`extract`](crate::extract()), but for opcodes that are in no class.
pub fn declare(text: &Text, options: &Options) -> Result<Undeclared, InputError> {
    let studied = Studied::from(text.listing()?);
    let listing = &studied.listing;
    let chosen = crate::extract::chosen(text.place(), listing, options)?;
    let source = text.source_lines();
    let mut all = Undeclared { text: HEAD.to_owned(), loops: 0, branches: 0, opcodes: 0 };
    let mut opcodes = BTreeMap::new();
    let mut written = BTreeSet::new();
    for entry in chosen {
        // Two capabilities may have the same code, of which one table is enough.
        if !written.insert((listing.routines[entry].name, code_of(listing, entry, &[]))) {
            continue;
        }
        let writer = Writer { place: text.place(), listing, entry, source: &source };
        writer.entry(&studied, options, &mut all, &mut opcodes)?;
    }
    all.opcodes = opcodes.len();
    for (opcode, lines) in &opcodes {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        all.text.push_str(&format!(
            "\n# {}, line {}: how many letters it counts, no table says. On a machine the unit is one of its letters.\n\
             # [[class]]\n# opcode = {}\n# unit = \"C\"\n# letters = ?\n",
            plain(opcode),
            lines.join(", "),
            quoted(opcode)
        ));
    }
    Ok(all)
}

/// What is to be said of opcodes: the lines in which each of them stands.
type Opcodes = BTreeMap<String, BTreeSet<u32>>;

impl Writer<'_, '_> {
    fn entry(
        &self,
        studied: &Studied<'_>,
        options: &Options,
        all: &mut Undeclared,
        opcodes: &mut Opcodes,
    ) -> Result<(), InputError> {
        let routine = &self.listing.routines[self.entry];
        let mut options = Options { explain: true, ..options.clone() };
        for number in reached(self.listing, self.entry) {
            self.without_class(&self.listing.routines[number], &mut options, opcodes)?;
        }
        let (entry, _) = one(self.place, studied, self.entry, &options)?;
        let out = &mut all.text;
        let _ = write!(
            out,
            "\n[[entry]]\nname = {}\n# The fingerprint of its instructions. A kernel that was compiled anew wants a new look at everything below.\n\
             code = {}\n",
            quoted(routine.name),
            quoted(&code_of(self.listing, self.entry, &[]))
        );
        if entry.loops.iter().any(|one| one.most.is_none() || !one.inferred) {
            self.params(routine, out);
        }
        let mut loops: Vec<&LoopBound> = entry.loops.iter().collect();
        loops.sort_by_key(|one| one.line);
        for one in loops {
            self.a_loop(one, out);
            all.loops += usize::from(one.most.is_none());
        }
        let obstacles = obstacles(&entry);
        for (line, obstacle) in &obstacles {
            if let Obstacle::Unrated(opcode) | Obstacle::NoLetter { opcode, .. } = obstacle {
                opcodes.entry(opcode.clone()).or_default().insert(*line);
            }
        }
        let place = (self.place, studied, self.entry);
        let found = branches_of(place, entry.capability, &options)?;
        all.branches += self.branches(&found, &obstacles, out);
        self.calls(&entry, &obstacles, out);
        self.memory(&entry, out);
        // An obstacle may name something that is no branch, of which nothing can be said.
        let helps = |(line, one): &(u32, Obstacle)| match one.branch(*line) {
            Some(name) => found.iter().any(|branch| branch.is_named(&name)),
            None => one.is_unknown_call() || one.message(*line).remedies().count() > 0,
        };
        for (line, obstacle) in obstacles.iter().filter(|one| !helps(one)) {
            let _ = write!(
                out,
                "\n# No declaration helps against this: line {line}: {}.\n",
                plain(&obstacle.to_string())
            );
        }
        Ok(())
    }

    /// Gives a class to opcodes that have none, so that the rest of the code can be looked at.
    fn without_class(
        &self,
        routine: &Routine<'_>,
        options: &mut Options,
        opcodes: &mut Opcodes,
    ) -> Result<(), InputError> {
        let capability = capability_for(self.place, &self.listing.routines[self.entry], options)?;
        let mut classes = Classes::new(self.listing.language, capability, options.classes.clone());
        for instruction in &routine.instructions {
            let opcode = instruction.opcode();
            if classes.class(&opcode).is_some() {
                continue;
            }
            let opcode = opcode.to_string();
            opcodes.entry(opcode.clone()).or_default().insert(instruction.line);
            if !options.classes.iter().any(|given| given.opcode == opcode) {
                let (unit, place) = (Some(Unit::CudaCore), String::new());
                options.classes.push(Given { opcode, unit, letter: None, letters: 1, place });
            }
        }
        Ok(())
    }

    /// The parameters, whose values may bound loops.
    fn params(&self, routine: &Routine<'_>, out: &mut String) {
        let names: BTreeSet<String> = match self.listing.language {
            Language::Ptx => routine.parameters.iter().map(|&name| name.to_owned()).collect(),
            Language::Sass => {
                Launch::of(routine, Language::Sass, &Params::default()).unwrap_or_default().names
            }
        };
        if names.is_empty() {
            return;
        }
        out.push_str(
            "\n# Values of parameters may bound loops: a number, or a range such as \"1..1024\". The results then hold for \
             these values only.\n",
        );
        if names.iter().any(|name| name.starts_with("param_")) {
            out.push_str("# The first parameter of the kernel is param_0.\n");
        }
        out.push_str("[entry.params]\n");
        for name in names {
            let _ = writeln!(out, "# {} = ?", quoted(&name));
        }
    }

    fn a_loop(&self, one: &LoopBound, out: &mut String) {
        let header = |routine: &Routine<'_>, at: usize| {
            routine.line_of(at) == one.line && routine.place(at) == one.label
        };
        let Some(place) = self.find(header) else { return };
        let _ = write!(out, "\n# Loop {}, line {}{}. ", plain(&one.label), one.line, self.source(one.line));
        match (one.most, one.inferred) {
            (Some(most), true) => {
                let _ = writeln!(
                    out,
                    "The code shows that a warp passes this at most {most} times. A smaller number may be said."
                );
                if one.of_groups {
                    let _ = writeln!(out, "# It takes for granted: {}", Id::RegistersOwn.says());
                }
            }
            (Some(_), false) => out.push_str("The number was given when this was written.\n"),
            (None, _) => {
                let look = match self.source.get(&one.line) {
                    Some(source) => format!("look at {}:{}", plain(&source.file), source.line),
                    None => "look at this line of the listing".to_owned(),
                };
                let waits = one.wait.as_ref().map_or(String::new(), |wait| {
                    let mut why = format!("A wait: {}.\n# ", plain(&one.why_no_bound(wait)));
                    if wait.needs_all_blocks() {
                        why.push_str(
                            "Where more blocks are launched than are there at once it may never end. A number here is your \
                             own word, whatever\n# the other blocks do. ",
                        );
                    } else if wait.kind == WaitKind::Queue {
                        why.push_str(
                            "What all blocks pass together may be said to `time` as the total of the loop. A number here is of one \
                             warp.\n# ",
                        );
                    }
                    why
                });
                let _ = writeln!(
                    out,
                    "{waits}Nothing in the code bounds it.\n# How often does a warp pass this at most, each time it comes to the loop? To find \
                     out, {look}.\n# Passes that only some threads of the warp make count too, and so does the one that \
                     leaves."
                );
            }
        }
        let most = one.most.map_or("?".to_owned(), |most| most.to_string());
        let open = if one.most.is_some() && !one.inferred { "" } else { "# " };
        let key = format!("{open}most = {most}");
        self.table("loop", place, true, &key, may_be_header, out);
    }

    /// The calls of what the listing does not show, and the places to which control never comes.
    fn calls(&self, entry: &Entry, obstacles: &[(u32, Obstacle)], out: &mut String) {
        let missing =
            obstacles.iter().filter(|(_, one)| one.is_unknown_call()).map(|&(line, _)| (line, false));
        let said = entry.unreachable.keys().map(|&line| (line, true));
        for (line, said) in missing.chain(said).collect::<BTreeMap<_, _>>() {
            let Some(place) = self.find(|routine, at| routine.line_of(at) == line) else { continue };
            let instruction = &self.listing.routines[place.0].instructions[place.1];
            let text = plain(&instruction.to_string());
            let _ = write!(out, "\n# Line {line}{}: {text}.\n", self.source(line));
            if !said {
                out.push_str("# No listing shows what is called here. Does control never come to it? Only then say so.\n");
            }
            let key = if said { "unreachable = true" } else { "# unreachable = true" };
            self.table("place", place, false, key, |_, _| true, out);
        }
    }

    /// The memory instructions for which the most transactions count.
    fn memory(&self, entry: &Entry, out: &mut String) {
        let Some(on) = &entry.on_machine else { return };
        for line in on.lines.iter().filter(|one| on.worst_case.contains(&one.line)) {
            let Some(place) = self.find(|routine, at| routine.line_of(at) == line.line) else { continue };
            let parts = line.letters.iter().flatten();
            let why: Vec<String> = parts.map(|part| plain(&part.why)).collect();
            let instruction = &self.listing.routines[place.0].instructions[place.1];
            let _ = write!(
                out,
                "\n# Memory in line {}: {}{}. Counted: {}.\n# In how many transactions can a pass of it end at most? 1 if it is \
                 coalesced, or without bank conflicts.\n",
                line.line,
                plain(&instruction.to_string()),
                self.source(line.line),
                why.join("; "),
            );
            let counted = |routine: &Routine<'_>, at: usize| on.worst_case.contains(&routine.line_of(at));
            self.table("memory", place, false, "# transactions = ?", counted, out);
        }
    }
}

/// What stands in the way on the paper's multiprocessor or on the machine, each once.
fn obstacles(entry: &Entry) -> Vec<(u32, Obstacle)> {
    let on = entry.on_machine.as_ref().and_then(|on| on.program.as_ref().err());
    let mut found: Vec<(u32, Obstacle)> = Vec::new();
    for one in entry.program.as_ref().err().into_iter().chain(on).flat_map(|error| &error.obstacles) {
        if !found.contains(one) {
            found.push(one.clone());
        }
    }
    found
}
