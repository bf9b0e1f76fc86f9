//! What `simulate` tells a person.

use std::fmt::Write;

use crate::cli::table::table;
use crate::cli::text::{heading, several, stop};
use crate::engines::policy::{Machine, Range, Run};
use crate::model::{Unit, Workload};

/// The runs and the range for a person to read.
pub(super) fn text(workload: &Workload, machine: &Machine, runs: &[Run], range: Option<&Range>) -> String {
    let groups = workload.groups().len();
    let mut header = vec!["policy".to_owned(), "makespan".to_owned()];
    if groups > 1 {
        header.extend((1..=groups).map(|group| format!("group {group}")));
        header.push("average".to_owned());
    }
    header.extend(["idle slots", "in the model"].map(str::to_owned));
    let columns = header.len();
    let mut table = table(header, 1..columns - 1);
    for run in runs {
        let mut row = vec![run.policy.to_string(), run.makespan().to_string()];
        if groups > 1 {
            row.extend(run.completions.iter().map(ToString::to_string));
            row.push(format!("{:.1}", run.average()));
        }
        row.push(run.idle_slots.to_string());
        row.push(if run.within_model { "yes" } else { "no" }.to_owned());
        table.add_row(row);
    }
    let mut out = format!("{}\n{}\n\n{table}\n", heading(workload), described(machine));
    let Some(range) = range else {
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

/// The machine in a line.
fn described(machine: &Machine) -> String {
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    format!(
        "{}, issue width {}, latency L {}, C {}, launch {}, priority {}, seed {}",
        several(machine.schedulers, "scheduler"),
        machine.width.name(),
        machine.latency[Unit::LoadStore],
        machine.latency[Unit::CudaCore],
        list(&machine.launch),
        list(&machine.priority),
        machine.seed
    )
}
