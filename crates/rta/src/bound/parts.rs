//! What a launch of each kernel contributes to the response times of others and to its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use num_integer::Integer;
use num_rational::Ratio;

use crate::bound::co_running::beside;
use crate::bound::weights::Weights;
use crate::bound::{MOST_KERNELS, NoBound, product, sum};
use crate::{Execution, Source, System, Task};
use warpspan_engines::latency::{self, Block, block_costs, spread_costs};
use warpspan_engines::relay::{Cost, costs};
use warpspan_model::device::WARP;
use warpspan_model::machine::Machine;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::{Code, Workload};

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

/// The thetas of costs of the paper's multiprocessor; none where there are no such costs.
type Thetas = Vec<Ratio<i128>>;

/// What a block costs at each theta.
type CostsAtThetas = Vec<BlockCost>;

/// What a block costs at a theta, in grains.
#[derive(Clone, Copy)]
struct BlockCost {
    beside: Ratio<u128>,
    first: Ratio<u128>,
    followed: Ratio<u128>,
}

/// The same in parts of a grain, each rounded up.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    pub(super) beside: u128,
    pub(super) first: u128,
    pub(super) followed: u128,
    /// What it costs where it is present while blocks wait, and is followed as often as its weight.
    pub(super) ahead: u128,
}

impl BlockCost {
    fn each(&self) -> [Ratio<u128>; 3] {
        [self.beside, self.first, self.followed]
    }

    fn scaled(&self, weight: u128, one: u128, grain: u128) -> Result<Scaled, NoBound> {
        let up = |cost: Ratio<u128>, share: u128| {
            Ok(product(product(*cost.numer(), grain)?, share)?.div_ceil(product(*cost.denom(), one)?))
        };
        let beside = up(self.beside, one)?;
        let ahead = sum(beside, up(self.followed - self.beside, weight)?)?;
        Ok(Scaled { beside, first: up(self.first, one)?, followed: up(self.followed, one)?, ahead })
    }
}

/// What a block of each kernel costs at each theta. A measured block takes at most C whatever co-runs with it. Where
/// all are measured, it costs that only where it is followed. Together with blocks of code it costs that in any case:
/// the others need not come nearer to their end while it is there. The thetas come with it.
///
/// Code issues at the edges of cycles. Unless times are counted in cycles, launches are released and measured
/// blocks begin and end between them, too. A block of code then waits for the next edge where it starts, and
/// where its launch is released; and a measured block disturbs every cycle that it touches, which are at most
/// C and two cycles more.
///
/// On a machine a block may hold units for some cycles after its end, the overhang. A measured block disturbs
/// these cycles as well. Blocks that have ended before a launch waits or runs disturb its first cycles, on each
/// multiprocessor, so that the block of it which is followed costs two overhangs more.
fn blocks(system: &System, executions: &[Execution]) -> Result<(Vec<CostsAtThetas>, Thetas), NoBound> {
    let all_measured = executions.iter().all(|execution| execution.solved.is_none());
    let cycle = cycle(system);
    let to_edge = cycle.filter(|_| system.unit() != TimeUnit::Cycles).unwrap_or_default();
    let overhang = match if all_measured { 0 } else { system.overhang() } {
        0 => Ratio::default(),
        cycles => Ratio::from(u128::from(cycles)) * cycle.ok_or(NoBound::TooLarge)?,
    };
    let (of_code, thetas) = match system.machine() {
        Some(machine) => (on_machine(system, machine)?, Vec::new()),
        None => on_paper(system)?,
    };
    let number = of_code.first().map_or(1, Vec::len);
    let mut of_code = of_code.into_iter();
    let of = |(task, execution): (&Task, &Execution)| {
        let costs = if let Source::Given(_) = task.execution { None } else { of_code.next() };
        if execution.solved.is_none() {
            let time = Ratio::from(u128::from(execution.time.0));
            let touched = time + to_edge + to_edge + overhang;
            let cost = if all_measured {
                BlockCost { beside: Ratio::from(0), first: time, followed: time }
            } else {
                let followed = touched + overhang + overhang;
                BlockCost { beside: touched, first: followed, followed }
            };
            return Ok(vec![cost; number]);
        }
        let cycle = cycle.ok_or(NoBound::TooLarge)?;
        let block = |cost: &Cost| {
            let time = |cycles: Ratio<i128>| {
                let part = |part: &i128| u128::try_from(*part).ok();
                let cycles = Ratio::new(part(cycles.numer())?, part(cycles.denom())?);
                num_traits::CheckedMul::checked_mul(&cycles, &cycle)
            };
            let stretch = to_edge + to_edge + overhang + overhang;
            Some(BlockCost {
                beside: time(cost.beside)? + to_edge,
                first: time(cost.first)? + stretch,
                followed: time(cost.followed)? + stretch,
            })
        };
        costs.and_then(|costs| costs.iter().map(block).collect()).ok_or(NoBound::TooLarge)
    };
    let blocks = system.tasks().iter().zip(executions).map(of).collect::<Result<_, _>>()?;
    Ok((blocks, thetas))
}

