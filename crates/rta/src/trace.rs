//! The steps of Algorithm 2, launch by launch, as in the example of Pa19 section 3.6.

use crate::jobs::Releases;
use crate::{Algorithm2, Execution, Job, Request, Step, System, big_multiprocessor, hyperperiod};
use warpspan_model::time::Duration;

/// A launch as Algorithm 2 places it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The launch.
    pub job: Job,
    /// The state each time that blocks were to be placed. Rounds that repeat are left out, and so are steps
    /// beyond a thousand.
    pub steps: Vec<Step>,
    /// C.
    pub execution: Duration,
    /// f, the time at which its last block completes.
    pub completion: Duration,
}

/// The most steps of a launch that are kept.
const MOST_STEPS: usize = 1000;

/// The launches of the first hyperperiod, but no more than `most`. They are taken in the order of their releases,
/// whether the assumptions of Algorithm 2 hold or not.
pub fn trace(system: &System, executions: &[Execution], most: usize) -> Vec<Launch> {
    let first = system.tasks().iter().map(|task| task.release).min().unwrap_or(Duration::ZERO);
    let end = match hyperperiod(system) {
        Some(Duration::ZERO) | None => Duration::MAX,
        Some(length) => first + length,
    };
    let mut gpu = Algorithm2::new(big_multiprocessor(system));
    let mut launch = |job: Job| {
        let task = &system.tasks()[job.task];
        let request = Request {
            release: job.release,
            execution: executions.get(job.task)?.time,
            blocks: task.blocks,
            threads: task.block.threads,
        };
        let mut steps = Vec::new();
        let completion = gpu.follow(request, |gpu, left| {
            if steps.len() < MOST_STEPS {
                steps.push(gpu.step(left));
            }
        });
        Some(Launch { job, steps, execution: request.execution, completion })
    };
    Releases::new(system).take_while(|job| job.release < end).take(most).map_while(&mut launch).collect()
}
