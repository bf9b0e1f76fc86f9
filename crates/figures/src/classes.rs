//! Measured execution times by the number of multiprocessors (Si21 Fig. 3.1 to 3.3).

use svg::Document;
use svg::node::Node;

use crate::chart::axis::Axis;
use crate::chart::lines::{HEIGHT, WIDTH, stacked};
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::shapes::{faint, level, line, page, real, rectangle, step, telling, text};
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE};
use warpspan_partition::{Classes, Fit, Kind, MeasuredBeside, MeasuredClass, MeasuredTask, write_time};

/// The looks of tasks, which come again where there are more.
const LOOKS: [(Colour, Marker); 5] = [
    (BLUE, Marker::Disc),
    (ORANGE, Marker::Square),
    (GREEN, Marker::Triangle),
    (PURPLE, Marker::Wedge),
    (INK, Marker::Diamond),
];

/// Draws the times of each task over the number of multiprocessors, as multiples of the time on the fewest, with the
/// fits; below them the speed-ups; and below these the times with other tasks, if there are any. Returns the text of an
/// SVG file.
pub fn classes(classes: &Classes) -> String {
    let most = classes.times.multiprocessors() as u64;
    let x = || Axis::count("multiprocessors", 1, most.max(2));
    let tasks = || classes.times.tasks().iter().zip(&classes.tasks);
    let speed_ups: Vec<_> = classes.times.tasks().iter().map(MeasuredTask::speed_ups).collect();
    // In thousandths, so that the axis has whole steps.
    let shares = |task: &MeasuredTask| -> Vec<(f64, f64)> {
        let share = |(m, speed_up): (usize, f64)| (real(m as u64), 1000.0 / speed_up);
        task.speed_ups().into_iter().map(share).collect()
    };
    let look = |number: usize, stroke, marker: bool| {
        let (colour, shape) = LOOKS[number % LOOKS.len()];
        Look { colour, stroke, marker: marker.then_some(shape) }
    };
    let name = |task: &MeasuredTask, class: &MeasuredClass| match class.classified.kind() {
        Some(Kind::Memory) => format!("{}: memory", task.name()),
        Some(Kind::Compute) => format!("{}: compute", task.name()),
        None => format!("{}: unclear", task.name()),
    };
    let fitted = |(number, (task, class)): (usize, (&MeasuredTask, &MeasuredClass))| {
        let (fit, first) = (class.fit?, task.alone().first()?.to_owned());
        let points = (first.0..=classes.times.multiprocessors()).map(|m| {
            let m = real(m as u64);
            (m, 1000.0 * at(&fit, m) / real(first.1.0))
        });
        Series::new(&["its fit, an estimate"], look(number, Stroke::Dotted, false), points.collect())
    };
    let measured = |points: &dyn Fn(&MeasuredTask) -> Vec<(f64, f64)>| -> Vec<Series> {
        let series = tasks().enumerate().filter_map(|(number, (task, class))| {
            Series::new(&[&name(task, class)], look(number, Stroke::Solid, true), points(task))
        });
        series.collect()
    };
    let tips = |what: &str| -> Vec<(f64, String)> {
        let mut places: Vec<usize> = speed_ups.iter().flatten().map(|&(m, _)| m).collect();
        places.sort_unstable();
        places.dedup();
        let tip = |m: usize| {
            let mut tip = format!("{m} multiprocessors");
            for (task, speed_ups) in classes.times.tasks().iter().zip(&speed_ups) {
                let time = task.alone().into_iter().find(|&(there, _)| there == m);
                let speed_up = speed_ups.iter().find(|&&(there, _)| there == m);
                if let (Some((_, time)), Some((_, speed_up))) = (time, speed_up) {
                    tip += &format!("\n{} {}, {what} {speed_up:.2}", task.name(), write_time(time));
                }
            }
            (real(m as u64), tip)
        };
        places.into_iter().map(tip).collect()
    };
    let mut times = measured(&shares);
    let fits: Vec<Series> = tasks().enumerate().filter_map(fitted).collect();
    times.splice(0..0, fits);
    let highest = |points: &mut dyn Iterator<Item = f64>| whole(points.fold(1.0, f64::max));
    let largest =
        highest(&mut classes.times.tasks().iter().flat_map(shares).map(|(_, share)| share / 1000.0));
    let fastest = highest(&mut speed_ups.iter().flatten().map(|&(_, speed_up)| speed_up));
    let chart = |title: &str, y, series, tips| Chart {
        title: title.to_owned(),
        x: x(),
        y,
        bands: Vec::new(),
        series,
        tips,
    };
    let above = chart(
        "Longest times, as parts of that on the fewest multiprocessors",
        Axis::thousandths("part of the time on the fewest", 1000 * largest),
        times,
        tips("speed-up"),
    );
    let speed_up = |task: &MeasuredTask| -> Vec<(f64, f64)> {
        task.speed_ups().into_iter().map(|(m, speed_up)| (real(m as u64), speed_up)).collect()
    };
    let below = chart(
        "Speed-up against the fewest multiprocessors",
        Axis::from_zero("speed-up", fastest),
        measured(&speed_up),
        tips("speed-up"),
    );
    let title = format!("Measured times of {} tasks", classes.tasks.len());
    stacked(&title, [above.drawing(), below.drawing()].into_iter().chain(interference(classes)))
}

