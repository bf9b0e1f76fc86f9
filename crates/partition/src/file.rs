//! Reading a file of GPU tasks.
//!
//! ```toml
//! multiprocessors = 68
//! mechanism = "libsmctrl"       # what sets partitions up; nvtaskset, green-context, mig, mps; any sizes without it
//! multiprocessors_per_tpc = 2   # where no capability tells it
//! test = "edf"                  # the policy within a partition; np-edf, the default; np-dm
//! [[task]]
//! name = "filter"
//! period = 50
//! deadline = 37.5               # at most the period, which is the default
//! kind = "memory"               # or "compute"; derived from a and b, or from execution, if it is not given
//! a = 20                        # C(m) = a/m + b, k times that in conflict
//! b = 2
//! k = 2.3
//! # instead of a and b:   execution = [22, 12, 9]    for m = 1, 2, ..; the last holds beyond
//! #                       conflict = [50, 28, 21]    instead of k
//! # or, with [gpu]:       code = "LLCLL", blocks = 64, threads_per_block = 256
//! #                       prem = "tiles.toml", a file of `prem` in the same folder, instead of code, blocks and k
//! #                       ptx = "k.ptx", a listing in the same folder, instead of code
//! #                       entry = "k" where it has several, and if need be
//! #                       loop_bounds = { LOOP = 16 }, params = { n = 1024 }, uniform = ["LABEL"], unreachable = ["LINE"], transactions = { "LINE" = 4 }, classes = "classes.toml", declare = "k.toml"
//! #                       shared_memory = 0, registers_per_thread; what is missing is the most that may be
//! [[partition]]                 # partitions that are to be judged, instead of looked for; all tasks are in one each
//! multiprocessors = 4
//! tasks = ["filter"]
//! [gpu]                         # of a multiprocessor; or preset = "jetson-orin", with multiprocessors too
//! threads = 1024
//! blocks = 16                   # and registers, shared_memory: what is not given limits nothing
//! clock_mhz = 1545              # times of this file are then in microseconds
//! [multiprocessor]              # as in an instance; default: what the preset has, or the listings' target
//! compute_capability = "7.0"
//! # machine = "m.toml"          # instead, at the top: a machine with latency and issue width, a file in the same folder
//! #                             # or a capability such as "8.7"; or a table [machine] with the keys of such a
//! #                             # file, and its units and letters in [[machine.unit]] and [[machine.letter]]
//! ```

use std::cell::RefCell;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::fixed::{PartitionTable, given};
use crate::hardware::{Coded, Hardware};
use crate::memory::{Shared, with_memory};
use crate::task_table::{TaskTable, task};
use crate::tasks_error::TasksError;
use crate::{KernelTimeError, Launch, Mechanism, Structure, TaskError, TaskSet, Test, tiles};
use warpspan_kernel::input::{
    CodeOn, Device, GpuTable, ListingKeys, Listings, MachineKey, MultiprocessorTable, Platform, Shown,
    Sigmas, device, left_out, machine, of_count, of_pointers, platform,
};
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::device::Gpu;
use warpspan_model::source::{InputError, Message, Source, Spanned};
use warpspan_model::time::Millionths;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// How many multiprocessors there are; what the preset has if it is not given.
    multiprocessors: Option<Spanned<i64>>,
    /// The policy within a partition: `np-edf` (the default), `np-dm` or `edf`.
    test: Option<Spanned<String>>,
    /// What sets partitions up: `libsmctrl`, `nvtaskset`, `green-context`, `mig` or `mps`. They then have sizes that it can
    /// give them on the GPU; any number of multiprocessors if it is not given.
    mechanism: Option<Spanned<String>>,
    /// How many multiprocessors a TPC has, where the compute capability does not tell it.
    multiprocessors_per_tpc: Option<Spanned<i64>>,
    /// What a multiprocessor holds, for tasks that are given as code.
    gpu: Option<Spanned<GpuTable>>,
    /// What a multiprocessor issues, for tasks that are given as code; by default what the preset has.
    multiprocessor: Option<Spanned<MultiprocessorTable>>,
    /// A machine with latency and issue width, instead of `[multiprocessor]`: its table, or its name or file.
    machine: Option<Spanned<MachineKey>>,
    /// The tasks.
    #[serde(default)]
    task: Vec<Spanned<TaskTable>>,
    /// Partitions to verify, instead of a search.
    #[serde(default)]
    partition: Vec<Spanned<PartitionTable>>,
}

