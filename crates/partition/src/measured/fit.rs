//! C(m) = a/m + b from measured times: the line of least squares, which is an estimate, and the lowest curve
//! of the same a that no measured time lies above, with the largest measured factor in conflict.

use crate::sporadic::real;
use crate::{Factor, LONGEST};
use warpspan_model::time::Millionths;

/// a, b and k of C(m) = k (a/m + b) by least squares: an estimate, since about half of the times are longer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The part that multiprocessors share.
    pub a: Millionths,
    /// The part that they do not share.
    pub b: Millionths,
    /// The factor in conflict; `None` where no conflict was measured.
    pub k: Option<f64>,
    /// Of the times without conflict, the one that is furthest above the curve.
    pub longer: Option<Residual>,
    /// Of the times without conflict, the one that is furthest below the curve.
    pub shorter: Option<Residual>,
}

/// A measured time that is not on the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residual {
    /// The number of multiprocessors.
    pub multiprocessors: usize,
    /// How far the time is from the curve, rounded to a tick.
    pub off: Millionths,
}

/// C(m) = a/m + b, and k times that in conflict, that no measured time lies above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The part that multiprocessors share, as in the [`Fit`].
    pub a: Millionths,
    /// The least b for which no time without conflict is above a/m + b.
    pub b: Millionths,
    /// The largest factor of a time in conflict over the time alone on as many multiprocessors, and at least 1, so
    /// that no time in conflict is above k (a/m + b); `None` where none was measured.
    pub k: Option<Factor>,
}

/// A time on a number of multiprocessors.
pub(super) type At = (usize, Millionths);

impl Fit {
    /// Fits times alone on at least two numbers of multiprocessors, and pairs of a time alone and one in
    /// conflict on as many; `None` for fewer.
    ///
    /// a and b are the coefficients of the regression of the time on 1/m. Where one of them would be
    /// negative it is 0 and the other one is fitted alone. k minimises the sum of (conflict - k alone)^2.
    pub(super) fn new(alone: &[At], conflicts: &[(Millionths, Millionths)]) -> Option<Self> {
        if alone.len() < 2 {
            return None;
        }
        let points: Vec<(f64, f64)> =
            alone.iter().map(|&(m, time)| (1.0 / real(m as u64), real(time.0))).collect();
        let (a, b) = line(&points);
        let (a, b) = (nearest(a), nearest(b));
        let sum = |of: fn(f64, f64) -> f64| -> f64 {
            conflicts.iter().map(|&(alone, conflict)| of(real(alone.0), real(conflict.0))).sum()
        };
        let k = (!conflicts.is_empty()).then(|| sum(|x, y| x * y) / sum(|x, _| x * x));
        let off = |&(m, time): &At| -> (usize, i128) {
            let m_wide = m as i128;
            let curve = i128::from(a.0) + i128::from(b.0) * m_wide; // m times the curve
            let off = 2 * (i128::from(time.0) * m_wide - curve);
            (m, (off + m_wide).div_euclid(2 * m_wide))
        };
        let residual = |(multiprocessors, off): (usize, i128)| Residual {
            multiprocessors,
            off: Millionths(u64::try_from(off.unsigned_abs()).unwrap_or(u64::MAX)),
        };
        let offs = || alone.iter().map(off);
        let longer = offs().filter(|&(_, off)| off > 0).max_by_key(|&(m, off)| (off, std::cmp::Reverse(m)));
        let shorter = offs().filter(|&(_, off)| off < 0).min_by_key(|&(m, off)| (off, m));
        Some(Self { a, b, k, longer: longer.map(residual), shorter: shorter.map(residual) })
    }
}

/// The a and b, neither negative, for which a x + b is nearest to the points.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = real(points.len() as u64);
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let a = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    let b = y - a * x;
    if a < 0.0 {
        (0.0, y)
    } else if b < 0.0 {
        let through_zero = mean(|point| point.0 * point.1) / mean(|point| point.0.powi(2));
        (through_zero, 0.0)
    } else {
        (a, b)
    }
}

