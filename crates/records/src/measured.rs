//! The record of `rta --measured`: a measured run compared with the computed one, and the scheduling rules checked
//! against its blocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::Body;
use crate::number::number;
use crate::rta::{Gpu, TimeUnit};
use warpspan_model::time::Duration;
use warpspan_rta::{self as rta, Analysis, Computed, Execution, Finding, MeasuredLaunch, Measurement};

/// A measured run. All times are in its `unit`, seconds since the start of the examiner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// Whether the blocks keep every rule that was checked, within the tolerance.
    pub rules_hold: bool,
    /// Whether no block took longer than C, as far as the clocks tell.
    pub executions_hold: bool,
    /// Whether no measured response time exceeds the computed bound, as far as the clocks tell.
    pub bounds_hold: bool,
    /// The launch whose block goes furthest beyond C; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_execution: Option<Excess>,
    /// The launch that goes furthest beyond its bound; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_bounds: Option<Excess>,
    /// How far times may be off before a rule counts as broken.
    pub tolerance: Number,
    /// The millionths by which the clocks of host and GPU may drift apart beyond that.
    pub drift: u64,
    /// The unit of all times.
    pub unit: TimeUnit,
    /// What the kernels ran on.
    pub gpu: Gpu,
    /// The launches, in the order in which their calls returned.
    pub launches: Vec<Launch>,
    /// The rules, in the order of the paper.
    pub rules: Vec<Rule>,
    /// What else should be known, a sentence each.
    pub notes: Vec<String>,
}

impl Body for Measured {
    const SCHEMA: &'static str = "warpspan/measured/1";
}

/// How far a launch goes beyond what was computed for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excess {
    /// The name of the kernel.
    pub kernel: String,
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// How much longer it takes.
    pub by: Number,
    /// Whether it is certain, as far as the clocks tell.
    pub certain: bool,
}

/// A launch as it was measured and computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// The name of the kernel.
    pub kernel: String,
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// The threads of a block, in whole warps.
    pub threads_per_block: u64,
    /// When the host called the launch, by its own clock.
    pub called: Number,
    /// When the call returned, which is the release in the computed run.
    pub released: Number,
    /// C of the computed run.
    pub execution: Number,
    /// The longest measured time of a block.
    pub longest_block: Number,
    /// The first start of a block.
    pub start: Number,
    /// The last end of a block.
    pub end: Number,
    /// The first start of a block in the computed run; null where that run is not known.
    pub computed_start: Option<Number>,
    /// The last end of a block in the computed run; null where that run is not known.
    pub computed_end: Option<Number>,
    /// The time from the release to the last end, which two different clocks show.
    pub response: Number,
    /// No launch takes longer, as long as no block takes longer than C; null where there is no bound.
    pub response_bound: Option<Number>,
    /// Its blocks, in their order in the grid.
    pub blocks: Vec<Block>,
    /// How many blocks of the computed run are on each multiprocessor; null where that run is not known.
    pub computed_spread: Option<Vec<u64>>,
}

/// A measured block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// Which multiprocessor, from 1.
    pub multiprocessor: usize,
    /// When it started.
    pub start: Number,
    /// When it ended.
    pub end: Number,
}

/// What the blocks say of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// The name of the rule, such as `X1`.
    pub rule: String,
    /// What it says of times of blocks.
    pub says: String,
    /// Whether it holds within the tolerance; null where nothing could be checked.
    pub holds: Option<bool>,
    /// How many blocks, launches or pairs of them it was checked on.
    pub judged: u64,
    /// The least tolerance at which it holds.
    pub off: Number,
    /// The first block that breaks it; null where none does.
    pub breach: Option<Breach>,
}

/// A block that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Breach {
    /// The name of the kernel.
    pub kernel: String,
    /// Which launch of the kernel, from 1.
    pub launch: u64,
    /// Which block of the launch, from 1.
    pub block: usize,
    /// Which multiprocessor, from 1.
    pub multiprocessor: usize,
    /// When it breaks the rule.
    pub at: Number,
    /// What is wrong, in a sentence.
    pub what: String,
}

