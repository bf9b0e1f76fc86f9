//! Numbers of a launch as expressions in its parameters.
//!
//! An interval is copied often, so its ends name their expressions by numbers. The expressions stand in a table of the
//! thread, which is emptied before parameters become symbols ([`End::forget_all`]).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// A sum of products of parameters, and of quotients of such sums, that are rounded down.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Formula(BTreeMap<Vec<Atom>, i128>);

/// What a product is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    Parameter(String),
    /// The first over the second, which is positive, rounded down.
    Quotient(Formula, Formula),
    /// The number, or 1 if it is less.
    OneOrMore(Formula),
}

impl Formula {
    /// A number.
    pub(crate) fn number(value: i128) -> Self {
        Self([(vec![], value)].into_iter().filter(|(_, value)| *value != 0).collect())
    }

    fn atom(atom: Atom) -> Self {
        Self([(vec![atom], 1)].into_iter().collect())
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (product, value) in &other.0 {
            let entry = sum.0.entry(product.clone()).or_insert(0);
            *entry = entry.checked_add(*value)?;
        }
        sum.0.retain(|_, value| *value != 0);
        Some(sum)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (one, a) in &self.0 {
            for (two, b) in &other.0 {
                let mut product: Vec<Atom> = one.iter().chain(two).cloned().collect();
                product.sort();
                sum = sum.plus(&Self([(product, a.checked_mul(*b)?)].into_iter().collect()))?;
            }
        }
        Some(sum)
    }

