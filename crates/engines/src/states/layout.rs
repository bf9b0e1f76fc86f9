//! The numbering of states.
//!
//! A state says, for each instruction i of each group, how many warps have not issued it yet:
//! `s_0 <= s_1 <= ... <= W`. Within a group the rank of a state is `sum of C(s_i + i, i + 1)`. The ranks of
//! several groups are combined as digits of one number, in which the last group changes fastest. Issuing an
//! instruction lowers one `s_i`, and therefore the rank.
//!
//! The two outermost numbers, `s_{I-1}` and `s_{I-2}` of the first group, are not part of the rank. They name
//! the *block* of a state. An issue keeps the block or lowers one of the two, so blocks with the same sum of
//! the two do not depend on each other.

use std::cmp::Reverse;

use warpspan_model::{Instance, PerUnit, Unit};

/// The part of a state's number that holds a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The first number of the block: `s_{I-1}` of the first group.
    Outer,
    /// The second number of the block: `s_{I-2}` of the first group.
    Second,
    /// The rank within the block, which is this stride times the rank within the group.
    Inner(u64),
}

/// How issues change the number of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Step {
    /// The decrease of the block's first number.
    pub(super) outer: u64,
    /// The decrease of the block's second number.
    pub(super) second: u64,
    /// The decrease of the rank within the block.
    pub(super) rank: u64,
}

impl Step {
    pub(super) const NONE: Self = Self { outer: 0, second: 0, rank: 0 };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            outer: self.outer + other.outer,
            second: self.second + other.second,
            rank: self.rank + other.rank,
        }
    }
}

/// One instruction of one group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    pub(super) unit: Unit,
    pub(super) place: Place,
    /// The index in the kernel, from 0.
    pub(super) instruction: usize,
    /// The group, from 0.
    pub(super) group: usize,
    /// The position of the next instruction of the group, whose count is an upper limit of this one's.
    pub(super) above: Option<usize>,
}

/// The numbering of an instance's states.
pub(super) struct Layout {
    pub(super) positions: Vec<Position>,
    /// The positions of each unit.
    pub(super) on: PerUnit<Vec<usize>>,
    /// The positions from the slowest in the numbering to the fastest.
    pub(super) order: Vec<usize>,
    /// The index in the order after the last position of each unit.
    pub(super) end: PerUnit<usize>,
    /// The number of warps of each group.
    pub(super) warps: Vec<u64>,
    binomials: Vec<Vec<u64>>, // by k <= I, then n <= W + I
    inner: u64,               // the number of states of all groups but the first
    first_length: usize,
}

impl Layout {
    /// The numbering. It is `None` if a number of states does not fit into 64 bits.
    pub(super) fn new(instance: &Instance) -> Option<Self> {
        let groups = instance.groups();
        let longest = groups.iter().map(|group| group.kernel.len()).max()?;
        let most = groups.iter().map(|group| group.warps).max()?;
        let binomials = pascal(usize::try_from(most).ok()?.checked_add(longest)?, longest)?;
        let size = |group: &warpspan_model::WarpGroup| {
            let n = usize::try_from(group.warps).ok()? + group.kernel.len();
            binomials[group.kernel.len()].get(n).copied().filter(|&count| count < u64::MAX)
        };
        let mut positions = Vec::new();
        let mut stride = 1_u64;
        let mut strides = vec![1; groups.len()];
        for (at, group) in groups.iter().enumerate().rev() {
            strides[at] = stride;
            if at > 0 {
                stride = stride.checked_mul(size(group)?)?;
            }
        }
        size(&groups[0])?.checked_mul(stride)?;
        for (at, group) in groups.iter().enumerate() {
            let length = group.kernel.len();
            for (instruction, &unit) in group.kernel.units().iter().enumerate() {
                let place = match length - instruction {
                    1 if at == 0 => Place::Outer,
                    2 if at == 0 => Place::Second,
                    _ => Place::Inner(strides[at]),
                };
                let above = (instruction + 1 < length).then_some(positions.len() + 1);
                positions.push(Position { unit, place, instruction, group: at, above });
            }
        }
        let warps = groups.iter().map(|group| group.warps).collect();
        let on =
            PerUnit::from_fn(|unit| (0..positions.len()).filter(|&at| positions[at].unit == unit).collect());
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_by_key(|&at| (positions[at].group, Reverse(at)));
        let last = |unit| order.iter().rposition(|&at| positions[at].unit == unit);
        let end = PerUnit::from_fn(|unit| last(unit).map_or(0, |last| last + 1));
        let first_length = groups[0].kernel.len();
        Some(Self { positions, on, order, end, warps, binomials, inner: stride, first_length })
    }

