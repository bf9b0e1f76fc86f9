//! Intervals of integers, and what they say of the bits of a register.
//!
//! A [`Value`] says that the bits of a register are those of some integer of an interval, modulo 2 to the
//! number of bits. So sums and products need no regard to overflow. A comparison, which takes the bits as a
//! signed or an unsigned number, asks for the interval as this type sees it ([`Value::seen_as`]).

use crate::formula::{End, Number};

/// The integers `low`, `low + stride` and so on up to `high`, which is one of them. The stride of one integer
/// is 0. An end is *open* if nothing but the length of the type gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) stride: i128,
    pub(crate) low_open: bool,
    pub(crate) high_open: bool,
    /// Expressions in the parameters of a launch that the integers are no less than, and no more than, if there are
    /// any: for values of the parameters the same integer lies between these two and between the ends.
    pub(crate) ends: [Option<End>; 2],
}

impl Interval {
    /// The integers between two ends that are known.
    pub(crate) const fn new(low: i128, high: i128) -> Self {
        Self {
            low,
            high,
            stride: if low == high { 0 } else { 1 },
            low_open: false,
            high_open: false,
            ends: [None; 2],
        }
    }

    /// One integer.
    pub(crate) const fn point(value: i128) -> Self {
        Self::new(value, value)
    }

    /// All integers of a type.
    pub(crate) const fn all(kind: IntegerType) -> Self {
        Self {
            low: kind.least(),
            high: kind.most(),
            stride: 1,
            low_open: true,
            high_open: true,
            ends: [None; 2],
        }
    }

    /// The only integer, if there is one.
    pub(crate) fn only(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// The same integers, of which these expressions are ends too.
    pub(crate) const fn with_ends(self, ends: [Option<End>; 2]) -> Self {
        Self { ends, ..self }
    }

    /// The lower and the upper end.
    pub(crate) const fn low_end(self) -> Number {
        Number(self.ends[0], self.low)
    }

    pub(crate) const fn high_end(self) -> Number {
        Number(self.ends[1], self.high)
    }

    /// The only integer for given parameters.
    pub(crate) fn exact(self) -> Option<Number> {
        match self.ends {
            [Some(low), Some(high)] if low == high => Some(self.low_end()),
            _ => self.only().map(|value| Number(None, value)),
        }
    }

    /// The same integers, of which all are a multiple of some number away from an expression.
    fn in_steps(self) -> Self {
        let steps = |end: Number| end.0.and_then(End::steps);
        let Some((step, plus)) = self.exact().and_then(steps).filter(|(step, _)| *step > self.stride) else {
            return self;
        };
        let low = self.low.checked_sub(plus).map(|low| self.low + (-low).rem_euclid(step));
        let high = self.high.checked_sub(plus).map(|high| self.high - high.rem_euclid(step));
        match (low, high) {
            (Some(low), Some(high)) if low < high => Self { low, high, stride: step, ..self },
            _ => self,
        }
    }

    /// Moved by a number.
    fn moved(self, by: i128) -> Option<Self> {
        self.plus(Self::point(by))
    }

    /// Both sets and what lies between them.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            stride: divisor([self.stride, other.stride, self.low.saturating_sub(other.low)]),
            low_open: self.low_open || other.low_open,
            high_open: self.high_open || other.high_open,
            // An end that one of them has by itself would have to be compared with that of the other.
            ends: [0, 1].map(|end| self.ends[end].filter(|_| self.ends[end] == other.ends[end])),
        }
    }

    /// The integers of this set from `low` on; none if there are none.
    pub(crate) fn from(self, low: i128, open: bool) -> Option<Self> {
        if low < self.low || low == self.low && open {
            return Some(self);
        }
        let stride = self.stride.max(1);
        // The first of them that is no less.
        let steps = low.checked_sub(self.low)?.checked_add(stride - 1)? / stride;
        let low = self.low.checked_add(steps.checked_mul(stride)?)?;
        let rest = Self { low, low_open: open, stride: if low == self.high { 0 } else { stride }, ..self };
        (low <= self.high).then_some(rest)
    }

    /// The integers of this set up to `high`; none if there are none.
    pub(crate) fn up_to(self, high: i128, open: bool) -> Option<Self> {
        self.negative()?.from(high.checked_neg()?, open)?.negative()
    }

    /// The sums.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let sum = Self {
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
            stride: divisor([self.stride, other.stride, 0]),
            low_open: self.low_open || other.low_open,
            high_open: self.high_open || other.high_open,
            ends: [self.low_end().plus(other.low_end()), self.high_end().plus(other.high_end())],
        };
        Some(sum.in_steps())
    }

    /// The negatives.
    pub(crate) fn negative(self) -> Option<Self> {
        Some(Self {
            low: self.high.checked_neg()?,
            high: self.low.checked_neg()?,
            stride: self.stride,
            low_open: self.high_open,
            high_open: self.low_open,
            ends: [self.high_end(), self.low_end()].map(|end| end.times(Number(None, -1))),
        })
    }

    /// The greater ones of two numbers. They are no less than any of the two, so that a lower end of either holds of them.
    pub(crate) fn greater(self, other: Self) -> Self {
        let (low, low_open) = (self.low, !self.low_open).max((other.low, !other.low_open));
        let (high, high_open) = (self.high, self.high_open).max((other.high, other.high_open));
        let hull = self.hull(other);
        let low_end = hull.ends[0].or(self.ends[0]).or(other.ends[0]);
        let stride = if low == high { 0 } else { hull.stride };
        Self { low, high, stride, low_open: !low_open, high_open, ends: [low_end, hull.ends[1]] }
    }

    /// The products.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        let ends = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        let open = self.low_open || self.high_open || other.low_open || other.high_open;
        let (low, high) = (ends.into_iter().min()?, ends.into_iter().max()?);
        // (a + s i)(b + t j) = a b + a t j + b s i + s t i j
        let stride = divisor([
            self.low.checked_mul(other.stride)?,
            other.low.checked_mul(self.stride)?,
            self.stride.checked_mul(other.stride)?,
        ]);
        let ends = match (self.only(), other.only()) {
            (_, Some(by)) => self.ends_times(by),
            (Some(by), _) => other.ends_times(by),
            // Of numbers that are not negative the largest product is that of the upper ends; that of the lower ends
            // is the least only where these are the numbers.
            _ if self.low >= 0 && other.low >= 0 => [
                self.exact().zip(other.exact()).and_then(|(one, other)| one.times(other)),
                self.high_end().times(other.high_end()),
            ],
            _ => [None; 2],
        };
        Some(Self { low, high, stride, low_open: open, high_open: open, ends })
    }

    fn ends_times(self, by: i128) -> [Option<End>; 2] {
        let [low, high] = [self.low_end(), self.high_end()].map(|end| end.times(Number(None, by)));
        if by < 0 { [high, low] } else { [low, high] }
    }

    /// The quotients by a positive number, rounded down.
    pub(crate) fn quotients(self, by: i128) -> Self {
        let ends = [self.low_end(), self.high_end()].map(|end| end.quotient(Number(None, by)));
        self.map(|value| value.div_euclid(by)).with_ends(ends)
    }

    /// The integers that a function which never falls makes of these, and what lies between.
    pub(crate) fn map(self, rising: impl Fn(i128) -> i128) -> Self {
        let (low, high) = (rising(self.low), rising(self.high));
        Self { low_open: self.low_open, high_open: self.high_open, ..Self::new(low, high) }
    }
}

