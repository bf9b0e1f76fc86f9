//! The bound for warps with barriers as `docs/programs.md` states it, over all labellings and all chains, in
//! fractions.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::Ratio;
use warpspan::model::Unit;

use super::barriers::Warp;

pub(crate) type Number = Ratio<i128>;

/// The sigmas, and the price of a change from the slow label.
#[derive(Clone, Copy)]
pub(crate) struct Prices {
    pub(crate) sigma: [i128; 2],
    pub(crate) theta: Number,
}

impl Prices {
    /// The prices at both ends of theta and a third of the way between them.
    pub(crate) fn some(sigma: [usize; 2], warps: usize) -> Vec<Self> {
        let sigma = sigma.map(|sigma| sigma.min(warps) as i128);
        let low = Ratio::new(1, sigma[0].max(sigma[1]));
        let high = Ratio::new(1, sigma[0].min(sigma[1]));
        let thetas = [low, (low * 2 + high) / 3, high];
        thetas.into_iter().map(|theta| Self { sigma, theta }).collect()
    }

    fn fast(&self) -> Unit {
        Unit::ALL[usize::from(self.sigma[1] > self.sigma[0])]
    }

    fn worth(&self, unit: Unit) -> Number {
        Ratio::new(1, self.sigma[unit as usize])
    }

    fn change(&self, from: Unit) -> Number {
        if from == self.fast() { self.worth(from) } else { self.theta }
    }

    /// The rate a of a segment: the best value over all its labellings.
    pub(crate) fn rate(&self, segment: &[Unit]) -> Number {
        let gain = |labels: u32| {
            let label = |at: usize| Unit::ALL[(labels >> at & 1) as usize];
            let mut gain = Ratio::from(0);
            for (at, &letter) in segment.iter().enumerate() {
                if label(at) == letter {
                    gain += self.worth(letter);
                }
                if at > 0 && label(at) != label(at - 1) {
                    gain -= self.change(label(at - 1));
                }
            }
            gain
        };
        (0..1_u32 << segment.len()).map(gain).max().unwrap()
    }

    /// The price c of a switch.
    fn switch(&self, warps: &[Warp]) -> Number {
        let fast = self.fast();
        let twice = |segment: &Vec<Unit>| segment.windows(2).any(|pair| pair == [fast, fast]);
        if self.sigma[0] == self.sigma[1] || !warps.iter().any(|warp| warp.segments.iter().any(twice)) {
            return Ratio::from(0);
        }
        let most = (self.sigma[fast as usize] - 1).min(warps.len() as i128 - 1);
        (self.theta - self.worth(fast)) * most
    }

    /// The bound on the finish of each block.
    pub(crate) fn finishes(&self, warps: &[Warp]) -> Vec<u64> {
        let blocks = warps.iter().map(|warp| warp.block + 1).max().unwrap_or(0);
        let segments = || warps.iter().flat_map(|warp| &warp.segments);
        let distinct: BTreeSet<&[Unit]> = segments().map(Vec::as_slice).collect();
        let rates: BTreeMap<&[Unit], Number> = distinct.into_iter().map(|s| (s, self.rate(s))).collect();
        let all: Number = segments().map(|segment| rates[segment.as_slice()]).sum();
        let c = self.switch(warps);
        (0..blocks)
            .map(|block| {
                // Equal warps make equal chains.
                let members: BTreeSet<&Warp> = warps.iter().filter(|warp| warp.block == block).collect();
                let members: Vec<&Warp> = members.into_iter().collect();
                let longest = self.longest_chain(&members, (c, &rates), 0, Ratio::from(0), None);
                u64::try_from((all + longest).floor().to_integer()).unwrap()
            })
            .collect()
    }

    /// The largest value of a chain of warps, one for each segment from `at` on, where `last` is the letter
    /// before it.
    fn longest_chain(
        &self,
        block: &[&Warp],
        (c, rates): (Number, &BTreeMap<&[Unit], Number>),
        at: usize,
        sum: Number,
        last: Option<Unit>,
    ) -> Number {
        if block.iter().all(|warp| at >= warp.segments.len()) {
            return sum;
        }
        let through = |warp: &&Warp| {
            let segment = warp.segments.get(at).map_or(&[][..], Vec::as_slice);
            let rate = rates.get(segment).copied().unwrap_or_default();
            let (mut sum, mut last) = (sum + segment.len() as i128 - rate, last);
            for &letter in segment {
                if last == Some(self.fast().other()) && letter == self.fast() {
                    sum += c;
                }
                last = Some(letter);
            }
            self.longest_chain(block, (c, rates), at + 1, sum, last)
        };
        block.iter().map(through).max().unwrap()
    }
}

/// The critical path with barriers: the bound on the finish of each block.
pub(crate) fn critical(warps: &[Warp], sigma: [usize; 2]) -> Vec<u64> {
    let blocks = warps.iter().map(|warp| warp.block + 1).max().unwrap_or(0);
    let letters = |segment: &[Unit]| Unit::ALL.map(|unit| segment.iter().filter(|&&l| l == unit).count());
    let mut all = [0, 0];
    for segment in warps.iter().flat_map(|warp| &warp.segments) {
        all = [all[0] + letters(segment)[0], all[1] + letters(segment)[1]];
    }
    let finish = |block: usize| {
        let members: Vec<&Warp> = warps.iter().filter(|warp| warp.block == block).collect();
        let most = members.iter().map(|warp| warp.segments.len()).max().unwrap();
        let mut chains = BTreeSet::from([[0, 0]]); // The numbers of letters of a chain.
        for at in 0..most {
            let each = |chain: &[usize; 2]| {
                let add = |warp: &&Warp| {
                    let more = warp.segments.get(at).map_or([0, 0], |segment| letters(segment));
                    [chain[0] + more[0], chain[1] + more[1]]
                };
                members.iter().map(add).collect::<Vec<_>>()
            };
            chains = chains.iter().flat_map(each).collect();
        }
        let cycles = |chain: [usize; 2]| {
            let waits = |unit: usize| match sigma[unit] {
                sigma if sigma >= warps.len() || chain[unit] == 0 => 0,
                sigma => (all[unit] - chain[unit]) / sigma,
            };
            (chain[0] + chain[1] + waits(0) + waits(1)) as u64
        };
        chains.into_iter().map(cycles).max().unwrap()
    };
    (0..blocks).map(finish).collect()
}
