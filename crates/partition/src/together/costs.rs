//! What jobs cost one another.

use std::sync::Arc;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul};

use crate::load::conflict;
use crate::memory::{cycles_of, late};
use crate::ticks::of_cycles_up;
use crate::together::TogetherError;
use crate::{Kind, LONGEST, Launch, Runs, TaskSet};
use warpspan_engines::latency::{Block, Traffic, block_costs, overhang};
use warpspan_engines::relay;
use warpspan_model::Workload;
use warpspan_model::device::Gpu;
use warpspan_model::machine::Machine;
use warpspan_model::time::{Clock, Millionths};

/// The costs of the jobs of all tasks on one multiprocessor.
pub(super) struct Costs {
    /// By theta and task. Every theta is safe, and a sum takes all its terms at one.
    of: Vec<Vec<JobCost>>,
    /// h, as a time.
    held: Millionths,
    clock: Clock,
    /// How much longer everything takes because tasks are in conflict, as a fraction of two times.
    stretch: [Millionths; 2],
    /// The memory that all multiprocessors share, and what a job of each task asks of it.
    memory: Option<(Arc<Machine>, Vec<Traffic>)>,
}

/// What all blocks of a job on one multiprocessor cost, in cycles.
struct JobCost {
    /// r A, for a job of another task.
    beside: Ratio<i128>,
    /// r A + C, while its own end is waited for.
    own: Ratio<i128>,
}

impl Costs {
    pub(super) fn new(
        set: &TaskSet,
        kernels: &[Launch],
        blocks: &[u64],
        gpu: &Gpu,
        multiprocessors: usize,
    ) -> Result<Self, TogetherError> {
        let clock = gpu.clock.ok_or(TogetherError::NoClock)?;
        let warps = |(kernel, &blocks): (&Launch, &u64)| kernel.block.warps().checked_mul(blocks);
        let most_warps = kernels.iter().zip(blocks).try_fold(0_u64, |sum, of| sum.checked_add(warps(of)?));
        let most_warps = most_warps.ok_or(TogetherError::TooLarge)?;
        let (each, held) = of_blocks(kernels, most_warps)?;
        let job = |([beside, own], &blocks): (&[Ratio<i128>; 2], &u64)| {
            let others = beside.checked_mul(&Ratio::from(i128::from(blocks) - 1))?;
            Some(JobCost { beside: others.checked_add(beside)?, own: others.checked_add(own)? })
        };
        let at_theta = |costs: &Vec<[Ratio<i128>; 2]>| costs.iter().zip(blocks).map(job).collect();
        let of: Option<Vec<Vec<JobCost>>> = each.iter().map(at_theta).collect();
        let stretch = stretch(set, multiprocessors);
        let of = of.ok_or(TogetherError::TooLarge)?;
        let mut costs = Self { of, held: Millionths(0), clock, stretch, memory: memory(kernels)? };
        costs.held = costs.time(held.into()).ok_or(TogetherError::TooLarge)?;
        Ok(costs)
    }

    /// The bound on the response of a task, if those of the others are these; [`LONGEST`] where it is more.
    pub(super) fn response(
        &self,
        set: &TaskSet,
        responses: &[Millionths],
        task: usize,
    ) -> Result<Millionths, TogetherError> {
        let jobs = |(other, of): (usize, &Millionths)| {
            let present = responses[task].0 + self.held.0 + if other == task { 0 } else { of.0 };
            let jobs = present.div_ceil(set.tasks()[other].period().0);
            i128::from(if other == task { jobs.saturating_sub(1) } else { jobs })
        };
        let jobs: Vec<i128> = responses.iter().enumerate().map(jobs).collect();
        let cycles = |costs: &Vec<JobCost>| {
            let mut sum = costs[task].own;
            for (cost, &jobs) in costs.iter().zip(&jobs) {
                sum = sum.checked_add(&cost.beside.checked_mul(&Ratio::from(jobs))?)?;
            }
            Some(sum.to_integer())
        };
        let least = self.of.iter().filter_map(cycles).min().ok_or(TogetherError::TooLarge)?;
        let least =
            least.checked_add(self.late(&jobs, responses[task], task)?).ok_or(TogetherError::TooLarge)?;
        let cycles = u128::try_from(least).map_err(|_| TogetherError::TooLarge)?;
        Ok(self.time(cycles + 1).unwrap_or(LONGEST))
    }

