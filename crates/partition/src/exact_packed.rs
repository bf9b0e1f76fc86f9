//! The fewest multiprocessors where not all sizes fit on the GPU together, as with instances of MIG.
//!
//! A combination is a multiset of sizes that fit together; there are some dozens. For each set S of tasks let reach(S)
//! be the combinations of the sizes of all divisions of S. It is the union of reach(S - R), each with need(R) added, over
//! the subsets R of S that hold the first task of S; what fits no more is left out, since adding sizes never makes others
//! fit. The smallest size of each R is enough: where a size fits, smaller ones fit in its place.

use rustc_hash::FxHashMap;

use crate::Ended;
use warpspan_model::limits::Limits;

/// A set of combinations, a bit for each of their numbers.
type Reach = [u128; 2];

/// The subsets into which all tasks are divided so that their sizes fit together and have the least sum; `None` if no
/// division does. `sizes` has the size of each subset, `None` for a subset without one, and of the `combinations` the
/// first is the empty one.
///
/// # Errors
/// If a limit stops it, or if there are more than 256 combinations.
pub(super) fn packed(
    sizes: &[Option<usize>],
    combinations: &[Vec<usize>],
    limits: &Limits,
) -> Result<Option<Vec<usize>>, Ended> {
    if combinations.len() > 256 {
        return Err(Ended::Undecided);
    }
    let numbers: FxHashMap<&[usize], usize> =
        combinations.iter().enumerate().map(|(number, sizes)| (&sizes[..], number)).collect();
    let with = |number: usize, size: usize| {
        let mut more = combinations[number].clone();
        more.push(size);
        more.sort_unstable();
        numbers.get(&more[..]).copied()
    };
    // For each size, what becomes of each combination.
    let mut added: FxHashMap<usize, Vec<Option<usize>>> = FxHashMap::default();
    for &size in sizes.iter().flatten() {
        added.entry(size).or_insert_with(|| (0..combinations.len()).map(|of| with(of, size)).collect());
    }
    let mut reach: Vec<Reach> = vec![[0; 2]; sizes.len()];
    reach[0] = [1, 0];
    for whole in 1..sizes.len() {
        limits.go_on()?;
        let mut found: Reach = [0; 2];
        for subset in with_the_first(whole) {
            let Some(of_size) = sizes[subset].and_then(|size| added.get(&size)) else { continue };
            for to in members(&reach[whole & !subset]).filter_map(|from| of_size[from]) {
                found[to / 128] |= 1 << (to % 128);
            }
        }
        reach[whole] = found;
    }
    let sum = |&number: &usize| combinations[number].iter().sum::<usize>();
    let Some(mut at) = members(&reach[sizes.len() - 1]).min_by_key(sum) else { return Ok(None) };
    let (mut left, mut subsets) = (sizes.len() - 1, Vec::new());
    while left != 0 {
        let step = with_the_first(left).find_map(|subset| {
            let of_size = sizes[subset].and_then(|size| added.get(&size))?;
            let from = members(&reach[left & !subset]).find(|&from| of_size[from] == Some(at))?;
            Some((subset, from))
        });
        let Some((subset, from)) = step else { return Ok(None) };
        subsets.push(subset);
        (left, at) = (left & !subset, from);
    }
    Ok(Some(subsets))
}

/// The subsets of a set that hold its first element.
fn with_the_first(whole: usize) -> impl Iterator<Item = usize> {
    let others = whole & (whole - 1);
    let mut rest = Some(others);
    std::iter::from_fn(move || {
        let of = rest?;
        rest = (of != 0).then(|| (of - 1) & others);
        Some(whole & !of)
    })
}

/// The numbers of a set of combinations.
fn members(reach: &Reach) -> impl Iterator<Item = usize> + use<> {
    let mut left = *reach;
    std::iter::from_fn(move || {
        let half = usize::from(left[0] == 0);
        let bits = left[half];
        if bits == 0 {
            return None;
        }
        left[half] &= bits - 1;
        Some(half * 128 + bits.trailing_zeros() as usize)
    })
}
