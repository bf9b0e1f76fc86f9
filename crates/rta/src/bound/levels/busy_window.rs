//! How long a launch waits in its queue, from the busy window around it.
//!
//! Let a launch of k enter its queue, of priority p, at q, and let its last block be placed at s. Let t0 be the last moment up to
//! q at which no launch of priority p or above waits. From t0 to s one of them waits at every moment, so no less
//! urgent block is placed, and the weights on each of the M multiprocessors add up to 1 or more. What was on them at t0 is
//! running ([`residents`](super::residents)); all else entered its queue at t0 or later ([`Row`]). With x = q - t0 this gives,
//! for each v up to s - t0,
//!
//! ```text
//! M v <= residents(v) + sum of g w min(C, v - a_i) over the launches i of
//!        more urgent kernels with a_i < v; kernels of p with a_i <= x, and of k those before ours;
//!        + (g - 1) w min(C, v - x) of ours
//! ```
//!
//! where a stream takes no more than its largest g w, for all v. So s - t0 <= v for any v > 0 for which this is false. It
//! is no more than v >= x either if the same with the whole C of each launch with `a_i` <= v, and of all residents, is at
//! most M v: else it would be false just after v. At v = 0 the first form says 0 <= 0, which is why v > 0. Where weights
//! have [episodes](crate::bound::episodes), each launch adds what they lose.
//!
//! The launch waits for the largest s - t0 - x over all x. Both sides grow with x only where a launch of priority p
//! more has `a_i` <= x, so only those x are examined.
//!
//! If all blocks need the same and the GPU runs N at once, t0 is the last moment at which also one of the N places is not
//! taken by a block of priority p or above. Then these take N - 1 places at most at t0, and later no other finds a place.
//!
//! That a window begins before the release is from S. Baruah, RTSS 2007; the few residents are the limited carry-in of
//! N. Guan, M. Stigge, W. Yi, G. Yu, RTSS 2009; several launches of k in a window are those of non-preemptive analysis (R. I. Davis, A.
//! Burns, R. J. Bril, J. J. Lukkien, Real-Time Systems 35, 2007).

use std::borrow::Cow;

use crate::bound::levels::fixed_point::first_at_least;
use crate::bound::levels::parts::Wait;
use crate::bound::levels::residents::{Resident, Residents};
use crate::bound::levels::row::Row;
use crate::bound::levels::{Level, Levels, Weighted};

/// The most steps of a search for the end of a window.
const MOST_STEPS: usize = 2_000;
/// The most x of a kernel that are examined, unless its own launches alone are more.
const MOST_ENTRIES: u128 = 256;
/// The most own launches of a kernel in a window.
const MOST_OWN: u128 = 10_000;

/// Windows of one kernel with one kind of weights.
pub(super) struct Window<'a> {
    levels: &'a Levels,
    /// The rows of the level and those above it.
    rows: Cow<'a, [Row]>,
    level: &'a Level,
    weighted: &'a Weighted,
    own: usize,
    residents: Residents,
    /// What each launch adds that waits, row by row; empty where weights have no episodes.
    lost: Vec<u128>,
    /// Whether launches of the same priority count until the end of the window, although they may be behind.
    spread: bool,
    /// Whether releases of one instant come in the order of the file.
    in_order: bool,
}

/// A window of a wait: its beginning before the entry, and its end, counted from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) entry: u64,
    pub(super) end: u64,
    /// Which weights it was found with.
    pub(super) weights: usize,
    /// When its launch is released, and after what time that repeats, where releases are known.
    pub(super) release: Option<(u64, u64)>,
}

impl Found {
    /// How long the launch waits.
    pub(super) fn time(&self) -> u64 {
        self.end - self.entry
    }
}

