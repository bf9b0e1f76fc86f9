//! The contents of a listing in either language: routines of instructions, each with the location where control
//! goes next.

use std::collections::{HashMap, HashSet};

use crate::fault::Fault;
use crate::message::fail;
use warpspan_isa::instruction::{Instruction, Language};

/// The routines of a file, borrowed from its text.
#[derive(Debug, Clone)]
pub struct Listing<'a> {
    /// The language of the file.
    pub language: Language,
    /// The routines in the order of the file, without declarations that have no body.
    pub routines: Vec<Routine<'a>>,
    /// The routine of a name in each file.
    index: HashMap<(&'a str, u32), usize>,
    /// The routine of a name for each target, if there is only one.
    of_target: HashMap<(&'a str, Option<String>), Option<usize>>,
}

impl<'a> Listing<'a> {
    /// Makes a listing of routines. Two routines of one file with the same name are both at fault. `place` is the file's name
    /// in messages.
    pub(super) fn new(place: &str, language: Language, mut routines: Vec<Routine<'a>>) -> Self {
        let mut first_of = HashMap::new();
        for number in 0..routines.len() {
            let (name, line) = (routines[number].name, routines[number].line);
            let must = routines[number].entry || language == Language::Sass;
            if must && routines[number].instructions.is_empty() {
                let what = format!("{name} has no instruction: want the listing of its whole code");
                routines[number].fault.get_or_insert(Fault::Text(fail(place, line, what)));
            }
            let Some(first) = first_of.insert((name, routines[number].file), number) else { continue };
            let what = format!("{name} is defined a second time, first in line {}", routines[first].line);
            let fault = Fault::Text(fail(place, line, what));
            routines[first].fault.get_or_insert(fault.clone());
            routines[number].fault = Some(fault);
        }
        let (mut index, mut of_target) = (HashMap::new(), HashMap::new());
        for (number, routine) in routines.iter().enumerate() {
            index.insert((routine.name, routine.file), number);
            of_target
                .entry((routine.name, routine.target.clone()))
                .and_modify(|one| *one = None)
                .or_insert(Some(number));
        }
        Self { language, routines, index, of_target }
    }

    /// The routine that a caller means by a name: that of its file, or else the only one for the caller's target.
    pub(crate) fn callee(&self, caller: &Routine<'_>, name: &str) -> Option<usize> {
        let own = self.index.get(&(name, caller.file)).copied();
        own.or_else(|| self.of_target.get(&(name, caller.target.clone())).copied().flatten())
    }
}

/// A parameter of a kernel in the constant bank of SASS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Where it stands, in bytes from the first one.
    pub offset: u32,
    /// Its size in bytes, as far as that is certain.
    pub bytes: u32,
    /// Whether it may be an integer.
    pub integer: bool,
}

/// A kernel or a function.
#[derive(Debug, Clone)]
pub struct Routine<'a> {
    /// Its name, mangled as in the file.
    pub name: &'a str,
    /// Which of the object files or modules of the listing it is from. `cuobjdump` prints several of them, often with
    /// the same kernels for several capabilities.
    pub file: u32,
    /// The line where it begins, from 1.
    pub line: u32,
    /// Whether a grid can be launched on it; the others can only be called.
    pub entry: bool,
    /// The capability that the file names for it, `"2.0"`.
    pub target: Option<String>,
    /// The threads of a block along each axis for which it is compiled, where the listing says so: `.reqntid` of PTX, `EIATTR_REQNTID` of
    /// nvdisasm.
    pub block: Option<[u64; 3]>,
    /// The most threads of a block for which it is compiled, where a listing of SASS says so.
    pub most_threads: Option<u64>,
    /// Names of its parameters, where the language has them.
    pub parameters: Vec<&'a str>,
    /// Where its parameters stand, in their order, if a listing of SASS says so; in PTX only their sizes.
    pub layout: Vec<Parameter>,
    /// The instructions in the order of the listing.
    pub instructions: Vec<Instruction<'a>>,
    /// The labels, each with the index of the instruction that follows it; a label at the end has the number
    /// of instructions.
    pub labels: Vec<(&'a str, usize)>,
    /// The locations where threads wait for each other, in SASS.
    pub points: Points,
    /// The names that are declared in PTX, including the parameters.
    pub declared: Vec<Declared<'a>>,
    /// Whether a mark shows where it ends. If there is none, nobody can see whether the listing goes on.
    pub marked: bool,
    /// What is wrong with it, if anything is.
    pub fault: Option<Fault>,
}

/// A name that PTX declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared<'a> {
    /// The name, without its count.
    pub name: &'a str,
    /// Whether it has a count: `%r<9>` is `%r0` to `%r8`.
    pub counted: bool,
    /// The bits of a register, if it is one of numbers.
    pub bits: Option<u32>,
    /// Whether it holds in the whole routine. Names of inner blocks, which hide others there, and names of
    /// the module, which other routines know too, do not.
    pub whole: bool,
}

impl Declared<'_> {
    /// Whether a name may be one of the declared ones.
    pub fn is(&self, name: &str) -> bool {
        let count = name.strip_prefix(self.name);
        if !self.counted {
            return self.name == name;
        }
        count.is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()))
    }
}

/// The reconvergence points of a routine (`SSY`, `PBK`, `PCNT`, `PRET`, `BSSY`) around each instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Points {
    /// The tops of the stacks. Stack n is at n - 1, and the empty stack is number 0.
    pub stacks: Vec<Stack>,
    /// The stack before each instruction; none if it is not known. Where it depends on the path, this is the part that is there on
    /// all paths.
    pub at: Vec<Option<usize>>,
    /// The instructions before which further locations lie above that stack on some paths.
    pub varies: HashSet<usize>,
}

/// The top of a stack of reconvergence points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stack {
    /// The instruction at which threads reconverge.
    pub place: usize,
    /// The number of the stack below.
    pub below: usize,
    /// Whether it is for the `BSYNC` of a barrier register.
    pub waits: bool,
    /// Whether the contents of the register are unknown where threads wait.
    pub lost: bool,
}

impl Points {
    /// The reconvergence points around an instruction on all paths with their numbers, the innermost first; `None` if they are not
    /// known. On some paths others may lie above them, as [`Self::varies`] says.
    pub(crate) fn around(&self, instruction: usize) -> Option<impl Iterator<Item = (usize, &Stack)>> {
        let mut stack = self.at.get(instruction).copied().flatten()?;
        Some(std::iter::from_fn(move || {
            let (number, top) = (stack, self.stacks.get(stack.checked_sub(1)?)?);
            stack = top.below;
            Some((number, top))
        }))
    }
}

impl Routine<'_> {
    /// The name of an instruction in messages and flags: the first label before it, or its line.
    pub fn place(&self, instruction: usize) -> String {
        let first = self.labels.partition_point(|(_, at)| *at < instruction);
        let label = self.labels.get(first).filter(|(_, at)| *at == instruction);
        let label = label.map(|(label, _)| (*label).to_owned());
        label.unwrap_or_else(|| self.line_of(instruction).to_string())
    }

    /// The line of an instruction; for an index past the end, the line of the routine.
    pub(crate) fn line_of(&self, instruction: usize) -> u32 {
        self.instructions.get(instruction).map_or(self.line, |instruction| instruction.line)
    }
}
