//! Code with several paths: an upper bound from its program, and a lower bound from paths that are walked.
//!
//! The worst case of a program is that over all paths of its warps. The paths of a program cover those of the
//! code it stands for, but the data of the code may keep it from taking some of them, and it may leave out
//! letters that were counted to be safe. The lower end is therefore one for the program, which a note says.
//!
//! A path is chosen for each group, or two for the pack and the straggler of one group. The judge of
//! [`warpspan_check::schedule`] walks the program along them and writes their letters down, a schedule of these letters
//! is replayed, and only then its length is a lower bound.

use crate::portfolio::closed_form::ClosedForm;
use crate::portfolio::engine::{Engine, Run};
use crate::portfolio::findings::{Claim, Found, Length};
use crate::portfolio::task::Task;
use crate::portfolio::{
    Disagreement, EngineChoice, EngineName, Note, Phase, Row, Solution, SolveError, Value, guided, segments,
};
use warpspan_check::bound::{Interval, Lower, Theorem};
use warpspan_check::schedule::{Lines, LinesError, Schedule, Witness};
use warpspan_check::seal::SEAL;
use warpspan_engines::phase;
use warpspan_engines::program::{Choice, bound, choices, demand};
use warpspan_model::limits::{Instant, Limits, NotExact};
use warpspan_model::{Cycles, Instance, Workload};

/// The most letters of all warps that are written out and replayed.
const MOST_LETTERS: u64 = 1 << 22;

/// The most letters times warps for which schedules are simulated, where no theorem names one.
const MOST_SIMULATED: u64 = 5_000_000;

/// The most letters of each of two warps whose longest schedule is looked for.
const MOST_OF_A_PAIR: usize = 4_096;

/// The interval of a workload.
///
/// # Errors
/// If a program has no bound, or two sources disagree.
pub(super) fn of_paths(workload: &Workload, limits: &Limits) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let bound = bound(workload)?;
    let choices = choices(workload, bound.theta)?;
    let fullest = bottleneck(workload, &choices)?;
    let mut found = Found::new(Interval::new(fullest, bound.makespan).map_err(Disagreement::from)?);
    for choice in &choices {
        narrow(workload, choice, &mut found, limits)?;
    }
    found.phase = Some(Phase {
        rates: bound.rates,
        labels: Vec::new(),
        theta: bound.theta,
        upper: bound.makespan.cycles(),
    });
    found.notes.extend(bound.assumes.into_iter().map(Note::Assumed));
    found.notes.push(Note::OfProgram);
    let ending = found.or_proved(NotExact::Paths);
    Ok(Solution::new(EngineName::Program, found, ending).after(start.elapsed()))
}

/// Raises the lower end to the longest schedule known of some paths.
fn narrow(
    workload: &Workload,
    choice: &Choice,
    found: &mut Found,
    limits: &Limits,
) -> Result<(), SolveError> {
    let most = MOST_LETTERS.min(limits.memory / BYTES_A_LETTER);
    let fits = |letters: &u64| *letters <= most;
    let lines = match choice.letters.filter(fits) {
        Some(_) => walked(workload, choice, most)?,
        None => None,
    };
    let Some(lines) = lines else {
        if let Some(cycles) = choice.attains {
            let lower = Lower::proved(cycles, Theorem::PathClosedForm, SEAL);
            found.interval = found.interval.at_least(lower).map_err(Disagreement::from)?;
        }
        found.notes.push(Note::UnreplayedPaths);
        return Ok(());
    };
    let Some(witness) = longest(&lines, choice, limits)? else {
        found.notes.push(Note::UnreplayedPaths);
        return Ok(());
    };
    let replayed = witness.makespan();
    if let Some(claimed) = choice.attains.filter(|&claimed| claimed != replayed) {
        let engine = EngineName::Program;
        return Err(Disagreement::Makespan { engine, claimed, replayed }.into());
    }
    let known = found.interval.lower();
    // A schedule is better evidence than a formula of the same value.
    if replayed > known.cycles() || replayed == known.cycles() && known.theorem() != Theorem::Schedule {
        let lower = Lower::replayed(&witness);
        found.interval = Interval::new(lower, found.interval.upper()).map_err(Disagreement::from)?;
        (found.witness, found.lines) = (Some(witness), Some(lines));
    }
    Ok(())
}

