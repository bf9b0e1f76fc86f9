//! Definitions of the registers of PTX: where they are written, and which write a read sees.

use std::collections::{HashMap, HashSet};

use crate::flow::fixed_point::forward;
use crate::flow::graph::{BlockId, ControlFlowGraph};
use crate::routine::{Declared, Routine};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_names::{every_name, read, written};

/// The instructions that write each register, by its name.
pub(crate) type Writers<'a> = HashMap<&'a str, Vec<usize>>;

/// Where each name is written, whichever register it means there.
pub(crate) fn writers<'a>(routine: &Routine<'a>) -> Writers<'a> {
    let mut writers: Writers<'a> = HashMap::new();
    for (at, instruction) in routine.instructions.iter().enumerate() {
        for name in written(instruction) {
            writers.entry(name).or_default().push(at);
        }
    }
    writers
}

/// Names that may be those of several registers: they are declared in a block inside of the routine, or
/// twice, or by the module.
pub(crate) fn ambiguous<'a>(routine: &Routine<'a>) -> HashSet<&'a str> {
    let guards = routine.instructions.iter().filter_map(|one| one.guard).map(|guard| guard.register);
    let mut found: HashSet<&'a str> =
        routine.instructions.iter().flat_map(every_name).chain(guards).collect();
    // There may be thousands of names, each declared in a block of its own, but few that have a count.
    let (counted, single): (Vec<&Declared<'a>>, Vec<&Declared<'a>>) =
        routine.declared.iter().partition(|one| one.counted);
    let mut declared: HashMap<&'a str, (usize, bool)> = HashMap::new();
    for one in single {
        let (times, whole) = declared.entry(one.name).or_insert((0, true));
        (*times, *whole) = (*times + 1, *whole && one.whole);
    }
    found.retain(|name| {
        let (mut times, mut whole) = declared.get(name).copied().unwrap_or((0, true));
        for one in counted.iter().filter(|one| one.is(name)) {
            (times, whole) = (times + 1, whole && one.whole);
        }
        times > 1 || !whole
    });
    found
}

/// Whether an instruction writes all of its register, for all threads that are there: `v.x` is only a part of
/// `v`.
pub(crate) fn writes_all(instruction: &Instruction<'_>) -> bool {
    let part = instruction.ptx_operands().first().is_some_and(|first| first.part.is_some());
    instruction.guard.is_none() && !part
}

/// Registers that may be read before they are written, on some path. A write under a predicate does not
/// count.
pub(crate) fn read_before_written<'a>(
    routine: &Routine<'a>,
    graph: &ControlFlowGraph,
    writers: &Writers<'a>,
) -> HashSet<&'a str> {
    let number: HashMap<&'a str, usize> = writers.keys().copied().zip(0..).collect();
    let writes = |at: usize| {
        let instruction = &routine.instructions[at];
        let all = writes_all(instruction).then(|| written(instruction));
        all.into_iter().flatten().filter_map(|name| number.get(name).copied())
    };
    // What is certainly written before each block.
    let before = forward(
        graph,
        (BlockId::ENTRY, vec![false; number.len()]),
        |block, mut known| {
            graph[block].instructions.clone().flat_map(writes).for_each(|name| known[name] = true);
            Some(known)
        },
        |_, known, before| match before {
            None => Some(known.clone()),
            Some(before) => {
                let both: Vec<bool> = before.iter().zip(known).map(|(&one, &other)| one && other).collect();
                (both != *before).then_some(both)
            }
        },
    );
    let mut found = HashSet::new();
    for (block, mut known) in before {
        for at in graph[block].instructions.clone() {
            let instruction = &routine.instructions[at];
            let guard = instruction.guard.map(|guard| guard.register);
            let names = read(instruction).chain(guard);
            found.extend(names.filter(|name| number.get(name).is_some_and(|&name| !known[name])));
            writes(at).for_each(|name| known[name] = true);
        }
    }
    found
}

/// By reader and register: the last write before the read in its block, if that writes all of the register.
pub(crate) fn local_definitions<'a>(
    routine: &Routine<'a>,
    graph: &ControlFlowGraph,
) -> HashMap<(usize, &'a str), usize> {
    let mut found = HashMap::new();
    for (_, block) in graph.blocks() {
        let mut last: HashMap<&'a str, Option<usize>> = HashMap::new();
        for at in block.instructions.clone() {
            let instruction = &routine.instructions[at];
            let guard = instruction.guard.map(|guard| guard.register);
            for name in every_name(instruction).chain(guard) {
                found.extend(last.get(name).copied().flatten().map(|write| ((at, name), write)));
            }
            let all = writes_all(instruction).then_some(at);
            last.extend(written(instruction).into_iter().map(|name| (name, all)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn kernel(body: &str) -> Text {
        let text = format!(".version 7.0\n.target sm_61\n.visible .entry k()\n{{\n{body}\n}}\n");
        Text::new("k", text.into_bytes()).unwrap()
    }

    #[test]
    fn a_write_on_one_side_of_a_branch_is_not_certain() {
        let text = kernel(
            "mov.s32 %r1, 0;\n@%p1 bra A;\nmov.s32 %r2, 0;\n@%p1 mov.s32 %r3, 0;\nA:\nadd.s32 %r4, %r1, %r2;\nadd.s32 %r4, %r4, %r3;\nexit;",
        );
        let listing = text.listing().unwrap();
        let routine = &listing.routines[0];
        let graph = ControlFlowGraph::new(routine, listing.language, 0, &HashSet::new(), false);
        let found = read_before_written(routine, &graph, &writers(routine));
        assert_eq!(found, HashSet::from(["%r2", "%r3"]));
        let local = local_definitions(routine, &graph);
        assert_eq!(local.get(&(5, "%r4")), Some(&4));
        assert_eq!(local.get(&(4, "%r1")), None, "it is written in another block");
    }

    #[test]
    fn names_of_several_registers() {
        let text = kernel(".reg .s32 %r1;\n.reg .s32 %r2;\n{\n.reg .s32 %r2;\nmov.s32 %r2, %r1;\n}\nexit;");
        let listing = text.listing().unwrap();
        assert_eq!(ambiguous(&listing.routines[0]), HashSet::from(["%r2"]));
    }
}
