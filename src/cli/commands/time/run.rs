//! `warpspan time`.

use std::sync::Arc;

use crate::cli::args::{Format, MachineArgs};
use crate::cli::commands::rta::without_bound;
use crate::cli::commands::time::args::TimeArgs;
use crate::cli::commands::time::kernel::{Asked, Kernel};
use crate::cli::commands::time::parse::Clocks;
use crate::cli::commands::time::{assumes, company, text};
use crate::cli::instances::machine;
use crate::cli::listing::options_on;
use crate::cli::output::print;
use crate::cli::record::line;
use crate::cli::{Exit, Failure};
use crate::input::{NamedMachine, find_machine};
use crate::listing::Options;
use crate::model::device::{Capability, Gpu, Preset};
use crate::model::machine::Machine;
use crate::model::time::{Clock, Duration, TimeUnit};
use crate::realtime::rta::{Explanation, System, Verdict};
use crate::realtime::time::{Alone, AloneError, Beside, Residency, alone};
use crate::records::solve::Basis;
use crate::records::{self, Time, time};

/// How many lines a person is shown with what they add.
const TOP: usize = 5;

pub(in crate::cli) fn run(args: &TimeArgs) -> Result<Exit, Failure> {
    let found = match &args.company.system {
        Some(path) => in_system(args, company::system(path)?)?,
        None => on_preset(args)?,
    };
    let exit = match found.verdict {
        Some(records::rta::Verdict::Refuted) => Exit::Refuted,
        Some(records::rta::Verdict::Undecided) => Exit::Limit,
        _ if found.bound_ns.is_none() => Exit::Limit,
        _ => Exit::Done,
    };
    print(&match args.format {
        Format::Text => text::text(&found, args),
        Format::Json => line(found)?,
    })?;
    Ok(exit)
}

/// What the answers have in common.
struct Setting<'a> {
    args: &'a TimeArgs,
    gpu: Option<String>,
    capability: Capability,
    multiprocessors: u64,
    machine: String,
    clocks: Clocks,
    /// The clock, if it is assumed.
    assumed: Option<String>,
    /// What is assumed of the GPU.
    assumes: Vec<String>,
}

/// On a GPU that the program knows.
fn on_preset(args: &TimeArgs) -> Result<Time, Failure> {
    let given = args.gpu.as_deref().unwrap_or_default();
    let preset = Preset::named(given)
        .ok_or_else(|| Failure::usage(format!("--gpu {given}: want one of {}", Preset::all())))?;
    let capability = preset.capability().map_err(Failure::internal)?;
    let clocks = match (args.launch.clock, preset.highest_clock()) {
        (Some(given), _) => given,
        (None, Some(clock)) => Clocks { slowest: clock, fastest: clock },
        (None, None) => {
            return Err(Failure::usage(format!("no clock of {given} is known: want --clock MHZ")));
        }
    };
    let assumed = args.launch.clock.is_none().then(|| clocks.slowest.megahertz());
    let named = named_machine(args, preset.name)?;
    let mut machine = Arc::new(named.machine.clone());
    let others = company::others(args, &mut machine, &capability)?;
    let kernel = Kernel::read(asked(args, &named, &capability, machine)?, &capability)?;
    let residency = Residency::new(&capability, &kernel.launch, &kernel.needs)
        .map_err(|error| Failure::usage(format!("{}: {}: {error}", kernel.place, kernel.entry.name)))?;
    let mut assumes = kernel.assumes(&named);
    for (other, _) in &others {
        let entry = &other.entry.name;
        for what in
            other.assumes(&named).into_iter().filter(|what| !assumes.contains(what)).collect::<Vec<_>>()
        {
            assumes.push(format!("{entry} beside it: {what}"));
        }
    }
    assumes.extend(preset.assumes());
    assumes.extend(capability.assumes_resident());
    let setting = Setting {
        args,
        gpu: Some(preset.name.to_owned()),
        capability,
        multiprocessors: preset.multiprocessors,
        machine: named.name.clone(),
        clocks,
        assumed,
        assumes,
    };
    if others.is_empty() {
        let size = [preset.multiprocessors, capability.resident.warps];
        let found = alone(&kernel.machine, &kernel.code, &kernel.launch, &residency, size)?;
        return setting.of_alone(&kernel, &residency, &found);
    }
    let gpu = Gpu { clock: Some(setting.clocks.slowest), ..preset.gpu().map_err(Failure::internal)? };
    let beside = company::with_flags(args, &kernel, &others, &capability, gpu)?;
    setting.of_company(&kernel, &residency, &beside)
}

