//! `warpspan simulate`.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use crate::cli::args::{Format, PolicyArg, SimulateArgs};
use crate::cli::instances::instances;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::solve::{show, target, write_schedule};
use crate::cli::{Exit, Failure, progress, text};
use crate::engines::policy::{Machine, Policy, Range, Run, RunError, range, simulate, worst};
use crate::limits::Limits;
use crate::model::{Instance, PerUnit, Unit, Workload};
use crate::records::Simulate;

pub(super) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let instances = instances(&args.instance)?;
    let asked = policy(args.policy);
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
            Format::Text => {
                place.over(&(table(workload, machine, &runs, range.as_ref()) + &text::notes(&place.notes)))
            }
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

/// The one policy asked for, or all.
fn policy(asked: PolicyArg) -> Option<Policy> {
    match asked {
        PolicyArg::Lrr => Some(Policy::Lrr),
        PolicyArg::Gto => Some(Policy::Gto),
        PolicyArg::Oldest => Some(Policy::Oldest),
        PolicyArg::RtPaws => Some(Policy::RtPaws),
        PolicyArg::Random => Some(Policy::Random),
        PolicyArg::Worst => Some(Policy::Worst),
        PolicyArg::All => None,
    }
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
    let suits = |policy: Policy| -> Result<(), Failure> {
        machine.suits(instance, policy).map_err(|why| RunError::from(why).into())
    };
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
    let range = range(instance, limits, Some(&|state| show(&spinner, title, state)));
    spinner.finish_and_clear();
    Ok(Some(range?))
}

/// The runs and the range for a person to read.
fn table(workload: &Workload, machine: &Machine, runs: &[Run], range: Option<&Range>) -> String {
    let groups = workload.groups().len();
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut header = vec!["policy".to_owned(), "makespan".to_owned()];
    if groups > 1 {
        header.extend((1..=groups).map(|group| format!("group {group}")));
        header.push("average".to_owned());
    }
    header.extend(["idle slots", "in the model"].map(str::to_owned));
    let columns = header.len();
    table.set_header(header);
    for run in runs {
        let mut row = vec![run.policy.to_string(), run.makespan().to_string()];
        if groups > 1 {
            row.extend(run.completions.iter().map(ToString::to_string));
            row.push(format!("{:.1}", run.average()));
        }
        row.push(run.idle_slots.to_string());
        row.push(if run.within_model { "yes" } else { "no" }.to_owned());
        table.add_row(row);
    }
    for column in 1..columns - 1 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = format!("{}\n{}\n\n{table}\n", text::heading(workload), described(machine));
    let Some(range) = range else {
        out.push_str(
            "no best and worst case: they are of the model, in which units are filled each cycle, latencies are 1 and all \
             warps are there in cycle 1\n",
        );
        return out;
    };
    if let Some(best) = range.best {
        let _ = writeln!(out, "best case   {best} cycles");
    }
    let (lower, upper) = (range.worst.lower().cycles(), range.worst.upper().cycles());
    let _ = match range.worst.is_exact() {
        true => writeln!(out, "worst case  {upper} cycles, exact"),
        false => {
            writeln!(out, "worst case  between {lower} and {upper} cycles ({})", text::stop(range.ending))
        }
    };
    out
}

/// The machine in a line.
fn described(machine: &Machine) -> String {
    let list = |values: &[u64]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let plural = if machine.schedulers == 1 { "" } else { "s" };
    format!(
        "{} scheduler{plural}, issue width {}, latency L {}, C {}, launch {}, priority {}, seed {}",
        machine.schedulers,
        machine.width.name(),
        machine.latency[Unit::LoadStore],
        machine.latency[Unit::CudaCore],
        list(&machine.launch),
        list(&machine.priority),
        machine.seed
    )
}
