//! The conversion of HiGHS's numbers to integers.

use crate::IlpError;
use warpspan_model::Cycles;

/// The largest distance of a value of HiGHS from an integer, which is ten times its tolerance.
const TOLERANCE: f64 = 1e-5;

/// The values of 0/1 variables. HiGHS returns numbers like 0.9999999.
pub(super) fn binary(values: &[f64]) -> Result<Vec<bool>, IlpError> {
    let bit = |&value: &f64| match value {
        _ if value.abs() <= TOLERANCE => Ok(false),
        _ if (value - 1.0).abs() <= TOLERANCE => Ok(true),
        _ => Err(IlpError::Solver(format!("a 0/1 variable is {value}"))),
    };
    values.iter().map(bit).collect()
}

/// The value of an objective that must be an integer.
pub(super) fn integer(value: f64) -> Result<Cycles, IlpError> {
    let near = (value - value.round()).abs() <= TOLERANCE;
    let cycles = whole(value.round()).filter(|_| near).map(Cycles);
    cycles.ok_or_else(|| IlpError::Solver(format!("the makespan is {value}")))
}

/// The largest makespan that a bound allows. It is `None` if the bound is not finite, or is the 0 by which
/// HiGHS says that it has none, since every makespan is 1 or more.
pub(super) fn at_most(bound: f64) -> Option<Cycles> {
    whole((bound + TOLERANCE).floor()).filter(|&cycles| cycles > 0).map(Cycles)
}

pub(super) fn whole(value: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be within 0..2^53"
    )]
    (0.0..9e15).contains(&value).then_some(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Erratum E5: HiGHS returns 16.99999999999992 for 17.
    #[test]
    fn floats_become_integers_or_nothing() {
        assert_eq!(at_most(16.999_999_999_999_92), Some(Cycles(17)));
        assert_eq!(at_most(17.4), Some(Cycles(17)));
        assert_eq!(integer(16.999_999_999_999_92).unwrap(), Cycles(17));
        assert!(integer(16.9).is_err());
        assert_eq!(at_most(f64::INFINITY), None);
        assert_eq!(at_most(f64::NAN), None);
        assert_eq!(at_most(-3.0), None);
        assert_eq!(at_most(0.0), None);
        assert_eq!(binary(&[0.0, 0.999_999_9, -1e-9]).unwrap(), [false, true, false]);
        assert!(binary(&[0.5]).is_err());
    }
}
