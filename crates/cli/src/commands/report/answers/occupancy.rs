//! From a record of `rta` to what `report` draws of it.

use serde_json::Number;

use crate::commands::rta::{Seen, caution};
use warpspan_figures::{Shows, Sketch, is_cut, occupancy as draw};
use warpspan_model::device::WARP;
use warpspan_model::time::{Duration, TimeUnit};
use warpspan_records::{Rta, rta};
use warpspan_rta::{Method, Occupancy, Stay, Window};

/// The most multiprocessors that are drawn.
const MOST_MULTIPROCESSORS: usize = 1 << 10;

/// The times from which and up to which a run is drawn, as they are given, in the unit of the run.
#[derive(Debug, Default)]
pub(in crate::commands::report) struct Span {
    pub(in crate::commands::report) from: Option<String>,
    pub(in crate::commands::report) to: Option<String>,
}

impl Span {
    /// The times of a run that ends at this time; `None` if all of it is drawn.
    fn of(&self, unit: TimeUnit, end: Duration) -> Result<Option<(Duration, Duration)>, String> {
        let read = |flag: &str, text: &Option<String>, otherwise: Duration| match text {
            Some(text) => unit.read(text).map_err(|what| format!("{flag} {text}: {what}")),
            None => Ok(otherwise),
        };
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let (from, to) = (read("--from", &self.from, Duration(0))?, read("--to", &self.to, end)?);
        if from >= to {
            return Err(format!(
                "nothing from {} to {}: want --from before --to",
                unit.write(from),
                unit.write(to)
            ));
        }
        Ok(Some((from, to)))
    }

    /// The first and the last cycle of a schedule; `None` if all of it is drawn.
    pub(in crate::commands::report) fn cycles(&self) -> Result<Option<(u64, u64)>, String> {
        let read = |flag: &str, text: &Option<String>, otherwise: u64| match text {
            Some(text) => text.parse().map_err(|_| format!("{flag} {text}: want a cycle, a whole number")),
            None => Ok(otherwise),
        };
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let (from, to) = (read("--from", &self.from, 1)?, read("--to", &self.to, u64::MAX)?);
        if from > to {
            return Err(format!("nothing from cycle {from} to {to}: want --from before --to"));
        }
        Ok(Some((from, to)))
    }
}

/// What is to be drawn of a record, if it has a run.
pub(in crate::commands::report) fn drawn(record: &Rta, span: &Span) -> Result<Option<Sketch>, String> {
    let Some(records) = record.schedule.as_ref() else { return Ok(None) };
    let unit = record.unit;
    let method = record.method;
    let multiprocessors = usize::try_from(record.gpu.multiprocessors).unwrap_or(usize::MAX);
    let time = |number: &Number| unit.read(&number.to_string()).map_err(|what| format!("{number}: {what}"));
    let stay = |stay: &rta::Stay| -> Result<Stay, String> {
        let kernel = record.kernels.iter().position(|kernel| kernel.name == stay.kernel);
        let within = (1..=multiprocessors).contains(&stay.multiprocessor);
        let (start, end) = (time(&stay.start)?, time(&stay.end)?);
        let kernel = kernel.filter(|_| within && start < end && stay.launch > 0).ok_or_else(|| {
            let (kernel, multiprocessor) = (&stay.kernel, stay.multiprocessor);
            format!("{kernel} on multiprocessor {multiprocessor}: no such kernel or multiprocessor")
        })?;
        Ok(Stay {
            kernel,
            launch: stay.launch - 1,
            multiprocessor: stay.multiprocessor - 1,
            start,
            end,
            blocks: stay.blocks.min(record.gpu.threads),
            rounds: stay.rounds,
        })
    };
    let threads = |kernel: &rta::Kernel| {
        let warps = kernel.threads_per_block.div_ceil(WARP);
        (kernel.name.clone(), warps.saturating_mul(WARP).min(record.gpu.threads))
    };
    let occupancy = Occupancy {
        unit,
        multiprocessors: multiprocessors.min(MOST_MULTIPROCESSORS),
        joined: 1,
        threads: record.gpu.threads.max(1),
        kernels: record.kernels.iter().map(threads).collect(),
        stays: records.iter().map(stay).collect::<Result<_, _>>()?,
        windows: Vec::new(),
        span: None,
    };
    let end = occupancy.stays.iter().map(|stay| stay.end).max().unwrap_or_default();
    let occupancy = match span.of(unit, end)? {
        Some((from, to)) => occupancy.within(from, to),
        None => occupancy,
    };
    let read = |number: &Option<Number>| -> Result<Option<Duration>, String> {
        number.as_ref().map(time).transpose()
    };
    let launches = |kernel: &rta::Kernel| -> Result<_, String> {
        Ok((time(&kernel.release)?, read(&kernel.period)?, read(&kernel.deadline)?))
    };
    let launches = record.kernels.iter().map(launches).collect::<Result<Vec<_>, String>>()?;
    let occupancy = occupancy.with_launches(launches.into_iter());
    let seen = |kernel: &rta::Kernel| -> Result<Seen, String> {
        let simulated =
            if method == Method::Simulate { &kernel.response_estimate } else { &kernel.simulated_estimate };
        Ok(Seen {
            name: kernel.name.clone(),
            bound: read(&kernel.response_bound)?,
            longest: read(simulated)?,
        })
    };
    let seen = record.kernels.iter().map(seen).collect::<Result<Vec<Seen>, String>>()?;
    let caution = caution(&occupancy, &seen);
    Ok(Some(sketch(occupancy, method, caution)))
}

/// The number of launches that are drawn to end after their deadline.
fn late(occupancy: &Occupancy) -> usize {
    let ends = |window: &Window| {
        let is_of = |stay: &&Stay| (stay.kernel, stay.launch) == (window.kernel, window.launch);
        occupancy.stays.iter().filter(is_of).map(|stay| stay.end).max()
    };
    let is_late = |window: &&Window| window.deadline.is_some_and(|deadline| ends(window) > Some(deadline));
    occupancy.windows.iter().filter(is_late).count()
}

fn sketch(occupancy: Occupancy, method: Method, caution: Option<String>) -> Sketch {
    let names: Vec<&str> = occupancy.kernels.iter().take(8).map(|(name, _)| name.as_str()).collect();
    let more = if occupancy.kernels.len() > names.len() { ", ..." } else { "" };
    let title = format!("Kernels {}{more}", names.join(", "));
    let end = occupancy.stays.iter().map(|stay| stay.end).max().unwrap_or(Duration(0));
    let cut = if is_cut(&occupancy) { "; only the first boxes are drawn" } else { "" };
    let Occupancy { multiprocessors, threads, unit, .. } = &occupancy;
    let caption = format!(
        "{multiprocessors} multiprocessors of {threads} threads, until {} {unit}{cut}; response times by {}.",
        unit.write(end),
        method.name()
    );
    let drawn = caution.map_or_else(|| title.clone(), |caution| format!("{title}: {caution}"));
    Sketch {
        section: Shows::Occupancy,
        interest: late(&occupancy) as u64,
        title,
        caption,
        points: None,
        draw: Box::new(move |paper| draw(&occupancy, &drawn, paper)),
    }
}
