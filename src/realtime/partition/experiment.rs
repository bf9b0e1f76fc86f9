//! The experiments of Si21 section 3.6: schedulability and analysis time against utilisation.
//!
//! Fig. 3.4 draws sets of 50 tasks, Fig. 3.5 of 200, on 68 multiprocessors, utilisation 2 to 68 in steps of 2, 100 sets a
//! point; Fig. 3.6 measures the time for both, one set at a time. Every set has random numbers of its own, so a table is the
//! same whatever the order, the threads and the interruptions, but for the times.

use std::fmt;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::realtime::partition::{
    Ended, Generator, Heuristic, NoSet, Row, TaskSet, Test, Violation, one_partition, verify,
};

/// Which figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Figure {
    /// Schedulability of 50 tasks.
    #[cfg_attr(feature = "cli", value(name = "3.4"))]
    Tasks50,
    /// Schedulability of 200 tasks.
    #[cfg_attr(feature = "cli", value(name = "3.5"))]
    Tasks200,
    /// Analysis time.
    #[cfg_attr(feature = "cli", value(name = "3.6"))]
    Time,
}

impl Figure {
    /// Its number in Si21.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tasks50 => "3.4",
            Self::Tasks200 => "3.5",
            Self::Time => "3.6",
        }
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// 1G: one partition of all.
    OnePartition,
    /// A heuristic.
    Heuristic(Heuristic),
}

impl Method {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::OnePartition).chain(Heuristic::ALL.map(Self::Heuristic))
    }

    /// As Si21 calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnePartition => "1G",
            Self::Heuristic(heuristic) => heuristic.name(),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An experiment: points of a number of tasks and a utilisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// Which figure.
    pub figure: Figure,
    /// The test within partitions.
    pub test: Test,
    /// b/a, compute- and memory-intensive.
    pub serial: (f64, f64),
    /// Of the random numbers.
    pub seed: u64,
    /// Few sets at few utilisations.
    pub quick: bool,
}

/// Why a point has no rows.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// No set can be drawn.
    #[error("utilisation {0}: {1}")]
    NoSet(u32, NoSet),
    /// What a method found is not schedulable.
    #[error(
        "the partitions of {method} are refused by the verifier: {violation}; this is a bug, please report it"
    )]
    Refused {
        /// Which method.
        method: &'static str,
        /// Why.
        violation: Violation,
    },
    /// A limit.
    #[error("stopped: {}", .0.name())]
    Stopped(Stop),
}

/// What a method made of a set.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    schedulable: bool,
    impossible: bool,
    beforehand: Duration,
    whole: Duration,
}

impl Experiment {
    /// M, that of the GPU in Si21.
    pub const MULTIPROCESSORS: usize = 68;

    /// Sets a point.
    pub fn sets(&self) -> u32 {
        match (self.quick, self.figure) {
            (true, Figure::Tasks50) => 20,
            (true, _) => 5,
            (false, Figure::Time) => 20,
            (false, _) => 100,
        }
    }

    /// The points: tasks and utilisation.
    pub fn points(&self) -> Vec<(usize, u32)> {
        let tasks: &[usize] = match self.figure {
            Figure::Tasks50 => &[50],
            Figure::Tasks200 => &[200],
            Figure::Time => &[50, 200],
        };
        let step = if self.quick { 6 } else { 2 };
        tasks.iter().flat_map(|&tasks| (2..=68).step_by(step).map(move |u| (tasks, u))).collect()
    }

    /// A row without results.
    pub(super) fn row(&self, (tasks, utilisation): (usize, u32), method: Method) -> Row {
        Row {
            figure: self.figure.name().to_owned(),
            tasks,
            multiprocessors: Self::MULTIPROCESSORS,
            test: self.test.name().to_owned(),
            serial_compute: self.serial.0,
            serial_memory: self.serial.1,
            seed: self.seed,
            utilisation,
            sets: self.sets(),
            method: method.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Row::default()
        }
    }

