//! Fits whose results are published.

use crate::fit::fit;
use crate::law::Kind;

fn data(text: &str) -> Vec<f64> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap()).collect()
}

fn near(found: f64, want: f64, tolerance: f64) {
    assert!((found - want).abs() <= tolerance, "{found} is not {want}");
}

/// Coles 2001, section 3.4.1: the fits, their likelihoods and the levels of 10 and 100 years.
#[test]
fn sea_levels_at_port_pirie() {
    let data = data(include_str!("../../data/portpirie.txt"));
    assert_eq!(data.len(), 65);
    let found = fit(Kind::Maxima, &data, 0.0).unwrap();
    near(found.free.location, 3.87, 0.005);
    near(found.free.scale, 0.198, 0.0005);
    near(found.free.shape, -0.050, 0.0005);
    near(found.free_likelihood, 4.34, 0.005);
    near(found.zero.location, 3.87, 0.005);
    near(found.zero.scale, 0.195, 0.0005);
    near(found.zero_likelihood, 4.22, 0.005);
    // The book's deviance of 0.24 is small against the law of chi squared, so that Gumbel's law is taken.
    near(found.zero_probability(), 0.62, 0.02);
    assert_eq!(found.chosen(), found.zero);
    let level = |years: f64| found.free.at(-(-(-1.0 / years).ln_1p()).ln());
    near(level(10.0), 4.30, 0.005);
    near(level(100.0), 4.69, 0.005);
}

/// Coles 2001, section 4.4.1: rainfall above 30 mm, and the level of 100 years.
#[test]
fn rain_in_the_south_west_of_england() {
    let data = data(include_str!("../../data/rain.txt"));
    assert_eq!(data.len(), 152);
    let found = fit(Kind::Excesses, &data, 30.0).unwrap();
    near(found.free.scale, 7.44, 0.005);
    near(found.free.shape, 0.184, 0.0005);
    near(found.free_likelihood, -485.1, 0.05);
    assert_eq!(found.chosen(), found.free, "a shape above 0 stays");
    let share = 152.0 / 17531.0;
    near(found.free.at((share * 365.0 * 100.0_f64).ln()), 106.3, 0.05);
}
