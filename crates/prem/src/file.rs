//! Reading a file of `prem`: kernels cut into tiles.
//!
//! ```toml
//! kernels = 4                   # equal kernels; or [[kernel]] tables, each with the keys that differ, such as
//! #                             # name, blocks, tiles and phases
//! blocks = 2
//! tiles = 512                   # a block
//! timer_ns = 160                # granularity of the timer, default 1000
//! mode = "tile-kernel"          # what waits for start times; or tile-block, phase-kernel, phase-block
//! start_ns = 0
//! warm_up_ns = 0                # from the start to the first tile
//! prologue_ns = 8000            # the time of a kernel outside its tiles: from its launch to the start, and
//! #                             # after its last writeback
//! threads_per_block = 512       # with shared_memory: whether all blocks fit at once
//! shared_memory = 16384
//! [gpu]
//! preset = "jetson-tx2"         # the default (`warpspan gpus` lists others); instead of it, the file may give
//! #                             # multiprocessors, and threads, shared_memory and blocks of each
//! [phases]
//! prefetch_ns = 1781            # or prefetch_code = "L16", with warps here and clock_mhz in [gpu]
//! compute_ns = 506
//! writeback_ns = 421
//! [contended]                   # the same, without a schedule
//! [offsets]                     # left out: the least that keep memory phases apart
//! prefetch_ns = 1300
//! writeback_ns = 480
//! [plan]                        # instead of tiles: they follow from the image
//! image = { height = 1026, width = 1022 }
//! mask = { height = 3, width = 3 }
//! tile = { height = 4, width = 512 } # by default as wide as a block has threads and as high as shared_memory allows
//! element_bytes = 4
//! [sharing]                     # what memory phases that overlap take, by estimate and by a bound
//! unscheduled_ns = 2397000      # measured without a schedule; or capacity = 3.76, in blocks
//! at_least = 2                  # assumed for the bound, in blocks
//! ```

use schemars::{Schema, schema_for};

use crate::tables::{File, KernelTable, OffsetsTable, PhasesTable};
use crate::{
    LONGEST, MOST_BLOCKS, Mode, Phase, Plan, SharingDraft, TileSet, TileSetError, TiledKernel, plan, sharing,
};
use warpspan_kernel::input::{Device, NO_SIGMAS, OF_PAPER, device, machine};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Between, Gpu, WARP, fit_anyhow, place_all};
use warpspan_model::source::{InputError, MOST_SHARED, MOST_THREADS, Source, Spanned};
use warpspan_model::time::{Clock, Nanoseconds};
use warpspan_model::{Kernel, Multiprocessor, Workload};

/// The content of a file of `prem`.
#[derive(Debug, Clone)]
pub struct TilesFile {
    /// The kernels.
    pub kernels: Vec<KernelDraft>,
    /// What waits for a start time of its own.
    pub mode: Mode,
    /// The granularity of the timer, if the file gives it.
    pub timer: Option<Nanoseconds>,
    /// When the kernels start.
    pub start: Nanoseconds,
    /// The time from the start of the kernels to the first tile.
    pub warm_up: Nanoseconds,
    /// The time of a kernel outside its tiles, from its launch to the start and after its last writeback, if
    /// the file gives it.
    pub prologue: Option<Nanoseconds>,
    /// The distance between prefetches, and its line in the file.
    pub prefetch_offset: Option<(Nanoseconds, Option<usize>)>,
    /// The distance between writebacks, and its line in the file.
    pub writeback_offset: Option<(Nanoseconds, Option<usize>)>,
    /// The image that is cut into tiles, if the file gives it.
    pub plan: Option<Plan>,
    /// How the memory is shared.
    pub sharing: SharingDraft,
    /// What numbers rest on of the GPU and of the code.
    pub of_gpu: Vec<Assumption>,
}

