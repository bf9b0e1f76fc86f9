//! `warpspan simulate`.

use crate::bound::Upper;
use crate::cli::args::Format;
use crate::cli::commands::simulate::args::SimulateArgs;
use crate::cli::commands::simulate::job::Job;
use crate::cli::commands::simulate::text::text as simulate_text;
use crate::cli::instances::playable;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::schedules::{target, write_on_machine, write_schedule};
use crate::cli::{Exit, Failure, progress, text};
use crate::engines::policy::{Policy, Range, holds, range, simulate, uppers, worst};
use crate::engines::portfolio::SolveError;
use crate::limits::Limits;
use crate::records::Simulate;

pub(in crate::cli) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let playable = playable(&args.instance)?;
    if let (Some(path), None) = (&args.schedule, args.policy.one()) {
        let what = "one file for all policies: want a --policy";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    let jobs = playable.into_iter().map(|(place, playable)| Job::new(place, playable, args));
    let jobs = jobs.collect::<Result<Vec<Job>, Failure>>()?;
    let mut file = args.schedule.as_ref().map(|path| target(path, jobs.len())).transpose()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let mut exit = Exit::Done;
    for job in &jobs {
        let Job { place, title, workload, scenario, policies, .. } = job;
        let mut runs = Vec::new();
        for &policy in policies.iter().filter(|&&policy| policy != Policy::Worst) {
            runs.push(simulate(workload, policy, scenario, &limits)?);
        }
        let range = known(job, &limits)?;
        if let Some(range) = &range {
            if policies.contains(&Policy::Worst) {
                runs.push(worst(workload, scenario, range)?);
            }
            runs.iter().try_for_each(|run| range.holds(run))?;
            if !range.worst.is_exact() {
                exit = Exit::Limit;
            }
        }
        let uppers =
            if job.on_machine { uppers(workload, scenario).map_err(SolveError::from)? } else { None };
        if let Some(uppers) = &uppers {
            runs.iter().try_for_each(|run| holds(run, uppers))?;
        }
        let upper = uppers.map(|uppers| [uppers.makespan, uppers.completion].map(Upper::cycles));
        print(&match args.format {
            Format::Text => {
                let told = simulate_text(job, &runs, range.as_ref(), upper);
                place.over(&(told + &text::notes(&place.notes)))
            }
            Format::Json => {
                let record = job.record.clone();
                let upper = upper.map(|[issue, _]| issue);
                let record = Simulate::new(record, workload, scenario, &runs, range.as_ref(), upper);
                line_of(place, record.with_notes(place.notes.clone()))?
            }
        })?;
        match (file.take(), &runs[..], &job.instance) {
            (Some(file), [run], _) if job.on_machine => {
                write_on_machine(file, workload, &run.machine_schedule())?;
            }
            (Some(file), [run], Some(instance)) => {
                let title = format!("{title}, {}: {} cycles", run.policy, run.makespan());
                write_schedule(file, instance, &run.schedule(), &title)?;
            }
            _ => {}
        }
    }
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
