//! What several commands tell a person in the same words.

use std::fmt::{Display, Write};

use crate::screen::{Tone, paint};
use warpspan_check::bound::{Checked, Theorem};
use warpspan_kernel::input::OF_PAPER;
use warpspan_kernel::input::{MachineLaunch, OnMachine};
use warpspan_model::limits::{Ending, NotExact, Stop};
use warpspan_model::machine::{MachineGroup, Step};
use warpspan_model::program::Piece;
use warpspan_model::{Code, Cycles, Grid, Group, Instance, Kernel, Labelling, Unit, WarpGroup, Workload};

/// A number of a record with all its decimals, never with an exponent.
pub(crate) fn decimals(number: &serde_json::Number) -> String {
    match number.as_f64().filter(|_| !number.is_u64()) {
        Some(real) => real.to_string(),
        None => number.to_string(),
    }
}

/// Kernels longer than this are shown with counts.
const KERNEL: usize = 60;

/// The text between a verdict and its reason: what it rests on.
pub(crate) fn given(provided: &[String]) -> String {
    match provided {
        [] => String::new(),
        [one, ..] if one == OF_PAPER => " in the paper's model, without latencies and memory".to_owned(),
        [one] => format!(", if {one}"),
        [all @ .., last] => format!(", if {} and {last}", all.join(", ")),
    }
}

/// A number of things: `1 warp`, `2 warps`.
pub(super) fn several<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// How the step from a theorem to a number is checked.
const fn proof(checked: Checked) -> &'static str {
    match checked {
        Checked::Machine => "machine-checked",
        Checked::Paper => "proved on paper",
        Checked::Tested => "tested only",
    }
}

/// An end of an interval with what it follows from, and how that is checked.
pub(super) fn end(cycles: Cycles, theorem: Theorem) -> String {
    match theorem {
        Theorem::Schedule => format!("{cycles}: {theorem}"), // the replay is its check
        _ => format!("{cycles}: {theorem}; {} ({})", proof(theorem.checked()), theorem.name()),
    }
}

/// What a number follows from and how that is checked, in a few words.
fn because(theorem: Theorem) -> String {
    format!("{}, {}", theorem.name().replace('-', " "), proof(theorem.checked()))
}

/// The answer about a worst case, in a line: one number if both ends are equal, with the evidence of the end that is
/// checked worse. `open` says why they differ, where that is known.
pub(super) fn worst_case([lower, upper]: [Option<(Cycles, Theorem)>; 2], open: Option<&str>) -> String {
    let cycles = |number: String| paint(Tone::Answer, &format!("{number} cycles"));
    let answer = match (lower, upper) {
        (Some((least, lower)), Some((most, upper))) if least == most => {
            let is_weaker = lower != Theorem::Schedule && lower.checked() < upper.checked();
            let weakest = if is_weaker { lower } else { upper };
            let exact = paint(Tone::Proved, "exact");
            format!("{}, {exact} ({})", cycles(most.to_string()), because(weakest))
        }
        (Some((least, lower)), Some((most, upper))) => {
            let why = match open {
                Some(why) => paint(Tone::Undecided, why),
                None => format!("at least: {}; at most: {}", because(lower), because(upper)),
            };
            format!("{} ({why})", cycles(format!("between {least} and {most}")))
        }
        (Some((least, lower)), None) => {
            format!("{} ({})", cycles(format!("at least {least}")), because(lower))
        }
        (None, Some((most, upper))) => format!("{} ({})", cycles(format!("at most {most}")), because(upper)),
        (None, None) => "no bound".to_owned(),
    };
    format!("worst case  {answer}\n")
}

/// A workload in a few words.
pub(super) fn title(workload: &Workload) -> String {
    let group =
        |group: &Group| format!("{}, {}", in_workload(workload, &group.code), several(group.warps, "warp"));
    let groups: Vec<String> = workload.groups().iter().map(group).collect();
    let block = workload.warps_per_block().map(|block| format!(", blocks of {block}")).unwrap_or_default();
    format!("{}{block}; {}", groups.join(" + "), sigmas(workload))
}

