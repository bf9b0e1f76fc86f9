//! The share of a full multiprocessor that a block accounts for.
//!
//! A block waits only while no multiprocessor has room for it. Each multiprocessor then has some resource r of
//! which at least `K_r` is taken. So the blocks that are present have shares d / `K_r` of that resource which
//! add up to 1 or more, and w = the largest of min(1, d / `K_r`) over all resources is not below any of them.

use num_integer::Integer;

use crate::realtime::rta::bound::{NoBound, product};
use crate::realtime::rta::{System, Task};

/// The weights of all kernels' blocks.
pub(super) struct Weights {
    /// The weight of a block of each kernel, in parts of 1.
    pub(super) of: Vec<u128>,
    /// The number of these parts in 1.
    pub(super) one: u128,
}

/// The index of registers in [`Resources::each`](crate::model::device::Resources::each).
const REGISTERS: usize = 2;

impl Weights {
    pub(super) fn new(system: &System) -> Result<Self, NoBound> {
        let needs: Vec<[u64; 4]> = system.tasks().iter().map(|task| task.block.each()).collect();
        let taken = taken(system, &needs);
        let one =
            taken.iter().flatten().try_fold(1_u128, |one, taken| product(one / one.gcd(taken), *taken))?;
        let weight = |need: &[u64; 4]| {
            let shares = need.iter().zip(&taken).filter_map(|(&need, taken)| Some((need, (*taken)?)));
            let mut shares = shares.map(|(need, taken)| product(u128::from(need).min(taken), one / taken));
            shares.try_fold(0, |most: u128, share| Ok(most.max(share?)))
        };
        Ok(Self { of: needs.iter().map(weight).collect::<Result<_, NoBound>>()?, one })
    }
}

/// `K_r` of each resource that can be the one that is missing: the multiprocessor's amount less the largest need
/// of a block, counted in steps of the greatest common divisor of the needs, plus one step.
fn taken(system: &System, needs: &[[u64; 4]]) -> [Option<u128>; 4] {
    let room = system.gpu().resources.each();
    [0, 1, 2, 3].map(|r| {
        if r == REGISTERS && !system.registers_add_up() {
            return Some(in_parts(system).into());
        }
        let step = needs.iter().fold(0, |step, need| need[r].gcd(&step));
        let largest = needs.iter().map(|need| need[r]).max()?;
        let taken = (room[r] - largest).checked_div(step)?.checked_add(1)?.checked_mul(step)?;
        // Where all blocks have the same number of threads, threads alone limit how much of this resource is
        // taken.
        let by_threads = needs
            .iter()
            .map(|need| u128::from(need[r]) * u128::from(room[0] / need[0]))
            .max()
            .filter(|_| needs.iter().all(|need| need[0] == needs[0][0]));
        let scarce = by_threads.is_none_or(|most| most >= u128::from(taken));
        (r == 0 || scarce).then_some(taken.into())
    })
}

/// `K_r` of registers that lie in parts. A block of w warps with a registers each does not fit if all parts
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
