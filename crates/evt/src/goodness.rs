//! Whether a law fits, and how far off what follows from it may be: by samples that are drawn from it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fit::fit;
use crate::law::{Kind, Law};
use crate::real;

/// How many samples are drawn.
const SAMPLES: usize = 199;
/// Every estimate of the same times is the same.
const SEED: u64 = 0x5741_5250;

/// The statistic of Anderson and Darling, which weighs both tails: the larger, the worse a law fits.
pub fn anderson_darling(kind: Kind, law: &Law, data: &[f64]) -> f64 {
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    let logarithms: Vec<[f64; 2]> = sorted.iter().map(|&x| kind.logarithms(law.reduced(x))).collect();
    let terms = logarithms.iter().zip(logarithms.iter().rev()).enumerate();
    let sum: f64 = terms.map(|(i, ([below, _], [_, above]))| real(2 * i + 1) * (below + above)).sum();
    -real(data.len()) - sum / real(data.len())
}

/// What drawn samples say of a law that was fitted to data.
#[derive(Debug, Clone, PartialEq)]
pub struct Goodness {
    /// The statistic of Anderson and Darling.
    pub statistic: f64,
    /// How probable a statistic as large is if the law is the true one, with its parameters fitted.
    pub probability: f64,
    /// The laws that were fitted to the samples, from which intervals follow.
    pub laws: Vec<Law>,
}

impl Goodness {
    /// The interval of 95 % of what follows from the laws.
    pub fn interval(&self, of: impl Fn(&Law) -> f64) -> [f64; 2] {
        let mut all: Vec<f64> = self.laws.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        let cut = all.len() / 40;
        let at = |place: usize| all.get(place).copied().unwrap_or(f64::NAN);
        [at(cut), at(all.len().saturating_sub(cut + 1))]
    }
}

/// The parametric bootstrap: draws samples of the same size from the law that was chosen for the data, fits and chooses a law for each in the same
/// way, and compares. The parameters being fitted, no table of the statistic would do.
pub fn goodness(kind: Kind, chosen: &Law, data: &[f64]) -> Goodness {
    let statistic = anderson_darling(kind, chosen, data);
    let mut chance = ChaCha8Rng::seed_from_u64(SEED);
    let mut laws = Vec::with_capacity(SAMPLES);
    let mut as_large = 1;
    for _ in 0..SAMPLES {
        let drawn: Vec<f64> = data.iter().map(|_| chosen.at(kind.draw(uniform(&mut chance)))).collect();
        let Some(law) = fit(kind, &drawn, chosen.location).map(|fitted| fitted.chosen()) else { continue };
        as_large += usize::from(anderson_darling(kind, &law, &drawn) >= statistic);
        laws.push(law);
    }
    Goodness { statistic, probability: real(as_large) / real(laws.len() + 1), laws }
}

/// A number between 0 and 1, neither of them.
pub(crate) fn uniform(chance: &mut ChaCha8Rng) -> f64 {
    chance.random::<f64>().max(f64::MIN_POSITIVE)
}
