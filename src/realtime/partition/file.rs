//! Reading a file of GPU tasks.
//!
//! ```toml
//! multiprocessors = 68
//! [[task]]
//! name = "filter"
//! period = 50
//! deadline = 37.5               # at most the period, which is the default
//! kind = "memory"               # or "compute"
//! a = 20                        # C(m) = a/m + b, k times that in conflict
//! b = 2
//! k = 2.3
//! # instead of a and b:   execution = [22, 12, 9]    for m = 1, 2, ..; the last holds beyond
//! #                       conflict = [50, 28, 21]    instead of k
//! # or, with [gpu]:       code = "LLCLL", blocks = 64, threads_per_block = 256
//! #                       ptx = "k.ptx", a listing beside this file, instead of code
//! #                       entry = "k" where it has several, and if need be
//! #                       loop_bounds = { LOOP = 16 }, uniform = ["LABEL"], classes = "classes.toml"
//! #                       shared_memory = 0, registers_per_thread: at most what a thread may have, if not given
//! [gpu]                         # of a multiprocessor; or preset = "jetson-orin", which has multiprocessors too
//! threads = 1024
//! blocks = 16                   # and registers, shared_memory: what is not given limits nothing
//! clock_mhz = 1545              # times of this file are then in microseconds
//! [multiprocessor]              # as in an instance; default: what the preset has, or the listings' target
//! compute_capability = "7.0"
//! ```

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use thiserror::Error;
use toml::Value;

use crate::engines::portfolio::{ResidentsError, SolveError};
use crate::input::{Device, GpuTable, ListingKeys, Listings, MultiprocessorTable, device, machine};
use crate::model::Code;
use crate::model::device::Gpu;
use crate::model::time::Duration;
use crate::realtime::partition::hardware::{Hardware, LaunchKeys};
use crate::realtime::partition::{
    Execution, ExecutionError, Factor, KernelTimeError, Kind, Launch, Task, TaskError, TaskSet, read_time,
};
use crate::source::{InputError, Source, Spanned, decimal};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// How many multiprocessors there are; what the preset has if it is not given.
    multiprocessors: Option<Spanned<i64>>,
    /// What a multiprocessor holds, for tasks that are given as code.
    gpu: Option<Spanned<GpuTable>>,
    /// What a multiprocessor issues, for tasks that are given as code; by default what the preset has.
    multiprocessor: Option<Spanned<MultiprocessorTable>>,
    /// The tasks.
    #[serde(default)]
    task: Vec<Spanned<TaskTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskTable {
    /// Its name.
    name: Spanned<String>,
    /// The least time between two releases.
    #[schemars(with = "f64")]
    period: Spanned<Value>,
    /// How long a job may take; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    deadline: Option<Spanned<Value>>,
    /// `memory` for a memory-intensive task, `compute` for any other.
    kind: Spanned<String>,
    /// The part that multiprocessors share: C(m) = a/m + b.
    #[schemars(with = "Option<f64>")]
    a: Option<Spanned<Value>>,
    /// The part that is the same on any number of multiprocessors.
    #[schemars(with = "Option<f64>")]
    b: Option<Spanned<Value>>,
    /// The factor by which conflict lengthens an execution time, 1 or more.
    #[schemars(with = "Option<f64>")]
    k: Option<Spanned<Value>>,
    /// Execution times on 1, 2, ... multiprocessors, instead of `a` and `b`; the last holds for more.
    #[schemars(with = "Option<Vec<f64>>")]
    execution: Option<Spanned<Vec<Value>>>,
    /// Execution times in conflict, instead of `k`.
    #[schemars(with = "Option<Vec<f64>>")]
    conflict: Option<Spanned<Vec<Value>>>,
    /// The kernel string or the text of a program, instead of `a` and `b`.
    code: Option<Spanned<String>>,
    /// A listing beside this file, instead of `a` and `b`.
    ptx: Option<Spanned<String>>,
    /// The entry of the listing, where it has several.
    entry: Option<Spanned<String>>,
    /// How often loops of the listing pass their label at most.
    #[serde(default)]
    loop_bounds: BTreeMap<String, Spanned<i64>>,
    /// Labels of branches of the listing that all threads of a warp take alike.
    #[serde(default)]
    uniform: Vec<String>,
    /// A file of classes for instructions of the listing.
    classes: Option<Spanned<String>>,
    /// Blocks of a launch.
    blocks: Option<Spanned<i64>>,
    /// Threads of a block.
    threads_per_block: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes.
    shared_memory: Option<Spanned<i64>>,
    /// Registers of a thread; as many as it may have if it is not given.
    registers_per_thread: Option<Spanned<i64>>,
}

