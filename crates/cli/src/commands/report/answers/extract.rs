//! Listings of compiled kernels, with their bounds where some were asked for.

use std::collections::HashMap;

use super::lines::{Line as Costly, amounts, codes};
use super::links::Links;
use crate::commands::extract::facts;
use crate::text::ratio;
use warpspan_figures::{Amounts, Costed, Costs, Input, Listed, ListedLine, Quantity};
use warpspan_records::Extract;
use warpspan_records::extract::{Cost, Entry, Line, MachineBound, MachineLine, OnMachine};

/// Adds the entries of a listing to what is shown: also those without a bound, with the reason.
pub(in crate::commands::report) fn extract(record: Extract, links: &Links, input: &mut Input) {
    for entry in record.entries {
        let name = entry.name.clone();
        let costly: Option<(String, Vec<Costly>, Vec<Costly>)> = match (&entry.machine, &entry.bound) {
            (Some(OnMachine { bound: Some(bound), name: machine, .. }), _) => {
                let of = format!("{name} on {machine}");
                input.costs.push(path(&of, bound));
                let (source, listing) =
                    (bound.source.iter().map(Costly::from), bound.lines.iter().map(Costly::from));
                Some((format!("the critical path of {of}"), source.collect(), listing.collect()))
            }
            (None, Some(bound)) => {
                let (source, listing) =
                    (bound.source.iter().map(Costly::from), bound.lines.iter().map(Costly::from));
                Some((format!("what a further warp of {name} takes"), source.collect(), listing.collect()))
            }
            _ => None,
        };
        if let Some((of, source, listing)) = costly {
            input.costs.extend(lines(
                &format!("What lines of the source add to {of}"),
                &record.file,
                &source,
            ));
            input.costs.extend(lines(
                &format!("What lines of the listing add to {of}"),
                &record.file,
                &listing,
            ));
            // The listing is shown below with its letters.
            input.codes.extend(codes(&name, &record.file, "cycles", &source, links));
        }
        input.kernels.push(listed(entry, &record.file, links));
    }
}

/// What adds up to the critical path: the lines by their reasons, and what belongs to no line.
fn path(of: &str, bound: &MachineBound) -> Costs {
    let lines =
        bound.lines.iter().map(|line| &line.cost).chain(bound.further.iter().map(|further| &further.cost));
    let sum: Amounts = lines.map(amounts).sum();
    let whole = |whole: &str| Amounts { whole: ratio(whole), ..Amounts::default() };
    let rows = [
        ("latency of a single warp", Amounts { own: sum.own, ..Amounts::default() }),
        ("contention of warps", Amounts { others: sum.others, ..Amounts::default() }),
        ("memory", Amounts { memory: sum.memory, ..Amounts::default() }),
        ("latencies that overlap", whole(&bound.overlap)),
        ("other paths of other warps", whole(&bound.several_paths)),
        ("rounding", whole(&bound.rounding)),
    ];
    let rows = rows.into_iter().filter(|(_, amounts)| amounts.sum().abs() > 0.0);
    let row =
        |(name, amounts): (&str, Amounts)| Costed { name: name.to_owned(), amounts, tip: String::new() };
    #[expect(clippy::cast_precision_loss, reason = "a length of a bar")]
    let path = bound.critical_path as f64;
    Costs {
        title: format!("The critical path of {of}, {} warps", bound.warps),
        caption: format!("The bound is {} cycles, by the theorem {}.", bound.upper, bound.theorem),
        quantity: Quantity::Cycles,
        rows: rows.map(row).collect(),
        sum: Some(("critical path".to_owned(), path)),
        deadline: None,
    }
}

fn lines(title: &str, listing: &str, lines: &[Costly]) -> Option<Costs> {
    let rows: Vec<Costed> = lines.iter().map(|line| line.row(listing, 1.0)).collect();
    let costs = Costs {
        title: title.to_owned(),
        caption: format!("Lines of {listing}."),
        quantity: Quantity::Cycles,
        rows,
        sum: None,
        deadline: None,
    };
    Some(costs).filter(|costs| !costs.rows.is_empty())
}

fn listed(entry: Entry, file: &str, links: &Links) -> Listed {
    let facts = facts(&entry);
    let on_machine_asked = entry
        .machine
        .as_ref()
        .is_some_and(|machine| machine.bound.is_some() || machine.bound_error.is_some());
    let is_asked = on_machine_asked || entry.bound.is_some() || entry.bound_error.is_some();
    let (upper, lines) = match entry.machine {
        Some(machine) => {
            (machine.bound.as_ref().map(|bound| bound.upper), on_machine(entry.listing, &machine))
        }
        None => (entry.bound.map(|bound| bound.upper), entry.listing.into_iter().map(listed_line).collect()),
    };
    Listed {
        file: file.to_owned(),
        href: links.to(file.as_ref()),
        facts,
        is_asked,
        is_bounded: upper.is_some(),
        upper,
        lines,
        name: entry.name,
        capability: entry.compute_capability,
    }
}

/// The lines of a listing with their letters on a machine, and what they add to the critical path there. What a line of several
/// instructions adds stands at the first of them.
fn on_machine(lines: Vec<Line>, machine: &OnMachine) -> Vec<ListedLine> {
    let mut costs: HashMap<u32, &Cost> =
        machine.bound.iter().flat_map(|bound| &bound.lines).map(|one| (one.line, &one.cost)).collect();
    let letters: HashMap<u32, &MachineLine> = machine.listing.iter().map(|one| (one.line, one)).collect();
    let of = |line: Line| {
        let letters = letters.get(&line.line).and_then(|one| one.letters.clone()).unwrap_or_default();
        let cost = costs.remove(&line.line);
        ListedLine {
            adds: cost.map(|cost| cost.adds.clone()),
            share: cost.map(|cost| cost.share),
            count: None,
            phase: None,
            letter: letters,
            ..listed_line(line)
        }
    };
    lines.into_iter().map(of).collect()
}

fn listed_line(line: Line) -> ListedLine {
    let Line { line, label, instruction, letter, count, phase, adds, share, .. } = line;
    // A line without letters has nothing to add.
    let (adds, share) = if phase.is_some() { (adds, share) } else { (None, None) };
    ListedLine { line, label, instruction, letter, count, phase, adds, share }
}
