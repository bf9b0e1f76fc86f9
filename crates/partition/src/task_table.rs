//! The table of a task in a file, and the task that it describes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Value;

use crate::hardware::{Coded, Hardware, LaunchKeys};
use crate::{
    Classified, Execution, ExecutionError, Factor, KernelTimeError, Kind, Launch, Task, TaskError,
    TasksError, Tolerance, definition_1, read_time,
};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Gpu;
use warpspan_model::source::{InputError, Source, Spanned, WholeOrText, decimal};
use warpspan_model::time::Millionths;
use warpspan_solver::portfolio::ResidentsError;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskTable {
    /// Its name.
    pub(super) name: Spanned<String>,
    /// The least time between two releases.
    #[schemars(with = "f64", required)]
    period: Option<Spanned<Value>>,
    /// How long a job may take; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    deadline: Option<Spanned<Value>>,
    /// `memory` for a memory-intensive task, `compute` for any other; where it is not given it is derived from
    /// `a` and `b`, or from `execution`.
    kind: Option<Spanned<String>>,
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
    pub(super) code: Option<Spanned<String>>,
    /// A listing by its path from this file, instead of `a` and `b`.
    pub(super) ptx: Option<Spanned<String>>,
    /// A file of `prem` by its path from this file, instead of `a`, `b` and `k`: C is the bound of its schedule.
    pub(super) prem: Option<Spanned<String>>,
    /// The entry of the listing, where it has several.
    pub(super) entry: Option<Spanned<String>>,
    /// How often loops of the listing pass their label at most.
    #[serde(default)]
    pub(super) loop_bounds: BTreeMap<String, Spanned<i64>>,
    /// Values of its parameters and sizes of the launch by their names, each a number or a range such as `1..1024`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, WholeOrText>")]
    pub(super) params: BTreeMap<String, Spanned<Value>>,
    /// Labels of branches of the listing that all threads of a warp take alike.
    #[serde(default)]
    pub(super) uniform: Vec<String>,
    /// Labels or lines of the listing to which control never comes.
    #[serde(default)]
    pub(super) unreachable: Vec<String>,
    /// The most transactions of a pass of memory instructions of the listing, by labels or lines; `*` for all.
    #[serde(default)]
    pub(super) transactions: BTreeMap<String, Spanned<i64>>,
    /// A file of classes for instructions of the listing.
    pub(super) classes: Option<Spanned<String>>,
    /// A file of declarations for the listing, as `extract` writes it.
    pub(super) declare: Option<Spanned<String>>,
    /// Blocks of a launch.
    blocks: Option<Spanned<i64>>,
    /// Threads of a block.
    threads_per_block: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes; the most that a block may have if it is not given.
    shared_memory: Option<Spanned<i64>>,
    /// Registers of a thread; as many as it may have if it is not given.
    registers_per_thread: Option<Spanned<i64>>,
}

impl TaskTable {
    /// Its name and its kind, where that is given.
    pub(super) fn said_kind(&self) -> Option<String> {
        Some(format!("{} {}", self.name.get_ref(), self.kind.as_ref()?.get_ref()))
    }

    /// What the numbers of the table declare.
    pub(super) fn declared(&self) -> Vec<Assumption> {
        let one = |value: &Option<Spanned<Value>>| value.as_ref().map(|value| decimal(value.get_ref()));
        let all = |values: &Option<Spanned<Vec<Value>>>| {
            values.as_ref().map(|values| values.get_ref().iter().map(decimal).collect::<Vec<_>>().join(", "))
        };
        let keys = [
            (Id::LaunchArrivals, "period", "time between jobs", one(&self.period)),
            (Id::ExecutionGiven, "a", "a of C(m) = a/m + b, at most", one(&self.a)),
            (Id::ExecutionGiven, "b", "b of C(m) = a/m + b, at most", one(&self.b)),
            (
                Id::ExecutionGiven,
                "execution",
                "C on 1, 2, ... multiprocessors, at most",
                all(&self.execution),
            ),
            (
                Id::ExecutionGiven,
                "conflict",
                "C in conflict on 1, 2, ... multiprocessors, at most",
                all(&self.conflict),
            ),
            (Id::ExecutionGiven, "k", "the factor in conflict, at most", one(&self.k)),
        ];
        let said = |(id, key, subject, value): (Id, &str, &str, Option<String>)| {
            Some(Assumption::declared(id, format!("{}, {subject}", self.name.get_ref()), value?).by(key))
        };
        keys.into_iter().filter_map(said).collect()
    }
}

