//! What `rta` tells of several processes.

use super::{UNDECIDED, begun, bounds_checked, meets};
use crate::words::{decimals, names, several};
use crate::{Document, Table};
use warpspan_records::RtaProcesses;
use warpspan_records::rta::{Gpu, Verdict};
use warpspan_records::rta_processes::{Sharing, Waiting};

/// The answer.
pub fn document(record: &RtaProcesses) -> Document {
    let (says, table) = match &record.gpu {
        Some(_) => (of_kernels(record.verdict), kernels(record)),
        None => (of_tasks(record.verdict), tasks(record)),
    };
    let all = record.tasks.iter().map(|task| (&task.name, &task.reason));
    let all = || all.clone().chain(record.kernels.iter().map(|kernel| (&kernel.name, &kernel.reason)));
    let title = names(all().map(|(name, _)| name.as_str()));
    let mut out = begun("rta-processes", title, record.verdict, says);
    out.facts("to mend", &record.mends);
    out.rests_on(&record.assumptions);
    out.line(format!("{} {}; times in {}", processes(record.processes.len()), shared(record), record.unit));
    out.fact("checked", bounds_checked("response bounds", &record.checked));
    out.gap();
    out.table(table);
    out.gap();
    let reason = |(name, reason): (&String, &Option<String>)| Some(format!("{name}: {}", reason.as_ref()?));
    out.facts("note", all().filter_map(reason));
    if record.gpu.is_none() {
        out.fact("note", "the published estimates are those of GCAPS, and can be exceeded");
    }
    out
}

fn of_tasks(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved: by the bounds, of all jobs",
        Verdict::Refuted => "refuted: a job that takes its times misses its deadline, even alone",
        Verdict::Undecided => UNDECIDED,
    }
}

fn of_kernels(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved: by the bounds, of all launches",
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

fn tasks(record: &RtaProcesses) -> Table {
    let best_effort = || "best effort".to_owned();
    Table::of(&record.tasks)
        .words("task", |task| task.name.clone())
        .words("core", |task| task.core.clone())
        .number("priority", |task| task.priority.map_or_else(best_effort, |priority| priority.to_string()))
        .number("period", |task| task.period.clone())
        .number("deadline", |task| task.deadline.clone())
        .verdict("meets", |task| task.meets.map_or("-", |meets| meets.name()))
        .number("least response", |task| task.response_least.clone())
        .number("published estimate", |task| task.published_estimate.clone())
        .number("response bound", |task| task.response_bound.clone())
        .into()
}

fn kernels(record: &RtaProcesses) -> Table {
    Table::of(&record.kernels)
        .words("kernel", |kernel| kernel.name.clone())
        .words("process", |kernel| kernel.process.clone())
        .number("C", |kernel| kernel.execution.clone())
        .number("blocks", |kernel| kernel.blocks)
        .number("threads", |kernel| kernel.threads_per_block)
        .number("period", |kernel| kernel.period.as_ref().map_or_else(|| "once".to_owned(), decimals))
        .number("deadline", |kernel| kernel.deadline.clone())
        .verdict("meets", |kernel| meets(kernel.deadline.is_some(), kernel.meets))
        .number("least response", |kernel| kernel.response_least.clone())
        .number("response bound", |kernel| kernel.response_bound.clone())
        .into()
}
