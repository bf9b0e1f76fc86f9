//! Comparisons of the lowest bits of a number, as compilers write them for counters of 8 or 16 bits: `x & 255 != 0`.

use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::counts::counter::CountedLoop;
use crate::flow::analysis::counts::counter::comparisons::Made;
use crate::flow::analysis::counts::counter::origins::Origin;
use crate::flow::analysis::counts::effect::{Comparison, Operation, Source, Term};
use crate::interval::{IntegerType, Interval};

impl<'a> CountedLoop<'a, '_> {
    /// A comparison of the lowest bits of a number as one of numbers of so many bits. Both give the same if the limit is such a
    /// number too. The result is also where the bits are taken.
    pub(super) fn narrowed(
        &self,
        numbers: &Numbers<'a>,
        comparison: Comparison<'a>,
        at: usize,
        limit: Interval,
    ) -> Option<Made<'a>> {
        let Source::Register(name) = comparison.left.source else { return None };
        if comparison.left.negative || numbers.untracked.contains(name) {
            return None;
        }
        let Origin::Write(at) = self.origin(numbers, name, at)? else { return None };
        let write = numbers.ranges.effects[at].writes.iter().find(|write| write.register == name)?;
        let state = self.state(numbers, at)?;
        let mask = |term: Term<'a>| state.value(term, comparison.kind.bits)?.modular().only();
        let (of, kind) = match write.result {
            Operation::And(of, with) => (of, bits_of(mask(with)?)?),
            Operation::Converted(from, of) if !from.signed => (of, from),
            _ => return None,
        };
        // With fewer bits than the comparison has, no sign is in the way.
        let fits = kind.bits < comparison.kind.bits && write.bits >= comparison.kind.bits;
        let fits = fits && kind.contains(limit.low) && kind.contains(limit.high);
        fits.then_some((Comparison { kind, left: of, ..comparison }, at))
    }
}

/// The numbers without a sign that a mask of the lowest bits leaves.
fn bits_of(mask: i128) -> Option<IntegerType> {
    let bits = (mask + 1).checked_ilog2()?;
    (mask == (1 << bits) - 1 && (1..64).contains(&bits)).then_some(IntegerType { signed: false, bits })
}
