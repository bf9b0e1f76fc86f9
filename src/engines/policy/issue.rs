//! The issue unit (Si21 Algorithm 4), for any policy.

use crate::engines::policy::{
    Candidate, Last, Machine, Policy, Run, RunError, SortWarps, Width, range, worst,
};
use crate::engines::simulate::{Gates, Meter};
use crate::limits::Limits;
use crate::model::{Cycles, Instance, PerUnit, Unit};
use crate::schedule::{Issue, Schedule};

/// Simulates a policy. A cycle takes time O(warps), so this is not meant for many more warps than a
/// multiprocessor holds.
///
/// # Errors
/// If the machine does not suit the instance or the policy, a limit is reached, or the verifier refuses the
/// schedule. [`Policy::Worst`] is the longest schedule found within the limits by [`range`](range()).
pub fn simulate(
    instance: &Instance,
    policy: Policy,
    machine: &Machine,
    limits: &Limits,
) -> Result<Run, RunError> {
    machine.suits(instance, policy)?;
    let bytes = instance.total_issues().saturating_mul(2 * size_of::<Issue>() as u64);
    let warps = u32::try_from(instance.total_warps()).ok().filter(|_| bytes <= limits.memory);
    if warps.is_none() {
        return Err(RunError::TooLarge(instance.total_issues()));
    }
    let mut schedulers = Vec::new();
    for number in 0..machine.schedulers.min(instance.total_warps()) {
        match policy.order(machine.seed, number) {
            Some(order) => schedulers.push(Scheduler::new(order)),
            None => return worst(instance, machine, &range(instance, limits, None)?),
        }
    }
    let mut pool = Pool::new(instance, machine);
    let mut meter = Meter::new(limits);
    let mut cycle = 0;
    while let Some(next) = pool.next_cycle(cycle) {
        cycle = next;
        let stopped = |stop| RunError::Stopped { policy, cycle: Cycles(cycle), stop };
        meter.go_on(pool.warps.len()).map_err(stopped)?;
        pool.arrive(cycle, &mut schedulers);
        let mut room = PerUnit::from_fn(|unit| instance.sigma(unit));
        let first = pool.issues.len();
        let turn = usize::try_from((cycle - 1) % schedulers.len() as u64).unwrap_or(0);
        let (later, sooner) = schedulers.split_at_mut(turn);
        for scheduler in sooner.iter_mut().chain(later) {
            scheduler.cycle(cycle, machine, &mut room, &mut pool);
        }
        pool.issues[first..].sort_unstable();
        pool.open();
    }
    Run::new(instance, policy, machine, Schedule::new(pool.issues))
}

/// A warp that has not finished.
#[derive(Debug, Clone, Copy)]
struct Warp {
    group: u32,
    index: u32,
    next: u32,
    unit: Unit,
    ready: u64,
    priority: u64,
}

/// All warps, ordered by age.
struct Pool<'a> {
    instance: &'a Instance,
    machine: &'a Machine,
    warps: Vec<Warp>,
    /// The number of warps that have been launched, and the number of these that have not finished.
    come: usize,
    present: usize,
    issues: Vec<Issue>,
    gates: Gates<'a>,
}

impl<'a> Pool<'a> {
    fn new(instance: &'a Instance, machine: &'a Machine) -> Self {
        let mut warps = Vec::new();
        for ((group, members), (&launch, &priority)) in
            (0..).zip(instance.groups()).zip(machine.launch.iter().zip(&machine.priority))
        {
            let unit = members.kernel.units()[0];
            let count = u32::try_from(members.warps).unwrap_or(u32::MAX);
            warps.extend((0..count).map(|index| Warp {
                group,
                index,
                next: 0,
                unit,
                ready: launch + 1,
                priority,
            }));
        }
        warps.sort_by_key(|warp| warp.ready);
        Self {
            instance,
            machine,
            warps,
            come: 0,
            present: 0,
            issues: Vec::new(),
            gates: Gates::new(instance),
        }
    }

