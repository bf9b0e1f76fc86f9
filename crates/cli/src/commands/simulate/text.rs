//! What `simulate` tells a person.

use std::fmt::Write;

use crate::commands::simulate::job::Job;
use crate::table::table;
use crate::text::{several, stop};
use warpspan_model::Cycles;
use warpspan_solver::policy::{Draw, Range, Run};

/// The runs and the range for a person to read. `upper` bounds the last issue and the last result on a machine.
pub(super) fn text(job: &Job, runs: &[Run], range: Option<&Range>, upper: Option<[Cycles; 2]>) -> String {
    let groups = job.workload.groups().len();
    let mut header = vec!["policy".to_owned()];
    if job.on_machine {
        header.push("last issue".to_owned());
    }
    header.push("makespan".to_owned());
    if groups > 1 {
        header.extend((1..=groups).map(|group| format!("group {group}")));
        header.push("average".to_owned());
    }
    header.extend(["idle slots", "in the model"].map(str::to_owned));
    let columns = header.len();
    let mut table = table(header, 1..columns - 1);
    for run in runs {
        let mut row = vec![run.policy.to_string()];
        if job.on_machine {
            row.push(run.last_issue().to_string());
        }
        row.push(run.makespan().to_string());
        if groups > 1 {
            row.extend(run.completions.iter().map(ToString::to_string));
            row.push(format!("{:.1}", run.average()));
        }
        row.push(run.idle_slots.to_string());
        row.push(if run.within_model { "yes" } else { "no" }.to_owned());
        table.add_row(row);
    }
    let mut out = format!("{}\n{}\n\n{table}\n", job.heading, described(job));
    if let Some([issue, result]) = upper {
        let _ = writeln!(
            out,
            "upper bound no schedule of this machine takes longer than {issue} cycles to the last issue, and {result} to the \
             last result"
        );
    }
    let Some(range) = range else {
        if upper.is_some() {
            return out;
        }
        out.push_str(
            "no best and worst case: they are of the model, in which units are filled each cycle, latencies are 1 and all \
             warps are there in cycle 1\n",
        );
        return out;
    };
    if let Some(best) = range.best {
        let _ = writeln!(out, "best case   {best} cycles");
    }
    let (lower, upper) = (range.worst.lower().cycles(), range.worst.upper().cycles());
    let _ = if range.worst.is_exact() {
        writeln!(out, "worst case  {upper} cycles, exact")
    } else {
        writeln!(out, "worst case  between {lower} and {upper} cycles ({})", stop(range.ending))
    };
    out
}

/// The machine and the scenario in a line.
fn described(job: &Job) -> String {
    let (machine, scenario) = (job.workload.machine(), &job.scenario);
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let of = |name| machine.find(name).map_or(1, |letter| machine.letter(letter).latency.most);
    let latency = match (job.on_machine, scenario.latency) {
        (false, _) => format!("latency L {}, C {}", of("L"), of("C")),
        (true, Draw::Least) => "least latencies".to_owned(),
        (true, Draw::Most) => "greatest latencies".to_owned(),
        (true, Draw::Random) => "random latencies".to_owned(),
    };
    format!(
        "{}, issue width {}, {latency}, launch {}, priority {}, seed {}",
        several(machine.schedulers(), "scheduler"),
        machine.width().map_or_else(|| "unlimited".to_owned(), |width| width.to_string()),
        list(&scenario.launch),
        list(&scenario.priority),
        scenario.seed
    )
}