impl Measured {
    /// A run with what was computed for it what was found of the rules, and where C and the bounds are
    /// exceeded.
    pub fn new(
        run: &Measurement,
        (executions, analysis): (&[Execution], &Analysis),
        computed: &[Option<Computed>],
        (findings, tolerance, excesses): (&[Finding], Duration, &[Vec<rta::Excess>; 2]),
        notes: Vec<String>,
    ) -> Self {
        let system = run.system();
        let [executions_exceeded, bounds_exceeded] = excesses;
        let launches = run.launches().iter().enumerate().map(|(index, launch)| {
            let bound = analysis.kernels.get(index).and_then(|kernel| kernel.bound);
            Launch::new(run, index, launch, &executions[index], computed[index].as_ref(), bound)
        });
        Self {
            rules_hold: findings.iter().all(|finding| finding.breach.is_none()),
            executions_hold: hold(executions_exceeded),
            bounds_hold: hold(bounds_exceeded),
            beyond_execution: Excess::most(run, executions_exceeded),
            beyond_bounds: Excess::most(run, bounds_exceeded),
            tolerance: of(run, tolerance),
            drift: rta::DRIFT,
            unit: system.unit(),
            gpu: Gpu {
                multiprocessors: system.gpu().multiprocessors,
                threads: system.gpu().resources.threads,
            },
            launches: launches.collect(),
            rules: findings.iter().map(|finding| Rule::new(run, finding)).collect(),
            notes,
        }
    }
}

/// Whether nothing goes beyond what was computed for certain.
fn hold(excesses: &[rta::Excess]) -> bool {
    !excesses.iter().any(|excess| excess.is_certain)
}

fn of(run: &Measurement, time: Duration) -> Number {
    number(&run.system().unit().write(time))
}

impl Excess {
    /// What is certain and goes furthest.
    fn most(run: &Measurement, excesses: &[rta::Excess]) -> Option<Self> {
        let over = |excess: &rta::Excess| excess.measured - excess.computed;
        let most = excesses.iter().max_by_key(|excess| (excess.is_certain, over(excess)))?;
        Some(Self {
            kernel: run.system().tasks()[most.launch].name.clone(),
            launch: run.launches()[most.launch].number + 1,
            by: of(run, over(most)),
            certain: most.is_certain,
        })
    }
}

impl Launch {
    fn new(
        run: &Measurement,
        index: usize,
        launch: &MeasuredLaunch,
        execution: &Execution,
        computed: Option<&Computed>,
        bound: Option<Duration>,
    ) -> Self {
        let time = |time| of(run, time);
        let task = &run.system().tasks()[index];
        Self {
            kernel: task.name.clone(),
            launch: launch.number + 1,
            threads_per_block: task.block.threads,
            called: time(launch.called),
            released: time(launch.returned),
            execution: time(execution.time),
            longest_block: time(launch.longest()),
            start: time(launch.start()),
            end: time(launch.end()),
            computed_start: computed.map(|computed| time(computed.start)),
            computed_end: computed.map(|computed| time(computed.end)),
            response: time(launch.response()),
            response_bound: bound.map(time),
            blocks: (launch.blocks.iter())
                .map(|block| Block {
                    multiprocessor: block.multiprocessor + 1,
                    start: time(block.start),
                    end: time(block.end),
                })
                .collect(),
            computed_spread: computed.map(|computed| computed.spread.clone()),
        }
    }
}

impl Rule {
    fn new(run: &Measurement, finding: &Finding) -> Self {
        let breach = finding.breach.as_ref().map(|breach| {
            let launch = &run.launches()[breach.launch];
            Breach {
                kernel: run.system().tasks()[breach.launch].name.clone(),
                launch: launch.number + 1,
                block: breach.block + 1,
                multiprocessor: launch.blocks[breach.block].multiprocessor + 1,
                at: of(run, breach.at),
                what: breach.what.clone(),
            }
        });
        Self {
            rule: finding.rule.name().to_owned(),
            says: finding.rule.says().to_owned(),
            holds: (finding.judged > 0).then_some(finding.breach.is_none()),
            judged: finding.judged,
            off: of(run, finding.off),
            breach,
        }
    }
}
