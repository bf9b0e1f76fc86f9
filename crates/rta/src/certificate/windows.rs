//! Bounds by busy windows, as the checker of certificates computes them.
//!
//! A launch waits no longer than [`wait`](Windows::wait) for room, which is `delay_by` of `proofs/Checker/PriorityInput.v`, step
//! by step; the theorem is `wait_bounded` of `proofs/Realtime/BusyWindow.v`. Its bound is then what the launches of its stream run,
//! copy, wait for copies (`proofs/Realtime/Terms.v`), and wait for room. Some things that [`bound`](crate::bound())
//! uses are not proved in Coq, so bounds may be larger than its own.

use crate::certificate::kernels::Windows;
use crate::certificate::levels::Level;

/// The most steps of a search; the checker makes twice as many.
const MOST_STEPS: usize = 10_000;
/// The longest window that the checker looks at.
const LONGEST: u128 = 1 << 64;
/// The most rounds in which the bounds settle.
const MOST_ROUNDS: usize = 1_000;
/// A bound of so many periods grows without end.
const MOST_PERIODS: u128 = 100;

/// Bounds from the release of each kernel, and the sizes by which its windows measure the resources: none if its bound does not
/// rest on its windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) bounds: Vec<u128>,
    pub(super) ways: Vec<Option<[u128; 4]>>,
}

/// Launches of a kernel that enter a window.
struct Row {
    /// Whether they count until its end; else until our entry.
    to_the_end: bool,
    period: u128,
    /// How much sooner than a window a launch may have arrived.
    sooner: u128,
    /// The work of one.
    each: u128,
}

impl Row {
    fn work(&self, x: u128, v: u128) -> Option<u128> {
        let window = (if self.to_the_end { v } else { x }).checked_add(self.sooner)?;
        match window.checked_div(self.period) {
            Some(launches) => (launches + 1).checked_mul(self.each),
            None => Some(self.each),
        }
    }

    /// The next time after x at which one more launch may enter.
    fn next(&self, x: u128) -> Option<u128> {
        let before = x.checked_add(self.sooner)?.checked_div(self.period).filter(|_| !self.to_the_end)?;
        (before + 1).checked_mul(self.period)?.checked_sub(self.sooner)
    }
}

impl Windows {
    /// The least bounds that satisfy either equation jointly, where `others` are bounds that satisfy the equation for any order; nothing
    /// if a kernel has neither.
    pub(super) fn settle(&self, others: &[Option<u128>]) -> Option<Found> {
        let count = self.kernels.len();
        let mut bounds: Vec<u128> =
            self.kernels.iter().map(|kernel| kernel.time + kernel.copy_in + kernel.copy_out).collect();
        for (bound, other) in bounds.iter_mut().zip(others) {
            *bound = other.map_or(*bound, |other| other.min(*bound));
        }
        for _ in 0..MOST_ROUNDS {
            let waits: Vec<Option<(u128, [u128; 4])>> = (0..count).map(|k| self.wait(&bounds, k)).collect();
            let by_windows =
                |k: usize| self.right_hand_side(&bounds, &waits, k).filter(|bound| !self.grows(k, *bound));
            let next: Vec<(u128, bool)> = (0..count)
                .map(|k| match (by_windows(k), others[k]) {
                    (Some(bound), other) if other.is_none_or(|other| bound < other) => {
                        Some((bound.max(bounds[k]), true))
                    }
                    (_, other) => Some((other?, false)),
                })
                .collect::<Option<_>>()?;
            if next.iter().map(|(bound, _)| bound).eq(&bounds) {
                // A window counts for the other kernels of its stream too.
                let used = |k: usize| {
                    (0..count).any(|j| next[j].1 && self.kernels[j].stream == self.kernels[k].stream)
                };
                let ways = (0..count).map(|k| waits[k].map(|(_, way)| way).filter(|_| used(k))).collect();
                return Some(Found { bounds, ways });
            }
            bounds = next.into_iter().map(|(bound, _)| bound).collect();
        }
        None
    }

    fn grows(&self, k: usize, bound: u128) -> bool {
        let period = self.kernels[k].period;
        bound >= LONGEST || (period > 0 && bound > MOST_PERIODS * period)
    }

    /// How long a launch waits for room, by the best of the sizes by which threads may be measured.
    fn wait(&self, bounds: &[u128], k: usize) -> Option<(u128, [u128; 4])> {
        let priority = self.kernels[k].priority;
        let largest = self
            .kernels
            .iter()
            .filter(|kernel| kernel.priority >= priority)
            .map(|kernel| kernel.needs[0])
            .max()?;
        let most = self.room[0].checked_div(largest).unwrap_or(0).min(16);
        // The largest size of which so many parts fit.
        let sizes = (1..=most).map(|parts| [self.room[0] / parts, 0, 0, 0]);
        let ways = std::iter::once([0; 4]).chain(sizes);
        ways.filter_map(|way| Some((self.wait_by(bounds, k, way)?, way))).min_by_key(|(wait, _)| *wait)
    }

