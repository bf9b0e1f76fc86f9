//! `warpspan prem --plan`: from an image to tiles.

use std::fmt::Write;

use crate::args::Format;
use crate::output::print;
use crate::record::{in_text, line};
use crate::table::table;
use crate::{Exit, Failure};
use warpspan_document::words::several;
use warpspan_prem::read_plan;
use warpspan_records::PremPlan;
use warpspan_records::prem::Size;

/// Prints the plan of a file.
pub(super) fn run(place: &str, text: &str, format: Format) -> Result<Exit, Failure> {
    let found = PremPlan::from(&read_plan(place, text)?);
    print(&match format {
        Format::Text => in_text(&found, self::text)?,
        Format::Json => line(found)?,
    })?;
    Ok(Exit::Done)
}

fn size(size: Size) -> String {
    format!("{} x {}", size.height, size.width)
}

fn text(found: &PremPlan) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    let element = several(found.element_bytes, "byte");
    line("image", format!("{} elements of {element}, mask {}", size(found.image), size(found.mask)));
    line("results", size(found.results));
    line("tile", format!("{} elements, {} results", size(found.tile), size(found.tile_results)));
    line("tiles", format!("{}: {} in all", size(found.grid), found.tiles_in_all));
    line("of a block", format!("{} of {}", several(found.tiles, "tile"), several(found.blocks, "block")));
    line(
        "shared",
        format!("{} bytes of shared memory of a block: elements and results", found.shared_memory),
    );
    let moved = |bytes: u64| {
        let image = u128::from(found.image.area()) * u128::from(found.element_bytes);
        format!("{bytes} bytes, {} percent of the image", u128::from(bytes) * 100 / image.max(1))
    };
    line("read", moved(found.bytes_read));
    line("written", format!("{} bytes", found.bytes_written));
    let least = moved(found.least_read_bytes);
    line("least read", format!("{least} by tiles of {}", size(found.least_read_tile)));
    let mut table = table(["phase", "elements", "bytes", "elements of a thread"], 1..4);
    for work in &found.phases {
        let thread = work.elements_of_thread.map_or_else(|| "-".to_owned(), |elements| elements.to_string());
        table.add_row([work.phase.to_string(), work.elements.to_string(), work.bytes.to_string(), thread]);
    }
    let _ = writeln!(out, "\nphases of a full tile:\n{table}");
    out
}
