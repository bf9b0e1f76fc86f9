//! The straggler policy for any sigmas and mixes: a pack goes through the phases of its labelled kernels
//! while one warp is kept back.
//!
//! At sigma = 1 and for one kernel this is close to the schedule of [`crate::phase::straggler`]. For
//! larger sigmas there is no proof that it is the worst, but exact search on small instances finds little
//! more. Phases alternate between the units. The phase of an instruction is the number of label changes
//! before it, and one more if the kernel's first label is not the unit of phase 0. Let phi be the least phase
//! in the pack, and X its unit.
//!
//! * The straggler goes first in three cases: the pack has finished; the straggler's run (of equal letters)
//!   comes before the phi-th; or its run is the phi-th, another phase follows and it is not on the run's last
//!   letter. Otherwise it goes last. Its runs count from -1 if its first letter is not the unit of phase 0.
//! * On X the least advanced warps of the pack go first. On the other unit those of phase phi go first, the
//!   most advanced of them before the others, so that letters that disagree with their label are used up; the
//!   rest follow, the least advanced first. Of warps with equally many instructions issued, the one that has
//!   waited longest goes first.

use crate::simulate::{BUDGET, Meter, fits};
use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::Labelling;
use warpspan_model::limits::Limits;
use warpspan_model::{Instance, Unit};

/// Which warp is kept back, and how the pack is labelled.
#[derive(Debug, Clone, Copy)]
pub struct Phased<'a> {
    /// A labelling of each group's kernel.
    pub labels: &'a [Labelling],
    /// The unit of phase 0.
    pub first: Unit,
    /// The group whose last warp is kept back.
    pub straggler: usize,
}

struct Warp {
    group: usize,
    index: u32,
    next: usize,
    since: u64,
}

/// Whether [`phased`] accepts an instance: it has no barriers and is not too large to simulate in a few
/// seconds.
pub fn takes(instance: &Instance, limits: &Limits) -> bool {
    let work = instance.total_issues().saturating_mul(instance.total_warps());
    !instance.has_barriers() && work <= BUDGET && fits(instance, limits)
}

/// The schedule of the policy. It is `None` if the instance is not accepted or a limit is reached.
pub fn phased(instance: &Instance, policy: Phased<'_>, limits: &Limits) -> Option<Schedule> {
    if !takes(instance, limits) {
        return None;
    }
    let mut meter = Meter::new(limits);
    let groups: Vec<Phases> = instance
        .groups()
        .iter()
        .zip(policy.labels)
        .map(|(group, labels)| Phases::new(group.kernel.units(), labels, policy.first))
        .collect();
    let last_phase = groups.iter().filter_map(|group| group.phase.last()).max().copied()?;
    let warp = |(group, index)| Warp { group, index, next: 0, since: 0 };
    let members = |(group, count): (usize, u64)| {
        (0..u32::try_from(count).unwrap_or(0)).map(move |index| (group, index))
    };
    let counts = instance.groups().iter().map(|group| group.warps).enumerate();
    let mut warps: Vec<Warp> = counts.flat_map(members).map(warp).collect();
    let straggler = warps.iter().rposition(|warp| warp.group == policy.straggler)?;
    let unit_of = |warp: &Warp| instance.groups()[warp.group].kernel.units().get(warp.next).copied();
    let mut issues = Vec::new();
    for cycle in 1.. {
        meter.go_on(warps.len()).ok()?;
        let phase = |warp: &Warp| groups[warp.group].phase.get(warp.next).copied();
        let pack = warps.iter().enumerate().filter(|&(at, _)| at != straggler);
        let least = pack.filter_map(|(_, warp)| phase(warp)).min();
        let mode =
            least.map(|least| if least.rem_euclid(2) == 0 { policy.first } else { policy.first.other() });
        let mut issued = Vec::new();
        for unit in Unit::ALL {
            let mut ready: Vec<usize> =
                (0..warps.len()).filter(|&at| unit_of(&warps[at]) == Some(unit)).collect();
            ready.sort_by_key(|&at| {
                let warp = &warps[at];
                let advanced = (phase(warp), warp.next);
                let (class, order) = if at == straggler {
                    if groups[warp.group].goes_first(warp.next, least, last_phase) { (0, 0) } else { (3, 0) }
                } else if mode == Some(unit) {
                    (1, advanced.1)
                } else if advanced.0 == least {
                    (1, usize::MAX - advanced.1)
                } else {
                    (2, advanced.1)
                };
                let phase = if class == 1 && mode == Some(unit) { advanced.0 } else { None };
                (class, phase, order, warp.since, at)
            });
            let sigma = usize::try_from(instance.sigma(unit)).unwrap_or(usize::MAX);
            issued.extend(ready.into_iter().take(sigma));
        }
        if issued.is_empty() {
            break;
        }
        for at in issued {
            let Warp { group, index, next, .. } = warps[at];
            let narrow = |value: usize| u32::try_from(value).expect("simulated instances are small");
            issues.push(Issue {
                cycle,
                group: narrow(group),
                warp: index,
                instruction: narrow(next),
                latency: 1,
            });
            warps[at].next += 1;
            warps[at].since = cycle;
        }
    }
    Some(Schedule::new(issues))
}

/// The properties of each instruction of a kernel that the policy needs.
struct Phases {
    phase: Vec<i64>,
    run: Vec<i64>,
}

impl Phases {
    fn new(units: &[Unit], labelling: &Labelling, first: Unit) -> Self {
        let labels: Vec<Unit> = labelling.labels().collect();
        let numbers = |units: &[Unit], start: i64| {
            let mut numbers = vec![start];
            for pair in units.windows(2) {
                numbers.push(numbers[numbers.len() - 1] + i64::from(pair[0] != pair[1]));
            }
            numbers
        };
        Self {
            phase: numbers(&labels, i64::from(labels.first() != Some(&first))),
            run: numbers(units, -i64::from(units.first() != Some(&first))),
        }
    }

    /// Whether the straggler goes first when it is at this instruction.
    fn goes_first(&self, next: usize, least: Option<i64>, last_phase: i64) -> bool {
        let Some(least) = least else { return true };
        let run = self.run[next];
        run < least || run == least && least < last_phase && self.run.get(next + 1) == Some(&run)
    }
}
