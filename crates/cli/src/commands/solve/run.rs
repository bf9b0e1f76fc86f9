//! `warpspan solve`.

use std::path::PathBuf;

use crate::args::Format;
use crate::commands::solve::args::{EngineArg, SolveArgs};
use crate::commands::solve::text::{grid_solution as grid_text, solution as solution_text};
use crate::commands::solve::{certificate, machine};
use crate::flags::in_flags;
use crate::instances::{Place, asked};
use crate::output::print;
#[cfg(feature = "highs")]
use crate::output::{Target, ending};
use crate::record::line_of;
use crate::schedules::{target, write_grid, write_witness};
use crate::screen::folded;
use crate::summary::{Row, Summary};
use crate::{Exit, Failure, certificates, progress, text};
use warpspan_check::schedule::Lines;
use warpspan_engines::certificate::Certificate;
use warpspan_ilp::Options;
use warpspan_kernel::input::{Asked, MachineLaunch};
use warpspan_model::limits::{Ending, Stop};
use warpspan_model::{Grid, Workload};
use warpspan_records::Solve;
use warpspan_solver::portfolio::{EngineChoice, GridSolution, Progress, Solution, SolveError, Solver};

/// What was asked for, and the answer to it.
enum Answer<'a> {
    Workload(&'a Workload, Box<Solution>),
    Grid(&'a Grid, Box<GridSolution>),
}

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
    let (mut worst, mut best) = (target(&args.schedule)?, target(&args.best_schedule)?);
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
        let answer = match asked {
            Asked::Workload(workload) => Answer::workload(workload, &solver)?,
            Asked::Grid(grid) => Answer::grid(grid, &solver)?,
            Asked::OnMachine(on) => {
                // There are targets for one instance only.
                let targets = [worst.take(), best.take()];
                let (found, interrupted, row) = machine::solve(on, place, args, &solver, targets)?;
                exit = exit.max(found);
                summary.add(row);
                if interrupted {
                    break;
                }
                continue;
            }
        };
        let proof = match (&answer, proved.take()) {
            (Answer::Workload(workload, solution), Some(target)) => {
                Some((target, certificate::certificate(workload, solution)?))
            }
            (Answer::Grid(grid, solution), Some(target)) => {
                Some((target, certificate::of_grid(grid, solution)?))
            }
            (_, None) => None,
        };
        print(&answer.printed(place, proof.as_ref().map(|(_, certificate)| certificate), args)?)?;
        if let Some((target, certificate)) = proof {
            certificates::write(target, &certificate)?;
        }
        let (worst_case, ending, warps, elapsed) = match &answer {
            Answer::Workload(workload, solution) => {
                (solution.worst_case(), solution.ending(), workload.total_warps(), solution.elapsed())
            }
            Answer::Grid(grid, solution) => {
                let warps = grid.blocks() * grid.warps_per_block();
                (solution.worst_case(), solution.ending(), warps, solution.elapsed())
            }
        };
        summary.add(Row::new(warps, worst_case, elapsed));
        if !worst_case.is_exact() {
            exit = Exit::Limit;
        }
        last = Some(answer);
        if ending == Ending::Stopped(Stop::Interrupted) {
            break;
        }
    }
    if args.format == Format::Text {
        summary.print(asked.iter().map(|(place, _)| place))?;
    }
    let none = || {
        let what = "--schedule: there is no schedule to write: it is too large (raise --memory-limit), or a grid runs a program";
        Failure::usage(what)
    };
    match last {
        None => {}
        Some(Answer::Grid(grid, solution)) => {
            if let Some(target) = worst {
                write_grid(target, grid, solution.witness().ok_or_else(none)?)?;
            }
        }
        Some(Answer::Workload(workload, solution)) => {
            let Some(instance) = workload.instance().or(solution.lines().map(Lines::instance)) else {
                return if worst.is_some() { Err(none()) } else { Ok(exit) };
            };
            if let Some(target) = worst {
                write_witness(target, workload, instance, solution.witness().ok_or_else(none)?)?;
            }
            if let Some(target) = best {
                match solution.best_witness() {
                    Some(witness) => write_witness(target, workload, instance, witness)?,
                    None => {
                        tell!("--best-schedule: nothing written, a limit was reached before it was found")
                    }
                }
            }
        }
    }
    Ok(exit)
}

impl<'a> Answer<'a> {
    fn workload(workload: &'a Workload, solver: &Solver<'_>) -> Result<Self, SolveError> {
        let solution = watched(&text::title(workload), solver, |solver| solver.solve(workload))?;
        Ok(Self::Workload(workload, Box::new(solution)))
    }

    fn grid(grid: &'a Grid, solver: &Solver<'_>) -> Result<Self, SolveError> {
        let solution = watched(&text::grid_title(grid), solver, |solver| solver.solve_grid(grid))?;
        Ok(Self::Grid(grid, Box::new(solution)))
    }

    /// The answer as it is printed.
    fn printed(
        &self,
        place: &Place,
        certificate: Option<&Certificate>,
        args: &SolveArgs,
    ) -> Result<String, Failure> {
        let notes = match self {
            Self::Workload(_, solution) => solution.notes(),
            Self::Grid(_, solution) => solution.notes(),
        };
        let notes = notes.iter().map(|note| in_flags(&note.message()));
        let mut notes: Vec<String> = notes.chain(place.notes.iter().cloned()).collect();
        if let Some(certificate) = certificate {
            let worst = match self {
                Self::Workload(_, solution) => solution.worst_case(),
                Self::Grid(_, solution) => solution.worst_case(),
            };
            notes.extend(certificate::notes(certificate, worst));
        }
        match (self, args.format) {
            (Self::Workload(workload, solution), Format::Text) => {
                Ok(folded(place.over(&solution_text(workload, solution, &notes))))
            }
            (Self::Grid(grid, solution), Format::Text) => {
                Ok(folded(place.over(&grid_text(grid, solution, &notes))))
            }
            (Self::Workload(workload, solution), Format::Json) => {
                line_of(place, Solve::new(workload, solution, &notes, args.with_schedule))
            }
            (Self::Grid(grid, solution), Format::Json) => {
                line_of(place, Solve::of_grid(grid, solution, &notes, args.with_schedule))
            }
        }
    }
}

/// Whether the solver takes what was asked for; the message names its place.
pub(crate) fn takes(solver: &Solver<'_>, place: &Place, asked: &Asked) -> Result<(), Failure> {
    let taken = match asked {
        Asked::Workload(workload) => solver.takes(workload),
        Asked::Grid(grid) => solver.takes_grid(grid),
        Asked::OnMachine(on) => match &on.launch {
            MachineLaunch::Workload(workload) => solver.takes_on_machine(workload),
            MachineLaunch::Grid(grid) => solver.takes_grid_on_machine(grid),
        },
    };
    taken.map_err(|error| {
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
