//! The worst case with barriers by brute force over named warps: it tries every choice of ready warps in
//! every cycle.
//!
//! It is written from the semantics alone and shares no code with the library except its units.

use std::collections::HashMap;

use warpspan::model::Unit;

/// A warp: its block, and its letters between barriers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Warp {
    pub(crate) block: usize,
    pub(crate) segments: Vec<Vec<Unit>>,
}

/// A warp from a string with `|`.
pub(crate) fn warp(block: usize, text: &str) -> Warp {
    let segment = |text: &str| text.chars().map(|letter| Unit::from_letter(letter).unwrap()).collect();
    Warp { block, segments: text.split('|').map(segment).collect() }
}

/// How many ways there are to have issued some letters of each warp, which measures the work of the search
/// below.
pub(crate) fn states(warps: &[Warp]) -> u64 {
    let letters = |warp: &Warp| warp.segments.iter().map(Vec::len).sum::<usize>();
    warps.iter().fold(1, |states, warp| states.saturating_mul(letters(warp) as u64 + 1))
}

/// The latest finish of each block over all work-conserving schedules.
pub(crate) fn finishes(warps: &[Warp], sigma: [usize; 2]) -> Vec<u64> {
    let mut warps = warps.to_vec();
    warps.sort();
    let blocks = warps.iter().map(|warp| warp.block + 1).max().unwrap_or(0);
    (0..blocks).map(|block| Search::new(&warps, sigma, block).latest(vec![0; warps.len()])).collect()
}

/// The longest makespan.
pub(crate) fn worst(warps: &[Warp], sigma: [usize; 2]) -> u64 {
    finishes(warps, sigma).into_iter().max().unwrap_or(0)
}

struct Search<'a> {
    warps: &'a [Warp],
    letters: Vec<Vec<Unit>>,
    /// The number of letters up to the end of each segment, for each warp.
    ends: Vec<Vec<usize>>,
    sigma: [usize; 2],
    block: usize,
    known: HashMap<Vec<u8>, u64>,
}

impl<'a> Search<'a> {
    fn new(warps: &'a [Warp], sigma: [usize; 2], block: usize) -> Self {
        let ends = |warp: &Warp| {
            let mut sum = 0;
            let add = |segment: &Vec<Unit>| {
                sum += segment.len();
                sum
            };
            warp.segments.iter().map(add).collect()
        };
        Self {
            warps,
            letters: warps.iter().map(|warp| warp.segments.concat()).collect(),
            ends: warps.iter().map(ends).collect(),
            sigma,
            block,
            known: HashMap::new(),
        }
    }

    /// The number of cycles until the block has finished, given the letters that each warp has issued.
    fn latest(&mut self, issued: Vec<u8>) -> u64 {
        let mut state = issued;
        // Equal warps of a block are interchangeable.
        for first in 0..state.len() {
            let mut last = first;
            while last + 1 < state.len() && self.warps[last + 1] == self.warps[first] {
                last += 1;
            }
            if first == 0 || self.warps[first - 1] != self.warps[first] {
                state[first..=last].sort_unstable();
            }
        }
        let finished = |warp: usize| usize::from(state[warp]) == self.letters[warp].len();
        if (0..state.len()).all(|warp| self.warps[warp].block != self.block || finished(warp)) {
            return 0;
        }
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let ready: Vec<Vec<usize>> = Unit::ALL
            .iter()
            .map(|unit| (0..state.len()).filter(|&warp| self.wants(&state, warp) == Some(*unit)).collect())
            .collect();
        let mut latest = 0;
        for on_l in subsets(&ready[0], self.sigma[0]) {
            for on_c in subsets(&ready[1], self.sigma[1]) {
                let mut next = state.clone();
                for &warp in on_l.iter().chain(&on_c) {
                    next[warp] += 1;
                }
                assert!(next != state, "somebody issues in every cycle");
                latest = latest.max(1 + self.latest(next));
            }
        }
        self.known.insert(state, latest);
        latest
    }

    /// The unit that a warp is ready for; none if the warp has finished or waits at a barrier.
    fn wants(&self, state: &[u8], warp: usize) -> Option<Unit> {
        let at = usize::from(state[warp]);
        let unit = *self.letters[warp].get(at)?;
        let segment = self.ends[warp].iter().position(|&end| at < end)?;
        let block = self.warps[warp].block;
        // A warp with fewer segments has ended, and nobody waits for it any longer.
        let passed = |other: usize| {
            let ends = &self.ends[other];
            let end = if segment == 0 { 0 } else { ends[(segment - 1).min(ends.len() - 1)] };
            usize::from(state[other]) >= end
        };
        let open = (0..state.len()).filter(|&other| self.warps[other].block == block).all(passed);
        open.then_some(unit)
    }
}

/// Every set of ready warps that may issue: as many as the unit takes, or all of them.
fn subsets(ready: &[usize], sigma: usize) -> Vec<Vec<usize>> {
    let count = ready.len().min(sigma);
    (0_u32..1 << ready.len())
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| (0..ready.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| ready[bit]).collect())
        .collect()
}
