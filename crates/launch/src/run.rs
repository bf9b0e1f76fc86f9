//! From a question to the answer.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::Failure;
use crate::answer::{Others, Setting};
use crate::code::with_transactions;
use crate::kernel::{Asked, Kernel, Room};
use crate::parse::Clocks;
use crate::question::{Company, Question};
use crate::traffic::Traffic;
use crate::{assumes, co_running, hints, kept, totals};
use warpspan_kernel::input::Ground;
use warpspan_kernel::input::{NamedMachine, find_machine};
use warpspan_listing::{LoopBounds, Options};
use warpspan_model::device::{Capability, Gpu, Preset};
use warpspan_model::machine::{Declared, Machine};
use warpspan_model::time::Clock;
use warpspan_records::Time;
use warpspan_rta::time::{Beside, InAll, Residency, alone};

/// Bounds the time of a launch.
///
/// # Errors
/// If what is asked is wrong or something is missing, with what would do; and if two bounds contradict each other.
pub fn answer(args: &Question) -> Result<Time, Failure> {
    let is_alone = args.company.system.is_none() && args.company.co_running.is_empty();
    if args.traffic.keeps() && !is_alone {
        return Err(Failure::usage(
            "what caches keep is known of a launch that has the GPU for itself alone",
        ));
    }
    match &args.company {
        Company { system: Some(file), .. } => in_system(args, co_running::system(file)?),
        Company { co_running, .. } if co_running.is_empty() => on_gpu_alone(args),
        Company { .. } => beside_others(args),
    }
}

/// Bounds the time of a launch on a GPU that the program knows, with nothing else on it.
///
/// It is what [`answer`] does where the question names no other kernels. A program that asks nothing else need not hold the analysis of
/// several kernels.
///
/// # Errors
/// Those of [`answer`], and if the question names other kernels.
pub fn on_gpu_alone(args: &Question) -> Result<Time, Failure> {
    if args.company.system.is_some() || !args.company.co_running.is_empty() {
        return Err(Failure::usage("other kernels: want a launch that has the GPU for itself"));
    }
    let gpu = OnGpu::of(args)?;
    let OnGpu { preset, capability, named, options } = &gpu;
    let machine = Arc::new(named.machine.clone());
    let room = Room::Alone(preset.multiprocessors);
    let kernel = Kernel::read(asked(args, options.clone(), Arc::clone(&machine), room), capability)?;
    let residency = gpu.residency(args, &kernel)?;
    let mut assumes = kernel.assumes(named);
    assumes.extend(gpu.assumes());
    let without = |lines: &BTreeSet<u32>| {
        let options = Options { unmoved: lines.clone(), footprints: false, ..options.clone() };
        let asked = asked(args, options, Arc::clone(&machine), room);
        Kernel::of(Rc::clone(&kernel.text), asked, capability)
    };
    let place = kept::Room { capability, residency: &residency, l2_bytes: preset.memory.l2_bytes };
    let kept = kept::kept(&args.traffic, &kernel, &place, &without)?;
    if let Some(on) = kernel.entry.on_machine.as_ref().filter(|_| !kept.is_empty()) {
        // What is kept follows from addresses, even where all transactions are declared.
        let of_addresses = on.of_addresses().into_iter().filter(|what| !assumes.contains(what));
        assumes.extend(of_addresses.collect::<Vec<_>>());
    }
    let traffic = Traffic::of(&args.traffic, &kernel)?.with_kept(kept);
    let setting = gpu.setting(args, assumes, BTreeSet::new(), traffic)?;
    let size = [preset.multiprocessors, capability.resident.warps];
    let in_all = totals::passes(&kernel)?;
    let of = |kernel: &Kernel, machine: &Arc<Machine>, declared: &[Declared], in_all: &[InAll]| {
        alone(machine, &kernel.code, &kernel.launch, &residency, size, (declared, in_all))
    };
    let most = &setting.traffic.most;
    let undeclared = if most.is_empty() { None } else { Some(of(&kernel, &kernel.machine, &[], &in_all)?) };
    let cycles = |machine: &Arc<Machine>| Ok(of(&kernel, machine, most, &in_all)?.cycles);
    let found = of(&kernel, &kernel.machine, most, &in_all)?;
    let of_options = |options: Options, declared: &[Declared]| {
        let options = Options { footprints: false, ..options };
        let asked = asked(args, options, Arc::clone(&machine), room);
        let other = Kernel::of(Rc::clone(&kernel.text), asked, capability)?;
        Ok(of(&other, &other.machine, declared, &totals::passes(&other)?)?.cycles.0)
    };
    let possible = kept::possible(&args.traffic, &kernel, &place, &without);
    let hints = hints::hints(&kernel, options, (most, &possible), found.cycles.0, &of_options)?;
    let others = Others { undeclared: undeclared.as_ref(), bound_on: &cycles, hints };
    setting.of_alone(&kernel, &residency, &found, others)
}

/// A GPU that the program knows, and what is known of the code there.
struct OnGpu {
    preset: Preset,
    capability: Capability,
    named: NamedMachine,
    options: Options,
}

impl OnGpu {
    fn of(args: &Question) -> Result<Self, Failure> {
        let given = args.gpu.as_deref().unwrap_or_default();
        let preset = Preset::named(given)
            .ok_or_else(|| Failure::usage(format!("--gpu {given}: want one of {}", Preset::all())))?;
        let capability = preset.capability().map_err(Failure::internal)?;
        let named = named_machine(args, preset.name, clocks(args, &preset)?.slowest)?;
        let mut options = options(args, capability, &named)?;
        options.loop_totals = totals::given(args, &options.loop_bounds)?;
        options.footprints = true;
        Ok(Self { preset, capability, named, options })
    }

