//! What `simulate` tells a person.

use std::fmt::Write;

use crate::commands::rests;
use crate::subject::heading;
use crate::table::table;
use crate::text::{condition, notes, open, several};
use warpspan_records::Simulate;
use warpspan_records::simulate::{Draw, Machine};

/// The runs, and what is known of the best and the worst case.
pub(super) fn text(found: &Simulate) -> String {
    let groups = found.instance.groups.len();
    let on_machine = found.instance.machine.is_some();
    let mut header = vec!["policy".to_owned()];
    if on_machine {
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
    for run in &found.runs {
        let mut row = vec![run.policy.to_string()];
        row.extend(run.last_issue.map(|cycle| cycle.to_string()));
        row.push(run.makespan.to_string());
        if groups > 1 {
            row.extend(run.completions.iter().map(ToString::to_string));
            row.push(format!("{:.1}", run.average));
        }
        row.push(run.idle_slots.to_string());
        row.push(if run.within_model { "yes" } else { "no" }.to_owned());
        table.add_row(row);
    }
    let mut out = format!("{}\n{}\n\n{table}\n", heading(&found.instance), described(&found.machine));
    if let Some((issue, result)) = found.upper.zip(found.completion_upper) {
        let _ = writeln!(
            out,
            "upper bound no schedule of this machine takes longer than {issue} cycles to the last issue, and {result} to the \
             last result"
        );
    }
    let condition = condition(None, &found.notes);
    if let Some(best) = found.best {
        let _ = writeln!(out, "best case   {best} cycles{condition}");
    }
    match (found.worst, found.interval) {
        (Some(worst), _) => out.push_str(&format!("worst case  {worst} cycles, exact{condition}\n")),
        (None, Some([lower, upper])) => {
            let why = open(found.stop, found.not_exact);
            let _ = writeln!(out, "worst case  between {lower} and {upper} cycles ({why}){condition}");
        }
        (None, None) if found.upper.is_some() => {}
        (None, None) => out.push_str(
            "no best and worst case: they are of the model, in which units are filled each cycle, latencies are 1 and all \
             warps are there in cycle 1\n",
        ),
    }
    out + &rests::lines(&found.assumptions, 12) + &notes(&found.notes)
}

/// The machine and the scenario in a line.
fn described(machine: &Machine) -> String {
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let latency = match machine.latency {
        None => {
            let [l, c] = [machine.latency_l, machine.latency_c].map(|cycles| cycles.unwrap_or(1));
            format!("latency L {l}, C {c}")
        }
        Some(Draw::Least) => "least latencies".to_owned(),
        Some(Draw::Most) => "greatest latencies".to_owned(),
        Some(Draw::Random) => "random latencies".to_owned(),
    };
    format!(
        "{}, issue width {}, {latency}, launch {}, priority {}, seed {}",
        several(machine.schedulers, "scheduler"),
        machine.issue_width,
        list(&machine.launch),
        list(&machine.priority),
        machine.seed
    )
}
