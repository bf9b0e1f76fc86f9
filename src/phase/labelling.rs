//! Labellings of a kernel and what they cost, for any whole sigmas.
//!
//! Give each instruction a label, its *phase*. A label that differs from its letter U costs `1/sigma_U`; a change from label
//! A to B between neighbours costs `kappa_A`, which is `1/sigma` for the unit with the larger sigma (the *fast* one) and
//! theta for the *slow* one, with any theta from `1/sigma_fast` to `1/sigma_slow`. The work of a kernel,
//! `omega = I_L / sigma_L + I_C / sigma_C`, less its cheapest labelling is its *rate* a.

use num_rational::Ratio;

use crate::model::{Instance, Kernel, PerUnit, Unit};

/// Exact numbers of cycles.
pub type Rational = Ratio<i128>;

/// What disagreements and changes cost, as whole numbers of a common fraction of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weights {
    /// Parts of a cycle that one is counted in.
    pub(super) scale: i128,
    /// A disagreement with a letter of the unit; also the work of that letter.
    pub(super) letter: PerUnit<i128>,
    /// A change from a label of the unit.
    pub(super) change: PerUnit<i128>,
}

/// The cost of a labelling, and how it grows with theta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) value: i128,
    /// Changes from the slow label.
    pub(super) slow_changes: i128,
}

/// The sigmas as far as they matter: no more warps can issue than there are.
pub(super) fn sigmas(instance: &Instance) -> PerUnit<i128> {
    PerUnit::from_fn(|unit| instance.sigma(unit).min(instance.total_warps()).into())
}

/// The unit with the larger sigma; load/store if they are equal.
pub(super) fn fast(sigmas: PerUnit<i128>) -> Unit {
    let [l, c] = Unit::ALL;
    if sigmas[c] > sigmas[l] { c } else { l }
}

pub(super) fn other(unit: Unit) -> Unit {
    let [l, c] = Unit::ALL;
    if unit == l { c } else { l }
}

impl Weights {
    pub(super) fn new(sigmas: PerUnit<i128>, theta: Rational) -> Self {
        let fast = fast(sigmas);
        let scale = sigmas[fast] * sigmas[other(fast)] * theta.denom();
        let letter = PerUnit::from_fn(|unit| scale / sigmas[unit]);
        let slow = (theta * scale).to_integer();
        let change = PerUnit::from_fn(|unit| if unit == fast { letter[fast] } else { slow });
        Self { scale, letter, change }
    }

    /// The cheapest labelling of what is left of a kernel from each position on, by the label before it; the last entry is
    /// for the end.
    pub(super) fn suffixes(&self, kernel: &Kernel, fast: Unit) -> Vec<PerUnit<Cost>> {
        let mut costs = vec![NOTHING];
        for &letter in kernel.units().iter().rev() {
            costs.push(self.before(letter, costs[costs.len() - 1], costs[costs.len() - 1], fast));
        }
        costs.reverse();
        costs
    }

    /// The cheapest labelling of a kernel by the label before it, with no more changes than `most`, if that is given.
    pub(super) fn cheapest(&self, kernel: &Kernel, fast: Unit, most: Option<usize>) -> PerUnit<Cost> {
        let letters = kernel.units().iter().rev();
        // a change for each change of letter, and one before the first, are always enough
        let Some(most) = most.filter(|&most| most <= kernel.runs().count()) else {
            return letters.fold(NOTHING, |after, &letter| self.before(letter, after, after, fast));
        };
        let mut costs = vec![NOTHING; most + 1]; // by changes allowed
        for &letter in letters {
            for allowed in (0..=most).rev() {
                costs[allowed] = match allowed {
                    0 => PerUnit::from_fn(|label| self.agree(letter, label, costs[0][label])),
                    _ => self.before(letter, costs[allowed], costs[allowed - 1], fast),
                };
            }
        }
        costs[most]
    }

    /// One letter more: by the label before it, the cheaper of keeping that label and changing it.
    fn before(&self, letter: Unit, kept: PerUnit<Cost>, changed: PerUnit<Cost>, fast: Unit) -> PerUnit<Cost> {
        PerUnit::from_fn(|label| {
            let to = other(label);
            let mut change = self.agree(letter, to, changed[to]);
            change.value += self.change[label];
            change.slow_changes += i128::from(label != fast);
            self.agree(letter, label, kept[label]).min(change)
        })
    }

    fn agree(&self, letter: Unit, label: Unit, mut rest: Cost) -> Cost {
        if letter != label {
            rest.value += self.letter[letter];
        }
        rest
    }

    /// omega: the work of so many letters of each unit.
    pub(super) fn work(&self, letters: impl Fn(Unit) -> u64) -> i128 {
        Unit::ALL.into_iter().map(|unit| i128::from(letters(unit)) * self.letter[unit]).sum()
    }

    /// A cheapest labelling, a letter an instruction; of those that begin with a label, if that is given. Changes come as
    /// late as possible.
    pub(super) fn labels(&self, kernel: &Kernel, fast: Unit, first: Option<Unit>) -> String {
        let costs = self.suffixes(kernel, fast);
        let from = |unit: Unit| self.agree(kernel.units()[0], unit, costs[1][unit]).value;
        let cheaper = || Unit::ALL.into_iter().min_by_key(|&unit| from(unit));
        let mut label = first.or_else(cheaper).unwrap_or(fast);
        let mut labels = String::with_capacity(kernel.len());
        for (at, &letter) in kernel.units().iter().enumerate() {
            let kept = self.agree(letter, label, costs[at + 1][label]).value;
            if at > 0 && kept > costs[at][label].value {
                label = other(label);
            }
            labels.push(label.letter());
        }
        labels
    }
}

const NOTHING: PerUnit<Cost> = PerUnit::both(Cost { value: 0, slow_changes: 0 });
