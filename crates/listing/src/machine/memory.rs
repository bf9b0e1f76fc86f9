//! How often memory instructions pass through the load/store unit.
//!
//! A *pass* is 32 lanes of 4 bytes. A lane of 8 bytes needs two passes a warp, and one of 16 bytes four. Lanes
//! that do not fall into one segment of 128 bytes, or that fall into one bank of shared memory at different
//! addresses, need further passes, here *transactions*. An access of a lane is aligned to its size, so it lies in one
//! segment, and 32 lanes need 32 passes at most, whatever their width: where two lanes of 16 bytes share a
//! pass at best, each has its own at worst. Local memory is interleaved by words, so that there each word of a lane may be in another segment.

use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{is_generic, is_of_tile};
use warpspan_isa::row::Space;

/// The most lines that one lane of a texture instruction is taken to read: the neighbours of a point in two
/// levels of detail would be 8, and anisotropic filters may read more.
const LINES_OF_A_TEXEL: u64 = 8;

/// The most sectors of a tile of a matrix: 32 rows of 32 bytes, each of which may begin in the middle of a sector.
const SECTORS_OF_A_TILE: u64 = 64;

/// The most passes of a warp in a space.
pub(super) fn worst_of(space: Space, passes: u64) -> u64 {
    match space {
        Space::Fence => 1,
        Space::Texture => passes.max(32 * LINES_OF_A_TEXEL),
        // Words of one index of all lanes lie side by side, so that the words of a lane are in as many segments.
        Space::Local => passes.max(1) * 32,
        _ => passes.max(32),
    }
}

/// The most passes of an instruction in a space.
pub(super) fn worst(instruction: &Instruction<'_>, space: Space, passes: u64) -> u64 {
    let tile = if is_of_tile(instruction) { SECTORS_OF_A_TILE } else { 0 };
    let space = if is_generic(instruction) { Space::Local } else { space };
    worst_of(space, passes).max(tile)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn no_width_needs_more_than_a_pass_a_lane() {
        assert_eq!([1, 2, 4].map(|passes| worst_of(Space::Global, passes)), [32, 32, 32]);
        assert_eq!([1, 2, 4].map(|passes| worst_of(Space::Local, passes)), [32, 64, 128]);
        assert_eq!(worst_of(Space::Fence, 1), 1);
        assert_eq!(worst_of(Space::Texture, 4), 256);
    }
}
