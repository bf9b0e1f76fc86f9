//! `warpspan prem --plan`: from an image to tiles.

use std::fmt::Write;

use crate::args::Format;
use crate::output::print;
use crate::record::line;
use crate::screen::folded;
use crate::table::table;
use crate::text::several;
use crate::{Exit, Failure};
use warpspan_prem::{Phase, Plan, Size, read_plan};
use warpspan_records::PremPlan;

/// Prints the plan of a file.
pub(super) fn run(place: &str, text: &str, format: Format) -> Result<Exit, Failure> {
    let plan = read_plan(place, text)?;
    print(&match format {
        Format::Text => folded(written(&plan)),
        Format::Json => line(PremPlan::from(&plan))?,
    })?;
    Ok(Exit::Done)
}

fn size(size: Size) -> String {
    format!("{} x {}", size.height, size.width)
}

fn written(plan: &Plan) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<12} {text}");
    };
    let element = several(plan.element(), "byte");
    line("image", format!("{} elements of {element}, mask {}", size(plan.image()), size(plan.mask())));
    line("results", size(plan.results()));
    line("tile", format!("{} elements, {} results", size(plan.tile()), size(plan.tile_results())));
    line("tiles", format!("{}: {} in all", size(plan.grid()), plan.grid().area()));
    let blocks = several(plan.blocks(), "block");
    line("of a block", format!("{} of {blocks}", several(plan.tiles_of_block(), "tile")));
    line(
        "shared",
        format!("{} bytes of shared memory of a block: elements and results", plan.shared_memory()),
    );
    let moved = |plan: &Plan| {
        let percent = u128::from(plan.bytes_read()) * 100 / u128::from(plan.image_bytes());
        format!("{} bytes, {percent} percent of the image", plan.bytes_read())
    };
    line("read", moved(plan));
    line("written", format!("{} bytes", plan.bytes_written()));
    let least = plan.least_read();
    line("least read", format!("{} by tiles of {}", moved(&least), size(least.tile())));
    let mut table = table(["phase", "elements", "bytes", "elements of a thread"], 1..4);
    for (phase, work) in Phase::ALL.into_iter().zip(plan.work()) {
        let thread = work.of_thread.map_or_else(|| "-".to_owned(), |elements| elements.to_string());
        table.add_row([phase.to_string(), work.elements.to_string(), work.bytes.to_string(), thread]);
    }
    let _ = writeln!(out, "\nphases of a full tile:\n{table}");
    out
}
