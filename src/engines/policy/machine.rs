//! The properties of the multiprocessor and the launches that a simulation needs beyond the instance.

use thiserror::Error;

use crate::engines::policy::Policy;
use crate::model::{Instance, PerUnit, Unit};
use crate::source::{Message, Remedy};

/// How many instructions a scheduler issues a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One instruction, as in Si21 Algorithm 4.
    One,
    /// As many instructions as the units take, which is the work-conserving model.
    Unlimited,
}

impl Width {
    /// The name in flags and records.
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
    /// The number of instructions that each scheduler issues a cycle.
    pub width: Width,
    /// The number of cycles from an issue for the unit until the warp is ready again, 1 or more.
    pub latency: PerUnit<u64>,
    /// The cycle after which the warps of each group are present. After a launch at 0 they are ready in cycle
    /// 1.
    pub launch: Vec<u64>,
    /// The priority of each group. A larger number is more urgent.
    pub priority: Vec<u64>,
    /// The number of warp schedulers, 1 or more.
    pub schedulers: u64,
    /// The seed of [`Policy::Random`].
    pub seed: u64,
}

/// Why a machine does not suit an instance or a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum MachineError {
    /// The number of launches is not that of the groups.
    Launches {
        /// The number of launches given.
        found: usize,
        /// The number of groups of the instance.
        groups: usize,
    },
    /// The number of priorities is not that of the groups.
    Priorities {
        /// The number of priorities given.
        found: usize,
        /// The number of groups of the instance.
        groups: usize,
    },
    /// A latency or the number of schedulers is 0.
    Zero(Remedy),
    /// Cycle counts would not fit into 64 bits.
    Overflow,
    /// RT-PAWS was asked to schedule three priorities or more.
    Groups(usize),
    /// The adversary was asked for on a machine that is not that of the model.
    NotTheModel,
}

impl MachineError {
    /// What does not suit, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Launches { found, groups } => Message::of(Remedy::Launches)
                .then(format!(": {found} for {groups} group(s): want a cycle for each group, as 0,1")),
            Self::Priorities { found, groups } => Message::of(Remedy::Priorities)
                .then(format!(": {found} for {groups} group(s): want a priority for each group, as 1,2")),
            Self::Zero(count) => Message::of(count.clone()).then(": 0: want 1 or more"),
            Self::Overflow => Message::of(Remedy::Launches)
                .then(", ")
                .remedy(Remedy::LatencyL)
                .then(", ")
                .remedy(Remedy::LatencyC)
                .then(": cycle counts would overflow: want smaller numbers"),
            Self::Groups(priorities) => Message::text(format!(
                "rt-paws: {priorities} priorities: want two at most, or another policy (Si21 Algorithm 5)"
            )),
            Self::NotTheModel => Message::text("worst: not of this machine: want ")
                .remedy(Remedy::UnlimitedWidth)
                .then(", latencies of 1 and launches at 0, or another policy"),
        }
    }
}

impl Machine {
    /// The machine of [`crate::model`]: every unit is filled each cycle, latencies are 1, all warps are
    /// present in cycle 1, and there are one scheduler, equal priorities and seed 0.
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

    /// Whether every schedule of this machine is one of [`crate::model`], so that it lies between the exact
    /// best and worst case.
    pub fn is_within_model(&self) -> bool {
        self.width == Width::Unlimited
            && Unit::ALL.iter().all(|&unit| self.latency[unit] == 1)
            && self.launch.iter().all(|&launch| launch == 0)
    }

    /// Whether a policy can run an instance on this machine.
    ///
    /// # Errors
    /// The first mismatch that is found.
    pub(crate) fn suits(&self, instance: &Instance, policy: Policy) -> Result<(), MachineError> {
        let groups = instance.groups().len();
        if self.launch.len() != groups {
            return Err(MachineError::Launches { found: self.launch.len(), groups });
        }
        if self.priority.len() != groups {
            return Err(MachineError::Priorities { found: self.priority.len(), groups });
        }
        for (count, value) in [
            (Remedy::LatencyL, self.latency[Unit::LoadStore]),
            (Remedy::LatencyC, self.latency[Unit::CudaCore]),
            (Remedy::Schedulers, self.schedulers),
        ] {
            if value == 0 {
                return Err(MachineError::Zero(count));
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