/// The lines of paths, unless they are too long to write down. A line may hold more barriers than letters.
fn walked(workload: &Workload, choice: &Choice, most: u64) -> Result<Option<Lines>, SolveError> {
    match Lines::walk(workload, &choice.taken, usize::try_from(most).unwrap_or(usize::MAX)) {
        Ok(lines) => Ok(Some(lines)),
        Err(LinesError::TooLong(_)) => Ok(None),
        Err(why) => {
            let why = Box::new(why);
            Err(Disagreement::Path { engine: EngineName::Program, why }.into())
        }
    }
}

/// What the fullest unit needs if each warp takes the path with the most letters for it, or the letters of the
/// longest path.
fn bottleneck(workload: &Workload, choices: &[Choice]) -> Result<Lower, SolveError> {
    let fullest = demand(workload)?.bottleneck();
    let longest = choices.iter().map(|choice| Cycles(choice.longest)).max().unwrap_or_default();
    Ok(if longest > fullest.cycles() { Lower::proved(longest, Theorem::Bottleneck, SEAL) } else { fullest })
}

/// The bounds of a workload whose code has several paths as rows of a table, and what is assumed of the code.
///
/// # Errors
/// If a program has no bound.
pub fn table_of_paths(workload: &Workload) -> Result<(Vec<Row>, Vec<Note>), SolveError> {
    let bound = bound(workload)?;
    let choices = choices(workload, bound.theta)?;
    let more = Value::Phase {
        rates: bound.rates.iter().map(ToString::to_string).collect(),
        labels: vec![],
        finish: bound.finish,
    };
    let mut rows =
        vec![Row::upper("program", bound.makespan, "phase bound of structured programs").with(more)];
    if let Some(cycles) = choices.iter().filter_map(|choice| choice.attains).max() {
        let lower = Lower::proved(cycles, Theorem::PathClosedForm, SEAL);
        rows.push(Row::lower("paths", lower, "I(z) + (W-1) a(p) of paths z, p; attained"));
    }
    let source = "max of W I_U / sigma_U over paths, or I";
    rows.push(Row::lower("bottleneck", bottleneck(workload, &choices)?, source));
    let notes = bound.assumes.into_iter().map(Note::Assumed).chain([Note::OfProgram]);
    Ok((rows, notes.collect()))
}

/// The number of bytes that a letter takes while its schedule is built and replayed.
const BYTES_A_LETTER: u64 = 64;

/// A long schedule of lines, replayed: the one of the theorem where one applies, or else the longest of those
/// that are simulated.
fn longest(lines: &Lines, choice: &Choice, limits: &Limits) -> Result<Option<Witness>, SolveError> {
    let instance = lines.instance();
    if let ([pack, straggler], Some(claimed)) = (instance.groups(), choice.attains) {
        let issues = phase::held_back(&pack.kernel, pack.warps, &straggler.kernel);
        let claim = Claim::new(EngineName::Program, Schedule::new(issues.collect()));
        return Ok(Some(claim.of(Length::Exactly(claimed)).replayed(instance)?));
    }
    if phase::applies(instance).is_ok() && is_quick(instance) {
        return Ok(ClosedForm.solve(instance, Run { limits, observer: None })?.0.witness);
    }
    if let Some(parts) = instance.segments().filter(|parts| parts.len() > 1)
        && parts.iter().all(|part| phase::applies(part).is_ok() && is_quick(part))
    {
        let task = Task::quiet(&EngineChoice::Phase, limits);
        return Ok(segments::solve(instance, &parts, &task)?.found.witness);
    }
    if instance.total_issues().saturating_mul(instance.total_warps()) > MOST_SIMULATED {
        return Ok(None);
    }
    let mut found = Found::simulated(instance, limits)?;
    if !instance.has_barriers() {
        guided::policies(instance, &mut found, &phase::bound(instance), limits)?;
    }
    Ok(found.witness)
}

/// Whether the closed form of an instance finds its schedule at once. The pairs of positions of two warps are
/// too many if their kernel is long.
fn is_quick(instance: &Instance) -> bool {
    instance.total_warps() != 2 || instance.groups()[0].kernel.len() <= MOST_OF_A_PAIR
}
