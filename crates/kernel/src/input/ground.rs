//! What verdicts assume of the memory that all multiprocessors share.

use crate::input::{NamedMachine, NamedServer};
use warpspan_model::assumption::Assumption;
use warpspan_model::device::Preset;
use warpspan_model::machine::Role;

/// The condition of verdicts on code of L and C, where times are those of a clock.
pub const OF_PAPER: &str = "multiprocessors are those of the paper's model, without latencies and memory";

/// What is known of the memory of a GPU besides the numbers of its machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ground {
    /// The servers as they are named: which rates are assumed, and where they are from.
    pub memory: Vec<NamedServer>,
    /// The GPU, if it is one that the program knows. No copy moves more than its data sheet says.
    pub preset: Option<Preset>,
    /// The clock of code; none where none is declared.
    pub clock: Option<Assumption>,
    /// Whether code moves data behind the multiprocessors.
    pub moves: bool,
    /// Whether code moves data behind the multiprocessors, while the machine has no server that says how fast.
    pub without_limit: bool,
}

impl Ground {
    /// What is known of the memory of a machine. `moves` says whether code moves data behind the multiprocessors.
    pub fn of(machine: &NamedMachine, moves: bool) -> Self {
        Self {
            memory: machine.memory.clone(),
            preset: machine.preset,
            clock: None,
            moves,
            without_limit: moves && machine.machine.server(Role::Dram).is_none(),
        }
    }
}
