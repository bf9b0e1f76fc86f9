//! Estimates of long execution times from measured ones, by extreme value theory: no bounds.
//!
//! A [`Sample`] is a series of measured times of launches, in their order. [`estimate`] tests whether the series looks as the
//! theory assumes, fits the two laws of the theory, and extrapolates: which time does a launch exceed with a probability
//! of one in a million? Where a test fails, no such time is given, only the reason.
//!
//! An [`Estimate`] can stand nowhere where a bound belongs. It is about launches like those that were measured: the same
//! inputs in the same proportions, the same clocks, the same neighbours. The page `docs/estimates.md` has the formulas.
//!
//! Sources: S. Coles, *An Introduction to Statistical Modeling of Extreme Values*, Springer 2001 (**Co01** here);
//! J. R. M. Hosking, *L-moments*, J. R. Stat. Soc. B 52, 1990; K. Berezovskyi et al., RTNS 2014 (block maxima) and ARCS 2016
//! (peaks over a threshold) for kernels of GPUs.

// Layers: a module uses only those of the groups above its own.
mod assumptions;
mod law;
mod minimise;
mod sample;

mod fit;

mod goodness;

mod methods;

mod estimate;

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
mod tests;

pub use assumptions::{Test, TestKind, extremal_index, ljung_box, mann_kendall, runs, two_halves};
pub use estimate::{Estimate, estimate};
pub use fit::{Fitted, fit};
pub use goodness::{Goodness, anderson_darling, goodness};
pub use law::{Kind, Law};
pub use methods::{Fit, Level, Method, MethodKind, PROBABILITIES};
pub use sample::{FEWEST, Sample};

/// A count as a real number. Counts are far below 2^53, so that it is exact.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
const fn real(count: usize) -> f64 {
    count as f64
}
