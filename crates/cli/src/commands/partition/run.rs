//! `warpspan partition`.

use crate::args::partition::{PartitionArgs, PartitionFormat};
use crate::commands::partition::answer::{Verdict, answer};
use crate::commands::partition::co_located::co_located;
use crate::commands::partition::record::record;
use crate::commands::partition::task_set::set_of;
use crate::commands::partition::{classify, experiment, margins};
#[cfg(feature = "figures")]
use crate::commands::report::partitioned;
use crate::document::shown;
use crate::output::{Target, print};
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::partition::{COLUMNS, document, rows};
use warpspan_kernel::input::LISTING_LIMITS;
use warpspan_model::source::{InputError, name, text_of};
use warpspan_partition::{MOST_TASKS, Runs, TasksError, kernel_times};
use warpspan_records::Partition;

pub(crate) fn run(args: &PartitionArgs) -> Result<Exit, Failure> {
    if let Some(figure) = args.experiment.experiment {
        return experiment::run(args, figure);
    }
    if let Some(path) = &args.classify.classify {
        return classify::run(args, path);
    }
    let Some(path) = &args.file else { return Err(Failure::usage("no file of tasks is given")) };
    let limits = args.limits().map_err(Failure::internal)?;
    let content = text_of(path, "tasks in TOML")?;
    let (mut of_paper, mut kernels) = (false, Vec::new());
    let (set, test) = set_of(args, &name(path), &content, |launch, gpu| {
        if args.co_located {
            kernels.push((launch.clone(), gpu.clone()));
        }
        of_paper |= matches!(launch.runs, Runs::Code(..));
        kernel_times(launch, gpu, &limits)
    })?;
    // The other forms list it among what the answer rests on (`machine.paper`).
    if of_paper && args.format == PartitionFormat::Csv {
        tell!("{}: {LISTING_LIMITS}", name(path));
    }
    if args.co_located {
        return co_located(args, &set, kernels, &limits);
    }
    if args.exact && set.tasks().len() > MOST_TASKS {
        let what = format!("{} tasks: --exact wants at most {MOST_TASKS}", set.tasks().len());
        return Err(InputError::new(name(path), what).into());
    }
    let target = args.chart.as_ref().map(|path| Target::with_ending(path, &["svg"])).transpose()?;
    let mut answer = answer(args, &set, test, &limits)?;
    if set.has_bounds()
        && let Verdict::Impossible(why) = &answer.verdict
    {
        // What is too long by the upper ends may still be short enough.
        let why = format!("with execution times that are upper bounds, {why}");
        answer.verdict = Verdict::NotFound(why);
    }
    let mut found = record(&set, test, &answer);
    if args.margins {
        margins::add(args, (&name(path), &content), &mut found, &limits)?;
    }
    #[cfg(feature = "figures")]
    let drawn = partitioned(&found);
    print(&match args.format {
        PartitionFormat::Text => shown(&found, document)?,
        PartitionFormat::Json => line(found)?,
        PartitionFormat::Csv => csv(&found)?,
    })?;
    for note in answer.notes.iter().filter(|_| args.format == PartitionFormat::Csv) {
        tell!("note: {note}");
    }
    #[cfg(feature = "figures")]
    if let (Some((drawn, _)), Some(target)) = (drawn, target) {
        let drawing = warpspan_figures::partitioning(&drawn, &warpspan_figures::Paper::default());
        target.write(|_, out| out.write_all(drawing.as_bytes()))?;
    }
    #[cfg(not(feature = "figures"))]
    drop(target);
    if let (Verdict::NotFound(why) | Verdict::Impossible(why), PartitionFormat::Csv) =
        (&answer.verdict, args.format)
    {
        tell!("no partitions: {why}");
    }
    if let (Verdict::NotFound(_) | Verdict::Impossible(_), Some(path)) = (&answer.verdict, &args.chart) {
        tell!("{}: not written, there are no partitions to draw", path.display());
    }
    Ok(match &answer.verdict {
        Verdict::Schedulable(_) => Exit::Done,
        Verdict::NotFound(_) => Exit::Limit,
        Verdict::Impossible(_) => Exit::Refuted,
    })
}

/// What is printed as CSV.
fn csv(found: &Partition) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(Failure::internal)?;
    rows(found, ["true", "false"]).try_for_each(|row| writer.write_record(row)).map_err(Failure::internal)?;
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
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
