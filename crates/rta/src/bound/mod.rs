//! Response times that are safe for blocks of any sizes, several multiprocessors, any placement, streams,
//! priorities, copies, blocks that take less than C, sporadic launches and jitter.
//!
//! Follow a launch of kernel k from its release until it is complete, at most R_k later. At each moment an
//! operation of its stream runs, or waits in a queue. A copy waits while the copy engine copies. A block at the
//! head of a queue waits while no multiprocessor has room for it; these are the *waits* W. After the last block
//! of the launch has started, the launch runs on for a while.
//!
//! Every block b has two costs. A_b is what it adds to the time of its multiprocessor while another block is followed
//! there, and F_b = A_b + C_b what it adds if it is followed itself. For a block of code they are those of
//! [`relay`](warpspan_engines::relay). A measured block takes at most C, whatever co-runs with it: F = C, and A = 0
//! where all are measured. Where others are code, A = C too, since the others need not come nearer to their end while
//! it is there. While blocks wait, each multiprocessor is full: the [`weights`] w of its blocks add up to 1 or more, so
//! blocks can be followed whose costs add up to no more than the sum of A + w C. Let there be M multiprocessors, with
//! g_j blocks in a launch of j. Then
//!
//! ```text
//! R_k = (1/M) sum over launches ahead of g (A + w C)
//!       + the run of each launch of k's stream, up to ours: its copies, and
//!             C, if it is measured, or
//!             F + (1 - 1/M) (the most A beside its last block), if it is code
//!       + sum over launches behind of g A, if ours or one before it in its stream is code
//!       + what its copies wait for other copies
//!       + for how long servers of the memory keep results of code waiting ([`memory`])
//! ```
//!
//! Launches ahead are those whose blocks are present while ours wait, with all blocks but the last one of the launches
//! of k's own stream. Launches behind start after our last block has started. Where each kernel has a stream of its
//! own, all have one priority, nothing is copied and no launch waits for its predecessor, the queue has the order of
//! the releases. Else a launch counts as what costs more, and with both costs where it could co-run with one launch of
//! k's stream and be ahead of the next one. [`counts`] says how many there are.
//!
//! Where every C is measured, a stream takes at most its share of the multiprocessors, since one launch of it at
//! a time is on them ([`wait`]). So kernels whose launches pile up leave others their bounds, unless they can
//! fill the GPU.
//!
//! The R_k are the least joint fixed point. To see that they are safe, let a launch of k be the first that is
//! incomplete R_k after its release. All other launches have kept their bounds until then, so the counts are
//! right. The time since the release is then less than the right-hand side, since a part of the launch is still
//! to run, which is a contradiction. The right-hand side never falls when an R, a C, a number of blocks or a
//! jitter grows, and never rises when the period of a sporadic kernel grows; nor do the bounds.
//! `docs/response-times.md` has the proofs.
//!
//! A response time counts from the arrival of a launch, so the jitter is added at the end.

mod block_costs;
mod co_running;
mod counts;
mod episodes;
mod explanation;
mod levels;
mod memory;
mod numbers;
mod parts;
mod path;
mod terms;
mod wait;
mod weights;

use crate::bound::numbers::Found;
use crate::{Execution, System};
pub use explanation::{Explanation, Late, Share};
use levels::Levels;
pub use parts::MOST_KERNELS;
use parts::Parts;
pub(super) use parts::in_order;
pub(crate) use path::{PathMemory, path_costs};
use terms::{Scratch, Terms};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Duration;

/// The most pairs of kernels that the iteration examines, unless that is less than [`LEAST_ROUNDS`].
const MOST_STEPS: usize = 20_000_000;
/// How many pairs without levels take as long as one with them, at least: each looks at windows.
const STEPS_OF_A_WINDOW: usize = 64;
/// The rounds of the iteration that are made in any case.
const LEAST_ROUNDS: usize = 200;
/// A kernel of which so many launches may be incomplete at once has no bound.
pub const MOST_PENDING: u64 = 100;

/// An upper bound on the response times of a kernel, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The bound, counted from the arrival, or the reason why there is none.
    pub response: Result<Duration, NoBound>,
    /// The kernel that contributes most to a bound that exceeds the deadline, or to what the iteration reached, and how
    /// many percent it contributes.
    pub most: Option<(usize, u64)>,
}

/// Why there is no bound on the response times of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBound {
    /// C of a kernel was measured alone, and a block of another launch may co-run with its blocks.
    NotAlone {
        /// The kernel whose C was measured alone.
        kernel: usize,
        /// The kernel of a block that may co-run with it; it may be the same one.
        beside: usize,
    },
    /// There is not one execution time for each kernel.
    Executions,
    /// There are more than [`MOST_KERNELS`] kernels.
    TooManyKernels,
    /// Kernels are launched into more streams than the GPU runs kernels at once; the numbers are both.
    TooManyStreams(usize, u64),
    /// The bound has grown beyond [`MOST_PENDING`] periods, and would grow further.
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
    bound_with(system, executions, limits, true)
}

