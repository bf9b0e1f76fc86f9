//! One issue, and whether a warp is idle that could issue.

use crate::schedule::replay::state::{Event, NEVER, Replay, one_less};
use crate::schedule::{Issue, Violation};
use warpspan_model::Cycles;

impl Replay<'_> {
    /// Lets one warp issue its next instruction.
    pub(super) fn issue(&mut self, issue: &Issue) -> Result<(), Violation> {
        let &Issue { cycle, instruction, latency, .. } = issue;
        let at = self.find(issue)?;
        let (name, found) = (self.name(at), u64::from(instruction) + 1);
        if self.blocks.as_ref().is_some_and(|blocks| !blocks.has_started(self.block(at))) {
            return Err(Violation::NotStarted { cycle, warp: name });
        }
        if self.warps[at].issued == cycle {
            return Err(Violation::Twice { cycle, warp: name });
        }
        let next = u64::from(self.warps[at].next) + 1;
        let Some(letter) = self.letter(at).filter(|_| next == found) else {
            return Err(Violation::OutOfOrder { cycle, warp: name, found, next });
        };
        match self.warps[at].ready {
            NEVER => return Err(Violation::Barrier { cycle, warp: name, instruction: found }),
            ready if ready > cycle => {
                return Err(Violation::TooEarly { cycle, warp: name, instruction: found, ready });
            }
            _ => {}
        }
        let (least, most) = (letter.latency.least, letter.latency.most);
        if latency < least || latency > most {
            let letter = letter.name.clone();
            return Err(Violation::Latency { cycle, warp: name, letter, found: latency, least, most });
        }
        let scheduler = self.scheduler(at);
        let used = self.used.entry(scheduler).or_default();
        *used += 1;
        if let Some(width) = self.rules.machine.width().filter(|&width| *used > width) {
            return Err(Violation::Width { cycle, scheduler: scheduler.1 + 1, width });
        }
        let instances = self.instances(letter, scheduler);
        let (held, unit) =
            (self.held.entry(instances).or_default(), &self.rules.machine.units()[letter.unit]);
        if *held >= unit.instances {
            let (unit, instances) = (unit.name.clone(), unit.instances);
            return Err(Violation::Held { cycle, warp: name, unit, instances });
        }
        *held += 1;
        let after = |cycles| cycle.checked_add(cycles).ok_or(Violation::TooLate(cycle));
        self.agenda.add(after(letter.occupancy)?, Event::Free(instances));
        one_less(&mut self.ready, (scheduler, letter.unit));
        let result = after(latency)?;
        let ready = self.next_ready(at, result, after)?;
        self.go_on(at, cycle, [result, ready]);
        Ok(())
    }

    /// The first cycle in which the next instruction of a warp is ready if no barrier stands before it. `result` is the one in which
    /// the result of the instruction that issues is there, and `after` the cycle so many cycles after the issue.
    fn next_ready(
        &mut self,
        at: usize,
        result: u64,
        after: impl Fn(u64) -> Result<u64, Violation>,
    ) -> Result<u64, Violation> {
        let of = &self.rules.groups[self.warps[at].group as usize];
        let now = self.warps[at].next as usize;
        let mut ready = match of.waits(now) {
            None => result,
            Some(waits) => {
                for &token in &waits.sets {
                    let free = self.tokens.entry((at, token)).or_default();
                    *free = result.max(*free);
                }
                after(u64::from(waits.stall).max(1))?
            }
        };
        for &token in of.waits(now + 1).into_iter().flat_map(|waits| &waits.needs) {
            ready = ready.max(self.tokens.get(&(at, token)).copied().unwrap_or(0));
        }
        Ok(ready)
    }

    /// Moves a warp to its next instruction, which is ready in a given cycle unless a barrier stands before it.
    fn go_on(&mut self, at: usize, cycle: u64, [result, ready]: [u64; 2]) {
        let (group, block) = (self.warps[at].group as usize, self.block(at));
        self.last_issues[group] = Cycles(cycle);
        self.completions[group] = self.completions[group].max(Cycles(result - 1));
        let of = &self.rules.groups[group];
        let all = of.members(block) * of.letters.len() as u64;
        if let Some(blocks) = &mut self.blocks
            && let Some((empty, multiprocessor, slot)) = blocks.issued(block, all, result)
        {
            self.agenda.add(empty, Event::Empty(multiprocessor, slot));
        }
        let warp = &mut self.warps[at];
        (warp.next, warp.issued, warp.ready) = (warp.next + 1, cycle, NEVER);
        warp.results = warp.results.max(result);
        let over = ready.max(warp.results);
        let next = warp.next as usize;
        if of.gates.binary_search(&next).is_err() {
            if next < of.letters.len() {
                self.get_ready(at, ready);
            }
            return;
        }
        let barrier = self.barriers.entry((group, block)).or_default();
        (barrier.come, barrier.opens) = (barrier.come + 1, barrier.opens.max(over));
        if barrier.come == of.members(block) {
            let opens = std::mem::take(barrier).opens;
            let first = self.first[group] as u64 + block * of.warps_per_block;
            for at in first..first + of.members(block) {
                self.get_ready(usize::try_from(at).unwrap_or(usize::MAX), opens);
            }
        }
    }

    /// Notes from when on the next instruction of a warp is ready.
    fn get_ready(&mut self, at: usize, cycle: u64) {
        self.warps[at].ready = cycle;
        self.agenda.add(cycle, Event::Ready(at));
    }

    /// The warp that an issue names.
    fn find(&self, issue: &Issue) -> Result<usize, Violation> {
        let (group, warp) = (issue.group as usize, u64::from(issue.warp));
        let no = |what, of, found, most| Violation::NoSuch { cycle: issue.cycle, what, of, found, most };
        let groups = &self.rules.groups;
        let found = groups.get(group).ok_or(no("group", "launch", group as u64 + 1, groups.len() as u64))?;
        if warp >= found.warps {
            return Err(match self.rules.slots {
                Some(slots) => no("block", "launch", warp / found.warps_per_block + 1, slots.blocks),
                None => no("warp", "group", warp + 1, found.warps),
            });
        }
        if found.letters.is_empty() {
            return Err(no("instruction", "group", u64::from(issue.instruction) + 1, 0));
        }
        Ok(self.first[group] + issue.warp as usize)
    }

    /// Looks for a warp that could issue in a cycle and did not.
    pub(super) fn find_idle(&self, cycle: u64) -> Result<(), Violation> {
        for &(scheduler, unit) in self.ready.keys() {
            let issued = self.used.get(&scheduler).copied().unwrap_or(0);
            if self.rules.machine.width() == Some(issued) {
                continue;
            }
            let of = &self.rules.machine.units()[unit];
            let instances = (unit, scheduler.0, (!of.shared).then_some(scheduler.1));
            let held = self.held.get(&instances).copied().unwrap_or(0);
            if held < of.instances {
                let waits = |at: &usize| {
                    self.warps[*at].ready <= cycle
                        && self.scheduler(*at) == scheduler
                        && self.letter(*at).is_some_and(|letter| letter.unit == unit)
                };
                let at = (0..self.warps.len()).find(waits).unwrap_or(0);
                return Err(Violation::NotWorkConserving {
                    cycle,
                    warp: self.name(at),
                    instruction: u64::from(self.warps[at].next) + 1,
                    unit: of.name.clone(),
                    held,
                    instances: of.instances,
                    issued,
                });
            }
        }
        Ok(())
    }
}
