//! The answer for a GPU that the kernel has for itself.

use std::collections::BTreeMap;

use crate::answer::{Setting, nanoseconds, up};
use crate::enough::{AtRate, Rates, enough};
use crate::hints::Hint;
use crate::kernel::Kernel;
use crate::{Failure, assumes, words};
use warpspan_listing::SourceLine;
use warpspan_model::Cycles;
use warpspan_model::assumption::Id;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_records::solve::Basis;
use warpspan_records::{Time, time};
use warpspan_rta::Verdict;
use warpspan_rta::time::{Alone, Residency};

/// What is known besides the bound of a launch that has the GPU for itself.
pub(crate) struct Others<'a> {
    /// The bound if nothing is declared of the traffic; none where nothing is.
    pub(crate) undeclared: Option<&'a Alone>,
    /// The rates of the DRAM, and the bound with others; none where that is not asked.
    pub(crate) at_rates: Option<(Rates, &'a AtRate<'a>)>,
    /// What would lower the bound, in cycles.
    pub(crate) hints: Vec<Hint>,
    /// The source of the lines of the listing.
    pub(crate) source: BTreeMap<u32, SourceLine>,
}

impl Setting<'_> {
    /// The answer for a GPU that the kernel has for itself.
    pub(crate) fn of_alone(
        &self,
        kernel: &Kernel,
        residency: &Residency,
        found: &Alone,
        others: Others<'_>,
    ) -> Result<Time, Failure> {
        let too_long =
            || Failure::usage("the bound is longer than 53 days: want fewer blocks or a faster clock");
        // At another clock each server may need a cycle more, since its cycles are whole ones.
        let rounded = if self.clocks.slowest < self.clocks.fastest { self.machine.memory.len() } else { 0 };
        let in_time = |cycles: Cycles| {
            let cycles = cycles.0.checked_add(rounded as u64).map(Cycles);
            cycles.and_then(|cycles| TimeUnit::Nanoseconds.time_up(cycles, Some(self.clocks.slowest)))
        };
        let time = in_time(found.cycles).ok_or_else(too_long)?;
        let launch = &self.args.launch;
        let Others { undeclared, at_rates, hints, source } = others;
        let around = [
            ("launch overhead", launch.launch_overhead),
            ("copy in", launch.copy_in),
            ("copy out", launch.copy_out),
        ];
        let mut parts = vec![time::Part::new("kernel", &nanoseconds(time))];
        let added = around.into_iter().filter_map(|(name, given)| Some((name, given?)));
        let mut more = Duration::ZERO;
        for (name, given) in added {
            more = more.0.checked_add(given.0).map(Duration).ok_or_else(too_long)?;
            parts.push(time::Part::new(name, &nanoseconds(given)));
        }
        let in_all = |time: Duration| {
            let sum = time.0.checked_add(more.0).map(Duration).filter(|&sum| sum <= Duration::MAX);
            sum.ok_or_else(too_long)
        };
        let total = in_all(time)?;
        let source = |line: u32| source.get(&line).cloned();
        let texts: std::collections::HashMap<u32, &str> =
            kernel.entry.lines.iter().map(|line| (line.line, line.text.as_str())).collect();
        let text = |line: u32| texts.get(&line).map(|&text| text.to_owned());
        let cycles =
            time::CyclesOf::new(&found.parts, text, source, self.args.top).map_err(Failure::usage)?;
        let needed = |server: usize| found.parts.servers.get(server).copied().unwrap_or(0);
        let mut memory = self.memory(kernel, &needed);
        if let (Some(memory), Some(undeclared)) = (&mut memory, undeclared) {
            let time = in_time(undeclared.cycles).ok_or_else(too_long)?;
            memory.undeclared_bound_ns = Some(up(in_all(time)?));
        }
        let mut record = self.record(kernel, residency, Ok(total), (parts, memory))?;
        record.residency.worst = Some(found.resident);
        record.bound_cycles = Some(found.cycles.0);
        record.evidence = Some(Basis::of(found.theorem));
        record.cycles = Some(cycles);
        for Hint { flag, condition, bound } in hints {
            let time = in_all(in_time(Cycles(bound)).ok_or_else(too_long)?)?;
            record.hints.push(time::Hint { flag, condition, bound_ns: up(time) });
        }
        if let Some(without) = found.without_spread {
            let without = in_all(in_time(without).ok_or_else(too_long)?)?;
            let (warps, schedulers) = (kernel.launch.warps(), kernel.machine.schedulers());
            let one = assumes::of_spread(warps, schedulers, &words::time(up(without)));
            // Without it a deadline may be missed that is met with it: whoever reads a few rows has to see it.
            let decides = self.args.deadline.is_some_and(|deadline| total <= deadline && deadline < without);
            self.add(&mut record, [one]);
            if decides {
                assumes::sort_with_first(&mut record.assumptions, Id::SchedulersSpread);
            }
        }
        let of_dram = record.assumptions.iter().position(|one| one.id == Id::DramRate.name());
        if let (Some(Verdict::Undecided), Some(deadline), Some((rates, at_rate)), Some(row)) =
            (record.verdict, self.args.deadline, at_rates, of_dram)
        {
            let ends = |cycles| {
                in_time(cycles).and_then(|time| in_all(time).ok()).is_some_and(|all| all <= deadline)
            };
            record.assumptions[row].margin = enough(rates, at_rate, &ends)?;
            assumes::sort_with_enough_first(&mut record.assumptions);
        }
        Ok(record)
    }
}
