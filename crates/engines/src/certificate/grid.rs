//! What is proved of equal blocks that follow one another, on any number of multiprocessors.

use num_traits::{CheckedAdd, CheckedMul};

use crate::certificate::{Lower, Proved, Upper};
use crate::phase::{self, PhaseBound, Rational};
use crate::program::{BlockTerms, CoRunning};
use crate::relay::has_odd_blocks;
use warpspan_check::schedule::Witness;
use warpspan_model::{Cycles, Grid, Instance, Unit};

/// The number of prices among which the best is sought.
const MOST_THETAS: usize = 40;
/// Up to this product of letters and changes of letter, the checker counts the changes of label in L.
const MOST_RESTRICTED: usize = 1 << 16;

/// Whether the certificate of a grid is about warps that start together.
pub(super) fn is_of_warps(grid: &Grid) -> bool {
    grid.starts_together() && grid.multiprocessors() == 1
}

/// The bound of `docs/relay.md`, sections 5 and 6, as the checker computes it (`grid_by_relay` in
/// `proofs/Checker/RelayInput.v`). The result is `None` if a number does not fit.
pub(super) fn relay(grid: &Grid, known: Cycles) -> Option<Proved> {
    let costs = Costs::new(grid)?;
    let blocks = grid.blocks();
    let left_over = costs.left_over()?;
    let (most, parts) = match grid.multiprocessors() - 1 {
        _ if grid.starts_together() => (0, vec![left_over]),
        0 => (0, vec![costs.to_end(blocks)?]),
        others => {
            let late = |others_get: u64| Some(costs.to_start(others_get / others)?.after(&left_over));
            // P never falls with x and the other term never rises. `most` is the most blocks known to have P at
            // or below the other term.
            let (mut most, mut high) = (0, blocks + 1);
            while high - most > 1 {
                let x = most + (high - most) / 2;
                if costs.to_end(x)?.cycles <= late(blocks - x)?.cycles { most = x } else { high = x }
            }
            let mut split = vec![most];
            // with one block more P may be smaller than the other term is without it
            split.extend((most < blocks).then_some(most + 1));
            let parts = |most: u64| {
                let until = if most == 0 { None } else { Some(costs.to_end(most)?) };
                let beyond = if most == blocks { None } else { Some(late(blocks - most - 1)?) };
                Some((most, until.into_iter().chain(beyond).collect::<Vec<_>>()))
            };
            let found: Vec<_> = split.into_iter().map(parts).collect::<Option<_>>()?;
            found.into_iter().min_by_key(|(_, parts)| largest(parts))?
        }
    };
    let cycles = Cycles(largest(&parts)).max(known);
    let mut thetas: Vec<Rational> = parts.into_iter().flat_map(|part| part.thetas).collect();
    thetas.sort_unstable();
    thetas.dedup();
    if thetas.is_empty() {
        thetas.extend(costs.terms.first().map(|(theta, _)| *theta));
    }
    Some(Proved { cycles, by: Upper::Relay { thetas, most } })
}

fn largest(parts: &[Part]) -> u64 {
    parts.iter().map(|part| part.cycles).max().unwrap_or(0)
}

/// A bound on some time, and the prices that it takes.
struct Part {
    cycles: u64,
    thetas: Vec<Rational>,
}

impl Part {
    /// This time and another one after it. Cycles that do not fit are as good as no bound.
    fn after(self, next: &Self) -> Self {
        let thetas = self.thetas.into_iter().chain(next.thetas.iter().copied()).collect();
        Self { cycles: self.cycles.saturating_add(next.cycles), thetas }
    }
}

/// What blocks cost, at each price.
struct Costs<'a> {
    grid: &'a Grid,
    instance: &'a Instance,
    terms: Vec<(Rational, BlockTerms)>,
}

impl<'a> Costs<'a> {
    fn new(grid: &'a Grid) -> Option<Self> {
        let instance = grid.together().instance()?;
        let co_running = CoRunning::new(std::slice::from_ref(grid.block()), instance.total_warps()).ok()?;
        let thetas = co_running.thetas(MOST_THETAS).ok()?;
        let terms = thetas.into_iter().map(|theta| Some((theta, co_running.terms(0, theta).ok()?)));
        Some(Self { grid, instance, terms: terms.collect::<Option<_>>()? })
    }

    /// P: what the blocks take on one multiprocessor.
    fn to_end(&self, blocks: u64) -> Option<Part> {
        let part = self.least(blocks, blocks.div_ceil(self.grid.at_once()))?;
        let Some(terms) = self.odd() else { return Some(part) };
        let odd = cycles(times(terms, blocks - 1)?.checked_add(&terms.first().ok()?)?)?;
        Some(if odd < part.cycles { Part { cycles: odd, thetas: Vec::new() } } else { part })
    }

