//! How late the warps of structured programs can finish.
//!
//! With blocks of B warps, `a_k` the best gain of segment k of any path, `a` that of a whole path (a barrier leaves every label
//! open), `I_k` and n as the chain of the proof sees them, from barrier to barrier,
//!
//! ```text
//! finish <= max over chains (I + n c) + (B - 1) sum over k of a_k + the other warps' a          for every theta
//! finish <= max over chains I + sum over U of floor(the others' letters for U / sigma_U)        the critical path
//! ```
//!
//! The smallest counts. `docs/programs.md` has the proofs.

use std::collections::BTreeMap;

use crate::bound::{Basis, Upper};
use crate::engines::phase::Rational;
use crate::engines::program::ProgramError;
use crate::engines::program::assumptions::assumptions;
use crate::engines::program::labels::{BestPath, PieceLabels, best_path};
use crate::engines::program::matrix::{Gain, Matrix};
use crate::engines::program::minimum::{Tangent, smallest};
use crate::engines::program::prices::{Count, Prices, Sigmas};
use crate::engines::program::track::Track;
use crate::engines::program::value::Rules;
use crate::model::program::Piece;
use crate::model::{Cycles, Multiprocessor, PerUnit, Unit};

/// Warps that run the same program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramGroup {
    /// What each of them runs, each on a path of its own.
    pub program: Piece,
    /// How many there are.
    pub warps: u64,
    /// How many make a block, whose barriers they share; `None` if all do. The last block may be smaller.
    pub warps_per_block: Option<u64>,
}

impl ProgramGroup {
    /// Warps of one block.
    pub fn new(program: Piece, warps: u64) -> Self {
        Self { program, warps, warps_per_block: None }
    }

    /// Warps of a block, where that makes a difference: with a barrier and more warps than one block has.
    pub fn blocks_of(&self) -> Option<u64> {
        self.warps_per_block.filter(|&block| block < self.warps && self.program.has_barrier())
    }

    /// Warps of the largest block.
    fn block(&self) -> u64 {
        self.warps_per_block.unwrap_or(self.warps).min(self.warps)
    }
}

/// The bound of programs on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramBound {
    /// No schedule takes longer, whatever paths the warps take.
    pub makespan: Cycles,
    /// No warp of any block of the group finishes later.
    pub finish: Vec<Cycles>,
    /// The price of a change from the slow label at which the bound is smallest, for the group that finishes last.
    pub theta: Rational,
    /// a of each group at that price: cycles that a further warp of a block adds.
    pub rates: Vec<Rational>,
    /// Which letters of each group act as a load/store phase, which as a compute phase, at that price: in the order of the text.
    pub labels: Vec<Vec<PieceLabels>>,
    /// By line of each group, in cycles: what its letters add to a where they agree with their labels, 1/sigma each. Without the line
    /// a is smaller by no more than that, at the same theta. The sum is a and what changes of the label cost (more, where
    /// warps of a block may take different ways between barriers).
    pub adds: Vec<BTreeMap<u32, Rational>>,
    /// Whether some schedule takes as long: one block alone, one path, sigma 1, and one warp or at least three.
    pub exact: bool,
    /// What must hold of the code besides, a sentence each.
    pub assumes: Vec<String>,
}

impl ProgramBound {
    /// The bound with its evidence.
    pub fn upper(&self) -> Upper {
        Upper::formula(self.makespan, Basis::Program, "phase bound of structured programs")
    }
}

/// Computes the bound. Time O(pieces log rounds) a theta, of which a few are looked at.
///
/// # Errors
/// If there is nothing to run, a branch or loop that the theory does not cover, or a number does not fit.
pub fn bound(groups: &[ProgramGroup], multiprocessor: Multiprocessor) -> Result<ProgramBound, ProgramError> {
    let terms = Terms::new(groups, multiprocessor)?;
    let finishes = (0..groups.len()).map(|group| terms.finish(group)).collect::<Result<Vec<_>, _>>()?;
    let &(makespan, theta) =
        finishes.iter().max_by_key(|(cycles, _)| *cycles).ok_or(ProgramError::NoGroup)?;
    let rates = groups.iter().map(|group| terms.rate(&group.program, theta)).collect::<Result<_, _>>()?;
    let (mut labels, mut adds) = (Vec::new(), Vec::new());
    for group in groups {
        let path = terms.best_path(&group.program, theta)?;
        labels.push(path.labels);
        adds.push(path.adds);
    }
    let mut assumes = Vec::new();
    groups.iter().for_each(|group| assumptions(&group.program, &mut assumes));
    assumes.dedup();
    let exact = match groups {
        [group] => {
            let alone = group.block() == group.warps && group.warps != 2;
            alone && terms.sigma_is_one(multiprocessor) && group.program.is_straight()
        }
        _ => false,
    };
    Ok(ProgramBound {
        makespan,
        finish: finishes.iter().map(|&(cycles, _)| cycles).collect(),
        theta,
        rates,
        labels,
        adds,
        exact,
        assumes,
    })
}