/// The bounds that do not use priorities, which may be larger: they look at nothing before the release of a launch but
/// which launches are incomplete then.
pub(crate) fn bound_without_levels(system: &System, executions: &[Execution], limits: &Limits) -> Vec<Bound> {
    bound_with(system, executions, limits, false)
}

/// The system, counting on warps that are spread over the schedulers if some bound is smaller for it.
pub fn where_spread_helps(system: System, executions: &[Execution], limits: &Limits) -> System {
    let spread = system.clone().counting_on_spread();
    if !spread.counts_on_spread() {
        return system;
    }
    let responses = |system: &System| -> Vec<Option<Duration>> {
        bound(system, executions, limits).iter().map(|bound| bound.response.ok()).collect()
    };
    // A bound is smaller than none.
    let known = |(spread, any): (Option<Duration>, Option<Duration>)| {
        spread.is_some_and(|spread| any.is_none_or(|any| spread < any))
    };
    if responses(&spread).into_iter().zip(responses(&system)).any(known) { spread } else { system }
}

fn bound_with(system: &System, executions: &[Execution], limits: &Limits, by_level: bool) -> Vec<Bound> {
    let none = |why| vec![Bound { response: Err(why), most: None }; system.tasks().len()];
    let parts = match Parts::new(system, executions) {
        Ok(parts) => parts,
        Err(why) => return none(why),
    };
    let terms = match Terms::new(system, executions, parts) {
        Ok(terms) => terms,
        Err(why) => return none(why),
    };
    let mut scratch = Scratch::new(&terms);
    let settled = if by_level {
        settle_by_level(system, &terms, limits, &mut scratch, |_, _| true)
    } else {
        settle(system, &terms, None, limits, &mut scratch, |_, _| true)
    };
    let Settled { found, most, mut levels } = match settled {
        Ok(settled) => settled,
        Err(why) => return none(why),
    };
    let mut bound = |k: usize| {
        let response = found[k].and_then(|time| from_arrival(system, k, time));
        // What makes a bound large is asked where it is too large.
        let mut largest = || largest(&terms, levels.as_mut(), &found, k, &mut scratch);
        let most = most[k].or_else(|| if is_met(system, k, found[k]) { None } else { largest() });
        Bound { response, most }
    };
    (0..system.tasks().len()).map(&mut bound).collect()
}

/// Where the bound of each kernel comes from, or why there is none. The bounds are those of [`bound`].
pub fn explain(
    system: &System,
    executions: &[Execution],
    limits: &Limits,
) -> Vec<Result<Explanation, NoBound>> {
    let explained = || {
        let terms = Terms::new(system, executions, Parts::new(system, executions)?)?;
        let mut scratch = Scratch::new(&terms);
        let Settled { found, mut levels, .. } =
            settle_by_level(system, &terms, limits, &mut scratch, |_, _| true)?;
        let mut of = |k: usize| match &mut levels {
            Some(levels) => terms.explain_by_level(levels, &found, k, &mut scratch),
            None => terms.explain(&found, k, &mut scratch),
        };
        Ok((0..found.len()).map(&mut of).collect())
    };
    explained().unwrap_or_else(|why| vec![Err(why); system.tasks().len()])
}

/// Whether the bounds prove that every launch meets its deadline, and that kernels without a deadline come to
/// an end.
///
/// # Errors
/// The limit that was reached before this was known.
pub fn is_proved(system: &System, executions: &[Execution], limits: &Limits) -> Result<bool, Stop> {
    if system.memory_without_limit() {
        return Ok(false);
    }
    let proved = || {
        let terms = Terms::new(system, executions, Parts::new(system, executions)?)?;
        // Bounds only grow while they settle, so the first one that is too long decides.
        settle_by_level(system, &terms, limits, &mut Scratch::new(&terms), |k, found| {
            is_met(system, k, found)
        })
    };
    match proved() {
        Ok(settled) => Ok(settled.found.iter().all(Result::is_ok)),
        Err(NoBound::Stopped(Some(stop))) => Err(stop),
        Err(_) => Ok(false),
    }
}

/// A joint fixed point.
struct Settled {
    found: Vec<Found>,
    /// What contributes most to each kernel whose bound grew too much.
    most: Vec<Option<(usize, u64)>>,
    /// The levels of priority, where every C is measured.
    levels: Option<Levels>,
}

/// Whether a value of a kernel's bound meets its deadline, if it has one.
fn is_met(system: &System, k: usize, found: Found) -> bool {
    let response = found.and_then(|time| from_arrival(system, k, time));
    response.is_ok_and(|time| system.tasks()[k].deadline.is_none_or(|deadline| time <= deadline))
}

