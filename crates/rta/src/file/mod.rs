//! Reading a system file: kernels on a GPU, for `rta`.
//!
//! ```toml
//! unit = "ms"                   # of all times: ticks (default), cycles, ns, us, ms, s
//! [gpu]
//! preset = "jetson-tx2"         # `warpspan gpus` lists presets; instead of one, the file may give
//! #                             # multiprocessors, threads, shared_memory, registers, blocks and clock_mhz
//! # dram_rate = "70%"           # also dram_clock_mhz, dram_others, dram_spread and host_memory, as the flags of `time`
//! [multiprocessor]              # for kernels given as code, with the keys of an instance file; if it is
//! #                             # missing, the preset or the target of the listings says what it has, and
//! #                             # listings on a preset run on its machine; machine = "paper" takes them as letters
//! compute_capability = "6.2"
//! # machine = "m.toml"          # instead, at the top: a machine with latency and issue width, a file in the same folder
//! #                             # or a capability such as "8.7"; or a table [machine] with the keys of such a
//! #                             # file, and its units and letters in [[machine.unit]] and [[machine.letter]]
//! [[stream]]                    # optional; once there is one, kernels may name no others
//! name = "a"
//! priority = 0                  # larger is more urgent
//! [[kernel]]                    # in launch order
//! name = "K1"                   # else that of a listing's entry, or K and its number
//! period = 15
//! blocks = 2
//! threads_per_block = 512
//! execution = 4                 # C; or code = "LLCLL", or a listing:
//! # ptx = "k.ptx", entry = "k"  # in the same folder; entry where the listing has several
//! # prem = "tiles.toml"         # or C from a file of `prem` in the same folder, each kernel of which names it
//! # loop_bounds = { LOOP = 16 }, params = { n = 1024 }, uniform = ["LABEL"], unreachable = ["LINE"], transactions = { "LINE" = 4 }, classes = "classes.toml", declare = "k.toml"
//! # sporadic = false            # whether launches may be more than a period apart
//! # jitter = 0                  # how long after its arrival a launch is released at most
//! # measured = "beside-others"  # or "alone": with which co-running blocks C of `execution` holds
//! # registers_per_thread = 32, shared_memory = 0   # the most that a block may have if they are not given
//! # release = 0, deadline = period, stream = "a", priority = 0
//! # copy_in = 0, copy_out = 0   # time on the copy engine before and after
//! # process = "a"               # with a table [processes]: scheduling = "time-slices" (slice, switch) or "mps"
//! # dram_bytes = "512 MB"       # what a launch moves at most, or 8KB/block, with :lines where whole lines move; wanted
//! # l2_bytes = "512 MB"         # where `execution` is given together with kernels of code on a machine with memory
//! ```
//!
//! A file with `[[graph]]` tables is one of graphs ([`graphs`](crate::graphs)): its kernels then say no more than what their
//! blocks need and how long they take.

mod task;

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::graphs::{CopiesTable, CoresTable, GraphTable, Tables};
use crate::kernel_table::KernelTable;
use crate::shared::{Kernels, ProcessesTable, shared};
use crate::streams::{StreamTable, Streams};
use crate::tiles::{Named, Tiles};
use crate::{Source as Origin, System, Task};
use task::Reader;
use warpspan_kernel::input::{
    GpuTable, Ground, Listings, MachineKey, MultiprocessorTable, NO_SIGMAS, Platform, device, left_out,
    machine, platform, would_mend,
};
use warpspan_kernel::input::{LISTING_LIMITS, of_letters};
use warpspan_model::Code;
use warpspan_model::Multiprocessor;
use warpspan_model::assumption::Rests;
use warpspan_model::device::Preset;
use warpspan_model::source::{InputError, Message, Source, Spanned};
use warpspan_model::time::TimeUnit;

