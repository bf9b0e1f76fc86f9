//! The remaining-time bound, which is the phase bound from any state, even one that cannot be reached.
//!
//! The proof of the [phase bound](super::bound()) nowhere uses that no warp has issued. For an unfinished warp
//! w let X be the unit of its next letter, Y the other, k the length of the run that it is in, and n the number
//! of places in what is left of it where a slow letter is followed by a fast one. With what is left of each
//! warp's string, therefore,
//!
//! ```text
//! cycles left <= max over unfinished w of [ left_w + n c + max(sum A_X, sum A_Y - c_X - k) ]
//! ```
//!
//! where the sums are over the other warps and `A_X` is the most that a labelling of what is left of one earns if
//! X is the label before it. If w has no change of letter left, the second sum does not count. c is
//! `min(sigma_fast - 1, D) (theta - 1/sigma_fast)` with D the number of other warps that have two fast letters in
//! a row left, and `c_X` is c if X is slow and 0 otherwise. The bound is computed for the two ends of theta and
//! for the theta at which the bound from the start is smallest. For each w the smallest value counts, or the
//! critical path if that is smaller. An issue changes the [`Sums`] by one entry, so a search updates them with
//! each issue.
//!
//! A *place* is a group and the number of instructions issued. Places are numbered through all groups.

use std::ops::{Add, AddAssign, Sub};

use num_integer::lcm;
use num_rational::Ratio;

use crate::phase::labelling::{Rational, Weights, fast, sigmas};
use warpspan_model::{Instance, Kernel, PerUnit, Unit};

/// The number of thetas for which the bound is computed: both ends, and one between.
const THETAS: usize = 3;
/// The largest magnitude that sums may have.
const MOST: i128 = 1 << 62;

/// The tables of an instance.
#[derive(Debug)]
pub struct Remaining {
    sigma: PerUnit<i64>,
    /// The number of warps of each group.
    sizes: Vec<usize>,
    /// The first place of each group.
    firsts: Vec<usize>,
    /// Whether the unit takes every warp, so that no warp waits for it.
    wide: PerUnit<bool>,
    /// The number of parts into which a cycle is divided.
    scale: i64,
    fast: Unit,
    /// The price theta - 1/sigma_fast of a switch for each warp that loses by it, at each theta, in parts of a cycle.
    /// It is empty if the numbers are too large for the tables; then only the critical path is used.
    switch: Vec<i64>,
    places: Vec<Place>,
}

/// What is left of the string of a warp at a place.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    own: Sums,
    /// The number n.
    switches: i64,
    /// Whether a change of letter is left.
    changes: bool,
    /// The next letter, or nothing at the end.
    next: Option<Unit>,
    /// The length k of the run that begins here.
    run: i64,
}

/// Sums over what is left of the strings of some warps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// The letters left for each unit.
    pub(crate) left: PerUnit<i64>,
    /// The number of the warps that have two fast letters in a row left.
    twice: i64,
    /// What the best labelling earns, at each theta and by the label before it, in parts of a cycle.
    pub(crate) rates: [PerUnit<i64>; THETAS],
}

impl Remaining {
    /// Computes the tables of an instance without barriers. They hold about ten numbers for each instruction.
    /// `theta` is the price at which the bound from the start is smallest.
    pub fn new(instance: &Instance, theta: Rational) -> Self {
        let sigmas = sigmas(instance);
        let one = |unit| Ratio::new(1, sigmas[unit]);
        let ends = [one(fast(sigmas)), one(fast(sigmas).other())];
        // An entry is at most the number of letters, or the number of switches times the most that a switch
        // costs.
        let most = i128::from(instance.total_issues()) * (1 + sigmas[fast(sigmas)]);
        let both = sigmas[Unit::LoadStore] * sigmas[Unit::CudaCore];
        let ends_too = lcm(sigmas[Unit::LoadStore], sigmas[Unit::CudaCore]);
        let fits = |scale: i128| scale.checked_mul(most).is_some_and(|sum| sum < MOST);
        let with_theta = both.checked_mul(lcm(ends_too, *theta.denom())).filter(|&scale| fits(scale));
        let (theta, scale) = match with_theta {
            Some(scale) => (theta, scale),
            None => (ends[0], both * ends_too),
        };
        let fast = fast(sigmas);
        let mut firsts = Vec::new();
        let mut places = Vec::new();
        for group in instance.groups() {
            firsts.push(places.len());
            places.extend(suffixes(&group.kernel, fast));
        }
        let thetas = if fits(scale) { vec![theta, ends[0], ends[1]] } else { Vec::new() };
        let mut remaining = Self {
            sigma: PerUnit::from_fn(|unit| narrow(instance.sigma(unit).into())),
            sizes: instance
                .groups()
                .iter()
                .map(|group| usize::try_from(group.warps).unwrap_or(usize::MAX))
                .collect(),
            firsts,
            wide: PerUnit::from_fn(|unit| instance.sigma(unit) >= instance.total_warps()),
            scale: if thetas.is_empty() { 1 } else { narrow(scale) },
            fast,
            switch: Vec::new(),
            places,
        };
        for (at, &theta) in thetas.iter().enumerate() {
            remaining.fill(instance, sigmas, at, theta);
        }
        remaining
    }

