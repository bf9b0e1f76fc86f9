//! Results for a person to read.

use std::fmt::Write;

use crate::engines::portfolio::{EngineName, Solution};
use crate::limits::{Ending, NotExact, Stop};
use crate::model::Labelling;
use crate::model::{Code, Group, Instance, Kernel, Unit, Workload};
use crate::schedule::{chart, chart_width};

/// Characters a line.
const WIDTH: usize = 100;
/// Kernels longer than this are shown with counts.
const KERNEL: usize = 60;
/// The most lines a chart may take.
const LINES: u64 = 60;

/// A workload in a few words.
pub(super) fn title(workload: &Workload) -> String {
    let group = |group: &Group| {
        let plural = if group.warps == 1 { "" } else { "s" };
        let code = match &group.code {
            Code::Kernel(string) if workload.instance().is_some() => kernel(string),
            code => program(code),
        };
        format!("{code}, {} warp{plural}", group.warps)
    };
    let groups: Vec<String> = workload.groups().iter().map(group).collect();
    let sigma = |unit| format!("sigma_{unit} = {}", workload.multiprocessor().sigma(unit));
    let block = workload.warps_per_block().map(|block| format!(", blocks of {block}")).unwrap_or_default();
    format!("{}{block}; {}", groups.join(" + "), Unit::ALL.map(sigma).join(", "))
}

/// A workload in full, with its expansion to sub-warps if it has an instance.
pub(super) fn heading(workload: &Workload) -> String {
    let Some(instance) = workload.instance() else { return title(workload) };
    let mut out = title(workload);
    let is_given =
        |(given, group): (&Group, &crate::model::WarpGroup)| given.code.kernel() == Some(&group.kernel);
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

/// What `solve` found, in lines below the heading.
fn found(workload: &Workload, solution: &Solution, notes: &[String]) -> String {
    let (lower, upper) = (solution.worst_case().lower(), solution.worst_case().upper());
    let mut out = format!("{}\n\n", heading(workload));
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "{name:<11} {text}");
    };
    if solution.worst_case().is_exact() {
        line("worst case", &format!("{} cycles, exact", upper.cycles()));
    } else {
        let why = stop(solution.ending());
        line("worst case", &format!("between {} and {} cycles ({why})", lower.cycles(), upper.cycles()));
    }
    line("  at least", &format!("{}: {}", lower.cycles(), lower.theorem()));
    line("  at most", &format!("{}: {}", upper.cycles(), upper.theorem()));
    if let Some(best) = solution.best_case() {
        line("best case", &format!("{best} cycles"));
    }
    line("engine", &format!("{}, {:.3} s", solution.engine(), solution.elapsed().as_secs_f64()));
    if let Some(model) = solution.model() {
        line("model", &model.to_string());
    }
    for check in solution.checks() {
        let by = match check.by {
            EngineName::States => "exhaustive search",
            EngineName::Ilp => "the ILP",
            _ => "the phase bound",
        };
        line("checked", &format!("{by} {} ({})", check.result.text(), check.detail));
    }
    for note in notes {
        line("note", note);
    }
    out
}

/// The result of `solve`, with the notes on it.
pub(super) fn solution(workload: &Workload, solution: &Solution, notes: &[String]) -> String {
    let mut out = found(workload, solution, notes);
    if let Some(phase) = solution.phase() {
        let rates: Vec<String> = phase.rates.iter().map(ToString::to_string).collect();
        out.push_str(&phases(workload, &rates.join(", "), &phase.labels));
    }
    if let (Some(instance), Some(witness)) = (workload.instance(), solution.witness()) {
        let schedule = witness.schedule();
        let rows = instance.total_warps().saturating_add(2);
        let bands = (chart_width(instance, schedule) / WIDTH) as u64 + 1;
        if rows.saturating_mul(bands) <= LINES {
            let _ = write!(out, "\n{}", chart(instance, schedule, WIDTH));
        } else {
            let _ = writeln!(
                out,
                "schedule    {} issues in {} cycles; --schedule FILE.csv, .json or .svg writes it",
                schedule.issues().len(),
                witness.makespan()
            );
        }
    }
    out
}

/// What should be known beside the numbers.
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
        Ending::NotExact(NotExact::Beam) => "not exact: only a beam was looked at",
        Ending::NotExact(NotExact::Blocks) => "not exact: barriers of several blocks are not searched",
        Ending::NotExact(NotExact::Paths) => "not exact: the paths of a program are not searched",
        Ending::NotExact(NotExact::Horizon) => "not exact: the horizon is shorter than is safe",
        Ending::NotExact(NotExact::NoEngine) => "not exact: no engine takes an instance of this size",
    }
}

/// The code of a group beside others with paths.
fn program(code: &Code) -> String {
    let text = code.to_string();
    match text.char_indices().nth(KERNEL) {
        Some((end, _)) => format!("program {}... ({} characters)", &text[..end], text.len()),
        None => format!("program {text}"),
    }
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