impl Levels {
    /// The longest time from the entry of a launch into its queue until its last block is placed; nothing if none is
    /// found.
    pub(super) fn longest_wait(&self, kernel: usize) -> Option<Found> {
        let level = &self.levels[self.level_of[kernel]];
        if self.rows[..level.rows.end].iter().any(|row| row.shift.is_none()) {
            return None;
        }
        let (windows, last) = self.windows(kernel)?;
        if let Some(found) = self.longest_of_known(kernel, last) {
            return Some(found);
        }
        let own = self.place[kernel];
        if self.rows[own].count(last) > MOST_OWN {
            return None;
        }
        let entries = |row: &Row| {
            let row = *row;
            (0..).map_while(move |launch| row.entry(launch)).take_while(move |entry| *entry <= last)
        };
        let mut entries: Vec<u64> = if windows.first()?.spread {
            entries(&self.rows[own]).collect()
        } else {
            self.rows[level.rows.clone()].iter().flat_map(entries).collect()
        };
        entries.sort_unstable();
        entries.dedup();
        let mut longest = Found { entry: 0, end: 0, weights: 0, release: None };
        for entry in entries {
            if last - entry <= longest.time() {
                break;
            }
            if let Ended::At { end, weights } = end_of(&windows, entry, longest.time())?
                && end - entry > longest.time()
            {
                longest = Found { entry, end, weights, release: None };
            }
        }
        Some(longest)
    }

    /// The windows of a kernel, one for each kind of weights, and the last x at which one can still be open.
    fn windows(&self, kernel: usize) -> Option<(Vec<Window<'_>>, u64)> {
        let level = &self.levels[self.level_of[kernel]];
        let of = |weighted| Window::new(self, level, weighted, self.place[kernel]);
        let mut windows: Vec<Window<'_>> = self.weights[level.weights].iter().map(of).collect();
        let last = windows.iter().filter_map(Window::last_entry).min()?;
        let of_level = self.rows[level.rows.clone()].iter().map(|row| row.count(last));
        let spread = of_level.fold(0, u128::saturating_add) > MOST_ENTRIES;
        windows.iter_mut().for_each(|window| window.spread = spread);
        Some((windows, last))
    }

    /// What the wait of a window consists of.
    pub(super) fn parts_of_window(&self, kernel: usize, found: Found) -> Option<Wait> {
        if found.time() == 0 {
            return Some(Wait::new(1, 0));
        }
        let (known, generic);
        let window = match found.release {
            Some((release, hyperperiod)) => {
                known = self.windows_of_known(kernel, release, release - found.entry, hyperperiod);
                known.get(found.weights)?
            }
            None => {
                generic = self.windows(kernel)?.0;
                generic.get(found.weights)?
            }
        };
        let (x, v) = (found.entry, found.end);
        // Whichever form ends the window here.
        let runs = window.all_run(x, v) < window.weighted.capacity.saturating_mul(v.into());
        Some(window.parts(x, v, runs))
    }
}

/// Where a window ends.
pub(super) enum Ended {
    /// Before the launch enters: so it does not enter this window.
    Before,
    /// Here, found with these weights.
    At { end: u64, weights: usize },
}

