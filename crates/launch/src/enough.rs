//! How fast the DRAM would have to be for a deadline.

use std::sync::Arc;

use num_rational::Ratio;

use crate::Failure;
use warpspan_model::Cycles;
use warpspan_model::machine::{Machine, Role, Server};
use warpspan_model::time::Clock;
use warpspan_records::margin::end;

/// The bytes a second to which a rate is told.
const STEP: u64 = 100_000_000;

/// The bound in cycles of a launch on a machine.
pub(crate) type BoundOn<'a> = dyn Fn(&Arc<Machine>) -> Result<Cycles, Failure> + 'a;

/// What rate of the DRAM would do.
pub(crate) enum Enough {
    /// This one, in bytes a second, to a tenth of a gigabyte.
    Rate(u64),
    /// Not even that of the data sheet.
    None,
}

/// The least rate of the DRAM with which a launch is proved to end in time, at a clock: `cycles` bounds it on a
/// machine, and `in_time` decides that. None if the machine has no DRAM.
pub(crate) fn enough(
    machine: &Machine,
    clock: Clock,
    sheet: u64,
    cycles: &BoundOn<'_>,
    in_time: &dyn Fn(Cycles) -> bool,
) -> Result<Option<Enough>, Failure> {
    let Some(dram) = machine.server(Role::Dram) else { return Ok(None) };
    let does = |bytes: u64| -> Result<bool, Failure> {
        let mut servers = machine.servers().to_vec();
        servers[dram] = Server { rate: Ratio::new(bytes, clock.hertz()), ..servers[dram].clone() };
        // A rate below what others take never suffices.
        let Ok(faster) = machine.clone().with_servers(servers) else { return Ok(false) };
        Ok(in_time(cycles(&Arc::new(faster))?))
    };
    let steps = sheet.div_ceil(STEP);
    let end = end([steps, 0, 0], None, false, &|steps: u64| does((steps * STEP).min(sheet)))?;
    Ok(Some(end.map_or(Enough::None, |[rate, _]| Enough::Rate((rate * STEP).min(sheet)))))
}
