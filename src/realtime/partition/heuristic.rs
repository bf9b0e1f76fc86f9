//! The heuristics of Si21: start with a partition a task, and merge until the GPU is large enough (Algorithm
//! 1).
//!
//! # Decisions where the text leaves a choice
//!
//! * The list of partitions is kept by utilisation, the largest first ([`Part::before`]); ties: the partition of the task
//!   given first. `ChooseFrom` takes its head. The text names both directions.
//! * Algorithm 3 as printed loops until *pars* is empty, which never comes, since only *candidates* shrinks: the loop here
//!   ends when the candidates do. The eligible partitions leave out P itself, which the text does not say.
//! * The utilisation of Definition 4 lacks the period; here it is the sum of C/T.
//! * Order `>` does not merge, so the size of the merged partition is not known: the utilisation is taken at the smallest
//!   size that the merge may have, max(|P|, |P'|), with the conflicts of the merged tasks. Ties: the place in the list.
//! * Order `>>`: of equal sizes the merge that saves more is taken, then the place in the list. Merges that fail while the
//!   candidates are sorted are forbidden at once.
//! * ACT forbids pairs of tasks, and with them every merge that brings such a pair together; a merge of partitions that fails
//!   later is forbidden for these two partitions only, in ACT as in INA.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use crate::limits::Limits;
use crate::realtime::partition::forbidden::Forbidden;
use crate::realtime::partition::load::{smallest, utilisation};
use crate::realtime::partition::necessary;
use crate::realtime::partition::{Ended, Partition, TaskSet, Test};

/// How candidates for a merge are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Order {
    /// The merge that takes the fewest multiprocessors (order >> of Si21).
    ///
    /// It is Definition 3 there.
    Sms,
    /// The merge with the least utilisation (order > of Si21).
    ///
    /// It is Definition 4 there.
    Bf,
}

/// Whether all pairs of tasks are tested for a merge beforehand (Si21 section 3.5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Pairs {
    /// Test all pairs of tasks beforehand, and never bring those together that cannot be merged.
    Act,
    /// Do not.
    Ina,
}

/// A heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Heuristic {
    /// The order of candidates.
    pub order: Order,
    /// Whether pairs are tested beforehand.
    pub pairs: Pairs,
}

/// What a heuristic has found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Partitions in each of which all deadlines hold by the test; together they may take more
    /// multiprocessors than there are.
    pub partitions: Vec<Partition>,
    /// Time for testing all pairs of tasks (ACT).
    pub beforehand: Duration,
    /// Time for everything.
    pub whole: Duration,
}

impl Found {
    /// Pi, the multiprocessors of all partitions: the set is schedulable if there are as many (Si21 Lemma 3).
    pub fn required(&self) -> usize {
        self.partitions.iter().map(|partition| partition.multiprocessors).sum()
    }
}

impl Heuristic {
    /// The four of Si21.
    pub const ALL: [Self; 4] = [
        Self { order: Order::Sms, pairs: Pairs::Ina },
        Self { order: Order::Sms, pairs: Pairs::Act },
        Self { order: Order::Bf, pairs: Pairs::Ina },
        Self { order: Order::Bf, pairs: Pairs::Act },
    ];

    /// As Si21 calls it.
    pub const fn name(self) -> &'static str {
        match (self.order, self.pairs) {
            (Order::Sms, Pairs::Ina) => "SMS-INA",
            (Order::Sms, Pairs::Act) => "SMS-ACT",
            (Order::Bf, Pairs::Ina) => "BF-INA",
            (Order::Bf, Pairs::Act) => "BF-ACT",
        }
    }

    /// Algorithm 1: partitions in each of which all deadlines hold by the test, merged until they take at
    /// most `goal` multiprocessors together or no merge makes them fewer. With a goal of 0 they end as few as
    /// this heuristic gets.
    ///
    /// # Errors
    /// If no partitioning can exist, or a limit stops it.
    pub fn partition(self, set: &TaskSet, test: Test, goal: usize, limits: &Limits) -> Result<Found, Ended> {
        let start = Instant::now();
        let mut search = Search::new(set, test, limits)?;
        let mut beforehand = Duration::ZERO;
        if self.pairs == Pairs::Act {
            search.forbid_pairs()?;
            beforehand = start.elapsed();
        }
        while search.required() > goal {
            if !search.merge_one(self.order)? {
                break;
            }
        }
        let partitions = search.parts.into_iter().map(|part| part.partition).collect();
        Ok(Found { partitions, beforehand, whole: start.elapsed() })
    }
}

/// A partition in the list, in which all deadlines hold.
#[derive(Debug, Clone)]
struct Part {
    partition: Partition,
    utilisation: f64,
    /// Its number in the forbidden list.
    id: usize,
}

impl Part {
    /// The order of the list.
    fn before(&self, other: &Self) -> Ordering {
        let tie = || self.partition.tasks.cmp(&other.partition.tasks);
        other.utilisation.total_cmp(&self.utilisation).then_with(tie)
    }
}

/// The state of Algorithm 1.
struct Search<'a> {
    set: &'a TaskSet,
    test: Test,
    limits: &'a Limits,
    /// *pars*.
    parts: Vec<Part>,
    forbidden: Forbidden,
}

