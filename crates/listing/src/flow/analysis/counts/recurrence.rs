//! How often a counter is tested before the test fails, at most.
//!
//! The counter has some value at its first test, and each pass changes it in the same way. The loop goes on
//! while it stands in a relation to a limit. There is no answer if a value up to the one that fails may
//! overflow the type, so that up to there the integers are those that the hardware has. Where the first value,
//! the step or the limit is only known to lie in an interval, the answer is the largest of all; step and
//! limit may then differ from pass to pass.

use crate::formula::{End, Number};
use crate::interval::{IntegerType, Interval};
use warpspan_lift::Relation;

impl Interval {
    /// Whether no value of it stands in a relation to some limit of another interval.
    fn never(self, relation: Relation, limit: Self) -> bool {
        match relation {
            Relation::Less => self.low >= limit.high,
            Relation::LessEqual => self.low > limit.high,
            Relation::Greater => self.high <= limit.low,
            Relation::GreaterEqual => self.high < limit.low,
            Relation::Equal => self.low > limit.high || self.high < limit.low,
            Relation::NotEqual => self.only().is_some() && self.only() == limit.only(),
        }
    }

    /// The values that stand in a relation to some member of another interval.
    pub(crate) fn narrow(self, relation: Relation, other: Self) -> Option<Self> {
        match relation {
            Relation::Less => self.up_to(other.high.checked_sub(1)?, other.high_open),
            Relation::LessEqual => self.up_to(other.high, other.high_open),
            Relation::Greater => self.from(other.low.checked_add(1)?, other.low_open),
            Relation::GreaterEqual => self.from(other.low, other.low_open),
            Relation::Equal => self.from(other.low, other.low_open)?.up_to(other.high, other.high_open),
            Relation::NotEqual => match other.only() {
                // A test against the end of a type says something of the value, so that the next one is known.
                Some(gone) if gone == self.low => self.from(gone.checked_add(1)?, false),
                Some(gone) if gone == self.high => self.up_to(gone.checked_sub(1)?, self.high_open),
                _ => Some(self),
            },
        }
    }
}

/// What a pass does to the counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It adds a number of the interval.
    Add(Interval),
    /// It multiplies by a number.
    Multiply(i128),
    /// It divides by a power of 2, rounding down: a shift by so many bits.
    Halve(u32),
    /// It clears the lowest bit that is set.
    ClearBit,
}

/// A counter, as its tests see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    /// Its value at the first test.
    pub(crate) first: Interval,
    pub(crate) step: Step,
    /// By how much the difference of what is tested and what is stepped may vary from test to test.
    pub(crate) slack: i128,
}

/// A number of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tests {
    /// There are no more.
    pub(crate) most: u64,
    /// There are no fewer.
    pub(crate) least: u64,
    /// An expression that is never below their number, where parameters are symbols.
    pub(crate) formula: Option<End>,
}

impl Tests {
    /// The tests where the counter makes so many steps, at least and at most, before the test fails.
    fn after([least, most]: [i128; 2]) -> Option<Self> {
        let tests = |steps: i128| u64::try_from(steps.checked_add(1)?).ok();
        let most = tests(most)?;
        Some(Self { most, least: tests(least.max(0)).unwrap_or(1).min(most), formula: None })
    }

    /// No more tests than so many, of which nothing is known from below.
    pub(crate) const fn at_most(most: u64) -> Self {
        Self { most, least: 1, formula: None }
    }
}

/// The tests of a counter that goes from `first` up to at most `last` in steps of a positive number; where this is below
/// one, the first test fails, or no thread comes to it.
fn tests_for(first: Number, last: Number, step: Interval) -> Option<End> {
    // A step that is only known from below could be none at all for other parameters.
    let step = step.exact().filter(|_| step.low > 0)?;
    let less = Number(first.times(Number(None, -1)), first.1.checked_neg()?);
    let distance = Number(last.plus(less), last.1.checked_add(less.1)?);
    let more = Number(distance.plus(step), distance.1.checked_add(step.1)?);
    // A sum whose expression became too long is not one of numbers: for the step the least would be too little.
    more.0?;
    let steps = Number(Some(more.quotient(step)?), 0);
    steps.plus(Number(None, 1))
}

