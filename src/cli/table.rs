//! Tables for a person to read.

use comfy_table::{CellAlignment, Row, Table, presets};
use num_traits::ToPrimitive;

/// An empty table in Markdown; columns of numbers, counted from 0, stand to the right.
pub(super) fn table(header: impl Into<Row>, numbers: impl IntoIterator<Item = usize>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    for number in numbers {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The length of the longest bar.
const BAR: f64 = 20.0;

/// A number as a bar, beside others of which `most` is the largest.
pub(super) fn bar(number: f64, most: f64) -> String {
    if most <= 0.0 || number <= 0.0 {
        return String::new();
    }
    let length = (number / most * BAR).round().clamp(1.0, BAR);
    std::iter::repeat_n('#', length.to_usize().unwrap_or_default()).collect()
}
