//! Reading SASS: what `cuobjdump -sass` and `nvdisasm` print, what Compiler Explorer shows of it, and CuAssembler's `.cuasm`. Only opcodes,
//! predicates, labels, targets and control fields are read. NVIDIA documents the opcodes by name only (*CUDA Binary
//! Utilities*, "Instruction Set Reference"); what `SSY`, `PBK`, `PCNT` and `PRET` do is in `reconverge`.
//!
//! A branch to itself after the last instruction and the `NOP`s behind it only fill the section; they are
//! left out.
//!
//! | file | gives |
//! |---|---|
//! | `line` | what each line says |
//! | `info` | where parameters stand in the constant bank |
//! | `control` | stall counts and scoreboards, from encodings or as CuAssembler prints them |
//! | `branch` | what each instruction does to the flow of control, with its target resolved |
//! | `whole` | whether the function is there as a whole |
//! | `stacks`, `registers` | the locations at which threads wait, and what is known of barrier registers |
//! | `reconverge` | where control goes after each instruction, and the reconvergence points around it |
//!
//! The last result feeds the analysis of convergence (`flow::analysis::convergence`) as the routine's
//! [`Points`]: a branch may diverge only if its threads wait for each other at one of these.

mod branch;
mod breaks;
mod control;
mod info;
mod line;
mod reconverge;
mod registers;
mod stacks;
mod step;
mod whole;

use std::collections::HashMap;

use crate::Fault;
use crate::message::fail;
use crate::routine::{Points, Routine};
use control::Encodings;
use info::Attributes;
use line::Line;
pub(crate) use line::is_bare;
use step::Wrong;
pub(crate) use step::has_condition;
use warpspan_isa::instruction::{Guard, Instruction, Language};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::File;
use warpspan_model::source::InputError;
use whole::{Addresses, Ends, is_marked};

/// A function that is being read.
struct Open<'a> {
    routine: Routine<'a>,
    /// The instruction at each address.
    addresses: HashMap<u64, usize>,
    /// Whether these follow each other.
    spacing: Addresses,
    /// What marks its end.
    ends: Ends<'a>,
    /// Encodings that may hold the control fields of the instructions around them.
    encodings: Encodings,
    /// What the printer notes beside an instruction.
    notes: HashMap<usize, &'a str>,
    /// The line of each label, and the instruction that it stands before.
    labels: HashMap<&'a str, (u32, usize)>,
    /// The first line that cannot be read, and what is wrong there.
    wrong: Option<Wrong>,
}

/// The functions of a listing.
pub(super) fn read<'a>(place: &'a str, text: &'a str) -> Result<Vec<Routine<'a>>, InputError> {
    let mut routines: Vec<Routine<'a>> = Vec::new();
    let mut open: Option<Open<'a>> = None;
    let (mut target, mut file) = (None, 0);
    let mut attributes = Attributes::default();
    let parse = if is_bare(text) { line::parse_bare } else { line::parse };
    for (text, number) in text.lines().zip(1_u32..) {
        let error = |what: String| fail(place, number, what);
        if let Some(capability) = line::capability(text) {
            target = Some(capability);
            // cuobjdump prints the flags of a function below its name.
            if let Some(open) = &mut open
                && open.routine.instructions.is_empty()
            {
                open.routine.target.clone_from(&target);
            }
        }
        file += u32::from(line::begins_a_file(text));
        attributes.line(text, file);
        match (parse(text), &mut open) {
            (Line::Nothing, _) => {}
            (Line::Function(name), _) => {
                if name.is_empty() {
                    return Err(error("a function without a name".into()));
                }
                close(place, open.take(), &mut routines);
                let mut new = Open::new(name, file, number, target.clone());
                new.ends.dotted = !text.trim_start().starts_with('.');
                open = Some(new);
            }
            (Line::Elsewhere, Some(of)) => {
                of.ends.dots = of.ends.dotted && text.trim_start().starts_with('.');
                close(place, open.take(), &mut routines);
            }
            (Line::Size(size), Some(open)) => open.ends.sizes.push((number, size)),
            (Line::Other(name, entry), Some(open)) if name == open.routine.name => open.routine.entry = entry,
            (Line::Label(label), Some(open)) => {
                let read = open.label(label, number);
                open.note(number, read);
            }
            (Line::Instruction { address, text, note, word, control }, Some(open)) => {
                let read = open.instruction(address, text, note, number);
                open.note(number, read);
                open.ends.encoded |= word.is_some();
                if let Some(address) = address {
                    open.encodings.instruction(&mut open.routine, address, word, control);
                }
            }
            (Line::Encoding(word), Some(open)) => {
                open.ends.encoded = true;
                open.encodings.word(&mut open.routine, word);
            }
            (Line::Instruction { text, .. }, None) => {
                let what = format!(
                    "{:?} is in no function: want a line \"Function : NAME\" or \".section .text.NAME\" before it",
                    crate::message::shorten(text)
                );
                return Err(error(what));
            }
            (Line::Unknown, Some(open)) => {
                let what = format!(
                    "{:?}: want an instruction, a label or a directive",
                    crate::message::shorten(text)
                );
                open.note(number, Err(what));
            }
            _ => {}
        }
    }
    close(place, open, &mut routines);
    for routine in &mut routines {
        routine.layout = attributes.of(routine.file, routine.name);
        (routine.block, routine.most_threads) = attributes.blocks(routine.file, routine.name);
    }
    Ok(routines)
}

