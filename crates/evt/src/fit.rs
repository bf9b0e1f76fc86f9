//! Laws fitted to data, by the largest likelihood.

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::gamma::gamma;

use crate::law::{Kind, Law};
use crate::minimise::minimise;
use crate::real;

/// Shapes outside of this range are not looked at: below -1 the likelihood has no maximum.
const SHAPES: std::ops::Range<f64> = -1.0..5.0;
/// A shape of 0 is rejected where the likelihood ratio is so improbable.
const LEVEL: f64 = 0.05;
/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// The laws that fit data best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// The best law of any shape.
    pub free: Law,
    /// The logarithm of its likelihood.
    pub free_likelihood: f64,
    /// The best law of shape 0: Gumbel's, or the exponential one.
    pub zero: Law,
    /// The logarithm of its likelihood.
    pub zero_likelihood: f64,
}

impl Fitted {
    /// The probability that a shape of 0 gives a likelihood ratio as large as this one (Co01, theorem 2.7).
    pub fn zero_probability(&self) -> f64 {
        let ratio = (2.0 * (self.free_likelihood - self.zero_likelihood)).max(0.0);
        ChiSquared::new(1.0).map_or(0.0, |law| law.sf(ratio))
    }

    /// The law to extrapolate with: that of shape 0 where the best shape is below 0 and 0 is not rejected, so that a longest
    /// time is claimed only where the data ask for one. A shape above 0 stays, since 0 would give shorter times.
    pub fn chosen(&self) -> Law {
        let is_zero = self.free.shape < 0.0 && self.zero_probability() > LEVEL;
        if is_zero { self.zero } else { self.free }
    }
}

/// Fits both the law of any shape and that of shape 0. The threshold of excesses is given: it is not fitted. None if there are fewer
/// than three values, or if all are equal.
///
/// The search starts at the law with the data's L-moments (Hosking 1990, table 2).
pub fn fit(kind: Kind, data: &[f64], threshold: f64) -> Option<Fitted> {
    let moments = l_moments(data)?;
    // In the unit of the data's spread, so that the search has numbers around 1.
    let (origin, unit) = match kind {
        Kind::Maxima => (moments[0], moments[1]),
        Kind::Excesses => (threshold, moments[0] - threshold),
    };
    if unit.is_nan() || unit <= 0.0 {
        return None;
    }
    let scaled: Vec<f64> = data.iter().map(|x| (x - origin) / unit).collect();
    let [mean, second, skew] = [(moments[0] - origin) / unit, moments[1] / unit, moments[2]];
    let (free, zero) = match kind {
        Kind::Maxima => maxima(&scaled, [mean, second, skew]),
        Kind::Excesses => excesses(&scaled, mean, second),
    };
    let back =
        |law: Law| Law { location: law.location * unit + origin, scale: law.scale * unit, shape: law.shape };
    let likelihood = |law: &Law| -kind.cost(law, &scaled) - real(data.len()) * unit.ln();
    Some(Fitted {
        free: back(free),
        free_likelihood: likelihood(&free),
        zero: back(zero),
        zero_likelihood: likelihood(&zero),
    })
}

fn law([location, log_scale, shape]: [f64; 3]) -> Law {
    Law { location, scale: log_scale.exp(), shape }
}

/// The best law of maxima of any shape, and that of shape 0.
fn maxima(data: &[f64], [mean, second, skew]: [f64; 3]) -> (Law, Law) {
    let c = 2.0 / (3.0 + skew) - 2.0_f64.ln() / 3.0_f64.ln();
    let k = 7.8590 * c + 2.9554 * c * c;
    let (scale, location) = if k.abs() < 1e-6 {
        let scale = second / 2.0_f64.ln();
        (scale, mean - EULER * scale)
    } else {
        let scale = second * k / ((1.0 - 2.0_f64.powf(-k)) * gamma(1.0 + k));
        (scale, mean - scale * (1.0 - gamma(1.0 + k)) / k)
    };
    let cost = |place: &[f64; 3]| {
        if SHAPES.contains(&place[2]) { Kind::Maxima.cost(&law(*place), data) } else { f64::INFINITY }
    };
    let gumbel =
        |&[location, log_scale]: &[f64; 2]| Kind::Maxima.cost(&law([location, log_scale, 0.0]), data);
    let scale_of_zero = second / 2.0_f64.ln();
    let start = [mean - EULER * scale_of_zero, scale_of_zero.ln()];
    let (zero, zero_cost) = minimise(gumbel, start, [0.2, 0.2]);
    let zero = law([zero[0], zero[1], 0.0]);
    // A start whose range does not hold all values would be of no use.
    let start = [location, scale.max(f64::MIN_POSITIVE).ln(), (-k).clamp(-0.9, 0.9)];
    let start = if cost(&start).is_finite() { start } else { [zero.location, zero.scale.ln(), 0.05] };
    let (free, free_cost) = minimise(cost, start, [0.2, 0.2, 0.1]);
    (if free_cost <= zero_cost { law(free) } else { zero }, zero)
}

/// The best law of excesses of any shape, and that of shape 0, the exponential one.
fn excesses(data: &[f64], mean: f64, second: f64) -> (Law, Law) {
    let zero = Law { location: 0.0, scale: mean, shape: 0.0 };
    let cost = |&[log_scale, shape]: &[f64; 2]| {
        if SHAPES.contains(&shape) {
            Kind::Excesses.cost(&law([0.0, log_scale, shape]), data)
        } else {
            f64::INFINITY
        }
    };
    let k = (mean / second - 2.0).clamp(-0.9, 0.9);
    let start = [((1.0 + k) * mean).ln(), -k];
    let start = if cost(&start).is_finite() { start } else { [mean.ln(), 0.05] };
    let (free, free_cost) = minimise(cost, start, [0.2, 0.1]);
    let zero_cost = Kind::Excesses.cost(&zero, data);
    (if free_cost <= zero_cost { law([0.0, free[0], free[1]]) } else { zero }, zero)
}

/// The mean, the second L-moment and the L-skewness (Hosking 1990, section 3). None without a spread.
fn l_moments(data: &[f64]) -> Option<[f64; 3]> {
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = real(sorted.len());
    if sorted.len() < 3 {
        return None;
    }
    let mut b = [0.0; 3];
    for (rank, x) in sorted.iter().enumerate() {
        let i = real(rank);
        b[0] += x / n;
        b[1] += x * i / (n * (n - 1.0));
        b[2] += x * i * (i - 1.0) / (n * (n - 1.0) * (n - 2.0));
    }
    let second = 2.0 * b[1] - b[0];
    let third = 6.0 * b[2] - 6.0 * b[1] + b[0];
    (second > 0.0).then(|| [b[0], second, third / second])
}
