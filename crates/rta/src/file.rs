//! Reading a system file: kernels on a GPU, for `rta`.
//!
//! ```toml
//! unit = "ms"                   # of all times: ticks (default), cycles, ns, us, ms, s
//! [gpu]
//! preset = "jetson-tx2"         # `warpspan gpus` lists presets; instead of one, the file may give
//! #                             # multiprocessors, threads, shared_memory, registers, blocks and clock_mhz
//! # dram_rate = "70%"           # also dram_clock_mhz, dram_others and dram_spread, as the flags of `time`
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
//! A file with `[[graph]]` tables is one of graphs ([`graphs`](super::graphs)): its kernels then say no more than what their
//! blocks need and how long they take.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::graphs::{CopiesTable, CoresTable, GraphTable, Tables};
use crate::shared::{Kernels, ProcessesTable, shared};
use crate::streams::{StreamTable, Streams};
use crate::tiles::{Named, Tiles};
use crate::{Measured, Source as Origin, System, Task};
use warpspan_kernel::input::Ground;
use warpspan_kernel::input::{ANY, Device, GpuTable, device, left_out};
use warpspan_kernel::input::{CodeOn, MachineKey, Platform, platform};
use warpspan_kernel::input::{ListingKeys, Listings, Moved};
use warpspan_kernel::input::{MultiprocessorTable, NO_SIGMAS, machine};
use warpspan_model::Multiprocessor;
use warpspan_model::device::{Between, Preset};
use warpspan_model::machine::{Declared, Role};
use warpspan_model::source::InputError;
use warpspan_model::source::{
    MOST_REGISTERS, MOST_SHARED, MOST_THREADS, Source, Spanned, WholeOrText, decimal,
};
use warpspan_model::time::{Duration, TimeUnit};

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

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KernelTable {
    /// Its name; else that of the listing's entry, or K and its number.
    name: Option<String>,
    /// The time between launches; one launch only if it is not given.
    #[schemars(with = "Option<f64>")]
    period: Option<Spanned<toml::Value>>,
    /// Whether launches may be more than a period apart.
    #[serde(default)]
    sporadic: Option<Spanned<bool>>,
    /// How long after its arrival a launch is released at most; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    jitter: Option<Spanned<toml::Value>>,
    /// How long a launch may take from its arrival; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    deadline: Option<Spanned<toml::Value>>,
    /// The time of the first arrival; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    release: Option<Spanned<toml::Value>>,
    /// Blocks of a launch.
    blocks: Spanned<i64>,
    /// Threads of a block.
    threads_per_block: Spanned<i64>,
    /// C, an upper bound on the time of a block.
    #[schemars(with = "Option<f64>")]
    execution: Option<Spanned<toml::Value>>,
    /// With which co-running blocks `execution` holds: `beside-others` (the default), where a block takes at most C
    /// whatever runs on its multiprocessor, or `alone`, where no other block is on it.
    measured: Option<Spanned<String>>,
    /// The kernel string or the text of a program, instead of `execution`.
    code: Option<Spanned<String>>,
    /// A listing by its path from this file, instead of `execution`.
    ptx: Option<Spanned<String>>,
    /// A file of `prem` by its path from this file, instead of `execution`: C is the bound of its schedule. Each of its
    /// kernels is a kernel here, in the order of that file.
    prem: Option<Spanned<String>>,
    /// The entry of the listing, where it has several.
    entry: Option<Spanned<String>>,
    /// How often loops of the listing pass their label at most.
    #[serde(default)]
    loop_bounds: BTreeMap<String, Spanned<i64>>,
    /// Values of its parameters and sizes of the launch by their names, each a number or a range such as `1..1024`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, WholeOrText>")]
    params: BTreeMap<String, Spanned<toml::Value>>,
    /// Labels of branches of the listing that all threads of a warp take alike.
    #[serde(default)]
    uniform: Vec<String>,
    /// Labels or lines of the listing to which control never comes.
    #[serde(default)]
    unreachable: Vec<String>,
    /// The most transactions of a pass of memory instructions of the listing, by labels or lines; `*` for all.
    #[serde(default)]
    transactions: BTreeMap<String, Spanned<i64>>,
    /// A file of classes for instructions of the listing.
    classes: Option<Spanned<String>>,
    /// A file of declarations for the listing, as `extract` writes it.
    declare: Option<Spanned<String>>,
    /// The process that launches it, where there is a table `[processes]`.
    process: Option<Spanned<String>>,
    /// The stream that it is launched into.
    pub(super) stream: Option<Spanned<String>>,
    /// The priority of its stream, where there are no `[[stream]]` tables.
    pub(super) priority: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes; that of its listing, or the most that a block may have, if it is not given.
    shared_memory: Option<Spanned<i64>>,
    /// Registers of a thread; those of its listing, or the most that a block may have, if they are not given.
    registers_per_thread: Option<Spanned<i64>>,
    /// The time on the copy engine before a launch.
    #[schemars(with = "Option<f64>")]
    copy_in: Option<Spanned<toml::Value>>,
    /// The time on the copy engine after a launch.
    #[schemars(with = "Option<f64>")]
    copy_out: Option<Spanned<toml::Value>>,
    /// The most bytes that a launch moves through the DRAM, as `512 MB`, or those of a block, as `8KB/block`; with
    /// `:lines` if they move in whole lines. By default what the instructions of code can move.
    dram_bytes: Option<Spanned<String>>,
    /// The same for the L2.
    l2_bytes: Option<Spanned<String>>,
}

