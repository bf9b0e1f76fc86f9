//! From an image to tiles: how many there are, and what their phases move (Kr19 sections 3.2.3, 3.2.4 and
//! 4.2.3).
//!
//! # Theory
//!
//! A mask of v by u elements gives an image of H by W elements (H - v + 1) by (W - u + 1) results. A tile of h
//! by w elements holds (h - v + 1) by (w - u + 1) of them, so neighbouring tiles overlap by v - 1 lines and u - 1
//! columns, which are read more than once. A block has two buffers of a tile in shared memory, one for its
//! elements and one for its results (Kr19 Listing 4.2), and takes every B-th tile, where B is the number of
//! blocks. With Kr19's own numbers that gives 512 tiles *of each block*, not in all: erratum K6.

mod read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use read::read;
pub use read::read_plan;

/// A size in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Size {
    /// The number of lines.
    pub height: u64,
    /// The elements of a line.
    pub width: u64,
}

impl Size {
    /// The number of elements.
    pub fn area(self) -> u64 {
        self.height * self.width
    }

    /// The results of a mask on an area of this size.
    fn less(self, mask: Self) -> Self {
        Self { height: self.height + 1 - mask.height, width: self.width + 1 - mask.width }
    }
}

/// An image that is cut into tiles for a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    image: Size,
    mask: Size,
    tile: Size,
    element: u64,
    blocks: u64,
    threads: Option<u64>,
}

/// What a phase of a full tile does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// The elements that are read, computed or written.
    pub elements: u64,
    /// The bytes between shared and global memory; 0 for the computation.
    pub bytes: u64,
    /// The most elements of a thread, if the number of threads is known.
    pub of_thread: Option<u64>,
}

impl Plan {
    /// The image.
    pub fn image(&self) -> Size {
        self.image
    }

    /// The mask.
    pub fn mask(&self) -> Size {
        self.mask
    }

    /// The elements that a tile reads.
    pub fn tile(&self) -> Size {
        self.tile
    }

    /// The bytes of an element.
    pub fn element(&self) -> u64 {
        self.element
    }

    /// The blocks of the kernel.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The threads of a block, if they are known.
    pub fn threads(&self) -> Option<u64> {
        self.threads
    }

    /// The results of the whole image.
    pub fn results(&self) -> Size {
        self.image.less(self.mask)
    }

    /// The results of a full tile.
    pub fn tile_results(&self) -> Size {
        self.tile.less(self.mask)
    }

    /// How many rows and columns of tiles there are; those at the lower and the right edge may be smaller.
    pub fn grid(&self) -> Size {
        let (all, one) = (self.results(), self.tile_results());
        Size { height: all.height.div_ceil(one.height), width: all.width.div_ceil(one.width) }
    }

    /// The tiles of the block with the most: block b takes tiles b, b + B, b + 2 B and so on.
    pub fn tiles_of_block(&self) -> u64 {
        self.tiles_of(self.blocks)
    }

    /// The same, if there were so many blocks.
    pub(super) fn tiles_of(&self, blocks: u64) -> u64 {
        self.grid().area().div_ceil(blocks.max(1))
    }

    /// The shared memory of a block: a buffer for the elements of a tile and one for its results, of equal size.
    pub fn shared_memory(&self) -> u64 {
        2 * self.tile.area() * self.element
    }

    /// What prefetch, computation and writeback of a full tile do.
    pub fn work(&self) -> [Work; 3] {
        let of = |elements: u64, bytes: u64| Work {
            elements,
            bytes: elements * bytes,
            of_thread: self.threads.map(|threads| elements.div_ceil(threads)),
        };
        let results = self.tile_results().area();
        [of(self.tile.area(), self.element), of(results, 0), of(results, self.element)]
    }

    /// The bytes that all tiles together read. Each column of tiles reads its results and u - 1 columns beside
    /// them, and each line of tiles its results and v - 1 lines, so this is exact also where tiles are cut off.
    pub fn bytes_read(&self) -> u64 {
        let (all, grid) = (self.results(), self.grid());
        let height = all.height + grid.height * (self.mask.height - 1);
        let width = all.width + grid.width * (self.mask.width - 1);
        height * width * self.element
    }

    /// The bytes that all tiles together write.
    pub fn bytes_written(&self) -> u64 {
        self.results().area() * self.element
    }

    /// The bytes of the image, which it takes to read it once.
    pub fn image_bytes(&self) -> u64 {
        self.image.area() * self.element
    }

    /// The tile with which the fewest bytes are read, of those that need no more shared memory than this one;
    /// the widest of several, since a warp reads neighbours of a line together.
    pub fn least_read(&self) -> Self {
        let room = self.tile.area();
        let widths = self.mask.width..=self.image.width.min(room / self.mask.height);
        let of = |width: u64| Self {
            tile: Size { height: (room / width).min(self.image.height), width },
            ..*self
        };
        widths.rev().map(of).min_by_key(Self::bytes_read).unwrap_or(*self)
    }
}
