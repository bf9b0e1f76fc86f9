//! Servers: the memory that all multiprocessors of a GPU share.

use num_rational::Ratio;

use crate::machine::MachineError;
use crate::machine::error::{NumberOf, in_range};

/// A part of the memory behind the multiprocessors, which serves a limited amount in a cycle: DRAM, L2, or the unit
/// that does atomic operations at one address.
///
/// Amounts are bytes, or lanes where the server counts lanes. All letters that warps issue on all multiprocessors ask
/// of the same server. What it owes waits, in any order, and while it works at its full rate the results of letters may
/// be late by any number of cycles. `docs/servers.md` has the semantics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The name. `DRAM`, `L2`, `ATOMICS` and `HOST` are those that memory instructions of listings ask of.
    pub name: String,
    /// beta, the least amount that it serves in each cycle in which more than that waits.
    pub rate: Ratio<u64>,
    /// What a whole line of 128 bytes costs, as an amount.
    pub line: u64,
    /// What a sector of 32 bytes costs that comes alone in its line: as much as the server could serve in the time.
    pub lone_sector: u64,
    /// The most that is owed from before: lines of a cache that were written before the window and are written back in it.
    pub before: u64,
    /// What others take, such as the cores of a CPU.
    pub others: Others,
    /// When it serves nothing.
    pub pauses: Option<Pauses>,
}

/// What others take of a server: at most `burst + rate R` in any window of R cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Others {
    /// What they may take at once.
    pub burst: u64,
    /// What they may take in each cycle of a long window.
    pub rate: Ratio<u64>,
}

impl Others {
    /// Nobody else.
    pub const NONE: Self = Self { burst: 0, rate: Ratio::new_raw(0, 1) };
}

/// Times in which a server stops although requests wait, such as refreshes of DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses {
    /// The cycles of one pause.
    pub length: u64,
    /// The cycles from one pause to the next.
    pub every: u64,
    /// How many pauses may come together with those that are due: those that were put off, and those that come early.
    pub postponed: u64,
    /// Whether a launch waits for them of whose code nothing is known to ask the server: latencies of letters leave them out.
    pub of_all: bool,
}

/// What an issue of a letter asks of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Request {
    /// The amount.
    pub amount: u64,
    /// The most that it triggers of the work that the server owes from [before](Server::before), such as write-backs.
    pub displaces: u64,
}

/// What memory instructions of listings ask of a server, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// DRAM, to which lines that were written go back.
    Dram,
    /// The cache that all multiprocessors share.
    L2,
    /// What does atomic operations at one address, a lane after the other.
    Atomics,
    /// The link to memory of the host.
    Host,
    /// Anything else: only letters of a machine file ask of it.
    Other,
}

/// The bytes of a line of the caches.
pub const LINE: u64 = 128;
/// The bytes of a sector, of which a line has four.
pub const SECTOR: u64 = 32;

impl Server {
    /// A server of this rate, on which a line costs 128 and a sector 32, which nobody else uses and which never stops.
    pub fn simple(name: &str, rate: Ratio<u64>) -> Self {
        Self {
            name: name.to_owned(),
            rate,
            line: LINE,
            lone_sector: SECTOR,
            before: 0,
            others: Others::NONE,
            pauses: None,
        }
    }

    /// What memory instructions of listings ask of it.
    pub fn role(&self) -> Role {
        match self.name.as_str() {
            "DRAM" => Role::Dram,
            "L2" => Role::L2,
            "ATOMICS" => Role::Atomics,
            "HOST" => Role::Host,
            _ => Role::Other,
        }
    }

    pub(super) fn check(&self) -> Result<(), MachineError> {
        let what = |key| NumberOf::part("server", &self.name, key);
        if *self.rate.numer() == 0 {
            return Err(MachineError::Zero(what("rate")));
        }
        in_range(what("line"), self.line)?;
        in_range(what("lone_sector"), self.lone_sector)?;
        if let Some(Pauses { length, every, postponed, .. }) = self.pauses {
            in_range(what("pause"), length)?;
            in_range(what("pause"), every)?;
            in_range(what("postponed pauses"), postponed.max(1))?;
        }
        let pauses = self.pauses.map_or(Ratio::from(0), |pauses| Ratio::new(pauses.length, pauses.every));
        let taken = |one: Ratio<u64>| Ratio::new(u128::from(*one.numer()), u128::from(*one.denom()));
        if taken(self.others.rate) / taken(self.rate) + taken(pauses) >= Ratio::from(1) {
            return Err(MachineError::Starved(self.name.clone()));
        }
        Ok(())
    }
}
