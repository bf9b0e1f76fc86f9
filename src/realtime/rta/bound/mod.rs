//! Response times that are safe where Algorithm 2 is not: blocks of any sizes, several multiprocessors, any placement, streams,
//! priorities, copies, blocks that take less than C, launches that are a period *or more* apart.
//!
//! Follow a launch from its release, R_k long. At each moment an operation of its stream runs, or waits in a queue. A copy waits
//! while the copy engine copies. A block at the head of a queue waits while no multiprocessor has room, so each has some resource
//! r of which at least K_r is taken, the room less the largest block's need, in steps of the greatest common divisor of the
//! needs, and one step more. A block of kernel j, which takes d_(j,r) for at most C_j, makes up at most C_j w_j of such a
//! multiprocessor's time, w_j the sum of d_(j,r) / K_r. With M multiprocessors, G_j the blocks of j (for k itself one less: while
//! the last one runs it does not wait), and n_j the launches of j that are not complete at the release or come before the
//! completion ([`counts`]),
//!
//! ```text
//! R_k = sum over the launches of the stream of k, up to ours, of (copies + C)
//!       + sum over the other streams s of min(sum over j in s of n_j (copies of j), operations * copies of a launch in s)
//!       + the largest W with M W <= sum over the streams s of min(sum over j in s of n_j G_j C_j w_j, W * fill_s)
//! ```
//!
//! This is the argument of R. L. Graham, *Bounds on multiprocessing timing anomalies*, 1969, with resources. The second parts of
//! the minima hold because a stream is in order: one launch of it at a time is on the multiprocessors and makes up at most
//! fill_s, the largest G_j w_j; and one copy of it at a time stands in the queue of the copy engine, so that each copy operation
//! of our chain waits for no more than the copies of one of its launches. They are what limits a kernel whose launches pile up:
//! it has no bound, n_j is not limited, and the others have bounds all the same unless such kernels can fill the GPU.
//!
//! The R_k are a joint fixed point, from below. Let a launch of k be the first to be incomplete R_k after its release. All others
//! have kept theirs until then, so n_j is right, and the time since the release is less than the right-hand side, as something of
//! the launch is still to run: a contradiction. That R_k exceeds a period does not matter, several launches of k count then. The
//! right-hand side falls nowhere when an R grows, and rises nowhere when a period grows; so the bounds do not rise either.
//!
//! Nothing here depends on whether a completion comes before a release at the same time or after it.
//!
//! Kernels given as strings have no C that holds in company ([`execution`](super::execution)). Where all kernels are strings,
//! a block has S_j = [`Solved::serial`](super::Solved::serial) instead: a multiprocessor is never empty while a block waits, and
//! its busy time is at most the sum of S over its blocks. So blocks launched before ours count S_j / M each, the last block of
//! each launch that is followed counts what a multiprocessor can hold, and what is launched after ours counts fully (anything
//! else too, where streams, priorities, copies or a launch that waits for its predecessor change the order of launch).

mod counts;
mod parts;
mod wait;

use crate::limits::{Limits, Stop};
use crate::model::time::Duration;
use crate::realtime::rta::{Execution, System};
use counts::launches;
use parts::{Alone, Parts};
use wait::{Stream, longest_wait};

/// Systems with more kernels are not looked at: the effort grows with the square of their number.
pub const MOST_KERNELS: usize = 1000;
/// Pairs of kernels that the iteration looks at, at most.
const MOST_STEPS: usize = 200_000_000;
/// A kernel of which so many launches may be pending has no bound.
pub const MOST_PENDING: u64 = 100;

/// What is known of the response times of a kernel from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// At most so long, or why there is none.
    pub response: Result<Duration, NoBound>,
    /// The kernel that makes up most of it, or of what was reached, and how many percent.
    pub most: Option<(usize, u64)>,
}

/// Why there is no bound on the response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBound {
    /// C of one kernel is given, and C of the other solved from a string, which does not hold beside others.
    Mixed {
        /// The kernel whose C is given.
        given: usize,
        /// The kernel whose C is solved.
        solved: usize,
    },
    /// There is not one execution time for each kernel.
    Executions,
    /// There are more than [`MOST_KERNELS`].
    TooManyKernels,
    /// The bound has come to more than [`MOST_PENDING`] periods, and would grow on.
    Grows(Duration),
    /// Launches of another kernel of the stream may pile up before it.
    Behind(usize),
    /// Launches of a kernel may pile up, and alone or with others like it its blocks can fill the GPU.
    Held(usize),
    /// Times or blocks are too large to be multiplied.
    TooLarge,
    /// The iteration was stopped, by a limit if there is one here.
    Stopped(Option<Stop>),
}

/// An upper bound on every response time of each kernel, or why there is none.
pub fn bound(system: &System, executions: &[Execution], limits: &Limits) -> Vec<Bound> {
    let none = |why| vec![Bound { response: Err(why), most: None }; system.tasks().len()];
    match Parts::new(system, executions) {
        Ok(parts) => Iteration { system, parts, found: Vec::new() }.run(limits),
        Err(why) => none(why),
    }
}

/// The state of a kernel in the iteration: what its bound has come to, or why there is none.
type Found = Result<u128, NoBound>;

struct Iteration<'a> {
    system: &'a System,
    parts: Parts,
    found: Vec<Found>,
}

