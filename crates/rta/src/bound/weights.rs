//! The share of a full multiprocessor that a block accounts for.
//!
//! A block waits only while no multiprocessor has room for it. Weights w of all blocks are *valid* if then those of
//! the blocks on each multiprocessor add up to 1 or more. Only the blocks of some kernels, the *heads*, may be what
//! waits: those of no less urgent streams, since a block of another is placed only while none of these waits. With
//! `D_r` the most that a block of a head needs of resource r, these are valid:
//!
//! * w = the largest of min(1, d / `K_r`) over the resources r. Where r is the one that a block lacks, at least `K_r` of
//!   it is taken: the multiprocessor's amount less `D_r`, in steps of the greatest common divisor of all needs, and one
//!   step more.
//! * The same with ceil(d / D) / floor(room / D) for one resource and any D >= `D_r` in place of d / `K_r`: the sum of
//!   ceil(d / D) D is more than room - D and a multiple of D, so it is at least floor(room / D) D. (Such functions are
//!   the dual feasible functions of bin packing: G. S. Lueker, FOCS 1983; S. Fekete, J. Schepers, 2001.)
//! * d / K* for threads, where K* is at most floor(room / d) d for the needs d of all heads, once a head has been the
//!   first of its queue for some time; see [`Episodes`].

use num_integer::Integer;

use crate::bound::NoBound;
use crate::bound::episodes::Episodes;
use crate::bound::numbers::product;
use crate::{System, Task};

/// The weights of all kernels' blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weights {
    /// The weight of a block of each kernel, in parts of 1.
    pub(super) of: Vec<u128>,
    /// The number of these parts in 1.
    pub(super) one: u128,
    /// What is lost where a head has just become the first of its queue; `None` where nothing is.
    pub(super) episodes: Option<Episodes>,
}

/// A share of a resource: part of whole.
type Share = (u128, u128);

/// The index of threads in [`Resources::each`](warpspan_model::device::Resources::each).
const THREADS: usize = 0;
/// The index of registers there.
const REGISTERS: usize = 2;
/// The most weights that are tried for the same heads.
const MOST: usize = 16;

impl Weights {
    /// The weights of the first kind, where any kernel's block may be what waits.
    pub(super) fn new(system: &System) -> Result<Self, NoBound> {
        Needs::new(system, &vec![true; system.tasks().len()]).by_taken()
    }

    /// All weights that are worth trying where only blocks of these kernels may be what waits.
    /// A block of each kernel takes at most so long.
    pub(super) fn of_heads(system: &System, heads: &[bool], times: &[u64]) -> Result<Vec<Self>, NoBound> {
        let needs = Needs::new(system, heads);
        let mut all = vec![needs.by_taken()?];
        for (full, episodes) in Episodes::all(system, heads, times) {
            let threads = |r: usize, need: u64| match r {
                THREADS => Some((u128::from(need), u128::from(full))),
                _ => needs.taken_share(r, need),
            };
            let mut weights = needs.weights(threads)?;
            weights.episodes = Some(episodes);
            needs.add(&mut all, weights);
        }
        for resource in 0..4 {
            for parts in needs.divisions(resource) {
                needs.add(&mut all, needs.weights(|r, need| needs.divided(r, need, resource, parts))?);
            }
        }
        Ok(all)
    }

    /// Whether no block has a smaller weight than another's.
    fn is_no_better(&self, other: &Self) -> bool {
        let no_less = |(&own, &others): (&u128, &u128)| {
            own.saturating_mul(other.one) >= others.saturating_mul(self.one)
        };
        other.episodes.is_none() && self.of.iter().zip(&other.of).all(no_less)
    }
}

/// What the blocks of all kernels need, and what is taken where one of a head waits.
struct Needs<'a> {
    system: &'a System,
    each: Vec<[u64; 4]>,
    /// The most that a head needs of each resource.
    largest: [u64; 4],
    /// `K_r`; `None` where the resource cannot be the one that is missing.
    taken: [Option<u64>; 4],
}

impl<'a> Needs<'a> {
    fn new(system: &'a System, heads: &[bool]) -> Self {
        let each: Vec<[u64; 4]> = system.tasks().iter().map(|task| task.block.each()).collect();
        let of_heads = || each.iter().zip(heads).filter(|(_, head)| **head).map(|(need, _)| need);
        let largest = [0, 1, 2, 3].map(|r| of_heads().map(|need| need[r]).max().unwrap_or(0));
        let mut this = Self { system, each, largest, taken: [None; 4] };
        this.taken = [0, 1, 2, 3].map(|r| this.taken(r, heads));
        this
    }

