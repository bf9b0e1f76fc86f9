//! From bounds to the record of `time`.

use std::collections::{BTreeMap, BTreeSet};

use crate::enough::{BoundOn, Enough, enough};
use crate::flags::flag;
use crate::hints::Hint;
use crate::kernel::Kernel;
use crate::parse::Clocks;
use crate::question::Question;
use crate::traffic::Traffic;
use crate::{Failure, Kind};
use crate::{assumes, given, words};
use warpspan_kernel::input::{NamedMachine, NamedServer, gigabytes};
use warpspan_listing::SourceLine;
use warpspan_model::Cycles;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Capability;
use warpspan_model::machine::Role;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_records::solve::Basis;
use warpspan_records::{Time, time};
use warpspan_rta::time::{Alone, CoRunning, Residency};
use warpspan_rta::{Explanation, Late, System, Verdict, starts_if_it_fits, without_bound};

/// What the answers have in common.
pub(crate) struct Setting<'a> {
    pub(crate) args: &'a Question,
    pub(crate) gpu: Option<String>,
    pub(crate) capability: Capability,
    pub(crate) multiprocessors: u64,
    /// The machine, with the memory that all multiprocessors share.
    pub(crate) machine: NamedMachine,
    pub(crate) clocks: Clocks,
    /// What the answer rests on that is about the GPU.
    pub(crate) assumptions: Vec<Assumption>,
    /// What it rests on that is about other kernels.
    pub(crate) of_others: Vec<Assumption>,
    /// The traces for whose inputs alone what is said of co-running kernels holds.
    pub(crate) of_input: BTreeSet<String>,
    /// The bytes a second that the DRAM moves by its data sheet, which no launch exceeds.
    pub(crate) sheet: Option<u64>,
    /// What is declared of the traffic of the launch.
    pub(crate) traffic: Traffic,
}

/// What is known besides the bound of a launch that has the GPU for itself.
pub(crate) struct Others<'a> {
    /// The bound if nothing is declared of the traffic; none where nothing is.
    pub(crate) undeclared: Option<&'a Alone>,
    /// The bound on other machines.
    pub(crate) bound_on: &'a BoundOn<'a>,
    /// What would lower the bound, in cycles.
    pub(crate) hints: Vec<Hint>,
    /// The source of the lines of the listing.
    pub(crate) source: BTreeMap<u32, SourceLine>,
}

/// Picoseconds as a decimal number of nanoseconds.
fn nanoseconds(time: Duration) -> String {
    TimeUnit::Nanoseconds.write(time)
}

