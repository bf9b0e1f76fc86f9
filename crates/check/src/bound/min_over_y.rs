//! The estimate of Be12 section 5.6, built from exact values for few warps.

use warpspan_model::Cycles;

/// One term of the minimum: `ceil(W/y) T(y)` (Be12 Eq. 43).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The number of warps y.
    pub y: u64,
    /// T(y), the exact worst case of y warps, in cycles.
    pub makespan: Cycles,
    /// ceil(W/y) T(y), in cycles.
    pub value: Cycles,
}

/// The estimate of Be12 Eq. 42, the least of its terms. **It is not an upper bound.**
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// The least value, in cycles.
    pub cycles: Cycles,
    /// All terms, in the order of rising y.
    pub terms: Vec<Term>,
}

/// The estimate min over y of `ceil(W/y) T(y)` from exact values (y, T(y)). It is `None` if there are none.
///
/// It was published as safe, but it is not: LCL at sigma = 1 has T(2) = 4 and T(4) = 9 > 2 T(2). It is never
/// used as a bound here.
pub fn min_over_y(warps: u64, exact: &[(u64, Cycles)]) -> Option<Estimate> {
    let term = |&(y, makespan): &(u64, Cycles)| {
        Some(Term { y, makespan, value: Cycles(warps.div_ceil(y).checked_mul(makespan.0)?) })
    };
    let mut terms: Vec<Term> = exact.iter().filter_map(term).collect();
    terms.sort_unstable_by_key(|term| term.y);
    let cycles = terms.iter().map(|term| term.value).min()?;
    Some(Estimate { cycles, terms })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Erratum E1: for LCL and W = 4, T(1) = 3 and T(2) = 4, but T(4) is 9, above the estimate of 8.
    #[test]
    fn lcl_estimate_is_below_the_exact_value() {
        let estimate = min_over_y(4, &[(2, Cycles(4)), (1, Cycles(3))]).unwrap();
        assert_eq!(estimate.cycles, Cycles(8));
        assert_eq!(estimate.terms[0], Term { y: 1, makespan: Cycles(3), value: Cycles(12) });
        assert_eq!(min_over_y(4, &[]), None);
    }
}
