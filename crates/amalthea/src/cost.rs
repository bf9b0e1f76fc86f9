//! How long steps take on a processing unit.
//!
//! Ticks are divided by the clock. A label of b bits is accessed in ceil(b / w) accesses, one after the other, where w
//! is what one access moves: a line of the unit's cache, else the width of its port. Each takes the latency in cycles,
//! and together they take at least b divided by the data rate. Where the model gives neither latency nor rate, an
//! access takes no time.
//!
//! All times are in picoseconds; lower ends are rounded down and upper ends up.

use std::cell::RefCell;
use std::collections::BTreeMap;

use num_rational::Ratio;

use crate::model::{Model, Range, Work};

/// A time in picoseconds. Sums saturate, which is safe because no bound near the end of the range is used.
pub(super) type Ps = u128;

/// Picoseconds in a second.
const SECOND: u128 = 1_000_000_000_000;

/// How long something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cost {
    /// Cycles of ticks.
    ticks: Range<u128>,
    /// Picoseconds of accesses to labels.
    access: Range<Ps>,
    /// Cycles, and picoseconds of accesses, that some job takes for certain.
    some: (u128, Ps),
}

impl Cost {
    fn new(ticks: Range<u128>, access: Range<Ps>) -> Self {
        Self { ticks, access, some: (ticks.upper, access.upper) }
    }

    fn and(self, other: Self) -> Self {
        let add = |a: Range<u128>, b: Range<u128>| Range {
            lower: a.lower.saturating_add(b.lower),
            upper: a.upper.saturating_add(b.upper),
        };
        Self {
            ticks: add(self.ticks, other.ticks),
            access: add(self.access, other.access),
            some: (self.some.0.saturating_add(other.some.0), self.some.1.saturating_add(other.some.1)),
        }
    }

    /// One of two alternatives, neither of which has to happen.
    fn or(self, other: Self) -> Self {
        Self {
            ticks: join(self.ticks, other.ticks),
            access: join(self.access, other.access),
            some: (self.some.0.min(other.some.0), self.some.1.min(other.some.1)),
        }
    }
}

fn join(a: Range<u128>, b: Range<u128>) -> Range<u128> {
    Range { lower: a.lower.min(b.lower), upper: a.upper.max(b.upper) }
}

/// The times of a step, in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Times {
    /// Ticks alone.
    pub(super) execution: Range<Ps>,
    /// Accesses to labels alone.
    pub(super) access: Range<Ps>,
    /// What some job takes for certain if it takes its upper ticks: what depends on modes may never happen, and where a
    /// job may run on several units it may always run on the fastest.
    pub(super) some: Ps,
}

impl Times {
    /// Both together.
    pub(super) fn total(self) -> Range<Ps> {
        Range {
            lower: self.execution.lower.saturating_add(self.access.lower),
            upper: self.execution.upper.saturating_add(self.access.upper),
        }
    }

    /// The same times with upper ends multiplied by a factor. What some job takes for certain stays, as far as it is below them.
    pub(super) fn stretched(self, factor: Ratio<u128>) -> Self {
        if factor == 1.into() {
            return self;
        }
        let upper = |Range { lower, upper }: Range<Ps>| {
            let upper =
                upper.checked_mul(*factor.numer()).map_or(Ps::MAX, |all| all.div_ceil(*factor.denom()));
            Range { lower: lower.min(upper), upper }
        };
        let (execution, access) = (upper(self.execution), upper(self.access));
        Self { execution, access, some: self.some.min(execution.upper.saturating_add(access.upper)) }
    }

    /// What holds on either of two units.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            execution: join(self.execution, other.execution),
            access: join(self.access, other.access),
            some: self.some.min(other.some),
        }
    }
}