/// A grid in a few words.
pub(super) fn grid_title(grid: &Grid) -> String {
    let block = grid.block();
    let blocks = several(grid.blocks(), "block");
    let warps = several(grid.warps_per_block(), "warp");
    let room = match grid.multiprocessors() {
        1 => format!("{} at once", grid.at_once()),
        many => format!("{} at once on each of {many} multiprocessors", grid.resident()),
    };
    format!("{}, {blocks} of {warps}, {room}; {}", code(grid.code()), sigmas(block))
}

fn sigmas(workload: &Workload) -> String {
    let sigma = |unit| format!("sigma_{unit} = {}", workload.multiprocessor().sigma(unit));
    Unit::ALL.map(sigma).join(", ")
}

/// A workload in full, with its expansion to sub-warps if it has an instance.
pub(super) fn heading(workload: &Workload) -> String {
    expanded(title(workload), workload)
}

/// A grid in full, with the expansion of its blocks to sub-warps if it has an instance.
pub(super) fn grid_heading(grid: &Grid) -> String {
    expanded(grid_title(grid), grid.block())
}

fn expanded(mut out: String, workload: &Workload) -> String {
    let Some(instance) = workload.instance() else { return out };
    let is_given = |(given, group): (&Group, &WarpGroup)| given.code.kernel() == Some(&group.kernel);
    if !workload.groups().iter().zip(instance.groups()).all(is_given) {
        let kernels: Vec<String> = instance.groups().iter().map(|group| kernel(&group.kernel)).collect();
        let sigma = |unit| format!("sigma_{unit} = {}", instance.given_sigma(unit));
        let _ = write!(
            out,
            "\nexpanded to sub-warps (Be12 section 3): {}; {}",
            kernels.join(" + "),
            Unit::ALL.map(sigma).join(", ")
        );
    }
    for unit in Unit::ALL.into_iter().filter(|&unit| !workload.multiprocessor().sigma(unit).is_within_be12())
    {
        let sigma = workload.multiprocessor().sigma(unit);
        let (p, q) = (sigma.letters_a_cycle(), sigma.letters_an_instruction());
        let _ = write!(
            out,
            "\nsigma_{unit} = {sigma} is outside Be12: taken as {q} sub-warps a warp, {p} of them a cycle, each in a \
             cycle of its own"
        );
    }
    out
}

/// What runs on a machine, in full.
pub(super) fn machine_heading(on: &OnMachine) -> String {
    let machine = &on.machine.machine;
    let shown = |code: &Piece<Step>| {
        let text = machine.text(code);
        match text.char_indices().nth(KERNEL) {
            Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.len()),
            None => text,
        }
    };
    let what = match &on.launch {
        MachineLaunch::Workload(workload) => {
            let group =
                |group: &MachineGroup| format!("{}, {}", shown(&group.code), several(group.warps, "warp"));
            let groups: Vec<String> = workload.groups().iter().map(group).collect();
            let block = workload.warps_per_block().filter(|_| workload.has_barriers());
            let block = block.map(|block| format!(", blocks of {block}")).unwrap_or_default();
            format!("{}{block}", groups.join(" + "))
        }
        MachineLaunch::Grid(grid) => {
            let (blocks, warps) = (several(grid.blocks(), "block"), several(grid.warps_per_block(), "warp"));
            let room = match grid.multiprocessors() {
                1 => format!("{} at once", grid.resident()),
                many => format!("{} at once on each of {many} multiprocessors", grid.resident()),
            };
            format!("{}, {blocks} of {warps}, {room}", shown(grid.code()))
        }
    };
    let name = if on.machine.name.is_empty() { "the file's" } else { &on.machine.name };
    let width = match machine.width() {
        Some(width) => format!("{width} a cycle"),
        None => "any number a cycle".to_owned(),
    };
    format!("{what}; machine {name}: {}, {width}", several(machine.schedulers(), "scheduler"))
}

