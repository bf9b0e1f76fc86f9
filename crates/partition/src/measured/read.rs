//! Reading a table of measured times.
//!
//! ```csv
//! task,multiprocessors,time,beside,period,deadline
//! transpose,34,2.410,,50,37.5
//! transpose,68,2.300,,,
//! transpose,68,5.566,vectoradd,,
//! ```
//!
//! A row is a measured execution time of a task on a number of multiprocessors, alone or with another task of the table
//! on the same multiprocessors. The columns `beside`, `period` and `deadline` may be left out, and so may their values.
//! A period and a deadline need only stand once for each task. Where a task was measured several times under the same
//! circumstances, the longest time counts, for fits too: what is fitted is a worst case.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::sporadic::real;
use crate::{TaskSet, read_time};
use warpspan_model::source::{InputError, disturbs};
use warpspan_model::tables;
use warpspan_model::time::Millionths;

/// The measured times of several tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredTimes {
    pub(super) tasks: Vec<MeasuredTask>,
    pub(super) count: usize,
}

/// The measured times of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredTask {
    pub(super) name: String,
    pub(super) period: Option<Millionths>,
    pub(super) deadline: Option<Millionths>,
    /// The longest time alone, by the number of multiprocessors.
    pub(super) alone: BTreeMap<usize, Millionths>,
    /// The longest time with another task, by that task and the number of multiprocessors.
    pub(super) beside: BTreeMap<(usize, usize), Millionths>,
}

impl MeasuredTimes {
    /// The tasks, in the order in which they come first.
    pub fn tasks(&self) -> &[MeasuredTask] {
        &self.tasks
    }

    /// How many times were measured, those that others of the same circumstances exceed included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The largest number of multiprocessors on which a time was measured.
    pub fn multiprocessors(&self) -> usize {
        let most = |task: &MeasuredTask| task.alone.last_key_value().map_or(0, |(&m, _)| m);
        self.tasks.iter().map(most).max().unwrap_or(0)
    }
}

impl MeasuredTask {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The longest time alone on each number of multiprocessors.
    pub fn alone(&self) -> Vec<(usize, Millionths)> {
        self.alone.iter().map(|(&m, &time)| (m, time)).collect()
    }

    /// How many times as fast it is on each number of multiprocessors as on the smallest one (Si21 Fig. 3.2).
    pub fn speed_ups(&self) -> Vec<(usize, f64)> {
        let first = self.alone.first_key_value().map_or(0, |(_, time)| time.0);
        self.alone.iter().map(|(&m, &time)| (m, real(first) / real(time.0))).collect()
    }
}

/// A line of the table, as it is written.
#[derive(Debug, Deserialize)]
struct Line {
    task: String,
    multiprocessors: String,
    time: String,
    #[serde(default)]
    beside: String,
    #[serde(default)]
    period: String,
    #[serde(default)]
    deadline: String,
}

const NEEDED: [&str; 3] = ["task", "multiprocessors", "time"];
const OPTIONAL: [&str; 3] = ["beside", "period", "deadline"];
/// What the messages call such a table.
const OF: &str = "a table of measured times";

