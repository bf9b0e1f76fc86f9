//! The judge of schedules on machines, which replays the semantics of [`warpspan_model::machine`] in integers.
//!
//! It goes from one cycle with issues to the next and looks at every warp in each. It imports no engine and
//! merges no warps, so a schedule that passes proves a lower bound, whatever found it.

use std::collections::BTreeMap;

use crate::schedule::machine::{MachineIssue, MachineSchedule, MachineViolation, WarpName};
use warpspan_model::Cycles;
use warpspan_model::machine::{Letter, LetterId, MachineWorkload};

/// A schedule that was replayed and keeps every rule. It proves that the worst case is at least its makespan.
///
/// Only [`replay`] constructs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineWitness {
    schedule: MachineSchedule,
    last_issues: Vec<Cycles>,
    completions: Vec<Cycles>,
}

impl MachineWitness {
    /// The schedule.
    pub fn schedule(&self) -> &MachineSchedule {
        &self.schedule
    }

    /// The last cycle in which any warp issues.
    pub fn makespan(&self) -> Cycles {
        self.last_issues.iter().copied().max().unwrap_or_default()
    }

    /// The last cycle in which a result arrives: an issue in cycle t with latency l has its result at the end
    /// of cycle t + l - 1.
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
/// The time is O(cycles with issues x (warps + units)) and the memory O(warps).
///
/// # Errors
/// The first violation in order of cycles, or code that is no straight line or has dependences.
pub fn replay(
    workload: &MachineWorkload,
    schedule: MachineSchedule,
) -> Result<MachineWitness, MachineViolation> {
    if workload.has_dependences() {
        return Err(MachineViolation::Dependences);
    }
    let lines = workload.lines().ok_or(MachineViolation::Paths)?;
    let lines: Vec<Line> = lines.into_iter().map(Line::new).collect();
    let found = schedule.issues().len() as u64;
    let all = lines.iter().zip(workload.groups());
    let expected = all.fold(0_u64, |sum, (line, group)| {
        sum.saturating_add(group.warps.saturating_mul(line.letters.len() as u64))
    });
    let warps_with_code = lines.iter().zip(workload.groups()).filter(|(line, _)| !line.letters.is_empty());
    if warps_with_code.map(|(_, group)| group.warps).sum::<u64>() > found {
        // a schedule with too few issues ends here, so the replay is no larger than the schedule
        return Err(MachineViolation::Unfinished { found, expected });
    }
    let mut replay = Replay::new(workload, &lines);
    let mut before = 0;
    for issues in schedule.issues().chunk_by(|a, b| a.cycle == b.cycle) {
        let cycle = issues[0].cycle;
        if cycle == 0 {
            return Err(MachineViolation::CycleZero);
        }
        replay.pause(before + 1, cycle)?;
        replay.cycle(cycle, issues)?;
        before = cycle;
    }
    if found < expected {
        return Err(MachineViolation::Unfinished { found, expected });
    }
    let Replay { last_issues, completions, .. } = replay;
    Ok(MachineWitness { schedule, last_issues, completions })
}

/// The letters of a group, and the instructions before which a barrier stands.
struct Line {
    letters: Vec<LetterId>,
    /// The first instruction of each segment that is not empty, but for the first one. Barriers before the
    /// first letter, after the last and next to each other change nothing.
    gates: Vec<usize>,
}

impl Line {
    fn new(segments: Vec<Vec<LetterId>>) -> Self {
        let (mut letters, mut gates) = (Vec::new(), Vec::new());
        for segment in segments {
            if !segment.is_empty() && !letters.is_empty() {
                gates.push(letters.len());
            }
            letters.extend(segment);
        }
        Self { letters, gates }
    }
}

/// A warp on its way.
struct Warp {
    name: WarpName,
    group: usize,
    /// The block within the group.
    block: u64,
    scheduler: u64,
    next: usize,
    /// The cycle from which on the next instruction is ready. `None` if it waits at a barrier for warps that
    /// have not come, or there is no next instruction.
    ready: Option<u64>,
    issued: u64,
}

/// The warps of a block that have come to its next barrier, and the end of their latencies.
#[derive(Default)]
struct Meeting {
    come: u64,
    opens: u64,
}

/// The instances of a unit that a scheduler sees: those of the unit, if it is shared, else its own.
type Instances = (usize, Option<u64>);

struct Replay<'a> {
    workload: &'a MachineWorkload,
    lines: &'a [Line],
    /// The warps of all groups in their order.
    warps: Vec<Warp>,
    /// By group, the number of its first warp.
    first: Vec<usize>,
    /// For each instance held, the first cycle in which it is free again.
    held: BTreeMap<Instances, Vec<u64>>,
    /// By scheduler, the slots used in this cycle.
    used: BTreeMap<u64, u64>,
    meetings: BTreeMap<(usize, u64), Meeting>,
    last_issues: Vec<Cycles>,
    completions: Vec<Cycles>,
}

