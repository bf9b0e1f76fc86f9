//! An analysis for a person to read.

use std::fmt::Write;

use serde_json::Number;

use crate::flags::in_flags;
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{decimals, given, several};
use warpspan_kernel::input::LISTING_LIMITS;
use warpspan_model::Code;
use warpspan_model::machine::Declared;
use warpspan_model::machine::Role;
use warpspan_model::time::Duration;
use warpspan_records::Rta;
use warpspan_records::rta::{CheckedBounds, CheckedBy, Kernel, Meets, VerdictBy};
use warpspan_records::solve::Checked;
use warpspan_rta::{
    Analysis, Basis, Breach, Covers, Execution, Method, NotAlone, Response, RunEnd, Solved, Source, System,
};

/// The most kernels of a table.
pub(super) const MOST: usize = 200;

/// The answer where nothing is proved.
pub(super) const UNDECIDED: &str =
    "undecided: that all deadlines are met is not proved, nor that one is missed";

/// The answer where the bounds say that all deadlines are met, but take the memory to be without limit.
pub(super) const WITHOUT_LIMIT: &str = "undecided, memory without limit: the machine has no [[server]] that says how fast the data of its code moves";

/// The whole of it.
pub(super) fn text(record: &Rta) -> String {
    let mut out = format!(
        "schedulable {}\n{} of {} threads; times in {}\n",
        screen::verdict(&verdict(record)),
        several(record.gpu.multiprocessors, "multiprocessor"),
        record.gpu.threads,
        record.unit
    );
    let _ = writeln!(out, "utilisation {:.2} of {} threads", record.utilisation, record.capacity);
    let _ = writeln!(out, "checked     {}\n", checked(record));
    let _ = writeln!(out, "{}", table(record));
    if record.kernels.len() > MOST {
        let _ = writeln!(out, "({} more; --format json has all)", record.kernels.len() - MOST);
    }
    let reasons = record.kernels.iter().take(MOST);
    let reasons = reasons.filter_map(|kernel| Some(format!("{}: {}", kernel.name, kernel.reason.as_ref()?)));
    let mut gap = "\n";
    for note in reasons.chain(record.notes.iter().cloned()) {
        let _ = writeln!(out, "{gap}note        {note}");
        gap = "";
    }
    out
}

/// A time, or a dash where there is none.
pub(super) fn maybe(time: &Option<Number>) -> String {
    time.as_ref().map_or_else(|| "-".to_owned(), decimals)
}

/// Whether a time is shown at all.
pub(super) fn is_above_zero(time: &Number) -> bool {
    time.as_f64().is_some_and(|time| time > 0.0)
}

fn table(record: &Rta) -> Sheet {
    let has_jitter = record.kernels.iter().any(|kernel| kernel.jitter.as_u64() != Some(0));
    let mut header = vec!["kernel", "C", "blocks", "threads", "release"];
    header.extend(has_jitter.then_some("jitter"));
    header.extend(["deadline", "meets", "response bound", "response estimate", "completion"]);
    let simulated =
        !record.follows_algorithm2 && record.kernels.iter().any(|kernel| kernel.simulated_estimate.is_some());
    header.extend(simulated.then_some("simulated estimate"));
    let meets = header.iter().position(|title| *title == "meets");
    let columns = header.len();
    let mut table = table_of(header, (1..columns).filter(|&column| Some(column) != meets));
    for kernel in record.kernels.iter().take(MOST) {
        let mut row = vec![
            kernel.name.clone(),
            decimals(&kernel.execution),
            kernel.blocks.to_string(),
            kernel.threads_per_block.to_string(),
            decimals(&kernel.release),
        ];
        row.extend(has_jitter.then(|| decimals(&kernel.jitter)));
        row.extend([
            maybe(&kernel.deadline),
            kernel.meets.to_string(),
            maybe(&kernel.response_bound),
            maybe(&kernel.response_estimate),
            maybe(&kernel.completion),
        ]);
        row.extend(simulated.then(|| maybe(&kernel.simulated_estimate)));
        table.add_row(judged(row, meets));
    }
    table
}

fn verdict(record: &Rta) -> String {
    let late = |least: bool| {
        let late = |kernel: &&Kernel| kernel.meets == Meets::No && kernel.missed.is_none() == least;
        record.kernels.iter().find(late).map_or("a kernel", |late| late.name.as_str())
    };
    match record.by {
        Some(VerdictBy::Algorithm2) => format!(
            "proved{}: by Algorithm 2, all launches, each exactly a period after the one before, whatever blocks take up to C",
            given(&record.provided)
        ),
        Some(VerdictBy::Bound) => {
            format!(
                "proved{}: by the bounds, all launches, whatever blocks take up to C",
                given(&record.provided)
            )
        }
        Some(VerdictBy::Schedule) => {
            format!("refuted: {} misses its deadline in a run where every block takes C", late(false))
        }
        Some(VerdictBy::LeastResponse) => {
            format!("refuted: no launch of {} whose blocks take C can meet its deadline", late(true))
        }
        Some(VerdictBy::Overload) => {
            "refuted: in the long run more threads are asked for than there are, so deadlines are missed"
                .to_owned()
        }
        None if record.without_limit => WITHOUT_LIMIT.to_owned(),
        None => UNDECIDED.to_owned(),
    }
}