    /// The only number that it can be.
    fn only(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// The quotient rounded down, for a divisor that is positive.
    fn quotient(&self, by: &Self) -> Self {
        let Some(by) = by.only().filter(|&by| by > 0) else {
            return Self::atom(Atom::Quotient(self.clone(), by.clone()));
        };
        // What the divisor divides leaves the brackets.
        let (mut whole, mut rest) = (Self::default(), Self::default());
        for (product, &value) in &self.0 {
            let (of, left) = if product.is_empty() {
                (value.div_euclid(by), value.rem_euclid(by))
            } else if value % by == 0 {
                (value / by, 0)
            } else {
                (0, value)
            };
            whole.0.extend((of != 0).then(|| (product.clone(), of)));
            rest.0.extend((left != 0).then(|| (product.clone(), left)));
        }
        if rest.only().is_some() {
            return whole; // a remainder below the divisor
        }
        // The sum may have the same quotient already.
        *whole.0.entry(vec![Atom::Quotient(rest, Self::number(by))]).or_insert(0) += 1;
        whole.0.retain(|_, value| *value != 0);
        whole
    }

    /// The parameters in it.
    pub fn parameters(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .0
            .keys()
            .flatten()
            .flat_map(|atom| match atom {
                Atom::Parameter(name) => vec![&**name],
                Atom::Quotient(one, other) => [one.parameters(), other.parameters()].concat(),
                Atom::OneOrMore(one) => one.parameters(),
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The number, or 1 if it is less.
    pub(crate) fn one_or_more(&self) -> Self {
        Self::atom(Atom::OneOrMore(self.clone()))
    }

    /// Two numbers between which it lies for all values of the parameters in their ranges; none if a divisor may be
    /// less than 1, or a number does not fit.
    pub(crate) fn range(&self, of: &dyn Fn(&str) -> Option<(i128, i128)>) -> Option<(i128, i128)> {
        self.0.iter().try_fold((0_i128, 0_i128), |(low, high), (product, &factor)| {
            let (least, most) = product.iter().try_fold((factor, factor), |(a, b), atom| {
                let (c, d) = match atom {
                    Atom::Parameter(name) => of(name)?,
                    Atom::Quotient(one, by) => {
                        let (one, by) = (one.range(of)?, by.range(of).filter(|by| by.0 >= 1)?);
                        let over = |value: i128| [value.div_euclid(by.0), value.div_euclid(by.1)];
                        (over(one.0).into_iter().min()?, over(one.1).into_iter().max()?)
                    }
                    Atom::OneOrMore(one) => one.range(of).map(|(low, high)| (low.max(1), high.max(1)))?,
                };
                let corners =
                    [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?].into_iter();
                Some((corners.clone().min()?, corners.max()?))
            })?;
            Some((low.checked_add(least)?, high.checked_add(most)?))
        })
    }

    /// Its value for values of the parameters; none if one is missing or a number does not fit.
    pub fn value(&self, of: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
        self.0.iter().try_fold(0_i128, |sum, (product, factor)| {
            let product = product.iter().try_fold(*factor, |product, atom| {
                product.checked_mul(match atom {
                    Atom::Parameter(name) => of(name)?,
                    Atom::Quotient(one, by) => {
                        let by = by.value(of).filter(|&by| by > 0)?;
                        one.value(of)?.div_euclid(by)
                    }
                    Atom::OneOrMore(one) => one.value(of)?.max(1),
                })
            })?;
            sum.checked_add(product)
        })
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Longer products come first, and the number last.
        let mut products: Vec<_> = self.0.iter().collect();
        products.sort_by_key(|(product, value)| (std::cmp::Reverse(product.len()), **value < 0));
        if products.is_empty() {
            return f.write_str("0");
        }
        for (at, (product, value)) in products.into_iter().enumerate() {
            f.write_str(match (at, *value < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = value.unsigned_abs();
            let factor = (product.is_empty() || size != 1).then(|| size.to_string());
            let atoms = product.iter().map(|atom| match atom {
                Atom::Parameter(name) => name.clone(),
                Atom::Quotient(one, by) => {
                    // One number, or one name or quotient.
                    let bare = |one: &Self| match one.0.iter().next() {
                        Some((product, &factor)) if one.0.len() == 1 => {
                            product.is_empty() || product.len() == 1 && factor == 1
                        }
                        _ => false,
                    };
                    let part = |one: &Self| if bare(one) { one.to_string() } else { format!("({one})") };
                    format!("floor({}/{})", part(one), part(by))
                }
                Atom::OneOrMore(one) => format!("max(1, {one})"),
            });
            f.write_str(&factor.into_iter().chain(atoms).collect::<Vec<_>>().join("*"))?;
        }
        Ok(())
    }
}

/// The number of an expression in the table of this thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct End(u32);

/// The most expressions of a table, and the most products of one; an end that needs more is not known.
const MOST_EXPRESSIONS: usize = 20_000;
const MOST_PRODUCTS: usize = 8;

thread_local! {
    static TABLE: RefCell<(Vec<Formula>, BTreeMap<Formula, u32>)> = RefCell::default();
}

impl End {
    /// Empties the table, where no end is left.
    pub(crate) fn forget_all() {
        TABLE.with_borrow_mut(|table| *table = <_>::default());
    }

    fn of(formula: Formula) -> Option<Self> {
        if formula.only().is_some() || formula.0.len() > MOST_PRODUCTS {
            return None;
        }
        TABLE.with_borrow_mut(|(all, numbers)| {
            if let Some(&known) = numbers.get(&formula) {
                return Some(Self(known));
            }
            let number = u32::try_from(all.len()).ok().filter(|_| all.len() < MOST_EXPRESSIONS)?;
            all.push(formula.clone());
            numbers.insert(formula, number);
            Some(Self(number))
        })
    }

    pub(crate) fn parameter(name: &str) -> Option<Self> {
        Self::of(Formula::atom(Atom::Parameter(name.to_owned())))
    }

    pub(crate) fn formula(self) -> Option<Formula> {
        TABLE.with_borrow(|(all, _)| all.get(usize::try_from(self.0).ok()?).cloned())
    }

    /// What divides all coefficients, and the number that is added.
    pub(crate) fn steps(self) -> Option<(i128, i128)> {
        let formula = self.formula()?;
        let plus = formula.0.get(&vec![]).copied().unwrap_or(0);
        let factors = formula.0.iter().filter(|(product, _)| !product.is_empty()).map(|(_, value)| *value);
        let step = factors.fold(0_i128, |one, other| {
            let (mut one, mut other) = (one, other.saturating_abs());
            while other != 0 {
                (one, other) = (other, one % other);
            }
            one
        });
        Some((step, plus))
    }
}

/// An end of an interval: its expression, and the number that holds where it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) Option<End>, pub(crate) i128);

impl Number {
    fn formula(self) -> Option<Formula> {
        match self.0 {
            Some(end) => end.formula(),
            None => Some(Formula::number(self.1)),
        }
    }

    fn with(self, other: Self, of: impl Fn(&Formula, &Formula) -> Option<Formula>) -> Option<End> {
        if self.0.is_none() && other.0.is_none() {
            return None;
        }
        End::of(of(&self.formula()?, &other.formula()?)?)
    }

    pub(crate) fn plus(self, other: Self) -> Option<End> {
        self.with(other, Formula::plus)
    }

    pub(crate) fn times(self, other: Self) -> Option<End> {
        self.with(other, Formula::times)
    }

    pub(crate) fn quotient(self, by: Self) -> Option<End> {
        self.with(by, |one, by| Some(one.quotient(by)))
    }
}
