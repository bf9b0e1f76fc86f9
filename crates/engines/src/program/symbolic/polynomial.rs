//! Polynomials in the bounds of loops, and sets of them of which the largest counts.
//!
//! A bound of a loop is at least 1, so the variables of polynomials are the bounds less 1. A polynomial whose
//! coefficients are all no larger than those of another is then nowhere larger, and is dropped.

use std::collections::BTreeMap;

/// The products of powers, each with its coefficient; none is 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Polynomial(BTreeMap<Vec<u8>, i128>);

impl Polynomial {
    /// A number.
    pub(super) fn number(value: i128) -> Self {
        Self(BTreeMap::from([(vec![], value)]).into_iter().filter(|(_, value)| *value != 0).collect())
    }

    /// `times` the bound of a loop, plus a number.
    pub(super) fn bound(symbol: usize, times: i128, plus: i128) -> Option<Self> {
        let mut exponents = vec![0; symbol + 1];
        exponents[symbol] = 1;
        Self(BTreeMap::from([(exponents, times)])).plus(&Self::number(times.checked_add(plus)?))
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (exponents, value) in &other.0 {
            let entry = sum.0.entry(exponents.clone()).or_insert(0);
            *entry = entry.checked_add(*value)?;
        }
        sum.0.retain(|_, value| *value != 0);
        Some(sum)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (one, a) in &self.0 {
            for (two, b) in &other.0 {
                let mut exponents = vec![0_u8; one.len().max(two.len())];
                for (at, exponent) in exponents.iter_mut().enumerate() {
                    let of = |list: &[u8]| list.get(at).copied().unwrap_or(0);
                    *exponent = of(one).checked_add(of(two))?;
                }
                product = product.plus(&Self(BTreeMap::from([(exponents, a.checked_mul(*b)?)])))?;
            }
        }
        Some(product)
    }

    /// The quotient, if all its coefficients are whole.
    pub(super) fn divided(&self, by: i128) -> Option<Self> {
        let quotient = |(key, value): (&Vec<u8>, &i128)| (value % by == 0).then(|| (key.clone(), value / by));
        self.0.iter().map(quotient).collect::<Option<_>>().map(Self)
    }

    /// Half of it, with coefficients rounded up.
    pub(super) fn half(&self) -> Self {
        let halves =
            self.0.iter().map(|(key, value)| (key.clone(), value.div_euclid(2) + value.rem_euclid(2)));
        Self(halves.filter(|(_, value)| *value != 0).collect())
    }

    /// Whether this is nowhere larger than another.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        let of = |one: &Self, exponents: &Vec<u8>| one.0.get(exponents).copied().unwrap_or(0);
        let all = self.0.keys().chain(other.0.keys());
        all.into_iter().all(|exponents| of(self, exponents) <= of(other, exponents))
    }

    /// A polynomial that neither exceeds.
    fn or(&self, other: &Self) -> Self {
        let keys = self.0.keys().chain(other.0.keys());
        let of = |one: &Self, exponents: &Vec<u8>| one.0.get(exponents).copied().unwrap_or(0);
        let larger = keys.map(|key| (key.clone(), of(self, key).max(of(other, key))));
        Self(larger.filter(|(_, value)| *value != 0).collect())
    }

    /// The value for bounds of the loops.
    pub(super) fn value(&self, bounds: &[u64]) -> Option<i128> {
        self.0.iter().try_fold(0_i128, |sum, (exponents, value)| {
            let power = exponents.iter().zip(bounds).try_fold(*value, |product, (&exponent, &bound)| {
                product.checked_mul((i128::from(bound) - 1).checked_pow(exponent.into())?)
            })?;
            sum.checked_add(power)
        })
    }

    /// The same in the bounds themselves: products of their powers with coefficients.
    pub(super) fn in_bounds(&self) -> Option<BTreeMap<Vec<u8>, i128>> {
        let mut all = Self::default();
        for (exponents, value) in &self.0 {
            let mut product = Self::number(*value);
            for (symbol, &exponent) in exponents.iter().enumerate() {
                let mut own = vec![0; symbol + 1];
                own[symbol] = 1;
                let less = Self(BTreeMap::from([(own, 1), (vec![], -1)]));
                for _ in 0..exponent {
                    product = product.times(&less)?;
                }
            }
            all = all.plus(&product)?;
        }
        Some(all.0)
    }
}

/// How many polynomials a set has at most. Of more than these two are put together, so that the set only grows.
const MOST: usize = 32;

/// Polynomials of which the largest counts; none if there is no path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Largest(pub(super) Vec<Polynomial>);

impl Largest {
    pub(super) fn of(polynomial: Polynomial) -> Self {
        Self(vec![polynomial])
    }

    fn add(&mut self, polynomial: Polynomial) {
        if self.0.iter().any(|known| polynomial.is_below(known)) {
            return;
        }
        self.0.retain(|known| !known.is_below(&polynomial));
        self.0.push(polynomial);
        if self.0.len() > MOST
            && let (Some(one), Some(other)) = (self.0.pop(), self.0.pop())
        {
            self.add(one.or(&other));
        }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        let mut all = self.clone();
        other.0.iter().for_each(|one| all.add(one.clone()));
        all
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        self.each(other, Polynomial::plus)
    }

    /// Each one times a polynomial that is not negative.
    pub(super) fn times(&self, factor: &Polynomial) -> Option<Self> {
        self.each(&Self::of(factor.clone()), Polynomial::times)
    }

    fn each(&self, other: &Self, of: fn(&Polynomial, &Polynomial) -> Option<Polynomial>) -> Option<Self> {
        let mut all = Self::default();
        for one in &self.0 {
            for other in &other.0 {
                all.add(of(one, other)?);
            }
        }
        Some(all)
    }

    /// Whether each of these is nowhere larger than one of others.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.0.iter().all(|one| other.0.iter().any(|other| one.is_below(other)))
    }

    pub(super) fn value(&self, bounds: &[u64]) -> Option<i128> {
        let values: Option<Vec<i128>> = self.0.iter().map(|one| one.value(bounds)).collect();
        values?.into_iter().max()
    }
}
