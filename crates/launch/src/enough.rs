//! How fast the DRAM would have to be for a deadline.

use crate::Failure;
use crate::alone::OnGpu;
use crate::failure::Kind;
use crate::question::Question;
use warpspan_kernel::input::{Rate, Share};
use warpspan_model::Cycles;
use warpspan_model::time::decimal;
use warpspan_records::margin::{Margin, end};

/// The bytes a second of a step of a rate.
pub(crate) const RATE_STEP: u64 = 100_000_000;

/// The rates of the DRAM of a GPU, in steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rates {
    /// The highest that it may have.
    pub(crate) best: u64,
    /// The one that it has, rounded down.
    pub(crate) now: u64,
}

impl Rates {
    /// Those of what is asked; none where nothing is known of the DRAM.
    pub(crate) fn of(args: &Question, gpu: &OnGpu) -> Result<Option<Self>, Failure> {
        let slowest = gpu.clocks(args)?.slowest;
        let dram = gpu.named.memory.iter().find(|server| server.name == "DRAM");
        let Some(bytes) = dram.and_then(|dram| dram.rate.per_second(Some(slowest))) else { return Ok(None) };
        let peak = args.numbers.memory.peak(&gpu.preset).map_err(Failure::usage)?;
        Ok(Some(Self { best: peak / RATE_STEP, now: bytes / RATE_STEP }))
    }
}

/// The same question with another rate of the DRAM.
pub(crate) fn with_rate(args: &mut Question, steps: u64) {
    args.numbers.memory.rate = Some(Share::Rate(Rate::PerSecond(steps * RATE_STEP)));
}

/// A rate in steps, in words.
pub(crate) fn shown_rate(steps: u64) -> String {
    format!("{} GB/s", decimal::write(steps, 1))
}

/// Bounds a launch in cycles, where its DRAM has a rate of so many steps of [`RATE_STEP`].
pub(crate) type AtRate<'a> = dyn Fn(u64) -> Result<Cycles, Failure> + 'a;

/// The least rate of the DRAM with which a launch that is not proved to end in time is proved to: `cycles` bounds it, and `in_time` decides
/// that. None if the DRAM cannot be faster, or if that was stopped before anything was known.
pub(crate) fn enough(
    Rates { best, now }: Rates,
    cycles: &AtRate<'_>,
    in_time: &dyn Fn(Cycles) -> bool,
) -> Result<Option<Margin>, Failure> {
    let does = |steps: u64| match cycles(steps) {
        Ok(cycles) => Ok(Some(in_time(cycles))),
        Err(failure) if failure.kind == Kind::Stopped => Ok(None),
        // Such as a rate below what others take.
        Err(failure) if failure.kind == Kind::Usage => Ok(Some(false)),
        Err(failure) => Err(failure),
    };
    if now >= best {
        return Ok(None);
    }
    let end = end([best, now, 0], None, false, &does)?;
    Ok(Margin::new(end, [best, 0], false, &shown_rate))
}
