//! `warpspan partition --experiment`.

use std::time::Instant;

use crate::args::partition::PartitionArgs;
use crate::output::{ending, print};
use crate::{Exit, Failure, progress};
use warpspan_model::limits::Limits;
use warpspan_partition::{Experiment, ExperimentError, Figure, Method, Row, Table, Test, csv_line, header};

pub(super) fn run(args: &PartitionArgs, figure: Figure) -> Result<Exit, Failure> {
    let flags = &args.experiment;
    let experiment = Experiment {
        figure,
        test: args.test.unwrap_or(Test::Edf),
        parameters: flags.generator.parameters(),
        tasks: flags.generator.tasks(),
        slices: args.slices,
        sets: flags.generator.sets(),
        seed: flags.seed,
        quick: flags.quick,
    };
    let limits = args.limits().map_err(Failure::internal)?;
    let Some(path) = &flags.output else {
        print(&String::from_utf8_lossy(&header()))?;
        let all = |_| Method::all().collect();
        return points(&experiment, &limits, all, |row| print(&String::from_utf8_lossy(&csv_line(&row))));
    };
    ending(path, &["csv"])?;
    let start = Instant::now();
    let mut table = Table::open(path, &experiment, flags.resume)?;
    let missing: Vec<Vec<Method>> =
        experiment.points().into_iter().map(|point| table.missing(point)).collect();
    let points_there = experiment.points();
    let lacking = |point| {
        let place = points_there.iter().position(|&there| there == point);
        place.map_or_else(Vec::new, |place| missing[place].clone())
    };
    let exit = points(&experiment, &limits, lacking, |row| Ok(table.add(row)?))?;
    let whole = points_there.len() * Method::all().count();
    let (rows, seconds) = (table.rows().len(), start.elapsed().as_secs_f64());
    print(&format!("{}: {rows} of {whole} rows; {seconds:.1} s\n", path.display()))?;
    Ok(exit)
}

/// Hands over the rows of all points that are wanted.
fn points(
    experiment: &Experiment,
    limits: &Limits,
    wanted: impl Fn((usize, u32)) -> Vec<Method>,
    mut take: impl FnMut(Row) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let all = experiment.points();
    let bar = progress::bar(all.len() as u64, "points");
    for point in all {
        let methods = wanted(point);
        if !methods.is_empty() {
            match limits.in_pool(|| experiment.rows(point, &methods, limits)) {
                Ok(rows) => rows.into_iter().try_for_each(&mut take)?,
                Err(ExperimentError::Stopped(_)) => {
                    bar.finish_and_clear();
                    tell!("stopped: --resume goes on with a table");
                    return Ok(Exit::Limit);
                }
                Err(error @ (ExperimentError::NoSet(..) | ExperimentError::Slices(_))) => {
                    return Err(Failure::usage(error));
                }
                Err(error @ ExperimentError::Refused { .. }) => {
                    return Err(Failure::ending(Exit::Disagree, error));
                }
            }
        }
        bar.step();
    }
    bar.finish_and_clear();
    Ok(Exit::Done)
}
