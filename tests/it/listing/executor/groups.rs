//! SASS from 7.0 on: groups of threads that run in any order and wait for each other at convergence barriers.

use super::{Chooser, Code, Op, Step, Stop};

#[derive(Clone, Default)]
struct Thread<'a> {
    at: usize,
    /// Where calls go back to.
    frames: Vec<usize>,
    /// The barrier in each register: an index of the sets of threads.
    registers: [Option<usize>; 16],
    /// The register that it waits for.
    waits: Option<usize>,
    /// The predicate of the `BREAK` behind which it stands, and whether it held. The branch that goes with it has the same one.
    broke: Option<(&'a str, bool)>,
}

struct Warp<'a> {
    code: &'a Code,
    threads: Vec<Thread<'a>>,
    alive: u32,
    /// Threads that are together and wait for nothing.
    groups: Vec<u32>,
    /// The threads of each barrier, and its place.
    barriers: Vec<(u32, usize)>,
}

fn bits(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |thread| mask >> thread & 1 == 1)
}

pub(crate) fn run(code: &Code, all: u32, chooser: &mut Chooser<'_>) -> Result<Vec<Step>, Stop> {
    let thread = Thread { at: code.start(), ..Thread::default() };
    let mut warp =
        Warp { code, threads: vec![thread; 32], alive: all, groups: vec![all], barriers: Vec::new() };
    let (mut steps, policy) = (Vec::new(), chooser.random.below(5));
    while warp.alive != 0 {
        let Some(last) = warp.groups.len().checked_sub(1) else { return Err(Stop::Deadlock) };
        let number = match policy {
            0 => last,
            1 => 0,
            2 if chooser.random.one_in(10) => 0,
            2 => last,
            _ => chooser.random.index(last + 1),
        };
        let mask = warp.groups.remove(number);
        chooser.issue()?;
        let (step, groups) = warp.issue(mask, chooser)?;
        steps.push(step);
        for group in groups.into_iter().filter(|group| *group != 0) {
            // In their old place, at the end or anywhere.
            let place = match policy {
                0 | 1 => number.min(warp.groups.len()),
                3 => warp.groups.len(),
                _ => chooser.random.index(warp.groups.len() + 1),
            };
            warp.groups.insert(place, group);
        }
        warp.release();
    }
    Ok(steps)
}

impl Warp<'_> {
    /// A group issues its next instruction; the groups that it becomes, those that wait left out.
    fn issue(&mut self, mask: u32, chooser: &mut Chooser<'_>) -> Result<(Step, [u32; 2]), Stop> {
        let first = &self.threads[bits(mask).next().unwrap()];
        let (at, called) = (first.at, !first.frames.is_empty());
        let mut step = Step::new(at, mask);
        let takers = self.takers(at, mask, chooser);
        let rest = mask & !takers;
        bits(mask).for_each(|thread| self.threads[thread].at = at + 1);
        let mut groups = [mask, 0];
        match self.code.insts[at].op.clone() {
            Op::Bra(to) => {
                bits(takers).for_each(|thread| self.threads[thread].at = to);
                groups = if chooser.random.one_in(2) { [takers, rest] } else { [rest, takers] };
            }
            Op::Plain | Op::Bar => {}
            Op::Ret if called => {
                for thread in bits(takers) {
                    self.threads[thread].at = self.threads[thread].frames.pop().unwrap();
                }
                step.returned = takers;
                // Each thread has its own place to go back to, which calls from one place share.
                groups = [takers, rest];
            }
            Op::Exit | Op::Ret => {
                self.alive &= !takers;
                step.ended = takers;
                groups = [rest, 0];
            }
            Op::Call(to) => {
                for thread in bits(takers) {
                    self.threads[thread].at = to;
                    self.threads[thread].frames.push(at + 1);
                }
                step.called = takers;
                groups = [takers, rest];
            }
            Op::Bssy(register, place) => {
                bits(mask)
                    .for_each(|thread| self.threads[thread].registers[register] = Some(self.barriers.len()));
                self.barriers.push((mask, place));
            }
            Op::Break(register) => {
                for thread in bits(takers) {
                    let barrier = self.threads[thread].registers[register];
                    if let Some(barrier) = barrier {
                        self.barriers[barrier].0 &= !(1 << thread);
                    }
                }
            }
            Op::Bsync(register) => {
                let mut rest = rest;
                for thread in bits(takers) {
                    // Without BSSY it waits for nobody.
                    let Some(barrier) = self.threads[thread].registers[register] else {
                        rest |= 1 << thread;
                        continue;
                    };
                    let place = self.barriers[barrier].1;
                    // At the place or just before it the next instruction; elsewhere at the place.
                    self.threads[thread].at = if place == at { at + 1 } else { place };
                    self.threads[thread].waits = Some(register);
                }
                groups = [rest, 0];
            }
            Op::Switch(_) | Op::Push(..) | Op::Pop(_) => {
                return Err(Stop::Unknown("a stack or a table".into()));
            }
        }
        Ok((step, groups))
    }

    /// The threads for which the predicate of an instruction holds.
    fn takers(&mut self, at: usize, mask: u32, chooser: &mut Chooser<'_>) -> u32 {
        let inst = &self.code.insts[at];
        let mut takers = chooser.takers(self.code, at, mask);
        for thread in bits(mask) {
            let (one, broke) = (1 << thread, &mut self.threads[thread].broke);
            match (&inst.op, &inst.guard) {
                (Op::Break(_) | Op::Bra(_), Some((name, negated))) => {
                    let held = broke.filter(|(known, _)| known == name).map(|(_, held)| held != *negated);
                    takers = if held.unwrap_or(takers & one != 0) { takers | one } else { takers & !one };
                    let holds = (takers & one != 0) != *negated;
                    *broke = matches!(inst.op, Op::Break(_)).then_some((name, holds));
                }
                (Op::Plain, _) => {}
                _ => *broke = None,
            }
        }
        takers
    }

    /// Threads for which nobody is missing any more go on together.
    fn release(&mut self) {
        let waiting =
            bits(self.alive).filter(|&thread| self.threads[thread].waits.is_some()).collect::<Vec<_>>();
        let mut freed = Vec::new();
        for &thread in &waiting {
            let register = self.threads[thread].waits.unwrap();
            let barrier = self.threads[thread].registers[register].unwrap();
            let wanted = self.barriers[barrier].0 & self.alive;
            let here = |other: usize| {
                let other = &self.threads[other];
                other.waits == Some(register) && other.registers[register] == Some(barrier)
            };
            if bits(wanted).all(here) {
                freed.push((thread, barrier));
            }
        }
        let mut groups: Vec<((usize, usize), u32)> = Vec::new();
        for (thread, barrier) in freed {
            self.threads[thread].waits = None;
            let key = (barrier, self.threads[thread].at);
            match groups.iter_mut().find(|group| group.0 == key) {
                Some(group) => group.1 |= 1 << thread,
                None => groups.push((key, 1 << thread)),
            }
        }
        self.groups.extend(groups.iter().map(|group| group.1));
    }
}
