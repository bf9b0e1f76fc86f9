//! The kernels of a grid that are not listed one by one: all strings of given lengths, and random strings.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::lists::numbers;
use warpspan_model::{Kernel, MAX_KERNEL_LENGTH, Unit};

/// There are too many strings that are longer than this.
const LONGEST_OF_ALL: u64 = 20;
/// The random kernels of a grid may have this many letters in all.
const MOST_LETTERS: u64 = 100_000_000;

/// All strings of the lengths in a list; shorter ones come first, and L comes before C.
pub(super) fn all(text: &str) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    for length in numbers(text)? {
        if length > LONGEST_OF_ALL {
            return Err(format!("{length}: 2^{length} strings: want lengths up to {LONGEST_OF_ALL}"));
        }
        let unit = |string: u64, at: u64| match string >> (length - 1 - at) & 1 {
            0 => Unit::LoadStore,
            _ => Unit::CudaCore,
        };
        let kernel = |string| Kernel::new((0..length).map(|at| unit(string, at)).collect());
        kernels.extend((0..1_u64 << length).filter_map(kernel));
    }
    Ok(kernels)
}

/// Random strings, described as `length=8,count=100,share=0.5,seed=7`. The share of L's and the seed may be
/// left out; their defaults are those in this example. Several such descriptions may be joined by semicolons.
pub(super) fn random(text: &str) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    for list in text.split(';') {
        kernels.extend(one_list(list)?);
    }
    Ok(kernels)
}

fn one_list(text: &str) -> Result<Vec<Kernel>, String> {
    let (mut length, mut count, mut share, mut seed) = (None, None, 0.5, 7);
    for item in text.split(',').map(str::trim) {
        let wrong = || format!("{item:?}: want length=N,count=N,share=0..1,seed=N");
        let (key, value) = item.split_once('=').ok_or_else(wrong)?;
        let positive = || value.trim().parse().ok().filter(|&number: &u64| number > 0).ok_or_else(wrong);
        match key.trim() {
            "length" => length = Some(positive()?),
            "count" => count = Some(positive()?),
            "share" => {
                let number = value.trim().parse().ok();
                share = number.filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)?;
            }
            "seed" => seed = value.trim().parse().map_err(|_| wrong())?,
            _ => return Err(wrong()),
        }
    }
    let (Some(length), Some(count)) = (length, count) else {
        return Err(format!("{text:?}: want at least length=N,count=N"));
    };
    if length.checked_mul(count).is_none_or(|letters| letters > MOST_LETTERS) {
        return Err(format!("{text:?}: more than {MOST_LETTERS} letters in all"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut unit = || if rng.random_bool(share) { Unit::LoadStore } else { Unit::CudaCore };
    let mut string = || -> Result<Kernel, String> {
        let too_long = || format!("{text:?}: want a length of at most {MAX_KERNEL_LENGTH}");
        if length > MAX_KERNEL_LENGTH as u64 {
            return Err(too_long());
        }
        Kernel::new((0..length).map(|_| unit()).collect()).ok_or_else(too_long)
    };
    (0..count).map(|_| string()).collect()
}
