//! `warpspan simulate`.

use crate::args::simulate::{Policies, SimulateArgs};
use crate::commands::simulate::chart::Drawings;
use crate::commands::simulate::job::Job;
use crate::document::answer_at;
use crate::instances::playable;
use crate::output::extension;
use crate::{Exit, Failure, progress};
use warpspan_check::bound::Upper;
use warpspan_document::simulate::document;
use warpspan_launch::flags::flag;
use warpspan_model::limits::Limits;
use warpspan_model::source::Message;
use warpspan_records::Simulate;
use warpspan_solver::extremes::{Range, holds, range, uppers, worst};
use warpspan_solver::policy::{Policy, RunError, simulate};
use warpspan_solver::portfolio::SolveError;

pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let playable = playable(&args.instance)?;
    if let Some(path) = &args.schedule
        && extension(path) != "svg"
        && Policies::named(&args.policy).len() != 1
    {
        let what = "one file for several policies: want a single --policy, or a drawing (.svg)";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    let jobs = playable.into_iter().map(|(place, playable)| Job::new(place, playable, args));
    let jobs = jobs.collect::<Result<Vec<Job>, Failure>>()?;
    let (schedule, chart) = (args.schedule.as_deref(), args.chart.as_deref());
    let mut drawings = Drawings::open(schedule, chart, jobs.len())?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let mut exit = Exit::Done;
    for job in &jobs {
        let Job { place, workload, scenario, policies, .. } = job;
        let (mut runs, mut rests) = (Vec::new(), place.rests.clone());
        for &policy in policies.iter().filter(|&&policy| policy != Policy::Worst) {
            match simulate(workload, policy, scenario, &limits) {
                Err(stopped @ RunError::Stopped { .. }) => rests.notes.push(Message::text(&stopped)),
                run => runs.push(run?),
            }
        }
        let range = known(job, &limits)?;
        let is_whole = rests.notes.len() == place.rests.notes.len();
        if !is_whole {
            exit = Exit::Limit;
        }
        if let Some(range) = &range {
            if policies.contains(&Policy::Worst) {
                match worst(workload, scenario, range) {
                    Err(RunError::TooLarge(_)) if !is_whole => {
                        rests.notes.push("worst: stopped by a limit: its run is not known".into());
                    }
                    run => runs.push(run?),
                }
            }
            runs.iter().try_for_each(|run| range.holds(run))?;
            if !range.worst.is_exact() {
                exit = Exit::Limit;
            }
        }
        if runs.iter().any(|run| scenario.is_read(run.policy)) {
            rests.notes.push(scenario.reading.note().into());
        }
        let uppers =
            if job.on_machine { uppers(workload, scenario).map_err(SolveError::from)? } else { None };
        if let Some(uppers) = &uppers {
            runs.iter().try_for_each(|run| holds(run, uppers))?;
        }
        let upper = uppers.map(|uppers| [uppers.makespan, uppers.completion].map(Upper::cycles));
        let record = Simulate::new(job.record.clone(), workload, scenario, &runs, range.as_ref(), upper);
        let record = record.resting_on(&rests, flag);
        answer_at(place, args.format, record, document)?;
        if !is_whole {
            return Ok(exit); // the limits are for all instances, and half of the runs are not drawn
        }
        drawings.add(job, &runs)?;
    }
    drawings.finish(&jobs)?;
    Ok(exit)
}

/// What is known of the best and the worst case; nothing outside the model.
fn known(job: &Job, limits: &Limits) -> Result<Option<Range>, Failure> {
    let Some(instance) = &job.instance else { return Ok(None) };
    if !job.scenario.is_within_model(&job.workload) {
        return Ok(None);
    }
    let spinner = progress::spinner(&job.title);
    let range = range(instance, limits, Some(&|state| progress::show(&spinner, &job.title, state)));
    spinner.finish_and_clear();
    Ok(Some(range?))
}