    /// Fills the tables for one theta.
    fn fill(&mut self, instance: &Instance, sigmas: PerUnit<i128>, at: usize, theta: Rational) {
        let weights = Weights::new(sigmas, theta);
        let more = i128::from(self.scale) / weights.scale;
        let slow = self.fast.other();
        self.switch.push(narrow((weights.change[slow] - weights.letter[self.fast]) * more));
        for (group, &first) in instance.groups().iter().zip(&self.firsts) {
            let costs = weights.suffixes(&group.kernel);
            let units = group.kernel.units();
            let mut work = 0;
            for issued in (0..units.len()).rev() {
                work += weights.letter[units[issued]];
                self.places[first + issued].own.rates[at] =
                    PerUnit::from_fn(|unit| narrow((work - costs[issued][unit].value()) * more));
            }
        }
    }

    /// The place of the warps of a group that have issued nothing.
    pub(crate) fn first(&self, group: usize) -> usize {
        self.firsts[group]
    }

    /// What is left of the string of a warp at a place.
    pub(crate) fn own(&self, place: usize) -> Sums {
        self.places[place].own
    }

    /// The time that a warp at the place still takes, in parts of a cycle, if `all` is left of all warps.
    #[inline]
    pub(crate) fn parts(&self, all: &Sums, place: usize) -> i64 {
        let Place { own, switches, changes, next, run } = &self.places[place];
        let Some(next) = *next else { return 0 };
        let (mut left, mut critical) = (0, 0);
        for unit in Unit::ALL {
            left += own.left[unit];
            if own.left[unit] > 0 && !self.wide[unit] {
                critical += (all.left[unit] - own.left[unit]) / self.sigma[unit];
            }
        }
        let mut waits = critical * self.scale;
        let others = (all.twice - own.twice).min(self.sigma[self.fast] - 1);
        for (switch, (all, own)) in self.switch.iter().zip(all.rates.iter().zip(&own.rates)) {
            let c = switch * others;
            let earned = |unit: Unit| all[unit] - own[unit];
            let mut most = earned(next);
            if *changes {
                let begun = run * self.scale + if next == self.fast { 0 } else { c };
                most = most.max(earned(next.other()) - begun);
            }
            waits = waits.min(switches * c + most);
        }
        left * self.scale + waits
    }

    /// The number of whole cycles in `parts` parts of a cycle.
    pub(crate) fn cycles(&self, parts: i64) -> u64 {
        u64::try_from(parts / self.scale).unwrap_or(0)
    }

    /// The most cycles that are left when each warp has issued this many instructions. Groups follow one
    /// another.
    pub fn bound(&self, issued: &[u16]) -> u64 {
        let groups = self.firsts.iter().zip(&self.sizes);
        let firsts = groups.flat_map(|(&first, &size)| std::iter::repeat_n(first, size));
        let places = || firsts.clone().zip(issued).map(|(first, &issued)| first + usize::from(issued));
        let all = places().fold(Sums::default(), |all, place| all + self.own(place));
        self.cycles(places().map(|place| self.parts(&all, place)).max().unwrap_or(0))
    }
}

/// What is left of a kernel at each of its places, without the rates.
fn suffixes(kernel: &Kernel, fast: Unit) -> Vec<Place> {
    let units = kernel.units();
    let mut places: Vec<Place> = kernel
        .left()
        .into_iter()
        .map(|left| Place {
            own: Sums { left: PerUnit::from_fn(|unit| narrow(left[unit].into())), ..Sums::default() },
            ..Place::default()
        })
        .collect();
    for at in (0..units.len()).rev() {
        let (unit, after) = (units[at], places[at + 1]);
        let place = &mut places[at];
        place.next = Some(unit);
        (place.switches, place.changes, place.own.twice) = (after.switches, after.changes, after.own.twice);
        place.run = 1;
        match after.next {
            Some(next) if next == unit => {
                place.run += after.run;
                place.own.twice = place.own.twice.max(i64::from(unit == fast));
            }
            Some(next) => {
                place.changes = true;
                place.switches += i64::from(next == fast);
            }
            None => (),
        }
    }
    places
}

/// Converts a number that is known to fit.
fn narrow(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX >> 2)
}

impl Sums {
    #[inline]
    fn with(self, other: Self, f: impl Fn(i64, i64) -> i64) -> Self {
        let pair = |a: PerUnit<i64>, b: PerUnit<i64>| PerUnit::from_fn(|unit| f(a[unit], b[unit]));
        Self {
            left: pair(self.left, other.left),
            twice: f(self.twice, other.twice),
            rates: std::array::from_fn(|at| pair(self.rates[at], other.rates[at])),
        }
    }
}

impl Add for Sums {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl AddAssign for Sums {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Sums {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}
