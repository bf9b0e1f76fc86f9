//! Random task sets (Si21 section 3.6.1).
//!
//! Utilisations are drawn by UUniFast-Discard (E. Bini, G. Buttazzo, Real-Time Systems 30, 2005; R. Davis, A.
//! Burns, RTSS 2009): they add up to U, and a set with a task that is too long even alone on the whole GPU is
//! drawn anew. A task is memory-intensive with probability prm = 0.5. Its period is drawn from [`PERIODS`], and
//! raised to the next one while the execution time u T is shorter than one unit. D = 0.75 T, and C(m) = k
//! (a/m + b), where a = u T, b is a share of a, and k depends on conflict. Si21 leaves open which periods
//! there are between 50 and 4000, which execution times are reasonable, and when a set is discarded; these
//! are choices of this crate. [`Parameters`] has all of these numbers.

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::sporadic::real;
use crate::ticks::from_units_up;
use crate::{Execution, Factor, Kind, LONGEST, Task, TaskSet};

/// The divisors of 4000 from 50 on, so that 4000 is a period of all of them.
pub const PERIODS: [u32; 13] = [50, 80, 100, 125, 160, 200, 250, 400, 500, 800, 1000, 2000, 4000];

/// What random sets are drawn by; the default is that of Si21.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// M, the number of multiprocessors.
    pub multiprocessors: usize,
    /// prm, the probability that a task is memory-intensive, from 0 to 1.
    pub memory_share: f64,
    /// D/T, above 0 and at most 1.
    pub deadline_ratio: f64,
    /// The periods, which increase.
    pub periods: Vec<u32>,
    /// The least a: a task with a shorter one gets a longer period, if there is one.
    pub shortest: f64,
    /// The shares b/a of compute-intensive and of memory-intensive tasks.
    pub serial: (f64, f64),
    /// The factors k of compute-intensive and of memory-intensive tasks in conflict.
    pub factor: (Factor, Factor),
}

impl Default for Parameters {
    fn default() -> Self {
        let factor = |millionths| Factor::from_millionths(millionths).unwrap_or(Factor::ONE);
        Self {
            multiprocessors: 68,
            memory_share: 0.5,
            deadline_ratio: 0.75,
            periods: PERIODS.to_vec(),
            shortest: 1.0,
            serial: (0.02, 0.1),
            factor: (factor(1_200_000), factor(2_300_000)),
        }
    }
}

impl Parameters {
    /// b/a of tasks of a kind.
    pub fn serial_of(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Compute => self.serial.0,
            Kind::Memory => self.serial.1,
        }
    }

    /// k of tasks of a kind.
    pub fn factor_of(&self, kind: Kind) -> Factor {
        match kind {
            Kind::Compute => self.factor.0,
            Kind::Memory => self.factor.1,
        }
    }
}

/// The kind of sets that are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generator<'a> {
    /// The number of tasks of a set.
    pub tasks: usize,
    /// The sum of a/T.
    pub utilisation: f64,
    /// All else.
    pub parameters: &'a Parameters,
}

/// The number of sets that are drawn before the generator gives up.
const TRIES: u32 = 100_000;

/// No set was found in which each task can meet its deadline alone on the whole GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("no task set was found in which each task meets its deadline alone: want a smaller utilisation or b")]
pub struct NoSet;

impl Generator<'_> {
    /// Draws a set.
    ///
    /// # Errors
    /// If no set is found.
    ///
    /// # Panics
    /// If there are no tasks, no multiprocessors or no periods, or more than a [`TaskSet`] may have, or if a
    /// probability or ratio is not in its range.
    pub fn draw(&self, rng: &mut impl Rng) -> Result<TaskSet, NoSet> {
        (0..TRIES).find_map(|_| self.attempt(rng)).ok_or(NoSet)
    }

    fn attempt(&self, rng: &mut impl Rng) -> Option<TaskSet> {
        let with = self.parameters;
        let kinds: Vec<Kind> = (0..self.tasks)
            .map(|_| if rng.random_bool(with.memory_share) { Kind::Memory } else { Kind::Compute })
            .collect();
        let utilisations = self.uunifast(rng);
        let possible = |(u, kind): (&f64, &Kind)| {
            u * (1.0 / real(with.multiprocessors as u64) + with.serial_of(*kind)) < with.deadline_ratio
        };
        if !utilisations.iter().zip(&kinds).all(possible) {
            return None;
        }
        let tasks = (1..).zip(utilisations.iter().zip(&kinds));
        let tasks = tasks.map(|(number, (&u, &kind))| self.task(rng, number, u, kind));
        let tasks = tasks.collect::<Option<Vec<Task>>>()?;
        Some(TaskSet::new(tasks, with.multiprocessors).expect("names are numbers"))
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

    /// A task; `None` if it would take longer than the longest time there is.
    fn task(&self, rng: &mut impl Rng, number: usize, u: f64, kind: Kind) -> Option<Task> {
        let with = self.parameters;
        let drawn = rng.random_range(0..with.periods.len());
        let long_enough = |&&period: &&u32| u * f64::from(period) >= with.shortest;
        let longest = with.periods.last().expect("there are periods");
        let period = f64::from(*with.periods[drawn..].iter().find(long_enough).unwrap_or(longest));
        let (a, b) = ((u * period).max(1e-6), u * period * with.serial_of(kind));
        if a.max(b) >= real(LONGEST.0) / 1e6 {
            return None;
        }
        let [a, b] = [a, b].map(from_units_up);
        let execution = Execution::amdahl(a, b, with.factor_of(kind), with.multiprocessors).ok()?;
        let [period, deadline] = [period, with.deadline_ratio * period].map(from_units_up);
        Some(Task::new(format!("t{number}"), period, deadline, kind, execution).expect("D is at most T"))
    }
}
