//! Tables for a person to read.

use comfy_table::{CellAlignment, Row, Table, presets};

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
