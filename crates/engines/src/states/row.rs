//! A choice in states that differ in the fastest two positions of a block.

use std::ops::RangeInclusive;

use crate::states::layout::Step;

/// Buffers that are reused from one triangle to the next.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) leaves: u64,
    /// The choices of each unit. `within` holds those of both units that stay within the rows.
    pub(super) choices: [Vec<Row>; 2],
    pub(super) within: Vec<(Row, RangeInclusive<u64>)>,
}

/// A choice in rows of states. Each row has the counts 0 to its limit at the fastest position, and its limit
/// is the count of the position above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The issues further up.
    pub(super) step: Step,
    /// The number of issues at the position above and at the fastest.
    pub(super) issues: (u64, u64),
    /// Whether these must be all the ready warps there, for each of the two positions.
    pub(super) exactly: (bool, bool),
    /// Whether the choice became complete only with these two positions.
    pub(super) new: bool,
}

impl Row {
    pub(super) const OLD: Self =
        Self { step: Step::NONE, issues: (0, 0), exactly: (false, false), new: false };

    /// The range of counts for which the choice is possible.
    #[inline]
    pub(super) fn range(&self, limit: u64, above: bool) -> Option<(u64, u64)> {
        let (upper, own) = self.issues;
        let most = if above { limit.checked_sub(upper)? } else { limit };
        let first = if self.exactly.0 { own.max(most) } else { own };
        let last = if self.exactly.1 { most.min(own) } else { most };
        (first <= last).then_some((first, last))
    }
}

/// The decrease of the rank when `count` of the `s` warps at the second position of the last group issue.
/// [`Layout::fall`](crate::states::layout::Layout::fall) takes the same number from a table.
#[inline]
pub(super) fn fall_of_second(s: u64, count: u64) -> u64 {
    count * (2 * s + 1 - count) / 2
}