/// A kernel whose durations may still have to be solved.
#[derive(Debug, Clone)]
pub struct KernelDraft {
    /// Its name in messages and drawings.
    pub name: String,
    /// The number of its CUDA blocks.
    pub blocks: u64,
    /// The threads of a block and its bytes of shared memory; 0 where the file does not say.
    pub block: [u64; 2],
    /// The number of tiles of each block.
    pub tiles: u64,
    /// The durations of prefetch, computation and writeback.
    pub phases: [PhaseDuration; 3],
    /// The same durations under contention.
    pub contended: Option<[PhaseDuration; 3]>,
}

/// The duration of a phase.
#[derive(Debug, Clone)]
pub enum PhaseDuration {
    /// The file gives the duration, for instance by a measurement.
    Given(Nanoseconds),
    /// The duration is the worst case of these warps on this clock.
    Code(Box<Workload>, Clock),
}

/// One hour. Longer phases, offsets and starts are taken for a mistake in the unit.
const MOST_NS: u64 = 3_600_000_000_000;
/// One second. No timer is as coarse as that.
const COARSEST: u64 = 1_000_000_000;

/// The granularity of the timer in nanoseconds where none is given: the coarsest that GPUs are known to have.
const DEFAULT_TIMER: Nanoseconds = Nanoseconds(1000);

impl TileSet {
    /// These kernels with the times of a file.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_file(kernels: Vec<TiledKernel>, file: &TilesFile) -> Result<Self, TileSetError> {
        let mut found = Self::new(kernels, file.timer.unwrap_or(DEFAULT_TIMER), file.start, file.warm_up)?;
        found.by_default = file.timer.is_none();
        Ok(found)
    }
}

/// The largest plausible value of a key.
fn most(key: &str) -> u64 {
    match key {
        "threads_per_block" => MOST_THREADS,
        "shared_memory" => MOST_SHARED,
        "timer_ns" => COARSEST,
        _ => i64::MAX.unsigned_abs(),
    }
}

