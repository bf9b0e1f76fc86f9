//! The terms of blocks that share a multiprocessor with other blocks, at any theta.
//!
//! The blocks of a string are those of a program with one path. With the symbols of [`bound`](super::bound()),
//! a block of B warps has
//!
//! ```text
//! A = B * the best gain a on any path                       what it costs beside a block that is followed
//! F = the longest chain, I + n c, + (B - 1) sum over k of a_k       what it costs where it is followed itself
//! ```
//!
//! [`relay`](crate::relay) says what these mean and adds them up.

use std::borrow::Cow;

use num_traits::CheckedSub;

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::matrix::{Gain, Matrix};
use crate::program::minimum::{Tangent, breakpoints};
use crate::program::prices::{Count, Prices, Sigmas};
use crate::program::terms::{Counts, value};
use crate::program::value::Rules;
use warpspan_check::bound::Letters;
use warpspan_model::program::Piece;
use warpspan_model::{PerUnit, Unit, Workload};

/// Blocks, each with its own code, any number of which may be on one multiprocessor.
pub(crate) struct CoRunning<'a> {
    blocks: Vec<Member<'a>>,
    sigmas: Sigmas,
    times: PerUnit<u64>,
    most_warps: u64,
    /// The factor of c: c is this times (theta - 1/sigma_fast).
    switch: i128,
}

struct Member<'a> {
    program: Cow<'a, Piece>,
    warps: u64,
}

/// The terms of one block at some theta.
pub(crate) struct BlockTerms {
    warps: u64,
    scale: i128,
    fast: Unit,
    /// The longest chain with its switches, by the letter before it and its last letter.
    chain: Matrix,
    /// The sum over the segments between barriers of the best gain on any path.
    segments: Gain,
    /// The best gain on any path.
    path: Gain,
}

/// The letters of one warp, for the waits unit by unit.
pub(crate) struct WarpLetters {
    /// The letters on one path.
    pub(crate) path: Letters,
    /// The letters on a chain that may change to another path at each barrier.
    pub(crate) chain: Letters,
}

