//! From a schedule to the record of `prem --format json`.

use crate::commands::prem::run::Scheduled;
use warpspan_kernel::input::key;
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{Execution, Rule, TiledKernel, composed, one_after_other, planned_end, ratio};
use warpspan_records::Prem;
use warpspan_records::assumption::listed;
use warpspan_records::prem::{Kernel, Offsets, Overruns, Search, SearchEnd, Sharing, Simulation};

impl From<&Scheduled> for Prem {
    fn from(result: &Scheduled) -> Self {
        let schedule = &result.schedule;
        let (mode, tile_set) = (schedule.mode(), schedule.tile_set());
        let (prologue, execution) = (result.prologue.unwrap_or_default(), &result.execution);
        let of = |kernel| Execution::of(schedule, kernel, prologue, &result.planned, &result.early);
        let timed = |writeback: Nanoseconds| mode.times_writebacks().then_some(writeback.0);
        let kernel = |(index, kernel): (usize, &TiledKernel)| Kernel {
            name: kernel.name.clone(),
            blocks: kernel.blocks,
            tiles: kernel.tiles,
            prefetch_ns: kernel.phases.prefetch.0,
            compute_ns: kernel.phases.compute.0,
            writeback_ns: kernel.phases.writeback.0,
            contended: kernel.contended.map(Into::into),
            execution_ns: of(Some(index)).ok().map(|execution| execution.time().0),
        };
        let isolated = tile_set.kernels().iter().map(|kernel| kernel.phases.tile() * kernel.tiles).max();
        let (between, within) = result.planned.memory_overlaps();
        Self {
            mode,
            rule: result.rule,
            kernels: tile_set.kernels().iter().enumerate().map(kernel).collect(),
            timer_ns: tile_set.timer().0,
            start_ns: tile_set.start().0,
            warm_up_ns: tile_set.warm_up().0,
            prologue_ns: result.prologue.map(|ns| ns.0),
            offsets: schedule.offsets().map(|offsets| Offsets {
                prefetch_ns: offsets.prefetch.0,
                writeback_ns: timed(offsets.writeback),
            }),
            slots: schedule.slots().iter().map(Into::into).collect(),
            hyperperiod_ns: schedule.hyperperiod().0,
            planned_ns: planned_end(schedule).0,
            execution_ns: execution.ok().map(|execution| execution.time().0),
            assumption: execution.ok().map(|execution| execution.assumption()),
            assumptions: listed(result.rests_on(), key),
            no_bound: execution.err().map(|why| why.to_string()),
            composed_ns: composed(tile_set).0,
            isolated_ns: isolated.unwrap_or_default().0,
            one_after_other_ns: one_after_other(tile_set).0,
            composed_over_execution: execution
                .ok()
                .map(|execution| ratio(composed(tile_set), execution.time()).to_string()),
            memory_overlaps: between,
            memory_overlaps_within_kernels: within,
            blocks_together: result.planned.blocks_together,
            strict: result.planned.holds(Rule::Strict),
            relaxed: result.planned.holds(Rule::Relaxed),
            relaxed_if_early: result.early.holds(Rule::Relaxed),
            minimal_offset_ns: result.least.map(|least| least.prefetch.0),
            minimal_writeback_offset_ns: result.least.and_then(|least| timed(least.writeback)),
            largest_delay_ns: schedule.largest_delay().0,
            pattern: result.planned.pattern,
            overlaps: result.planned.overlaps.iter().map(Into::into).collect(),
            search: result.search.and_then(|(least, ending)| {
                Some(Search { least_hyperperiod_ns: least.0, stop: SearchEnd::of(ending)? })
            }),
            sharing: result.shared.map(|shared| Sharing {
                capacity: shared.sharing.capacity.map(|capacity| capacity.to_string()),
                at_least: shared.sharing.at_least,
                estimate: shared.seen.map(Into::into),
                bound_ns: shared.bound.map(|ns| ns.0),
            }),
            notes: Vec::new(),
            simulation: result.simulation.as_ref().map(|(jitter, seed, outcome)| Simulation {
                side: "estimate".to_owned(),
                contention: false,
                low_percent: jitter.low,
                high_percent: jitter.high,
                seed: *seed,
                runs: outcome.runs,
                overruns: Overruns {
                    prefetch: outcome.overruns[0],
                    compute: outcome.overruns[1],
                    writeback: outcome.overruns[2],
                    first: outcome.first.iter().map(Into::into).collect(),
                },
                longest_overrun_ns: outcome.longest.0,
                late_starts: outcome.late,
                memory_overlaps: outcome.memory_overlaps,
                shortest_ns: outcome.shortest.0,
                longest_ns: outcome.longest_run.0,
                jitter_percent: outcome.jitter(),
            }),
        }
    }
}
