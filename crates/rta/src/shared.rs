//! Kernels of several processes, which take turns on the GPU. [`processes::kernels`](crate::processes::kernels) bounds
//! how long they take.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Source as Origin, System};
use warpspan_model::assumption::{Assumption, Id, Rests};
use warpspan_model::source::{InputError, Source, Spanned, decimal};
use warpspan_model::time::{Duration, TimeUnit};

/// What a file of kernels is: the kernels of one process, or of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kernels {
    /// One process runs them all.
    One(System),
    /// They belong to several processes.
    Shared(Shared),
}

impl Kernels {
    /// The system of one process.
    pub(super) fn one(self, place: &str) -> Result<System, InputError> {
        match self {
            Self::One(system) => Ok(system),
            Self::Shared(shared) => {
                let what = format!(
                    "kernels of {} processes, which take turns on the GPU: want those of one process",
                    shared.processes.len()
                );
                Err(InputError::new(place, what))
            }
        }
    }
}

/// Kernels of several processes, which take turns of a time slice. [`Shared::new`] has checked what the analysis relies on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    system: System,
    processes: Vec<String>,
    process: Vec<usize>,
    slice: Duration,
    switch: Duration,
}

/// L where a file gives none: the default of the Tegra driver, rounded, as in section 7.2 of GCAPS.
const MILLISECONDS: [&str; 2] = ["1", "0.2"];

impl Shared {
    /// The kernels of a system, each of which belongs to a process by its number, with a slice and a time to change
    /// between processes.
    ///
    /// # Errors
    /// The kernel that is not covered, and why.
    pub fn new(
        system: System,
        processes: Vec<String>,
        process: Vec<usize>,
        [slice, switch]: [Duration; 2],
    ) -> Result<Self, (usize, String)> {
        let tasks = system.tasks();
        for (number, task) in tasks.iter().enumerate() {
            let wrong = |what: &str| Err((number, format!("kernel {}: {what}", task.name)));
            if process.get(number).is_none_or(|&of| of >= processes.len()) {
                return wrong("a process that does not exist");
            }
            if !matches!(task.execution, Origin::Given(_)) {
                return wrong(
                    "code is not covered where other processes take turns, since they change the caches: want execution = TIME",
                );
            }
            if task.copy_in > Duration::ZERO || task.copy_out > Duration::ZERO {
                return wrong(
                    "how processes share the copy engine is not covered: want no copy_in and no copy_out",
                );
            }
            let other = (0..number)
                .find(|&other| tasks[other].stream == task.stream && process[other] != process[number]);
            if let Some(other) = other {
                let what = format!(
                    "its stream is that of {}, which is of another process: want another stream",
                    tasks[other].name
                );
                return wrong(&what);
            }
        }
        if slice == Duration::ZERO || slice > Duration::MAX || switch > Duration::MAX {
            return Err((
                0,
                "a slice of 0, or one of more than 2^62 grains: want a slice in between".to_owned(),
            ));
        }
        Ok(Self { system, processes, process, slice, switch })
    }

    /// All kernels, as if they were of one process. Use it only for facts of single kernels, not for anything that
    /// depends on co-running ones.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The names of the processes.
    pub fn processes(&self) -> &[String] {
        &self.processes
    }

    /// The process of each kernel.
    pub fn process(&self) -> &[usize] {
        &self.process
    }

    /// L: a turn ends after so long at the latest.
    pub fn slice(&self) -> Duration {
        self.slice
    }

    /// theta: how long it takes to change to another process.
    pub fn switch(&self) -> Duration {
        self.switch
    }

    /// A millisecond and a fifth of one, as GCAPS takes them for a Tegra, where a time of the unit is one of seconds.
    pub(super) fn of_tegra(unit: TimeUnit) -> Option<[Duration; 2]> {
        let timed = !matches!(unit, TimeUnit::Ticks | TimeUnit::Cycles);
        let [slice, switch] = MILLISECONDS.map(|text| TimeUnit::Milliseconds.read(text).ok());
        timed.then_some([slice?, switch?])
    }

    /// What a verdict rests on where neither is given.
    pub(super) fn rests_on_tegra() -> Rests {
        let value = "at most 1 ms, and 0.2 ms for a change to another process";
        Rests::from(vec![Assumption::sourced(
            Id::ProcessSlices,
            "a turn of a process",
            value,
            "GCAPS for a Jetson",
        )])
    }
}

/// How long a turn and a change to another process take.
pub(crate) fn of_slices(unit: TimeUnit, times: [Duration; 2]) -> [Assumption; 2] {
    let [slice, switch] = times.map(|time| format!("at most {} {unit}", unit.write(time)));
    [
        Assumption::declared(Id::ProcessSlices, "a turn of a process", slice).by("slice"),
        Assumption::declared(Id::ProcessSlices, "a change to another process", switch).by("switch"),
    ]
}

