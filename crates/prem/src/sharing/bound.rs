//! The bound on the time if nothing is known of how the memory is shared.

use crate::sharing::{Sharing, memory_work};
use crate::wcet::latest;
use crate::{Phases, Schedule};
use warpspan_model::time::Nanoseconds;

/// An upper bound on the time from the launch of the kernels, the `prologue` before the schedule included,
/// until all of them, or the kernel of this index, have ended; `None` if the file assumes no least capacity.
///
/// It assumes that
///
/// * each memory phase holds no more work than its duration, in units of what it gets done by itself in a ns;
/// * while n blocks are in memory phases, together they get min(n, `at_least`) done in a ns or more, and none
///   gets more than 1 done; who gets how much does not matter;
/// * each computation takes at most its duration, under contention where the file gives that.
///
/// Proof: docs/prem.md. In short, a block is delayed in its memory phases only while others get at least `at_least`
/// times as much done as it loses, so the work of the others over `at_least` is all that it can lose.
pub fn shared_bound(
    schedule: &Schedule,
    kernel: Option<usize>,
    prologue: Nanoseconds,
    sharing: Sharing,
) -> Option<Nanoseconds> {
    let at_least = sharing.at_least.filter(|&least| least > 0)?;
    let tile_set = schedule.tile_set();
    let all = memory_work(tile_set);
    let end = |slot: &crate::Slot| {
        let kernel = &tile_set.kernels()[slot.kernel];
        let compute = kernel.contended.map_or(kernel.phases.compute, |contended| contended.compute);
        let own = (kernel.phases.prefetch + kernel.phases.writeback) * kernel.tiles;
        let others = Nanoseconds((all.0 - own.0).div_ceil(at_least));
        latest(schedule, slot, Phases { compute, ..kernel.phases }) + others
    };
    let slots = schedule.slots().iter().filter(|slot| kernel.is_none_or(|kernel| kernel == slot.kernel));
    let end = slots.map(end).max()?;
    Some(prologue + Nanoseconds(end.0.saturating_sub(tile_set.start().0)))
}
