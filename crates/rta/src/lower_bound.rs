//! A lower bound on response times, and the load in the long run: either can prove that a deadline is missed.

use crate::{System, Task, big_multiprocessor, hyperperiod};
use warpspan_model::device::Gpu;
use warpspan_model::time::Duration;

/// A response time that every launch of a kernel has at least, if each of its blocks takes `least` or more: the
/// time of its copies, plus that of its blocks in as many rounds as they need on an empty GPU. `None` if it
/// is too large.
pub(crate) fn least_response(gpu: &Gpu, task: &Task, least: Duration) -> Option<Duration> {
    let at_once = gpu.resources.fits(&task.least).saturating_mul(gpu.multiprocessors).max(1);
    let blocks = u128::from(task.blocks.div_ceil(at_once)) * u128::from(least.0);
    let copies = u128::from(task.copy_in.0) + u128::from(task.copy_out.0);
    u64::try_from(blocks + copies).ok().map(Duration)
}

/// Whether the kernels ask for more threads than the GPU has: the sum of C g b / T, with b in whole warps,
/// exceeds them. Launches then pile up without end.
pub(super) fn overloaded(system: &System, times: &[Duration]) -> bool {
    let threads = u128::from(big_multiprocessor(system));
    let Some(length) = hyperperiod(system) else { return false };
    let asked = system.tasks().iter().zip(times).try_fold(0_u128, |sum, (task, time)| {
        let Some(period) = task.period else { return Some(sum) };
        let one =
            u128::from(time.0).checked_mul(task.blocks.into())?.checked_mul(task.block.threads.into())?;
        sum.checked_add(one.checked_mul((length.0 / period.0).into())?)
    });
    asked.is_none_or(|asked| asked > threads * u128::from(length.0))
}
