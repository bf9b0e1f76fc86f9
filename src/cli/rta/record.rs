//! The record of `rta`.

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::cli::rta::reason::reason;
use crate::limits::Stop;
use crate::realtime::rta::{
    Analysis, By, Covers, Execution, Miss, Occupancy, Response, System, Time, Unit, Verdict,
    big_multiprocessor, utilisation,
};

pub(in crate::cli) const RTA: &str = "warpspan/rta/2";

#[derive(Debug, Serialize)]
struct SolvedRecord {
    kernel: String,
    resident_blocks: u64,
    warps: u64,
    lower: u64,
    upper: u64,
    serial: Number,
}

#[derive(Debug, Serialize)]
struct KernelRecord {
    name: String,
    execution: Number,
    blocks: u64,
    threads_per_block: u64,
    period: Option<Number>,
    release: Number,
    deadline: Option<Number>,
    /// `yes`, `no` or `unknown`, judged on what is proved.
    meets: &'static str,
    /// Why it is not `yes`.
    reason: Option<String>,
    /// No launch takes longer.
    response_bound: Option<Number>,
    /// No launch is faster, where blocks take C.
    response_least: Option<Number>,
    /// The longest that the method finds, and the release of the launch that takes it.
    response_estimate: Option<Number>,
    estimate_release: Option<Number>,
    /// When the first launch completes, by the method.
    completion: Option<Number>,
    /// How many launches the method looked at.
    launches: u64,
    /// The longest that the simulator finds, where it is not the method.
    simulated_estimate: Option<Number>,
    missed: Option<MissRecord>,
    utilisation: f64,
    solved: Option<SolvedRecord>,
}

/// A launch that misses its deadline.
#[derive(Debug, Serialize)]
struct MissRecord {
    launch: u64,
    release: Number,
    completion: Option<Number>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::cli) struct StayRecord {
    pub(in crate::cli) kernel: String,
    pub(in crate::cli) launch: u64,
    pub(in crate::cli) multiprocessor: usize,
    pub(in crate::cli) start: Number,
    pub(in crate::cli) end: Number,
    pub(in crate::cli) blocks: u64,
    pub(in crate::cli) rounds: u64,
}

#[derive(Debug, Serialize)]
struct GpuRecord {
    multiprocessors: u64,
    threads: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct RtaRecord {
    schema: &'static str,
    version: &'static str,
    /// `proved`, `refuted` or `undecided`: for every block that takes at most C, and every launch there will be.
    verdict: &'static str,
    /// What that rests on.
    by: Option<&'static str>,
    /// What it takes for granted of launches and blocks, a sentence each.
    assumes: &'static [&'static str],
    /// Whether it is proved.
    schedulable: bool,
    /// The limit that stopped something.
    stop: Option<&'static str>,
    method: &'static str,
    unit: &'static str,
    gpu: GpuRecord,
    kernels: Vec<KernelRecord>,
    utilisation: f64,
    capacity: u64,
    overloaded: bool,
    /// Launches before this time were looked at by the method; null for all.
    horizon: Option<Number>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<Vec<StayRecord>>,
}

/// A time as a number: as a whole one if it is.
fn number(unit: Unit, time: Time) -> Number {
    let text = unit.write(time);
    let real = || Number::from_f64(text.parse().unwrap_or_default());
    text.parse::<u64>().ok().map(Number::from).or_else(real).unwrap_or_else(|| Number::from(0))
}

impl RtaRecord {
    pub(super) fn new(
        system: &System,
        executions: &[Execution],
        analysis: &Analysis,
        notes: Vec<String>,
        occupancy: Option<&Occupancy>,
    ) -> Self {
        let unit = system.unit;
        let number = |time| number(unit, time);
        let kernel = |index: usize| {
            let (task, execution) = (&system.tasks[index], &executions[index]);
            let (judged, estimate) = (&analysis.kernels[index], analysis.estimates[index].as_ref());
            let time = |of: fn(&Response) -> Time| estimate.map(|response| number(of(response)));
            let worst =
                |responses: &Vec<Option<Response>>| responses[index].map(|response| number(response.worst));
            KernelRecord {
                name: task.name.clone(),
                execution: number(execution.time),
                blocks: task.blocks,
                threads_per_block: task.threads,
                period: task.period.map(number),
                release: number(task.release),
                deadline: task.deadline.map(number),
                meets: judged.meets.name(),
                reason: reason(system, analysis, index),
                response_bound: judged.bound.map(number),
                response_least: judged.least.map(number),
                response_estimate: time(|response| response.worst),
                estimate_release: time(|response| response.worst_release),
                completion: time(|response| response.completion),
                launches: estimate.map_or(0, |response| response.launches),
                simulated_estimate: analysis.simulated.as_ref().and_then(|(simulated, _)| worst(simulated)),
                missed: judged.miss.map(|Miss { launch, release, completion }| MissRecord {
                    launch: launch + 1,
                    release: number(release),
                    completion: completion.map(number),
                }),
                utilisation: utilisation(system, executions, index),
                solved: execution.solved.as_ref().map(|solved| SolvedRecord {
                    kernel: solved.code.to_string(),
                    resident_blocks: solved.resident,
                    warps: solved.warps,
                    lower: solved.interval.lower().cycles().0,
                    upper: solved.interval.upper().cycles().0,
                    serial: number(solved.serial),
                }),
            }
        };
        let kernels: Vec<KernelRecord> = (0..system.tasks.len()).map(kernel).collect();
        Self {
            schema: RTA,
            version: env!("CARGO_PKG_VERSION"),
            verdict: analysis.verdict.name(),
            by: analysis.by.map(By::name),
            assumes: analysis.by.map_or(&[], By::assumes),
            schedulable: analysis.verdict == Verdict::Proved,
            stop: analysis.stop.map(Stop::name),
            method: analysis.method.name(),
            unit: unit.name(),
            gpu: GpuRecord { multiprocessors: system.gpu.multiprocessors, threads: system.gpu.room.threads },
            utilisation: kernels.iter().map(|kernel| kernel.utilisation).sum(),
            kernels,
            capacity: big_multiprocessor(system),
            overloaded: analysis.overloaded,
            horizon: match analysis.covers {
                Covers::All => None,
                Covers::Before(time) => Some(number(time)),
            },
            notes,
            schedule: occupancy.map(|occupancy| stays(occupancy).collect()),
        }
    }
}

/// What runs where, as records.
pub(super) fn stays(occupancy: &Occupancy) -> impl Iterator<Item = StayRecord> + '_ {
    occupancy.stays.iter().map(|stay| StayRecord {
        kernel: occupancy.kernels[stay.kernel].0.clone(),
        launch: stay.launch + 1,
        multiprocessor: stay.multiprocessor + 1,
        start: number(occupancy.unit, stay.start),
        end: number(occupancy.unit, stay.end),
        blocks: stay.blocks,
        rounds: stay.rounds,
    })
}
