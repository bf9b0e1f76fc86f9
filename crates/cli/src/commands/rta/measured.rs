//! `warpspan rta --measured`.

use std::path::PathBuf;

use crate::args::rta::RtaArgs;
use crate::commands::rta::measured_notes::notes;
use crate::document::answer;
use crate::output::Target;
use crate::{Exit, Failure};
use warpspan_document::rta::measured::document;
use warpspan_model::source::{name, text_of};
use warpspan_model::time::Nanoseconds;
use warpspan_records::Measured;
use warpspan_rta::{
    Log, Measurement, Method, System, analyse, computed, executions, read_examiner, read_log, read_system,
};

pub(crate) fn run(args: &RtaArgs) -> Result<Exit, Failure> {
    let read = |path: &PathBuf| -> Result<Log, Failure> {
        let log = text_of(path, "a result log of the CUDA scheduling examiner")?;
        Ok(read_log(&name(path), &log)?)
    };
    let logs = args.measured.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let read =
        |path: &PathBuf| system(&name(path), &text_of(path, "a system in TOML, or JSON of the examiner")?);
    let file = args.file.as_ref().map(read).transpose()?;
    let run = Measurement::new(&logs, file.as_ref())?;
    let tolerance = u64::try_from(args.tolerance.as_nanos()).ok().map(Nanoseconds);
    let tolerance = tolerance.and_then(Nanoseconds::grains);
    let tolerance =
        tolerance.ok_or_else(|| Failure::usage("--tolerance: more than 2^62 picoseconds: want less"))?;
    let drawing = args.schedule.as_ref().map(|path| Target::with_ending(path, &["svg"])).transpose()?;
    let limits = args.limits.limits().map_err(Failure::internal)?;

    let executions = executions(run.system(), &limits)?;
    let analysis = analyse(run.system(), &executions, Method::Simulate, None, &limits)?;
    let events = analysis.events.as_deref().unwrap_or_default();
    let (launches, occupancy) = computed(&run, &executions, events);
    let findings = run.findings(tolerance);
    let excesses =
        [run.beyond_execution(&executions, tolerance), run.beyond_bounds(&executions, &analysis, tolerance)];
    let notes = notes(&run, &excesses, &launches, file.is_some());
    let judged = (&findings[..], tolerance, &excesses);
    let record = Measured::new(&run, (&executions, &analysis), &launches, judged, notes);
    let holds = record.rules_hold && record.executions_hold && record.bounds_hold;
    answer(args.format, record, document)?;
    if let Some(target) = drawing {
        #[cfg(feature = "figures")]
        target.write(|_, out| {
            let both = [run.occupancy(), occupancy];
            let [measured, computed] =
                if args.big_sm { both.map(warpspan_rta::Occupancy::on_one_multiprocessor) } else { both };
            if [&measured, &computed].into_iter().any(warpspan_figures::is_cut) {
                tell!("only the first boxes are drawn; want fewer logs");
            }
            let names: Vec<&str> = measured.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
            let title = format!("{}: measured, and computed by the scheduling rules", names.join(", "));
            out.write_all(warpspan_figures::measured(&measured, &computed, &title).as_bytes())
        })?;
        #[cfg(not(feature = "figures"))]
        drop((target, occupancy));
    }
    Ok(if holds { Exit::Done } else { Exit::Refuted })
}

/// The system of a text: TOML, or JSON of the examiner.
pub(super) fn system(place: &str, text: &str) -> Result<System, Failure> {
    let is_examiner = text.trim_start().starts_with('{');
    Ok(if is_examiner { read_examiner(place, text)? } else { read_system(place, text)? })
}