/// The costs of the blocks of each kernel of code at each theta, and the thetas.
fn on_paper(system: &System) -> Result<(Vec<Vec<Cost>>, Thetas), NoBound> {
    let mut known: HashMap<(&Code, u64), usize> = HashMap::new();
    let (mut workloads, mut numbers) = (Vec::new(), Vec::new());
    for task in system.tasks() {
        let (Source::Code(code) | Source::Listing(code)) = &task.execution else { continue };
        let warps = task.threads.div_ceil(WARP);
        if let Entry::Vacant(new) = known.entry((code, warps)) {
            new.insert(workloads.len());
            let block = Workload::single(code.clone(), warps, system.multiprocessor());
            let block = block.and_then(|block| block.in_blocks_of(warps)).map_err(|_| NoBound::TooLarge)?;
            workloads.push(block);
        }
        numbers.push(known[&(code, warps)]);
    }
    if workloads.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let most_warps = system.gpu().resources.threads / WARP;
    let found = costs(&workloads, most_warps).map_err(|_| NoBound::TooLarge)?;
    Ok((numbers.into_iter().map(|number| found.of[number].clone()).collect(), found.thetas))
}

/// The costs of the blocks of each kernel of code on a machine. There is nothing like a theta, but where warps are spread over the
/// schedulers, there are other costs of which all may be taken as well.
fn on_machine(system: &System, machine: &Arc<Machine>) -> Result<Vec<Vec<Cost>>, NoBound> {
    let mut known: HashMap<Block<'_>, usize> = HashMap::new();
    let (mut blocks, mut numbers) = (Vec::new(), Vec::new());
    for task in system.tasks() {
        let Source::OnMachine(code) = &task.execution else { continue };
        let block = Block { code, warps: task.threads.div_ceil(WARP) };
        let number = *known.entry(block).or_insert(blocks.len());
        if number == blocks.len() {
            blocks.push(block);
        }
        numbers.push(number);
    }
    if blocks.is_empty() {
        return Ok(Vec::new());
    }
    let most_warps = system.gpu().resources.threads / WARP;
    let found = block_costs(machine, &blocks, most_warps).map_err(|_| NoBound::TooLarge)?;
    let spread = if system.counts_on_spread() {
        Some(spread_costs(machine, &blocks, most_warps).map_err(|_| NoBound::TooLarge)?)
    } else {
        None
    };
    let of = |cost: &latency::BlockCost| {
        let &latency::BlockCost { beside, followed } = cost;
        Cost { beside, first: followed, followed }
    };
    let cost = |number: usize| -> Vec<Cost> {
        [of(&found[number])].into_iter().chain(spread.iter().map(|spread| of(&spread[number]))).collect()
    };
    Ok(numbers.into_iter().map(cost).collect())
}

/// The grains that a cycle takes; `None` if the unit of the system is not one of time.
fn cycle(system: &System) -> Option<Ratio<u128>> {
    system.unit().grains_per_cycle(system.gpu().clock)
}

pub(crate) fn in_order(system: &System) -> bool {
    let streams: std::collections::HashSet<usize> = system.tasks().iter().map(|task| task.stream).collect();
    streams.len() == system.tasks().len()
        && system.streams().windows(2).all(|pair| pair[0].priority == pair[1].priority)
        && system.tasks().iter().all(|task| task.copy_in.max(task.copy_out) == Duration(0))
}
