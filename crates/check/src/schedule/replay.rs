//! The verifier of schedules, which replays the semantics of [`warpspan_model`] and of its
//! [machines](warpspan_model::machine) in integers.
//!
//! It goes from one cycle in which something happens to the next: a start, an issue, the end of a latency or of an
//! occupancy. It imports no engine and merges no warps, so a schedule that passes proves a lower bound, whatever found
//! it.

mod blocks;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::schedule::agenda::Agenda;
use crate::schedule::launch::Rules;
use crate::schedule::{Issue, Launch, Schedule, Violation, WarpName};
use blocks::Blocks;
use warpspan_model::Cycles;
use warpspan_model::machine::Letter;

/// A schedule that was replayed and keeps every rule. It proves that the worst case is at least its makespan.
///
/// Only [`replay`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    schedule: Schedule,
    last_issues: Vec<Cycles>,
    completions: Vec<Cycles>,
}

impl Witness {
    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The last cycle in which any warp issues.
    pub fn makespan(&self) -> Cycles {
        self.last_issues.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a result arrives: an issue in cycle t with latency l has its result at the end of cycle
    /// t + l - 1. On the paper's multiprocessor this is the makespan.
    pub fn completion(&self) -> Cycles {
        self.completions.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a warp of each group issues.
    pub fn last_issues(&self) -> &[Cycles] {
        &self.last_issues
    }

    /// The last cycle in which a result of each group arrives.
    pub fn completions(&self) -> &[Cycles] {
        &self.completions
    }
}

/// Replays a schedule and returns the witness, or the first rule that the schedule breaks.
///
/// The time is O(issues x log issues + cycles in which something happens x pairs of a scheduler and a unit for which a
/// warp is ready) and the memory O(warps).
///
/// # Errors
/// The first violation in order of cycles, or code that is no straight line or has dependences.
pub fn replay<'a>(launch: impl Into<Launch<'a>>, schedule: Schedule) -> Result<Witness, Violation> {
    let rules = launch.into().rules()?;
    let found = schedule.issues().len() as u64;
    let expected = rules.total_issues();
    if rules.warps_with_code() > found {
        // A schedule with too few issues ends here, so the replay is no larger than the schedule.
        return Err(Violation::Unfinished { found, expected });
    }
    let mut replay = Replay::new(&rules);
    let (mut starts, mut issues) = (schedule.starts(), schedule.issues());
    let mut cycle: u64 = 0;
    // Whether the cycle after this one may break a rule, though nothing happens in it: the slots of this one are gone.
    let mut look = true;
    while let Some(given) =
        starts.first().map(|start| start.cycle).into_iter().chain(issues.first().map(|i| i.cycle)).min()
    {
        if given == 0 {
            return Err(Violation::CycleZero);
        }
        let after = if look { cycle.checked_add(1) } else { None };
        cycle = replay.agenda.first().into_iter().chain(after).chain([given]).min().unwrap_or(given);
        let now;
        (now, starts) = starts.split_at(starts.partition_point(|start| start.cycle <= cycle));
        let issued;
        (issued, issues) = issues.split_at(issues.partition_point(|issue| issue.cycle <= cycle));
        replay.advance(cycle);
        replay.start(cycle, now)?;
        for issue in issued {
            replay.issue(issue)?;
        }
        replay.find_idle(cycle)?;
        look = !issued.is_empty();
    }
    if found < expected {
        return Err(Violation::Unfinished { found, expected });
    }
    let Replay { last_issues, completions, .. } = replay;
    Ok(Witness { schedule, last_issues, completions })
}

/// A warp that is not ready before something else happens: its block starts, a barrier opens.
const NEVER: u64 = u64::MAX;

struct Warp {
    group: u32,
    /// The index of the next instruction.
    next: u32,
    /// The cycle from which on the next instruction is ready, or `NEVER`.
    ready: u64,
    /// The cycle of the last issue, 0 before the first.
    issued: u64,
}

/// The events of a cycle.
enum Event {
    /// The next instruction of a warp is ready.
    Ready(usize),
    /// An instance of a unit is free again.
    Free(Instances),
    /// A slot of a multiprocessor is empty.
    Empty(u64, u64),
}

/// A scheduler of a multiprocessor.
type Scheduler = (u64, u64);

/// The instances of a unit that a scheduler sees: those of its multiprocessor if the unit is shared, else its own.
type Instances = (usize, u64, Option<u64>);

/// The warps of a block that have reached its next barrier, and the end of their latencies.
#[derive(Default)]
struct Barrier {
    come: u64,
    opens: u64,
}

/// Lowers a count by one, and removes it at zero.
fn one_less<K: Ord>(counts: &mut BTreeMap<K, u64>, of: K) {
    if let Entry::Occupied(mut count) = counts.entry(of) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

struct Replay<'a> {
    rules: &'a Rules<'a>,
    /// The warps of all groups in their order.
    warps: Vec<Warp>,
    /// By group, the place of its first warp in `warps`.
    first: Vec<usize>,
    /// By group, the number of warps of the groups before it, those without letters included: by this number warps are
    /// pinned to schedulers.
    before: Vec<u64>,
    agenda: Agenda<Event>,
    /// By scheduler and unit, the number of warps that are ready for it, if there are any.
    ready: BTreeMap<(Scheduler, usize), u64>,
    /// The number of instances that are held.
    held: BTreeMap<Instances, u64>,
    /// By scheduler, the instructions issued in this cycle.
    used: BTreeMap<Scheduler, u64>,
    /// By group and block.
    barriers: BTreeMap<(usize, u64), Barrier>,
    blocks: Option<Blocks>,
    last_issues: Vec<Cycles>,
    completions: Vec<Cycles>,
}

impl<'a> Replay<'a> {
    fn new(rules: &'a Rules<'a>) -> Self {
        let (mut warps, mut first, mut events) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut all) = (Vec::new(), 0_u64);
        for (group, of) in (0..).zip(&rules.groups) {
            first.push(warps.len());
            before.push(all);
            all = all.saturating_add(of.warps);
            let ready = if rules.slots.is_none() && !of.letters.is_empty() { 1 } else { NEVER };
            let number = if of.letters.is_empty() { 0 } else { of.warps };
            for _ in 0..number {
                if ready == 1 {
                    events.push(Event::Ready(warps.len()));
                }
                warps.push(Warp { group, next: 0, ready, issued: 0 });
            }
        }
        let groups = rules.groups.len();
        Self {
            rules,
            warps,
            first,
            before,
            agenda: Agenda::new(events),
            ready: BTreeMap::new(),
            held: BTreeMap::new(),
            used: BTreeMap::new(),
            barriers: BTreeMap::new(),
            blocks: rules.slots.map(Blocks::new),
            last_issues: vec![Cycles(0); groups],
            completions: vec![Cycles(0); groups],
        }
    }

