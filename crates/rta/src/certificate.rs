//! A certificate of response bounds: the system and its bounds as a file that `coqc` checks against the folder
//! `proofs`, which shares no code with this program.
//!
//! The theorem is `responses_sound` of `proofs/Checker/ResponseInput.v`, and what a run is stands in
//! `proofs/Realtime/Launches.v`. It is about kernels whose C is given, and it does not use that releases are
//! exact: arrivals may be further apart than a period. Where busy windows give lower bounds, it is `priorities_sound` of
//! `proofs/Checker/PriorityInput.v`, and `proofs/Realtime/Priorities.v` says what priorities are; with one queue it is
//! `one_queue_sound`.

mod kernels;
mod levels;
mod windows;

use std::fmt::Write;

use thiserror::Error;

use crate::bound::{NoBound, bound_without_levels, in_order};
use crate::certificate::kernels::Windows;
use crate::{Basis, Execution, Source, System, Task};
use warpspan_model::limits::Limits;
use warpspan_model::time::{Duration, TimeUnit};

/// The most kernels of a certificate: what Coq computes grows with the fourth power of their number.
const MOST_KERNELS: usize = 30;

/// Why there is no certificate of a system.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refused {
    /// A kernel is given as code.
    #[error("C of {0} comes from code: certificates of response bounds are for kernels whose C is given")]
    Code(String),
    /// Whether registers suffice does not depend on their sum alone.
    #[error(
        "registers lie in parts, and a block may lack some although enough are left: certificates are for GPUs \
         on which registers add up"
    )]
    Registers,
    /// There are too many kernels.
    #[error("{0} kernels: certificates of response bounds are for {MOST_KERNELS} or fewer")]
    Kernels(usize),
    /// A kernel has no bound for the certificate to prove.
    #[error("{0} has no bound on its response times that holds for all arrivals a period or more apart")]
    NoBound(String),
    /// The C of a kernel does not hold under the contention that its blocks may have.
    #[error(
        "C of {0} was measured alone, but other blocks may share its multiprocessor: want C measured with co-running blocks"
    )]
    NotAlone(String),
    /// A limit ended the search for the bounds, or it takes too many steps.
    #[error("the search for bounds was stopped before it found them")]
    Stopped,
}

/// The bounds of a system, for Coq to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate<'a> {
    system: &'a System,
    /// The times that blocks take at most, kernel by kernel.
    times: Vec<Duration>,
    bounds: Vec<Duration>,
    /// Where bounds rest on busy windows, the sizes by which those of each kernel measure the resources.
    ways: Option<Vec<Option<[u128; 4]>>>,
}

impl<'a> Certificate<'a> {
    /// Whether certificates are for systems of this kind.
    ///
    /// # Errors
    /// If a kernel is given as code, if registers do not add up, or if there are too many kernels.
    pub fn is_possible(system: &System) -> Result<(), Refused> {
        let tasks = system.tasks();
        if let Some(task) = tasks.iter().find(|task| !matches!(task.execution, Source::Given(_))) {
            return Err(Refused::Code(task.name.clone()));
        }
        if !system.registers_add_up() {
            return Err(Refused::Registers);
        }
        if tasks.len() > MOST_KERNELS {
            return Err(Refused::Kernels(tasks.len()));
        }
        Ok(())
    }