/// The greatest common divisor.
fn divisor(numbers: [i128; 3]) -> i128 {
    numbers.into_iter().fold(0, |one, other| {
        let (mut one, mut other) = (one, other.saturating_abs());
        while other != 0 {
            (one, other) = (other, one % other);
        }
        one
    })
}

/// An integer type of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntegerType {
    pub(crate) signed: bool,
    pub(crate) bits: u32,
}

/// A word of a register pair.
pub(crate) const WORD: IntegerType = IntegerType { signed: false, bits: 32 };

impl IntegerType {
    /// The least integer of the type.
    pub(crate) const fn least(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    /// The largest integer of the type.
    pub(crate) const fn most(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// Whether the type has an integer.
    pub(crate) fn contains(self, value: i128) -> bool {
        (self.least()..=self.most()).contains(&value)
    }
}

/// What is known of the bits of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    /// How many of its lowest bits are meant.
    pub(crate) bits: u32,
    interval: Interval,
}

impl Value {
    /// Bits of an integer of the interval; none if that says nothing. Of all intervals that say the same, the
    /// one whose lower end is a signed number of that many bits is kept, so that equal knowledge is equal.
    pub(crate) fn new(bits: u32, interval: Interval) -> Option<Self> {
        let size = 1_i128 << bits;
        // All bits are possible, unless some are left out between the ends.
        let distance = interval.high.checked_sub(interval.low)?;
        if distance >= size || distance >= size - 1 && interval.stride <= 1 {
            return None;
        }
        let low = IntegerType { signed: true, bits }.least();
        let shift = interval.low.checked_sub(low)?.div_euclid(size).checked_mul(size)?;
        Some(Self {
            bits,
            interval: if shift == 0 { interval } else { interval.moved(shift.checked_neg()?)? },
        })
    }

    /// The same without expressions for its ends.
    pub(crate) const fn without_ends(self) -> Self {
        Self { interval: self.interval.with_ends([None; 2]), ..self }
    }

    /// The interval modulo the number of bits, for arithmetic.
    pub(crate) const fn modular(self) -> Interval {
        self.interval
    }

