//! The verifier of partitions, which checks them from scratch: nothing is printed as schedulable that has not passed
//! here.
//!
//! This module uses only the definitions of tasks, and neither the heuristics nor their tests. It counts conflicts
//! anew, and checks each partition by another method than the tests do: [`demand`] walks forward over the deadlines
//! (both EDF policies), and [`priorities`] looks for a moment at which each job of the busy period can start in time
//! (deadline-monotonic).

mod demand;
mod priorities;

use num_rational::Ratio;
use num_traits::CheckedAdd;
use thiserror::Error;

use crate::effort::Effort;
use crate::{Kind, Mechanism, Partition, TaskSet, Test, Undecided, write_time};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Millionths;

/// A task of a verified partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The index of the task in the set, from 0.
    pub task: usize,
    /// Whether another task of its kind is in the partition.
    pub conflict: bool,
    /// C, by the size of the partition and by the conflict.
    pub execution: Millionths,
}

/// A partition in which no deadline is missed.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifiedPartition {
    /// |P|, the multiprocessors of the partition.
    pub multiprocessors: usize,
    /// Its tasks, in the order of the set.
    pub tasks: Vec<Placed>,
}

/// Partitions of a whole task set that fit on the GPU, and in which no deadline is missed.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    partitions: Vec<VerifiedPartition>,
    test: Test,
}

impl Verified {
    /// The partitions, in the order given.
    pub fn partitions(&self) -> &[VerifiedPartition] {
        &self.partitions
    }

    /// The policy for which they are verified.
    pub fn test(&self) -> Test {
        self.test
    }

    /// The multiprocessors of all partitions together.
    pub fn used(&self) -> usize {
        self.partitions.iter().map(|partition| partition.multiprocessors).sum()
    }
}

/// The fault of partitions.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// A task is in none of the partitions, or in more than one.
    #[error("task {name} is in {times} partitions")]
    Times {
        /// The task.
        name: String,
        /// The number of partitions that it is in.
        times: usize,
    },
    /// An index is not that of a task.
    #[error("there is no task {0}")]
    NoTask(usize),
    /// A partition has no multiprocessors or no tasks.
    #[error("partition {0} is empty")]
    Empty(usize),
    /// The partitions take more multiprocessors than there are.
    #[error("the partitions take {used} multiprocessors, there are {there}")]
    TooMany {
        /// The multiprocessors of all partitions together.
        used: usize,
        /// The multiprocessors of the GPU.
        there: usize,
    },
    /// A partition is not of whole slices.
    #[error(
        "partition {partition} has {multiprocessors} multiprocessors, which are no whole slices of {slice}"
    )]
    Slice {
        /// The partition, from 1.
        partition: usize,
        /// Its multiprocessors.
        multiprocessors: usize,
        /// The multiprocessors of a slice.
        slice: usize,
    },
    /// A mechanism can set up no partition of this size.
    #[error("partition {partition} has {multiprocessors} multiprocessors, which {} cannot set up: want one of {sizes}", .mechanism.name())]
    Size {
        /// The partition, from 1.
        partition: usize,
        /// Its multiprocessors.
        multiprocessors: usize,
        /// The mechanism.
        mechanism: Mechanism,
        /// The sizes that it can set up.
        sizes: String,
    },
    /// The partitions have no place on the GPU together.
    #[error("{} cannot set up partitions of {sizes} multiprocessors together", .mechanism.name())]
    NoPlace {
        /// The mechanism.
        mechanism: Mechanism,
        /// Their sizes.
        sizes: String,
    },
    /// More execution is demanded by a time than there is time.
    #[error("partition {partition}: a deadline {} after all arrive can be missed", write_time(*at))]
    Missed {
        /// The partition, from 1.
        partition: usize,
        /// The time.
        at: Millionths,
    },
    /// The utilisation of a partition is above 1.
    #[error("partition {0}: its tasks need more than all the time")]
    Overload(usize),
    /// The steps ran out before a partition was verified; no fault was found until then.
    #[error("partition {0}: too many deadlines to check")]
    TooLong(usize),
    /// A limit stopped the verifier; no fault was found until then.
    #[error("stopped: {}", .0.name())]
    Stopped(Stop),
}

/// The most steps for a partition, which are far more than a test takes.
const MOST_STEPS: u64 = 100_000_000;

