//! The result of a simulation.

use thiserror::Error;

use crate::engines::policy::{Machine, MachineError, Policy, Width};
use crate::engines::portfolio::SolveError;
use crate::limits::Stop;
use crate::model::{Cycles, Instance, PerUnit, Unit};
use crate::schedule::{Schedule, Violation, replay};
use crate::source::{Message, Remedy};

/// A policy's schedule of an instance on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The policy.
    pub policy: Policy,
    /// The schedule that the policy made.
    pub schedule: Schedule,
    /// The cycle in which the last instruction of each group is complete. With a latency of 1 it is the cycle
    /// of its issue.
    pub completions: Vec<Cycles>,
    /// The number of issues up to the makespan for which there was room but no ready warp. The room is one
    /// issue for each cycle and scheduler, or the sigmas if the width is unlimited.
    pub idle_slots: u64,
    /// Whether the schedule is one of [`crate::model`]. If so, it was replayed.
    pub within_model: bool,
}

/// Why there is no run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The machine does not suit the instance or the policy.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The schedule would not fit into memory.
    #[error("{}", self.message())]
    TooLarge(u64),
    /// A limit or Ctrl-C stopped the simulation.
    #[error("{policy}: stopped in cycle {cycle} by a limit: its run is not known")]
    Stopped {
        /// The policy.
        policy: Policy,
        /// The cycle that the simulation had reached.
        cycle: Cycles,
        /// What stopped it.
        stop: Stop,
    },
    /// The adversary found no schedule.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A makespan is not between the best and the worst case, which is a bug.
    #[error(
        "policy {policy} takes {makespan} cycles, not {least} to {most}; this is a bug, please report it"
    )]
    Outside {
        /// The policy.
        policy: Policy,
        /// The makespan of the run.
        makespan: Cycles,
        /// The best case, as far as it is known.
        least: Cycles,
        /// The upper bound on the worst case.
        most: Cycles,
    },
    /// The verifier refuses the schedule, although the machine is that of the model, which is a bug.
    #[error("the schedule of policy {policy} is not valid: {violation}; this is a bug, please report it")]
    Disagreement {
        /// The policy whose schedule it is.
        policy: Policy,
        /// The first rule that the schedule breaks.
        violation: Box<Violation>,
    },
}

impl RunError {
    /// What happened, and what would mend it.
    pub fn message(&self) -> Message {
        match self {
            Self::Machine(error) => error.message(),
            Self::TooLarge(instructions) => Message::text(format!(
                "{instructions} instructions: a schedule larger than the memory limit: want fewer, or a larger "
            ))
            .remedy(Remedy::Memory),
            Self::Solve(error) => error.message(),
            Self::Stopped { .. } | Self::Outside { .. } | Self::Disagreement { .. } => Message::text(self),
        }
    }
}

impl Run {
    /// Computes the figures of a schedule, and replays it if the machine is that of the model.
    ///
    /// # Errors
    /// If the verifier refuses it.
    pub(super) fn new(
        instance: &Instance,
        policy: Policy,
        machine: &Machine,
        schedule: Schedule,
    ) -> Result<Self, RunError> {
        let within_model = machine.is_within_model();
        let schedule = if within_model {
            let disagree = |violation| RunError::Disagreement { policy, violation: Box::new(violation) };
            replay(instance, schedule).map_err(disagree)?.schedule().clone()
        } else {
            schedule
        };
        let mut completions = vec![Cycles(0); instance.groups().len()];
        let ends = PerUnit::from_fn(|unit| machine.latency[unit] - 1);
        for issue in schedule.issues() {
            let group = issue.group as usize;
            let unit = instance.groups()[group].kernel.units()[issue.instruction as usize];
            completions[group] = completions[group].max(Cycles(issue.cycle + ends[unit]));
        }
        let slots = match machine.width {
            Width::One => machine.schedulers,
            Width::Unlimited => {
                Unit::ALL.iter().map(|&unit| instance.sigma(unit)).fold(0, u64::saturating_add)
            }
        };
        let end = completions.iter().copied().max().unwrap_or_default();
        let idle_slots = slots.saturating_mul(end.0).saturating_sub(instance.total_issues());
        Ok(Self { policy, schedule, completions, idle_slots, within_model })
    }

    /// The cycle in which the last instruction of all groups is complete.
    pub fn makespan(&self) -> Cycles {
        self.completions.iter().copied().max().unwrap_or_default()
    }

    /// The mean of the completions of the groups.
    #[expect(clippy::cast_precision_loss, reason = "a mean to be shown")]
    pub fn average(&self) -> f64 {
        let sum: Cycles = self.completions.iter().copied().sum();
        sum.0 as f64 / self.completions.len().max(1) as f64
    }
}
