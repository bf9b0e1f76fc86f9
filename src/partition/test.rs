//! Whether all deadlines hold in a partition, by the policy that runs it: one kernel at a time on all its multiprocessors.

use std::fmt;

use crate::partition::Sporadic;
use crate::partition::load::real;
use crate::partition::{edf, np_dm, np_edf};

/// The policy of a partition, with its schedulability test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Test {
    /// Preemptive earliest deadline first: processor demand.
    Edf,
    /// Earliest deadline first, kernels not preempted: processor demand with blocking.
    NpEdf,
    /// Deadline-monotonic priorities, kernels not preempted: response times.
    NpDm,
}

impl Test {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Edf, Self::NpEdf, Self::NpDm];

    /// As flags and records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edf => "edf",
            Self::NpEdf => "np-edf",
            Self::NpDm => "np-dm",
        }
    }

    /// Whether no sporadic arrivals of these tasks miss a deadline. `false` also where that would take too long to prove:
    /// where the interval to look at holds more than a million deadlines.
    pub fn accepts(self, tasks: &[Sporadic]) -> bool {
        if tasks.iter().any(|task| task.execution > task.deadline) || !utilisation_at_most_one(tasks) {
            return false;
        }
        match self {
            Self::Edf => edf::accepts(tasks),
            Self::NpEdf => np_edf::accepts(tasks),
            Self::NpDm => np_dm::accepts(tasks),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether the sum of C/T is at most 1: by floats where they are clear, else over the common period. `false` where that is
/// too long to say.
fn utilisation_at_most_one(tasks: &[Sporadic]) -> bool {
    let sum: f64 = tasks.iter().map(Sporadic::utilisation).sum();
    // A thousand terms, each off by 2^-52 at most.
    if (sum - 1.0).abs() > 1e-9 {
        return sum < 1.0;
    }
    let common = tasks.iter().try_fold(1_u128, |common, task| {
        let period = u128::from(task.period);
        common.checked_mul(period / num_integer::gcd(common, period))
    });
    let whole = common.and_then(|common| {
        let share = |task: &Sporadic| (common / u128::from(task.period)).checked_mul(task.execution.into());
        let mut sum = 0_u128;
        for task in tasks {
            sum = sum.checked_add(share(task)?)?;
        }
        Some(sum <= common)
    });
    whole.unwrap_or(false)
}

/// The most deadlines that a test looks at.
pub(super) const MOST_DEADLINES: u64 = 1_000_000;

/// Length of the interval in which the first missed deadline must lie, if there is one: up to where the linear bound of the
/// demand falls below the time, or up to the end of the synchronous busy period (Baruah, Mok, Rosier 1990; Zhang, Burns
/// 2009, Theorem 2). `None` if it holds more than [`MOST_DEADLINES`] deadlines. U <= 1 is known.
pub(super) fn interval(tasks: &[Sporadic]) -> Option<u64> {
    let utilisation: f64 = tasks.iter().map(Sporadic::utilisation).sum();
    let backlog: f64 = tasks.iter().map(|task| real(task.period - task.deadline) * task.utilisation()).sum();
    // Rounded outwards by far more than the error of the sums.
    let linear = backlog * (1.0 + 1e-6) / (1.0 - utilisation - 1e-9) + 2.0;
    let shortest = tasks.iter().map(|task| task.period).min()?;
    let longest = shortest.saturating_mul(MOST_DEADLINES);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 and 2^62")]
    let linear = (utilisation + 1e-6 < 1.0 && linear < 4e18).then_some(linear as u64);
    let busy = || {
        let mut length = tasks.iter().map(|task| task.execution).sum::<u64>();
        for _ in 0..MOST_DEADLINES {
            let more = tasks.iter().try_fold(0_u64, |sum, task| {
                sum.checked_add(task.execution.checked_mul(length.div_ceil(task.period))?)
            })?;
            if more == length {
                return Some(length);
            }
            length = more;
            if length > longest {
                return None;
            }
        }
        None
    };
    // The linear bound costs nothing; the busy period is only needed where that one is long.
    let length = match linear {
        Some(linear) if linear <= longest => linear,
        _ => busy()?,
    };
    let deadlines = tasks.iter().try_fold(0_u64, |sum, task| sum.checked_add(length / task.period));
    deadlines.is_some_and(|deadlines| deadlines <= MOST_DEADLINES).then_some(length)
}
