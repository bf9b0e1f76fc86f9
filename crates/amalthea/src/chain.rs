//! How long data takes along an event chain: from the arrival of a job of the first task to the output of a
//! job of the last one that its data has reached.
//!
//! Under implicit communication a job reads when it starts and writes when it ends. The next job of a task
//! arrives at most a period after the data of the task before is written, and starts after that. So the
//! reaction takes at most R_1 + sum over the others of (T_i + R_i), whatever the offsets (Davare et al., DAC
//! 2007). With logical execution times (LET) a job reads at its arrival and writes a period later: T_1 + sum
//! of 2 T_i. Where all arrivals are exactly periodic from known offsets, all first jobs of a hyperperiod are
//! followed: a larger response time never makes data arrive earlier, so the bounds R_i give an upper bound,
//! and LET is exact.

use num_integer::Integer;

use crate::cost::Ps;
use crate::model::{Activation, Model, Range};

/// The latencies of a chain, in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Latencies {
    pub(super) implicit_lower: Option<Ps>,
    pub(super) implicit_upper: Option<Ps>,
    pub(super) implicit_upper_at_offsets: Option<Ps>,
    pub(super) let_upper: Option<Ps>,
    pub(super) let_at_offsets: Option<Range<Ps>>,
}

/// The most jobs of the first task that are followed.
const MOST_JOBS: Ps = 100_000;

/// A task of a chain with exactly periodic arrivals.
struct Exact {
    period: Ps,
    offset: Ps,
}

/// The latencies of a chain of tasks with these best response times and bounds.
pub(super) fn latencies(
    model: &Model,
    tasks: &[usize],
    best: impl Fn(usize) -> Option<Ps>,
    bound: impl Fn(usize) -> Option<Ps>,
) -> Latencies {
    let longest = |&task: &usize| match model.tasks[task].activation {
        Activation::Recurring { longest, .. } => Some(Ps::from(longest.0)),
        _ => None,
    };
    let exact = |&task: &usize| match model.tasks[task].activation {
        Activation::Recurring { period, offset: Some(offset), .. } => {
            Some(Exact { period: period.0.into(), offset: offset.0.into() })
        }
        _ => None,
    };
    let all =
        |of: &dyn Fn(usize) -> Option<Ps>| tasks.iter().map(|&task| of(task)).collect::<Option<Vec<Ps>>>();
    let (best, bounds) = (all(&best), all(&bound));
    let waits: Option<Ps> = tasks.iter().skip(1).map(longest).sum();
    let first = tasks.first().and_then(longest);
    let exact: Option<Vec<Exact>> = tasks.iter().map(exact).collect();
    let followed = |delays: &[Ps]| exact.as_deref().and_then(|exact| follow(exact, delays));
    let periods: Option<Vec<Ps>> = exact.as_ref().map(|exact| exact.iter().map(|one| one.period).collect());
    Latencies {
        implicit_lower: best.map(|best| best.iter().sum()),
        implicit_upper: bounds
            .as_ref()
            .zip(waits)
            .zip(first)
            .map(|((bounds, waits), _)| bounds.iter().sum::<Ps>() + waits),
        implicit_upper_at_offsets: bounds
            .as_ref()
            .and_then(|bounds| followed(bounds))
            .map(|range| range.upper),
        let_upper: periods.as_ref().zip(waits).map(|(periods, waits)| periods.iter().sum::<Ps>() + waits),
        let_at_offsets: periods.and_then(|periods| followed(&periods)),
    }
}

/// The least and the largest time from an arrival of the first task to the output of the last, where each
/// task writes so long after its arrival and reads at its arrival.
fn follow(tasks: &[Exact], delays: &[Ps]) -> Option<Range<Ps>> {
    let (first, others) = tasks.split_first()?;
    let period = tasks.iter().try_fold(1_u128, |so_far, task| {
        (so_far / so_far.gcd(&task.period)).checked_mul(task.period).filter(|&all| all < 1 << 100)
    })?;
    let jobs = period / first.period;
    // Once all tasks have begun, the pattern repeats.
    let begin =
        tasks.iter().map(|task| task.offset).max()?.saturating_sub(first.offset).div_ceil(first.period);
    if jobs > MOST_JOBS {
        return None;
    }
    let latency = |job: Ps| {
        let arrival = first.offset + (begin + job) * first.period;
        let (first_delay, delays) = delays.split_first().unwrap_or((&0, &[]));
        let written = others.iter().zip(delays).fold(arrival + first_delay, |written, (task, delay)| {
            task.offset + written.saturating_sub(task.offset).div_ceil(task.period) * task.period + delay
        });
        written - arrival
    };
    let lower = (0..jobs).map(latency).min()?;
    Some(Range { lower, upper: (0..jobs).map(latency).max()? })
}