/// Why a file gives no task set.
#[derive(Debug, Error)]
pub enum TasksError {
    /// The file is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The engines failed at the code of a task.
    #[error("{at}")]
    Solve {
        /// Where the code stands, and why they failed.
        at: InputError,
        /// Why they failed.
        error: Box<SolveError>,
    },
}

/// The JSON Schema of a file of tasks.
pub(crate) fn schema() -> Schema {
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
    mut times: impl FnMut(&Launch, &Gpu) -> Result<Vec<Duration>, KernelTimeError>,
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
    let preset = device.as_ref().and_then(|device| device.preset.as_ref());
    let machine = machine(&source, file.multiprocessor.as_ref(), preset)?;
    let mut listings = Listings::new(&source, machine.capability);
    let codes = codes(&source, &file, &mut listings)?;
    let sigmas = match machine.sigmas {
        Some(sigmas) => Some(sigmas),
        None => listings.sigmas()?,
    };
    let mut assumed = Vec::new();
    if let Some(device) = &device {
        assumed.extend(device.assumes.clone().filter(|_| file.multiprocessors.is_none()));
        if codes.iter().any(Option::is_some) {
            assumed.extend(device.assumes_resident());
            assumed.extend(sigmas.and_then(|sigmas| sigmas.assume()));
        }
    }
    let gpu = device.map(|device| Hardware { device, sigmas, warp_size: machine.warp_size });
    let mut tasks = Vec::with_capacity(file.task.len());
    for (table, code) in file.task.iter().zip(codes) {
        tasks.push(task(&source, table, code, count, gpu.as_ref(), &mut times)?);
    }
    let set = TaskSet::new(tasks, count).map_err(|what| InputError::new(place, what))?;
    Ok(set.assuming(assumed))
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

/// The code of each task that has one, with its place in the file.
fn codes(
    source: &Source<'_>,
    file: &File,
    listings: &mut Listings<'_>,
) -> Result<Vec<Option<(Code, usize)>>, InputError> {
    let mut of_tasks = Vec::with_capacity(file.task.len());
    for table in file.task.iter().map(Spanned::get_ref) {
        let keys = ListingKeys {
            entry: table.entry.as_ref(),
            loop_bounds: &table.loop_bounds,
            uniform: &table.uniform,
            classes: table.classes.as_ref(),
        };
        of_tasks.push(match (&table.code, &table.ptx) {
            (_, None) if keys.are_given() => {
                let what = format!(
                    "task {:?}: entry, loop_bounds, uniform and classes are of a listing: want ptx = \"FILE\"",
                    table.name.get_ref()
                );
                return Err(source.error(table.name.span().start, what));
            }
            (Some(code), None) => Some((source.parsed("code", code)?, code.span().start)),
            (None, Some(file)) => Some((listings.read(file, &keys)?, file.span().start)),
            _ => None,
        });
    }
    Ok(of_tasks)
}

fn task(
    source: &Source<'_>,
    spanned: &Spanned<TaskTable>,
    code: Option<(Code, usize)>,
    multiprocessors: usize,
    hardware: Option<&Hardware>,
    times: &mut impl FnMut(&Launch, &Gpu) -> Result<Vec<Duration>, KernelTimeError>,
) -> Result<Task, TasksError> {
    let table = spanned.get_ref();
    let at = |place: usize, what: &dyn std::fmt::Display| {
        source.error(place, format!("task {:?}: {what}", table.name.get_ref()))
    };
    let here = |what: &dyn std::fmt::Display| at(spanned.span().start, what);
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == table.kind.get_ref()).ok_or_else(|| {
        at(table.kind.span().start, &format!("kind = {:?}: want memory or compute", table.kind.get_ref()))
    })?;
    let period = time(source, "period", &table.period)?;
    let deadline = match &table.deadline {
        Some(deadline) => time(source, "deadline", deadline)?,
        None => period,
    };
    let ways = [
        (table.a.is_some() || table.b.is_some(), "a and b"),
        (table.execution.is_some(), "execution"),
        (table.code.is_some(), "code"),
        (table.ptx.is_some(), "ptx"),
    ];
    let given: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "no execution time".to_owned() } else { given.join(" beside ") };
        return Err(here(&format!("{found}: want one of: a and b; execution; code; ptx")).into());
    }
    let wrong = |place: usize| move |error: ExecutionError| at(place, &error);
    let place = spanned.span().start;
    let execution = if let Some(times) = &table.execution {
        let alone = list(source, "execution", times)?;
        match (&table.conflict, &table.k) {
            (Some(conflict), None) => Execution::new(alone, list(source, "conflict", conflict)?),
            (None, Some(k)) => Execution::with_factor(alone, number(source, "k", k, str::parse)?),
            _ => return Err(here(&"execution wants conflict, a list as long, or k, the factor").into()),
        }
        .map_err(wrong(times.span().start))?
    } else {
        let Some(k) = &table.k else {
            let what = "no k: want the factor under conflict (Si21 measured 1.2 compute, 2.3 memory)";
            return Err(here(&what).into());
        };
        if table.conflict.is_some() {
            return Err(here(&"conflict goes with execution: want k").into());
        }
        let k: Factor = number(source, "k", k, str::parse)?;
        if let Some((code, place)) = code {
            let Some(hardware) = hardware else {
                return Err(here(&format!("{} without [gpu]: want its table", given[0])).into());
            };
            let keys = LaunchKeys {
                task: table.name.get_ref(),
                blocks: table.blocks.as_ref(),
                threads_per_block: table.threads_per_block.as_ref(),
                shared_memory: table.shared_memory.as_ref(),
                registers_per_thread: table.registers_per_thread.as_ref(),
            };
            let launch = hardware.launch(source, &keys, code, place)?;
            let gpu = hardware.device.gpu_of(multiprocessors as u64);
            let alone = times(&launch, &gpu).map_err(|error| {
                let at = at(place, &error);
                match error {
                    KernelTimeError::Code(ResidentsError::Solve(error)) => {
                        TasksError::Solve { at, error: Box::new(error) }
                    }
                    _ => at.into(),
                }
            })?;
            Execution::with_factor(alone, k).map_err(wrong(place))?
        } else {
            let (Some(a), Some(b)) = (&table.a, &table.b) else {
                return Err(here(&"a without b, or b without a: want both").into());
            };
            let (a, b) = (time(source, "a", a)?, time(source, "b", b)?);
            Execution::amdahl(a, b, k, multiprocessors).map_err(wrong(place))?
        }
    };
    let of_code =
        [&table.blocks, &table.threads_per_block, &table.shared_memory, &table.registers_per_thread];
    if table.code.is_none() && table.ptx.is_none() && of_code.iter().any(|value| value.is_some()) {
        let what = "blocks, threads_per_block, shared_memory and registers_per_thread go with code or ptx";
        return Err(here(&what).into());
    }
    let name = table.name.get_ref().clone();
    Ok(Task::new(name, period, deadline, kind, execution).map_err(|what| {
        let place = match (&what, &table.deadline) {
            (TaskError::Unprintable(_), _) => table.name.span().start,
            (TaskError::Deadline | TaskError::Late(..), Some(deadline)) => deadline.span().start,
            _ => table.period.span().start,
        };
        at(place, &what)
    })?)
}

/// A number as TOML writes it, whole or with a point, which is read to its last digit.
fn number<T>(
    source: &Source<'_>,
    key: &str,
    value: &Spanned<Value>,
    read: fn(&str) -> Result<T, String>,
) -> Result<T, InputError> {
    number_at(source, key, value.span().start, value.get_ref(), read)
}

/// The same for a value whose place is known from elsewhere.
fn number_at<T>(
    source: &Source<'_>,
    key: &str,
    at: usize,
    value: &Value,
    read: fn(&str) -> Result<T, String>,
) -> Result<T, InputError> {
    read(&decimal(value)).map_err(|what| source.error(at, format!("{key} = {value}: {what}")))
}

fn time(source: &Source<'_>, key: &str, value: &Spanned<Value>) -> Result<Duration, InputError> {
    number(source, key, value, read_time)
}

fn list(source: &Source<'_>, key: &str, values: &Spanned<Vec<Value>>) -> Result<Vec<Duration>, InputError> {
    let at = values.span().start;
    let one = |value: &Value| number_at(source, key, at, value, read_time);
    values.get_ref().iter().map(one).collect()
}
