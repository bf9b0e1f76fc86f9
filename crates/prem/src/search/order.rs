//! The schedule of phases: prefetches, then writebacks, in the order of Mitten.

use crate::search::Job;
use crate::{Mode, Schedule, ScheduleError, Slot, TileSet};
use warpspan_model::time::Nanoseconds;

/// The schedule with the least hyperperiod.
pub(super) fn schedule(tile_set: &TileSet, mode: Mode, jobs: &[Job]) -> Result<Schedule, ScheduleError> {
    let timer = tile_set.timer();
    let prefetch = |job: &Job| job.phases.prefetch.round_up_to(timer);
    let writeback = |job: &Job| job.phases.writeback.round_up_to(timer);
    let computed = |job: &Job| (job.phases.prefetch + job.phases.compute).round_up_to(timer);
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|&i| {
        let job = &jobs[i];
        let first = prefetch(job) <= writeback(job);
        let lag = computed(job) - prefetch(job);
        (!first, if first { computed(job).signed() } else { -(lag + writeback(job)).signed() })
    });
    let mut times = vec![(Nanoseconds::ZERO, Nanoseconds::ZERO); jobs.len()];
    let (mut read, mut written) = (Nanoseconds::ZERO, jobs.iter().map(prefetch).sum());
    for i in order {
        times[i] = (read, (read + computed(&jobs[i])).max(written));
        read = read + prefetch(&jobs[i]);
        written = times[i].1 + writeback(&jobs[i]);
    }
    Schedule::of_slots(tile_set, mode, slots(jobs, &times), written)
}

/// The slots of jobs, each with a prefetch and a writeback, in the order of kernels and blocks.
pub(super) fn slots(jobs: &[Job], times: &[(Nanoseconds, Nanoseconds)]) -> Vec<Slot> {
    let of_job = |(job, &(prefetch, writeback)): (&Job, &(Nanoseconds, Nanoseconds))| -> Vec<Slot> {
        let slot = |&(kernel, block): &(usize, Option<u64>)| Slot { kernel, block, prefetch, writeback };
        job.slots.iter().map(slot).collect()
    };
    jobs.iter().zip(times).flat_map(of_job).collect()
}
