//! Simple work-conserving policies, simulated, which quickly give lower bounds with a schedule.
//!
//! The engines of this crate search for the worst schedule, whereas each of these policies simulates only one. A search
//! that is stopped early falls back to the longest of these schedules.

mod gates;
pub mod grid;
mod phased;

use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::{Instance, PerUnit, Unit};

pub(crate) use gates::Gates;
#[doc(hidden)]
pub use phased::{Phased, phased, takes};

/// Which of the ready warps issue first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The warps with the fewest instructions issued.
    LeastAdvanced,
    /// The warps with the most instructions issued.
    MostAdvanced,
    /// The least advanced warps, but the last warp of each group only where no other is ready. That warp goes
    /// first when all ready warps want the same unit and its next two letters are equal. At sigma = 1 and for
    /// one group of three or more warps this gives the worst case.
    Straggler,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::LeastAdvanced, Self::MostAdvanced, Self::Straggler];
}

/// The number of warp-cycles that a simulation may take.
const BUDGET: u64 = 500_000_000;

/// The schedules of all policies. There are none if the instance is too large to simulate in a few seconds,
/// and fewer if a limit is reached.
pub fn schedules(instance: &Instance, limits: &Limits) -> Vec<Schedule> {
    let work = instance.total_issues().saturating_mul(instance.total_warps());
    if work.saturating_mul(Policy::ALL.len() as u64) > BUDGET || !fits(instance, limits) {
        return Vec::new();
    }
    Policy::ALL.iter().map_while(|&policy| schedule(instance, policy, limits)).collect()
}

/// Whether a schedule, and the warps while it is made, fit into the memory limit.
fn fits(instance: &Instance, limits: &Limits) -> bool {
    instance.total_issues().saturating_mul(BYTES_AN_ISSUE) <= limits.memory
}

/// The number of bytes that an issue takes while its schedule is built and replayed.
const BYTES_AN_ISSUE: u64 = 128;

/// Checks the limits once a given number of warps has been processed.
#[doc(hidden)]
pub struct Meter<'a> {
    limits: &'a Limits,
    looked: usize,
}

impl<'a> Meter<'a> {
    const LOOK: usize = 1 << 20;
    /// The least number that a cycle counts for.
    const LEAST: usize = 1 << 8;

    pub fn new(limits: &'a Limits) -> Self {
        Self { limits, looked: 0 }
    }

    /// Counts `warps` more warps.
    ///
    /// # Errors
    /// If it is time to stop.
    pub fn go_on(&mut self, warps: usize) -> Result<(), Stop> {
        self.looked += warps.max(Self::LEAST);
        if self.looked >= Self::LOOK {
            self.looked = 0;
            return self.limits.go_on();
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Warp {
    group: u32,
    index: u32,
    next: u32,
    straggler: bool,
}

/// The schedule of one policy. It is `None` if a limit is reached. A cycle takes time O(W log W).
pub fn schedule(instance: &Instance, policy: Policy, limits: &Limits) -> Option<Schedule> {
    let mut meter = Meter::new(limits);
    let mut warps = Vec::new();
    for (group, members) in (0..).zip(instance.groups()) {
        let count = u32::try_from(members.warps).expect("simulated instances have fewer than 2^32 warps");
        warps.extend((0..count).map(|index| Warp { group, index, next: 0, straggler: index + 1 == count }));
    }
    let letter = |warp: &Warp, ahead: usize| {
        instance.groups()[warp.group as usize].kernel.units().get(warp.next as usize + ahead).copied()
    };
    let mut gates = Gates::new(instance);
    let mut issues = Vec::new();
    for cycle in 1.. {
        meter.go_on(warps.len()).ok()?;
        let mut ready = PerUnit::from_fn(|_| Vec::new());
        for (at, warp) in warps.iter().enumerate() {
            if gates.stands(warp.group as usize, warp.index, warp.next) {
                continue;
            }
            if let Some(unit) = letter(warp, 0) {
                ready[unit].push(at);
            }
        }
        let wanted = Unit::ALL.iter().filter(|&&unit| !ready[unit].is_empty()).count();
        if wanted == 0 {
            break;
        }
        let walks = |warp: &Warp| wanted == 1 && letter(warp, 0) == letter(warp, 1);
        for unit in Unit::ALL {
            ready[unit].sort_by_key(|&at| rank(policy, &warps[at], walks(&warps[at])));
            let sigma = usize::try_from(instance.sigma(unit)).unwrap_or(usize::MAX);
            for &at in ready[unit].iter().take(sigma) {
                let Warp { group, index, next, .. } = warps[at];
                issues.push(Issue { cycle, group, warp: index, instruction: next, latency: 1 });
                warps[at].next += 1;
                gates.issued(group as usize, index, next + 1);
            }
        }
        gates.open();
    }
    Some(Schedule::new(issues))
}

/// The rank of a warp. Warps of smaller rank issue first, and equal ranks in the order of their numbers.
fn rank(policy: Policy, warp: &Warp, walks: bool) -> (u8, u32) {
    match policy {
        Policy::LeastAdvanced => (1, warp.next),
        Policy::MostAdvanced => (1, u32::MAX - warp.next),
        Policy::Straggler if !warp.straggler => (1, warp.next),
        Policy::Straggler if walks => (0, 0),
        Policy::Straggler => (2, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_check::schedule::replay;
    use warpspan_model::{Multiprocessor, WarpGroup};

    #[test]
    fn every_policy_keeps_the_rules() {
        let group = |kernel: &str, warps| WarpGroup { kernel: kernel.parse().unwrap(), warps };
        let multiprocessor = Multiprocessor::new("1".parse().unwrap(), "2".parse().unwrap());
        let instance = Instance::new(vec![group("LLCCL", 5), group("CCLC", 3)], multiprocessor).unwrap();
        for policy in Policy::ALL {
            replay(&instance, schedule(&instance, policy, &Limits::generous()).unwrap()).unwrap();
        }
    }

    /// The straggler policy, which is defined by its rule, gives the schedule of the closed form.
    #[test]
    fn straggler_attains_the_closed_form_of_llcll() {
        for (warps, makespan) in [(1, 5), (3, 13), (4, 17), (9, 37)] {
            let instance =
                Instance::single("LLCLL".parse().unwrap(), warps, Multiprocessor::default()).unwrap();
            let witness = schedule(&instance, Policy::Straggler, &Limits::generous()).unwrap();
            let witness = replay(&instance, witness).unwrap();
            assert_eq!(witness.makespan().0, makespan);
        }
    }
}
