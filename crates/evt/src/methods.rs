//! The two methods: block maxima, and peaks over a threshold.

use crate::assumptions::{Test, TestKind, extremal_index, ljung_box, runs};
use crate::fit::{Fitted, fit};
use crate::goodness::{Goodness, goodness};
use crate::law::{Kind, Law};
use crate::real;
use crate::sample::{excesses, maxima, quantile};

/// The probabilities for one launch that estimates are for.
pub const PROBABILITIES: [f64; 7] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
/// The fewest maxima, or times above a threshold, that a law is fitted to.
const FEWEST: usize = 50;
/// With more than so many the next size of blocks, or threshold, is taken at once: the theory is about the far end.
const MOST: usize = 500;
/// The least number of launches of a block.
const LEAST_BLOCK: usize = 20;
/// The largest share of all launches that is above a threshold.
const MOST_ABOVE: f64 = 0.1;

/// What launches exceed with a small probability, as an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The probability with which one launch exceeds the time.
    pub probability: f64,
    /// The time, in the unit of the data.
    pub time: f64,
    /// An interval of 95 % of the time, if the law is the true one.
    pub interval: [f64; 2],
}

/// A law that fits, and what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The laws that fit best.
    pub fitted: Fitted,
    /// The one that the levels follow from.
    pub law: Law,
    /// What launches exceed with small probabilities, the largest first. Probabilities that the data reach themselves are left out: a
    /// share of launches as large as that is above the threshold, or a block has as many.
    pub levels: Vec<Level>,
}

/// How extremes are taken from a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MethodKind {
    /// The largest of each block of so many launches.
    BlockMaxima {
        /// Launches of a block.
        block: usize,
    },
    /// The times above a threshold.
    Peaks {
        /// The threshold, in the unit of the data.
        threshold: f64,
        /// The share of launches above it.
        share: f64,
        /// The extremal index there.
        extremal_index: Option<f64>,
    },
}

/// What a method finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The method, with its block or threshold.
    pub kind: MethodKind,
    /// How many maxima or times above the threshold the law was fitted to.
    pub used: usize,
    /// Tests of what the method assumes besides.
    pub tests: Vec<Test>,
    /// The law and the levels; none where a test failed.
    pub fit: Option<Fit>,
}

impl Method {
    /// Without a fit, for the tests that failed.
    fn of(
        kind: MethodKind,
        used: usize,
        mut tests: Vec<Test>,
        found: Option<Found>,
        (step, longest): (f64, f64),
    ) -> Self {
        let probability_in_law = |p: f64| match kind {
            MethodKind::BlockMaxima { block } => -(-real(block) * (-p).ln_1p()).ln(),
            MethodKind::Peaks { share, .. } => (share / p).ln(),
        };
        let mut fit = None;
        if let Some(Found { fitted, law, goodness }) = found {
            tests.push(TestKind::Law.of((goodness.statistic, goodness.probability)));
            let steps = step / law.scale;
            tests.push(Test {
                kind: TestKind::Grid,
                statistic: steps,
                probability: None,
                passed: steps <= 1.0,
            });
            let level = |probability: f64| {
                let w = probability_in_law(probability);
                Level { probability, time: law.at(w), interval: goodness.interval(|law| law.at(w)) }
            };
            let beyond = |probability: &f64| probability_in_law(*probability) > 0.0;
            let levels: Vec<Level> = PROBABILITIES.into_iter().filter(beyond).map(level).collect();
            // Launches that fill no block at the end are in no law, but they were measured.
            let last = levels.last().map_or(f64::INFINITY, |last| last.time);
            tests.push(Test {
                kind: TestKind::Range,
                statistic: longest,
                probability: None,
                passed: longest <= last,
            });
            let is_finite = levels.iter().all(|level| level.time.is_finite());
            fit = is_finite.then_some(Fit { fitted, law, levels });
        }
        let fit = fit.filter(|_| tests.iter().all(|test| test.passed));
        Self { kind, used, tests, fit }
    }
}

struct Found {
    fitted: Fitted,
    law: Law,
    goodness: Goodness,
}

fn found(kind: Kind, data: &[f64], threshold: f64) -> Option<Found> {
    let fitted = fit(kind, data, threshold)?;
    let law = fitted.chosen();
    Some(Found { fitted, law, goodness: goodness(kind, &law, data) })
}

fn fits(found: Option<&Found>) -> bool {
    found.is_some_and(|found| TestKind::Law.of((0.0, found.goodness.probability)).passed)
}

/// The sizes of blocks that are tried: 20, 50, 100, 200, 500 and so on.
pub(crate) fn blocks(launches: usize) -> Vec<usize> {
    let sizes = (1..).flat_map(|power| [2, 5, 10].map(|factor| factor * 10_usize.saturating_pow(power)));
    let small = sizes.take_while(|block| launches / block >= FEWEST);
    let all: Vec<usize> = small.filter(|block| *block >= LEAST_BLOCK && launches / block <= MOST).collect();
    if all.is_empty() { vec![launches.div_ceil(FEWEST).max(LEAST_BLOCK)] } else { all }
}

/// Block maxima: the smallest blocks whose maxima have a law that fits.
pub(crate) fn block_maxima(series: &[f64], step_and_longest: (f64, f64)) -> Method {
    let mut last = None;
    for block in blocks(series.len()) {
        let data = maxima(series, block);
        let found = found(Kind::Maxima, &data, 0.0);
        let is_last = fits(found.as_ref());
        last = Some((block, data, found));
        if is_last {
            break;
        }
    }
    let (block, data, found) = last.unwrap_or_default();
    let lags = (data.len() / 5).clamp(1, 20);
    let tests = vec![TestKind::Maxima.of(ljung_box(&data, lags))];
    Method::of(MethodKind::BlockMaxima { block }, data.len(), tests, found, step_and_longest)
}

/// Peaks over a threshold: the lowest threshold above which a law fits.
pub(crate) fn peaks(series: &[f64], step_and_longest: (f64, f64)) -> Method {
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let shares = [1.0, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
    let count = |share: f64| (share * MOST_ABOVE * real(series.len())).round() as usize;
    let counts: Vec<usize> = shares.map(count).into_iter().filter(|n| (FEWEST..=MOST).contains(n)).collect();
    let mut last = None;
    for above in if counts.is_empty() { vec![MOST] } else { counts } {
        let threshold = quantile(&sorted, above);
        let (data, share) = excesses(series, threshold);
        let found = found(Kind::Excesses, &data, threshold);
        let is_last = fits(found.as_ref());
        last = Some((threshold, data.len(), share, found));
        if is_last {
            break;
        }
    }
    let (threshold, used, share, found) = last.unwrap_or_default();
    let tests = vec![TestKind::Clusters.of(runs(series, threshold))];
    let extremal_index = extremal_index(series, threshold);
    Method::of(MethodKind::Peaks { threshold, share, extremal_index }, used, tests, found, step_and_longest)
}
