//! Response times by level of priority, where every C is measured.
//!
//! While a block of a stream waits, no block of a less urgent stream is placed. So a launch of priority p waits for
//! launches of streams that are no less urgent than p, and for blocks of others that were placed before. Two windows of
//! time give a bound each, and the smaller one holds: the one that begins with the [release](release) of the launch,
//! and the [busy](busy) one, which begins where a launch of its level or above has begun to wait.
//! `docs/response-times.md` has the proofs.

mod busy_window;
mod coarse;
mod exact;
mod fixed_point;
mod parts;
mod release;
mod residents;
mod row;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::System;
use crate::bound::NoBound;
use crate::bound::episodes::Episodes;
use crate::bound::numbers::Found;
use crate::bound::weights::Weights;
pub(super) use parts::{Part, Wait};
pub(super) use release::Seen;
use residents::Resident;
use row::Row;

/// All kernels by priority, and the weights of each level.
pub(super) struct Levels {
    /// The kernels, the most urgent first, those of one stream side by side. What `shift` is depends on the bounds.
    rows: Vec<Row>,
    /// Where the row of each kernel is.
    place: Vec<usize>,
    levels: Vec<Level>,
    /// The level of each kernel.
    level_of: Vec<usize>,
    /// The kernels in the order of C, the longest first, as places.
    by_time: Vec<usize>,
    /// Weights of levels whose heads have the same needs.
    weights: Vec<Vec<Weighted>>,
    /// How many blocks the GPU runs at once, where all need the same.
    slots: Option<u128>,
    multiprocessors: u64,
    /// The number of streams.
    streams: usize,
    /// The wait of each kernel from its entry into the queue, as of a state of the rows of its level and above.
    waits: Vec<Option<(u64, Option<busy_window::Found>)>>,
    /// How often a row of each level, or of one above it, has changed.
    changes: Vec<u64>,
    /// The releases that are known, row by row.
    exact: Vec<Option<exact::Releases>>,
    /// What the bounds from the release are, row by row, as far as they are known; with the number of their changes.
    responses: (u64, Vec<Option<u64>>),
    /// Whether only busy windows are examined, where they have an end.
    is_cheap: bool,
}

/// The kernels of a priority.
struct Level {
    /// Where its rows begin, and where they end: those before are more urgent.
    rows: std::ops::Range<usize>,
    /// Its weights, an index of [`Levels::weights`].
    weights: usize,
}

/// Weights, row by row.
struct Weighted {
    /// The number of parts in the multiprocessors.
    capacity: u128,
    /// What a launch takes of them at once.
    fill: Vec<u128>,
    /// What a launch would take without its last block.
    rest: Vec<u128>,
    /// What an episode of the kernel loses, in parts; empty where it loses nothing.
    loss: Vec<u128>,
}

/// With more kernels than this, bounds are looked for with little effort: with one kind of weights, and whole launches.
const MANY: usize = 1_000;
/// The most that weights of levels may take: kernels times different weights.
const MOST_WEIGHTS: usize = 4_000_000;

