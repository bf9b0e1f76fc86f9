//! The result of a simulation.

use thiserror::Error;

use crate::policy::code::{Line, total_issues};
use crate::policy::{Policy, Scenario, ScenarioError, instance_of};
use warpspan_check::schedule::{Issue, Schedule, Violation, replay};
use warpspan_model::Cycles;
use warpspan_model::limits::Stop;
use warpspan_model::machine::{Machine, MachineError, MachineWorkload, Unit};
use warpspan_model::source::{Message, Remedy};

/// A policy's schedule of a workload on its machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The policy.
    pub policy: Policy,
    /// What the policy issued, by cycle, then group and warp.
    pub issues: Vec<Issue>,
    /// The cycle in which the last result of each group is there. With a latency of 1 it is the cycle of the
    /// issue.
    pub completions: Vec<Cycles>,
    /// What was not used up to the makespan. If the width is limited, it is the number of issue slots of all
    /// schedulers that no warp used. If it is unlimited, it is the sum over all instances of the cycles in
    /// which they were not held.
    pub idle_slots: u64,
    /// Whether the schedule is one of [`warpspan_model`]. If so, its judge has replayed it. Another schedule whose
    /// warps start together is replayed by the judge of machines.
    pub within_model: bool,
}

/// Why there is no run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scenario does not suit the workload or the policy.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The machine is none, or the workload does not suit it.
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
    /// The verifier refuses the schedule, although the machine is that of the model, which is a bug.
    #[error("the schedule of policy {policy} is not valid: {violation}; this is a bug, please report it")]
    Disagreement {
        /// The policy whose schedule it is.
        policy: Policy,
        /// The first rule that the schedule breaks.
        violation: Box<Violation>,
    },
    /// The judge of machines refuses the schedule, which is a bug.
    #[error(
        "the schedule of policy {policy} is not one of the machine: {violation}; this is a bug, please report it"
    )]
    Refused {
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
            Self::Scenario(error) => error.message(),
            Self::TooLarge(instructions) => Message::text(format!(
                "{instructions} instructions: a schedule larger than the memory limit: want fewer, or a larger "
            ))
            .remedy(Remedy::Memory),
            Self::Machine(_)
            | Self::Stopped { .. }
            | Self::Disagreement { .. }
            | Self::Refused { .. } => Message::text(self),
        }
    }
}

impl Run {
    /// Computes the figures of a schedule, and replays it if all warps start together.
    ///
    /// # Errors
    /// If the judge refuses it.
    pub(crate) fn new(
        workload: &MachineWorkload,
        policy: Policy,
        scenario: &Scenario,
        lines: &[Line],
        issues: Vec<Issue>,
    ) -> Result<Self, RunError> {
        let mut completions = vec![Cycles(0); workload.groups().len()];
        for issue in &issues {
            let group = issue.group as usize;
            completions[group] = completions[group].max(Cycles(issue.cycle + issue.latency - 1));
        }
        let within_model = scenario.is_within_model(workload);
        let mut run = Self { policy, issues, completions, idle_slots: 0, within_model };
        if within_model && let Some(instance) = instance_of(workload) {
            let disagree = |violation| RunError::Disagreement { policy, violation: Box::new(violation) };
            replay(&instance, run.schedule()).map_err(disagree)?;
        } else if scenario.starts_together() {
            let refused = |violation| RunError::Refused { policy, violation: Box::new(violation) };
            replay(workload, run.schedule()).map_err(refused)?;
        }
        run.idle_slots = run.idle(workload, lines);
        Ok(run)
    }

    fn idle(&self, workload: &MachineWorkload, lines: &[Line]) -> u64 {
        let (machine, end) = (workload.machine(), self.makespan().0);
        if let Some(width) = machine.width() {
            let slots = machine.schedulers().saturating_mul(width).saturating_mul(end);
            return slots.saturating_sub(total_issues(workload).unwrap_or(u64::MAX));
        }
        let held = |issue: &Issue| {
            let letter = lines[issue.group as usize].letters[issue.instruction as usize];
            machine.letter(letter).occupancy.min(end + 1 - issue.cycle)
        };
        let held = self.issues.iter().map(held).fold(0, u64::saturating_add);
        instances(machine).saturating_mul(end).saturating_sub(held)
    }

    /// The schedule with its latencies.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.issues.clone())
    }

    /// The last cycle in which a warp of each group issues, or 0 if none does.
    pub fn last_issues(&self) -> Vec<Cycles> {
        let mut last = vec![Cycles(0); self.completions.len()];
        for issue in &self.issues {
            let last = &mut last[issue.group as usize];
            *last = (*last).max(Cycles(issue.cycle));
        }
        last
    }

    /// The last cycle in which a warp issues, or 0 if none does.
    pub fn last_issue(&self) -> Cycles {
        Cycles(self.issues.last().map_or(0, |issue| issue.cycle))
    }

    /// The cycle in which the last result of all groups is there.
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

/// The number of instances of all units that all schedulers see.
fn instances(machine: &Machine) -> u64 {
    let of = |unit: &Unit| unit.instances.saturating_mul(if unit.shared { 1 } else { machine.schedulers() });
    machine.units().iter().map(of).fold(0, u64::saturating_add)
}
