//! The busy windows of kernels whose releases are known.
//!
//! Where each kernel of the level or above it is released exactly when the file says, enters its queue then, and is
//! complete before its next launch, a window begins where one of them is released. So all windows of a hyperperiod are
//! tried, one for each launch of k and each release before it, and the launches in each are those that the file has
//! there. Of the kernels that may be on the multiprocessors when a window begins, those count whose last release is
//! less than their bound ago, and no longer than what is left of it.

use std::borrow::Cow;
use std::cmp::Reverse;

use num_integer::Integer;

use crate::System;
use crate::bound::levels::Levels;
use crate::bound::levels::busy_window::{Ended, Found, Window, end_of};
use crate::bound::levels::residents::Resident;
use crate::bound::levels::row::Row;

/// The most launches of a hyperperiod.
const MOST_LAUNCHES: u64 = 1_000;
/// The most releases before a launch at which its window may begin.
const MOST_BEGINNINGS: usize = 64;

/// When a kernel is released: all launches a period apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Releases {
    first: u64,
    period: u64,
    /// Whether a launch enters its queue when it is released, if the one before it is complete.
    at_once: bool,
    /// The time of the copy after its blocks.
    copy_out: u64,
}

impl Releases {
    pub(super) fn new(system: &System, kernel: usize) -> Option<Self> {
        let task = &system.tasks()[kernel];
        let period = task.period.filter(|_| task.is_exact())?.0;
        let with = system.tasks().iter().filter(|other| other.stream == task.stream).count();
        let at_once = with == 1 && task.copy_in.0 == 0;
        Some(Self { first: task.release.0 % period, period, at_once, copy_out: task.copy_out.0 })
    }

    /// How long before a time the last release is, up to that time.
    fn last(&self, time: u64) -> u64 {
        let [time, first] = [time, self.first].map(i128::from);
        u64::try_from((time - first).rem_euclid(self.period.into())).unwrap_or(0)
    }

    /// How long after a time the first release is, from that time on.
    fn next(&self, time: u64) -> u64 {
        match self.last(time) {
            0 => 0,
            last => self.period - last,
        }
    }
}

impl Levels {
    /// Whether the releases of a kernel and of all that are as urgent are known.
    pub(super) fn are_known(&self, kernel: usize) -> bool {
        let level = &self.levels[self.level_of[kernel]];
        self.exact[..level.rows.end].iter().all(|known| known.is_some_and(|known| known.at_once))
    }

    /// The longest wait of a kernel, if it and all that are as urgent are released when the file says, and enter their
    /// queues then, and no window is longer than `last`.
    pub(super) fn longest_of_known(&self, kernel: usize, last: u64) -> Option<Found> {
        let rows = ..self.levels[self.level_of[kernel]].rows.end;
        // Its launch enters at its release if the one before is complete by then.
        if !self.are_known(kernel) || self.rows[rows].iter().any(|row| row.shift != Some(0)) {
            return None;
        }
        let exact: Vec<Releases> = self.exact[rows].iter().flatten().copied().collect();
        // The others matter by where their last release is, as long as that repeats soon.
        let hyperperiod =
            self.hyperperiod(self.rows.len(), &exact).or_else(|| self.hyperperiod(rows.end, &exact))?;
        let own = self.exact[self.place[kernel]]?;
        let mut longest = Found { entry: 0, end: 0, weights: 0, release: None };
        // The first launches are those of later hyperperiods, so that there are releases before all of them.
        let start = last.checked_div(hyperperiod)?.checked_add(1)?.checked_mul(hyperperiod)?;
        for launch in 0..hyperperiod / own.period {
            let release = start.checked_add(own.first + launch * own.period)?;
            let mut beginnings: Vec<u64> = Vec::new();
            for of in &exact {
                let before =
                    std::iter::successors(Some(of.last(release)), |before| before.checked_add(of.period));
                beginnings.extend(before.take_while(|before| *before <= last));
                if beginnings.len() > MOST_BEGINNINGS {
                    return None;
                }
            }
            beginnings.sort_unstable();
            beginnings.dedup();
            for entry in beginnings {
                if last - entry <= longest.time() {
                    break;
                }
                let windows = self.windows_of_known(kernel, release, release - entry, hyperperiod);
                if let Ended::At { end, weights } = end_of(&windows, entry, longest.time())?
                    && end - entry > longest.time()
                {
                    longest = Found { entry, end, weights, release: Some((release, hyperperiod)) };
                }
            }
        }
        Some(longest)
    }

    /// The time after which the known releases of the first rows repeat, if these kernels are not launched too often in it.
    fn hyperperiod(&self, rows: usize, launched: &[Releases]) -> Option<u64> {
        let hyperperiod = self.exact[..rows].iter().flatten().try_fold(1_u64, |all, of| {
            all.checked_mul(of.period / all.gcd(&of.period)).filter(|all| *all < 1 << 60)
        })?;
        let launches = launched.iter().map(|of| hyperperiod / of.period).fold(0, u64::saturating_add);
        (launches <= MOST_LAUNCHES).then_some(hyperperiod)
    }

    /// The windows that begin at a time, of a launch of this kernel that is released at another.
    pub(super) fn windows_of_known(
        &self,
        kernel: usize,
        release: u64,
        beginning: u64,
        hyperperiod: u64,
    ) -> Vec<Window<'_>> {
        let level = &self.levels[self.level_of[kernel]];
        let row = |(row, known): (&Row, &Option<Releases>)| Row {
            first: known.map_or(0, |known| known.next(beginning)),
            ..*row
        };
        let rows: Vec<Row> = self.rows[..level.rows.end].iter().zip(&self.exact).map(row).collect();
        let own = self.place[kernel];
        // Ours comes at its place among others of one instant only if the one before it is complete sooner.
        let sooner = self.responses.1[own].is_some_and(|response| response < self.rows[own].period);
        let mut there: Vec<(usize, u64)> = (0..self.rows.len())
            .map(|at| (at, self.left(at, at < level.rows.end, beginning, hyperperiod)))
            .collect();
        there.retain(|(_, left)| *left > 0);
        there.sort_unstable_by_key(|(_, left)| Reverse(*left));
        debug_assert_eq!(
            rows[own].count(release - beginning),
            u128::from((release - beginning) / rows[own].period) + 1
        );
        let weights = &self.weights[level.weights];
        let mut windows = Vec::with_capacity(weights.len());
        for weighted in weights {
            let residents = there.iter().map(|&(at, time)| Resident {
                at,
                stream: self.rows[at].stream,
                fill: weighted.fill[at],
                time,
                urgent: at < level.rows.end,
            });
            let window = Window::of(self, level, weighted, own, Cow::Owned(rows.clone()), residents);
            windows.push(if sooner { window.in_order() } else { window });
        }
        windows
    }

    /// How long blocks of a row may still run that are there at a time, and at all times so many hyperperiods later.
    fn left(&self, at: usize, urgent: bool, time: u64, hyperperiod: u64) -> u64 {
        let longest = self.rows[at].time;
        let (Some(known), Some(response)) = (self.exact[at], self.responses.1[at]) else { return longest };
        if response > known.period || !hyperperiod.is_multiple_of(known.period) {
            return longest;
        }
        let last = match known.last(time) {
            // What is as urgent and released just then has not entered its queue.
            0 if urgent => known.period,
            last => last,
        };
        response.saturating_sub(last).saturating_sub(known.copy_out).min(longest)
    }
}
