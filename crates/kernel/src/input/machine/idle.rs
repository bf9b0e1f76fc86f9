//! Latencies of accesses to DRAM that nothing else uses, and the pauses in which it serves nothing.

use crate::input::machine::{NamedMachine, Number};
use crate::input::memory::{Length, Stops};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::machine::{Latency, Letter, MachineError};

/// For how long DRAM may serve nothing that nothing else uses, as a machine says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdlePauses {
    /// The cycles of a pause.
    pub length: u64,
    /// The cycles in which one comes at most.
    pub every: u64,
}

/// DRAM that nothing else uses, where somebody declares that. Numbers that are not given are those of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IdleDram {
    /// The most cycles of the fastest access; slower ones take as much longer as they do on the machine.
    pub fastest: Option<u64>,
    /// The cycles of a pause.
    pub pause: Option<u64>,
}

impl NamedMachine {
    /// The same machine where nothing else uses the DRAM: letters take no longer than accesses to idle DRAM, and the DRAM pauses, all channels
    /// together or one alone (Theorem W of `docs/servers.md`), in place of the pauses that it has where others use it too. None if the machine
    /// does not say how long that takes, or has no DRAM.
    /// Letters whose latency a user gives stay as they are.
    ///
    /// # Errors
    /// If a number does not suit the machine.
    pub fn with_idle_dram(mut self, idle: IdleDram) -> Result<Option<Self>, MachineError> {
        let Some(pauses) = self.idle_pauses else { return Ok(None) };
        let now = self.letters.values().filter_map(|origin| origin.in_idle_dram).min();
        let (Some(now), Some(dram)) = (now, self.memory.iter().position(|server| server.name == "DRAM"))
        else {
            return Ok(None);
        };
        for letter in self.machine.letters().to_vec() {
            let Some(origin) = self.letters.get_mut(&letter.name) else { continue };
            let Some(most) = origin.in_idle_dram else { continue };
            if origin.given.contains(&Number::Latency) {
                origin.in_idle_dram = None;
                continue;
            }
            // Others on the DRAM make no access faster.
            let of_machine = most.min(letter.latency.most);
            let most = idle.fastest.map_or(of_machine, |fastest| (most - now).saturating_add(fastest));
            origin.in_idle_dram = Some(most);
            origin.assumed.retain(|&number| number != Number::Latency);
            let latency = Latency { least: letter.latency.least.min(most), most };
            self.machine = self.machine.with_letter(Letter { latency, ..letter })?;
        }
        let IdlePauses { length, every } =
            IdlePauses { length: idle.pause.unwrap_or(pauses.length), ..pauses };
        let mut memory = self.memory.clone();
        memory[dram].pauses =
            Some(Stops { length: Length::Cycles(length), every: Length::Cycles(every), postponed: 0 });
        let value = format!("all at once or one alone, {length} cycles at most in each {every}");
        memory[dram].declared.push(Assumption::assumed(
            Id::DramPausesTogether,
            "channels of the DRAM that pause",
            value,
        ));
        let clock = self.clock;
        Ok(Some(Self { is_idle: true, ..self }.with_memory(memory, clock)?))
    }

    /// The latencies of those of these letters that access DRAM which nothing else uses.
    pub(super) fn in_idle_dram(&self, letters: &[&str]) -> Vec<String> {
        let is_used = |name: &str| letters.iter().any(|used| used.eq_ignore_ascii_case(name));
        let all = self.letters.iter().filter(|(name, _)| self.is_idle && is_used(name));
        all.filter_map(|(name, origin)| Some(format!("{name} {}", origin.in_idle_dram?))).collect()
    }
}
