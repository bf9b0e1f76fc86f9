//! What a launch touches, and what its servers are asked.

use crate::kernel::Kernel;
use crate::{Failure, totals};
use warpspan_listing::Footprint;
use warpspan_model::machine::{Role, Server};
use warpspan_rta::time::{Launch, launch_traffic};

/// What the kernel touches of each array.
pub(super) fn footprints(kernel: &Kernel) -> &[Footprint] {
    kernel.entry.on_machine.as_ref().map_or(&[], |on| &on.footprints)
}

/// What a server is asked by a kernel.
pub(super) fn asked<'k>(
    kernel: &'k Kernel,
    launch: &Launch,
    role: Role,
) -> Result<(&'k Server, u128), Failure> {
    let machine = &kernel.machine;
    let number = machine.server(role).ok_or_else(|| {
        let what = "the machine has no L2 and DRAM: want a GPU that `gpus` lists, or a [[server]]";
        Failure::usage(format!("what caches keep: {what}"))
    })?;
    let in_all = totals::passes(kernel)?;
    let all = launch_traffic(machine, &kernel.code, launch, (&[], &in_all)).map_err(Failure::usage)?;
    Ok((&machine.servers()[number], u128::try_from(all.amount(machine, number)).unwrap_or(u128::MAX)))
}
