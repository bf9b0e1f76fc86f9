//! The remaining-time bound: the phase bound from any state, reached or not.
//!
//! The proof of the [phase bound](super::bound()) nowhere uses that no warp has issued, so with what is left of each warp's string,
//!
//! ```text
//! cycles left <= max over unfinished w of [ left_w + n_w c + sum over v != w of omega_v - min(sum G_L, sum G_C) ]
//! ```
//!
//! where `G_X` is the cheapest labelling of what is left of v if X is the label before it. Here for the two ends of theta and
//! for the theta at which the bound from the start is smallest; for each w the smallest counts, and the critical path if
//! that is smaller. The sums change by one entry an issue; a table gives each entry.

use num_rational::Ratio;

use crate::model::{Instance, PerUnit, Unit};
use crate::phase::bound::switch;
use crate::phase::labelling::{Rational, Weights, fast, sigmas};

/// The tables of an instance.
#[derive(Debug)]
pub struct Rest {
    sigma: PerUnit<u64>,
    /// Warps of each group.
    sizes: Vec<usize>,
    /// Whether the unit takes every warp, so that nobody waits for it.
    wide: PerUnit<bool>,
    prices: Vec<Price>,
    /// Letters left, by group and instructions issued.
    letters: Vec<Vec<PerUnit<u64>>>,
}

/// The tables at one theta, in parts of a cycle.
#[derive(Debug)]
struct Price {
    scale: i64,
    entries: Vec<Vec<Entry>>,
}

/// What is left of a warp's string.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// n c.
    switches: i64,
    /// omega less the cheapest labelling, by the label before it.
    rate: PerUnit<i64>,
}

impl Rest {
    /// Computes the tables, of some ten numbers an instruction; `theta` is where the bound from the start is smallest.
    pub fn new(instance: &Instance, theta: Rational) -> Self {
        let sigmas = sigmas(instance);
        let fast = fast(sigmas);
        let one = |unit| Ratio::new(1, sigmas[unit]);
        let mut thetas = vec![one(fast), one(fast.other()), theta];
        thetas.sort_unstable();
        thetas.dedup();
        Self {
            sigma: PerUnit::from_fn(|unit| instance.sigma(unit)),
            sizes: instance
                .groups()
                .iter()
                .map(|group| usize::try_from(group.warps).unwrap_or(usize::MAX))
                .collect(),
            wide: PerUnit::from_fn(|unit| instance.sigma(unit) >= instance.total_warps()),
            prices: thetas.into_iter().filter_map(|theta| Price::new(instance, sigmas, theta)).collect(),
            letters: instance.groups().iter().map(|group| group.kernel.left()).collect(),
        }
    }

    /// The most cycles that are left when each warp has issued so many instructions, groups one after the other.
    pub fn bound(&self, issued: &[u16]) -> u64 {
        let groups = self.sizes.iter().enumerate();
        let groups = groups.flat_map(|(group, &size)| std::iter::repeat_n(group, size));
        let warps = groups.zip(issued).map(|(group, &issued)| (group, usize::from(issued)));
        let mut all: PerUnit<u64> = PerUnit::both(0);
        for (group, issued) in warps.clone() {
            Unit::ALL.iter().for_each(|&unit| all[unit] += self.letters[group][issued][unit]);
        }
        let sums: Vec<PerUnit<i64>> = self.prices.iter().map(|price| price.sum(warps.clone())).collect();
        let mut most = 0;
        let mut last = None;
        for at in warps {
            if last == Some(at) {
                continue; // as the warp before it
            }
            last = Some(at);
            let (group, issued) = at;
            let own = self.letters[group][issued];
            let left: u64 = Unit::ALL.iter().map(|&unit| own[unit]).sum();
            if left == 0 {
                continue;
            }
            let critical = Unit::ALL.into_iter().map(|unit| match own[unit] {
                0 => 0,
                _ if self.wide[unit] => 0,
                own => (all[unit] - own) / self.sigma[unit],
            });
            let phases = self.prices.iter().zip(&sums).map(|(price, sum)| price.waits(*sum, group, issued));
            most = most.max(left + phases.fold(critical.sum(), u64::min));
        }
        most
    }
}

impl Price {
    /// The tables at some theta; `None` if their numbers would not fit.
    fn new(instance: &Instance, sigmas: PerUnit<i128>, theta: Rational) -> Option<Self> {
        let weights = Weights::new(sigmas, theta);
        let fast = fast(sigmas);
        let switch = (weights.change[fast.other()] - weights.letter[fast]) * switch(instance, sigmas, fast);
        let most = i128::from(instance.total_issues()) * (weights.scale + switch);
        i64::try_from(most).ok()?;
        let entries = |group: &crate::model::WarpGroup| {
            let costs = weights.suffixes(&group.kernel);
            let units = group.kernel.units();
            let narrow = |value: i128| i64::try_from(value).ok();
            let mut entries = vec![Entry::default()];
            let (mut switches, mut work) = (0, 0);
            for at in (0..units.len()).rev() {
                work += weights.letter[units[at]];
                if units[at] != fast && units.get(at + 1) == Some(&fast) {
                    switches += switch;
                }
                let [l, c] = Unit::ALL.map(|unit| narrow(work - costs[at][unit].value()));
                let mut entry = Entry { switches: narrow(switches)?, rate: PerUnit::both(0) };
                (entry.rate[Unit::LoadStore], entry.rate[Unit::CudaCore]) = (l?, c?);
                entries.push(entry);
            }
            entries.reverse();
            Some(entries)
        };
        let entries = instance.groups().iter().map(entries).collect::<Option<_>>()?;
        Some(Self { scale: i64::try_from(weights.scale).ok()?, entries })
    }

    fn sum(&self, warps: impl Iterator<Item = (usize, usize)>) -> PerUnit<i64> {
        let mut sum = PerUnit::both(0);
        for (group, issued) in warps {
            let entry = &self.entries[group][issued];
            Unit::ALL.iter().for_each(|&unit| sum[unit] += entry.rate[unit]);
        }
        sum
    }

    /// The waits of a warp among others with such sums.
    fn waits(&self, sum: PerUnit<i64>, group: usize, issued: usize) -> u64 {
        let own = &self.entries[group][issued];
        let others = Unit::ALL.into_iter().map(|unit| sum[unit] - own.rate[unit]).max().unwrap_or(0);
        u64::try_from((own.switches + others).div_euclid(self.scale)).unwrap_or(0)
    }
}
