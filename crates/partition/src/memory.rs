//! The memory that tasks of all partitions share.
//!
//! C(m) of code on a machine with servers counts what the kernel itself asks of them. Kernels of other partitions ask
//! too. Take the first job of all that misses its deadline. Until then each job of task j is done within `D_j`, so at
//! most ceil((C + `D_j`) / `T_j`) of them are present during the time C in which a job of task i runs, and of task i
//! only that job. So C(m) may be the least
//!
//! ```text
//! C = C(m) by itself + sum over the servers of (1 + what the others add in a window of C)
//! ```
//!
//! where 1 is for the two parts of a quotient that are rounded down each. It holds for whatever is in which partition,
//! as long as a job is not preempted: a preempted job is present for longer than C.

use num_rational::Ratio;

use crate::ticks::of_cycles_up;
use crate::{Execution, LONGEST, Launch, Runs, Task};
use warpspan_engines::latency::{LatencyError, Traffic, stalls};
use warpspan_kernel::input::{Ground, OF_PAPER, Platform, of_letters, of_memory};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Gpu;
use warpspan_model::machine::Machine;
use warpspan_model::time::{Clock, Millionths};

/// What is known of the memory that tasks share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shared {
    /// What a verdict rests on of the memory, of the listings and of the clock.
    pub rests_on: Vec<Assumption>,
    /// Why no deadline is claimed to hold, whatever the test says.
    pub undecided: Option<String>,
    /// Whether code of a task asks anything of a memory whose rate counts in its C.
    pub asks: bool,
    /// Whether tasks share a memory on which C of some rests, so that jobs must not be preempted.
    pub unbroken: bool,
}

impl Launch {
    /// What a launch asks of the servers of its machine; none if it is on the paper's multiprocessor.
    pub(super) fn traffic(&self) -> Result<Option<(&Machine, Traffic)>, LatencyError> {
        let Runs::OnMachine(code, machine) = &self.runs else { return Ok(None) };
        let warps = u128::from(self.block.warps()) * u128::from(self.blocks);
        Ok(Some((machine, Traffic::of(machine, code, warps)?)))
    }
}

/// For how many cycles of a window of so many servers keep results waiting if this is asked.
pub(super) fn late(machine: &Machine, asked: &Traffic, window: i128) -> Result<i128, LatencyError> {
    let each = stalls(machine, asked, window)?;
    each.into_iter().try_fold(0_i128, |sum, one| sum.checked_add(one)).ok_or(LatencyError::Overflow)
}

/// The cycles that a time touches.
pub(super) fn cycles_of(time: Millionths, clock: Clock) -> i128 {
    // A tick is a millionth of a microsecond.
    let cycles = Ratio::new(i128::from(time.0) * i128::from(clock.hertz()), 1_000_000_000_000);
    cycles.ceil().to_integer() + 1
}

/// The tasks with what the traffic of the others adds to C of each, and what is known of the memory that they share.
/// `launches` are those of the tasks that are code.
pub(super) fn with_memory(
    tasks: Vec<Task>,
    launches: &[Option<Launch>],
    (platform, gpu): (Option<&Platform>, &Gpu),
) -> Result<(Vec<Task>, Shared), LatencyError> {
    let mut shared = Shared::default();
    if launches.iter().flatten().any(|launch| matches!(launch.runs, Runs::Code(..))) {
        shared.rests_on.push(Assumption::assumed(Id::MachinePaper, "times", OF_PAPER));
        shared.rests_on.extend(of_letters().on);
    }
    if let Some((named, moves)) = platform.map(Platform::memory)
        && Ground::of(named, moves).without_limit
    {
        shared.undecided = Some(
            "memory without limit: the machine has no [[server]] that says how fast the data of its code moves"
                .to_owned(),
        );
        return Ok((tasks, shared));
    }
    let asked = launches.iter().map(|launch| launch.as_ref().map_or(Ok(None), Launch::traffic));
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let asks = asked.iter().flatten().any(|(_, traffic)| !traffic.is_none());
    let (Some((named, _)), Some(clock), true) = (platform.map(Platform::memory), gpu.clock, asks) else {
        return Ok((tasks, shared));
    };
    shared.asks = true;
    let matters = |number: usize| {
        let of = |(machine, traffic): &(&Machine, Traffic)| {
            let pauses = machine.servers().get(number).is_some_and(|server| server.pauses.is_some());
            pauses || traffic.amount(machine, number) > 0
        };
        asked.iter().flatten().any(of)
    };
    shared.rests_on.extend(of_memory(&named.memory, &matters));
    if tasks.len() == 1 {
        return Ok((tasks, shared));
    }
    if let Some(silent) = asked.iter().position(Option::is_none) {
        shared.undecided = Some(format!(
            "tasks of other partitions share the DRAM, and what {:?} moves through it is not known",
            tasks[silent].name()
        ));
        return Ok((tasks, shared));
    }
    shared.unbroken = true;
    let of = |i: usize| -> Result<Task, LatencyError> {
        let Some((machine, own)) = &asked[i] else { return Ok(tasks[i].clone()) };
        if own.is_none() {
            return Ok(tasks[i].clone());
        }
        let longer = |alone: Millionths| -> Result<Millionths, LatencyError> {
            let mut found = alone;
            let deadline = tasks[i].deadline();
            loop {
                // Above its deadline no C is of use, and the sum need not settle.
                if found > deadline {
                    return Ok(alone.max(Millionths(deadline.0 + 1)).min(LONGEST));
                }
                let mut others = Traffic::default();
                for (j, other) in tasks.iter().enumerate().filter(|(j, _)| *j != i) {
                    let present = found.0.saturating_add(other.deadline().0).div_ceil(other.period().0);
                    if let Some((_, traffic)) = &asked[j] {
                        others.add_times(traffic, present)?;
                    }
                }
                let servers = machine.servers().len() as i128;
                let more = late(machine, &others, cycles_of(found, clock))? + servers;
                let more = u128::try_from(more).ok().and_then(|cycles| of_cycles_up(cycles, clock));
                let next = more.map_or(LONGEST.0, |more| alone.0.saturating_add(more.0));
                if next <= found.0 {
                    return Ok(found);
                }
                found = Millionths(next);
            }
        };
        let execution: &Execution = tasks[i].execution();
        let execution = execution.longer(longer)?.ok_or(LatencyError::Overflow)?;
        Ok(tasks[i].clone().taking(execution))
    };
    let tasks = (0..tasks.len()).map(of).collect::<Result<_, _>>()?;
    Ok((tasks, shared))
}
