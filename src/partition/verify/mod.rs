//! Partitions judged from scratch: nothing is printed as schedulable that has not passed here.
//!
//! This file uses the definitions of tasks only, none of the heuristics and none of their tests. It counts conflicts anew,
//! and checks every absolute deadline of the interval one by one (both EDF policies), or looks for a moment at which each
//! job of the busy period can start in time (deadline-monotonic; J. Lehoczky's form of the test, RTSS 1990).

use thiserror::Error;

use crate::partition::{Kind, Partition, Task, TaskSet, Test, Time};

/// A task of a verified partition.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Which task of the set, from 0.
    pub task: usize,
    /// Whether another task of its kind is in the partition.
    pub conflict: bool,
    /// C, by the size of the partition and the conflict.
    pub execution: Time,
}

/// A partition in which no deadline is missed.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifiedPartition {
    /// |P|.
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

    /// Multiprocessors of all partitions.
    pub fn used(&self) -> usize {
        self.partitions.iter().map(|partition| partition.multiprocessors).sum()
    }
}

/// What is wrong with partitions.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// A task in none of them or in two.
    #[error("task {name} is in {times} partitions")]
    Times {
        /// Which task.
        name: String,
        /// How often.
        times: usize,
    },
    /// A number that is no task's.
    #[error("there is no task {0}")]
    NoTask(usize),
    /// A partition without multiprocessors or tasks.
    #[error("partition {0} is empty")]
    Empty(usize),
    /// Too many multiprocessors.
    #[error("the partitions take {used} multiprocessors, there are {there}")]
    TooMany {
        /// Of all partitions.
        used: usize,
        /// Of the GPU.
        there: usize,
    },
    /// More is demanded than there is time.
    #[error("partition {partition}: a deadline {at} after all arrive can be missed")]
    Missed {
        /// Which partition, from 1.
        partition: usize,
        /// When.
        at: Time,
    },
    /// More work than time.
    #[error("partition {0}: its tasks need more than all the time")]
    Overload(usize),
    /// Too many deadlines to look at.
    #[error("partition {0}: too many deadlines to look at")]
    TooLong(usize),
}

/// The most deadlines looked at in a partition.
const MOST: u64 = 20_000_000;

/// Judges partitions; they keep their order.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(set: &TaskSet, test: Test, partitions: &[Partition]) -> Result<Verified, Violation> {
    let mut times = vec![0; set.tasks().len()];
    for &task in partitions.iter().flat_map(|partition| &partition.tasks) {
        *times.get_mut(task).ok_or(Violation::NoTask(task))? += 1;
    }
    if let Some((task, &times)) = set.tasks().iter().zip(&times).find(|&(_, &times)| times != 1) {
        return Err(Violation::Times { name: task.name().to_owned(), times });
    }
    let used: usize = partitions.iter().map(|partition| partition.multiprocessors).sum();
    if used > set.multiprocessors() {
        return Err(Violation::TooMany { used, there: set.multiprocessors() });
    }
    let judged = (1..).zip(partitions).map(|(number, partition)| one(set, test, number, partition));
    Ok(Verified { partitions: judged.collect::<Result<_, _>>()?, test })
}

fn one(
    set: &TaskSet,
    test: Test,
    number: usize,
    partition: &Partition,
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
    let with: Vec<(&Task, u128)> =
        tasks.iter().map(|p| (&set.tasks()[p.task], u128::from(p.execution.ticks()))).collect();
    let late = match test {
        Test::Edf => deadlines(&with, false, number)?,
        Test::NpEdf => deadlines(&with, true, number)?,
        Test::NpDm => priorities(&with, number)?,
    };
    match late {
        Some(at) => {
            let at = Time::from_ticks(u64::try_from(at).unwrap_or(u64::MAX));
            Err(Violation::Missed { partition: number, at })
        }
        None => Ok(VerifiedPartition { multiprocessors: partition.multiprocessors, tasks }),
    }
}

fn period(task: &Task) -> u128 {
    task.period().ticks().into()
}

fn deadline(task: &Task) -> u128 {
    task.deadline().ticks().into()
}