    /// `K_r`: the multiprocessor's amount less the largest need of a head, in steps of the greatest common divisor of
    /// the needs, plus one step.
    fn taken(&self, r: usize, heads: &[bool]) -> Option<u64> {
        let (room, threads) = (self.system.gpu().resources.each(), self.each.first()?[THREADS]);
        if r == REGISTERS && !self.system.registers_add_up() {
            return Some(in_parts(self.system, heads));
        }
        let step = self.each.iter().fold(0, |step, need| need[r].gcd(&step));
        let taken = (room[r] - self.largest[r]).checked_div(step)?.checked_add(1)?.checked_mul(step)?;
        // Where all blocks have the same number of threads, threads alone limit how much of this resource is taken.
        let by_threads = self
            .each
            .iter()
            .map(|need| u128::from(need[r]) * u128::from(room[THREADS] / threads))
            .max()
            .filter(|_| self.each.iter().all(|need| need[THREADS] == threads));
        let scarce = by_threads.is_none_or(|most| most >= u128::from(taken));
        (r == THREADS || scarce).then_some(taken)
    }

    /// d / `K_r`.
    fn taken_share(&self, r: usize, need: u64) -> Option<Share> {
        Some((need.into(), self.taken[r]?.into()))
    }

    fn by_taken(&self) -> Result<Weights, NoBound> {
        self.weights(|r, need| self.taken_share(r, need))
    }

    /// The numbers m that are worth trying for D = floor(room / m) of a resource that may be the one that is missing, from 1
    /// on.
    fn divisions(&self, r: usize) -> impl Iterator<Item = u64> + use<> {
        let in_parts = r == REGISTERS && !self.system.registers_add_up();
        let most = self.system.gpu().resources.each()[r].checked_div(self.largest[r]);
        let most = most.filter(|_| self.taken[r].is_some() && !in_parts).unwrap_or(0);
        1..=most.min(MOST as u64)
    }

    /// ceil(d / D) / m for one resource, where D = floor(room / m); d / `K_r` for the others.
    fn divided(&self, r: usize, need: u64, divided: usize, parts: u64) -> Option<Share> {
        if r != divided {
            return self.taken_share(r, need);
        }
        let size = self.system.gpu().resources.each()[r] / parts;
        Some((need.div_ceil(size).into(), parts.into()))
    }

    /// The largest share of all resources, block by block.
    fn weights(&self, share: impl Fn(usize, u64) -> Option<Share>) -> Result<Weights, NoBound> {
        let shares = |need: &[u64; 4]| {
            let shares = need.iter().enumerate().filter_map(|(r, &need)| share(r, need));
            shares.map(|(part, whole)| (part.min(whole), whole)).collect::<Vec<Share>>()
        };
        let shares: Vec<Vec<Share>> = self.each.iter().map(shares).collect();
        let one = shares
            .iter()
            .flatten()
            .try_fold(1_u128, |one, (_, whole)| product(one / one.gcd(whole), *whole))?;
        let most =
            |shares: &Vec<Share>| shares.iter().map(|(part, whole)| part * (one / whole)).max().unwrap_or(0);
        Ok(Weights { of: shares.iter().map(most).collect(), one, episodes: None })
    }

    /// Adds weights unless they are no better than others.
    fn add(&self, all: &mut Vec<Weights>, weights: Weights) {
        if all.len() < MOST && !all.iter().any(|other| weights.is_no_better(other)) {
            all.retain(|other| !other.is_no_better(&weights));
            all.push(weights);
        }
    }
}

/// `K_r` of registers that lie in parts. A block of w warps with a registers each does not fit if all parts together
/// have room for fewer than w such warps. Besides that room each part has fewer than a registers left over, so at most
/// (w - 1) a + parts (a - 1) registers are free. Where a block waits, at least one other block is present.
fn in_parts(system: &System, heads: &[bool]) -> u64 {
    let using = || system.tasks().iter().zip(heads).filter(|(task, _)| task.block.registers > 0);
    let free = |task: &Task| {
        let size = task.registers_of_a_warp();
        (task.warps() - 1) * size + system.gpu().register_parts * (size - 1)
    };
    let free = using().filter(|(_, head)| **head).map(|(task, _)| free(task)).max().unwrap_or(0);
    let least = using().map(|(task, _)| task.block.registers).min().unwrap_or(0);
    system.gpu().resources.registers.saturating_sub(free).max(least)
}
