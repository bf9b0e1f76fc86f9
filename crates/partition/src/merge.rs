//! Algorithms 1 to 3 of Si21: the list of partitions, and the merges that make it shorter.

use std::cmp::Ordering;

use crate::forbidden::Forbidden;
use crate::load::{smallest, utilisation};
use crate::{Ended, Partition, TaskSet, Test, necessary};
use warpspan_model::limits::Limits;

/// The order in which candidates for a merge are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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

/// A partition of the list; it meets all deadlines.
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
pub(super) struct Search<'a> {
    set: &'a TaskSet,
    test: Test,
    limits: &'a Limits,
    /// The list *pars* of partitions.
    parts: Vec<Part>,
    forbidden: Forbidden,
}

impl<'a> Search<'a> {
    /// `InitPartitions`: a partition for each task (Lemma 2), if the set passes Lemma 1.
    pub(super) fn new(set: &'a TaskSet, test: Test, limits: &'a Limits) -> Result<Self, Ended> {
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

    /// The partitions of the list.
    pub(super) fn partitions(self) -> Vec<Partition> {
        self.parts.into_iter().map(|part| part.partition).collect()
    }

    /// Pi, the multiprocessors of all partitions together.
    pub(super) fn required(&self) -> usize {
        self.parts.iter().map(|part| part.partition.multiprocessors).sum()
    }

    /// `PreFill`: forbids all pairs of tasks that cannot be merged.
    pub(super) fn forbid_pairs(&mut self) -> Result<(), Ended> {
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

    /// Whether the partitions of the list can be on the GPU together.
    pub(super) fn fits(&self) -> bool {
        let partitions: Vec<Partition> = self.parts.iter().map(|part| part.partition.clone()).collect();
        self.set.fits(&partitions)
    }

    /// One round of the loop of Algorithm 1, with Algorithm 3; returns whether two partitions were merged.
    pub(super) fn merge_one(&mut self, order: Order) -> Result<bool, Ended> {
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

    /// The positions of the partitions that may be merged with the one at `first`.
    fn eligible(&self, first: usize) -> Vec<usize> {
        let id = self.parts[first].id;
        let may = |&other: &usize| other != first && self.forbidden.allows(id, self.parts[other].id);
        (0..self.parts.len()).filter(may).collect()
    }

    /// Algorithm 3 with order `>>`: the best of all merges with the partition at `first`.
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

    /// Algorithm 3 with order `>`: the first merge that succeeds.
    fn least_utilised(&mut self, first: usize) -> Result<Option<(usize, Partition)>, Ended> {
        let one = &self.parts[first].partition;
        let measured = |second: usize| {
            let other = &self.parts[second].partition;
            let size = one.multiprocessors.max(other.multiprocessors);
            (utilisation(self.set, &union(one, other), size), second)
        };
        let mut sorted: Vec<(f64, usize)> = self.eligible(first).into_iter().map(measured).collect();
        // A stable sort keeps the order of the list among equal ones.
        sorted.sort_by(|(one, _), (other, _)| one.total_cmp(other));
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

/// The tasks of both partitions, in order.
fn union(one: &Partition, other: &Partition) -> Vec<usize> {
    let mut tasks = [&one.tasks[..], &other.tasks[..]].concat();
    tasks.sort_unstable();
    tasks
}