impl<'a> Search<'a> {
    /// `InitPartitions`: a partition a task (Lemma 2), if the set passes Lemma 1.
    fn new(set: &'a TaskSet, test: Test, limits: &'a Limits) -> Result<Self, Ended> {
        let sizes = necessary::start(set)?;
        let one = |(task, size): (usize, usize)| Part {
            utilisation: utilisation(set, &[task], size),
            partition: Partition { multiprocessors: size, tasks: vec![task] },
            id: task,
        };
        let mut parts: Vec<Part> = sizes.into_iter().enumerate().map(one).collect();
        parts.sort_by(Part::before);
        Ok(Self { set, test, limits, parts, forbidden: Forbidden::new(set.tasks().len()) })
    }

    /// Pi: the multiprocessors of all partitions.
    fn required(&self) -> usize {
        self.parts.iter().map(|part| part.partition.multiprocessors).sum()
    }

    /// `PreFill`: forbids all pairs of tasks that cannot be merged.
    fn forbid_pairs(&mut self) -> Result<(), Ended> {
        for (number, one) in self.parts.iter().enumerate() {
            for other in &self.parts[..number] {
                if self.merge(one, other)?.is_none() {
                    self.forbidden.tasks(one.id, other.id);
                }
            }
        }
        Ok(())
    }

    /// Algorithm 2: the merged partition, if it takes fewer multiprocessors than the two (Definition 2).
    fn merge(&self, one: &Part, other: &Part) -> Result<Option<Partition>, Ended> {
        self.limits.go_on()?;
        let (one, other) = (&one.partition, &other.partition);
        let tasks = union(one, other);
        let least = one.multiprocessors.max(other.multiprocessors);
        let most = (one.multiprocessors + other.multiprocessors - 1).min(self.set.multiprocessors());
        let size = smallest(self.set, self.test, &tasks, [least, most], self.limits)?.accepted;
        Ok(size.map(|multiprocessors| Partition { multiprocessors, tasks }))
    }

    /// One turn of the loop of Algorithm 1, with Algorithm 3: whether two partitions were merged.
    fn merge_one(&mut self, order: Order) -> Result<bool, Ended> {
        for first in 0..self.parts.len() {
            let merged = match order {
                Order::Sms => self.fewest(first)?,
                Order::Bf => self.least_utilised(first)?,
            };
            if let Some((second, partition)) = merged {
                self.replace(first, second, partition);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The places of the partitions that may be merged with that at `first`.
    fn eligible(&self, first: usize) -> Vec<usize> {
        let id = self.parts[first].id;
        let may = |&other: &usize| other != first && self.forbidden.allows(id, self.parts[other].id);
        (0..self.parts.len()).filter(may).collect()
    }

    /// By `>>`: the best of all merges with the partition at `first`.
    fn fewest(&mut self, first: usize) -> Result<Option<(usize, Partition)>, Ended> {
        let mut best: Option<(usize, Partition)> = None;
        for second in self.eligible(first) {
            let Some(merged) = self.merge(&self.parts[first], &self.parts[second])? else {
                self.forbidden.partitions(self.parts[first].id, self.parts[second].id);
                continue;
            };
            let key = |second: usize, merged: &Partition| {
                (merged.multiprocessors, usize::MAX - self.parts[second].partition.multiprocessors)
            };
            if best.as_ref().is_none_or(|(known, best)| key(second, &merged) < key(*known, best)) {
                best = Some((second, merged));
            }
        }
        Ok(best)
    }

    /// By `>`: the first merge that succeeds.
    fn least_utilised(&mut self, first: usize) -> Result<Option<(usize, Partition)>, Ended> {
        let one = &self.parts[first].partition;
        let measured = |second: usize| {
            let other = &self.parts[second].partition;
            let size = one.multiprocessors.max(other.multiprocessors);
            (utilisation(self.set, &union(one, other), size), second)
        };
        let mut sorted: Vec<(f64, usize)> = self.eligible(first).into_iter().map(measured).collect();
        sorted.sort_by(|(one, _), (other, _)| one.total_cmp(other)); // stable
        for (_, second) in sorted {
            if let Some(merged) = self.merge(&self.parts[first], &self.parts[second])? {
                return Ok(Some((second, merged)));
            }
            self.forbidden.partitions(self.parts[first].id, self.parts[second].id);
        }
        Ok(None)
    }

    /// Puts the merged partition in the place of the two.
    fn replace(&mut self, first: usize, second: usize, partition: Partition) {
        let later = self.parts.remove(first.max(second));
        let earlier = self.parts.remove(first.min(second));
        let utilisation = utilisation(self.set, &partition.tasks, partition.multiprocessors);
        let part = Part { partition, utilisation, id: self.forbidden.merged(earlier.id, later.id) };
        let place = self.parts.partition_point(|known| known.before(&part).is_lt());
        self.parts.insert(place, part);
    }
}

/// The tasks of both, in order.
fn union(one: &Partition, other: &Partition) -> Vec<usize> {
    let mut tasks = [&one.tasks[..], &other.tasks[..]].concat();
    tasks.sort_unstable();
    tasks
}
