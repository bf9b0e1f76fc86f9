//! What the blocks of each kernel cost.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use num_rational::Ratio;

use crate::bound::NoBound;
use crate::bound::numbers::{product, sum};
use crate::{Execution, Source, System, Task};
use warpspan_engines::latency::{self, Block, block_costs, spread_costs};
use warpspan_engines::relay::{Cost, costs};
use warpspan_model::device::WARP;
use warpspan_model::machine::Machine;
use warpspan_model::time::TimeUnit;
use warpspan_model::{Code, Workload};

/// The thetas of costs of the paper's multiprocessor; none where there are no such costs.
type Thetas = Vec<Ratio<i128>>;

/// What a block costs at each theta.
type CostsAtThetas = Vec<BlockCost>;

/// What a block costs at a theta, in grains.
#[derive(Clone, Copy)]
pub(super) struct BlockCost {
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
    pub(super) fn each(&self) -> [Ratio<u128>; 3] {
        [self.beside, self.first, self.followed]
    }

    pub(super) fn scaled(&self, weight: u128, one: u128, grain: u128) -> Result<Scaled, NoBound> {
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
pub(super) fn blocks(
    system: &System,
    executions: &[Execution],
) -> Result<(Vec<CostsAtThetas>, Thetas), NoBound> {
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
    let (mut blocks, mut numbers, tasks) = (Vec::new(), Vec::new(), system.tasks().len());
    for task in system.tasks() {
        let Source::OnMachine(code) = &task.execution else { continue };
        let block = Block { code, warps: task.threads.div_ceil(WARP) };
        // To look up the code of a single kernel takes longer than some bounds of it.
        let number = if tasks == 1 { 0 } else { *known.entry(block).or_insert(blocks.len()) };
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
