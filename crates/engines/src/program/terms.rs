//! The terms of the bound of programs at any theta.

use std::borrow::Cow;
use std::sync::Arc;

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::best::{Best, along, length_weights};
use crate::program::joint::Joint;
use crate::program::labels::{BestPath, best_path};
use crate::program::matrix::{Gain, Matrix};
use crate::program::minimum::{Tangent, smallest};
use crate::program::prices::{Count, Prices, Sigmas};
use crate::program::track::Track;
use crate::program::value::Rules;
use warpspan_check::bound::{Demand, GroupDemand, Letters};
use warpspan_model::program::{Path, Piece};
use warpspan_model::{Cycles, Group, PerUnit, Unit, Workload};

/// A group of the workload, with its code as a program.
pub(super) struct Members<'a> {
    pub(super) program: Cow<'a, Piece>,
    pub(super) warps: u64,
    /// The number of warps of the largest block.
    block: u64,
}

/// The terms of the bound.
pub(super) struct Terms<'a> {
    pub(super) groups: Vec<Members<'a>>,
    pub(super) demand: Demand,
    sigmas: Sigmas,
    pub(super) times: PerUnit<u64>,
    /// The factor of c: c is this times (theta - 1/sigma_fast).
    switch: i128,
    /// Whether all warps of a group take the same path.
    same_path: bool,
}

impl<'a> Terms<'a> {
    pub(super) fn new(workload: &'a Workload) -> Result<Self, ProgramError> {
        let (multiprocessor, warps) = (workload.multiprocessor(), workload.total_warps());
        let sigma = PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_a_cycle().min(warps));
        let sigmas = Sigmas::new(PerUnit::from_fn(|unit| sigma[unit].into()));
        let times = PerUnit::from_fn(|unit| multiprocessor.sigma(unit).letters_an_instruction());
        let members = |group: &'a Group| Members {
            program: group.code.program(),
            warps: group.warps,
            block: workload.warps_per_block().unwrap_or(group.warps).min(group.warps),
        };
        let groups: Vec<Members<'a>> = workload.groups().iter().map(members).collect();
        let prices = Prices::new(&sigmas, sigmas.thetas()[0])?;
        let (mut demands, mut twice) = (Vec::with_capacity(groups.len()), false);
        for (number, group) in (1..).zip(&groups) {
            let count = |count| Rules { prices: &prices, count, times }.program(&group.program);
            let counts = Counts::new(count)?;
            let demand = GroupDemand {
                warps: group.warps,
                block: group.block,
                path: counts.letters(|track| &track.path, &sigmas, &prices)?,
                chain: counts.letters(|track| &track.block, &sigmas, &prices)?,
            };
            if demand.chain.all == 0 {
                return Err(ProgramError::Empty(number));
            }
            demands.push(demand);
            twice |= value(count(Count::Twice)?.block.largest_from(sigmas.fast.other())) > 0;
        }
        let same_path = workload.takes_same_path();
        let switch = if twice { sigmas.switch(warps) } else { 0 };
        Ok(Self { groups, demand: Demand::new(demands, sigma, warps), sigmas, times, switch, same_path })
    }

    pub(super) const fn sigmas(&self) -> Sigmas {
        self.sigmas
    }

    pub(super) const fn switch(&self) -> i128 {
        self.switch
    }

    /// The bound on the finish of the warps of a group, and the theta that gives it.
    pub(super) fn finish(&self, group: usize) -> Result<(Cycles, Rational), ProgramError> {
        let [low, high] = self.sigmas.thetas();
        let (low, high) = (self.phases(group, low)?, self.phases(group, high)?);
        let best = smallest(low, high, |theta| self.phases(group, theta).ok());
        let phases = best.value.floor().to_integer();
        let phases = u128::try_from(phases).map_err(|_| ProgramError::Overflow)?;
        let least = phases.min(self.demand.finish(group).ok_or(ProgramError::Overflow)?);
        let cycles = u64::try_from(least).ok().filter(|&cycles| cycles < 1 << 63);
        Ok((Cycles(cycles.ok_or(ProgramError::Overflow)?), best.theta))
    }

    fn rules<'p>(&self, prices: &'p Prices, count: Count) -> Rules<'p> {
        Rules { prices, count, times: self.times }
    }

    /// The bound by phases at some theta.
    fn phases(&self, group: usize, theta: Rational) -> Result<Tangent, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        let own = &self.groups[group];
        let mut sum = if self.same_path {
            self.joint(&prices, own).largest(&own.program)?
        } else {
            let issues = self.rules(&prices, Count::Issues { most: self.switch }).program(&own.program)?;
            let issues = if own.block == 1 { &issues.path } else { &issues.block };
            issues.largest_from(self.sigmas.fast).unwrap_or_default()
        };
        for (at, members) in self.groups.iter().enumerate() {
            if at == group && self.same_path {
                continue; // the path that counts holds what the other warps add
            }
            let gains = self.rules(&prices, Count::Gains).program(&members.program)?;
            let block = if at == group { members.block } else { 0 };
            let gain = |matrix: &Matrix| matrix.largest().unwrap_or_default();
            sum = sum.plus(gain(&gains.block).times(block.saturating_sub(1))?)?;
            sum = sum.plus(gain(&gains.path).times(members.warps - block)?)?;
        }
        let Gain { value, slope } = sum;
        Ok(Tangent { theta, value: Rational::new(value, prices.scale), slope })
    }

    /// The counts of one path for all warps of a group.
    fn joint<'p>(&self, prices: &'p Prices, group: &Members<'_>) -> Joint<'p> {
        Joint {
            labels: self.rules(prices, Count::Gains),
            letters: self.rules(prices, Count::Issues { most: self.switch }),
            others: group.warps - 1,
            fast: self.sigmas.fast,
        }
    }

    /// A path of a group for which I + n c + (W - 1) a is largest at some theta, if it can be written in few
    /// entries, and what it counts there, in cycles.
    pub(super) fn joint_path(
        &self,
        group: usize,
        theta: Rational,
    ) -> Result<Option<(Rational, Arc<Path>)>, ProgramError> {
        let (prices, group) = (Prices::new(&self.sigmas, theta)?, &self.groups[group]);
        let weights = self.joint(&prices, group).weights()?;
        let found = Best::new(&weights).path(&group.program)?;
        Ok(found.map(|(gain, path)| (Rational::new(gain.value, prices.scale), path)))
    }

    /// The number of letters of a path of a group.
    pub(super) fn length(&self, group: usize, path: &Path) -> Result<u64, ProgramError> {
        let weights = length_weights(self.times);
        let counted = along(&weights, &self.groups[group].program, path)?.largest(&weights.starts, |_| true);
        let letters = counted.map_or(0, |(gain, ..)| gain.value);
        u64::try_from(letters).map_err(|_| ProgramError::Overflow)
    }

    /// The rate a of a program.
    pub(super) fn rate(&self, program: &Piece, theta: Rational) -> Result<Rational, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        let gains = self.rules(&prices, Count::Gains).program(program)?;
        Ok(Rational::new(value(gains.block.largest()), prices.scale))
    }

    pub(super) fn best_path(&self, program: &Piece, theta: Rational) -> Result<BestPath, ProgramError> {
        let prices = Prices::new(&self.sigmas, theta)?;
        best_path(&self.rules(&prices, Count::Gains), program)
    }
}

