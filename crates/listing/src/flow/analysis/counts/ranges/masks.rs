//! What masks leave of numbers.

use crate::flow::analysis::counts::effect::Term;
use crate::flow::analysis::counts::ranges::state::State;
use crate::formula::End;
use crate::interval::{IntegerType, Interval, Value};

/// The largest number that a mask may leave of an unknown one for it to count as known.
const LONGEST_MASK: i128 = 0xffff;

impl<'a> State<'a> {
    /// A mask that is not negative bounds what it leaves, whatever the other operand is.
    pub(crate) fn and(&self, a: Term<'a>, b: Term<'a>, bits: u32) -> Option<Value> {
        let kind = IntegerType { signed: false, bits };
        let (a, b) = (self.seen(a, kind), self.seen(b, kind));
        let points = a.and_then(Interval::only).zip(b.and_then(Interval::only));
        if let Some((a, b)) = points {
            return Value::new(bits, Interval::point(a & b));
        }
        let closed = |one: Option<Interval>| one.filter(|one| !one.high_open).map(|one| one.high);
        let high = [closed(a), closed(b)].into_iter().flatten().min()?;
        // A mask without its lowest bits leaves multiples.
        let zeros = [a, b].map(|one| one.and_then(Interval::only).map_or(0, |mask| mask.trailing_zeros()));
        let stride = 1 << zeros[0].max(zeros[1]).min(bits - 1);
        // What a long mask leaves of an unknown number is no better known than the number.
        let known = [a, b].iter().all(|one| one.is_some_and(|one| !one.high_open));
        let multiples = Interval { stride, high: high - high % stride, ..Interval::new(0, high) };
        let multiples = if multiples.high == 0 { Interval::point(0) } else { multiples };
        let ends = self.masked([a, b]);
        Value::new(bits, Interval { high_open: !known && high > LONGEST_MASK, ..multiples.with_ends(ends) })
    }

    /// The bits of either number. As numbers without a sign that is no less than each of them, no more than their sum, and has no more
    /// bits than the longer one.
    pub(crate) fn or(&self, a: Term<'a>, b: Term<'a>, bits: u32) -> Option<Interval> {
        let kind = IntegerType { signed: false, bits };
        let (a, b) = (self.seen(a, kind)?, self.seen(b, kind)?);
        if let Some((a, b)) = a.only().zip(b.only()) {
            return Some(Interval::point(a | b));
        }
        let longest = a.high.max(b.high);
        let all = (1 << (i128::BITS - longest.leading_zeros())) - 1;
        let high = a.high.checked_add(b.high)?.min(all);
        let bits = Interval::new(a.low.max(b.low), high);
        Some(Interval { high_open: a.high_open || b.high_open, ..bits })
    }

    /// What a mask leaves of a number without a sign, as expressions: the remainder by a power of two, or the multiple of
    /// one that is no larger.
    pub(crate) fn masked(&self, [a, b]: [Option<Interval>; 2]) -> [Option<End>; 2] {
        let (number, mask) = match (a, b) {
            (Some(mask), Some(number)) if mask.only().is_some() => (number, mask.low),
            (Some(number), Some(mask)) if mask.only().is_some() => (number, mask.low),
            _ => return [None; 2],
        };
        let multiple = |size: i128| number.quotients(size).times(Interval::point(size));
        if mask > 0 && (mask + 1) & mask == 0 {
            let rest = multiple(mask + 1).and_then(Interval::negative).and_then(|less| number.plus(less));
            return match (number.exact(), rest) {
                (Some(_), Some(rest)) => rest.ends,
                _ => [None; 2],
            };
        }
        // All bits of the number but the lowest ones.
        let size = 1 << mask.trailing_zeros().min(64);
        let all = |bits: u32| mask == (1 << bits) - size;
        let whole = (all(16) || all(32) || all(64)) && number.high < mask + size;
        multiple(size).filter(|_| whole && mask > 0).map_or([None; 2], |multiple| multiple.ends)
    }
}
