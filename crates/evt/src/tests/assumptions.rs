//! Each test rejects what it is for, and lets independent times of one distribution pass.

use crate::assumptions::{TestKind, extremal_index, ljung_box, mann_kendall, runs, two_halves};
use crate::estimate::estimate;
use crate::tests::{normals, sample, uniforms};

/// A test: its statistic and its probability.
type TestOf = fn(&[f64]) -> (f64, f64);

/// Of independent series about one in a hundred fails: 40 series have four failures once in thousands of times.
#[test]
fn independent_series_pass() {
    let tests: [(&str, TestOf); 4] = [
        ("ljung-box", |series| ljung_box(series, 20)),
        ("kolmogorov-smirnov", two_halves),
        ("mann-kendall", mann_kendall),
        ("wald-wolfowitz", |series| runs(series, 1.5)),
    ];
    for (name, test) in tests {
        let probabilities: Vec<f64> = (0..40).map(|seed| test(&normals(seed, 500)).1).collect();
        let below = |level: f64| probabilities.iter().filter(|p| **p < level).count();
        assert!(below(0.01) <= 3, "{name}: {}", below(0.01));
        assert!((8..=32).contains(&below(0.5)), "{name}: {}", below(0.5));
    }
}

/// x(t) = rho x(t - 1) + normal.
fn autoregressive(seed: u64, count: usize, rho: f64) -> Vec<f64> {
    let mut last = 0.0;
    let next = |x: f64| {
        last = rho * last + x;
        last
    };
    normals(seed, count).into_iter().map(next).collect()
}

#[test]
fn each_test_rejects_what_it_is_for() {
    let related = autoregressive(1, 2_000, 0.3);
    assert!(ljung_box(&related, 20).1 < 1e-6);
    let trend: Vec<f64> = normals(2, 400).iter().enumerate().map(|(t, x)| x + t as f64 / 400.0).collect();
    assert!(mann_kendall(&trend).0 > 3.0 && mann_kendall(&trend).1 < 1e-3);
    let falling: Vec<f64> = trend.iter().map(|x| -x).collect();
    assert!(mann_kendall(&falling).0 < -3.0);
    let shift: Vec<f64> =
        normals(3, 1_000).iter().enumerate().map(|(t, x)| if t < 500 { *x } else { x + 0.3 }).collect();
    assert!(two_halves(&shift).1 < 1e-3);
    let clustered = autoregressive(4, 5_000, 0.9);
    assert!(runs(&clustered, 3.0).1 < 1e-6);
    let alone: Vec<f64> = normals(5, 5_000);
    let [together, apart] = [&clustered, &alone].map(|series| {
        let mut sorted = series.clone();
        sorted.sort_by(f64::total_cmp);
        extremal_index(series, sorted[4_800]).unwrap()
    });
    assert!(together < 0.5 && apart > 0.85, "{together} {apart}");
}

/// A worked example by hand: 3 of 8 values are above 0, which makes 5 runs; places 1, 2 and 6 have gaps of 1 and 4.
#[test]
fn runs_and_gaps_of_a_short_series() {
    let series = [-1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0];
    // 1 + 2 * 3 * 5 / 8 = 4.75 runs are expected; the variance is 30 * 22 / (64 * 7).
    let (z, _) = runs(&series, 0.0);
    assert!((z - (5.0 - 4.75) / (660.0_f64 / 448.0).sqrt()).abs() < 1e-12, "{z}");
    // 2 (0 + 3)^2 / (2 (0 + 3 * 2)) is 1.5, so 1.
    assert_eq!(extremal_index(&series, 0.0), Some(1.0));
}

/// A trend, a dependence and a change half-way withhold the estimate with their reason.
#[test]
fn an_estimate_is_withheld_with_its_reason() {
    let time = |x: &f64| 5_000.0 + 100.0 * x;
    let reason = |series: &[f64]| {
        let found = estimate(&sample(&series.iter().map(time).collect::<Vec<_>>()));
        assert!(found.methods.is_empty());
        found.unsupported.unwrap()
    };
    assert!(
        reason(&autoregressive(6, 5_000, 0.5))
            .contains("launches depend on those before them (ljung-box, p < 0.001)")
    );
    let trend: Vec<f64> = normals(8, 5_000).iter().enumerate().map(|(t, x)| x + t as f64 / 5_000.0).collect();
    assert!(reason(&trend).contains("the maxima of blocks have a trend"));
    assert!(reason(&trend).contains("the halves of the series have different distributions"));
    let found = estimate(&sample(&[100.0; 1_000]));
    assert!(found.unsupported.unwrap().contains("all launches take the same time"));
}

/// One launch in 50 is in a second, much longer mode: neither maxima of blocks nor what is above a threshold follow one law.
#[test]
fn two_modes_have_no_law() {
    let chance = uniforms(9, 3_000);
    let mode = |(x, u): (&f64, &f64)| if *u < 0.02 { 9_000.0 + x } else { 5_000.0 + 100.0 * x };
    let series: Vec<f64> = normals(10, 3_000).iter().zip(&chance).map(mode).collect();
    let found = estimate(&sample(&series));
    assert_eq!(found.unsupported, None);
    for method in &found.methods {
        assert!(method.fit.is_none(), "{method:?}");
        assert!(method.tests.iter().any(|test| test.kind == TestKind::Law && !test.passed), "{method:?}");
    }
}

/// Two or three different long times are no tail to extrapolate.
#[test]
fn a_coarse_grid_is_refused() {
    let series: Vec<f64> =
        uniforms(11, 3_000).iter().map(|u| 100.0 + (-u.ln() / 3.0).floor() * 40.0).collect();
    let found = estimate(&sample(&series));
    assert!(found.methods.iter().all(|method| method.fit.is_none()), "{found:?}");
    let grid = |test: &crate::assumptions::Test| test.kind == TestKind::Grid && !test.passed;
    assert!(found.methods.iter().any(|method| method.tests.iter().any(grid)), "{found:?}");
}