/// The counts of the letters of a program.
pub(super) struct Counts {
    issues: Track,
    /// The letters of each unit, in the order of [`Unit::ALL`].
    on: [Track; 2],
}

impl Counts {
    /// The counts of a program whose tracks `count` gives.
    pub(super) fn new(count: impl Fn(Count) -> Result<Track, ProgramError>) -> Result<Self, ProgramError> {
        let on = |unit| count(Count::Letters(unit));
        Ok(Self {
            issues: count(Count::Issues { most: 0 })?,
            on: [on(Unit::LoadStore)?, on(Unit::CudaCore)?],
        })
    }

    /// The most letters, over whole paths or from barrier to barrier.
    pub(super) fn letters(
        &self,
        over: fn(&Track) -> &Matrix,
        sigmas: &Sigmas,
        prices: &Prices,
    ) -> Result<Letters, ProgramError> {
        let number = |value: i128| u128::try_from(value).map_err(|_| ProgramError::Overflow);
        let on = |track| number(value(over(track).largest()));
        let (l, c) = (on(&self.on[0])?, on(&self.on[1])?);
        Ok(Letters {
            all: number(value(over(&self.issues).largest_from(sigmas.fast)) / prices.scale)?,
            on: PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l } else { c }),
        })
    }
}

/// The value of a matrix entry, which is 0 if there is none.
pub(super) fn value(gain: Option<Gain>) -> i128 {
    gain.unwrap_or_default().value
}
