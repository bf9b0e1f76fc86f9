//! `warpspan rta`.

use std::cell::RefCell;
use std::path::Path;

use crate::args::rta::RtaArgs;
use crate::certificates::refused;
#[cfg(feature = "figures")]
use crate::commands::rta::caution;
use crate::commands::rta::exit::exit;
use crate::commands::rta::{certificate, graphs, measured, model, notes, processes, reason};
use crate::document::answer;
use crate::margins::{NumbersOf, toml_of};
use crate::output::Target;
use crate::{Exit, Failure, progress};
use warpspan_document::rta::document;
use warpspan_document::rta::explained::MOST_LAUNCHES;
use warpspan_kernel::input::key;
use warpspan_model::source::{name, text_of};
use warpspan_model::time::Duration;
use warpspan_records::Rta;
use warpspan_records::assumption::listed;
use warpspan_records::rta::Stay;
#[cfg(feature = "figures")]
use warpspan_rta::Analysis;
use warpspan_rta::graph::is_graphs;
use warpspan_rta::{
    AnalysisError, Basis, ExecutionError, KnownCode, Method, Occupancy, Verdict, analyse, executions_knowing,
    is_proved,
};
use warpspan_rta::{Certificate, System, explain as explain_bounds, trace, where_spread_helps};

pub(crate) fn run(args: &RtaArgs) -> Result<Exit, Failure> {
    if !args.measured.is_empty() {
        model::refuse_its_flags(args)?;
        return measured::run(args);
    }
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let (place, text) =
        (name(path), text_of(path, "a system in TOML, JSON of the examiner, or an AMALTHEA model")?);
    if model::is_model(path, &text) {
        return model::run(args, &place, &text);
    }
    model::refuse_its_flags(args)?;
    if is_graphs(&text) {
        return graphs::run(args, &place, &text);
    }
    let system = match processes::read(&place, &text)? {
        processes::Read::One(system) => *system,
        processes::Read::Several(several) => return processes::run(args, (&place, &text), &several),
    };
    let method = args.method.unwrap_or(Method::Algorithm2);
    let horizon = args.horizon.as_ref().map(|text| {
        let error = |what: String| Failure::usage(format!("--horizon {text}: {what}"));
        let time = system.unit().read(text).map_err(|what| error(format!("{what}, in {}", system.unit())))?;
        if time == Duration(0) { Err(error("want more than 0".to_owned())) } else { Ok(time) }
    });
    let horizon = horizon.transpose()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;
    // A table or a record distinguishes multiprocessors.
    let endings: &[&str] = if args.big_sm { &["svg"] } else { &["csv", "json", "svg"] };
    let file = args.schedule.as_ref().map(|path| Target::with_ending(path, endings));
    let file = file.transpose()?;
    let proof_file = certificate::target(args.certificate.as_deref(), &system)?;

    let spinner = progress::spinner("solving C of kernel strings");
    let known = RefCell::new(KnownCode::default());
    let executions_of = |system: &System| executions_knowing(&mut known.borrow_mut(), system, &limits);
    let executions = executions_of(&system);
    spinner.finish_and_clear();
    let executions = executions?;
    let system = where_spread_helps(system, &executions, &limits);
    let spinner = progress::spinner("simulating launches");
    let analysis = analyse(&system, &executions, method, horizon, &limits);
    spinner.finish_and_clear();
    let analysis = analysis?;
    let explanations = args.explain.then(|| explain_bounds(&system, &executions, &limits));
    let follows_algorithm2 = analysis.method == Method::Algorithm2 && analysis.follows_algorithm2();
    let launches = (args.explain && follows_algorithm2).then(|| trace(&system, &executions, MOST_LAUNCHES));
    let mut notes = notes::notes(&system, &executions, &analysis);
    let proof = proof_file.map(|target| {
        let proof = Certificate::new(&system, &executions, &limits).map_err(refused)?;
        Ok::<_, Failure>((target, proof))
    });
    let proof = proof.transpose()?;
    notes.extend(proof.as_ref().and_then(|(_, proof)| certificate::note(&system, &analysis, proof)));

    let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
    let occupancy = analysis.events.as_ref().map(|events| Occupancy::new(&system, &times, events));
    if (file.is_some() || args.with_schedule) && occupancy.is_none() {
        return Err(Failure::usage("more than a million events: too many to draw; want a nearer --horizon"));
    }
    let drawn = occupancy.as_ref().filter(|_| args.with_schedule);
    let reasons = |kernel| reason::reason(&system, &analysis, kernel);
    let mut record = Rta::new(&system, &executions, &analysis, reasons, notes, drawn);
    if let Some(explanations) = &explanations {
        let why = |kernel| reason::why_no_bound(&system, &analysis, kernel);
        record = record.with_explanations(&system, explanations, why);
    }
    if let Some(launches) = &launches {
        record = record.with_trace(&system, launches);
    }
    if args.margins {
        let judge = |text: &str| {
            let processes::Read::One(system) = processes::read(&place, text)? else {
                return Err(Failure::internal("a file with other numbers is of one process too"));
            };
            let executions = executions_of(&system)?;
            let system = where_spread_helps(*system, &executions, &limits);
            // No run is simulated where the bounds decide: it takes long where periods have large common multiples.
            let by_bounds = is_proved(&system, &executions, &limits).unwrap_or(false);
            let verdict = match by_bounds {
                true => Verdict::Proved,
                false if analysis.safe => analyse(&system, &executions, method, horizon, &limits)?.verdict,
                false => Verdict::Undecided,
            };
            Ok((verdict, listed(system.rests_on(Basis::Bound), key)))
        };
        let numbers = NumbersOf { file: toml_of(&text)?, unit: Some(system.unit()), system: Some(&system) };
        let found = (record.verdict, &mut record.assumptions, &mut record.notes);
        numbers.add(found, &limits, judge)?;
    }
    answer(args.format, record, document)?;
    if let Some((target, proof)) = proof {
        target.write(|_, out| out.write_all(proof.coq().as_bytes()))?;
    }
    if let (Some(target), Some(occupancy)) = (file, &occupancy) {
        target.write(|ending, out| match ending {
            #[cfg(feature = "figures")]
            "svg" => out.write_all(drawing(args, &system, &analysis, occupancy).as_bytes()),
            "json" => {
                let stays: Vec<_> = Stay::all(occupancy).collect();
                serde_json::to_writer(&mut *out, &stays)?;
                out.write_all(b"\n")
            }
            _ => {
                let mut table = csv::Writer::from_writer(out);
                for stay in Stay::all(occupancy) {
                    table.serialize(stay).map_err(std::io::Error::other)?;
                }
                table.flush()
            }
        })?;
    }
    Ok(exit(analysis.verdict))
}

