//! The forbidden list of Si21 section 3.5.3: the pairs of partitions that must not be merged.

/// What is known of a pair of partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pair {
    Allowed,
    /// These two partitions cannot be merged; larger partitions that contain them perhaps can.
    Failed,
    /// They hold two tasks that must never be together.
    Never,
}

/// A table over all partitions that there ever are: n of one task, and fewer than n merged ones.
#[derive(Debug, Clone)]
pub(super) struct Forbidden {
    pairs: Vec<Pair>,
    /// The number of rows of the table.
    most: usize,
    /// The number of partitions that there have been so far.
    known: usize,
}

impl Forbidden {
    /// A list that forbids nothing; partition i holds task i.
    pub(super) fn new(tasks: usize) -> Self {
        let most = 2 * tasks;
        Self { pairs: vec![Pair::Allowed; most * most], most, known: tasks }
    }

    pub(super) fn allows(&self, one: usize, other: usize) -> bool {
        self.pairs[one * self.most + other] == Pair::Allowed
    }

    /// Forbids the merge of two partitions.
    pub(super) fn partitions(&mut self, one: usize, other: usize) {
        self.set(one, other, Pair::Failed);
    }

    /// Forbids that two tasks are ever together.
    pub(super) fn tasks(&mut self, one: usize, other: usize) {
        self.set(one, other, Pair::Never);
    }

    /// The number of the partition that two partitions are merged into: it must not be merged with any task
    /// that one of them must not meet.
    pub(super) fn merged(&mut self, one: usize, other: usize) -> usize {
        let merged = self.known;
        self.known += 1;
        for third in 0..merged {
            let never =
                [one, other].into_iter().any(|part| self.pairs[part * self.most + third] == Pair::Never);
            if never {
                self.set(merged, third, Pair::Never);
            }
        }
        merged
    }

    fn set(&mut self, one: usize, other: usize, pair: Pair) {
        for at in [one * self.most + other, other * self.most + one] {
            self.pairs[at] = pair.max(self.pairs[at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_stay_apart_in_merged_partitions_and_failed_merges_do_not() {
        let mut list = Forbidden::new(4);
        list.tasks(0, 2);
        list.partitions(1, 3);
        let merged = list.merged(0, 1);
        assert_eq!(merged, 4);
        assert!(!list.allows(4, 2) && !list.allows(2, 4) && list.allows(4, 3) && !list.allows(1, 3));
    }
}
