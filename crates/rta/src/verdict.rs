//! Whether deadlines are met. The verdict rests only on what is proved.
//!
//! | verdict | a kernel's `meets` | because |
//! |---|---|---|
//! | proved | yes for all | the safe bound is at most the deadline |
//! | refuted | no for one or more | one of the three proofs below |
//! | undecided | unknown for one or more, no for none | estimates prove nothing, nor does a memory without limit |
//!
//! A system is refuted if one of its runs misses a deadline ([`Miss`]), if a lower bound on response times
//! exceeds a deadline ([`least_response`](crate::least_response)), or if in the long run more
//! threads are asked for than there are.

use crate::{Bound, Measured, Miss, Response, Source, System, Task};
use warpspan_check::bound::statement::{self, Statement};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_model::words;

words! {
    /// Whether all launches of a kernel meet their deadline.
    #[schemars(rename = "Meets")]
    DeadlineMet {
        /// They do; a kernel without a deadline comes to an end.
        // The safe bound is at most the deadline, or there is a bound and no deadline.
        Yes = "yes",
        /// A launch misses it for certain.
        No = "no",
        /// Neither is proved.
        Unknown = "unknown",
    }
}

words! {
    /// Whether all launches of all kernels meet their deadlines.
    Verdict {
        /// They all do.
        // As long as every block takes at most C.
        Proved = "proved",
        /// One of them misses it for certain.
        Refuted = "refuted",
        /// Neither is proved.
        Undecided = "undecided",
    }
}

words! {
    /// What a verdict rests on.
    #[schemars(rename = "VerdictBy")]
    Basis {
        /// Pa19's Algorithm 2, whose assumptions all hold.
        Algorithm2 = "algorithm2",
        /// The bound on response times, whatever else runs.
        Bound = "bound",
        /// A run in which a deadline is missed.
        Schedule = "schedule",
        /// A lower bound on response times that exceeds a deadline.
        LeastResponse = "least-response",
        /// More threads are asked for in the long run than there are.
        Overload = "overload",
    }
}

impl Basis {
    /// What a verdict that rests on it follows from.
    pub fn statement(self) -> &'static Statement {
        match self {
            Self::Algorithm2 => &statement::ALGORITHM_2,
            Self::Bound => &statement::RESPONSE_BOUND,
            Self::Schedule => &statement::RUN_OF_RULES,
            Self::LeastResponse => &statement::LEAST_RESPONSE,
            Self::Overload => &statement::OVERLOAD,
        }
    }

    /// What a verdict that rests on it rests on of launches and blocks.
    fn rests_on(self, system: &System) -> Vec<Assumption> {
        let any = |what: &dyn Fn(&Task) -> bool| system.tasks().iter().any(what);
        let given = |task: &Task| matches!(task.execution, Source::Given(_));
        let declared = |id, subject: &str, value: &str, key: &str| {
            Assumption::declared(id, subject, value).by(format!("{key} in the file"))
        };
        let exactly = |from: &str| {
            let value = format!("exactly a period apart, the first at its release{from}");
            declared(Id::LaunchArrivals, "launches of a kernel", &value, "period")
        };
        let order = || {
            let value = "launched in the order of the file";
            Assumption::modelled(Id::LaunchOrder, "kernels that are released at one time", value)
        };
        let least = || {
            any(&given).then(|| {
                let value = "may take as long as C where C is given";
                declared(Id::ExecutionLeast, "a block", value, "execution")
            })
        };
        let mut all = Vec::new();
        match self {
            Self::Algorithm2 => {
                all.extend(any(&given).then(|| {
                    declared(Id::ExecutionGiven, "a block", "at most C where C is given", "execution")
                }));
                all.extend([exactly(""), order()]);
                let edges = any(&|task| !given(task)) && system.unit() != TimeUnit::Cycles;
                all.extend(edges.then(|| {
                    let value = "begin at the edge of a cycle";
                    Assumption::modelled(Id::LaunchEdges, "launches of kernels that are given as code", value)
                }));
            }
            Self::Bound => {
                let launches = if any(&|task| task.period.is_some() && task.is_exact()) {
                    "a period or more apart, and exactly a period where the release is given and they are not sporadic"
                } else {
                    "a period or more apart"
                };
                all.push(declared(Id::LaunchArrivals, "launches of a kernel", launches, "period"));
                all.extend(any(&|task| task.jitter > Duration(0)).then(|| {
                    let value = "released up to the jitter after it arrives";
                    declared(Id::LaunchJitter, "a launch", value, "jitter")
                }));
                all.extend(any(&Task::is_exact).then(order));
                let measured = |of: Measured, id, subject, value| {
                    let is_so = |task: &Task| given(task) && task.measured == of;
                    any(&is_so).then(|| declared(id, subject, value, "execution"))
                };
                let subject = "a block whose C is given";
                let beside = "takes no longer while other blocks run, whatever they do";
                all.extend(measured(Measured::BesideOthers, Id::ExecutionGiven, subject, beside));
                let (subject, alone) = (
                    "a block whose C was measured alone",
                    "at most C while no other is on its multiprocessor",
                );
                all.extend(measured(Measured::Alone, Id::ExecutionAlone, subject, alone));
                let (subject, tiles) =
                    ("kernels that are cut into tiles", "at most the bound of their schedule");
                all.extend(
                    any(&|task| given(task) && task.measured == Measured::AtMost)
                        .then(|| Assumption::modelled(Id::ExecutionTiles, subject, tiles)),
                );
            }
            Self::Schedule => {
                all.extend(least().into_iter().chain([exactly(", or at 0 if none is given"), order()]))
            }
            Self::LeastResponse => all.extend(least()),
            Self::Overload => all.extend(least().into_iter().chain([exactly(", or at 0 if none is given")])),
        }
        all
    }
}

