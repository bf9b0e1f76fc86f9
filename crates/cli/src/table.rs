//! Tables for a person to read.

use std::fmt;

use comfy_table::{
    Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Row, Table, Width, presets,
};
use num_traits::ToPrimitive;

use crate::screen::{self, Tone};
use warpspan_document as document;

/// A table that fits the screen: if it is too wide, cells are wrapped; if it is still too wide, it is split, and each
/// part repeats the first column.
#[derive(Debug)]
pub(super) struct Sheet {
    table: Table,
    /// The columns of numbers, counted from 0, which are never broken.
    numbers: Vec<usize>,
    /// The characters of a line where there is no screen.
    usual: Option<usize>,
}

/// An empty table in Markdown; columns of numbers, counted from 0, stand to the right.
fn table(header: impl Into<Row>, numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    if screen::is_coloured() {
        table.enforce_styling();
    }
    for &number in numbers {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

impl From<&document::Table> for Sheet {
    fn from(of: &document::Table) -> Self {
        let mut table = table(of.heads.clone(), &of.numbers);
        of.rows.iter().for_each(|row| _ = table.add_row(row.iter().map(cell)));
        Self { table, numbers: of.numbers.clone(), usual: of.width }
    }
}

/// A cell; the word of a verdict in its colour, where standard output shows colours.
fn cell(of: &document::Cell) -> Cell {
    let text = match of {
        document::Cell::Bar(part) => return Cell::new(bar(*part)),
        document::Cell::Text(text) => text,
    };
    let cell = Cell::new_owned(text.plain());
    match text.0.iter().find_map(|(tone, _)| *tone).filter(|_| screen::is_coloured()) {
        None | Some(Tone::Answer | Tone::Code) => cell,
        Some(Tone::Proved) => cell.fg(Color::DarkGreen),
        Some(Tone::Refuted) => cell.fg(Color::DarkRed),
        Some(Tone::Undecided) => cell.fg(Color::DarkMagenta),
    }
}

impl Sheet {
    /// The table in a number of characters a line.
    fn fitted(&self, width: usize) -> String {
        let natural: usize = self.table.column_max_content_widths().into_iter().map(usize::from).sum();
        let least: Vec<usize> = (0..self.columns()).map(|column| self.least(column)).collect();
        if natural + frame(least.len()) <= width {
            return self.table.to_string();
        }
        let mut bands: Vec<Vec<usize>> = Vec::new();
        let mut used = usize::MAX;
        for column in 1..least.len() {
            let more = least[column] + FRAME;
            if used.saturating_add(more) > width {
                bands.push(vec![0]);
                used = frame(1) + least[0];
            }
            used += more;
            bands.last_mut().into_iter().for_each(|band| band.push(column));
        }
        if bands.is_empty() {
            bands.push((0..least.len()).collect());
        }
        let bands = bands.iter().map(|band| self.band(band, &least, width));
        bands.collect::<Vec<_>>().join("\n\n")
    }

    fn columns(&self) -> usize {
        self.table.header().map_or(0, Row::cell_count)
    }

    /// The least width of a column: its numbers stay whole, and so do words that are not very long.
    fn least(&self, column: usize) -> usize {
        let is_number = self.numbers.contains(&column);
        let title = self.table.header().and_then(|row| row.cell_iter().nth(column)).map_or(0, longest_word);
        let cells = self.table.row_iter().filter_map(|row| row.cell_iter().nth(column));
        let cell = |cell: &Cell| {
            if is_number { cell.content().chars().count() } else { longest_word(cell).min(LONG) }
        };
        cells.map(cell).max().unwrap_or(0).max(title)
    }

    /// Some of the columns as a separate table.
    fn band(&self, columns: &[usize], least: &[usize], width: usize) -> String {
        let chosen = |row: &Row| {
            let cells: Vec<&Cell> = row.cell_iter().collect();
            columns
                .iter()
                .filter_map(|&column| cells.get(column).map(|&cell| cell.clone()))
                .collect::<Vec<_>>()
        };
        let numbers = columns.iter().enumerate().filter(|(_, column)| self.numbers.contains(column));
        let numbers: Vec<usize> = numbers.map(|(at, _)| at).collect();
        let header = self.table.header().map(chosen).unwrap_or_default();
        let mut band = table(header, &numbers);
        band.add_rows(self.table.row_iter().map(chosen));
        band.set_content_arrangement(ContentArrangement::Dynamic);
        band.set_width(width.to_u16().unwrap_or(u16::MAX));
        // A constraint counts the blanks on both sides.
        let at_least = |&column: &usize| (least[column] + 2).to_u16().unwrap_or(u16::MAX);
        band.set_constraints(
            columns.iter().map(|column| ColumnConstraint::LowerBoundary(Width::Fixed(at_least(column)))),
        );
        band.to_string()
    }
}

/// The characters that a further column takes besides its content.
const FRAME: usize = 3;
/// The longest word of a text that is kept whole: a bar, an opcode, most names.
const LONG: usize = 24;

/// The characters that the lines and blanks around so many columns take.
fn frame(columns: usize) -> usize {
    FRAME * columns + 1
}

fn longest_word(cell: &Cell) -> usize {
    cell.content().split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match screen::width().or(self.usual) {
            Some(width) => f.write_str(&self.fitted(width)),
            None => self.table.fmt(f),
        }
    }
}

/// The length of the longest bar.
const BAR: f64 = 20.0;

/// A part of the longest one as a bar.
fn bar(part: f64) -> String {
    if part <= 0.0 {
        return String::new();
    }
    let length = (part * BAR).round().clamp(1.0, BAR);
    std::iter::repeat_n('#', length.to_usize().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let rows = [["K1", "123456789", "a text of several words", "17"]];
        let table = document::Table::of(&rows)
            .words("kernel", |row| row[0])
            .number("first number", |row| row[1])
            .words("what it is", |row| row[2])
            .number("second number", |row| row[3]);
        Sheet::from(&table.into())
    }

    #[test]
    fn a_table_that_fits_is_as_it_is() {
        assert_eq!(sheet().fitted(100), sheet().table.to_string());
    }

    #[test]
    fn cells_go_on_below() {
        let expected = "| kernel |     first | what it is    | second |\n\
                        |        |    number |               | number |\n\
                        |--------|-----------|---------------|--------|\n\
                        | K1     | 123456789 | a text of     |     17 |\n\
                        |        |           | several words |        |";
        assert_eq!(sheet().fitted(47), expected);
    }

    #[test]
    fn columns_go_on_below_beside_the_first_one() {
        let text = sheet().fitted(32);
        let bands: Vec<&str> = text.split("\n\n").collect();
        assert!(bands.len() > 1 && bands.iter().all(|band| band.starts_with("| kernel |")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 32), "{text}");
        assert!(["123456789", "several", "17"].iter().all(|word| text.contains(word)), "{text}");
    }
}