/// How the processes of kernels share the GPU.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProcessesTable {
    /// `time-slices` (the default), or `mps`, where the kernels of all processes run side by side like those of one.
    scheduling: Option<Spanned<String>>,
    /// L: a turn ends after so long at the latest; 1 ms if it is not given.
    #[schemars(with = "Option<f64>")]
    slice: Option<Spanned<toml::Value>>,
    /// theta: how long it takes to change to another process; 0.2 ms if it is not given.
    #[schemars(with = "Option<f64>")]
    switch: Option<Spanned<toml::Value>>,
}

/// What a verdict under MPS rests on.
pub(super) fn rests_on_mps() -> Rests {
    let value = "clients of one MPS server without a share of the threads (100 %), so that their kernels run side by side like those of \
                 one process";
    Rests::from(vec![Assumption::declared(Id::ProcessMps, "all processes", value).by("scheduling = \"mps\"")])
}

/// The kernels of a file with their processes: one of several, or all of one.
///
/// # Errors
/// What is not covered, with its line.
pub(super) fn shared(
    source: &Source<'_>,
    system: System,
    table: Option<&Spanned<ProcessesTable>>,
    named: &[(usize, Option<&Spanned<String>>)],
) -> Result<Kernels, InputError> {
    let given = || named.iter().find_map(|(_, name)| *name);
    let Some(table) = table else {
        return match given() {
            None => Ok(Kernels::One(system)),
            Some(name) => {
                let what = format!(
                    "process = {:?} and no [processes]: want it, with scheduling = \"time-slices\" or \"mps\"",
                    name.get_ref()
                );
                Err(source.error(name.span().start, what))
            }
        };
    };
    let ProcessesTable { scheduling, slice, switch } = table.get_ref();
    let name = scheduling.as_ref().map_or("time-slices", |name| name.get_ref().as_str());
    let at = scheduling.as_ref().map_or(table.span().start, |name| name.span().start);
    let unit = system.unit();
    let time = |key: &str, value: &Option<Spanned<toml::Value>>| {
        let read = |value: &Spanned<toml::Value>| {
            let wrong =
                |what| source.error(value.span().start, format!("{key} = {}: {what}", value.get_ref()));
            unit.read(&decimal(value.get_ref())).map_err(wrong)
        };
        value.as_ref().map(read).transpose()
    };
    match name {
        "mps" => {
            if let Some(value) = slice.as_ref().or(switch.as_ref()) {
                let what = "scheduling = \"mps\" has no slices: want slice and switch left out";
                return Err(source.error(value.span().start, what));
            }
            return Ok(Kernels::One(system.resting_on(rests_on_mps())));
        }
        "time-slices" => {}
        "preemptive" => {
            let what =
                "scheduling = \"preemptive\" is covered of tasks, not of kernels: want [[task]] tables";
            return Err(source.error(at, what));
        }
        _ => {
            let what = format!("scheduling = {name:?}: want \"time-slices\" or \"mps\"");
            return Err(source.error(at, what));
        }
    }
    let mut processes: Vec<String> = Vec::new();
    let mut process = Vec::new();
    for ((at, name), task) in named.iter().zip(system.tasks()) {
        let Some(name) = name else {
            let what = format!(
                "kernel {}: no process, although there is a table [processes]: want process = \"NAME\"",
                task.name
            );
            return Err(source.error(*at, what));
        };
        let known = processes.iter().position(|known| known == name.get_ref());
        process.push(known.unwrap_or_else(|| {
            processes.push(name.get_ref().clone());
            processes.len() - 1
        }));
    }
    let given = [time("slice", slice)?, time("switch", switch)?];
    let (times, system) = match (given, Shared::of_tegra(unit)) {
        ([Some(slice), Some(switch)], _) => {
            let said = of_slices(unit, [slice, switch]).to_vec();
            ([slice, switch], system.resting_on(Rests::from(said)))
        }
        ([None, None], Some(times)) => (times, system.resting_on(Shared::rests_on_tegra())),
        _ => {
            let what =
                "want slice = TIME and switch = TIME: both, or neither where the unit is ns, us, ms or s";
            return Err(source.error(table.span().start, what));
        }
    };
    if let Some(value) = slice.as_ref().filter(|_| times[0] == Duration::ZERO) {
        return Err(source.error(value.span().start, "slice = 0: want more than 0"));
    }
    if processes.len() == 1 {
        return Ok(Kernels::One(system));
    }
    let shared = Shared::new(system, processes, process, times);
    let wrong =
        |(kernel, what): (usize, String)| source.error(named.get(kernel).map_or(0, |(at, _)| *at), what);
    Ok(Kernels::Shared(shared.map_err(wrong)?))
}