/// What bounds from below rest on, and what they refute: what there is of the GPU, what blocks need of it, and the least that launches take.
pub const OF_LEAST: [Id; 19] = [
    Id::ChainData,
    Id::ClockDeclared,
    Id::ClockHighest,
    Id::ClockOverclocked,
    Id::ExecutionConflict,
    Id::ExecutionLeast,
    Id::GpuMultiprocessors,
    Id::GpuResident,
    Id::GpuUnits,
    Id::LabelsTime,
    Id::LaunchArrivals,
    Id::LaunchCopyIn,
    Id::LaunchCopyOut,
    Id::LaunchOrder,
    Id::LaunchRegisters,
    Id::LaunchShared,
    Id::PartitionTests,
    Id::ProcessMps,
    Id::StreamPriority,
];

impl System {
    /// What the least times of launches rest on besides those of blocks. They take the least of what is left open; of code, strings alone
    /// have a least time.
    pub(crate) fn of_least(&self) -> impl Iterator<Item = Assumption> {
        let has_string = self.tasks().iter().any(|task| matches!(task.execution, Source::Code(_)));
        let counts = move |one: &&Assumption| match one.id {
            Id::GpuMultiprocessors
            | Id::GpuResident
            | Id::LaunchCopyIn
            | Id::LaunchCopyOut
            | Id::LaunchRegisters
            | Id::LaunchShared => true,
            Id::GpuUnits => has_string,
            _ => false,
        };
        let clock = self.clock_of_code().filter(|_| has_string);
        self.rests().on.iter().filter(counts).cloned().chain(clock)
    }

    /// What a verdict by this rests on.
    pub fn rests_on(&self, by: Basis) -> Vec<Assumption> {
        let mut all = by.rests_on(self);
        match by {
            Basis::Algorithm2 | Basis::Bound => {
                all.extend(self.assumptions());
                all.extend(Self::of_others());
                all.extend(self.rests().on.iter().cloned());
            }
            Basis::Schedule => {
                let decides = |one: &&Assumption| matches!(one.id, Id::ProcessMps | Id::StreamPriority);
                all.extend(self.of_least());
                all.extend(self.rests().on.iter().filter(decides).cloned());
            }
            Basis::LeastResponse | Basis::Overload => all.extend(self.of_least()),
        }
        let mut found: Vec<Assumption> = Vec::new();
        for one in all {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found.sort_by_key(|one| one.kind);
        found
    }
}

/// What is known of a kernel for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelVerdict {
    /// No launch takes longer, as long as every block takes at most C.
    pub bound: Option<Duration>,
    /// No launch is faster if its blocks take C.
    pub least: Option<Duration>,
    /// A launch that misses its deadline in a run of the system.
    pub miss: Option<Miss>,
    /// Whether all launches meet the deadline.
    pub meets: DeadlineMet,
}

/// The evidence that kernels are judged on.
pub(super) struct Evidence<'a> {
    /// Response times by Algorithm 2, where they are safe.
    pub(super) algorithm2: Option<&'a [Option<Response>]>,
    pub(super) bounds: &'a [Bound],
    pub(super) least: Vec<Option<Duration>>,
    pub(super) misses: Vec<Option<Miss>>,
    pub(super) overloaded: bool,
}

impl Evidence<'_> {
    /// Judges each kernel; returns that, the verdict on all of them, and what the verdict rests on.
    ///
    /// # Errors
    /// The kernel whose bound is below the time that one of its launches takes.
    pub(super) fn judge(
        &self,
        system: &System,
    ) -> Result<(Vec<KernelVerdict>, Verdict, Option<Basis>), usize> {
        let without_limit = system.memory_without_limit();
        let judged = |task: usize| {
            let deadline = system.tasks()[task].deadline;
            let bound = match self.algorithm2 {
                Some(responses) => responses[task].map(|response| response.worst),
                None => self.bounds[task].response.ok(),
            };
            let (least, miss) = (self.least[task], self.misses[task]);
            let seen = miss.and_then(|miss| Some(miss.completion? - miss.release)).max(least);
            if bound.zip(seen).is_some_and(|(bound, seen)| bound < seen) {
                return Err(task);
            }
            let within = |time: Duration| deadline.is_none_or(|deadline| time <= deadline);
            let late = miss.is_some() || least.is_some_and(|least| !within(least));
            let meets = match bound {
                _ if late => DeadlineMet::No,
                // Nothing is proved of code that moves data where nothing is known of how fast that is.
                Some(bound) if within(bound) && !without_limit => DeadlineMet::Yes,
                _ => DeadlineMet::Unknown,
            };
            Ok(KernelVerdict { bound, least, miss, meets })
        };
        let kernels = (0..system.tasks().len()).map(judged).collect::<Result<Vec<KernelVerdict>, usize>>()?;
        let any = |what: &dyn Fn(&KernelVerdict) -> bool| kernels.iter().any(what);
        let proved = if self.algorithm2.is_some() { Basis::Algorithm2 } else { Basis::Bound };
        let (verdict, by) = if any(&|kernel| kernel.miss.is_some()) {
            (Verdict::Refuted, Some(Basis::Schedule))
        } else if any(&|kernel| kernel.meets == DeadlineMet::No) {
            (Verdict::Refuted, Some(Basis::LeastResponse))
        } else if self.overloaded {
            (Verdict::Refuted, Some(Basis::Overload))
        } else if any(&|kernel| kernel.meets == DeadlineMet::Unknown) {
            (Verdict::Undecided, None)
        } else {
            (Verdict::Proved, Some(proved))
        };
        Ok((kernels, verdict, by))
    }
}
