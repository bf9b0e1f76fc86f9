//! A launch with co-running kernels.

use std::sync::Arc;

use crate::Failure;
use crate::assumes::name_of;
use crate::kernel::{Asked, Kernel};
use crate::question::Question;
use crate::texts::File;
use crate::waits::Room;
use warpspan_kernel::input::Ground;
use warpspan_kernel::input::{MemoryFlags, find_machine};
use warpspan_listing::{Declarations, Options, Reading};
use warpspan_model::device::{Capability, Gpu};
use warpspan_model::machine::{Declared, Machine};
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_rta::time::{CoRunning, Member, co_running};
use warpspan_rta::{Source, Stream, System, read_system};

/// Our kernel as one of several.
fn member(
    args: &Question,
    kernel: &Kernel,
    declared: &[Declared],
    capability: &Capability,
    gpu: &Gpu,
) -> Result<Member, Failure> {
    let launch = &args.launch;
    Ok(Member {
        name: kernel.entry.name.clone(),
        code: kernel.code.clone(),
        launch: kernel.launch,
        block: kernel.placed(capability, gpu)?,
        period: None,
        overhead: launch.launch_overhead.unwrap_or_default(),
        copies: [launch.copy_in, launch.copy_out].map(Option::unwrap_or_default),
        declared: declared.to_vec(),
    })
}

/// The co-running kernels, read over a machine to which each of them may add letters. What `declared` says of their
/// entries holds for them.
pub(crate) fn others(
    args: &Question,
    declared: Option<&Declarations>,
    machine: &mut Arc<Machine>,
    capability: &Capability,
) -> Result<Vec<(Kernel, Option<Duration>)>, Failure> {
    let mut all = Vec::new();
    for other in &args.others.co_running {
        let options = Options {
            entry: Some(other.entry.clone()),
            capability: Some(*capability),
            machine: Some(Arc::clone(machine)),
            declarations: declared.map(|all| Arc::new(all.of_entries(|name| name == other.entry))),
            ..Options::default()
        };
        let asked = Asked {
            options,
            grid: other.grid,
            block: other.block,
            registers: None,
            shared: None,
            dynamic: None,
            others: Vec::new(),
            room: Room::Shared,
            is_co_running: true,
        };
        let text = other.listing.text()?;
        let kernel = Kernel::of(&Reading::of(&text)?, asked, capability)?;
        *machine = Arc::clone(&kernel.machine);
        all.push((kernel, other.period));
    }
    Ok(all)
}

/// The answer with co-running kernels that flags name.
pub(crate) fn with_flags(
    args: &Question,
    kernel: &Kernel,
    others: &[(Kernel, Option<Duration>)],
    declared: &[Declared],
    (capability, gpu): (&Capability, Gpu),
    ground: Ground,
) -> Result<CoRunning, Failure> {
    let mut members = Vec::new();
    for (number, (other, period)) in (1..).zip(others) {
        members.push(Member {
            name: name_of(number, &other.entry.name),
            code: other.code.clone(),
            launch: other.launch,
            block: other.placed(capability, &gpu)?,
            period: *period,
            overhead: Duration::ZERO,
            copies: [Duration::ZERO; 2],
            declared: Vec::new(),
        });
    }
    members.push(member(args, kernel, declared, capability, &gpu)?);
    Ok(co_running(gpu, &kernel.machine, &members, ground)?)
}

/// A system file with its GPU.
pub(crate) struct Known {
    pub(crate) system: System,
    pub(crate) capability: Capability,
    pub(crate) machine: Arc<Machine>,
}

/// Reads a system file that ours can be added to.
pub(crate) fn system(file: &File) -> Result<Known, Failure> {
    let place = &file.place;
    let system = read_system(place, &file.text)?;
    let wrong = |what: &str| Failure::usage(format!("{place}: {what}"));
    if matches!(system.unit(), TimeUnit::Ticks | TimeUnit::Cycles) || system.gpu().clock.is_none() {
        return Err(wrong(
            "time needs a clock: want unit = \"us\" or another unit of time, and [gpu] clock_mhz",
        ));
    }
    let capability = system.capability();
    let capability =
        capability.ok_or_else(|| wrong("the GPU has no compute capability: want [gpu] preset"))?;
    let mut system = system;
    let machine = match system.machine() {
        Some(machine) => Arc::clone(machine),
        None if system.tasks().iter().all(|task| matches!(task.execution, Source::Given(_))) => {
            let preset = system.ground().preset;
            let named = find_machine(preset.map_or(capability.version, |preset| preset.name))?;
            let clock = system.gpu().clock;
            let named = named
                .with_flags(&MemoryFlags::default(), clock)
                .map_err(|error| wrong(&error.to_string()))?;
            system = system.on_ground(Ground::of(&named, true));
            Arc::new(named.machine)
        }
        None => {
            let what = format!(
                "its kernels are code for a multiprocessor without latencies: want machine = {:?} at the top",
                capability.version
            );
            return Err(wrong(&what));
        }
    };
    Ok(Known { system, capability, machine })
}

/// The answer with the kernels of a system.
pub(crate) fn with_system(
    args: &Question,
    kernel: &Kernel,
    declared: &[Declared],
    system: System,
    capability: &Capability,
) -> Result<CoRunning, Failure> {
    let stream = system.streams().len();
    let mut task = member(args, kernel, declared, capability, system.gpu())?.task(stream);
    while system.tasks().iter().any(|other| other.name == task.name) {
        task.name.push_str(" (timed)");
    }
    let name = task.name.clone();
    let system = system
        .with_kernel(task, Stream { name, priority: 0 }, Arc::clone(&kernel.machine))
        .map_err(Failure::usage)?;
    if let Some(silent) = system.without_traffic() {
        let what = format!(
            "kernel {} of the system file: what it moves through the DRAM delays the launch: want dram_bytes = \"512 MB\" there, or \
             \"0\" if it moves nothing",
            system.tasks()[silent].name
        );
        return Err(Failure::usage(what));
    }
    Ok(CoRunning::last_of(system)?)
}
