//! The answer with co-running kernels.

use crate::Failure;
use crate::answer::{Setting, nanoseconds, up};
use crate::hints::Hint;
use crate::kernel::Kernel;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::Duration;
use warpspan_records::solve::Basis;
use warpspan_records::{Time, time};
use warpspan_rta::time::{CoRunning, Residency};
use warpspan_rta::{Explanation, Late, System, starts_if_it_fits, without_bound};

impl Setting<'_> {
    /// The answer with co-running kernels.
    pub(crate) fn of_co_running(
        &self,
        kernel: &Kernel,
        residency: &Residency,
        found: &CoRunning,
        hints: Vec<Hint>,
    ) -> Result<Time, Failure> {
        let parts = match &found.explanation {
            Ok(explanation) => of_explanation(&found.system, explanation),
            Err(_) => Vec::new(),
        };
        let bound = found.response.map_err(|why| format!("no bound: {}", without_bound(&found.system, why)));
        let memory = self.memory(kernel, &|server| {
            let late = found.explanation.as_ref().ok().map(|all| all.memory.iter());
            let named =
                |late: &&Late| self.machine.memory.get(server).is_some_and(|named| named.name == late.server);
            let time = late.and_then(|mut all| all.find(named)).map_or(0, |late| late.time.0);
            i128::from(time) * i128::from(self.clocks.slowest.hertz()) / 1_000_000_000_000
        });
        // Co-running kernels may wait for a memory of which nothing is known, and hold their multiprocessors meanwhile.
        let memory = memory.filter(|_| !found.system.memory_without_limit());
        let is_known = memory.is_some();
        let mut record = self.record(kernel, residency, bound, (parts, memory))?;
        // The kernels of flags are one system whose GPU nobody names to it.
        let divides = self.capability.divides_shared_memory() && found.system.tasks().len() > 1;
        self.add(&mut record, divides.then(starts_if_it_fits));
        if is_known {
            self.add(&mut record, found.system.assumptions());
        } else {
            let spread = found.system.condition_of_spread();
            self.add(
                &mut record,
                spread.map(|what| Assumption::assumed(Id::SchedulersSpread, "warps", what)),
            );
        }
        record.evidence = found.response.ok().map(|_| Basis::of(warpspan_check::bound::Theorem::Relay));
        // They are in picoseconds, as response times are.
        let in_record =
            |Hint { flag, condition, bound }| time::Hint { flag, condition, bound_ns: up(Duration(bound)) };
        record.hints = hints.into_iter().map(in_record).collect();
        Ok(record)
    }
}

/// What each co-running kernel adds to a bound. The grain of every unit of time is a picosecond.
fn of_explanation(system: &System, explanation: &Explanation) -> Vec<time::Part> {
    let share = |share: &warpspan_rta::Share| {
        let name = &system.tasks()[share.kernel].name;
        time::Part::new(name, &nanoseconds(share.total()))
    };
    let mut parts: Vec<time::Part> = explanation.shares.iter().map(share).collect();
    let late = |late: &Late| time::Part::new(format!("memory: {}", late.server), &nanoseconds(late.time));
    parts.extend(explanation.memory.iter().map(late));
    let rest = [
        ("wait for copies", explanation.copy_wait),
        ("launch overhead", explanation.jitter),
        ("rounding", explanation.rounding),
    ];
    let rest = rest.into_iter().filter(|(_, time)| *time > Duration::ZERO);
    parts.extend(rest.map(|(name, time)| time::Part::new(name, &nanoseconds(time))));
    parts
}