/// The JSON Schema of a system file.
#[doc(hidden)]
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
    let reader = Reader { source, unit, device, tiles, left_out: RefCell::default() };
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
    let of_letters = platform.map(Platform::assumes);
    let of_sigmas = sigmas.filter(|_| of_code).and_then(|sigmas| sigmas.assume());
    let left_out = left_out(&reader.left_out.borrow());
    let assumed = [reader.device.assumes.clone(), reader.device.assumes_resident(), left_out, of_sigmas];
    let assumed = assumed.into_iter().flatten().chain(of_letters.into_iter().flatten());
    let assumed = assumed.chain(listings.assumes().iter().cloned()).chain(reader.tiles.assumes()).collect();
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
    let ground = Ground { preset: reader.device.preset, ..of_ground.unwrap_or_default() };
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
    let system = system.with_throughput(multiprocessor, fastest).assuming(assumed).of_capability(of_gpu);
    let named: Vec<_> =
        file.kernel.iter().map(|of| (of.span().start, of.get_ref().process.as_ref())).collect();
    shared(source, system, file.processes.as_ref(), &named)
}

/// More blocks than a grid can have in its largest dimension, which is 2^31 - 1.
const MOST_BLOCKS: u64 = 1 << 31;

/// Reads the listing of a kernel, over the letters of the machine if the file gives one.
fn listing(
    listings: &mut Listings<'_>,
    file: &Spanned<String>,
    keys: &ListingKeys<'_>,
    platform: Option<&mut Platform>,
) -> Result<Origin, InputError> {
    let Some(platform) = platform else {
        return listings.read(file, keys).map(Origin::Listing);
    };
    Ok(match platform.listing(listings, file, keys)? {
        CodeOn::Paper(code) => Origin::Listing(code),
        CodeOn::Machine(code) => Origin::OnMachine(code),
    })
}

struct Reader<'a> {
    source: &'a Source<'a>,
    unit: TimeUnit,
    device: Device,
    tiles: Tiles,
    /// The kernels of which a file does not say what a block needs, with the keys that are missing.
    left_out: RefCell<Vec<(String, Vec<&'static str>)>>,
}

impl KernelTable {
    /// A key that says when and in which order the kernel is launched, with its place.
    fn of_launches(&self) -> Option<(&'static str, usize)> {
        let time = |key, value: &Option<Spanned<toml::Value>>| Some((key, value.as_ref()?.span().start));
        let given = [
            time("period", &self.period),
            time("jitter", &self.jitter),
            time("deadline", &self.deadline),
            time("release", &self.release),
            time("copy_in", &self.copy_in),
            time("copy_out", &self.copy_out),
            self.sporadic.as_ref().map(|value| ("sporadic", value.span().start)),
            self.stream.as_ref().map(|value| ("stream", value.span().start)),
            self.priority.as_ref().map(|value| ("priority", value.span().start)),
        ];
        given.into_iter().flatten().next()
    }

