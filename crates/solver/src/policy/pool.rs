//! The warps of a simulation, and what issues in it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::policy::code::Line;
use crate::policy::units::Units;
use crate::policy::{Candidate, Draw, Scenario};
use warpspan_check::schedule::Issue;
use warpspan_model::machine::{Latency, LetterId, Machine, MachineWorkload};

/// The cycle of what does not happen unless something else happens first.
pub(super) const NEVER: u64 = u64::MAX;

/// A warp that has not finished.
#[derive(Debug, Clone, Copy)]
pub(super) struct Warp {
    group: u32,
    index: u32,
    next: u32,
    letter: LetterId,
    /// The number of barriers that have opened for it.
    passed: u32,
    /// The first cycle in which it is ready, or [`NEVER`] while it stands at a barrier.
    pub(super) ready: u64,
    /// The first cycle in which all results of its instructions are there.
    results: u64,
    pub(super) priority: u64,
}

/// A group: its code, and where its warps, blocks and tokens begin.
struct Members<'a> {
    line: &'a Line,
    warps: u64,
    block: u64,
    first_warp: usize,
    first_block: usize,
    first_token: usize,
}

/// The warps of a block that stand at a barrier, and the first cycle in which all of them may go on.
#[derive(Debug, Clone, Copy, Default)]
struct Gate {
    standing: u64,
    opens: u64,
}

/// All warps, ordered by age.
pub(super) struct Pool<'a> {
    machine: &'a Machine,
    groups: Vec<Members<'a>>,
    warps: Vec<Warp>,
    gates: Vec<Gate>,
    /// For each warp and token, the first cycle in which the token is free.
    tokens: Vec<u64>,
    units: Units,
    latency: Draw,
    random: ChaCha8Rng,
    /// The number of warps that have been launched, and the number of these that have not finished.
    come: usize,
    present: usize,
    /// For each scheduler, the first cycle in which one of its warps may issue.
    pub(super) wakes: Vec<u64>,
    pub(super) issues: Vec<Issue>,
}

impl<'a> Pool<'a> {
    /// The warps of a workload, which are fewer than 2^32.
    pub(super) fn new(
        workload: &'a MachineWorkload,
        lines: &'a [Line],
        scenario: &Scenario,
        schedulers: usize,
    ) -> Self {
        let (mut warps, mut groups): (Vec<Warp>, Vec<Members>) = (Vec::new(), Vec::new());
        let (mut blocks, mut tokens) = (0, 0);
        for (at, (group, line)) in (0_u32..).zip(workload.groups().iter().zip(lines)) {
            let block = workload.warps_per_block().unwrap_or(group.warps).min(group.warps);
            let count = u32::try_from(group.warps).unwrap_or(u32::MAX);
            groups.push(Members {
                line,
                warps: group.warps,
                block,
                first_warp: 0,
                first_block: blocks,
                first_token: tokens,
            });
            let gates = if line.barriers.is_empty() { 0 } else { group.warps.div_ceil(block) };
            blocks += usize::try_from(gates).unwrap_or(usize::MAX);
            tokens += count as usize * line.tokens;
            let Some(&letter) = line.letters.first().or(LetterId::new(0).as_ref()) else { continue };
            warps.extend((0..count).map(|index| Warp {
                group: at,
                index,
                next: 0,
                letter,
                passed: 0,
                ready: scenario.launch[at as usize] + 1,
                results: 0,
                priority: scenario.priority[at as usize],
            }));
        }
        warps.sort_by_key(|warp| warp.ready); // The warps of a group stay side by side.
        for (at, warp) in warps.iter().enumerate().filter(|(_, warp)| warp.index == 0) {
            groups[warp.group as usize].first_warp = at;
        }
        let mut random = ChaCha8Rng::seed_from_u64(scenario.seed);
        random.set_stream(u64::MAX); // The schedulers draw from the first streams.
        Self {
            machine: workload.machine(),
            groups,
            warps,
            gates: vec![Gate::default(); blocks],
            tokens: vec![0; tokens],
            units: Units::new(workload.machine(), schedulers),
            latency: scenario.latency,
            random,
            come: 0,
            present: 0,
            wakes: vec![NEVER; schedulers],
            issues: Vec::new(),
        }
    }

    /// The number of warps.
    pub(super) fn len(&self) -> usize {
        self.warps.len()
    }

    /// A warp.
    pub(super) fn warp(&self, number: u32) -> &Warp {
        &self.warps[number as usize]
    }

    /// Whether a warp has issued its last instruction.
    pub(super) fn has_finished(&self, number: u32) -> bool {
        let warp = self.warp(number);
        warp.next as usize >= self.groups[warp.group as usize].line.letters.len()
    }

