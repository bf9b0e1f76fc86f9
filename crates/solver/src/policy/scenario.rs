//! What a simulation needs beyond the machine and the code: launches, priorities, latencies and a seed.

use thiserror::Error;

use crate::policy::{Policy, Reading, code, paper};
use warpspan_model::machine::{Machine, MachineWorkload};
use warpspan_model::source::{Message, Remedy};
use warpspan_model::words;

words! {
    /// Which latency of its interval each issue has.
    #[derive(Default)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    Draw {
        /// The least
        #[schemars(description = "The least.")]
        Least = "least",
        /// The greatest
        #[schemars(description = "The greatest.")]
        #[default]
        Most = "most",
        /// Any, drawn for each issue with the seed
        #[schemars(description = "Any, drawn for each issue.")]
        Random = "random",
    }
}

/// Launches, priorities, latencies and a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The cycle after which the warps of each group are present. After a launch at 0 they are ready in cycle
    /// 1.
    pub launch: Vec<u64>,
    /// The priority of each group. A larger number is more urgent.
    pub priority: Vec<u64>,
    /// Which latency each issue has.
    pub latency: Draw,
    /// The seed of [`Policy::Random`] and [`Draw::Random`].
    pub seed: u64,
    /// How [`Policy::RtPaws`] reads its algorithm.
    pub reading: Reading,
}

/// Why a scenario does not suit a workload or a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum ScenarioError {
    /// The number of launches is not that of the groups.
    Launches {
        /// The number of launches given.
        found: usize,
        /// The number of groups of the workload.
        groups: usize,
    },
    /// The number of priorities is not that of the groups.
    Priorities {
        /// The number of priorities given.
        found: usize,
        /// The number of groups of the workload.
        groups: usize,
    },
    /// Cycle counts would not fit into 64 bits on a machine that has the units L and C only.
    Overflow,
    /// Cycle counts would not fit into 64 bits on another machine.
    MachineOverflow,
    /// Some code has several paths, or one that is too long to be written out.
    Paths,
    /// The adversary was asked for on a machine that is not that of the model.
    NotTheModel,
    /// The adversary was to be simulated.
    NotSimulated,
}

impl ScenarioError {
    /// What does not suit, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Launches { found, groups } => Message::of(Remedy::Launches)
                .then(format!(": {found} for {groups} group(s): want a cycle for each group, as 0,1")),
            Self::Priorities { found, groups } => Message::of(Remedy::Priorities)
                .then(format!(": {found} for {groups} group(s): want a priority for each group, as 1,2")),
            Self::Overflow => Message::of(Remedy::Launches)
                .then(", ")
                .remedy(Remedy::LatencyL)
                .then(", ")
                .remedy(Remedy::LatencyC)
                .then(": cycle counts would overflow: want smaller numbers"),
            Self::MachineOverflow => Message::of(Remedy::Launches)
                .then(", latencies of the machine: cycle counts would overflow: want smaller numbers"),
            Self::Paths => Message::text(
                "the kernel has branches or loops, so there is no one schedule of it: want a straight line of 2^26 letters at \
                 most",
            ),
            Self::NotTheModel => Message::text("worst: not of this machine: want ")
                .remedy(Remedy::UnlimitedWidth)
                .then(", latencies of 1 and launches at 0, or another policy"),
            Self::NotSimulated => {
                Message::text("worst: the worst schedule is searched for and not simulated")
            }
        }
    }
}

impl Scenario {
    /// All warps of a workload are present in cycle 1, with equal priorities, the greatest latencies, seed 0 and
    /// the reading of the text.
    pub fn of(workload: &MachineWorkload) -> Self {
        let groups = workload.groups().len();
        let (launch, priority) = (vec![0; groups], vec![1; groups]);
        Self { launch, priority, latency: Draw::Most, seed: 0, reading: Reading::Text }
    }

    /// Whether the reading can make a difference under a policy: with one priority there is one group of warps.
    pub fn is_read(&self, policy: Policy) -> bool {
        policy == Policy::RtPaws && self.priority.windows(2).any(|two| two[0] != two[1])
    }

    /// Whether all warps are present in cycle 1, as in every bound.
    pub fn starts_together(&self) -> bool {
        self.launch.iter().all(|&launch| launch == 0)
    }

    /// Whether every schedule of a workload in this scenario is one of [`warpspan_model`], so that it lies
    /// between the exact best and worst case.
    pub fn is_within_model(&self, workload: &MachineWorkload) -> bool {
        self.starts_together() && paper::sigmas(workload).is_some()
    }

    /// Whether a policy can run a workload in this scenario.
    ///
    /// # Errors
    /// The first mismatch that is found.
    pub fn suits(&self, workload: &MachineWorkload, policy: Policy) -> Result<(), ScenarioError> {
        let groups = workload.groups().len();
        if self.launch.len() != groups {
            return Err(ScenarioError::Launches { found: self.launch.len(), groups });
        }
        if self.priority.len() != groups {
            return Err(ScenarioError::Priorities { found: self.priority.len(), groups });
        }
        if !workload.groups().iter().all(|group| group.code.is_straight()) {
            return Err(ScenarioError::Paths);
        }
        // Until the end, each cycle lies within the latency, the occupancy or the stall of an issue.
        let last = self.launch.iter().copied().max().unwrap_or(0);
        code::total_issues(workload)
            .and_then(|issues| issues.checked_mul(code::longest(workload))?.checked_add(last))
            .filter(|&end| end < 1 << 62)
            .ok_or_else(|| overflow(workload.machine()))?;
        match policy {
            Policy::Worst if !self.is_within_model(workload) => Err(ScenarioError::NotTheModel),
            _ => Ok(()),
        }
    }
}

fn overflow(machine: &Machine) -> ScenarioError {
    if paper::has_its_letters(machine) { ScenarioError::Overflow } else { ScenarioError::MachineOverflow }
}
