//! Grids of cells that are coloured by a value, with the scale of the colours below them.

use svg::Document;
use svg::node::Node;
use svg::node::element::Rectangle;

use crate::paper::Paper;
use crate::shapes::{file, heading, level, page, real, rectangle, round_numbers, text_width, tip};
use crate::theme::{BLACK, VERMILION, WHITE};

const LEFT: f64 = 190.0;
const TOP: f64 = 72.0;
/// The height of a row in pixels.
const ROW: f64 = 36.0;
/// The largest width of all columns together, in pixels.
const WIDTH: f64 = 740.0;
/// The corners of the colour scale from low to high values; its brightness rises throughout (cividis).
const SCALE: [[f64; 3]; 5] = [
    [0.0, 32.0, 77.0],
    [66.0, 78.0, 108.0],
    [124.0, 123.0, 120.0],
    [188.0, 175.0, 111.0],
    [255.0, 234.0, 70.0],
];

/// The name and the cells of a row.
pub(crate) type Row<'a> = (&'a str, Vec<Option<Cell>>);

/// A grid.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    pub(crate) title: &'a str,
    /// The meaning of the values.
    pub(crate) value: &'a str,
    /// The meaning of the columns, and the number at each.
    pub(crate) columns: (&'a str, &'a [u64]),
    /// The meaning of the rows, and the rows.
    pub(crate) rows: (&'a str, Vec<Row<'a>>),
    /// The meaning of a marked cell.
    pub(crate) mark: &'a str,
}

/// A cell.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) value: f64,
    pub(crate) is_marked: bool,
    /// The text that a pointer over it shows.
    pub(crate) tip: String,
}

