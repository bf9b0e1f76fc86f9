//! What `prem --plan` tells.

use crate::words::several;
use crate::{Document, Said, Table, Tone};
use warpspan_records::PremPlan;
use warpspan_records::prem::Size;

fn size(size: Size) -> String {
    format!("{} x {}", size.height, size.width)
}

/// The answer.
pub fn document(found: &PremPlan) -> Document {
    let said = Said::new(Tone::Proved, "planned", several(found.tiles_in_all, "tile"));
    let mut out = Document::new("prem-plan", format!("an image of {}", size(found.image)), said, 12);
    let element = several(found.element_bytes, "byte");
    out.fact("image", format!("{} elements of {element}, mask {}", size(found.image), size(found.mask)));
    out.fact("results", size(found.results));
    out.fact("tile", format!("{} elements, {} results", size(found.tile), size(found.tile_results)));
    out.fact("tiles", format!("{}: {} in all", size(found.grid), found.tiles_in_all));
    out.fact("of a block", format!("{} of {}", several(found.tiles, "tile"), several(found.blocks, "block")));
    out.fact(
        "shared",
        format!("{} bytes of shared memory of a block: elements and results", found.shared_memory),
    );
    let moved = |bytes: u64| {
        let image = u128::from(found.image.area()) * u128::from(found.element_bytes);
        format!("{bytes} bytes, {} percent of the image", u128::from(bytes) * 100 / image.max(1))
    };
    out.fact("read", moved(found.bytes_read));
    out.fact("written", format!("{} bytes", found.bytes_written));
    let least = moved(found.least_read_bytes);
    out.fact("least read", format!("{least} by tiles of {}", size(found.least_read_tile)));
    let table = Table::of(&found.phases)
        .words("phase", |work| work.phase.to_string())
        .number("elements", |work| work.elements)
        .number("bytes", |work| work.bytes)
        .number("elements of a thread", |work| work.elements_of_thread);
    out.gap();
    out.line("phases of a full tile:");
    out.table(table);
    out
}
