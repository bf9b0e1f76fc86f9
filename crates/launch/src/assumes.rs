//! What a bound of `time` rests on, and what it does not cover.

use std::collections::{BTreeMap, BTreeSet};

use crate::flags::in_shell;
use crate::given::of_file;
use crate::kernel::Kernel;
use crate::question::Question;
use crate::texts::File;
use crate::words;
use warpspan_kernel::input::{NamedMachine, of_clock, of_highest_clock};
use warpspan_listing::Language;
use warpspan_listing::machine::base_of;
use warpspan_listing::{LoopBound, of_parameter, of_transactions, of_uniform};
use warpspan_model::assumption::{Assumption, Id, Kind};
use warpspan_model::device::{Between, Capability, Preset};
use warpspan_model::source::Remedy;
use warpspan_model::time::Duration;
use warpspan_rta::time::Residency;

/// What no number of `time` covers, a sentence each.
pub(crate) const NOT_COVERED: [&str; 2] = [
    "misses of instruction caches and of translations beyond the latencies of the machine; page faults, such as those of managed memory; ECC beyond the rate",
    "preemption and other processes on the GPU; clocks that change while the kernel runs; launches in clusters of blocks",
];

/// What is declared of the code and of the machine, and does not stand in the answer in another way.
pub(crate) fn of_flags(args: &Question, kernel: &Kernel) -> Vec<Assumption> {
    let (code, numbers, launch) = (&args.code, &args.numbers, &args.launch);
    let uniform =
        code.uniform.iter().map(|given| of_uniform(given).by(format!("--uniform {}", in_shell(given))));
    // Of several numbers for one label or letter the last counts.
    let labelled = numbers.transactions.iter().map(|given| {
        let (label, most) = given.rsplit_once('=').unwrap_or((given, ""));
        (label.trim(), (most.trim(), given))
    });
    let labelled: BTreeMap<_, _> = labelled.collect();
    let transactions = labelled.into_iter().map(|(label, (most, given))| {
        of_transactions(label, most).by(format!("--transactions {}", in_shell(given)))
    });
    let latencies: BTreeMap<_, _> =
        numbers.latency_of.iter().map(|(letter, number)| (letter, number)).collect();
    let latencies = latencies.into_iter().map(|(letter, latency)| {
        let value = format!("{} to {} cycles", latency.least, latency.most);
        let given = format!("{letter}={}..{}", latency.least, latency.most);
        Assumption::declared(Id::LatencyOfLetter, format!("latency of {letter}"), value)
            .by(format!("--latency-of {}", in_shell(&given)))
    });
    let holds: BTreeMap<_, _> = numbers.hold_of.iter().map(|(letter, number)| (letter, number)).collect();
    let holds = holds.into_iter().map(|(letter, cycles)| {
        let subject = format!("{letter} holds its unit");
        Assumption::declared(Id::HoldOfLetter, subject, words::several(*cycles, "cycle")).by("--hold-of")
    });
    let says = |id, flag: &str, what: &str, file: &File| {
        Assumption::declared(id, what, format!("as {} says", file.place)).by(of_file(flag, file))
    };
    let files = [
        (Id::ClassOfOpcode, "--classes", "what opcodes use", &code.classes),
        (Id::DeclarationsFile, "--loop-bounds", "loops", &code.loop_bounds),
    ];
    let files =
        files.into_iter().filter_map(|(id, flag, what, file)| Some(says(id, flag, what, file.as_ref()?)));
    let machine = numbers.machine.iter().map(|from| {
        let name = from.place();
        Assumption::declared(Id::MachineFile, "numbers of the machine", format!("those of {name}"))
            .by(format!("--machine {}", in_shell(name)))
    });
    // Of more than the listing shows, that of the listing counts, and a note says so.
    let registers = launch.registers.filter(|&given| given <= kernel.resources.registers.most);
    let shared = launch.shared.filter(|&given| kernel.resources.shared_memory.is_none_or(|own| given <= own));
    let bytes = [
        (Id::LaunchRegisters, "--registers", "registers of a thread", registers),
        (Id::LaunchShared, "--shared", "bytes of shared memory of the kernel", shared),
        (
            Id::LaunchDynamicShared,
            "--dynamic-shared",
            "bytes of shared memory that the launch adds",
            launch.dynamic_shared,
        ),
    ];
    let bytes = bytes.into_iter().filter_map(|(id, flag, what, given)| {
        let given = given?;
        Some(Assumption::declared(id, what, given.to_string()).by(format!("{flag} {given}")))
    });
    uniform
        .chain(transactions)
        .chain(latencies)
        .chain(holds)
        .chain(files)
        .chain(machine)
        .chain(bytes)
        .collect()
}

