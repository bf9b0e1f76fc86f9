//! Tests of what extreme value theory assumes of measured times.

use std::fmt;

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use crate::real;

/// A test of an assumption.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Which test.
    pub kind: TestKind,
    /// Its statistic.
    pub statistic: f64,
    /// How probable a statistic as extreme is where the assumption holds; none for a rule without a probability.
    pub probability: Option<f64>,
    /// Whether the assumption is kept.
    pub passed: bool,
}

/// A test, and what it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestKind {
    /// Ljung and Box: no launch depends on one of the 20 before it.
    Launches,
    /// Kolmogorov and Smirnov: both halves of the series have the same distribution.
    Halves,
    /// Mann and Kendall: maxima of blocks neither grow nor fall.
    Trend,
    /// Ljung and Box: no maximum of a block depends on those before it.
    Maxima,
    /// Wald and Wolfowitz: times above the threshold do not come together.
    Clusters,
    /// Anderson and Darling: the fitted law is that of the data.
    Law,
    /// The step of the measured times is no larger than the scale of the law.
    Grid,
    /// No measured time is above what one launch in 1e9 exceeds by the law.
    Range,
}

impl TestKind {
    /// The name of the test in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Launches | Self::Maxima => "ljung-box",
            Self::Halves => "kolmogorov-smirnov",
            Self::Trend => "mann-kendall",
            Self::Clusters => "wald-wolfowitz",
            Self::Law => "anderson-darling",
            Self::Grid => "grid",
            Self::Range => "range",
        }
    }

    /// What it assumes, as a sentence.
    pub const fn assumes(self) -> &'static str {
        match self {
            Self::Launches => "no launch depends on those before it",
            Self::Halves => "both halves of the series have the same distribution",
            Self::Trend => "maxima of blocks neither grow nor fall",
            Self::Maxima => "no maximum depends on those before it",
            Self::Clusters => "times above the threshold do not come together",
            Self::Law => "the fitted law is that of the data",
            Self::Grid => "the step of the measured times is no larger than the scale of the law",
            Self::Range => "no measured time is longer than the law gives for one launch in 1e9",
        }
    }

    /// What is so where the test fails.
    const fn failed(self) -> &'static str {
        match self {
            Self::Launches => "launches depend on those before them",
            Self::Halves => "the halves of the series have different distributions",
            Self::Trend => "the maxima of blocks have a trend",
            Self::Maxima => "maxima depend on those before them",
            Self::Clusters => "times above the threshold come together",
            Self::Law => "no fitted law is that of the data",
            Self::Grid => "the measured times lie on too coarse a grid",
            Self::Range => "a measured time is longer than the law gives for one launch in 1e9",
        }
    }

    /// The least probability with which it passes.
    const fn level(self) -> f64 {
        // A law is chosen with it, so it is stricter.
        if matches!(self, Self::Law) { 0.1 } else { 0.01 }
    }

    /// The test with its statistic and probability.
    pub(crate) fn of(self, (statistic, probability): (f64, f64)) -> Test {
        let passed = probability >= self.level();
        Test { kind: self, statistic, probability: Some(probability), passed }
    }
}

impl fmt::Display for Test {
    /// What is wrong, or what is assumed, with the probability.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.passed { self.kind.assumes() } else { self.kind.failed() })?;
        match self.probability {
            Some(p) if p < 0.001 => write!(f, " ({}, p < 0.001)", self.kind.name()),
            Some(p) => write!(f, " ({}, p = {p:.3})", self.kind.name()),
            None => write!(f, " ({}, {:.3} times the scale)", self.kind.name(), self.statistic),
        }
    }
}

/// The probability that a standard normal number is above `z`.
fn above(z: f64) -> f64 {
    Normal::new(0.0, 1.0).map_or(0.0, |normal| normal.sf(z))
}

/// Ranks from 1; equal values have the mean of theirs.
fn ranks(series: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&a, &b| series[a].total_cmp(&series[b]));
    let mut ranks = vec![0.0; series.len()];
    let mut start = 0;
    for group in order.chunk_by(|&a, &b| series[a] == series[b]) {
        let mean = real(start) + real(group.len() + 1) / 2.0;
        for &index in group {
            ranks[index] = mean;
        }
        start += group.len();
    }
    ranks
}

/// The statistic of Ljung and Box over some lags and its probability, on normal scores: each value is replaced by the normal
/// quantile of its rank, so that a heavy tail does not hide what there is. (G. M. Ljung, G. E. P. Box, *On a measure of lack of fit in
/// time series models*, Biometrika 65, 1978.)
pub fn ljung_box(series: &[f64], lags: usize) -> (f64, f64) {
    let n = real(series.len());
    let score = |rank: f64| Normal::new(0.0, 1.0).map_or(0.0, |normal| normal.inverse_cdf(rank / (n + 1.0)));
    let scores: Vec<f64> = ranks(series).into_iter().map(score).collect();
    let mean = scores.iter().sum::<f64>() / n;
    let variance: f64 = scores.iter().map(|x| (x - mean).powi(2)).sum();
    if variance <= 0.0 || series.len() <= lags {
        return (0.0, 1.0);
    }
    let of_lag = |lag: usize| {
        let both = scores.iter().zip(&scores[lag..]);
        let correlation = both.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / variance;
        correlation.powi(2) / (n - real(lag))
    };
    let statistic = n * (n + 2.0) * (1..=lags).map(of_lag).sum::<f64>();
    (statistic, ChiSquared::new(real(lags)).map_or(0.0, |law| law.sf(statistic)))
}

