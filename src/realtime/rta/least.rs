//! What no launch falls below, and what the GPU cannot do in the long run: reasons why deadlines are missed
//! for certain.

use crate::model::device::Gpu;
use crate::model::time::Duration;
use crate::realtime::rta::{Execution, System, Task, big_multiprocessor, hyperperiod};

/// A response time that each launch of a kernel has at least, if its blocks take C where C is given: its
/// copies, and its blocks in as many rounds as an empty GPU needs. `None` if it is too long to be told.
pub fn least_response(gpu: &Gpu, task: &Task, execution: &Execution) -> Option<Duration> {
    let least = execution.least();
    let at_once = gpu.resources.fits(&task.block).saturating_mul(gpu.multiprocessors).max(1);
    let blocks = u128::from(task.blocks.div_ceil(at_once)) * u128::from(least.0);
    let copies = u128::from(task.copy_in.0) + u128::from(task.copy_out.0);
    u64::try_from(blocks + copies).ok().map(Duration)
}

/// Whether more threads are asked for than there are: the sum of C g b / T, b in whole warps, against those
/// of the GPU. Then launches pile up without end.
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
