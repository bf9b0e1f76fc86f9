//! Barrier registers of SASS from capability 7.0 on: what callees do to them, and where it is not known what
//! they hold.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::closure::closure;
use crate::routine::Routine;
use crate::sass::stacks::{Kind, Known, Stacks};
use crate::sass::step::{Step, goes_elsewhere, successors};
use warpspan_isa::register::Register;

/// The instructions that may be executed from one on, in what it calls too, without passing `stop`.
fn reachable(routine: &Routine<'_>, steps: &[Step], from: usize, stop: Option<usize>) -> Vec<usize> {
    let mut found = closure([from], |at, open| {
        match steps.get(at).filter(|_| Some(at) != stop) {
            Some(Step::Call(to)) => open.extend([*to, at + 1]),
            Some(step) => successors(routine, step, at, open),
            None => {}
        }
        Some(())
    });
    found.iter_mut().for_each(|all| all.retain(|&at| at < steps.len() && Some(at) != stop));
    found.unwrap_or_default()
}

/// Whether code from an instruction on may return to a caller, or go where the listing does not tell; if `pushed`, also whether it
/// takes any location off the stack.
pub(super) fn may_return(routine: &Routine<'_>, steps: &[Step], from: usize, pushed: bool) -> bool {
    let found = closure([from], |at, open| {
        match steps.get(at) {
            Some(Step::Pop(Kind::Return) | Step::Unknown) => return None,
            Some(Step::Pop(_)) if pushed => return None,
            // A pop goes to a location that was pushed before.
            Some(Step::Push(_, to)) => open.extend([*to, at + 1]),
            Some(step) => successors(routine, step, at, open),
            None => {}
        }
        Some(())
    });
    found.is_none()
}

/// By the instruction that is called: the registers that code from there on may store in or take threads out
/// of.
pub(super) type Callees = BTreeMap<usize, HashSet<Register>>;

/// The registers of each callee.
pub(super) fn callees(routine: &Routine<'_>, steps: &[Step]) -> Callees {
    let called: HashSet<usize> =
        steps.iter().filter_map(|step| if let Step::Call(to) = step { Some(*to) } else { None }).collect();
    called.into_iter().map(|to| (to, barriers(routine, steps, to))).collect()
}

/// The registers that code from an instruction on may store in or take threads out of.
fn barriers(routine: &Routine<'_>, steps: &[Step], from: usize) -> HashSet<Register> {
    let mut found = HashSet::new();
    for at in reachable(routine, steps, from, None) {
        match &steps[at] {
            Step::Push(Kind::Barrier(register), _) | Step::Leave(register) => _ = found.insert(*register),
            Step::Branch { without: list, .. } | Step::Touch(list) => found.extend(list),
            _ => {}
        }
    }
    found
}

/// The barriers that may be lost, each by its register and the location of its `BSSY`: threads of the barrier
/// may come to a `BSYNC` of the register, or to a move of it, where it is not known that the register holds
/// this barrier.
pub(super) fn lost(
    stacks: &Stacks,
    steps: &[Step],
    routine: &Routine<'_>,
    before: &[Vec<Known>],
) -> HashSet<(Register, usize)> {
    let bad = |at: usize, register: Register| {
        let stack = match before[at][..] {
            [] => return false,
            [only] => only,
            _ => None,
        };
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
        // The location of a BSSY is the instruction behind its BSYNC.
        let wait = place.checked_sub(1);
        let mut after = reachable(routine, steps, at + 1, wait).into_iter();
        if wait.is_some_and(|wait| bad(wait, register)) || after.any(|at| bad(at, register)) {
            lost.insert((register, place));
        }
    }
    lost
}

/// The `BSYNC` of which it is not known for whom they wait. It is known if every path to one has a `BSSY` of its register whose
/// location is the instruction behind this `BSYNC`, and nothing after that changes the register. Under a predicate it is not, since
/// some threads go on without waiting.
pub(super) fn unknown_waits(routine: &Routine<'_>, steps: &[Step], callees: &Callees) -> HashSet<usize> {
    let waited =
        steps.iter().filter_map(|step| if let Step::Wait(register) = step { Some(*register) } else { None });
    let waited: HashSet<Register> = waited.collect();
    let mut unknown = HashSet::new();
    for register in waited {
        // The location of the barrier that the register holds before an instruction, if that is the same on every path to it.
        let mut before: HashMap<usize, Option<usize>> = HashMap::new();
        let mut open: Vec<(usize, Option<usize>)> =
            callees.keys().copied().chain([0]).map(|at| (at, None)).collect();
        while let Some((at, held)) = open.pop() {
            let Some(step) = steps.get(at) else { continue };
            let held = before.get(&at).map_or(held, |known| held.filter(|_| held == *known));
            if before.insert(at, held) == Some(held) {
                continue;
            }
            let conditional = routine.instructions[at].conditional;
            let held_behind = match step {
                Step::Push(Kind::Barrier(stored), place) if *stored == register => {
                    Some(*place).filter(|_| !conditional || held == Some(*place))
                }
                Step::Wait(gone) | Step::Leave(gone) if *gone == register => None,
                Step::Touch(touched) if touched.contains(&register) => None,
                Step::Call(to) if callees[to].contains(&register) => None,
                _ => held,
            };
            match step {
                Step::Branch { to, without, .. } => {
                    open.push((*to, held_behind.filter(|_| !without.contains(&register))));
                }
                Step::Switch(list) => open.extend(list.iter().map(|&to| (to, held_behind))),
                _ => {}
            }
            if !goes_elsewhere(step) || conditional {
                open.push((at + 1, held_behind));
            }
        }
        before.retain(|&at, held| {
            let is_known = *held == Some(at + 1) && !routine.instructions[at].conditional;
            steps[at] == Step::Wait(register) && !is_known
        });
        unknown.extend(before.into_keys());
    }
    unknown
}
