//! The assumptions of Algorithm 2 (Pa19 section 3.3), and whether they hold.
//!
//! Where all of them hold, Algorithm 2 follows the rules of the GPU exactly, and its completion times are
//! safe for blocks that take *less* than C too: kernels are placed in a fixed order, so the k-th block starts
//! at the (k - slots)-th of the sorted ends, and that time never gets earlier when a block takes longer (J.
//! Kiefer, J. Wolfowitz, *On the theory of queues with many servers*, 1955). Where one of them does not hold,
//! neither is true: with blocks of different sizes a shorter C can make a later kernel complete later.

use std::fmt;

use crate::{Source, System};
use warpspan_model::device::WARP;
use warpspan_model::time::Duration;

/// An assumption that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breach {
    /// Blocks of two kernels have different numbers of warps.
    Sizes(String, String),
    /// A multiprocessor does not hold a whole number of blocks: it has the first number of threads, and a
    /// block the second.
    Remainder(u64, u64),
    /// A resource other than threads limits how many blocks of a kernel a multiprocessor holds. The numbers
    /// are the blocks that fit, and those that would fit by threads alone.
    Resources(String, u64, u64),
    /// The needs of a kernel's block are not given, so its threads alone count.
    Needs(String),
    /// Streams have different priorities.
    Priorities,
    /// Kernels are launched into more streams than the GPU runs kernels at once; the numbers are both.
    Streams(usize, u64),
    /// A kernel copies memory.
    Copies(String),
    /// The release of a kernel is not given, so that its first launch may come at any time.
    Release(String),
    /// Launches of a kernel may be more than a period apart.
    Sporadic(String),
    /// Launches of a kernel may be released later than they arrive.
    Jitter(String),
    /// Blocks of a kernel of code may wait for memory requests of others, so their C depends on co-running kernels.
    Memory(String),
    /// A launch waited for the one before it in its stream, or was released just as that one completed and
    /// ahead of other launches of the same time.
    Stream(String),
}

impl Breach {
    /// Whether it is that something is not given, for which estimates take what they can: Algorithm 2 and the simulator agree
    /// nevertheless.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Release(_) | Self::Needs(_))
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes(one, other) => write!(f, "blocks of {one} and {other} have different sizes"),
            Self::Remainder(room, block) => {
                write!(f, "a multiprocessor of {room} threads holds no whole number of blocks of {block}")
            }
            Self::Resources(name, fit, threads) => {
                write!(f, "{fit} blocks of {name} fit on a multiprocessor, {threads} by threads alone")
            }
            Self::Needs(name) => {
                write!(f, "what a block of {name} needs of registers or shared memory is not given")
            }
            Self::Priorities => f.write_str("streams have different priorities"),
            Self::Streams(streams, most) => {
                write!(f, "kernels are in {streams} streams, and the GPU runs {most} kernels at once")
            }
            Self::Copies(name) => write!(f, "{name} copies memory"),
            Self::Release(name) => {
                write!(f, "the first launch of {name} may come at any time, since no release is given")
            }
            Self::Sporadic(name) => write!(f, "launches of {name} may be more than a period apart"),
            Self::Jitter(name) => write!(f, "launches of {name} may be released later than they arrive"),
            Self::Memory(name) => {
                write!(
                    f,
                    "blocks of {name} may wait for the memory that all multiprocessors share, so they have no C"
                )
            }
            Self::Stream(name) => {
                write!(f, "a launch of {name} may have to wait for the one before it in its stream")
            }
        }
    }
}

/// The assumptions that the kernels themselves violate, whatever they do in time. What is not given of their blocks limits
/// nothing, and is a breach of its own.
pub fn breaches(system: &System) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let unknown = system.tasks().iter().find(|task| task.block != task.least);
    breaches.extend(unknown.map(|task| Breach::Needs(task.name.clone())));
    let tasks = system.tasks();
    let Some(first) = tasks.first() else { return breaches };
    let room = system.gpu().resources;
    if let Some(other) = tasks.iter().find(|task| task.block.threads != first.block.threads) {
        breaches.push(Breach::Sizes(first.name.clone(), other.name.clone()));
    } else if !room.threads.is_multiple_of(first.block.threads) {
        breaches.push(Breach::Remainder(room.threads, first.block.threads));
    }
    let limited = tasks.iter().find_map(|task| {
        let (fit, threads) = (room.fits(&task.least), room.threads / task.block.threads);
        (fit < threads).then(|| Breach::Resources(task.name.clone(), fit, threads))
    });
    breaches.extend(limited);
    if system.streams().windows(2).any(|pair| pair[0].priority != pair[1].priority) {
        breaches.push(Breach::Priorities);
    }
    breaches.extend(system.more_streams_than_run().map(|(streams, most)| Breach::Streams(streams, most)));
    let copies = tasks.iter().find(|task| task.copy_in > Duration(0) || task.copy_out > Duration(0));
    breaches.extend(copies.map(|task| Breach::Copies(task.name.clone())));
    let sporadic = tasks.iter().find(|task| task.sporadic);
    breaches.extend(sporadic.map(|task| Breach::Sporadic(task.name.clone())));
    let jitter = tasks.iter().find(|task| task.jitter > Duration(0));
    breaches.extend(jitter.map(|task| Breach::Jitter(task.name.clone())));
    let of_code = tasks.iter().find(|task| matches!(task.execution, Source::OnMachine(_)));
    let waits = of_code.filter(|_| system.asks_memory());
    breaches.extend(waits.map(|task| Breach::Memory(task.name.clone())));
    breaches
}

/// `b_max` of Pa19 Eq. 3.6: the threads of the one big multiprocessor, in whole warps.
pub fn big_multiprocessor(system: &System) -> u64 {
    system.gpu().resources.threads / WARP * WARP * system.gpu().multiprocessors
}
