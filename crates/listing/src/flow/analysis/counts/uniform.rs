//! Registers of SASS that a warp has once (`UR0`, `UP0`): what one group of threads writes, all others read.
//!
//! As long as a warp is together where they are written, each of its threads finds in them what it would have
//! written itself, so that they are followed like registers of a thread. A register that is written where
//! threads may have diverged is not followed at all.

use std::collections::HashSet;

use crate::flow::analysis::Scope;
use crate::flow::analysis::counts::effect::Effect;
use crate::flow::graph::Edge;
use crate::isa::register::Register;
use crate::routine::{Flow, Routine};

/// The uniform registers that are written where threads may have diverged. A function may be called by some
/// of the threads.
pub(super) fn shared<'a>(
    routine: &Routine<'a>,
    effects: &[Effect<'a>],
    called: bool,
    apart: &HashSet<usize>,
) -> Vec<&'a str> {
    // An instruction that is not known names what it writes, unless it is a call.
    let any = |at: usize| {
        let instruction = &routine.instructions[at];
        let names = || instruction.registers().any(|one| one.file.is_of_warp());
        effects[at].everything && (instruction.flow != Flow::Next || names())
    };
    let all = called || apart.iter().any(|&at| any(at));
    let is_shared = |name: &&str| Register::of(name).is_some_and(|register| register.file.is_of_warp());
    let there = effects.iter().enumerate().filter(|(at, _)| all || apart.contains(at));
    there.flat_map(|(_, effect)| &effect.writes).map(|write| write.register).filter(is_shared).collect()
}

/// The instructions that threads of a warp may issue while others, which have not ended, are elsewhere: those
/// between a branch that is not uniform and its join, and all behind a call that is elsewhere, since threads may come back
/// from it one after the other. `uniform` says of the last instruction of a block whether all threads leave it on the same path, and
/// `calls` whether an instruction calls a function.
pub(crate) fn apart(
    whole: &Scope<'_>,
    uniform: impl Fn(usize) -> bool,
    calls: impl Fn(usize) -> bool,
) -> HashSet<usize> {
    let mut apart = HashSet::new();
    for node in whole.subgraph.nodes() {
        let targets: Vec<_> = whole.subgraph.edges(node).iter().filter(|&&edge| edge != Edge::End).collect();
        if targets.len() < 2 || uniform(whole.subgraph.block(node).last()) {
            continue;
        }
        let join = whole.joins.join(node);
        let between =
            targets.iter().filter_map(|edge| edge.node()).flat_map(|to| whole.subgraph.reached(to, join));
        apart.extend(whole.subgraph.instructions(between.collect::<HashSet<_>>()));
    }
    for node in whole.subgraph.nodes() {
        let mut inside = whole.subgraph.block(node).instructions.clone();
        if let Some(call) = inside.find(|&at| calls(at) && !apart.contains(&at)) {
            let targets = whole.subgraph.edges(node).iter().filter_map(|edge| edge.node());
            let behind: HashSet<_> = targets.flat_map(|to| whole.subgraph.reached(to, None)).collect();
            apart.extend(whole.subgraph.instructions(behind));
            apart.extend(call..whole.subgraph.block(node).instructions.end);
        }
    }
    apart
}
