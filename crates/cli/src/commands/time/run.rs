//! `warpspan time`.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::args::{Format, MachineArgs};
use crate::commands::time::answer::{Others, Setting};
use crate::commands::time::args::TimeArgs;
use crate::commands::time::kernel::{Asked, Kernel, Room};
use crate::commands::time::parse::Clocks;
use crate::commands::time::traffic::Traffic;
use crate::commands::time::{assumes, co_running, evt, hints, kept, text, totals};
use crate::instances::machine;
use crate::listing::options_on;
use crate::output::print;
use crate::record::line;
use crate::screen::folded;
use crate::{Exit, Failure};
use warpspan_kernel::input::Ground;
use warpspan_kernel::input::{NamedMachine, find_machine};
use warpspan_listing::{LoopBounds, Options};
use warpspan_model::device::{Gpu, Preset};
use warpspan_model::machine::{Declared, Machine};
use warpspan_model::time::Clock;
use warpspan_records::{self as records, Time};
use warpspan_rta::time::{AloneError, Beside, InAll, Residency, alone};

pub(crate) fn run(args: &TimeArgs) -> Result<Exit, Failure> {
    let found = answer(args)?;
    let exit = ending(&found);
    print(&match args.format {
        Format::Text => folded(text::text(&found)),
        Format::Json => line(found)?,
    })?;
    Ok(exit)
}

/// The answer, before anything of it is printed.
pub(crate) fn answer(args: &TimeArgs) -> Result<Time, Failure> {
    let mut found = match &args.company.system {
        Some(path) => in_system(args, co_running::system(path)?)?,
        None => on_preset(args)?,
    };
    if let Some(path) = &args.evt {
        evt::add(&mut found, path)?;
    }
    Ok(found)
}

/// How the command ends with this answer.
pub(crate) fn ending(found: &Time) -> Exit {
    match found.verdict {
        Some(records::rta::Verdict::Refuted) => Exit::Refuted,
        Some(records::rta::Verdict::Undecided) => Exit::Limit,
        _ if found.bound_ns.is_none() => Exit::Limit,
        _ => Exit::Done,
    }
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
    let named = named_machine(args, preset.name, clocks.slowest)?;
    let mut machine = Arc::new(named.machine.clone());
    let mut options = options_on(&args.code, Some(capability), &named, &args.machine.transactions)?;
    options.loop_totals = totals::given(args, &options.loop_bounds)?;
    options.footprints = true;
    let others = co_running::others(args, options.declarations.as_deref(), &mut machine, &capability)?;
    let room = if others.is_empty() { Room::Alone(preset.multiprocessors) } else { Room::Shared };
    let kernel = Kernel::read(asked(args, options.clone(), Arc::clone(&machine), room), &capability)?;
    let residency = Residency::new(&capability, &kernel.launch, &kernel.needs)
        .map_err(|error| Failure::usage(format!("{}: {}: {error}", kernel.place, kernel.entry.name)))?;
    totals::check(args, &kernel)?;
    let mut assumes = kernel.assumes(&named);
    for (other, _) in &others {
        let entry = &other.entry.name;
        let own = assumes::of_entry(other).into_iter().chain(other.assumes(&named));
        for what in own.filter(|what| !assumes.contains(what)).collect::<Vec<_>>() {
            assumes.push(format!("co-running {entry}: {what}"));
        }
    }
    assumes.extend(preset.assumes());
    assumes.extend(capability.assumes_resident());
    let without = |lines: &BTreeSet<u32>| {
        let options = Options { unmoved: lines.clone(), footprints: false, ..options.clone() };
        let asked = asked(args, options, Arc::clone(&machine), room);
        Kernel::of(Rc::clone(&kernel.text), asked, &capability)
    };
    let l2_bytes = preset.memory.l2_bytes;
    let place = kept::Room { capability: &capability, residency: &residency, l2_bytes };
    let kept = kept::kept(&args.traffic, &kernel, &place, &without)?;
    if let Some(on) = kernel.entry.on_machine.as_ref().filter(|_| !kept.is_empty()) {
        // What is kept follows from addresses, even where all transactions are declared.
        let of_addresses = on.of_addresses().into_iter().filter(|what| !assumes.contains(what));
        assumes.extend(of_addresses.collect::<Vec<_>>());
    }
    let setting = Setting {
        args,
        gpu: Some(preset.name.to_owned()),
        capability,
        multiprocessors: preset.multiprocessors,
        machine: named.name.clone(),
        clocks,
        assumed,
        assumes,
        of_input: others.iter().flat_map(|(other, _)| other.entry.of_input.iter().cloned()).collect(),
        memory: named.memory.clone(),
        sheet: Some(preset.memory.dram_bytes_per_second),
        traffic: Traffic::of(&args.traffic, &kernel)?.with_kept(kept),
    };
    if others.is_empty() {
        let size = [preset.multiprocessors, capability.resident.warps];
        let in_all = totals::passes(&kernel)?;
        let of = |kernel: &Kernel, machine: &Arc<Machine>, declared: &[Declared], in_all: &[InAll]| {
            alone(machine, &kernel.code, &kernel.launch, &residency, size, (declared, in_all))
        };
        let most = &setting.traffic.most;
        let undeclared =
            if most.is_empty() { None } else { Some(of(&kernel, &kernel.machine, &[], &in_all)?) };
        let cycles = |machine: &Arc<Machine>| Ok(of(&kernel, machine, most, &in_all)?.cycles);
        let found = of(&kernel, &kernel.machine, most, &in_all)?;
        let of_options = |options: Options, declared: &[Declared]| {
            let options = Options { footprints: false, ..options };
            let asked = asked(args, options, Arc::clone(&machine), room);
            let other = Kernel::of(Rc::clone(&kernel.text), asked, &capability)?;
            Ok(of(&other, &other.machine, declared, &totals::passes(&other)?)?.cycles.0)
        };
        let possible = kept::possible(&args.traffic, &kernel, &place, &without);
        let hints = hints::hints(&kernel, &options, (most, &possible), found.cycles.0, &of_options)?;
        let others = Others { undeclared: undeclared.as_ref(), bound_on: &cycles, hints };
        return setting.of_alone(&kernel, &residency, &found, others);
    }
    let gpu = Gpu { clock: Some(setting.clocks.slowest), ..preset.gpu().map_err(Failure::internal)? };
    let reached =
        |kernel: &Kernel| kernel.reaches_memory || others.iter().any(|(other, _)| other.reaches_memory);
    let beside = |kernel: &Kernel, declared: &[Declared]| {
        let ground = Ground::of(&named, reached(kernel));
        co_running::with_flags(args, kernel, &others, declared, (&capability, gpu.clone()), ground)
    };
    let again = |options: Options| {
        Kernel::of(Rc::clone(&kernel.text), asked(args, options, Arc::clone(&machine), room), &capability)
    };
    in_company(&setting, (&kernel, &residency), &options, &again, &beside)
}