impl Iteration<'_> {
    fn run(mut self, limits: &Limits) -> Vec<Bound> {
        let tasks = self.system.tasks().len();
        self.found = self.parts.each.iter().map(|part| Ok(part.own)).collect();
        let mut most = vec![None; tasks];
        let mut settled = false;
        for _ in 0..MOST_STEPS / (tasks * tasks).max(1) {
            if limits.stopped().is_some() {
                break;
            }
            let next: Vec<Found> = (0..tasks).map(|k| self.next(k, &mut most[k])).collect();
            settled = next == self.found;
            self.found = next;
            if settled {
                break;
            }
        }
        if !settled {
            let why = NoBound::Stopped(limits.stopped());
            return vec![Bound { response: Err(why), most: None }; tasks];
        }
        let bound = |k: usize| {
            let time = |time: u128| u64::try_from(time).map(Duration).map_err(|_| NoBound::TooLarge);
            let most = most[k].or_else(|| self.demand(k).ok()?.most());
            Bound { response: self.found[k].and_then(time), most }
        };
        (0..tasks).map(bound).collect()
    }

    /// What the bound of a kernel comes to next.
    fn next(&self, k: usize, most: &mut Option<(usize, u64)>) -> Found {
        self.found[k]?;
        let demand = self.demand(k)?;
        let total = demand.total()?;
        let period = self.system.tasks()[k].period;
        let limit = period.map_or(Duration::MAX.0, |period| period.0.saturating_mul(MOST_PENDING));
        if total <= u128::from(limit.min(Duration::MAX.0)) {
            return Ok(total);
        }
        *most = demand.most();
        match u64::try_from(total) {
            Ok(reached) if period.is_some() => Err(NoBound::Grows(Duration(reached))),
            _ => Err(NoBound::TooLarge),
        }
    }

    /// The right-hand side of the equation.
    fn demand(&self, k: usize) -> Result<Demand, NoBound> {
        let Parts { each: parts, multiprocessors, unit } = &self.parts;
        let tasks = self.system.tasks();
        let own = tasks[k].stream;
        let mut demand = Demand { alone: vec![0; parts.len()], ..Demand::default() };
        let mut streams = vec![Stream::default(); self.system.streams().len()];
        let mut operations = 0;
        for (j, part) in parts.iter().enumerate() {
            let stream = &mut streams[tasks[j].stream];
            stream.fill = stream.fill.zip(part.fill).map(|(a, b)| a.max(b));
            stream.copies_of_one = stream.copies_of_one.max(part.copies);
            let Some((earlier, later)) = launches(self.system, &self.found, k, j) else {
                if tasks[j].stream == own {
                    return Err(NoBound::Behind(j));
                }
                stream.unlimited = Some(j);
                continue;
            };
            let all = sum(earlier, later)?;
            if tasks[j].stream == own {
                demand.alone[j] = product(part.own, all)?;
                operations = sum(operations, product(part.operations, all)?)?;
            }
            let (shared, alone) = match part.alone {
                Alone::Never => (all, 0),
                Alone::Later if self.in_time(k) && self.in_time(j) => (earlier, later),
                Alone::Later | Alone::Any => (u128::from(j == k), all - u128::from(j == k)),
            };
            let alone = product(part.load.div_ceil(*unit), alone)?;
            demand.alone[j] = sum(demand.alone[j], alone)?;
            let load = product(part.load, shared)? - if j == k { part.last } else { 0 };
            stream.add(j, load, product(part.copies, all)?)?;
        }
        let capacity = product(*multiprocessors, *unit)?;
        demand.wait = longest_wait(capacity, &streams)?;
        for (number, stream) in streams.into_iter().enumerate() {
            let copies = if number == own { 0 } else { stream.copies_before(operations)? };
            let taken = stream.taken(demand.wait).ok_or(NoBound::TooLarge)? / capacity;
            demand.streams.push((stream, copies, taken));
        }
        Ok(demand)
    }

    /// Whether every launch of a kernel is complete before the next one is released, as far as is known.
    fn in_time(&self, task: usize) -> bool {
        let period = self.system.tasks()[task].period;
        period.is_none_or(|period| self.found[task].is_ok_and(|time| time < u128::from(period.0)))
    }
}

/// What adds up to the response of a kernel.
#[derive(Default)]
struct Demand {
    /// What counts fully, by kernel: its part of the chain, and what is added to our multiprocessor.
    alone: Vec<u128>,
    /// How long blocks wait.
    wait: u128,
    /// The streams, how long our copies wait for theirs, and their share of the wait.
    streams: Vec<(Stream, u128, u128)>,
}

impl Demand {
    fn total(&self) -> Result<u128, NoBound> {
        let copies = self.streams.iter().map(|(_, copies, _)| *copies);
        self.alone.iter().copied().chain(copies).try_fold(self.wait, sum)
    }

    /// The kernel that has most in it, and how many percent.
    fn most(&self) -> Option<(usize, u64)> {
        let mut of = self.alone.clone();
        for (stream, copies, taken) in &self.streams {
            for (kernel, share) in stream.split(copies.saturating_add(*taken)) {
                of[kernel] = of[kernel].saturating_add(share);
            }
        }
        let (kernel, part) = of.iter().enumerate().rev().max_by_key(|(_, part)| **part)?;
        let percent = part.checked_mul(100)?.checked_div(self.total().ok()?)?;
        Some((kernel, u64::try_from(percent).ok()?))
    }
}

fn sum(a: u128, b: u128) -> Result<u128, NoBound> {
    a.checked_add(b).ok_or(NoBound::TooLarge)
}

fn product(a: u128, b: u128) -> Result<u128, NoBound> {
    a.checked_mul(b).ok_or(NoBound::TooLarge)
}