/// a/m + b.
fn at(fit: &Fit, m: f64) -> f64 {
    real(fit.a.0) / m + real(fit.b.0)
}

/// The next whole number.
fn whole(number: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ratio of two times")]
    let whole = number.ceil().clamp(1.0, 1e15) as u64;
    whole
}

/// The edges of the bars.
const LEFT: f64 = 82.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = HEIGHT - 60.0;

/// Times with other tasks as bars, in multiples of the times alone (Si21 Fig. 3.3).
fn interference(classes: &Classes) -> Option<Document> {
    let bars: Vec<(usize, &MeasuredBeside)> = (0..)
        .zip(&classes.tasks)
        .flat_map(|(number, class)| class.beside.iter().map(move |one| (number, one)))
        .collect();
    let most = whole(bars.iter().map(|(_, one)| one.factor()).fold(1.0, f64::max));
    if bars.is_empty() {
        return None;
    }
    let title = "Longest times beside other tasks, as multiples of those alone";
    let mut drawing = page(WIDTH, HEIGHT, title).add(level(title, 16.0, 20.0, 16));
    let height = |factor: f64| (BOTTOM - TOP) * factor / real(most);
    let steps = step(most, 8);
    for number in (0..=most).step_by(usize::try_from(steps).unwrap_or(usize::MAX)) {
        let y = BOTTOM - height(real(number));
        drawing.append(faint((LEFT, RIGHT), (y, y)));
        drawing.append(level(&number.to_string(), LEFT - 10.0, y, 13).set("text-anchor", "end"));
    }
    let width = (RIGHT - LEFT) / real(bars.len() as u64);
    let name = |number: usize| classes.times.tasks()[number].name();
    for (place, (task, one)) in (0..).zip(&bars) {
        let left = LEFT + width * real(place);
        let (fill, conflict) = match one.conflict {
            Some(true) => (BLUE, "conflict"),
            Some(false) => (ORANGE, "no conflict"),
            None => (INK, "kind unclear"),
        };
        let tip = format!(
            "{} beside {} on {} multiprocessors: {} alone, {} beside it, {conflict}",
            name(*task),
            name(one.other),
            one.multiprocessors,
            write_time(one.alone),
            write_time(one.time)
        );
        let tall = height(one.factor());
        let bar = rectangle(left + width * 0.2, BOTTOM - tall, width * 0.6, tall).set("fill", fill);
        drawing.append(telling(&tip).add(bar));
        let middle = left + width / 2.0;
        let over = text(&format!("{:.2}", one.factor()), middle, BOTTOM - tall - 6.0);
        drawing.append(over.set("text-anchor", "middle"));
        if width > 60.0 {
            for (row, words) in [name(*task).to_owned(), format!("by {}", name(one.other))].iter().enumerate()
            {
                let words = level(words, middle, BOTTOM + 14.0 + 16.0 * real(row as u64), 12);
                drawing.append(words.set("text-anchor", "middle"));
            }
        }
    }
    let alone = BOTTOM - height(1.0);
    drawing.append(line((LEFT, RIGHT), (alone, alone)).set("stroke-dasharray", "4 3"));
    drawing.append(line((LEFT, RIGHT), (BOTTOM, BOTTOM)));
    for (fill, words, left) in
        [(BLUE, "of the same kind: in conflict", 82.0), (ORANGE, "of the other kind", 330.0)]
    {
        drawing.append(rectangle(left, 34.0, 14.0, 14.0).set("fill", fill));
        drawing.append(text(words, left + 22.0, 45.0));
    }
    Some(drawing)
}