/// The JSON Schema of a file of tasks.
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads a file of tasks; `place` is its name in messages. `times` gives C(m) of a task whose code is given,
/// for m from 1 to the number of multiprocessors of the GPU.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_tasks(
    place: &str,
    text: &str,
    mut times: impl FnMut(&Launch, &Gpu) -> Result<Vec<Millionths>, KernelTimeError>,
) -> Result<TaskSet, TasksError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    let device = file.gpu.as_ref().map(|table| device(&source, table)).transpose()?;
    if let (Some(table), Some(device)) = (&file.gpu, &device)
        && table.get_ref().blocks.is_none()
        && device.preset.is_none()
    {
        let what = "[gpu] without blocks: want how many a multiprocessor holds, or a preset";
        return Err(source.error(table.span().start, what).into());
    }
    let count = multiprocessors(&source, &file, device.as_ref())?;
    let test = file.test.as_ref().map(|name| test(&source, name)).transpose()?;
    let preset = device.as_ref().and_then(|device| device.preset.as_ref());
    let has_listing = file.task.iter().any(|table| table.get_ref().ptx.is_some());
    let table = file.multiprocessor.as_ref();
    let mut platform = platform(&source, file.machine.as_ref(), table, device.as_ref(), has_listing)?;
    let of_preset = preset.and_then(|preset| preset.capability().ok()).filter(|_| platform.is_some());
    let preset = preset.filter(|_| platform.is_none());
    let machine = machine(&source, file.multiprocessor.as_ref(), preset)?;
    let capability = platform.as_ref().and_then(Platform::capability);
    let mut listings = Listings::new(&source, capability.or(machine.capability).or(of_preset));
    let codes = codes(&source, &file, platform.as_mut(), &mut listings)?;
    // A task may get a single multiprocessor.
    listings.check_waits(false)?;
    let of_machine = platform.as_ref().map(Platform::sigmas).transpose()?.flatten();
    let of_gpu = device.as_ref().and_then(|device| device.preset.as_ref());
    let structure = Structure {
        preset: of_gpu.map(|preset| (preset.name, preset.multiprocessors)),
        capability: of_gpu.and_then(|preset| preset.capability().ok()).or(capability).or(machine.capability),
        multiprocessors_per_tpc: (file.multiprocessors_per_tpc.as_ref())
            .map(|value| source.plausible("multiprocessors_per_tpc", value, TaskSet::MOST as u64))
            .transpose()?,
    };
    let mechanism = file.mechanism.as_ref().map(|name| mechanism(&source, name)).transpose()?;
    let sigmas = match machine.sigmas.or(of_machine) {
        Some(sigmas) => Some(sigmas),
        None => listings.sigmas()?,
    };
    let mut on =
        Vec::from_iter(file.multiprocessors.as_ref().map(|count| of_count("multiprocessors", count)));
    if let Some(device) = &device {
        if file.multiprocessors.is_none() {
            on.extend(device.running.clone());
        }
        let has_code = codes.iter().any(Option::is_some);
        if has_code || file.task.iter().any(|table| table.get_ref().prem.is_some()) {
            on.extend(device.assumes_resident());
        }
        if has_code {
            on.extend(sigmas.iter().flat_map(Sigmas::assumes));
        }
    }
    on.extend(platform.iter().flat_map(Platform::assumes));
    let kinds: Vec<String> =
        file.task.iter().map(Spanned::get_ref).filter_map(TaskTable::said_kind).collect();
    let of_kinds =
        || Assumption::declared(Id::ExecutionConflict, "kinds of tasks", kinds.join(", ")).by("kind");
    on.extend((!kinds.is_empty()).then(of_kinds));
    let mut rests = Rests::from(on);
    rests.add(listings.rests());
    let (platform, warp_size) = (platform.as_ref(), machine.warp_size);
    let gpu = device.map(|device| Hardware {
        device,
        platform,
        sigmas,
        warp_size,
        left_out: RefCell::default(),
        declared: RefCell::default(),
    });
    let (mut tasks, mut launches) = (Vec::with_capacity(file.task.len()), Vec::new());
    let mut computed = 0;
    for (table, code) in file.task.iter().zip(codes) {
        let tiled = tiled(&source, table.get_ref(), gpu.as_ref(), count, &mut rests)?;
        computed += usize::from(code.is_some() || tiled.is_some());
        let (task, derived, launch) = task(&source, table, (code, tiled), count, gpu.as_ref(), &mut times)?;
        tasks.push(task);
        launches.push(launch);
        rests.on.extend(derived);
        rests.on.extend(table.get_ref().declared());
    }
    if let Some(gpu) = &gpu {
        rests.on.append(&mut gpu.declared.borrow_mut());
        rests.notes.extend(left_out(&gpu.left_out.borrow()).map(Message::from));
    }
    let mut shared = Shared::default();
    if let Some(hardware) = &gpu {
        let of_gpu = hardware.device.gpu_of(count as u64);
        let wrong = |error| InputError::new(place, error);
        (tasks, shared) = with_memory(tasks, &launches, (platform, &of_gpu)).map_err(wrong)?;
        if launches.iter().any(Option::is_some) {
            shared.rests_on.extend(hardware.device.of_clock());
        }
        if let Some((named, true)) = platform.map(Platform::memory) {
            shared.rests_on.push(of_pointers(&named.memory));
        }
    }
    let given = given(&source, &file.partition, &tasks)?;
    let set = TaskSet::new(tasks, count).map_err(|what| InputError::new(place, what))?;
    let set = set.resting_on(rests, computed).sharing(shared).tested_by(test).with_given(given);
    Ok(set.on(structure, mechanism))
}

