//! The execution times of the kernels of a file, for analyses that take them as C.

use crate::{
    Contention, Durations, Execution, KernelDraft, NoBound, Offsets, PhaseDuration, Phases, Rule, Schedule,
    TileSet, TiledKernel, TilesFile, check, least_offsets, read_tiles,
};
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::source::InputError;
use warpspan_model::time::Nanoseconds;

/// The kernels of a file with their schedule and the bounds on their times.
#[derive(Debug, Clone)]
pub struct Bounded {
    /// The kernels as the file gives them.
    pub kernels: Vec<KernelDraft>,
    /// What each kernel takes at most from its launch on, if nothing else runs on the GPU.
    pub alone: Vec<Result<Execution, NoBound>>,
    /// What each takes at most whatever co-runs on the GPU; `None` without durations under contention.
    pub beside: Option<Vec<Execution>>,
    /// What the file assumes, a sentence each.
    pub rests: Rests,
}

/// Reads a file of `prem` and schedules it as the file says; `place` is its name in messages. Offsets that it
/// does not give are the least.
///
/// # Errors
/// The first thing that is wrong; also if the schedule would have to be searched for, or phases to be solved.
pub fn read_bounded(place: &str, text: &str) -> Result<Bounded, InputError> {
    let file = read_tiles(place, text)?;
    let schedule = schedule(place, &file)?;
    let [planned, early] = [Durations::Planned, Durations::UpTo].map(|of| check(&schedule, of));
    let prologue = file.prologue.unwrap_or_default();
    let each = 0..file.kernels.len();
    let alone = each.clone().map(|k| Execution::of(&schedule, Some(k), prologue, &planned, &early)).collect();
    let beside = each.map(|k| Execution::contended(&schedule, Some(k), prologue)).collect();
    let on = rests_on(schedule.tile_set(), &file.of_gpu, file.prologue, (None, None));
    Ok(Bounded { kernels: file.kernels, alone, beside, rests: on.into() })
}

/// What numbers of tiles rest on, with those of their GPU: a bound under a kind of contention, and one where so many blocks are always
/// served.
pub fn rests_on(
    tiles: &TileSet,
    of_gpu: &[Assumption],
    prologue: Option<Nanoseconds>,
    (contention, at_least): (Option<Contention>, Option<u64>),
) -> Vec<Assumption> {
    let what = "the time of a kernel outside its tiles";
    let prologue = match prologue {
        None => Assumption::assumed(Id::TilesPrologue, what, "0 ns, since prologue_ns is not given"),
        Some(time) => {
            Assumption::declared(Id::TilesPrologue, what, format!("at most {} ns", time.0)).by("prologue_ns")
        }
    };
    let served = at_least.map(|blocks| {
        let value = format!("always {blocks} blocks or more, where it is shared");
        Assumption::declared(Id::MemoryShare, "the memory serves", value).by("at_least in [sharing]")
    });
    let durations = contention.map(|contention| contention.durations(tiles.kernels())).into_iter().flatten();
    let all = contention.map(Contention::rests_on).into_iter().chain(durations);
    let all = all.chain(served).chain(tiles.rests_on());
    all.chain([prologue]).chain(of_gpu.iter().cloned()).collect()
}

fn schedule(place: &str, file: &TilesFile) -> Result<Schedule, InputError> {
    let wrong = |what: &dyn std::fmt::Display| InputError::new(place, what);
    let kernel = |draft: &KernelDraft| -> Option<TiledKernel> {
        let phases = given(&draft.phases)?;
        let contended = match &draft.contended {
            Some(times) => Some(given(times)?),
            None => None,
        };
        let KernelDraft { name, blocks, tiles, .. } = draft;
        Some(TiledKernel { name: name.clone(), blocks: *blocks, tiles: *tiles, phases, contended })
    };
    let kernels: Option<Vec<TiledKernel>> = file.kernels.iter().map(kernel).collect();
    let of_code = "phases are given as code: want their times, which `warpspan prem` prints";
    let kernels = kernels.ok_or_else(|| wrong(&of_code))?;
    let tile_set = TileSet::of_file(kernels, file).map_err(|what| wrong(&what))?;
    let prefetch = file.prefetch_offset.map(|(ns, _)| ns);
    let writeback = file.writeback_offset.map(|(ns, _)| ns);
    if prefetch.is_none() && !tile_set.is_uniform() {
        return Err(wrong(&"different kernels without offsets: want prefetch_ns in [offsets]"));
    }
    let least = least_offsets(&tile_set, file.mode, Rule::Relaxed, prefetch);
    let least = least.unwrap_or(Offsets { prefetch: Nanoseconds::ZERO, writeback: Nanoseconds::ZERO });
    let offsets = Offsets {
        prefetch: prefetch.unwrap_or(least.prefetch),
        writeback: writeback.filter(|_| file.mode.times_writebacks()).unwrap_or(least.writeback),
    };
    Schedule::uniform(&tile_set, file.mode, offsets).map_err(|what| wrong(&what))
}

/// Durations that the file gives.
fn given(times: &[PhaseDuration; 3]) -> Option<Phases> {
    let time = |time: &PhaseDuration| match time {
        PhaseDuration::Given(ns) => Some(*ns),
        PhaseDuration::Code(..) => None,
    };
    Some(Phases { prefetch: time(&times[0])?, compute: time(&times[1])?, writeback: time(&times[2])? })
}