/// The bounds that do not look at phases, with the most letters of each unit on any path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainBounds {
    /// The critical path, an upper bound.
    pub critical_path: Cycles,
    /// Be12 Eq. 5-7, summed over the groups; an upper bound only where both sigmas are at most 1.
    pub pessimistic: Cycles,
}

/// The bounds to compare [`bound()`] with, which is never above the critical path.
///
/// # Errors
/// As [`bound()`].
pub fn plain_bounds(
    groups: &[ProgramGroup],
    multiprocessor: Multiprocessor,
) -> Result<PlainBounds, ProgramError> {
    let terms = Terms::new(groups, multiprocessor)?;
    let critical = (0..groups.len()).map(|group| terms.critical(group)).collect::<Result<Vec<_>, _>>()?;
    Ok(PlainBounds {
        critical_path: cycles(critical.into_iter().max().unwrap_or_default())?,
        pessimistic: cycles(terms.pessimistic()?)?,
    })
}

/// What the bound is made of.
struct Terms<'a> {
    groups: &'a [ProgramGroup],
    warps: u64,
    sigmas: Sigmas,
    times: PerUnit<u64>,
    /// c = this times (theta - 1/sigma_fast).
    switch: i128,
    /// Letters of each unit, by group.
    letters: Vec<PerUnit<Track>>,
}

