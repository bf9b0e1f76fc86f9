//! Kernels of several processes that take turns of a time slice.
//!
//! Kernels of one process share the GPU by the rules of [`rta`], in the turns of their process: blocks that are on a
//! multiprocessor when the turn ends go on in the next one. Call *service* the time in which the process has the turn. C
//! of a kernel is service: measure it without another process on the GPU.
//!
//! # The bound
//!
//! Follow a launch of kernel k from its release until it is complete, at most R_k later. In service, what happens in
//! between is a run on a separate GPU with the launches of its process that are incomplete at some moment of it, each
//! of which may come at any time, since service hides how far apart they came. Of another kernel j these are
//! `ceil((R_k + R_j + J_j) / T_j)` at most, and `ceil((R_k + J_k) / T_k)` of its own, with those after it left out. So
//! it takes no more than v_k of service, the bound of k among so many launches, each of which comes once and at any
//! time, by the sum that looks at nothing before the release but which launches are incomplete (busy windows begin
//! before it, so they are not used). The process has work all the while, so with V = ceil(v_k / L) visits
//! ([`slices`](super::slices) has the proof),
//!
//! ```text
//! R_k = v_k + V theta + sum over the other processes o of min(V (L + theta), S_o + (S_o / L + launches + 1) theta)
//! ```
//!
//! where S_o is the service that launches of o take which are incomplete at some moment of the window: of each
//! no more than its v, since then it would be complete, nor than g C, since a block runs in all service. A visit of o ends after L of service, or with a
//! launch; one of them may have begun before the window. A process in which a kernel has no bound may always have work.
//!
//! The R are the least joint solution, and safe since the first launch to be incomplete after its R would contradict it, as in
//! [`slices`](super::slices). The jitter is added at the end. Where releases are exact, that is not used.

use std::collections::HashMap;

use crate::processes::examined::{of_turns, of_whole_file};
use crate::{self as rta, Execution, MOST_PENDING, Shared};
use crate::{Basis, DeadlineMet, Verdict, least_response};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::limits::Limits;
use warpspan_model::time::Duration;

/// The most launches of a process in a window that is analysed.
pub const MOST_LAUNCHES: u64 = 1_000;
/// The rounds of the iteration.
const ROUNDS: usize = 10_000;

/// Why a kernel has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBound {
    /// Its launches have no bound by themselves, on a GPU of their process alone.
    Alone(rta::NoBound),
    /// The bound has grown beyond [`MOST_PENDING`] periods, and would grow further.
    Grows(Duration),
    /// This kernel of its process has none.
    Beside(usize),
    /// There are more than [`MOST_LAUNCHES`] launches to look at.
    TooMany,
    /// Times are too large to be multiplied.
    TooLarge,
    /// The iteration did not settle, or was stopped.
    Unsettled,
}

/// What is known of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// No launch takes longer from its arrival.
    pub bound: Result<Duration, NoBound>,
    /// No launch is faster if its blocks take C; `None` where C gives no lower bound.
    pub least: Option<Duration>,
    /// Whether all launches meet their deadline; if there is none, whether they have a bound.
    pub meets: DeadlineMet,
}

type Found = Result<u128, NoBound>;

/// Bounds of all kernels, and the verdict on all of them.
pub fn examine(shared: &Shared, limits: &Limits) -> (Verdict, Vec<Outcome>) {
    let system = shared.system();
    let says_least = system.alone_in_company().is_none();
    let outcome = |(task, found): (&rta::Task, Found)| {
        let bound = found.and_then(|time| {
            let all = time.checked_add(task.jitter.0.into()).and_then(|time| u64::try_from(time).ok());
            all.map(Duration).ok_or(NoBound::TooLarge)
        });
        let least = least_response(system.gpu(), task, given(task))
            .filter(|_| says_least && task.measured != rta::Measured::AtMost);
        let late = task.deadline.is_some_and(|deadline| least.is_some_and(|least| least > deadline));
        let meets = match bound {
            _ if late => DeadlineMet::No,
            Ok(bound) if task.deadline.is_none_or(|deadline| bound <= deadline) => DeadlineMet::Yes,
            _ => DeadlineMet::Unknown,
        };
        Outcome { bound, least, meets }
    };
    let outcomes: Vec<Outcome> =
        system.tasks().iter().zip(Windows::new(shared, limits).settle()).map(outcome).collect();
    let any = |what| outcomes.iter().any(|of| of.meets == what);
    let verdict = match () {
        () if any(DeadlineMet::No) => Verdict::Refuted,
        () if any(DeadlineMet::Unknown) => Verdict::Undecided,
        () => Verdict::Proved,
    };
    (verdict, outcomes)
}