/// The task that a table describes, its kind as an assumption if that is derived, and its launch if it is code; `code` is its code with the
/// place in the file, if it has one, and `tiled` is C(m) if its kernels are cut into tiles.
pub(super) fn task(
    source: &Source<'_>,
    spanned: &Spanned<TaskTable>,
    (code, tiled): (Option<Coded>, Option<Vec<Millionths>>),
    multiprocessors: usize,
    hardware: Option<&Hardware<'_>>,
    times: &mut impl FnMut(&Launch, &Gpu) -> Result<Vec<Millionths>, KernelTimeError>,
) -> Result<(Task, Option<Assumption>, Option<Launch>), TasksError> {
    let mut launched = None;
    let table = spanned.get_ref();
    let at = |place: usize, what: &dyn std::fmt::Display| {
        source.error(place, format!("task {:?}: {what}", table.name.get_ref()))
    };
    let here = |what: &dyn std::fmt::Display| at(spanned.span().start, what);
    let named = |kind: &Spanned<String>| {
        let found = Kind::named(kind.get_ref());
        let wrong = || at(kind.span().start, &format!("kind = {:?}: want memory or compute", kind.get_ref()));
        found.ok_or_else(wrong)
    };
    let given_kind = table.kind.as_ref().map(named).transpose()?;
    let Some(table_period) = &table.period else {
        return Err(here(&"no period: want period = the least time between two jobs").into());
    };
    let period = time(source, "period", table_period)?;
    let deadline = match &table.deadline {
        Some(deadline) => time(source, "deadline", deadline)?,
        None => period,
    };
    let ways = [
        (table.a.is_some() || table.b.is_some(), "a and b"),
        (table.execution.is_some(), "execution"),
        (table.code.is_some(), "code"),
        (table.ptx.is_some(), "ptx"),
        (table.prem.is_some(), "prem"),
    ];
    let given: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "no execution time".to_owned() } else { given.join(" beside ") };
        return Err(here(&format!("{found}: want one of: a and b; execution; code; ptx; prem")).into());
    }
    let wrong = |place: usize| move |error: ExecutionError| at(place, &error);
    let place = spanned.span().start;
    let execution = if let Some(times) = tiled {
        if table.k.is_some() || table.conflict.is_some() {
            return Err(here(
                &"k or conflict together with prem, whose bound holds in conflict too: want neither",
            )
            .into());
        }
        Execution::new(times.clone(), times).map_err(wrong(place))?
    } else if let Some(times) = &table.execution {
        let alone = list(source, "execution", times)?;
        match (&table.conflict, &table.k) {
            (Some(conflict), None) => Execution::new(alone, list(source, "conflict", conflict)?),
            (None, Some(k)) => Execution::with_factor(alone, source.number("k", k, str::parse)?),
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
        let k: Factor = source.number("k", k, str::parse)?;
        if let Some(Coded { code, at: place, shown }) = code {
            let Some(hardware) = hardware else {
                return Err(here(&format!("{} without [gpu]: want its table", given[0])).into());
            };
            let keys = LaunchKeys {
                task: table.name.get_ref(),
                blocks: table.blocks.as_ref(),
                threads_per_block: table.threads_per_block.as_ref(),
                shared_memory: table.shared_memory.as_ref(),
                registers_per_thread: table.registers_per_thread.as_ref(),
                shown,
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
            launched = Some(launch);
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
    let (kind, derived) = match (given_kind, &table.execution) {
        (Some(kind), _) => (kind, None),
        (None, Some(times)) => {
            derived(&name, &execution, times.get_ref().len()).map_err(|what| here(&what))?
        }
        (None, None) if given == ["a and b"] => {
            derived(&name, &execution, multiprocessors).map_err(|what| here(&what))?
        }
        (None, None) => {
            let what =
                format!("no kind, and {} does not tell it: want kind = \"memory\" or \"compute\"", given[0]);
            return Err(here(&what).into());
        }
    };
    let task = Task::new(name, period, deadline, kind, execution).map_err(|what| {
        let place = match (&what, &table.deadline) {
            (TaskError::Unprintable(_), _) => table.name.span().start,
            (TaskError::Deadline | TaskError::Late(..), Some(deadline)) => deadline.span().start,
            _ => table_period.span().start,
        };
        at(place, &what)
    })?;
    Ok((task, derived, launched))
}

/// The kind that follows from C(1) to C(most) by Definition 1, which nobody vouches for.
fn derived(name: &str, execution: &Execution, most: usize) -> Result<(Kind, Option<Assumption>), String> {
    let times: Vec<(usize, Millionths)> = (1..=most).map(|m| (m, execution.on(m, false))).collect();
    let tolerance = Tolerance::default();
    let within = format!("{} percent", tolerance.percent());
    let (kind, why) = match definition_1(&times, tolerance) {
        Classified::Memory { from } => {
            (Kind::Memory, format!("gains at most {within} from {from} multiprocessors on"))
        }
        Classified::Compute => {
            (Kind::Compute, format!("gains more than {within} up to {most} multiprocessors"))
        }
        Classified::Unclear { .. } => {
            return Err("no kind, and times on one multiprocessor do not tell it: want kind = \"memory\" or \"compute\"".to_owned());
        }
    };
    let value = format!("{kind}-intensive by its execution times (Si21 Definition 1): it {why}");
    Ok((kind, Some(Assumption::assumed(Id::ExecutionConflict, format!("{name}, kind"), value))))
}

fn time(source: &Source<'_>, key: &str, value: &Spanned<Value>) -> Result<Millionths, InputError> {
    source.number(key, value, read_time)
}

fn list(source: &Source<'_>, key: &str, values: &Spanned<Vec<Value>>) -> Result<Vec<Millionths>, InputError> {
    let at = values.span().start;
    let one = |value: &Value| source.number_at(key, value, at, read_time);
    values.get_ref().iter().map(one).collect()
}
