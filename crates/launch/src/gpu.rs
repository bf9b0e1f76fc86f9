//! A GPU that the program knows, as a question has it.

use std::sync::Arc;

use crate::code::with_transactions;
use crate::kernel::Kernel;
use crate::parse::Clocks;
use crate::question::Question;
use crate::{Failure, totals};
use warpspan_kernel::input::{Holds, NamedMachine, find_machine};
use warpspan_listing::Options;
use warpspan_model::device::{Capability, Preset};
use warpspan_model::time::Clock;
use warpspan_rta::time::Residency;

/// The flag that says that nothing else uses the DRAM.
pub(crate) const IDLE: &str = "--dram-idle";

/// A GPU that the program knows, and what is known of the code there.
pub(crate) struct OnGpu {
    pub(crate) preset: Preset,
    pub(crate) capability: Capability,
    pub(crate) named: NamedMachine,
    pub(crate) options: Options,
}

impl OnGpu {
    pub(crate) fn of(args: &Question) -> Result<Self, Failure> {
        let given = args.gpu.as_deref().unwrap_or_default();
        let preset = Preset::named(given)
            .ok_or_else(|| Failure::usage(format!("--gpu {given}: no such GPU: {}", Preset::like(given))))?;
        let running = args.launch.multiprocessors;
        if let Some(more) = running.filter(|&running| running > preset.multiprocessors) {
            let all = preset.multiprocessors;
            return Err(Failure::usage(format!("--multiprocessors {more}: {} has {all}", preset.name)));
        }
        let preset = Preset { multiprocessors: running.unwrap_or(preset.multiprocessors), ..preset };
        let capability = preset.capability().map_err(Failure::internal)?;
        let named = named_machine(args, &preset, clocks(args, &preset)?.slowest)?;
        let mut options = options(args, capability, &named)?;
        options.loop_totals = totals::given(args, &options.loop_bounds)?;
        options.distinct = args.traffic.arrays_distinct;
        Ok(Self { preset, capability, named, options })
    }

    /// The clocks that count.
    pub(crate) fn clocks(&self, args: &Question) -> Result<Clocks, Failure> {
        clocks(args, &self.preset)
    }

    pub(crate) fn residency(&self, args: &Question, kernel: &Kernel) -> Result<Residency, Failure> {
        let residency = residency(&self.capability, kernel)?;
        totals::check(args, kernel)?;
        Ok(residency)
    }
}

/// The clocks that are given, or else the highest of the data sheet.
fn clocks(args: &Question, preset: &Preset) -> Result<Clocks, Failure> {
    let overclocked = args.launch.overclocked;
    let wrong = |clock: Clock, what: String| {
        Err(Failure::usage(format!(
            "--clock {}: the data sheet of {} has {what}",
            clock.megahertz(),
            preset.name
        )))
    };
    match (args.launch.clock, preset.highest_clock()) {
        (Some(given), Some(highest)) if given.fastest > highest && !overclocked => {
            let what = format!("{} MHz at most: want a lower clock, or --overclocked", highest.megahertz());
            wrong(given.fastest, what)
        }
        (Some(given), Some(highest)) if given.fastest <= highest && overclocked => {
            wrong(given.fastest, format!("{} MHz: want no --overclocked", highest.megahertz()))
        }
        (Some(given), _) => Ok(given),
        (None, Some(clock)) => Ok(Clocks { slowest: clock, fastest: clock }),
        (None, None) => {
            Err(Failure::usage(format!("no clock of {} is known: want --clock MHZ", preset.name)))
        }
    }
}

pub(crate) fn residency(capability: &Capability, kernel: &Kernel) -> Result<Residency, Failure> {
    Residency::new(capability, &kernel.launch, &kernel.needs)
        .map_err(|error| Failure::usage(format!("{}: {}: {error}", kernel.place, kernel.entry.name)))
}

/// The machine that is named, or else that of the GPU.
fn named_machine(args: &Question, preset: &Preset, clock: Clock) -> Result<NamedMachine, Failure> {
    let gpu = preset.name;
    if args.numbers.machine.is_none()
        && let Err(error) = find_machine(gpu)
    {
        return Err(Failure::usage(format!("--gpu {gpu}: {error}; want --machine")));
    }
    let named = args.numbers.machine(gpu, Some(clock))?;
    let (name, is_own) = (named.name.clone(), args.numbers.machine.is_none());
    let wrong = |what| Failure::usage(format!("--machine {name}: {what}"));
    let named = if is_own {
        named
    } else {
        named.within(preset, Some(clock)).map_err(wrong)?;
        named.with_l2_of(preset).map_err(wrong)?
    };
    let named = match args.traffic.dram_idle {
        None => named,
        Some(idle) => named.with_idle_dram(idle).map_err(wrong)?.ok_or_else(|| {
            let what = "the machine does not say how long an access takes to DRAM that nothing else uses";
            Failure::usage(format!("{IDLE}: {name}: {what}: want a machine file with latency_in_idle_dram, idle_dram and a server DRAM"))
        })?,
    };
    let Some(held) = &args.traffic.l2_holds else { return Ok(named) };
    let holds = if held.arrays.is_empty() { Holds::All } else { Holds::Some };
    named.with_data_in_l2(holds, held.fastest).map_err(wrong)?.ok_or_else(|| {
        let what = "the machine says of no letter how long an access takes to what L2 holds";
        Failure::usage(format!("--l2-holds: {name}: {what}: want a machine file with latency_in_l2"))
    })
}

/// What is known of the code on a machine, and of its transactions.
pub(crate) fn options(
    args: &Question,
    capability: Capability,
    named: &NamedMachine,
) -> Result<Options, Failure> {
    let options = args.code.options(Some(capability), Some(Arc::new(named.machine.clone())))?;
    Ok(with_transactions(options, &args.numbers.transactions)?)
}
