//! `warpspan time`.

use crate::args::limits;
use crate::args::time::TimeArgs;
use crate::commands::time::evt;
use crate::{Exit, Failure, document};
use warpspan_document::time::document;
use warpspan_launch::{self as launch, Question};
use warpspan_records::Time;
use warpspan_records::rta::Verdict;

pub(crate) fn run(args: &TimeArgs) -> Result<Exit, Failure> {
    let found = answer(args)?;
    let exit = ending(&found);
    document::answer(args.format, found, |found| {
        let mut document = document(found);
        if args.short {
            document.parts.truncate(1);
        }
        document
    })?;
    Ok(exit)
}

/// The answer to what the flags ask, with the estimate of measured times if there are some.
pub(crate) fn answer(args: &TimeArgs) -> Result<Time, Failure> {
    let question = args.question()?;
    let mut found = launch::answer(&question)?;
    if args.margins {
        let limits = limits(args.time_limit, None, None).map_err(Failure::internal)?;
        found = launch::with_margins(&Question { limits, ..question }, found)?;
    }
    if let Some(path) = &args.evt {
        evt::add(&mut found, path)?;
    }
    Ok(found)
}

/// How the command ends with this answer.
pub(crate) fn ending(found: &Time) -> Exit {
    match found.verdict {
        Some(Verdict::Refuted) => Exit::Refuted,
        Some(Verdict::Undecided) => Exit::Limit,
        _ if found.bound_ns.is_none() => Exit::Limit,
        _ => Exit::Done,
    }
}
