//! How many launches of one kernel can take part in the response of a launch of another.
//!
//! Positions in time are relative to the release of the launch that is followed. Arrivals of a kernel are a
//! period or more apart, and each launch is released at most its jitter after its arrival. So a window of d
//! grains holds at most ceil((d + jitter) / period) releases. Kernels that are neither sporadic nor have a
//! jitter keep the distances that their file says: then the releases of one stand, relative to those of the
//! other, on a grid whose step is the greatest common divisor of the two periods.

use num_integer::Integer;

use crate::{System, Task};

/// The largest number of different periods for which the grid is used. The table of the divisors grows with
/// its square; above it the offsets of kernels are left out, which is safe.
const MOST_PERIODS: usize = 256;

/// The releases of all kernels.
pub(super) struct Calendar {
    kernels: Vec<Releases>,
    /// The greatest common divisors of each two periods, by their class; zero for two single launches.
    divisors: Vec<i64>,
    classes: usize,
}

/// The releases of one kernel.
struct Releases {
    /// The least distance of two arrivals; zero where there is one launch only.
    period: u64,
    jitter: u64,
    first: i64,
    /// Whether every release is where the file says.
    exact: bool,
    /// The number of its period among the different periods of exact kernels.
    class: usize,
}

impl Calendar {
    pub(super) fn new(system: &System) -> Self {
        let grains = |time: u64| i64::try_from(time).unwrap_or(i64::MAX);
        let period = |task: &Task| task.period.map_or(0, |period| period.0);
        let mut periods: Vec<u64> =
            system.tasks().iter().filter(|task| task.is_exact()).map(period).collect();
        periods.sort_unstable();
        periods.dedup();
        if periods.len() > MOST_PERIODS {
            periods.clear();
        }
        let kernels = system.tasks().iter().map(|task| {
            let class = periods.binary_search(&period(task));
            Releases {
                period: period(task),
                jitter: task.jitter.0,
                first: grains(task.release.0),
                exact: task.is_exact() && class.is_ok(),
                class: class.unwrap_or(0),
            }
        });
        let divisors = periods.iter().flat_map(|one| periods.iter().map(|other| grains(one.gcd(other))));
        Self { kernels: kernels.collect(), divisors: divisors.collect(), classes: periods.len() }
    }

    /// The most releases of kernel j from `from` to `to`, both included, seen from a launch of kernel k.
    pub(super) fn most(&self, k: usize, j: usize, from: i64, to: i64) -> u64 {
        if to < from {
            return 0;
        }
        let (ours, theirs) = (&self.kernels[k], &self.kernels[j]);
        let distances = to.abs_diff(from);
        let step = if ours.exact && theirs.exact {
            self.divisors[ours.class * self.classes + theirs.class]
        } else {
            1
        };
        let position = theirs.first - ours.first;
        let before_first = match step {
            0 if position < from || position > to => return 0,
            0 | 1 => 0,
            step => (position - from).rem_euclid(step).unsigned_abs(),
        };
        if before_first > distances {
            return 0;
        }
        // Two releases a period apart need a window of a period less the jitter, and one grain more.
        let room = distances - before_first + theirs.jitter;
        if room < theirs.period || theirs.period == 0 { 1 } else { room / theirs.period + 1 }
    }

    /// Whether a launch of j that is released together with one of k may be ahead of it, and whether it may be
    /// behind it. Kernels whose releases are exact are launched in the order of the file.
    pub(super) fn together(&self, k: usize, j: usize) -> (bool, bool) {
        let exact = self.kernels[k].exact && self.kernels[j].exact;
        (!exact || j <= k, !exact || j > k)
    }

    /// Whether each launch of a kernel is complete before the next one is released, if none takes longer than
    /// `response` from its release.
    pub(super) fn in_time(&self, kernel: usize, response: u64) -> bool {
        let Releases { period, jitter, .. } = self.kernels[kernel];
        period == 0 || period.checked_sub(jitter).is_some_and(|distance| response < distance)
    }
}
