//! `warpspan partition`.

use crate::cli::args::{PartitionArgs, PartitionFormat, TestArg};
use crate::cli::output::{Target, print};
use crate::cli::partition_answer::{Verdict, answer};
use crate::cli::partition_output::{csv, json, text};
use crate::cli::{Exit, Failure, experiment, no_drawings};
use crate::input::LISTING_LIMITS;
use crate::realtime::partition::{MOST_TASKS, TasksError, Test, kernel_times, read_tasks};
use crate::source::{InputError, bytes, name};

pub(super) fn run(args: &PartitionArgs) -> Result<Exit, Failure> {
    if let Some(figure) = args.experiment.experiment {
        return experiment::run(args, figure);
    }
    let Some(path) = &args.file else { return Err(Failure::usage("no file of tasks is given")) };
    let limits = args.limits().map_err(Failure::internal)?;
    let content = String::from_utf8(bytes(path)?)
        .map_err(|_| InputError::new(name(path), "not UTF-8 text: want tasks in TOML"))?;
    let mut computed = false;
    let set = read_tasks(&name(path), &content, |launch, gpu, most| {
        computed = true;
        kernel_times(launch, gpu, most, &limits)
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
    let mut answer = answer(args, &set, test, &limits)?;
    if computed && let Verdict::Impossible(why) = &answer.verdict {
        // What is too long by the upper ends may still be short enough.
        let why = format!("with the upper ends of the execution times that are solved from code, {why}");
        answer.verdict = Verdict::NotFound(why);
    }
    print(&match args.format {
        PartitionFormat::Text => text(&set, test, &answer),
        PartitionFormat::Json => json(&set, test, &answer)?,
        PartitionFormat::Csv => csv(&set, &answer)?,
    })?;
    for note in answer.notes.iter().filter(|_| args.format == PartitionFormat::Csv) {
        eprintln!("warpspan: note: {note}");
    }
    match (&answer.verdict, target) {
        #[cfg(feature = "figures")]
        (Verdict::Schedulable(verified), Some(target)) => {
            let drawing = crate::figures::partitioning(&set, verified);
            target.write(|out| out.write_all(drawing.as_bytes()))?;
        }
        (Verdict::NotFound(why) | Verdict::Impossible(why), _) if args.format == PartitionFormat::Csv => {
            eprintln!("warpspan: no partitions: {why}");
        }
        _ => {}
    }
    if let (Verdict::NotFound(_) | Verdict::Impossible(_), Some(path)) = (&answer.verdict, &args.chart) {
        eprintln!("warpspan: {}: not written, there are no partitions to draw", path.display());
    }
    Ok(match &answer.verdict {
        Verdict::Schedulable(_) => Exit::Done,
        Verdict::NotFound(_) => Exit::Limit,
        Verdict::Impossible(_) => Exit::Refuted,
    })
}

fn svg(path: &std::path::Path) -> Result<Target, Failure> {
    if Target::extension(path) != "svg" {
        return Err(Failure::usage(format!("{}: want a name that ends in .svg", path.display())));
    }
    if cfg!(not(feature = "figures")) {
        return Err(no_drawings());
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

impl From<TasksError> for Failure {
    fn from(error: TasksError) -> Self {
        let message = error.to_string();
        match error {
            TasksError::Input(_) => Self::usage(message),
            TasksError::Solve { error, .. } => Self { message, ..(*error).into() },
        }
    }
}