/// Reads a table; `place` is its name in messages.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn read_measured(place: &str, bytes: &[u8]) -> Result<MeasuredTimes, InputError> {
    let wrong = |line: usize, what: String| InputError {
        place: place.to_owned(),
        line: Some(line),
        what: what.into(),
    };
    header(bytes).map_err(|what| wrong(1, what))?;
    let lines: Vec<(usize, Line)> = tables::csv_rows(place, bytes, &OF.into())?;
    if lines.is_empty() {
        return Err(InputError::new(place, "no times: want a line for each"));
    }
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut tasks: Vec<MeasuredTask> = Vec::new();
    for (at, line) in &lines {
        let name = line.task.as_str();
        if name.trim().is_empty() || name.chars().any(disturbs) {
            return Err(wrong(
                *at,
                format!("task = {name:?}: want one or more characters that can be printed"),
            ));
        }
        numbers.entry(name).or_insert_with(|| {
            tasks.push(MeasuredTask::named(name));
            tasks.len() - 1
        });
    }
    if tasks.len() > TaskSet::MOST {
        return Err(InputError::new(place, format!("{} tasks: want 1 to {}", tasks.len(), TaskSet::MOST)));
    }
    // The line of the first time with another task, by both and the number of multiprocessors.
    let mut firsts: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
    for (at, line) in &lines {
        let number = numbers[line.task.as_str()];
        let other = match line.beside.as_str() {
            "" => None,
            name => Some(*numbers.get(name).ok_or_else(|| {
                wrong(*at, format!("beside = {name:?}: no task of this table: want its times alone too, which tell its kind"))
            })?),
        };
        let m = tasks[number].take(line, other).map_err(|what| wrong(*at, what))?;
        if let Some(other) = other {
            firsts.entry((number, other, m)).or_insert(*at);
        }
    }
    let missing =
        |&(&(task, _, m), _): &(&(usize, usize, usize), &usize)| !tasks[task].alone.contains_key(&m);
    if let Some((&(task, other, m), &at)) = firsts.iter().filter(missing).min_by_key(|&(_, &at)| at) {
        let what = format!(
            "{} with {} co-running on {m} multiprocessors: want its time alone on {m} too, for comparison",
            tasks[task].name, tasks[other].name
        );
        return Err(wrong(at, what));
    }
    Ok(MeasuredTimes { tasks, count: lines.len() })
}

/// The columns must be known, and each there once.
fn header(bytes: &[u8]) -> Result<(), String> {
    let mut reader = csv::Reader::from_reader(bytes);
    let Ok(columns) = reader.headers() else { return Ok(()) }; // What is wrong is said with the rows.
    let want = format!("want {}, and if need be {}", NEEDED.join(","), OPTIONAL.join(","));
    for column in columns {
        if !NEEDED.contains(&column) && !OPTIONAL.contains(&column) {
            return Err(format!("column {column:?}: {want}"));
        }
        if columns.iter().filter(|&other| other == column).count() > 1 {
            return Err(format!("two columns {column:?}: {want}"));
        }
    }
    match NEEDED.into_iter().find(|&needed| !columns.iter().any(|column| column == needed)) {
        Some(missing) => Err(format!("no column {missing:?}: {want}")),
        None => Ok(()),
    }
}

impl MeasuredTask {
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            period: None,
            deadline: None,
            alone: BTreeMap::new(),
            beside: BTreeMap::new(),
        }
    }

    /// Takes a line, and returns its number of multiprocessors.
    fn take(&mut self, line: &Line, other: Option<usize>) -> Result<usize, String> {
        let count = line.multiprocessors.as_str();
        let whole = || count.bytes().all(|byte| byte.is_ascii_digit());
        let m = count.parse().ok().filter(|m| whole() && (1..=TaskSet::MOST).contains(m));
        let m = m.ok_or_else(|| {
            format!("multiprocessors = {count:?}: want a whole number from 1 to {}", TaskSet::MOST)
        })?;
        let time = positive("time", &line.time)?;
        let known = match other {
            None => self.alone.entry(m).or_insert(time),
            Some(other) => self.beside.entry((other, m)).or_insert(time),
        };
        *known = time.max(*known);
        let name = &self.name;
        for (key, text, known) in
            [("period", &line.period, &mut self.period), ("deadline", &line.deadline, &mut self.deadline)]
        {
            if text.is_empty() {
                continue;
            }
            let value = positive(key, text)?;
            if known.is_some_and(|known| known != value) {
                return Err(format!("{key} = {text:?}: {name} has another one above: want one of each task"));
            }
            *known = Some(value);
        }
        match (self.period, self.deadline) {
            (Some(period), Some(deadline)) if deadline > period => {
                Err(format!("deadline = {:?} of {name}: beyond its period: want at most that", line.deadline))
            }
            _ => Ok(m),
        }
    }
}

/// A time that is more than 0.
fn positive(key: &str, text: &str) -> Result<Millionths, String> {
    let time = read_time(text).map_err(|what| format!("{key} = {text:?}: {what}"))?;
    if time == Millionths::default() { Err(format!("{key} = {text:?}: want more than 0")) } else { Ok(time) }
}
