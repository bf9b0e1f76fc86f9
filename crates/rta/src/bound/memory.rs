//! For how long the memory that all multiprocessors share may keep the launches of a window waiting.
//!
//! A cycle in which a result is late because of a server is one in which that server works at its full rate, so what is
//! asked of it in the window gives at most so many such cycles (`docs/servers.md`). The window of a bound is the bound
//! itself: from the release of a launch to its completion. In it issue the launches of its own stream up to it, and
//! every launch of another stream that is incomplete at some moment of it, with all their blocks and copies. Launches
//! arrive in real time, whether results are late or not. So with X(R) the sum without memory
//!
//! ```text
//! R = X(R) + sum over the servers j of floor((P_j + Q_j(R)) / beta_j)
//! ```
//!
//! with what others take of a server and its pauses added as in [`latency::stalls`]. Only kernels of code wait for it:
//! for a block with a given C, the effect of memory is part of C.

use std::sync::Arc;

use num_rational::Ratio;

use crate::System;
use crate::bound::NoBound;
use warpspan_engines::latency::{LatencyError, Traffic, stalls};
use warpspan_model::machine::Machine;

/// The servers, and what a launch of each kernel asks of them.
pub(super) struct Memory {
    machine: Arc<Machine>,
    of: Vec<Traffic>,
    /// The grains of a cycle.
    cycle: Ratio<u128>,
}

/// The code is a valid program, or else it would have no cost.
fn too_large(_: LatencyError) -> NoBound {
    NoBound::TooLarge
}

impl Memory {
    /// The memory of a system; none where no kernel of code asks anything of it.
    pub(super) fn new(system: &System) -> Result<Option<Self>, NoBound> {
        let Some(machine) = system.machine().filter(|_| system.asks_memory()) else { return Ok(None) };
        let cycle = system.unit().grains_per_cycle(system.gpu().clock).ok_or(NoBound::TooLarge)?;
        let of = system.traffic().map_err(too_large)?;
        Ok(Some(Self { machine: Arc::clone(machine), of, cycle }))
    }

    /// What these launches ask, each of a kernel and with a number.
    pub(super) fn asked(&self, launches: impl IntoIterator<Item = (usize, u64)>) -> Result<Traffic, NoBound> {
        let mut all = Traffic::default();
        for (kernel, launches) in launches {
            all.add_times(&self.of[kernel], launches).map_err(too_large)?;
        }
        Ok(all)
    }

    /// For how many grains of a window each server keeps results waiting in which this is asked.
    pub(super) fn late(&self, asked: &Traffic, window: u64) -> Result<Vec<u128>, NoBound> {
        let cycles = (Ratio::from(u128::from(window)) / self.cycle).ceil().to_integer();
        let cycles = i128::try_from(cycles).map_err(|_| NoBound::TooLarge)?;
        let late = stalls(&self.machine, asked, cycles).map_err(too_large)?;
        let grains = |cycles: i128| {
            let cycles = u128::try_from(cycles).ok().filter(|cycles| *cycles <= MOST)?;
            Some((self.cycle * cycles).ceil().to_integer())
        };
        late.into_iter().map(|cycles| grains(cycles).ok_or(NoBound::TooLarge)).collect()
    }

    /// What a launch of a kernel asks of a server.
    pub(super) fn of_launch(&self, kernel: usize, server: usize) -> u128 {
        u128::try_from(self.of[kernel].amount(&self.machine, server)).unwrap_or(0)
    }

    /// The name of a server.
    pub(super) fn name(&self, server: usize) -> &str {
        self.machine.servers().get(server).map_or("", |server| &server.name)
    }
}

/// Above all cycles of which grains can be counted.
const MOST: u128 = 1 << 80;
