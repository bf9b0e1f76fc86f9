//! The phase bound for any whole sigmas and any mix of kernels, from its definition in fractions.
//!
//! Any price theta of a change from the slow label, from `1/sigma_fast` to `1/sigma_slow`, gives a valid
//! bound. The engine says at which theta it found its own, and that theta is used if it lies in the range.
//! For strings of up to [`ENUMERATED`] letters all labellings are enumerated. For longer ones a table is
//! filled by label and number of changes.

use num_rational::Ratio;

use crate::check::{Judged, PlainUpper, Route, labelling};
use crate::model::{Cycles, Instance, Kernel, Unit};

/// The price of a change of label.
pub type Theta = Ratio<i128>;

/// The claims of a record about its phase bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseClaim {
    /// The rate a of each group.
    pub rates: Vec<String>,
    /// A labelling of each group that earns this rate.
    pub labels: Vec<String>,
    /// The price of a change from the slow label at which the rates and labellings hold.
    pub theta: String,
    /// The bound.
    pub upper: Cycles,
}

impl PhaseClaim {
    /// The price as a number, if it is one.
    pub(super) fn theta(&self) -> Option<Theta> {
        self.theta.parse().ok()
    }

    /// Judges the bound, the price, and the rates and labellings at that price. Some schedule takes
    /// `makespan` cycles, and `worst` is the worst case, if it is known.
    pub(super) fn judge(&self, instance: &Instance, makespan: Cycles, worst: Option<Cycles>) -> Vec<Judged> {
        let mut judged = vec![self.judge_upper(instance, makespan, worst)];
        let sigma = Unit::ALL.map(|unit| i128::from(instance.sigma(unit)));
        let range = Ratio::new(1, sigma[0].max(sigma[1]))..=Ratio::new(1, sigma[0].min(sigma[1]));
        let Some(theta) = self.theta().filter(|theta| range.contains(theta)) else {
            let why =
                format!("theta is {:?}: want a price from {} to {}", self.theta, range.start(), range.end());
            judged.push(Judged::refuted("phase.theta", why));
            return judged;
        };
        judged.push(Judged::confirmed("phase.theta", "a price that gives a valid bound"));
        let plain = Plain { instance, sigma, theta };
        let kernels: Vec<&Kernel> = instance.groups().iter().map(|group| &group.kernel).collect();
        let rates: Vec<String> = kernels.iter().map(|kernel| plain.rate(kernel).to_string()).collect();
        judged.push(if rates == self.rates {
            Judged::confirmed("phase.rates", "the best labellings earn as much")
        } else {
            let why = format!("rates are {:?}, but the best labellings earn {rates:?}", self.rates);
            Judged::refuted("phase.rates", why)
        });
        let best = self.labels.len() == kernels.len()
            && self.labels.iter().zip(&kernels).all(|(labels, kernel)| {
                plain.earned(kernel, labels).is_some_and(|earned| earned == plain.rate(kernel))
            });
        judged.push(if best {
            Judged::confirmed("phase.labels", "they earn the rates")
        } else {
            Judged::refuted("phase.labels", "they are no labellings that earn the best rates")
        });
        judged
    }

    fn judge_upper(&self, instance: &Instance, makespan: Cycles, worst: Option<Cycles>) -> Judged {
        let claim = self.upper;
        let own = labelling::upper(instance).unwrap_or_else(|| upper(instance, self.theta())).cycles;
        let refuted = |why| Judged::refuted("phase.upper", format!("phase.upper is {claim}, but {why}"));
        match worst {
            _ if claim < makespan => refuted(format!("a schedule takes {makespan} cycles")),
            Some(worst) if claim < worst => {
                refuted(format!("the worst of all schedules takes {worst} cycles"))
            }
            _ if claim >= own => {
                Judged::confirmed("phase.upper", format!("{claim} cycles, the plain route gives {own}"))
            }
            _ if instance.groups().len() == 1 && labelling::is_exact(instance) => {
                refuted(format!("the plain route gives {own}"))
            }
            _ => Judged::not_judged(
                "phase.upper",
                format!("the plain route gives {own}, which need not be the smallest"),
            ),
        }
    }
}

/// All labellings are enumerated for kernels of up to this many letters.
const ENUMERATED: usize = 12;
/// Up to this product of letters and changes, the table distinguishes labellings by their number of changes.
/// Beyond it any number of changes is allowed, which is safe.
const TABLE: usize = 1 << 20;

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

struct Plain<'a> {
    instance: &'a Instance,
    sigma: [i128; 2],
    theta: Theta,
}

impl Plain<'_> {
    /// The work of a letter of the unit, which a label that agrees with it earns.
    fn worth(&self, unit: Unit) -> Theta {
        Ratio::new(1, self.sigma[unit as usize])
    }

    fn is_fast(&self, unit: Unit) -> bool {
        self.sigma[unit as usize] > self.sigma[1 - unit as usize]
    }

    /// The cost of a change from a label.
    fn change(&self, from: Unit) -> Theta {
        if self.is_fast(from) { self.worth(from) } else { self.theta }
    }

    /// The rate a: what the best labelling of a kernel earns, summed over its segments.
    fn rate(&self, kernel: &Kernel) -> Theta {
        let part = |part: &[Unit]| {
            let least = Unit::ALL.map(|before| self.cheapest(part, before, part.len()));
            let work: Theta = part.iter().map(|&unit| self.worth(unit)).sum();
            work - least[0].min(least[1])
        };
        kernel.segments().map(part).sum()
    }

    /// What a labelling of a kernel earns. It is written as in the record, and `None` if it is not a
    /// labelling of the kernel.
    fn earned(&self, kernel: &Kernel, labels: &str) -> Option<Theta> {
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
        let disagreements =
            if changes > 0 && !self.instance.has_barriers() { same.min(opposite) } else { same };
        let waits = work - disagreements + self.switches(own);
        let waits = u64::try_from(waits.floor().to_integer()).unwrap_or(0);
        own.instructions() + waits.min(self.critical(own))
    }

    /// The term n c of the bound.
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

    /// The cost of the cheapest labelling of some letters with at most `changes` changes, if `before` is the
    /// label before the string.
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

    /// The same cost, computed forwards by label and number of changes so far.
    fn by_table(&self, units: &[Unit], before: Unit, changes: usize) -> Theta {
        let counted = if units.len().saturating_mul(changes) <= TABLE { changes } else { 0 };
        let free = counted < changes; // then the number of changes is not limited
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
