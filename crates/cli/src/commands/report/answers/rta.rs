//! Response times: the verdict, what it rests on, and a row for each kernel.

use crate::commands::report::answers::{maybe, names};
use crate::commands::rests;
use crate::commands::time::in_numbers;
use serde_json::Number;
use warpspan_figures::{Answer, AnswerTable, Deadlines, Due, Said, Subject, Tone};
use warpspan_records::Rta;
use warpspan_records::rta::{Kernel, Verdict, VerdictBy};

pub(in crate::commands::report) fn rta(record: &Rta) -> Answer {
    let verdict = match (record.verdict, record.by) {
        (Verdict::Proved, Some(VerdictBy::Algorithm2)) => "proved, by Algorithm 2: all deadlines are met",
        (Verdict::Proved, _) => "proved, by the bounds: all deadlines are met",
        (Verdict::Refuted, Some(VerdictBy::Schedule)) => "refuted: a run misses a deadline",
        (Verdict::Refuted, Some(VerdictBy::LeastResponse)) => "refuted: no launch can meet a deadline",
        (Verdict::Refuted, _) => "refuted: more threads are asked for in the long run than there are",
        (Verdict::Undecided, _) => {
            "undecided: neither that all deadlines are met is proved, nor that one is missed"
        }
    };
    let (tone, word) = match record.verdict {
        Verdict::Proved => (Tone::Good, "all deadlines proved"),
        Verdict::Refuted => (Tone::Bad, "a deadline is missed"),
        Verdict::Undecided => (Tone::Open, "undecided"),
    };
    let said = Said {
        tone,
        verdict: word.to_owned(),
        number: tightest(record).unwrap_or_default(),
        gap: None,
        file: String::new(),
    };
    let mut facts = vec![
        ("verdict", verdict.to_owned()),
        ("GPU", format!("{} multiprocessors of {} threads", record.gpu.multiprocessors, record.gpu.threads)),
        ("utilisation", format!("{:.2} of {} threads", record.utilisation, record.capacity)),
        ("times", format!("in {}", record.unit)),
    ];
    facts.extend(
        record.horizon.as_ref().map(|horizon| ("estimates", format!("of launches before {horizon}"))),
    );
    facts.extend(rests::rows(&record.assumptions));
    let heads = vec![
        "kernel",
        "meets",
        "C",
        "blocks",
        "threads",
        "release",
        "period",
        "deadline",
        "response bound",
        "response estimate",
        "first completion",
    ];
    let reasons = record.kernels.iter().filter_map(|kernel| {
        let missed = kernel.missed.as_ref().map(|missed| {
            let completion = missed.completion.as_ref();
            let completion = completion
                .map_or("is not seen to complete".to_owned(), |time| format!("completes at {time}"));
            format!("launch {}, released at {}, {completion}", missed.launch, missed.release)
        });
        Some(format!("{}: {}", kernel.name, kernel.reason.clone().or(missed)?))
    });
    Answer {
        subject: Subject::Responses,
        title: names(record.kernels.iter().map(|kernel| kernel.name.as_str())),
        said,
        facts,
        tables: vec![AnswerTable { heads, texts: 2, rows: record.kernels.iter().map(row).collect() }],
        notes: reasons.chain(record.notes.iter().cloned()).collect(),
    }
}

/// The response times that are drawn beside their deadlines; none where no kernel has both.
pub(in crate::commands::report) fn deadlines(record: &Rta) -> Option<Deadlines> {
    let number = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    let due = |kernel: &Kernel| {
        let deadline = number(&kernel.deadline).filter(|deadline| *deadline > 0.0)?;
        let (bound, estimate) = (number(&kernel.response_bound), number(&kernel.response_estimate));
        let time = kernel.response_bound.as_ref().or(kernel.response_estimate.as_ref())?;
        let text = format!("{time} of {} {}", maybe(kernel.deadline.as_ref()), record.unit);
        let text = if bound.is_some() { text } else { format!("estimate {text}") };
        Some(Due { name: kernel.name.clone(), estimate, bound, deadline, number: text })
    };
    let kernels: Vec<Due> = record.kernels.iter().filter_map(due).collect();
    let names = names(record.kernels.iter().map(|kernel| kernel.name.as_str()));
    (!kernels.is_empty()).then(|| Deadlines {
        title: format!("Response times of {names}"),
        caption: format!(
            "Response bounds are proved and rest on {}; estimates are not proved.",
            in_numbers(&record.assumptions)
        ),
        kernels,
    })
}

/// The response bound that takes the largest part of its deadline.
fn tightest(record: &Rta) -> Option<String> {
    let part = |kernel: &&Kernel| {
        let (bound, deadline) =
            (kernel.response_bound.as_ref()?.as_f64()?, kernel.deadline.as_ref()?.as_f64()?);
        (deadline > 0.0).then(|| bound / deadline)
    };
    let kernels = record.kernels.iter().filter(|kernel| part(kernel).is_some());
    let kernel = kernels.max_by(|a, b| part(a).partial_cmp(&part(b)).unwrap_or(std::cmp::Ordering::Equal))?;
    let (bound, deadline) = (kernel.response_bound.as_ref()?, kernel.deadline.as_ref()?);
    Some(format!("{bound} of {deadline} {}, {}", record.unit, kernel.name))
}

fn row(kernel: &Kernel) -> Vec<String> {
    vec![
        kernel.name.clone(),
        kernel.meets.name().to_owned(),
        kernel.execution.to_string(),
        kernel.blocks.to_string(),
        kernel.threads_per_block.to_string(),
        kernel.release.to_string(),
        maybe(kernel.period.as_ref()),
        maybe(kernel.deadline.as_ref()),
        maybe(kernel.response_bound.as_ref()),
        maybe(kernel.response_estimate.as_ref()),
        maybe(kernel.completion.as_ref()),
    ]
}