/// The end of the interval in which a deadline is missed first, if one is: the smaller of the synchronous busy period and
/// sum (T - D) U / (1 - U), with U rounded up to 2^-40.
fn horizon(tasks: &[(&Task, u128)], number: usize) -> Result<u128, Violation> {
    const ONE: u128 = 1 << 40;
    let share = |(task, c): &(&Task, u128)| (c * ONE).div_ceil(period(task));
    let slack = ONE.checked_sub(tasks.iter().map(share).sum()).filter(|&slack| slack > 0);
    let backlog: u128 = tasks.iter().map(|entry| (period(entry.0) - deadline(entry.0)) * share(entry)).sum();
    let linear = slack.map(|slack| backlog.div_ceil(slack));
    let mut busy: u128 = tasks.iter().map(|(_, c)| c).sum();
    for _ in 0..MOST {
        let work: u128 = tasks.iter().map(|(task, c)| c * busy.div_ceil(period(task))).sum();
        if work == busy || linear.is_some_and(|linear| linear <= busy) {
            return Ok(linear.map_or(work, |linear| linear.min(work)));
        }
        busy = work;
        if busy > 1 << 100 {
            return Err(Violation::Overload(number));
        }
    }
    Err(Violation::Overload(number))
}

/// The first deadline that earliest deadline first can miss: every one up to the horizon is looked at, and where jobs are
/// not preempted, every one up to the longest deadline, with the longest job of a later deadline before it.
fn deadlines(tasks: &[(&Task, u128)], blocking: bool, number: usize) -> Result<Option<u128>, Violation> {
    let mut end = horizon(tasks, number)?;
    if blocking {
        end = tasks.iter().map(|(task, _)| deadline(task)).fold(end, u128::max);
    }
    let count: u128 = tasks.iter().map(|(task, _)| end / period(task) + 1).sum();
    if count > u128::from(MOST) {
        return Err(Violation::TooLong(number));
    }
    let mut all: Vec<(u128, u128)> = Vec::new(); // absolute deadline and the execution due by it
    for (task, c) in tasks {
        let mut at = deadline(task);
        while at <= end {
            all.push((at, *c));
            at += period(task);
        }
    }
    all.sort_unstable();
    let mut demand = 0;
    for (place, &(at, c)) in all.iter().enumerate() {
        demand += c;
        if all.get(place + 1).is_some_and(|next| next.0 == at) {
            continue;
        }
        let before = |(task, c): &(&Task, u128)| if blocking && deadline(task) > at { *c } else { 0 };
        let before = tasks.iter().map(before).max().unwrap_or(0);
        if demand + before > at {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// The first deadline that deadline-monotonic priorities without preemption can miss.
fn priorities(tasks: &[(&Task, u128)], number: usize) -> Result<Option<u128>, Violation> {
    let mut looked = 0;
    for (place, (task, own)) in tasks.iter().enumerate() {
        let is_higher = |(other, (rival, _)): &(usize, &(&Task, u128))| {
            (deadline(rival), *other) < (deadline(task), place)
        };
        let higher: Vec<_> = tasks.iter().enumerate().filter(is_higher).map(|(_, entry)| *entry).collect();
        let lower = tasks.iter().enumerate().filter(|entry| entry.0 != place && !is_higher(entry));
        let blocking = lower.map(|(_, (_, c))| *c).max().unwrap_or(0);
        // The busy period of this priority and above.
        let mut busy = blocking + own;
        loop {
            let work = |(other, c): &(&Task, u128)| c * busy.div_ceil(period(other));
            let next = blocking + higher.iter().map(work).sum::<u128>() + own * busy.div_ceil(period(task));
            if next == busy {
                break;
            }
            busy = next;
            looked += 1;
            if busy > 1 << 100 || looked > MOST {
                return Err(Violation::Overload(number));
            }
        }
        for job in 0..busy.div_ceil(period(task)) {
            let arrival = job * period(task);
            let Some(latest) = (arrival + deadline(task)).checked_sub(*own) else {
                return Ok(Some(arrival + deadline(task)));
            };
            // Work is constant between arrivals, so the last moment before each, and the latest, are enough.
            let ends = higher.iter().flat_map(|(other, _)| {
                let step = period(other);
                (1..=latest / step).map(move |k| k * step - u128::from(blocking == 0))
            });
            let starts = |start: u128| {
                let arrived = |other: &Task| match blocking {
                    0 => start / period(other) + 1,
                    _ => start.div_ceil(period(other)).max(1),
                };
                let ahead: u128 = higher.iter().map(|(other, c)| arrived(other) * c).sum();
                blocking + job * own + ahead <= start
            };
            let mut moments = ends.chain([latest]);
            let in_time = moments.any(|start| {
                looked += 1;
                looked > MOST || starts(start)
            });
            if looked > MOST {
                return Err(Violation::TooLong(number));
            }
            if !in_time {
                return Ok(Some(arrival + deadline(task)));
            }
        }
    }
    Ok(None)
}
