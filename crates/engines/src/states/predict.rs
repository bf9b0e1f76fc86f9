//! A forecast of the resources that a search needs.

use crate::states::Method;
use crate::states::layout::Layout;
use warpspan_check::bound::critical_path;
use warpspan_model::Instance;
use warpspan_model::limits::Limits;

/// The resources that a search needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// The number of states, reachable or not. It is `u64::MAX` if 64 bits do not hold it.
    pub states: u64,
    /// The number of bytes of the dense table.
    pub dense_bytes: u64,
    /// The search that suits the size, if one of them may fit.
    pub method: Option<Method>,
}

/// State spaces larger than this are not searched by levels. A state takes about a microsecond and a hundred
/// bytes, so even a tenth of them would not fit.
const MOST_LEVELS: u64 = 3_000_000_000;

/// Predicts the resources that the search of an instance needs.
pub fn predict(instance: &Instance, limits: &Limits) -> Prediction {
    let states = Layout::new(instance).map_or(u64::MAX, |layout| layout.states());
    // a front is held twice while it is computed, and each block is a vector of 24 bytes
    let warps = instance.groups()[0].warps;
    let blocks = warps.saturating_mul(warps).saturating_mul(12);
    let dense_bytes = states.saturating_mul(bytes_a_state(instance)).saturating_add(blocks);
    let fits = dense_bytes <= limits.memory;
    // The dense sweep does many states at a time where a count has many values, on average W / I of the last
    // group. The search by levels does only states that are reached, and is about a hundred times slower for
    // each.
    let slices = instance
        .groups()
        .last()
        .is_some_and(|last| last.warps.saturating_mul(2) >= last.kernel.instructions());
    let method = match (fits, slices) {
        _ if instance.has_barriers() => None,
        (true, true) => Some(Method::Dense),
        (_, false) if states <= MOST_LEVELS => Some(Method::Levels),
        (true, false) => Some(Method::Dense),
        (false, _) => None,
    };
    Prediction { states, dense_bytes, method }
}

/// The number of bytes that hold any makespan of the instance.
pub(super) fn bytes_a_state(instance: &Instance) -> u64 {
    match critical_path(instance).cycles().0 {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}
