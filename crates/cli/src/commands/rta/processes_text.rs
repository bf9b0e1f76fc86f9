//! The analysis of several processes for a person to read.

use std::fmt::Write;

use crate::commands::rta::reason::without_bound;
use crate::screen;
use crate::table::{judged, table as table_of};
use crate::text::several;
use warpspan_check::bound::statement::{self, Statement};
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_rta::processes::{Examined, NoBound, Scheduling, TaskSet, Waiting, assumes, kernels};
use warpspan_rta::{DeadlineMet, MOST_PENDING, Shared, Verdict};

fn verdict(verdict: Verdict, what: &str) -> &'static str {
    match (verdict, what) {
        (Verdict::Proved, "job") => "proved: by the bounds, all jobs, whatever they take up to their times",
        (Verdict::Proved, _) => "proved: by the bounds, all launches, whatever blocks take up to C",
        (Verdict::Refuted, "job") => "refuted: a job that takes its times misses its deadline, even alone",
        (Verdict::Refuted, _) => "refuted: a launch whose blocks take C misses its deadline, even alone",
        (Verdict::Undecided, _) => {
            "undecided: that all deadlines are met is not proved, nor that one is missed"
        }
    }
}

fn checked(of: &Statement) -> String {
    format!("checked     response bounds on paper ({})\n\n", of.name)
}

/// How many processes there are.
fn processes(number: usize) -> String {
    format!("{number} process{}", if number == 1 { "" } else { "es" })
}

fn maybe(unit: TimeUnit, time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| unit.write(time))
}

/// The answer about tasks.
pub(super) fn tasks_text(set: &TaskSet, examined: &Examined) -> String {
    let unit = set.unit();
    let write = |time| unit.write(time);
    let (how, of) = match set.scheduling() {
        Scheduling::TimeSlices { slice, switch } => (
            format!("take turns of {} {unit} on the GPU, {} {unit} to change", write(slice), write(switch)),
            &statement::TIME_SLICES,
        ),
        Scheduling::Preemptive { update } => (
            format!("have the GPU by priority, {} {unit} for an update", write(update)),
            &statement::PREEMPTIVE_PROCESSES,
        ),
    };
    let waits = match set.waiting() {
        Waiting::Suspend => "leave",
        Waiting::Busy => "hold",
    };
    let mut out = format!(
        "schedulable {}\n{} on {} {how}; jobs {waits} their core while the GPU works for them; times in {unit}\n{}",
        screen::verdict(verdict(examined.verdict, "job")),
        processes(set.tasks().len()),
        several(set.cores().len() as u64, "core"),
        checked(of),
    );
    let header = [
        "task",
        "core",
        "priority",
        "period",
        "deadline",
        "meets",
        "least response",
        "published estimate",
        "response bound",
    ];
    let mut table = table_of(header, [2, 3, 4, 6, 7, 8]);
    for (task, found) in set.tasks().iter().zip(&examined.tasks) {
        let every = task.recurring;
        let row = vec![
            task.name.clone(),
            set.cores()[task.core].clone(),
            every.map_or_else(|| "best effort".to_owned(), |_| task.priority.to_string()),
            maybe(unit, every.map(|every| every.period)),
            maybe(unit, every.map(|every| every.deadline)),
            found.meets.map_or("-", DeadlineMet::name).to_owned(),
            write(found.least),
            maybe(unit, found.published),
            maybe(unit, found.bound.ok()),
        ];
        table.add_row(judged(row, Some(5)));
    }
    let _ = writeln!(out, "{table}\n");
    for task in 0..set.tasks().len() {
        if let Some(reason) = reason_of_task(set, examined, task) {
            let _ = writeln!(out, "note        {}: {reason}", set.tasks()[task].name);
        }
    }
    out += "note        the published estimates are those of GCAPS, and can be exceeded\n";
    for sentence in assumes(set) {
        let _ = writeln!(out, "assumes     {sentence}");
    }
    out
}