/// The least joint fixed point; of many kernels, the one by busy windows alone, if it meets all deadlines.
fn settle_by_level(
    system: &System,
    terms: &Terms<'_>,
    limits: &Limits,
    scratch: &mut Scratch,
    go_on: impl Fn(usize, Found) -> bool,
) -> Result<Settled, NoBound> {
    let mut levels = terms.levels()?;
    if let Some(many) = levels.take_if(|levels| levels.are_many()) {
        let go_on = |k: usize, found: Found| is_met(system, k, found);
        match settle(system, terms, Some(many.cheap()), limits, scratch, go_on) {
            Ok(settled) if (0..settled.found.len()).all(|k| is_met(system, k, settled.found[k])) => {
                return Ok(settled);
            }
            Err(NoBound::Stopped(Some(stop))) => return Err(NoBound::Stopped(Some(stop))),
            _ => levels = terms.levels()?,
        }
    }
    let has_levels = levels.is_some();
    match settle(system, terms, levels, limits, scratch, &go_on) {
        // Where windows grow by little in each round, the bounds without levels are still some.
        Err(NoBound::Stopped(None)) if has_levels => settle(system, terms, None, limits, scratch, go_on),
        settled => settled,
    }
}

/// The least joint fixed point. The search ends without one as soon as `go_on` is false of a kernel and the
/// value that it has reached.
fn settle(
    system: &System,
    terms: &Terms<'_>,
    mut levels: Option<Levels>,
    limits: &Limits,
    scratch: &mut Scratch,
    go_on: impl Fn(usize, Found) -> bool,
) -> Result<Settled, NoBound> {
    let tasks = system.tasks().len();
    let mut found: Vec<Found> = (0..tasks).map(|k| terms.least(k)).collect();
    let mut most = vec![None; tasks];
    let steps = if levels.is_some() { MOST_STEPS / STEPS_OF_A_WINDOW } else { MOST_STEPS };
    let rounds = (steps / (tasks * tasks).max(1)).max(LEAST_ROUNDS);
    for _ in 0..rounds {
        let mut settled = true;
        if let Some(levels) = &mut levels {
            terms.enter(levels, &found);
        }
        for k in 0..tasks {
            if !go_on(k, found[k]) {
                return Err(NoBound::Stopped(None));
            }
            if found[k].is_err() {
                continue;
            }
            if limits.stopped().is_some() {
                return Err(NoBound::Stopped(limits.stopped()));
            }
            let next = match &mut levels {
                Some(levels) => terms.next_by_level(levels, &found, k, scratch),
                None => terms.next(&found, k, scratch),
            };
            let next = next.and_then(|total| within(system, k, total));
            if next.is_err() {
                most[k] = largest(terms, levels.as_mut(), &found, k, scratch);
            }
            settled &= next == found[k];
            found[k] = next;
        }
        if settled {
            return Ok(Settled { found, most, levels });
        }
    }
    Err(NoBound::Stopped(limits.stopped()))
}

/// The response time that counts from the arrival, given one that counts from the release.
fn from_arrival(system: &System, k: usize, time: u64) -> Result<Duration, NoBound> {
    time.checked_add(system.tasks()[k].jitter.0).map(Duration).ok_or(NoBound::TooLarge)
}

/// The value that a kernel's bound has reached, if that is not too much.
fn within(system: &System, k: usize, total: u64) -> Found {
    let period = system.tasks()[k].period;
    let limit = period.map_or(Duration::MAX.0, |period| period.0.saturating_mul(MOST_PENDING));
    match period {
        _ if total <= limit.min(Duration::MAX.0) => Ok(total),
        Some(_) => Err(NoBound::Grows(Duration(total))),
        None => Err(NoBound::TooLarge),
    }
}

/// The kernel that contributes most to a kernel's bound, and how many percent it contributes.
fn largest(
    terms: &Terms<'_>,
    levels: Option<&mut Levels>,
    found: &[Found],
    k: usize,
    scratch: &mut Scratch,
) -> Option<(usize, u64)> {
    let by_level = levels.and_then(|levels| terms.explain_by_level(levels, found, k, scratch).ok());
    let of = match by_level {
        Some(explanation) => {
            let share = |share: &Share| (share.kernel, u128::from(share.total().0));
            explanation.shares.iter().map(share).collect()
        }
        None => terms.contributions(found, k, scratch).ok()?.into_iter().enumerate().collect::<Vec<_>>(),
    };
    let all = of.iter().try_fold(0_u128, |all, (_, part)| all.checked_add(*part))?;
    let (kernel, part) = of.into_iter().rev().max_by_key(|(_, part)| *part)?;
    let percent = part.checked_mul(100)?.checked_div(all)?;
    Some((kernel, u64::try_from(percent).ok()?))
}
