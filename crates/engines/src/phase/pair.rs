//! The exact worst case of two warps, as a longest path over pairs of positions.
//!
//! With i and j the next instructions of the two warps, the number of cycles left is
//!
//! ```text
//! f(i, j) = 1 + max(f(i+1, j), f(i, j+1))   if their letters are equal: one of them waits
//!         = 1 + f(i+1, j+1)                 if they differ: both issue
//!         = I - i or I - j                  if the other has finished
//! ```
//!
//! The time is O(I^2). The memory is one bit for each pair, which says which of the two issues, and two rows
//! of values.

use warpspan_check::schedule::{Issue, Schedule};
use warpspan_model::limits::Limits;
use warpspan_model::{Cycles, Kernel};

/// A longest path, stored as the choices that make it.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    kernel: Kernel,
    makespan: Cycles,
    first_issues: Vec<u64>, // bit j of row i: if the letters are equal, the first warp issues
}

impl Pair {
    /// The longest path. It is `None` if it exceeds the limits.
    pub(super) fn longest(kernel: &Kernel, limits: &Limits) -> Option<Self> {
        let units = kernel.units();
        let length = units.len();
        let words = length.div_ceil(64);
        let bytes = (words as u64).checked_mul(length as u64)?.checked_mul(8)?;
        if bytes > limits.memory {
            return None;
        }
        let mut first_issues = vec![0_u64; words * length];
        // the values f(i+1, .), which begin with f(I, .)
        let mut below: Vec<u64> = (0..=length as u64).rev().collect();
        let mut row = vec![0_u64; length + 1];
        for i in (0..length).rev() {
            if limits.stopped().is_some() {
                return None;
            }
            row[length] = (length - i) as u64;
            for j in (0..length).rev() {
                row[j] = 1 + if units[i] == units[j] {
                    if below[j] >= row[j + 1] {
                        first_issues[i * words + j / 64] |= 1 << (j % 64);
                    }
                    below[j].max(row[j + 1])
                } else {
                    below[j + 1]
                };
            }
            std::mem::swap(&mut below, &mut row);
        }
        Some(Self { kernel: kernel.clone(), makespan: Cycles(below[0]), first_issues })
    }

    /// The length of the path, which is the worst case of two warps.
    pub(super) fn makespan(&self) -> Cycles {
        self.makespan
    }

    /// The issues of the path as a schedule.
    pub(super) fn schedule(&self) -> Schedule {
        let units = self.kernel.units();
        let (length, words) = (units.len(), units.len().div_ceil(64));
        let (mut i, mut j) = (0, 0);
        let mut issues = Vec::with_capacity(2 * length);
        for cycle in 1..=self.makespan.0 {
            let mut issue = |warp: u32, at: &mut usize| {
                let instruction = u32::try_from(*at).expect("kernels are shorter than 2^32");
                issues.push(Issue { cycle, group: 0, warp, instruction, latency: 1 });
                *at += 1;
            };
            let both = i < length && j < length;
            if both && units[i] != units[j] {
                issue(0, &mut i);
                issue(1, &mut j);
            } else if j == length || both && self.first_issues[i * words + j / 64] >> (j % 64) & 1 == 1 {
                issue(0, &mut i);
            } else {
                issue(1, &mut j);
            }
        }
        Schedule::new(issues)
    }
}
