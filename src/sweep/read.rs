//! Tables read back.

use crate::input::InputError;
use crate::sweep::Row;

/// The rows of a table, CSV or JSON lines; `name` is the file's in messages.
///
/// # Errors
/// At the first line that is no row, and if a column is missing.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<Row>, InputError> {
    let error = |line: usize, what: String| InputError {
        place: name.to_owned(),
        line: Some(line),
        what: format!("no row of a table of `sweep`: {what}"),
    };
    if bytes.trim_ascii_start().starts_with(b"{") {
        let lines = (1..).zip(bytes.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty());
        return lines
            .map(|(number, line)| {
                serde_json::from_slice(line).map_err(|what| error(number, what.to_string()))
            })
            .collect();
    }
    let mut reader = csv::Reader::from_reader(bytes);
    let headers = reader.headers().map_err(|what| error(1, what.to_string()))?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|what| {
            let line = what.position().map_or(1, csv::Position::line);
            error(usize::try_from(line).unwrap_or(1), what.to_string())
        })?;
        let line = record.position().map_or(1, csv::Position::line);
        let row = record.deserialize(Some(&headers));
        rows.push(row.map_err(|what| error(usize::try_from(line).unwrap_or(1), what.to_string()))?);
    }
    Ok(rows)
}