impl Grid<'_> {
    /// The largest number of columns that a reader can tell apart.
    pub(crate) const MOST_COLUMNS: usize = 246;

    /// Draws the grid and returns the text of an SVG file.
    pub(crate) fn draw(&self, paper: &Paper) -> String {
        let (names, numbers) = self.columns;
        let (head, rows) = &self.rows;
        let all = paper.wide().map_or(WIDTH, |wide| (wide - LEFT - 24.0).max(0.0));
        // On a paper columns are as narrow as it takes.
        let least = if paper.wide().is_some() { 0.5 } else { 3.0 };
        let width = (all / real(numbers.len() as u64)).clamp(least, 64.0);
        let width = if width > 3.0 { width.floor() } else { width };
        let x = |column: usize| LEFT + width * real(column as u64);
        let (low, high) = self.ends();
        let wide = paper.wide().unwrap_or_else(|| (x(numbers.len()) + 24.0).max(960.0));
        let mut drawing = page(wide, 0.0, self.title);
        let top = TOP + heading(&mut drawing, self.title, wide, 16);
        let y = |row: usize| top + ROW * real(row as u64);
        let (right, bottom) = (x(numbers.len()), y(rows.len()));
        let mut drawing = drawing.set("viewBox", (0, 0, wide, bottom + 122.0)).set("height", bottom + 122.0);
        drawing.append(level(head, LEFT - 10.0, top - 14.0, 13).set("text-anchor", "end"));
        for (row, (name, cells)) in rows.iter().enumerate() {
            let (top, middle) = (y(row), y(row) + ROW / 2.0);
            drawing.append(level(name, LEFT - 10.0, middle, 13).set("text-anchor", "end"));
            for (column, cell) in cells.iter().enumerate() {
                let Some(Cell { value, is_marked, tip: text }) = cell else { continue };
                let share = (value - low) / (high - low);
                // The cell is one pixel wider, so that no seam shows before the next one.
                drawing.append(rectangle(x(column), top, width + 1.0, ROW).set("fill", shade(share)));
                if *is_marked {
                    drawing.append(mark(x(column), top, width, ROW));
                }
                if width >= 36.0 {
                    let number = level(&format!("{value:.2}"), x(column) + width / 2.0, middle, 12);
                    let ink = if share < 0.5 { WHITE } else { BLACK };
                    drawing.append(number.set("text-anchor", "middle").set("fill", ink));
                }
                drawing.append(tip(x(column), top, width, ROW, text));
            }
        }
        let digits = numbers.last().map_or(1, |number| number.to_string().len() as u64);
        let every = round_numbers().find(|&every| width * real(every) >= real(8 * digits + 10)).unwrap_or(1);
        for (column, number) in numbers.iter().enumerate() {
            let place = column as u64 + 1;
            if place == 1 || place.is_multiple_of(every) {
                let number = level(&number.to_string(), x(column) + width / 2.0, bottom + 12.0, 13);
                drawing.append(number.set("text-anchor", "middle"));
            }
        }
        let names = level(names, f64::midpoint(LEFT, right), bottom + 34.0, 14);
        drawing.append(names.set("text-anchor", "middle"));
        self.legend(&mut drawing, (wide, bottom + 74.0), (low, high));
        file(&drawing)
    }

    fn legend(&self, drawing: &mut Document, (wide, y): (f64, f64), (low, high): (f64, f64)) {
        const STEPS: u32 = 60;
        let each = ((wide - LEFT - 24.0) / f64::from(STEPS)).clamp(1.0, 4.0);
        for step in 0..STEPS {
            let part = rectangle(LEFT + each * f64::from(step), y, each + 1.0, 16.0);
            drawing.append(part.set("fill", shade(f64::from(step) / f64::from(STEPS - 1))));
        }
        for part in 0..=4 {
            let value = low + (high - low) * f64::from(part) / 4.0;
            let number = level(&format!("{value:.2}"), LEFT + 15.0 * each * f64::from(part), y + 28.0, 12);
            drawing.append(number.set("text-anchor", "middle"));
        }
        drawing.append(level(self.value, LEFT - 22.0, y + 8.0, 13).set("text-anchor", "end"));
        if self.cells().any(|cell| cell.is_marked) {
            // Where it has no room beside the colours it stands above them.
            let (x, y) = if wide >= LEFT + 340.0 + text_width(self.mark, 13.0) {
                (LEFT + 300.0, y)
            } else {
                (16.0, y - 24.0)
            };
            drawing.append(mark(x, y - 2.0, 30.0, 20.0));
            drawing.append(level(self.mark, x + 40.0, y + 8.0, 13));
        }
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.1.iter().flat_map(|(_, cells)| cells.iter().flatten())
    }

    /// The least and the greatest value, which stand at the ends of the colour scale.
    fn ends(&self) -> (f64, f64) {
        let values = || self.cells().map(|cell| cell.value);
        let low = values().fold(f64::INFINITY, f64::min);
        (low, values().fold(low + 0.1, f64::max))
    }
}

/// The mark of a cell: an outline, or a bar at its foot if the cell is too narrow for an outline.
fn mark(left: f64, top: f64, width: f64, height: f64) -> Rectangle {
    if width < 16.0 {
        return rectangle(left, top + height - 10.0, width, 10.0).set("fill", VERMILION);
    }
    let outline = rectangle(left + 2.5, top + 2.5, width - 5.0, height - 5.0).set("fill", "none");
    outline.set("stroke", VERMILION).set("stroke-width", 3)
}

/// The colour for a share from 0 to 1.
fn shade(share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * 4.0;
    let mut corners = SCALE.iter().zip(&SCALE[1..]).zip([0.0, 1.0, 2.0, 3.0]);
    let (corners, below) =
        corners.rfind(|(_, below)| *below <= place).unwrap_or(((&SCALE[0], &SCALE[1]), 0.0));
    let mix = |colour: usize| corners.0[colour] + (corners.1[colour] - corners.0[colour]) * (place - below);
    format!("rgb({:.0},{:.0},{:.0})", mix(0), mix(1), mix(2))
}
