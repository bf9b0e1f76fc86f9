//! The phase bound for any whole sigmas and any mix of kernels, from its definition in fractions.
//!
//! Any price theta of a change from the slow label, from `1/sigma_fast` to `1/sigma_slow`, gives a valid bound; the engine says
//! at which theta it found its own, and that is believed as far as it lies in the range. For strings of up to
//! [`ENUMERATED`] letters all labellings are written out, for longer ones a table by label and changes is filled.

use num_rational::Ratio;

use crate::bound::{Basis, Upper};
use crate::model::{Cycles, Instance, Kernel, Unit};

/// A price of a change of label.
pub type Theta = Ratio<i128>;

/// Kernels no longer than this have all their labellings looked at.
const ENUMERATED: usize = 12;
/// Letters times changes up to which the table tells how many changes a labelling has; beyond, any number counts, which is safe.
const TABLE: usize = 1 << 20;

/// The bound at the theta given, if one is, and at both ends of the range; the smallest counts.
pub(super) fn upper(instance: &Instance, theta: Option<Theta>) -> Upper {
    let sigma = Unit::ALL.map(|unit| i128::from(instance.sigma(unit)));
    let (low, high) = (Ratio::new(1, sigma[0].max(sigma[1])), Ratio::new(1, sigma[0].min(sigma[1])));
    let thetas = [Some(low), Some(high), theta.filter(|theta| (low..=high).contains(theta))];
    let finish = |group: usize| -> u64 {
        let at = |theta| Plain { instance, sigma, theta }.finish(group);
        thetas.into_iter().flatten().map(at).min().unwrap_or(u64::MAX)
    };
    let latest = (0..instance.groups().len()).map(finish).max().unwrap_or(0);
    Upper::formula(Cycles(latest), Basis::Phase, "best labellings, by definition")
}

struct Plain<'a> {
    instance: &'a Instance,
    sigma: [i128; 2],
    theta: Theta,
}

impl Plain<'_> {
    /// What a letter of the unit is worth.
    fn worth(&self, unit: Unit) -> Theta {
        Ratio::new(1, self.sigma[unit as usize])
    }

    fn is_fast(&self, unit: Unit) -> bool {
        self.sigma[unit as usize] > self.sigma[1 - unit as usize]
    }

    /// What a change from a label costs.
    fn change(&self, from: Unit) -> Theta {
        if self.is_fast(from) { self.worth(from) } else { self.theta }
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
        let disagreements =
            if changes > 0 && !self.instance.has_barriers() { same.min(opposite) } else { same };
        let waits = work - disagreements + self.switches(own);
        let waits = u64::try_from(waits.floor().to_integer()).unwrap_or(0);
        own.instructions() + waits.min(self.critical(own))
    }

    /// n c.
    fn switches(&self, own: &Kernel) -> Theta {
        let twice = |kernel: &Kernel| {
            let two = |part: &[Unit]| part.windows(2).any(|pair| pair[0] == pair[1] && self.is_fast(pair[0]));
            kernel.segments().any(two)
        };
        if !self.instance.groups().iter().any(|group| twice(&group.kernel)) {
            return Ratio::from(0);
        }
        let fast = self.sigma[0].max(self.sigma[1]);
        let most = (fast - 1).min(i128::from(self.instance.total_warps()) - 1);
        let into_fast = |pair: &&[Unit]| !self.is_fast(pair[0]) && self.is_fast(pair[1]);
        let n = own.units().windows(2).filter(into_fast).count();
        (self.theta - Ratio::new(1, fast)) * most * (n as i128)
    }

    /// The waits by the critical path.
    fn critical(&self, own: &Kernel) -> u64 {
        let mut waits = 0;
        for unit in Unit::ALL {
            let waited = own.count(unit) > 0 && self.instance.sigma(unit) < self.instance.total_warps();
            let others = self.instance.total_issues_on(unit) - own.count(unit);
            waits += if waited { others / self.instance.sigma(unit) } else { 0 };
        }
        waits
    }

    /// The cheapest labelling of some letters with at most so many changes if `before` is the label before the string.
    fn cheapest(&self, units: &[Unit], before: Unit, changes: usize) -> Theta {
        if units.len() > ENUMERATED {
            return self.by_table(units, before, changes);
        }
        let cost = |labels: u32| {
            let (mut cost, mut label, mut changed) = (Ratio::from(0), before, 0);
            for (at, &unit) in units.iter().enumerate() {
                let next = Unit::ALL[(labels >> at & 1) as usize];
                if next != label {
                    cost += self.change(label);
                    changed += 1;
                }
                if next != unit {
                    cost += self.worth(unit);
                }
                label = next;
            }
            (changed <= changes).then_some(cost)
        };
        (0..1_u32 << units.len()).filter_map(cost).min().unwrap_or_default()
    }

    /// The same, forwards by label and number of changes so far.
    fn by_table(&self, units: &[Unit], before: Unit, changes: usize) -> Theta {
        let counted = if units.len().saturating_mul(changes) <= TABLE { changes } else { 0 };
        let free = counted < changes; // changes are not counted
        let mut best: Vec<[Option<Theta>; 2]> = vec![[None; 2]; counted + 1];
        best[0][before as usize] = Some(Ratio::from(0));
        for &unit in units {
            let old = best.clone();
            for (changed, entry) in best.iter_mut().enumerate() {
                for label in Unit::ALL {
                    let from = Unit::ALL[1 - label as usize];
                    let source = if free { Some(0) } else { changed.checked_sub(1) };
                    let change =
                        source.and_then(|at| old[at][from as usize]).map(|cost| cost + self.change(from));
                    let kept = old[changed][label as usize];
                    let disagreement = if label == unit { Ratio::from(0) } else { self.worth(unit) };
                    let cost = [kept, change].into_iter().flatten().min();
                    entry[label as usize] = cost.map(|cost| cost + disagreement);
                }
            }
        }
        best.into_iter().flatten().flatten().min().unwrap_or_default()
    }
}
