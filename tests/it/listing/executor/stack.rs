//! SASS up to 6.x: a warp has one stack, and runs one group of its threads at a time.

use super::{Chooser, Code, Kind, Op, Step, Stop};

struct Entry {
    /// None for the way that threads which parted have not gone yet.
    kind: Option<Kind>,
    place: usize,
    mask: u32,
}

pub(crate) fn run(code: &Code, all: u32, chooser: &mut Chooser<'_>) -> Result<Vec<Step>, Stop> {
    let mut stack: Vec<Entry> = Vec::new();
    let mut waits = [usize::MAX; 32]; // the entry of the stack that a thread waits for
    let (mut alive, mut active, mut at) = (all, all, code.start());
    let mut steps = Vec::new();
    loop {
        while active == 0 {
            let Some(entry) = stack.pop() else { return Ok(steps) };
            let depth = stack.len();
            for (thread, wait) in waits.iter_mut().enumerate() {
                if entry.mask & alive & 1 << thread != 0 && (*wait == usize::MAX || *wait == depth) {
                    *wait = usize::MAX;
                    active |= 1 << thread;
                }
            }
            at = entry.place;
        }
        let inst = &code.insts[at];
        chooser.issue()?;
        let mut step = Step::new(at, active);
        let takers = chooser.takers(code, at, active);
        let mut pops = inst.pops.then_some((Kind::Ssy, active));
        let next = at + 1;
        match &inst.op {
            Op::Bra(to) => part(&mut stack, &mut active, &mut at, (takers, *to), chooser),
            Op::Switch(_) => return Err(Stop::Unknown("an indirect branch".into())),
            Op::Push(kind, place) => {
                stack.push(Entry { kind: Some(*kind), place: *place, mask: active });
                at = next;
            }
            Op::Pop(kind) => {
                pops = Some((*kind, takers));
                at = next;
            }
            Op::Ret if !in_call(&stack) => {
                (alive, active, at) = (alive & !takers, active & !takers, next);
                step.ended = takers;
            }
            Op::Ret => {
                let kinds = stack.iter().rev().filter_map(|entry| entry.kind);
                let kind = kinds.into_iter().find(|kind| matches!(kind, Kind::Call | Kind::Pret)).unwrap();
                pops = Some((kind, takers));
                step.returned = if kind == Kind::Call { takers } else { 0 };
                at = next;
            }
            Op::Exit => {
                (alive, active, at) = (alive & !takers, active & !takers, next);
                step.ended = takers;
            }
            Op::Call(_) if takers == 0 => at = next,
            Op::Call(place) => {
                // Those that do not call wait behind it.
                stack.push(Entry { kind: Some(Kind::Call), place: next, mask: active });
                step.called = takers;
                active = takers;
                at = *place;
            }
            Op::Plain | Op::Bar => at = next,
            Op::Bssy(..) | Op::Bsync(_) | Op::Break(_) => {
                return Err(Stop::Unknown("barriers of 7.0".into()));
            }
        }
        steps.push(step);
        if let Some((kind, threads)) = pops {
            let depth = stack.iter().rposition(|entry| entry.kind == Some(kind));
            let Some(depth) = depth else { return Err(Stop::Unknown(format!("{kind:?} without a place"))) };
            let crossed = |kinds: &[Kind]| {
                stack[depth + 1..].iter().any(|entry| entry.kind.is_some_and(|kind| kinds.contains(&kind)))
            };
            // What lies on top of it is given up with the loop or the function; a SYNC has its own place on top.
            if kind == Kind::Ssy && crossed(&[Kind::Pbk, Kind::Pcnt, Kind::Pret, Kind::Call])
                || crossed(&[Kind::Call])
                || kind == Kind::Call && crossed(&[Kind::Pret])
            {
                return Err(Stop::Unknown(format!("{kind:?} below another place")));
            }
            (0..32).filter(|thread| threads >> thread & 1 == 1).for_each(|thread| waits[thread] = depth);
            active &= !threads;
        }
    }
}

fn in_call(stack: &[Entry]) -> bool {
    stack.iter().any(|entry| matches!(entry.kind, Some(Kind::Call | Kind::Pret)))
}

/// Goes one way of a branch; the other one comes later.
fn part(
    stack: &mut Vec<Entry>,
    active: &mut u32,
    at: &mut usize,
    (takers, to): (u32, usize),
    chooser: &mut Chooser<'_>,
) {
    let mut ways = [(takers, to), (*active & !takers, *at + 1)];
    if chooser.random.one_in(2) {
        ways.swap(0, 1);
    }
    if ways[0].0 == 0 {
        ways.swap(0, 1);
    }
    if ways[1].0 != 0 {
        stack.push(Entry { kind: None, place: ways[1].1, mask: ways[1].0 });
    }
    (*active, *at) = ways[0];
}
