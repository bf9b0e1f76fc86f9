//! The results of an analysis: completion and response times by one method, together with what is proved.

use thiserror::Error;

use crate::co_runners::NotAlone;
use crate::run::{Covers, Response, RunEnd, RunError};
use crate::{Basis, Bound, Breach, Event, KernelVerdict, Task, Verdict};
use warpspan_model::limits::Stop;
use warpspan_model::source::{Message, Remedy};
use warpspan_model::time::Duration;
use warpspan_model::words;

words! {
    /// How completion times are found.
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    #[schemars(description = "How estimates are found.")]
    Method {
        /// Algorithm 2 of Pa19: blocks of one size on one big multiprocessor.
        #[schemars(description = "Pa19's Algorithm 2.")]
        Algorithm2 = "algorithm2",
        /// Pa19 section 3.7, corrected: equal execution times and releases too.
        #[schemars(description = "The closed form for kernels of equal C.")]
        ClosedForm = "closed-form",
        /// The scheduling rules of the GPU, block by block.
        #[schemars(description = "The scheduling rules, block by block.")]
        Simulate = "simulate",
    }
}

/// What is known of a system.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Whether all deadlines are met; the verdict is the same for each method.
    pub verdict: Verdict,
    /// The proof that the verdict rests on; `None` if the verdict is undecided.
    pub by: Option<Basis>,
    /// What is known of each kernel for certain.
    pub kernels: Vec<KernelVerdict>,
    /// The method that gave the estimates.
    pub method: Method,
    /// The response times of each kernel by the method; `None` for a kernel that was not seen to complete.
    pub estimates: Vec<Option<Response>>,
    /// The launches that the estimates cover.
    pub covers: Covers,
    /// Why estimates are missing, unless the only reason is that a kernel never completes.
    pub missing: Option<Missing>,
    /// The limit that stopped a part of the analysis, if one did.
    pub stop: Option<Stop>,
    /// Upper bounds on the response times of each kernel, which hold as long as every block takes at most C;
    /// or the reason why a kernel has none.
    pub bounds: Vec<Bound>,
    /// Whether, in the long run, the kernels ask for more threads than the GPU has if all blocks take C.
    pub overloaded: bool,
    /// The assumptions of Algorithm 2 that do not hold.
    pub breaches: Vec<Breach>,
    /// The assumptions of C of kernel strings that do not hold.
    pub not_alone: Vec<NotAlone>,
    /// The response times by the simulator, and the launches that they cover; `None` if the simulator was cut
    /// short or is itself the method.
    pub simulated: Option<(Vec<Option<Response>>, Covers)>,
    /// What cut the simulator short, if something did.
    pub cut: Option<RunEnd>,
    /// The run of the simulator, which [`replay`](crate::replay()) has judged; `None` if it is too long to be kept.
    pub events: Option<Vec<Event>>,
    /// Whether the response times of Algorithm 2 are safe: they hold for all launches there will ever be, as
    /// long as every block takes at most C.
    pub safe: bool,
}

impl Analysis {
    /// Whether Algorithm 2 follows the rules of the GPU, for first launches at the releases that it takes, and blocks that need
    /// what is given.
    pub fn follows_algorithm2(&self) -> bool {
        self.breaches.iter().all(Breach::is_open)
    }
}

/// Why there are no estimates, or none for some of the kernels.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Missing {
    /// The launches cannot be played.
    Run(RunError),
    /// A limit stopped the run.
    Stopped(Stop),
    /// Launches pile up without end.
    PiledUp,
    /// The closed form does not apply; the text names the systems that it is for.
    Domain(&'static str),
}

impl Missing {
    /// The message: what is wrong, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Run(error) => error.message(),
            Self::Stopped(stop) => Message::text(format!(
                "launches were simulated until a limit was reached ({}): those that did not complete have no estimate",
                stop.name()
            )),
            Self::PiledUp => Message::text(
                "launches were simulated until they piled up: those that did not complete have no estimate",
            ),
            Self::Domain(domain) => Message::text(format!("the closed form is for {domain}: "))
                .remedy(Remedy::Method)
                .then(" algorithm2 or simulate have estimates"),
        }
    }
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// There are not as many execution times as kernels.
    #[error("{found} execution times for {wanted} kernels: want one for each")]
    Executions {
        /// How many execution times there are.
        found: usize,
        /// How many kernels there are.
        wanted: usize,
    },
    /// A block takes no time at all.
    #[error("an execution time of 0: want more than 0")]
    NoTime,
    /// Times could overflow.
    #[error("{0}")]
    Run(#[from] RunError),
    /// Two methods contradict each other, or the run of the simulator breaks a rule of the GPU.
    #[error("{0}; this is a bug, please report it")]
    Disagreement(String),
}

impl AnalysisError {
    /// The message: what is wrong, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Run(error) => error.message(),
            Self::Executions { .. } | Self::NoTime | Self::Disagreement(_) => Message::text(self),
        }
    }
}

/// The utilisation of a kernel with this C, in threads of the GPU: C g b / T (Pa19 Eq. 3.3). It is zero for a
/// kernel that is launched once.
pub fn utilisation(task: &Task, execution: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share, not a time")]
    let real = |value: u64| value as f64;
    let period = task.period.map_or(f64::INFINITY, |period| real(period.0));
    real(execution.0) / period * real(task.blocks) * real(task.threads)
}
