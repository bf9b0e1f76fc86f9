//! The bounds of an entry on a machine.

use std::sync::Arc;

use warpspan_engines::latency::{self, Account, MachineBounds};
use warpspan_listing::OnMachine;
use warpspan_model::machine::{MachineGroup, MachineWorkload};
use warpspan_model::source::Message;

/// The bounds for so many warps, alone on a multiprocessor, and where the time of the critical path goes.
/// `warps_per_block` of them share barriers; all do if none is given.
///
/// # Errors
/// If there is no program, or the program has no bound; the error says why.
pub fn account(
    on: &OnMachine,
    warps: u64,
    warps_per_block: Option<u64>,
) -> Result<(MachineBounds, Account), Message> {
    let code = on.program.clone().map_err(|error| error.message())?;
    let workload = MachineWorkload::new(Arc::clone(&on.machine), vec![MachineGroup { code, warps }]);
    let workload = workload.and_then(|workload| workload.in_blocks_of(warps_per_block));
    let workload = workload.map_err(Message::text)?;
    let bounds = latency::bounds(&workload).and_then(|bounds| bounds.with_blocks(&workload));
    let bounds = bounds.map_err(Message::text)?;
    Ok((bounds, latency::account(&workload).map_err(Message::text)?))
}
