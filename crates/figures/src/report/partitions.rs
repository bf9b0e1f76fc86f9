//! Schedulability and analysis time of spatial partitioning against utilisation (Si21 Fig. 3.4 to 3.6).

use crate::chart::axis::Axis;
use crate::chart::marker::{Look, Marker, Stroke};
use crate::chart::series::{Chart, Series};
use crate::paper::Paper;
use crate::report::{Figure, Section};
use crate::shapes::real;
use crate::theme::{BLUE, Colour, GREEN, INK, ORANGE, PURPLE};
use warpspan_partition::{Method, Row};

/// The looks of the methods, in the order of [`Method::all`].
const LOOKS: [(Colour, Stroke, Marker); 5] = [
    (INK, Stroke::Solid, Marker::Disc),
    (BLUE, Stroke::Solid, Marker::Square),
    (GREEN, Stroke::Dashed, Marker::Triangle),
    (ORANGE, Stroke::Solid, Marker::Wedge),
    (PURPLE, Stroke::Dotted, Marker::Diamond),
];

/// The quantity that a drawing shows for the rows of one experiment and number of tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Rate,
    Seconds,
}

/// Draws two figures for each experiment and number of tasks, but only one for Fig. 3.6, which shows times
/// only.
pub(super) fn section(rows: &[Row], paper: &Paper) -> Section {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| same(group[0], row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    let mut subjects = Vec::new();
    for group in &mut groups {
        group.sort_by_key(|row| row.utilisation);
        if group[0].figure != "3.6" {
            subjects.push((group.clone(), Shown::Rate));
        }
        subjects.push((group.clone(), Shown::Seconds));
    }
    Section::new(
        "partitions",
        "Spatial partitions",
        "Share of random task sets for which partitions were found in which all deadlines hold, and the mean time that this \
         took, against the total utilisation (Si21 Fig. 3.4 to 3.6). 1G is one partition of all.",
        &subjects,
        |_| (),
        |(group, shown), file| figure(group, *shown, file, paper),
    )
}

/// Whether two rows belong to the same drawing.
fn same(one: &Row, other: &Row) -> bool {
    one.tasks == other.tasks && one.of_experiment() == other.of_experiment()
}

fn figure(group: &[&Row], shown: Shown, file: String, paper: &Paper) -> Figure {
    let first = group[0];
    let value = |row: &Row| match shown {
        Shown::Rate => 100.0 * row.rate(),
        Shown::Seconds => Axis::log10(row.seconds),
    };
    let line = |(method, (colour, stroke, marker)): (Method, (Colour, Stroke, Marker))| {
        let rows = group.iter().filter(|row| row.method == method.name());
        let points = rows.map(|row| (f64::from(row.utilisation), value(row))).collect();
        Series::new(&[method.name()], Look { colour, stroke, marker: Some(marker) }, points)
    };
    let utilisations = || group.iter().map(|row| u64::from(row.utilisation));
    let (least, most) = (utilisations().min().unwrap_or(0), utilisations().max().unwrap_or(1));
    let seconds = || group.iter().map(|row| row.seconds);
    let mut places: Vec<u64> = utilisations().collect();
    places.dedup();
    let slices = if first.slices.is_empty() { String::new() } else { format!(" in slices {}", first.slices) };
    let setting = format!(
        "{} tasks, M = {}{slices}, {}, b/a = {} and {}",
        first.tasks, first.multiprocessors, first.test, first.serial_compute, first.serial_memory
    );
    let (what, y) = match shown {
        Shown::Rate => ("Schedulable sets", Axis::percent("schedulable sets, percent")),
        Shown::Seconds => (
            "Analysis time",
            Axis::seconds(seconds().fold(f64::INFINITY, f64::min), seconds().fold(0.0, f64::max)),
        ),
    };
    let chart = Chart {
        title: format!("{what}: {setting}"),
        x: Axis::count("total utilisation", least, most),
        y,
        bands: Vec::new(),
        series: Method::all().zip(LOOKS).filter_map(line).collect(),
        tips: places.into_iter().map(|place| (real(place), tip(group, place))).collect(),
    };
    let caption = format!(
        "{} of {} sets a point; b/a of compute- and of memory-intensive tasks, whose k is {} and {}; memory-intensive with \
         probability {}; D/T = {}; periods {}; least a {}; seed {}.",
        match shown {
            Shown::Rate => "Share",
            Shown::Seconds => "Mean time of one set, pairs beforehand (ACT) included,",
        },
        first.sets,
        first.factor_compute,
        first.factor_memory,
        first.memory_share,
        first.deadline_ratio,
        first.periods,
        first.shortest,
        first.seed
    );
    Figure {
        file,
        title: format!("{what}, {setting}"),
        caption,
        svg: chart.draw(paper),
        points: Some(chart.points()),
    }
}

fn tip(group: &[&Row], utilisation: u64) -> String {
    let mut text = format!("utilisation {utilisation}");
    for row in group.iter().filter(|row| u64::from(row.utilisation) == utilisation) {
        let time = std::time::Duration::from_secs_f64(row.seconds);
        text += &format!("\n{} {} of {}, {time:.3?}", row.method, row.schedulable, row.sets);
    }
    text
}
