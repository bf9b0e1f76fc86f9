//! A schedule as an SVG Gantt chart (Kr19 Fig. 3.3 to 3.6).

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

use crate::figures::theme::STYLE;
use crate::realtime::prem::{Phase, Schedule};

const LEFT: f64 = 150.0;
const TOP: f64 = 78.0;
const WIDTH: f64 = 840.0;
/// Tiles drawn, two so that one sees how they join.
const TILES: u64 = 2;
/// Rows drawn.
const ROWS: usize = 128;

/// As in Kr19 Fig. 4.7: blue, orange and green.
const fn colour(phase: Phase) -> &'static str {
    match phase {
        Phase::Prefetch => "#0072B2",
        Phase::Compute => "#E69F00",
        Phase::Writeback => "#009E73",
    }
}

/// Draws the first two tiles: time across, a row a block, a box a phase; a dashed line where a hyperperiod begins.
///
/// `title` is drawn above, and below it `caveat`, which says what is proved of the times. A pointer over a box is told the phase and its times. Of more than 128 blocks, the first are
/// drawn. Returns the text of an SVG file, for light paper and dark.
pub fn gantt(schedule: &Schedule, title: &str, caveat: &str) -> String {
    let kernels = schedule.tile_set().kernels();
    let row = |slot: usize| {
        let slot = &schedule.slots()[slot];
        let blocks = slot.block.map_or(0..kernels[slot.kernel].blocks, |block| block..block + 1);
        blocks.map(move |block| (slot, block))
    };
    let rows: Vec<_> = (0..schedule.slots().len()).flat_map(row).take(ROWS).collect();
    let zero = schedule.begins(0).0;
    let ends = rows
        .iter()
        .map(|(slot, _)| schedule.end(slot, TILES.min(schedule.tiles(slot)) - 1, Phase::Writeback).0 - zero);
    let last = ends.max().unwrap_or(0).max(schedule.hyperperiod().0 * TILES);
    let scale = WIDTH / real(last.max(1));
    let height = if rows.len() > 24 { 14.0 } else { 22.0 };
    let x = |time: u64| LEFT + scale * real(time);
    let bottom = TOP + height * real(rows.len() as u64);
    let (right, end) = (x(last) + 24.0, bottom + 44.0);
    let wide = |line: &str, letter: f64| real(line.chars().count() as u64) * letter + 32.0;
    let width = right.max(wide(title, 8.4)).max(wide(caveat, 6.8)).ceil();

    let mut document = Document::new()
        .set("viewBox", (0, 0, width, end.ceil()))
        .set("width", width)
        .set("height", end.ceil())
        .set("class", "warpspan")
        .set("role", "img")
        .set("aria-label", format!("Schedule of {title}"))
        .set("font-family", "sans-serif")
        .set("font-size", 12)
        .set("fill", "currentColor")
        .add(Style::new(STYLE))
        .add(rectangle(0.0, 0.0, width, end.ceil()).set("class", "paper").set("fill", "#FFFFFF"))
        .add(text(title, 16.0, 22.0).set("font-size", 15))
        .add(text(caveat, 16.0, 42.0))
        .add(text("ns", LEFT - 10.0, TOP - 8.0).set("text-anchor", "end"));
    for tick in ticks(last) {
        document = document
            .add(text(&tick.to_string(), x(tick), TOP - 8.0).set("text-anchor", "middle"))
            .add(line((x(tick), x(tick)), (TOP, bottom)).set("stroke-opacity", 0.13));
    }
    for tile in 1..=TILES {
        let at = x(schedule.hyperperiod().0 * tile);
        document = document.add(line((at, at), (TOP, bottom)).set("stroke-dasharray", "4 3"));
    }
    for (number, &(slot, block)) in rows.iter().enumerate() {
        let top = TOP + height * real(number as u64);
        let kernel = &kernels[slot.kernel];
        let head: String = format!("{}, block {}", kernel.name, block + 1).chars().take(24).collect();
        document = document
            .add(line((LEFT, x(last)), (top + height / 2.0, top + height / 2.0)).set("stroke-opacity", 0.13))
            .add(text(&head, LEFT - 10.0, top + height / 2.0 + 4.0).set("text-anchor", "end"));
        for tile in 0..TILES.min(kernel.tiles) {
            for phase in Phase::ALL {
                let start = schedule.start(slot, tile, phase).1;
                let end = schedule.end(slot, tile, phase);
                let tip = format!("{head}, tile {}: {phase}, {start} to {end} ns", tile + 1);
                let left = x(start.0 - zero);
                let shape = rectangle(left, top + 2.0, x(end.0 - zero) - left, height - 4.0);
                let shape = shape.set("style", format!("fill:{}", colour(phase)));
                document = document.add(Group::new().add(Title::new(tip)).add(shape));
            }
        }
    }
    for (number, phase) in (0..).zip(Phase::ALL) {
        let left = LEFT + 130.0 * real(number);
        let shape = rectangle(left, bottom + 16.0, 14.0, 14.0);
        document = document.add(shape.set("style", format!("fill:{}", colour(phase)))).add(text(
            phase.name(),
            left + 22.0,
            bottom + 27.0,
        ));
    }
    let left = LEFT + 390.0;
    document = document
        .add(line((left, left + 14.0), (bottom + 23.0, bottom + 23.0)).set("stroke-dasharray", "4 3"))
        .add(text("hyperperiod", left + 22.0, bottom + 27.0));
    document.to_string() + "\n"
}

/// Six to twelve round numbers from 0 on.
fn ticks(last: u64) -> impl Iterator<Item = u64> {
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if last / step <= 12 || step > u64::MAX / 100 {
            break;
        }
        let decade = 10_u64.pow(step.ilog10());
        step = if factor == 10 { decade * 10 } else { decade * factor };
    }
    (0..=last / step).map(move |n| n * step)
}

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle::new().set("x", x).set("y", y).set("width", width).set("height", height)
}

fn line((x1, x2): (f64, f64), (y1, y2): (f64, f64)) -> Line {
    let line = Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2);
    line.set("stroke", "currentColor")
}

fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

#[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
fn real(value: u64) -> f64 {
    value as f64
}
