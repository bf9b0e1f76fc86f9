//! `warpspan check`.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::args::check::CheckArgs;
use crate::document::answer_at;
use crate::instances::{Playable, scheduled};
use crate::output::{extension, print};
use crate::place::Place;
use crate::{Exit, Failure};
use warpspan_check::record::{CannotJudge, Claims, judge, judge_on_machine};
use warpspan_check::schedule::Schedule;
use warpspan_check::schedule::file::{self, Form, from_records};
use warpspan_document::check::{NUMBERS, document};
use warpspan_kernel::input::OnMachine;
use warpspan_model::assumption::Rests;
use warpspan_model::machine::MachineWorkload;
use warpspan_model::source::{InputError, bytes, name, sha256};
use warpspan_model::{Instance, Workload};
use warpspan_records::check::{Judged, Judgement};
use warpspan_records::{Check, Claim, Input, ReadError};
use warpspan_sweep::lines;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let content = bytes(&args.file)?;
    let place = name(&args.file);
    let is_record = content.trim_ascii_start().starts_with(b"{");
    if !args.inputs.is_empty() && made_from(args, &place, &content)? {
        return Ok(Exit::Done);
    }
    let cases = if is_record {
        claims(args, &place, &content)?
    } else {
        let json = extension(&args.file) == "json" || content.trim_ascii_start().starts_with(b"[");
        let form = if json { Form::Json } else { Form::Csv };
        let of = match scheduled(args.instance.as_ref(), &args.flags)? {
            Playable::Paper(paper) => {
                let (workload, instance) = *paper;
                let schedule =
                    file::read(&instance, form, &content).map_err(|error| InputError::new(&place, error))?;
                Of::Paper(workload, instance, schedule)
            }
            Playable::OnMachine(on, workload) => {
                if workload.lines().is_none() {
                    return Err(InputError::new(&place, CannotJudge::Paths).into());
                }
                let schedule =
                    file::read(&workload, form, &content).map_err(|error| InputError::new(&place, error))?;
                Of::OnMachine(on, workload, schedule)
            }
        };
        vec![Case { of, claims: None, rest: Vec::new() }]
    };
    let mut numbers = lines(&content).filter(|_| is_record).map(|(number, _)| number);
    let beside = cases.len() > 1;
    let mut exit = Exit::Done;
    for case in cases {
        let place =
            Place { file: Some(name(&args.file)), line: numbers.next(), beside, rests: Rests::default() };
        let record = case.judge().map_err(|error| InputError::new(name(&args.file), error))?;
        exit = exit.max(decided(&record));
        answer_at(&place, args.format, record, document)?;
    }
    Ok(exit)
}

/// What tells of which files a record is.
#[derive(Deserialize)]
struct Made {
    schema: String,
    #[serde(default)]
    inputs: Vec<Input>,
}

/// Refuses records of other files than those that are given; whether there is nothing else to check, since no record is one of `solve`.
fn made_from(args: &CheckArgs, place: &str, content: &[u8]) -> Result<bool, Failure> {
    let given = args.inputs.iter().map(|path| Ok((name(path), sha256(&bytes(path)?))));
    let given = given.collect::<Result<Vec<_>, InputError>>()?;
    let mut of_solve = false;
    let mut others = BTreeSet::new();
    for (number, line) in lines(content) {
        let wrong =
            |what: String| InputError { place: place.to_owned(), line: Some(number), what: what.into() };
        let made: Made = serde_json::from_slice(line)
            .map_err(|_| wrong("no record, of whose files --input asks".to_owned()))?;
        of_solve |= made.schema.starts_with("warpspan/solve/");
        others.extend(made.inputs.iter().map(|one| (one.file.clone(), one.sha256.clone())));
        if let Some((file, hash)) =
            given.iter().find(|(_, hash)| made.inputs.iter().all(|one| one.sha256 != *hash))
        {
            let what = match made.inputs.is_empty() {
                true => "the record does not say from which files it was made".to_owned(),
                false => format!(
                    "{file} is none of the files that the record was made from, or has changed since: its SHA-256 is {hash}: want the \
                     file as it was, or the record made anew"
                ),
            };
            return Err(Failure { code: 4, ..wrong(what).into() });
        }
    }
    if !of_solve {
        let files: Vec<&str> = given.iter().map(|(file, _)| file.as_str()).collect();
        print(&format!("made from   {}, as they are now\n", files.join(", ")))?;
    }
    others.retain(|(_, hash)| given.iter().all(|(_, known)| known != hash));
    if !others.is_empty() {
        let files: Vec<&str> = others.iter().map(|(file, _)| file.as_str()).collect();
        print(&format!("not checked {}\n", files.join(", ")))?;
    }
    Ok(!of_solve)
}

