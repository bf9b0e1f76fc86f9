//! Whether all deadlines are met in a partition that runs one kernel at a time on all its multiprocessors, by
//! a policy.

use crate::effort::Effort;
use crate::{Sporadic, Undecided, edf, np_dm, np_edf};
use warpspan_model::limits::Limits;
use warpspan_model::words;

words! {
    /// The policy of a partition, together with its schedulability test.
    #[derive(Hash)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    #[schemars(description = "A test whether all deadlines of a partition hold.")]
    Test {
        /// Earliest deadline first, kernels preempted; ties in any order.
        ///
        /// The test is processor demand.
        #[schemars(description = "Earliest deadline first, preemptive.")]
        Edf = "edf",
        /// Earliest deadline first, kernels not preempted; ties in any order.
        ///
        /// The test is processor demand with blocking.
        #[schemars(description = "Earliest deadline first, not preemptive.")]
        NpEdf = "np-edf",
        /// Deadline-monotonic priorities, kernels not preempted; of equal deadlines the task given first
        /// has the higher priority.
        ///
        /// The test is response times.
        #[schemars(description = "Deadline monotonic, not preemptive.")]
        NpDm = "np-dm",
    }
}

impl Test {
    /// The most steps of a test, where a step is one task examined at one moment.
    pub const MOST_STEPS: u64 = 10_000_000;

    /// Whether all deadlines are met, whenever the jobs of these tasks arrive: `true` and `false` are both
    /// proved.
    ///
    /// Shorter execution times never turn `true` into `false`, and neither do fewer tasks.
    ///
    /// # Errors
    /// If the test would take more than [`MOST_STEPS`](Self::MOST_STEPS), or if a limit stops it.
    pub fn accepts(self, tasks: &[Sporadic], limits: &Limits) -> Result<bool, Undecided> {
        if tasks.iter().any(|task| task.execution > task.deadline) || !utilisation_at_most_one(tasks)? {
            return Ok(false);
        }
        let effort = &mut Effort::new(Self::MOST_STEPS, limits);
        match self {
            Self::Edf => edf::accepts(tasks, effort),
            Self::NpEdf => np_edf::accepts(tasks, effort),
            Self::NpDm => np_dm::accepts(tasks, effort),
        }
    }
}

/// Whether the sum of C/T is at most 1: it is computed in floats where that is clear, and over the common
/// period otherwise.
fn utilisation_at_most_one(tasks: &[Sporadic]) -> Result<bool, Undecided> {
    let sum: f64 = tasks.iter().map(Sporadic::utilisation).sum();
    // The sum has up to a thousand terms, each off by 2^-52 at most.
    if (sum - 1.0).abs() > 1e-9 {
        return Ok(sum < 1.0);
    }
    let common = tasks.iter().try_fold(1_u128, |common, task| {
        let period = u128::from(task.period);
        common.checked_mul(period / num_integer::gcd(common, period))
    });
    let work = common.and_then(|common| {
        let share = |task: &Sporadic| (common / u128::from(task.period)).checked_mul(task.execution.into());
        tasks.iter().try_fold(0_u128, |sum, task| sum.checked_add(share(task)?))
    });
    common.zip(work).map(|(common, work)| work <= common).ok_or(Undecided::TooLong)
}