/// Judges partitions; they keep their order.
///
/// # Errors
/// The first fault; or [`Violation::TooLong`] or [`Violation::Stopped`] where the partitions could not be
/// judged.
pub fn verify(
    set: &TaskSet,
    test: Test,
    partitions: &[Partition],
    limits: &Limits,
) -> Result<Verified, Violation> {
    let mut times = vec![0; set.tasks().len()];
    for &task in partitions.iter().flat_map(|partition| &partition.tasks) {
        *times.get_mut(task).ok_or(Violation::NoTask(task))? += 1;
    }
    if let Some((task, &times)) = set.tasks().iter().zip(&times).find(|&(_, &times)| times != 1) {
        return Err(Violation::Times { name: task.name().to_owned(), times });
    }
    let used: usize = partitions.iter().map(|partition| partition.multiprocessors).sum();
    can_be_set_up(set, partitions)?;
    if used > set.multiprocessors() {
        return Err(Violation::TooMany { used, there: set.multiprocessors() });
    }
    if let Some(slices) = set.slices() {
        let sizes = (1..).zip(partitions).map(|(partition, part)| (partition, part.multiprocessors));
        for (partition, multiprocessors) in sizes {
            if multiprocessors % slices.size != 0 {
                return Err(Violation::Slice { partition, multiprocessors, slice: slices.size });
            }
        }
    }
    let judged = (1..).zip(partitions).map(|(number, partition)| one(set, test, number, partition, limits));
    Ok(Verified { partitions: judged.collect::<Result<_, _>>()?, test })
}

/// Whether the mechanism of the set can set the partitions up, each of them and all together.
fn can_be_set_up(set: &TaskSet, partitions: &[Partition]) -> Result<(), Violation> {
    let Some(division) = set.division() else { return Ok(()) };
    let (mechanism, sizes) = (division.mechanism(), division.sizes());
    for (number, part) in (1..).zip(partitions) {
        if !sizes.contains(&part.multiprocessors) {
            let (multiprocessors, sizes) = (part.multiprocessors, written(sizes));
            return Err(Violation::Size { partition: number, multiprocessors, mechanism, sizes });
        }
    }
    let all: Vec<usize> = partitions.iter().map(|partition| partition.multiprocessors).collect();
    if division.fits(&all) || all.iter().sum::<usize>() > set.multiprocessors() {
        return Ok(());
    }
    Err(Violation::NoPlace { mechanism, sizes: written(&all) })
}

/// Numbers as a list; of many the first, the step and the last.
fn written(numbers: &[usize]) -> String {
    match numbers {
        [first, second, .., last] if numbers.len() > 8 => format!("{first}, {second}, ... {last}"),
        _ => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn one(
    set: &TaskSet,
    test: Test,
    number: usize,
    partition: &Partition,
    limits: &Limits,
) -> Result<VerifiedPartition, Violation> {
    if partition.multiprocessors == 0 || partition.tasks.is_empty() {
        return Err(Violation::Empty(number));
    }
    let mut of_kind = [0; 2];
    for &task in &partition.tasks {
        of_kind[usize::from(set.tasks()[task].kind() == Kind::Memory)] += 1;
    }
    let placed = |&task: &usize| {
        let definition = &set.tasks()[task];
        let conflict = of_kind[usize::from(definition.kind() == Kind::Memory)] > 1;
        let execution = definition.execution().on(partition.multiprocessors, conflict);
        Placed { task, conflict, execution }
    };
    let tasks: Vec<Placed> = partition.tasks.iter().map(placed).collect();
    let with = |placed: &Placed| {
        let task = &set.tasks()[placed.task];
        let [execution, period, deadline] =
            [placed.execution, task.period(), task.deadline()].map(|time| time.0.into());
        Load { execution, period, deadline }
    };
    let loads: Vec<Load> = tasks.iter().map(with).collect();
    let effort = &mut Effort::new(MOST_STEPS, limits);
    let late = match (overloaded(&loads), test) {
        (Some(true), _) => return Err(Violation::Overload(number)),
        (None, _) => Err(Undecided::TooLong),
        (Some(false), Test::Edf) => demand::first_missed(&loads, false, effort),
        (Some(false), Test::NpEdf) => demand::first_missed(&loads, true, effort),
        (Some(false), Test::NpDm) => priorities::first_missed(&loads, effort),
    };
    match late {
        Ok(None) => Ok(VerifiedPartition { multiprocessors: partition.multiprocessors, tasks }),
        Ok(Some(at)) => {
            let at = Millionths(u64::try_from(at).unwrap_or(u64::MAX));
            Err(Violation::Missed { partition: number, at })
        }
        Err(Undecided::TooLong) => Err(Violation::TooLong(number)),
        Err(Undecided::Stopped(stop)) => Err(Violation::Stopped(stop)),
    }
}

/// A task in its partition; all times are in ticks and below 2^50.
#[derive(Debug, Clone, Copy)]
struct Load {
    execution: u128,
    period: u128,
    deadline: u128,
}

/// Whether the sum of C/T is above 1. It is computed in units of 2^-64, rounded down, or else in fractions;
/// `None` if those get too long.
fn overloaded(loads: &[Load]) -> Option<bool> {
    const ONE: u128 = 1 << 64;
    let sum: u128 = loads.iter().map(|load| (load.execution * ONE) / load.period).sum();
    if sum > ONE {
        return Some(true);
    }
    if sum + loads.len() as u128 <= ONE {
        return Some(false);
    }
    let mut fractions = loads.iter().map(|load| Ratio::new(load.execution, load.period));
    let sum = fractions.try_fold(Ratio::ZERO, |sum, share| sum.checked_add(&share))?;
    Some(sum > Ratio::ONE)
}