impl Counter {
    /// The number of the first test that fails, at most; `kind` is the type of the comparison.
    pub(crate) fn tests(self, relation: Relation, limit: Interval, kind: IntegerType) -> Option<Tests> {
        let fits = |interval: Interval| kind.contains(interval.low) && kind.contains(interval.high);
        if !fits(self.first) || !fits(limit) {
            return None;
        }
        if self.first.never(relation, limit) {
            return Some(Tests::at_most(1));
        }
        match self.step {
            Step::Add(step) => self.added(step, relation, limit, kind),
            Step::Multiply(factor) => self.multiplied(factor, relation, limit, kind),
            Step::Halve(bits) => self.halved(bits, relation, limit),
            Step::ClearBit => self.cleared(relation, limit),
        }
    }

    fn added(self, step: Interval, relation: Relation, limit: Interval, kind: IntegerType) -> Option<Tests> {
        let Self { first, slack, .. } = self;
        let points = first.only().zip(step.only()).zip(limit.only()).filter(|_| slack == 0);
        let exact = points.is_some();
        // The last value before the test fails is within the limit, and one step follows.
        let stays = |last: i128| kind.contains(last);
        match relation {
            Relation::Less | Relation::LessEqual if step.low > 0 && !first.low_open && !limit.high_open => {
                let last = if relation == Relation::Less { limit.high - 1 } else { limit.high };
                let steps = (last - first.low).div_euclid(step.low) + 1;
                let leaves = if exact { first.low + steps * step.low } else { last + step.high + slack };
                // From the value nearest to the least limit, in the longest steps.
                let soonest = (limit.low + last - limit.high - first.high).div_euclid(step.high) + 1;
                let least = if slack == 0 { soonest } else { 0 };
                let less = last - limit.high;
                let end = Number(limit.high_end().plus(Number(None, less)), last);
                let formula = tests_for(first.low_end(), end, step);
                stays(leaves).then(|| Some(Tests { formula, ..Tests::after([least, steps.max(0)])? }))?
            }
            Relation::Greater | Relation::GreaterEqual
                if step.high < 0 && !first.high_open && !limit.low_open =>
            {
                let last = if relation == Relation::Greater { limit.low + 1 } else { limit.low };
                let steps = (first.high - last).div_euclid(-step.high) + 1;
                let leaves = if exact { first.high + steps * step.high } else { last + step.low - slack };
                let soonest = (first.low - (limit.high + last - limit.low)).div_euclid(-step.low) + 1;
                let least = if slack == 0 { soonest } else { 0 };
                // The same with all signs exchanged.
                let (from, by) = (first.negative()?, step.negative()?);
                let less = last - limit.low;
                let end = Number(limit.low_end().plus(Number(None, less)), last);
                let end = Number(end.times(Number(None, -1)), last.checked_neg()?);
                let formula = tests_for(from.low_end(), end, by);
                stays(leaves).then(|| Some(Tests { formula, ..Tests::after([least, steps.max(0)])? }))?
            }
            // To equal a limit means to meet it exactly, so that the limit must be the same in every pass, and
            // the steps must not pass it over.
            Relation::NotEqual if slack == 0 && (first.ends[0].is_some() || limit.ends[0].is_some()) => {
                // For each value of the parameters both are one number.
                let (by, _) = (step.only().filter(|&by| by != 0)?, first.exact().zip(limit.exact())?);
                let (from, to) = if by > 0 { (first, limit) } else { (limit, first) };
                let (distance, by) = (to.plus(from.negative()?)?, by.abs());
                let (every, plus) = distance.exact()?.0?.steps()?;
                let meets = every % by == 0 && plus % by == 0 && distance.low >= 0;
                let tests = Number(distance.exact()?.quotient(Number(None, by)), 0);
                let formula = tests.0.and_then(|_| tests.plus(Number(None, 1)));
                let steps = [distance.low, distance.high].map(|distance| distance / by);
                meets.then(|| Some(Tests { formula, ..Tests::after(steps)? }))?
            }
            Relation::NotEqual if slack == 0 => {
                let (step, limit) = (step.only()?, limit.only()?);
                let (far, near) = match step {
                    1.. => (first.low, first.high),
                    0 => return None,
                    _ => (first.high, first.low),
                };
                let open = if step > 0 { first.low_open } else { first.high_open };
                let distance = |from: i128| (limit - from) / step;
                let meets = (limit - far) % step == 0 && first.stride % step == 0;
                let ahead = (limit - near).signum() * step.signum() >= 0;
                (meets && ahead && !open).then(|| Tests::after([distance(near), distance(far)]))?
            }
            // One step that is not zero leaves the limit, unless it goes once around.
            Relation::Equal if slack == 0 && (step.low > 0 || step.high < 0) => {
                let around = step.low.abs().max(step.high.abs()) >= 1 << kind.bits;
                limit.only()?;
                let (value, step) = (first.only()?, step.only()?);
                (!around && kind.contains(value + step)).then_some(Tests { most: 2, least: 2, formula: None })
            }
            _ => None,
        }
    }