/// The mechanism that the file names.
fn mechanism(source: &Source<'_>, name: &Spanned<String>) -> Result<Mechanism, InputError> {
    let found = Mechanism::named(name.get_ref());
    found.ok_or_else(|| {
        let names = Mechanism::ALL.map(Mechanism::name).join(", ");
        source.error(name.span().start, format!("mechanism = {:?}: want one of {names}", name.get_ref()))
    })
}

/// The test that the file names.
fn test(source: &Source<'_>, name: &Spanned<String>) -> Result<Test, InputError> {
    let found = Test::named(name.get_ref());
    found.ok_or_else(|| {
        let names = Test::ALL.map(Test::name).join(", ");
        source.error(name.span().start, format!("test = {:?}: want one of {names}", name.get_ref()))
    })
}

/// M, from the file or from its GPU.
fn multiprocessors(source: &Source<'_>, file: &File, device: Option<&Device>) -> Result<usize, InputError> {
    let of_gpu = device.and_then(|device| device.multiprocessors);
    let count = match (&file.multiprocessors, of_gpu) {
        (None, Some(there)) => there,
        (None, None) => {
            let what = "no multiprocessors: want multiprocessors = N, or [gpu] with a preset";
            return Err(InputError::new(source.place, what));
        }
        (Some(value), there) => {
            let count = source.positive("multiprocessors", value)?;
            if count > TaskSet::MOST as u64 {
                let what = TaskError::Multiprocessors(usize::try_from(count).unwrap_or(usize::MAX));
                return Err(source.error(value.span().start, what));
            }
            if let Some(there) = there.filter(|&there| there < count) {
                let what = format!("multiprocessors = {count}: [gpu] has {there}: want that or less");
                return Err(source.error(value.span().start, what));
            }
            count
        }
    };
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// C(m) of a task whose kernels are cut into tiles; what it rests on is added to `rests`.
fn tiled(
    source: &Source<'_>,
    table: &TaskTable,
    hardware: Option<&Hardware<'_>>,
    multiprocessors: usize,
    rests: &mut Rests,
) -> Result<Option<Vec<Millionths>>, InputError> {
    let Some(file) = &table.prem else { return Ok(None) };
    let wrong = |what: &str| {
        let what = format!("task {:?}: prem = {:?}: {what}", table.name.get_ref(), file.get_ref());
        source.error(file.span().start, what)
    };
    let hardware = hardware.ok_or_else(|| wrong("no [gpu], on which its blocks must fit: want its table"))?;
    let found = tiles::times(source, file.get_ref(), hardware, multiprocessors);
    let (times, of_tiles) = found.map_err(|what| wrong(&what))?;
    rests.add(of_tiles);
    Ok(Some(times))
}

/// The code of each task that has one, with its place in the file.
fn codes(
    source: &Source<'_>,
    file: &File,
    mut platform: Option<&mut Platform>,
    listings: &mut Listings<'_>,
) -> Result<Vec<Option<Coded>>, InputError> {
    let mut of_tasks = Vec::with_capacity(file.task.len());
    for table in file.task.iter().map(Spanned::get_ref) {
        let keys = ListingKeys {
            name: Some(table.name.get_ref()),
            number: 0,
            entry: table.entry.as_ref(),
            loop_bounds: &table.loop_bounds,
            params: &table.params,
            uniform: &table.uniform,
            unreachable: &table.unreachable,
            transactions: &table.transactions,
            classes: table.classes.as_ref(),
            declare: table.declare.as_ref(),
        };
        of_tasks.push(match (&table.code, &table.ptx) {
            (_, None) if keys.are_given() => {
                let what = format!("task {:?}: {}", table.name.get_ref(), ListingKeys::WANT_A_LISTING);
                return Err(source.error(table.name.span().start, what));
            }
            (Some(code), None) => {
                let read = match &mut platform {
                    Some(platform) => platform.code(source, "code", code)?,
                    None => CodeOn::Paper(source.parsed("code", code)?),
                };
                Some(Coded { code: read, at: code.span().start, shown: Shown::NOTHING })
            }
            (None, Some(file)) => {
                let read = match &mut platform {
                    Some(platform) => platform.listing(listings, file, &keys)?,
                    None => CodeOn::Paper(listings.read(file, &keys)?),
                };
                Some(Coded { code: read, at: file.span().start, shown: listings.shown() })
            }
            _ => None,
        });
    }
    Ok(of_tasks)
}
