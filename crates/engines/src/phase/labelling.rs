//! Labellings of a kernel and what they cost, for any whole sigmas.
//!
//! Each instruction gets a label, its *phase*. A label that differs from its letter U costs `1/sigma_U`. A
//! change from label A to B between neighbours costs `kappa_A`, which is `1/sigma` for the unit with the
//! larger sigma (the *fast* one) and theta for the *slow* one, with any theta from `1/sigma_fast` to
//! `1/sigma_slow`. The *rate* a of a kernel is its work, `omega = I_L / sigma_L + I_C / sigma_C`, less the
//! cost of its cheapest labelling.

use std::ops::Add;

use num_rational::Ratio;

use warpspan_model::{Instance, Kernel, PerUnit, Unit};

/// An exact number of cycles.
pub type Rational = Ratio<i128>;

/// The costs of disagreements and changes, as whole numbers of a common fraction of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weights {
    /// The number of parts into which a cycle is divided.
    pub(super) scale: i128,
    /// The cost of a disagreement with a letter of the unit, which is also the work of that letter.
    pub(super) letter: PerUnit<i128>,
    /// The cost of a change from a label of the unit.
    pub(super) change: PerUnit<i128>,
    fast: Unit,
}

/// The cost of a labelling and its slope over theta in one number: first the value, then the number of
/// changes from the slow label. The smaller number is therefore the cheaper labelling, and of equally cheap
/// ones the one with fewer such changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(i128);

impl Cost {
    /// The number of bits for the changes. It suffices because kernels are shorter than 2^32.
    const BITS: u32 = 32;

    pub(super) fn value(self) -> i128 {
        self.0 >> Self::BITS
    }

    /// The number of changes from the slow label.
    pub(super) fn slow_changes(self) -> i128 {
        self.0 & ((1 << Self::BITS) - 1)
    }
}

/// The sigmas, in a type that can hold their products.
pub(super) fn sigmas(instance: &Instance) -> PerUnit<i128> {
    PerUnit::from_fn(|unit| instance.sigma(unit).into())
}

/// The unit with the larger sigma, or load/store if they are equal.
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
        Self { scale, letter, change, fast }
    }

    /// The work omega of the given number of letters of each unit.
    pub(super) fn work(&self, letters: impl Fn(Unit) -> u64) -> i128 {
        Unit::ALL.into_iter().map(|unit| i128::from(letters(unit)) * self.letter[unit]).sum()
    }

    /// The cost of the cheapest labelling of what is left of a kernel from each position on, by the label
    /// before it. The last entry is for the end.
    pub(super) fn suffixes(&self, kernel: &Kernel) -> Vec<PerUnit<Cost>> {
        let prices = self.prices(|packed| packed);
        let mut costs = vec![PerUnit::both(0)];
        for &letter in kernel.units().iter().rev() {
            costs.push(prices.before(letter, costs[costs.len() - 1], costs[costs.len() - 1]));
        }
        costs.reverse();
        costs.into_iter().map(|pair| PerUnit::from_fn(|label| Cost(pair[label]))).collect()
    }

    /// The costs of the cheapest labelling of a kernel by the label before it: first with at most `most`
    /// changes, if that is given, then with one fewer.
    pub(super) fn cheapest(&self, kernel: &Kernel, most: Option<usize>) -> [PerUnit<Cost>; 2] {
        // One change for each change of letter, and one before the first letter, are always enough.
        let most = most.filter(|&most| most <= kernel.changes() + 1);
        match self.narrow(kernel) {
            Some(prices) => prices.cheapest(kernel.units(), most),
            None => self.prices(|packed| packed).cheapest(kernel.units(), most),
        }
    }

    /// The cost of the cheapest labelling of a kernel, whatever the label before it.
    pub(super) fn free(&self, kernel: &Kernel) -> Cost {
        let costs = self.cheapest(kernel, None)[0];
        costs[Unit::LoadStore].min(costs[Unit::CudaCore])
    }

    /// The labels of a cheapest labelling of a kernel without barriers. If a label is given, only labellings
    /// that begin with it are considered. Changes come as late as possible.
    pub(super) fn labels(&self, kernel: &Kernel, first: Option<Unit>) -> Vec<Unit> {
        match self.narrow(kernel) {
            Some(prices) => prices.labels(kernel.units(), first),
            None => self.prices(|packed| packed).labels(kernel.units(), first),
        }
    }

    fn prices<N>(&self, number: impl Fn(i128) -> N) -> Prices<N> {
        let label = |unit: Unit, label: Unit| if unit == label { 0 } else { self.letter[unit] << Cost::BITS };
        let change = |unit: Unit| (self.change[unit] << Cost::BITS) + i128::from(unit != self.fast);
        Prices {
            labels: PerUnit::from_fn(|unit| PerUnit::from_fn(|to| number(label(unit, to)))),
            changes: PerUnit::from_fn(|unit| number(change(unit))),
        }
    }

    /// The prices in half the bits, which is several times as fast, if the cost of every labelling of the
    /// kernel fits.
    fn narrow(&self, kernel: &Kernel) -> Option<Prices<i64>> {
        let letters = kernel.len() as i128 + 2;
        let worst = Unit::ALL.into_iter().map(|unit| self.letter[unit].max(self.change[unit])).max()?;
        let most = letters.checked_mul(worst)?.checked_mul(1 << Cost::BITS)?;
        i64::try_from(most).ok()?;
        Some(self.prices(|packed| i64::try_from(packed).unwrap_or(i64::MAX)))
    }
}