pub(crate) use task::time_of_key;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// The unit of all times: `ticks` (the default), `cycles`, `ns`, `us`, `ms` or `s`.
    unit: Option<Spanned<String>>,
    /// What the kernels run on.
    gpu: Option<Spanned<GpuTable>>,
    /// What a multiprocessor issues, for kernels that are given as code; by default what the preset has.
    multiprocessor: Option<Spanned<MultiprocessorTable>>,
    /// A machine with latency and issue width, instead of `[multiprocessor]`: its table, or its name or file. That of the
    /// preset if there is a listing and neither is given; `paper` is the paper's multiprocessor, with the preset's
    /// throughput.
    machine: Option<Spanned<MachineKey>>,
    /// The streams; where there is one, kernels may name no others.
    #[serde(default)]
    stream: Vec<Spanned<StreamTable>>,
    /// How the processes share the GPU, where kernels belong to several.
    processes: Option<Spanned<ProcessesTable>>,
    /// The kernels, in the order in which they are launched.
    #[serde(default)]
    kernel: Vec<Spanned<KernelTable>>,
    /// What host nodes of graphs run on.
    cores: Option<Spanned<CoresTable>>,
    /// What copy nodes of graphs run on.
    copies: Option<Spanned<CopiesTable>>,
    /// Graphs of kernels, copies and work of the host, each launched as a whole. Its kernels then have neither times of
    /// launches nor streams.
    #[serde(default)]
    graph: Vec<Spanned<GraphTable>>,
}

/// The JSON Schema of a system file.
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Reads a system file of one process; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line; or that there are several processes.
pub fn read_system(place: &str, text: &str) -> Result<System, InputError> {
    read_kernels(place, text)?.one(place)
}

/// Reads a system file; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_kernels(place: &str, text: &str) -> Result<Kernels, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    if let Some(graph) = file.graph.first() {
        let what = "[[graph]]: kernels of a graph are launched together: want a file of kernels alone";
        return Err(source.error(graph.span().start, what));
    }
    let alone = [file.cores.as_ref().map(Spanned::span), file.copies.as_ref().map(Spanned::span)];
    if let Some(at) = alone.into_iter().flatten().next() {
        return Err(
            source.error(at.start, "what nodes of graphs run on, and no graph: want a [[graph]] table")
        );
    }
    read(&source, &file)
}

/// Reads a file of graphs: its kernels as a system, each in a stream of its own, and its graphs as they stand there.
pub(crate) fn read_tables(source: &Source<'_>) -> Result<Tables, InputError> {
    let file: File = source.toml()?;
    if let Some(stream) = file.stream.first() {
        let what = "[[stream]]: the edges of a graph are the order of its nodes: want no streams";
        return Err(source.error(stream.span().start, what));
    }
    for table in &file.kernel {
        if let Some((key, at)) = table.get_ref().of_launches() {
            let what = format!("{key}: the kernel is launched by nodes of graphs: want it in [[graph]]");
            return Err(source.error(at, what));
        }
    }
    let system = read(source, &file)?.one(source.place)?;
    let File { cores, copies, graph, .. } = file;
    Ok(Tables {
        system,
        cores: cores.map(Spanned::into_inner),
        copies: copies.map(Spanned::into_inner),
        graphs: graph,
    })
}

