//! The phase bound for any whole sigmas and any mix of kernels, from its definition in fractions.
//!
//! Any price theta of a change from the slow label, from `1/sigma_fast` to `1/sigma_slow`, gives a valid
//! bound. The engine says at which theta it found its own, and that theta is used if it lies in the range.

use num_rational::Ratio;

use crate::record::{PlainUpper, Route};
use warpspan_model::{Cycles, Instance, Kernel, Unit};

/// The price of a change of label.
pub type Theta = Ratio<i128>;

/// The bound, the smallest of those at both ends of the range of theta and at the given theta, if there is
/// one.
pub(super) fn upper(instance: &Instance, theta: Option<Theta>) -> PlainUpper {
    let sigma = Unit::ALL.map(|unit| i128::from(instance.sigma(unit)));
    let (low, high) = (Ratio::new(1, sigma[0].max(sigma[1])), Ratio::new(1, sigma[0].min(sigma[1])));
    let thetas = [Some(low), Some(high), theta.filter(|theta| (low..=high).contains(theta))];
    let finish = |group: usize| -> u64 {
        let at = |theta| Plain { instance, sigma, theta }.finish(group);
        thetas.into_iter().flatten().map(at).min().unwrap_or(u64::MAX)
    };
    let latest = (0..instance.groups().len()).map(finish).max().unwrap_or(0);
    PlainUpper { cycles: Cycles(latest), route: Route::Phases }
}

/// An instance and a price, at which labellings cost and earn.
pub(super) struct Plain<'a> {
    pub(super) instance: &'a Instance,
    pub(super) sigma: [i128; 2],
    pub(super) theta: Theta,
}

impl Plain<'_> {
    /// The work of a letter of the unit, which a label that agrees with it earns.
    pub(super) fn worth(&self, unit: Unit) -> Theta {
        Ratio::new(1, self.sigma[unit as usize])
    }

    fn is_fast(&self, unit: Unit) -> bool {
        self.sigma[unit as usize] > self.sigma[1 - unit as usize]
    }

    /// The cost of a change from a label.
    pub(super) fn change(&self, from: Unit) -> Theta {
        if self.is_fast(from) { self.worth(from) } else { self.theta }
    }

    /// The rate a: what the best labelling of a kernel earns, summed over its segments.
    pub(super) fn rate(&self, kernel: &Kernel) -> Theta {
        let part = |part: &[Unit]| {
            let least = Unit::ALL.map(|before| self.cheapest(part, before, part.len()));
            let work: Theta = part.iter().map(|&unit| self.worth(unit)).sum();
            work - least[0].min(least[1])
        };
        kernel.segments().map(part).sum()
    }

    /// What a labelling of a kernel earns. It is written as in the record, and `None` if it is not a
    /// labelling of the kernel.
    pub(super) fn earned(&self, kernel: &Kernel, labels: &str) -> Option<Theta> {
        let letters = |text: &str| text.chars().map(Unit::from_letter).collect::<Option<Vec<Unit>>>();
        let parts: Vec<Vec<Unit>> = labels.split('|').map(letters).collect::<Option<_>>()?;
        let segments: Vec<&[Unit]> = kernel.segments().collect();
        if parts.len() != segments.len() {
            return None;
        }
        let mut sum = Theta::from(0);
        for (part, labels) in segments.into_iter().zip(parts) {
            if part.len() != labels.len() {
                return None;
            }
            let agreeing = part.iter().zip(&labels).filter(|(unit, label)| unit == label);
            sum += agreeing.map(|(&unit, _)| self.worth(unit)).sum::<Theta>();
            let changes = labels.windows(2).filter(|pair| pair[0] != pair[1]);
            sum -= changes.map(|pair| self.change(pair[0])).sum::<Theta>();
        }
        Some(sum)
    }

    /// The bound on the finish of a warp of the group.
    fn finish(&self, group: usize) -> u64 {
        let own = &self.instance.groups()[group].kernel;
        let units = own.units();
        let changes = units.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let (first, second) = (units[0], Unit::ALL[1 - units[0] as usize]);
        let run = units.iter().take_while(|&&unit| unit == first).count();
        let (mut work, mut same, mut opposite) = (Ratio::from(0), Ratio::from(0), Ratio::from(run as i128));
        for (at, members) in self.instance.groups().iter().enumerate() {
            let others = Ratio::from(i128::from(members.warps - u64::from(at == group)));
            for unit in Unit::ALL {
                work += others * self.worth(unit) * i128::from(members.kernel.count(unit));
            }
            if self.instance.has_barriers() {
                let free = |part: &[Unit]| {
                    let least = |before| self.cheapest(part, before, part.len());
                    least(first).min(least(second))
                };
                same += members.kernel.segments().map(free).sum::<Theta>() * others;
                continue;
            }
            same += others * self.cheapest(members.kernel.units(), first, changes);
            if changes > 0 {
                opposite += others * self.cheapest(members.kernel.units(), second, changes - 1);
            }
        }
        let switch = self.switch(group);
        if !self.is_fast(first) {
            opposite += switch;
        }
        let disagreements =
            if changes > 0 && !self.instance.has_barriers() { same.min(opposite) } else { same };
        let into_fast = |pair: &&[Unit]| !self.is_fast(pair[0]) && self.is_fast(pair[1]);
        let switches = own.units().windows(2).filter(into_fast).count();
        let waits = work - disagreements + switch * (switches as i128);
        let waits = u64::try_from(waits.floor().to_integer()).unwrap_or(0);
        own.instructions() + waits.min(self.critical(own))
    }

    /// What a switch of a warp of the group from a slow to a fast letter costs (c). Only the other warps that
    /// have two fast letters in a row can lose by it; with barriers, all others count if any segment has two.
    fn switch(&self, group: usize) -> Theta {
        let two = |part: &[Unit]| part.windows(2).any(|pair| pair[0] == pair[1] && self.is_fast(pair[0]));
        let twice = |at: &usize| self.instance.groups()[*at].kernel.segments().any(two);
        let mut losing: Vec<usize> = (0..self.instance.groups().len()).filter(twice).collect();
        if self.instance.has_barriers() && !losing.is_empty() {
            losing = (0..self.instance.groups().len()).collect();
        }
        let warps = |&at: &usize| i128::from(self.instance.groups()[at].warps - u64::from(at == group));
        let fast = self.sigma[0].max(self.sigma[1]);
        (self.theta - Ratio::new(1, fast)) * losing.iter().map(warps).sum::<i128>().min(fast - 1)
    }

    /// The bound on the waits by the critical path.
    fn critical(&self, own: &Kernel) -> u64 {
        let mut waits = 0;
        for unit in Unit::ALL {
            let waited = own.count(unit) > 0 && self.instance.sigma(unit) < self.instance.total_warps();
            let others = self.instance.total_issues_on(unit) - own.count(unit);
            waits += if waited { others / self.instance.sigma(unit) } else { 0 };
        }
        waits
    }
}
