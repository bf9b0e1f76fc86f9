//! What `simulate` tells: the runs, and what is known of the best and the worst case.

use crate::subject::{heading, title};
use crate::words::{gap, open, several};
use crate::{Document, Said, Table, Tone};
use warpspan_records::Simulate;
use warpspan_records::simulate::{Draw, Machine};

/// The answer.
pub fn document(found: &Simulate) -> Document {
    let longest = found.runs.iter().max_by_key(|run| run.makespan);
    let number = longest.map_or_else(String::new, |run| {
        format!("{} by {}", several(run.makespan, "cycle"), run.policy.name())
    });
    let (tone, verdict) = match found.interval {
        Some([lower, upper]) if lower == upper => (Tone::Proved, format!("worst case {upper}")),
        Some([lower, upper]) => (Tone::Proved, format!("worst case {lower} to {upper}")),
        None => (Tone::Undecided, "worst case not known".to_owned()),
    };
    let mut out = Document::new("simulate", title(&found.instance), Said::new(tone, verdict, number), 11);
    out.said.gap = found.interval.map(|[lower, upper]| gap(lower, upper));
    out.line(heading(&found.instance));
    out.line(described(&found.machine));
    out.gap();
    out.table(table(found));
    if let Some((issue, result)) = found.upper.zip(found.completion_upper) {
        let what = "no schedule of this machine takes longer than";
        out.fact(
            "upper bound",
            format!("{what} {issue} cycles to the last issue, and {result} to the last result"),
        );
    }
    out.facts("best case", found.best.map(|best| format!("{best} cycles")));
    match (found.worst, found.interval) {
        (Some(worst), _) => out.fact("worst case", format!("{worst} cycles, exact")),
        (None, Some([lower, upper])) => {
            let why = open(found.stop, found.not_exact);
            out.fact("worst case", format!("between {lower} and {upper} cycles ({why})"));
        }
        (None, None) if found.upper.is_some() => {}
        (None, None) => out.line(
            "no best and worst case: they are of the model, in which units are filled each cycle, latencies are 1 and all \
             warps are there in cycle 1",
        ),
    }
    out.rests_on(&found.assumptions);
    out.facts("note", &found.notes);
    out
}

/// A row for each run.
fn table(found: &Simulate) -> Table {
    let groups = found.instance.groups.len();
    let mut heads = vec!["policy".to_owned()];
    heads.extend(found.instance.machine.is_some().then(|| "last issue".to_owned()));
    heads.push("makespan".to_owned());
    if groups > 1 {
        heads.extend((1..=groups).map(|group| format!("group {group}")));
        heads.push("average".to_owned());
    }
    heads.extend(["idle slots", "in the model"].map(str::to_owned));
    let columns = heads.len();
    let mut table = Table::new(heads, 1..columns - 1);
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
        table.row(row);
    }
    table
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
