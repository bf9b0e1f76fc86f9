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
    /// That as a cost.
    changes: PerUnit<i128>,
    /// What a letter with a label costs; a table, since a branch on a letter is often mispredicted.
    labels: PerUnit<PerUnit<i128>>,
}

/// The cost of a labelling, and how it grows with theta: its value, then the number of changes from the slow label, in one
/// number, so that the smaller is the cheaper one, and of equally cheap ones that with fewer such changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(i128);

impl Cost {
    const NOTHING: PerUnit<Self> = PerUnit::both(Self(0));
    /// Bits for the changes; kernels are shorter.
    const BITS: u32 = 32;

    pub(super) fn value(self) -> i128 {
        self.0 >> Self::BITS
    }

    /// Changes from the slow label.
    pub(super) fn slow_changes(self) -> i128 {
        self.0 & ((1 << Self::BITS) - 1)
    }
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

impl Weights {
    pub(super) fn new(sigmas: PerUnit<i128>, theta: Rational) -> Self {
        let fast = fast(sigmas);
        let scale = sigmas[fast] * sigmas[fast.other()] * theta.denom();
        let letter = PerUnit::from_fn(|unit| scale / sigmas[unit]);
        let slow = (theta * scale).to_integer();
        let change = PerUnit::from_fn(|unit| if unit == fast { letter[fast] } else { slow });
        let changes = PerUnit::from_fn(|unit| (change[unit] << Cost::BITS) + i128::from(unit != fast));
        let label = |unit: Unit, label: Unit| if unit == label { 0 } else { letter[unit] << Cost::BITS };
        let labels = PerUnit::from_fn(|unit| PerUnit::from_fn(|to| label(unit, to)));
        Self { scale, letter, change, changes, labels }
    }

    /// The cheapest labelling of what is left of a kernel from each position on, by the label before it; the last entry is
    /// for the end.
    pub(super) fn suffixes(&self, kernel: &Kernel) -> Vec<PerUnit<Cost>> {
        let mut costs = vec![Cost::NOTHING];
        for &letter in kernel.units().iter().rev() {
            costs.push(self.before(letter, costs[costs.len() - 1], costs[costs.len() - 1]));
        }
        costs.reverse();
        costs
    }

    /// The cheapest labelling of a kernel by the label before it, with no more changes than `most`, if that is given.
    pub(super) fn cheapest(&self, kernel: &Kernel, most: Option<usize>) -> PerUnit<Cost> {
        let letters = kernel.units().iter().rev();
        // a change for each change of letter, and one before the first, are always enough
        let Some(most) = most.filter(|&most| most <= kernel.runs().count()) else {
            return letters.fold(Cost::NOTHING, |after, &letter| self.before(letter, after, after));
        };
        let mut costs = vec![Cost::NOTHING; most + 1]; // by changes allowed
        for &letter in letters {
            for allowed in (0..=most).rev() {
                costs[allowed] = match allowed {
                    0 => PerUnit::from_fn(|label| self.agree(letter, label, costs[0][label])),
                    _ => self.before(letter, costs[allowed], costs[allowed - 1]),
                };
            }
        }
        costs[most]
    }

    /// One letter more: by the label before it, the cheaper of keeping that label and changing it.
    #[inline]
    fn before(&self, letter: Unit, kept: PerUnit<Cost>, changed: PerUnit<Cost>) -> PerUnit<Cost> {
        PerUnit::from_fn(|label| {
            let to = label.other();
            let change = Cost(self.agree(letter, to, changed[to]).0 + self.changes[label]);
            self.agree(letter, label, kept[label]).min(change)
        })
    }

    #[inline]
    fn agree(&self, letter: Unit, label: Unit, rest: Cost) -> Cost {
        Cost(rest.0 + self.labels[letter][label])
    }

    /// omega: the work of so many letters of each unit.
    pub(super) fn work(&self, letters: impl Fn(Unit) -> u64) -> i128 {
        Unit::ALL.into_iter().map(|unit| i128::from(letters(unit)) * self.letter[unit]).sum()
    }

    /// A cheapest labelling, a letter an instruction; of those that begin with a label, if that is given. Changes come as
    /// late as possible.
    pub(super) fn labels(&self, kernel: &Kernel, fast: Unit, first: Option<Unit>) -> String {
        let costs = self.suffixes(kernel);
        let from = |unit: Unit| self.agree(kernel.units()[0], unit, costs[1][unit]);
        let cheaper = || Unit::ALL.into_iter().min_by_key(|&unit| from(unit));
        let mut label = first.or_else(cheaper).unwrap_or(fast);
        let mut labels = String::with_capacity(kernel.len());
        for (at, &letter) in kernel.units().iter().enumerate() {
            let kept = self.agree(letter, label, costs[at + 1][label]);
            if at > 0 && kept > costs[at][label] {
                label = label.other();
            }
            labels.push(label.letter());
        }
        labels
    }
}
