//! What a launch takes at least.

use crate::answer::Setting;
use crate::kernel::Kernel;
use warpspan_model::time::Duration;

impl Setting<'_> {
    /// A time that the launch takes at least: each warp issues the instructions of the shortest path through the code,
    /// on the fastest clock, what must move does so at the rate of the data sheet, and all copies take their time.
    pub(super) fn least(&self, kernel: &Kernel) -> Duration {
        let cycles = || {
            // Schedulers up to 6.x may issue a second instruction of the same warp in a cycle.
            let at_once = if matches!(self.capability.version.as_bytes(), [b'2'..=b'6', ..]) { 2 } else { 1 };
            let width = at_once * u128::from(kernel.machine.width()?);
            let issued = u128::from(kernel.resources.fewest_instructions);
            let of_one = issued.div_ceil(width);
            let warps = u128::from(kernel.launch.blocks).checked_mul(kernel.launch.warps().into())?;
            let slots = width.checked_mul(u128::from(kernel.machine.schedulers()))?;
            let slots = slots.checked_mul(self.multiprocessors.into())?;
            Some(of_one.max(issued.checked_mul(warps)?.div_ceil(slots)))
        };
        let hertz = u128::from(self.clocks.fastest.hertz());
        let time = cycles().and_then(|cycles| cycles.checked_mul(1_000_000_000_000)).map(|time| time / hertz);
        let moved = || {
            let picoseconds = self.traffic.least_dram.checked_mul(1_000_000_000_000)?;
            picoseconds.checked_div(self.sheet?.into())
        };
        let time = time.max(moved()).and_then(|time| u64::try_from(time).ok()).unwrap_or(0);
        let launch = &self.args.launch;
        let copies = [launch.copy_in, launch.copy_out].into_iter().flatten().map(|copy| copy.0);
        Duration(copies.fold(time, u64::saturating_add).min(Duration::MAX.0))
    }
}
