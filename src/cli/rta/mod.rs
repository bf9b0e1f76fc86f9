//! `warpspan rta`.

mod caution;
mod drawn;
mod reason;
mod text;

use std::path::Path;

use crate::cli::args::{Format, MethodArg, RtaArgs};
use crate::cli::output::{Target, print};
use crate::cli::record::line;
use crate::cli::{Exit, Failure, progress};
use crate::realtime::rta::{
    AnalysisError, ExecutionError, Method, Occupancy, System, Time, Verdict, analyse, executions,
};
use crate::realtime::rta::{read_examiner, read_system};
use crate::records::Rta;
use crate::records::rta::Stay;
use crate::source::InputError;
use crate::source::{bytes, name};

pub(super) use drawn::drawn;

pub(super) fn run(args: &RtaArgs) -> Result<Exit, Failure> {
    let system = system(&args.file)?;
    let horizon = args.horizon.as_ref().map(|text| {
        let error = |what: String| Failure::usage(format!("--horizon {text}: {what}"));
        let time = system.unit.read(text).map_err(|what| error(format!("{what}, in {}", system.unit)))?;
        if time == Time(0) { Err(error("want more than 0".to_owned())) } else { Ok(time) }
    });
    let horizon = horizon.transpose()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    let file =
        args.schedule.as_ref().map(|path| Ok::<_, Failure>((path, drawing(path)?, Target::open(path)?)));
    let file = file.transpose()?;

    let spinner = progress::spinner("solving C of kernel strings");
    let executions = executions(&system, &limits);
    spinner.finish_and_clear();
    let executions = executions?;
    let method = match args.method {
        MethodArg::Algorithm2 => Method::Algorithm2,
        MethodArg::ClosedForm => Method::ClosedForm,
        MethodArg::Simulate => Method::Simulate,
    };
    let spinner = progress::spinner("playing launches");
    let analysis = analyse(&system, &executions, method, horizon, &limits);
    spinner.finish_and_clear();
    let analysis = analysis?;
    let notes = text::notes(&system, &executions, &analysis);

    let times: Vec<Time> = executions.iter().map(|execution| execution.time).collect();
    let occupancy = analysis.events.as_ref().map(|events| Occupancy::new(&system, &times, events));
    if (file.is_some() || args.with_schedule) && occupancy.is_none() {
        return Err(Failure::usage("more than a million events: too many to draw; want a nearer --horizon"));
    }
    print(&match args.format {
        Format::Text => text::text(&system, &executions, &analysis, &notes),
        Format::Json => {
            let drawn = occupancy.as_ref().filter(|_| args.with_schedule);
            let reasons = |kernel| reason::reason(&system, &analysis, kernel);
            line(Rta::new(&system, &executions, &analysis, reasons, notes, drawn))?
        }
    })?;
    if let (Some((path, kind, target)), Some(occupancy)) = (file, &occupancy) {
        let caution = caution::caution(occupancy, &caution::seen(&system, &analysis));
        write(path, kind, target, occupancy, caution)?;
    }
    Ok(match analysis.verdict {
        Verdict::Proved => Exit::Done,
        Verdict::Refuted => Exit::Refuted,
        Verdict::Undecided => Exit::Limit,
    })
}

/// The system of a file: TOML, or JSON of the examiner.
fn system(path: &Path) -> Result<System, Failure> {
    let place = name(path);
    let text = String::from_utf8(bytes(path)?).map_err(|_| {
        InputError::new(&place, "not UTF-8 text: want a system in TOML, or JSON of the examiner")
    })?;
    Ok(match text.trim_start().starts_with('{') {
        true => read_examiner(&place, &text)?,
        false => read_system(&place, &text)?,
    })
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Csv,
    Json,
    Svg,
}

fn drawing(path: &Path) -> Result<Kind, Failure> {
    match Target::extension(path).as_str() {
        "csv" => Ok(Kind::Csv),
        "json" => Ok(Kind::Json),
        "svg" => Ok(Kind::Svg),
        _ => Err(Failure::usage(format!("{}: want a name that ends in .csv, .json or .svg", path.display()))),
    }
}

fn write(
    path: &Path,
    kind: Kind,
    target: Target,
    occupancy: &Occupancy,
    caution: Option<String>,
) -> Result<(), Failure> {
    if matches!(kind, Kind::Svg) && occupancy.is_cut() {
        eprintln!("warpspan: {}: only the first boxes are drawn; want a nearer --horizon", path.display());
    }
    target.write(|out| match kind {
        Kind::Svg => {
            let names: Vec<&str> = occupancy.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
            let title: Vec<String> = [names.join(", ")].into_iter().chain(caution).collect();
            out.write_all(occupancy.draw(&title.join(": ")).as_bytes())
        }
        Kind::Json => {
            let stays: Vec<_> = Stay::all(occupancy).collect();
            serde_json::to_writer(&mut *out, &stays)?;
            out.write_all(b"\n")
        }
        Kind::Csv => {
            let mut table = csv::Writer::from_writer(out);
            for stay in Stay::all(occupancy) {
                table.serialize(stay).map_err(std::io::Error::other)?;
            }
            table.flush()
        }
    })
}

impl From<ExecutionError> for Failure {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::Solve(error) => error.into(),
            ExecutionError::Code { .. } | ExecutionError::Clock(..) => Self::usage(error),
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        let code = match &error {
            AnalysisError::Course(_) => 2,
            AnalysisError::Disagreement(_) => Exit::Disagree as u8,
        };
        Self { code, message: error.to_string() }
    }
}
