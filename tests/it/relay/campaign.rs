//! Random blocks by the thousand: no schedule takes longer than the bounds say.
//!
//! `WARPSPAN_CASES` asks for more cases of each kind.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::draws::{Found, different, equal, late, response, several};
use super::prices::Flaw;
use super::random::SIGMAS;
use crate::common::cases::{self, cases};

/// Draws cases, refuses violations, and prints how close the bounds come.
fn campaign(name: &str, seed: u64, count: u64, case: impl Fn(&mut ChaCha8Rng) -> Found + Sync) {
    let chunk = |chunk: u64| -> Vec<Found> {
        let mut rng = cases::random(seed + chunk);
        let checked = |found: Found| {
            for bound in [Some(found.bound), found.engine].into_iter().flatten() {
                let Found { sigma, worst, scale, what, .. } = &found;
                assert!(*worst <= bound, "{name}: {worst} > {bound} (/ {scale}): {sigma:?} {what}");
            }
            Found { what: String::new(), ..found }
        };
        (0..25).map(|_| checked(case(&mut rng))).collect()
    };
    let found: Vec<Found> = (0..count.div_ceil(25)).into_par_iter().flat_map_iter(chunk).collect();
    for sigma in SIGMAS {
        let rows =
            || found.iter().filter(|found| found.sigma == sigma || found.sigma == [sigma[1], sigma[0]]);
        print!("{name}, sigma {sigma:?}, {} cases", rows().count());
        for (who, which) in [("formula", 0), ("library", 1)] {
            let pairs: Vec<(u64, u64, u64)> = rows()
                .filter_map(|f| [Some(f.bound), f.engine][which].map(|bound| (f.worst, bound, f.scale)))
                .collect();
            if pairs.is_empty() {
                continue;
            }
            #[allow(clippy::cast_precision_loss, reason = "for printed means")]
            let mean = |value: &dyn Fn(f64, f64, f64) -> f64| {
                let values = pairs
                    .iter()
                    .map(|&(worst, bound, scale)| value(worst as f64, bound as f64, scale as f64));
                values.sum::<f64>() / pairs.len() as f64
            };
            let exact = mean(&|worst, bound, scale| f64::from(bound < worst + scale) * 100.0);
            let cycles = mean(&|worst, bound, scale| (bound - worst) / scale);
            let share = mean(&|worst, bound, _| 100.0 * (bound / worst - 1.0));
            print!("; {who}: {} cases, {exact:.1} % exact, mean slack {cycles:.2} cycles", pairs.len());
            if pairs.iter().all(|&(worst, _, scale)| worst > 0 && scale == 1) {
                print!(" or {share:.1} %");
            }
        }
        println!();
    }
}

#[test]
fn equal_blocks_on_one_multiprocessor() {
    campaign("equal blocks", 1000, cases(4000), |rng| equal(rng, Flaw::None));
}

#[test]
fn equal_blocks_on_several_multiprocessors() {
    campaign("several multiprocessors", 2000, cases(3000), |rng| several(rng, Flaw::None));
}

#[test]
fn blocks_that_are_left_over() {
    campaign("left over", 10_000, cases(3000), |rng| late(rng, Flaw::None));
}

#[test]
fn different_blocks() {
    campaign("different blocks", 3000, cases(3000), |rng| different(rng, false, Flaw::None));
}

#[test]
fn blocks_of_unequal_sizes() {
    campaign("unequal sizes", 4000, cases(3000), |rng| different(rng, true, Flaw::None));
}

#[test]
fn response_times_of_started_blocks() {
    campaign("started", 5000, cases(3000), |rng| response(rng, false, Flaw::None));
}

#[test]
fn response_times_of_waiting_blocks() {
    campaign("waiting", 6000, cases(3000), |rng| response(rng, true, Flaw::None));
}