    /// The next cycle in which a warp is present, if any is left.
    fn next_cycle(&self, cycle: u64) -> Option<u64> {
        match self.present {
            0 => self.warps.get(self.come).map(|warp| warp.ready),
            _ => Some(cycle + 1),
        }
    }

    /// Gives the warps that are present from this cycle on to their schedulers.
    fn arrive(&mut self, cycle: u64, schedulers: &mut [Scheduler]) {
        let count = schedulers.len();
        while let Some(warp) = self.warps.get(self.come).filter(|warp| warp.ready <= cycle) {
            let number = u32::try_from(self.come).unwrap_or(u32::MAX);
            schedulers[self.come % count].warps.push(Candidate { warp: number, priority: warp.priority });
            self.come += 1;
            self.present += 1;
        }
    }

    /// Opens each barrier for which all warps of the block have completed their last instruction before it,
    /// and lets these warps go on.
    fn open(&mut self) {
        for (group, block) in self.gates.open() {
            let gates = &self.gates;
            let of =
                |warp: &&mut Warp| warp.group as usize == group && gates.block(group, warp.index) == block;
            let latest = self.warps.iter_mut().filter(of).map(|warp| warp.ready).max().unwrap_or(0);
            self.warps.iter_mut().filter(of).for_each(|warp| warp.ready = latest);
        }
    }

    /// Issues the next instruction of a warp, and says whether it was the last of the warp.
    fn dispatch(&mut self, number: u32, cycle: u64) -> bool {
        let warp = &mut self.warps[number as usize];
        let Warp { group, index, next, unit, .. } = *warp;
        self.issues.push(Issue { cycle, group, warp: index, instruction: next });
        warp.next += 1;
        warp.ready = cycle + self.machine.latency[unit];
        let next = warp.next;
        self.gates.issued(group as usize, index, next);
        match self.instance.groups()[group as usize].kernel.units().get(warp.next as usize) {
            Some(&unit) => warp.unit = unit,
            None => self.present -= 1,
        }
        self.instance.groups()[group as usize].kernel.len() == warp.next as usize
    }
}

/// A scheduler and its warps that are present and not finished, ordered by age.
struct Scheduler {
    order: Box<dyn SortWarps>,
    warps: Vec<Candidate>,
    last: Last,
    queue: Vec<u32>,
}

impl Scheduler {
    fn new(order: Box<dyn SortWarps>) -> Self {
        Self { order, warps: Vec::new(), last: Last::default(), queue: Vec::new() }
    }

    /// Issues instructions for which there is room.
    fn cycle(&mut self, cycle: u64, machine: &Machine, room: &mut PerUnit<u64>, pool: &mut Pool) {
        self.queue.clear();
        self.order.sort(self.last, &self.warps, &mut self.queue);
        let candidate =
            |pool: &Pool, warp: u32| Candidate { warp, priority: pool.warps[warp as usize].priority };
        let (mut first, mut finished) = (None, false);
        for &warp in &self.queue {
            let Warp { ready, unit, group, index, next, .. } = pool.warps[warp as usize];
            if ready > cycle || room[unit] == 0 || pool.gates.stands(group as usize, index, next) {
                continue;
            }
            room[unit] -= 1;
            first = first.or(Some(candidate(pool, warp)));
            finished |= pool.dispatch(warp, cycle);
            if machine.width == Width::One || Unit::ALL.iter().all(|&unit| room[unit] == 0) {
                break;
            }
        }
        let head = self.queue.first().map(|&head| candidate(pool, head));
        if head != first {
            self.last.head = head; // line 14 of the algorithm stands after the exit of the loop
        }
        self.last.greedy = first.or(self.last.greedy);
        if finished {
            let warps = &pool.warps;
            self.warps.retain(|candidate| {
                let warp = &warps[candidate.warp as usize];
                (warp.next as usize) < pool.instance.groups()[warp.group as usize].kernel.len()
            });
        }
    }
}
