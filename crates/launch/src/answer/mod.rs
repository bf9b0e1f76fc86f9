//! From bounds to the record of `time`.

mod alone;
mod co_running;
mod least;

use std::collections::BTreeSet;

use crate::Failure;
use crate::flags::flag;
use crate::gpu::OnGpu;
use crate::kernel::Kernel;
use crate::parse::Clocks;
use crate::question::Question;
use crate::traffic::Traffic;
use crate::{assumes, given, words};
use warpspan_kernel::input::{NamedMachine, NamedServer};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Capability;
use warpspan_model::machine::Role;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_records::{Time, time};
use warpspan_rta::Verdict;
use warpspan_rta::time::Residency;

pub(crate) use alone::Others;

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

/// Picoseconds as a decimal number of nanoseconds.
fn nanoseconds(time: Duration) -> String {
    TimeUnit::Nanoseconds.write(time)
}

/// Whole nanoseconds, rounded up.
fn up(time: Duration) -> u64 {
    time.0.div_ceil(1000)
}

impl<'a> Setting<'a> {
    /// That of a question on a GPU that the program knows. `further` is what is assumed besides.
    ///
    /// # Errors
    /// If the clock does not suit the GPU.
    pub(crate) fn on_gpu(
        gpu: &OnGpu,
        args: &'a Question,
        further: Vec<Assumption>,
        of_input: BTreeSet<String>,
        traffic: Traffic,
    ) -> Result<Self, Failure> {
        let clocks = gpu.clocks(args)?;
        let mut assumptions = assumes::of_preset(args, &gpu.preset, &gpu.capability);
        assumptions.push(assumes::of_clocks(args, clocks, Some(&gpu.preset)));
        assumptions.extend(further);
        Ok(Self {
            args,
            gpu: Some(gpu.preset.name.to_owned()),
            capability: gpu.capability,
            multiprocessors: gpu.preset.multiprocessors,
            machine: gpu.named.clone(),
            clocks,
            assumptions,
            of_others: Vec::new(),
            of_input,
            sheet: Some(gpu.preset.memory.dram_bytes_per_second),
            traffic,
        })
    }
}

impl Setting<'_> {
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
        let reason = match (&bound, verdict) {
            (_, Some(Verdict::Refuted)) => Some(format!(
                "no launch takes less than {} at {} MHz on {}",
                words::time(least.0 / 1000),
                self.clocks.fastest.megahertz(),
                words::several(self.multiprocessors, "multiprocessor")
            )),
            (Err(why), _) => Some(why.clone()),
            (Ok(bound), Some(Verdict::Undecided)) if within(*bound) => Some(
                "the bound takes the memory to be without limit, since the machine has no [[server]] DRAM"
                    .to_owned(),
            ),
            (Ok(bound), Some(Verdict::Undecided)) => Some(format!(
                "the bound is {}, and no launch is known to take so long",
                words::time(up(*bound))
            )),
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
        })
    }
}
