//! The tables of a file of `prem`, as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use warpspan_kernel::input::{GpuTable, MultiprocessorTable};
use warpspan_model::source::{NumberOrText, Spanned};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// How many equal kernels there are; or give `[[kernel]]` tables.
    pub(super) kernels: Option<Spanned<i64>>,
    /// Blocks of a kernel; 1 if it is not given.
    pub(super) blocks: Option<Spanned<i64>>,
    /// Tiles of a block.
    pub(super) tiles: Option<Spanned<i64>>,
    /// The granularity of the timer; 1000 if it is not given.
    pub(super) timer_ns: Option<Spanned<i64>>,
    /// From the start to the first tile.
    pub(super) warm_up_ns: Option<Spanned<i64>>,
    /// When the kernels start.
    pub(super) start_ns: Option<Spanned<i64>>,
    /// The time of a kernel outside its tiles: from its launch to the start, and after its last writeback.
    pub(super) prologue_ns: Option<Spanned<i64>>,
    /// Threads of a block, to tell whether all blocks fit at once.
    pub(super) threads_per_block: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes, to tell whether all blocks fit at once.
    pub(super) shared_memory: Option<Spanned<i64>>,
    /// What waits for a start time of its own: `tile-kernel` (the default), `tile-block`, `phase-kernel` or `phase-block`.
    pub(super) mode: Option<Spanned<String>>,
    /// What the kernels run on; a Jetson TX2 if it is not given.
    pub(super) gpu: Option<Spanned<GpuTable>>,
    /// How long the phases of a tile take.
    pub(super) phases: Option<Spanned<PhasesTable>>,
    /// The same while other kernels use memory.
    pub(super) contended: Option<Spanned<PhasesTable>>,
    /// Offsets between slots; if they are not given, the least that keep memory phases apart.
    pub(super) offsets: Option<OffsetsTable>,
    /// The image that is cut into tiles, instead of their number.
    pub(super) plan: Option<Spanned<PlanTable>>,
    /// How memory phases that overlap share the memory.
    pub(super) sharing: Option<SharingTable>,
    /// What a multiprocessor issues, for phases that are given as code.
    pub(super) multiprocessor: Option<Spanned<MultiprocessorTable>>,
    /// The kernels, each with what differs from the keys above.
    #[serde(default)]
    pub(super) kernel: Vec<Spanned<KernelTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KernelTable {
    /// Its name; K and its number if it is not given.
    pub(super) name: Option<String>,
    /// Its blocks.
    pub(super) blocks: Option<Spanned<i64>>,
    /// Tiles of a block.
    pub(super) tiles: Option<Spanned<i64>>,
    /// Threads of a block.
    pub(super) threads_per_block: Option<Spanned<i64>>,
    /// Shared memory of a block, in bytes.
    pub(super) shared_memory: Option<Spanned<i64>>,
    /// How long the phases of a tile take.
    pub(super) phases: Option<Spanned<PhasesTable>>,
    /// The same while other kernels use memory.
    pub(super) contended: Option<Spanned<PhasesTable>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PhasesTable {
    /// An upper bound on the prefetch.
    pub(super) prefetch_ns: Option<Spanned<i64>>,
    /// An upper bound on the computation.
    pub(super) compute_ns: Option<Spanned<i64>>,
    /// An upper bound on the writeback.
    pub(super) writeback_ns: Option<Spanned<i64>>,
    /// The kernel string of the prefetch, instead of its time.
    pub(super) prefetch_code: Option<Spanned<String>>,
    /// The kernel string of the computation, instead of its time.
    pub(super) compute_code: Option<Spanned<String>>,
    /// The kernel string of the writeback, instead of its time.
    pub(super) writeback_code: Option<Spanned<String>>,
    /// How many warps run the code.
    pub(super) warps: Option<Spanned<i64>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OffsetsTable {
    /// Between prefetches.
    pub(super) prefetch_ns: Option<Spanned<i64>>,
    /// Between writebacks.
    pub(super) writeback_ns: Option<Spanned<i64>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SharingTable {
    /// The measured mean time of all kernels without a schedule, to which the capacity is fitted.
    pub(super) unscheduled_ns: Option<Spanned<i64>>,
    /// Instead of it: how many blocks the memory serves at full speed, 1 or more, with up to six decimals.
    #[schemars(with = "Option<NumberOrText>")]
    pub(super) capacity: Option<Spanned<toml::Value>>,
    /// How many blocks the memory is assumed to serve at least, for a bound.
    pub(super) at_least: Option<Spanned<i64>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanTable {
    /// The size of the image.
    pub(super) image: Spanned<SizeTable>,
    /// The size of the mask.
    pub(super) mask: Spanned<SizeTable>,
    /// The elements that a tile reads; if it is not given, as wide as a block has threads and as high as fits.
    pub(super) tile: Option<Spanned<SizeTable>>,
    /// The bytes of an element; 4 if it is not given.
    pub(super) element_bytes: Option<Spanned<i64>>,
}

/// A size in elements.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SizeTable {
    /// The number of lines.
    pub(super) height: Spanned<i64>,
    /// The elements of a line.
    pub(super) width: Spanned<i64>,
}
