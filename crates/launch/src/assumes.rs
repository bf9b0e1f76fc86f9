//! What a bound of `time` assumes, and what it does not cover.

use crate::kernel::Kernel;
use crate::question::Question;
use warpspan_listing::routine::Language;
use warpspan_model::device::Between;
use warpspan_rta::time::Residency;

/// What no number of `time` covers, a sentence each.
pub(crate) const NOT_COVERED: [&str; 2] = [
    "misses of instruction caches and of translations beyond the latencies of the machine; page faults, such as those of managed memory; ECC beyond the rate",
    "preemption and other processes on the GPU; clocks that change while the kernel runs; launches in clusters of blocks",
];

/// What is assumed of the launch and of co-running kernels, in one sentence, and what is declared of it.
pub(crate) fn of_launch(args: &Question, kernel: &Kernel, clock_is_assumed: bool) -> Vec<String> {
    let (others, launch) = (&args.others, &args.launch);
    let mut assumed = Vec::new();
    if clock_is_assumed {
        assumed.push(
            "the highest clock of the data sheet, which power modes and heat lower (--clock)".to_owned(),
        );
    }
    if !others.alone && others.co_running.is_empty() && others.system.is_none() {
        assumed.push("nothing else on the GPU (--alone, --co-running, --system)".to_owned());
    }
    let zero = [
        ("--launch-overhead", launch.launch_overhead.is_none()),
        ("--copy-in", launch.copy_in.is_none()),
        ("--copy-out", launch.copy_out.is_none()),
        ("--dynamic-shared", kernel.assumes_no_dynamic),
    ];
    let zero: Vec<&str> = zero.into_iter().filter(|(_, zero)| *zero).map(|(flag, _)| flag).collect();
    if !zero.is_empty() {
        assumed.push(format!("0 for {}", zero.join(", ")));
    }
    if kernel.assumes_no_shared {
        assumed.push(
            "no shared memory of the kernel, since its code has no access to any (--shared)".to_owned(),
        );
    }
    if kernel.needs.shared_memory.most > 0 {
        assumed.push("shared memory configured as large as it can be".to_owned());
    }
    assumed.push("that a block which waits starts as soon as some multiprocessor has room".to_owned());
    let declared = others.alone.then(|| "nothing else is on the GPU, as --alone says".to_owned());
    let once = others.co_running.iter().any(|other| other.period.is_none());
    let once = once.then(|| "a co-running kernel without a PERIOD is launched once, at any time".to_owned());
    [format!("assumes {}", assumed.join("; "))].into_iter().chain(declared).chain(once).collect()
}

/// For what values of parameters the loops were counted, which branches shuffles decide, which loops wait for other blocks, and
/// which opcodes no table has.
pub(crate) fn of_entry(kernel: &Kernel) -> Vec<String> {
    let size = |name: &str| name.starts_with("blockDim.") || name.starts_with("gridDim.");
    let params = kernel.entry.params.iter().filter(|(name, _)| !size(name));
    let params: Vec<String> = params.map(|(name, value)| format!("{name} = {value}")).collect();
    let params = (!params.is_empty()).then(|| format!("holds only for launches with {}", params.join(", ")));
    let unknown = kernel.entry.unknown_opcodes.iter();
    let unknown: Vec<String> = unknown.map(|(opcode, line)| format!("{opcode} (line {line})")).collect();
    let unknown = (!unknown.is_empty()).then(|| {
        format!(
            "counts opcodes that no table has as the most expensive of every unit: {}",
            unknown.join(", ")
        )
    });
    let entry = &kernel.entry;
    let whole = entry.of_whole().map(str::to_owned);
    whole
        .into_iter()
        .chain(entry.holds_for_input())
        .chain(params)
        .chain(entry.of_unreachable())
        .chain(entry.of_shuffles())
        .chain(entry.of_loops())
        .chain(entry.given_waits.iter().cloned())
        .chain(kernel.declared_larger.iter().cloned())
        .chain(unknown)
        .collect()
}

/// What the bound is if nothing is assumed of the schedulers that warps get.
pub(crate) fn of_spread(without: &str) -> String {
    format!(
        "counts on warps that are spread over the schedulers, which no manual promises; without that at most {without} (spread = false in the machine file)"
    )
}

/// What the listing is worth.
pub(crate) fn of_listing(kernel: &Kernel) -> Option<String> {
    let version = kernel.entry.capability.version;
    match (kernel.entry.language, kernel.resources.target.as_deref()) {
        (Language::Sass, Some(target)) if target != version => {
            Some(format!("the listing is for capability {target}, which a GPU of {version} runs too"))
        }
        _ => None,
    }
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
