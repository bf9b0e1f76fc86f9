//! What a simulation needs to know of the multiprocessor and the launches, beyond the instance.

use thiserror::Error;

use crate::engines::policy::Policy;
use crate::model::{Instance, PerUnit, Unit};

/// How many instructions a scheduler issues a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One, as Si21 Algorithm 4.
    One,
    /// As many as the units take: the work-conserving model.
    Unlimited,
}

impl Width {
    /// As it stands in flags and records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Unlimited => "unlimited",
        }
    }
}

/// Schedulers, latencies, launches and priorities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Instructions that each scheduler issues a cycle.
    pub width: Width,
    /// Cycles from an issue for the unit until the warp is ready again, 1 or more.
    pub latency: PerUnit<u64>,
    /// The cycle after which the warps of each group are there: ready in cycle 1 after a launch at 0.
    pub launch: Vec<u64>,
    /// The priority of each group; larger is more urgent.
    pub priority: Vec<u64>,
    /// Warp schedulers, 1 or more.
    pub schedulers: u64,
    /// Of [`Policy::Random`].
    pub seed: u64,
}

/// Why a machine does not suit an instance or a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MachineError {
    /// Not one launch a group.
    #[error("--launch: {found} for {groups} group(s): want a cycle for each group, as 0,1")]
    Launches {
        /// Launches given.
        found: usize,
        /// Groups of the instance.
        groups: usize,
    },
    /// Not one priority a group.
    #[error("--priority: {found} for {groups} group(s): want a priority for each group, as 1,2")]
    Priorities {
        /// Priorities given.
        found: usize,
        /// Groups of the instance.
        groups: usize,
    },
    /// A count of 0.
    #[error("{0}: 0: want 1 or more")]
    Zero(&'static str),
    /// Cycle counts would not fit.
    #[error("--launch, --latency-l, --latency-c: cycle counts would overflow: want smaller numbers")]
    Overflow,
    /// RT-PAWS with three priorities or more.
    #[error("rt-paws: {0} priorities: want two at most, or another policy (Si21 Algorithm 5)")]
    Groups(usize),
    /// The adversary outside the model.
    #[error(
        "worst: not of this machine: want --issue-width unlimited, latencies of 1 and launches at 0, or another policy"
    )]
    NotTheModel,
}

impl Machine {
    /// The machine of [`crate::model`]: every unit filled each cycle, latencies of 1, all warps there in cycle 1; one
    /// scheduler, equal priorities, seed 0.
    pub fn of_model(instance: &Instance) -> Self {
        let groups = instance.groups().len();
        Self {
            width: Width::Unlimited,
            latency: PerUnit::both(1),
            launch: vec![0; groups],
            priority: vec![1; groups],
            schedulers: 1,
            seed: 0,
        }
    }

    /// Whether every schedule of this machine is one of [`crate::model`], which the exact best and worst case bound.
    pub fn is_within_model(&self) -> bool {
        self.width == Width::Unlimited
            && Unit::ALL.iter().all(|&unit| self.latency[unit] == 1)
            && self.launch.iter().all(|&launch| launch == 0)
    }

    /// Whether a policy can run an instance on this machine.
    ///
    /// # Errors
    /// At the first thing that does not fit.
    pub fn suits(&self, instance: &Instance, policy: Policy) -> Result<(), MachineError> {
        let groups = instance.groups().len();
        if self.launch.len() != groups {
            return Err(MachineError::Launches { found: self.launch.len(), groups });
        }
        if self.priority.len() != groups {
            return Err(MachineError::Priorities { found: self.priority.len(), groups });
        }
        for (name, value) in [
            ("--latency-l", self.latency[Unit::LoadStore]),
            ("--latency-c", self.latency[Unit::CudaCore]),
            ("--schedulers", self.schedulers),
        ] {
            if value == 0 {
                return Err(MachineError::Zero(name));
            }
        }
        let latency = Unit::ALL.iter().map(|&unit| self.latency[unit]).max().unwrap_or(1);
        let busy = instance.total_issues().checked_mul(latency);
        let last = self.launch.iter().copied().max().unwrap_or(0);
        busy.and_then(|busy| busy.checked_add(last))
            .filter(|&end| end < 1 << 62)
            .ok_or(MachineError::Overflow)?;
        let mut priorities = self.priority.clone();
        priorities.sort_unstable();
        priorities.dedup();
        match policy {
            Policy::RtPaws if priorities.len() > 2 => Err(MachineError::Groups(priorities.len())),
            Policy::Worst if !self.is_within_model() => Err(MachineError::NotTheModel),
            _ => Ok(()),
        }
    }
}