/// The costs of work on one processing unit.
pub(super) struct Costs<'a> {
    model: &'a Model,
    unit: usize,
    /// Those of runnables that were needed so far.
    known: RefCell<BTreeMap<usize, Result<Cost, usize>>>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(model: &'a Model, unit: usize) -> Self {
        Self { model, unit, known: RefCell::default() }
    }

    /// How long a piece of work takes.
    ///
    /// # Errors
    /// The first byte of ticks that are missing for the unit.
    pub(super) fn times(&self, work: &Work) -> Result<Times, usize> {
        let cost = self.cost(work)?;
        let clock = self.model.units[self.unit].frequency;
        Ok(Times {
            execution: Range { lower: down(cost.ticks.lower, clock), upper: up(cost.ticks.upper, clock) },
            access: cost.access,
            some: self.together(cost.some.0, cost.some.1),
        })
    }

    fn cost(&self, work: &Work) -> Result<Cost, usize> {
        match work {
            Work::Ticks { default, extended, at } => {
                let definition = &self.model.units[self.unit].definition;
                let own = extended.iter().find(|(name, _)| name == definition).map(|(_, ticks)| *ticks);
                let ticks = own.or(*default).ok_or(*at)?;
                let ticks = Range { lower: ticks.lower.into(), upper: ticks.upper.into() };
                Ok(Cost::new(ticks, Range::default()))
            }
            Work::Label { label, is_write, times } => {
                let one = self.access(*label, *is_write);
                let lower = one.lower.saturating_mul(times.lower.into());
                let upper = one.upper.saturating_mul(times.upper.into());
                Ok(Cost::new(Range::default(), Range { lower, upper }))
            }
            Work::Call(runnable) => {
                if let Some(known) = self.known.borrow().get(runnable) {
                    return *known;
                }
                let cost = self.cost(&self.model.runnables[*runnable].work);
                self.known.borrow_mut().insert(*runnable, cost);
                cost
            }
            Work::All(parts) => {
                parts.iter().try_fold(Cost::default(), |sum, part| Ok(sum.and(self.cost(part)?)))
            }
            Work::OneOf { work, happens } => {
                let costs = work.iter().map(|part| self.cost(part)).collect::<Result<Vec<_>, _>>()?;
                // The largest of what happens in some jobs; else all that is known is that something does.
                let drawn =
                    costs.iter().zip(happens).filter(|&(_, &happens)| happens).map(|(cost, _)| cost.some);
                let drawn = drawn.max_by_key(|&(ticks, access)| self.together(ticks, access));
                let mut one = costs.into_iter().reduce(Cost::or).unwrap_or_default();
                one.some = drawn.unwrap_or(one.some);
                Ok(one)
            }
        }
    }

    /// Ticks and accesses as one time.
    fn together(&self, ticks: u128, access: Ps) -> Ps {
        down(ticks, self.model.units[self.unit].frequency).saturating_add(access)
    }

    /// How long one access to a label takes.
    fn access(&self, label: usize, is_write: bool) -> Range<Ps> {
        let (unit, label) = (&self.model.units[self.unit], &self.model.labels[label]);
        let Some((bits, memory)) = label.bits.zip(label.memory.as_ref()) else { return Range::default() };
        let access = unit.accesses.iter().find(|(name, _)| name == memory).map(|(_, access)| *access);
        let Some(access) = access else { return Range::default() };
        // A label takes a whole number of accesses; without a width, one.
        let accesses = u128::from(unit.line_bits.map_or(1, |line| bits.div_ceil(line)));
        let latency = if is_write { access.write } else { access.read };
        let waited = latency.map(|latency| Range {
            lower: down(accesses.saturating_mul(latency.lower.into()), unit.frequency),
            upper: up(accesses.saturating_mul(latency.upper.into()), unit.frequency),
        });
        let waited = waited.unwrap_or_default();
        let bits = u128::from(bits);
        let moved = access.rate.map(|rate| Range { lower: down(bits, rate), upper: up(bits, rate) });
        let moved = moved.unwrap_or_default();
        Range { lower: waited.lower.max(moved.lower), upper: waited.upper.max(moved.upper) }
    }
}

/// The picoseconds that so many units take at a rate a second, as a fraction; `None` beyond the range.
fn fraction(units: u128, rate: Ratio<u128>) -> Option<(u128, u128)> {
    Some((units.checked_mul(SECOND)?.checked_mul(*rate.denom())?, *rate.numer()))
}

/// The same, rounded down; 0 beyond the range, which is a lower end too.
fn down(units: u128, rate: Ratio<u128>) -> Ps {
    fraction(units, rate).map_or(0, |(dividend, divisor)| dividend / divisor)
}

/// The same, rounded up.
fn up(units: u128, rate: Ratio<u128>) -> Ps {
    fraction(units, rate).map_or(Ps::MAX, |(dividend, divisor)| dividend.div_ceil(divisor))
}