    /// A set of a point.
    ///
    /// # Errors
    /// If none is found.
    pub fn set(&self, (tasks, utilisation): (usize, u32), number: u32) -> Result<TaskSet, ExperimentError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(tasks as u64 * 1_000_000_000 + u64::from(utilisation) * 1_000_000 + u64::from(number));
        let (serial_compute, serial_memory) = self.serial;
        let generator = Generator {
            tasks,
            multiprocessors: Self::MULTIPROCESSORS,
            utilisation: f64::from(utilisation),
            serial_compute,
            serial_memory,
        };
        generator.draw(&mut rng).map_err(|none| ExperimentError::NoSet(utilisation, none))
    }

    /// The rows of some methods at a point; sets side by side on the threads of the limits, but one at a time for Fig. 3.6.
    ///
    /// # Errors
    /// If a limit stops it, no sets can be drawn, or the verifier finds a fault in what a method found.
    pub fn rows(
        &self,
        point: (usize, u32),
        methods: &[Method],
        limits: &Limits,
    ) -> Result<Vec<Row>, ExperimentError> {
        let one = |number: u32| -> Result<Vec<Outcome>, ExperimentError> {
            limits.go_on().map_err(ExperimentError::Stopped)?;
            let set = self.set(point, number)?;
            methods.iter().map(|&method| self.outcome(&set, method, limits)).collect()
        };
        let numbers: Vec<u32> = (0..self.sets()).collect();
        let limits = if self.figure == Figure::Time { &limits.share() } else { limits };
        let outcomes = limits.side_by_side(numbers, one).into_iter().collect::<Result<Vec<_>, _>>()?;
        let row = |(place, &method): (usize, &Method)| {
            let of_method = || outcomes.iter().map(move |outcomes| outcomes[place]);
            let count =
                |is: fn(&Outcome) -> bool| u32::try_from(of_method().filter(is).count()).unwrap_or(u32::MAX);
            let mean = |time: fn(Outcome) -> Duration| {
                let mean = of_method().map(time).sum::<Duration>() / self.sets();
                mean.as_secs_f64() // whole nanoseconds
            };
            Row {
                schedulable: count(|outcome| outcome.schedulable),
                impossible: count(|outcome| outcome.impossible),
                seconds: mean(|outcome| outcome.whole),
                seconds_beforehand: mean(|outcome| outcome.beforehand),
                ..self.row(point, method)
            }
        };
        Ok(methods.iter().enumerate().map(row).collect())
    }

    /// Runs a method on a set and verifies what it found.
    fn outcome(&self, set: &TaskSet, method: Method, limits: &Limits) -> Result<Outcome, ExperimentError> {
        let start = Instant::now();
        let found = match method {
            Method::OnePartition => {
                one_partition(set, self.test, limits).map(|one| (Vec::from_iter(one), Duration::ZERO))
            }
            Method::Heuristic(heuristic) => heuristic
                .partition(set, self.test, set.multiprocessors(), limits)
                .map(|found| (found.partitions, found.beforehand)),
        };
        let whole = start.elapsed();
        let none = Outcome { whole, ..Outcome::default() };
        let (partitions, beforehand) = match found {
            Ok(found) => found,
            Err(Ended::Impossible(_)) => return Ok(Outcome { impossible: true, ..none }),
            Err(Ended::Undecided) => return Ok(none),
            Err(Ended::Stopped(stop)) => return Err(ExperimentError::Stopped(stop)),
        };
        let required: usize = partitions.iter().map(|partition| partition.multiprocessors).sum();
        let fits = !partitions.is_empty() && required <= set.multiprocessors();
        let schedulable = fits
            && match verify(set, self.test, &partitions, limits) {
                Ok(_) => true,
                Err(Violation::TooLong(_)) => false,
                Err(Violation::Stopped(stop)) => return Err(ExperimentError::Stopped(stop)),
                Err(violation) => {
                    return Err(ExperimentError::Refused { method: method.name(), violation });
                }
            };
        Ok(Outcome { schedulable, beforehand, ..none })
    }
}
