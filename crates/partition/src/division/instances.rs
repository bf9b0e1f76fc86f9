//! Which instances of MIG fit on a GPU together, and where each of them lies.
//!
//! The memory of the GPU has eight parts. An instance takes a number of them in a row, and its profile says at which it
//! may begin. Instances fit if there are such beginnings at which no two of them overlap.

use warpspan_model::device::{Instance, Instances};

/// The parts of the memory.
const PARTS: u32 = 8;

/// Where instances of so many multiprocessors begin, one for each size in the given order; `None` if a size is that of
/// no profile, or if they do not fit together.
pub(super) fn places(gpu: &Instances, sizes: &[usize]) -> Option<Vec<(Instance, u32)>> {
    let wanted: Option<Vec<Instance>> = sizes.iter().map(|&size| gpu.with(size as u64)).collect();
    let wanted = wanted?;
    if wanted.iter().map(|instance| instance.parts).sum::<u32>() > PARTS {
        return None;
    }
    // The largest come first, since they have the fewest places.
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(wanted[at].multiprocessors));
    let mut starts = vec![0; wanted.len()];
    place(&wanted, &order, 0, &mut starts).then(|| wanted.into_iter().zip(starts).collect())
}

/// Places the instances of `order` around the occupied parts; whether all have found a place.
fn place(wanted: &[Instance], order: &[usize], taken: u32, starts: &mut [u32]) -> bool {
    let Some((&first, rest)) = order.split_first() else { return true };
    let instance = wanted[first];
    instance.starts.iter().any(|&start| {
        let parts = ((1 << instance.parts) - 1) << start;
        starts[first] = start;
        taken & parts == 0 && place(wanted, rest, taken | parts, starts)
    })
}

/// All combinations of sizes that fit together, each in ascending order; the first is the empty one.
pub(super) fn combinations(gpu: &Instances) -> Vec<Vec<usize>> {
    let sizes: Vec<usize> =
        gpu.profiles().filter_map(|of| usize::try_from(of.multiprocessors).ok()).collect();
    let mut all = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        for &size in &sizes {
            let mut more: Vec<usize> = all[next].clone();
            if more.last().is_none_or(|&last| last <= size) {
                more.push(size);
                if places(gpu, &more).is_some() {
                    all.push(more);
                }
            }
        }
        next += 1;
    }
    all
}
