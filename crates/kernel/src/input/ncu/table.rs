//! The two tables of `ncu --csv`.

use std::collections::HashMap;

use csv::StringRecord;

use super::metric::{is_measured, known};
use super::{Cell, Launch, Launches, RUN, plain, wrong};
use warpspan_model::source::InputError;

/// The line that names the columns.
pub(super) struct Header {
    columns: StringRecord,
    /// Where it begins, in bytes, and its number from 1.
    at: usize,
    line: usize,
    kernel: usize,
    id: usize,
}

/// Finds the line that names the columns. Lines of the profiler and of the program stand before it.
pub(super) fn header(text: &str) -> Option<Header> {
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some((columns, kernel, id)) = columns(line) {
            return Some(Header { columns, at, line: number + 1, kernel, id });
        }
        at += line.len();
    }
    None
}

fn columns(line: &str) -> Option<(StringRecord, usize, usize)> {
    if !line.contains("Kernel Name") {
        return None;
    }
    let mut columns = StringRecord::new();
    rows(line).read_record(&mut columns).ok()?;
    columns.trim();
    let (kernel, id) = (position(&columns, "Kernel Name")?, position(&columns, "ID")?);
    Some((columns, kernel, id))
}

fn position(columns: &StringRecord, name: &str) -> Option<usize> {
    columns.iter().position(|column| column == name)
}

fn rows(text: &str) -> csv::Reader<&[u8]> {
    // Lines that begin with == are the profiler's own words. No row begins so.
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'='))
        .from_reader(text.as_bytes())
}

/// Reads the launches of a table, in whichever of both forms it is.
pub(super) fn read(place: &str, text: &str, header: &Header) -> Result<Launches, InputError> {
    let named = |name| position(&header.columns, name);
    let form = match named("Metric Name") {
        None => Form::Launches(None),
        Some(metric) => match (named("Metric Unit"), named("Metric Value")) {
            (Some(unit), Some(value)) => Form::Metrics { metric, unit, value },
            _ => {
                let what = format!("no column of units or of values, as --print-summary gives: run {RUN}");
                return Err(wrong(place, header.line, what));
            }
        },
    };
    let mut table = Table { place, header, form, run: 0, known: HashMap::new(), found: Launches::default() };
    let rest = &text[header.at..];
    let (mut counted, mut line) = (0, header.line);
    let mut reader = rows(rest);
    let mut row = StringRecord::new();
    loop {
        let start = usize::try_from(reader.position().byte()).unwrap_or(rest.len()).min(rest.len());
        let start = start + passed_over(&rest.as_bytes()[start..]);
        line += rest.as_bytes()[counted..start].iter().filter(|&&byte| byte == b'\n').count();
        counted = start;
        match reader.read_record(&mut row) {
            Ok(true) => table.take(&row, line)?,
            Ok(false) => return Ok(table.found),
            Err(error) => return Err(wrong(place, line, plain(&error.to_string()))),
        }
    }
}

/// How many bytes the reader goes over before the next row: ends of lines, and lines of the profiler.
fn passed_over(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b'\r' | b'\n') => at += 1,
            Some(b'=') => at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count(),
            _ => return at,
        }
    }
}

/// The forms of a table.
enum Form {
    /// A row for each metric of a launch.
    Metrics { metric: usize, unit: usize, value: usize },
    /// A row for each launch, and before these a row of the units, once it is read.
    Launches(Option<StringRecord>),
}

/// A table as it is read.
struct Table<'a> {
    place: &'a str,
    header: &'a Header,
    form: Form,
    /// How many times the columns were named: the outputs of several runs may follow one another in a file, and each
    /// counts its launches from 0.
    run: usize,
    known: HashMap<(usize, Vec<String>), usize>,
    found: Launches,
}

impl Table<'_> {
    fn take(&mut self, row: &StringRecord, line: usize) -> Result<(), InputError> {
        let columns = &self.header.columns;
        let wrong = |what: String| wrong(self.place, line, what);
        if row.iter().any(|field| field.contains('\n')) {
            return Err(wrong("a quote that this line does not close: want a row a line".into()));
        }
        if row.iter().any(|field| field.trim() == "Kernel Name") {
            if !row.iter().map(str::trim).eq(columns) {
                return Err(wrong("a second table with other columns: want one table".into()));
            }
            self.run += 1;
            if let Form::Launches(units) = &mut self.form {
                *units = None;
            }
            return Ok(());
        }
        if row.len() != columns.len() {
            return Err(wrong(format!("{} fields: want {}, as the header has", row.len(), columns.len())));
        }
        let named = row[self.header.kernel].trim();
        match &mut self.form {
            Form::Metrics { metric, unit, value } => {
                let [metric, unit, value] = [*metric, *unit, *value].map(|at| row[at].trim());
                if is_measured(metric) {
                    self.found.notation.observe(value, line).map_err(wrong)?;
                }
                let cell = known(metric).map(|metric| Cell {
                    line,
                    metric,
                    unit: unit.to_owned(),
                    value: value.to_owned(),
                });
                self.launch(row, line).cells.extend(cell);
            }
            Form::Launches(units @ None) => {
                if !named.is_empty() {
                    return Err(wrong(format!("no row of units before the first launch: run {RUN}")));
                }
                *units = Some(row.clone());
            }
            Form::Launches(Some(units)) => {
                let mut cells = Vec::new();
                for (at, column) in columns.iter().enumerate() {
                    let (unit, value) = (units[at].trim(), row[at].trim());
                    if is_measured(column) {
                        self.found.notation.observe(value, line).map_err(wrong)?;
                    }
                    // A launch has no value of what was counted for others alone.
                    if let Some(metric) = known(column).filter(|_| !value.is_empty()) {
                        cells.push(Cell { line, metric, unit: unit.to_owned(), value: value.to_owned() });
                    }
                }
                self.launch(row, line).cells.extend(cells);
            }
        }
        Ok(())
    }

    /// The launch that a row is about.
    fn launch(&mut self, row: &StringRecord, line: usize) -> &mut Launch {
        let columns = &self.header.columns;
        let field = |name| position(columns, name).map_or("", |at| row[at].trim()).to_owned();
        let kernel = row[self.header.kernel].trim().to_owned();
        let key = vec![row[self.header.id].trim().to_owned(), field("Process ID"), kernel.clone()];
        let all = &mut self.found.all;
        let at = *self.known.entry((self.run, key)).or_insert_with(|| {
            let (grid, block) = (field("Grid Size"), field("Block Size"));
            all.push(Launch { kernel, line, grid, block, cells: Vec::new() });
            all.len() - 1
        });
        &mut all[at]
    }
}
