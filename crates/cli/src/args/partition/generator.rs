//! Flags of the random task sets of `partition --experiment`.

use clap::Args;

use warpspan_partition::{Factor, Parameters};

/// The parameters of Si21 section 3.6.1.
#[derive(Debug, Args)]
#[command(next_help_heading = "Random task sets of experiments")]
pub(crate) struct GeneratorArgs {
    /// Tasks of a set [default: 50 and 200, as the figure has it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), requires = "experiment", conflicts_with = "file")]
    tasks: Option<u16>,
    /// Sets for each utilisation [default: 100, and 20 for 3.6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000), requires = "experiment", conflicts_with_all = ["file", "quick"])]
    sets: Option<u32>,
    /// M; utilisations go from 2 to M
    #[arg(long, value_name = "M", default_value = "68", value_parser = clap::value_parser!(u16).range(2..=1000), requires = "experiment", conflicts_with = "file")]
    multiprocessors: u16,
    /// Probability that a task is memory-intensive (prm)
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = share, requires = "experiment", conflicts_with = "file")]
    memory_share: f64,
    /// D/T
    #[arg(long, value_name = "R", default_value = "0.75", value_parser = ratio, requires = "experiment", conflicts_with = "file")]
    deadline_ratio: f64,
    /// Periods T
    #[arg(long, value_name = "T,T,..", default_value = "50,80,100,125,160,200,250,400,500,800,1000,2000,4000", value_parser = periods, requires = "experiment", conflicts_with = "file")]
    periods: Periods,
    /// Least a: a task with a shorter one gets a longer period
    #[arg(long, value_name = "A", default_value = "1", value_parser = shortest, requires = "experiment", conflicts_with = "file")]
    shortest: f64,
    /// b/a of compute- and of memory-intensive tasks
    #[arg(long, value_name = "R,R", default_value = "0.02,0.1", value_parser = shares, requires = "experiment", conflicts_with = "file")]
    serial: (f64, f64),
    /// k of compute- and of memory-intensive tasks
    #[arg(long, value_name = "K,K", default_value = "1.2,2.3", value_parser = factors, requires = "experiment", conflicts_with = "file")]
    factor: (Factor, Factor),
}

/// Periods that increase; a list of its own, since clap takes a `Vec` for a flag that is given several times.
#[derive(Debug, Clone)]
struct Periods(Vec<u32>);

impl GeneratorArgs {
    pub(crate) fn parameters(&self) -> Parameters {
        Parameters {
            multiprocessors: self.multiprocessors.into(),
            memory_share: self.memory_share,
            deadline_ratio: self.deadline_ratio,
            periods: self.periods.0.clone(),
            shortest: self.shortest,
            serial: self.serial,
            factor: self.factor,
        }
    }

    pub(crate) fn tasks(&self) -> Option<usize> {
        self.tasks.map(Into::into)
    }

    pub(crate) fn sets(&self) -> Option<u32> {
        self.sets
    }
}

fn between(text: &str, least: f64, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|number| (least..=most).contains(number))
}

fn share(text: &str) -> Result<f64, String> {
    between(text, 0.0, 1.0).ok_or_else(|| "want a number from 0 to 1".to_owned())
}

fn ratio(text: &str) -> Result<f64, String> {
    between(text, 0.01, 1.0).ok_or_else(|| "want a number from 0.01 to 1".to_owned())
}

fn shortest(text: &str) -> Result<f64, String> {
    between(text, 0.0, 10_000.0).ok_or_else(|| "want a number from 0 to 10000".to_owned())
}

fn shares(text: &str) -> Result<(f64, f64), String> {
    let share = |text: &str| between(text, 0.0, 1.0);
    let both = text.split_once(',').and_then(|(compute, memory)| Some((share(compute)?, share(memory)?)));
    both.ok_or_else(|| "want two numbers from 0 to 1: 0.02,0.1".to_owned())
}

fn factors(text: &str) -> Result<(Factor, Factor), String> {
    let factor = |text: &str| {
        between(text, 1.0, 10.0)?;
        text.trim().parse().ok()
    };
    let both = text.split_once(',').and_then(|(compute, memory)| Some((factor(compute)?, factor(memory)?)));
    both.ok_or_else(|| {
        "want two numbers from 1 to 10 with at most 6 digits after the point: 1.2,2.3".to_owned()
    })
}

fn periods(text: &str) -> Result<Periods, String> {
    let one = |text: &str| text.trim().parse().ok().filter(|period| (1..=10_000).contains(period));
    let periods: Option<Vec<u32>> = text.split(',').map(one).collect();
    let periods = periods.filter(|periods| periods.windows(2).all(|pair| pair[0] < pair[1]));
    periods
        .map(Periods)
        .ok_or_else(|| "want whole numbers from 1 to 10000 that increase: 50,80,100".to_owned())
}
