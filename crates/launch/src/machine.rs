//! The machine of a question.

use crate::Failure;
use crate::texts::File;
use warpspan_kernel::input::{MemoryFlags, NamedMachine, find_machine, read_machine};
use warpspan_model::machine::{Latency, MachineError};
use warpspan_model::time::Clock;

/// Where the numbers of a machine are from.
#[derive(Debug, Clone)]
pub enum MachineFrom {
    /// A GPU or a compute capability that the program knows. Where there are files, the name of one will do.
    Name(String),
    /// The text of a machine file.
    File(File),
}

/// The numbers of a machine.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// Where they are from; none for those of the GPU.
    pub machine: Option<MachineFrom>,
    /// Latencies of letters in cycles, instead of their own.
    pub latency_of: Vec<(String, Latency)>,
    /// The cycles for which letters hold a unit, instead of their own.
    pub hold_of: Vec<(String, u64)>,
    /// Transactions of memory instructions: `LABEL=N`.
    pub transactions: Vec<String>,
    /// What is said of the DRAM.
    pub memory: MemoryFlags,
}

impl MachineFrom {
    /// What the user calls it.
    pub(crate) fn place(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::File(file) => &file.place,
        }
    }
}

impl Numbers {
    /// The machine with these numbers at a clock: that of a GPU if none is named.
    ///
    /// # Errors
    /// If there is no such machine, or a number does not suit it.
    pub fn machine(&self, gpu: &str, clock: Option<Clock>) -> Result<NamedMachine, Failure> {
        let (given, found) = match &self.machine {
            None => (gpu, find_machine(gpu)?),
            Some(MachineFrom::Name(given)) => (given.as_str(), find_machine(given)?),
            Some(MachineFrom::File(File { place, text })) => {
                let machine = read_machine(place, text)?;
                let name = if machine.name.is_empty() { place.clone() } else { machine.name.clone() };
                (place.as_str(), NamedMachine { name, ..machine })
            }
        };
        let wrong = |what: MachineError| Failure::usage(format!("--machine {given}: {what}"));
        let mut machine = found;
        for (letter, latency) in &self.latency_of {
            let wrong = |what| Failure::usage(format!("--latency-of: {what}"));
            machine = machine.with_latency(letter, *latency).map_err(wrong)?;
        }
        for &(ref letter, occupancy) in &self.hold_of {
            let wrong = |what| Failure::usage(format!("--hold-of: {what}"));
            machine = machine.with_occupancy(letter, occupancy).map_err(wrong)?;
        }
        // What a link adds to latencies it adds to those that are given too.
        machine.with_flags(&self.memory, clock).map_err(wrong)
    }
}
