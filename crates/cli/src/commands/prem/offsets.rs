//! `warpspan prem --offsets`: time and jitter over a range of offsets.

use std::io;

use crate::args::Format;
use crate::args::prem::PremArgs;
use crate::document::shown;
use crate::output::{Target, print};
use crate::record::line;
use crate::{Exit, Failure};
use warpspan_document::prem::offsets::document;
use warpspan_document::words::stop;
use warpspan_kernel::input::key;
use warpspan_model::limits::Limits;
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{OffsetRange, OffsetSweep, Sharing, Swept, TileSet, TilesFile, rests_on, sweep_offsets};
use warpspan_records::PremOffsets;
use warpspan_records::assumption::listed;

/// Goes through the offsets, prints a table and writes the files.
pub(super) fn run(
    args: &PremArgs,
    place: &str,
    file: &TilesFile,
    tile_set: &TileSet,
    (range, sharing): (OffsetRange, Sharing),
    limits: &Limits,
) -> Result<Exit, Failure> {
    let targets = args.chart.iter().map(|path| Target::with_ending(path, &["svg", "csv", "json"]));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    let sweep = OffsetSweep {
        tile_set,
        mode: file.mode,
        range,
        writeback: args.writeback_offset.map(Nanoseconds).or(file.writeback_offset.map(|(ns, _)| ns)),
        prologue: file.prologue.unwrap_or_default(),
        sharing,
        runs: args.runs(),
    };
    let swept = sweep_offsets(&sweep, limits);
    if let Some(why) = swept.stop {
        tell!("the sweep of offsets is not complete: {}", stop(why));
    }
    let record = record(&sweep, &swept, file);
    let json = line(record.clone())?;
    print(&match args.format {
        Format::Text => shown(&record, document)?,
        Format::Json => json.clone(),
    })?;
    for target in targets {
        target.write(|ending, out| match ending {
            #[cfg(feature = "figures")]
            "svg" => {
                let title = format!("{place}, {}", file.mode);
                out.write_all(warpspan_figures::offsets(&swept, sharing.capacity, &title).as_bytes())
            }
            "csv" => csv(&record, out),
            _ => out.write_all(json.as_bytes()),
        })?;
    }
    let _ = place;
    Ok(if swept.stop.is_some() { Exit::Limit } else { Exit::Done })
}

fn record(sweep: &OffsetSweep<'_>, swept: &Swept, file: &TilesFile) -> PremOffsets {
    let capacity = sweep.sharing.capacity;
    let unknown = "no estimates: want unscheduled_ns or capacity in [sharing]";
    PremOffsets {
        mode: sweep.mode,
        timer_ns: Some(sweep.tile_set.timer().0),
        capacity: capacity.map(|capacity| capacity.to_string()),
        at_least: sweep.sharing.at_least,
        low_percent: sweep.runs.jitter.low,
        high_percent: sweep.runs.jitter.high,
        runs: sweep.runs.count,
        seed: sweep.runs.seed,
        unscheduled: swept.unscheduled.map(Into::into),
        rows: swept.rows.iter().map(Into::into).collect(),
        assumptions: {
            let of_rows = swept.rows.iter().find_map(|row| Some(row.execution.as_ref()?.assumption()));
            listed(
                rests_on(sweep.tile_set, &file.of_gpu, file.prologue, (of_rows, sweep.sharing.at_least)),
                key,
            )
        },
        notes: capacity.is_none().then(|| unknown.to_owned()).into_iter().collect(),
    }
}

/// A row for each offset; an empty cell is a number that there is none of.
fn csv(record: &PremOffsets, out: impl io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let header = [
        "prefetch_ns",
        "hyperperiod_ns",
        "planned_ns",
        "estimate_shortest_ns",
        "estimate_mean_ns",
        "estimate_longest_ns",
        "estimate_jitter_percent",
        "shared_bound_ns",
        "execution_ns",
    ];
    writer.write_record(header).map_err(io::Error::other)?;
    for row in &record.rows {
        let whole = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
        let seen = row.estimate.as_ref();
        let cells = [
            row.prefetch_ns.to_string(),
            whole(row.hyperperiod_ns),
            whole(row.planned_ns),
            whole(seen.map(|seen| seen.shortest_ns)),
            whole(seen.map(|seen| seen.mean_ns)),
            whole(seen.map(|seen| seen.longest_ns)),
            seen.map_or_else(String::new, |seen| seen.jitter_percent.to_string()),
            whole(row.shared_bound_ns),
            whole(row.execution_ns),
        ];
        writer.write_record(cells).map_err(io::Error::other)?;
    }
    writer.flush()
}