impl<'a> Open<'a> {
    fn new(name: &'a str, file: u32, line: u32, target: Option<String>) -> Self {
        let (parameters, instructions, labels) = (Vec::new(), Vec::new(), Vec::new());
        let (points, declared) = (Points::default(), Vec::new());
        let routine = Routine {
            name,
            file,
            line,
            entry: true,
            target,
            block: None,
            most_threads: None,
            parameters,
            layout: Vec::new(),
            instructions,
            labels,
            points,
            declared,
            marked: false,
            fault: None,
        };
        Self {
            routine,
            addresses: HashMap::new(),
            spacing: Addresses::default(),
            ends: Ends::default(),
            encodings: Encodings::default(),
            notes: HashMap::new(),
            labels: HashMap::new(),
            wrong: None,
        }
    }

    /// Keeps what is wrong at a line, if nothing was before.
    fn note(&mut self, line: u32, read: Result<(), String>) {
        if let Err(what) = read {
            self.wrong.get_or_insert((line, what));
        }
    }

    fn label(&mut self, label: &'a str, line: u32) -> Result<(), String> {
        let at = self.routine.instructions.len();
        if let Some((first, _)) = self.labels.insert(label, (line, at)) {
            return Err(format!("label {label} is defined a second time, first in line {first}"));
        }
        self.routine.labels.push((label, at));
        Ok(())
    }

    /// Adds an instruction.
    fn instruction(
        &mut self,
        address: Option<u64>,
        text: &'a str,
        note: &'a str,
        line: u32,
    ) -> Result<(), String> {
        let at = self.routine.instructions.len();
        let (guard, rest) = match text.strip_prefix('@') {
            Some(guarded) => {
                let (name, rest) =
                    guarded.split_once(char::is_whitespace).ok_or("a guard without an instruction")?;
                (
                    Some(Guard { register: name.trim_start_matches('!'), negated: name.starts_with('!') }),
                    rest.trim_start(),
                )
            }
            None => (None, text),
        };
        let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !opcode.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Err(format!("{:?}: want an opcode of SASS", crate::message::shorten(rest)));
        }
        if let Some(address) = address {
            self.follow(address, at)?;
        }
        if !note.is_empty() {
            self.notes.insert(at, note);
        }
        let mut instruction = Instruction::new(Language::Sass, line, guard, opcode, operands);
        instruction.address = address;
        instruction.uniform = is_uniform(&instruction);
        self.routine.instructions.push(instruction);
        Ok(())
    }

    /// Takes the address of an instruction, if it follows the one before.
    fn follow(&mut self, address: u64, at: usize) -> Result<(), String> {
        if let Some(before) = self.addresses.insert(address, at) {
            let line = self.routine.line_of(before);
            return Err(format!("address {address:#x} stands a second time, first in line {line}"));
        }
        self.spacing.next(self.routine.target.as_deref(), address).map_err(|want| {
            format!("address {address:#x} where {want:#x} is next: want the listing of the whole function")
        })
    }

    /// The instruction at a label or an address.
    fn at(&self, target: &str) -> Option<usize> {
        let name = target.trim().trim_start_matches(['`', '(', '[']).trim_end_matches([')', ']']);
        if let Some((_, at)) = self.labels.get(name) {
            return Some(*at);
        }
        let address = u64::from_str_radix(name.strip_prefix("0x")?, 16).ok()?;
        // From Maxwell on a target may be the control word before the instruction.
        self.addresses.get(&address).or_else(|| self.addresses.get(&address.checked_add(8)?)).copied()
    }
}

/// Whether it is inferred that all threads of a warp take the same path: each condition is a uniform predicate, or
/// there is only one condition and the opcode says so.
fn is_uniform(instruction: &Instruction<'_>) -> bool {
    let said = instruction.says_uniform();
    // `BRA P1, label` has a condition before its target.
    let own = match instruction.operands() {
        [condition, _, ..] if instruction.is_jump() => Some(condition.clone()),
        _ => None,
    };
    let guard = instruction.guard.map(|guard| Operand::new(guard.register));
    let only = own.is_none();
    let conditions = guard.into_iter().chain(own).filter(|one| one.unsigned() != "PT");
    let uniform: Vec<bool> = conditions.map(|one| one.file() == Some(File::UniformPredicate)).collect();
    match uniform[..] {
        [] => said,
        [one] if only => said || one,
        ref all => all.iter().all(|&one| one),
    }
}

/// Resolves the targets of a function that has been read, and adds it to the routines.
fn close<'a>(place: &str, open: Option<Open<'a>>, routines: &mut Vec<Routine<'a>>) {
    let Some(open) = open else { return };
    let text = |(line, what)| Fault::Text(fail(place, line, what));
    let marked = open.wrong.clone().map_or_else(|| is_marked(&open), Err);
    let mut routine = match marked {
        Err(wrong) => Routine { fault: Some(text(wrong)), ..open.routine },
        Ok(marked) => Routine { marked, ..branch::resolve(open, text) },
    };
    if routine.fault.is_some() {
        routine.points = Points::default();
    }
    routines.push(routine);
}
