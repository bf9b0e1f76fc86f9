//! Where bounds come from, and how Algorithm 2 places launches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::number::number;
use crate::rta::Rta;
use warpspan_model::time::Duration;
use warpspan_rta::{self as rta, NoBound, System};

/// The parts of a bound that needs no assumption of Algorithm 2. All times but the bound itself and `before` add up to the bound
/// and `before`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The bound, which counts from the arrival.
    pub bound: Number,
    /// The theta at which the sum is the smallest; null where every C is measured.
    pub theta: Option<String>,
    /// What launches contribute, kernel by kernel.
    pub shares: Vec<Share>,
    /// How long copies of its stream wait for those of other streams.
    pub copy_wait: Number,
    /// For how long servers of the memory keep results waiting; absent where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Late>,
    /// How long after its arrival the launch is released.
    pub jitter: Number,
    /// What rounding down the other parts leaves over.
    pub rounding: Number,
    /// How long before the launch enters its queue the window begins in which the shares add up, which is taken off.
    pub before: Number,
}

/// What a server of the memory adds to a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Late {
    /// The name of the server.
    pub server: String,
    /// For how long it may keep results waiting.
    pub time: Number,
}

/// What the launches of a kernel contribute to a bound. Each time is rounded down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The name of the kernel.
    pub kernel: String,
    /// The number of its launches that count; null where there may be any number.
    pub launches: Option<u64>,
    /// The number of their blocks that may be present while ours wait; null where there may be any number.
    pub blocks_ahead: Option<u64>,
    /// The number of their blocks that may start after our last one; null where there may be any number.
    pub blocks_later: Option<u64>,
    /// Whether less is counted than the blocks cost, because a stream has only one launch on the GPU at a time.
    pub limited: bool,
    /// The time of its copies, if it is of our stream.
    pub copies: Number,
    /// The run of the last block of each launch, if it is of our stream.
    pub run: Number,
    /// What is on the multiprocessor of that block when it starts.
    pub beside: Number,
    /// What blocks that are present while ours wait add to the time of their multiprocessors.
    pub ahead_a: Number,
    /// What they add because they are followed.
    pub ahead_c: Number,
    /// What blocks that start after our last one add to the time of their multiprocessors.
    pub later_a: Number,
    /// What blocks take of the multiprocessors that were there when the window began.
    pub resident: Number,
    /// What is not taken of the multiprocessors where one of its launches has just come to the head of its queue.
    pub lost: Number,
    /// All of these times together.
    pub sum: Number,
}

/// A launch as Algorithm 2 places it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// The name of the kernel.
    pub kernel: String,
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// When it is released.
    pub release: Number,
    /// C, what its blocks take.
    pub execution: Number,
    /// f, the time at which its last block completes.
    pub completion: Number,
    /// The state each time that blocks are to be placed.
    pub steps: Vec<Step>,
}

/// The state of Algorithm 2 when blocks of a launch are to be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// `t_a`, the time at which the next block can be placed.
    pub t_a: Number,
    /// The threads that are free then: `g_f` times the threads of a block.
    pub free_threads: u64,
    /// `g_i`, the blocks that are left to be placed.
    pub blocks_left: u64,
    /// h: what becomes free later.
    pub h: Vec<Freed>,
}

/// Threads that become free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Freed {
    /// When they do.
    pub time: Number,
    /// How many they are.
    pub threads: u64,
}

impl Rta {
    /// The same record with where each bound comes from, or a sentence that says why there is none.
    #[must_use]
    pub fn with_explanations(
        mut self,
        system: &System,
        explanations: &[Result<rta::Explanation, NoBound>],
        why: impl Fn(usize) -> Option<String>,
    ) -> Self {
        for (index, (kernel, explanation)) in self.kernels.iter_mut().zip(explanations).enumerate() {
            match explanation {
                Ok(explanation) => kernel.explanation = Some(Explanation::new(system, explanation)),
                Err(_) => kernel.no_bound = why(index),
            }
        }
        self
    }

    /// The same record with how Algorithm 2 places launches.
    #[must_use]
    pub fn with_trace(mut self, system: &System, launches: &[rta::Launch]) -> Self {
        let time = |time: Duration| number(&system.unit().write(time));
        let freed = |&(at, threads): &(Duration, u64)| Freed { time: time(at), threads };
        let step = |step: &rta::Step| Step {
            t_a: time(step.now),
            free_threads: step.free,
            blocks_left: step.left,
            h: step.held.iter().map(freed).collect(),
        };
        let launch = |launch: &rta::Launch| Launch {
            kernel: system.tasks()[launch.job.task].name.clone(),
            launch: launch.job.number + 1,
            release: time(launch.job.release),
            execution: time(launch.execution),
            completion: time(launch.completion),
            steps: launch.steps.iter().map(step).collect(),
        };
        self.trace = Some(launches.iter().map(launch).collect());
        self
    }
}

impl Explanation {
    fn new(system: &System, found: &rta::Explanation) -> Self {
        let time = |time: Duration| number(&system.unit().write(time));
        let share = |share: &rta::Share| Share {
            kernel: system.tasks()[share.kernel].name.clone(),
            launches: share.launches,
            blocks_ahead: share.ahead,
            blocks_later: share.later,
            limited: share.limited,
            copies: time(share.copies),
            run: time(share.run),
            beside: time(share.beside),
            ahead_a: time(share.ahead_a),
            ahead_c: time(share.ahead_c),
            later_a: time(share.later_a),
            resident: time(share.resident),
            lost: time(share.lost),
            sum: time(share.total()),
        };
        let late = |late: &rta::Late| Late { server: late.server.clone(), time: time(late.time) };
        Self {
            bound: time(found.bound),
            theta: found.theta.map(|theta| theta.to_string()),
            shares: found.shares.iter().map(share).collect(),
            copy_wait: time(found.copy_wait),
            memory: found.memory.iter().map(late).collect(),
            jitter: time(found.jitter),
            rounding: time(found.rounding),
            before: time(found.before),
        }
    }
}
