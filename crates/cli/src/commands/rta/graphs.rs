//! `warpspan rta` of graphs.

use crate::commands::rta::{args::RtaArgs, model::refuse, run::exit};
use crate::document::answer;
use crate::{Exit, Failure, progress};
use warpspan_document::rta::graphs::document;
use warpspan_records::RtaGraphs;
use warpspan_rta::executions;
use warpspan_rta::graph::{Analysis, analyse, read_graphs};

pub(super) fn run(args: &RtaArgs, place: &str, text: &str) -> Result<Exit, Failure> {
    let given = [
        ("--method", args.method.is_some()),
        ("--horizon", args.horizon.is_some()),
        ("--schedule", args.schedule.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--with-schedule", args.with_schedule),
        ("--sensitivity", args.sensitivity),
    ];
    refuse(&given, "is for kernels that are launched one by one: a file of graphs does not take it")?;
    let graphs = read_graphs(place, text)?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let spinner = progress::spinner("solving C of kernel strings");
    let executions = executions(graphs.system(), &limits);
    spinner.finish_and_clear();
    let executions = executions?;
    let spinner = progress::spinner("bounding graphs");
    let analysis = analyse(&graphs, &executions, &limits);
    spinner.finish_and_clear();
    let notes = notes(&analysis);
    let record = RtaGraphs::new(&graphs, &executions, &analysis, notes, args.explain);
    answer(args.format, record, document)?;
    Ok(exit(analysis.verdict))
}

/// What else should be known.
fn notes(analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(search) = analysis.search {
        let tried = search.allocations;
        notes.push(match (search.found, search.complete) {
            (true, _) => format!("the search for multiprocessors has found enough for all deadlines, after {tried} bounds of the system"),
            (false, true) => format!("no allocation of the multiprocessors is proved by the bounds, after {tried} bounds of the system; those shown are an even share"),
            (false, false) => format!("the search for multiprocessors ended after {tried} bounds of the system without having seen all; those shown are an even share"),
        });
    }
    notes
}
