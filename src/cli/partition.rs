//! `warpspan partition`.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::{Table, presets};
use serde::Serialize;

use crate::cli::args::{OrderArg, PairsArg, PartitionArgs, PartitionFormat, TestArg};
use crate::cli::instances::{bytes, name};
use crate::cli::output::{Target, print};
use crate::cli::record::line;
use crate::cli::{Exit, Failure, experiment};
use crate::input::InputError;
use crate::limits::Limits;
use crate::partition::{
    Ended, Heuristic, MOST_TASKS, Order, Pairs, Partition, TaskSet, Test, Time, Verified, VerifiedPartition,
    WavesError, chart, exact, one_partition, read_tasks, verify, waves,
};

/// What was found, and what is known where nothing was.
struct Answer {
    method: &'static str,
    verdict: Verdict,
    /// The multiprocessors that the method got down to, if it got so far.
    required: Option<usize>,
}

enum Verdict {
    Schedulable(Verified),
    /// The method found none; there may be others.
    NotFound(String),
    /// There are none, for this test.
    Impossible(String),
}

/// One object of `--format json`.
#[derive(Serialize)]
struct Record<'a> {
    schema: &'static str,
    version: &'static str,
    test: &'static str,
    method: &'static str,
    schedulable: bool,
    verdict: &'static str,
    reason: Option<&'a str>,
    multiprocessors: usize,
    required: Option<usize>,
    used: Option<usize>,
    partitions: Vec<PartitionRecord<'a>>,
}

#[derive(Serialize)]
struct PartitionRecord<'a> {
    multiprocessors: usize,
    tasks: Vec<&'a str>,
    conflict: BTreeMap<&'a str, bool>,
    execution: BTreeMap<&'a str, Time>,
}

/// One line of `--format csv`.
#[derive(Serialize)]
struct Line<'a> {
    task: &'a str,
    kind: &'static str,
    partition: usize,
    multiprocessors: usize,
    conflict: bool,
    execution: String,
    deadline: String,
    period: String,
}

pub(super) fn run(args: &PartitionArgs) -> Result<Exit, Failure> {
    if let Some(figure) = args.experiment.experiment {
        return experiment::run(args, figure);
    }
    let Some(path) = &args.file else { return Err(Failure::usage("no file of tasks is given")) };
    let limits = args.limits().map_err(Failure::internal)?;
    let text = String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), "not UTF-8 text: want tasks in TOML"))?;
    let set = read_tasks(&name(path), &text, |launch, gpu, most| -> Result<Vec<Time>, Failure> {
        Ok(waves(launch, gpu, most, &limits)?.0)
    })?;
    if args.exact && set.tasks().len() > MOST_TASKS {
        let what = format!("{} tasks: --exact wants at most {MOST_TASKS}", set.tasks().len());
        return Err(InputError::new(name(path), what).into());
    }
    let target = args.chart.as_ref().map(|path| svg(path)).transpose()?;
    let test = test(args.test.unwrap_or(TestArg::NpEdf));
    let answer = answer(args, &set, test, &limits)?;
    print(&match args.format {
        PartitionFormat::Text => text_of(&set, test, &answer),
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

fn json(set: &TaskSet, test: Test, answer: &Answer) -> Result<String, Failure> {
    let (verdict, reason, verified) = match &answer.verdict {
        Verdict::Schedulable(verified) => ("schedulable", None, Some(verified)),
        Verdict::NotFound(why) => ("not-found", Some(why.as_str()), None),
        Verdict::Impossible(why) => ("impossible", Some(why.as_str()), None),
    };
    let record = |partition: &VerifiedPartition| {
        let name = |task: usize| set.tasks()[task].name();
        let placed = || partition.tasks.iter();
        PartitionRecord {
            multiprocessors: partition.multiprocessors,
            tasks: placed().map(|placed| name(placed.task)).collect(),
            conflict: placed().map(|placed| (name(placed.task), placed.conflict)).collect(),
            execution: placed().map(|placed| (name(placed.task), placed.execution)).collect(),
        }
    };
    line(&Record {
        schema: "warpspan/partition/1",
        version: env!("CARGO_PKG_VERSION"),
        test: test.name(),
        method: answer.method,
        schedulable: verified.is_some(),
        verdict,
        reason,
        multiprocessors: set.multiprocessors(),
        required: answer.required,
        used: verified.map(Verified::used),
        partitions: verified.map_or_else(Vec::new, |found| found.partitions().iter().map(record).collect()),
    })
}

/// The tasks of a verified partitioning, a line each.
fn lines<'a>(set: &'a TaskSet, verified: &'a Verified) -> impl Iterator<Item = Line<'a>> {
    (1..).zip(verified.partitions()).flat_map(move |(number, partition)| {
        partition.tasks.iter().map(move |placed| {
            let task = &set.tasks()[placed.task];
            Line {
                task: task.name(),
                kind: task.kind().name(),
                partition: number,
                multiprocessors: partition.multiprocessors,
                conflict: placed.conflict,
                execution: placed.execution.to_string(),
                deadline: task.deadline().to_string(),
                period: task.period().to_string(),
            }
        })
    })
}

fn csv(set: &TaskSet, answer: &Answer) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let columns =
        ["task", "kind", "partition", "multiprocessors", "conflict", "execution", "deadline", "period"];
    writer.write_record(columns).map_err(Failure::internal)?;
    if let Verdict::Schedulable(verified) = &answer.verdict {
        lines(set, verified).try_for_each(|line| writer.serialize(line)).map_err(Failure::internal)?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}

fn text_of(set: &TaskSet, test: Test, answer: &Answer) -> String {
    let there = set.multiprocessors();
    let count = set.tasks().len();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut out = format!(
        "{count} task{} on {there} multiprocessor{}; {}, test {test}\n\n",
        plural(count),
        plural(there),
        answer.method
    );
    match &answer.verdict {
        Verdict::Schedulable(verified) => {
            let parts = verified.partitions().len();
            let used = verified.used();
            let _ = writeln!(
                out,
                "schedulable: {parts} partition{} on {used} multiprocessor{}, verified\n",
                plural(parts),
                plural(used)
            );
            let mut table = Table::new();
            table.load_style(presets::ASCII_MARKDOWN);
            table.set_header([
                "partition",
                "multiprocessors",
                "task",
                "kind",
                "conflict",
                "execution",
                "deadline",
                "period",
            ]);
            for line in lines(set, verified) {
                table.add_row([
                    line.partition.to_string(),
                    line.multiprocessors.to_string(),
                    line.task.to_owned(),
                    line.kind.to_owned(),
                    if line.conflict { "yes" } else { "no" }.to_owned(),
                    line.execution,
                    line.deadline,
                    line.period,
                ]);
            }
            let _ = writeln!(out, "{table}");
        }
        Verdict::NotFound(why) => {
            let _ = writeln!(out, "not found: {why}; other partitions may do");
        }
        Verdict::Impossible(why) => {
            let _ = writeln!(out, "impossible: {why}");
        }
    }
    out
}

impl From<WavesError> for Failure {
    fn from(error: WavesError) -> Self {
        match error {
            WavesError::Solve(error) => error.into(),
            error => Self::usage(error),
        }
    }
}