    /// Goes on to a cycle.
    fn advance(&mut self, cycle: u64) {
        self.used.clear();
        for event in self.agenda.advance(cycle) {
            match event {
                Event::Ready(at) => self.count(at),
                Event::Free(instances) => one_less(&mut self.held, instances),
                Event::Empty(multiprocessor, slot) => {
                    if let Some(blocks) = &mut self.blocks {
                        blocks.leave(multiprocessor, slot);
                    }
                }
            }
        }
    }

    /// Counts a warp whose next instruction is ready from now on.
    fn count(&mut self, at: usize) {
        if let Some(letter) = self.letter(at) {
            *self.ready.entry((self.scheduler(at), letter.unit)).or_default() += 1;
        }
    }

    /// The next letter of a warp.
    fn letter(&self, at: usize) -> Option<&'a Letter> {
        let warp = &self.warps[at];
        let letter = self.rules.groups[warp.group as usize].letters.get(warp.next as usize)?;
        Some(self.rules.machine.letter(*letter))
    }

    /// The number of a warp in its group, from 0.
    fn number(&self, at: usize) -> u64 {
        (at - self.first[self.warps[at].group as usize]) as u64
    }

    /// The block of a warp within its group, from 0.
    fn block(&self, at: usize) -> u64 {
        self.number(at) / self.rules.groups[self.warps[at].group as usize].warps_per_block
    }

    fn scheduler(&self, at: usize) -> Scheduler {
        let multiprocessor = self.blocks.as_ref().map_or(0, |blocks| blocks.multiprocessor(self.block(at)));
        let number = self.before[self.warps[at].group as usize] + self.number(at);
        (multiprocessor, number % self.rules.machine.schedulers())
    }

    fn instances(&self, letter: &Letter, (multiprocessor, scheduler): Scheduler) -> Instances {
        let shared = self.rules.machine.units()[letter.unit].shared;
        (letter.unit, multiprocessor, (!shared).then_some(scheduler))
    }

    fn name(&self, at: usize) -> WarpName {
        let (number, group) = (self.number(at), self.warps[at].group);
        if self.blocks.is_some() {
            let warps_per_block = self.rules.groups[group as usize].warps_per_block;
            WarpName { warp: number % warps_per_block + 1, of: "block", number: number / warps_per_block + 1 }
        } else {
            WarpName { warp: number + 1, of: "group", number: u64::from(group) + 1 }
        }
    }

    /// Lets one warp issue its next instruction.
    fn issue(&mut self, issue: &Issue) -> Result<(), Violation> {
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
        self.go_on(at, cycle, after(latency)?);
        Ok(())
    }

    /// Moves a warp to its next instruction, which is ready in a given cycle unless a barrier stands before it.
    fn go_on(&mut self, at: usize, cycle: u64, ready: u64) {
        let (group, block) = (self.warps[at].group as usize, self.block(at));
        self.last_issues[group] = Cycles(cycle);
        self.completions[group] = self.completions[group].max(Cycles(ready - 1));
        let of = &self.rules.groups[group];
        let all = of.members(block) * of.letters.len() as u64;
        if let Some(blocks) = &mut self.blocks
            && let Some((empty, multiprocessor, slot)) = blocks.issued(block, all, ready)
        {
            self.agenda.add(empty, Event::Empty(multiprocessor, slot));
        }
        let warp = &mut self.warps[at];
        (warp.next, warp.issued, warp.ready) = (warp.next + 1, cycle, NEVER);
        let next = warp.next as usize;
        if of.gates.binary_search(&next).is_err() {
            if next < of.letters.len() {
                self.get_ready(at, ready);
            }
            return;
        }
        let barrier = self.barriers.entry((group, block)).or_default();
        (barrier.come, barrier.opens) = (barrier.come + 1, barrier.opens.max(ready));
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
    fn find_idle(&self, cycle: u64) -> Result<(), Violation> {
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
