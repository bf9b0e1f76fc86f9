//! Programs with branches and loops in `solve` and `bound`.

use crate::cli::args::{Format, SolveArgs};
use crate::cli::bound::table_of;
use crate::cli::instances::Place;
use crate::cli::output::print;
use crate::cli::record::line_of;
use crate::cli::{Exit, Failure, text};
use crate::engines::portfolio::{Engine, Row, Side, Value, program};
use crate::engines::program::ProgramGroup;
use crate::model::Multiprocessor;
use crate::records::{Bound, Instance, Solve};

/// Refuses what asks for an engine or a schedule.
pub(super) fn suits(args: &SolveArgs, engine: Engine) -> Result<(), Failure> {
    let asked = [
        ("an engine", engine != Engine::Auto),
        ("--schedule", args.schedule.is_some()),
        ("--with-schedule", args.with_schedule),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(Failure::usage(format!(
            "a kernel has branches or loops, so there is a bound only, from no engine and without a schedule: drop what asks for {what}"
        ))),
        None => Ok(()),
    }
}

/// The bound as an interval.
pub(super) fn solve(
    groups: &[ProgramGroup],
    multiprocessor: Multiprocessor,
    place: &Place,
    format: Format,
) -> Result<Exit, Failure> {
    let (mut solution, bound) = program(groups, multiprocessor)?;
    solution.notes.extend_from_slice(&place.notes);
    print(&match format {
        Format::Text => {
            let rates: Vec<String> = bound.rates.iter().map(ToString::to_string).collect();
            let heading = text::program_heading(groups, multiprocessor);
            place.over(&format!("{}{}", text::found(&heading, &solution), rate(&rates)))
        }
        Format::Json => {
            let instance = Instance::of_programs(groups, multiprocessor);
            line_of(place, Solve::of_program(instance, &solution, &bound))?
        }
    })?;
    Ok(Exit::Limit)
}

/// The bound as a row.
pub(super) fn bound(
    groups: &[ProgramGroup],
    multiprocessor: Multiprocessor,
    place: &Place,
    format: Format,
) -> Result<(), Failure> {
    let (solution, bound) = program(groups, multiprocessor)?;
    let rates: Vec<String> = bound.rates.iter().map(ToString::to_string).collect();
    let mut notes = solution.notes;
    notes.extend_from_slice(&place.notes);
    let row = Row {
        name: "program",
        value: bound.makespan,
        side: Side::Upper,
        safe: true,
        source: "phase bound of structured programs",
        more: Value::Phase { rates: rates.clone(), labels: vec![], finish: bound.finish },
    };
    print(&match format {
        Format::Text => {
            let heading = text::program_heading(groups, multiprocessor);
            place.over(&format!("{heading}\n{}\n{}{}", table_of(&[row]), rate(&rates), text::notes(&notes)))
        }
        Format::Json => {
            line_of(place, Bound::new(Instance::of_programs(groups, multiprocessor), vec![row], notes))?
        }
    })
}

fn rate(rates: &[String]) -> String {
    format!("phases      a = {}: cycles that a further warp of a block adds at most\n", rates.join(", "))
}