/// The clock: declared, or the highest of the data sheet.
pub(crate) fn of_clocks(args: &Question, clocks: crate::Clocks, preset: Option<&Preset>) -> Assumption {
    match args.launch.clock {
        None => of_highest_clock(clocks.slowest),
        Some(_) => {
            let flags = if args.launch.overclocked { "--clock, --overclocked" } else { "--clock" };
            of_clock([clocks.slowest, clocks.fastest], preset).by(flags)
        }
    }
}

/// How many multiprocessors run of a GPU that the program knows, and how many blocks each of them holds.
pub(crate) fn of_preset(args: &Question, preset: &Preset, capability: &Capability) -> Vec<Assumption> {
    let (id, what, count) = (Id::GpuMultiprocessors, "multiprocessors", preset.multiprocessors);
    let running = match args.launch.multiprocessors {
        Some(_) => {
            Assumption::declared(id, what, format!("{count} run")).by(format!("--multiprocessors {count}"))
        }
        None => preset.running(),
    };
    let dealt = args.launch.dealt_evenly.then(|| {
        let most = args.grid.all().div_ceil(count.max(1));
        let value = format!("evenly, at most {} on a multiprocessor", words::several(most, "block"));
        Assumption::declared(Id::BlocksDealt, "blocks are dealt", value).by("--blocks-dealt evenly")
    });
    [running].into_iter().chain(dealt).chain(capability.assumes_resident()).collect()
}

/// What is declared or assumed of the launch and of what else is on the GPU.
pub(crate) fn of_launch(args: &Question, kernel: &Kernel) -> Vec<Assumption> {
    let (others, launch) = (&args.others, &args.launch);
    let mut all = Vec::new();
    if others.alone {
        all.push(Assumption::declared(Id::GpuAlone, "GPU", "nothing else is on it").by("--alone"));
    } else if others.co_running.is_empty() && others.system.is_none() {
        all.push(Assumption::assumed(Id::GpuAlone, "GPU", "nothing else is on it").unless(Remedy::Others));
    } else {
        all.push(Assumption::assumed(Id::GpuAlone, "GPU", "no kernels are on it but the given ones"));
    }
    for (number, other) in (1..).zip(&others.co_running) {
        let blocks = words::several(other.grid.all(), "block");
        let threads = words::several(other.block.all(), "thread");
        let (id, launched) = match other.period {
            None => (Id::CoRunningOnce, "launched once, at any time".to_owned()),
            Some(Duration(period)) => {
                let period = words::time(period.div_ceil(1000));
                (Id::CoRunning, format!("launched at most once in each {period}"))
            }
        };
        let value = format!("{blocks} of {threads} ({}), {launched}", other.listing.place);
        all.push(Assumption::declared(id, name_of(number, &other.entry), value).by("--co-running"));
    }
    if let Some(file) = &others.system {
        let value = format!("those of {}", file.place);
        all.push(
            Assumption::declared(Id::CoRunning, "GPU and other kernels", value).by(of_file("--system", file)),
        );
    }
    let times = [
        (
            Id::LaunchOverhead,
            "launch overhead",
            "--launch-overhead",
            launch.launch_overhead,
            Remedy::LaunchOverhead,
        ),
        (Id::LaunchCopyIn, "copies before the kernel", "--copy-in", launch.copy_in, Remedy::CopyIn),
        (Id::LaunchCopyOut, "copies after the kernel", "--copy-out", launch.copy_out, Remedy::CopyOut),
    ];
    for (id, what, flag, given, remedy) in times {
        all.push(match given {
            None => Assumption::assumed(id, what, "0").unless(remedy),
            Some(Duration(time)) => {
                // Copies take their time, in the least time of a launch too.
                let most = if id == Id::LaunchOverhead { "at most " } else { "" };
                Assumption::declared(id, what, format!("{most}{}", words::time(time.div_ceil(1000)))).by(flag)
            }
        });
    }
    all.extend(of_shared(kernel));
    let starts = "starts as soon as some multiprocessor has room";
    all.push(Assumption::modelled(Id::BlockStart, "a block that waits", starts));
    all
}