/// How the verdict and the bounds are checked.
fn checked(record: &Rta) -> String {
    let say = |CheckedBy { by, checked }| format!("{} ({})", how(checked), by.statement().name);
    let verdict = record.checked.verdict.map(|of| format!("verdict {}, ", say(of)));
    verdict.unwrap_or_default() + &format!("response bounds {}", say(record.checked.bounds))
}

const fn how(checked: Checked) -> &'static str {
    match checked {
        Checked::Machine => "by machine",
        Checked::Paper => "on paper",
        Checked::Tested => "by tests only",
    }
}

/// The line that says how bounds are checked.
pub(super) fn checked_line(what: &str, bounds: &CheckedBounds) -> String {
    format!("checked     {what} {} ({})", how(bounds.checked), bounds.statement)
}

/// The notes to the numbers, a sentence each.
pub(super) fn notes(system: &System, executions: &[Execution], analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    let name = |task: usize| &system.tasks()[task].name;
    let breached = system.asks_memory();
    for (task, execution) in system.tasks().iter().zip(executions) {
        let Some(solved) = &execution.solved else { continue };
        let Solved { warps, resident, lower, .. } = solved;
        let upper = solved.upper.cycles();
        let from = match lower {
            _ if solved.is_exact() => "the exact worst case".to_owned(),
            Some(lower) => format!("the upper end of {} to {upper}", lower.cycles()),
            None => "an upper bound".to_owned(),
        };
        let memory = if breached { ", without what the memory adds" } else { "" };
        notes.push(format!(
            "C of {}: {upper} cycles, {from}, of {warps} warps: {} that a multiprocessor holds at once, and nothing \
             else on it{memory}",
            task.name,
            several(*resident, "block")
        ));
    }
    notes.extend_from_slice(system.assumed());
    if system.asks_memory() {
        for task in system.tasks() {
            let says = |declared: &Declared| {
                let (server, key) = if declared.role == Role::Dram {
                    ("the DRAM", "dram_bytes")
                } else {
                    ("the L2", "l2_bytes")
                };
                format!(
                    "takes a launch of {} to move {} bytes through {server} at most, as {key} says",
                    task.name, declared.bytes
                )
            };
            notes.extend(task.traffic.iter().map(says));
        }
    }
    let of_listing = |source: &Source| match source {
        Source::Listing(_) | Source::Code(Code::Program(_)) => true,
        Source::Code(Code::Kernel(_)) | Source::Given(_) | Source::OnMachine(_) => false,
    };
    if system.tasks().iter().any(|task| of_listing(&task.execution)) {
        notes.push(LISTING_LIMITS.to_owned());
    }
    for breach in &analysis.breaches {
        notes.push(match breach {
            Breach::Release(_) => {
                format!("Algorithm 2 gives estimates, for a first launch at 0, and no bounds: {breach}")
            }
            _ => format!("Algorithm 2 does not hold here: {breach}"),
        });
    }
    if analysis.method != Method::Simulate && !analysis.follows_algorithm2() {
        notes.extend(analysis.simulated.as_ref().map(|(simulated, _)| apart(analysis, simulated)));
        if let (Some((_, Covers::Before(end))), Covers::All) = (&analysis.simulated, analysis.covers) {
            let end = system.unit().write(*end);
            notes.push(format!(
                "the simulator found no state that repeats and simulated launches before {end} only"
            ));
        }
    }
    for why in &analysis.not_alone {
        notes.push(match why {
            NotAlone::Beside { task, beside } => format!(
                "C of {} does not hold: blocks of {} are on the GPU at the same time, and may be on the same multiprocessor",
                name(*task),
                name(*beside)
            ),
            NotAlone::Waited { task } => format!(
                "C of {} does not hold: its blocks follow others, so they need not start together",
                name(*task)
            ),
        });
    }
    if analysis.overloaded && analysis.by != Some(Basis::Overload) {
        notes.push(
            "if all blocks take C, more threads are asked for in the long run than there are".to_owned(),
        );
    }
    if !analysis.safe {
        let what =
            "the response bound holds for all blocks that take up to C; the estimates and completions do not";
        notes.push(what.to_owned());
    }
    notes.extend(analysis.missing.as_ref().map(|missing| in_flags(&missing.message())));
    match analysis.covers {
        Covers::Before(time) if time > Duration(0) => {
            notes.push(format!("estimates are of launches before {} only", system.unit().write(time)));
        }
        _ => {}
    }
    if let Some(cut) = analysis.cut.filter(|_| analysis.method != Method::Simulate) {
        let why = match cut {
            RunEnd::Stop(stop) => stop.name(),
            RunEnd::Launches => "launches piled up",
            RunEnd::Events => "more than 4 million events",
        };
        notes.push(format!("the simulator was cut short ({why}), so Algorithm 2 was compared with nothing"));
    }
    notes
}

/// How far the method is from the simulator.
fn apart(analysis: &Analysis, simulated: &[Option<Response>]) -> String {
    let (mut low, mut high) = (0_usize, 0_usize);
    for (one, other) in analysis.estimates.iter().zip(simulated) {
        let worst = |response: &Option<Response>| response.map_or(u64::MAX, |response| response.worst.0);
        low += usize::from(worst(one) < worst(other));
        high += usize::from(worst(one) > worst(other));
    }
    match (low, high) {
        (0, 0) => "the simulator agrees nevertheless".to_owned(),
        _ => format!(
            "against the simulator, {} is too low for {low} of {} kernels and too high for {high}",
            analysis.method.name(),
            simulated.len()
        ),
    }
}
