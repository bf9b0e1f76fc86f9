//! Runs of warp-scheduling policies, between the best and the worst case.

use crate::subject::title;
use crate::text::{several, stem};
use warpspan_figures::{Answer, AnswerTable, Responses, Said, Simulated, Subject, Tone};
use warpspan_records::Simulate;
use warpspan_records::simulate::Run;

/// The answer and the drawings of a record whose instance is from this file, if it is from any.
pub(in crate::commands::report) fn simulate(record: &Simulate, file: Option<&str>) -> (Answer, Simulated) {
    let title = title(&record.instance);
    let mut facts = vec![("issue width", record.machine.issue_width.clone())];
    let schedulers = record.machine.schedulers;
    facts.push(("schedulers", schedulers.to_string()));
    let latencies = [record.machine.latency_l, record.machine.latency_c];
    if let [Some(l), Some(c)] = latencies {
        facts.push(("latency", format!("{l} cycles after L, {c} after C")));
    }
    facts.push(("best case", cycles(record.best)));
    facts.push(match record.interval {
        Some([lower, upper]) if lower == upper => ("worst case", cycles(Some(upper))),
        Some([lower, upper]) => ("worst case", format!("{lower} to {upper} cycles")),
        None => ("worst case", "not known: the machine is not that of the model".to_owned()),
    });
    facts.extend(
        record
            .upper
            .map(|upper| ("last issue", format!("at most {upper} cycles in any run that starts together"))),
    );
    let most = record.interval.map(|[_, upper]| upper).filter(|&upper| upper > 0);
    let row = |run: &Run| {
        #[expect(clippy::cast_precision_loss, reason = "a share for a person to read")]
        let share = most.filter(|_| run.within_model).map(|most| run.makespan as f64 / most as f64 * 100.0);
        vec![
            run.policy.name().to_owned(),
            if run.within_model { "yes" } else { "no" }.to_owned(),
            run.makespan.to_string(),
            share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1} %")),
            format!("{:.1}", run.average),
            run.idle_slots.to_string(),
        ]
    };
    let longest = record.runs.iter().max_by_key(|run| run.makespan);
    let said = Said {
        tone: if record.interval.is_some() { Tone::Good } else { Tone::Open },
        verdict: match record.interval {
            Some([lower, upper]) if lower == upper => format!("worst case {upper}"),
            Some([lower, upper]) => format!("worst case {lower} to {upper}"),
            None => "worst case not known".to_owned(),
        },
        number: longest.map_or_else(String::new, |run| {
            format!("{} by {}", cycles(Some(run.makespan)), run.policy.name())
        }),
        gap: record.interval.map(|[lower, upper]| super::gap(lower, upper)),
        file: String::new(),
    };
    let answer = Answer {
        subject: Subject::Policies,
        title: title.clone(),
        said,
        facts,
        tables: vec![AnswerTable {
            heads: vec![
                "policy",
                "in the model",
                "makespan",
                "of the worst case",
                "mean completion",
                "idle slots",
            ],
            texts: 2,
            rows: record.runs.iter().map(row).collect(),
        }],
        notes: record.notes.clone(),
    };
    let runs = record.runs.iter().map(|run| (run.policy.name().to_owned(), run.makespan)).collect();
    let extremes = record.best.into_iter().chain(record.interval.map(|[_, upper]| upper)).collect();
    let response = |run: &Run| {
        let times = run.completions.iter().zip(&record.machine.launch);
        let times = times.map(|(completion, launch)| completion.saturating_sub(*launch)).collect();
        (run.policy.name().to_owned(), times)
    };
    let policies = record.runs.iter().map(response).collect();
    let responses =
        Responses { name: file.map_or_else(|| title.clone(), |file| stem(file).to_owned()), policies };
    (answer, Simulated { title, runs, extremes, responses })
}

fn cycles(count: Option<u64>) -> String {
    count.map_or_else(|| "not known".to_owned(), |count| several(count, "cycle"))
}
