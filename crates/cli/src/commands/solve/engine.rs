//! Which engine `solve` asks, with the options of the ILP.

use crate::Failure;
use crate::args::solve::{EngineArg, SolveArgs};
#[cfg(feature = "highs")]
use crate::output::{Target, ending};
use warpspan_ilp::Options;
use warpspan_solver::portfolio::EngineChoice;

/// Refuses what asks for an engine or a schedule, where a workload has paths.
pub(super) fn no_engine_is_asked_for(args: &SolveArgs, engine: &EngineChoice) -> Result<(), Failure> {
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
pub(super) fn engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
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
pub(super) fn engine(args: &SolveArgs) -> Result<EngineChoice, Failure> {
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