    fn residency(&self, args: &Question, kernel: &Kernel) -> Result<Residency, Failure> {
        let residency = residency(&self.capability, kernel)?;
        totals::check(args, kernel)?;
        Ok(residency)
    }

    fn assumes(&self) -> impl Iterator<Item = String> {
        self.preset.assumes().into_iter().chain(self.capability.assumes_resident())
    }

    fn setting<'a>(
        &self,
        args: &'a Question,
        assumes: Vec<String>,
        of_input: BTreeSet<String>,
        traffic: Traffic,
    ) -> Result<Setting<'a>, Failure> {
        let clocks = clocks(args, &self.preset)?;
        Ok(Setting {
            args,
            gpu: Some(self.preset.name.to_owned()),
            capability: self.capability,
            multiprocessors: self.preset.multiprocessors,
            machine: self.named.name.clone(),
            clocks,
            assumed: args.launch.clock.is_none().then(|| clocks.slowest.megahertz()),
            assumes,
            of_input,
            memory: self.named.memory.clone(),
            sheet: Some(self.preset.memory.dram_bytes_per_second),
            traffic,
        })
    }
}

/// The clocks that are given, or else the highest of the data sheet.
fn clocks(args: &Question, preset: &Preset) -> Result<Clocks, Failure> {
    match (args.launch.clock, preset.highest_clock()) {
        (Some(given), _) => Ok(given),
        (None, Some(clock)) => Ok(Clocks { slowest: clock, fastest: clock }),
        (None, None) => {
            Err(Failure::usage(format!("no clock of {} is known: want --clock MHZ", preset.name)))
        }
    }
}

fn residency(capability: &Capability, kernel: &Kernel) -> Result<Residency, Failure> {
    Residency::new(capability, &kernel.launch, &kernel.needs)
        .map_err(|error| Failure::usage(format!("{}: {}: {error}", kernel.place, kernel.entry.name)))
}

/// On a GPU that the program knows, beside kernels that the question names.
fn beside_others(args: &Question) -> Result<Time, Failure> {
    let on_gpu = OnGpu::of(args)?;
    let OnGpu { preset, capability, named, options } = &on_gpu;
    let mut machine = Arc::new(named.machine.clone());
    let others = co_running::others(args, options.declarations.as_deref(), &mut machine, capability)?;
    let read = |options: Options| asked(args, options, Arc::clone(&machine), Room::Shared);
    let kernel = Kernel::read(read(options.clone()), capability)?;
    let residency = on_gpu.residency(args, &kernel)?;
    let mut assumes = kernel.assumes(named);
    for (other, _) in &others {
        let entry = &other.entry.name;
        let own = assumes::of_entry(other).into_iter().chain(other.assumes(named));
        for what in own.filter(|what| !assumes.contains(what)).collect::<Vec<_>>() {
            assumes.push(format!("co-running {entry}: {what}"));
        }
    }
    assumes.extend(on_gpu.assumes());
    let of_input = others.iter().flat_map(|(other, _)| other.entry.of_input.iter().cloned()).collect();
    let setting = on_gpu.setting(args, assumes, of_input, Traffic::of(&args.traffic, &kernel)?)?;
    let gpu = Gpu { clock: Some(setting.clocks.slowest), ..preset.gpu().map_err(Failure::internal)? };
    let reached =
        |kernel: &Kernel| kernel.reaches_memory || others.iter().any(|(other, _)| other.reaches_memory);
    let beside = |kernel: &Kernel, declared: &[Declared]| {
        let ground = Ground::of(named, reached(kernel));
        co_running::with_flags(args, kernel, &others, declared, (capability, gpu.clone()), ground)
    };
    let again = |options: Options| Kernel::of(Rc::clone(&kernel.text), read(options), capability);
    in_company(&setting, (&kernel, &residency), options, &again, &beside)
}

/// Beside the kernels of a system file.
fn in_system(args: &Question, known: co_running::Known) -> Result<Time, Failure> {
    let co_running::Known { system, capability, machine } = known;
    totals::given(args, &LoopBounds::default())?;
    let named = with_numbers_of(find_machine(capability.version)?, &machine);
    let options = options(args, capability, &named)?;
    let room =
        if system.tasks().is_empty() { Room::Alone(system.gpu().multiprocessors) } else { Room::Shared };
    let kernel = Kernel::read(asked(args, options.clone(), Arc::clone(&machine), room), &capability)?;
    let residency = residency(&capability, &kernel)?;
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

/// The machine that is named, or else that of the GPU.
fn named_machine(args: &Question, gpu: &str, clock: Clock) -> Result<NamedMachine, Failure> {
    if args.numbers.machine.is_none()
        && let Err(error) = find_machine(gpu)
    {
        return Err(Failure::usage(format!("--gpu {gpu}: {error}; want --machine")));
    }
    args.numbers.machine(gpu, Some(clock))
}

/// What is known of the code on a machine, and of its transactions.
fn options(args: &Question, capability: Capability, named: &NamedMachine) -> Result<Options, Failure> {
    let options = args.code.options(Some(capability), Some(Arc::new(named.machine.clone())))?;
    Ok(with_transactions(options, &args.numbers.transactions)?)
}

/// What is asked of the listing of our kernel.
fn asked(args: &Question, options: Options, machine: Arc<Machine>, room: Room) -> Asked<'_> {
    let launch = &args.launch;
    Asked {
        listing: &args.listing,
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