/// The cost of one more letter, in numbers that hold [`Cost`]s.
struct Prices<N> {
    /// The cost of a letter with a label. It is a table, because a branch on a letter is often mispredicted.
    labels: PerUnit<PerUnit<N>>,
    changes: PerUnit<N>,
}

impl<N: Copy + Ord + Default + Add<Output = N> + Into<i128>> Prices<N> {
    /// Adds one letter: for each label before it, the cheaper of keeping that label and changing it.
    #[inline]
    fn before(&self, letter: Unit, kept: PerUnit<N>, changed: PerUnit<N>) -> PerUnit<N> {
        let labels = &self.labels[letter];
        PerUnit::from_fn(|label| {
            let to = label.other();
            (kept[label] + labels[label]).min(changed[to] + labels[to] + self.changes[label])
        })
    }

    fn cheapest(&self, letters: &[Unit], most: Option<usize>) -> [PerUnit<Cost>; 2] {
        let nothing = PerUnit::both(N::default());
        let wide = |costs: PerUnit<N>| PerUnit::from_fn(|label| Cost(costs[label].into()));
        let Some(most) = most else {
            let costs =
                letters.iter().rev().fold(nothing, |after, &letter| self.before(letter, after, after));
            return [wide(costs); 2];
        };
        let mut costs = vec![nothing; most + 1]; // by the number of changes allowed
        for &letter in letters.iter().rev() {
            for allowed in (1..=most).rev() {
                costs[allowed] = self.before(letter, costs[allowed], costs[allowed - 1]);
            }
            costs[0] = PerUnit::from_fn(|label| costs[0][label] + self.labels[letter][label]);
        }
        [wide(costs[most]), wide(costs[most.saturating_sub(1)])]
    }

    fn labels(&self, letters: &[Unit], first: Option<Unit>) -> Vec<Unit> {
        let (mut costs, mut from) = (PerUnit::both(N::default()), PerUnit::both(N::default()));
        let mut change = vec![PerUnit::both(false); letters.len()]; // by the label before
        for (change, &letter) in change.iter_mut().zip(letters).rev() {
            from = PerUnit::from_fn(|label| costs[label] + self.labels[letter][label]);
            costs = PerUnit::from_fn(|label| from[label].min(from[label.other()] + self.changes[label]));
            *change = PerUnit::from_fn(|label| from[label] > costs[label]);
        }
        let cheaper = || Unit::ALL.into_iter().min_by_key(|&unit| from[unit]);
        let mut label = first.or_else(cheaper).unwrap_or(Unit::LoadStore);
        let mut labels = Vec::with_capacity(letters.len());
        for (at, change) in change.iter().enumerate() {
            if at > 0 && change[label] {
                label = label.other();
            }
            labels.push(label);
        }
        labels
    }
}