    /// The certificate of a system. Its bounds use less than those of [`bound`](crate::bound()), and that releases are known exactly is
    /// not used at all, so they may be larger than those of the system.
    ///
    /// # Errors
    /// As [`is_possible`](Self::is_possible), or if a kernel has no such bound, or if the search for the bounds was
    /// stopped.
    pub fn new(system: &'a System, executions: &[Execution], limits: &Limits) -> Result<Self, Refused> {
        Self::is_possible(system)?;
        let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
        let found = bound_without_levels(&system.with_any_arrivals(), executions, limits);
        let mut bounds: Vec<Option<u64>> = Vec::new();
        for (task, bound) in system.tasks().iter().zip(found) {
            bounds.push(match bound.response {
                Ok(bound) => Some(bound.0),
                Err(NoBound::Grows(_) | NoBound::Behind(_) | NoBound::Held(_)) => None,
                Err(NoBound::Stopped(_)) => return Err(Refused::Stopped),
                Err(NoBound::NotAlone { kernel, .. }) => {
                    return Err(Refused::NotAlone(system.tasks()[kernel].name.clone()));
                }
                Err(_) => return Err(Refused::NoBound(task.name.clone())),
            });
        }
        let (bounds, ways) = match by_windows(system, &times, &bounds) {
            Some((bounds, ways)) => (bounds, Some(ways)),
            None => (bounds, None),
        };
        let stated = system.tasks().iter().zip(bounds);
        let stated = stated
            .map(|(task, bound)| bound.map(Duration).ok_or_else(|| Refused::NoBound(task.name.clone())));
        Ok(Self { system, times, bounds: stated.collect::<Result<_, _>>()?, ways })
    }

    /// What is proved of the response times of each kernel, from the arrival of a launch.
    pub fn bounds(&self) -> &[Duration] {
        &self.bounds
    }

    /// The text of the file.
    pub fn coq(&self) -> String {
        let unit = self.system.unit();
        let grains = match unit {
            TimeUnit::Ticks | TimeUnit::Cycles => unit.name(),
            _ => "picoseconds",
        };
        let mut out = format!(
            "(* A certificate of warpspan {}. Once the proofs are compiled (proofs/check.sh), this checks it:\n       \
                 coqc -Q proofs Warpspan FILE.v\n   \
             It states the system and how long launches take at most from their arrival, in {grains}. Assumed:\n   \
             launches are released at whole {grains}, the first ones at any time;\n   \
             {}. *)\n\
             From Coq Require Import List ZArith.\n\
             Import ListNotations.\n\
             From Warpspan.Realtime Require Import Launches{}.\n\
             From Warpspan.Checker Require Import {}.\n\n\
             Open Scope Z_scope.\n\n\
             {}\n",
            env!("CARGO_PKG_VERSION"),
            self.assumptions(),
            if self.ways.is_some() { " Priorities" } else { "" },
            if self.ways.is_some() { "PriorityInput" } else { "ResponseInput" },
            self.input(),
        );
        let (says, proof) = match &self.ways {
            None => ("response asked", "responses_sound asked bounds"),
            Some(_) if in_order(self.system) => {
                ("response asked", "one_queue_sound asked priorities bounds ways")
            }
            Some(_) => (
                "response_by_priority asked (priority priorities)",
                "priorities_sound asked priorities bounds ways",
            ),
        };
        for (kernel, (task, bound)) in self.system.tasks().iter().zip(&self.bounds).enumerate() {
            let _ = write!(
                out,
                "\n(* {}: {} {unit} *)\n\
                 Theorem response_{kernel} : {says} {kernel} {}.\n\
                 Proof. exact ({proof} checked {kernel}). Qed.\n\
                 Print Assumptions response_{kernel}.\n",
                plain(&task.name),
                unit.write(*bound),
                bound.0,
            );
        }
        out
    }

    /// What the program cannot check, a line for each sentence.
    fn assumptions(&self) -> String {
        let system = self.system.with_any_arrivals();
        let all = system.rests_on(Basis::Bound);
        let on_the_gpu = all.iter().map(|one| plain(&one.to_string()));
        let on_priorities = self.ways.iter().filter(|_| !in_order(self.system)).map(|_| {
            "a block starts only while every more urgent queue is empty, each queue is first come, first served,\n   \
             and a head that finds no room lets no less urgent block pass"
                .to_owned()
        });
        on_the_gpu.chain(on_priorities).collect::<Vec<_>>().join(";\n   ")
    }

