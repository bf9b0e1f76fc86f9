//! The experiments of Si21 section 3.6: schedulability and analysis time against utilisation.
//!
//! Fig. 3.4 draws sets of 50 tasks and Fig. 3.5 sets of 200, on 68 multiprocessors, at utilisations from 2 to
//! 68 in steps of 2, with 100 sets a point. Fig. 3.6 measures the time for both, one set at a time. Every set
//! has random numbers of its own, so a table is the same whatever the order, the number of threads and the
//! interruptions; only the times differ.

use std::fmt;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::{
    Ended, Generator, Heuristic, NoSet, Parameters, Row, Slicing, TaskError, TaskSet, Test, Violation,
    one_partition, verify,
};
use warpspan_model::limits::{Instant, Limits, Stop};

/// A figure of Si21.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Figure {
    /// Schedulability of 50 tasks.
    #[cfg_attr(feature = "clap", value(name = "3.4"))]
    Tasks50,
    /// Schedulability of 200 tasks.
    #[cfg_attr(feature = "clap", value(name = "3.5"))]
    Tasks200,
    /// Analysis time.
    #[cfg_attr(feature = "clap", value(name = "3.6"))]
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

/// A method that the experiments compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// 1G: one partition of all multiprocessors.
    OnePartition,
    /// A heuristic.
    Heuristic(Heuristic),
}

impl Method {
    /// All methods.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::OnePartition).chain(Heuristic::ALL.map(Self::Heuristic))
    }

    /// The name that Si21 gives it.
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

/// An experiment: its points are pairs of a number of tasks and a utilisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The figure that it reproduces.
    pub figure: Figure,
    /// The test within partitions.
    pub test: Test,
    /// What sets are drawn by.
    pub parameters: Parameters,
    /// The number of tasks of a set, instead of that of the figure.
    pub tasks: Option<usize>,
    /// The slices in which partitions take multiprocessors, if they do.
    pub slices: Option<Slicing>,
    /// The number of sets at a point, instead of that of the figure.
    pub sets: Option<u32>,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Whether to draw only few sets at few utilisations.
    pub quick: bool,
}

/// Why a point has no rows.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// No set can be drawn at this utilisation.
    #[error("utilisation {0}: {1}")]
    NoSet(u32, NoSet),
    /// There are no such slices.
    #[error(transparent)]
    Slices(#[from] TaskError),
    /// The verifier refuses the partitions that a method found.
    #[error(
        "the partitions of {method} are refused by the verifier: {violation}; this is a bug, please report it"
    )]
    Refused {
        /// The method.
        method: &'static str,
        /// The fault that the verifier found.
        violation: Violation,
    },
    /// A limit stopped the experiment.
    #[error("stopped: {}", .0.name())]
    Stopped(Stop),
}

/// The result of a method on a set.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    schedulable: bool,
    impossible: bool,
    beforehand: Duration,
    whole: Duration,
}

impl Experiment {
    /// The experiment of a figure as Si21 has it.
    pub fn new(figure: Figure) -> Self {
        Self {
            figure,
            test: Test::Edf,
            parameters: Parameters::default(),
            tasks: None,
            slices: None,
            sets: None,
            seed: 1,
            quick: false,
        }
    }

    /// The number of sets at a point.
    pub fn sets(&self) -> u32 {
        if let Some(sets) = self.sets {
            return sets;
        }
        match (self.quick, self.figure) {
            (true, Figure::Tasks50) => 20,
            (true, _) => 5,
            (false, Figure::Time) => 20,
            (false, _) => 100,
        }
    }

    /// The points: pairs of a number of tasks and a utilisation from 2 to M.
    #[doc(hidden)]
    pub fn points(&self) -> Vec<(usize, u32)> {
        let tasks = match (self.tasks, self.figure) {
            (Some(tasks), _) => vec![tasks],
            (None, Figure::Tasks50) => vec![50],
            (None, Figure::Tasks200) => vec![200],
            (None, Figure::Time) => vec![50, 200],
        };
        let step = if self.quick { 6 } else { 2 };
        let most = u32::try_from(self.parameters.multiprocessors).unwrap_or(u32::MAX);
        tasks.into_iter().flat_map(|tasks| (2..=most).step_by(step).map(move |u| (tasks, u))).collect()
    }

    /// A row without results.
    #[doc(hidden)]
    pub fn row(&self, (tasks, utilisation): (usize, u32), method: Method) -> Row {
        let with = &self.parameters;
        let periods: Vec<String> = with.periods.iter().map(u32::to_string).collect();
        Row {
            figure: self.figure.name().to_owned(),
            tasks,
            multiprocessors: with.multiprocessors,
            slices: self.slices.map_or_else(String::new, |slices| slices.to_string()),
            test: self.test.name().to_owned(),
            memory_share: with.memory_share,
            deadline_ratio: with.deadline_ratio,
            periods: periods.join(" "),
            shortest: with.shortest,
            serial_compute: with.serial.0,
            serial_memory: with.serial.1,
            factor_compute: with.factor.0.to_string(),
            factor_memory: with.factor.1.to_string(),
            seed: self.seed,
            utilisation,
            sets: self.sets(),
            method: method.name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ..Row::default()
        }
    }

    /// Draws a set of a point.
    ///
    /// # Errors
    /// If none is found.
    pub fn set(&self, (tasks, utilisation): (usize, u32), number: u32) -> Result<TaskSet, ExperimentError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(tasks as u64 * 1_000_000_000 + u64::from(utilisation) * 1_000_000 + u64::from(number));
        let generator =
            Generator { tasks, utilisation: f64::from(utilisation), parameters: &self.parameters };
        let set = generator.draw(&mut rng).map_err(|none| ExperimentError::NoSet(utilisation, none))?;
        Ok(match self.slices {
            Some(slices) => set.in_slices(slices)?,
            None => set,
        })
    }

    /// The rows of some methods at a point. Sets run side by side on the threads of the limits; for Fig. 3.6
    /// they run one at a time.
    ///
    /// # Errors
    /// If a limit stops it, if no sets can be drawn, or if the verifier finds a fault in the partitions of a
    /// method.
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
                mean.as_secs_f64() // The mean is in whole nanoseconds.
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
