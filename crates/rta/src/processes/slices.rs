//! The default driver: processes take turns of a time slice.
//!
//! # The rules
//!
//! The processes that have work for the GPU stand in a ring. One has the turn. Its turn ends after L of work, or when
//! it has no more. Then the GPU changes, in theta, to the next one in the ring that has work; if there is no other, the
//! turn goes on. A process that gets work joins the ring at any position.
//!
//! # What GCAPS says
//!
//! Eq. 3: while a piece of G^e runs, nu others delay it by `(L + theta) nu ceil(G^e / L)`. That is too little: between
//! two turns of ours there are nu turns of others and *nu + 1* changes, since the GPU has to come back. (By the paper's
//! own Eq. 15 each of N equal kernels pays theta for each of its own slices.) Here a piece has `ceil(G^e / L)` waits,
//! each of nu (L + theta) + theta.
//!
//! *Proof of the number of waits.* Call it a visit when the GPU changes to our process. A visit ends by itself only
//! after L of work, or with the piece. If the piece begins outside our turn, all its visits but the last one hold
//! L of it, so there are ceil(G^e / L). If it begins in our turn, it has already work done when it waits for the first
//! time, and the rest is less than G^e. Before each visit each other process has at most one turn, since we have work
//! all the while and so our place in the ring is passed once in each round. ∎
//!
//! # Suspension
//!
//! Follow a job of task i from its arrival to its end, at most R. At each moment it works on its core or on the GPU;
//! or the GPU changes to its process, `V_i` times at most, where V is the sum of the ceil(G^e / L); or another process
//! has its turn, or a change to it is under way; or a more urgent task works on the core. So
//!
//! ```text
//! R_i = C_i + G^m_i + G^e_i + V_i theta
//!       + sum over the other processes o of min(V_i (L + theta), what o takes of the GPU in a window of R_i)
//!       + sum over h more urgent on the core of what h takes of the core in a window of R_i
//! ```
//!
//! A job of o takes `G^e_o + V_o theta` of the GPU, and a job of h takes `C_h + G^m_h` of the core, both between its
//! arrival and its bound: `docs/processes.md` says how much of it a window holds. Eq. 8 of GCAPS counts the jobs of h
//! in the same way; the limit on what others take of the GPU, the work of their jobs, is added here.
//!
//! # Waiting on the core
//!
//! Let w begin when none of the more urgent tasks `hpp` of the core has a job under way, the last time before the job of i
//! arrives, and end with the job. All that the insiders, `hpp` and i, do in w belongs to jobs that arrive in it.
//! The holder of the core is the most urgent insider that is under way; at each moment
//! of w the holder works on the core; or some insider is on the GPU, or the GPU changes to one; or the holder waits for
//! the GPU, and an outsider has its turn, or a change to it is under way. The turns of one outsider of the last kind
//! are no more than the visits of insiders in w: *after* each of them and before the next one the GPU changes to the
//! holder of the former turn, as that has work until it is served, and it is served before w ends, since i cannot end
//! while a more urgent task holds the core. So with V(w) the sum over the insiders' jobs of their V,
//!
//! ```text
//! w = sum over insiders y of ceil(w / T_y) (C_y + G^m_y + G^e_y + V_y theta)       (one job of i)
//!     + sum over outsiders o with work for the GPU of min(V(w) (L + theta), what o takes of the GPU in a window of w)
//! ```
//!
//! Eq. 6 of GCAPS leaves `hpp` out of the ring too, but for the delay of others alone, and has no theta for the visits of insiders.
//!
//! # The fixed point
//!
//! The bounds are the least joint solution. Let a job be the first that is incomplete when its bound has passed. Until
//! then all others kept theirs, so the amounts above hold, and the time since its arrival is less than the
//! right-hand side: a contradiction. A job never finds the one before it under way, as no bound exceeds the period. ∎

use crate::processes::window::{Found, arriving, no_bound_above, sum, times, within};
use crate::processes::{Task, TaskSet, Waiting};

/// V: how often the GPU changes to a job at most.
fn visits(task: &Task, slice: u128) -> u128 {
    task.segments.iter().map(|segment| u128::from(segment.pure.0).div_ceil(slice)).sum()
}

/// The right-hand side for a task.
pub(super) fn next(set: &TaskSet, [slice, switch]: [u128; 2], task: usize, found: &[Found]) -> Found {
    let tasks = set.tasks();
    let shared = tasks.iter().filter(|task| task.uses_gpu()).count() > 1;
    let switch = if shared { switch } else { 0 };
    let changes = |task: &Task| times(visits(task, slice), switch);
    let window = found[task]?;
    let is_inside = |other: usize| {
        other == task
            || set.waiting() == Waiting::Busy
                && tasks[other].core == tasks[task].core
                && set.above(other, task)
    };
    let inside = |other: &usize| is_inside(*other);
    let jobs = |other: usize| if other == task { Ok(1) } else { arriving(set, other, window) };
    let all = 0..tasks.len();
    // What the insiders do themselves, and how often the GPU changes to one.
    let own = sum(all.clone().filter(inside).map(|other| {
        let of = &tasks[other];
        times(jobs(other)?, sum([Ok(of.on_core()), Ok(of.on_gpu()), changes(of)])?)
    }));
    let turns =
        sum(all.clone().filter(inside).map(|other| times(jobs(other)?, visits(&tasks[other], slice))))?;
    let most = times(turns, slice + switch)?;
    let outside = all.filter(|other| !is_inside(*other) && tasks[*other].uses_gpu());
    let others = sum(outside.map(|other| {
        let cost = sum([Ok(tasks[other].on_gpu()), changes(&tasks[other])])?;
        // Without a bound for it, only the ring limits it.
        Ok(within(set, other, window, cost, found).map_or(most, |taken| taken.min(most)))
    }));
    let core = match set.waiting() {
        Waiting::Busy => Ok(0),
        Waiting::Suspend => sum(set
            .above_on_core(task)
            .map(|other| no_bound_above(other, within(set, other, window, tasks[other].on_core(), found)))),
    };
    sum([own, others, core])
}
