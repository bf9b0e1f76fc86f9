//! When the last result of equal blocks is there, on one or several multiprocessors with one queue.
//!
//! With the costs A and C of a block ([`costs`](crate::latency::block_costs)) and R blocks at once, the
//! blocks that a multiprocessor runs until it ends, and those that it runs until the last one starts, take at
//! most
//!
//! ```text
//! P(x) = x A + ceil(x / R) C      for x blocks
//! Q(y) = y A + floor(y / R) C
//! ```
//!
//! cycles, and the blocks of M multiprocessors at most the largest over x of min(P(x), Q(floor((N - x) / (M - 1)))
//! + P(R) + h), where h is the [`overhang`] of their code. `docs/machine-blocks.md` has the proof.

use std::sync::Arc;

use crate::latency::LatencyError;
use crate::latency::bounds::{bounds, critical_path, upper};
use crate::latency::costs::{Block, in_parts, overhang};
use crate::latency::error::{plus, times};
use crate::latency::memory::{Traffic, window};
use warpspan_check::bound::Upper;
use warpspan_model::machine::{Machine, MachineGroup, MachineWorkload, Step};
use warpspan_model::program::Piece;

/// Equal blocks that wait in one queue for room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks<'a> {
    /// A block.
    pub block: Block<'a>,
    /// N, how many there are.
    pub number: u64,
    /// R, how many a multiprocessor holds at once.
    pub resident: u64,
    /// M, the number of multiprocessors.
    pub multiprocessors: u64,
}

/// A bound on blocks, and how it came about: as the cost of so many blocks, of which so many are followed one after the
/// other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// The cycle.
    pub upper: Upper,
    /// For how many cycles each server of the memory may keep results waiting, by their numbers.
    pub servers: Vec<i128>,
    /// How many blocks are counted.
    pub blocks: u64,
    /// How many of them are followed.
    pub followed: u64,
}

/// Further passes of a loop, besides those in the code of the block: their code, and their number over all warps of all
/// blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Further<'a> {
    /// One pass. Its letters are letters of the block's code.
    pub code: &'a Piece<Step>,
    /// How often all warps of all blocks pass it together at most.
    pub passes: u64,
}

/// Upper bound on the cycle at whose end the last result of all blocks is there, on multiprocessors that run
/// nothing else. Blocks that ended before the first cycle may hold units for `before` cycles more. Nothing is
/// assumed of the schedulers to which the warps of a block are pinned.
///
/// # Errors
/// If a number is zero, the block has no letter, its code is no valid program, or numbers do not fit.
pub fn completion(machine: &Arc<Machine>, blocks: &Blocks<'_>, before: u64) -> Result<Upper, LatencyError> {
    Ok(followed(machine, blocks, before, &blocks.traffic(machine)?)?.upper)
}

impl Blocks<'_> {
    /// The most that all blocks on all multiprocessors ask of the servers of the memory.
    ///
    /// # Errors
    /// If the code is no valid program, or numbers do not fit.
    pub fn traffic(&self, machine: &Machine) -> Result<Traffic, LatencyError> {
        let warps = u128::from(self.block.warps) * u128::from(self.number);
        Traffic::of(machine, self.block.code, warps)
    }
}

/// The same bound with the blocks that it counts, where all that is asked of the memory meanwhile is given.
///
/// # Errors
/// As [`completion`].
pub fn followed(
    machine: &Arc<Machine>,
    blocks: &Blocks<'_>,
    before: u64,
    traffic: &Traffic,
) -> Result<Followed, LatencyError> {
    in_all(machine, blocks, before, None, traffic).map(|(found, _)| found)
}

