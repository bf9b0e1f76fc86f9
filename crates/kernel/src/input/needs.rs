//! What a block needs where a file leaves it out: anything up to the most that a block may have. Bounds take the most, since
//! fewer blocks then run at once, and what refutes takes the least.

use crate::input::gpu::{Device, UNLIMITED};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::{Between, Resources, WARP};
use warpspan_model::source::{MOST_REGISTERS, Spanned};

/// A number that a file leaves out.
pub(crate) const ANY: Between = Between { least: 0, most: u64::MAX };

/// What a block takes of a multiprocessor.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Needs {
    /// At most.
    pub block: Resources,
    /// At least.
    pub least: Resources,
    /// What is left out, where that makes a difference.
    pub left_out: Option<LeftOut>,
}

/// What a file leaves out of a block's needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The keys.
    keys: Vec<&'static str>,
    /// How many blocks a multiprocessor holds at once, if they need the most.
    at_once: u64,
    /// How many it would hold if a thread had [`USUAL`] registers, and a block no shared memory.
    would_be: u64,
}

/// Registers of a thread with which a full multiprocessor of any capability holds all of its threads.
const USUAL: u64 = 32;

impl Device {
    /// The most shared memory that a block may have; 0 where shared memory limits nothing.
    pub fn most_shared_memory(&self) -> u64 {
        let each = self.capability.map(|capability| capability.resident.shared_memory_per_block);
        if is_limited(self.resources.shared_memory) {
            each.unwrap_or(self.resources.shared_memory)
        } else {
            0
        }
    }

    /// What a block of this number of threads takes, with its bytes of shared memory and the registers of a thread. It takes
    /// nothing of what the GPU does not limit, since no block waits for that.
    pub fn needs(&self, threads: u64, shared_memory: Between, registers: Between) -> Needs {
        let of = |shared: u64, registers: u64| {
            let needs =
                self.demand(threads, WARP, shared, Between::exactly(registers)).placed(&self.resources);
            let limited = |need: u64, amount: u64| if is_limited(amount) { need } else { 0 };
            Resources {
                shared_memory: limited(needs.shared_memory, self.resources.shared_memory),
                registers: limited(needs.registers, self.resources.registers),
                ..needs
            }
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
        let keys: Vec<_> = left_out.into_iter().filter(|(is_open, _)| *is_open).map(|(_, key)| key).collect();
        let block = of(most_shared, most_registers);
        let usual = of(shared_memory.least, most_registers.min(registers.least.max(USUAL)));
        let [at_once, would_be] = [&block, &usual].map(|block| self.resources.fits(block));
        let left_out = (!keys.is_empty()).then_some(LeftOut { keys, at_once, would_be });
        Needs { block, least, left_out }
    }
}

/// Whether a resource of this amount is limited.
fn is_limited(amount: u64) -> bool {
    amount < UNLIMITED
}

/// What the keys `registers_per_thread` and `shared_memory` declare of the blocks of a kernel.
#[doc(hidden)]
pub fn of_block(name: &str, given: [Option<&Spanned<i64>>; 2]) -> impl Iterator<Item = Assumption> {
    let keys = [
        (Id::LaunchRegisters, "registers_per_thread", "registers of a thread"),
        (Id::LaunchShared, "shared_memory", "bytes of shared memory of a block"),
    ];
    keys.into_iter().zip(given).filter_map(move |((id, key, what), value)| {
        let value = value?.get_ref().to_string();
        Some(Assumption::declared(id, format!("{name}, {what}"), value).by(key))
    })
}

/// That the keys of some kernels are left out, as a sentence; `None` where there are none.
pub fn left_out(kernels: &[(String, LeftOut)]) -> Option<String> {
    let named: Vec<String> =
        kernels.iter().map(|(kernel, out)| format!("{} of {kernel}", out.keys.join(" and "))).collect();
    (!named.is_empty())
        .then(|| format!("{}: not given, so taken to be the most that a block may have", named.join(", ")))
}

/// What a file would gain if it gave the keys that it leaves out, a sentence for each kernel of which more blocks ran at once.
pub fn would_mend(kernels: &[(String, LeftOut)]) -> Vec<String> {
    let gains = kernels.iter().filter(|(_, out)| out.would_be > out.at_once);
    let gain = |(kernel, out): &(String, LeftOut)| {
        let LeftOut { keys, at_once, would_be } = out;
        let with = |key: &&str| match *key {
            "registers_per_thread" => format!("{USUAL} registers"),
            _ => "no shared memory".to_owned(),
        };
        let blocks = if *at_once == 1 { "block" } else { "blocks" };
        let them = if keys.len() == 1 { "it" } else { "them" };
        format!(
            "give {} of {kernel}: without {them} the bounds count {at_once} {blocks} at a time on a multiprocessor; with {} it would be \
             {would_be}",
            keys.join(" and "),
            keys.iter().map(with).collect::<Vec<_>>().join(" and ")
        )
    };
    gains.map(gain).collect()
}
