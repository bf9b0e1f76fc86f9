//! Registers of SASS that a warp has once (`UR0`, `UP0`): what one group of threads writes, all others read.
//!
//! As long as a warp is together where they are written, each of its threads finds in them what it would have
//! written itself, so that they are followed like registers of a thread.
//!
//! A register of a number that is written where threads may have diverged holds what was written last, by any of the groups. Where the
//! threads are together, the group that wrote it last came by no other write behind, so that its own path has that write as the
//! last one, and the register is followed along all paths; unless a group may have ended since it wrote. Where they may have
//! diverged, what is read is the result of any write: a number, if each of them writes a number and this group has written one just
//! before, and else nothing is known. Predicates that are written there are not followed at all.

use std::collections::{HashMap, HashSet};

use crate::flow::analysis::counts::effect::{Effect, Source};
use crate::flow::graph::ControlFlowGraph;
use crate::interval::Interval;
use crate::routine::Routine;
use warpspan_isa::instruction::Flow;
use warpspan_isa::register::{File, Register};

/// What is not as in registers of a thread.
#[derive(Debug, Default)]
pub(super) struct Shared<'a> {
    /// The registers that are not followed.
    pub(super) untracked: HashSet<&'a str>,
    /// Those that groups may have written one after the other: where paths join, no group knows what another one wrote.
    pub(super) of_groups: HashSet<&'a str>,
}

/// The uniform registers that are written where threads may have diverged. A function may be called by some
/// of the threads. `ends` says whether threads may end in what an instruction calls. The effects of instructions that read such
/// registers where threads may have diverged get what they may find there.
pub(super) fn shared<'a>(
    (routine, graph): (&Routine<'a>, &ControlFlowGraph),
    effects: &mut [Effect<'a>],
    called: bool,
    apart: &HashSet<usize>,
    ends: impl Fn(usize) -> bool,
) -> Shared<'a> {
    // An instruction that is not known names what it writes, unless it is a call.
    let any = |at: usize| {
        let instruction = &routine.instructions[at];
        let names = || instruction.registers().any(|one| one.file.is_of_warp());
        effects[at].everything && (instruction.flow != Flow::Next || names())
    };
    let all = called || apart.iter().any(|&at| any(at));
    let is_shared = |name: &&str| Register::of(name).is_some_and(|register| register.file.is_of_warp());
    let there = effects.iter().enumerate().filter(|(at, _)| all || apart.contains(at));
    let names: HashSet<&'a str> =
        there.flat_map(|(_, effect)| &effect.writes).map(|write| write.register).filter(is_shared).collect();
    if all || apart.iter().any(|&at| routine.instructions[at].flow == Flow::End || ends(at)) {
        return Shared { untracked: names, of_groups: HashSet::new() };
    }
    let is_number = |name: &&str| Register::of(name).is_some_and(|one| one.file == File::Uniform);
    let (of_groups, untracked): (HashSet<&str>, HashSet<&str>) = names.into_iter().partition(is_number);
    let numbers = numbers(effects, &of_groups);
    for (_, block) in graph.blocks() {
        let mut written = HashSet::new();
        for at in block.instructions.clone() {
            if apart.contains(&at) {
                effects[at].replace(&|name| {
                    let known = numbers.get(name).filter(|_| written.contains(name));
                    of_groups.contains(name).then(|| known.copied().map_or(Source::Unknown, Source::Known))
                });
            }
            let always = routine.instructions[at].guard.is_none() && !routine.instructions[at].conditional;
            written.extend(effects[at].writes.iter().filter(|_| always).map(|write| write.register));
        }
    }
    Shared { untracked, of_groups }
}

/// What registers hold of which each write writes a number: one of these.
fn numbers<'a>(effects: &[Effect<'a>], names: &HashSet<&'a str>) -> HashMap<&'a str, Interval> {
    let mut found: HashMap<&'a str, Option<Interval>> = HashMap::new();
    if effects.iter().any(|effect| effect.everything) {
        return HashMap::new();
    }
    for write in effects.iter().flat_map(|effect| &effect.writes).filter(|one| names.contains(one.register)) {
        let number = match write.result.copies().map(|term| (term.negative, term.source)) {
            Some((false, Source::Known(known))) if write.bits == 32 => Some(known),
            _ => None,
        };
        let known = found.entry(write.register).or_insert(number);
        *known = known.zip(number).map(|(known, number)| known.hull(number));
    }
    found.into_iter().filter_map(|(name, number)| Some((name, number?))).collect()
}
