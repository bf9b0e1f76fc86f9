//! Response times that are safe where Algorithm 2 is not: for blocks of any sizes, several multiprocessors,
//! any placement, streams, priorities, copies, blocks that take less than C, and launches that are a period
//! *or more* apart.
//!
//! Follow a launch of kernel k from its release over its response time R_k. At each moment an operation of
//! its stream runs, or waits in a queue. A copy waits while the copy engine copies. A block at the head of a
//! queue waits while no multiprocessor has room for it. Each multiprocessor then has some resource r of which
//! at least K_r is taken: the multiprocessor's amount less the largest need of a block, counted in steps of
//! the greatest common divisor of the needs, plus one step. A block of kernel j takes d_(j,r) for at most
//! C_j. So it accounts for at most C_j w_j of the time of such a multiprocessor, where w_j is the sum of
//! d_(j,r) / K_r. Let there be M multiprocessors; let G_j be the blocks of j (for k itself one less, since
//! nothing waits while the last one runs); and let n_j be the launches of j that are not complete at the
//! release or are released before the completion ([`counts`]). Then
//!
//! ```text
//! R_k = sum over the launches of the stream of k, up to the one that is followed, of (copies + C)
//!       + sum over the other streams s of
//!             min(sum over j in s of n_j (copies of j), operations * copies of a launch in s)
//!       + the largest W with
//!             M W <= sum over the streams s of min(sum over j in s of n_j G_j C_j w_j, W * fill_s)
//! ```
//!
//! This is the argument of R. L. Graham, *Bounds on multiprocessing timing anomalies*, 1969, with resources.
//! The second terms of the minima hold because a stream is in order: one launch of it at a time is on the
//! multiprocessors and takes at most fill_s of them, the largest G_j w_j; and one copy of it at a time stands
//! in the queue of the copy engine, so that each copy operation of the launch that is followed waits for no
//! more than the copies of one launch of that stream. These terms limit a kernel whose launches pile up: such
//! a kernel has no bound and its n_j is not limited, and yet the other kernels have bounds unless such
//! kernels can fill the GPU.
//!
//! The R_k are the least joint fixed point. To see that they are safe, let a launch of k be the first that is
//! incomplete R_k after its release. All other launches have kept their bounds until then, so n_j is right.
//! The time since the release is then less than the right-hand side, since a part of the launch is still to
//! run, which is a contradiction. R_k may exceed a period; then several launches of k count. The right-hand
//! side never falls when an R grows and never rises when a period grows, so the bounds do not rise when a
//! period grows either.
//!
//! Nothing here depends on whether a completion comes before a release at the same time or after it.
//!
//! Kernels given as strings have no C that holds beside other blocks ([`execution`](super::execution)). Where
//! all kernels are strings, a block has S_j = [`Solved::serial`](super::Solved::serial) instead: a
//! multiprocessor is never empty while a block waits, and its busy time is at most the sum of S over its
//! blocks. So the blocks that are launched before the launch that is followed count S_j / M each, the last
//! block of each launch of its stream counts what a multiprocessor can hold, and what is launched later
//! counts fully. Everything else counts fully too where streams, priorities, copies or a launch that waits
//! for its predecessor change the order of launch.

mod counts;
mod parts;
mod wait;

use crate::limits::{Limits, Stop};
use crate::model::time::Duration;
use crate::realtime::rta::{Execution, System};
use counts::launches;
use parts::{CountsFully, Parts};
use wait::{Stream, longest_wait};

/// The most kernels of a system that is analysed: the effort grows with the square of their number.
pub const MOST_KERNELS: usize = 1000;
/// The most pairs of kernels that the iteration examines.
const MOST_STEPS: usize = 200_000_000;
/// A kernel of which so many launches may be incomplete at once has no bound.
pub const MOST_PENDING: u64 = 100;

/// An upper bound on the response times of a kernel, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The bound, or the reason why there is none.
    pub response: Result<Duration, NoBound>,
    /// The kernel that contributes most to the bound, or to what the iteration reached, and how many percent
    /// it contributes.
    pub most: Option<(usize, u64)>,
}