/// What the bounds rest on.
pub fn rests_on(shared: &Shared) -> Vec<Assumption> {
    let execution =
        "at most C in the turns of its process, where C was measured without another process on the GPU";
    let arrivals = "a period or more apart, and one launch without a period comes at any time";
    let rules = "follow the rules of the GPU in the turns of their process, and a block whose turn ends goes on in the next one";
    let mut all = vec![
        Assumption::declared(Id::ExecutionGiven, "a block", execution).by("execution in the file"),
        Assumption::declared(Id::LaunchArrivals, "launches of a kernel", arrivals).by("period in the file"),
        of_whole_file(),
        of_turns(),
        Assumption::modelled(Id::BlockStart, "kernels of one process", rules),
    ];
    if shared.system().tasks().iter().any(|task| task.jitter > Duration::ZERO) {
        let value = "released up to the jitter after it arrives";
        all.push(Assumption::declared(Id::LaunchJitter, "a launch", value).by("jitter in the file"));
    }
    all.extend(shared.system().assumptions());
    all.extend(rta::System::of_others().into_iter().filter(|one| one.id == Id::LaunchOverhead));
    all.extend(shared.system().rests().on.iter().cloned());
    all
}

/// What a refuted verdict rests on.
pub fn rests_on_least(shared: &Shared) -> Vec<Assumption> {
    shared.system().rests_on(Basis::LeastResponse)
}

/// C, which every kernel is given.
#[doc(hidden)]
pub fn given(task: &rta::Task) -> Duration {
    match task.execution {
        rta::Source::Given(time) => time,
        rta::Source::Code(_) | rta::Source::Listing(_) | rta::Source::OnMachine(_) => Duration::ZERO,
    }
}

/// The windows of all kernels.
struct Windows<'a> {
    shared: &'a Shared,
    limits: &'a Limits,
    /// R of each kernel, from the release of a launch.
    found: Vec<Found>,
    /// v of each kernel.
    service: Vec<u128>,
    /// v of kernels among so many launches.
    known: HashMap<(usize, Vec<u64>), Found>,
}

impl<'a> Windows<'a> {
    fn new(shared: &'a Shared, limits: &'a Limits) -> Self {
        let tasks = shared.system().tasks();
        let service: Vec<u128> = tasks.iter().map(|task| given(task).0.into()).collect();
        let found = service.iter().map(|&time| Ok(time)).collect();
        Self { shared, limits, found, service, known: HashMap::new() }
    }

    /// The least joint solution.
    fn settle(mut self) -> Vec<Found> {
        let tasks = self.shared.system().tasks();
        for _ in 0..ROUNDS {
            let mut settled = true;
            for (kernel, task) in tasks.iter().enumerate() {
                let Ok(now) = self.found[kernel] else { continue };
                if self.limits.stopped().is_some() {
                    return vec![Err(NoBound::Unsettled); tasks.len()];
                }
                let most =
                    task.period.map_or(Duration::MAX.0, |period| period.0.saturating_mul(MOST_PENDING));
                let next = self.next(kernel).and_then(|next| match u64::try_from(next.max(now)) {
                    Ok(next) if next <= most.min(Duration::MAX.0) => Ok(u128::from(next)),
                    Ok(next) if task.period.is_some() => Err(NoBound::Grows(Duration(next))),
                    _ => Err(NoBound::TooLarge),
                });
                settled &= next == self.found[kernel];
                self.found[kernel] = next;
            }
            if settled {
                return self.found;
            }
        }
        vec![Err(NoBound::Unsettled); tasks.len()]
    }

    /// The launches of a kernel that are incomplete at some moment of a window.
    fn launches(&self, kernel: usize, window: u128) -> Found {
        let task = &self.shared.system().tasks()[kernel];
        let reach = window + self.found[kernel]? + u128::from(task.jitter.0);
        Ok(task.period.map_or(1, |period| reach.div_ceil(period.0.into())))
    }