    /// The next cycle after this one in which something may issue, if anything is left.
    pub(super) fn next_cycle(&self, cycle: u64) -> Option<u64> {
        let arrival = self.warps.get(self.come).map(|warp| warp.ready);
        if self.present == 0 {
            return arrival;
        }
        let wakes = self.wakes.iter().copied().chain(arrival).min();
        wakes.filter(|&wakes| wakes != NEVER).map(|wakes| wakes.max(cycle + 1))
    }

    /// Tells which warps are present from this cycle on, each with the number of its scheduler.
    pub(super) fn arrive(&mut self, cycle: u64, mut tell: impl FnMut(usize, Candidate)) {
        while let Some(warp) = self.warps.get(self.come).filter(|warp| warp.ready <= cycle) {
            let number = u32::try_from(self.come).unwrap_or(u32::MAX);
            if !self.has_finished(number) {
                let at = self.come % self.wakes.len();
                tell(at, Candidate { warp: number, priority: warp.priority });
                self.wakes[at] = cycle;
                self.present += 1;
            }
            self.come += 1;
        }
    }

    /// Issues the next instruction of a warp if it is ready and an instance of its unit is free, and says
    /// whether it did.
    pub(super) fn issue(&mut self, number: u32, scheduler: usize, cycle: u64) -> bool {
        let Warp { ready, letter, .. } = *self.warp(number);
        if ready > cycle || !self.units.take(letter, scheduler, cycle) {
            return false;
        }
        let latency = self.draw(self.machine.letter(letter).latency);
        let warp = &mut self.warps[number as usize];
        let Warp { group, index, next: instruction, .. } = *warp;
        self.issues.push(Issue { cycle, group, warp: index, instruction, latency });
        let result = cycle + latency;
        warp.results = warp.results.max(result);
        warp.ready = result;
        warp.next += 1;
        let Members { line, first_token, .. } = self.groups[group as usize];
        let tokens = &mut self.tokens[first_token + index as usize * line.tokens..][..line.tokens];
        if let Some(waits) = line.waits(instruction) {
            warp.ready = cycle + u64::from(waits.stall).max(1);
            for &token in &waits.sets {
                let free = &mut tokens[usize::from(token)];
                *free = result.max(*free);
            }
        }
        if let Some(waits) = line.waits(warp.next) {
            let free = waits.needs.iter().map(|&token| tokens[usize::from(token)]).max();
            warp.ready = warp.ready.max(free.unwrap_or(0));
        }
        match line.letters.get(warp.next as usize) {
            Some(&letter) => warp.letter = letter,
            None => self.present -= 1,
        }
        if line.barriers.get(warp.passed as usize) == Some(&warp.next) {
            self.stand(number);
        }
        true
    }

    /// Lets a warp stand at a barrier, and opens the barrier if all warps of the block stand there. They are
    /// ready when the results of all instructions before it are there.
    fn stand(&mut self, number: u32) {
        let warp = &mut self.warps[number as usize];
        let Members { warps, block, first_warp, first_block, .. } = self.groups[warp.group as usize];
        let (at, members) =
            (u64::from(warp.index) / block, block.min(warps - u64::from(warp.index) / block * block));
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let gate = &mut self.gates[first_block + index(at)];
        gate.standing += 1;
        gate.opens = gate.opens.max(warp.ready).max(warp.results);
        warp.ready = NEVER;
        if gate.standing < members {
            return;
        }
        let opens = std::mem::take(gate).opens;
        let first = first_warp + index(at * block);
        for number in first..first + index(members) {
            self.warps[number].ready = opens;
            self.warps[number].passed += 1;
            let count = self.wakes.len();
            let wakes = &mut self.wakes[number % count];
            *wakes = opens.min(*wakes);
        }
    }

    /// The latency of an issue.
    fn draw(&mut self, Latency { least, most }: Latency) -> u64 {
        match self.latency {
            Draw::Most => most,
            Draw::Least => least,
            Draw::Random if least == most => most,
            Draw::Random => self.random.random_range(least..=most),
        }
    }

    /// Whether a scheduler can issue no more in this cycle, whatever its warps want.
    pub(super) fn is_full(&mut self, scheduler: usize, cycle: u64) -> bool {
        self.units.are_full(scheduler, cycle)
    }

    /// The first cycle after this one in which a warp of a scheduler may issue, if nothing else happens.
    pub(super) fn may_issue(&mut self, number: u32, scheduler: usize, cycle: u64) -> u64 {
        let Warp { ready, letter, .. } = *self.warp(number);
        match ready {
            NEVER => NEVER,
            _ => self.units.free_from(letter, scheduler, cycle).max(ready).max(cycle + 1),
        }
    }
}
