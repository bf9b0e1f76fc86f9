//! Charts of the blocks that occupied the multiprocessors of a GPU over time (Pa19 Fig. 4.2, 4.4 and 4.6).

use std::collections::BTreeMap;
use std::ops::Range;

use num_integer::gcd;

use crate::gantt::{Bar, FILLS, Gantt, Sign, WIDTH};
use crate::paper::Paper;
use crate::shapes::{multiples, real, step};
use warpspan_model::time::Duration;
use warpspan_rta::{Occupancy, Stay, Window};

/// The largest number of boxes in a drawing.
const MOST: usize = 4000;
/// The largest number of rows for a multiprocessor.
const MOST_ROWS: u64 = 64;
/// The largest number of kernels that the legend names.
const MOST_NAMES: usize = 28;
/// The largest number of kernels that have a line of their own for the arrows of their releases and deadlines.
const MOST_LINES: usize = 8;

/// Whether a run has more boxes than are drawn.
pub fn is_cut(occupancy: &Occupancy) -> bool {
    occupancy.stays.len() > MOST
}

/// Draws a run: time runs to the right, the rows of each multiprocessor stand for its threads, and blocks of
/// one launch that begin together form a box.
///
/// `title` is drawn above. A pointer over a box shows the launch, its blocks and its times. Returns the text
/// of an SVG file, for light paper and dark.
pub fn occupancy(occupancy: &Occupancy, title: &str, paper: &Paper) -> String {
    draw(occupancy, None, title, paper)
}

/// Draws a measured run as [`occupancy`] does, with the computed run of the same kernels over it in dashed
/// outlines.
pub fn measured(measured: &Occupancy, computed: &Occupancy, title: &str) -> String {
    draw(measured, Some(computed), title, &Paper::default())
}