    /// The right-hand side for a kernel.
    fn next(&mut self, kernel: usize) -> Found {
        let (tasks, process) = (self.shared.system().tasks(), self.shared.process());
        let window = self.found[kernel]?;
        let mut launches = vec![0; tasks.len()];
        let (mut before, mut all) = (0_u64, 0_u64);
        for other in (0..tasks.len()).filter(|&other| process[other] == process[kernel]) {
            let number = if other == kernel {
                let reach = window + u128::from(tasks[other].jitter.0);
                tasks[other].period.map_or(1, |period| reach.div_ceil(period.0.into()).max(1))
            } else {
                self.launches(other, window).map_err(|_| NoBound::Beside(other))?
            };
            let number = u64::try_from(number).ok().filter(|&number| number <= MOST_LAUNCHES);
            launches[other] = number.ok_or(NoBound::TooMany)?;
            before += if other < kernel { launches[other] } else { 0 };
            all += launches[other];
        }
        if all > MOST_LAUNCHES {
            return Err(NoBound::TooMany);
        }
        let service = self.service(kernel, usize::try_from(before).unwrap_or(usize::MAX), launches)?;
        self.service[kernel] = service.max(self.service[kernel]);
        let [slice, switch] = [self.shared.slice(), self.shared.switch()].map(|time| u128::from(time.0));
        let visits = service.div_ceil(slice);
        let ring = visits.checked_mul(slice + switch).ok_or(NoBound::TooLarge)?;
        let mut response = service.checked_add(visits.checked_mul(switch).ok_or(NoBound::TooLarge)?);
        for other in (0..self.shared.processes().len()).filter(|&other| other != process[kernel]) {
            let taken = self.taken(other, window).map_or(ring, |taken| taken.min(ring));
            response = response.and_then(|all| all.checked_add(taken));
        }
        response.ok_or(NoBound::TooLarge)
    }

    /// The most time that another process takes in a window, with the changes to it.
    fn taken(&self, other: usize, window: u128) -> Found {
        let (tasks, process) = (self.shared.system().tasks(), self.shared.process());
        let (mut service, mut launches) = (0_u128, 0_u128);
        for kernel in (0..tasks.len()).filter(|&kernel| process[kernel] == other) {
            let number = self.launches(kernel, window)?;
            let one_by_one = u128::from(given(&tasks[kernel]).0).saturating_mul(tasks[kernel].blocks.into());
            let each = self.service[kernel].min(one_by_one);
            let more = number.checked_mul(each).and_then(|more| service.checked_add(more));
            service = more.ok_or(NoBound::TooLarge)?;
            launches += number;
        }
        let [slice, switch] = [self.shared.slice(), self.shared.switch()].map(|time| u128::from(time.0));
        let changes = (service / slice + launches + 1).checked_mul(switch);
        changes.and_then(|changes| service.checked_add(changes)).ok_or(NoBound::TooLarge)
    }

    /// v: the service that a launch takes at most among so many launches, of which it is the one of this number.
    fn service(&mut self, kernel: usize, number: usize, launches: Vec<u64>) -> Found {
        if let Some(known) = self.known.get(&(kernel, launches.clone())) {
            return *known;
        }
        let system = self.shared.system().launched(&launches);
        let executions: Vec<Execution> =
            system.tasks().iter().map(|task| Execution { time: given(task), solved: None }).collect();
        let bound = rta::bound_without_levels(&system, &executions, self.limits)
            .get(number)
            .map(|bound| bound.response);
        // The kernel of a launch.
        let of = |launch: usize| {
            let mut passed = 0;
            let is_there = |&number: &u64| {
                passed += number;
                passed > launch as u64
            };
            launches.iter().position(is_there).unwrap_or_default()
        };
        let found = match bound {
            Some(Ok(time)) => Ok(u128::from(time.0)),
            Some(Err(rta::NoBound::NotAlone { kernel, beside })) => {
                Err(NoBound::Alone(rta::NoBound::NotAlone { kernel: of(kernel), beside: of(beside) }))
            }
            Some(Err(rta::NoBound::Behind(kernel))) => Err(NoBound::Alone(rta::NoBound::Behind(of(kernel)))),
            Some(Err(rta::NoBound::Held(kernel))) => Err(NoBound::Alone(rta::NoBound::Held(of(kernel)))),
            Some(Err(why)) => Err(NoBound::Alone(why)),
            None => Err(NoBound::TooLarge),
        };
        self.known.insert((kernel, launches), found);
        found
    }
}