/// The JSON Schema of a file of tiles.
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads a file of `prem`; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line; also if the blocks do not fit on the multiprocessors at
/// once.
pub fn read_tiles(place: &str, text: &str) -> Result<TilesFile, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    let device = file.gpu.as_ref().map(|table| device(&source, table)).transpose()?;
    let device = device.unwrap_or_else(Device::jetson_tx2);
    device.without_memory(&source, "want no such key in a file of tiles")?;
    let gpu = device.gpu(&source)?;
    let table = file.multiprocessor.as_ref();
    let sigmas = machine(&source, table, device.preset.as_ref())?.in_warps_of_32(&source, table)?.sigmas;
    let multiprocessor = sigmas.map(|sigmas| sigmas.multiprocessor);
    let count = file.kernels.as_ref().map(|count| source.positive("kernels", count)).transpose()?;
    let tables: Vec<Option<&KernelTable>> = match (count, &file.kernel[..]) {
        (None, []) => {
            return Err(InputError::new(place, "no kernels: want kernels = N or [[kernel]] tables"));
        }
        (Some(_), [table, ..]) => {
            let what = "both kernels and [[kernel]]: want one of them";
            return Err(source.error(table.span().start, what));
        }
        (Some(count), []) => match usize::try_from(count) {
            Ok(few) if count <= MOST_BLOCKS => vec![None; few],
            _ => {
                let at = file.kernels.as_ref().map_or(0, |kernels| kernels.span().start);
                return Err(source.error(at, format!("kernels = {count}: want {MOST_BLOCKS} or fewer")));
            }
        },
        (None, tables) => tables.iter().map(|table| Some(table.get_ref())).collect(),
    };
    let whole =
        |key: &str, one: Option<&Spanned<i64>>, all: &Option<Spanned<i64>>, default: Option<u64>| match (
            one.or(all.as_ref()),
            default,
        ) {
            (Some(value), _) => source.plausible(key, value, most(key)),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(InputError::new(place, format!("no {key}: want 1 or more"))),
        };
    let plan = plan::read(&source, &file)?;
    let mut kernels = Vec::new();
    let mut demands = Vec::new();
    for (index, table) in tables.into_iter().enumerate() {
        let name = table.and_then(|table| table.name.clone()).unwrap_or_else(|| format!("K{}", index + 1));
        if kernels.iter().any(|other: &KernelDraft| other.name == name) {
            let at = file.kernel.get(index).map_or(0, |table| table.span().start);
            return Err(source.error(at, format!("name = {name:?}: another kernel has this name")));
        }
        let blocks = whole("blocks", table.and_then(|t| t.blocks.as_ref()), &file.blocks, Some(1))?;
        let planned = plan.map(|plan| plan.tiles_of(blocks));
        let tiles = whole("tiles", table.and_then(|t| t.tiles.as_ref()), &file.tiles, planned)?;
        let threads = table.and_then(|t| t.threads_per_block.as_ref());
        let threads = whole("threads_per_block", threads, &file.threads_per_block, Some(0))?;
        let memory = table.and_then(|t| t.shared_memory.as_ref());
        let shared_memory = whole("shared_memory", memory, &file.shared_memory, Some(0))?;
        let block = device.demand(threads, WARP, shared_memory, Between::exactly(0)).least();
        demands.push((blocks, block));
        let of = |table: &Spanned<PhasesTable>| phases(&source, table, multiprocessor, &gpu);
        let given = table.and_then(|t| t.phases.as_ref()).or(file.phases.as_ref());
        let given = given.ok_or_else(|| InputError::new(place, format!("kernel {name}: no [phases]")))?;
        let contended = table.and_then(|t| t.contended.as_ref()).or(file.contended.as_ref());
        let contended = contended.map(of).transpose()?;
        let block = [threads, shared_memory];
        kernels.push(KernelDraft { name, blocks, block, tiles, phases: of(given)?, contended });
    }
    let all = demands.iter().fold(0_u64, |sum, (blocks, _)| sum.saturating_add(*blocks));
    if all > MOST_BLOCKS {
        return Err(InputError::new(place, format!("{all} blocks in all: want {MOST_BLOCKS} or fewer")));
    }
    let too_many = device.resident_kernels().filter(|&most| kernels.len() as u64 > most);
    let too_many = too_many.map(|most| format!("{} kernels: the GPU runs {most} at once", kernels.len()));
    if let Some(error) = too_many.or_else(|| place_all(&gpu, &demands).err().map(|error| error.to_string())) {
        let default = if file.gpu.is_none() { " (a jetson-tx2, since no [gpu] is given)" } else { "" };
        let at = file.gpu.as_ref().map(|table| table.span().start);
        let at = at.or(file.blocks.as_ref().map(|blocks| blocks.span().start));
        let what = format!("{error}{default}");
        return Err(at.map_or_else(|| InputError::new(place, &what), |at| source.error(at, &what)));
    }
    let natural = |key: &str,
                   value: &Option<Spanned<i64>>|
     -> Result<Option<(Nanoseconds, Option<usize>)>, InputError> {
        let Some(value) = value else { return Ok(None) };
        let number = source.natural(key, value, MOST_NS)?;
        Ok(Some((Nanoseconds(number), source.error(value.span().start, "").line)))
    };
    let prologue = natural("prologue_ns", &file.prologue_ns)?.map(|(ns, _)| ns);
    if let (Some(ns), Some(value)) = (prologue, &file.prologue_ns) {
        source.at_most("prologue_ns", ns.0, LONGEST.0, value.span().start)?;
    }
    let offsets = file.offsets.unwrap_or(OffsetsTable { prefetch_ns: None, writeback_ns: None });
    let mut times =
        kernels.iter().flat_map(|kernel| kernel.phases.iter().chain(kernel.contended.iter().flatten()));
    let of_code = times.any(|time| matches!(time, PhaseDuration::Code(..)));
    let of_sigmas = sigmas.filter(|_| of_code).map(|sigmas| sigmas.assumes());
    let placed = "all at once, though if the GPU placed them in another way some would find no room";
    let placed =
        (!fit_anyhow(&gpu, &demands)).then(|| Assumption::assumed(Id::BlockFits, "the blocks run", placed));
    let clock = device.of_clock().filter(|_| of_code);
    let of_paper = of_code.then(|| Assumption::assumed(Id::MachinePaper, "times of code", OF_PAPER));
    let further = [device.assumes_resident(), placed, clock, of_paper].into_iter().flatten();
    let further = further.chain(of_sigmas.into_iter().flatten());
    Ok(TilesFile {
        of_gpu: device.running.iter().cloned().chain(further).collect(),
        kernels,
        mode: mode(&source, file.mode.as_ref())?,
        timer: file
            .timer_ns
            .as_ref()
            .map(|_| whole("timer_ns", None, &file.timer_ns, None))
            .transpose()?
            .map(Nanoseconds),
        start: natural("start_ns", &file.start_ns)?.map_or(Nanoseconds::ZERO, |(ns, _)| ns),
        warm_up: natural("warm_up_ns", &file.warm_up_ns)?.map_or(Nanoseconds::ZERO, |(ns, _)| ns),
        prologue,
        prefetch_offset: natural("prefetch_ns", &offsets.prefetch_ns)?,
        writeback_offset: natural("writeback_ns", &offsets.writeback_ns)?,
        plan,
        sharing: file
            .sharing
            .map_or_else(|| Ok(SharingDraft::default()), |table| sharing::read(&source, &table))?,
    })
}

