//! What `warpspan partition` answers.

use crate::args::partition::PartitionArgs;
use crate::{Exit, Failure};
use warpspan_kernel::input::key;
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::source::{InputError, name};
use warpspan_partition::{
    Ended, Heuristic, Optimum, Partition, TaskSet, Test, Verified, Violation, exact, one_partition, verify,
};

/// The partitions that were found, or what is known if there are none.
pub(super) struct Answer {
    pub(super) method: &'static str,
    pub(super) verdict: Verdict,
    /// The multiprocessors that the method got down to, if it got so far.
    pub(super) required: Option<usize>,
    /// The notes to the verdict.
    pub(super) notes: Vec<String>,
}

pub(super) enum Verdict {
    Schedulable(Verified),
    /// The method found none; there may be others.
    NotFound(String),
    /// There are none, for this test: proved.
    Impossible(String),
}

/// Partitions, if a method found some, and what is to be said where they do not fit.
type Found = (Option<Vec<Partition>>, Verdict);

/// Runs the method asked for and verifies what it found.
pub(super) fn answer(
    args: &PartitionArgs,
    set: &TaskSet,
    test: Test,
    limits: &Limits,
) -> Result<Answer, Failure> {
    let there = set.multiprocessors();
    let heuristic = Heuristic { order: args.order, pairs: args.pairs };
    limits.go_on().map_err(stopped)?;
    let mut notes: Vec<String> = set.notes().iter().map(|note| note.worded(key)).collect();
    let (method, found): (_, Result<Found, Ended>) = if args.judges(set) {
        return judged(args, set, notes, (test, limits));
    } else if args.baseline {
        let none = Verdict::NotFound("a deadline can be missed in one partition of all".to_owned());
        ("1G", one_partition(set, test, limits).map(|one| (one.map(|one| vec![one]), none)))
    } else if args.exact {
        ("exact", exact(set, test, limits).map(|optimum| of_exact(optimum, set, &mut notes)))
    } else {
        let found = heuristic.partition(set, test, there, limits).map(|found| {
            let required = found.required();
            let method = heuristic.name();
            let none = if required > there {
                format!("{method} needs {required} multiprocessors, there are {there}")
            } else {
                format!("the partitions of {method} have no place on the GPU together")
            };
            (Some(found.partitions), Verdict::NotFound(none))
        });
        (heuristic.name(), found)
    };
    let (partitions, none) = match found {
        Ok(found) => found,
        Err(Ended::Impossible(why)) => (None, Verdict::Impossible(why.to_string())),
        Err(Ended::Undecided) => (None, undecided("one partition of all")),
        Err(Ended::Stopped(stop)) => return Err(stopped(stop)),
    };
    let required = partitions.as_deref().map(required);
    let fitting = partitions.filter(|partitions| set.fits(partitions));
    let verdict = match fitting.map(|partitions| verify(set, test, &partitions, limits)) {
        None => none,
        Some(Ok(_)) if set.undecided_by_memory(test).is_some() => {
            let why = set.undecided_by_memory(test).unwrap_or_default();
            Verdict::NotFound(format!("undecided, {why}"))
        }
        Some(Ok(verified)) => Verdict::Schedulable(verified),
        Some(Err(Violation::TooLong(number))) => undecided(&format!("partition {number} of {method}")),
        Some(Err(Violation::Stopped(stop))) => return Err(stopped(stop)),
        Some(Err(violation)) => {
            let message = format!(
                "the partitions of {method} are refused by the verifier: {violation}; this is a bug, please report it"
            );
            return Err(Failure::ending(Exit::Disagree, message));
        }
    };
    Ok(Answer { method, verdict, required, notes })
}

/// Judges the partitions that the file gives. What cannot be set up is wrong in the file.
pub(super) fn judged(
    args: &PartitionArgs,
    set: &TaskSet,
    notes: Vec<String>,
    (test, limits): (Test, &Limits),
) -> Result<Answer, Failure> {
    let given: Vec<Partition> = set.given().iter().map(|given| given.partition.clone()).collect();
    let required = Some(required(&given));
    let verdict = match verify(set, test, &given, limits) {
        Ok(_) if set.undecided_by_memory(test).is_some() => {
            let why = set.undecided_by_memory(test).unwrap_or_default();
            Verdict::NotFound(format!("undecided, {why}"))
        }
        Ok(verified) => Verdict::Schedulable(verified),
        Err(Violation::TooLong(number)) => undecided(&format!("partition {number} of the file")),
        Err(Violation::Stopped(stop)) => return Err(stopped(stop)),
        Err(violation @ (Violation::Missed { .. } | Violation::Overload(_))) => {
            Verdict::NotFound(violation.to_string())
        }
        Err(violation) => {
            let line = match violation {
                Violation::Size { partition, .. } | Violation::Slice { partition, .. } => {
                    set.given().get(partition.wrapping_sub(1)).and_then(|given| given.line)
                }
                _ => None,
            };
            let place = args.file.as_deref().map(name).unwrap_or_default();
            return Err(InputError { line, ..InputError::new(place, violation) }.into());
        }
    };
    Ok(Answer { method: "given", verdict, required, notes })
}

/// What the exact search proves.
fn of_exact(optimum: Optimum, set: &TaskSet, notes: &mut Vec<String>) -> Found {
    let there = set.multiprocessors();
    let none = match optimum.at_least {
        None if set.division().is_some() => Verdict::Impossible(
            "by this test no partitions that hold all tasks can be set up together".to_owned(),
        ),
        None => {
            Verdict::Impossible("by this test no partition of any size can hold one of the tasks".to_owned())
        }
        Some(least) if least > there => Verdict::Impossible(format!(
            "by this test any partitioning takes {least} multiprocessors or more, there are {there}"
        )),
        Some(least) => {
            let found = optimum.partitions.as_deref().map(required);
            if found.is_some_and(|found| found > least && found <= there) {
                notes.push(format!("not proved to be the fewest: {least} multiprocessors may do"));
            }
            undecided("a partition that may be needed")
        }
    };
    (optimum.partitions, none)
}

/// The test or the verifier gave up.
fn undecided(what: &str) -> Verdict {
    Verdict::NotFound(format!("not decided: too many deadlines to check in {what}"))
}

fn stopped(stop: Stop) -> Failure {
    Failure::ending(Exit::Limit, format!("stopped by {} before an answer was known", stop.name()))
}

/// The multiprocessors of all partitions.
fn required(partitions: &[Partition]) -> usize {
    partitions.iter().map(|partition| partition.multiprocessors).sum()
}
