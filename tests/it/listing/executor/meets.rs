//! PTX: threads that part meet again at the immediate postdominator of the branch; those that return wait behind the call.

use super::graph::Graph;
use super::{Chooser, Code, Op, Step, Stop};

/// Threads that are to meet: at an instruction of the same routine, or behind a call.
#[derive(Clone, Copy)]
struct Meeting {
    /// The instruction; that behind the call if `call`.
    place: usize,
    call: bool,
    /// Those that come, and those that are there.
    wanted: u32,
    here: u32,
    /// The meeting that they are to come to afterwards.
    parent: Option<usize>,
}

#[derive(Clone, Copy)]
struct Group {
    mask: u32,
    at: usize,
    meeting: Option<usize>,
}

struct Warp {
    meetings: Vec<Meeting>,
    groups: Vec<Group>,
    alive: u32,
    early: bool,
}

pub(crate) fn run(code: &Code, all: u32, chooser: &mut Chooser<'_>) -> Result<Vec<Step>, Stop> {
    let mut steps = Vec::new();
    follow(code, all, chooser, &mut steps).map(|()| steps)
}

/// Adds the steps one by one, also where the warp does not come to its end.
pub(crate) fn follow(
    code: &Code,
    all: u32,
    chooser: &mut Chooser<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), Stop> {
    let graph = Graph::new(code);
    let first = Group { mask: all, at: code.start(), meeting: None };
    let mut warp =
        Warp { meetings: Vec::new(), groups: vec![first], alive: all, early: chooser.random.one_in(2) };
    // Up to 6.x the last group goes on until it waits.
    let policy = if code.volta { chooser.random.below(4) } else { 0 };
    while !warp.groups.is_empty() {
        let last = warp.groups.len() - 1;
        let number = match policy {
            0 => last,
            1 => 0,
            _ => chooser.random.index(last + 1),
        };
        let group = warp.groups.remove(number);
        if let Some(meeting) = group.meeting
            && let meets = warp.meetings[meeting]
            && !meets.call
            && meets.place == group.at
        {
            warp.meetings[meeting].here |= group.mask;
            warp.settle();
            continue;
        }
        chooser.issue()?;
        steps.push(warp.issue(code, &graph, group, chooser)?);
        warp.settle();
    }
    if warp.alive == 0 { Ok(()) } else { Err(Stop::Deadlock) }
}

impl Warp {
    fn issue(
        &mut self,
        code: &Code,
        graph: &Graph,
        group: Group,
        chooser: &mut Chooser<'_>,
    ) -> Result<Step, Stop> {
        let (at, mask) = (group.at, group.mask);
        let mut step = Step::new(at, mask);
        let takers = chooser.takers(code, at, mask);
        let rest = mask & !takers;
        let mut ways: Vec<(u32, usize)> = vec![(rest, at + 1)];
        match &code.insts[at].op {
            Op::Bra(to) => ways.push((takers, *to)),
            Op::Switch(list) => {
                let mut left = takers;
                if code.insts[at].uniform {
                    ways.push((left, *chooser.random.pick(list)));
                    left = 0;
                }
                for &to in list {
                    let some =
                        if chooser.random.one_in(2) { left } else { left & chooser.random.below(u32::MAX) };
                    ways.push((some, to));
                    left &= !some;
                }
                ways.push((left, list[0]));
            }
            Op::Plain | Op::Bar => ways = vec![(mask, at + 1)],
            Op::Exit => {
                self.alive &= !takers;
                step.ended = takers;
            }
            Op::Ret => match self.call_of(group.meeting) {
                None => {
                    self.alive &= !takers;
                    step.ended = takers;
                }
                Some(call) => {
                    step.returned = takers;
                    // They come to no meeting of the function any more.
                    let mut next = group.meeting;
                    while let Some(meeting) = next
                        && meeting != call
                    {
                        self.meetings[meeting].wanted &= !takers;
                        next = self.meetings[meeting].parent;
                    }
                    self.meetings[call].here |= takers;
                }
            },
            Op::Call(to) => {
                step.called = takers;
                let mut parent = group.meeting;
                if rest != 0 && takers != 0 {
                    // The others wait behind the call.
                    let meeting = Meeting { place: at + 1, call: false, wanted: mask, here: rest, parent };
                    self.meetings.push(meeting);
                    parent = Some(self.meetings.len() - 1);
                    ways.clear();
                }
                if takers != 0 {
                    let meeting = Meeting { place: at + 1, call: true, wanted: takers, here: 0, parent };
                    self.meetings.push(meeting);
                    self.groups.push(Group { mask: takers, at: *to, meeting: Some(self.meetings.len() - 1) });
                }
            }
            _ => return Err(Stop::Unknown("not PTX".into())),
        }
        ways.retain(|way| way.0 != 0);
        // Ways to the same instruction are one.
        let mut merged: Vec<(u32, usize)> = Vec::new();
        for way in ways {
            match merged.iter_mut().find(|other| other.1 == way.1) {
                Some(other) => other.0 |= way.0,
                None => merged.push(way),
            }
        }
        let mut meeting = group.meeting;
        if merged.len() > 1 {
            let place = graph.meet(at, self.early);
            if place < code.insts.len() {
                self.meetings.push(Meeting { place, call: false, wanted: mask, here: 0, parent: meeting });
                meeting = Some(self.meetings.len() - 1);
            }
            if chooser.random.one_in(2) {
                merged.reverse();
            }
        }
        self.groups.extend(merged.iter().map(|&(mask, at)| Group { mask, at, meeting }));
        Ok(step)
    }

    /// The call that a group is in.
    fn call_of(&self, mut meeting: Option<usize>) -> Option<usize> {
        while let Some(number) = meeting {
            if self.meetings[number].call {
                return Some(number);
            }
            meeting = self.meetings[number].parent;
        }
        None
    }

    /// Meetings to which nobody is still to come are over.
    fn settle(&mut self) {
        for number in (0..self.meetings.len()).rev() {
            let Meeting { place, wanted, here, parent, .. } = self.meetings[number];
            let here = here & self.alive & wanted;
            if here != 0 && here == wanted & self.alive {
                self.meetings[number].wanted = 0;
                self.groups.push(Group { mask: here, at: place, meeting: parent });
            }
        }
    }
}
