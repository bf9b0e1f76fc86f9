//! The record of `prem --format json`.

use serde::Serialize;

use crate::cli::prem::Scheduled;
use crate::limits::Ending;
use crate::model::time::Duration;
use crate::realtime::prem::{
    Execution, Overlap, Overrun, Phases, Rule, Slot, composed, one_after_other, planned_end, ratio,
};

#[derive(Debug, Serialize)]
pub(super) struct PremRecord<'a> {
    schema: &'static str,
    version: &'static str,
    mode: &'static str,
    rule: &'static str,
    kernels: Vec<KernelRecord<'a>>,
    timer_ns: Duration,
    start_ns: Duration,
    warm_up_ns: Duration,
    /// Null where the file does not say; then it is assumed 0.
    prologue_ns: Option<Duration>,
    /// Null where each slot has its own.
    offsets: Option<OffsetsRecord>,
    slots: Vec<SlotRecord>,
    hyperperiod_ns: Duration,
    /// End of the last writeback by plan, from the start of the schedule; no bound.
    planned_ns: Duration,
    /// An upper bound under the assumption, from the launch of the kernels, prologue and warm-up included; null where there
    /// is none.
    execution_ns: Option<Duration>,
    assumption: Option<&'static str>,
    /// Why there is no bound.
    no_bound: Option<String>,
    composed_ns: Duration,
    isolated_ns: Duration,
    one_after_other_ns: Duration,
    composed_over_execution: Option<String>,
    memory_overlaps: u64,
    memory_overlaps_within_kernels: u64,
    blocks_together: bool,
    strict: bool,
    relaxed: bool,
    relaxed_if_early: bool,
    minimal_offset_ns: Option<Duration>,
    minimal_writeback_offset_ns: Option<Duration>,
    largest_delay_ns: Duration,
    pattern: u64,
    overlaps: Vec<OverlapRecord>,
    search: Option<SearchRecord>,
    notes: Vec<&'a str>,
    simulation: Option<SimulationRecord>,
}

#[derive(Debug, Serialize)]
struct KernelRecord<'a> {
    name: &'a str,
    blocks: u64,
    tiles: u64,
    prefetch_ns: Duration,
    compute_ns: Duration,
    writeback_ns: Duration,
    contended: Option<PhasesRecord>,
    execution_ns: Option<Duration>,
}

/// Durations under contention.
#[derive(Debug, Serialize)]
struct PhasesRecord {
    prefetch_ns: Duration,
    compute_ns: Duration,
    writeback_ns: Duration,
}

#[derive(Debug, Serialize)]
struct OffsetsRecord {
    prefetch_ns: Duration,
    writeback_ns: Option<Duration>,
}

#[derive(Debug, Serialize)]
struct SlotRecord {
    kernel: usize,
    block: Option<u64>,
    prefetch_ns: Duration,
    writeback_ns: Duration,
}

