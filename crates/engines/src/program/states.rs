//! Matrices over (max, +) with more states than labels.
//!
//! What is counted along a path may depend on more than one label: on the last label and the last letter
//! ([`joint`](crate::program::joint)), or on the last letter and how far an alternating block has come
//! ([`blocks`](crate::program::blocks)). Five states suffice for all of them.

use crate::program::ProgramError;
use crate::program::matrix::{Gain, Matrix, power};
use warpspan_model::Unit;

/// The number of states.
pub(super) const STATES: usize = 5;

/// A matrix. The entry `[a][b]` leads from state a to state b; an absent one says that no path does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide(pub(super) [[Option<Gain>; STATES]; STATES]);

impl Wide {
    /// The matrix of no code at all.
    pub(super) fn identity() -> Self {
        Self::from_fn(|before, after| (before == after).then(Gain::default))
    }

    /// The matrix of no path at all.
    pub(super) fn nowhere() -> Self {
        Self([[None; STATES]; STATES])
    }

    /// The matrix with these entries, each by the state before and the state after.
    pub(super) fn from_fn(entry: impl Fn(usize, usize) -> Option<Gain>) -> Self {
        Self(std::array::from_fn(|before| std::array::from_fn(|after| entry(before, after))))
    }

    /// The matrix whose state is the last label and the last letter: `others` times the gains of the labels
    /// and what the letters count.
    pub(super) fn joined(labels: &Matrix, letters: &Matrix, others: u64) -> Result<Self, ProgramError> {
        let mut all = Self::nowhere();
        for (before, row) in all.0.iter_mut().enumerate().take(4) {
            for (after, entry) in row.iter_mut().enumerate().take(4) {
                let [from, to] = [before, after].map(|state| (Unit::ALL[state / 2], Unit::ALL[state % 2]));
                if let (Some(gain), Some(count)) = (labels.0[from.0][to.0], letters.0[from.1][to.1]) {
                    *entry = Some(gain.times(others)?.plus(count)?);
                }
            }
        }
        Ok(all)
    }

    /// The matrix of this piece followed by another.
    pub(super) fn then(&self, next: &Self) -> Result<Self, ProgramError> {
        let mut product = Self::nowhere();
        for (row, out) in self.0.iter().zip(&mut product.0) {
            for (first, next) in row.iter().zip(&next.0) {
                let Some(first) = first else { continue };
                for (second, entry) in next.iter().zip(out.iter_mut()) {
                    let Some(second) = second else { continue };
                    *entry = (*entry).max(Some(first.plus(*second)?));
                }
            }
        }
        Ok(product)
    }

    /// The matrix of a choice between the two pieces.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self::from_fn(|before, after| self.0[before][after].max(other.0[before][after]))
    }

    /// The matrix of the piece repeated `times` times.
    pub(super) fn power(&self, times: u128) -> Result<Self, ProgramError> {
        power(Self::identity(), *self, times, Self::then)
    }

    /// The largest entry from one of these states to any state that is wanted, and where it stands.
    pub(super) fn largest(
        &self,
        from: &[usize],
        wanted: impl Fn(usize) -> bool,
    ) -> Option<(Gain, usize, usize)> {
        let entries = from.iter().flat_map(|&before| (0..STATES).map(move |after| (before, after)));
        let entries = entries.filter(|&(_, after)| wanted(after));
        entries.filter_map(|(before, after)| Some((self.0[before][after]?, before, after))).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_products() {
        const VALUES: [i128; STATES] = [0, 1, 2, 3, 4];
        let some = Wide::from_fn(|a, b| (a != 3 || b != 1).then(|| Gain::new(VALUES[a] + 2 * VALUES[b], 1)));
        let mut product = Wide::identity();
        for times in 0..20_u128 {
            assert_eq!(some.power(times).unwrap(), product);
            product = product.then(&some).unwrap();
        }
        let (gain, from, to) = some.largest(&[1, 3], |after| after != 4).unwrap();
        assert_eq!((gain.value, from, to), (3 + 2 * 3, 3, 3));
    }
}
