//! What Algorithm 2 takes for granted (Pa19 section 3.3), and whether it holds.
//!
//! Where all of it holds, Algorithm 2 follows the rules of the GPU exactly, and its completion times are safe for blocks that
//! take *less* than C too: kernels are placed in a fixed order, so the k-th block starts when the (k - slots)-th of the sorted
//! ends has come, and that time never falls when a block takes longer (J. Kiefer, J. Wolfowitz, *On the theory of queues with
//! many servers*, 1955). Where something does not hold neither is so: with blocks of different sizes a shorter C can make a
//! later kernel complete later.

use std::fmt;

use crate::model::device::WARP;
use crate::model::time::Duration;
use crate::realtime::rta::System;

/// An assumption that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breach {
    /// Blocks of two kernels have different numbers of warps.
    Sizes(String, String),
    /// A multiprocessor does not hold a whole number of blocks: threads, those of a block.
    Remainder(u64, u64),
    /// A resource other than threads limits how many blocks of a kernel a multiprocessor holds: name, by it, by threads.
    Resources(String, u64, u64),
    /// Streams of different priorities.
    Priorities,
    /// A kernel that copies.
    Copies(String),
    /// A launch waited for one before it in its stream, or came just as that was complete, with others behind it.
    Stream(String),
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
            Self::Priorities => f.write_str("streams have different priorities"),
            Self::Copies(name) => write!(f, "{name} copies memory"),
            Self::Stream(name) => {
                write!(f, "a launch of {name} may have to wait for the one before it in its stream")
            }
        }
    }
}

/// What does not hold of a system whatever its kernels do in time.
pub fn breaches(system: &System) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let tasks = system.tasks();
    let Some(first) = tasks.first() else { return breaches };
    let room = system.gpu().resources;
    if let Some(other) = tasks.iter().find(|task| task.block.threads != first.block.threads) {
        breaches.push(Breach::Sizes(first.name.clone(), other.name.clone()));
    } else if !room.threads.is_multiple_of(first.block.threads) {
        breaches.push(Breach::Remainder(room.threads, first.block.threads));
    }
    let limited = tasks.iter().find_map(|task| {
        let (fit, threads) = (room.fits(&task.block), room.threads / task.block.threads);
        (fit < threads).then(|| Breach::Resources(task.name.clone(), fit, threads))
    });
    breaches.extend(limited);
    if system.streams().windows(2).any(|pair| pair[0].priority != pair[1].priority) {
        breaches.push(Breach::Priorities);
    }
    let copies = tasks.iter().find(|task| task.copy_in > Duration(0) || task.copy_out > Duration(0));
    breaches.extend(copies.map(|task| Breach::Copies(task.name.clone())));
    breaches
}

/// `b_max` of Pa19 Eq. 3.6, the threads of the one big multiprocessor, in whole warps.
pub fn big_multiprocessor(system: &System) -> u64 {
    system.gpu().resources.threads / WARP * WARP * system.gpu().multiprocessors
}