    /// The system and its bounds, and what Coq computes.
    fn input(&self) -> String {
        let gpu = self.system.gpu();
        let streams = streams(self.system);
        let rows = self.system.tasks().iter().zip(&self.times).zip(streams).map(|((task, time), stream)| {
            let period =
                task.period.map_or_else(|| "None".to_owned(), |period| format!("(Some {})", period.0));
            format!(
                "(* {} *) Kernel {period} {} {} {} [{}] {stream} {} {}",
                plain(&task.name),
                task.jitter.0,
                time.0,
                task.blocks,
                list(task.block.each()),
                task.copy_in.0,
                task.copy_out.0,
            )
        });
        let rows: Vec<String> = rows.collect();
        format!(
            "(* Multiprocessors; threads in whole warps, bytes of shared memory, registers and block slots of each; whether\n   \
                 blocks start in the order in which their launches are ready; the kernels. A kernel has a period, jitter, C,\n   \
                 blocks, what a block needs, a stream, and the times of the copies before and after its blocks. *)\n\
             Definition asked : system := System {} [{}] {} [\n  {}\n].\n\
             Definition bounds : list Z := [{}].\n{}\n\
             Lemma checked : {} = true.\n\
             Proof. vm_cast_no_check (eq_refl true). Qed.",
            gpu.multiprocessors,
            list(gpu.resources.each()),
            in_order(self.system),
            rows.join(";\n  "),
            list(self.bounds.iter().map(|bound| bound.0)),
            self.levels(),
            match &self.ways {
                None => "responses_checked asked bounds",
                Some(_) if in_order(self.system) => {
                    "(one_queue asked priorities && priorities_checked asked priorities bounds ways)%bool"
                }
                Some(_) => "priorities_checked asked priorities bounds ways",
            },
        )
    }

    /// The priority of each kernel, and which weights its windows use.
    fn levels(&self) -> String {
        let Some(ways) = &self.ways else { return String::new() };
        let streams = self.system.streams();
        let priorities =
            self.system.tasks().iter().map(|task| format!("({})", streams[task.stream].priority));
        let way = |way: &Option<[u128; 4]>| match way {
            None => "[]".to_owned(),
            Some([0, 0, 0, 0]) => "[[]]".to_owned(),
            Some(sizes) => format!("[[{}]]", list(*sizes)),
        };
        format!(
            "(* A larger priority is more urgent. For each kernel the sizes that its windows measure resources by. *)\n\
             Definition priorities : list Z := [{}].\n\
             Definition ways : list (list (list Z)) := [{}].\n",
            priorities.collect::<Vec<_>>().join("; "),
            ways.iter().map(way).collect::<Vec<_>>().join("; "),
        )
    }
}

/// The bounds from the arrival where busy windows lower one of them, and the sizes by which they measure; nothing
/// where they do not, or if a kernel has no bound.
fn by_windows(system: &System, times: &[Duration], bounds: &[Option<u64>]) -> Option<Windowed> {
    let jitter = |k: usize| u128::from(system.tasks()[k].jitter.0);
    let windows = Windows::new(system, times, &streams(system));
    let from_release: Vec<Option<u128>> =
        bounds.iter().enumerate().map(|(k, bound)| u128::from((*bound)?).checked_sub(jitter(k))).collect();
    let found = windows.settle(&from_release)?;
    let lower = found.bounds.iter().zip(&from_release).any(|(bound, other)| Some(*bound) != *other);
    let from_arrival =
        found.bounds.iter().enumerate().map(|(k, bound)| u64::try_from(bound + jitter(k)).ok());
    lower.then(|| (from_arrival.collect(), found.ways))
}

/// Bounds, and the sizes by which the windows of each kernel measure the resources.
type Windowed = (Vec<Option<u64>>, Vec<Option<[u128; 4]>>);

/// The stream of each kernel, numbered from 0 in the order of the kernels. A system may have streams without kernels,
/// and the checker takes no number that is as large as that of the kernels.
fn streams(system: &System) -> Vec<usize> {
    let mut used: Vec<usize> = Vec::new();
    let number = |task: &Task| {
        used.iter().position(|&stream| stream == task.stream).unwrap_or_else(|| {
            used.push(task.stream);
            used.len() - 1
        })
    };
    system.tasks().iter().map(number).collect()
}

fn list(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join("; ")
}

/// A text as a comment may hold it: Coq reads quotes and stars in comments.
fn plain(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_alphanumeric() || "_-., :;/".contains(letter) { letter } else { '_' })
        .collect()
}
