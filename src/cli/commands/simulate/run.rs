//! `warpspan simulate`.

use crate::cli::args::Format;
use crate::cli::commands::simulate::args::SimulateArgs;
use crate::cli::commands::simulate::text::text as simulate_text;
use crate::cli::instances::instances;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::schedules::{target, write_schedule};
use crate::cli::{Exit, Failure, progress, text};
use crate::engines::policy::{Machine, Policy, Range, range, simulate, worst};
use crate::limits::Limits;
use crate::model::{Instance, PerUnit, Unit};
use crate::records::Simulate;

pub(in crate::cli) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let instances = instances(&args.instance)?;
    let asked = args.policy.one();
    if let (Some(path), None) = (&args.schedule, asked) {
        let what = "one file for all policies: want a --policy";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    let mut machines = Vec::new();
    for (place, (workload, instance)) in &instances {
        let machine = machine(args, instance);
        let policies = policies(asked, &machine, instance)?;
        machines.push((place, workload, instance, machine, policies));
    }
    let mut file = args.schedule.as_ref().map(|path| target(path, instances.len())).transpose()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let mut exit = Exit::Done;
    for (place, workload, instance, machine, policies) in &machines {
        let mut runs = Vec::new();
        for &policy in policies.iter().filter(|&&policy| policy != Policy::Worst) {
            runs.push(simulate(instance, policy, machine, &limits)?);
        }
        let range = known(&text::title(workload), instance, machine, &limits)?;
        if let Some(range) = &range {
            if policies.contains(&Policy::Worst) {
                runs.push(worst(instance, machine, range)?);
            }
            runs.iter().try_for_each(|run| range.holds(run))?;
            if !range.worst.is_exact() {
                exit = Exit::Limit;
            }
        }
        print(&match args.format {
            Format::Text => place.over(
                &(simulate_text(workload, machine, &runs, range.as_ref()) + &text::notes(&place.notes)),
            ),
            Format::Json => {
                let notes = place.notes.clone();
                line_of(place, Simulate::new((*workload).into(), machine, &runs, range.as_ref(), notes))?
            }
        })?;
        if let (Some(file), [run]) = (file.take(), &runs[..]) {
            let title = format!("{}, {}: {} cycles", text::title(workload), run.policy, run.makespan());
            write_schedule(file, instance, &run.schedule, &title)?;
        }
    }
    Ok(exit)
}

fn machine(args: &SimulateArgs, instance: &Instance) -> Machine {
    let model = Machine::of_model(instance);
    Machine {
        width: args.issue_width,
        latency: PerUnit::from_fn(|unit| match unit {
            Unit::LoadStore => args.latency_l,
            Unit::CudaCore => args.latency_c,
        }),
        launch: args.launch.clone().unwrap_or(model.launch),
        priority: args.priority.clone().unwrap_or(model.priority),
        schedulers: args.schedulers,
        seed: args.seed,
    }
}

/// The policy asked for, or all that suit the machine.
fn policies(asked: Option<Policy>, machine: &Machine, instance: &Instance) -> Result<Vec<Policy>, Failure> {
    let suits = |policy: Policy| machine.suits(instance, policy).map_err(Failure::from);
    if let Some(policy) = asked {
        suits(policy)?;
        return Ok(vec![policy]);
    }
    suits(Policy::Lrr)?;
    if let Err(why) = suits(Policy::RtPaws) {
        eprintln!("warpspan: left out: {}", why.message); // the adversary outside the model goes without saying
    }
    Ok(Policy::ALL.into_iter().filter(|&policy| suits(policy).is_ok()).collect())
}

/// What is known of the best and the worst case; nothing outside the model.
fn known(
    title: &str,
    instance: &Instance,
    machine: &Machine,
    limits: &Limits,
) -> Result<Option<Range>, Failure> {
    if !machine.is_within_model() {
        return Ok(None);
    }
    let spinner = progress::spinner(title);
    let range = range(instance, limits, Some(&|state| progress::show(&spinner, title, state)));
    spinner.finish_and_clear();
    Ok(Some(range?))
}
