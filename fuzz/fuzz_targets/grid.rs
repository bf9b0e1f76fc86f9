//! Grid files and tables of `sweep`, on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warpspan::sweep::{Grid, read, read_grid};

fuzz_target!(|text: &str| {
    let _rows_or_error = read("fuzz", text.as_bytes());
    if let Ok(settings) = read_grid("fuzz", text) {
        let _grid_or_error = Grid::new(&settings, None);
    }
});