impl<'a> CoRunning<'a> {
    /// Blocks that share a multiprocessor, each of which is a workload of one group there; at most `most_warps` warps
    /// are on the multiprocessor at once.
    pub(crate) fn new(blocks: &'a [Workload], most_warps: u64) -> Result<Self, ProgramError> {
        let multiprocessor = blocks.first().map(Workload::multiprocessor).unwrap_or_default();
        let of = |unit| multiprocessor.sigma(unit).letters_a_cycle().min(most_warps).into();
        let sigmas = Sigmas::new(PerUnit::from_fn(of));
        let times = PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_an_instruction());
        let member = |block: &'a Workload| {
            let group = &block.groups()[0];
            Member { program: group.code.program(), warps: group.warps }
        };
        let blocks: Vec<Member<'a>> = blocks.iter().map(member).collect();
        let mut co_running = Self { blocks, sigmas, times, most_warps, switch: 0 };
        let prices = Prices::new(&sigmas, sigmas.thetas()[0])?;
        let mut twice = false;
        for member in &co_running.blocks {
            let track = co_running.rules(&prices, Count::Twice).program(&member.program)?;
            twice |= value(track.block.largest_from(sigmas.fast.other())) > 0;
        }
        co_running.switch = if twice { sigmas.switch(most_warps) } else { 0 };
        Ok(co_running)
    }

    /// The two ends of the range of theta, and between them the points where the best gain of some block
    /// bends, at most `most` of them.
    pub(crate) fn thetas(&self, most: usize) -> Result<Vec<Rational>, ProgramError> {
        let [low, high] = self.sigmas.thetas();
        if low == high {
            return Ok(vec![low]);
        }
        let mut bends = Vec::new();
        for block in 0..self.blocks.len() {
            let at = |theta| {
                let BlockTerms { path, scale, .. } = self.terms(block, theta).ok()?;
                Some(Tangent { theta, value: Rational::new(path.value, scale), slope: path.slope })
            };
            if let (Some(low), Some(high)) = (at(low), at(high)) {
                breakpoints(low, high, most, at, &mut bends);
            }
        }
        bends.sort_unstable();
        bends.dedup();
        let step = bends.len().div_ceil(most.max(1)).max(1);
        let mut thetas = vec![low];
        thetas.extend(bends.into_iter().step_by(step).filter(|&bend| bend != low && bend != high));
        thetas.push(high);
        Ok(thetas)
    }

    /// The terms of a block at some theta in the range.
    pub(crate) fn terms(&self, block: usize, theta: Rational) -> Result<BlockTerms, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        let Member { program, warps } = &self.blocks[block];
        let issues = self.rules(&prices, Count::Issues { most: self.switch }).program(program)?;
        let gains = self.rules(&prices, Count::Gains).program(program)?;
        Ok(BlockTerms {
            warps: *warps,
            scale: prices.scale,
            fast: self.sigmas.fast,
            chain: if *warps == 1 { issues.path } else { issues.block },
            segments: gains.block.largest().unwrap_or_default(),
            path: gains.path.largest().unwrap_or_default(),
        })
    }

    /// The most letters of a warp of a block.
    pub(crate) fn letters(&self, block: usize) -> Result<WarpLetters, ProgramError> {
        let prices = Prices::new(&self.sigmas, self.sigmas.thetas()[0])?;
        let program = &self.blocks[block].program;
        let counts = Counts::new(|count| self.rules(&prices, count).program(program))?;
        let path = counts.letters(|track| &track.path, &self.sigmas, &prices)?;
        let chain = counts.letters(|track| &track.block, &self.sigmas, &prices)?;
        if chain.all == 0 {
            return Err(ProgramError::Empty(block + 1));
        }
        Ok(WarpLetters { path, chain })
    }

    /// The letters that a unit issues in a cycle, or `None` if no warp ever waits for the unit.
    pub(crate) fn scarce(&self, unit: Unit) -> Option<u128> {
        let sigma = u128::try_from(self.sigmas.of[unit]).ok()?;
        (sigma < u128::from(self.most_warps)).then_some(sigma)
    }

    fn rules<'p>(&self, prices: &'p Prices, count: Count) -> Rules<'p> {
        Rules { prices, count, times: self.times }
    }
}

impl BlockTerms {
    /// A, what the block costs while another block is followed.
    pub(crate) fn beside(&self) -> Result<Rational, ProgramError> {
        self.rational(self.path.times(self.warps)?)
    }

    /// F without the price of entering the block: it is the first that is followed.
    pub(crate) fn first(&self) -> Result<Rational, ProgramError> {
        self.relay(1)
    }

    /// F with the price of entering the block after another one, whatever that is.
    pub(crate) fn followed(&self) -> Result<Rational, ProgramError> {
        let longest = self.chain.largest_from(self.fast.other()).max(self.chain.largest_from(self.fast));
        self.rational(longest.unwrap_or_default().plus(self.segments.times(self.warps - 1)?)?)
    }

    /// What `blocks` blocks of this code cost that are followed one after another. The switches are counted
    /// over all their letters, so the first of them is entered for nothing.
    pub(crate) fn relay(&self, blocks: u64) -> Result<Rational, ProgramError> {
        let chain = self.chain.power(blocks.into())?.largest_from(self.fast).unwrap_or_default();
        self.rational(chain.plus(self.segments.times(self.warps - 1)?.times(blocks)?)?)
    }

    fn rational(&self, gain: Gain) -> Result<Rational, ProgramError> {
        // A difference from zero checks that the fraction can be used further.
        let value = Rational::new(gain.value, self.scale);
        value.checked_sub(&Rational::from(0)).ok_or(ProgramError::Overflow)
    }
}
