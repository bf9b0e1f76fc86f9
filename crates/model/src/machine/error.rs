//! What may be wrong with a machine, or with a workload on it.

use std::fmt;

use thiserror::Error;

/// The largest occupancy and latency, in cycles, and number of instances, schedulers and slots.
pub const MOST: u64 = 1 << 32;

/// Why numbers do not make a machine, or code and warps no workload on it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MachineError {
    /// There is no unit.
    #[error("no unit: want one [[unit]] or more")]
    NoUnit,
    /// There are too many letters.
    #[error("more than 4096 units and letters: want fewer")]
    TooMany,
    /// A number is zero.
    #[error("{0} 0: want 1 or more")]
    Zero(NumberOf),
    /// A number is too large.
    #[error("{0} {1}: want {MOST} at most")]
    Large(NumberOf, u64),
    /// The least latency is above the greatest.
    #[error("letter {letter}: latency {least} to {most}: want the least first")]
    Turned {
        /// The letter.
        letter: String,
        /// The number that should be the least.
        least: u64,
        /// The number that should be the greatest.
        most: u64,
    },
    /// A name is none.
    #[error("{0:?}: want a name of letters, digits, '.', '-' and '_' that begins with a letter")]
    Name(String),
    /// Two letters have one name.
    #[error("letter {0}: there are two of this name, in either case: want another name")]
    Twice(String),
    /// A letter uses a unit that does not exist.
    #[error("letter {0}: its unit does not exist: want the name of a [[unit]]")]
    NoSuchUnit(String),
    /// The machine has no such letter.
    #[error("letter {0}: the machine has none of this name")]
    NoLetter(String),
    /// Two servers have one name.
    #[error("server {0}: there are two of this name: want another name")]
    TwoServers(String),
    /// A letter asks of a server that does not exist.
    #[error("letter {0}: it asks of a server that does not exist: want the name of a [[server]]")]
    NoServer(String),
    /// Others take all that a server serves, or it never serves.
    #[error("server {0}: others and pauses leave nothing of it: want a rate above what they take")]
    Starved(String),
    /// A server cannot be what is said of it.
    #[error("{0}")]
    Server(String),
    /// There is no group of warps.
    #[error("no kernel is given: want a kernel and a number of warps")]
    NoGroup,
    /// A group, counting from 1, has no warps.
    #[error("group {0} has zero warps: want 1 or more")]
    NoWarps(usize),
    /// A block has no warps.
    #[error("zero warps a block: want 1 or more")]
    NoBlock,
    /// No block of a grid fits anywhere.
    #[error("zero multiprocessors or zero blocks at once: want 1 or more of each")]
    NoRoom,
    /// Counts overflow.
    #[error("more than 2^61 warps: cycle counts would overflow; use fewer")]
    Overflow,
}

impl MachineError {
    /// The name of the unit, letter or server that it is about, where it is about one.
    pub fn part(&self) -> Option<&str> {
        match self {
            Self::Twice(name) | Self::Name(name) | Self::TwoServers(name) | Self::Starved(name) => Some(name),
            Self::Turned { letter, .. } => Some(letter),
            Self::Zero(number) | Self::Large(number, _) => {
                number.part.as_ref().map(|(_, name)| name.as_str())
            }
            _ => None,
        }
    }
}

/// A number of a machine, or of a unit, a letter or a server of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberOf {
    /// The kind and the name of the part; none of the machine itself.
    part: Option<(&'static str, String)>,
    key: &'static str,
}

impl NumberOf {
    pub(super) fn machine(key: &'static str) -> Self {
        Self { part: None, key }
    }

    /// Of a part of this kind and name.
    pub(super) fn part(kind: &'static str, name: &str, key: &'static str) -> Self {
        Self { part: Some((kind, name.to_owned())), key }
    }
}

impl fmt::Display for NumberOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            None => f.write_str(self.key),
            Some((kind, name)) => write!(f, "{kind} {name}: {}", self.key),
        }
    }
}

/// Checks a number of a machine.
pub(super) fn in_range(number_of: NumberOf, number: u64) -> Result<(), MachineError> {
    match number {
        0 => Err(MachineError::Zero(number_of)),
        1..=MOST => Ok(()),
        _ => Err(MachineError::Large(number_of, number)),
    }
}
