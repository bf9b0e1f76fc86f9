//! How often a counter of an integer type is tested before the test fails, in closed form.
//!
//! The counter has the value `first + (k - 1) step` at its k-th test, and the loop goes on while that stands
//! in a relation to a constant limit. There is no answer if a value up to the one that fails overflows the
//! type.

/// An integer type of PTX.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IntegerType {
    signed: bool,
    pub(crate) bits: u32,
}

impl IntegerType {
    /// The type of a suffix of an opcode, such as `s32`.
    pub(crate) fn of(suffix: &str) -> Option<Self> {
        let (signed, bits) = match suffix {
            "s32" => (true, 32),
            "u32" => (false, 32),
            "s64" => (true, 64),
            "u64" => (false, 64),
            _ => return None,
        };
        Some(Self { signed, bits })
    }

    /// The signed type of the same length.
    pub(crate) const fn to_signed(self) -> Self {
        Self { signed: true, ..self }
    }

    const fn least(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    const fn most(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    fn contains(self, value: i128) -> bool {
        (self.least()..=self.most()).contains(&value)
    }

    /// The value that the bits of a written constant have in this type; none if the constant is too long.
    pub(crate) fn value(self, written: i128) -> Option<i128> {
        let size = 1_i128 << self.bits;
        if written < -(size / 2) || written >= size {
            return None;
        }
        let bits = written.rem_euclid(size);
        Some(if bits > self.most() { bits - size } else { bits })
    }
}

/// The relation of the counter to the limit while the loop goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    /// The relation under which a comparison of PTX gives `truth`.
    pub(crate) fn of(name: &str, truth: bool) -> Option<Self> {
        Some(match (name, truth) {
            ("lt" | "lo", true) | ("ge" | "hs", false) => Self::Less,
            ("le" | "ls", true) | ("gt" | "hi", false) => Self::LessEqual,
            ("gt" | "hi", true) | ("le" | "ls", false) => Self::Greater,
            ("ge" | "hs", true) | ("lt" | "lo", false) => Self::GreaterEqual,
            ("eq", true) | ("ne", false) => Self::Equal,
            ("ne", true) | ("eq", false) => Self::NotEqual,
            _ => return None,
        })
    }

    fn holds(self, value: i128, limit: i128) -> bool {
        match self {
            Self::Less => value < limit,
            Self::LessEqual => value <= limit,
            Self::Greater => value > limit,
            Self::GreaterEqual => value >= limit,
            Self::Equal => value == limit,
            Self::NotEqual => value != limit,
        }
    }
}

/// A counter at its first test, and what a pass adds to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    pub(crate) first: i128,
    pub(crate) step: i128,
}

impl Counter {
    /// The least k for which `first + (k - 1) step` does not stand in the relation to the limit.
    pub(crate) fn tests(self, relation: Relation, limit: i128, kind: IntegerType) -> Option<u64> {
        let Self { first, step } = self;
        // How often the step is added: the distance over the step, rounded up.
        let steps = match relation {
            _ if !relation.holds(first, limit) => 0,
            Relation::Equal if step != 0 => 1,
            Relation::Less if step > 0 => (limit - first + step - 1) / step,
            Relation::LessEqual if step > 0 => (limit - first) / step + 1,
            Relation::Greater if step < 0 => (first - limit - step - 1) / -step,
            Relation::GreaterEqual if step < 0 => (first - limit) / -step + 1,
            Relation::NotEqual if step != 0 && (limit - first) % step == 0 && (limit - first) / step > 0 => {
                (limit - first) / step
            }
            _ => return None,
        };
        let last = first + steps * step;
        let fits = kind.contains(first) && kind.contains(last);
        (fits && !relation.holds(last, limit)).then(|| u64::try_from(steps + 1).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The closed form agrees with counting.
        #[test]
        fn closed_form_counts(first in -40_i128..40, step in -7_i128..8, limit in -40_i128..40, which in 0_usize..6) {
            let relation = [
                Relation::Less, Relation::LessEqual, Relation::Greater,
                Relation::GreaterEqual, Relation::Equal, Relation::NotEqual,
            ][which];
            // Numbers of 8 bits, so that a counter that runs away overflows soon.
            let kind = IntegerType { signed: true, bits: 8 };
            let mut value = first;
            let mut count = 1;
            let counted = loop {
                if !relation.holds(value, limit) {
                    break Some(count);
                }
                value += step;
                count += 1;
                if !kind.contains(value) || count > 1000 {
                    break None;
                }
            };
            prop_assert_eq!(Counter { first, step }.tests(relation, limit, kind), counted);
        }
    }

    #[test]
    fn bits_of_constants() {
        let unsigned = IntegerType::of("u32").unwrap();
        let signed = IntegerType::of("s32").unwrap();
        assert_eq!(unsigned.value(-1), Some(0xffff_ffff));
        assert_eq!(signed.value(0xffff_ffff), Some(-1));
        assert_eq!(signed.value(1 << 32), None);
        // `i = 0xfffffff0; i != 0; ++i` would have to overflow as an unsigned number.
        let first = unsigned.value(0xffff_fff0).unwrap();
        assert_eq!(Counter { first, step: 1 }.tests(Relation::NotEqual, 0, unsigned), None);
    }
}
