//! How the command that wrote a record ended, in words.

use crate::budget::Outcome;
use crate::check::Judgement;
use crate::explain::Ended;
use crate::solve::{NotExact, Verdict};
use crate::{Limit, Record, partition, rta};
use warpspan_model::limits::SEARCH_SECONDS;

/// How the command ended that wrote a record, where the record tells.
pub(super) fn of(record: &Record) -> Option<Ended> {
    let ended = |exit, why: String| Some(Ended { exit, why });
    match record {
        Record::Solve(solve) => {
            let solve = &solve.record;
            let why = match (solve.stop, solve.not_exact) {
                (Some(limit), _) => stopped(limit).to_owned(),
                (None, Some(why)) => format!("nothing stopped the run, and {}", open(why)),
                (None, None) => "nothing stopped the run".to_owned(),
            };
            match solve.verdict {
                Verdict::Exact => ended(0, format!("the worst case is exact; {why}")),
                Verdict::Bounded => ended(3, format!("the worst case is an interval; {why}")),
            }
        }
        Record::Rta(rta) => {
            let rta = &rta.record;
            let (exit, verdict) = match rta.verdict {
                rta::Verdict::Proved => (0, "its verdict is that all deadlines are met"),
                rta::Verdict::Refuted => (5, "its verdict is that a deadline is missed"),
                rta::Verdict::Undecided => (
                    3,
                    "its verdict is open: that all deadlines are met is not proved, nor that one is missed",
                ),
            };
            ended(exit, format!("{verdict}; {}", rta.stop.map_or("nothing stopped the run", stopped)))
        }
        Record::Time(time) => match (time.record.verdict, time.record.bound_ns) {
            (Some(rta::Verdict::Proved), _) => ended(0, "its verdict is that the deadline is met".to_owned()),
            (Some(rta::Verdict::Refuted), _) => {
                ended(5, "its verdict is that the deadline is missed".to_owned())
            }
            (Some(rta::Verdict::Undecided), _) => ended(
                3,
                "its verdict is open: that the deadline is met is not proved, nor that it is missed"
                    .to_owned(),
            ),
            (None, Some(_)) => ended(0, "there is a bound, and no deadline".to_owned()),
            (None, None) => ended(3, "there is no bound".to_owned()),
        },
        Record::Budget(budget) => {
            let exit = budget.record.exit_code;
            let why = match budget.record.outcome {
                Outcome::Met => "all deadlines are proved to be met",
                Outcome::Missed => "a deadline is proved to be missed",
                Outcome::Undecided => "no deadline is proved to be missed, and not all are proved to be met",
                Outcome::NotAccepted => "all deadlines are proved to be met, but not all by what is accepted",
                Outcome::Error => "a kernel has no answer",
            };
            ended(exit, why.to_owned())
        }
        Record::Prem(prem) => match prem.record.execution_ns {
            Some(_) => ended(0, "the time is bounded".to_owned()),
            None => ended(3, "the time has no bound".to_owned()),
        },
        Record::Partition(found) => match found.record.verdict {
            partition::Verdict::Schedulable => {
                ended(0, "its verdict is that there are partitions on which all deadlines hold".to_owned())
            }
            partition::Verdict::Impossible => {
                ended(5, "its verdict is that no partitions at all meet all deadlines".to_owned())
            }
            partition::Verdict::NotFound => ended(3, "none was found, and there may be others".to_owned()),
        },
        Record::Check(check) => {
            let any = |judgement| check.record.claims.iter().any(|claim| claim.judgement == judgement);
            match any(Judgement::Refuted) {
                true => ended(4, "a claim is refuted".to_owned()),
                false => None,
            }
        }
        _ => None,
    }
}

/// What a limit that ended a run means.
fn stopped(limit: Limit) -> &'static str {
    match limit {
        Limit::TimeLimit => "the time limit ended it, and more time may narrow the answer",
        Limit::MemoryLimit => "the memory limit ended it, and more memory may narrow the answer",
        Limit::Interrupted => "Ctrl-C ended it",
    }
}

/// Why an interval that no limit left open is open.
fn open(why: NotExact) -> String {
    let why = match why {
        NotExact::Blocks => "no engine searches barriers of several blocks",
        NotExact::Paths => "no engine searches the paths of a program",
        NotExact::Order => "no engine searches the schedules of one order of warps",
        NotExact::States => "there are more states than an engine searches",
        NotExact::SearchTime => {
            return format!(
                "the search stopped after {SEARCH_SECONDS} s, and more time may narrow the answer"
            );
        }
        NotExact::MachineGrid => "no engine searches grids on machines",
        NotExact::Memory => "no engine searches how the memory delays results",
        NotExact::Dependences => "no engine searches code whose instructions wait for named ones",
        NotExact::NotAsked => "the engine that was asked for makes no search",
        NotExact::NoEngine => "no engine of the build takes an instance of this size",
        NotExact::Beam => "only a beam of the most promising states was searched",
        NotExact::Horizon => "the horizon is shorter than is safe",
    };
    why.to_owned()
}
