//! A launch with co-running kernels.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Failure;
use crate::alone::asked;
use crate::answer::Setting;
use crate::given::of_file;
use crate::gpu::{OnGpu, options, residency};
use crate::kernel::Kernel;
use crate::parse::Clocks;
use crate::question::Question;
use crate::texts::File;
use crate::traffic::Traffic;
use crate::waits::Room;
use crate::{assumes, co_running, hints, totals};
use warpspan_kernel::input::{Ground, MemoryFlags, NamedMachine, find_machine, of_clock};
use warpspan_listing::{LoopBounds, Options, Reading};
use warpspan_model::device::Gpu;
use warpspan_model::machine::{Declared, Machine};
use warpspan_model::time::Clock;
use warpspan_records::Time;
use warpspan_rta::time::{CoRunning, Residency};

/// On a GPU that the program knows, with co-running kernels that the question names.
pub(crate) fn with_co_running(args: &Question) -> Result<Time, Failure> {
    let on_gpu = OnGpu::of(args)?;
    let OnGpu { preset, capability, named, options, .. } = &on_gpu;
    let mut machine = Arc::new(named.machine.clone());
    let others = co_running::others(args, options.declarations.as_deref(), &mut machine, capability)?;
    let read = |options: Options| asked(args, options, Arc::clone(&machine), Room::Shared);
    let text = args.listing.text()?;
    let reading = Reading::of(&text)?;
    let kernel = Kernel::of(&reading, read(options.clone()), capability)?;
    let residency = on_gpu.residency(args, &kernel)?;
    let mut of_others = Vec::new();
    for (number, (other, _)) in (1..).zip(&others) {
        of_others.extend(assumes::of_other(args, number, other, named));
    }
    let of_input = others.iter().flat_map(|(other, _)| other.entry.of_input.iter().cloned()).collect();
    let setting = Setting::on_gpu(&on_gpu, args, Vec::new(), of_input, Traffic::of(&args.traffic, &kernel)?)?;
    let setting = Setting { of_others, ..setting };
    let gpu = Gpu { clock: Some(setting.clocks.slowest), ..preset.gpu().map_err(Failure::internal)? };
    let reached =
        |kernel: &Kernel| kernel.reaches_memory || others.iter().any(|(other, _)| other.reaches_memory);
    let bound = |kernel: &Kernel, declared: &[Declared]| {
        let ground = Ground::of(named, reached(kernel));
        co_running::with_flags(args, kernel, &others, declared, (capability, gpu.clone()), ground)
    };
    let again = |options: Options| Kernel::of(&reading, read(options), capability);
    with_others(&setting, (&reading, &kernel, &residency), options, &again, &bound)
}

/// CoRunning the kernels of a system file.
pub(crate) fn in_system(args: &Question, file: &File) -> Result<Time, Failure> {
    if args.numbers.memory != MemoryFlags::default() {
        let what = "the memory is that of the system file: want --dram-rate and the like as keys of its [gpu], such as dram_rate";
        return Err(Failure::usage(what));
    }
    let co_running::Known { system, capability, machine } = co_running::system(file)?;
    totals::given(args, &LoopBounds::default())?;
    let named = with_numbers_of(find_machine(capability.version)?, &machine);
    let options = options(args, capability, &named)?;
    let room =
        if system.tasks().is_empty() { Room::Alone(system.gpu().multiprocessors) } else { Room::Shared };
    let text = args.listing.text()?;
    let reading = Reading::of(&text)?;
    let kernel = Kernel::of(&reading, asked(args, options.clone(), Arc::clone(&machine), room), &capability)?;
    let residency = residency(&capability, &kernel)?;
    let clock: Option<Clock> = system.gpu().clock;
    let clock = clock.ok_or_else(|| Failure::internal("a system without a clock"))?;
    let preset = system.ground().preset;
    let named = NamedMachine {
        name: "that of the system file".to_owned(),
        memory: system.ground().memory.clone(),
        ..named
    };
    let setting = Setting {
        args,
        gpu: None,
        capability,
        multiprocessors: system.gpu().multiprocessors,
        machine: named,
        clocks: Clocks { slowest: clock, fastest: clock },
        assumptions: vec![of_clock([clock; 2], preset.as_ref()).by(of_file("--system", file))],
        of_others: system.rests().on.clone(),
        of_input: BTreeSet::new(),
        sheet: preset.map(|preset| preset.memory.dram_bytes_per_second),
        traffic: Traffic::of(&args.traffic, &kernel)?,
    };
    let bound = |kernel: &Kernel, declared: &[Declared]| {
        co_running::with_system(args, kernel, declared, system.clone(), &capability)
    };
    let again = |options: Options| {
        Kernel::of(&reading, asked(args, options, Arc::clone(&machine), room), &capability)
    };
    with_others(&setting, (&reading, &kernel, &residency), &options, &again, &bound)
}

/// The response time of a kernel, with what is declared of its traffic, with co-running kernels.
type WithOthers<'a> = dyn Fn(&Kernel, &[Declared]) -> Result<CoRunning, Failure> + 'a;

/// The answer with co-running kernels: `again` reads our kernel with other options, and `bound` bounds it with what is
/// declared of its traffic.
fn with_others(
    setting: &Setting<'_>,
    (reading, kernel, residency): (&Reading<'_>, &Kernel, &Residency),
    options: &Options,
    again: &dyn Fn(Options) -> Result<Kernel, Failure>,
    bound: &WithOthers<'_>,
) -> Result<Time, Failure> {
    let declared = &setting.traffic.most;
    let found = bound(kernel, declared)?;
    let Ok(response) = found.response else {
        return setting.of_co_running(kernel, residency, &found, Vec::new());
    };
    let without = || Failure::usage("no response time is bounded");
    let of_options = |options: Option<Options>, declared: &[Declared]| {
        setting.args.go_on()?;
        let other = options.map(again).transpose()?;
        Ok(bound(other.as_ref().unwrap_or(kernel), declared)?.response.map_err(|_| without())?.0)
    };
    let hints = hints::hints((reading, kernel), options, (declared, &[]), response.0, &of_options)?;
    setting.of_co_running(kernel, residency, &found, hints)
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
