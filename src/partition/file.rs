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
//! [gpu]                         # of a multiprocessor
//! threads = 1024
//! blocks = 16
//! clock_mhz = 1545              # times of this file are then in microseconds
//! [multiprocessor]              # as in an instance
//! compute_capability = "7.0"
//! ```

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::input::{InputError, MultiprocessorTable, Source, multiprocessor};
use crate::partition::{
    Execution, ExecutionError, Factor, Gpu, Kind, Launch, Task, TaskError, TaskSet, Time,
};

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
    blocks: Option<Spanned<i64>>,
    threads_per_block: Option<Spanned<i64>>,
}

/// Reads a file of tasks; `place` is its name in messages. `times` gives C(m), m = 1, 2, .. up to the number given, of a
/// task that is a kernel string.
///
/// # Errors
/// At the first thing that is wrong, with its line, or what `times` says.
pub fn read_tasks<E: From<InputError>>(
    place: &str,
    text: &str,
    mut times: impl FnMut(&Launch, &Gpu, usize) -> Result<Vec<Time>, E>,
) -> Result<TaskSet, E> {
    let source = Source { place, text };
    let file: File = toml::from_str(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        source.error(error.span().map_or(0, |span| span.start), message)
    })?;
    let count = source.positive("multiprocessors", &file.multiprocessors)?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count > TaskSet::MOST {
        let what = TaskError::Multiprocessors(count);
        return Err(source.error(file.multiprocessors.span().start, what).into());
    }
    let gpu = gpu(&source, &file)?;
    let mut tasks = Vec::with_capacity(file.task.len());
    for table in &file.task {
        tasks.push(task(&source, table, count, gpu.as_ref(), &mut times)?);
    }
    Ok(TaskSet::new(tasks, count).map_err(|what| InputError::new(place, what))?)
}

fn gpu(source: &Source<'_>, file: &File) -> Result<Option<Gpu>, InputError> {
    let (multiprocessor, warp_size) = match &file.multiprocessor {
        Some(table) => multiprocessor(source, table)?,
        None => (None, 32),
    };
    let multiprocessor = multiprocessor.unwrap_or_default();
    let Some(table) = &file.gpu else { return Ok(None) };
    let clock: Time = number(source, "clock_mhz", &table.clock_mhz)?;
    if clock == Time::default() {
        return Err(source.error(table.clock_mhz.span().start, "clock_mhz = 0: want more than 0"));
    }
    let threads = source.positive("threads", &table.threads)?;
    let blocks = source.positive("blocks", &table.blocks)?;
    Ok(Some(Gpu { threads, blocks, warp_size, clock, multiprocessor }))
}

fn task<E: From<InputError>>(
    source: &Source<'_>,
    spanned: &Spanned<TaskTable>,
    multiprocessors: usize,
    gpu: Option<&Gpu>,
    times: &mut impl FnMut(&Launch, &Gpu, usize) -> Result<Vec<Time>, E>,
) -> Result<Task, E> {
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
    ];
    let given: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "no execution time".to_owned() } else { given.join(" beside ") };
        return Err(here(&format!("{found}: want one of: a and b; execution; code")).into());
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
        if let Some(code) = &table.code {
            let Some(gpu) = gpu else { return Err(here(&"code without [gpu]: want its table").into()) };
            let launch = launch(source, table, code, gpu).map_err(|error| match error.line {
                Some(_) => error,
                None => here(&error.what),
            })?;
            let alone = times(&launch, gpu, multiprocessors)?;
            Execution::with_factor(alone, k).map_err(wrong(code.span().start))?
        } else {
            let (Some(a), Some(b)) = (&table.a, &table.b) else {
                return Err(here(&"a without b, or b without a: want both").into());
            };
            let (a, b) = (number(source, "a", a)?, number(source, "b", b)?);
            Execution::amdahl(a, b, k, multiprocessors).map_err(wrong(place))?
        }
    };
    if table.code.is_none() && (table.blocks.is_some() || table.threads_per_block.is_some()) {
        return Err(here(&"blocks and threads_per_block go with code").into());
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

/// A kernel as it is launched.
fn launch(
    source: &Source<'_>,
    table: &TaskTable,
    code: &Spanned<String>,
    gpu: &Gpu,
) -> Result<Launch, InputError> {
    let kernel = code.get_ref().parse();
    let kernel = kernel
        .map_err(|what| source.error(code.span().start, format!("code = {:?}: {what}", code.get_ref())))?;
    let (Some(blocks), Some(threads)) = (&table.blocks, &table.threads_per_block) else {
        return Err(InputError::new("", "code wants blocks and threads_per_block"));
    };
    let threads_per_block = source.positive("threads_per_block", threads)?;
    if threads_per_block > gpu.threads {
        let what = format!("threads_per_block = {threads_per_block}: want at most {}", gpu.threads);
        return Err(source.error(threads.span().start, what));
    }
    Ok(Launch { kernel, blocks: source.positive("blocks", blocks)?, threads_per_block })
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
