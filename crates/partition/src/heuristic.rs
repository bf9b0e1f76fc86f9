//! The heuristics of Si21: start with a partition for each task, and merge partitions until the GPU is large
//! enough (Algorithm 1).
//!
//! # Decisions where the text leaves a choice
//!
//! * The list of partitions is ordered by utilisation, the largest first (`Part::before`); among equal ones
//!   the partition of the task given first comes first. `ChooseFrom` takes the head of the list. The text
//!   names both directions.
//! * Algorithm 3 as printed loops until *pars* is empty, which never happens, since only *candidates*
//!   shrinks: the loop here ends when there are no candidates left. The eligible partitions leave out P
//!   itself, which the text does not say.
//! * The utilisation of Definition 4 lacks the period; here it is the sum of C/T.
//! * Order `>` does not merge, so the size of the merged partition is not known: the utilisation is taken at
//!   the smallest size that the merged partition may have, max(|P|, |P'|), with the conflicts of the merged
//!   tasks. Ties go to the first in the list.
//! * Order `>>` takes, among merged partitions of equal size, the one that saves more, then the first in the
//!   list. Merges that fail while the candidates are sorted are forbidden at once.
//! * ACT forbids pairs of tasks, and with them every merge that brings such a pair together. A merge of
//!   partitions that fails later is forbidden for these two partitions only, in ACT as in INA.

use std::time::Duration;

use crate::merge::{Order, Search};
use crate::{Ended, Partition, TaskSet, Test};
use warpspan_model::limits::{Instant, Limits};

/// Whether all pairs of tasks are tested for a merge beforehand (Si21 section 3.5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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

/// The result of a heuristic.
#[derive(Debug, Clone)]
pub struct Found {
    /// Partitions that each meet all deadlines by the test; together they may take more multiprocessors than
    /// there are.
    pub partitions: Vec<Partition>,
    /// The time spent on testing all pairs of tasks (ACT).
    pub beforehand: Duration,
    /// The time spent on everything.
    pub whole: Duration,
}

impl Found {
    /// Pi, the multiprocessors of all partitions together: the set is schedulable if the GPU has as many
    /// (Si21 Lemma 3).
    pub fn required(&self) -> usize {
        self.partitions.iter().map(|partition| partition.multiprocessors).sum()
    }
}

impl Heuristic {
    /// The four heuristics of Si21.
    pub const ALL: [Self; 4] = [
        Self { order: Order::Sms, pairs: Pairs::Ina },
        Self { order: Order::Sms, pairs: Pairs::Act },
        Self { order: Order::Bf, pairs: Pairs::Ina },
        Self { order: Order::Bf, pairs: Pairs::Act },
    ];

    /// The name that Si21 gives it.
    pub const fn name(self) -> &'static str {
        match (self.order, self.pairs) {
            (Order::Sms, Pairs::Ina) => "SMS-INA",
            (Order::Sms, Pairs::Act) => "SMS-ACT",
            (Order::Bf, Pairs::Ina) => "BF-INA",
            (Order::Bf, Pairs::Act) => "BF-ACT",
        }
    }

    /// Algorithm 1: merges partitions that each meet all deadlines by the test, until they take at most
    /// `goal` multiprocessors together or no merge saves any. With a goal of 0 they end with as few
    /// multiprocessors as this heuristic finds.
    ///
    /// # Errors
    /// If no partitioning can exist, or if a limit stops it.
    pub fn partition(self, set: &TaskSet, test: Test, goal: usize, limits: &Limits) -> Result<Found, Ended> {
        let start = Instant::now();
        let mut search = Search::new(set, test, limits)?;
        let mut beforehand = Duration::ZERO;
        if self.pairs == Pairs::Act {
            search.forbid_pairs()?;
            beforehand = start.elapsed();
        }
        // Of a mechanism that fits not all sizes together, fewer multiprocessors may fit where more do not.
        while search.required() > goal || !search.fits() {
            if !search.merge_one(self.order)? {
                break;
            }
        }
        Ok(Found { partitions: search.partitions(), beforehand, whole: start.elapsed() })
    }
}
