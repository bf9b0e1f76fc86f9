//! `warpspan solve`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar};

use crate::cli::args::{EngineArg, Format, SolveArgs};
use crate::cli::instances::workloads;
use crate::cli::output::{Target, print};
use crate::cli::record::line_of;
use crate::cli::{Exit, Failure, no_drawings, progress, text};
use crate::engines::ilp::Options;
use crate::engines::portfolio::{EngineChoice, Progress, Solver};
use crate::limits::{Ending, Stop};
use crate::model::{Instance, Workload};
use crate::records::Solve;
use crate::schedule::{Schedule, Witness, write_csv, write_json};

pub(super) fn run(args: &SolveArgs) -> Result<Exit, Failure> {
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
        let observer = |state: Progress| show(&spinner, &title, state);
        let solution = solver.clone().on_progress(&observer).solve(workload);
        spinner.finish_and_clear();
        let solution = solution?;
        let notes = solution.notes().iter().map(ToString::to_string);
        let notes: Vec<String> = notes.chain(place.notes.iter().cloned()).collect();
        print(&match args.format {
            Format::Text => place.over(&text::solution(workload, &solution, &notes)),
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
    use crate::cli::args::FormulationArg;
    use crate::engines::ilp::{Formulation, Horizon};

    let ilp = &args.ilp;
    let formulation = ilp.formulation.map(|formulation| match formulation {
        FormulationArg::Short => Formulation::Short,
        FormulationArg::Long => Formulation::Long,
        FormulationArg::Aggregated => Formulation::Aggregated,
    });
    let asked = ilp.plain
        || formulation.is_some()
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
        if !endings.is_empty() && !endings.contains(&Target::extension(path).as_str()) {
            return Err(Failure::usage(format!("{}: want a name that ends in .lp or .mps", path.display())));
        }
        Target::open(path)?;
    }
    Ok(EngineChoice::Ilp(Options {
        formulation: formulation.unwrap_or(Formulation::Aggregated),
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

/// Says on the spinner where an engine stands.
pub(super) fn show(spinner: &ProgressBar, title: &str, state: Progress) {
    let number = |value: Option<u64>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
    spinner.set_message(match state {
        Progress::Tree { nodes, found, bound } => {
            format!("{title}: found {}, at most {}, {nodes} nodes", number(found), number(bound))
        }
        Progress::Beam { states, cycle } => {
            format!("{title}: {} states, up to cycle {cycle}", HumanCount(states))
        }
        Progress::States(state) => {
            let rate = HumanCount(rate(state.done, spinner.elapsed()));
            let (done, total) = (HumanCount(state.done), HumanCount(state.total));
            progress::share(spinner, state.share);
            format!("{title}: {done} states of {total}, {rate}/s")
        }
    });
}

fn rate(done: u64, elapsed: Duration) -> u64 {
    u64::try_from(u128::from(done) * 1000 / elapsed.as_millis().max(1)).unwrap_or(u64::MAX)
}

/// The file of a schedule, opened, and the ending of its name.
pub(super) fn target(path: &std::path::Path, instances: usize) -> Result<(Target, String), Failure> {
    let ending = Target::extension(path);
    if !["csv", "json", "svg"].contains(&ending.as_str()) {
        return Err(Failure::usage(format!(
            "{}: want a name that ends in .csv, .json or .svg",
            path.display()
        )));
    }
    if instances > 1 {
        return Err(Failure::usage(format!("{}: one file for {instances} instances", path.display())));
    }
    if ending == "svg" && cfg!(not(feature = "figures")) {
        return Err(no_drawings());
    }
    Ok((Target::open(path)?, ending))
}

fn write_witness(
    target: (Target, String),
    workload: &Workload,
    instance: &Instance,
    witness: &Witness,
) -> Result<(), Failure> {
    let title = format!("{}: {} cycles", text::title(workload), witness.makespan());
    write_schedule(target, instance, witness.schedule(), &title)
}

/// Writes a schedule by the ending of the file's name.
#[cfg_attr(not(feature = "figures"), expect(unused_variables, reason = "only drawings have a title"))]
pub(super) fn write_schedule(
    (target, ending): (Target, String),
    instance: &Instance,
    schedule: &Schedule,
    title: &str,
) -> Result<(), Failure> {
    target.write(|mut out: &mut dyn Write| match ending.as_str() {
        "csv" => write_csv(instance, schedule, &mut out),
        #[cfg(feature = "figures")]
        "svg" => out.write_all(crate::figures::warps(instance, schedule, title).as_bytes()),
        _ => write_json(instance, schedule, &mut out),
    })
}
