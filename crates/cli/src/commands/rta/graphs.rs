//! `warpspan rta` of graphs.

use toml::Value;

use crate::args::rta::{RtaArgs, refuse};
use crate::commands::rta::exit::exit;
use crate::document::answer;
use crate::margins::{NumbersOf, toml_of};
use crate::{Exit, Failure, progress};
use warpspan_document::rta::graphs::document;
use warpspan_kernel::input::key;
use warpspan_records::RtaGraphs;
use warpspan_records::assumption::listed;
use warpspan_rta::Verdict;
use warpspan_rta::executions as executions_of;
use warpspan_rta::graph::{Analysis, analyse, is_proved, read_graphs};

pub(super) fn run(args: &RtaArgs, place: &str, text: &str) -> Result<Exit, Failure> {
    let given = [
        ("--method", args.method.is_some()),
        ("--horizon", args.horizon.is_some()),
        ("--schedule", args.schedule.is_some()),
        ("--certificate", args.certificate.is_some()),
        ("--with-schedule", args.with_schedule),
    ];
    refuse(&given, "is for kernels that are launched one by one: a file of graphs does not take it")?;
    let graphs = read_graphs(place, text)?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let spinner = progress::spinner("solving C of kernel strings");
    let executions = executions_of(graphs.system(), &limits);
    spinner.finish_and_clear();
    let executions = executions?;
    let spinner = progress::spinner("bounding graphs");
    let analysis = analyse(&graphs, &executions, &limits);
    spinner.finish_and_clear();
    let notes = notes(&analysis);
    let mut record = RtaGraphs::new(&graphs, &executions, &analysis, notes, args.explain);
    if args.margins {
        let judge = |text: &str| {
            let graphs = read_graphs(place, text)?;
            let executions = executions_of(graphs.system(), &limits)?;
            let proved = is_proved(&graphs, &executions, &limits);
            let verdict = if proved { Verdict::Proved } else { Verdict::Undecided };
            Ok((verdict, listed(graphs.rests_on(), key)))
        };
        let mut file = toml_of(text)?;
        // A search finds other multiprocessors where numbers are others, and sees all of them where nothing is proved.
        if let Some(Value::Array(tables)) = file.get_mut("graph") {
            for (table, of) in tables
                .iter_mut()
                .zip(&record.graphs)
                .filter(|_| analysis.search.is_some_and(|search| search.found))
            {
                if let (Value::Table(table), Ok(count)) = (table, i64::try_from(of.multiprocessors))
                    && table.contains_key("multiprocessors")
                {
                    table.insert("multiprocessors".to_owned(), count.into());
                }
            }
        }
        let numbers = NumbersOf { file, unit: Some(graphs.system().unit()), system: Some(graphs.system()) };
        let found = (record.verdict, &mut record.assumptions, &mut record.notes);
        numbers.add(found, &limits, judge)?;
    }
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
