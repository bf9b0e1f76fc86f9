//! Drawings of the bounds of compiled kernels.

use super::lines::{Line as Costly, amounts, codes};
use super::links::Links;
use warpspan_document::words::ratio;
use warpspan_figures::{Amounts, Costed, Costs, Input, Quantity, Sketch};
use warpspan_records::Extract;
use warpspan_records::extract::{MachineBound, OnMachine};

/// Adds the entries of a listing that have a bound to what is drawn.
pub(in crate::commands::report) fn extract(record: &Extract, links: &Links, input: &mut Input) {
    for entry in &record.entries {
        let name = &entry.name;
        let costly: Option<(String, Vec<Costly>, Vec<Costly>)> = match (&entry.machine, &entry.bound) {
            (Some(OnMachine { bound: Some(bound), name: machine, .. }), _) => {
                let of = format!("{name} on {machine}");
                input.sketches.push(path(&of, bound).into());
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
            input.sketches.extend(lines(
                &format!("What lines of the source add to {of}"),
                &record.file,
                &source,
            ));
            input.sketches.extend(lines(
                &format!("What lines of the listing add to {of}"),
                &record.file,
                &listing,
            ));
            // The listing is shown below with its letters.
            input.codes.extend(codes(name, &record.file, "cycles", &source, links));
        }
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

fn lines(title: &str, listing: &str, lines: &[Costly]) -> Option<Sketch> {
    let rows: Vec<Costed> = lines.iter().map(|line| line.row(listing, 1.0)).collect();
    let costs = Costs {
        title: title.to_owned(),
        caption: format!("Lines of {listing}."),
        quantity: Quantity::Cycles,
        rows,
        sum: None,
        deadline: None,
    };
    Some(costs).filter(|costs| !costs.rows.is_empty()).map(Sketch::from)
}
