//! A launch with co-running kernels.

use std::sync::Arc;

use thiserror::Error;

use crate::time::Launch;
use crate::{self as rta, ExecutionError, Explanation, Measured, NoBound, Stream, System, SystemError, Task};
use warpspan_kernel::input::Ground;
use warpspan_model::device::{Gpu, Resources};
use warpspan_model::limits::Limits;
use warpspan_model::machine::{Declared, Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::time::{Duration, TimeUnit};

/// A co-running kernel, in a separate stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What its warps run.
    pub code: Piece<Step>,
    /// What is launched.
    pub launch: Launch,
    /// What a block takes of a multiprocessor.
    pub block: Resources,
    /// The least time between two launches; `None` if it is launched once.
    pub period: Option<Duration>,
    /// How long after its arrival a launch is released at most.
    pub overhead: Duration,
    /// The time on the copy engine before and after.
    pub copies: [Duration; 2],
    /// What is declared of the bytes that a launch moves.
    pub declared: Vec<Declared>,
}

/// The most time that a launch takes with co-running kernels.
#[derive(Debug)]
pub struct CoRunning {
    /// The kernels, ours last.
    pub system: System,
    /// The bound in the system's unit, from the arrival, or the reason why there is none.
    pub response: Result<Duration, NoBound>,
    /// Where it comes from.
    pub explanation: Result<Explanation, NoBound>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum CoRunningError {
    /// The kernels make no system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A kernel has no execution time.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

/// The most time that the last of the kernels takes together with the others, whenever they are launched. Times are in
/// picoseconds, and the GPU has a clock.
///
/// # Errors
/// If the kernels cannot be analysed.
pub fn co_running(
    gpu: Gpu,
    machine: &Arc<Machine>,
    members: &[Member],
    ground: Ground,
) -> Result<CoRunning, CoRunningError> {
    let stream = |member: &Member| Stream { name: member.name.clone(), priority: 0 };
    let tasks = members.iter().enumerate().map(|(number, member)| member.task(number)).collect();
    let streams = members.iter().map(stream).collect();
    let system = System::on_machine(gpu, TimeUnit::Nanoseconds, streams, tasks, Arc::clone(machine))?;
    CoRunning::last_of(system.on_ground(ground))
}

impl CoRunning {
    /// The most time that the last kernel of a system takes.
    ///
    /// # Errors
    /// If the kernels cannot be analysed.
    pub fn last_of(system: System) -> Result<Self, CoRunningError> {
        let limits = Limits::generous();
        let executions = rta::executions(&system, &limits)?;
        let system = rta::where_spread_helps(system, &executions, &limits);
        let none = NoBound::Executions;
        let response =
            rta::bound(&system, &executions, &limits).last().map_or(Err(none), |bound| bound.response);
        let explanation = rta::explain(&system, &executions, &limits).pop().unwrap_or(Err(none));
        Ok(Self { system, response, explanation })
    }
}

impl Member {
    /// The kernel as one of a system, in the stream of this number. Its launches may come at any time.
    pub fn task(&self, stream: usize) -> Task {
        Task {
            name: self.name.clone(),
            // A sporadic kernel of the longest period is launched once in any window, at any time.
            period: Some(self.period.unwrap_or(Duration::MAX)),
            sporadic: true,
            jitter: self.overhead,
            deadline: None,
            release: Duration::ZERO,
            fixed: false,
            execution: rta::Source::OnMachine(self.code.clone()),
            measured: Measured::default(),
            blocks: self.launch.blocks,
            threads: self.launch.threads,
            block: self.block,
            least: self.block,
            stream,
            copy_in: self.copies[0],
            copy_out: self.copies[1],
            traffic: self.declared.clone(),
        }
    }
}