/// A schedule and what it is of.
enum Of {
    Paper(Workload, Instance, Schedule),
    OnMachine(Box<OnMachine>, MachineWorkload, Schedule),
}

struct Case {
    of: Of,
    claims: Option<Claims>,
    /// Names of the fields of the record that are not verified.
    rest: Vec<String>,
}

fn decided(record: &Check) -> Exit {
    let is_number = |claim: &Judged| NUMBERS.contains(&claim.claim.as_str());
    let mut claims = record.claims.iter();
    if claims.clone().any(|claim| claim.judgement == Judgement::Refuted) {
        Exit::Disagree
    } else if claims.any(|claim| claim.judgement == Judgement::NotJudged && is_number(claim)) {
        Exit::Limit
    } else {
        Exit::Done
    }
}

/// The lines of `solve` output.
fn claims(args: &CheckArgs, place: &str, content: &[u8]) -> Result<Vec<Case>, Failure> {
    if args.instance.is_some() || args.flags.name_something() {
        return Err(InputError::new(place, "a record of solve carries its instance: name no other").into());
    }
    let case = |(number, line): (usize, &[u8])| -> Result<Case, Failure> {
        let error =
            |what: String| InputError { place: place.to_owned(), line: Some(number), what: what.into() };
        let mut claim = Claim::read(line).map_err(|e: ReadError| error(e.to_string()))?;
        if claim.engine() == Some("program") {
            let what = "no second route recomputes the bound of a program with branches or loops: want its schedule as a file \
                        (solve --schedule FILE), and here a --group for each of its paths";
            return Err(error(what.to_owned()).into());
        }
        let none = || error("the record has no schedule to replay: solve with --with-schedule".to_owned());
        let of = if claim.instance.machine.is_some() {
            let (on, workload) = claim.instance.on_machine().map_err(error)?;
            let records = claim.machine_schedule.take().ok_or_else(none)?;
            let schedule = from_records(&workload, &records).map_err(|e| error(e.to_string()))?;
            Of::OnMachine(Box::new(on), workload, schedule)
        } else {
            let (workload, instance) = claim.instance.straight_lines().map_err(error)?;
            let records = claim.schedule.take().ok_or_else(none)?;
            let schedule = from_records(&instance, &records).map_err(|e| error(e.to_string()))?;
            Of::Paper(workload, instance, schedule)
        };
        let rest = claim.rest().cloned().collect();
        Ok(Case { of, claims: Some(claim.claims()), rest })
    };
    lines(content).map(case).collect()
}

impl Case {
    fn judge(self) -> Result<Check, CannotJudge> {
        let claims = self.claims.as_ref();
        let (instance, report) = match self.of {
            Of::Paper(workload, instance, schedule) => {
                ((&workload).into(), judge(&instance, schedule, claims))
            }
            Of::OnMachine(on, workload, schedule) => {
                ((&*on).into(), judge_on_machine(&workload, schedule, claims)?)
            }
        };
        Ok(Check::new(instance, claims, report, self.rest))
    }
}
