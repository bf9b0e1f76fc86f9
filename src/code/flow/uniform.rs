//! Which branches of PTX all threads of a warp take the same way.
//!
//! Divergence analysis (Coutinho, Sampaio, Pereira, Meira, *Divergence analysis and optimizations*, PACT 2011),
//! without flow: a register varies if it is written from something that varies, or under a predicate that varies, or
//! more than once with one of the writes between a branch that varies and the place where its ways meet. Parameters of
//! the kernel, constants, and the indexes and sizes of blocks and grids do not vary; thread indexes, everything loaded
//! but parameters, and what calls return do.

use std::collections::{HashMap, HashSet};

use crate::code::flow::blocks::Blocks;
use crate::code::flow::operands::{read, writers, written};
use crate::code::flow::view::{View, Way};
use crate::code::listing::{Instruction, Language, Routine};

/// Larger graphs are not analysed: all their branches count as divergent.
const MOST_BLOCKS: usize = 2000;

/// The same for all threads of a warp.
const UNIFORM: [&str; 6] = ["%ctaid", "%nctaid", "%ntid", "%gridid", "%nwarpid", "%nsmid"];

/// Of each instruction: whether its predicate, or the index of its switch, is evidently the same in a whole warp.
pub(super) fn uniform(routine: &Routine<'_>, language: Language, graph: &Blocks, view: &View) -> Vec<bool> {
    let mut found: Vec<bool> = routine.instructions.iter().map(|instruction| instruction.uniform).collect();
    if language == Language::Sass || graph.blocks.len() > MOST_BLOCKS || !routine.entry {
        return found;
    }
    let varying = Varying::new(routine, graph, view);
    for (at, instruction) in routine.instructions.iter().enumerate() {
        let guard = instruction.guard.is_none_or(|guard| !varying.has(guard.register));
        let index =
            !instruction.opcode.starts_with("brx") || decides(instruction).all(|name| !varying.has(name));
        found[at] |= guard && index;
    }
    found
}

/// What a switch goes by.
fn decides<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    written(instruction).into_iter().chain(read(instruction)).take(1)
}

/// Whether what an instruction gives may vary although its operands do not.
fn source(routine: &Routine<'_>, instruction: &Instruction<'_>) -> bool {
    let mut parts = instruction.opcode.split('.');
    match parts.next().unwrap_or_default() {
        "ld" => {
            let symbol = instruction.operands.split_once('[').map_or("", |(_, address)| address);
            let symbol = symbol.split(['+', ']', ' ']).next().unwrap_or_default();
            let constant = parts.clone().any(|part| part == "const");
            let parameter = parts.any(|part| part == "param") && routine.parameters.contains(&symbol);
            !(constant || parameter)
        }
        "ldu" | "atom" | "tex" | "tld4" | "suld" | "shfl" | "vote" | "match" | "activemask" | "call"
        | "elect" => true,
        "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "div" | "rem" | "min" | "max" | "abs" | "neg"
        | "mov" => false,
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "bfe" | "bfi" | "selp" | "setp" | "set"
        | "slct" => false,
        "cvt" | "cvta" | "fma" | "popc" | "clz" | "brev" | "bfind" | "sad" | "addc" | "subc" | "madc"
        | "shf" => false,
        "rcp" | "rsqrt" | "sqrt" | "lg2" | "ex2" | "sin" | "cos" | "tanh" | "copysign" | "testp" | "prmt"
        | "lop3" => false,
        _ => true,
    }
}

/// The registers that vary.
struct Varying<'a> {
    writers: HashMap<&'a str, Vec<usize>>,
    found: HashSet<&'a str>,
}

impl<'a> Varying<'a> {
    /// Whether a register varies: found so, or nobody writes it and it is not known to be uniform.
    fn has(&self, name: &str) -> bool {
        let base = name.split('.').next().unwrap_or_default();
        let unknown = name.starts_with('%') && !self.writers.contains_key(name) && !UNIFORM.contains(&base);
        unknown || self.found.contains(name)
    }

    fn new(routine: &Routine<'a>, graph: &Blocks, view: &View) -> Self {
        let mut all = Self { writers: writers(routine), found: HashSet::new() };
        let mut between = vec![false; graph.blocks.len()];
        let mut marked = between.clone();
        loop {
            let before = (all.found.len(), between.iter().filter(|&&one| one).count());
            for (number, block) in graph.blocks.iter().enumerate() {
                for at in block.instructions.clone() {
                    all.step(routine, &routine.instructions[at], between[number]);
                }
                let last = &routine.instructions[block.instructions.end - 1];
                let guarded = last.guard.is_some_and(|guard| all.has(guard.register));
                let varies =
                    guarded || last.opcode.starts_with("brx") && decides(last).any(|name| all.has(name));
                if varies && !std::mem::replace(&mut marked[number], true) {
                    mark(view, number, &mut between);
                }
            }
            if before == (all.found.len(), between.iter().filter(|&&one| one).count()) {
                return all;
            }
        }
    }

    /// What an instruction writes varies if what it is written from does.
    fn step(&mut self, routine: &Routine<'a>, instruction: &Instruction<'a>, between: bool) {
        let guarded = instruction.guard.is_some_and(|guard| self.has(guard.register));
        let varies = guarded
            || source(routine, instruction)
            || read(instruction).into_iter().any(|name| self.has(name));
        for name in written(instruction) {
            let several = self.writers.get(name).is_some_and(|list| list.len() > 1);
            if varies || several && between {
                self.found.insert(name);
            }
        }
    }
}

/// Marks what lies between a block and the place where its ways meet.
fn mark(view: &View, block: usize, between: &mut [bool]) {
    let Some(node) = view.node(block) else { return };
    let meet = view.merge[node];
    let mut seen: HashMap<usize, ()> = HashMap::new();
    let mut open: Vec<Way> = view.ways[node].clone();
    while let Some(way) = open.pop() {
        if let Way::To(to) = way
            && Some(to) != meet
            && seen.insert(to, ()).is_none()
        {
            between[view.nodes[to]] = true;
            open.extend(&view.ways[to]);
        }
    }
}
