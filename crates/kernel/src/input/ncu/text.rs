//! What `ncu` prints without `--csv`: a heading for each launch, and below it a line for each metric.

use super::metric::{is_measured, known};
use super::{Cell, Launch, Launches, wrong};
use warpspan_model::source::InputError;

/// Reads the launches of a text.
pub(super) fn read(place: &str, text: &str) -> Result<Launches, InputError> {
    let mut found = Launches::default();
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        if line.starts_with("==") {
            continue;
        }
        if let Some(launch) = heading(line, number) {
            found.all.push(launch);
            continue;
        }
        let Some(launch) = found.all.last_mut() else { continue };
        let parts: Vec<&str> = line.split_whitespace().collect();
        if let [name, .., value] = parts[..]
            && is_measured(name)
        {
            found.notation.observe(value, number).map_err(|what| wrong(place, number, what))?;
        }
        let Some(metric) = parts.first().and_then(|name| known(name)) else { continue };
        let (unit, value) = match parts[1..] {
            // A metric that the GPU does not have is marked, and has no unit.
            [.., "n/a"] => ("", "n/a".to_owned()),
            [value] => ("", value.to_owned()),
            [unit, ref value @ ..] => (unit, value.join(" ")),
            [] => ("", String::new()),
        };
        launch.cells.push(Cell { line: number, metric, unit: unit.to_owned(), value });
    }
    Ok(found)
}

/// A heading such as `scale(float *, int) (96, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.7`. Older versions
/// have the time of the launch in place of the sizes.
fn heading(line: &str, number: usize) -> Option<Launch> {
    let (launch, place) = line.rsplit_once(", Context ")?;
    if !place.contains(", Stream ") {
        return None;
    }
    let launch = launch.trim();
    let sizes = || {
        let (before, block) = launch.rsplit_once(")x(")?;
        let (kernel, grid) = before.rsplit_once('(')?;
        let block = block.strip_suffix(')')?;
        Some((kernel, format!("({grid})"), format!("({block})")))
    };
    let (kernel, grid, block) =
        sizes().unwrap_or_else(|| (without_time(launch), String::new(), String::new()));
    Some(Launch { kernel: kernel.trim().to_owned(), line: number, grid, block, cells: Vec::new() })
}

/// The name of a kernel before a time such as `, 2022-Oct-24 21:34:00`.
fn without_time(launch: &str) -> &str {
    let is_time = |text: &str| text.contains(':') && text.starts_with(|first: char| first.is_ascii_digit());
    launch.rsplit_once(", ").filter(|(_, time)| is_time(time)).map_or(launch, |(name, _)| name)
}