/// Beside the kernels of a system file.
fn in_system(args: &TimeArgs, known: co_running::Known) -> Result<Time, Failure> {
    let co_running::Known { system, capability, machine } = known;
    totals::given(args, &LoopBounds::default())?;
    let named = with_numbers_of(find_machine(capability.version)?, &machine);
    let options = options_on(&args.code, Some(capability), &named, &args.machine.transactions)?;
    let room =
        if system.tasks().is_empty() { Room::Alone(system.gpu().multiprocessors) } else { Room::Shared };
    let kernel = Kernel::read(asked(args, options.clone(), Arc::clone(&machine), room), &capability)?;
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
        of_input: BTreeSet::new(),
        memory: system.ground().memory.clone(),
        sheet: system.ground().preset.map(|preset| preset.memory.dram_bytes_per_second),
        traffic: Traffic::of(&args.traffic, &kernel)?,
    };
    let beside = |kernel: &Kernel, declared: &[Declared]| {
        co_running::with_system(args, kernel, declared, system.clone(), &capability)
    };
    let again = |options: Options| {
        Kernel::of(Rc::clone(&kernel.text), asked(args, options, Arc::clone(&machine), room), &capability)
    };
    in_company(&setting, (&kernel, &residency), &options, &again, &beside)
}

/// The response time of a kernel, with what is declared of its traffic, beside others.
type BesideOthers<'a> = dyn Fn(&Kernel, &[Declared]) -> Result<Beside, Failure> + 'a;

/// The answer with co-running kernels: `again` reads our kernel with other options, and `beside` bounds it with what is
/// declared of its traffic.
fn in_company(
    setting: &Setting<'_>,
    (kernel, residency): (&Kernel, &Residency),
    options: &Options,
    again: &dyn Fn(Options) -> Result<Kernel, Failure>,
    beside: &BesideOthers<'_>,
) -> Result<Time, Failure> {
    let declared = &setting.traffic.most;
    let found = beside(kernel, declared)?;
    let Ok(response) = found.response else {
        return setting.of_company(kernel, residency, &found, Vec::new());
    };
    let without = || Failure::usage("no response time is bounded");
    let of_options = |options: Options, declared: &[Declared]| {
        Ok(beside(&again(options)?, declared)?.response.map_err(|_| without())?.0)
    };
    let hints = hints::hints(kernel, options, (declared, &[]), response.0, &of_options)?;
    setting.of_company(kernel, residency, &found, hints)
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
fn named_machine(args: &TimeArgs, gpu: &str, clock: Clock) -> Result<NamedMachine, Failure> {
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
        clock: Some(clock),
        memory: args.memory.clone(),
    };
    let found = machine(&given)?.ok_or_else(|| Failure::internal("no machine was taken"))?;
    Ok(found.as_ref().clone())
}

/// What is asked of the listing of our kernel.
fn asked(args: &TimeArgs, options: Options, machine: Arc<Machine>, room: Room) -> Asked<'_> {
    let launch = &args.launch;
    Asked {
        path: &args.file,
        options: Options { machine: Some(machine), ..options },
        grid: args.grid,
        block: args.block,
        registers: launch.registers,
        shared: launch.shared,
        dynamic: launch.dynamic_shared,
        company: args.company.co_running.iter().map(|other| other.entry.as_str()).collect(),
        room,
        beside: false,
    }
}

impl From<AloneError> for Failure {
    fn from(error: AloneError) -> Self {
        match error {
            AloneError::Execution(error) => error.into(),
            AloneError::Latency(_) | AloneError::System(_) => Self::usage(error),
        }
    }
}