impl Levels {
    /// The levels of a system. A block of each kernel takes at most so long.
    pub(super) fn new(system: &System, times: &[u64]) -> Result<Self, NoBound> {
        let (tasks, streams) = (system.tasks(), system.streams());
        let priority = |kernel: usize| streams[tasks[kernel].stream].priority;
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        order.sort_by_key(|&kernel| (Reverse(priority(kernel)), tasks[kernel].stream));
        let row = |&kernel: &usize| Row {
            kernel,
            stream: tasks[kernel].stream,
            period: tasks[kernel].period.map_or(0, |period| period.0),
            first: 0,
            shift: Some(tasks[kernel].jitter.0),
            time: times[kernel],
        };
        let rows: Vec<Row> = order.iter().map(row).collect();
        let mut place = vec![0; tasks.len()];
        for (at, &kernel) in order.iter().enumerate() {
            place[kernel] = at;
        }
        let mut by_time: Vec<usize> = (0..rows.len()).collect();
        by_time.sort_by_key(|&at| Reverse(rows[at].time));
        let one_need = system.needs_are_known()
            && system.registers_add_up()
            && tasks.iter().all(|task| task.block == tasks[0].block);
        let of_one = u128::from(system.gpu().resources.fits(&tasks[0].block));
        let multiprocessors = system.gpu().multiprocessors;
        let mut this = Self {
            rows,
            place,
            levels: Vec::new(),
            level_of: vec![0; tasks.len()],
            by_time,
            weights: Vec::new(),
            slots: one_need.then_some(of_one * u128::from(multiprocessors)),
            multiprocessors,
            streams: streams.len(),
            waits: vec![None; tasks.len()],
            changes: Vec::new(),
            exact: order.iter().map(|&kernel| exact::Releases::new(system, kernel)).collect(),
            responses: (0, vec![None; tasks.len()]),
            is_cheap: false,
        };
        this.divide(system, times, priority)?;
        this.changes = vec![0; this.levels.len()];
        Ok(this)
    }

    /// Says how long launches take at most from their release to their entry into the queue, and to their end, kernel by
    /// kernel; `None` if that has no limit.
    pub(super) fn enter(&mut self, system: &System, late: impl Fn(usize) -> Option<u64>, found: &[Found]) {
        let mut changed = false;
        let responses: Vec<Option<u64>> = self.rows.iter().map(|row| found[row.kernel].ok()).collect();
        if responses != self.responses.1 {
            self.responses = (self.responses.0 + 1, responses);
        }
        for (level, changes) in self.levels.iter().zip(&mut self.changes) {
            for row in &mut self.rows[level.rows.clone()] {
                let jitter = system.tasks()[row.kernel].jitter.0;
                let shift = late(row.kernel).and_then(|late| late.checked_add(jitter));
                changed |= shift != row.shift;
                row.shift = shift;
            }
            *changes += u64::from(changed);
        }
        if self.are_many() && (changed || self.waits.iter().any(Option::is_none)) {
            self.find_cheap_waits();
        }
    }

    /// Whether there are so many kernels that bounds are looked for with little effort, at first without windows from the
    /// release.
    pub(super) fn are_many(&self) -> bool {
        self.rows.len() > MANY
    }

    /// The same levels, of which only busy windows are used.
    #[must_use]
    pub(super) fn cheap(mut self) -> Self {
        self.is_cheap = true;
        self
    }

    /// Whether only busy windows are examined, where they have an end.
    pub(super) fn is_cheap(&self) -> bool {
        self.is_cheap
    }

    /// How long so many launches of kernels wait in their queues, each from its entry on, in grains; nothing if no limit
    /// of this is found.
    pub(super) fn sum_of_waits(&mut self, launches: &[(usize, u64)]) -> Option<u128> {
        let mut all = 0_u128;
        for &(kernel, launches) in launches.iter().filter(|(_, launches)| *launches > 0) {
            let wait = self.wait(kernel)?.time();
            all = all.checked_add(u128::from(wait).checked_mul(launches.into())?)?;
        }
        Some(all)
    }

    /// The state of what the wait of a kernel depends on.
    fn state(&self, kernel: usize) -> u64 {
        let of_level = self.changes[self.level_of[kernel]];
        // Where releases are known, it also counts how long others may be there.
        if !self.are_many() && self.are_known(kernel) { of_level + self.responses.0 } else { of_level }
    }

    /// The longest wait of a launch of a kernel in its queue, from its entry on, if one is found.
    fn wait(&mut self, kernel: usize) -> Option<busy_window::Found> {
        let now = self.state(kernel);
        let found = match self.waits[kernel] {
            Some((then, found)) if then == now => found,
            _ => self.longest_wait(kernel),
        };
        self.waits[kernel] = Some((now, found));
        found
    }

