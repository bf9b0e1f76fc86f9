//! Random task sets (Si21 section 3.6.1).
//!
//! Utilisations are drawn by UUniFast-Discard (E. Bini, G. Buttazzo, Real-Time Systems 30, 2005; R. Davis, A.
//! Burns, RTSS 2009): they add up to U, and a set with a task that is too long even alone on the whole GPU is
//! drawn anew. A task is memory-intensive with probability 0.5. Its period is drawn from [`PERIODS`], and
//! raised to the next one while the execution time u T is shorter than one unit. D = 0.75 T, and C(m) = k
//! (a/m + b), where a = u T, b is a share of a, and k depends on conflict. Si21 leaves open which periods
//! there are between 50 and 4000, which execution times are reasonable, and when a set is discarded; these
//! are choices of this crate.

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::realtime::partition::load::real;
use crate::realtime::partition::ticks::from_units_up;
use crate::realtime::partition::{Execution, Factor, Kind, Task, TaskSet};

/// The divisors of 4000 from 50 on, so that 4000 is a period of all of them.
pub const PERIODS: [u32; 13] = [50, 80, 100, 125, 160, 200, 250, 400, 500, 800, 1000, 2000, 4000];

/// The kind of sets that are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generator {
    /// The number of tasks of a set.
    pub tasks: usize,
    /// M, the number of multiprocessors.
    pub multiprocessors: usize,
    /// The sum of a/T.
    pub utilisation: f64,
    /// The share b/a of compute-intensive tasks.
    pub serial_compute: f64,
    /// The share b/a of memory-intensive tasks.
    pub serial_memory: f64,
}

impl Generator {
    /// The shares b/a that Si21 gives, for compute-intensive and for memory-intensive tasks.
    pub const SERIAL: (f64, f64) = (0.02, 0.1);

    /// The factor k in conflict, in millionths (Si21 section 3.6.1).
    pub const fn factor(kind: Kind) -> u64 {
        match kind {
            Kind::Memory => 2_300_000,
            Kind::Compute => 1_200_000,
        }
    }
}

/// The probability that a task is memory-intensive (prm).
const MEMORY: f64 = 0.5;
/// The ratio D/T.
const DEADLINE: f64 = 0.75;
/// The number of sets that are drawn before the generator gives up.
const TRIES: u32 = 100_000;

/// No set was found in which each task can meet its deadline alone on the whole GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no task set was found in which each task meets its deadline alone: want a smaller utilisation or b")]
pub struct NoSet;

impl Generator {
    /// Draws a set.
    ///
    /// # Errors
    /// If no set is found.
    ///
    /// # Panics
    /// If there are no tasks or no multiprocessors, or more than a [`TaskSet`] may have.
    pub fn draw(&self, rng: &mut impl Rng) -> Result<TaskSet, NoSet> {
        (0..TRIES).find_map(|_| self.attempt(rng)).ok_or(NoSet)
    }

    fn attempt(&self, rng: &mut impl Rng) -> Option<TaskSet> {
        let kinds: Vec<Kind> = (0..self.tasks)
            .map(|_| if rng.random_bool(MEMORY) { Kind::Memory } else { Kind::Compute })
            .collect();
        let utilisations = self.uunifast(rng);
        let possible = |(u, kind): (&f64, &Kind)| {
            u * (1.0 / real(self.multiprocessors as u64) + self.serial(*kind)) < DEADLINE
        };
        if !utilisations.iter().zip(&kinds).all(possible) {
            return None;
        }
        let tasks = (1..).zip(utilisations.iter().zip(&kinds));
        let tasks = tasks.map(|(number, (&u, &kind))| self.task(rng, number, u, kind));
        Some(TaskSet::new(tasks.collect(), self.multiprocessors).expect("names are numbers"))
    }

    fn serial(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Memory => self.serial_memory,
            Kind::Compute => self.serial_compute,
        }
    }

    /// `UUniFast`: utilisations with the given sum, all of them equally likely.
    fn uunifast(&self, rng: &mut impl Rng) -> Vec<f64> {
        let mut left = self.utilisation;
        let mut utilisations = Vec::with_capacity(self.tasks);
        for after in (1..self.tasks).rev() {
            let next = left * rng.random::<f64>().powf(1.0 / real(after as u64));
            utilisations.push(left - next);
            left = next;
        }
        utilisations.push(left);
        utilisations
    }

    fn task(&self, rng: &mut impl Rng, number: usize, u: f64, kind: Kind) -> Task {
        let drawn = rng.random_range(0..PERIODS.len());
        let long_enough = |&&period: &&u32| u * f64::from(period) >= 1.0;
        let period = f64::from(*PERIODS[drawn..].iter().find(long_enough).unwrap_or(&PERIODS[12]));
        let a = from_units_up((u * period).max(1e-6));
        let b = from_units_up(u * period * self.serial(kind));
        let k = Factor::from_millionths(Self::factor(kind)).unwrap_or(Factor::ONE);
        let execution = Execution::amdahl(a, b, k, self.multiprocessors).expect("below the longest time");
        let [period, deadline] = [period, DEADLINE * period].map(from_units_up);
        Task::new(format!("t{number}"), period, deadline, kind, execution).expect("D is below T")
    }
}
