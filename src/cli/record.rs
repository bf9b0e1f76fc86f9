//! The records of `--format json`, as the contract has them.

use serde::{Deserialize, Serialize};

use crate::bound::Theorem;
use crate::cli::instances::Place;
use crate::engines::ilp::ModelSize;
use crate::engines::policy::{Machine, Run};
use crate::engines::portfolio::{Check, EngineName, Row, Side, Solution};
use crate::limits::{NotExact, Stop};
use crate::model::{
    Cycles, Group, Instance, Kernel, Multiprocessor, Throughput, Unit, Workload, WorkloadError,
};
use crate::schedule::{IssueRecord, records};

pub(super) const SOLVE: &str = "warpspan/solve/2";
/// Of version 0.1.0; `check` and `report` still read it.
pub(super) const SOLVE_1: &str = "warpspan/solve/1";
pub(super) const BOUND: &str = "warpspan/bound/2";
pub(super) const CHECK: &str = "warpspan/check/2";
pub(super) const SIMULATE: &str = "warpspan/simulate/1";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct GroupRecord {
    pub(super) kernel: String,
    pub(super) warps: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct InstanceRecord {
    pub(super) groups: Vec<GroupRecord>,
    pub(super) sigma_l: String,
    pub(super) sigma_c: String,
    /// Where a kernel has barriers and a group is more than one block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) warps_per_block: Option<u64>,
}

impl From<&Workload> for InstanceRecord {
    fn from(workload: &Workload) -> Self {
        let group = |group: &Group| GroupRecord { kernel: group.code.to_string(), warps: group.warps };
        let sigma = |unit| workload.multiprocessor().sigma(unit).to_string();
        Self {
            groups: workload.groups().iter().map(group).collect(),
            sigma_l: sigma(Unit::LoadStore),
            sigma_c: sigma(Unit::CudaCore),
            warps_per_block: workload.warps_per_block(),
        }
    }
}

impl InstanceRecord {
    /// The workload that the record names, and its instance. Only that of straight lines has a schedule to
    /// look at.
    pub(super) fn straight_lines(&self) -> Result<(Workload, Instance), String> {
        let group = |group: &GroupRecord| -> Result<Group, String> {
            let kernel: Kernel =
                group.kernel.parse().map_err(|error| format!("kernel {:?}: {error}", group.kernel))?;
            Ok(Group { code: kernel.into(), warps: group.warps })
        };
        let multiprocessor = Multiprocessor::new(sigma(&self.sigma_l)?, sigma(&self.sigma_c)?);
        let groups = self.groups.iter().map(group).collect::<Result<_, _>>()?;
        let workload = Workload::new(groups, multiprocessor);
        let workload = match self.warps_per_block {
            Some(block) => workload.and_then(|workload| workload.in_blocks_of(block)),
            None => workload,
        };
        let workload = workload.map_err(|error: WorkloadError| error.to_string())?;
        let instance = workload.instance().ok_or("a kernel has branches or loops")?.clone();
        Ok((workload, instance))
    }
}

/// A sigma as records have it: also a ratio like 3/2, which comes from counts of units.
fn sigma(text: &str) -> Result<Throughput, String> {
    let ratio = text.split_once('/').and_then(|(p, q)| Some((p.parse().ok()?, q.parse().ok()?)));
    match ratio {
        Some((p, q)) => Throughput::from_units(p, q).map_err(|error| error.to_string()),
        None => text.parse().map_err(|error| format!("{error}")),
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PhaseRecord {
    rates: Vec<String>,
    labels: Vec<String>,
    theta: String,
    upper: Cycles,
}

/// What stands behind the two ends; nothing behind a lower end of 0.
#[derive(Debug, Serialize)]
struct EvidenceRecord {
    lower: Option<BasisRecord>,
    upper: Option<BasisRecord>,
}

#[derive(Debug, Serialize)]
struct BasisRecord {
    name: &'static str,
    checked: &'static str,
}

impl BasisRecord {
    fn new(theorem: Theorem) -> Option<Self> {
        Some(Self { name: theorem.name()?, checked: theorem.checked().name() })
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SolveRecord {
    schema: &'static str,
    version: &'static str,
    instance: InstanceRecord,
    verdict: &'static str,
    lower: Cycles,
    upper: Cycles,
    evidence: EvidenceRecord,
    best_case: Option<Cycles>,
    engine: EngineName,
    /// The limit that stopped it.
    stop: Option<Stop>,
    /// Why lower < upper though nothing stopped it.
    not_exact: Option<NotExact>,
    checks: Vec<Check>,
    seconds: f64,
    model: Option<ModelSize>,
    states: Option<u64>,
    phase: Option<PhaseRecord>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<Vec<IssueRecord>>,
}

impl SolveRecord {
    pub(super) fn new(
        workload: &Workload,
        solution: &Solution,
        notes: &[String],
        with_schedule: bool,
    ) -> Self {
        let schedule = |instance| {
            let witness = solution.witness().filter(|_| with_schedule)?;
            Some(records(instance, witness.schedule()).collect())
        };
        Self {
            schema: SOLVE,
            version: env!("CARGO_PKG_VERSION"),
            instance: workload.into(),
            verdict: if solution.worst_case().is_exact() { "exact" } else { "bounded" },
            lower: solution.worst_case().lower().cycles(),
            upper: solution.worst_case().upper().cycles(),
            evidence: EvidenceRecord {
                lower: BasisRecord::new(solution.worst_case().lower().theorem()),
                upper: BasisRecord::new(solution.worst_case().upper().theorem()),
            },
            best_case: solution.best_case(),
            engine: solution.engine(),
            stop: solution.ending().stop(),
            not_exact: solution.ending().not_exact(),
            checks: solution.checks().to_vec(),
            seconds: solution.elapsed().as_secs_f64(),
            model: solution.model(),
            states: solution.states(),
            phase: solution.phase().map(|phase| PhaseRecord {
                rates: phase.rates.iter().map(ToString::to_string).collect(),
                labels: phase.labels.iter().map(ToString::to_string).collect(),
                theta: phase.theta.to_string(),
                upper: phase.upper,
            }),
            notes: notes.to_vec(),
            schedule: workload.instance().and_then(schedule),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct BoundRecord {
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) instance: InstanceRecord,
    /// The largest of the safe lower bounds; 0 where there is none.
    pub(super) lower: Cycles,
    /// The smallest of the safe upper bounds.
    pub(super) upper: Option<Cycles>,
    pub(super) bounds: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
}

impl BoundRecord {
    pub(super) fn new(instance: InstanceRecord, bounds: Vec<Row>, notes: Vec<String>) -> Self {
        let safe = |side| bounds.iter().filter(move |row| row.safe && row.side == side).map(|row| row.value);
        Self {
            schema: BOUND,
            version: env!("CARGO_PKG_VERSION"),
            instance,
            lower: safe(Side::Lower).max().unwrap_or_default(),
            upper: safe(Side::Upper).min(),
            bounds,
            notes,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct CheckRecord {
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) instance: InstanceRecord,
    /// Whether the schedule is.
    pub(super) valid: bool,
    pub(super) makespan: Option<Cycles>,
    pub(super) lower: Option<Cycles>,
    pub(super) upper: Option<Cycles>,
    pub(super) upper_verified: Option<bool>,
    pub(super) recomputed_upper: Cycles,
    pub(super) recomputed_by: String,
    /// The schedule, then each claim of the record.
    pub(super) claims: Vec<JudgedRecord>,
    /// What is refuted, in words.
    pub(super) errors: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct JudgedRecord {
    pub(super) claim: String,
    pub(super) judgement: &'static str,
    pub(super) why: String,
}

/// A policy's run.
#[derive(Debug, Serialize)]
pub(super) struct RunRecord {
    policy: &'static str,
    makespan: Cycles,
    completions: Vec<Cycles>,
    average: f64,
    idle_slots: u64,
    within_model: bool,
}

impl From<&Run> for RunRecord {
    fn from(run: &Run) -> Self {
        Self {
            policy: run.policy.name(),
            makespan: run.makespan(),
            completions: run.completions.clone(),
            average: run.average(),
            idle_slots: run.idle_slots,
            within_model: run.within_model,
        }
    }
}

/// The machine of the runs, as the flags have it.
#[derive(Debug, Serialize)]
pub(super) struct MachineRecord<'a> {
    issue_width: &'static str,
    latency_l: u64,
    latency_c: u64,
    launch: &'a [u64],
    priority: &'a [u64],
    schedulers: u64,
    seed: u64,
}

impl<'a> From<&'a Machine> for MachineRecord<'a> {
    fn from(machine: &'a Machine) -> Self {
        Self {
            issue_width: machine.width.name(),
            latency_l: machine.latency[Unit::LoadStore],
            latency_c: machine.latency[Unit::CudaCore],
            launch: &machine.launch,
            priority: &machine.priority,
            schedulers: machine.schedulers,
            seed: machine.seed,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SimulateRecord<'a> {
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) instance: InstanceRecord,
    pub(super) machine: MachineRecord<'a>,
    pub(super) runs: Vec<RunRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    pub(super) best: Option<Cycles>,
    pub(super) worst: Option<Cycles>,
    /// The worst case is in it.
    pub(super) interval: Option<[Cycles; 2]>,
}

/// A record, the file that its instance is from, and the line there if it is one of several.
#[derive(Debug, Serialize)]
struct OfFile<'a, R: Serialize> {
    #[serde(flatten)]
    record: &'a R,
    /// Null where flags alone name the instance.
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// A record as a line, with the place that it is about.
pub(super) fn line_of(place: &Place, record: &impl Serialize) -> Result<String, super::Failure> {
    line(&OfFile { record, file: place.file.as_deref(), line: place.line })
}

/// A record as a line.
pub(super) fn line(record: &impl Serialize) -> Result<String, super::Failure> {
    serde_json::to_string(record).map(|text| text + "\n").map_err(super::Failure::internal)
}