    /// The number of all states.
    pub(super) fn states(&self) -> u64 {
        let most = self.warps[0];
        self.choose(most + self.first_length as u64, self.first_length) * self.inner
    }

    /// The number of states in a block whose second number is b.
    pub(super) fn block_size(&self, b: u64) -> u64 {
        let free = self.first_length.saturating_sub(2);
        self.simplex(free, b) * self.inner
    }

    /// The largest second number of a block whose first number is a. It is only 0 if the first kernel has one
    /// instruction.
    pub(super) fn second_most(&self, a: u64) -> u64 {
        if self.first_length >= 2 { a } else { 0 }
    }

    /// The number of ways to fill the first `positions` counts of a group with none above `most`.
    pub(super) fn simplex(&self, positions: usize, most: u64) -> u64 {
        self.choose(most + positions as u64, positions)
    }

    /// How `count` issues at a position change the number of a state.
    pub(super) fn step(&self, state: &[u64], position: usize, count: u64) -> Step {
        let at = &self.positions[position];
        match at.place {
            Place::Outer => Step { outer: count, ..Step::NONE },
            Place::Second => Step { second: count, ..Step::NONE },
            Place::Inner(stride) => {
                Step { rank: self.fall(at.instruction, state[position], count) * stride, ..Step::NONE }
            }
        }
    }

    /// The decrease of the rank within the group when `count` of the `s` warps that have not issued an
    /// instruction issue it.
    pub(super) fn fall(&self, instruction: usize, s: u64, count: u64) -> u64 {
        let rank = |s: u64| self.choose(s + instruction as u64, instruction + 1);
        rank(s) - rank(s - count)
    }

    /// The number of warps that stand at a position.
    pub(super) fn ready(&self, state: &[u64], position: usize) -> u64 {
        match self.positions[position].instruction {
            0 => state[position],
            _ => state[position] - state[position - 1],
        }
    }

    /// The largest value of a position's count.
    pub(super) fn limit(&self, state: &[u64], position: usize) -> u64 {
        match self.positions[position].above {
            Some(above) => state[above],
            None => self.warps[self.positions[position].group],
        }
    }

    /// The state in which no warp has issued.
    pub(super) fn start(&self) -> Vec<u64> {
        self.positions.iter().map(|position| self.warps[position.group]).collect()
    }

    fn choose(&self, n: u64, k: usize) -> u64 {
        usize::try_from(n).ok().and_then(|n| self.binomials[k].get(n).copied()).unwrap_or(u64::MAX)
    }
}

/// Binomial coefficients C(n, k), saturating. The result is `None` if the table itself would be huge.
fn pascal(n: usize, k: usize) -> Option<Vec<Vec<u64>>> {
    if n.checked_mul(k)? > 1 << 24 {
        return None;
    }
    let mut table = vec![vec![1_u64; n + 1]];
    for row in 1..=k {
        let mut next = vec![0_u64; n + 1];
        for column in 1..=n {
            next[column] = next[column - 1].saturating_add(table[row - 1][column - 1]);
        }
        table.push(next);
    }
    Some(table)
}
