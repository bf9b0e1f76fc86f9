//! What a launch of each kernel contributes to the response times of others and to its own.

use num_integer::Integer;
use num_rational::Ratio;

use crate::bound::NoBound;
use crate::bound::block_costs::{Scaled, blocks};
use crate::bound::co_running::beside;
use crate::bound::numbers::{product, sum};
use crate::bound::weights::Weights;
use crate::{Execution, System, Task};
use warpspan_model::time::{Duration, TimeUnit};

/// The most kernels of a system that is analysed: the effort grows with the square of their number.
pub const MOST_KERNELS: usize = 20_000;

/// The contributions of all kernels. All of them are counted in parts of a grain of time.
pub(super) struct Parts {
    /// What does not depend on theta, kernel by kernel.
    pub(super) each: Vec<Part>,
    /// The costs of a launch: those of the first kernel at each theta, then those of the second, and so on.
    pub(super) costs: Vec<LaunchCosts>,
    /// The number of thetas.
    pub(super) thetas: usize,
    /// The thetas; none where every C is measured.
    pub(super) theta: Vec<Ratio<i128>>,
    /// What a block of each kernel costs at each theta.
    pub(super) blocks: Vec<Vec<Scaled>>,
    /// The most that the blocks co-running with the last block of each kernel cost at each theta; nothing where its C
    /// is measured.
    pub(super) co_running: Vec<Vec<u128>>,
    /// How many parts of a grain one grain of waiting is worth: all multiprocessors are full meanwhile.
    pub(super) per_grain: u128,
    /// Whether a block that is ahead in time is ahead in the queue: each kernel has a stream of its own, all
    /// have one priority, and nothing is copied.
    pub(super) in_order: bool,
    /// Whether nothing happens but at whole grains, so that bounds may be rounded down.
    pub(super) whole: bool,
    /// Whether every C is measured. Then a stream takes only its share of the multiprocessors.
    pub(super) all_measured: bool,
}

/// The contributions of a kernel at each theta.
pub(super) struct Part {
    /// Whether C is measured, so that its own blocks take no longer because of others.
    pub(super) measured: bool,
    /// The time of its copies.
    pub(super) copies: u128,
    /// The number of its copies.
    pub(super) operations: u64,
    /// How much of the multiprocessors all its blocks take at once, where every C is measured.
    pub(super) fill: u128,
}

/// The costs of a launch at a theta. The time that a launch waits and runs is a sum of such costs divided by
/// the number of multiprocessors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LaunchCosts {
    /// Of itself: the block that ends last, with the blocks that may co-run with it.
    pub(super) last: u128,
    /// The same where several launches of the stream follow one another: then it is not the first block that
    /// is followed.
    pub(super) chained: u128,
    /// Of itself: all its other blocks.
    pub(super) rest: u128,
    /// Of itself: all its blocks, where blocks that co-run with the last one are counted with their own launches.
    pub(super) own: u128,
    /// All blocks, where they are present while ours wait.
    pub(super) ahead: u128,
    /// All blocks, where they start after all of ours have started.
    pub(super) later: u128,
    /// All blocks, where each does the one or the other.
    pub(super) either: u128,
    /// All blocks, where each may co-run with a last block of our stream and also be present while ours wait.
    pub(super) both: u128,
}