/// Where a window ends that a launch enters at x, by the best weights. An end no more than `known` after x may be found
/// too late. Nothing if none is found.
pub(super) fn end_of(windows: &[Window<'_>], x: u64, known: u64) -> Option<Ended> {
    let mut least: Option<(u64, usize)> = None;
    for (weights, window) in windows.iter().enumerate() {
        let given = least.map(|(end, _)| end);
        let Some(end) = window.end(x, known, given) else { continue };
        if end < x {
            return Some(Ended::Before);
        }
        if given.is_none_or(|given| end < given) {
            least = Some((end, weights));
        }
    }
    least.map(|(end, weights)| Ended::At { end, weights })
}

impl<'a> Window<'a> {
    /// The window with these weights, of the launches that may come after any moment.
    fn new(levels: &'a Levels, level: &'a Level, weighted: &'a Weighted, own: usize) -> Self {
        let residents = levels.residents(level, weighted);
        let rows = Cow::Borrowed(&levels.rows[..level.rows.end]);
        Self::of(levels, level, weighted, own, rows, residents)
    }

    /// The window of these launches, where one of each stream of these kernels may be there at the beginning.
    pub(super) fn of(
        levels: &'a Levels,
        level: &'a Level,
        weighted: &'a Weighted,
        own: usize,
        rows: Cow<'a, [Row]>,
        residents: impl Iterator<Item = Resident>,
    ) -> Self {
        let all = weighted.capacity;
        // One place less than there are: each takes the same part.
        let urgent = levels.slots.map_or(all, |slots| all - all / slots);
        let taken = &mut vec![0; levels.streams];
        let residents = Residents::new(residents, taken, all, urgent);
        let again = levels.losses_again(level, weighted);
        let lost = weighted.loss.iter().zip(&again).map(|(loss, again)| loss.saturating_add(*again));
        let lost = lost.collect();
        Self { levels, rows, level, weighted, own, residents, lost, spread: false, in_order: false }
    }

    /// The same, where releases of one instant come in the order of the file.
    pub(super) fn in_order(self) -> Self {
        Self { in_order: true, ..self }
    }

    fn lost(&self, at: usize) -> u128 {
        self.lost.get(at).copied().unwrap_or(0)
    }

    /// What a whole launch adds.
    fn whole(&self, at: usize) -> u128 {
        self.weighted.fill[at].saturating_mul(self.rows[at].time.into()).saturating_add(self.lost(at))
    }

    /// The last x at which a window can still be open: there the launches of all kernels of p and above do not fill it.
    fn last_entry(&self) -> Option<u64> {
        let rows = &self.rows;
        let residents = self.residents.whole();
        let all = |v: u64| {
            let of = |(at, row): (usize, &Row)| row.count(v).saturating_mul(self.whole(at));
            rows.iter().enumerate().map(of).fold(residents, u128::saturating_add)
        };
        first_at_least(self.weighted.capacity, MOST_STEPS, all)
    }

    /// The launches of a row that count in a window to v which ours enters at x, but for ours.
    fn launches(&self, at: usize, x: u64, v: u64) -> u128 {
        let row = &self.rows[at];
        if at == self.own {
            row.count(x.min(v)) - u128::from(v >= x)
        } else if self.level.rows.contains(&at) && !self.spread {
            let behind = self.in_order && row.kernel > self.rows[self.own].kernel;
            match x.checked_sub(u64::from(behind)) {
                Some(last) => row.count(last.min(v)),
                None => 0,
            }
        } else {
            row.count(v)
        }
    }

    /// The end of a window that a launch enters at x, or `given`, if that is not found to be sooner: it is only looked for
    /// as long as it may be more than `known` after x. Before x, if the window has ended by then.
    fn end(&self, x: u64, known: u64, given: Option<u64>) -> Option<u64> {
        let whole = first_at_least(self.weighted.capacity, MOST_STEPS, |v| self.all_whole(x, v)).or(given)?;
        let end = whole.min(given.unwrap_or(whole));
        if end <= x.saturating_add(known) || self.levels.are_many() {
            return Some(end);
        }
        Some(self.end_of_runs(x, end))
    }

    /// What counts in a window to v if all launches count whole.
    fn all_whole(&self, x: u64, v: u64) -> u128 {
        let of = |at: usize| self.launches(at, x, v).saturating_mul(self.whole(at));
        let ours = self.weighted.rest[self.own].saturating_mul(self.rows[self.own].time.into());
        let ours = if v >= x { ours.saturating_add(self.lost(self.own)) } else { 0 };
        (0..self.rows.len()).map(of).fold(ours.saturating_add(self.residents.whole()), u128::saturating_add)
    }

    /// What counts in a window to v if no block counts for longer than it can have run.
    fn all_run(&self, x: u64, v: u64) -> u128 {
        let rows = &self.rows;
        let own = self.rows[self.own].stream;
        let ours =
            self.weighted.rest[self.own].saturating_mul(rows[self.own].time.min(v.saturating_sub(x)).into());
        let mut all = self.residents.until(v).saturating_add(self.lost(self.own));
        let mut at = 0;
        while at < rows.len() {
            let stream = rows[at].stream;
            let (mut runs, mut fill) = (if stream == own { ours } else { 0 }, 0);
            while let Some(row) = rows.get(at).filter(|row| row.stream == stream) {
                let launches = self.launches(at, x, v);
                runs = runs.saturating_add(self.weighted.fill[at].saturating_mul(row.run(launches, v)));
                all = all.saturating_add(launches.saturating_mul(self.lost(at)));
                fill = self.weighted.fill[at].max(fill);
                at += 1;
            }
            all = all.saturating_add(runs.min(fill.saturating_mul(v.into())));
        }
        all
    }

    /// What counts in a window to v, kernel by kernel: whole launches, or what they can have run.
    fn parts(&self, x: u64, v: u64, runs: bool) -> Wait {
        let rows = &self.rows;
        let mut wait = Wait::new(self.weighted.capacity, x);
        for step in self.residents.steps() {
            let time = if runs { step.time.min(v) } else { step.time };
            let part = wait.of(self.levels.rows[step.at].kernel);
            part.resident = part.resident.saturating_add(step.part.saturating_mul(time.into()));
        }
        for (at, row) in rows.iter().enumerate() {
            let launches = self.launches(at, x, v);
            let all = launches + u128::from(at == self.own);
            let time = if runs { row.run(launches, v) } else { launches.saturating_mul(row.time.into()) };
            let ours = if runs { row.time.min(v.saturating_sub(x)) } else { row.time };
            let ours = if at == self.own { self.weighted.rest[at].saturating_mul(ours.into()) } else { 0 };
            let part = wait.of(row.kernel);
            part.launches = Some(u64::try_from(all).unwrap_or(u64::MAX));
            part.ahead = self.weighted.fill[at].saturating_mul(time).saturating_add(ours);
            part.lost = all.saturating_mul(self.lost(at));
        }
        if runs {
            wait.share_streams(&self.rows, &self.weighted.fill, v);
        }
        wait
    }

    /// The first time after v at which what counts may bend.
    fn bend(&self, x: u64, v: u64) -> Option<u64> {
        let rows = &self.rows;
        // Launches that have not entered by v count as soon as they do.
        let launches = |at: usize| {
            if at == self.own || (self.level.rows.contains(&at) && !self.spread) {
                self.launches(at, x, u64::MAX)
            } else {
                u128::MAX
            }
        };
        let of = |(at, row): (usize, &Row)| row.bend(launches(at), v);
        let ours =
            [Some(x), x.checked_add(rows[self.own].time)].into_iter().flatten().filter(|time| *time > v);
        rows.iter().enumerate().filter_map(of).chain(ours).chain(self.residents.bend(v)).min()
    }

    /// The first v above 0, no later than `end`, for which what can have run is less than M v.
    fn end_of_runs(&self, x: u64, end: u64) -> u64 {
        let open = |v: u64| {
            let all = self.all_run(x, v);
            (all >= self.weighted.capacity.saturating_mul(v.into())).then_some(all)
        };
        let mut v = 1;
        for _ in 0..MOST_STEPS {
            if v >= end {
                return end;
            }
            let Some(all) = open(v) else { return v };
            // What has run never falls, so it reaches M v until here.
            let next = u64::try_from(all / self.weighted.capacity).map_or(end, |next| next.saturating_add(1));
            let bend = self.bend(x, v).unwrap_or(end).min(end);
            if next >= bend {
                v = next;
            } else if open(bend).is_some() {
                // It is concave up to the next bend.
                v = bend;
            } else {
                let (mut before, mut after) = (v, bend);
                while after - before > 1 {
                    let middle = before + (after - before) / 2;
                    if open(middle).is_some() {
                        before = middle;
                    } else {
                        after = middle;
                    }
                }
                return after;
            }
        }
        end
    }
}
