//! `warpspan budget`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::args::Format;
use crate::args::budget::{BudgetArgs, ENDINGS, Form};
use crate::commands::budget::launch::{Launch, inside, launches};
use crate::commands::budget::{github, junit, sarif};
use crate::commands::time;
use crate::document::text;
use crate::output::{Target, extension, print};
use crate::progress::bar;
use crate::record::{line, plain};
use crate::screen::folded;
use crate::wrong_kind::with_kind;
use crate::{Exit, Failure};
use warpspan_document::budget::document;
use warpspan_kernel::input::read_budget;
use warpspan_model::source::{name, text_of};
use warpspan_model::time::TimeUnit;
use warpspan_records::budget::{At, Outcome};
use warpspan_records::time::nanoseconds;
use warpspan_records::{Budget, BudgetKernel, Time};

pub(crate) fn run(args: &BudgetArgs) -> Result<Exit, Failure> {
    let targets = targets(&args.output)?;
    let place = name(&args.file);
    let kernels = read_budget(&place, &text_of(&args.file, "a budget in TOML")?)?;
    // Every table is read before the first kernel is timed.
    let mut launches = launches(&place, &kernels)?;
    // As with every option, the command line is stronger than the file: who writes the gate decides, and not who writes the budget.
    if !args.accept.is_empty() {
        launches.iter_mut().for_each(|launch| launch.accept = Some(args.accept.clone()));
    }
    let bar = bar(launches.len() as u64, "kernels");
    let (mut found, mut took) = (Vec::new(), Vec::new());
    for launch in &launches {
        let start = Instant::now();
        found.push(kernel(&place, launch)?);
        took.push(start.elapsed());
        bar.step();
    }
    drop(bar);
    let found = Budget::new(place, found);
    let exit = match found.exit_code {
        2 => Exit::WrongInput,
        3 => Exit::Limit,
        4 => Exit::Disagree,
        5 => Exit::Refuted,
        6 => Exit::NotAccepted,
        _ => Exit::Done,
    };
    for (target, form) in targets {
        let content = written(&found, &took, form)?;
        target.write(|_, out| out.write_all(content.as_bytes()))?;
    }
    print(&written(&found, &took, args.format)?)?;
    Ok(exit)
}

/// The files to be written, each with its form.
fn targets(paths: &[PathBuf]) -> Result<Vec<(Target, Form)>, Failure> {
    let endings = ENDINGS.map(|(ending, _)| ending);
    let target = |path: &PathBuf| {
        let target = Target::with_ending(path, &endings)?;
        let form = ENDINGS.into_iter().find(|(ending, _)| *ending == extension(path));
        Ok((target, form.map_or(Form::Json, |(_, form)| form)))
    };
    paths.iter().map(target).collect()
}

/// The answer in a form, with how long each kernel took.
fn written(found: &Budget, took: &[Duration], form: Form) -> Result<String, Failure> {
    let shown = plain(found)?;
    Ok(match form {
        Form::Text => folded(text(&document(&shown))),
        Form::Json => line(found.clone())?,
        Form::Junit => junit::xml(&shown, took)?,
        Form::Sarif => sarif::json(&shown)?,
        Form::Github => text(&document(&shown)) + &github::annotations(&shown),
        Form::Markdown => document(&shown).markdown(),
    })
}

/// What is proved of a kernel. An error of its own is its answer; only a bug in the program ends the command.
fn kernel(place: &str, launch: &Launch) -> Result<BudgetKernel, Failure> {
    let args =
        launch.args().ok_or_else(|| Failure::internal("a budget asks of another command than time"))?;
    let listing = args.file.display().to_string();
    let deadline_ns = nanoseconds(&TimeUnit::Nanoseconds.write(launch.deadline));
    debug_assert_eq!(args.format, Format::Json);
    let (outcome, exit_code, error, at, time) = match time::answer(args) {
        Ok(time) => {
            let exit = time::ending(&time);
            let outcome = match exit {
                Exit::Done => Outcome::Met,
                Exit::Refuted => Outcome::Missed,
                _ => Outcome::Undecided,
            };
            (outcome, exit as u8, None, costliest(&time, &listing), Some(Box::new(time)))
        }
        Err(failure) => {
            let failure = with_kind(&launch.command, failure);
            if failure.code == 1 {
                return Err(Failure { message: format!("{}: {}", launch.name, failure.message), ..failure });
            }
            let at = match failure.place {
                Some((file, line)) if Path::new(&file).is_file() => {
                    At { file: inside(&file), line: line.map(|line| line as u64) }
                }
                _ => At { file: inside(place), line: Some(launch.line as u64) },
            };
            (Outcome::Error, failure.code, Some(failure.message), at, None)
        }
    };
    let mut found = BudgetKernel {
        name: launch.name.clone(),
        line: launch.line,
        listing,
        arguments: launch.words.clone(),
        deadline_ns,
        outcome,
        exit_code,
        error,
        at,
        time,
        accept: None,
        not_accepted: Vec::new(),
    };
    if let Some(accept) = &launch.accept {
        found = found.accepting(accept);
    }
    if found.outcome == Outcome::NotAccepted {
        found.at = At { file: inside(place), line: Some(launch.line as u64) };
    }
    Ok(found)
}

/// The line that costs most: of the source, where that file is there or beside the listing, or else of the listing.
fn costliest(time: &Time, listing: &str) -> At {
    let cycles = time.cycles.as_ref();
    let line = cycles.and_then(|cycles| cycles.lines.first()).map(|line| line.line.into());
    let of_listing = || At { file: inside(listing), line };
    let Some(source) = cycles.and_then(|cycles| cycles.source.first()) else { return of_listing() };
    found_source(&source.file, listing).map_or_else(of_listing, |path| At {
        file: inside(&path.to_string_lossy()),
        line: Some(source.line.into()),
    })
}

/// The file of a source that a listing names: where it says, or beside the listing.
pub(in crate::commands) fn found_source(source: &str, listing: &str) -> Option<PathBuf> {
    let name = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let places = [PathBuf::from(source), Path::new(listing).with_file_name(name)];
    places.into_iter().find(|path| path.is_file())
}