fn draw(occupancy: &Occupancy, computed: Option<&Occupancy>, title: &str, paper: &Paper) -> String {
    let Occupancy { unit, multiprocessors, joined, threads, kernels, stays, windows, span } = occupancy;
    let first = |occupancy: &'_ Occupancy| occupancy.stays.len().min(MOST);

    let stays = &stays[..first(occupancy)];
    let computed = computed.map(|computed| (computed, &computed.stays[..first(computed)]));
    let over = computed.iter().flat_map(|(_, stays)| *stays);
    let end = stays.iter().chain(over).map(|stay| stay.end).max().unwrap_or(Duration(1));
    // Deadlines that come soon after the run are on the axis too.
    let soon = |deadline: &Duration| deadline.0 <= end.0.saturating_add(end.0 / 2);
    let due = windows.iter().filter_map(|window| window.deadline).filter(soon).max().unwrap_or(end);
    let (begin, end) = span.unwrap_or((Duration(0), end.max(due)));
    let repeats: Vec<bool> = (0..kernels.len())
        .map(|kernel| {
            let launches = stays.iter().filter(|stay| stay.kernel == kernel).map(|stay| stay.launch);
            let windows = windows.iter().filter(|window| window.kernel == kernel).map(|window| window.launch);
            launches.chain(windows).any(|launch| launch > 0)
        })
        .collect();
    let row = kernels.iter().fold(*threads, |row, &(_, threads)| gcd(row, threads));
    let row = row.max(threads.div_ceil(MOST_ROWS)).max(1);
    let rows = usize::try_from(threads / row).unwrap_or(1).max(1);
    let bar = |occupancy: &Occupancy, what: &str, stay: &Stay, rows: Vec<Range<usize>>| {
        let name = &occupancy.kernels[stay.kernel].0;
        // The number of the launch, where there are several.
        let launch = if repeats[stay.kernel] { format!("#{}", stay.launch + 1) } else { String::new() };
        Bar {
            lane: stay.multiprocessor,
            rows,
            from: real(stay.start.max(begin).0),
            to: real(stay.end.min(end).0),
            fill: FILLS[stay.kernel % FILLS.len()],
            name: format!("{name} {launch}").trim_end().to_owned(),
            short: launch,
            tip: format!("{what}{}", tip(occupancy, name, stay)),
        }
    };
    let bars = |occupancy: &Occupancy, what: &str, stays: &[Stay]| -> Vec<Bar> {
        let places = places(occupancy, stays, rows, row);
        stays.iter().zip(places).map(|(stay, rows)| bar(occupancy, what, stay, rows)).collect()
    };
    // Where a kernel is released as it is due, its deadlines have a line of their own too.
    let meets = |window: &Window| {
        windows.iter().any(|other| other.kernel == window.kernel && Some(other.release) == window.deadline)
    };
    let lines = if windows.iter().any(meets) { 2 } else { 1 };
    let sign = |window: &Window, time: Duration, is_release: bool| {
        let (name, what) = (&kernels[window.kernel].0, if is_release { "release" } else { "deadline" });
        Sign {
            at: real(time.0),
            // Each kernel has a line of its own, so that arrows at one time do not hide each other.
            line: if kernels.len() <= MOST_LINES {
                lines * window.kernel + usize::from(lines > 1 && !is_release)
            } else {
                0
            },
            is_release,
            fill: FILLS[window.kernel % FILLS.len()],
            tip: format!("{what} of {name}, launch {}: {}", window.launch + 1, unit.write(time)),
        }
    };
    let signs = windows.iter().flat_map(|window| {
        let is_seen = |time: &Duration| (begin..=end).contains(time);
        let deadline = window.deadline.filter(is_seen).map(|deadline| sign(window, deadline, false));
        let release = Some(window.release).filter(is_seen).map(|release| sign(window, release, true));
        [release, deadline].into_iter().flatten()
    });
    let what = if computed.is_some() { "measured: " } else { "" };
    // The axis has as many numbers as fit side by side.
    let digits = 9.0 * real(unit.write(end).len() as u64) + 14.0;
    let most = (2..=16).rev().find(|&most| real(most) * digits <= WIDTH).unwrap_or(2);
    let ticks = multiples(begin.0, end.0, step(end.0 - begin.0, most)).map(Duration);
    let names = kernels.iter().zip(FILLS.iter().cycle()).take(MOST_NAMES);
    Gantt {
        title,
        label: format!("Blocks on multiprocessors of {title}"),
        caveat: None,
        unit: &format!("time, {unit}"),
        scale: WIDTH / real((end.0 - begin.0).max(1)),
        begin: real(begin.0),
        end: real(end.0),
        ticks: ticks.map(|time| (real(time.0), unit.write(time))).collect(),
        marks: None,
        signs: signs.collect(),
        lanes: match joined {
            1 => (1..=*multiprocessors).map(|number| format!("SM {number}")).collect(),
            many => vec![format!("SM 1 to {many}")],
        },
        rows: Some(rows),
        height: (160.0 / real(rows as u64)).clamp(4.0, 22.0),
        bars: bars(occupancy, what, stays),
        outlines: computed.map(|(occupancy, stays)| ("computed", bars(occupancy, "computed: ", stays))),
        strips: None,
        fences: None,
        legend: names.map(|((name, _), fill)| (name.chars().take(14).collect(), fill.0)).collect(),
    }
    .draw(paper)
}

fn tip(Occupancy { unit, joined, .. }: &Occupancy, name: &str, stay: &Stay) -> String {
    let on = match joined {
        1 => format!(" on multiprocessor {}", stay.multiprocessor + 1),
        _ => String::new(),
    };
    let rounds = if stay.rounds > 1 { format!(", {} times", stay.rounds) } else { String::new() };
    format!(
        "{name}, launch {}: {} block{}{on}{rounds}, from {} to {}",
        stay.launch + 1,
        stay.blocks,
        if stay.blocks == 1 { "" } else { "s" },
        unit.write(stay.start),
        unit.write(stay.end)
    )
}

/// Assigns rows to each stay: the first ones that are free when it begins. Each row stands for as many
/// threads as `threads` says. Measured times may overlap a little, or show more than fits; what finds too few
/// free rows takes those that are free soonest.
fn places(occupancy: &Occupancy, stays: &[Stay], rows: usize, threads: u64) -> Vec<Vec<Range<usize>>> {
    let mut busy: BTreeMap<usize, Vec<Duration>> = BTreeMap::new();
    let place = |stay: &Stay| {
        let until = busy.entry(stay.multiprocessor).or_insert_with(|| vec![Duration(0); rows]);
        let need = (stay.blocks * occupancy.kernels[stay.kernel].1).div_ceil(threads);
        let need = usize::try_from(need).unwrap_or(usize::MAX);
        let mut free: Vec<usize> = (0..rows).collect();
        free.sort_by_key(|&row| until[row].max(stay.start));
        free.truncate(need);
        free.sort_unstable();
        for &row in &free {
            until[row] = stay.end;
        }
        free.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[run.len() - 1] + 1).collect()
    };
    stays.iter().map(place).collect()
}
