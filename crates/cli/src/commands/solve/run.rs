//! `warpspan solve`.

use std::path::PathBuf;

use crate::args::Format;
use crate::commands::solve::args::{EngineArg, SolveArgs};
use crate::commands::solve::text::{grid_solution as grid_text, solution as solution_text};
use crate::commands::solve::{certificate, machine};
use crate::flags::in_flags;
use crate::instances::{Place, asked};
#[cfg(feature = "highs")]
use crate::output::ending;
use crate::output::{Target, print};
use crate::record::line_of;
use crate::schedules::{target, write_schedule};
use crate::screen::folded;
use crate::summary::{Row, Summary};
use crate::{Exit, Failure, certificates, progress, text};
use warpspan_check::schedule::{Launch, Lines};
use warpspan_engines::certificate::Certificate;
use warpspan_ilp::Options;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_model::limits::{Ending, Stop};
use warpspan_records::Solve;
use warpspan_records::solve::subject;
use warpspan_solver::portfolio::{EngineChoice, Progress, Solution, SolveError, Solver};

pub(crate) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let asked = asked(&args.instance, &args.paths, &args.grid)?;
    let engine = engine(args)?;
    let target = |path: &Option<PathBuf>| path.as_ref().map(|path| target(path, asked.len())).transpose();
    let has_paths = |asked: &Asked| match asked {
        Asked::Workload(workload) => workload.instance().is_none(),
        Asked::Grid(grid) => grid.block().instance().is_none(),
        Asked::OnMachine(_) => false, // the search over its states says so
    };
    if asked.iter().any(|(_, asked)| has_paths(asked)) {
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

    let solver = Solver::new().engine(engine).limits(&limits);
    if asked.len() > 1 {
        asked.iter().try_for_each(|(place, asked)| takes(&solver, place, asked))?;
    }
    let mut exit = Exit::Done;
    let mut last = None;
    let mut summary = Summary::default();
    for (place, asked) in &asked {
        let solution = watched(&heading(asked), &solver, |solver| solver.solve(subject(asked)))?;
        let proof = match proved.take() {
            Some(target) => certificate::certificate(asked, &solution)
                .transpose()?
                .map(|certificate| (target, certificate)),
            None => None,
        };
        let certificate = proof.as_ref().map(|(_, certificate)| certificate);
        print(&printed(asked, &solution, place, certificate, args)?)?;
        if let Some((target, certificate)) = proof {
            certificates::write(target, &certificate)?;
        }
        summary.add(Row::new(warps(asked), solution.worst_case(), solution.elapsed()));
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

/// Writes the schedules that are asked for.
fn write_schedules(
    asked: &Asked,
    solution: &Solution,
    worst: Option<Target>,
    best: Option<Target>,
) -> Result<(), Failure> {
    let launch = match asked {
        Asked::Workload(workload) => {
            workload.instance().or(solution.lines().map(Lines::instance)).map(Launch::from)
        }
        Asked::Grid(grid) => Some(Launch::from(grid)),
        Asked::OnMachine(on) => match &on.launch {
            MachineLaunch::Workload(workload) => Some(Launch::from(workload)),
            MachineLaunch::Grid(_) => None,
        },
    };
    let on_machine = matches!(asked, Asked::OnMachine(_));
    let none = |flag: &str| {
        let why = if on_machine {
            "no search has found one"
        } else {
            "it is too large (raise --memory-limit), or a grid runs a program"
        };
        Failure::usage(format!("{flag}: there is no schedule to write: {why}"))
    };
    let both =
        [(worst, solution.witness(), "--schedule"), (best, solution.best_witness(), "--best-schedule")];
    for (target, witness, flag) in both {
        let Some(target) = target else { continue };
        let Some((launch, witness)) = launch.zip(witness) else {
            if flag == "--best-schedule" && !on_machine && launch.is_some() {
                tell!("--best-schedule: nothing written, a limit was reached before it was found");
                continue;
            }
            return Err(none(flag));
        };
        let title = format!("{}: {} cycles", heading(asked), witness.makespan());
        write_schedule(target, launch, witness.schedule(), &title)?;
    }
    Ok(())
}

/// What was asked for, in a line.
fn heading(asked: &Asked) -> String {
    match asked {
        Asked::Workload(workload) => text::title(workload),
        Asked::Grid(grid) => text::grid_title(grid),
        Asked::OnMachine(on) => text::machine_heading(on),
    }
}

/// The number of warps of what was asked for.
fn warps(asked: &Asked) -> u64 {
    match asked {
        Asked::Workload(workload) => workload.total_warps(),
        Asked::Grid(grid) => grid.blocks() * grid.warps_per_block(),
        Asked::OnMachine(on) => match &on.launch {
            MachineLaunch::Workload(workload) => workload.total_warps(),
            MachineLaunch::Grid(grid) => grid.blocks() * grid.warps_per_block(),
        },
    }
}

/// The answer as it is printed.
fn printed(
    asked: &Asked,
    solution: &Solution,
    place: &Place,
    certificate: Option<&Certificate>,
    args: &SolveArgs,
) -> Result<String, Failure> {
    let notes = solution.notes().iter().map(|note| in_flags(&note.message()));
    let mut notes: Vec<String> = notes.chain(place.notes.iter().cloned()).collect();
    if let Some(certificate) = certificate {
        notes.extend(certificate::notes(certificate, solution.worst_case()));
    }
    if args.format == Format::Json {
        return line_of(place, Solve::new(asked, solution, &notes, args.with_schedule));
    }
    let text = match asked {
        Asked::Workload(workload) => solution_text(workload, solution, &notes),
        Asked::Grid(grid) => grid_text(grid, solution, &notes),
        Asked::OnMachine(on) => machine::text(on, solution, &notes),
    };
    Ok(folded(place.over(&text)))
}

/// Whether the solver takes what was asked for; the message names its place.
pub(crate) fn takes(solver: &Solver<'_>, place: &Place, asked: &Asked) -> Result<(), Failure> {
    solver.takes(subject(asked)).map_err(|error| {
        let failure = Failure::from(error);
        match &place.file {
            Some(file) => Failure { message: format!("{file}: {}", failure.message), ..failure },
            None => failure,
        }
    })
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

/// Refuses what asks for an engine or a schedule, where a workload has paths.
fn no_engine_is_asked_for(args: &SolveArgs, engine: &EngineChoice) -> Result<(), Failure> {
    let asked =
        [("an engine", *engine != EngineChoice::Auto), ("--best-schedule", args.best_schedule.is_some())];
    match asked.iter().rev().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(Failure::usage(format!(
            "a kernel has branches or loops, whose paths no engine searches: drop what asks for {what}"
        ))),
        None => Ok(()),
    }
}

/// The engine, with the options of the ILP.
#[cfg(feature = "highs")]
fn engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
    use warpspan_ilp::{Formulation, Horizon};

    let ilp = &args.ilp;
    let asked = ilp.plain
        || ilp.formulation.is_some()
        || ilp.horizon.is_some()
        || ilp.write_model.is_some()
        || ilp.solver_log.is_some();
    match plain_engine(args)? {
        EngineChoice::Auto | EngineChoice::Ilp(_) if asked => {}
        _ if asked => {
            return Err(Failure::usage(
                "only --engine ilp takes the options of the ILP: drop them or what asks for another engine",
            ));
        }
        engine => return Ok(engine),
    }
    for (path, endings) in [(&ilp.write_model, &["lp", "mps"][..]), (&ilp.solver_log, &[])] {
        let Some(path) = path else { continue };
        if args.instance.files.len() > 1 {
            return Err(Failure::usage(format!("{}: one file for several instances", path.display())));
        }
        if !endings.is_empty() {
            ending(path, endings)?;
        }
        Target::open(path)?;
    }
    Ok(EngineChoice::Ilp(Options {
        formulation: ilp.formulation.unwrap_or(Formulation::Aggregated),
        // as published means the paper's horizon too, unless another is asked for
        horizon: ilp.horizon.unwrap_or(if ilp.plain { Horizon::Paper } else { Horizon::Safe }),
        plain: ilp.plain,
        write_model: ilp.write_model.clone(),
        log: ilp.solver_log.clone(),
    }))
}

#[cfg(not(feature = "highs"))]
fn engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
    plain_engine(args)
}

/// The engine, but for the options of the ILP.
fn plain_engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
    let best = args.best_schedule.is_some();
    match (args.beam, args.engine) {
        (None, EngineArg::States) => Ok(EngineChoice::States),
        (None, EngineArg::Auto) if best => Ok(EngineChoice::States),
        _ if best => Err(Failure::usage("--best-schedule: only --engine states finds the best case")),
        (Some(width), _) => Ok(EngineChoice::Beam(width)),
        (None, EngineArg::Auto) => Ok(EngineChoice::Auto),
        (None, EngineArg::Ilp) => Ok(EngineChoice::Ilp(Options::DEFAULT)),
        (None, EngineArg::Phase) => Ok(EngineChoice::Phase),
    }
}
