//! A launch on a GPU that the program knows, and what a launch with co-running kernels there has in common with it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Failure;
use crate::answer::{Others, Setting};
use crate::enough::{AtRate, Rates, with_rate};
use crate::flags::in_flags;
use crate::gpu::{IDLE, OnGpu};
use crate::kept::KeptTraffic;
use crate::kernel::{Asked, Kernel};
use crate::question::{self, Question};
use crate::traffic::Traffic;
use crate::waits::Room;
use crate::{hints, kept, totals, words};
use warpspan_kernel::input::{IdleDram, has_host};
use warpspan_listing::{InL2, Options, Reading};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{Declared, Machine};
use warpspan_records::Time;
use warpspan_rta::time::{InAll, Lone, Multiprocessors, Residency};

/// Bounds the time of a launch on a GPU that the program knows, with nothing else on it.
///
/// It is what [`answer`](crate::answer) does where the question names no other kernels. A program that asks nothing else need not hold the analysis of
/// several kernels.
///
/// # Errors
/// Those of [`answer`](crate::answer), and if the question names other kernels.
pub fn on_gpu_alone(args: &Question) -> Result<Time, Failure> {
    alone_with(args, true)
}

/// The same, with what would lower the bound only where that is asked: it takes most of the time.
pub(crate) fn alone_with(args: &Question, with_hints: bool) -> Result<Time, Failure> {
    let found = as_declared(args, with_hints)?;
    if args.traffic.dram_idle != Some(IdleDram::default()) {
        return Ok(found);
    }
    // A pause may be longer than what latencies save.
    let traffic = question::Traffic { dram_idle: None, ..args.traffic.clone() };
    let without = Question { traffic, ..args.clone() };
    match as_declared(&without, false) {
        Ok(other) if other.bound_cycles <= found.bound_cycles => {
            let mut other = if with_hints { as_declared(&without, true)? } else { other };
            other.notes.push(format!("{IDLE}: the bound is no lower with it"));
            Ok(other)
        }
        Ok(_) => Ok(found),
        Err(_) => args.go_on().map(|()| found),
    }
}