/// Why there is no bound on the response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBound {
    /// C of one kernel is given, and C of another was solved from a string; the latter does not hold beside
    /// other kernels.
    Mixed {
        /// The kernel whose C is given.
        given: usize,
        /// The kernel whose C is solved.
        solved: usize,
    },
    /// There is not one execution time for each kernel.
    Executions,
    /// There are more than [`MOST_KERNELS`] kernels.
    TooManyKernels,
    /// The bound has come to more than [`MOST_PENDING`] periods, and would grow further.
    Grows(Duration),
    /// Launches of this other kernel of the same stream may pile up before it.
    Behind(usize),
    /// Launches of this kernel may pile up, and its blocks can fill the GPU, alone or together with other
    /// such kernels.
    Held(usize),
    /// Times or blocks are too large to be multiplied.
    TooLarge,
    /// The iteration was stopped; by a limit, if one is given here.
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

/// The state of a kernel in the iteration: the value that its bound has reached, or the reason why there is
/// none.
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
            let most = most[k].or_else(|| self.terms(k).ok()?.most());
            Bound { response: self.found[k].and_then(time), most }
        };
        (0..tasks).map(bound).collect()
    }

    /// The next value of a kernel's bound.
    fn next(&self, k: usize, most: &mut Option<(usize, u64)>) -> Found {
        self.found[k]?;
        let terms = self.terms(k)?;
        let total = terms.total()?;
        let period = self.system.tasks()[k].period;
        let limit = period.map_or(Duration::MAX.0, |period| period.0.saturating_mul(MOST_PENDING));
        if total <= u128::from(limit.min(Duration::MAX.0)) {
            return Ok(total);
        }
        *most = terms.most();
        match u64::try_from(total) {
            Ok(reached) if period.is_some() => Err(NoBound::Grows(Duration(reached))),
            _ => Err(NoBound::TooLarge),
        }
    }

    /// The right-hand side of the equation.
    fn terms(&self, k: usize) -> Result<Terms, NoBound> {
        let Parts { each: parts, multiprocessors, unit } = &self.parts;
        let tasks = self.system.tasks();
        let own = tasks[k].stream;
        let mut terms = Terms { full: vec![0; parts.len()], ..Terms::default() };
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
                terms.full[j] = product(part.own, all)?;
                operations = sum(operations, product(part.operations, all)?)?;
            }
            let (shared, full) = match part.counts_fully {
                CountsFully::Never => (all, 0),
                CountsFully::Later if self.in_time(k) && self.in_time(j) => (earlier, later),
                CountsFully::Later | CountsFully::Any => (u128::from(j == k), all - u128::from(j == k)),
            };
            let full = product(part.load.div_ceil(*unit), full)?;
            terms.full[j] = sum(terms.full[j], full)?;
            let load = product(part.load, shared)? - if j == k { part.last } else { 0 };
            stream.add(j, load, product(part.copies, all)?)?;
        }
        let capacity = product(*multiprocessors, *unit)?;
        terms.wait = longest_wait(capacity, &streams)?;
        for (number, stream) in streams.into_iter().enumerate() {
            let copies = if number == own { 0 } else { stream.copies_before(operations)? };
            let taken = stream.taken(terms.wait).ok_or(NoBound::TooLarge)? / capacity;
            terms.streams.push((stream, copies, taken));
        }
        Ok(terms)
    }

    /// Whether, as far as is known, every launch of a kernel is complete before the next one is released.
    fn in_time(&self, task: usize) -> bool {
        let period = self.system.tasks()[task].period;
        period.is_none_or(|period| self.found[task].is_ok_and(|time| time < u128::from(period.0)))
    }
}

/// The terms that add up to the response time of a kernel.
#[derive(Default)]
struct Terms {
    /// The terms that count fully, by kernel: each kernel's part of the chain that is followed, and what it
    /// adds on the same multiprocessor.
    full: Vec<u128>,
    /// How long blocks wait.
    wait: u128,
    /// The streams, each with how long the copies of the launch wait for its copies, and with its share of
    /// the wait.
    streams: Vec<(Stream, u128, u128)>,
}

impl Terms {
    fn total(&self) -> Result<u128, NoBound> {
        let copies = self.streams.iter().map(|(_, copies, _)| *copies);
        self.full.iter().copied().chain(copies).try_fold(self.wait, sum)
    }

    /// The kernel that contributes most, and how many percent it contributes.
    fn most(&self) -> Option<(usize, u64)> {
        let mut of = self.full.clone();
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
