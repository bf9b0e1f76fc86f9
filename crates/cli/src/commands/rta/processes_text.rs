//! The analysis of several processes for a person to read.

use std::fmt::Write;

use crate::commands::rests;
use crate::commands::rta::text::{UNDECIDED, checked_line, maybe, mends};
use crate::screen;
use crate::table::{Sheet, judged, table as table_of};
use crate::text::{decimals, several};
use warpspan_records::RtaProcesses;
use warpspan_records::rta::{Gpu, Verdict};
use warpspan_records::rta_processes::{Sharing, Waiting};

/// The whole of it.
pub(super) fn text(record: &RtaProcesses) -> String {
    let (verdict, table) = match &record.gpu {
        Some(_) => (of_kernels(record.verdict), kernels(record)),
        None => (of_tasks(record.verdict), tasks(record)),
    };
    let mut out = format!(
        "schedulable {}\n{}{}{} {}; times in {}\n{}\n\n{table}\n\n",
        screen::verdict(verdict),
        mends(&record.mends),
        rests::lines(&record.assumptions, 12),
        processes(record.processes.len()),
        shared(record),
        record.unit,
        checked_line("response bounds", &record.checked),
    );
    let reasons = record.tasks.iter().map(|task| (&task.name, &task.reason));
    let reasons = reasons.chain(record.kernels.iter().map(|kernel| (&kernel.name, &kernel.reason)));
    for (name, reason) in reasons {
        if let Some(reason) = reason {
            let _ = writeln!(out, "note        {name}: {reason}");
        }
    }
    if record.gpu.is_none() {
        out += "note        the published estimates are those of GCAPS, and can be exceeded\n";
    }
    out
}

fn of_tasks(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved: by the bounds, all jobs, whatever they take up to their times",
        Verdict::Refuted => "refuted: a job that takes its times misses its deadline, even alone",
        Verdict::Undecided => UNDECIDED,
    }
}

fn of_kernels(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved: by the bounds, all launches, whatever blocks take up to C",
        Verdict::Refuted => "refuted: a launch whose blocks take C misses its deadline, even alone",
        Verdict::Undecided => UNDECIDED,
    }
}

/// How many processes there are.
fn processes(number: usize) -> String {
    format!("{number} process{}", if number == 1 { "" } else { "es" })
}

/// Who has what, and when.
fn shared(record: &RtaProcesses) -> String {
    let (unit, time) = (record.unit, |time: &Option<_>| time.as_ref().map(decimals).unwrap_or_default());
    let how = match record.scheduling {
        Sharing::TimeSlices => format!(
            "take turns of {} {unit} on the GPU, {} {unit} to change",
            time(&record.slice),
            time(&record.switch)
        ),
        Sharing::Preemptive => {
            format!("have the GPU by priority, {} {unit} for an update", time(&record.update))
        }
    };
    if let Some(Gpu { multiprocessors, threads }) = record.gpu {
        return format!("{how}; {} of {threads} threads", several(multiprocessors, "multiprocessor"));
    }
    let waits = if record.waiting == Some(Waiting::Suspend) { "leave" } else { "hold" };
    let cores = several(record.cores.len() as u64, "core");
    format!("on {cores} {how}; jobs {waits} their core while the GPU works for them")
}

fn tasks(record: &RtaProcesses) -> Sheet {
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
    for task in &record.tasks {
        let row = vec![
            task.name.clone(),
            task.core.clone(),
            task.priority.map_or_else(|| "best effort".to_owned(), |priority| priority.to_string()),
            maybe(&task.period),
            maybe(&task.deadline),
            task.meets.map_or("-", |meets| meets.name()).to_owned(),
            maybe(&task.response_least),
            maybe(&task.published_estimate),
            maybe(&task.response_bound),
        ];
        table.add_row(judged(row, Some(5)));
    }
    table
}

fn kernels(record: &RtaProcesses) -> Sheet {
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
    for kernel in &record.kernels {
        let row = vec![
            kernel.name.clone(),
            kernel.process.clone(),
            decimals(&kernel.execution),
            kernel.blocks.to_string(),
            kernel.threads_per_block.to_string(),
            kernel.period.as_ref().map_or_else(|| "once".to_owned(), decimals),
            maybe(&kernel.deadline),
            kernel.meets.to_string(),
            maybe(&kernel.response_least),
            maybe(&kernel.response_bound),
        ];
        table.add_row(judged(row, Some(7)));
    }
    table
}