    fn wait_by(&self, bounds: &[u128], k: usize, sizes: [u128; 4]) -> Option<u128> {
        let level = Level::new(self, k, sizes)?;
        let rows: Vec<Row> = (0..self.kernels.len())
            .filter(|&j| level.heads[j])
            .map(|j| {
                let kernel = &self.kernels[j];
                Some(Row {
                    to_the_end: kernel.priority > self.kernels[k].priority,
                    period: kernel.period,
                    sooner: kernel.jitter + self.entry(bounds, j)?,
                    each: level.full[j].checked_mul(kernel.time)?,
                })
            })
            .collect::<Option<_>>()?;
        let residents = level.residents(self)?;
        let load = |rest: u128, x: u128, v: u128| {
            rows.iter().try_fold(rest, |sum, row| sum.checked_add(row.work(x, v)?))
        };
        let stop = settle(level.capacity, LONGEST, 0, |v| load(residents, v, v))?;
        // Our own last block is not among what is before it; another one of its kernel counts in its stead.
        let spare = level.weights[k].checked_mul(self.kernels[k].time)?;
        let (mut x, mut v, mut most) = (0, 0, 0);
        for _ in 0..MOST_STEPS {
            let next = rows.iter().filter_map(|row| row.next(x)).fold(stop + 1, u128::min).max(x + 1);
            v = settle(level.capacity, stop, v, |v| load(residents, next - 1, v)?.checked_sub(spare))?;
            most = most.max(v.saturating_sub(x));
            if stop < next {
                return Some(most);
            }
            x = next;
        }
        None
    }

    /// How long after its release a launch enters its queue at most.
    fn entry(&self, bounds: &[u128], j: usize) -> Option<u128> {
        let kernel = &self.kernels[j];
        let placed = bounds[j].checked_sub(kernel.time + kernel.copy_out)?;
        let alone = self.kernels.iter().filter(|other| other.stream == kernel.stream).count() == 1;
        if !alone || kernel.copy_in > 0 {
            return Some(placed);
        }
        if kernel.period == 0 {
            return Some(0);
        }
        Some(placed.min((bounds[j] + kernel.jitter).saturating_sub(kernel.period)))
    }

    /// The most launches of a kernel that are incomplete when one is released, or are released up to u later.
    fn many(&self, bounds: &[u128], j: usize, u: u128) -> u128 {
        let kernel = &self.kernels[j];
        (u + bounds[j] - 1 + kernel.jitter).checked_div(kernel.period).unwrap_or(0) + 1
    }

    /// What a launch of k runs, copies and waits, with those before it in its stream.
    fn right_hand_side(
        &self,
        bounds: &[u128],
        waits: &[Option<(u128, [u128; 4])>],
        k: usize,
    ) -> Option<u128> {
        let own = |j: &usize| self.kernels[*j].stream == self.kernels[k].stream;
        let copies = |j: usize| self.kernels[j].copy_in + self.kernels[j].copy_out;
        let operations =
            |j: usize| u128::from(self.kernels[j].copy_in > 0) + u128::from(self.kernels[j].copy_out > 0);
        let (mut all, mut own_copies) = (0_u128, 0_u128);
        for j in (0..self.kernels.len()).filter(own) {
            let once = copies(j).checked_add(self.kernels[j].time)?.checked_add(waits[j]?.0)?;
            let many = self.many(bounds, j, 0);
            all = all.checked_add(many.checked_mul(once)?)?;
            own_copies = own_copies.checked_add(many.checked_mul(operations(j))?)?;
        }
        for stream in (0..self.kernels.len()).filter(|&stream| stream != self.kernels[k].stream) {
            let of_stream = || (0..self.kernels.len()).filter(move |&j| self.kernels[j].stream == stream);
            let longest = of_stream().map(copies).max().unwrap_or(0);
            let load = of_stream().try_fold(0_u128, |sum, j| {
                sum.checked_add(self.many(bounds, j, bounds[k] - 1).checked_mul(copies(j))?)
            })?;
            all = all.checked_add(own_copies.checked_mul(longest)?.min(load))?;
        }
        Some(all)
    }
}

/// The first time, from v on, at which no more is left to do than can have been done.
fn settle(capacity: u128, limit: u128, mut v: u128, load: impl Fn(u128) -> Option<u128>) -> Option<u128> {
    for _ in 0..MOST_STEPS {
        if v > limit {
            return None;
        }
        let load = load(v)?;
        if load <= capacity.checked_mul(v)? {
            return Some(v);
        }
        v = load.div_ceil(capacity).max(v + 1);
    }
    None
}