/// The drawing of a run, with what it does not show in its title.
#[cfg(feature = "figures")]
fn drawing(args: &RtaArgs, system: &System, analysis: &Analysis, occupancy: &Occupancy) -> String {
    if let Some(path) = args.schedule.as_ref().filter(|_| warpspan_figures::is_cut(occupancy)) {
        tell!("{}: only the first boxes are drawn; want a nearer --horizon", path.display());
    }
    let names: Vec<&str> = occupancy.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
    let caution = caution::caution(occupancy, &caution::seen(system, analysis));
    let title: Vec<String> = [names.join(", ")].into_iter().chain(caution).collect();
    let (title, paper) = (title.join(": "), warpspan_figures::Paper::default());
    if args.big_sm {
        return warpspan_figures::occupancy(&occupancy.clone().on_one_multiprocessor(), &title, &paper);
    }
    warpspan_figures::occupancy(occupancy, &title, &paper)
}

impl From<ExecutionError> for Failure {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::Solve(error) => error.into(),
            ExecutionError::Code { .. } | ExecutionError::OnMachine { .. } | ExecutionError::Clock(..) => {
                Self::usage(error)
            }
        }
    }
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        let code = match &error {
            AnalysisError::Run(_) | AnalysisError::Executions { .. } | AnalysisError::NoTime => 2,
            AnalysisError::Disagreement(_) => Exit::Disagree as u8,
        };
        Self::of(code, &error.message())
    }
}
