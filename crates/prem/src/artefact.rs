//! The tiled convolution of a plan as CUDA, with a harness that measures its phases.
//!
//! The kernels have the structure of Kr19 Listing 4.2: a block spins on the global timer until its tile's start time,
//! prefetches the tile to shared memory, computes there and writes back. Further kernels are the walks and the reading
//! of the timer of Kr19 chapter 3 and section 4.2.2. The sources are the same for all plans; only the two headers
//! differ.

use std::fmt::Write;

use crate::{Plan, Schedule, write_header};

/// The timestamps that a block takes of the timer: they fit into 16 KiB of shared memory.
const STAMPS: u64 = 1024;

/// The files of the artefact, each with its name and its content. `caveat` is written as in
/// [`write_header`].
///
/// What is wrong is a sentence.
///
/// # Errors
/// If the kernels differ, or the elements are not floats, or the file does not say how many threads a block has.
pub fn artefact(
    schedule: &Schedule,
    plan: &Plan,
    caveat: &str,
) -> Result<Vec<(&'static str, Vec<u8>)>, String> {
    let kernels = schedule.tile_set().kernels();
    if kernels.iter().any(|kernel| (kernel.blocks, kernel.tiles) != (plan.blocks(), plan.tiles_of_block())) {
        return Err("kernels of different blocks or tiles: want equal ones".into());
    }
    if plan.element() != 4 {
        return Err(format!("element_bytes = {}: the convolution is of floats: want 4", plan.element()));
    }
    let threads = plan.threads().ok_or("no threads_per_block: want the threads of a block")?;
    let (image, mask, tile) = (plan.image(), plan.mask(), plan.tile());
    let (results, grid) = (plan.results(), plan.grid());
    let mut sizes =
        "/* The sizes of the image and of its tiles, in elements. Written by warpspan. */\n".to_owned();
    for (name, size) in [
        ("IMAGE_HEIGHT", image.height),
        ("IMAGE_WIDTH", image.width),
        ("MASK_HEIGHT", mask.height),
        ("MASK_WIDTH", mask.width),
        ("TILE_HEIGHT", tile.height),
        ("TILE_WIDTH", tile.width),
        ("RESULTS_HEIGHT", results.height),
        ("RESULTS_WIDTH", results.width),
        ("ACROSS", grid.width),
        ("TILES", grid.area()),
        ("TILES_OF_BLOCK", plan.tiles_of_block()),
        ("THREADS", threads),
    ] {
        let _ = writeln!(sizes, "#define PLAN_{name} {size}u");
    }
    let _ = writeln!(sizes, "#define PREM_STAMPS {STAMPS}u");
    let mut header = Vec::new();
    write_header(schedule, caveat, &mut header).map_err(|error| error.to_string())?;
    let source = |text: &str| text.as_bytes().to_vec();
    Ok(vec![
        ("prem.h", header),
        ("plan.h", sizes.into_bytes()),
        ("kernels.cu", source(include_str!("cuda/kernels.cu"))),
        ("main.cu", source(include_str!("cuda/main.cu"))),
        ("Makefile", source(include_str!("cuda/Makefile"))),
    ])
}