    /// The same where the limit is a counter too, that goes the other way or stays: both are numbers of the type as long as the test
    /// holds, since none passes the first value of the other one by more than its step.
    pub(crate) fn meets(self, other: Self, relation: Relation, kind: IntegerType) -> Option<Tests> {
        let (Step::Add(up), Step::Add(down)) = (self.step, other.step) else { return None };
        let room = match relation {
            Relation::Less => 1,
            Relation::LessEqual => 0,
            _ => return None,
        };
        let apart = up.low >= 0 && down.high <= 0 && self.slack == 0 && other.slack == 0;
        let open = self.first.low_open || other.first.high_open;
        let [low, high] = [self.first.low, other.first.high];
        let ends = [self.first.low, self.first.high, other.first.low, other.first.high];
        let leaves = [high.checked_add(up.high)?, low.checked_add(down.low)?];
        let fits = ends.into_iter().chain(leaves).all(|one| kind.contains(one));
        let closer = up.low - down.high;
        if !apart || open || !fits || closer < 1 {
            return None;
        }
        let steps = |distance: i128, closer: i128| if distance < 0 { 0 } else { distance / closer + 1 };
        let nearest = other.first.low - self.first.high - room;
        Tests::after([steps(nearest, up.high - down.low), steps(high - low - room, closer)])
    }

    /// Powers of the factor: the values grow until one more step would leave the type.
    fn multiplied(
        self,
        factor: i128,
        relation: Relation,
        limit: Interval,
        kind: IntegerType,
    ) -> Option<Tests> {
        if factor < 2 || self.first.low < 1 || self.slack != 0 {
            return None;
        }
        let exact = self.first.only().is_some() && limit.only().is_some();
        let mut value = self.first.low;
        let mut steps = 0;
        match relation {
            Relation::Less | Relation::LessEqual => {
                let (mut nearest, mut least) = (self.first.high, 0);
                while relation.holds(nearest, limit.low) {
                    nearest = nearest.checked_mul(factor)?;
                    least += 1;
                }
                while relation.holds(value, limit.high) {
                    value = value.checked_mul(factor)?;
                    steps += 1;
                }
                let last = if relation == Relation::Less { limit.high - 1 } else { limit.high };
                let leaves = if exact { value } else { last.checked_mul(factor)? };
                kind.contains(leaves).then(|| Tests::after([least, steps]))?
            }
            Relation::NotEqual if exact => {
                let limit = limit.only()?;
                while value < limit {
                    value = value.checked_mul(factor)?;
                    steps += 1;
                }
                (value == limit).then(|| Tests::after([steps; 2]))?
            }
            _ => None,
        }
    }

    /// Each pass clears a bit, so that none is left after as many passes as the longest value has bits.
    fn cleared(self, relation: Relation, limit: Interval) -> Option<Tests> {
        let ends_at_zero = match relation {
            Relation::Greater => limit.low >= 0,
            Relation::GreaterEqual => limit.low >= 1,
            Relation::NotEqual => limit.only()? == 0,
            _ => return None,
        };
        let counts = ends_at_zero && self.first.low >= 0 && self.slack == 0;
        let bits = i128::BITS - self.first.high.leading_zeros();
        counts.then(|| Tests::after([0, bits.into()]))?
    }