/// The nearest whole number of ticks from 0 to the longest time.
fn nearest(ticks: f64) -> Millionths {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..10^15")]
    let whole = ticks.round().clamp(0.0, real(LONGEST.0)) as u64;
    Millionths(whole)
}

impl Curve {
    /// The lowest curve with this a that is not below these times without conflict, and the largest of the factors
    /// of these pairs of a time alone and one in conflict on as many multiprocessors.
    ///
    /// Since the curve is not below the times alone, k times the curve is not below those in conflict.
    pub(super) fn new(a: Millionths, free: &[At], conflicts: &[(Millionths, Millionths)]) -> Self {
        let wide = |time: Millionths| u128::from(time.0);
        // a/m + b >= time if b >= (m time - a)/m.
        let least = |&(m, time): &At| (m as u128 * wide(time)).saturating_sub(wide(a)).div_ceil(m as u128);
        let b = free.iter().map(least).max().unwrap_or(0);
        let factor = |&(alone, conflict): &(Millionths, Millionths)| {
            (wide(conflict) * 1_000_000).div_ceil(wide(alone).max(1)).max(1_000_000)
        };
        let k = conflicts.iter().map(factor).max();
        let k = k.and_then(|k| u64::try_from(k).ok()).and_then(Factor::from_millionths);
        Self { a, b: Millionths(u64::try_from(b).unwrap_or(u64::MAX)), k }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(times: &[(usize, u64)]) -> Vec<At> {
        times.iter().map(|&(m, time)| (m, Millionths(time))).collect()
    }

    /// By hand: x = 1, 1/2, 1/4 and y = 100, 70, 40. The mean of x is 7/12 and that of y 70. The sums of
    /// squares and products about the means are 7/24 and 22.5: a = 22.5 * 24/7 = 77.142..., b = 25.
    #[test]
    fn least_squares_by_hand() {
        let alone = times(&[(1, 100_000), (2, 70_000), (4, 40_000)]);
        let pairs = [(Millionths(100), Millionths(210)), (Millionths(50), Millionths(130))];
        let fit = Fit::new(&alone, &pairs).unwrap();
        assert_eq!((fit.a.0, fit.b.0), (77_143, 25_000));
        // k = (100 * 210 + 50 * 130) / (100^2 + 50^2)
        assert!((fit.k.unwrap() - 2.2).abs() < 1e-12);
        // The curve is at 102,143, 63,571.5 and 44,285.75.
        assert_eq!(fit.longer, Some(Residual { multiprocessors: 2, off: Millionths(6429) }));
        assert_eq!(fit.shorter, Some(Residual { multiprocessors: 4, off: Millionths(4286) }));
        // b = 70,000 - 77,143/2 rounded up; the largest factor is 130/50, and 10/3 is rounded up.
        let curve = Curve::new(fit.a, &alone, &pairs);
        assert_eq!((curve.b.0, curve.k), (31_429, Some("2.6".parse().unwrap())));
        let curve =
            Curve::new(fit.a, &alone, &[(Millionths(3), Millionths(10)), (Millionths(4), Millionths(1))]);
        assert_eq!(curve.k, Some("3.333334".parse().unwrap()));
    }

    #[test]
    fn no_coefficient_is_negative() {
        // Twice as fast as by even shares: b would be negative. 2 (m = 1: 12, m = 2: 5): a = 14.5 / 1.25.
        let fit = Fit::new(&times(&[(1, 12_000), (2, 5_000)]), &[]).unwrap();
        assert_eq!((fit.a.0, fit.b.0, fit.k), (11_600, 0, None));
        let slower = Fit::new(&times(&[(1, 10), (2, 20)]), &[]).unwrap();
        assert_eq!((slower.a.0, slower.b.0), (0, 15));
        assert_eq!(Fit::new(&times(&[(3, 10)]), &[]), None);
    }
}
