//! `warpspan report`.

use serde::Deserialize;

use crate::cli::args::ReportArgs;
use crate::cli::claim::Claim;
use crate::cli::extract_record::{EXTRACT, EntryRecord, ExtractRecord, LineRecord};
use crate::cli::output::{Target, print};
use crate::cli::record::{SOLVE, SOLVE_1};
use crate::cli::rta::{Drawn as DrawnRun, RTA};
use crate::cli::{Exit, Failure};
use crate::figures::{Contradiction, Drawn, Input, Listed, ListedLine, report};
use crate::realtime::partition::{is_table, read_rows};
use crate::schedule::{from_records, replay};
use crate::source::InputError;
use crate::source::{bytes, name};
use crate::sweep::{lines, read_csv, read_json};

pub(super) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let mut input = Input::default();
    for path in &args.files {
        let (place, content) = (name(path), bytes(path)?);
        let count = |input: &Input| {
            input.rows.len()
                + input.partitions.len()
                + input.schedules.len()
                + input.occupancies.len()
                + input.kernels.len()
        };
        let before = count(&input);
        match Target::extension(path).as_str() {
            "csv" if is_table(&content) => input.partitions.extend(read_rows(&place, &content)?),
            "csv" => input.rows.extend(read_csv(&place, &content)?),
            "json" | "jsonl" => json(&mut input, &place, &content)?,
            _ => {
                let what = "of no known kind: want a table (.csv, .jsonl) or lines of solve, rta or extract (.json, .jsonl)";
                return Err(InputError::new(place, what).into());
            }
        }
        if before == count(&input) {
            let what = "no rows: want a table of sweep, lines of solve or rta --format json --with-schedule, or of extract --warps";
            return Err(InputError::new(place, what).into());
        }
        input.files.push(place);
    }
    let folder = &args.output;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("{}: cannot be made: {error}", folder.display())))?;
    let path = folder.join("index.html");
    let page = Target::open(&path)?;
    let report = report(&input)?;
    for figure in &report.figures {
        Target::open(&folder.join(&figure.file))?.write(|out| out.write_all(figure.svg.as_bytes()))?;
    }
    page.write(|out| out.write_all(report.page.as_bytes()))?;
    let count = report.figures.len();
    print(&format!("{}: {count} figure{}\n", path.display(), if count == 1 { "" } else { "s" }))?;
    Ok(Exit::Done)
}

impl From<Contradiction> for Failure {
    fn from(error: Contradiction) -> Self {
        Self { code: Exit::Disagree as u8, message: error.to_string() }
    }
}

/// What tells a record of a command from a row of a table.
#[derive(Deserialize)]
struct Kind {
    schema: Option<String>,
}

/// Lines of JSON: rows of a table, records of `solve`, `rta` and `extract`.
fn json(input: &mut Input, place: &str, content: &[u8]) -> Result<(), InputError> {
    for (number, line) in lines(content) {
        let error =
            |what: String| InputError { place: place.to_owned(), line: Some(number), what: what.into() };
        let kind = serde_json::from_slice(line).map(|Kind { schema }| schema);
        match kind.ok().flatten().as_deref() {
            None => input.rows.push(read_json(place, number, line)?),
            Some(SOLVE | SOLVE_1) => input.schedules.push(drawn(line).map_err(error)?),
            Some(RTA) => {
                let run: DrawnRun = serde_json::from_slice(line).map_err(|what| error(what.to_string()))?;
                input.occupancies.push(run.run().map_err(error)?);
            }
            Some(EXTRACT) => {
                let code: ExtractRecord =
                    serde_json::from_slice(line).map_err(|what| error(what.to_string()))?;
                input.kernels.extend(listed(code).map_err(error)?);
            }
            Some(other) => {
                return Err(error(format!(
                    "schema {other:?}: want {SOLVE:?}, {RTA:?}, {EXTRACT:?}, or a row of a table"
                )));
            }
        }
    }
    Ok(())
}

/// The schedule of a record of `solve`, replayed.
fn drawn(line: &[u8]) -> Result<Drawn, String> {
    let claim: Claim = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let (workload, instance) = claim.instance.straight_lines()?;
    let records = claim.schedule.ok_or("the record has no schedule to draw: solve with --with-schedule")?;
    let schedule = from_records(&instance, &records).map_err(|error| error.to_string())?;
    let witness =
        replay(&instance, schedule).map_err(|error| format!("not a schedule of its instance: {error}"))?;
    Ok(Drawn { workload, instance, witness, upper: claim.upper.0 })
}

/// The entries of a record of `extract`, those without a bound too, with the reason.
fn listed(record: ExtractRecord) -> Result<Vec<Listed>, String> {
    let ExtractRecord { file, entries, .. } = record;
    if entries.iter().all(|entry| entry.bound.is_none() && entry.bound_error.is_none()) {
        return Err("no entry has a bound to show: extract with --warps".to_owned());
    }
    let listed = |entry: EntryRecord| Listed {
        file: file.clone(),
        facts: entry.facts(),
        is_bounded: entry.bound.is_some(),
        lines: entry.listing.into_iter().map(ListedLine::from).collect(),
        name: entry.name,
        capability: entry.compute_capability,
    };
    Ok(entries.into_iter().map(listed).collect())
}

impl From<LineRecord> for ListedLine {
    fn from(line: LineRecord) -> Self {
        let LineRecord { line, label, instruction, letter, count, phase, adds, share, .. } = line;
        Self { line, label, instruction, letter, count, phase, adds, share }
    }
}
