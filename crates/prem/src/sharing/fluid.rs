//! A run in which the blocks in memory phases share the memory evenly.
//!
//! Between two events the rate of all blocks in memory phases is the same, so one number, how far a block
//! would have come that had been in a memory phase all the time, tells when each of them ends: it enters with
//! that number plus its work, and ends when the number has grown so far. Times are in 2^-20 ns, which rounds
//! the end of a phase by less than a millionth of a nanosecond.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::sharing::{BLOCK, Capacity};
use crate::{Phase, Schedule};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Nanoseconds;

/// What blocks wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Their start times.
    Timed,
    /// Nothing: all start at once, and go on as fast as they can (Kr19's "no scheduler").
    Never,
}

/// The parts of a nanosecond in bits.
const FINE: u32 = 20;
/// Events between two looks at the limits.
const BATCH: u32 = 4096;

/// The time from the start of the first prefetch to the end of the last writeback (Kr19's scenario execution
/// time) of a run with shared memory. This is an *estimate*. `duration` gives the time that a phase takes by
/// itself, from that of the kernel.
///
/// # Errors
/// If a limit stops it.
pub fn shared_run(
    schedule: &Schedule,
    waiting: Waiting,
    capacity: Capacity,
    limits: &Limits,
    duration: impl FnMut(Nanoseconds) -> Nanoseconds,
) -> Result<Nanoseconds, Stop> {
    let slots = schedule.slots().iter().enumerate();
    let kernels = schedule.tile_set().kernels();
    let blocks = slots.flat_map(|(n, slot)| {
        let together = slot.block.map_or(kernels[slot.kernel].blocks, |_| 1);
        (0..together).map(move |_| Block { slot: n, tile: 0, phase: Phase::Prefetch })
    });
    let mut run = Run {
        schedule,
        waiting,
        duration,
        blocks: blocks.collect(),
        memory: Memory { capacity, now: 0, done: 0, ends: BinaryHeap::new() },
        clock: BinaryHeap::new(),
        first: None,
    };
    for block in 0..run.blocks.len() {
        run.wait(block);
    }
    let mut events = 0_u32;
    while run.step() {
        events = events.wrapping_add(1);
        if events.is_multiple_of(BATCH)
            && let Some(stop) = limits.stopped()
        {
            return Err(stop);
        }
    }
    let time = run.memory.now.saturating_sub(run.first.unwrap_or(0));
    Ok(Nanoseconds(u64::try_from((time + (1 << (FINE - 1))) >> FINE).unwrap_or(u64::MAX)))
}

/// A block and the phase that it is in or waits for.
struct Block {
    slot: usize,
    tile: u64,
    phase: Phase,
}

struct Run<'a, D> {
    schedule: &'a Schedule,
    waiting: Waiting,
    duration: D,
    blocks: Vec<Block>,
    memory: Memory,
    /// When a block begins a memory phase.
    clock: BinaryHeap<Reverse<(u128, usize)>>,
    /// The start of the first prefetch.
    first: Option<u128>,
}

impl<D: FnMut(Nanoseconds) -> Nanoseconds> Run<'_, D> {
    /// Goes to the next event: a memory phase that ends or one that begins; false if there is none.
    fn step(&mut self) -> bool {
        let end = self.memory.next_end();
        let begin = self.clock.peek().map(|&Reverse((at, _))| at);
        match (end, begin) {
            (None, None) => return false,
            (Some(end), begin) if begin.is_none_or(|begin| end <= begin) => self.end(end),
            _ => self.begin(),
        }
        true
    }

    /// The first memory phase that is under way ends at this time.
    fn end(&mut self, at: u128) {
        let Some(index) = self.memory.end(at) else { return };
        let block = &mut self.blocks[index];
        let slot = &self.schedule.slots()[block.slot];
        if block.phase == Phase::Prefetch {
            block.phase = Phase::Writeback;
            let computed = (self.duration)(self.schedule.phases(slot).compute);
            self.wait_after(index, at + (u128::from(computed.0) << FINE));
        } else {
            block.tile += 1;
            block.phase = Phase::Prefetch;
            if block.tile < self.schedule.tiles(slot) {
                self.wait(index);
            }
        }
    }

    /// The next memory phase begins.
    fn begin(&mut self) {
        let Some(Reverse((at, index))) = self.clock.pop() else { return };
        self.first.get_or_insert(at);
        let block = &self.blocks[index];
        let slot = &self.schedule.slots()[block.slot];
        let work = (self.duration)(self.schedule.phases(slot).of(block.phase));
        self.memory.begin(at, index, u128::from(work.0) << FINE);
    }

    fn wait(&mut self, index: usize) {
        self.wait_after(index, self.memory.now);
    }

    /// The block may begin its memory phase from `free` on, and does so at its start time or, late, at once.
    fn wait_after(&mut self, index: usize, free: u128) {
        let block = &self.blocks[index];
        let slot = &self.schedule.slots()[block.slot];
        let timed = self.waiting == Waiting::Timed
            && (block.phase == Phase::Prefetch || self.schedule.mode().times_writebacks());
        let start =
            if timed { self.schedule.start(slot, block.tile, block.phase).1 } else { Nanoseconds::ZERO };
        self.clock.push(Reverse((free.max(u128::from(start.0) << FINE), index)));
    }
}

/// The memory and the blocks in memory phases.
struct Memory {
    capacity: Capacity,
    now: u128,
    /// How far a block has come that has been in a memory phase from the beginning.
    done: u128,
    /// What `done` is when the phase of a block ends.
    ends: BinaryHeap<Reverse<(u128, usize)>>,
}

impl Memory {
    /// The rate of each block as a ratio.
    fn rate(&self) -> (u128, u128) {
        let asked = u128::from(BLOCK) * self.ends.len() as u128;
        (asked.min(self.capacity.0.into()), asked)
    }

    fn next_end(&self) -> Option<u128> {
        let &Reverse((end, _)) = self.ends.peek()?;
        let (served, asked) = self.rate();
        Some(self.now + (end.saturating_sub(self.done) * asked).div_ceil(served))
    }

    fn begin(&mut self, at: u128, block: usize, work: u128) {
        if !self.ends.is_empty() {
            let (served, asked) = self.rate();
            self.done += (at - self.now) * served / asked;
        }
        self.now = at;
        self.ends.push(Reverse((self.done + work, block)));
    }

    fn end(&mut self, at: u128) -> Option<usize> {
        let Reverse((end, block)) = self.ends.pop()?;
        self.now = at;
        self.done = self.done.max(end);
        Some(block)
    }
}
