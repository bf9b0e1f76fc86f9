//! Runs of warp-scheduling policies, between the best and the worst case.

use warpspan_document::subject::title;
use warpspan_document::words::stem;
use warpspan_figures::{Responses, Shows, Sketch, policies};
use warpspan_records::Simulate;
use warpspan_records::simulate::Run;

/// The drawings of a record whose instance is from this file, if it is from any.
pub(in crate::commands::report) fn simulate(record: &Simulate, file: Option<&str>) -> (Sketch, Responses) {
    let title = title(&record.instance);
    let runs: Vec<(String, u64)> =
        record.runs.iter().map(|run| (run.policy.name().to_owned(), run.makespan)).collect();
    let extremes: Vec<u64> = record.best.into_iter().chain(record.interval.map(|[_, upper]| upper)).collect();
    let response = |run: &Run| {
        let times = run.completions.iter().zip(&record.machine.launch);
        let times = times.map(|(completion, launch)| completion.saturating_sub(*launch)).collect();
        (run.policy.name().to_owned(), times)
    };
    let of_policies = record.runs.iter().map(response).collect();
    let responses = Responses {
        name: file.map_or_else(|| title.clone(), |file| stem(file).to_owned()),
        policies: of_policies,
    };
    let makespans = || record.runs.iter().map(|run| run.makespan);
    let sketch = Sketch {
        section: Shows::Runs,
        interest: makespans().max().unwrap_or(0) - makespans().min().unwrap_or(0),
        title: title.clone(),
        caption: "Each run is one of the schedules, simulated.".to_owned(),
        points: None,
        draw: Box::new(move |paper| policies(&runs, &extremes, &title, paper)),
    };
    (sketch, responses)
}
