//! From the arguments to what is simulated.

use crate::Failure;
use crate::args::simulate::{Policies, SimulateArgs};
use crate::instances::Playable;
use crate::output::extension;
use crate::place::Place;
use warpspan_document::subject::title;
use warpspan_model::machine::MachineWorkload;
use warpspan_model::{Instance, PerUnit, Unit};
use warpspan_records as records;
use warpspan_solver::policy::{Policy, Scenario, instance_of, on_units};

/// A workload, how it is simulated, and the notes on it.
pub(super) struct Job {
    pub(super) place: Place,
    pub(super) title: String,
    /// What the record says of the workload.
    pub(super) record: records::Instance,
    /// Whether it is simulated on its own machine, and not on that of the flags.
    pub(super) on_machine: bool,
    /// The instance of L and C that it is, if any.
    pub(super) instance: Option<Instance>,
    pub(super) workload: MachineWorkload,
    pub(super) scenario: Scenario,
    pub(super) policies: Vec<Policy>,
}

impl Job {
    pub(super) fn new(place: Place, playable: Playable, args: &SimulateArgs) -> Result<Self, Failure> {
        let on_machine = matches!(playable, Playable::OnMachine(..));
        let (record, instance, workload): (records::Instance, _, _) = match playable {
            Playable::Paper(paper) => {
                not_of_the_paper(args)?;
                let (workload, instance) = *paper;
                let played = on_paper(args, &instance)?;
                ((&workload).into(), Some(instance), played)
            }
            Playable::OnMachine(on, workload) => {
                not_of_a_machine(args)?;
                ((&*on).into(), instance_of(&workload), workload)
            }
        };
        let of = Scenario::of(&workload);
        let scenario = Scenario {
            launch: args.launch.clone().unwrap_or(of.launch),
            priority: args.priority.clone().unwrap_or(of.priority),
            latency: args.latency.unwrap_or_default(),
            seed: args.seed,
            reading: args.reading.unwrap_or_default(),
        };
        let policies = policies(&Policies::named(&args.policy), &workload, &scenario, on_machine)?;
        let title = title(&record);
        Ok(Self { place, title, record, on_machine, instance, workload, scenario, policies })
    }
}

fn on_paper(args: &SimulateArgs, instance: &Instance) -> Result<MachineWorkload, Failure> {
    let latency = PerUnit::from_fn(|unit| match unit {
        Unit::LoadStore => args.latency_l.unwrap_or(1),
        Unit::CudaCore => args.latency_c.unwrap_or(1),
    });
    let width = args.issue_width.and_then(|width| width.0);
    on_units(instance, args.schedulers.unwrap_or(1), width, latency).map_err(Failure::usage)
}

fn not_of_the_paper(args: &SimulateArgs) -> Result<(), Failure> {
    match args.latency {
        Some(_) => Err(Failure::usage("--latency: L and C have one latency each: want a --machine")),
        None => Ok(()),
    }
}

fn not_of_a_machine(args: &SimulateArgs) -> Result<(), Failure> {
    let given = [
        ("--issue-width", args.issue_width.is_some()),
        ("--latency-l", args.latency_l.is_some()),
        ("--latency-c", args.latency_c.is_some()),
        ("--schedulers", args.schedulers.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!("{flag}: the machine says it: want no {flag}, or no machine")));
    }
    match &args.schedule {
        Some(path) if extension(path) == "svg" => {
            let what = "schedules on machines are not drawn: want .csv or .json";
            Err(Failure::usage(format!("{}: {what}", path.display())))
        }
        _ => Ok(()),
    }
}

/// The policies asked for, or all that suit the machine. L and C have no stall counts that a compiler could guide
/// by, so [`Policy::Cggty`] is not among all of them there.
fn policies(
    asked: &[Policy],
    workload: &MachineWorkload,
    scenario: &Scenario,
    on_machine: bool,
) -> Result<Vec<Policy>, Failure> {
    let suits = |policy: Policy| scenario.suits(workload, policy).map_err(Failure::from);
    if !asked.is_empty() {
        asked.iter().try_for_each(|&policy| suits(policy))?;
        return Ok(asked.to_vec());
    }
    suits(Policy::Lrr)?;
    let all = Policy::ALL.into_iter().filter(|&policy| on_machine || policy != Policy::Cggty);
    Ok(all.filter(|&policy| suits(policy).is_ok()).collect())
}