/// What is assumed of the shared memory of a kernel.
pub(crate) fn of_shared(kernel: &Kernel) -> impl Iterator<Item = Assumption> {
    let dynamic = kernel.assumes_no_dynamic.then(|| {
        let what = "bytes of shared memory that the launch adds";
        Assumption::assumed(Id::LaunchDynamicShared, what, "0").unless(Remedy::DynamicShared)
    });
    let own = kernel.assumes_no_shared.then(|| {
        let value = "none, since its code has no access to any";
        Assumption::assumed(Id::LaunchShared, "shared memory of the kernel", value).unless(Remedy::Shared)
    });
    let carveout = (kernel.needs.shared_memory.most > 0).then(|| {
        let value = "configured as large as it can be";
        Assumption::assumed(Id::LaunchCarveout, "shared memory of a multiprocessor", value)
    });
    dynamic.into_iter().chain(own).chain(carveout)
}

/// What answers call a co-running kernel.
pub(crate) fn name_of(number: usize, entry: &str) -> String {
    format!("{entry} (co-running {number})")
}

/// What a bound rests on that is about a co-running kernel, which only a file of declarations describes.
pub(crate) fn of_other(
    args: &Question,
    number: usize,
    other: &Kernel,
    named: &NamedMachine,
) -> Vec<Assumption> {
    let of_code =
        of_entry(&Question::default(), other).into_iter().chain(other.assumptions(named, &|_| false));
    let source = args.code.declare.as_ref().map(|file| of_file("--declare", file));
    let about = |one: Assumption| {
        let source = source.clone().filter(|_| one.kind == Kind::Declared);
        let subject = format!("{}: {}", name_of(number, &other.entry.name), one.subject);
        // The flags are about the kernel that is timed, but those of the memory about both.
        let remedy = one
            .remedy
            .filter(|remedy| matches!(remedy, Remedy::HostMemory | Remedy::LatencyOf | Remedy::OccupancyOf));
        Assumption { subject, source: one.source.or(source), remedy, ..one }
    };
    of_code.chain(of_shared(other)).map(about).collect()
}

/// For what values of parameters the loops were counted, which branches shuffles decide, which loops wait for other blocks, and
/// which opcodes no table has.
pub(crate) fn of_entry(args: &Question, kernel: &Kernel) -> Vec<Assumption> {
    let entry = &kernel.entry;
    // Which flag says it of a loop.
    let flags = [("--loop-bound", &args.code.loop_bound), ("--loop-total", &args.loop_totals)];
    let flags = flags.into_iter().flat_map(|(flag, all)| all.iter().map(move |given| (flag, given)));
    let of_loops: Vec<(Assumption, String)> = flags
        .filter_map(|(flag, given)| {
            let (label, most) = given.rsplit_once('=')?;
            let (label, most) = (label.trim(), most.trim().parse().ok());
            let is_it = |one: &&LoopBound| {
                (one.label == label || one.line.to_string() == label)
                    && (one.most == most || one.total == most)
            };
            Some((entry.loops.iter().find(is_it)?.assumption()?, format!("{flag} {}", in_shell(given))))
        })
        .collect();
    let with_flag = |one: Assumption| match of_loops.iter().find(|(of_loop, _)| *of_loop == one) {
        Some((_, flag)) => one.by(flag),
        None => one,
    };
    // The sizes of the launch are the question.
    let is_size = |name: &str| name.starts_with("blockDim.") || name.starts_with("gridDim.");
    let sizes = entry.params.iter().filter(|(name, _)| is_size(name));
    let sizes: Vec<Assumption> = sizes.map(|(name, &range)| of_parameter(name, range)).collect();
    let unknown = entry.unknown_opcodes.iter().map(|(opcode, line)| {
        let value = "no table has it: it takes no more than the most expensive one of every unit";
        Assumption::assumed(Id::OpcodeUnknown, format!("{opcode} (line {line})"), value)
            .unless(Remedy::Classes(vec![opcode.clone()]))
    });
    entry.assumptions().into_iter().filter(|one| !sizes.contains(one)).map(with_flag).chain(unknown).collect()
}