/// Why a task is not proved to meet its deadline; `None` if it is, or has none.
pub(super) fn reason_of_task(set: &TaskSet, examined: &Examined, task: usize) -> Option<String> {
    let (of, found) = (&set.tasks()[task], &examined.tasks[task]);
    let write = |time| format!("{} {}", set.unit().write(time), set.unit());
    let deadline = write(of.recurring?.deadline);
    Some(match (found.meets?, found.bound) {
        (DeadlineMet::Yes, _) => return None,
        (DeadlineMet::No, _) => {
            format!(
                "no job that takes its times takes less than {} > deadline {deadline}",
                write(found.least)
            )
        }
        (DeadlineMet::Unknown, Ok(bound)) => format!("bound {} > deadline {deadline}", write(bound)),
        (DeadlineMet::Unknown, Err(NoBound::Period(reached))) => {
            format!(
                "no bound: it has come to {}, more than the period, and would grow further",
                write(reached)
            )
        }
        (DeadlineMet::Unknown, Err(NoBound::Above(other))) => {
            format!("no bound: the more urgent {} has none", set.tasks()[other].name)
        }
        (DeadlineMet::Unknown, Err(NoBound::TooLarge)) => {
            "no bound: times are too large to be multiplied".to_owned()
        }
        (DeadlineMet::Unknown, Err(NoBound::Unsettled | NoBound::BestEffort)) => {
            "no bound: the search did not settle".to_owned()
        }
    })
}

/// The answer about kernels.
pub(super) fn kernels_text(shared: &Shared, found: Verdict, outcomes: &[kernels::Outcome]) -> String {
    let system = shared.system();
    let unit = system.unit();
    let mut out = format!(
        "schedulable {}\n{} take turns of {} {unit} on the GPU, {} {unit} to change; {} of {} threads; times in {unit}\n{}",
        screen::verdict(verdict(found, "launch")),
        processes(shared.processes().len()),
        unit.write(shared.slice()),
        unit.write(shared.switch()),
        several(system.gpu().multiprocessors, "multiprocessor"),
        system.gpu().resources.threads,
        checked(&statement::TIME_SLICES_OF_KERNELS),
    );
    let header = [
        "kernel",
        "process",
        "C",
        "blocks",
        "threads",
        "period",
        "deadline",
        "meets",
        "least response",
        "response bound",
    ];
    let mut table = table_of(header, [2, 3, 4, 5, 6, 8, 9]);
    for (number, (task, found)) in system.tasks().iter().zip(outcomes).enumerate() {
        let row = vec![
            task.name.clone(),
            shared.processes()[shared.process()[number]].clone(),
            unit.write(kernels::given(task)),
            task.blocks.to_string(),
            task.threads.to_string(),
            task.period.map_or_else(|| "once".to_owned(), |period| unit.write(period)),
            maybe(unit, task.deadline),
            found.meets.name().to_owned(),
            maybe(unit, found.least),
            maybe(unit, found.bound.ok()),
        ];
        table.add_row(judged(row, Some(7)));
    }
    let _ = writeln!(out, "{table}\n");
    for kernel in 0..outcomes.len() {
        if let Some(reason) = reason_of_kernel(shared, outcomes, kernel) {
            let _ = writeln!(out, "note        {}: {reason}", system.tasks()[kernel].name);
        }
    }
    for sentence in kernels::assumes(shared) {
        let _ = writeln!(out, "assumes     {sentence}");
    }
    out
}

/// Why a kernel is not proved to meet its deadline; `None` if it is.
pub(super) fn reason_of_kernel(
    shared: &Shared,
    outcomes: &[kernels::Outcome],
    kernel: usize,
) -> Option<String> {
    use kernels::NoBound::{Alone, Beside, Grows, TooLarge, TooMany, Unsettled};
    let system = shared.system();
    let (task, found) = (&system.tasks()[kernel], &outcomes[kernel]);
    let write = |time| format!("{} {}", system.unit().write(time), system.unit());
    let deadline = task.deadline.map_or_else(String::new, write);
    let why = match (found.meets, found.bound) {
        (DeadlineMet::Yes, _) => return None,
        (DeadlineMet::No, _) => {
            let least = found.least.map_or_else(String::new, write);
            return Some(format!(
                "no launch whose blocks take C takes less than {least} > deadline {deadline}"
            ));
        }
        (DeadlineMet::Unknown, Ok(bound)) => {
            return Some(format!("bound {} > deadline {deadline}", write(bound)));
        }
        (DeadlineMet::Unknown, Err(why)) => why,
    };
    let why = match why {
        Alone(why) => format!("in the turns of its process alone, {}", without_bound(system, why)),
        Grows(reached) => format!(
            "it has come to {}, more than {MOST_PENDING} periods, and would grow further",
            write(reached)
        ),
        Beside(other) => format!("{} of its process has none", system.tasks()[other].name),
        TooMany => format!("more than {} launches of its process may be in its way", kernels::MOST_LAUNCHES),
        TooLarge => "times are too large to be multiplied".to_owned(),
        Unsettled => "the search was stopped before it settled".to_owned(),
    };
    Some(format!("no bound: {why}"))
}