    /// Q: the time in which no slot is free, on a multiprocessor that gets so many blocks.
    fn to_start(&self, blocks: u64) -> Option<Part> {
        match (blocks / self.grid.at_once(), self.odd()) {
            (0, _) => Some(Part { cycles: 0, thetas: Vec::new() }),
            (_, Some(terms)) => Some(Part { cycles: cycles(times(terms, blocks)?)?, thetas: Vec::new() }),
            (followed, None) => self.least(blocks, followed),
        }
    }

    /// The terms of an odd code.
    fn odd(&self) -> Option<&BlockTerms> {
        // at sigma 1 there is one price
        let (_, terms) = self.terms.first()?;
        (self.grid.at_once() >= 2 && has_odd_blocks(self.instance)).then_some(terms)
    }

    /// L: what is left when no block waits any more.
    fn left_over(&self) -> Option<Part> {
        let part = self.least(self.grid.at_once(), 1)?;
        let kernel = &self.instance.groups()[0].kernel;
        if kernel.len().saturating_mul(kernel.changes()) > MOST_RESTRICTED {
            return Some(part);
        }
        let PhaseBound { makespan, theta, .. } = phase::bound(self.instance);
        let Cycles(cycles) = makespan.cycles();
        Some(if cycles < part.cycles { Part { cycles, thetas: vec![theta] } } else { part })
    }

    /// What blocks take of which so many are followed.
    fn least(&self, blocks: u64, followed: u64) -> Option<Part> {
        let mut least = Part { cycles: self.by_units(blocks, followed)?, thetas: Vec::new() };
        for (theta, terms) in &self.terms {
            let cost = times(terms, blocks - followed)?.checked_add(&terms.relay(followed).ok()?)?;
            let cycles = cycles(cost)?;
            if cycles < least.cycles {
                least = Part { cycles, thetas: vec![*theta] };
            }
        }
        Some(least)
    }

    /// The letters of the followed warps, and for each unit that can make a warp wait those of all others.
    fn by_units(&self, blocks: u64, followed: u64) -> Option<u64> {
        let units = self.instance.groups()[0].kernel.units();
        let (followed, warps) =
            (u128::from(followed), u128::from(blocks) * u128::from(self.grid.warps_per_block()));
        let mut sum = followed.checked_mul(units.len() as u128)?;
        for unit in Unit::ALL {
            let letters = units.iter().filter(|&&letter| letter == unit).count() as u128;
            let sigma = self.instance.sigma(unit);
            if sigma < self.instance.total_warps() {
                sum = sum.checked_add((warps - followed).checked_mul(letters)? / u128::from(sigma))?;
            }
        }
        u64::try_from(sum).ok()
    }
}

/// What so many blocks cost that are not followed.
fn times(terms: &BlockTerms, blocks: u64) -> Option<Rational> {
    terms.beside().ok()?.checked_mul(&Rational::from(i128::from(blocks)))
}

fn cycles(cost: Rational) -> Option<u64> {
    u64::try_from(cost.floor().to_integer()).ok()
}

/// A schedule by slots: the slots that blocks take, in the order in which they start, and the warps that issue in
/// each cycle. Each multiprocessor has its slots one after the other, and slot k holds the warps from k b on, b
/// being the warps of a block. Which free slot of a multiprocessor a block takes is of no matter.
pub(super) fn schedule(grid: &Grid, witness: &Witness) -> Lower {
    let index = |number: u64| usize::try_from(number).unwrap_or_default();
    let block_and_warp =
        |warp: u32| (u64::from(warp) / grid.warps_per_block(), u64::from(warp) % grid.warps_per_block());
    let mut ends = vec![0; index(grid.blocks())];
    for issue in witness.schedule().issues() {
        ends[index(block_and_warp(issue.warp).0)] = issue.cycle;
    }
    let (mut slots, mut slot_of) = (Vec::new(), vec![0; ends.len()]);
    let mut free_from = std::collections::BTreeMap::new();
    for start in witness.schedule().starts() {
        let first = start.multiprocessor * grid.at_once();
        let is_free = |slot: &u64| free_from.get(slot).is_none_or(|&end| end < start.cycle);
        let slot = (first..first + grid.at_once()).find(is_free).unwrap_or(first);
        free_from.insert(slot, ends[index(start.block)]);
        slot_of[index(start.block)] = slot;
        slots.push(slot);
    }
    let mut cycles = vec![Vec::new(); index(witness.makespan().0)];
    for issue in witness.schedule().issues() {
        let (block, warp) = block_and_warp(issue.warp);
        cycles[index(issue.cycle - 1)].push(slot_of[index(block)] * grid.warps_per_block() + warp);
    }
    cycles.iter_mut().for_each(|warps| warps.sort_unstable());
    if is_of_warps(grid) {
        return Lower::Schedule(cycles);
    }
    Lower::Grid { slots, cycles }
}