/// The bound that follows from all that is declared.
fn as_declared(args: &Question, with_hints: bool) -> Result<Time, Failure> {
    if args.others.system.is_some() || !args.others.co_running.is_empty() {
        return Err(Failure::usage("other kernels: want a launch that has the GPU for itself"));
    }
    let mut gpu = OnGpu::of(args)?;
    // What arrays a launch touches takes the longest to find, and only caches ask for it, given or as a hint.
    gpu.options.footprints = with_hints || args.traffic.keeps();
    let OnGpu { preset, capability, named, options, .. } = &gpu;
    let machine = Arc::new(named.machine.clone());
    let room = Room::Alone(preset.multiprocessors);
    let text = args.listing.text()?;
    let reading = Reading::of(&text)?;
    args.go_on()?;
    let read = |options: Options| {
        args.go_on()?;
        Kernel::of(&reading, asked(args, options, Arc::clone(&machine), room), capability)
    };
    let mut kernel = read(options.clone())?;
    // Where accesses go is known once the code is read.
    let lines = kept::lines_in_l2(&args.traffic, &kernel)?;
    let is_held = !lines.is_empty();
    let options = &Options { in_l2: InL2 { lines, latencies: named.latencies_in_l2() }, ..options.clone() };
    if is_held {
        kernel = read(options.clone())?;
    }
    args.go_on()?;
    let residency = gpu.residency(args, &kernel)?;
    let without_of = |options: &Options, lines: &BTreeSet<u32>| {
        read(Options { unmoved: lines.clone(), footprints: false, ..options.clone() })
    };
    let without = |lines: &BTreeSet<u32>| without_of(options, lines);
    let over_link = has_host(&named.memory);
    let l2_bytes = preset.memory.l2_bytes;
    let place =
        kept::Room { capability, residency: &residency, l2_bytes, over_link, instructions: text.lines() };
    let on = Multiprocessors {
        number: preset.multiprocessors,
        most_warps: capability.resident.warps,
        dealt_evenly: args.launch.dealt_evenly,
    };
    if args.traffic.dram_idle.is_some() {
        is_all_that_asks(&kernel)?;
    }
    if on.dealt_evenly {
        all_start_at_once(&kernel, &residency, on.number)?;
    }
    let in_all = totals::passes(&kernel)?;
    let room_there = (&residency, on);
    let said = Traffic::of(&args.traffic, &kernel)?;
    let holds_all = args.traffic.l2_holds.as_ref().is_some_and(|held| held.arrays.is_empty());
    if holds_all && said.least_dram > 0 {
        let least = said.least_dram;
        let what = format!(
            "--l2-holds: {least} bytes move through the DRAM at least, as you say, and nothing does if L2 holds all: want one without the other"
        );
        return Err(Failure::usage(what));
    }
    if holds_all && args.traffic.dram_idle.is_some() {
        let what = "nothing comes from the DRAM if L2 holds all (--l2-holds): want one of the two";
        return Err(Failure::usage(format!("{IDLE}: {what}")));
    }
    let bound_with = |kept: &[KeptTraffic]| {
        args.go_on()?;
        let most = said.most.iter().chain(kept.iter().flat_map(|one| &one.most));
        let most: Vec<Declared> = most.copied().collect();
        Ok(lone(&kernel, &kernel.machine, room_there, (&most, &in_all)).cycles()?)
    };
    let mut kept = kept::of_use(kept::kept(&args.traffic, &kernel, &place, &without)?, &bound_with)?;
    if kept::are_distinct(&kept) {
        let args = question::Traffic { arrays_distinct: false, ..args.traffic.clone() };
        let options = Options { distinct: false, ..options.clone() };
        let others = kept::kept(&args, &read(options.clone())?, &place, &|lines| without_of(&options, lines));
        if let Ok(others) = others
            && bound_with(&others)? == bound_with(&kept)?
        {
            kept = kept::without_distinct(kept);
        }
    }
    // What is kept follows from addresses, even where all transactions are declared.
    let of_addresses = kernel.entry.on_machine.as_ref().filter(|_| kept.iter().any(KeptTraffic::lowers));
    let of_addresses = of_addresses.map(|on| on.of_addresses()).unwrap_or_default();
    let idle = args.traffic.dram_idle.iter().map(|_| {
        let value =
            "nothing else uses it while the launch runs: no other launch, no copy and no core of a CPU";
        Assumption::declared(Id::DramIdle, "DRAM", value).by(IDLE)
    });
    let of_addresses = of_addresses.into_iter().chain(idle).collect();
    let setting = Setting::on_gpu(&gpu, args, of_addresses, BTreeSet::new(), said.with_kept(kept))?;
    let most = &setting.traffic.most;
    // Margins, which ask for a bound again and again, do not ask for it.
    let undeclared = if !with_hints {
        None
    } else if args.traffic.l2_holds.is_some() || args.traffic.dram_idle.is_some() {
        // Without what is declared, loads take as long as from DRAM that others may use.
        let traffic = question::Traffic { l2_holds: None, dram_idle: None, ..args.traffic.clone() };
        let other = Question { traffic, ..args.clone() };
        let OnGpu { named, options, .. } = OnGpu::of(&other)?;
        let machine = Arc::new(named.machine);
        let other = Kernel::of(&reading, asked(&other, options, machine, room), capability)?;
        Some(lone(&other, &other.machine, room_there, (&[], &totals::passes(&other)?)).bound()?)
    } else if most.is_empty() {
        None
    } else {
        Some(lone(&kernel, &kernel.machine, room_there, (&[], &in_all)).bound()?)
    };
    let here = lone(&kernel, &kernel.machine, room_there, (most, &in_all));
    let found = here.bound()?;
    if on.dealt_evenly {
        let anyhow = Multiprocessors { dealt_evenly: false, ..on };
        if (Lone { on: anyhow, ..here }).cycles()? <= found.cycles {
            // Nothing rests on it.
            let launch = question::LaunchFacts { dealt_evenly: false, ..args.launch };
            let mut found = alone_with(&Question { launch, ..args.clone() }, with_hints)?;
            found.notes.push("--blocks-dealt evenly: the bound is the same without it".to_owned());
            return Ok(found);
        }
    }
    let of_options = |options: Option<Options>, declared: &[Declared]| {
        args.go_on()?;
        let Some(options) = options else {
            return Ok(lone(&kernel, &kernel.machine, room_there, (declared, &in_all)).cycles()?.0);
        };
        let options = Options { footprints: false, ..options };
        let other = read(options)?;
        let in_all = totals::passes(&other)?;
        Ok(lone(&other, &other.machine, room_there, (declared, &in_all)).cycles()?.0)
    };
    let hints = if with_hints {
        let possible = kept::possible(&args.traffic, &kernel, &place, &without);
        hints::hints((&reading, &kernel), options, (most, &possible), found.cycles.0, &of_options)?
    } else {
        Vec::new()
    };
    let source = text.source_lines();
    let at_rate = |steps: u64| {
        let mut other = args.clone();
        with_rate(&mut other, steps);
        args.go_on()?;
        // The machine of a kernel has letters of its own besides.
        let servers = OnGpu::of(&other)?.named.machine.servers().to_vec();
        let machine = (*kernel.machine).clone().with_servers(servers).map_err(Failure::usage)?;
        Ok(Lone { machine: &Arc::new(machine), ..here }.cycles()?)
    };
    let rates = if with_hints { Rates::of(args, &gpu)? } else { None };
    let at_rates = rates.map(|rates| (rates, &at_rate as &AtRate<'_>));
    let others = Others { undeclared: undeclared.as_ref(), at_rates, hints, source };
    let found = setting.of_alone(&kernel, &residency, &found, others)?;
    totals::smaller(args, &kernel, found, |other| alone_with(other, with_hints))
}

/// A launch of a kernel on a machine, by the blocks that a multiprocessor holds and the multiprocessors, and what is declared of it.
fn lone<'a>(
    kernel: &'a Kernel,
    machine: &'a Arc<Machine>,
    (residency, on): (&'a Residency, Multiprocessors),
    (declared, in_all): (&'a [Declared], &'a [InAll]),
) -> Lone<'a> {
    Lone { machine, code: &kernel.code, launch: &kernel.launch, residency, on, declared, in_all }
}

/// Checks that all blocks of a launch have room at once, which is what may be dealt evenly.
fn all_start_at_once(kernel: &Kernel, residency: &Residency, multiprocessors: u64) -> Result<(), Failure> {
    let room = residency.least.saturating_mul(multiprocessors);
    let blocks = words::several(kernel.launch.blocks, "block");
    let why = if kernel.launch.blocks > room {
        let on = words::several(multiprocessors, "multiprocessor");
        let known = if residency.is_known() {
            ""
        } else {
            " as far as is known (--registers, --shared and --dynamic-shared may say more)"
        };
        format!("{blocks}, and {on} have room for {room} at once{known}")
    } else if let Some(why) = kernel.entry.starts_next() {
        in_flags(&why)
    } else {
        return Ok(());
    };
    let what = format!(
        "--blocks-dealt evenly: {why}: want a launch that has the GPU for itself and whose blocks all start at once"
    );
    Err(Failure::usage(format!("{}: {}: {what}", kernel.place, kernel.entry.name)))
}

/// Checks that nothing but one block asks the DRAM, which is what latencies of an idle one were measured of.
fn is_all_that_asks(kernel: &Kernel) -> Result<(), Failure> {
    let why = if kernel.launch.blocks > 1 {
        words::several(kernel.launch.blocks, "block")
    } else if let Some(why) = kernel.entry.starts_next() {
        in_flags(&why)
    } else {
        return Ok(());
    };
    let what = format!("{IDLE}: {why}: want a launch of one block that has the GPU for itself");
    Err(Failure::usage(format!("{}: {}: {what}", kernel.place, kernel.entry.name)))
}

/// What is asked of the listing of our kernel.
pub(crate) fn asked(args: &Question, options: Options, machine: Arc<Machine>, room: Room) -> Asked<'_> {
    let launch = &args.launch;
    Asked {
        options: Options { machine: Some(machine), ..options },
        grid: args.grid,
        block: args.block,
        registers: launch.registers,
        shared: launch.shared,
        dynamic: launch.dynamic_shared,
        others: args.others.co_running.iter().map(|other| other.entry.as_str()).collect(),
        room,
        is_co_running: false,
    }
}
