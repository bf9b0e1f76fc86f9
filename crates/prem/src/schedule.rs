//! The four time-triggered schedules of Kr19 section 3.2.5.

use crate::mode::places;
use crate::offset::{Offsets, allowed_prefetch, allowed_writeback, writeback_base};
use crate::{LONGEST, Mode, Phase, Phases, ScheduleError, TileSet};
use warpspan_model::time::Nanoseconds;

/// Blocks that start together: all blocks of a kernel, or one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The index of the kernel, from 0.
    pub kernel: usize,
    /// The index of the block, from 0; `None` for all blocks of the kernel.
    pub block: Option<u64>,
    /// The time from the start of a hyperperiod to the prefetch.
    pub prefetch: Nanoseconds,
    /// The time from the start of a hyperperiod to the writeback. Where whole tiles are scheduled it is
    /// planned, and blocks do not wait for it.
    pub writeback: Nanoseconds,
}

/// The place of a phase in a hyperperiod: it begins at `up_to(anchor) + shift` and takes `length`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// The time that the block waits for, before rounding to the timer.
    pub(super) anchor: Nanoseconds,
    /// The time from there to the phase.
    pub(super) shift: Nanoseconds,
    /// The length of the phase.
    pub(super) length: Nanoseconds,
}

/// A schedule, in which each slot processes a tile in every hyperperiod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    tile_set: TileSet,
    mode: Mode,
    slots: Vec<Slot>,
    hyperperiod: Nanoseconds,
    offsets: Option<Offsets>,
}

impl Schedule {
    /// The schedule with evenly spaced slots, in the order of kernels and blocks (Kr19 section 3.2.5).
    ///
    /// Let s = 0..S be the slots, `d` and `e` the offsets of prefetch and writeback, and let durations be
    /// rounded up to the timer. Then slot s has its prefetch at s d, and
    ///
    /// | | writeback at | hyperperiod |
    /// |---|---|---|
    /// | whole tiles | after the computation | `T_hyper = max(S d, longest tile)` |
    /// | phases | `T_WBoff + s e` | `T_hyper = max over s of (T_WBoff + s e + T_WB)` |
    ///
    /// where `T_WBoff = max over s of (s d + T_PF)`, or the end of the computation for a single slot. For
    /// equal kernels these are Kr19's formulas, except that S counts slots where Kr19's formulas for the
    /// block-wise modes count kernels.
    ///
    /// # Errors
    /// If an offset is below what the mode allows, or if the run is too long.
    pub fn uniform(tile_set: &TileSet, mode: Mode, offsets: Offsets) -> Result<Self, ScheduleError> {
        let timer = tile_set.timer();
        let places = places(tile_set, mode);
        let phases = |&(kernel, _): &(usize, Option<u64>)| tile_set.kernels()[kernel].phases;
        let all: Vec<Phases> = places.iter().map(phases).collect();
        let count = all.len() as u64;
        let Offsets { prefetch: d, writeback: e } = offsets;
        if d.signed().max(e.signed()) * i128::from(count) > LONGEST.signed() {
            return Err(ScheduleError::TooLong);
        }
        let mut slots = Vec::new();
        let mut hyperperiod;
        if mode.times_writebacks() {
            let low = |phase, found, least| ScheduleError::Offset { phase, mode, found, least };
            let least = allowed_prefetch(&all, timer);
            if d < least {
                return Err(low(Phase::Prefetch, d, least));
            }
            let least = allowed_writeback(&all, timer, d);
            if e < least {
                return Err(low(Phase::Writeback, e, least));
            }
            let base = writeback_base(&all, timer, d);
            let base = Nanoseconds(u64::try_from(base).map_err(|_| ScheduleError::TooLong)?);
            hyperperiod = Nanoseconds::ZERO;
            for (s, (&(kernel, block), phases)) in (0..).zip(places.iter().zip(&all)) {
                let writeback = base + e * s;
                slots.push(Slot { kernel, block, prefetch: d * s, writeback });
                hyperperiod = hyperperiod.max(writeback + phases.writeback.round_up_to(timer));
            }
        } else {
            hyperperiod = d * count;
            for (s, (&(kernel, block), phases)) in (0..).zip(places.iter().zip(&all)) {
                let writeback = d * s + phases.prefetch + phases.compute;
                slots.push(Slot { kernel, block, prefetch: d * s, writeback });
                hyperperiod = hyperperiod.max(phases.tile().round_up_to(timer));
            }
        }
        Ok(Self { offsets: Some(offsets), ..Self::of_slots(tile_set, mode, slots, hyperperiod)? })
    }

