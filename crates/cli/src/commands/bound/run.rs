//! `warpspan bound`.

use crate::args::Format;
use crate::commands::bound::args::BoundArgs;
use crate::commands::bound::machine::of_machine;
use crate::commands::bound::text::{grid as grid_text, text as bound_text};
use crate::commands::solve::takes;
use crate::instances::{Place, asked};
use crate::output::{Target, print};
use crate::record::line_of;
use crate::screen::folded;
use crate::summary::{Row, Summary};
use crate::{Exit, Failure, certificates, progress, text};
use warpspan_engines::certificate::Certificate;
use warpspan_engines::program::bound;
use warpspan_kernel::input::Asked;
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::{Grid, Instance};
use warpspan_records::Bound;
use warpspan_solver::portfolio::{
    self, Note, Side, SolveError, Solver, Terms, free_terms, grid_table, table, table_of_paths, terms,
};

pub(crate) fn run(args: &BoundArgs) -> Result<Exit, Failure> {
    let asked = asked(&args.instance, &args.paths, &args.grid)?;
    let mut proved = certificates::target(args.certificate.as_deref(), &asked)?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let asked_for_several = asked.len() > 1;
    for (place, asked) in &asked {
        match asked {
            Asked::Workload(_) => {}
            Asked::Grid(_) if args.up_to.is_some() => {
                return Err(Failure::usage(
                    "--up-to: the estimate is of warps that start together, not of the blocks of a grid",
                ));
            }
            Asked::OnMachine(_) if args.up_to.is_some() => {
                return Err(Failure::usage("--up-to: the estimate is of the machine of two sigmas"));
            }
            Asked::Grid(_) | Asked::OnMachine(_) => {}
        }
        if asked_for_several {
            takes(&Solver::new(), place, asked)?;
        }
    }
    let mut exit = Exit::Done;
    let mut summary = Summary::default();
    for (place, asked) in &asked {
        let workload = match asked {
            Asked::Workload(workload) => workload,
            Asked::Grid(grid) => {
                let rows = of_grid(grid, place, args, proved.take())?;
                summary.add(Row::of_bounds(grid.blocks() * grid.warps_per_block(), &rows));
                continue;
            }
            Asked::OnMachine(on) => {
                summary.add(of_machine(on, place, args)?);
                continue;
            }
        };
        let (rows, terms, mut notes) = match workload.instance() {
            Some(instance) => {
                let terms = match args.up_to.or(free_terms(instance)) {
                    Some(up_to) => solve_terms(instance, up_to.min(instance.total_warps()), &limits)?,
                    None => None,
                };
                (table(instance, terms.as_ref(), &limits), terms, Vec::new())
            }
            None => {
                let (rows, notes) = table_of_paths(workload)?;
                (rows, None, notes.iter().map(ToString::to_string).collect())
            }
        };
        notes.extend_from_slice(&place.notes);
        let proof = proved.take().map(|target| {
            let certificate = Certificate::of_bounds(workload).map_err(certificates::refused)?;
            Ok::<_, Failure>((target, certificate))
        });
        let proof = proof.transpose()?;
        notes.extend(proof.iter().flat_map(|(_, certificate)| proved_less(certificate, &rows)));
        summary.add(Row::of_bounds(workload.total_warps(), &rows));
        print(&match args.format {
            Format::Text => {
                let told = bound_text(workload, &rows, terms.as_ref()) + &text::notes(&notes);
                folded(place.over(&told))
            }
            Format::Json => line_of(place, Bound::new(workload.into(), rows, notes))?,
        })?;
        if let Some((target, certificate)) = proof {
            certificates::write(target, &certificate)?;
        }
        if terms.is_some_and(|terms| terms.ending != Ending::Proved) {
            exit = Exit::Limit;
        }
    }
    if args.format == Format::Text {
        summary.print(asked.iter().map(|(place, _)| place))?;
    }
    Ok(exit)
}

/// How far the certificate proves the best of the bounds, if it does not prove all of them.
fn proved_less(certificate: &Certificate, rows: &[portfolio::Row]) -> Vec<String> {
    let safe = |side: Side| rows.iter().filter(move |row| row.safe && row.side == side).map(|row| row.value);
    let mut notes = Vec::new();
    let most = certificate.at_most();
    if safe(Side::Upper).any(|value| value < most) {
        notes.push(format!("the certificate proves at most {most} cycles only"));
    }
    match (certificate.at_least(), safe(Side::Lower).max()) {
        (None, Some(_)) => notes.push("the certificate proves no lower end".to_owned()),
        (Some(proved), Some(value)) if proved < value => {
            notes.push(format!("the certificate proves at least {proved} cycles only"));
        }
        _ => {}
    }
    notes
}

/// Prints the bounds of a grid.
fn of_grid(
    grid: &Grid,
    place: &Place,
    args: &BoundArgs,
    target: Option<Target>,
) -> Result<Vec<portfolio::Row>, Failure> {
    let rows = grid_table(grid)?;
    let mut notes = Vec::new();
    if grid.block().instance().is_none() {
        notes.extend(bound(grid.together())?.assumes.into_iter().map(|what| Note::Assumed(what).to_string()));
        notes.push(Note::OfProgram.to_string());
    }
    notes.extend_from_slice(&place.notes);
    if let Some(target) = target {
        let certificate = Certificate::of_grid_bounds(grid).map_err(certificates::refused)?;
        notes.extend(proved_less(&certificate, &rows));
        certificates::write(target, &certificate)?;
    }
    print(&match args.format {
        Format::Text => folded(place.over(&(grid_text(grid, &rows) + &text::notes(&notes)))),
        Format::Json => line_of(place, Bound::new(grid.into(), rows.clone(), notes))?,
    })?;
    Ok(rows)
}

/// The exact values for few warps; none for several groups, or in a build that cannot solve them.
fn solve_terms(instance: &Instance, up_to: u64, limits: &Limits) -> Result<Option<Terms>, Failure> {
    let bar = progress::bar(up_to, "solving T(y)");
    let terms = terms(instance, up_to, limits, || bar.step());
    bar.finish_and_clear();
    match terms {
        Some(Err(SolveError::NoHighs { .. })) => {
            tell!("no estimate: its terms need the ILP, and this build has no HiGHS");
            Ok(None)
        }
        Some(terms) => Ok(Some(terms?)),
        None => Ok(None),
    }
}
