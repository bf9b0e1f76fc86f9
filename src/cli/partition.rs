//! `warpspan partition`.

use crate::cli::args::{OrderArg, PairsArg, PartitionArgs, PartitionFormat, TestArg};
use crate::cli::output::{Target, print};
use crate::cli::partition_output::{csv, json, text};
use crate::cli::{Exit, Failure, experiment};
use crate::input::{InputError, LISTING_LIMITS, bytes, name};
use crate::limits::Limits;
use crate::partition::{
    Ended, Heuristic, KernelTimeError, MOST_TASKS, Order, Pairs, Partition, TaskSet, Test, Time, Verified,
    chart, exact, kernel_times, one_partition, read_tasks, verify,
};
use crate::solve::ResidentsError;

/// What was found, and what is known where nothing was.
pub(super) struct Answer {
    pub(super) method: &'static str,
    pub(super) verdict: Verdict,
    /// The multiprocessors that the method got down to, if it got so far.
    pub(super) required: Option<usize>,
}

pub(super) enum Verdict {
    Schedulable(Verified),
    /// The method found none; there may be others.
    NotFound(String),
    /// There are none, for this test.
    Impossible(String),
}

pub(super) fn run(args: &PartitionArgs) -> Result<Exit, Failure> {
    if let Some(figure) = args.experiment.experiment {
        return experiment::run(args, figure);
    }
    let Some(path) = &args.file else { return Err(Failure::usage("no file of tasks is given")) };
    let limits = args.limits().map_err(Failure::internal)?;
    let content = String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), "not UTF-8 text: want tasks in TOML"))?;
    let mut computed = false;
    let set = read_tasks(&name(path), &content, |launch, gpu, most| -> Result<Vec<Time>, Failure> {
        computed = true;
        Ok(kernel_times(launch, gpu, most, &limits)?)
    })?;
    if computed {
        eprintln!("warpspan: {}: {LISTING_LIMITS}", name(path));
    }
    if args.exact && set.tasks().len() > MOST_TASKS {
        let what = format!("{} tasks: --exact wants at most {MOST_TASKS}", set.tasks().len());
        return Err(InputError::new(name(path), what).into());
    }
    let target = args.chart.as_ref().map(|path| svg(path)).transpose()?;
    let test = test(args.test.unwrap_or(TestArg::NpEdf));
    let answer = answer(args, &set, test, &limits)?;
    print(&match args.format {
        PartitionFormat::Text => text(&set, test, &answer),
        PartitionFormat::Json => json(&set, test, &answer)?,
        PartitionFormat::Csv => csv(&set, &answer)?,
    })?;
    match (&answer.verdict, target) {
        (Verdict::Schedulable(verified), Some(target)) => {
            target.write(|out| out.write_all(chart(&set, verified).as_bytes()))?;
        }
        (Verdict::NotFound(why) | Verdict::Impossible(why), _) if args.format == PartitionFormat::Csv => {
            eprintln!("warpspan: no partitions: {why}");
        }
        (_, Some(_)) => eprintln!("warpspan: no partitions to draw"),
        _ => {}
    }
    Ok(Exit::Done)
}

fn svg(path: &std::path::Path) -> Result<Target, Failure> {
    if Target::extension(path) != "svg" {
        return Err(Failure::usage(format!("{}: want a name that ends in .svg", path.display())));
    }
    Target::open(path)
}

pub(super) fn test(arg: TestArg) -> Test {
    match arg {
        TestArg::Edf => Test::Edf,
        TestArg::NpEdf => Test::NpEdf,
        TestArg::NpDm => Test::NpDm,
    }
}

/// Runs the method asked for and verifies what it found.
fn answer(args: &PartitionArgs, set: &TaskSet, test: Test, limits: &Limits) -> Result<Answer, Failure> {
    let there = set.multiprocessors();
    let order = match args.order {
        OrderArg::Sms => Order::Sms,
        OrderArg::Bf => Order::Bf,
    };
    let pairs = match args.pairs {
        PairsArg::Act => Pairs::Act,
        PairsArg::Ina => Pairs::Ina,
    };
    let heuristic = Heuristic { order, pairs };
    let (method, found) = if args.baseline {
        ("1G", Ok(one_partition(set, test).map(|one| vec![one])))
    } else if args.exact {
        ("exact", exact(set, test, limits))
    } else {
        let found = heuristic.partition(set, test, there, limits);
        (heuristic.name(), found.map(|found| Some(found.partitions)))
    };
    let required = |partitions: &[Partition]| partitions.iter().map(|p| p.multiprocessors).sum::<usize>();
    let none = |why: String| match args.exact {
        true => Verdict::Impossible(why),
        false => Verdict::NotFound(why),
    };
    Ok(match found {
        Ok(Some(partitions)) if required(&partitions) <= there => {
            let verified = verify(set, test, &partitions).map_err(|violation| Failure {
                code: Exit::Disagree as u8,
                message: format!(
                    "the partitions of {method} are refused by the verifier: {violation}; this is a bug, please report it"
                ),
            })?;
            Answer { method, required: Some(verified.used()), verdict: Verdict::Schedulable(verified) }
        }
        Ok(Some(partitions)) => {
            let required = required(&partitions);
            let why = match args.exact {
                true => format!(
                    "by this test any partitioning takes {required} multiprocessors or more, there are {there}"
                ),
                false => format!("{method} needs {required} multiprocessors, there are {there}"),
            };
            Answer { method, verdict: none(why), required: Some(required) }
        }
        Ok(None) => {
            let why = match args.exact {
                true => "by this test no partition of any size can hold one of the tasks",
                false => "a deadline can be missed in one partition of all",
            };
            let why = why.to_owned();
            Answer { method, verdict: none(why), required: None }
        }
        Err(Ended::Impossible(why)) => {
            Answer { method, verdict: Verdict::Impossible(why.to_string()), required: None }
        }
        Err(Ended::Stopped(stop)) => {
            let message = format!("stopped by {} before an answer was known", stop.name());
            return Err(Failure { code: Exit::Limit as u8, message });
        }
    })
}

impl From<KernelTimeError> for Failure {
    fn from(error: KernelTimeError) -> Self {
        match error {
            KernelTimeError::Code(ResidentsError::Solve(error)) => error.into(),
            error => Self::usage(error),
        }
    }
}
