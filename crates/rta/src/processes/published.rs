//! The equations of GCAPS as they are printed. They are estimates: each of them can be exceeded (`docs/errata.md`).
//!
//! `R_i = C_i + G_i + I^C_i + I^G_i` (Eq. 1), with `G_i = G^m_i + G^e_i`; the terms are those of Eq. 2 to 14. The response
//! times of more urgent tasks come first, since the jitters need them. A task has no estimate if the sum comes to more than
//! its period, or if it needs that of a task that has none.

use crate::processes::{Scheduling, TaskSet, Waiting};
use warpspan_model::time::Duration;

/// What the equations give for each task.
pub fn published(set: &TaskSet) -> Vec<Option<Duration>> {
    let tasks = set.tasks();
    let mut order: Vec<usize> = (0..tasks.len()).filter(|&task| tasks[task].recurring.is_some()).collect();
    order.sort_by_key(|&task| std::cmp::Reverse(tasks[task].priority));
    let mut found: Vec<Option<u128>> = vec![None; tasks.len()];
    for task in order {
        found[task] = fixed_point(set, task, &found);
    }
    let time = |of: Option<u128>| u64::try_from(of?).ok().map(Duration);
    found.into_iter().map(time).collect()
}

/// The response time of a task by Eq. 1, given those of more urgent ones.
fn fixed_point(set: &TaskSet, task: usize, found: &[Option<u128>]) -> Option<u128> {
    let period = u128::from(set.tasks()[task].recurring?.period.0);
    let mut reached = 0;
    loop {
        let next = sum(set, task, reached, found)?;
        if next <= reached || next > period {
            return Some(next).filter(|&next| next <= period);
        }
        reached = next;
    }
}

/// The right-hand side of Eq. 1.
fn sum(set: &TaskSet, task: usize, window: u128, found: &[Option<u128>]) -> Option<u128> {
    let tasks = set.tasks();
    let of = &tasks[task];
    let busy = set.waiting() == Waiting::Busy;
    let period = |other: usize| tasks[other].recurring.map_or(u128::MAX, |every| every.period.0.into());
    let jobs = |other: usize, jitter: u128| (window + jitter).div_ceil(period(other));
    // R_h less what is counted of h: J^c and J^g.
    let jitter = |other: usize, part: u128| Some(found[other]?.saturating_sub(part));
    let hpp: Vec<usize> = set.above_on_core(task).collect();
    let mut all = of.on_core() + of.on_gpu();
    match set.scheduling() {
        Scheduling::TimeSlices { slice, switch } => {
            let [slice, switch] = [slice, switch].map(|time| u128::from(time.0));
            // Eq. 3, summed over the segments of a job.
            let interleaved = |number: usize, other: usize| -> Option<u128> {
                let slices = tasks[other].segments.iter().map(|of| u128::from(of.pure.0).div_ceil(slice));
                (slice + switch).checked_mul(number as u128)?.checked_mul(slices.sum())
            };
            let users = |but: &dyn Fn(usize) -> bool| {
                (0..tasks.len()).filter(|&other| tasks[other].uses_gpu() && !but(other)).count()
            };
            // Eq. 5.
            all = all.checked_add(interleaved(users(&|other| other == task), task)?)?;
            for &other in &hpp {
                let core = tasks[other].on_core();
                let (jobs, each) = if busy {
                    // Eq. 6 and 7: those outside hpp, and the one that waits itself.
                    let number = users(&|other| hpp.contains(&other)) + 1;
                    (jobs(other, 0), core.checked_add(interleaved(number, other)?)?)
                } else {
                    (jobs(other, jitter(other, core)?), core) // Eq. 8.
                };
                all = all.checked_add(jobs.checked_mul(each)?)?;
            }
        }
        Scheduling::Preemptive { update } => {
            let updates = |other: usize| 2 * u128::from(update.0) * tasks[other].segments.len() as u128;
            // Eq. 9, and the two updates of each segment.
            all = all.checked_add(u128::from(update.0) * (of.segments.len() as u128 + 1) + updates(task))?;
            for other in (0..tasks.len()).filter(|&other| set.above(other, task)) {
                let (core, pure, added) = (tasks[other].on_core(), tasks[other].on_gpu(), updates(other));
                let uses = tasks[other].uses_gpu();
                let part = match (hpp.contains(&other), busy) {
                    // Eq. 12, and the first sum of Eq. 10, without which a task that only waits on the core
                    // behind h would not count the wait.
                    (true, true) => jobs(other, 0).checked_mul(core + pure + added)?,
                    (true, false) => {
                        // Eq. 14, and the first sum of Eq. 13.
                        let late = if uses { jitter(other, core)? } else { 0 };
                        let on_gpu = if uses && of.uses_gpu() {
                            jobs(other, jitter(other, pure)?).checked_mul(pure)?
                        } else {
                            0
                        };
                        jobs(other, late).checked_mul(core + added)?.checked_add(on_gpu)?
                    }
                    // The second sums of Eq. 10 and 13, and Eq. 11.
                    (false, _) if uses && (of.uses_gpu() || busy) => {
                        jobs(other, jitter(other, pure)?).checked_mul(pure + added)?
                    }
                    (false, _) => 0,
                };
                all = all.checked_add(part)?;
            }
        }
    }
    Some(all)
}
