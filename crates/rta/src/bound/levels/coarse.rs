//! The busy windows of thousands of kernels.
//!
//! All launches count whole, those of one priority until the end of the window, and with one kind of weights. Then the
//! kernels above a level only matter by how their launches come: those of one period and one shift are one sum. So a window takes
//! as many steps as there are such patterns, and not as many as there are kernels.

use std::collections::HashMap;

use crate::bound::levels::busy_window::Found;
use crate::bound::levels::fixed_point::first_at_least;
use crate::bound::levels::residents::Residents;
use crate::bound::levels::row::Row;
use crate::bound::levels::{Level, Levels};

/// The most steps of a search for the end of a window.
const MOST_STEPS: usize = 200;
/// The most patterns, once windows from the release are examined too.
const MOST_PATTERNS: usize = 256;
/// The most launches of a kernel in its window.
const MOST_OWN: u128 = 100;

/// What the launches of all kernels down to a level add, by pattern.
#[derive(Default)]
struct Patterns {
    /// One kernel of each, and what a launch of all of them adds.
    sums: Vec<(Row, u128)>,
    numbers: HashMap<(u64, Option<u64>), usize>,
}

impl Patterns {
    fn add(&mut self, row: &Row, whole: u128) {
        let next = self.sums.len();
        let number = *self.numbers.entry((row.period, row.shift)).or_insert(next);
        if number == next {
            self.sums.push((*row, 0));
        }
        let sum = &mut self.sums[number].1;
        *sum = sum.saturating_add(whole);
    }

    /// What launches that enter until v add.
    fn until(&self, v: u64) -> u128 {
        let of = |(row, whole): &(Row, u128)| row.count(v).saturating_mul(*whole);
        self.sums.iter().map(of).fold(0, u128::saturating_add)
    }
}

impl Levels {
    /// Finds the waits of all kernels. They may be longer than those that [`Levels::longest_wait`] finds.
    pub(super) fn find_cheap_waits(&mut self) {
        let mut waits = Vec::with_capacity(self.rows.len());
        let mut patterns = Patterns::default();
        let (mut weights, mut taken) = (None, vec![0; self.streams]);
        // Once the launches down to a level leave no room, those of the levels below do not either.
        let mut is_open = true;
        for level in &self.levels {
            if !is_open {
                waits.extend(self.rows[level.rows.clone()].iter().map(|row| (row.kernel, None)));
                continue;
            }
            if weights != Some(level.weights) {
                // Other weights: what more urgent launches add is added up anew.
                weights = Some(level.weights);
                patterns = Patterns::default();
                (0..level.rows.start)
                    .for_each(|at| patterns.add(&self.rows[at], self.cheap_whole(level, at)));
            }
            level.rows.clone().for_each(|at| patterns.add(&self.rows[at], self.cheap_whole(level, at)));
            let weighted = &self.weights[level.weights][0];
            let all = weighted.capacity;
            let urgent = self.slots.map_or(all, |slots| all - all / slots);
            let residents = Residents::new(self.residents(level, weighted), &mut taken, all, urgent).whole();
            let last = first_at_least(all, MOST_STEPS, |v| patterns.until(v).saturating_add(residents));
            is_open = last.is_some();
            // While bounds grow that are too large for busy windows alone, each late kernel has a shift of its own.
            is_open &= self.is_cheap || patterns.sums.len() <= MOST_PATTERNS;
            let last = last.filter(|_| is_open);
            for at in level.rows.clone() {
                let wait = last.and_then(|last| self.cheap_wait(level, at, &patterns, residents, last));
                waits.push((self.rows[at].kernel, wait));
            }
        }
        for (kernel, found) in waits {
            let now = self.state(kernel);
            self.waits[kernel] = Some((now, found));
        }
    }

    /// What a whole launch adds.
    fn cheap_whole(&self, level: &Level, at: usize) -> u128 {
        self.weights[level.weights][0].fill[at].saturating_mul(self.rows[at].time.into())
    }

    fn cheap_wait(
        &self,
        level: &Level,
        own: usize,
        patterns: &Patterns,
        residents: u128,
        last: u64,
    ) -> Option<Found> {
        let (row, weighted) = (&self.rows[own], &self.weights[level.weights][0]);
        let whole = self.cheap_whole(level, own);
        let ours = weighted.rest[own].saturating_mul(row.time.into());
        if row.count(last) > MOST_OWN {
            return None;
        }
        let mut longest = Found { entry: 0, end: 0, weights: 0, release: None };
        for launch in 0..row.count(last) {
            let entry = row.entry(launch)?;
            if last.saturating_sub(entry) <= longest.time() {
                break;
            }
            let end = first_at_least(weighted.capacity, MOST_STEPS, |v| {
                let earlier = row.count(entry.min(v)).saturating_sub(u128::from(v >= entry));
                let of_others = match (patterns.until(v), row.count(v).checked_mul(whole)) {
                    (u128::MAX, _) | (_, None) => return u128::MAX,
                    (all, Some(own)) => all.saturating_sub(own),
                };
                let own = earlier.saturating_mul(whole).saturating_add(if v >= entry { ours } else { 0 });
                of_others.saturating_add(own).saturating_add(residents)
            })?;
            if end >= entry && end - entry > longest.time() {
                longest = Found { entry, end, weights: 0, release: None };
            }
        }
        Some(longest)
    }
}
