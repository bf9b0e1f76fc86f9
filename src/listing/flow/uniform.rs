//! Which branches of PTX all threads of a warp take the same way.
//!
//! Divergence analysis (Coutinho, Sampaio, Pereira, Meira, *Divergence analysis and optimizations*, PACT 2011),
//! without flow: a register varies if it is written from something that varies, or under a predicate that varies, or
//! between a branch that varies and the place where its ways meet (also if that is the only write: threads that go another
//! way keep what an earlier pass of a loop wrote). Parameters of the kernel, constants, and the indexes and sizes of blocks
//! and grids do not vary; thread indexes, everything loaded but parameters, sums with a carry, and what calls return do.

use std::collections::{HashMap, HashSet};

use crate::listing::flow::blocks::Blocks;
use crate::listing::flow::operands::{every_name, read, writers, written};
use crate::listing::flow::view::{View, Way};
use crate::listing::routine::{Instruction, Language, Routine};

/// Larger graphs are not analysed: all their branches count as divergent.
const MOST_BLOCKS: usize = 2000;

/// The same for all threads of a warp.
const UNIFORM: [&str; 6] = ["%ctaid", "%nctaid", "%ntid", "%gridid", "%nwarpid", "%nsmid"];

/// Of each instruction: whether its predicate, or the index of its switch, is evidently the same in a whole warp.
/// `doubtful`: names that are perhaps those of several registers.
pub(super) fn uniform(
    routine: &Routine<'_>,
    language: Language,
    graph: &Blocks,
    view: &View,
    doubtful: &HashSet<&str>,
) -> Vec<bool> {
    let mut found: Vec<bool> = routine.instructions.iter().map(|instruction| instruction.uniform).collect();
    let branches = graph.blocks.iter().any(|block| block.next.len() + usize::from(block.ends) > 1);
    let calls = routine.instructions.iter().any(|one| one.conditional && one.name() == "call");
    if language == Language::Sass
        || !routine.entry
        || graph.blocks.len() > MOST_BLOCKS
        || !(branches || calls)
    {
        return found;
    }
    let varying = Varying::new(routine, graph, view, doubtful);
    for (at, instruction) in routine.instructions.iter().enumerate() {
        let guard = instruction.guard.is_none_or(|guard| !varying.at(at, guard.register));
        let index =
            !instruction.opcode.starts_with("brx") || decides(instruction).all(|name| !varying.at(at, name));
        found[at] |= guard && index;
    }
    found
}

/// What a switch goes by.
fn decides<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    written(instruction).into_iter().chain(read(instruction)).take(1)
}

/// Whether what an instruction gives may vary although its operands do not. `stored`: the symbols that parameters of calls and
/// blocks are stored to, which may have the names of the kernel's.
fn source(routine: &Routine<'_>, stored: &HashSet<&str>, instruction: &Instruction<'_>) -> bool {
    let mut parts = instruction.opcode.split('.');
    match parts.next().unwrap_or_default() {
        "ld" => {
            let symbol = instruction.operands.split_once('[').map_or("", |(_, address)| address);
            let symbol = symbol.split(['+', ']', ' ']).next().unwrap_or_default();
            let constant = parts.clone().any(|part| part == "const");
            let parameter = parts.any(|part| matches!(part, "param" | "param::entry"))
                && routine.parameters.contains(&symbol);
            !(constant || parameter && !stored.contains(symbol))
        }
        "ldu" | "atom" | "tex" | "tld4" | "suld" | "shfl" | "vote" | "match" | "activemask" | "call"
        | "elect" => true,
        "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "div" | "rem" | "min" | "max" | "abs" | "neg"
        | "mov" => false,
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "bfe" | "bfi" | "selp" | "setp" | "set"
        | "slct" => false,
        "cvt" | "cvta" | "fma" | "popc" | "clz" | "brev" | "bfind" | "sad" | "shf" => false,
        "rcp" | "rsqrt" | "sqrt" | "lg2" | "ex2" | "sin" | "cos" | "tanh" | "copysign" | "testp" | "prmt"
        | "lop3" => false,
        _ => true,
    }
}

/// Symbols in square brackets of `st.param`, and all names of calls.
fn stored<'a>(routine: &Routine<'a>) -> HashSet<&'a str> {
    let stores = |one: &&Instruction<'a>| one.opcode.starts_with("st.param") || one.name() == "call";
    routine.instructions.iter().filter(stores).flat_map(every_name).collect()
}

/// What varies.
struct Varying<'a> {
    writers: HashMap<&'a str, Vec<usize>>,
    /// Registers, wherever they are read.
    found: HashSet<&'a str>,
    /// What instructions write, among the threads that are there.
    values: Vec<bool>,
    /// By reader and register: the write before it in its block, if there is one without a guard.
    local: HashMap<(usize, &'a str), usize>,
}

impl<'a> Varying<'a> {
    /// Whether a register varies: found so, or nobody writes it and it is not known to be uniform.
    fn has(&self, name: &str) -> bool {
        let unknown = name.starts_with('%') && !self.writers.contains_key(name) && !UNIFORM.contains(&name);
        unknown || self.found.contains(name)
    }

    /// Whether what an instruction reads varies among the threads that are there.
    fn at(&self, reader: usize, name: &'a str) -> bool {
        self.local.get(&(reader, name)).map_or_else(|| self.has(name), |&write| self.values[write])
    }

