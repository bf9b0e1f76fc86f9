//! What a block needs where a file leaves it out: anything up to the most that a block may have. Bounds take the most, since
//! fewer blocks then run at once, and what refutes takes the least.

use crate::input::gpu::{Device, UNLIMITED};
use warpspan_model::device::{Between, Resources, WARP};
use warpspan_model::source::MOST_REGISTERS;

/// A number that a file leaves out.
#[doc(hidden)]
pub const ANY: Between = Between { least: 0, most: u64::MAX };

/// What a block takes of a multiprocessor.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Needs {
    /// At most.
    #[doc(hidden)]
    pub block: Resources,
    /// At least.
    #[doc(hidden)]
    pub least: Resources,
    /// The keys of what is left out, where that makes a difference.
    #[doc(hidden)]
    pub left_out: Vec<&'static str>,
}

impl Device {
    /// The most shared memory that a block may have; 0 where shared memory limits nothing.
    #[doc(hidden)]
    pub fn most_shared_memory(&self) -> u64 {
        let each = self.capability.map(|capability| capability.resident.shared_memory_per_block);
        if is_limited(self.resources.shared_memory) {
            each.unwrap_or(self.resources.shared_memory)
        } else {
            0
        }
    }

    /// What a block of so many threads takes, with its bytes of shared memory and the registers of a thread.
    #[doc(hidden)]
    pub fn needs(&self, threads: u64, shared_memory: Between, registers: Between) -> Needs {
        let of = |shared: u64, registers: u64| {
            self.demand(threads, WARP, shared, Between::exactly(registers)).placed(&self.resources)
        };
        let fits = |block: &Resources| self.resources.fits(block) > 0;
        let least = of(shared_memory.least, registers.least);
        let most_registers = if is_limited(self.resources.registers) {
            let most = registers.most.min(MOST_REGISTERS).max(registers.least);
            let is_possible = |&one: &u64| fits(&of(shared_memory.least, one));
            (registers.least..=most).rev().find(is_possible).unwrap_or(registers.least)
        } else {
            registers.least
        };
        let most = shared_memory.most.min(self.most_shared_memory()).max(shared_memory.least);
        // Where the system keeps some of it for itself, a block may have less.
        let is_possible = |&one: &u64| fits(&of(one, registers.least));
        let mut steps = std::iter::once(most).chain((shared_memory.least..most).rev().step_by(128));
        let most_shared = steps.find(is_possible).unwrap_or(shared_memory.least);
        let left_out = [
            (most_registers > registers.least, "registers_per_thread"),
            (most_shared > shared_memory.least, "shared_memory"),
        ];
        let left_out = left_out.into_iter().filter(|(is_open, _)| *is_open).map(|(_, key)| key).collect();
        Needs { block: of(most_shared, most_registers), least, left_out }
    }
}

/// Whether a resource of this amount is limited.
fn is_limited(amount: u64) -> bool {
    amount < UNLIMITED
}

/// That the keys of some kernels are left out, as a sentence; `None` where there are none.
#[doc(hidden)]
pub fn left_out(kernels: &[(String, Vec<&'static str>)]) -> Option<String> {
    let named: Vec<String> = kernels
        .iter()
        .filter(|(_, keys)| !keys.is_empty())
        .map(|(kernel, keys)| format!("{} of {kernel}", keys.join(" and ")))
        .collect();
    (!named.is_empty())
        .then(|| format!("{}: not given, so taken to be the most that a block may have", named.join(", ")))
}