    /// For how many cycles of a window of this time servers keep results waiting of which so many jobs ask, and one more of
    /// the task itself.
    fn late(&self, jobs: &[i128], window: Millionths, task: usize) -> Result<i128, TogetherError> {
        let Some((machine, of)) = &self.memory else { return Ok(0) };
        let mut asked = Traffic::default();
        for (other, (traffic, &jobs)) in of.iter().zip(jobs).enumerate() {
            let jobs = u64::try_from(jobs).map_err(|_| TogetherError::TooLarge)? + u64::from(other == task);
            asked.add_times(traffic, jobs)?;
        }
        Ok(late(machine, &asked, cycles_of(window, self.clock))?)
    }

    /// The longest time of so many cycles; `None` above [`LONGEST`].
    fn time(&self, cycles: u128) -> Option<Millionths> {
        let [longer, time] = self.stretch.map(|time| u128::from(time.0));
        let cycles = u128::from(of_cycles_up(cycles, self.clock)?.0);
        let time = Millionths(u64::try_from((cycles * longer).div_ceil(time)).ok()?);
        (time <= LONGEST).then_some(time)
    }
}

/// The memory that the kernels share, and the requests of a job of each; none where no kernel has any.
#[expect(clippy::type_complexity, reason = "a machine and what goes with it, once")]
fn memory(kernels: &[Launch]) -> Result<Option<(Arc<Machine>, Vec<Traffic>)>, TogetherError> {
    let mut machine = None;
    let mut all = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        if let Runs::OnMachine(_, of_kernel) = &kernel.runs {
            machine = Some(Arc::clone(of_kernel));
        }
        all.push(kernel.traffic()?.map_or_else(Traffic::default, |(_, traffic)| traffic));
    }
    Ok(machine.filter(|_| all.iter().any(|traffic| !traffic.is_none())).map(|machine| (machine, all)))
}

/// By theta and task: A of a block and A + C, in cycles.
type OfBlocks = Vec<Vec<[Ratio<i128>; 2]>>;

/// What a block of each task costs, and for how many cycles units are held after a block has ended.
fn of_blocks(kernels: &[Launch], most_warps: u64) -> Result<(OfBlocks, u64), TogetherError> {
    let (mut workloads, mut blocks, mut of_machine) = (Vec::new(), Vec::new(), None);
    for Launch { runs, block, .. } in kernels {
        match runs {
            Runs::Code(code, multiprocessor) => {
                workloads.push(Workload::single(code.clone(), block.warps(), *multiprocessor)?);
            }
            Runs::OnMachine(code, machine) => {
                blocks.push(Block { code, warps: block.warps() });
                of_machine = Some(machine);
            }
        }
    }
    let is_same = |window: &[Workload]| window[0].multiprocessor() == window[1].multiprocessor();
    match of_machine {
        Some(machine) if workloads.is_empty() => {
            let costs = block_costs(machine, &blocks, most_warps)?;
            let costs = costs.iter().map(|cost| [cost.beside, cost.followed]).collect();
            Ok((vec![costs], overhang(machine, None)))
        }
        None if workloads.windows(2).all(is_same) => {
            let costs = relay::costs(&workloads, most_warps)?;
            let at = |theta: usize| costs.of.iter().map(|of| [of[theta].beside, of[theta].first]).collect();
            Ok(((0..costs.thetas.len()).map(at).collect(), 0))
        }
        _ => Err(TogetherError::Mixed),
    }
}

/// The largest factor of a task in conflict, C with it over C without; 1 if there is none.
fn stretch(set: &TaskSet, multiprocessors: usize) -> [Millionths; 2] {
    let all: Vec<usize> = (0..set.tasks().len()).collect();
    let conflicts = Kind::ALL.map(|kind| (kind, conflict(set, &all, kind)));
    let mut most = [Millionths(1); 2];
    for task in set.tasks().iter().filter(|task| conflicts.contains(&(task.kind(), true))) {
        let found = [true, false].map(|conflict| task.execution().on(multiprocessors, conflict));
        let product = |a: Millionths, b: Millionths| u128::from(a.0) * u128::from(b.0);
        if product(found[0], most[1]) > product(most[0], found[1]) {
            most = found;
        }
    }
    most
}
