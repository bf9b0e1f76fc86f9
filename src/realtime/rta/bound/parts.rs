//! The terms that a launch of each kernel contributes to the bounds.

use std::collections::HashSet;

use num_integer::Integer;

use crate::model::time::Duration;
use crate::realtime::rta::bound::{MOST_KERNELS, NoBound, product};
use crate::realtime::rta::{Execution, System, Task};

/// The contributions of all kernels.
pub(super) struct Parts {
    /// The contribution of each kernel.
    pub(super) each: Vec<Part>,
    /// M, the number of multiprocessors.
    pub(super) multiprocessors: u128,
    /// How many parts a multiprocessor's time is divided into; loads are counted in these parts.
    pub(super) unit: u128,
}

/// The contribution of a launch of a kernel.
pub(super) struct Part {
    /// The time of its copies plus the time that its last block runs.
    pub(super) own: u128,
    /// The time of its copies.
    pub(super) copies: u128,
    /// The number of its copies.
    pub(super) operations: u128,
    /// The time of one multiprocessor that all its blocks together take.
    pub(super) load: u128,
    /// The time of one multiprocessor that its last block takes.
    pub(super) last: u128,
    /// How much of the multiprocessors all its blocks take at once; `None` if that is no limit.
    pub(super) fill: Option<u128>,
    /// Which launches count with their whole load, since their blocks may all be on one multiprocessor.
    pub(super) counts_fully: CountsFully,
}

/// The launches whose blocks may come to a multiprocessor after the last block of the launch that is
/// followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CountsFully {
    /// None have to be counted, because the time of a block is given.
    Never,
    /// Those released after it: blocks are placed in the order of launch, as long as no launch waits for its
    /// predecessor.
    Later,
    /// Any launch, since streams, priorities or copies change the order.
    Any,
}

impl Parts {
    pub(super) fn new(system: &System, executions: &[Execution]) -> Result<Self, NoBound> {
        if executions.len() != system.tasks().len() {
            return Err(NoBound::Executions);
        }
        if executions.len() > MOST_KERNELS {
            return Err(NoBound::TooManyKernels);
        }
        let find = |solved: bool| executions.iter().position(|one| one.solved.is_some() == solved);
        let (each, unit) = match (find(false), find(true)) {
            (Some(given), Some(solved)) => return Err(NoBound::Mixed { given, solved }),
            (_, Some(_)) => (solved(system, executions)?, 1),
            (_, None) => given(system, executions)?,
        };
        Ok(Self { each, multiprocessors: system.gpu().multiprocessors.into(), unit })
    }
}

impl Part {
    fn new(task: &Task, last: u128, counts_fully: CountsFully) -> Self {
        let both = [task.copy_in, task.copy_out];
        let copies = both.iter().map(|copy| u128::from(copy.0)).sum::<u128>();
        Self {
            own: copies + last,
            copies,
            operations: both.iter().map(|copy| u128::from(*copy > Duration(0))).sum(),
            load: 0,
            last: 0,
            fill: None,
            counts_fully,
        }
    }
}

/// The index of registers in [`Resources::each`](crate::model::device::Resources::each).
const REGISTERS: usize = 2;

/// K_r of registers that lie in parts. A block of w warps with a registers each does not fit if all parts
/// together have room for fewer than w such warps. Beside that room each part has fewer than a registers left
/// over, so at most (w - 1) a + parts (a - 1) registers are free. A block that waits has at least one other
/// block beside it.
fn in_parts(system: &System) -> u64 {
    let using = || system.tasks().iter().filter(|task| task.block.registers > 0);
    let free = |task: &Task| {
        let size = task.registers_of_a_warp();
        (task.warps() - 1) * size + system.gpu().register_parts * (size - 1)
    };
    let free = using().map(free).max().unwrap_or(0);
    let least = using().map(|task| task.block.registers).min().unwrap_or(0);
    system.gpu().resources.registers.saturating_sub(free).max(least)
}