/// The notes to the numbers.
pub(super) fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("note        {note}\n")).collect()
}

/// Rates and labellings: which parts of a kernel act as one phase.
pub(super) fn phases(workload: &Workload, rates: &str, labels: &[Labelling]) -> String {
    let adds = match workload.instance() {
        None => "cycles that a further warp of a block adds at most",
        Some(instance) if is_closed(instance) => "cycles that each warp adds, from the third on",
        Some(_) => "cycles that a further warp adds at most",
    };
    let mut out = format!("phases      a = {rates}: {adds}\n");
    let groups = workload.instance().map(Instance::groups).unwrap_or_default();
    for (group, labels) in groups.iter().zip(labels) {
        if group.kernel.len() <= KERNEL {
            let _ = writeln!(out, "  kernel    {}\n  acts as   {labels}", group.kernel);
        }
    }
    out
}

/// Whether the rate is that of a closed form.
fn is_closed(instance: &Instance) -> bool {
    let one_block = instance.is_one_block() || !instance.has_barriers();
    instance.has_unit_sigma() && instance.groups().len() == 1 && one_block
}

/// Why a computation ended, in words: stopped by a limit, or by itself and yet not exact.
pub(super) fn stop(ending: impl Into<Ending>) -> &'static str {
    match ending.into() {
        Ending::Proved => "proved",
        Ending::Stopped(Stop::TimeLimit) => "stopped by the time limit",
        Ending::Stopped(Stop::MemoryLimit) => "stopped by the memory limit",
        Ending::Stopped(Stop::Interrupted) => "stopped by an interrupt",
        Ending::NotExact(NotExact::Beam) => "not exact: only a beam was searched",
        Ending::NotExact(NotExact::Blocks) => "not exact: barriers of several blocks are not searched",
        Ending::NotExact(NotExact::Paths) => "not exact: the paths of a program are not searched",
        Ending::NotExact(NotExact::Horizon) => "not exact: the horizon is shorter than is safe",
        Ending::NotExact(NotExact::NoEngine) => "not exact: no engine takes an instance of this size",
    }
}

/// The code of a group where others have paths.
fn program(code: &Code) -> String {
    let text = code.to_string();
    match text.char_indices().nth(KERNEL) {
        Some((end, _)) => format!("program {}... ({} characters)", &text[..end], text.len()),
        None => format!("program {text}"),
    }
}

/// The code of a group: all groups are named as programs if one of them has several paths.
fn in_workload(workload: &Workload, of: &Code) -> String {
    if workload.instance().is_some() { code(of) } else { program(of) }
}

/// Code of one path, with counts if it is long.
pub(super) fn code(code: &Code) -> String {
    code.kernel().map_or_else(|| program(code), kernel)
}

/// A kernel, with counts if it is long.
fn kernel(kernel: &Kernel) -> String {
    if kernel.len() <= KERNEL {
        return kernel.to_string();
    }
    let mut text = String::new();
    fn run(run: &[Unit]) -> String {
        match run.len() {
            1 => run[0].to_string(),
            length => format!("{}{length}", run[0]),
        }
    }
    let runs = |(at, segment)| {
        let runs = <[Unit]>::chunk_by(segment, |a, b| a == b).map(run);
        (at > 0).then(|| "|".to_owned()).into_iter().chain(runs)
    };
    for run in kernel.segments().enumerate().flat_map(runs) {
        text.push_str(&run);
        if text.len() > KERNEL {
            return format!("{}... ({} instructions)", &text[..KERNEL], kernel.len());
        }
    }
    text
}

#[cfg(feature = "figures")]
/// The name of a file without its folder and its ending.
pub(super) fn stem(file: &str) -> &str {
    std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
}
