//! Runs of warp-scheduling policies, between the best and the worst case.

use warpspan_document::subject::title;
use warpspan_document::words::stem;
use warpspan_figures::{Responses, Simulated};
use warpspan_records::Simulate;
use warpspan_records::simulate::Run;

/// The drawings of a record whose instance is from this file, if it is from any.
pub(in crate::commands::report) fn simulate(record: &Simulate, file: Option<&str>) -> Simulated {
    let title = title(&record.instance);
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
    Simulated { title, runs, extremes, responses }
}