/// Whole nanoseconds, rounded up.
fn up(time: Duration) -> u64 {
    time.0.div_ceil(1000)
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
        let Others { undeclared, bound_on, hints, source } = others;
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
        if let (Some(memory), Some(deadline), Some(sheet)) = (&mut memory, self.args.deadline, self.sheet)
            && total > deadline
        {
            let ends = |cycles| {
                in_time(cycles).and_then(|time| in_all(time).ok()).is_some_and(|all| all <= deadline)
            };
            let found = match enough(&kernel.machine, self.clocks.slowest, sheet, bound_on, &ends) {
                Err(failure) if failure.kind == Kind::Stopped => None,
                found => found?,
            };
            memory.enough_dram = found.map(|found| match found {
                Enough::Rate(bytes) => format!("{} GB/s", gigabytes(bytes)),
                Enough::None => "none".to_owned(),
            });
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
        Ok(record)
    }

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

    /// The record with all that does not depend on co-running kernels.
    fn record(
        &self,
        kernel: &Kernel,
        residency: &Residency,
        bound: Result<Duration, String>,
        (parts, memory): (Vec<time::Part>, Option<time::Memory>),
    ) -> Result<Time, Failure> {
        let deadline = self.args.deadline;
        let least = self.least(kernel);
        if let Ok(bound) = bound
            && bound < least
        {
            return Err(Failure::disagreement("the bound is below the least time: a bug"));
        }
        let within = |time: Duration| deadline.is_none_or(|deadline| time <= deadline);
        let verdict = deadline.map(|_| match &bound {
            _ if !within(least) => Verdict::Refuted,
            // Nothing is proved of a launch that moves data where nothing is known of how fast that is.
            Ok(bound) if within(*bound) && memory.is_some() => Verdict::Proved,
            _ => Verdict::Undecided,
        });
        let show = |time: Duration| words::time(up(time));
        let reason = match (&bound, verdict) {
            (_, Some(Verdict::Refuted)) => Some(format!(
                "no launch takes less than {} at {} MHz on {}",
                show(least),
                self.clocks.fastest.megahertz(),
                words::several(self.multiprocessors, "multiprocessor")
            )),
            (Err(why), _) => Some(why.clone()),
            (Ok(bound), Some(Verdict::Undecided)) if within(*bound) => Some(
                "the bound takes the memory to be without limit, since the machine has no [[server]] DRAM"
                    .to_owned(),
            ),
            (Ok(bound), Some(Verdict::Undecided)) => {
                let enough = match memory.as_ref().and_then(|memory| memory.enough_dram.as_deref()) {
                    None => String::new(),
                    Some("none") => {
                        "; even DRAM at its data-sheet rate would not bring the bound below the deadline"
                            .to_owned()
                    }
                    Some(rate) => format!("; a DRAM that moves {rate} in lines would do (--dram-rate)"),
                };
                Some(format!("the bound is {}, and no launch is known to take so long{enough}", show(*bound)))
            }
            _ => None,
        };
        let launch = kernel.launch;
        let needed = |server: usize| {
            let name = self.machine.memory.get(server).map(|server| &server.name);
            memory.as_ref().is_some_and(|memory| memory.servers.iter().any(|one| Some(&one.name) == name))
        };
        let assumptions = assumes::of_flags(self.args, kernel)
            .into_iter()
            .chain(assumes::of_entry(self.args, kernel))
            .chain(self.traffic.says.iter().cloned())
            .chain(self.assumptions.iter().cloned())
            .chain(kernel.assumptions(&self.machine, &needed))
            .chain(assumes::of_launch(self.args, kernel))
            .chain(self.of_others.iter().cloned());
        let room = assumes::of_room(kernel, residency);
        let unused = assumes::of_unused(self.args, kernel).filter(|_| self.of_others.is_empty());
        let notes = kernel
            .notes()
            .into_iter()
            .chain(room)
            .chain(unused)
            .chain(self.traffic.notes.iter().cloned())
            .collect();
        let mut record = Time {
            file: kernel.place.clone(),
            entry: kernel.entry.name.clone(),
            of_input: self.of_input(kernel),
            lacks: assumes::lacking(kernel).into_iter().map(str::to_owned).collect(),
            gpu: self.gpu.clone(),
            compute_capability: self.capability.version.to_owned(),
            multiprocessors: self.multiprocessors,
            machine: self.machine.name.clone(),
            blocks: launch.blocks,
            threads_per_block: launch.threads,
            warps_per_block: launch.warps(),
            residency: time::Residency::new(residency, &kernel.needs, None),
            clock: time::Clock::new(
                self.clocks.slowest,
                self.clocks.fastest,
                self.args.launch.clock.is_none() && self.gpu.is_some(),
            ),
            deadline_ns: deadline.map(|deadline| time::nanoseconds(&nanoseconds(deadline))),
            verdict,
            reason,
            bound_ns: bound.ok().map(up),
            bound_cycles: None,
            least_ns: least.0 / 1000,
            evidence: None,
            parts,
            cycles: None,
            memory: memory.filter(|memory| !memory.servers.is_empty()),
            hints: Vec::new(),
            estimate: None,
            assumptions: Vec::new(),
            notes,
            not_covered: assumes::NOT_COVERED.map(str::to_owned).to_vec(),
        };
        self.add(&mut record, assumptions);
        Ok(record)
    }

    /// The traces for whose inputs alone the answer holds.
    fn of_input(&self, kernel: &Kernel) -> Vec<String> {
        let all: BTreeSet<&String> = self.of_input.iter().chain(&kernel.entry.of_input).collect();
        all.into_iter().cloned().collect()
    }

    /// Adds what a record rests on, each once: what is declared, then what nobody vouches for, the rules of the model, and what
    /// sources say.
    fn add(&self, record: &mut Time, further: impl IntoIterator<Item = Assumption>) {
        for one in further {
            let mut one = warpspan_records::Assumption::new(&given::with_source(self.args, one), flag);
            let same = |known: &&warpspan_records::Assumption| {
                (&known.id, &known.subject) == (&one.id, &one.subject)
            };
            match record.assumptions.iter().find(same) {
                Some(known) if known.value == one.value => continue,
                // The file of a system says the same of its own kernels.
                Some(_) => one.subject += " of other kernels",
                None => {}
            }
            record.assumptions.push(one);
        }
        // Every launch has an overhead, so that this stands where nobody overlooks it.
        assumes::sort_with_first(&mut record.assumptions, Id::LaunchOverhead);
    }

    /// The memory behind a launch, with the cycles that each server needs: those servers that need some. None if the
    /// launch reaches memory of which nothing is known.
    fn memory(&self, kernel: &Kernel, needed: &dyn Fn(usize) -> i128) -> Option<time::Memory> {
        if kernel.machine.server(Role::Dram).is_none() && kernel.reaches_memory {
            return None;
        }
        let server = |(number, server): (usize, &NamedServer)| {
            let cycles = needed(number);
            // What is declared of memory of the host is a condition, however little of it is needed.
            (cycles > 0 || server.name == "HOST").then(|| time::Server {
                name: server.name.clone(),
                rate: server.rate.text(),
                sources: server.sources.clone(),
                cycles: u64::try_from(cycles.max(0)).unwrap_or(u64::MAX),
            })
        };
        let reached = self.machine.memory.iter().enumerate().filter(|_| kernel.reaches_memory);
        Some(time::Memory {
            servers: reached.filter_map(server).collect(),
            declared: self.traffic.declared,
            undeclared_bound_ns: None,
            enough_dram: None,
        })
    }

    /// A time that the launch takes at least: each warp issues the instructions of the shortest path through the code,
    /// on the fastest clock, what must move does so at the rate of the data sheet, and all copies take their time.
    fn least(&self, kernel: &Kernel) -> Duration {
        let cycles = || {
            // Schedulers up to 6.x may issue a second instruction of the same warp in a cycle.
            let at_once = if matches!(self.capability.version.as_bytes(), [b'2'..=b'6', ..]) { 2 } else { 1 };
            let width = at_once * u128::from(kernel.machine.width()?);
            let issued = u128::from(kernel.resources.fewest_instructions);
            let of_one = issued.div_ceil(width);
            let warps = u128::from(kernel.launch.blocks).checked_mul(kernel.launch.warps().into())?;
            let slots = width.checked_mul(u128::from(kernel.machine.schedulers()))?;
            let slots = slots.checked_mul(self.multiprocessors.into())?;
            Some(of_one.max(issued.checked_mul(warps)?.div_ceil(slots)))
        };
        let hertz = u128::from(self.clocks.fastest.hertz());
        let time = cycles().and_then(|cycles| cycles.checked_mul(1_000_000_000_000)).map(|time| time / hertz);
        let moved = || {
            let picoseconds = self.traffic.least_dram.checked_mul(1_000_000_000_000)?;
            picoseconds.checked_div(self.sheet?.into())
        };
        let time = time.max(moved()).and_then(|time| u64::try_from(time).ok()).unwrap_or(0);
        let launch = &self.args.launch;
        let copies = [launch.copy_in, launch.copy_out].into_iter().flatten().map(|copy| copy.0);
        Duration(copies.fold(time, u64::saturating_add).min(Duration::MAX.0))
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
