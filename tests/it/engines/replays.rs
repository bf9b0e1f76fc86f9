//! The replay against an older one that counts warps instead of following each: both accept the same schedules of the paper's
//! multiprocessor, also of blocks with barriers, whether an engine made them or someone damaged them.

use proptest::prelude::*;

use crate::common::cases::cases;
use warpspan::limits::Limits;
use warpspan::model::{Code, Grid, Instance, Multiprocessor, PerUnit, Unit, WarpGroup};
use warpspan::schedule::{Issue, Schedule, Start, replay};

/// Where the warps of an instance are after some cycles.
struct Counts<'a> {
    instance: &'a Instance,
    next: Vec<Vec<u32>>,
    issued: Vec<Vec<u64>>,
    ready: PerUnit<u64>,
    opened: Vec<Vec<usize>>,
    standing: Vec<Vec<u64>>,
    opening: Vec<(usize, usize)>,
}

fn index(value: u64) -> usize {
    usize::try_from(value).unwrap()
}

impl<'a> Counts<'a> {
    fn new(instance: &'a Instance) -> Self {
        let groups = instance.groups();
        let mut ready = PerUnit::from_fn(|_| 0);
        groups.iter().for_each(|group| ready[group.kernel.units()[0]] += group.warps);
        let size = |group: &WarpGroup| instance.warps_per_block().unwrap_or(group.warps);
        let of_warps = |group: &WarpGroup| vec![0; index(group.warps)];
        let of_blocks = |group: &WarpGroup| index(group.warps.div_ceil(size(group)));
        Self {
            instance,
            next: groups.iter().map(|group| vec![0; index(group.warps)]).collect(),
            issued: groups.iter().map(of_warps).collect(),
            ready,
            opened: groups.iter().map(|group| vec![0; of_blocks(group)]).collect(),
            standing: groups.iter().map(|group| vec![0; of_blocks(group)]).collect(),
            opening: Vec::new(),
        }
    }

    /// The block of a warp, and the instruction before which its next barrier is.
    fn barrier(&self, group: usize, warp: usize) -> (usize, Option<usize>) {
        let block = self.instance.warps_per_block().map_or(0, |size| warp / index(size));
        let barriers = self.instance.groups()[group].kernel.barriers();
        (block, barriers.get(self.opened[group][block]).copied())
    }

    fn issue(&mut self, cycle: u64, issue: &Issue) -> Option<Unit> {
        let (group, warp) = (issue.group as usize, issue.warp as usize);
        let of = self.instance.groups().get(group)?;
        let next = *self.next[group].get(warp)?;
        let unit = *of.kernel.units().get(next as usize)?;
        let (block, barrier) = self.barrier(group, warp);
        if self.issued[group][warp] == cycle || issue.instruction != next || barrier == Some(next as usize) {
            return None;
        }
        self.ready[unit] -= 1;
        if barrier == Some(next as usize + 1) {
            self.standing[group][block] += 1;
            let size = self.instance.warps_per_block().unwrap_or(of.warps);
            if self.standing[group][block] == size.min(of.warps - block as u64 * size) {
                self.opening.push((group, block));
            }
        } else if let Some(&after) = of.kernel.units().get(next as usize + 1) {
            self.ready[after] += 1;
        }
        (self.next[group][warp], self.issued[group][warp]) = (next + 1, cycle);
        Some(unit)
    }

    fn step(&mut self, cycle: u64, issues: &[Issue]) -> Option<()> {
        let (ready, mut count) = (self.ready, PerUnit::from_fn(|_| 0_u64));
        for issue in issues {
            count[self.issue(cycle, issue)?] += 1;
        }
        let due = |unit: Unit| self.instance.sigma(unit).min(ready[unit]);
        if Unit::ALL.iter().any(|&unit| count[unit] != due(unit)) {
            return None;
        }
        for (group, block) in std::mem::take(&mut self.opening) {
            let kernel = &self.instance.groups()[group].kernel;
            let first = kernel.units()[kernel.barriers()[self.opened[group][block]]];
            self.ready[first] += std::mem::take(&mut self.standing[group][block]);
            self.opened[group][block] += 1;
        }
        Some(())
    }
}

