//! C of kernels that are cut into tiles: the bound of their time-triggered schedule
//! ([`prem`](warpspan_prem)).
//!
//! A file of `prem` is about kernels that co-run. Each of them is a kernel of the system, in the order of that file,
//! and C is the bound from its launch to its end. The schedule promises that only if all blocks spin on the timer when
//! it starts. So these kernels must be launched together, with one period and release and no jitter, on streams of
//! their own and without copies; a launch must end within its period; and the blocks of *all* kernels of the system
//! must fit on the GPU at once, so that none waits for room.
//!
//! Where other kernels or copies of the system may use the memory meanwhile, only durations under contention
//! hold, and the bound is that of [`Bounded::beside`].

use std::collections::BTreeMap;

use crate::Task;
use warpspan_model::assumption::Rests;
use warpspan_model::device::{Gpu, fit_anyhow, place_all};
use warpspan_model::source::{InputError, Source, Spanned, text_of};
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_prem::{Bounded, Execution, read_bounded};

/// A kernel of the system that names a file of `prem`.
pub(super) struct Named<'a> {
    /// The file that it names, if it does.
    pub(super) file: Option<&'a Spanned<String>>,
    /// Whether it copies memory.
    pub(super) copies: bool,
}

/// The files of `prem` of a system.
#[derive(Default)]
pub(super) struct Tiles {
    sets: Vec<Set>,
}

struct Set {
    bounded: Bounded,
    /// The kernels of the system that are those of the file, in its order.
    members: Vec<usize>,
    /// The bounds that hold in this system.
    executions: Vec<Execution>,
    /// Where the first of them names the file.
    at: usize,
    name: String,
}

impl Tiles {
    /// Reads the files that the kernels of a system name.
    pub(super) fn read(
        source: &Source<'_>,
        unit: TimeUnit,
        kernels: &[Named<'_>],
    ) -> Result<Self, InputError> {
        let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, named) in kernels.iter().enumerate() {
            let Some(file) = named.file else { continue };
            by_file.entry(file.get_ref()).or_default().push(index);
        }
        let mut sets = Vec::new();
        for (name, members) in by_file {
            let at = kernels[members[0]].file.map_or(0, |file| file.span().start);
            let error = |what: String| source.error(at, format!("prem = {name:?}: {what}"));
            if matches!(unit, TimeUnit::Ticks | TimeUnit::Cycles) {
                return Err(error(format!("its times are in ns, and unit = {unit}: want ns, us, ms or s")));
            }
            let path = source.beside(name);
            let text =
                text_of(&path, "kernels cut into tiles, in TOML").map_err(|what| error(what.to_string()))?;
            let bounded =
                read_bounded(&path.display().to_string(), &text).map_err(|what| error(what.to_string()))?;
            if bounded.kernels.len() != members.len() {
                let (there, here) = (bounded.kernels.len(), members.len());
                return Err(error(format!("it has {there} kernels, and {here} here name it: want as many")));
            }
            let co_running = members.len() < kernels.len() || kernels.iter().any(|kernel| kernel.copies);
            let executions = executions(&bounded, co_running).map_err(error)?;
            sets.push(Set { bounded, members, executions, at, name: name.to_owned() });
        }
        Ok(Self { sets })
    }

    /// C of a kernel of the system, if it is cut into tiles.
    pub(super) fn time(&self, kernel: usize) -> Option<Duration> {
        self.sets.iter().find_map(|set| {
            let place = set.members.iter().position(|&member| member == kernel)?;
            set.executions[place].time().grains()
        })
    }

