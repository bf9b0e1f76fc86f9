//! What a block asks for, and how much of a multiprocessor it takes.

use crate::device::resources::{REGISTER_PARTS, round_up};
use crate::device::{Between, Resident, Resources};

/// What a block asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Demand {
    pub(super) warps: u64,
    /// The number of threads in a warp.
    warp: u64,
    pub(super) registers_per_warp: Between,
    shared_memory: Between,
    pub(super) registers_unit: Between,
    shared_unit: Between,
    /// Shared memory that the system takes in addition to what the block asks for.
    reserved: Between,
}

impl Demand {
    /// The demand of a block of `threads` in warps of `warp`, with its bytes of shared memory and its
    /// registers for each thread, on a GPU of which nothing more is known.
    pub fn new(threads: u64, warp: u64, shared_memory: u64, registers_per_thread: Between) -> Self {
        let of_a_warp = |registers: u64| warp.saturating_mul(registers);
        Self {
            warps: threads.div_ceil(warp.max(1)),
            warp,
            registers_per_warp: Between {
                least: of_a_warp(registers_per_thread.least),
                most: of_a_warp(registers_per_thread.most),
            },
            shared_memory: Between::exactly(shared_memory),
            registers_unit: Between { least: 1, most: 256 },
            shared_unit: Between { least: 1, most: 256 },
            reserved: Between { least: 0, most: 1 << 10 },
        }
    }

    /// The same demand on a GPU of a known capability.
    #[must_use]
    pub fn on(self, resident: &Resident) -> Self {
        Self {
            registers_unit: Between::exactly(resident.registers_unit),
            shared_unit: Between::exactly(resident.shared_memory_unit),
            reserved: Between::exactly(resident.reserved_shared_memory),
            ..self
        }
    }

    /// The same demand with anything from the least to the most of these bytes of shared memory.
    #[must_use]
    pub fn with_shared_memory(self, shared_memory: Between) -> Self {
        Self { shared_memory, ..self }
    }

    /// The number of warps of the block.
    pub fn warps(&self) -> u64 {
        self.warps
    }

    /// The least that the block can take.
    pub fn least(&self) -> Resources {
        self.of(|between| between.least)
    }

    /// What the block takes of this multiprocessor. It is rounded so that a division gives the number of
    /// blocks that the parts of the registers have room for. It is [`Demand::least`] where the units are not
    /// known.
    #[doc(hidden)]
    pub fn placed(&self, multiprocessor: &Resources) -> Resources {
        let least = self.least();
        let a_warp = round_up(self.registers_per_warp.least, self.registers_unit.least);
        let of_part = multiprocessor.registers / REGISTER_PARTS;
        match of_part.checked_div(a_warp) {
            Some(held) if held > 0 && self.registers_unit.least == self.registers_unit.most => {
                Resources { registers: self.warps.saturating_mul(of_part / held), ..least }
            }
            _ => least,
        }
    }

    /// The most that the block can take.
    pub fn most(&self) -> Resources {
        self.of(|between| between.most)
    }

    fn of(&self, end: fn(Between) -> u64) -> Resources {
        let of_a_warp = round_up(end(self.registers_per_warp), end(self.registers_unit));
        Resources {
            threads: self.warps.saturating_mul(self.warp),
            shared_memory: round_up(
                end(self.shared_memory).saturating_add(end(self.reserved)),
                end(self.shared_unit),
            ),
            registers: self.warps.saturating_mul(of_a_warp),
            blocks: 1,
        }
    }
}
