//! `warpspan solve`.

use std::path::PathBuf;

use crate::cli::args::Format;
use crate::cli::commands::solve::args::{EngineArg, SolveArgs};
use crate::cli::commands::solve::text::solution as solution_text;
use crate::cli::flags::in_flags;
use crate::cli::instances::workloads;
use crate::cli::output::print;
#[cfg(feature = "highs")]
use crate::cli::output::{Target, ending};
use crate::cli::record::line_of;
use crate::cli::schedules::{target, write_witness};
use crate::cli::{Exit, Failure, progress, text};
use crate::engines::ilp::Options;
use crate::engines::portfolio::{EngineChoice, Progress, Solver};
use crate::limits::{Ending, Stop};
use crate::records::Solve;

pub(in crate::cli) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let workloads = workloads(&args.instance)?;
    let engine = engine(args)?;
    let target = |path: &Option<PathBuf>| path.as_ref().map(|path| target(path, workloads.len())).transpose();
    if workloads.iter().any(|(_, workload)| workload.instance().is_none()) {
        no_engine_is_asked_for(args, &engine)?;
    }
    let (worst, best) = (target(&args.schedule)?, target(&args.best_schedule)?);
    let limits = args.limits.limits().map_err(Failure::internal)?;

    let solver = Solver::new().engine(engine).limits(&limits);
    let mut exit = Exit::Done;
    let mut last = None;
    for (place, workload) in &workloads {
        let title = text::title(workload);
        let spinner = progress::spinner(&title);
        let observer = |state: Progress| progress::show(&spinner, &title, state);
        let solution = solver.clone().on_progress(&observer).solve(workload);
        spinner.finish_and_clear();
        let solution = solution?;
        let notes = solution.notes().iter().map(|note| in_flags(&note.message()));
        let notes: Vec<String> = notes.chain(place.notes.iter().cloned()).collect();
        print(&match args.format {
            Format::Text => place.over(&solution_text(workload, &solution, &notes)),
            Format::Json => line_of(place, Solve::new(workload, &solution, &notes, args.with_schedule))?,
        })?;
        if !solution.worst_case().is_exact() {
            exit = Exit::Limit;
        }
        let interrupted = solution.ending() == Ending::Stopped(Stop::Interrupted);
        if let Some(instance) = workload.instance() {
            last = Some((workload, instance, solution));
        }
        if interrupted {
            break;
        }
    }
    let Some((workload, instance, solution)) = last else { return Ok(exit) };
    if let Some(target) = worst {
        let none = "--schedule: the schedule is too large to write; raise --memory-limit";
        let witness = solution.witness().ok_or_else(|| Failure::usage(none))?;
        write_witness(target, workload, instance, witness)?;
    }
    if let Some(target) = best {
        match solution.best_witness() {
            Some(witness) => write_witness(target, workload, instance, witness)?,
            None => eprintln!(
                "warpspan: --best-schedule: nothing written, a limit was reached before it was found"
            ),
        }
    }
    Ok(exit)
}

/// Refuses what asks for an engine or a schedule, where a workload has paths.
fn no_engine_is_asked_for(args: &SolveArgs, engine: &EngineChoice) -> Result<(), Failure> {
    let asked = [
        ("an engine", *engine != EngineChoice::Auto),
        ("--schedule", args.schedule.is_some()),
        ("--with-schedule", args.with_schedule),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(Failure::usage(format!(
            "a kernel has branches or loops, so there is a bound only, from no engine and without a schedule: drop what asks for {what}"
        ))),
        None => Ok(()),
    }
}

/// The engine, with the options of the ILP.
#[cfg(feature = "highs")]
fn engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
    use crate::engines::ilp::{Formulation, Horizon};

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