    /// The numbers that a type sees in the lowest bits; none if the interval runs over an end of the type, or
    /// the type has more bits than are known.
    pub(crate) fn seen_as(self, kind: IntegerType) -> Option<Interval> {
        if kind.bits > self.bits {
            return None;
        }
        let size = 1_i128 << kind.bits;
        let Interval { low, high, .. } = self.interval;
        let shift = (low - kind.least()).div_euclid(size) * size;
        if high - shift > kind.most() {
            return None;
        }
        if shift == 0 { Some(self.interval) } else { self.interval.moved(-shift) }
    }

    /// What is known where both hold; none if no number agrees with both. Both are intervals of numbers of one type, so that what
    /// both hold is one too.
    pub(crate) fn narrowed(self, by: Self) -> Option<Self> {
        let kinds = [true, false].map(|signed| IntegerType { signed, bits: self.bits });
        let same = kinds.into_iter().filter(|_| self.bits == by.bits);
        let mut seen = same.filter_map(|kind| self.seen_as(kind).zip(by.seen_as(kind)));
        let Some((own, by)) = seen.next() else { return Some(self) };
        let both = own.from(by.low, by.low_open)?.up_to(by.high, by.high_open)?;
        Some(Self::new(self.bits, both).unwrap_or(self))
    }

    /// What is known where one of two values is there.
    pub(crate) fn hull(self, other: Self) -> Option<Self> {
        let bits = self.bits.min(other.bits);
        let (one, other) = (Self::new(bits, self.interval)?, Self::new(bits, other.interval)?);
        Self::new(bits, one.interval.hull(other.interval))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTE: IntegerType = IntegerType { signed: true, bits: 8 };

    /// What a type sees in the lowest eight bits of an integer.
    fn bits_as(value: i128, kind: IntegerType) -> i128 {
        let bits = value.rem_euclid(256);
        if bits > kind.most() { bits - 256 } else { bits }
    }

    proptest! {
        /// Whatever integer of the interval the bits come from, each type sees a number of its interval.
        #[test]
        fn a_type_sees_every_integer(low in -600_i128..600, width in 0_i128..255, signed: bool) {
            let kind = IntegerType { signed, ..BYTE };
            let value = Value::new(8, Interval::new(low, low + width));
            let Some(seen) = value.and_then(|value| value.seen_as(kind)) else { return Ok(()) };
            for one in low..=low + width {
                let seen_one = bits_as(one, kind);
                prop_assert!(seen.low <= seen_one && seen_one <= seen.high, "{one} {seen:?}");
            }
        }

        /// Sums, products and hulls hold those of all members, modulo the number of bits.
        #[test]
        fn arithmetic_holds_every_member(
            a in -300_i128..300, b in -300_i128..300, wide in 0_i128..5, far in 0_i128..5,
            every in 1_i128..4, also in 1_i128..4, cut in -310_i128..320,
        ) {
            // Of two thirds of the sets every second or third integer is a member.
            let set = |low: i128, steps: i128, stride: i128| {
                let high = low + steps * stride;
                Interval { stride: if steps == 0 { 0 } else { stride }, ..Interval::new(low, high) }
            };
            let (one, other) = (set(a, wide, every), set(b, far, also));
            let holds = |interval: Option<Interval>, bits: i128| {
                let value = interval.and_then(|interval| Value::new(8, interval));
                value.is_none_or(|value| {
                    let Interval { low, high, stride, .. } = value.modular();
                    let member = |one: i128| stride == 0 || (one - low) % stride == 0;
                    (low..=high).any(|one| member(one) && (one - bits).rem_euclid(256) == 0)
                })
            };
            for x in (0..=wide).map(|step| a + step * every) {
                prop_assert!(x < cut || one.from(cut, false).is_some() && holds(one.from(cut, false), x));
                prop_assert!(x > cut || one.up_to(cut, false).is_some() && holds(one.up_to(cut, false), x));
                for y in (0..=far).map(|step| b + step * also) {
                    prop_assert!(holds(one.plus(other), x + y));
                    prop_assert!(holds(one.times(other), x * y));
                    prop_assert!(holds(one.negative(), -x));
                }
            }
            let hull = Value::new(8, one).zip(Value::new(8, other)).and_then(|(one, other)| one.hull(other));
            let hull = hull.map(Value::modular);
            prop_assert!(holds(hull, a + wide * every) && holds(hull, a) && holds(hull, b));
        }
    }

    #[test]
    fn bits_have_several_names() {
        let minus_one = Value::new(32, Interval::point(-1)).unwrap();
        assert_eq!(minus_one, Value::new(32, Interval::point(0xffff_ffff)).unwrap());
        let unsigned = IntegerType { signed: false, bits: 32 };
        assert_eq!(minus_one.seen_as(unsigned), Some(Interval::point(0xffff_ffff)));
        assert_eq!(minus_one.seen_as(IntegerType { signed: true, bits: 32 }), Some(Interval::point(-1)));
        assert_eq!(minus_one.seen_as(IntegerType { signed: true, bits: 64 }), None);
        let around_zero = Value::new(32, Interval::new(-1, 1)).unwrap();
        assert_eq!(around_zero.seen_as(unsigned), None);
    }
}