/// The contributions of kernels whose C is given, and the unit that they are counted in.
fn given(system: &System, executions: &[Execution]) -> Result<(Vec<Part>, u128), NoBound> {
    let room = system.gpu().resources.each();
    let needs: Vec<[u64; 4]> = system.tasks().iter().map(|task| task.block.each()).collect();
    // K_r of each resource that can be the one that is missing.
    let taken: Vec<Option<u128>> = (0..room.len())
        .map(|r| {
            if r == REGISTERS && !system.registers_add_up() {
                return Some(in_parts(system).into());
            }
            let step = needs.iter().fold(0, |step, need| need[r].gcd(&step));
            let largest = needs.iter().map(|need| need[r]).max()?;
            let taken = (room[r] - largest).checked_div(step)?.checked_add(1)?.checked_mul(step)?;
            // Where all blocks have the same number of threads, threads alone limit how much of this resource
            // is taken.
            let by_threads = needs
                .iter()
                .map(|need| u128::from(need[r]) * u128::from(room[0] / need[0]))
                .max()
                .filter(|_| needs.iter().all(|need| need[0] == needs[0][0]));
            let scarce = by_threads.is_none_or(|most| most >= u128::from(taken));
            (r == 0 || scarce).then_some(taken.into())
        })
        .collect();
    let unit =
        taken.iter().flatten().try_fold(1_u128, |unit, taken| product(unit / unit.gcd(taken), *taken))?;
    let part = |((task, execution), need): ((&Task, &Execution), &[u64; 4])| {
        let parts = need.iter().zip(&taken);
        let weight = parts.filter_map(|(&need, taken)| Some(product(need.into(), unit / (*taken)?)));
        let weight = weight.sum::<Result<u128, _>>()?;
        let last = product(weight, execution.time.0.into())?;
        Ok(Part {
            load: product(last, task.blocks.into())?,
            last,
            fill: Some(weight.saturating_mul(task.blocks.into())),
            ..Part::new(task, execution.time.0.into(), CountsFully::Never)
        })
    };
    let each = system.tasks().iter().zip(executions).zip(&needs).map(part).collect::<Result<_, _>>()?;
    Ok((each, unit))
}

/// The contributions of kernels that are all strings or programs, in time of a whole multiprocessor.
fn solved(system: &System, executions: &[Execution]) -> Result<Vec<Part>, NoBound> {
    let serial: Vec<u128> =
        executions.iter().filter_map(|one| Some(u128::from(one.solved.as_ref()?.serial.0))).collect();
    let room = system.gpu().resources;
    let by_threads = serial
        .iter()
        .zip(system.tasks())
        .map(|(&serial, task)| (u128::from(room.threads) * serial).div_ceil(u128::from(task.block.threads)))
        .max();
    let by_slots = serial.iter().map(|serial| serial.saturating_mul(room.blocks.into())).max();
    let all =
        serial.iter().zip(system.tasks()).map(|(&serial, task)| serial.saturating_mul(task.blocks.into()));
    let all = all.fold(0, u128::saturating_add);
    let held = by_threads.into_iter().chain(by_slots).fold(all, u128::min);
    let distinct: HashSet<usize> = system.tasks().iter().map(|task| task.stream).collect();
    let in_order = distinct.len() == system.tasks().len()
        && system.streams().windows(2).all(|pair| pair[0].priority == pair[1].priority)
        && system.tasks().iter().all(|task| task.copy_in.max(task.copy_out) == Duration(0));
    let counts_fully = if in_order { CountsFully::Later } else { CountsFully::Any };
    let part = |(&serial, task): (&u128, &Task)| {
        let load = product(serial, task.blocks.into())?;
        Ok(Part { load, last: serial, ..Part::new(task, held.max(serial), counts_fully) })
    };
    serial.iter().zip(system.tasks()).map(part).collect()
}
