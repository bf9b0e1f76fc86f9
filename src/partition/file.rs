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
//! [gpu]                         # of a multiprocessor
//! threads = 1024
//! blocks = 16
//! clock_mhz = 1545              # times of this file are then in microseconds
//! [multiprocessor]              # as in an instance; default: sigma 1, or the listings' target
//! compute_capability = "7.0"
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;
use toml::{Spanned, Value};

use crate::input::{
    InputError, ListingKeys, Listings, MultiprocessorTable, Source, capability, multiprocessor,
};
use crate::model::Multiprocessor;
use crate::partition::{
    Execution, ExecutionError, Factor, Gpu, KernelTimeError, Kind, Launch, Task, TaskError, TaskSet, Time,
};
use crate::program::Code;
use crate::solve::{ResidentsError, SolveError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    multiprocessors: Spanned<i64>,
    gpu: Option<GpuTable>,
    multiprocessor: Option<Spanned<MultiprocessorTable>>,
    #[serde(default)]
    task: Vec<Spanned<TaskTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GpuTable {
    threads: Spanned<i64>,
    blocks: Spanned<i64>,
    clock_mhz: Spanned<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskTable {
    name: Spanned<String>,
    period: Spanned<Value>,
    deadline: Option<Spanned<Value>>,
    kind: Spanned<String>,
    a: Option<Spanned<Value>>,
    b: Option<Spanned<Value>>,
    k: Option<Spanned<Value>>,
    execution: Option<Spanned<Vec<Value>>>,
    conflict: Option<Spanned<Vec<Value>>>,
    code: Option<Spanned<String>>,
    ptx: Option<Spanned<String>>,
    entry: Option<Spanned<String>>,
    #[serde(default)]
    loop_bounds: BTreeMap<String, Spanned<i64>>,
    #[serde(default)]
    uniform: Vec<String>,
    classes: Option<Spanned<String>>,
    blocks: Option<Spanned<i64>>,
    threads_per_block: Option<Spanned<i64>>,
}

/// Why a file gives no tasks.
#[derive(Debug, Error)]
pub enum TasksError {
    /// It is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The engines failed at the code of a task.
    #[error("{at}")]
    Solve {
        /// Where, and why.
        at: InputError,
        /// Why.
        error: Box<SolveError>,
    },
}

/// Reads a file of tasks; `place` is its name in messages. `times` gives C(m), m = 1, 2, .. up to the number given, of a
/// task that is given as code.
///
/// # Errors
/// At the first thing that is wrong, with its line.
pub fn read_tasks(
    place: &str,
    text: &str,
    mut times: impl FnMut(&Launch, &Gpu, usize) -> Result<Vec<Time>, KernelTimeError>,
) -> Result<TaskSet, TasksError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    let count = source.positive("multiprocessors", &file.multiprocessors)?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count > TaskSet::MOST {
        let what = TaskError::Multiprocessors(count);
        return Err(source.error(file.multiprocessors.span().start, what).into());
    }
    let codes = codes(&source, &file)?;
    let gpu = gpu(&source, &file, codes.multiprocessor)?;
    let mut tasks = Vec::with_capacity(file.task.len());
    for (table, code) in file.task.iter().zip(codes.of_tasks) {
        tasks.push(task(&source, table, code, count, gpu.as_ref(), &mut times)?);
    }
    Ok(TaskSet::new(tasks, count).map_err(|what| InputError::new(place, what))?)
}

/// What the tasks run that are given as code, with where it stands.
struct Codes {
    of_tasks: Vec<Option<(Code, usize)>>,
    /// That of the listings.
    multiprocessor: Multiprocessor,
}

fn codes(source: &Source<'_>, file: &File) -> Result<Codes, InputError> {
    let given = file.multiprocessor.as_ref().map(|table| capability(source, table)).transpose()?.flatten();
    let mut listings = Listings::new(source, given);
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
    Ok(Codes { of_tasks, multiprocessor: listings.multiprocessor()? })
}

fn gpu(source: &Source<'_>, file: &File, of_listings: Multiprocessor) -> Result<Option<Gpu>, InputError> {
    let (multiprocessor, warp_size) = match &file.multiprocessor {
        Some(table) => multiprocessor(source, table)?,
        None => (None, 32),
    };
    let multiprocessor = multiprocessor.unwrap_or(of_listings);
    let Some(table) = &file.gpu else { return Ok(None) };
    let clock: Time = number(source, "clock_mhz", &table.clock_mhz)?;
    if clock == Time::default() {
        return Err(source.error(table.clock_mhz.span().start, "clock_mhz = 0: want more than 0"));
    }
    let threads = source.positive("threads", &table.threads)?;
    let blocks = source.positive("blocks", &table.blocks)?;
    Ok(Some(Gpu { threads, blocks, warp_size, clock, multiprocessor }))
}

fn task(
    source: &Source<'_>,
    spanned: &Spanned<TaskTable>,
    code: Option<(Code, usize)>,
    multiprocessors: usize,
    gpu: Option<&Gpu>,
    times: &mut impl FnMut(&Launch, &Gpu, usize) -> Result<Vec<Time>, KernelTimeError>,
) -> Result<Task, TasksError> {
    let table = spanned.get_ref();
    let at = |place: usize, what: &dyn std::fmt::Display| {
        source.error(place, format!("task {:?}: {what}", table.name.get_ref()))
    };
    let here = |what: &dyn std::fmt::Display| at(spanned.span().start, what);
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == table.kind.get_ref()).ok_or_else(|| {
        at(table.kind.span().start, &format!("kind = {:?}: want memory or compute", table.kind.get_ref()))
    })?;
    let period = number(source, "period", &table.period)?;
    let deadline = match &table.deadline {
        Some(deadline) => number(source, "deadline", deadline)?,
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
            (None, Some(k)) => Execution::with_factor(alone, number(source, "k", k)?),
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
        let k: Factor = number(source, "k", k)?;
        if let Some((code, place)) = code {
            let Some(gpu) = gpu else {
                return Err(here(&format!("{} without [gpu]: want its table", given[0])).into());
            };
            let (Some(blocks), Some(threads)) = (&table.blocks, &table.threads_per_block) else {
                return Err(here(&format!("{} wants blocks and threads_per_block", given[0])).into());
            };
            let threads_per_block = source.positive("threads_per_block", threads)?;
            let most = gpu.threads;
            source.at_most("threads_per_block", threads_per_block, most, threads.span().start)?;
            let launch = Launch { code, blocks: source.positive("blocks", blocks)?, threads_per_block };
            let alone = times(&launch, gpu, multiprocessors).map_err(|error| {
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
            let (a, b) = (number(source, "a", a)?, number(source, "b", b)?);
            Execution::amdahl(a, b, k, multiprocessors).map_err(wrong(place))?
        }
    };
    if table.code.is_none()
        && table.ptx.is_none()
        && (table.blocks.is_some() || table.threads_per_block.is_some())
    {
        return Err(here(&"blocks and threads_per_block go with code or ptx").into());
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

/// A number as TOML has it: whole or with a point, read to its last digit.
fn number<T: std::str::FromStr<Err = String>>(
    source: &Source<'_>,
    key: &str,
    value: &Spanned<Value>,
) -> Result<T, InputError> {
    one(source, key, value.span().start, value.get_ref())
}

fn list(source: &Source<'_>, key: &str, values: &Spanned<Vec<Value>>) -> Result<Vec<Time>, InputError> {
    values.get_ref().iter().map(|value| one(source, key, values.span().start, value)).collect()
}

fn one<T: std::str::FromStr<Err = String>>(
    source: &Source<'_>,
    key: &str,
    at: usize,
    value: &Value,
) -> Result<T, InputError> {
    let text = match value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        other => other.to_string(),
    };
    text.parse().map_err(|what| source.error(at, format!("{key} = {value}: {what}")))
}