/// Beside the kernels of a system file.
fn in_system(args: &TimeArgs, known: company::Known) -> Result<Time, Failure> {
    let company::Known { system, capability, machine } = known;
    let named = with_numbers_of(find_machine(capability.version)?, &machine);
    let kernel = Kernel::read(asked(args, &named, &capability, machine)?, &capability)?;
    let residency = Residency::new(&capability, &kernel.launch, &kernel.needs)
        .map_err(|error| Failure::usage(format!("{}: {}: {error}", kernel.place, kernel.entry.name)))?;
    let clock: Option<Clock> = system.gpu().clock;
    let clock = clock.ok_or_else(|| Failure::internal("a system without a clock"))?;
    let assumes = kernel.assumes(&named).into_iter().chain(system.assumed().iter().cloned()).collect();
    let setting = Setting {
        args,
        gpu: None,
        capability,
        multiprocessors: system.gpu().multiprocessors,
        machine: "that of the system file".to_owned(),
        clocks: Clocks { slowest: clock, fastest: clock },
        assumed: None,
        assumes,
    };
    let beside = company::with_system(args, &kernel, system, &capability)?;
    setting.of_company(&kernel, &residency, &beside)
}

/// The machine of a capability, with what is assumed of it only where a system has the same numbers.
fn with_numbers_of(mut named: NamedMachine, of_system: &Machine) -> NamedMachine {
    let known = named.machine.clone();
    named.letters.retain(|name, _| {
        let numbers = |machine: &Machine| {
            machine
                .find(name)
                .map(|letter| machine.letter(letter))
                .map(|letter| (letter.occupancy, letter.latency))
        };
        numbers(&known) == numbers(of_system)
    });
    named
}

/// The machine of the flags, or else that of the GPU.
fn named_machine(args: &TimeArgs, gpu: &str) -> Result<NamedMachine, Failure> {
    let numbers = &args.machine;
    if numbers.machine.is_none()
        && let Err(error) = find_machine(gpu)
    {
        return Err(Failure::usage(format!("--gpu {gpu}: {error}; want --machine")));
    }
    let given = MachineArgs {
        machine: Some(numbers.machine.clone().unwrap_or_else(|| gpu.to_owned())),
        latency_of: numbers.latency_of.clone(),
        occupancy_of: numbers.occupancy_of.clone(),
        transactions: numbers.transactions.clone(),
    };
    let found = machine(&given)?.ok_or_else(|| Failure::internal("no machine was taken"))?;
    Ok(found.as_ref().clone())
}