    /// The schedule with these slots in a hyperperiod.
    ///
    /// # Errors
    /// If a block would have to begin a phase before it has ended the phase before, whatever the start; or if
    /// the run is too long.
    pub fn of_slots(
        tile_set: &TileSet,
        mode: Mode,
        slots: Vec<Slot>,
        hyperperiod: Nanoseconds,
    ) -> Result<Self, ScheduleError> {
        let timer = tile_set.timer();
        // The least distance of two starts that are this far apart before they are rounded up to the timer.
        let between = |length: i128| length.div_euclid(timer.signed()) * timer.signed();
        let most = tile_set.kernels().iter().map(|kernel| kernel.tiles).max().unwrap_or(0);
        let offset = slots.iter().map(|slot| slot.prefetch.max(slot.writeback)).max().unwrap_or_default();
        let run = hyperperiod.signed().saturating_mul(i128::from(most)) + offset.signed();
        if run > LONGEST.signed() / 2 {
            return Err(ScheduleError::TooLong);
        }
        for slot in &slots {
            let kernel = &tile_set.kernels()[slot.kernel];
            let soon = |phase| ScheduleError::TooSoon { kernel: kernel.name.clone(), phase };
            let (prefetch, writeback) = (slot.prefetch.signed(), slot.writeback.signed());
            let computed = (kernel.phases.prefetch + kernel.phases.compute).signed();
            let next = hyperperiod.signed() + prefetch;
            if mode.times_writebacks() {
                if between(writeback - prefetch) < computed {
                    return Err(soon(Phase::Writeback));
                }
                if between(next - writeback) < kernel.phases.writeback.signed() {
                    return Err(soon(Phase::Prefetch));
                }
            } else if between(next - prefetch) < kernel.phases.tile().signed() {
                return Err(soon(Phase::Prefetch));
            }
        }
        Ok(Self { tile_set: tile_set.clone(), mode, slots, hyperperiod, offsets: None })
    }

    /// The kernels that are scheduled.
    pub fn tile_set(&self) -> &TileSet {
        &self.tile_set
    }

    /// The mode of the schedule.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The slots, in the order of kernels and blocks.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Kr19's `T_hyper`.
    pub fn hyperperiod(&self) -> Nanoseconds {
        self.hyperperiod
    }

    /// The offsets, if the slots are evenly spaced.
    pub fn offsets(&self) -> Option<Offsets> {
        self.offsets
    }

    /// The durations of a slot's phases.
    pub fn phases(&self, slot: &Slot) -> Phases {
        self.tile_set.kernels()[slot.kernel].phases
    }

    /// The number of tiles that a slot processes.
    pub fn tiles(&self, slot: &Slot) -> u64 {
        self.tile_set.kernels()[slot.kernel].tiles
    }

    /// The place of a phase of a slot in a hyperperiod.
    pub(super) fn window(&self, slot: &Slot, phase: Phase) -> Window {
        let phases = self.phases(slot);
        let length = phases.of(phase);
        let (anchor, shift) = match phase {
            Phase::Prefetch => (slot.prefetch, Nanoseconds::ZERO),
            Phase::Compute => (slot.prefetch, phases.prefetch),
            Phase::Writeback if self.mode.times_writebacks() => (slot.writeback, Nanoseconds::ZERO),
            Phase::Writeback => (slot.prefetch, phases.prefetch + phases.compute),
        };
        Window { anchor, shift, length }
    }

    /// The time at which hyperperiod `tile` (from 0) begins, before rounding to the timer.
    pub fn begins(&self, tile: u64) -> Nanoseconds {
        self.tile_set.start() + self.tile_set.warm_up() + self.hyperperiod * tile
    }

    /// The start of a phase of tile `tile` (from 0): by the formulas, and rounded to the timer (Kr19's
    /// `PF_start` and `WB_start`).
    pub fn start(&self, slot: &Slot, tile: u64, phase: Phase) -> (Nanoseconds, Nanoseconds) {
        let Window { anchor, shift, .. } = self.window(slot, phase);
        let planned = self.begins(tile) + anchor;
        (planned + shift, planned.round_up_to(self.tile_set.timer()) + shift)
    }

    /// The end of a phase of tile `tile` (from 0) that takes its worst-case duration.
    pub fn end(&self, slot: &Slot, tile: u64, phase: Phase) -> Nanoseconds {
        self.start(slot, tile, phase).1 + self.phases(slot).of(phase)
    }

    /// The number of hyperperiods after which rounding to the timer repeats.
    pub fn pattern(&self) -> u64 {
        let timer = self.tile_set.timer().0;
        timer / num_integer::gcd(timer, self.hyperperiod.0)
    }

    /// The most that rounding to the timer delays a start.
    pub fn largest_delay(&self) -> Nanoseconds {
        let timed = |slot: &Slot, phase: Phase| {
            let tiles = self.pattern().min(self.tiles(slot));
            let delay = |tile| {
                let (planned, started) = self.start(slot, tile, phase);
                started - planned
            };
            (0..tiles).map(delay).max().unwrap_or_default()
        };
        let phases = [Phase::Prefetch, Phase::Writeback];
        self.slots.iter().flat_map(|slot| phases.map(|phase| timed(slot, phase))).max().unwrap_or_default()
    }
}