    /// Finds the levels and their weights.
    fn divide(
        &mut self,
        system: &System,
        times: &[u64],
        priority: impl Fn(usize) -> i64,
    ) -> Result<(), NoBound> {
        // Levels have the same weights if the same needs are found among those that may wait.
        let mut numbers = HashMap::new();
        let mut heads = vec![false; self.rows.len()];
        let mut found = HashSet::new();
        let all_alike = |weights: &[Vec<Weighted>]| {
            weights.iter().map(Vec::len).sum::<usize>() * self.rows.len() > MOST_WEIGHTS
        };
        let mut weights: Vec<Vec<Weighted>> = Vec::new();
        let mut start = 0;
        while start < self.rows.len() {
            let of = priority(self.rows[start].kernel);
            let end = start + self.rows[start..].iter().take_while(|row| priority(row.kernel) == of).count();
            for row in &self.rows[start..end] {
                heads[row.kernel] = true;
                found.insert(system.tasks()[row.kernel].block.each());
                self.level_of[row.kernel] = self.levels.len();
            }
            let number = match numbers.get(&found.len()) {
                Some(&number) => number,
                None if all_alike(&weights) => {
                    // What holds where any block may wait holds on each level.
                    weights.push(vec![self.weighted(Weights::new(system)?, system)]);
                    numbers = (0..=self.rows.len()).map(|needs| (needs, weights.len() - 1)).collect();
                    weights.len() - 1
                }
                None => {
                    let of_heads = Weights::of_heads(system, &heads, times)?;
                    weights.push(of_heads.into_iter().map(|one| self.weighted(one, system)).collect());
                    numbers.insert(found.len(), weights.len() - 1);
                    weights.len() - 1
                }
            };
            self.levels.push(Level { rows: start..end, weights: number });
            start = end;
        }
        self.weights = weights;
        Ok(())
    }

    fn weighted(&self, weights: Weights, system: &System) -> Weighted {
        let (m, one) = (self.multiprocessors, weights.one);
        let blocks = |row: &Row, less: u64| {
            weights.of[row.kernel].saturating_mul((system.tasks()[row.kernel].blocks - less).into())
        };
        let loss =
            |episodes: &Episodes| self.rows.iter().map(|row| episodes.loss(row.kernel, one, m)).collect();
        Weighted {
            capacity: one.saturating_mul(m.into()),
            fill: self.rows.iter().map(|row| blocks(row, 0)).collect(),
            rest: self.rows.iter().map(|row| blocks(row, 1)).collect(),
            loss: weights.episodes.as_ref().map(loss).unwrap_or_default(),
        }
    }

    /// The rows that may be on the multiprocessors when a window of a level begins, the longest times first.
    fn residents<'a>(
        &'a self,
        level: &'a Level,
        weighted: &'a Weighted,
    ) -> impl Iterator<Item = Resident> + 'a {
        self.by_time.iter().map(move |&at| {
            let row = &self.rows[at];
            let urgent = at < level.rows.end;
            Resident { at, stream: row.stream, fill: weighted.fill[at], time: row.time, urgent }
        })
    }

    /// What is lost more where this row's launch comes in before a less urgent one that waits, up to a level: the most
    /// that an episode of such a one loses, row by row before the end of the level.
    fn losses_again(&self, level: &Level, weighted: &Weighted) -> Vec<u128> {
        if weighted.loss.is_empty() {
            return Vec::new();
        }
        let mut again = vec![0; level.rows.end];
        let (mut most, mut of_level) = (0, 0);
        let mut number = self.level_of[self.rows[level.rows.start].kernel];
        for at in (0..level.rows.end).rev() {
            let of = self.level_of[self.rows[at].kernel];
            if of != number {
                (most, of_level, number) = (of_level.max(most), 0, of);
            }
            again[at] = most;
            of_level = weighted.loss[at].max(of_level);
        }
        again
    }
}