fn read(source: &Source<'_>, file: &File) -> Result<Kernels, InputError> {
    let place = source.place;
    let unit = match &file.unit {
        None => TimeUnit::default(),
        Some(name) => TimeUnit::named(name.get_ref()).ok_or_else(|| {
            let what = format!("unit = {:?}: want ticks, cycles, ns, us, ms or s", name.get_ref());
            source.error(name.span().start, what)
        })?,
    };
    let mut streams = Streams::new(source, &file.stream)?;
    let Some(gpu_table) = &file.gpu else {
        let what = format!("no [gpu]: want its preset ({}), or multiprocessors and threads", Preset::all());
        return Err(InputError::new(place, what));
    };
    let device = device(source, gpu_table)?;
    let gpu = device.gpu(source)?;
    let table = file.multiprocessor.as_ref();
    let preset = device.preset.as_ref();
    let has_listing = file.kernel.iter().any(|table| table.get_ref().ptx.is_some());
    let mut platform = platform(source, file.machine.as_ref(), table, Some(&device), has_listing)?;
    let of_preset = preset.and_then(|preset| preset.capability().ok()).filter(|_| platform.is_some());
    let preset = preset.filter(|_| platform.is_none());
    let machine = machine(source, table, preset)?.in_warps_of_32(source, table)?;
    let capability = platform.as_ref().and_then(Platform::capability);
    let capability = capability.or(machine.capability).or(of_preset);
    let mut listings = Listings::new(source, capability);
    let named: Vec<Named<'_>> = file.kernel.iter().map(|table| table.get_ref().named()).collect();
    let tiles = Tiles::read(source, unit, &named)?;
    let reader =
        Reader { source, unit, device, tiles, left_out: RefCell::default(), declared: RefCell::default() };
    let task = |(number, table): (usize, &Spanned<KernelTable>)| {
        reader.task(number, table, &mut streams, &mut listings, platform.as_mut())
    };
    let tasks: Vec<Task> = (1..).zip(&file.kernel).map(task).collect::<Result<_, _>>()?;
    reader.tiles.check(source, &gpu, &tasks)?;
    // Other kernels may have the room that a block of a kernel waits for.
    let there = file.graph.is_empty()
        && matches!(&tasks[..], [only] if only.blocks <= gpu.resources.fits(&only.block).saturating_mul(gpu.multiprocessors));
    listings.check_waits(there)?;
    let mut names = HashSet::new();
    for (task, table) in tasks.iter().zip(&file.kernel) {
        if !names.insert(&task.name) {
            let what = format!("name = {:?}: another kernel has this name", task.name);
            return Err(source.error(table.span().start, what));
        }
    }
    let platform = platform.as_ref();
    let of_machine = platform.map(Platform::sigmas).transpose()?.flatten();
    let sigmas = match machine.sigmas.or(of_machine) {
        Some(sigmas) => Some(sigmas),
        None => listings.sigmas()?,
    };
    let first = file.kernel.iter().find_map(|table| table.get_ref().code.as_ref());
    let fastest = sigmas.and_then(|sigmas| sigmas.capability?.fastest().ok());
    let multiprocessor = match (sigmas, first) {
        (Some(sigmas), _) => sigmas.multiprocessor,
        (None, Some(code)) if platform.is_none() => {
            let what = format!("code = {:?}: {NO_SIGMAS}", code.get_ref());
            return Err(source.error(code.span().start, what));
        }
        // Every execution time is given, so nothing asks for the throughput.
        (None, _) => Multiprocessor::default(),
    };
    let of_code = tasks.iter().any(|task| !matches!(task.execution, Origin::Given(_)));
    let of_sigmas = sigmas.filter(|_| of_code).map(|sigmas| sigmas.assumes());
    let mends = would_mend(&reader.left_out.borrow());
    let of_gpu = [reader.device.running.clone(), reader.device.assumes_resident()];
    let of_gpu = of_gpu.into_iter().flatten().chain(of_sigmas.into_iter().flatten());
    let of_platform = platform.map(Platform::assumes).unwrap_or_default();
    let of_keys = reader.declared.take();
    let of_streams = file.stream.iter().map(|table| table.get_ref().assumption());
    let all = of_gpu.chain(of_platform).chain(of_keys).chain(of_streams);
    let mut rests = Rests::from(Vec::from_iter(all));
    rests.notes.extend(left_out(&reader.left_out.borrow()).map(Message::from));
    rests.add(listings.rests());
    if tasks.iter().any(|task| matches!(task.execution, Origin::Listing(_))) {
        rests.add(of_letters());
    } else if tasks.iter().any(|task| matches!(task.execution, Origin::Code(Code::Program(_)))) {
        rests.notes.push(Message::text(LISTING_LIMITS));
    }
    rests.add(reader.tiles.rests());
    let fastest = fastest.unwrap_or(multiprocessor);
    let system = match platform.and_then(Platform::machine) {
        Some(machine) => System::on_machine(gpu, unit, streams.streams, tasks, Arc::clone(machine)),
        None => System::new(gpu, unit, streams.streams, tasks),
    };
    let system = system.map_err(|what| {
        let line = what.task().and_then(|task| file.kernel.get(task));
        match line {
            Some(table) => source.error(table.span().start, &what),
            None => InputError::new(place, &what),
        }
    })?;
    let of_ground = platform.filter(|platform| platform.machine().is_some()).map(|platform| {
        let (named, moves) = platform.memory();
        Ground::of(named, moves)
    });
    let clock = reader.device.of_clock();
    let ground = Ground { preset: reader.device.preset, clock, ..of_ground.unwrap_or_default() };
    let system = system.on_ground(ground);
    if let Some(kernel) = system.without_traffic() {
        let name = &system.tasks()[kernel].name;
        let what = format!(
            "kernel {name}: what it moves through the DRAM delays kernels of code: want dram_bytes = \"512 MB\", or \"0\" if it \
             moves nothing"
        );
        return Err(source.error(file.kernel[kernel].span().start, what));
    }
    let of_gpu = reader.device.preset.and_then(|preset| preset.capability().ok()).or(capability);
    let system = system.with_throughput(multiprocessor, fastest).resting_on(rests).of_capability(of_gpu);
    let system = system.mended_by(mends);
    let named: Vec<_> =
        file.kernel.iter().map(|of| (of.span().start, of.get_ref().process.as_ref())).collect();
    shared(source, system, file.processes.as_ref(), &named)
}
