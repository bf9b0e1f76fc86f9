//! Time and jitter over the offset between tiles (Kr19 Fig. 4.9).

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::shapes::real;
use crate::theme::{BLUE, Colour, ORANGE};
use warpspan_model::time::Nanoseconds;
use warpspan_prem::{At, Capacity, Swept};

/// Draws the times of a sweep of offsets, and below them the jitter. Returns the text of an SVG file.
pub fn offsets(swept: &Swept, capacity: Option<Capacity>, title: &str) -> String {
    let rows = &swept.rows;
    let least = rows.first().map_or(0, |at| at.offset.0);
    let most = rows.last().map_or(0, |at| at.offset.0);
    let x = Axis::count("offset between tiles in ns", least, most);
    let places = |of: &dyn Fn(&At) -> Option<f64>| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|at| Some((real(at.offset.0), of(at)?))).collect()
    };
    // Times in microseconds have enough digits on an axis.
    let time = |ns: Nanoseconds| real(ns.0) / 1000.0;
    let line = |colour: Colour, stroke, marker| Look { colour, stroke, marker };
    let shared = "shared memory: estimate";
    let served =
        capacity.map_or_else(String::new, |capacity| format!("of {capacity} blocks, fitted or given"));
    let alone = swept.unscheduled.map(|seen| vec![(x.low, time(seen.mean)), (x.high, time(seen.mean))]);
    let times = [
        Series::new(
            &["however memory is shared:", "at most"],
            Look::ink(Stroke::Solid, None),
            places(&|at| at.shared.map(time)),
        ),
        Series::new(
            &["by durations of phases:", "at most"],
            Look::ink(Stroke::Dashed, None),
            places(&|at| at.execution.map(|execution| time(execution.time()))),
        ),
        Series::new(
            &["planned: no contention,", "no bound"],
            line(ORANGE, Stroke::Dotted, None),
            places(&|at| at.planned.map(time)),
        ),
        Series::new(
            &["without a schedule:", "estimate"],
            line(BLUE, Stroke::Dashed, None),
            alone.unwrap_or_default(),
        ),
        Series::new(
            &[shared, &served],
            line(BLUE, Stroke::Solid, Some(Marker::Disc)),
            places(&|at| at.seen.map(|seen| time(seen.mean))),
        ),
    ];
    let series: Vec<Series> = times.into_iter().flatten().collect();
    let longest = rows
        .iter()
        .flat_map(|at| {
            [
                at.planned,
                at.shared,
                at.execution.map(|execution| execution.time()),
                at.seen.map(|seen| seen.longest),
            ]
        })
        .flatten()
        .max()
        .unwrap_or_default();
    let tip = |at: &At| {
        let seen = at.seen.map_or_else(String::new, |seen| {
            format!("\nshared {} ns on average, jitter {:.3} percent: estimate", seen.mean.0, seen.jitter())
        });
        (real(at.offset.0), format!("offset {} ns{seen}", at.offset.0))
    };
    let tips: Vec<(f64, String)> = rows.iter().map(tip).collect();
    let above = Chart {
        title: title.to_owned(),
        x: x.clone(),
        y: Axis::from_zero("time in us", longest.0.div_ceil(1000)),
        bands: Vec::new(),
        series,
        tips: tips.clone(),
    };
    // Thousandths of a percent are fine enough for whole steps of the axis.
    let jitter = places(&|at| at.seen.map(|seen| 1000.0 * seen.jitter()));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a jitter is positive and small"
    )]
    let largest = jitter.iter().map(|&(_, percent)| percent.ceil() as u64).max().unwrap_or(0);
    let look = line(ORANGE, Stroke::Solid, Some(Marker::Square));
    let below = Chart {
        title: "jitter: the range of the times over their mean".to_owned(),
        x,
        y: Axis::thousandths("jitter in percent", largest.max(1)),
        bands: Vec::new(),
        series: Series::new(&["shared memory: estimate"], look, jitter).into_iter().collect(),
        tips,
    };
    above.draw_above(&below)
}