/// What is asked of the listing of our kernel.
fn asked<'a>(
    args: &'a TimeArgs,
    named: &NamedMachine,
    capability: &Capability,
    machine: Arc<Machine>,
) -> Result<Asked<'a>, Failure> {
    let options = options_on(&args.code, Some(*capability), named, &args.machine.transactions)?;
    // The one place where the sizes of the launch become values of the code: what `options` knows of parameters
    // also has to have the blocks of `args.grid` and the threads of `args.block`.
    let options = Options { machine: Some(machine), ..options };
    let launch = &args.launch;
    Ok(Asked {
        path: &args.file,
        options,
        grid: args.grid,
        block: args.block,
        registers: launch.registers,
        shared: launch.shared,
        dynamic: launch.dynamic_shared,
    })
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
    fn of_alone(&self, kernel: &Kernel, residency: &Residency, found: &Alone) -> Result<Time, Failure> {
        let too_long =
            || Failure::usage("the bound is longer than 53 days: want fewer blocks or a faster clock");
        let time =
            TimeUnit::Nanoseconds.time_up(found.cycles, Some(self.clocks.slowest)).ok_or_else(too_long)?;
        let launch = &self.args.launch;
        let others = [
            ("launch overhead", launch.launch_overhead),
            ("copy in", launch.copy_in),
            ("copy out", launch.copy_out),
        ];
        let mut total = time;
        let mut parts = vec![time::Part::new("kernel", &nanoseconds(time))];
        for (name, given) in others {
            let Some(given) = given else { continue };
            let sum = total.0.checked_add(given.0).map(Duration).filter(|&sum| sum <= Duration::MAX);
            total = sum.ok_or_else(too_long)?;
            parts.push(time::Part::new(name, &nanoseconds(given)));
        }
        let source = |line: u32| kernel.source.get(&line).cloned();
        let texts: std::collections::HashMap<u32, &str> =
            kernel.entry.lines.iter().map(|line| (line.line, line.text.as_str())).collect();
        let text = |line: u32| texts.get(&line).map(|&text| text.to_owned());
        let top = match self.args.format {
            Format::Text => Some(self.args.top.unwrap_or(TOP)),
            Format::Json => self.args.top,
        };
        let cycles = time::CyclesOf::new(&found.parts, text, source, top).map_err(Failure::usage)?;
        let mut record = self.record(kernel, residency, Ok(total), parts)?;
        record.residency.worst = Some(found.resident);
        record.bound_cycles = Some(found.cycles.0);
        record.evidence = Some(Basis::of(found.theorem));
        record.cycles = Some(cycles);
        Ok(record)
    }

    /// The answer in company.
    fn of_company(&self, kernel: &Kernel, residency: &Residency, found: &Beside) -> Result<Time, Failure> {
        let parts = match &found.explanation {
            Ok(explanation) => of_explanation(&found.system, explanation),
            Err(_) => Vec::new(),
        };
        let bound = found.response.map_err(|why| format!("no bound: {}", without_bound(&found.system, why)));
        let mut record = self.record(kernel, residency, bound, parts)?;
        record.evidence = found.response.ok().map(|_| Basis::of(crate::bound::Theorem::Relay));
        Ok(record)
    }

    /// The record with all that does not depend on the company.
    fn record(
        &self,
        kernel: &Kernel,
        residency: &Residency,
        bound: Result<Duration, String>,
        parts: Vec<time::Part>,
    ) -> Result<Time, Failure> {
        let deadline = self.args.deadline;
        let least = self.least(kernel);
        if let Ok(bound) = bound
            && bound < least
        {
            let code = Exit::Disagree as u8;
            return Err(Failure { code, message: "the bound is below the least time: a bug".to_owned() });
        }
        let within = |time: Duration| deadline.is_none_or(|deadline| time <= deadline);
        let verdict = deadline.map(|_| match &bound {
            _ if !within(least) => Verdict::Refuted,
            Ok(bound) if within(*bound) => Verdict::Proved,
            _ => Verdict::Undecided,
        });
        let show = |time: Duration| text::time(up(time));
        let reason = match (&bound, verdict) {
            (_, Some(Verdict::Refuted)) => Some(format!("no launch takes less than {}", show(least))),
            (Err(why), _) => Some(why.clone()),
            (Ok(bound), Some(Verdict::Undecided)) => Some(format!(
                "the bound is {}, and that some launch takes so long is not proved",
                show(*bound)
            )),
            _ => None,
        };
        let launch = kernel.launch;
        let mut assumes = assumes::of_launch(self.args, kernel, self.assumed.as_deref());
        assumes.extend(assumes::of_listing(kernel));
        assumes.extend(assumes::of_room(kernel, residency));
        assumes.extend(self.assumes.iter().cloned());
        Ok(Time {
            file: kernel.place.clone(),
            entry: kernel.entry.name.clone(),
            gpu: self.gpu.clone(),
            compute_capability: self.capability.version.to_owned(),
            multiprocessors: self.multiprocessors,
            machine: self.machine.clone(),
            blocks: launch.blocks,
            threads_per_block: launch.threads,
            warps_per_block: launch.warps(),
            residency: time::Residency::new(residency, &kernel.needs, None),
            clock: time::Clock::new(self.clocks.slowest, self.clocks.fastest, self.assumed.is_some()),
            deadline_ns: deadline.map(|deadline| time::nanoseconds(&nanoseconds(deadline))),
            verdict: verdict.map(Into::into),
            reason,
            bound_ns: bound.ok().map(up),
            bound_cycles: None,
            least_ns: least.0 / 1000,
            evidence: None,
            parts,
            cycles: None,
            assumes,
            not_covered: assumes::NOT_COVERED.map(str::to_owned).to_vec(),
        })
    }

    /// A time that the launch takes at least: each warp issues the instructions of the shortest way through the
    /// code, on the fastest clock, and all copies take their time.
    fn least(&self, kernel: &Kernel) -> Duration {
        let cycles = || {
            let width = u128::from(kernel.machine.width()?);
            let issued = u128::from(kernel.resources.fewest_instructions);
            let of_one = issued.div_ceil(width);
            let warps = u128::from(kernel.launch.blocks).checked_mul(kernel.launch.warps().into())?;
            let slots = width.checked_mul(u128::from(kernel.machine.schedulers()))?;
            let slots = slots.checked_mul(self.multiprocessors.into())?;
            Some(of_one.max(issued.checked_mul(warps)?.div_ceil(slots)))
        };
        let hertz = u128::from(self.clocks.fastest.hertz());
        let time = cycles().and_then(|cycles| cycles.checked_mul(1_000_000_000_000)).map(|time| time / hertz);
        let time = time.and_then(|time| u64::try_from(time).ok()).unwrap_or(0);
        let launch = &self.args.launch;
        let copies = [launch.copy_in, launch.copy_out].into_iter().flatten().map(|copy| copy.0);
        Duration(copies.fold(time, u64::saturating_add).min(Duration::MAX.0))
    }
}

/// What each kernel adds to a bound in company. The grain of every unit of time is a picosecond.
fn of_explanation(system: &System, explanation: &Explanation) -> Vec<time::Part> {
    let share = |share: &crate::realtime::rta::Share| {
        let name = &system.tasks()[share.kernel].name;
        time::Part::new(name, &nanoseconds(share.total()))
    };
    let mut parts: Vec<time::Part> = explanation.shares.iter().map(share).collect();
    let rest = [
        ("wait for copies", explanation.copy_wait),
        ("launch overhead", explanation.jitter),
        ("rounding", explanation.rounding),
    ];
    let rest = rest.into_iter().filter(|(_, time)| *time > Duration::ZERO);
    parts.extend(rest.map(|(name, time)| time::Part::new(name, &nanoseconds(time))));
    parts
}

impl From<AloneError> for Failure {
    fn from(error: AloneError) -> Self {
        match error {
            AloneError::Execution(error) => error.into(),
            AloneError::Latency(_) | AloneError::System(_) => Self::usage(error),
        }
    }
}
