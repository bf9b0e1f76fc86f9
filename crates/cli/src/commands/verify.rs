//! `warpspan verify`.

use std::path::Path;

use crate::args::verify::VerifyArgs;
use crate::document::{answer, answer_at};
use crate::place::Place;
use crate::{Exit, Failure};
use warpspan_document::verify::document;
use warpspan_model::assumption::Rests;
use warpspan_model::source::{InputError, bytes, name};
use warpspan_records::Verify;
use warpspan_sweep::lines;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    if args.files.is_empty() {
        answer(args.format, Verify::table(), document)?;
        return Ok(Exit::Done);
    }
    // All are read before anything is printed.
    let mut found = Vec::new();
    for file in &args.files {
        found.extend(records(file)?);
    }
    let beside = found.len() > 1;
    let agrees = found.iter().all(|(_, record)| record.contradictions.is_empty());
    for (place, record) in found {
        let place = Place { beside, ..place };
        answer_at(&place, args.format, record, document)?;
    }
    Ok(if agrees { Exit::Done } else { Exit::Disagree })
}

/// The records of a file, one a line.
fn records(file: &Path) -> Result<Vec<(Place, Verify)>, Failure> {
    let content = bytes(file)?;
    let mut found = Vec::new();
    for (number, line) in lines(&content) {
        let wrong = |what: String| InputError { place: name(file), line: Some(number), what: what.into() };
        let record = Verify::of(line).map_err(|error| wrong(error.to_string()))?.ok_or_else(|| {
            wrong(
                "such a record holds no bound with evidence: want one of solve, bound, simulate, extract, compare, sweep, rta, time, budget, prem or \
                 partition"
                    .to_owned(),
            )
        })?;
        found.push((
            Place { file: Some(name(file)), line: Some(number), beside: false, rests: Rests::default() },
            record,
        ));
    }
    if found.is_empty() {
        let what = "want a line of --format json".to_owned();
        return Err(InputError { place: name(file), line: None, what: what.into() }.into());
    }
    Ok(found)
}