    /// Checks what the bounds assume of the system.
    pub(super) fn check(&self, source: &Source<'_>, gpu: &Gpu, tasks: &[Task]) -> Result<(), InputError> {
        for set in &self.sets {
            let first = &tasks[set.members[0]];
            let error = |task: &Task, what: &str| {
                Err(source.error(set.at, format!("prem = {:?}: kernel {}: {what}", set.name, task.name)))
            };
            for (place, &member) in set.members.iter().enumerate() {
                let (task, draft) = (&tasks[member], &set.bounded.kernels[place]);
                let same =
                    (task.period, task.release, task.fixed) == (first.period, first.release, first.fixed);
                if !same {
                    return error(task, "its kernels are launched together: want one period and release");
                }
                if task.sporadic || task.jitter > Duration::ZERO {
                    return error(
                        task,
                        "its kernels are launched together: want no jitter, and not sporadic",
                    );
                }
                if task.copy_in > Duration::ZERO || task.copy_out > Duration::ZERO {
                    return error(task, "a copy would delay its launch: want no copies");
                }
                let others = set.members[..place].iter().map(|&other| tasks[other].stream);
                if others.into_iter().any(|stream| stream == task.stream) {
                    return error(task, "its stream has another kernel of the file: want one for each");
                }
                if task.blocks != draft.blocks {
                    let what =
                        format!("{} blocks, and {} in the file: want as many", task.blocks, draft.blocks);
                    return error(task, &what);
                }
                if draft.block[0] > 0 && draft.block[0] != task.threads {
                    let (here, there) = (task.threads, draft.block[0]);
                    return error(
                        task,
                        &format!("{here} threads a block, and {there} in the file: want as many"),
                    );
                }
                if draft.block[1] > task.block.shared_memory {
                    let (here, there) = (task.block.shared_memory, draft.block[1]);
                    let what = format!(
                        "{here} bytes of shared memory a block, and {there} in the file: want as many"
                    );
                    return error(task, &what);
                }
                let time = set.executions[place].time();
                if task.period.is_some_and(|period| time.grains().is_none_or(|time| time > period)) {
                    let ns = time.0;
                    return error(task, &format!("it takes up to {ns} ns: want a period that is no shorter"));
                }
            }
        }
        if let Some(set) = self.sets.first() {
            let demands: Vec<_> = tasks.iter().map(|task| (task.blocks, task.block)).collect();
            if let Err(what) = place_all(gpu, &demands) {
                let open = tasks.iter().any(|task| task.block != task.least);
                let open = if open { "; want registers_per_thread and shared_memory of each" } else { "" };
                let what = format!(
                    "prem = {:?}: the blocks of all kernels must fit at once: {what}{open}",
                    set.name
                );
                return Err(source.error(set.at, what));
            }
            if !fit_anyhow(gpu, &demands) {
                let what = "the blocks of all kernels must fit at once, however the GPU places them: want fewer or smaller ones";
                return Err(source.error(set.at, format!("prem = {:?}: {what}", set.name)));
            }
        }
        Ok(())
    }

    /// What the bounds rest on.
    pub(super) fn rests(&self) -> Rests {
        let mut all = Rests::default();
        for set in &self.sets {
            let phases = set.executions.first().map(|execution| execution.assumption().rests_on());
            all.add(Rests::from(Vec::from_iter(phases)).of(&set.name));
            all.add(set.bounded.rests.clone().of(&set.name));
        }
        all
    }
}

/// The bounds that hold alone, or with co-running kernels.
fn executions(bounded: &Bounded, co_running: bool) -> Result<Vec<Execution>, String> {
    let found: Vec<Execution> = if co_running {
        let why = "other kernels or copies may use the memory meanwhile: want [contended] durations";
        bounded.beside.clone().ok_or_else(|| why.to_owned())?
    } else {
        let all: Result<Vec<Execution>, _> = bounded.alone.iter().copied().collect();
        all.map_err(|why| format!("no bound: {why}"))?
    };
    // Times in picoseconds must stay within what the analysis takes.
    match found.iter().find(|execution| execution.time().grains().is_none()) {
        Some(execution) => {
            Err(format!("{} ns: want {} ns or less", execution.time().0, Duration::MAX.0 / 1000))
        }
        None => Ok(found),
    }
}
