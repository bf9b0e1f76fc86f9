//! Reading a file of tasks, for `rta`.
//!
//! ```toml
//! unit = "ms"                       # of all times: ticks (default), cycles, ns, us, ms, s
//! [processes]
//! scheduling = "time-slices"        # the default driver; or "preemptive": GCAPS
//! slice = 1                         # L of time-slices; switch = theta
//! switch = 0.2
//! # update = 1                      # epsilon of preemptive
//! # waiting = "suspend"             # what a job does while the GPU works for it: leave its core, or "busy": hold it
//! [[task]]
//! name = "camera"
//! core = "0"
//! priority = 70                     # larger is more urgent; no two tasks have the same
//! period = 100
//! # deadline = 100                  # the period by default
//! cpu = 1                           # C: all CPU segments of a job; or one by one: [1, 2]
//! gpu = [{ misc = 1, pure = 10 }]   # G^m on the core, and G^e on the GPU, of each GPU segment
//! [[task]]
//! name = "desktop"
//! core = "0"
//! best_effort = true                # nothing is known of it but that it uses the GPU, and is less urgent than all others
//! gpu = [{}]
//! ```

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;

use crate::processes::{Recurring, Scheduling, Segment, Task, TaskSet, Waiting};
use warpspan_model::source::{InputError, Source, Spanned, has_keys};
use warpspan_model::time::{Duration, TimeUnit};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct File {
    /// The unit of all times: `ticks` (the default), `cycles`, `ns`, `us`, `ms` or `s`.
    unit: Option<Spanned<String>>,
    /// How the processes share the GPU.
    processes: Spanned<ProcessesTable>,
    /// The tasks, each a process of its own.
    #[serde(default)]
    task: Vec<Spanned<TaskTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProcessesTable {
    /// `time-slices`, the default driver, or `preemptive`, GCAPS.
    scheduling: Spanned<String>,
    /// L: a turn ends after so long at the latest.
    #[schemars(with = "Option<f64>")]
    slice: Option<Spanned<toml::Value>>,
    /// theta: how long it takes to change to another process.
    #[schemars(with = "Option<f64>")]
    switch: Option<Spanned<toml::Value>>,
    /// epsilon: how long an update of the runlist takes, with the change to another process.
    #[schemars(with = "Option<f64>")]
    update: Option<Spanned<toml::Value>>,
    /// What a job does while the GPU works for it: `suspend` (the default), or `busy` where it holds its core.
    waiting: Option<Spanned<String>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskTable {
    /// Its name.
    name: Spanned<String>,
    /// The core that it runs on.
    core: Spanned<String>,
    /// Its priority on the core, and under GCAPS on the GPU; a larger number is more urgent.
    priority: Option<Spanned<i64>>,
    /// The least time between arrivals.
    #[schemars(with = "Option<f64>")]
    period: Option<Spanned<toml::Value>>,
    /// How long a job may take from its arrival; the period if it is not given.
    #[schemars(with = "Option<f64>")]
    deadline: Option<Spanned<toml::Value>>,
    /// C, the most time of all CPU segments of a job: a number, or a list with one for each segment; 0 if it is not given.
    #[schemars(with = "Option<NumberOrNumbers>")]
    cpu: Option<Spanned<toml::Value>>,
    /// The GPU segments of a job, in order.
    #[serde(default)]
    gpu: Vec<Spanned<SegmentTable>>,
    /// Whether nothing is known of it but that it is less urgent than all tasks that have a period.
    best_effort: Option<Spanned<bool>>,
}

/// A number, or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it is only the schema of a value that is read by hand")]
enum NumberOrNumbers {
    Number(f64),
    Numbers(Vec<f64>),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SegmentTable {
    /// The most time on the core for launches and other calls; 0 if it is not given.
    #[schemars(with = "Option<f64>")]
    misc: Option<Spanned<toml::Value>>,
    /// The most time on the GPU while nobody else is on it; only a best-effort task may leave it out.
    #[schemars(with = "Option<f64>")]
    pure: Option<Spanned<toml::Value>>,
}

/// The JSON Schema of a file of tasks.
pub fn schema() -> Schema {
    schema_for!(File)
}

/// Whether a text is a file of tasks: it has tasks, and says how their processes share the GPU.
pub fn is_tasks(text: &str) -> bool {
    has_keys(text, &["task", "processes"])
}

struct Reader<'a> {
    source: &'a Source<'a>,
    unit: TimeUnit,
}

impl Reader<'_> {
    fn one(&self, key: &str, value: &toml::Value, at: usize) -> Result<Duration, InputError> {
        self.source.number_at(key, value, at, |text| match value {
            toml::Value::Integer(_) | toml::Value::Float(_) => {
                self.unit.read(text).map_err(|what| what.to_string())
            }
            _ => Err(format!("want a time in {}, a number", self.unit)),
        })
    }

    fn time(&self, key: &str, value: Option<&Spanned<toml::Value>>) -> Result<Option<Duration>, InputError> {
        value.map(|value| self.one(key, value.get_ref(), value.span().start)).transpose()
    }

    /// C: a time, or the sum of a list of them.
    fn cpu(&self, value: Option<&Spanned<toml::Value>>) -> Result<Duration, InputError> {
        let Some(value) = value else { return Ok(Duration::ZERO) };
        let at = value.span().start;
        let toml::Value::Array(parts) = value.get_ref() else { return self.one("cpu", value.get_ref(), at) };
        let mut all = Duration::ZERO;
        for part in parts {
            let part = self.one("cpu", part, at)?;
            let sum = all.0.checked_add(part.0).map(Duration).filter(|&sum| sum <= Duration::MAX);
            all = sum
                .ok_or_else(|| self.source.error(at, "cpu: more than 2^62 grains: want shorter segments"))?;
        }
        Ok(all)
    }

    fn scheduling(&self, table: &ProcessesTable) -> Result<Scheduling, InputError> {
        let at = table.scheduling.span().start;
        let name = table.scheduling.get_ref().as_str();
        let want = |key: &str, value: Option<&Spanned<toml::Value>>| {
            let missing =
                || self.source.error(at, format!("scheduling = {name:?} and no {key}: want {key} = TIME"));
            self.time(key, value)?.ok_or_else(missing)
        };
        let refuse = |key: &str, value: Option<&Spanned<toml::Value>>| match value {
            Some(value) => {
                let what = format!("{key} is no key of scheduling = {name:?}: want it left out");
                Err(self.source.error(value.span().start, what))
            }
            None => Ok(()),
        };
        match name {
            "time-slices" => {
                refuse("update", table.update.as_ref())?;
                let slice = want("slice", table.slice.as_ref())?;
                Ok(Scheduling::TimeSlices { slice, switch: want("switch", table.switch.as_ref())? })
            }
            "preemptive" => {
                refuse("slice", table.slice.as_ref())?;
                refuse("switch", table.switch.as_ref())?;
                Ok(Scheduling::Preemptive { update: want("update", table.update.as_ref())? })
            }
            _ => {
                let what = format!("scheduling = {name:?}: want \"time-slices\" or \"preemptive\"");
                Err(self.source.error(at, what))
            }
        }
    }

    fn task(&self, spanned: &Spanned<TaskTable>, cores: &mut Vec<String>) -> Result<Task, InputError> {
        let (table, at) = (spanned.get_ref(), spanned.span().start);
        let name = table.name.get_ref().clone();
        let error = |what: &str| self.source.error(at, format!("task {name}: {what}"));
        let known = cores.iter().position(|core| core == table.core.get_ref());
        let core = known.unwrap_or_else(|| {
            cores.push(table.core.get_ref().clone());
            cores.len() - 1
        });
        let segment = |of: &Spanned<SegmentTable>| -> Result<Segment, InputError> {
            let time = |key, value: &Option<_>| Ok(self.time(key, value.as_ref())?.unwrap_or_default());
            let of = of.get_ref();
            Ok(Segment { misc: time("misc", &of.misc)?, pure: time("pure", &of.pure)? })
        };
        let segments = table.gpu.iter().map(segment).collect::<Result<Vec<_>, _>>()?;
        let cpu = self.cpu(table.cpu.as_ref())?;
        let period = self.time("period", table.period.as_ref())?;
        let deadline = self.time("deadline", table.deadline.as_ref())?;
        let best_effort = table.best_effort.as_ref().is_some_and(|of| *of.get_ref());
        if best_effort && (period.is_some() || deadline.is_some() || table.priority.is_some()) {
            return Err(error(
                "best_effort = true with a period, a deadline or a priority: want none of them",
            ));
        }
        // A time of the GPU that is left out is any of a best-effort task, and must not be 0 of another one.
        let without = table.gpu.iter().find(|segment| segment.get_ref().pure.is_none());
        if let Some(segment) = without.filter(|_| !best_effort) {
            let what =
                format!("task {name}: a GPU segment without pure: want pure = TIME, its time on the GPU");
            return Err(self.source.error(segment.span().start, what));
        }
        let recurring = match period {
            _ if best_effort => None,
            Some(period) => Some(Recurring { period, deadline: deadline.unwrap_or(period) }),
            None => return Err(error("no period: want period = TIME, or best_effort = true")),
        };
        let priority = match &table.priority {
            Some(priority) => *priority.get_ref(),
            None if best_effort => i64::MIN,
            None => return Err(error("no priority: want priority = NUMBER; a larger one is more urgent")),
        };
        Ok(Task { name, core, priority, recurring, cpu, segments })
    }
}

/// Reads a file of tasks; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_tasks(place: &str, text: &str) -> Result<TaskSet, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    let unit = match &file.unit {
        None => TimeUnit::default(),
        Some(name) => {
            let wrong = || {
                let what = format!("unit = {:?}: want ticks, cycles, ns, us, ms or s", name.get_ref());
                source.error(name.span().start, what)
            };
            TimeUnit::named(name.get_ref()).ok_or_else(wrong)?
        }
    };
    let reader = Reader { source: &source, unit };
    let table = file.processes.get_ref();
    let scheduling = reader.scheduling(table)?;
    let waiting = match &table.waiting {
        None => Waiting::default(),
        Some(name) => {
            let wrong = || {
                let what = format!("waiting = {:?}: want \"suspend\" or \"busy\"", name.get_ref());
                source.error(name.span().start, what)
            };
            Waiting::named(name.get_ref()).ok_or_else(wrong)?
        }
    };
    let mut cores = Vec::new();
    let tasks = file.task.iter().map(|task| reader.task(task, &mut cores)).collect::<Result<Vec<_>, _>>()?;
    TaskSet::new(unit, scheduling, waiting, cores, tasks).map_err(|(task, what)| {
        match task.and_then(|task| file.task.get(task)) {
            Some(table) => source.error(table.span().start, what),
            None => source.error(file.processes.span().start, what),
        }
    })
}