impl<'a> Terms<'a> {
    fn new(groups: &'a [ProgramGroup], multiprocessor: Multiprocessor) -> Result<Self, ProgramError> {
        let mut warps = 0_u64;
        for (number, group) in (1..).zip(groups) {
            if group.warps == 0 || group.warps_per_block == Some(0) {
                return Err(ProgramError::NoWarps(number));
            }
            warps = warps.checked_add(group.warps).ok_or(ProgramError::Overflow)?;
        }
        if groups.is_empty() {
            return Err(ProgramError::NoGroup);
        }
        let sigma = |unit| multiprocessor.sigma(unit).letters_a_cycle().min(warps);
        let sigmas = Sigmas::new(PerUnit::from_fn(|unit| sigma(unit).into()));
        let times = PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_an_instruction());
        let mut terms = Self { groups, warps, sigmas, times, switch: 0, letters: Vec::new() };
        let prices = Prices::new(&sigmas, sigmas.thetas()[0])?;
        let mut twice = false;
        for (number, group) in (1..).zip(groups) {
            let count = |count| Rules { prices: &prices, count, times }.program(&group.program);
            let l = count(Count::Letters(Unit::LoadStore))?;
            let c = count(Count::Letters(Unit::CudaCore))?;
            if most(&l.block) == 0 && most(&c.block) == 0 {
                return Err(ProgramError::Empty(number));
            }
            twice |=
                count(Count::Twice)?.block.largest_from(sigmas.fast.other()).unwrap_or_default().value > 0;
            terms
                .letters
                .push(PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l.clone() } else { c.clone() }));
        }
        let [fast, slow] = [sigmas.fast, sigmas.fast.other()].map(|unit| sigmas.of[unit]);
        if fast > slow && twice {
            terms.switch = (fast - 1).min(i128::from(warps) - 1);
        }
        Ok(terms)
    }

    fn sigma_is_one(&self, multiprocessor: Multiprocessor) -> bool {
        Unit::ALL.into_iter().all(|unit| multiprocessor.sigma(unit).letters_a_cycle() == 1)
    }

    /// The bound on the finish of the warps of a group, and its theta.
    fn finish(&self, group: usize) -> Result<(Cycles, Rational), ProgramError> {
        let [low, high] = self.sigmas.thetas();
        let (low, high) = (self.phases(group, low)?, self.phases(group, high)?);
        let best = smallest(low, high, |theta| self.phases(group, theta).ok());
        let least = best.value.floor().to_integer().min(self.critical(group)?);
        Ok((cycles(least)?, best.theta))
    }

    fn rules<'p>(&self, prices: &'p Prices, count: Count) -> Rules<'p> {
        Rules { prices, count, times: self.times }
    }

    /// The bound by phases at some theta.
    fn phases(&self, group: usize, theta: Rational) -> Result<Tangent, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        let own = &self.groups[group];
        let issues = self.rules(&prices, Count::Issues { most: self.switch }).program(&own.program)?;
        let issues = if own.block() == 1 { &issues.path } else { &issues.block };
        let mut sum = issues.largest_from(self.sigmas.fast).unwrap_or_default();
        for (at, members) in self.groups.iter().enumerate() {
            let gains = self.rules(&prices, Count::Gains).program(&members.program)?;
            let block = if at == group { members.block() } else { 0 };
            let gain = |matrix: &Matrix| matrix.largest().unwrap_or_default();
            sum = sum.plus(gain(&gains.block).times(block.saturating_sub(1))?)?;
            sum = sum.plus(gain(&gains.path).times(members.warps - block)?)?;
        }
        let Gain { value, slope } = sum;
        Ok(Tangent { theta, value: Rational::new(value, prices.scale), slope })
    }

    /// The bound by the critical path.
    fn critical(&self, group: usize) -> Result<i128, ProgramError> {
        let prices = Prices::new(&self.sigmas, self.sigmas.thetas()[0])?;
        let own = &self.groups[group];
        let issues = self.rules(&prices, Count::Issues { most: 0 }).program(&own.program)?;
        let issues = if own.block() == 1 { &issues.path } else { &issues.block };
        let mut cycles = issues.largest_from(self.sigmas.fast).unwrap_or_default().value / prices.scale;
        for unit in Unit::ALL {
            let mut others = Gain::default();
            for (at, members) in self.groups.iter().enumerate() {
                let letters = &self.letters[at][unit];
                let block = if at == group { members.block() } else { 0 };
                let least = |matrix| Gain::new(most(matrix), 0);
                others = others.plus(least(&letters.block).times(block.saturating_sub(1))?)?;
                others = others.plus(least(&letters.path).times(members.warps - block)?)?;
            }
            let never =
                self.sigmas.of[unit] >= i128::from(self.warps) || most(&self.letters[group][unit].block) == 0;
            let waits = if never { 0 } else { others.value / self.sigmas.of[unit] };
            cycles = cycles.checked_add(waits).ok_or(ProgramError::Overflow)?;
        }
        Ok(cycles)
    }

    /// Be12 Eq. 5-7, summed over the groups.
    fn pessimistic(&self) -> Result<i128, ProgramError> {
        let mut sum = Gain::default();
        for (members, letters) in self.groups.iter().zip(&self.letters) {
            for unit in Unit::ALL {
                // sigmas above the number of warps are cut down to it, which changes no quotient
                let rounds = u128::from(members.warps).div_ceil(self.sigmas.of[unit].unsigned_abs());
                let rounds = u64::try_from(rounds).map_err(|_| ProgramError::Overflow)?;
                sum = sum.plus(Gain::new(most(&letters[unit].path), 0).times(rounds)?)?;
            }
        }
        Ok(sum.value)
    }

    /// a of a program.
    fn rate(&self, program: &Piece, theta: Rational) -> Result<Rational, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        let gains = self.rules(&prices, Count::Gains).program(program)?;
        Ok(Rational::new(gains.block.largest().unwrap_or_default().value, prices.scale))
    }

    fn best_path(&self, program: &Piece, theta: Rational) -> Result<BestPath, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        best_path(&self.rules(&prices, Count::Gains), program)
    }
}

/// A number of cycles that other numbers may be added to.
fn cycles(number: i128) -> Result<Cycles, ProgramError> {
    u64::try_from(number).ok().filter(|&cycles| cycles < 1 << 63).map(Cycles).ok_or(ProgramError::Overflow)
}

/// The largest entry of a count of letters.
fn most(matrix: &Matrix) -> i128 {
    matrix.largest().unwrap_or_default().value
}
