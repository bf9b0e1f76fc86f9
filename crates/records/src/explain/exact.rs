//! Numbers of records without any rounding.

use num_rational::Ratio;
use serde_json::Number;

use crate::compare::rational;
use warpspan_model::time::decimal;

/// A decimal number without any rounding.
pub(super) type Exact = Ratio<i128>;

pub(super) fn exact(number: &Number) -> Option<Exact> {
    rational(decimal::exact(&number.to_string()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JSON writes a picosecond of a microsecond with an exponent.
    #[test]
    fn the_smallest_times_are_terms() {
        let number = Number::from_f64(0.000_001).unwrap();
        assert_eq!(number.to_string(), "1e-6");
        assert_eq!(exact(&number), Some(Ratio::new(1, 1_000_000)));
    }
}
