//! The record of `prem --plan`: how an image is cut into tiles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Body;
use crate::prem::Phase;
use warpspan_prem as prem;
pub use warpspan_prem::Size;

/// How an image is cut into tiles, and what their phases move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PremPlan {
    /// The image, in elements.
    pub image: Size,
    /// The mask.
    pub mask: Size,
    /// The bytes of an element.
    pub element_bytes: u64,
    /// The results of the whole image.
    pub results: Size,
    /// The elements that a full tile reads.
    pub tile: Size,
    /// The results of a full tile.
    pub tile_results: Size,
    /// How many rows and columns of tiles there are.
    pub grid: Size,
    /// How many tiles there are in all.
    pub tiles_in_all: u64,
    /// The blocks of the kernel.
    pub blocks: u64,
    /// The tiles of the block with the most, `tiles` in a file.
    pub tiles: u64,
    /// The threads of a block; null where the file does not say.
    pub threads_per_block: Option<u64>,
    /// The bytes of shared memory that a block needs.
    pub shared_memory: u64,
    /// The bytes that all tiles together read.
    pub bytes_read: u64,
    /// The bytes that all tiles together write.
    pub bytes_written: u64,
    /// The tile with which the fewest bytes are read, within the same shared memory.
    pub least_read_tile: Size,
    /// The bytes that are read with it.
    pub least_read_bytes: u64,
    /// What the phases of a full tile do.
    pub phases: Vec<PhaseWork>,
}

impl Body for PremPlan {
    const SCHEMA: &'static str = "warpspan/prem-plan/1";
}

/// What a phase of a full tile does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseWork {
    /// Which phase.
    pub phase: Phase,
    /// The elements that are read, computed or written.
    pub elements: u64,
    /// The bytes between shared and global memory.
    pub bytes: u64,
    /// The most elements of a thread; null where the number of threads is not known.
    pub elements_of_thread: Option<u64>,
}

impl From<&prem::Plan> for PremPlan {
    fn from(plan: &prem::Plan) -> Self {
        let least = plan.least_read();
        let work = |(phase, work): (prem::Phase, prem::Work)| PhaseWork {
            phase,
            elements: work.elements,
            bytes: work.bytes,
            elements_of_thread: work.of_thread,
        };
        Self {
            image: plan.image(),
            mask: plan.mask(),
            element_bytes: plan.element(),
            results: plan.results(),
            tile: plan.tile(),
            tile_results: plan.tile_results(),
            grid: plan.grid(),
            tiles_in_all: plan.grid().area(),
            blocks: plan.blocks(),
            tiles: plan.tiles_of_block(),
            threads_per_block: plan.threads(),
            shared_memory: plan.shared_memory(),
            bytes_read: plan.bytes_read(),
            bytes_written: plan.bytes_written(),
            least_read_tile: least.tile(),
            least_read_bytes: least.bytes_read(),
            phases: prem::Phase::ALL.into_iter().zip(plan.work()).map(work).collect(),
        }
    }
}
