//! `warpspan report`.

use crate::args::report::{ByArg, ReportArgs};
use crate::commands::report::answers;
use crate::output::{Target, extension, print};
use crate::record::plain_json;
use crate::{Exit, Failure};
use warpspan_check::schedule::file::from_records;
use warpspan_check::schedule::{IssueRecord, replay};
use warpspan_document::words::several;
use warpspan_figures::{Answer, By, Contradiction, Drawn, Input, Paper, Report, Width, report};
use warpspan_model::source::{InputError, bytes, name};
use warpspan_partition::{is_table, read_rows};
use warpspan_records::{Envelope, Instance, Record, read};
use warpspan_sweep::{Row, lines, read_csv};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let mut input = Input::default();
    let count = |input: &Input| {
        input.rows.len() + input.partitions.len() + input.sketches.len() + input.answers.len()
    };
    let span = answers::Span { from: args.from.clone(), to: args.to.clone() };
    let links = answers::Links::from(&args.output);
    for path in &args.files {
        let (place, content) = (name(path), bytes(path)?);
        let before = count(&input);
        input.row_files.push((input.rows.len(), place.clone()));
        match extension(path).as_str() {
            "csv" if is_table(&content) => input.partitions.extend(read_rows(&place, &content)?),
            "csv" => input.rows.extend(read_csv(&place, &content)?),
            "json" | "jsonl" => json(&mut input, &place, &content, (&span, &links))?,
            _ => {
                let what = "of no known kind: want a table (.csv, .jsonl) or records of other commands (.json, .jsonl)";
                return Err(InputError::new(place, what).into());
            }
        }
        if before == count(&input) {
            let what = "no rows: want a table of sweep, or what another command prints with --format json";
            return Err(InputError::new(place, what).into());
        }
        input.files.push(place);
    }
    choose(&mut input, args)?;
    let folder = &args.output;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::usage(format!("{}: cannot be made: {error}", folder.display())))?;
    let path = folder.join("index.html");
    let page = Target::open(&path)?;
    let report = report(&input)?;
    if args.by.is_some() && report.figures.is_empty() {
        let what =
            "nothing to compare: want rows of a table with at least two lines, by --by and what is chosen";
        return Err(Failure::usage(what.to_owned()));
    }
    for figure in &report.figures {
        let path = folder.join(&figure.file);
        let (tikz, pdf) = (figure.tikz(&input.paper), figure.pdf(&input.paper));
        let beside = [("svg", figure.svg.as_bytes()), ("tex", tikz.as_bytes()), ("pdf", &pdf)];
        let points = figure.points.as_ref().map(|points| ("csv", points.as_bytes()));
        for (extension, content) in beside.into_iter().chain(points) {
            Target::open(&path.with_extension(extension))?.write(|_, out| out.write_all(content))?;
        }
    }
    page.write(|_, out| out.write_all(report.page.as_bytes()))?;
    print(&format!("{}: {}\n", path.display(), several(report.figures.len(), "figure")))?;
    Ok(Exit::Done)
}

/// The page and the figures of lines of JSON that are in no file.
pub(crate) fn of_lines(content: &[u8]) -> Result<Report, Failure> {
    let mut input = Input::default();
    json(&mut input, "", content, (&answers::Span::default(), &answers::Links::default()))?;
    Ok(report(&input)?)
}

/// Keeps the rows that are asked for, and says how they are drawn.
fn choose(input: &mut Input, args: &ReportArgs) -> Result<(), Failure> {
    let among =
        |chosen: &[String], value: &str| chosen.is_empty() || chosen.iter().any(|one| one.trim() == value);
    let is_chosen = |row: &Row| {
        let name = row.entry.as_deref().unwrap_or(&row.kernel);
        (among(&args.kernels, &row.kernel) || among(&args.kernels, name))
            && args.warps.as_ref().is_none_or(|warps| warps.0.contains(&row.warps))
            && among(&args.sigma_l, &row.sigma_l)
            && among(&args.sigma_c, &row.sigma_c)
    };
    let all = input.rows.len();
    let file =
        |at: usize, files: &[(usize, String)]| files.iter().rev().find(|(first, _)| *first <= at).cloned();
    let mut files: Vec<(usize, String)> = Vec::new();
    let mut rows = Vec::new();
    for (at, row) in std::mem::take(&mut input.rows).into_iter().enumerate().filter(|(_, row)| is_chosen(row))
    {
        let of = file(at, &input.row_files).map(|(_, name)| name).unwrap_or_default();
        if files.last().is_none_or(|(_, last)| *last != of) {
            files.push((rows.len(), of));
        }
        rows.push(row);
    }
    if rows.is_empty() && all > 0 {
        return Err(Failure::usage(format!(
            "none of {} is of what --kernels, --warps and the sigmas ask for",
            several(all, "row")
        )));
    }
    (input.rows, input.row_files) = (rows, files);
    input.title.clone_from(&args.title);
    input.size = args.size;
    let width = args.width.as_deref().map(Width::read).transpose();
    let width = width.map_err(|what| Failure::usage(format!("--width {what}")))?;
    input.paper = Paper { width, is_untitled: args.no_title };
    input.by = args.by.map(|by| match by {
        ByArg::Kernel => By::Kernel,
        ByArg::Sigma => By::Sigma,
        ByArg::Warps => By::Warps,
        ByArg::Policy => By::Policy,
    });
    Ok(())
}

