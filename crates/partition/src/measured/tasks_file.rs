//! A file of tasks from measured times.

use std::fmt::Write;

use thiserror::Error;

use crate::measured::{Classes, Classified};
use crate::write_time;
use warpspan_model::source::disturbs;

/// A task whose times do not suffice for a file of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unwritten {
    /// Its times do not tell its kind.
    #[error("the kind of {name:?} does not follow from its times: want its time alone on {} multiprocessors", want_text(*want))]
    Unclear {
        /// Its name.
        name: String,
        /// The number of multiprocessors whose time would tell; `None` if there are too few to say.
        want: Option<usize>,
    },
    /// It was measured with a co-running task whose kind does not follow from its times.
    #[error("{name:?} was measured with a co-running task whose kind does not follow from its times")]
    Beside {
        /// Its name.
        name: String,
    },
}

fn want_text(want: Option<usize>) -> String {
    want.map_or_else(|| "2 or more".to_owned(), |m| m.to_string())
}

/// The text of a file of tasks with the curve of each, in TOML; `place` is the name of the measured times.
/// Keys that were not measured are comments that say what to fill in.
///
/// # Errors
/// The first task whose kind is not known.
pub fn tasks_file(classes: &Classes, place: &str) -> Result<String, Unwritten> {
    let place: String = place.chars().map(|letter| if disturbs(letter) { ' ' } else { letter }).collect();
    let mut out = format!(
        "# From the measured times of {place}: C(m) = a/m + b, and k times that in conflict. No measured time is above\n\
         # this curve. That is measured and not proved: other runs, and numbers of multiprocessors that were not\n\
         # measured, may take longer.\n\
         multiprocessors = {}\n",
        classes.times.multiprocessors()
    );
    for (task, class) in classes.times.tasks().iter().zip(&classes.tasks) {
        let name = task.name();
        let kind = match class.classified {
            Classified::Memory { from } => {
                format!("\"memory\"    # hardly faster from {from} multiprocessors on")
            }
            Classified::Compute => "\"compute\"".to_owned(),
            Classified::Unclear { want } => return Err(Unwritten::Unclear { name: name.to_owned(), want }),
        };
        let curve = class.curve.ok_or_else(|| Unwritten::Beside { name: name.to_owned() })?;
        let _ = write!(out, "\n[[task]]\nname = {}\n", toml::Value::from(name));
        for (key, value, what) in [
            ("period", task.period, "the least time between two jobs"),
            ("deadline", task.deadline, "the period if it is not given"),
        ] {
            let _ = match value {
                Some(time) => writeln!(out, "{key} = {}", write_time(time)),
                None => writeln!(out, "# {key} =    to be filled in: {what}"),
            };
        }
        let _ = writeln!(out, "kind = {kind}\na = {}\nb = {}", write_time(curve.a), write_time(curve.b));
        let _ = match curve.k {
            Some(k) => writeln!(out, "k = {k}"),
            None => {
                writeln!(out, "# k =    to be filled in: not measured with a co-running task of its kind")
            }
        };
    }
    Ok(out)
}
