//! Tests of the crate as a whole: published fits, and samples from laws that are known.

mod assumptions;
mod known;
mod published;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::goodness::uniform;
use crate::sample::Sample;

/// Independent numbers between 0 and 1.
fn uniforms(seed: u64, count: usize) -> Vec<f64> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| uniform(&mut chance)).collect()
}

/// Independent normal numbers, by the method of Box and Muller.
fn normals(seed: u64, count: usize) -> Vec<f64> {
    let of = |pair: &[f64]| (-2.0 * pair[0].ln()).sqrt() * (std::f64::consts::TAU * pair[1]).cos();
    uniforms(seed, 2 * count).chunks_exact(2).map(of).collect()
}

/// A sample of a series in nanoseconds, to the picosecond.
fn sample(series: &[f64]) -> Sample {
    let lines: Vec<String> = series.iter().map(|x| format!("{x:.3}")).collect();
    Sample::read("series", &format!("ns\n{}\n", lines.join("\n"))).unwrap()
}