fn mode(source: &Source<'_>, value: Option<&Spanned<String>>) -> Result<Mode, InputError> {
    let Some(value) = value else { return Ok(Mode::TileKernel) };
    Mode::named(value.get_ref()).ok_or_else(|| {
        let names = Mode::ALL.map(Mode::name).join(", ");
        source.error(value.span().start, format!("mode = {:?}: want one of {names}", value.get_ref()))
    })
}

fn phases(
    source: &Source<'_>,
    spanned: &Spanned<PhasesTable>,
    sigmas: Option<Multiprocessor>,
    gpu: &Gpu,
) -> Result<[PhaseDuration; 3], InputError> {
    let table = spanned.get_ref();
    let held = (gpu.resources.threads / WARP).max(1);
    let time = |phase: Phase, given: &Option<Spanned<i64>>, code: &Option<Spanned<String>>| {
        let missing = |what: String| source.error(spanned.span().start, what);
        match (given, code) {
            (Some(given), None) => Ok(PhaseDuration::Given(Nanoseconds(source.plausible(
                &format!("{phase}_ns"),
                given,
                MOST_NS,
            )?))),
            (None, Some(code)) => {
                let error = |what| source.error(code.span().start, what);
                let text = code.get_ref();
                let wrong = |what: &dyn std::fmt::Display| error(format!("{phase}_code = {text:?}: {what}"));
                let kernel: Kernel = text.parse().map_err(|what| wrong(&what))?;
                let warps = table.warps.as_ref().ok_or_else(|| wrong(&"want warps in the same table"))?;
                let clock = gpu.clock.ok_or_else(|| wrong(&"want clock_mhz in [gpu]"))?;
                let sigmas = sigmas.ok_or_else(|| wrong(&NO_SIGMAS))?;
                let workload = Workload::single(kernel, source.plausible("warps", warps, held)?, sigmas);
                Ok(PhaseDuration::Code(Box::new(workload.map_err(|what| wrong(&what))?), clock))
            }
            _ => Err(missing(format!("want one of {phase}_ns and {phase}_code"))),
        }
    };
    Ok([
        time(Phase::Prefetch, &table.prefetch_ns, &table.prefetch_code)?,
        time(Phase::Compute, &table.compute_ns, &table.compute_code)?,
        time(Phase::Writeback, &table.writeback_ns, &table.writeback_code)?,
    ])
}
