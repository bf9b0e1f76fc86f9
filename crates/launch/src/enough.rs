//! How fast the DRAM would have to be for a deadline.

use std::sync::Arc;

use num_rational::Ratio;

use crate::Failure;
use crate::failure::Kind;
use crate::margins::{RATE_STEP, shown_rate};
use warpspan_model::Cycles;
use warpspan_model::machine::{Machine, Role, Server};
use warpspan_model::time::Clock;
use warpspan_records::margin::{Margin, end};

/// The bound in cycles of a launch on a machine.
pub(crate) type BoundOn<'a> = dyn Fn(&Arc<Machine>) -> Result<Cycles, Failure> + 'a;

/// The least rate of the DRAM, up to that of the data sheet, with which a launch that is not proved to end in time is proved to, at a
/// clock: `cycles` bounds it on a machine, and `in_time` decides that. None if the machine has no DRAM, or if that was stopped before
/// anything was known.
pub(crate) fn enough(
    machine: &Machine,
    clock: Clock,
    sheet: u64,
    cycles: &BoundOn<'_>,
    in_time: &dyn Fn(Cycles) -> bool,
) -> Result<Option<Margin>, Failure> {
    let Some(dram) = machine.server(Role::Dram) else { return Ok(None) };
    let with = |rate: Ratio<u64>| {
        let mut servers = machine.servers().to_vec();
        servers[dram] = Server { rate, ..servers[dram].clone() };
        machine.clone().with_servers(servers)
    };
    let does = |steps: u64| {
        // A rate below what others take never suffices.
        let Ok(faster) = with(Ratio::new(steps * RATE_STEP, clock.hertz())) else { return Ok(Some(false)) };
        match cycles(&Arc::new(faster)) {
            Ok(cycles) => Ok(Some(in_time(cycles))),
            Err(failure) if failure.kind == Kind::Stopped => Ok(None),
            Err(failure) => Err(failure),
        }
    };
    let rate = machine.servers()[dram].rate;
    let per_second = u128::from(*rate.numer()) * u128::from(clock.hertz()) / u128::from(*rate.denom());
    let now = u64::try_from(per_second / u128::from(RATE_STEP)).unwrap_or(u64::MAX);
    let best = sheet / RATE_STEP;
    if now >= best {
        return Ok(None);
    }
    let end = end([best, now, 0], None, false, &does)?;
    Ok(Margin::new(end, [best, 0], false, &shown_rate))
}