#[derive(Debug, Serialize)]
struct OverlapRecord {
    kernels: [usize; 2],
    phases: [&'static str; 2],
    steady: u64,
    count: u64,
    longest_ns: Duration,
    total_ns: u128,
}

#[derive(Debug, Serialize)]
struct SearchRecord {
    least_hyperperiod_ns: Duration,
    stop: Ending,
}

#[derive(Debug, Serialize)]
struct SimulationRecord {
    /// What was seen is no bound.
    side: &'static str,
    /// Durations do not grow where phases overlap.
    contention: bool,
    low_percent: u64,
    high_percent: u64,
    seed: u64,
    runs: u64,
    overruns: OverrunsRecord,
    longest_overrun_ns: Duration,
    late_starts: u64,
    memory_overlaps: u64,
    shortest_ns: Duration,
    longest_ns: Duration,
    jitter_percent: f64,
}

#[derive(Debug, Serialize)]
struct OverrunsRecord {
    prefetch: u64,
    compute: u64,
    writeback: u64,
    first: Vec<OverrunRecord>,
}

#[derive(Debug, Serialize)]
struct OverrunRecord {
    run: u64,
    kernel: usize,
    block: u64,
    tile: u64,
    phase: &'static str,
    by_ns: Duration,
}

impl<'a> PremRecord<'a> {
    pub(super) fn new(result: &'a Scheduled) -> Self {
        let schedule = &result.schedule;
        let (mode, tile_set) = (schedule.mode(), schedule.tile_set());
        let (prologue, execution) = (result.prologue.unwrap_or_default(), &result.execution);
        let of = |kernel| Execution::of(schedule, kernel, prologue, &result.planned, &result.early);
        let timed = |writeback: Duration| mode.times_writebacks().then_some(writeback);
        let kernel = |(index, kernel): (usize, &'a crate::realtime::prem::TiledKernel)| KernelRecord {
            name: &kernel.name,
            blocks: kernel.blocks,
            tiles: kernel.tiles,
            prefetch_ns: kernel.phases.prefetch,
            compute_ns: kernel.phases.compute,
            writeback_ns: kernel.phases.writeback,
            contended: kernel.contended.map(PhasesRecord::from),
            execution_ns: of(Some(index)).ok().map(Execution::time),
        };
        let isolated = tile_set.kernels().iter().map(|kernel| kernel.phases.tile() * kernel.tiles).max();
        let (between, within) = result.planned.memory_overlaps();
        Self {
            schema: "warpspan/prem/2",
            version: env!("CARGO_PKG_VERSION"),
            mode: mode.name(),
            rule: result.rule.name(),
            kernels: tile_set.kernels().iter().enumerate().map(kernel).collect(),
            timer_ns: tile_set.timer(),
            start_ns: tile_set.start(),
            warm_up_ns: tile_set.warm_up(),
            prologue_ns: result.prologue,
            offsets: schedule.offsets().map(|offsets| OffsetsRecord {
                prefetch_ns: offsets.prefetch,
                writeback_ns: timed(offsets.writeback),
            }),
            slots: schedule.slots().iter().map(slot).collect(),
            hyperperiod_ns: schedule.hyperperiod(),
            planned_ns: planned_end(schedule),
            execution_ns: execution.ok().map(Execution::time),
            assumption: execution.ok().map(|execution| execution.assumption().name()),
            no_bound: execution.err().map(|why| why.to_string()),
            composed_ns: composed(tile_set),
            isolated_ns: isolated.unwrap_or_default(),
            one_after_other_ns: one_after_other(tile_set),
            composed_over_execution: execution
                .ok()
                .map(|execution| ratio(composed(tile_set), execution.time()).to_string()),
            memory_overlaps: between,
            memory_overlaps_within_kernels: within,
            blocks_together: result.planned.blocks_together,
            strict: result.planned.holds(Rule::Strict),
            relaxed: result.planned.holds(Rule::Relaxed),
            relaxed_if_early: result.early.holds(Rule::Relaxed),
            minimal_offset_ns: result.least.map(|least| least.prefetch),
            minimal_writeback_offset_ns: result.least.and_then(|least| timed(least.writeback)),
            largest_delay_ns: schedule.largest_delay(),
            pattern: result.planned.pattern,
            overlaps: result.planned.overlaps.iter().map(overlap).collect(),
            search: result.search.map(|(least, stop)| SearchRecord { least_hyperperiod_ns: least, stop }),
            notes: result
                .assumed_prologue()
                .into_iter()
                .chain(result.assumed.iter().map(String::as_str))
                .collect(),
            simulation: result.simulation.as_ref().map(|(jitter, seed, outcome)| SimulationRecord {
                side: "estimate",
                contention: false,
                low_percent: jitter.low,
                high_percent: jitter.high,
                seed: *seed,
                runs: outcome.runs,
                overruns: OverrunsRecord {
                    prefetch: outcome.overruns[0],
                    compute: outcome.overruns[1],
                    writeback: outcome.overruns[2],
                    first: outcome.first.iter().map(overrun).collect(),
                },
                longest_overrun_ns: outcome.longest,
                late_starts: outcome.late,
                memory_overlaps: outcome.memory_overlaps,
                shortest_ns: outcome.shortest,
                longest_ns: outcome.longest_run,
                jitter_percent: outcome.jitter(),
            }),
        }
    }
}

impl From<Phases> for PhasesRecord {
    fn from(phases: Phases) -> Self {
        let Phases { prefetch, compute, writeback } = phases;
        Self { prefetch_ns: prefetch, compute_ns: compute, writeback_ns: writeback }
    }
}

fn slot(slot: &Slot) -> SlotRecord {
    SlotRecord {
        kernel: slot.kernel + 1,
        block: slot.block.map(|block| block + 1),
        prefetch_ns: slot.prefetch,
        writeback_ns: slot.writeback,
    }
}

fn overlap(overlap: &Overlap) -> OverlapRecord {
    OverlapRecord {
        kernels: [overlap.kernels.0 + 1, overlap.kernels.1 + 1],
        phases: [overlap.phases.0.name(), overlap.phases.1.name()],
        steady: overlap.steady,
        count: overlap.count,
        longest_ns: overlap.longest,
        total_ns: overlap.total,
    }
}

fn overrun(overrun: &Overrun) -> OverrunRecord {
    OverrunRecord {
        run: overrun.run + 1,
        kernel: overrun.kernel + 1,
        block: overrun.block + 1,
        tile: overrun.tile + 1,
        phase: overrun.phase.name(),
        by_ns: overrun.by,
    }
}