/// The makespan of a schedule, or `None` if it breaks a rule.
fn counted(instance: &Instance, schedule: &Schedule) -> Option<u64> {
    let (mut counts, last) = (Counts::new(instance), schedule.issues().last()?.cycle);
    let mut issues = schedule.issues();
    for cycle in 0..=last {
        let now;
        (now, issues) = issues.split_at(issues.partition_point(|issue| issue.cycle <= cycle));
        if cycle == 0 && !now.is_empty() {
            return None;
        }
        if cycle > 0 {
            counts.step(cycle, now)?;
        }
    }
    (schedule.issues().len() as u64 == instance.total_issues()).then_some(last)
}

/// Instances of one or two groups, some with barriers and blocks.
fn instances() -> impl Strategy<Value = Instance> {
    let kernel = prop::sample::select(vec!["L", "C", "LC", "CL", "L|C", "LLC|LC", "C|L|C", "LCL", "CC|L"]);
    let group = (kernel, 1..5_u64);
    (prop::collection::vec(group, 1..3), prop::option::of(1..4_u64), 1..3_u32, 1..3_u32).prop_map(
        |(groups, block, sigma_l, sigma_c)| {
            let group = |(kernel, warps): (&str, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
            let sigma = |sigma: u32| sigma.to_string().parse().unwrap();
            let multiprocessor = Multiprocessor::new(sigma(sigma_l), sigma(sigma_c));
            let instance = Instance::new(groups.into_iter().map(group).collect(), multiprocessor).unwrap();
            block.map_or(Ok(instance.clone()), |block| instance.in_blocks_of(block)).unwrap()
        },
    )
}

/// Damages an issue: one of its numbers goes up or down by one.
fn damaged(schedule: &Schedule, at: usize, what: u8, up: bool) -> Schedule {
    let mut issues = schedule.issues().to_vec();
    let at = at % issues.len();
    let issue = &mut issues[at];
    let change = |value: u32| if up { value + 1 } else { value.saturating_sub(1) };
    match what {
        0 => issue.cycle = if up { issue.cycle + 1 } else { issue.cycle.saturating_sub(1) },
        1 => issue.warp = change(issue.warp),
        2 => issue.instruction = change(issue.instruction),
        3 => issue.group = change(issue.group),
        _ => drop(issues.remove(at)),
    }
    Schedule::new(issues)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(cases(20_000)).unwrap()))]

    #[test]
    fn both_replays_accept_the_same(instance in instances(), hurt in prop::collection::vec((any::<usize>(), 0..5_u8, any::<bool>()), 0..3)) {
        let schedules = warpspan::engines::simulate::schedules(&instance, &Limits::generous());
        for schedule in schedules {
            prop_assert!(replay(&instance, schedule.clone()).is_ok());
            let schedule = hurt.iter().fold(schedule, |schedule, &(at, what, up)| {
                if schedule.issues().is_empty() { schedule } else { damaged(&schedule, at, what, up) }
            });
            let found = replay(&instance, schedule.clone()).ok().map(|witness| witness.makespan().0);
            prop_assert_eq!(found, counted(&instance, &schedule), "{:?}", schedule);
        }
    }

    /// A workload is a grid whose blocks start together.
    #[test]
    fn a_workload_is_a_grid_whose_blocks_start_together(warps in 1..3_u64, blocks in 1..4_u64, hurt in prop::option::of((any::<usize>(), 0..3_u8, any::<bool>()))) {
        for code in ["LC", "L|C", "LCL", "CC|L"] {
            let grid = Grid::new(code.parse::<Code>().unwrap(), Multiprocessor::default(), warps, blocks).unwrap();
            let instance = grid.together().instance().unwrap();
            for schedule in warpspan::engines::simulate::schedules(instance, &Limits::generous()) {
                let schedule = hurt.map_or(schedule.clone(), |(at, what, up)| damaged(&schedule, at, what, up));
                let start = |block| Start { cycle: 1, multiprocessor: 0, slot: block, block };
                let of_grid = Schedule::of_blocks((0..blocks).map(start).collect(), schedule.issues().to_vec());
                let [alone, following] = [replay(instance, schedule), replay(&grid, of_grid)];
                prop_assert_eq!(alone.ok().map(|w| w.makespan()), following.ok().map(|w| w.makespan()));
            }
        }
    }
}
