//! The smallest value of a convex, piecewise linear function of theta, by tangents.

use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

use crate::phase::Rational;

/// A value at some theta, and the slope there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tangent {
    pub(super) theta: Rational,
    pub(super) value: Rational,
    pub(super) slope: i128,
}

/// The number of tangents that are tried. Each value is one of the function, so stopping early does no harm.
const MOST_TANGENTS: usize = 40;

/// The smallest value found between two ends. `at` returns `None` where numbers would overflow.
pub(super) fn smallest(
    mut low: Tangent,
    mut high: Tangent,
    mut at: impl FnMut(Rational) -> Option<Tangent>,
) -> Tangent {
    let mut best = if high.value < low.value { high } else { low };
    for _ in 0..MOST_TANGENTS {
        if low.slope >= 0 || high.slope <= 0 || low.theta >= high.theta {
            break;
        }
        let Some(middle) = meet(&low, &high).and_then(&mut at) else { break };
        if middle.value < best.value {
            best = middle;
        }
        if middle.theta <= low.theta || middle.theta >= high.theta || is_on(&low, &middle) {
            break; // no smaller value exists
        }
        if middle.slope < 0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    best
}

/// Adds to `bends` the thetas between two ends at which a convex function bends, and stops at `most` of them
/// or where `at` returns `None`.
pub(super) fn breakpoints(
    low: Tangent,
    high: Tangent,
    most: usize,
    at: impl Fn(Rational) -> Option<Tangent> + Copy,
    bends: &mut Vec<Rational>,
) {
    let mut open = vec![(low, high)];
    let mut left = most;
    while let Some((low, high)) = open.pop() {
        let between = meet(&low, &high).filter(|theta| (low.theta..high.theta).contains(theta));
        let Some(middle) = between.filter(|_| left > 0 && low.slope != high.slope).and_then(at) else {
            continue;
        };
        left -= 1;
        if middle.theta == low.theta || is_on(&low, &middle) {
            bends.push(middle.theta);
        } else {
            open.extend([(low, middle), (middle, high)]);
        }
    }
}

/// The theta at which two tangents meet.
fn meet(low: &Tangent, high: &Tangent) -> Option<Rational> {
    let (a, b) = (Rational::from(low.slope), Rational::from(high.slope));
    let values = high.value.checked_sub(&low.value)?;
    let shifts = a.checked_mul(&low.theta)?.checked_sub(&b.checked_mul(&high.theta)?)?;
    values.checked_add(&shifts)?.checked_div(&a.checked_sub(&b)?)
}

/// Whether a point is on the tangent.
fn is_on(tangent: &Tangent, point: &Tangent) -> bool {
    let value = || {
        let step = point.theta.checked_sub(&tangent.theta)?;
        tangent.value.checked_add(&step.checked_mul(&Rational::from(tangent.slope))?)
    };
    value().is_none_or(|value| point.value <= value)
}
