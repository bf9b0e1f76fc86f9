//! `warpspan bound`.

use crate::args::bound::BoundArgs;
use crate::args::{Format, unused};
use crate::commands::solve::takes;
use crate::document::answer_at;
use crate::instances::asked;
use crate::summary::Summary;
use crate::{Exit, Failure, certificates, progress};
use warpspan_document::bound::document;
use warpspan_document::words::stop;
use warpspan_engines::certificate::Certificate;
use warpspan_engines::program::bound;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_launch::flags::flag;
use warpspan_model::assumption::Rests;
use warpspan_model::limits::{Ending, Limits};
use warpspan_model::machine::Order;
use warpspan_model::source::Message;
use warpspan_model::{Grid, Instance, Workload};
use warpspan_records::Bound;
use warpspan_records::bound::Side;
use warpspan_solver::portfolio::{
    Note, SolveError, Solver, Terms, free_terms, grid_table, machine_grid_table, machine_table, table,
    table_of_paths, terms,
};

pub(crate) fn run(args: &BoundArgs) -> Result<Exit, Failure> {
    let asked = asked(&args.instance, &args.paths, &args.grid)?;
    let mut proved = certificates::target(args.certificate.as_deref(), &asked)?;
    let order = args.policy.order(&asked)?;
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
            takes(&Solver::new().order(order), place, asked)?;
        }
    }
    let mut exit = Exit::Done;
    let mut summary = Summary::default();
    for (place, asked) in &asked {
        let (record, mut rests) =
            bounds(asked, args.up_to, order, &limits, &mut exit).map_err(|failure| place.named(failure))?;
        rests.add(place.rests.clone());
        let mut record = record.resting_on(&rests, flag);
        record.notes.extend(unused(order, record.policy));
        let mut proof = None;
        if let Some(target) = proved.take()
            && let Some(certificate) = certificate(asked)?
        {
            let less = proved_less(&certificate, &record);
            record.notes.extend(less);
            proof = Some((target, certificate));
        }
        summary.add(&record);
        answer_at(place, args.format, record, document)?;
        if let Some((target, certificate)) = proof {
            certificates::write(target, &certificate)?;
        }
    }
    if args.format == Format::Text {
        summary.print(asked.iter().map(|(place, _)| place))?;
    }
    Ok(exit)
}

/// The bounds of what is asked for.
fn bounds(
    asked: &Asked,
    up_to: Option<u64>,
    order: Order,
    limits: &Limits,
    exit: &mut Exit,
) -> Result<(Bound, Rests), Failure> {
    match asked {
        Asked::Workload(workload) => {
            let (record, rests, is_whole) = of_workload(workload, up_to, limits)?;
            if !is_whole {
                *exit = Exit::Limit;
            }
            Ok((record, rests))
        }
        Asked::Grid(grid) => of_grid(grid),
        Asked::OnMachine(on) => {
            let table = match &on.launch {
                MachineLaunch::Workload(workload) => machine_table(workload, order, limits),
                MachineLaunch::Grid(grid) => machine_grid_table(grid, order, limits),
            };
            let table = table?;
            let rests = Note::rests(&table.notes);
            let of_order = match &on.launch {
                MachineLaunch::Workload(_) => true,
                MachineLaunch::Grid(grid) => grid.starts_together(),
            };
            let policy = Some(order).filter(|&order| of_order && order != Order::Any);
            Ok((Bound { policy, ..Bound::on_machine(on, table) }, rests))
        }
    }
}

/// The certificate of the bounds; there is none on a machine.
fn certificate(asked: &Asked) -> Result<Option<Certificate>, Failure> {
    let certificate = match asked {
        Asked::Workload(workload) => Certificate::of_bounds(workload),
        Asked::Grid(grid) => Certificate::of_grid_bounds(grid),
        Asked::OnMachine(_) => return Ok(None),
    };
    certificate.map(Some).map_err(certificates::refused)
}

/// How far the certificate proves the best of the bounds, if it does not prove all of them.
fn proved_less(certificate: &Certificate, record: &Bound) -> Vec<String> {
    let safe = |side: Side| {
        let safe = record.bounds.iter().filter(move |row| row.safe && row.side == side);
        safe.map(|row| row.value)
    };
    let mut notes = Vec::new();
    let most = certificate.at_most();
    if safe(Side::Upper).any(|value| value < most.0) {
        notes.push(format!("the certificate proves at most {most} cycles only"));
    }
    match (certificate.at_least(), safe(Side::Lower).max()) {
        (None, Some(_)) => notes.push("the certificate proves no lower end".to_owned()),
        (Some(proved), Some(value)) if proved.0 < value => {
            notes.push(format!("the certificate proves at least {proved} cycles only"));
        }
        _ => {}
    }
    notes
}

/// The bounds of warps that start together, and whether every value of the estimate that is wanted was solved.
fn of_workload(
    workload: &Workload,
    up_to: Option<u64>,
    limits: &Limits,
) -> Result<(Bound, Rests, bool), Failure> {
    let Some(instance) = workload.instance() else {
        let (rows, notes) = table_of_paths(workload)?;
        return Ok((Bound::new(workload.into(), rows), Note::rests(&notes), true));
    };
    let terms = match up_to.or(free_terms(instance)) {
        Some(up_to) => solve_terms(instance, up_to.min(instance.total_warps()), limits)?,
        None => None,
    };
    let rows = table(instance, terms.as_ref(), limits);
    let missing = terms.filter(|terms| terms.ending != Ending::Proved);
    let told = |terms: &Terms| {
        Message::text(format!(
            "{}: only {} of the values T(y) were solved",
            stop(terms.ending),
            terms.exact.len()
        ))
    };
    let rests = Rests { on: Vec::new(), notes: missing.iter().map(told).collect() };
    Ok((Bound::new(workload.into(), rows), rests, missing.is_none()))
}

/// The bounds of a grid.
fn of_grid(grid: &Grid) -> Result<(Bound, Rests), Failure> {
    let rows = grid_table(grid)?;
    let mut notes = Vec::new();
    if grid.block().instance().is_none() {
        notes.extend(bound(grid.together())?.assumes.into_iter().map(Note::Assumed));
        notes.push(Note::OfProgram);
    }
    Ok((Bound::new(grid.into(), rows), Note::rests(&notes)))
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