impl Parts {
    pub(super) fn new(system: &System, executions: &[Execution]) -> Result<Self, NoBound> {
        let tasks = system.tasks();
        if executions.len() != tasks.len() {
            return Err(NoBound::Executions);
        }
        if executions.len() > MOST_KERNELS {
            return Err(NoBound::TooManyKernels);
        }
        if let Some((streams, most)) = system.more_streams_than_run() {
            return Err(NoBound::TooManyStreams(streams, most));
        }
        if let Some((kernel, beside)) = system.alone_in_company() {
            return Err(NoBound::NotAlone { kernel, beside });
        }
        let all_measured = executions.iter().all(|execution| execution.solved.is_none());
        let (blocks, theta) = blocks(system, executions)?;
        let thetas = blocks.first().map_or(1, Vec::len);
        let weights = Weights::new(system)?;
        let grain =
            blocks.iter().flatten().flat_map(|cost| cost.each()).try_fold(weights.one, |all, cost| {
                let step = cost.denom();
                all.checked_mul(step / all.gcd(step)).filter(|&all| all <= FINEST.max(weights.one))
            });
        // A finer division would be exact, and this one is safe: every cost is rounded up.
        let grain = grain.unwrap_or_else(|| FINEST.max(weights.one));
        let m = u128::from(system.gpu().multiprocessors);
        let mut parts = Self {
            each: Vec::with_capacity(tasks.len()),
            costs: Vec::with_capacity(tasks.len() * thetas),
            thetas,
            theta,
            blocks: Vec::new(),
            co_running: Vec::new(),
            per_grain: product(grain, m)?,
            in_order: in_order(system),
            whole: system.unit() == TimeUnit::Cycles && !all_measured,
            all_measured,
        };
        let scaled: Vec<Vec<Scaled>> = blocks
            .iter()
            .zip(&weights.of)
            .map(|(costs, &weight)| {
                costs.iter().map(|cost| cost.scaled(weight, weights.one, grain)).collect()
            })
            .collect::<Result<_, NoBound>>()?;
        let beside = beside(system, executions, &scaled)?;
        for (kernel, (task, execution)) in tasks.iter().zip(executions).enumerate() {
            let measured = execution.solved.is_none();
            parts.each.push(Part::new(
                task,
                measured,
                parts.per_grain,
                weights.of[kernel],
                [grain, weights.one],
            )?);
            for (theta, block) in scaled[kernel].iter().enumerate() {
                let co_running = beside[kernel].get(theta).copied().unwrap_or(0);
                let (first, followed) = (sum(block.first, co_running)?, product(block.followed, m)?);
                let chained = sum(followed, product(co_running, m - 1)?)?;
                let last = product(first, m)?.min(chained);
                let later = product(block.beside, m)?;
                let all = u128::from(task.blocks);
                let both = sum(block.ahead, product(block.beside, m - 1)?)?;
                let rest_both = if measured { block.ahead } else { both };
                parts.costs.push(LaunchCosts {
                    last,
                    chained,
                    rest: product(block.ahead, all - 1)?,
                    own: sum(followed, product(rest_both, all - 1)?)?,
                    ahead: product(block.ahead, all)?,
                    later: product(later, all)?,
                    either: product(block.ahead.max(later), all)?,
                    both: product(both, all)?,
                });
            }
        }
        parts.blocks = scaled;
        parts.co_running = beside;
        Ok(parts)
    }

    /// The costs of a launch of a kernel, theta by theta.
    pub(super) fn of(&self, kernel: usize) -> &[LaunchCosts] {
        &self.costs[kernel * self.thetas..(kernel + 1) * self.thetas]
    }
}

/// The most parts that a grain is divided into, unless the weights need more.
const FINEST: u128 = 1 << 40;

impl Part {
    fn new(
        task: &Task,
        measured: bool,
        per_grain: u128,
        weight: u128,
        [grain, one]: [u128; 2],
    ) -> Result<Self, NoBound> {
        let both = [task.copy_in, task.copy_out];
        let copies = both.iter().map(|copy| u128::from(copy.0)).sum::<u128>();
        let weight = product(weight, grain)?.div_ceil(one);
        Ok(Self {
            measured,
            copies: product(copies, per_grain)?,
            operations: both.iter().map(|copy| u64::from(*copy > Duration(0))).sum(),
            fill: weight.saturating_mul(task.blocks.into()),
        })
    }
}

pub(crate) fn in_order(system: &System) -> bool {
    let streams: std::collections::HashSet<usize> = system.tasks().iter().map(|task| task.stream).collect();
    streams.len() == system.tasks().len()
        && system.streams().windows(2).all(|pair| pair[0].priority == pair[1].priority)
        && system.tasks().iter().all(|task| task.copy_in.max(task.copy_out) == Duration(0))
}
