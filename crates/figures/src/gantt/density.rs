//! Long schedules as densities: how many instructions are issued where, instead of a box for each.

use svg::Document;
use svg::node::Node;

use crate::gantt::WIDTH;
use crate::gantt::letters::{Letter, Subject, fill, name};
use crate::paper::Paper;
use crate::shapes::{
    faint, file, heading, line, multiples, page, real, rectangle, step, text, text_width, tip, wrapped,
};
use crate::theme::INK;
use warpspan_model::Unit;

/// The most columns and rows; each column stands for as many cycles and each row for as many warps as make
/// the drawing fit.
const COLUMNS: u64 = 210;
const ROWS: usize = 60;
/// The heights of the two panels on top, in pixels, and the levels that a colour has.
const PANEL: f64 = 44.0;
const LEVELS: u64 = 8;
const TOP: f64 = 78.0;
/// The most barriers that are drawn.
const MOST_FENCES: usize = 400;

/// Whether a schedule is drawn as a density.
pub(super) fn is_long(cycles: u64, lanes: usize) -> bool {
    cycles > 840 || lanes > 128
}

/// Draws what the units do, cycle by cycle, and below it which warps issue when. `slots` has the instructions that
/// each unit may issue in a cycle, L and C, where all warps share them. Cycles are those from `first` to `last`.
pub(super) fn density(
    Subject { title, lanes, fences, slots, .. }: &Subject<'_>,
    letters: &[Letter],
    (first, last): (u64, u64),
    paper: &Paper,
) -> String {
    let cycles = (last - first + 1).max(1);
    let each = cycles.div_ceil(COLUMNS);
    let columns = usize::try_from(cycles.div_ceil(each)).unwrap_or(1);
    let warps = lanes.len().div_ceil(ROWS).max(1);
    let rows = lanes.len().div_ceil(warps).max(1);
    let row = (360.0 / real(rows as u64)).clamp(6.0, 22.0);
    let left = lanes.iter().map(|name| text_width(name, 12.0) + 16.0).fold(96.0, f64::max);
    let across = paper.wide().map_or(WIDTH, |wide| (wide - left - 24.0).max(60.0));
    let width = across / real(columns as u64);
    let x = |column: usize| left + width * real(column as u64);
    let caveat = format!(
        "A column is {each} cycle{}, a row {warps} warp{}; the fuller the colour, the more instructions.",
        if each == 1 { "" } else { "s" },
        if warps == 1 { "" } else { "s" }
    );
    let room = paper.wide().map_or(f64::INFINITY, |wide| wide - 32.0);
    let caveat = wrapped(&caveat, room, 12.0);
    let further = 17.0 * real(wrapped(title, room, 15.0).len() as u64 + caveat.len() as u64 - 2);
    let top = TOP + further;
    let map = top + 2.0 * (PANEL + 12.0);
    let bottom = map + row * real(rows as u64);
    let mut counts = vec![[0_u64; 2]; columns * rows];
    let mut used = vec![[0_u64; 2]; columns];
    for letter in letters {
        let column = usize::try_from((letter.cycle - first) / each).unwrap_or(0);
        let unit = usize::from(letter.unit == Unit::CudaCore);
        counts[column * rows + letter.lane / warps][unit] += 1;
        used[column][unit] += 1;
    }
    // The last column may stand for fewer cycles than the others.
    let there = |column: usize| each.min(cycles - each * column as u64);
    let most = |unit: usize| used.iter().map(|column| column[unit]).max().unwrap_or(0).max(1);
    let full =
        |unit: usize, column: usize| slots.map_or_else(|| most(unit), |slots| slots[unit] * there(column));
    let said = caveat.iter().map(|line| text_width(line, 12.0)).fold(text_width(title, 15.0), f64::max);
    let wide = paper.wide().unwrap_or_else(|| (left + across + 24.0).max(said + 32.0).ceil());
    let mut drawing = page(wide, (bottom + 52.0).ceil(), &format!("Schedule of {title}"));
    heading(&mut drawing, title, paper.wide().unwrap_or(f64::INFINITY), 15);
    for (number, line) in (1..).zip(caveat.iter().rev()) {
        drawing.append(text(line, 16.0, top - 19.0 - 17.0 * real(number)));
    }
    drawing.append(text("cycle", left - 10.0, top - 8.0).set("text-anchor", "end"));
    for cycle in multiples(first, last, step(cycles, if across < 500.0 { 5 } else { 12 })) {
        let at = left + across * (real(cycle - first) + 0.5) / real(each * columns as u64);
        drawing.append(text(&cycle.to_string(), at, top - 8.0).set("text-anchor", "middle"));
        drawing.append(faint((at, at), (top, bottom)));
    }
    for (unit, colour) in Unit::ALL.iter().enumerate() {
        let base = top + PANEL + (PANEL + 12.0) * real(unit as u64);
        drawing.append(text(&format!("{colour} in use"), left - 10.0, base - 16.0).set("text-anchor", "end"));
        drawing.append(faint((left, left + across), (base - PANEL, base - PANEL)));
        drawing.append(faint((left, left + across), (base, base)));
        let share =
            |column: usize| (PANEL * real(used[column][unit]) / real(full(unit, column).max(1))).round();
        runs(columns, share, |from, to, tall| {
            let shape = rectangle(x(from), base - tall, x(to) - x(from), tall);
            drawing.append(shape.set("style", format!("fill:{}", fill(*colour).0)));
        });
    }
    let densest = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
    // Names stand 14 pixels apart at least.
    let named = (1..rows).find(|&rows| row * real(rows as u64) >= 14.0).unwrap_or(rows);
    for number in 0..rows {
        let above = map + row * real(number as u64);
        if number % named == 0 {
            let name = text(&lanes[number * warps], left - 10.0, above + row / 2.0 + 4.0);
            drawing.append(name.set("text-anchor", "end"));
        }
        for (unit, colour) in Unit::ALL.iter().enumerate() {
            let level = |column: usize| {
                let count = counts[column * rows + number][unit];
                // Even the faintest cell is seen.
                if count == 0 {
                    0.0
                } else {
                    real(2 + (count * (LEVELS - 2)).div_ceil(densest)) / real(LEVELS)
                }
            };
            runs(columns, level, |from, to, opacity| {
                let y = above + row / 2.0 * real(unit as u64);
                let shape = rectangle(x(from), y, x(to) - x(from), row / 2.0);
                let style = format!("fill:{};fill-opacity:{opacity}", fill(*colour).0);
                drawing.append(shape.set("style", style));
            });
        }
    }
    let frame = rectangle(left, map, across, bottom - map).set("fill", "none").set("stroke", INK);
    drawing.append(frame.set("stroke-opacity", 0.3));
    for fence in fences.iter().take(MOST_FENCES) {
        let at = left + across * (fence.at - real(first - 1)) / real(each * columns as u64);
        let y = |lane: usize| map + row * real(lane as u64) / real(warps as u64);
        drawing.append(line((at, at), (y(fence.lanes.start), y(fence.lanes.end).min(bottom))));
    }
    for (column, used) in used.iter().enumerate() {
        let from = first + each * column as u64;
        let mut words = format!("cycles {from} to {}", from + there(column) - 1);
        for (unit, name) in Unit::ALL.iter().enumerate() {
            let of = slots.map_or_else(String::new, |_| format!(" of {} slots", full(unit, column)));
            words += &format!("\n{name}: {}{of}", used[unit]);
        }
        drawing.append(tip(x(column), top, width, bottom - top, &words));
    }
    legend(&mut drawing, left, bottom + 18.0, !fences.is_empty());
    file(&drawing)
}

/// Draws the stretches of equal values but 0, each as one box.
fn runs(columns: usize, value: impl Fn(usize) -> f64, mut draw: impl FnMut(usize, usize, f64)) {
    let mut from = 0;
    for column in 1..=columns {
        let is_same = column < columns && (value(column) - value(from)).abs() < 1e-9;
        if !is_same {
            if value(from) > 0.0 {
                draw(from, column, value(from));
            }
            from = column;
        }
    }
}

fn legend(drawing: &mut Document, left: f64, y: f64, has_fences: bool) {
    if has_fences {
        drawing.append(line((left + 247.0, left + 247.0), (y, y + 14.0)));
        drawing.append(text("barrier opens", left + 262.0, y + 11.0));
    }
    for (unit, left) in Unit::ALL.into_iter().zip([left, left + 120.0]) {
        let shape = rectangle(left, y, 14.0, 14.0).set("style", format!("fill:{}", fill(unit).0));
        drawing.append(shape);
        drawing.append(text(name(unit), left + 22.0, y + 11.0));
    }
}
