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
//! \+ P(R) + h), where h is the [`overhang`] of their code. `docs/machine-blocks.md` has the proof. Where the warps of a block are
//! spread over the schedulers, smaller bounds take the places of P and Q (`spread`).

use std::sync::Arc;

use crate::latency::LatencyError;
use crate::latency::bounds::{bounds, critical_path, upper};
use crate::latency::costs::{Block, in_parts, overhang};
use crate::latency::error::{plus, times};
use crate::latency::memory::{Traffic, window};
use crate::latency::several::{Queue, Taken};
use crate::latency::spread::{Spread, SpreadCosts};
use crate::latency::together;
use crate::phase::Rational;
use warpspan_check::bound::{Theorem, Upper};
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
    /// Whether each scheduler gets no more than `ceil(b / S)` of the b warps of a block. If not, they may be on any.
    pub spread: bool,
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
    /// How many warps count as ones on the scheduler of the followed one. All that are not followed count for units that all
    /// schedulers share.
    pub near: Rational,
    /// Whether it holds only where the warps of a block are spread over the schedulers.
    pub spread: bool,
}

impl Followed {
    pub(super) fn new(upper: Upper, servers: Vec<i128>, found: &Taken) -> Result<Self, LatencyError> {
        let count = |number: i128| u64::try_from(number).map_err(|_| LatencyError::Overflow);
        let (blocks, followed) = (count(found.blocks)?, count(found.followed)?);
        Ok(Self { upper, servers, blocks, followed, near: found.near, spread: found.spread })
    }
}

/// What a bound on blocks follows from.
pub(super) fn theorem(traffic: &Traffic, spread: bool) -> Theorem {
    if spread && traffic.is_none() { Theorem::SpreadWarps } else { critical_path(traffic) }
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
/// nothing else. Blocks that ended before the first cycle may hold units for `before` cycles more.
///
/// # Errors
/// If a number is zero, the block has no letter, its code is no valid program, or numbers do not fit.
pub fn completion(machine: &Arc<Machine>, blocks: &Blocks<'_>, before: u64) -> Result<Upper, LatencyError> {
    Ok(followed(machine, blocks, before, &blocks.traffic(machine)?)?.upper)
}

/// The blocks that a multiprocessor holds at once.
pub(super) struct AtOnce {
    /// How many there are.
    pub(super) resident: u64,
    /// Their warps.
    pub(super) warps: u64,
}

impl Blocks<'_> {
    /// The blocks that a multiprocessor holds at once, if no number is zero.
    pub(super) fn at_once(&self) -> Result<AtOnce, LatencyError> {
        let numbers = [
            ("warps_per_block", self.block.warps),
            ("blocks", self.number),
            ("resident", self.resident),
            ("multiprocessors", self.multiprocessors),
        ];
        if let Some((name, _)) = numbers.into_iter().find(|&(_, number)| number == 0) {
            return Err(LatencyError::Zero(name));
        }
        let resident = self.resident.min(self.number);
        let warps = self.block.warps.checked_mul(resident).ok_or(LatencyError::Overflow)?;
        Ok(AtOnce { resident, warps })
    }

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
    let Blocks { block, number, multiprocessors, spread, .. } = *blocks;
    let AtOnce { resident, warps } = blocks.at_once()?;
    let passes: Vec<&Further<'_>> =
        further.into_iter().flatten().filter(|one| one.code.letters().next().is_some()).collect();
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
    // What further passes cost where warps are spread has not been proved.
    let spread = spread && machine.schedulers() > 1 && further.is_none();
    let spread = spread.then(|| {
        Spread::new(machine, &block, resident)
            .and_then(|spread| SpreadCosts::new(machine, block.code, &spread))
    });
    let costs = Costs {
        beside,
        more: followed - beside,
        parts,
        warps: block.warps.into(),
        resident: resident.into(),
        spread: spread.transpose()?,
    };
    let together = resident.saturating_mul(multiprocessors) >= number;
    // Bounds on warps that start together hold for equal warps alone, and what blocks ask on other multiprocessors is not
    // in them.
    if together && before == 0 && machine.schedulers() == 1 && further.is_none() && traffic.is_none() {
        let group = MachineGroup { code: block.code.clone(), warps };
        let together = MachineWorkload::new(Arc::clone(machine), vec![group])
            .and_then(|together| together.in_blocks_of(block.warps));
        let upper = bounds(&together.map_err(|_| LatencyError::Overflow)?)?.completion;
        let servers = vec![0; machine.servers().len()];
        let all = Taken::of_any(0, resident.into(), 1, i128::from(warps) - 1);
        return Ok((Followed::new(upper, servers, &all)?, 0));
    }
    // Letters of the further code may hold units for longer than those of the blocks.
    let code = Some(block.code).filter(|_| further.is_none());
    let queue = Queue {
        blocks: number.into(),
        resident: resident.into(),
        multiprocessors: multiprocessors.into(),
        held: overhang(machine, code).into(),
    };
    let mut found = queue.ends(&|blocks| costs.ends(blocks), &|blocks| costs.starts(blocks))?;
    // Without barriers the bound for grids knows which instructions wait for which.
    if together && further.is_none() && block.code.has_barrier() {
        let ends = |spread| together::ends(machine, &block, resident, spread);
        for one in [Some(ends(false)), costs.spread.map(|_| ends(true))].into_iter().flatten().flatten() {
            if one.cycles < found.cycles {
                found = one;
            }
        }
    }
    let late = window(machine, traffic, plus(plus(found.cycles, before.into())?, more)?)?;
    let upper = upper(late.cycles, theorem(traffic, found.spread))?;
    let more = u64::try_from(more).map_err(|_| LatencyError::Overflow)?;
    Ok((Followed::new(upper, late.servers, &found)?, more))
}

/// What a block costs, in parts of a cycle, and what follows.
struct Costs {
    /// A.
    beside: i128,
    /// C.
    more: i128,
    parts: i128,
    warps: i128,
    resident: i128,
    spread: Option<SpreadCosts>,
}

impl Costs {
    /// P: what a multiprocessor takes that runs these blocks until it ends.
    fn ends(&self, blocks: i128) -> Result<Taken, LatencyError> {
        let any = self.taken(blocks, (blocks + self.resident - 1) / self.resident)?;
        Ok(any.or_spread(self.spread.map(|spread| spread.ends(blocks))))
    }

    /// Q: how long a multiprocessor that got these blocks may be full.
    fn starts(&self, blocks: i128) -> Result<Taken, LatencyError> {
        let any = self.taken(blocks, blocks / self.resident)?;
        Ok(any.or_spread(self.spread.map(|spread| spread.starts(blocks))))
    }

    fn taken(&self, blocks: i128, followed: i128) -> Result<Taken, LatencyError> {
        let cycles = plus(times(self.beside, blocks)?, times(self.more, followed)?)?.div_euclid(self.parts);
        Ok(Taken::of_any(cycles, blocks, followed, times(self.warps, blocks)? - followed))
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
        let blocks = Blocks { block, number, resident, multiprocessors, spread: false };
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
        let blocks = Blocks { block, number: 1 << 40, resident: 2, multiprocessors: 3, spread: false };
        assert_eq!(completion(&machine, &blocks, 0), Err(LatencyError::Overflow));
    }
}
