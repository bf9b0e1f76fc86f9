//! The table of an experiment on disk: it is written row by row and can be continued after a crash.

use std::path::Path;

use rustc_hash::FxHashSet;

use crate::{Experiment, Method, Row};
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::tables::{self, TableError, TableFile};

/// A table that is being written.
#[derive(Debug)]
pub struct Table {
    file: TableFile,
    rows: Vec<Row>,
}

/// Reads a table of an experiment; `place` is its name in messages.
///
/// # Errors
/// The line of the first row that cannot be read.
pub fn read_rows(place: &str, bytes: &[u8]) -> Result<Vec<Row>, InputError> {
    let checked = |(line, row): (usize, Row)| {
        let sound = row.schedulable <= row.sets && (0.0..1e9).contains(&row.seconds);
        sound.then(|| row.clone()).ok_or_else(|| InputError {
            place: place.to_owned(),
            line: Some(line),
            what: Message::text(format!(
                "{} of {} sets schedulable in {} s each: want ",
                row.schedulable, row.sets, row.seconds
            ))
            .append(of()),
        })
    };
    tables::csv_rows(place, bytes, &of())?.into_iter().map(checked).collect()
}

/// The message that names what such a table is.
fn of() -> Message {
    Message::text("a table of partition ").remedy(Remedy::Experiment)
}

/// Whether the first line of a file names the columns of an experiment's table.
pub fn is_table(bytes: &[u8]) -> bool {
    bytes.starts_with(header().trim_ascii_end())
}

impl Table {
    /// Opens a new table, or one that is to be continued.
    ///
    /// # Errors
    /// If it cannot be written, if it holds something and is not to be continued, if it is in use, or if it
    /// belongs to another experiment.
    pub fn open(path: &Path, experiment: &Experiment, resume: bool) -> Result<Self, TableError> {
        let (mut file, bytes, _) = TableFile::open(path, &header(), resume)?;
        let name = path.display().to_string();
        let rows = read_rows(&name, &bytes)?;
        let points = experiment.points();
        let own = experiment.row(points[0], Method::OnePartition);
        if let Some((column, there, here)) = rows.iter().find_map(|row| difference(row, &own)) {
            let what = format!(
                "a row of another experiment ({column} = {there:?} there, {here:?} here): want the same flags, or another \
                 name"
            );
            return Err(InputError::new(name, what).into());
        }
        let all = points.iter().flat_map(|&(tasks, u)| Method::all().map(move |m| (tasks, u, m.name())));
        let mut wanted: FxHashSet<_> = all.collect();
        if let Some(row) = rows.iter().find(|row| !wanted.remove(&row.key())) {
            let (tasks, utilisation, method) = row.key();
            let what = format!(
                "{method}, {tasks} tasks, utilisation {utilisation}: a row more than the experiment has: want each once"
            );
            return Err(InputError::new(name, what).into());
        }
        file.begin(&header())?;
        Ok(Self { file, rows })
    }

    /// The methods that lack a row at a point.
    pub fn missing(&self, point: (usize, u32)) -> Vec<Method> {
        let there =
            |method: &Method| self.rows.iter().any(|row| row.key() == (point.0, point.1, method.name()));
        Method::all().filter(|method| !there(method)).collect()
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If the row cannot be written, for instance on a full disk; the table then ends with the row before.
    pub fn add(&mut self, row: Row) -> Result<(), TableError> {
        self.file.append(&csv_line(&row))?;
        self.rows.push(row);
        Ok(())
    }

    /// The rows so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// The first column in which the experiments of two rows differ, with the value of each.
fn difference(one: &Row, other: &Row) -> Option<(String, String, String)> {
    let cells = |line: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(line).trim_end().split(',').map(str::to_owned).collect()
    };
    let [one, other] = [one, other].map(|row| cells(&csv_line(&row.of_experiment())));
    let columns = cells(&header()).into_iter().zip(one.into_iter().zip(other));
    let differing = columns.into_iter().find(|(_, (one, other))| one != other);
    differing.map(|(column, (one, other))| (column, one, other))
}

/// The line with the names of the columns.
pub fn header() -> Vec<u8> {
    tables::csv_header::<Row>()
}

/// The line of a row.
pub fn csv_line(row: &Row) -> Vec<u8> {
    tables::csv_line(row)
}
