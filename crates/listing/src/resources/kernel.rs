//! What a kernel asks of a multiprocessor.

use warpspan_model::device::Between;
use warpspan_model::source::MOST_SHARED;

/// What a listing says of the resources of an entry. Where it leaves a number open, the number lies between two
/// ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelResources {
    /// Registers of a thread; none is above [`MOST_REGISTERS`].
    pub registers: Between,
    /// Bytes of shared memory that each block has, without what the launch adds; `None` if the listing does not
    /// tell.
    pub shared_memory: Option<u64>,
    /// Whether the code uses shared memory that the launch has to add.
    pub dynamic: bool,
    /// Whether the code may have an access to shared memory: always true where it calls other code or has accesses
    /// of which the listing does not say the space.
    pub uses_shared: bool,
    /// The most threads of a block, if the listing says it.
    pub most_threads: Option<u64>,
    /// The sizes that each block has, if the listing says them.
    pub required_block: Option<[u64; 3]>,
    /// The least number of blocks that the compiler was told to leave room for on a multiprocessor.
    pub least_resident: Option<u64>,
    /// The capability that the listing names for the entry.
    pub target: Option<String>,
    /// Whether the listing speaks of clusters of blocks.
    pub clusters: bool,
    /// The fewest instructions that a warp issues; 0 for PTX, of which the hardware may need fewer instructions.
    pub fewest_instructions: u64,
}

/// The most registers of a thread.
pub const MOST_REGISTERS: u64 = 255;

impl Default for KernelResources {
    fn default() -> Self {
        Self {
            registers: Between { least: 1, most: MOST_REGISTERS },
            shared_memory: None,
            dynamic: false,
            uses_shared: true,
            most_threads: None,
            required_block: None,
            least_resident: None,
            target: None,
            clusters: false,
            fewest_instructions: 0,
        }
    }
}

impl KernelResources {
    /// The bytes of shared memory of a block, with those that a launch adds, of which `own` and `added` may be known otherwise. A
    /// launch adds none to code that uses none of it; what is not known is at most more than any block can have.
    pub fn block_shared_memory(&self, own: Option<u64>, added: Option<u64>) -> Between {
        let none = Some(0).filter(|_| !self.uses_shared);
        let own = own.or(self.shared_memory).or(none);
        let added = added.or(Some(0).filter(|_| !self.dynamic));
        let sum = own.unwrap_or(0).saturating_add(added.unwrap_or(0));
        let is_known = own.is_some() && added.is_some();
        Between { least: sum, most: if is_known { sum } else { sum.max(MOST_SHARED) } }
    }
}