/// The same for blocks whose warps pass further code, and how many of the cycles are due to that.
///
/// # Errors
/// As [`completion`].
pub fn followed_with(
    machine: &Arc<Machine>,
    blocks: &Blocks<'_>,
    further: &[Further<'_>],
    traffic: &Traffic,
) -> Result<(Followed, u64), LatencyError> {
    in_all(machine, blocks, 0, Some(further), traffic)
}

fn in_all(
    machine: &Arc<Machine>,
    blocks: &Blocks<'_>,
    before: u64,
    further: Option<&[Further<'_>]>,
    traffic: &Traffic,
) -> Result<(Followed, u64), LatencyError> {
    let Blocks { block, number, resident, multiprocessors } = *blocks;
    let numbers = [
        ("warps_per_block", block.warps),
        ("blocks", number),
        ("resident", resident),
        ("multiprocessors", multiprocessors),
    ];
    if let Some((name, _)) = numbers.into_iter().find(|&(_, number)| number == 0) {
        return Err(LatencyError::Zero(name));
    }
    let resident = resident.min(number);
    let warps = block.warps.checked_mul(resident).ok_or(LatencyError::Overflow)?;
    let passes: Vec<&Further<'_>> =
        further.into_iter().flatten().filter(|one| has_letters(one.code)).collect();
    let blocks_of_passes = passes.iter().map(|one| Block { code: one.code, warps: 1 });
    let all: Vec<Block<'_>> = std::iter::once(block).chain(blocks_of_passes).collect();
    let (costs, parts) = in_parts(machine, &all, warps)?;
    let mut more = 0;
    for (one, [_, followed]) in passes.iter().zip(costs.iter().skip(1)) {
        more = plus(more, times(*followed, one.passes)?)?;
    }
    // Rounded up, since what comes before it is rounded down.
    let more = plus(more, parts - 1)?.div_euclid(parts);
    let [beside, followed] = *costs.first().ok_or(LatencyError::Overflow)?;
    let costs = Costs { beside, more: followed - beside, parts, resident: resident.into() };
    let together = resident.saturating_mul(multiprocessors) >= number;
    // Bounds on warps that start together hold for equal warps alone, and what blocks ask on other multiprocessors is not
    // in them.
    if together && before == 0 && machine.schedulers() == 1 && further.is_none() && traffic.is_none() {
        let group = MachineGroup { code: block.code.clone(), warps };
        let together = MachineWorkload::new(Arc::clone(machine), vec![group])
            .and_then(|together| together.in_blocks_of(block.warps));
        let upper = bounds(&together.map_err(|_| LatencyError::Overflow)?)?.completion;
        let servers = vec![0; machine.servers().len()];
        return Ok((Followed { upper, servers, blocks: resident, followed: 1 }, 0));
    }
    let to_end = |blocks: u64| -> Result<[i128; 3], LatencyError> {
        Ok([costs.ends(blocks.into())?, blocks.into(), blocks.div_ceil(resident).into()])
    };
    let [cycles, counted, relay] = match multiprocessors - 1 {
        _ if together => to_end(resident)?,
        0 => to_end(number)?,
        others => {
            // Letters of the further code may hold units for longer than those of the blocks.
            let code = Some(block.code).filter(|_| further.is_none());
            costs.on_several(number.into(), others.into(), overhang(machine, code).into())?
        }
    };
    let count = |number: i128| u64::try_from(number).map_err(|_| LatencyError::Overflow);
    let late = window(machine, traffic, plus(plus(cycles, before.into())?, more)?)?;
    let found = Followed {
        upper: upper(late.cycles, critical_path(traffic))?,
        servers: late.servers,
        blocks: count(counted)?,
        followed: count(relay)?,
    };
    Ok((found, count(more)?))
}

fn has_letters(code: &Piece<Step>) -> bool {
    let mut any = false;
    code.map(&mut |_: &Step| any = true);
    any
}

/// What a block costs, in parts of a cycle, and what follows.
struct Costs {
    /// A.
    beside: i128,
    /// C.
    more: i128,
    parts: i128,
    resident: i128,
}

impl Costs {
    /// P: what a multiprocessor takes that runs these blocks until it ends.
    fn ends(&self, blocks: i128) -> Result<i128, LatencyError> {
        self.cycles(blocks, (blocks + self.resident - 1) / self.resident)
    }

    /// Q: how long a multiprocessor that got these blocks may be full.
    fn starts(&self, blocks: i128) -> Result<i128, LatencyError> {
        self.cycles(blocks, blocks / self.resident)
    }

    fn cycles(&self, blocks: i128, followed: i128) -> Result<i128, LatencyError> {
        Ok(plus(times(self.beside, blocks)?, times(self.more, followed)?)?.div_euclid(self.parts))
    }

    /// The largest over x from 1 to `blocks` of the smaller bound, with the blocks that it counts and how many of
    /// them are followed.
    fn on_several(&self, blocks: i128, others: i128, overhang: i128) -> Result<[i128; 3], LatencyError> {
        let later = plus(self.ends(self.resident)?, overhang)?;
        let late = |x: i128| plus(self.starts((blocks - x) / others)?, later);
        // P never falls with x and the other bound never rises, so the largest minimum is where they cross.
        // `low` is the most blocks known to have P at or below the other.
        let (mut low, mut high) = (0, blocks);
        while high - low > 1 {
            let x = low + (high - low) / 2;
            if self.ends(x)? <= late(x)? { low = x } else { high = x }
        }
        let at_end = |x: i128| -> Result<[i128; 3], LatencyError> {
            Ok([self.ends(x)?, x, (x + self.resident - 1) / self.resident])
        };
        let before = if low == 0 { [0; 3] } else { at_end(low)? };
        let [by_end, by_start] = [self.ends(high)?, late(high)?];
        let after = if by_end <= by_start {
            at_end(high)?
        } else {
            let y = (blocks - high) / others;
            [by_start, y + self.resident, y / self.resident + 1]
        };
        Ok(if before[0] >= after[0] { before } else { after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::machine::{Latency, Unit};

    fn machine() -> Arc<Machine> {
        let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
        let slow = Unit { occupancy: 5, ..Unit::simple("D") };
        Arc::new(Machine::new(1, Some(2), vec![load, Unit::simple("C"), slow], vec![]).unwrap())
    }

    fn cycles(code: &str, [warps, number, resident, multiprocessors]: [u64; 4], before: u64) -> u64 {
        let machine = machine();
        let code = machine.code(code).unwrap();
        let block = Block { code: &code, warps };
        let blocks = Blocks { block, number, resident, multiprocessors };
        completion(&machine, &blocks, before).unwrap().cycles().0
    }

    /// LCCL has A = 4 and C = 22 - 4 in blocks of one warp.
    #[test]
    fn by_hand() {
        // All start together: each other warp is worth 2 cycles by the phase bound, and 4 where it does not hold.
        assert_eq!(cycles("LCCL", [1, 3, 3, 1], 0), 22 + 2 * 2);
        assert_eq!(cycles("LCCL", [1, 3, 3, 1], 7), 22 + 2 * 4 + 7);
        assert_eq!(cycles("LCCL", [1, 3, 1, 3], 7), 22 + 7);
        // Six blocks, two at once, of which three are followed.
        assert_eq!(cycles("LCCL", [1, 6, 2, 1], 0), 6 * 4 + 3 * 18);
        // P(1) = 22, P(2) = 26, P(3) = 48, P(4) = 52, L = 26, Q(2) = 26: on two multiprocessors x = 4.
        assert_eq!(cycles("LCCL", [1, 6, 2, 2], 0), 52);
    }

    /// A letter that holds its unit for longer than its latency keeps the next block from it.
    #[test]
    fn what_is_held_after_the_end_counts() {
        let code = machine().code("CD").unwrap();
        assert_eq!((overhang(&machine(), Some(&code)), overhang(&machine(), None)), (4, 4));
        let code = machine().code("C").unwrap();
        assert_eq!(overhang(&machine(), Some(&code)), 0);
        // One block after the other: issues in cycles 1, 6 and 11, and the last hold ends with cycle 15.
        assert_eq!(cycles("D", [1, 3, 1, 1], 0), 15);
    }

    #[test]
    fn blocks_with_barriers_follow_one_another() {
        assert_eq!(cycles("L|L", [2, 2, 1, 1], 0), 2 * (2 * 10 + 2));
    }

    #[test]
    fn vast_numbers_are_answered_or_refused() {
        assert!(cycles("LC", [32, 1 << 40, 2, 28], 0) > 1 << 40);
        let machine = machine();
        let code = machine.code("L4294967296").unwrap();
        let block = Block { code: &code, warps: 1 << 40 };
        let blocks = Blocks { block, number: 1 << 40, resident: 2, multiprocessors: 3 };
        assert_eq!(completion(&machine, &blocks, 0), Err(LatencyError::Overflow));
    }
}