impl From<Contradiction> for Failure {
    fn from(error: Contradiction) -> Self {
        Self::ending(Exit::Disagree, error)
    }
}

/// Lines of JSON: rows of a table, and records that tell something.
fn json(
    input: &mut Input,
    place: &str,
    content: &[u8],
    (span, links): (&answers::Span, &answers::Links),
) -> Result<(), InputError> {
    for (number, line) in lines(content) {
        let error =
            |what: String| InputError { place: place.to_owned(), line: Some(number), what: what.into() };
        let shown = std::str::from_utf8(line).map(plain_json);
        let line = shown.as_ref().map_or(line, |text| text.as_bytes());
        let record = read(line).map_err(|what| error(what.to_string()))?;
        let answer = |document| Answer { document, file: place.to_owned() };
        let before = input.answers.len();
        input.answers.extend(warpspan_document::of(&record).into_iter().map(answer));
        match record {
            Record::SweepRow(row) => input.rows.push(row),
            Record::Solve(Envelope { record, .. }) => {
                if record.schedule.is_some() {
                    let drawn = drawn(&record.instance, record.schedule.as_deref(), record.upper, span);
                    input.sketches.push(drawn.map_err(error)?.into());
                }
            }
            Record::Solve1(claim) => {
                let drawn = drawn(&claim.instance, claim.schedule.as_deref(), claim.upper, span);
                input.sketches.push(drawn.map_err(error)?.into());
            }
            Record::Time(Envelope { record, .. }) => answers::time(&record, links, input),
            Record::Compare(Envelope { record, .. }) => answers::compare(&record, input),
            Record::Partition(Envelope { record, .. }) => {
                input.sketches.extend(answers::partition(&record));
            }
            Record::Rta(Envelope { record, .. }) => {
                input.sketches.extend(answers::run_of(&record, span).map_err(error)?);
                input.sketches.extend(answers::deadlines(&record));
            }
            Record::Prem(Envelope { record, .. }) => {
                input.sketches.push(answers::prem(&record).map_err(error)?);
            }
            Record::Simulate(Envelope { record, place, .. }) => {
                let file = place.as_ref().and_then(|place| place.file.as_deref());
                let (sketch, responses) = answers::simulate(&record, file);
                input.sketches.push(sketch);
                input.responses.push(responses);
            }
            Record::Extract(Envelope { record, .. }) => answers::extract(&record, links, input),
            _ if input.answers.len() > before => {}
            other => {
                let what = format!(
                    "schema {:?}: want a record of solve, bound, time, budget, extract, compare, rta, prem, partition or simulate, \
                     or a row of a table",
                    other.schema()
                );
                return Err(error(what));
            }
        }
    }
    Ok(())
}

/// The schedule of a record of `solve`, replayed.
fn drawn(
    instance: &Instance,
    schedule: Option<&[IssueRecord]>,
    upper: u64,
    span: &answers::Span,
) -> Result<Drawn, String> {
    let (workload, instance) = instance.straight_lines()?;
    let records = schedule.ok_or("the record has no schedule to draw: solve with --with-schedule")?;
    let schedule = from_records(&instance, records).map_err(|error| error.to_string())?;
    let witness =
        replay(&instance, schedule).map_err(|error| format!("not a schedule of its instance: {error}"))?;
    Ok(Drawn { workload, instance, witness, upper, window: span.cycles()? })
}