/// That warps are spread over the schedulers, and what the bound is if nothing is assumed of that.
pub(crate) fn of_spread(warps: u64, schedulers: u64, without: &str) -> Assumption {
    let share = warps.div_ceil(schedulers);
    let value = format!("{share} of a block's {warps} warps each; else at most {without}");
    Assumption::assumed(Id::SchedulersSpread, "schedulers", value).unless(Remedy::AnySpread)
}

/// Sorts rows by who vouches for them, with those of this name before all others that nobody vouches for.
pub(crate) fn sort_with_first(all: &mut [warpspan_records::Assumption], id: Id) {
    all.sort_by_key(|one| (one.kind, one.kind == Kind::Assumed && one.id != id.name()));
}

/// The same with the rate of the DRAM first, where another one would do for the deadline.
pub(crate) fn sort_with_enough_first(all: &mut [warpspan_records::Assumption]) {
    let would_do = |one: &warpspan_records::Assumption| {
        one.margin.as_ref().is_some_and(|margin| margin.would_do && margin.holds_to.is_some())
    };
    if all.iter().any(|one| one.id == Id::DramRate.name() && would_do(one)) {
        sort_with_first(all, Id::DramRate);
    }
}

/// Whether a row of this name is the first one that nobody vouches for.
pub(crate) fn is_first(all: &[warpspan_records::Assumption], id: Id) -> bool {
    let assumed = all.iter().find(|one| one.kind == Kind::Assumed);
    assumed.is_some_and(|one| one.id == id.name())
}

/// What another listing of the same machine code would say, and this one does not.
pub(crate) fn lacking(kernel: &Kernel) -> Vec<&'static str> {
    let open = |between: Between| between.least != between.most;
    let is_sass = kernel.entry.language == Language::Sass;
    let waits = kernel.entry.on_machine.as_ref().is_some_and(|on| on.dependences);
    [
        (!waits).then_some("the control fields"),
        open(kernel.needs.registers).then_some("the registers of a thread"),
        open(kernel.needs.shared_memory).then_some("the shared memory of a block"),
    ]
    .into_iter()
    .flatten()
    .filter(|_| is_sass)
    .collect()
}

/// Letters of which a flag says the latency or the hold, and which the code has not.
pub(crate) fn of_unused(args: &Question, kernel: &Kernel) -> Option<String> {
    let letters = kernel.machine.letters();
    let used: BTreeSet<&str> =
        kernel.code.letters().map(|step| letters[step.letter.index()].name.as_str()).collect();
    // A letter whose accesses are spread, or that an opcode has by itself, is named after the one that it is made of.
    let is_of = |one: &str, name: &str| one == name || base_of(one).split('.').next() == Some(name);
    let has = |name: &str| used.iter().any(|one| is_of(one, name));
    let numbers = &args.numbers;
    let latencies = numbers.latency_of.iter().map(|(letter, _)| ("--latency-of", letter));
    let holds = numbers.hold_of.iter().map(|(letter, _)| ("--hold-of", letter));
    let unused = latencies.chain(holds).filter(|(_, letter)| !has(letter));
    let unused: Vec<String> = unused.map(|(flag, letter)| format!("{flag} {letter}")).collect();
    (!unused.is_empty()).then(|| {
        format!(
            "the code has no instruction of such a letter, so this changes nothing: {}",
            unused.join(", ")
        )
    })
}

/// What is not known of the room for blocks.
pub(crate) fn of_room(kernel: &Kernel, residency: &Residency) -> Option<String> {
    let open = |between: Between| between.least != between.most;
    let Residency { least, most, .. } = residency;
    let registers = kernel.needs.registers;
    let what = [
        open(registers).then(|| format!("registers of a thread ({} to {})", registers.least, registers.most)),
        open(kernel.needs.shared_memory).then(|| "shared memory of a block".to_owned()),
    ];
    let what: Vec<String> = what.into_iter().flatten().collect();
    let flags = [
        open(registers).then_some("--registers"),
        open(kernel.needs.shared_memory).then_some("--shared, --dynamic-shared"),
    ];
    let flags: Vec<&str> = flags.into_iter().flatten().collect();
    (least < most && !what.is_empty()).then(|| {
        format!(
            "the listing does not say the {}: the bound is the largest of all for {least} to {most} blocks at once; want {}, or a \
             listing of `cuobjdump -sass --dump-resource-usage`",
            what.join(" and the "),
            flags.join(", ")
        )
    })
}
