//! What a bound of `time` takes for granted, and what it does not cover.

use crate::cli::commands::time::args::TimeArgs;
use crate::cli::commands::time::kernel::Kernel;
use crate::listing::routine::Language;
use crate::model::device::Between;
use crate::realtime::time::Residency;

/// What no number of `time` covers, a sentence each.
pub(super) const NOT_COVERED: [&str; 2] = [
    "memory that is slower than the latencies of the machine, because other multiprocessors, the CPU or other devices use it too; \
     misses of instruction caches; page faults",
    "preemption and other processes on the GPU; clocks that change while the kernel runs",
];

/// What is taken for granted of the launch and of its company, a sentence each, the most important first.
pub(super) fn of_launch(args: &TimeArgs, kernel: &Kernel, clock: Option<&str>) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(clock) = clock {
        all.push(format!(
            "assumes that the GPU runs at {clock} MHz, the highest clock of its data sheet: power modes and heat lower it; want --clock"
        ));
    }
    let company = &args.company;
    if company.alone {
        all.push("nothing else is on the GPU, as --alone says".to_owned());
    } else if company.beside.is_empty() && company.system.is_none() {
        all.push("assumes that nothing else is on the GPU; want --alone, --beside or --system".to_owned());
    }
    let launch = &args.launch;
    let given = [
        ("--launch-overhead", launch.launch_overhead.is_some()),
        ("--copy-in", launch.copy_in.is_some()),
        ("--copy-out", launch.copy_out.is_some()),
    ];
    let zero: Vec<&str> = given.into_iter().filter(|(_, given)| !given).map(|(flag, _)| flag).collect();
    if !zero.is_empty() {
        all.push(format!("assumes 0 for {}", zero.join(", ")));
    }
    if kernel.assumes_no_dynamic {
        all.push("assumes that the launch adds no shared memory; want --dynamic-shared".to_owned());
    }
    if kernel.entry.language == Language::Ptx {
        all.push(
            "PTX is not what the GPU runs: the bound is one of the instructions that the tables count for it; want SASS".to_owned(),
        );
    }
    let version = kernel.entry.capability.version;
    if let Some(target) = kernel.resources.target.as_deref().filter(|&target| target != version)
        && kernel.entry.language == Language::Sass
    {
        all.push(format!("the listing is for capability {target}, which a GPU of {version} runs too"));
    }
    all
}

/// What is not known of the room for blocks.
pub(super) fn of_room(kernel: &Kernel, residency: &Residency) -> Option<String> {
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
