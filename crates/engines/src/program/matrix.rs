//! Matrices over (max, +): how much a piece of code adds, by the state before it (row) and after it (column).
//!
//! A state is a [`Unit`]: the last label, or the last letter. The product of two matrices is one piece after
//! the other, and their sum (the entrywise maximum) is a choice. An entry is a number of parts of a cycle and
//! its slope over theta, compared in this order. An absent entry means that no path exists. All arithmetic is
//! checked.

use crate::program::ProgramError;
use warpspan_model::{PerUnit, Unit};

/// A number of parts of a cycle, and its slope over theta in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Gain {
    pub(super) value: i128,
    pub(super) slope: i128,
}

impl Gain {
    pub(super) fn new(value: i128, slope: i128) -> Self {
        Self { value, slope }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self, ProgramError> {
        let value = self.value.checked_add(other.value);
        let slope = self.slope.checked_add(other.slope);
        value.zip(slope).map(|(value, slope)| Self { value, slope }).ok_or(ProgramError::Overflow)
    }

    pub(super) fn times(self, factor: u64) -> Result<Self, ProgramError> {
        let value = self.value.checked_mul(factor.into());
        let slope = self.slope.checked_mul(factor.into());
        value.zip(slope).map(|(value, slope)| Self { value, slope }).ok_or(ProgramError::Overflow)
    }
}

/// A matrix. The entry `[a][b]` leads from state a to state b.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Matrix(pub(super) PerUnit<PerUnit<Option<Gain>>>);

impl Matrix {
    /// The matrix with these entries, each by the state before and the state after.
    pub(super) fn from_fn(mut entry: impl FnMut(Unit, Unit) -> Option<Gain>) -> Self {
        Self(PerUnit::from_fn(|before| PerUnit::from_fn(|after| entry(before, after))))
    }

    /// The matrix that adds a constant and leaves the state as it is.
    pub(super) fn constant(value: i128) -> Self {
        Self::from_fn(|before, after| (before == after).then(|| Gain::new(value, 0)))
    }

    /// The matrix of empty code.
    pub(super) fn identity() -> Self {
        Self::constant(0)
    }

    /// The matrix of this piece followed by another.
    pub(super) fn then(&self, next: &Self) -> Result<Self, ProgramError> {
        let mut product = Self::from_fn(|_, _| None);
        for before in Unit::ALL {
            for between in Unit::ALL {
                let Some(first) = self.0[before][between] else { continue };
                for after in Unit::ALL {
                    let Some(second) = next.0[between][after] else { continue };
                    let sum = first.plus(second)?;
                    let entry = &mut product.0[before][after];
                    *entry = (*entry).max(Some(sum));
                }
            }
        }
        Ok(product)
    }

    /// The matrix of a choice between the two pieces.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self::from_fn(|before, after| self.0[before][after].max(other.0[before][after]))
    }

    /// The matrix of the piece repeated `times` times, with one product for each binary digit.
    pub(super) fn power(&self, times: u128) -> Result<Self, ProgramError> {
        power(Self::identity(), *self, times, Self::then)
    }

    /// The matrix of the piece repeated at least `least` and at most `most` times.
    pub(super) fn rounds(&self, least: u64, most: u64) -> Result<Self, ProgramError> {
        let fixed = self.power(least.into())?;
        match most - least {
            0 => Ok(fixed),
            more => fixed.then(&self.or(&Self::identity()).power(more.into())?),
        }
    }

    /// The largest entry from a state.
    pub(super) fn largest_from(&self, before: Unit) -> Option<Gain> {
        Unit::ALL.into_iter().filter_map(|after| self.0[before][after]).max()
    }

    /// The largest entry.
    pub(super) fn largest(&self) -> Option<Gain> {
        Unit::ALL.into_iter().filter_map(|before| self.largest_from(before)).max()
    }
}

/// A product of `times` equal factors, with one or two products for each binary digit of the number.
pub(super) fn power<M: Copy>(
    identity: M,
    factor: M,
    mut times: u128,
    then: impl Fn(&M, &M) -> Result<M, ProgramError>,
) -> Result<M, ProgramError> {
    let (mut result, mut square) = (identity, factor);
    loop {
        if times & 1 == 1 {
            result = then(&result, &square)?;
        }
        times >>= 1;
        if times == 0 {
            return Ok(result);
        }
        square = then(&square, &square)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Matrix {
        Matrix::from_fn(|a, b| {
            (a != Unit::CudaCore || b != Unit::LoadStore).then(|| Gain::new(a as i128 + 2 * b as i128, 1))
        })
    }

    #[test]
    fn powers_are_products() {
        let mut product = Matrix::identity();
        let mut either = Matrix::identity();
        for times in 0..20_u64 {
            assert_eq!(some().power(times.into()).unwrap(), product);
            assert_eq!(some().rounds(0, times).unwrap(), either);
            assert_eq!(some().rounds(times, times).unwrap(), product);
            product = product.then(&some()).unwrap();
            either = either.or(&product);
        }
    }

    #[test]
    fn overflow_is_told() {
        assert_eq!(Matrix::constant(i128::MAX / 2).power(3), Err(ProgramError::Overflow));
    }
}
