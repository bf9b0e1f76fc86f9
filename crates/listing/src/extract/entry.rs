//! A kernel of a listing, and what its program rests on.

use std::collections::{BTreeMap, BTreeSet};

use crate::classes::Class;
use crate::declarations::inputs;
use crate::flow::{LoopBound, StructureError};
use crate::machine::OnMachine;
use crate::message::{fail, fail_with, one_line};
use crate::params::Range;
use crate::routine::Routine;
use warpspan_isa::instruction::Language;
use warpspan_isa::waits::NO_DEPENDENT;
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::device::Capability;
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::{Code, CodeError, PerUnit, Unit};

/// What shows that the listing of an entry, with all that it calls, is there as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// A mark of its end, and the addresses of SASS.
    Marked,
    /// Addresses, but no mark of its end.
    Addresses,
    /// Nothing.
    Nothing,
}

impl Whole {
    /// Of the routines that are reached.
    pub(crate) fn of<'a>(
        language: Language,
        reached: impl IntoIterator<Item = &'a Routine<'a>> + Clone,
    ) -> Self {
        let has_addresses = |one: &Routine<'_>| one.instructions.iter().all(|one| one.address.is_some());
        match language {
            Language::Sass if !reached.clone().into_iter().all(has_addresses) => Self::Nothing,
            Language::Sass if !reached.into_iter().all(|one| one.marked) => Self::Addresses,
            _ => Self::Marked,
        }
    }
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
    /// That no warp reaches a loop, which follows from what the user says of its iterations.
    pub(crate) unreached: Vec<Assumption>,
    /// The values that the user gave for parameters and sizes of the launch: the program holds for no others.
    pub params: BTreeMap<String, Range>,
    /// The lines of branches that all threads of a warp must take alike since one way of them has a shuffle, vote, match or
    /// reduction of all lanes, which CUDA demands; nothing else shows that they do.
    pub shuffles: BTreeSet<u32>,
    /// The lines to which control never comes, as the user says, each with its instruction.
    pub unreachable: BTreeMap<u32, String>,
    /// What is assumed of the time of matrix instructions.
    pub assumed_matrix: Vec<Assumption>,
    /// The traces for whose inputs alone all of this holds, since declarations of them were used; empty if it holds for every input.
    pub of_input: BTreeSet<String>,
    /// Declarations that change nothing, a sentence each.
    pub in_vain: Vec<String>,
    /// What shows that its listing is whole.
    pub(crate) whole: Whole,
    /// The names of the parameters that it reads.
    pub(crate) parameters: BTreeSet<String>,
    /// Those of them that it reads as integers of 32 bits, and that have no value.
    #[doc(hidden)]
    pub open_numbers: BTreeSet<String>,
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
    /// The first instruction that lets the next kernel of its stream begin before this one has ended, with its line.
    pub(crate) starts_next: Option<(String, u32)>,
    /// Classes of the user for instructions that are refused otherwise, and the conditions under which they count, a sentence each.
    pub given_classes: Vec<Assumption>,
    /// What is declared of its branches and of its memory instructions.
    pub given: Vec<Assumption>,
    /// The opcodes that no class has, each with its first line. They count as the most expensive instruction of each unit.
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
    /// What the program rests on.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let traced = || {
            let value =
                format!("{} and no other, and warps that race do so in its order", inputs(&self.of_input));
            Assumption::declared(Id::InputTraced, "input", value)
        };
        let input = (!self.of_input.is_empty()).then(traced);
        let params = self.params.iter().map(|(name, &range)| of_parameter(name, range));
        let unreachable = self.unreachable.iter().map(|(line, text)| {
            let subject = format!("line {line} ({text})");
            Assumption::declared(Id::CodeUnreachable, subject, "control never comes to it")
        });
        let shuffles = self.shuffles.iter().map(|line| {
            let value = "all threads of a warp go the same way: a shuffle of all lanes is on one";
            Assumption::modelled(Id::BranchShuffle, format!("line {line}"), value)
        });
        let waits = self.loops.iter().filter_map(LoopBound::assumption);
        let all = self.of_whole().into_iter().chain(input).chain(params).chain(unreachable);
        let all = all
            .chain(self.given_classes.iter().chain(&self.given).cloned())
            .chain(self.assumed_matrix.iter().cloned());
        all.chain(shuffles).chain(waits).chain(self.unreached.iter().cloned()).collect()
    }

    /// The same with what its user should know of what was declared.
    pub fn rests(&self) -> Rests {
        let notes = self.declared_larger().into_iter().map(Message::from).collect();
        Rests { on: self.assumptions(), notes }
    }

    /// Where the user says more of loops and transactions than the code shows, or of what is not there, a sentence each.
    pub fn declared_larger(&self) -> Vec<String> {
        let of_loop = |one: &LoopBound| [one.declared_larger(), one.declared_twice()];
        let loops: BTreeSet<String> = self.loops.iter().flat_map(of_loop).flatten().collect();
        let on_machine = self.on_machine.iter().flat_map(|on| on.declared_larger.iter().cloned());
        loops.into_iter().chain(on_machine).chain(self.in_vain.iter().cloned()).collect()
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

    /// Why a kernel that is behind the launch in its stream may run at the same time, with what would do, if that is so.
    pub fn starts_next(&self) -> Option<Message> {
        let (opcode, line) = self.starts_next.as_ref()?;
        let found = format!(
            "line {line}: {opcode} lets the next kernel of its stream begin before this one has ended, which no bound \
             with other kernels covers: want code without it, or a class for it with "
        );
        let given = Message::text(found).remedy(Remedy::Classes(vec![opcode.clone()]));
        Some(given.then(", if ").then(NO_DEPENDENT))
    }

    /// That its listing is whole, where nothing in it shows that.
    fn of_whole(&self) -> Option<Assumption> {
        let value = match self.whole {
            Whole::Marked => return None,
            Whole::Addresses => {
                "it goes no further than its last line, since nothing marks where it ends; cuobjdump -sass prints a line of dots"
            }
            Whole::Nothing => {
                "no line is missing and its labels are all that is jumped to, since it has neither addresses nor encodings; cuobjdump -sass \
                 -res-usage prints both"
            }
        };
        Some(Assumption::assumed(Id::ListingWhole, "listing", value))
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

/// What rests on the declaration that threads do not diverge at the branches to a label, or at that in a line.
pub fn of_uniform(branch: &str) -> Assumption {
    let is_line = branch.bytes().all(|byte| byte.is_ascii_digit());
    let subject =
        if is_line { format!("the branch in line {branch}") } else { format!("branches to {branch}") };
    Assumption::declared(Id::BranchUniform, subject, "all threads of a warp go the same way")
}

/// That a parameter, or a size of the launch, has a value.
pub fn of_parameter(name: &str, value: Range) -> Assumption {
    Assumption::declared(Id::ParameterValue, format!("parameter {name}"), value.to_string())
}
