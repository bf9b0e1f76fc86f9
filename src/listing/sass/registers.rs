//! Barrier registers, and where it is not known what they hold.

use std::collections::{BTreeMap, HashSet};

use crate::listing::routine::Routine;
use crate::listing::sass::reconverge::{Known, Step};
use crate::listing::sass::stacks::{Kind, Stacks};

/// The instructions that may come after one, what it calls included, itself not; none behind `stop`.
fn reachable(routine: &Routine<'_>, steps: &[Step<'_>], from: usize, stop: Option<usize>) -> Vec<usize> {
    let (mut seen, mut found, mut open) = (HashSet::new(), Vec::new(), vec![from]);
    while let Some(at) = open.pop() {
        let Some(step) = steps.get(at).filter(|_| Some(at) != stop && seen.insert(at)) else { continue };
        found.push(at);
        match step {
            Step::Branch { to, .. } | Step::Call(to) => open.push(*to),
            Step::Switch(list) => open.extend(list),
            _ => {}
        }
        if !goes_elsewhere(step) || routine.instructions[at].conditional {
            open.push(at + 1);
        }
    }
    found
}

/// Whether the next instruction is not the one behind it, unless a predicate says otherwise.
fn goes_elsewhere(step: &Step<'_>) -> bool {
    matches!(step, Step::End | Step::Pop(_) | Step::Switch(_) | Step::Branch { conditional: false, .. })
}

/// By the instruction that is called: the registers that code from there on may store in, or take threads out of.
pub(super) type Callees<'a> = BTreeMap<usize, HashSet<&'a str>>;

/// Those of all calls, each callee looked at once.
pub(super) fn callees<'a>(routine: &Routine<'_>, steps: &[Step<'a>]) -> Callees<'a> {
    let called: HashSet<usize> =
        steps.iter().filter_map(|step| if let Step::Call(to) = step { Some(*to) } else { None }).collect();
    called.into_iter().map(|to| (to, barriers(routine, steps, to))).collect()
}

/// The registers that code from an instruction on may store in, or take threads out of.
fn barriers<'a>(routine: &Routine<'_>, steps: &[Step<'a>], from: usize) -> HashSet<&'a str> {
    let mut found = HashSet::new();
    for at in reachable(routine, steps, from, None) {
        match &steps[at] {
            Step::Push(Kind::Barrier(register), _)
            | Step::Leave(register)
            | Step::Branch { without: Some(register), .. } => _ = found.insert(*register),
            Step::Touch(list) => found.extend(list),
            _ => {}
        }
    }
    found
}

/// Registers with the places of their `BSSY`, where threads whose barrier it is may come to a `BSYNC` of the register, or lose it,
/// where it is not known that it is this one.
pub(super) fn lost<'a>(
    stacks: &Stacks<'a>,
    steps: &[Step<'a>],
    routine: &Routine<'_>,
    reached: &[Option<Known>],
) -> HashSet<(&'a str, usize)> {
    let bad = |at: usize, register: &str| {
        let Some(stack) = reached[at] else { return false };
        match &steps[at] {
            Step::Wait(waits) if *waits == register => {
                let top = stack.and_then(|stack| stacks.top(stack));
                let own = top.is_some_and(|(kind, ..)| kind == Kind::Barrier(register));
                !own || routine.instructions[at].conditional
            }
            Step::Touch(list) => {
                list.contains(&register) && stack.is_none_or(|stack| stacks.has(stack, register))
            }
            _ => false,
        }
    };
    let mut lost = HashSet::new();
    for (at, step) in steps.iter().enumerate() {
        let &Step::Push(Kind::Barrier(register), place) = step else { continue };
        // The place is behind its BSYNC.
        let wait = place.checked_sub(1);
        let mut after = reachable(routine, steps, at + 1, wait).into_iter();
        if wait.is_some_and(|wait| bad(wait, register)) || after.any(|at| bad(at, register)) {
            lost.insert((register, place));
        }
    }
    lost
}

/// Whether every way to a `BSYNC` has a `BSSY` of its register with the place behind this `BSYNC`, and nothing that changes
/// the register since; not under a predicate, where some threads go on without waiting. True for all else.
pub(super) fn is_of_its_place(
    routine: &Routine<'_>,
    steps: &[Step<'_>],
    callees: &Callees<'_>,
    wait: usize,
) -> bool {
    let Some(Step::Wait(register)) = steps.get(wait) else { return true };
    if routine.instructions[wait].conditional {
        return false;
    }
    // Where to look on, and whether the register is known to hold a barrier of this place there.
    let mut open: Vec<(usize, bool)> = callees.keys().copied().chain([0]).map(|at| (at, false)).collect();
    let mut seen = HashSet::new();
    while let Some((at, own)) = open.pop() {
        let Some(step) = steps.get(at).filter(|_| seen.insert((at, own))) else { continue };
        if at == wait && !own {
            return false;
        }
        let conditional = routine.instructions[at].conditional;
        let own_behind = match step {
            Step::Push(Kind::Barrier(stored), place) if stored == register => {
                *place == wait + 1 && (own || !conditional)
            }
            Step::Wait(gone) | Step::Leave(gone) if gone == register => false,
            Step::Touch(touched) if touched.contains(register) => false,
            Step::Call(to) if callees[to].contains(register) => false,
            _ => own,
        };
        match step {
            Step::Branch { to, without, .. } => {
                open.push((*to, own_behind && without.as_ref() != Some(register)));
            }
            Step::Switch(list) => open.extend(list.iter().map(|&to| (to, own_behind))),
            _ => {}
        }
        if !goes_elsewhere(step) || conditional {
            open.push((at + 1, own_behind));
        }
    }
    true
}
