//! Measured runs: what was measured, what was computed, and the rules.

use crate::commands::report::answers::{maybe, names};
use warpspan_figures::{Answer, AnswerTable, Said, Subject, Tone};
use warpspan_records::Measured;

/// The columns of a launch.
const LAUNCH: [&str; 11] = [
    "launch",
    "blocks",
    "released",
    "start",
    "computed",
    "end",
    "computed",
    "C",
    "longest block",
    "response",
    "bound",
];

/// The columns of a rule.
const RULE: [&str; 5] = ["rule", "what it says of blocks", "holds", "judged", "off by"];

pub(in crate::commands::report) fn measured(record: &Measured) -> Answer {
    let kept = |holds: bool| if holds { "kept" } else { "broken" };
    let mut kernels: Vec<&str> = record.launches.iter().map(|launch| launch.kernel.as_str()).collect();
    kernels.dedup();
    let launches = record.launches.iter().map(|launch| {
        vec![
            format!("{}, launch {}", launch.kernel, launch.launch),
            launch.blocks.len().to_string(),
            launch.released.to_string(),
            launch.start.to_string(),
            maybe(launch.computed_start.as_ref()),
            launch.end.to_string(),
            maybe(launch.computed_end.as_ref()),
            launch.execution.to_string(),
            launch.longest_block.to_string(),
            launch.response.to_string(),
            maybe(launch.response_bound.as_ref()),
        ]
    });
    let rules = record.rules.iter().map(|rule| {
        let holds = match rule.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not judged",
        };
        vec![
            rule.rule.clone(),
            rule.says.clone(),
            holds.to_owned(),
            rule.judged.to_string(),
            rule.off.to_string(),
        ]
    });
    let breaches = record
        .rules
        .iter()
        .filter_map(|rule| Some(format!("breaks {}: {}", rule.rule, rule.breach.as_ref()?.what)));
    Answer {
        subject: Subject::Measured,
        title: names(kernels.into_iter()),
        said: Said {
            tone: if record.rules_hold && record.executions_hold && record.bounds_hold {
                Tone::Good
            } else {
                Tone::Bad
            },
            verdict: format!("rules {}, bounds {}", kept(record.rules_hold), kept(record.bounds_hold)),
            number: format!("{} launches", record.launches.len()),
            gap: None,
            file: String::new(),
        },
        facts: vec![
            ("rules", format!("{}, within {} s", kept(record.rules_hold), record.tolerance)),
            ("C", kept(record.executions_hold).to_owned()),
            ("bounds", format!("{}, as far as the clocks tell", kept(record.bounds_hold))),
            ("times", "in s since the start of the examiner".to_owned()),
        ],
        tables: vec![
            AnswerTable { heads: LAUNCH.to_vec(), texts: 1, rows: launches.collect() },
            AnswerTable { heads: RULE.to_vec(), texts: 3, rows: rules.collect() },
        ],
        notes: breaches.chain(record.notes.iter().cloned()).collect(),
    }
}
