//! Reading the table `[plan]` of a file of `prem`.

use crate::plan::{Plan, Size};
use crate::tables::{File, SizeTable};
use warpspan_model::source::{InputError, MOST_SHARED, MOST_THREADS, Source, Spanned};

/// The largest side of an image. The bytes of an image of this size are far below 64 bits.
const MOST_SIDE: u64 = 1 << 20;
/// The most bytes of an element.
const MOST_ELEMENT: u64 = 64;
/// The most blocks of a kernel.
const MOST_BLOCKS: u64 = crate::MOST_BLOCKS;

/// Reads the plan of a file of `prem`, which may still lack the durations of phases; `place` is its name in
/// messages.
///
/// # Errors
/// The first thing that is wrong, with its line; also if there is no plan.
pub fn read_plan(place: &str, text: &str) -> Result<Plan, InputError> {
    let source = Source { place, text };
    let file: File = source.toml()?;
    read(&source, &file)?.ok_or_else(|| InputError::new(place, "no [plan]: want image and mask in it"))
}

/// Reads the plan, if there is one.
pub(crate) fn read(source: &Source<'_>, file: &File) -> Result<Option<Plan>, InputError> {
    let Some(table) = &file.plan else { return Ok(None) };
    let at = table.span().start;
    let table = table.get_ref();
    if let Some(tiles) = &file.tiles {
        return Err(
            source.error(tiles.span().start, "both tiles and [plan], which gives them: want one of them")
        );
    }
    let most = |key: &str, value: &Option<Spanned<i64>>, most: u64| {
        value.as_ref().map(|value| source.plausible(key, value, most)).transpose()
    };
    let image = size(source, "image", &table.image)?;
    let mask = size(source, "mask", &table.mask)?;
    if mask.height > image.height || mask.width > image.width {
        let what = "a mask that is larger than the image: want a smaller one";
        return Err(source.error(table.mask.span().start, what));
    }
    let element = most("element_bytes", &table.element_bytes, MOST_ELEMENT)?.unwrap_or(4);
    let threads = most("threads_per_block", &file.threads_per_block, MOST_THREADS)?;
    let shared = most("shared_memory", &file.shared_memory, MOST_SHARED)?;
    let blocks = most("blocks", &file.blocks, MOST_BLOCKS)?.unwrap_or(1);
    let (tile, at) = match &table.tile {
        Some(tile) => (size(source, "tile", tile)?, tile.span().start),
        None => (default_tile(source, at, (image, element), threads.zip(shared))?, at),
    };
    let wrong = |what: String| {
        source.error(at, format!("a tile of {} x {} elements {what}", tile.height, tile.width))
    };
    if tile.height < mask.height || tile.width < mask.width {
        return Err(wrong("has no room for the mask: want a larger one, or more shared_memory".into()));
    }
    if tile.height > image.height || tile.width > image.width {
        return Err(wrong("is larger than the image: want a smaller one".into()));
    }
    let plan = Plan { image, mask, tile, element, blocks, threads };
    let room = shared.unwrap_or(MOST_SHARED);
    if plan.shared_memory() > room {
        let needed = plan.shared_memory();
        return Err(wrong(format!(
            "and its results need {needed} bytes of shared memory: want {room} or less"
        )));
    }
    Ok(Some(plan))
}

/// A tile as wide as a block has threads, so that neighbouring threads read neighbouring elements, and as high
/// as the shared memory allows (Kr19: 4 x 512 elements of 512 threads and 16 KiB).
fn default_tile(
    source: &Source<'_>,
    at: usize,
    (image, element): (Size, u64),
    given: Option<(u64, u64)>,
) -> Result<Size, InputError> {
    let missing = "no tile: want tile, or threads_per_block and shared_memory, from which it follows";
    let (threads, shared) = given.ok_or_else(|| source.error(at, missing))?;
    let width = threads.min(image.width);
    Ok(Size { height: (shared / (2 * element) / width).min(image.height), width })
}

fn size(source: &Source<'_>, key: &str, table: &Spanned<SizeTable>) -> Result<Size, InputError> {
    let SizeTable { height, width } = table.get_ref();
    Ok(Size {
        height: source.plausible(&format!("{key}.height"), height, MOST_SIDE)?,
        width: source.plausible(&format!("{key}.width"), width, MOST_SIDE)?,
    })
}