    /// The largest value takes longest to fall below the limit.
    fn halved(self, bits: u32, relation: Relation, limit: Interval) -> Option<Tests> {
        let ends_at_zero = match relation {
            Relation::Greater => limit.low >= 0,
            Relation::GreaterEqual => limit.low >= 1,
            Relation::NotEqual => limit.only()? == 0,
            _ => return None,
        };
        if bits == 0 || !ends_at_zero || self.first.low < 0 || self.slack != 0 {
            return None;
        }
        let steps = |mut value: i128, limit: i128| {
            let mut steps = 0;
            while relation.holds(value, limit) {
                value = if bits < 127 { value >> bits } else { 0 };
                steps += 1;
            }
            steps
        };
        Tests::after([steps(self.first.low, limit.high), steps(self.first.high, limit.low)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RELATIONS: [Relation; 6] = [
        Relation::Less,
        Relation::LessEqual,
        Relation::Greater,
        Relation::GreaterEqual,
        Relation::Equal,
        Relation::NotEqual,
    ];

    /// The number of the first test that fails, counted with bits that overflow as those of a register do.
    fn counted(
        first: i128,
        mut step: impl FnMut(i128) -> i128,
        holds: impl Fn(i128) -> bool,
        kind: IntegerType,
    ) -> Option<u64> {
        let wrapped = |value: i128| {
            let bits = value.rem_euclid(1 << kind.bits);
            if bits > kind.most() { bits - (1 << kind.bits) } else { bits }
        };
        let mut value = wrapped(first);
        (1..=2000).find(|_| {
            let fails = !holds(value);
            value = wrapped(step(value));
            fails
        })
    }

    proptest! {
        /// A point is counted exactly, and an interval never too low, also where bits overflow.
        #[test]
        fn no_count_is_too_low(
            first in -140_i128..270, wide in 0_i128..5, every in 1_i128..5, limit in -140_i128..270, far in 0_i128..5,
            step in -20_i128..20, vary in 0_i128..3, which in 0_usize..6, signed: bool, how in 0_u32..3,
            picks in proptest::collection::vec(0_i128..100, 8),
        ) {
            let (relation, kind) = (RELATIONS[which], IntegerType { signed, bits: 8 });
            let steps = Interval::new(step, step + vary);
            let step_of = match how {
                0 => Step::Add(steps),
                1 => Step::Multiply(step),
                _ => Step::Halve(u32::try_from(step.unsigned_abs()).unwrap()),
            };
            let stride = if wide == 0 { 0 } else { every };
            let firsts = Interval { stride, ..Interval::new(first, first + wide * every) };
            let limits = Interval::new(limit, limit + far);
            let found = Counter { first: firsts, step: step_of, slack: 0 }.tests(relation, limits, kind);
            let Some(found) = found else { return Ok(()) };
            let mut turn = 0;
            let limit_is = limits.low + picks[7] % (far + 1);
            for start in (0..=wide).map(|step| first + step * every) {
                let next = |value: i128| {
                    turn += 1;
                    match step_of {
                        Step::Add(by) => value + by.low + picks[turn % 7] % (vary + 1),
                        Step::Multiply(by) => value * by,
                        Step::Halve(bits) => value >> bits,
                        Step::ClearBit => value & (value - 1),
                    }
                };
                let passes = counted(start, next, |value| relation.holds(value, limit_is), kind);
                prop_assert!(passes.is_some_and(|passes| passes <= found.most), "{passes:?} {found:?}");
                prop_assert!(passes.is_some_and(|passes| passes >= found.least), "{passes:?} {found:?}");
                let is_point = wide == 0 && vary == 0 && far == 0;
                prop_assert!(!is_point || found.least == found.most, "{passes:?} {found:?}");
            }
        }
    }

    proptest! {
        /// Two counters of 8 bits that meet, or that go around, and one that loses bits.
        #[test]
        fn no_count_of_two_counters_is_too_low(
            first in -140_i128..270, other in -140_i128..270, wide in 0_i128..4, up in -4_i128..90, down in -90_i128..4,
            vary in 0_i128..3, which in 0_usize..6, signed: bool, picks in proptest::collection::vec(0_i128..100, 8),
        ) {
            let (relation, kind) = (RELATIONS[which], IntegerType { signed, bits: 8 });
            let counter = |first: i128, step: i128| Counter {
                first: Interval::new(first, first + wide),
                step: Step::Add(Interval::new(step, step + vary)),
                slack: 0,
            };
            let (one, limit) = (counter(first, up), counter(other, down));
            let Some(found) = one.meets(limit, relation, kind) else { return Ok(()) };
            let wrapped = |value: i128| {
                let bits = value.rem_euclid(256);
                if bits > kind.most() { bits - 256 } else { bits }
            };
            let (mut left, mut right) = (first + picks[0] % (wide + 1), other + picks[1] % (wide + 1));
            let passes = (1_usize..=2000).find(|turn| {
                let fails = !relation.holds(left, right);
                left = wrapped(left + up + picks[turn % 7] % (vary + 1));
                right = wrapped(right + down + picks[(turn + 3) % 7] % (vary + 1));
                fails
            });
            let most = usize::try_from(found.most).unwrap();
            prop_assert!(passes.is_some_and(|passes| passes <= most), "{passes:?} {found:?}");
            let least = usize::try_from(found.least).unwrap();
            prop_assert!(passes.is_some_and(|passes| passes >= least), "{passes:?} {found:?}");
            prop_assert!(wide > 0 || vary > 0 || least == most, "{passes:?} {found:?}");
        }

        #[test]
        fn no_number_has_more_bits(low in 0_i128..256, high in 0_i128..256, signed: bool) {
            let kind = IntegerType { signed, bits: 8 };
            let first = Interval::new(low.min(high), low.max(high));
            let counter = Counter { first, step: Step::ClearBit, slack: 0 };
            let Some(found) = counter.tests(Relation::NotEqual, Interval::point(0), kind) else { return Ok(()) };
            for value in first.low..=first.high {
                prop_assert!(u64::from(value.count_ones()) < found.most);
            }
        }
    }

    #[test]
    fn counts_by_hand() {
        let signed = IntegerType { signed: true, bits: 32 };
        let unsigned = IntegerType { signed: false, bits: 32 };
        let add = |low, high, step| Counter {
            first: Interval::new(low, high),
            step: Step::Add(Interval::point(step)),
            slack: 0,
        };
        let tests = |counter: Counter, relation, limit, kind| {
            counter.tests(relation, Interval::point(limit), kind).map(|tests| [tests.least, tests.most])
        };
        assert_eq!(tests(add(0, 0, 3), Relation::Less, 10, signed), Some([5, 5]));
        // `for (i = tid; i < 1000; i += 256)` by 256 threads: the thread 0 makes four passes.
        assert_eq!(tests(add(0, 255, 256), Relation::Less, 1000, signed), Some([4, 5]));
        assert_eq!(tests(add(5, 5, -1), Relation::NotEqual, 0, unsigned), Some([6, 6]));
        // It would have to overflow to meet the limit.
        assert_eq!(tests(add(0xffff_fff0, 0xffff_fff0, 1), Relation::NotEqual, 0, unsigned), None);
        assert_eq!(tests(add(0, 0, 2), Relation::NotEqual, 9, unsigned), None);
        assert_eq!(tests(add(0, 1, 2), Relation::NotEqual, 8, unsigned), None);
        assert_eq!(tests(add(0, 0, 1), Relation::LessEqual, 0x7fff_ffff, signed), None);
        let halve = Counter { first: Interval::new(1, 512), step: Step::Halve(1), slack: 0 };
        assert_eq!(tests(halve, Relation::Greater, 0, unsigned), Some([2, 11]));
        let double = Counter { first: Interval::point(1), step: Step::Multiply(2), slack: 0 };
        assert_eq!(tests(double, Relation::Less, 1000, signed), Some([11, 11]));
        assert_eq!(tests(double, Relation::Less, 0x7fff_ffff, signed), None);
    }
}