impl<'a> Replay<'a> {
    fn new(workload: &'a MachineWorkload, lines: &'a [Line]) -> Self {
        let (mut warps, mut first) = (Vec::new(), Vec::new());
        let block = workload.warps_per_block();
        for (group, line) in lines.iter().enumerate() {
            first.push(warps.len());
            if line.letters.is_empty() {
                continue;
            }
            for (warp, number) in (0..).zip(workload.warps_of(group)) {
                warps.push(Warp {
                    name: WarpName { group: group as u64 + 1, warp: warp + 1 },
                    group,
                    block: block.map_or(0, |block| warp / block),
                    scheduler: number % workload.machine().schedulers(),
                    next: 0,
                    ready: Some(1),
                    issued: 0,
                });
            }
        }
        Self {
            workload,
            lines,
            warps,
            first,
            held: BTreeMap::new(),
            used: BTreeMap::new(),
            meetings: BTreeMap::new(),
            last_issues: vec![Cycles(0); lines.len()],
            completions: vec![Cycles(0); lines.len()],
        }
    }

    /// The next letter of a warp.
    fn letter(&self, warp: &Warp) -> Option<&'a Letter> {
        let letter = self.lines[warp.group].letters.get(warp.next)?;
        Some(self.workload.machine().letter(*letter))
    }

    fn copy(&self, letter: &Letter, scheduler: u64) -> Instances {
        let shared = self.workload.machine().units()[letter.unit].shared;
        (letter.unit, (!shared).then_some(scheduler))
    }

    /// The instances held in a cycle.
    fn held_in(&self, copy: Instances, cycle: u64) -> u64 {
        self.held.get(&copy).map_or(0, |free| free.iter().filter(|&&free| free > cycle).count() as u64)
    }

    /// Checks that no warp could issue from one cycle on until before another, in which time none does.
    fn pause(&self, from: u64, until: u64) -> Result<(), MachineViolation> {
        let mut first: Option<(u64, &Warp)> = None;
        for warp in &self.warps {
            let (Some(ready), Some(letter)) = (warp.ready, self.letter(warp)) else { continue };
            let ready = ready.max(from);
            let instances = self.workload.machine().units()[letter.unit].instances;
            let copy = self.copy(letter, warp.scheduler);
            let ends = self.held.get(&copy).into_iter().flatten().copied();
            let could = ends.chain([ready]).filter(|&at| at >= ready && self.held_in(copy, at) < instances);
            if let Some(at) = could.min()
                && at < until
                && first.is_none_or(|(before, _)| at < before)
            {
                first = Some((at, warp));
            }
        }
        first.map_or(Ok(()), |(at, warp)| Err(self.idle(at, warp, 0)))
    }

    /// Plays a cycle in which some warps issue.
    fn cycle(&mut self, cycle: u64, issues: &[MachineIssue]) -> Result<(), MachineViolation> {
        self.used.clear();
        self.held.values_mut().for_each(|free| free.retain(|&free| free > cycle));
        for issue in issues {
            self.issue(issue)?;
        }
        let width = self.workload.machine().width();
        for warp in &self.warps {
            let (Some(ready), Some(letter)) = (warp.ready, self.letter(warp)) else { continue };
            if ready > cycle {
                continue;
            }
            let issued = self.used.get(&warp.scheduler).copied().unwrap_or(0);
            let held = self.held_in(self.copy(letter, warp.scheduler), cycle);
            if width != Some(issued) && held < self.workload.machine().units()[letter.unit].instances {
                return Err(self.idle(cycle, warp, issued));
            }
        }
        Ok(())
    }

    /// Lets one warp issue its next instruction.
    fn issue(&mut self, issue: &MachineIssue) -> Result<(), MachineViolation> {
        let &MachineIssue { cycle, instruction, latency, .. } = issue;
        let at = self.find(issue)?;
        let (name, found) = (self.warps[at].name, u64::from(instruction) + 1);
        if self.warps[at].issued == cycle {
            return Err(MachineViolation::Twice { cycle, warp: name });
        }
        let Some(letter) = self.letter(&self.warps[at]).filter(|_| self.warps[at].next as u64 + 1 == found)
        else {
            let next = self.warps[at].next as u64 + 1;
            return Err(MachineViolation::OutOfOrder { cycle, warp: name, found, next });
        };
        match self.warps[at].ready {
            None => return Err(MachineViolation::Barrier { cycle, warp: name, instruction: found }),
            Some(ready) if ready > cycle => {
                return Err(MachineViolation::TooEarly { cycle, warp: name, instruction: found, ready });
            }
            Some(_) => {}
        }
        let (least, most) = (letter.latency.least, letter.latency.most);
        if latency < least || latency > most {
            let letter = letter.name.clone();
            return Err(MachineViolation::Latency { cycle, warp: name, letter, found: latency, least, most });
        }
        let scheduler = self.warps[at].scheduler;
        let used = self.used.entry(scheduler).or_default();
        *used += 1;
        if let Some(width) = self.workload.machine().width().filter(|&width| *used > width) {
            return Err(MachineViolation::Width { cycle, scheduler: scheduler + 1, width });
        }
        let copy = self.copy(letter, scheduler);
        let unit = &self.workload.machine().units()[letter.unit];
        if self.held_in(copy, cycle) >= unit.instances {
            let (unit, instances) = (unit.name.clone(), unit.instances);
            return Err(MachineViolation::Held { cycle, warp: name, unit, instances });
        }
        let after = |cycles| cycle.checked_add(cycles).ok_or(MachineViolation::TooLate(cycle));
        let (free, ready) = (after(letter.occupancy)?, after(latency)?);
        self.held.entry(copy).or_default().push(free);
        let group = self.warps[at].group;
        self.last_issues[group] = Cycles(cycle);
        self.completions[group] = self.completions[group].max(Cycles(ready - 1));
        self.go_on(at, cycle, ready);
        Ok(())
    }

    /// Moves a warp to its next instruction, which is ready in a given cycle unless a barrier stands before it.
    fn go_on(&mut self, at: usize, cycle: u64, ready: u64) {
        let warp = &mut self.warps[at];
        (warp.next, warp.issued) = (warp.next + 1, cycle);
        let (group, block) = (warp.group, warp.block);
        let is_gate = self.lines[group].gates.binary_search(&warp.next).is_ok();
        warp.ready = (!is_gate && warp.next < self.lines[group].letters.len()).then_some(ready);
        if !is_gate {
            return;
        }
        let meeting = self.meetings.entry((group, block)).or_default();
        (meeting.come, meeting.opens) = (meeting.come + 1, meeting.opens.max(ready));
        let all = self.workload.groups()[group].warps;
        let most = self.workload.warps_per_block().unwrap_or(all);
        if meeting.come == most.min(all - block * most) {
            let opens = meeting.opens;
            *meeting = Meeting::default();
            let members = self.warps.iter_mut().filter(|warp| (warp.group, warp.block) == (group, block));
            members.for_each(|warp| warp.ready = Some(opens));
        }
    }

    /// The warp that an issue names.
    fn find(&self, issue: &MachineIssue) -> Result<usize, MachineViolation> {
        let (group, warp) = (issue.group as usize, u64::from(issue.warp));
        let no = |what, found, most| MachineViolation::NoSuch { cycle: issue.cycle, what, found, most };
        let groups = self.workload.groups();
        let found = groups.get(group).ok_or(no("group", group as u64 + 1, groups.len() as u64))?;
        if warp >= found.warps {
            return Err(no("warp", warp + 1, found.warps));
        }
        if self.lines[group].letters.is_empty() {
            return Err(no("instruction", u64::from(issue.instruction) + 1, 0));
        }
        Ok(self.first[group] + issue.warp as usize)
    }

    fn idle(&self, cycle: u64, warp: &Warp, issued: u64) -> MachineViolation {
        let units = self.workload.machine().units();
        let letter = self.letter(warp);
        let unit = letter.map(|letter| &units[letter.unit]);
        MachineViolation::NotWorkConserving {
            cycle,
            warp: warp.name,
            instruction: warp.next as u64 + 1,
            unit: unit.map_or(String::new(), |unit| unit.name.clone()),
            held: letter.map_or(0, |letter| self.held_in(self.copy(letter, warp.scheduler), cycle)),
            instances: unit.map_or(0, |unit| unit.instances),
            issued,
        }
    }
}
