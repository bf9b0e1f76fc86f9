//! Kinds of unit and the letters that use them.

use crate::code::in_name;
use crate::machine::MachineError;
use crate::machine::error::{NumberOf, in_range};
use crate::machine::server::Request;

/// An interval of latency in cycles, from an issue to the first cycle in which the warp's next instruction is
/// ready. Both ends are 1 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Latency {
    /// lo, the least.
    pub least: u64,
    /// hi, the greatest.
    pub most: u64,
}

impl Latency {
    /// The latency of one cycle: the next instruction is ready in the next cycle.
    pub const ONE: Self = Self { least: 1, most: 1 };
}

/// A kind of unit. It is a letter too, with the occupancy and latency that stand here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The name of the unit and its letter.
    pub name: String,
    /// m, the number of instances, for each scheduler if they are private.
    pub instances: u64,
    /// Whether all schedulers share the instances.
    pub shared: bool,
    /// n, the number of cycles for which an issue of the unit's letter holds an instance.
    pub occupancy: u64,
    /// The latency of the unit's letter.
    pub latency: Latency,
    /// What an issue of the unit's letter asks of each server, by their numbers; nothing of those that are left out.
    pub requests: Vec<Request>,
}

impl Unit {
    /// A unit with one private instance, an occupancy of 1 and a latency of 1.
    pub fn simple(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            instances: 1,
            shared: false,
            occupancy: 1,
            latency: Latency::ONE,
            requests: vec![],
        }
    }

    pub(super) fn check(&self) -> Result<(), MachineError> {
        in_range(NumberOf::part("unit", &self.name, "instances"), self.instances)
    }
}

/// A letter: an instruction that warps issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The name.
    pub name: String,
    /// The number of its unit, from 0.
    pub unit: usize,
    /// n, the number of cycles for which an issue holds an instance of the unit, 1 or more.
    pub occupancy: u64,
    /// The latency while no server keeps its requests waiting.
    pub latency: Latency,
    /// What an issue asks of each server, by their numbers; nothing of those that are left out.
    pub requests: Vec<Request>,
}

impl Letter {
    /// max(hi, n): the longest time in which an issue of this letter keeps its warp from issuing the next one
    /// on the same unit.
    pub fn longest(&self) -> u64 {
        self.latency.most.max(self.occupancy)
    }

    /// What an issue asks of a server.
    pub fn request(&self, server: usize) -> Request {
        self.requests.get(server).copied().unwrap_or_default()
    }

    /// Whether an issue asks anything of a server.
    pub fn asks(&self) -> bool {
        self.requests.iter().any(|request| request.amount > 0 || request.displaces > 0)
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The letter as it stands in a kernel string.
    pub fn written(&self) -> String {
        if self.name.len() == 1 { self.name.clone() } else { format!("<{}>", self.name) }
    }

    pub(super) fn check(&self, units: usize) -> Result<(), MachineError> {
        let Latency { least, most } = self.latency;
        if !self.name.starts_with(|c: char| c.is_ascii_alphabetic()) || !self.name.chars().all(in_name) {
            return Err(MachineError::Name(self.name.clone()));
        }
        if self.unit >= units {
            return Err(MachineError::NoSuchUnit(self.name.clone()));
        }
        let number = |key| NumberOf::part("letter", &self.name, key);
        in_range(number("hold"), self.occupancy)?;
        in_range(number("latency"), least)?;
        in_range(number("latency"), most)?;
        if least > most {
            return Err(MachineError::Turned { letter: self.name.clone(), least, most });
        }
        Ok(())
    }
}