    fn new(routine: &Routine<'a>, graph: &Blocks, view: &View, doubtful: &HashSet<&str>) -> Self {
        let values = vec![false; routine.instructions.len()];
        let mut local = local(routine, graph);
        local.retain(|(_, name), _| !doubtful.contains(name));
        let writers = writers(routine);
        // What is read before it is written differs from thread to thread, and so may what has the name of another register.
        let mut found = unwritten(routine, graph, &writers);
        found.extend(writers.keys().filter(|name| doubtful.contains(*name)));
        let mut all = Self { writers, found, values, local };
        let mut stored = stored(routine);
        stored.extend(doubtful);
        // Who reads a register, its guards included.
        let mut readers: HashMap<&'a str, Vec<usize>> = HashMap::new();
        for (at, instruction) in routine.instructions.iter().enumerate() {
            let guard = instruction.guard.map(|guard| guard.register);
            every_name(instruction).into_iter().chain(guard).for_each(|name| {
                readers.entry(name).or_default().push(at);
            });
        }
        let block_of: HashMap<usize, usize> = (0..)
            .zip(&graph.blocks)
            .flat_map(|(number, block)| block.instructions.clone().map(move |at| (at, number)))
            .collect();
        let mut between = vec![false; graph.blocks.len()];
        let mut marked = between.clone();
        let mut open: Vec<usize> = block_of.keys().copied().collect();
        while let Some(at) = open.pop() {
            let Some(&number) = block_of.get(&at) else { continue };
            let instruction = &routine.instructions[at];
            let guarded = instruction.guard.is_some_and(|guard| all.at(at, guard.register));
            if at + 1 == graph.blocks[number].instructions.end {
                let parts = guarded
                    || instruction.opcode.starts_with("brx")
                        && decides(instruction).any(|name| all.at(at, name));
                if parts && !std::mem::replace(&mut marked[number], true) {
                    for block in mark(view, number, &mut between) {
                        open.extend(graph.blocks[block].instructions.clone());
                    }
                }
            }
            let varies = guarded
                || source(routine, &stored, instruction)
                || read(instruction).into_iter().any(|name| all.at(at, name));
            let fresh = varies && !std::mem::replace(&mut all.values[at], true);
            for name in written(instruction) {
                if (varies || between[number]) && all.found.insert(name) || fresh {
                    open.extend(readers.get(name).into_iter().flatten());
                }
            }
        }
        all
    }
}

/// Whether an instruction writes all of its register, for all threads that are there: `v.x` is a part of v.
fn whole(instruction: &Instruction<'_>) -> bool {
    let part = instruction.operands.split(',').next().is_some_and(|first| first.contains('.'));
    instruction.guard.is_none() && !part
}

/// Registers that may be read before they are written, on some path; a write under a predicate is none.
fn unwritten<'a>(
    routine: &Routine<'a>,
    graph: &Blocks,
    writers: &HashMap<&'a str, Vec<usize>>,
) -> HashSet<&'a str> {
    let number: HashMap<&'a str, usize> = writers.keys().copied().zip(0..).collect();
    let writes = |at: usize| {
        let instruction = &routine.instructions[at];
        let all = whole(instruction).then(|| written(instruction));
        all.into_iter().flatten().filter_map(|name| number.get(name).copied())
    };
    // What is written for certain before each block; all where it was not looked at yet.
    let mut before = vec![vec![true; number.len()]; graph.blocks.len()];
    if let Some(first) = before.first_mut() {
        first.fill(false);
    }
    let mut open: Vec<usize> = (0..graph.blocks.len()).rev().collect();
    while let Some(block) = open.pop() {
        let mut known = before[block].clone();
        graph.blocks[block].instructions.clone().flat_map(writes).for_each(|name| known[name] = true);
        for &to in &graph.blocks[block].next {
            let less = before[to].iter_mut().zip(&known).filter(|(before, known)| **before && !**known);
            if less.map(|(before, _)| *before = false).count() > 0 {
                open.push(to);
            }
        }
    }
    let mut found = HashSet::new();
    for (block, mut known) in graph.blocks.iter().zip(before) {
        for at in block.instructions.clone() {
            let instruction = &routine.instructions[at];
            let guard = instruction.guard.map(|guard| guard.register);
            let names = read(instruction).into_iter().chain(guard);
            found.extend(names.filter(|name| number.get(name).is_some_and(|&name| !known[name])));
            writes(at).for_each(|name| known[name] = true);
        }
    }
    found
}

/// The write before each read in its block.
fn local<'a>(routine: &Routine<'a>, graph: &Blocks) -> HashMap<(usize, &'a str), usize> {
    let mut local = HashMap::new();
    for block in &graph.blocks {
        let mut last: HashMap<&'a str, Option<usize>> = HashMap::new();
        for at in block.instructions.clone() {
            let instruction = &routine.instructions[at];
            let guard = instruction.guard.map(|guard| guard.register);
            for name in every_name(instruction).into_iter().chain(guard) {
                local.extend(last.get(name).copied().flatten().map(|write| ((at, name), write)));
            }
            let whole = whole(instruction).then_some(at);
            last.extend(written(instruction).into_iter().map(|name| (name, whole)));
        }
    }
    local
}

/// Marks what lies between a block and the place where its ways meet; the blocks that were not marked before.
fn mark(view: &View, block: usize, between: &mut [bool]) -> Vec<usize> {
    let Some(node) = view.node(block) else { return vec![] };
    let meet = view.merge[node];
    let mut fresh = Vec::new();
    let mut seen: HashSet<usize> = HashSet::new();
    let mut open: Vec<Way> = view.ways[node].clone();
    while let Some(way) = open.pop() {
        if let Way::To(to) = way
            && Some(to) != meet
            && seen.insert(to)
        {
            if !std::mem::replace(&mut between[view.nodes[to]], true) {
                fresh.push(view.nodes[to]);
            }
            open.extend(&view.ways[to]);
        }
    }
    fresh
}
