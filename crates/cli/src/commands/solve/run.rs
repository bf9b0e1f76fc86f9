//! `warpspan solve`.

use std::path::PathBuf;

use crate::args::solve::SolveArgs;
use crate::args::{Format, unused};
use crate::commands::solve::certificate;
use crate::commands::solve::engine::{engine, no_engine_is_asked_for};
use crate::commands::solve::schedules::{charted, launch, write_schedules};
use crate::document::text;
use crate::instances::asked;
use crate::output::print;
use crate::place::Place;
use crate::record::{in_text, line_of};
use crate::schedules::target;
use crate::summary::{Row, Summary};
use crate::{Exit, Failure, certificates, progress};
use warpspan_check::schedule::Witness;
use warpspan_document::solve::document;
use warpspan_document::subject::title;
use warpspan_engines::certificate::Certificate;
use warpspan_kernel::input::Asked;
use warpspan_launch::flags::flag;
use warpspan_model::limits::{Ending, Stop};
use warpspan_model::machine::Order;
use warpspan_records::Solve;
use warpspan_records::solve::subject;
use warpspan_solver::portfolio::{EngineChoice, Note, Progress, Solution, SolveError, Solver};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let asked = asked(&args.instance, &args.paths, &args.grid)?;
    let engine = engine(args)?;
    let target = |path: &Option<PathBuf>| path.as_ref().map(|path| target(path, asked.len())).transpose();
    if asked.iter().any(|(_, asked)| !asked.is_straight()) {
        no_engine_is_asked_for(args, &engine)?;
    }
    if args.best_schedule.is_some() && asked.iter().any(|(_, asked)| matches!(asked, Asked::Grid(_))) {
        return Err(Failure::usage(
            "--best-schedule: grids have a worst schedule only, which --schedule writes",
        ));
    }
    let drawn = [&args.schedule, &args.best_schedule].into_iter().flatten();
    let mut drawn =
        drawn.filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")));
    if let (Some(path), true) =
        (drawn.next(), asked.iter().any(|(_, asked)| matches!(asked, Asked::OnMachine(_))))
    {
        let what = "schedules on machines are not drawn: want .csv or .json";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    let (worst, best) = (target(&args.schedule)?, target(&args.best_schedule)?);
    let mut proved = certificates::target(args.certificate.as_deref(), &asked)?;
    let limits = args.limits.limits().map_err(Failure::internal)?;

    let order = args.policy.order(&asked)?;
    if order != Order::Any && engine != EngineChoice::Auto {
        return Err(Failure::usage(
            "--engine, --beam and --best-schedule: they search schedules of every order: want --policy worst",
        ));
    }
    let solver = Solver::new().engine(engine).order(order).limits(&limits);
    if asked.len() > 1 {
        asked.iter().try_for_each(|(place, asked)| takes(&solver, place, asked))?;
    }
    let mut exit = Exit::Done;
    let mut last = None;
    let mut summary = Summary::default();
    for (place, asked) in &asked {
        let solution = watched(&title(&asked.into()), &solver, |solver| solver.solve(subject(asked)))
            .map_err(|error| place.named(error))?;
        let proof = match proved.take() {
            Some(target) => certificate::certificate(asked, &solution)
                .transpose()?
                .map(|certificate| (target, certificate)),
            None => None,
        };
        let certificate = proof.as_ref().map(|(_, certificate)| certificate);
        let (told, row) = printed(asked, &solution, place, certificate, args)?;
        print(&told)?;
        summary.add(row);
        if let Some((target, certificate)) = proof {
            certificates::write(target, &certificate)?;
        }
        if !solution.worst_case().is_exact() {
            exit = Exit::Limit;
        }
        let interrupted = solution.ending() == Ending::Stopped(Stop::Interrupted);
        last = Some((asked, solution));
        if interrupted {
            break;
        }
    }
    if args.format == Format::Text {
        summary.print(asked.iter().map(|(place, _)| place))?;
    }
    if let Some((asked, solution)) = last {
        write_schedules(asked, &solution, worst, best)?;
    }
    Ok(exit)
}

/// The answer as it is printed.
fn printed(
    asked: &Asked,
    solution: &Solution,
    place: &Place,
    certificate: Option<&Certificate>,
    args: &SolveArgs,
) -> Result<(String, Row), Failure> {
    let mut rests = Note::rests(solution.notes());
    rests.add(place.rests.clone());
    let is_text = args.format == Format::Text;
    let mut record = Solve::new(asked, solution, args.with_schedule && !is_text).resting_on(&rests, flag);
    record.notes.extend(unused(args.policy.named(), solution.policy()));
    if let Some(certificate) = certificate {
        record.notes.extend(certificate::notes(certificate, solution.worst_case()));
    }
    let row = Row::from(&record);
    if !is_text {
        return Ok((line_of(place, record)?, row));
    }
    let drawn = launch(asked, solution).zip(solution.witness().map(Witness::schedule));
    let shown = |record: &Solve| {
        let mut document = document(record);
        document.parts.extend(drawn.map(|(launch, schedule)| charted(launch, schedule)));
        place.over(&text(&document))
    };
    Ok((in_text(&record, shown)?, row))
}

/// Whether the solver takes what was asked for; the message names its place.
pub(crate) fn takes(solver: &Solver<'_>, place: &Place, asked: &Asked) -> Result<(), Failure> {
    solver.takes(subject(asked)).map_err(|error| place.named(error))
}

/// What the solver finds, with a line of progress under this title.
pub(super) fn watched<T>(
    title: &str,
    solver: &Solver<'_>,
    solve: impl FnOnce(&Solver<'_>) -> Result<T, SolveError>,
) -> Result<T, SolveError> {
    let spinner = progress::spinner(title);
    let observer = |state: Progress| progress::show(&spinner, title, state);
    let answer = solve(&solver.clone().on_progress(&observer));
    spinner.finish_and_clear();
    answer
}
