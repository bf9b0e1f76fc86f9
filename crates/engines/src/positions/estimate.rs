//! How many states there may be.

use crate::positions::layout::Layout;
use warpspan_model::limits::Limits;
use warpspan_model::machine::MachineWorkload;

/// A number that the number of states does not exceed, as far as 64 bits can count. For one scheduler and
/// occupancies of 1 it is C(W + I + Lambda, W), where Lambda is the sum of hi - 1 over all letters but the
/// last, and for several classes of warps the product of these. It is `None` for code that
/// [`solve`](crate::positions::solve) does not take, and the largest number if the cells alone would
/// exceed the memory limit.
pub fn estimate(workload: &MachineWorkload, limits: &Limits) -> Option<u64> {
    if workload.has_dependences() {
        return None;
    }
    let Ok(layout) = Layout::new(workload, &workload.lines()?, limits) else { return Some(u64::MAX) };
    let mut states = 1_u128;
    for class in &layout.classes {
        let end = layout.tracks[class.group].end();
        states = states.saturating_mul(choose(class.places.len(), end));
    }
    for instances in &layout.instances {
        // as many bits as it takes for the largest number of cycles
        let Some(&bits) = layout.bits.get(instances.places.start) else { continue };
        if !instances.places.is_empty() {
            let most = u32::try_from((1_u64 << bits) - 1).unwrap_or(u32::MAX);
            states = states.saturating_mul(choose(instances.places.len(), most));
        }
    }
    Some(u64::try_from(states).unwrap_or(u64::MAX))
}

/// C(count + most, count): the ways to give each of `count` things that are alike a number up to `most`.
fn choose(count: usize, most: u32) -> u128 {
    let (less, more) = ((count as u128).min(most.into()), (count as u128).max(most.into()));
    let mut ways = 1_u128;
    for step in 1..=less {
        match ways.checked_mul(more + step) {
            Some(product) => ways = product / step,
            None => return u128::MAX,
        }
    }
    ways
}
