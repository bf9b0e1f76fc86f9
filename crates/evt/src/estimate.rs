//! The estimate as a whole.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::assumptions::{Test, TestKind, ljung_box, mann_kendall, two_halves};
use crate::goodness::uniform;
use crate::methods::{Method, block_maxima, blocks, peaks};
use crate::sample::{Sample, maxima, median};

/// How many launches before it a launch is compared with.
const LAGS: usize = 20;
const SEED: u64 = 0x5350_414e;

/// Measured times, what tests say of them, and what follows by extreme value theory: an estimate, on neither side of the worst case.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The shortest, the median and the longest measured time, in the unit of the sample.
    pub measured: [f64; 3],
    /// Tests of what both methods assume.
    pub tests: Vec<Test>,
    /// Why no method is used; none where the methods say themselves.
    pub unsupported: Option<String>,
    /// Block maxima, and peaks over a threshold; empty where no law is fitted.
    pub methods: Vec<Method>,
}

/// Estimates from measured times. Times on a grid are spread evenly over a step of it first, half of it down and half up, always in the same way.
pub fn estimate(sample: &Sample) -> Estimate {
    let series = sample.real();
    let mut sorted = series.clone();
    sorted.sort_by(f64::total_cmp);
    let ends = [sorted.first(), sorted.last()].map(|end| end.copied().unwrap_or(0.0));
    let measured = [ends[0], median(&sorted), ends[1]];
    let step = sample.step();
    if step <= 0.0 {
        let unsupported =
            Some("all launches take the same time, so there is nothing to extrapolate".to_owned());
        return Estimate { measured, tests: Vec::new(), unsupported, methods: Vec::new() };
    }
    let block = blocks(series.len()).first().copied().unwrap_or(1);
    let tests = vec![
        TestKind::Launches.of(ljung_box(&series, LAGS)),
        TestKind::Halves.of(two_halves(&series)),
        TestKind::Trend.of(mann_kendall(&maxima(&series, block))),
    ];
    let failed: Vec<String> = tests.iter().filter(|test| !test.passed).map(Test::to_string).collect();
    if !failed.is_empty() {
        let unsupported = Some(failed.join("; "));
        return Estimate { measured, tests, unsupported, methods: Vec::new() };
    }
    let mut chance = ChaCha8Rng::seed_from_u64(SEED);
    let spread: Vec<f64> = series.iter().map(|x| x + step * (uniform(&mut chance) - 0.5)).collect();
    let methods = vec![block_maxima(&spread, (step, ends[1])), peaks(&spread, (step, ends[1]))];
    Estimate { measured, tests, unsupported: None, methods }
}
