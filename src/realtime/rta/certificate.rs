//! A certificate of response bounds: the system and its bounds as a file that `coqc` checks against the folder
//! `proofs`, which shares no code with this program.
//!
//! The theorem is `responses_sound` of `proofs/Checker/ResponseInput.v`, and what a run is stands in
//! `proofs/Realtime/Launches.v`. It is about kernels whose C is given, and it does not use that releases are
//! exact: arrivals may be further apart than a period.

use std::fmt::Write;

use thiserror::Error;

use crate::limits::Limits;
use crate::model::time::{Duration, TimeUnit};
use crate::realtime::rta::bound::{NoBound, bound_without_levels, in_order};
use crate::realtime::rta::{Basis, Execution, Source, System, Task};

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
    /// The C of a kernel does not hold in the company that its blocks may have.
    #[error("C of {0} was measured alone, and other blocks may be beside its own: want its C beside others")]
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

    /// The certificate of a system. Its bounds are those that use neither priorities nor that releases are known exactly,
    /// so they may be larger than those of the system.
    ///
    /// # Errors
    /// As [`is_possible`](Self::is_possible), or if a kernel has no such bound, or if the search for the bounds was
    /// stopped.
    pub fn new(system: &'a System, executions: &[Execution], limits: &Limits) -> Result<Self, Refused> {
        Self::is_possible(system)?;
        let found = bound_without_levels(&system.with_any_arrivals(), executions, limits);
        let bounds = system.tasks().iter().zip(found).map(|(task, bound)| {
            bound.response.map_err(|why| match why {
                NoBound::Stopped(_) => Refused::Stopped,
                NoBound::NotAlone { kernel, .. } => Refused::NotAlone(system.tasks()[kernel].name.clone()),
                _ => Refused::NoBound(task.name.clone()),
            })
        });
        let bounds = bounds.collect::<Result<_, Refused>>()?;
        Ok(Self { system, times: executions.iter().map(|execution| execution.time).collect(), bounds })
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
             It states the system and how long launches take at most from their arrival, in {grains}. Taken for granted:\n   \
             launches are released at whole {grains}, the first ones at any time;\n   \
             {}. *)\n\
             From Coq Require Import List ZArith.\n\
             Import ListNotations.\n\
             From Warpspan.Realtime Require Import Launches.\n\
             From Warpspan.Checker Require Import ResponseInput.\n\n\
             Open Scope Z_scope.\n\n\
             {}\n",
            env!("CARGO_PKG_VERSION"),
            self.assumptions(),
            self.input(),
        );
        for (kernel, (task, bound)) in self.system.tasks().iter().zip(&self.bounds).enumerate() {
            let _ = write!(
                out,
                "\n(* {}: {} {unit} *)\n\
                 Theorem response_{kernel} : response asked {kernel} {}.\n\
                 Proof. exact (responses_sound asked bounds checked {kernel}). Qed.\n\
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
        let on_launches = Basis::Bound.assumes(&system).into_iter().map(plain);
        let on_the_gpu = system.assumed().iter().map(|sentence| plain(sentence));
        on_launches.chain(on_the_gpu).collect::<Vec<_>>().join(";\n   ")
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
             Definition bounds : list Z := [{}].\n\n\
             Lemma checked : responses_checked asked bounds = true.\n\
             Proof. vm_cast_no_check (eq_refl true). Qed.",
            gpu.multiprocessors,
            list(gpu.resources.each()),
            in_order(self.system),
            rows.join(";\n  "),
            list(self.bounds.iter().map(|bound| bound.0)),
        )
    }
}

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

fn list(numbers: impl IntoIterator<Item = u64>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join("; ")
}

/// A text as a comment may hold it: Coq reads quotes and stars in comments.
fn plain(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_alphanumeric() || "_-., :;/".contains(letter) { letter } else { '_' })
        .collect()
}