    /// The file of `prem` that it names.
    fn named(&self) -> Named<'_> {
        Named { file: self.prem.as_ref(), copies: self.copy_in.is_some() || self.copy_out.is_some() }
    }
}

/// The time of a key, which is no less than so much: 0, or more.
pub(crate) fn time_of_key(
    source: &Source<'_>,
    unit: TimeUnit,
    key: &str,
    value: &Spanned<toml::Value>,
    least: u64,
) -> Result<Duration, InputError> {
    let error =
        |what: String| source.error(value.span().start, format!("{key} = {}: {what}", value.get_ref()));
    let time = unit.read(&decimal(value.get_ref())).map_err(|what| error(what.to_string()))?;
    if time.0 < least {
        return Err(error("want more than 0".to_owned()));
    }
    Ok(time)
}

impl Reader<'_> {
    fn time(&self, key: &str, value: &Spanned<toml::Value>, least: u64) -> Result<Duration, InputError> {
        time_of_key(self.source, self.unit, key, value, least)
    }

    /// What the table declares of the bytes that a launch moves.
    fn traffic(&self, table: &KernelTable, blocks: u64) -> Result<Vec<Declared>, InputError> {
        let keys = [("dram_bytes", Role::Dram, &table.dram_bytes), ("l2_bytes", Role::L2, &table.l2_bytes)];
        let given = keys.into_iter().filter_map(|(key, role, value)| Some((key, role, value.as_ref()?)));
        let declared = |(key, role, value): (&str, Role, &Spanned<String>)| {
            let moved = Moved::read(value.get_ref());
            let moved =
                moved.map_err(|what| self.source.error(value.span().start, format!("{key} = {what}")))?;
            Ok(moved.declared(role, blocks))
        };
        given.map(declared).collect()
    }

    fn code(&self, string: &Spanned<String>, platform: Option<&mut Platform>) -> Result<Origin, InputError> {
        let Some(platform) = platform else {
            return self.source.parsed("code", string).map(Origin::Code);
        };
        Ok(match platform.code(self.source, "code", string)? {
            CodeOn::Paper(code) => Origin::Code(code),
            CodeOn::Machine(code) => Origin::OnMachine(code),
        })
    }

    fn measured(
        &self,
        name: &str,
        value: &Spanned<String>,
        execution: &Origin,
    ) -> Result<Measured, InputError> {
        let error = |what: &str| {
            let what = format!("kernel {name}: measured = {:?}: {what}", value.get_ref());
            Err(self.source.error(value.span().start, what))
        };
        match (execution, value.get_ref().as_str()) {
            (Origin::Code(_) | Origin::Listing(_) | Origin::OnMachine(_), _) => {
                error("C is computed from code, not measured: want execution = TIME")
            }
            (Origin::Given(_), "alone") => Ok(Measured::Alone),
            (Origin::Given(_), "beside-others") => Ok(Measured::BesideOthers),
            (Origin::Given(_), _) => error("want \"alone\" or \"beside-others\""),
        }
    }

    fn task(
        &self,
        number: usize,
        spanned: &Spanned<KernelTable>,
        streams: &mut Streams,
        listings: &mut Listings<'_>,
        platform: Option<&mut Platform>,
    ) -> Result<Task, InputError> {
        let (table, at) = (spanned.get_ref(), spanned.span().start);
        let name = table.name.clone().unwrap_or_else(|| format!("K{number}"));
        let time = |key, value: &Option<Spanned<toml::Value>>, least| {
            value.as_ref().map(|value| self.time(key, value, least)).transpose()
        };
        let keys = ListingKeys {
            entry: table.entry.as_ref(),
            loop_bounds: &table.loop_bounds,
            params: &table.params,
            uniform: &table.uniform,
            unreachable: &table.unreachable,
            transactions: &table.transactions,
            classes: table.classes.as_ref(),
            declare: table.declare.as_ref(),
        };
        let tiled = self.tiles.time(number - 1);
        let given = [
            ("execution", table.execution.as_ref().map(Spanned::span)),
            ("code", table.code.as_ref().map(Spanned::span)),
            ("ptx", table.ptx.as_ref().map(Spanned::span)),
            ("prem", table.prem.as_ref().map(Spanned::span)),
        ];
        let given: Vec<_> = given.into_iter().filter_map(|(key, span)| Some((key, span?))).collect();
        if let [_, .., (_, last)] = &given[..] {
            let keys: Vec<&str> = given.iter().map(|(key, _)| *key).collect();
            let what = format!("kernel {name}: both {}: want one of them", keys.join(" and "));
            let last = given.iter().map(|(_, span)| span.start).max().unwrap_or(last.start);
            return Err(self.source.error(last, what));
        }
        let execution = match (&table.execution, &table.code, &table.ptx, tiled) {
            (Some(value), ..) => Origin::Given(self.time("execution", value, 1)?),
            (_, Some(string), ..) => self.code(string, platform)?,
            (_, _, Some(file), _) => listing(listings, file, &keys, platform)?,
            (_, _, _, Some(time)) => Origin::Given(time),
            (None, None, None, None) => {
                let what = format!(
                    "kernel {name}: C is missing: want execution = TIME, code = \"LLCLL\", ptx = \"FILE\" or prem = \"FILE\""
                );
                return Err(self.source.error(at, what));
            }
        };
        if let Some(value) = table.measured.as_ref().filter(|_| tiled.is_some()) {
            let what = format!("kernel {name}: measured is of execution = TIME: C of prem is a bound");
            return Err(self.source.error(value.span().start, what));
        }
        let measured = match &table.measured {
            None if tiled.is_some() => Measured::AtMost,
            None => Measured::BesideOthers,
            Some(value) => self.measured(&name, value, &execution)?,
        };
        let name = match (&table.name, &execution) {
            (None, _) if table.ptx.is_some() => listings.name(&name),
            _ => name,
        };
        if table.ptx.is_none() && keys.are_given() {
            let what = format!("kernel {name}: {}", ListingKeys::WANT_A_LISTING);
            return Err(self.source.error(at, what));
        }
        let period = time("period", &table.period, 1)?;
        let sporadic = table.sporadic.as_ref().filter(|sporadic| *sporadic.get_ref());
        if let Some(sporadic) = sporadic.filter(|_| period.is_none()) {
            let what = format!(
                "kernel {name}: sporadic = true and no period: want period = TIME, the least time between launches"
            );
            return Err(self.source.error(sporadic.span().start, what));
        }
        let threads = self.source.plausible("threads_per_block", &table.threads_per_block, MOST_THREADS)?;
        let blocks = self.source.plausible("blocks", &table.blocks, MOST_BLOCKS)?;
        let [of_registers, of_shared] = if table.ptx.is_some() { listings.resources() } else { [ANY, ANY] };
        let count = |key: &str, value: &Option<Spanned<i64>>, most: u64, open: Between| match value {
            None => Ok(open),
            Some(value) => self.source.natural(key, value, most).map(Between::exactly),
        };
        let registers =
            count("registers_per_thread", &table.registers_per_thread, MOST_REGISTERS, of_registers)?;
        let shared_memory = count("shared_memory", &table.shared_memory, MOST_SHARED, of_shared)?;
        if let Some(what) = self.device.refusal(threads, shared_memory.least, registers.least) {
            return Err(self.source.error(at, format!("kernel {name}: {what}: want smaller blocks")));
        }
        let needs = self.device.needs(threads, shared_memory, registers);
        if !needs.left_out.is_empty() {
            self.left_out.borrow_mut().push((name.clone(), needs.left_out));
        }
        let stream = streams.of(self.source, &name, table)?;
        Ok(Task {
            period,
            sporadic: sporadic.is_some(),
            jitter: time("jitter", &table.jitter, 0)?.unwrap_or_default(),
            deadline: time("deadline", &table.deadline, 1)?.or(period),
            release: time("release", &table.release, 0)?.unwrap_or_default(),
            fixed: table.release.is_some(),
            execution,
            measured,
            blocks,
            threads,
            block: needs.block,
            least: needs.least,
            stream,
            copy_in: time("copy_in", &table.copy_in, 0)?.unwrap_or_default(),
            copy_out: time("copy_out", &table.copy_out, 0)?.unwrap_or_default(),
            traffic: self.traffic(table, blocks)?,
            name,
        })
    }
}