/// The largest distance of the distributions of the first and the second half, and the probability of one as large
/// (Kolmogorov and Smirnov; N. Smirnov, *Table for estimating the goodness of fit of empirical distributions*, 1948, with the correction of M. A. Stephens, 1970).
/// Where many values are equal the probability is too large rather than too small.
pub fn two_halves(series: &[f64]) -> (f64, f64) {
    let (first, second) = series.split_at(series.len() / 2);
    let [mut first, mut second] = [first.to_vec(), second.to_vec()];
    first.sort_by(f64::total_cmp);
    second.sort_by(f64::total_cmp);
    let share = |sorted: &[f64], x: f64| real(sorted.partition_point(|&y| y <= x)) / real(sorted.len());
    let apart = |&x: &f64| (share(&first, x) - share(&second, x)).abs();
    let distance = first.iter().chain(&second).map(apart).fold(0.0, f64::max);
    let root = (real(first.len()) * real(second.len()) / real(series.len())).sqrt();
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.2 {
        return (distance, 1.0);
    }
    let term =
        |j: i32| (if j % 2 == 1 { 2.0 } else { -2.0 }) * (-2.0 * f64::from(j * j) * lambda.powi(2)).exp();
    (distance, (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0))
}

/// The statistic of Mann and Kendall for a trend, as a normal number, and its two-sided probability (M. G. Kendall, *Rank correlation
/// methods*, 1975, with its correction for equal values).
pub fn mann_kendall(series: &[f64]) -> (f64, f64) {
    let n = real(series.len());
    let sign = |a: f64, b: f64| {
        if b > a {
            1.0
        } else if b < a {
            -1.0
        } else {
            0.0
        }
    };
    let later = |i: usize| series[i + 1..].iter().map(|&b| sign(series[i], b)).sum::<f64>();
    let sum: f64 = (0..series.len()).map(later).sum();
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let spread = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let equal: f64 = sorted.chunk_by(|a, b| a == b).map(|group| spread(real(group.len()))).sum();
    let variance = (spread(n) - equal) / 18.0;
    if variance <= 0.0 {
        return (0.0, 1.0);
    }
    let z = (sum.abs() - 1.0).max(0.0) / variance.sqrt();
    (z * sum.signum(), 2.0 * above(z))
}

/// The statistic of Wald and Wolfowitz for the runs of times above a threshold and not above it, as a normal number, and the probability of as few runs
/// (A. Wald, J. Wolfowitz, *On a test whether two samples are from the same population*, 1940). Few runs mean that long times come together.
pub fn runs(series: &[f64], threshold: f64) -> (f64, f64) {
    let is_above: Vec<bool> = series.iter().map(|&x| x > threshold).collect();
    let (n, many) = (real(series.len()), real(is_above.iter().filter(|above| **above).count()));
    let product = 2.0 * many * (n - many);
    let variance = product * (product - n) / (n * n * (n - 1.0));
    if variance.is_nan() || variance <= 0.0 {
        return (0.0, 1.0);
    }
    let runs = real(is_above.chunk_by(|a, b| a == b).count());
    let z = (runs - 1.0 - product / n) / variance.sqrt();
    (z, above(-z))
}

/// The extremal index by the intervals between times above a threshold: 1 where they come by themselves, 1/k where they come in groups of
/// k on average (C. A. T. Ferro, J. Segers, *Inference for clusters of extreme values*, 2003). None with fewer than two intervals.
pub fn extremal_index(series: &[f64], threshold: f64) -> Option<f64> {
    let places = series.iter().enumerate().filter(|(_, x)| **x > threshold).map(|(at, _)| at);
    let places: Vec<usize> = places.collect();
    let gaps: Vec<f64> = places.windows(2).map(|pair| real(pair[1] - pair[0])).collect();
    if gaps.len() < 2 {
        return None;
    }
    let is_dense = gaps.iter().all(|&gap| gap <= 2.0);
    let (first, second) = if is_dense { (0.0, 0.0) } else { (1.0, 2.0) };
    let sum: f64 = gaps.iter().map(|gap| gap - first).sum();
    let squares: f64 = gaps.iter().map(|gap| (gap - first) * (gap - second)).sum();
    (squares > 0.0).then(|| (2.0 * sum.powi(2) / (real(gaps.len()) * squares)).min(1.0))
}
