//! Matrices over (max, +) with checked numbers.

use crate::latency::LatencyError;
use crate::latency::error::plus;

/// The most that a piece of code is worth from each state before it to each state after it; nothing where no
/// labelling leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<Option<i128>>,
}

impl Matrix {
    pub(super) fn nowhere(size: usize) -> Self {
        Self { size, entries: vec![None; size * size] }
    }

    pub(super) fn identity(size: usize) -> Self {
        let mut matrix = Self::nowhere(size);
        (0..size).for_each(|state| matrix.set(state, state, 0));
        matrix
    }

    pub(super) fn set(&mut self, before: usize, after: usize, worth: i128) {
        self.entries[before * self.size + after] = Some(worth);
    }

    fn get(&self, before: usize, after: usize) -> Option<i128> {
        self.entries[before * self.size + after]
    }

    /// The larger entries of both.
    pub(super) fn or(&self, other: &Self) -> Self {
        let entries = self.entries.iter().zip(&other.entries).map(|(a, b)| *a.max(b)).collect();
        Self { size: self.size, entries }
    }

    /// This piece and then the next.
    pub(super) fn then(&self, next: &Self) -> Result<Self, LatencyError> {
        let mut all = Self::nowhere(self.size);
        for between in 0..self.size {
            let row: Vec<(usize, i128)> =
                (0..self.size).filter_map(|after| Some((after, next.get(between, after)?))).collect();
            for before in 0..self.size {
                let Some(first) = self.get(before, between) else { continue };
                for &(after, second) in &row {
                    let entry = &mut all.entries[before * self.size + after];
                    *entry = (*entry).max(Some(plus(first, second)?));
                }
            }
        }
        Ok(all)
    }

    /// The piece this many times.
    pub(super) fn power(&self, mut times: u64) -> Result<Self, LatencyError> {
        let (mut all, mut square) = (Self::identity(self.size), self.clone());
        while times > 0 {
            if times & 1 == 1 {
                all = all.then(&square)?;
            }
            times >>= 1;
            if times > 0 {
                square = square.then(&square)?;
            }
        }
        Ok(all)
    }

    /// The largest entry from the state before the first letter; 0 if there is none.
    pub(super) fn most(&self) -> i128 {
        (0..self.size).filter_map(|after| self.get(0, after)).max().unwrap_or(0)
    }
}
