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
    /// In so many cycles there is one pause at most.
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
        let dram = self.memory.iter().position(|server| server.name == "DRAM");
        let (Some(pauses), Some(dram)) = (self.idle_pauses, dram) else { return Ok(None) };
        if self.memory[dram].others.is_some() {
            let what = "server DRAM: others: want none where nothing else uses it";
            return Err(MachineError::Server(what.to_owned()));
        }
        for letter in self.machine.letters() {
            let Some(origin) = self.letters.get_mut(&letter.name) else { continue };
            let is_given = origin.given.contains(&Number::Latency);
            // Others on the DRAM make no access faster.
            let most = origin.in_idle_dram.map(|most| most.min(letter.latency.most));
            origin.in_idle_dram = most.filter(|_| !is_given);
        }
        let Some(now) = self.fastest_in_idle_dram() else { return Ok(None) };
        for letter in self.machine.letters().to_vec() {
            let Some(origin) = self.letters.get_mut(&letter.name) else { continue };
            let Some(most) = &mut origin.in_idle_dram else { continue };
            *most = idle.fastest.map_or(*most, |fastest| (*most - now).saturating_add(fastest));
            origin.assumed.retain(|&number| number != Number::Latency);
            let latency = Latency { least: letter.latency.least.min(*most), most: *most };
            self.machine = self.machine.with_letter(Letter { latency, ..letter })?;
        }
        let [length, every] = [idle.pause.unwrap_or(pauses.length), pauses.every];
        self.idle_pauses = Some(IdlePauses { length, every });
        let mut memory = self.memory.clone();
        // Latencies leave them out, also those of code of which nobody knows what it asks the DRAM.
        let [length, every] = [length, every].map(Length::Cycles);
        memory[dram].pauses = Some(Stops { length, every, postponed: 0, of_all: true });
        let clock = self.clock;
        Ok(Some(Self { is_idle: true, ..self }.with_memory(memory, clock)?))
    }

    /// The most cycles of the fastest access to DRAM that nothing else uses.
    pub fn fastest_in_idle_dram(&self) -> Option<u64> {
        self.letters.values().filter_map(|origin| origin.in_idle_dram).min()
    }

    /// How the DRAM is taken to pause where nothing else uses it.
    pub(super) fn of_idle_pauses(&self) -> Option<Assumption> {
        let IdlePauses { length, every } = self.idle_pauses.filter(|_| self.is_idle)?;
        let value = format!("all at once or one alone, {length} cycles at most in each {every}");
        Some(Assumption::assumed(Id::DramPausesTogether, "channels of the DRAM that pause", value))
    }

    /// The latencies of those of these letters that access DRAM which nothing else uses.
    pub(super) fn in_idle_dram(&self, letters: &[&str]) -> Vec<String> {
        let is_used = |name: &str| letters.iter().any(|used| used.eq_ignore_ascii_case(name));
        let all = self.letters.iter().filter(|(name, _)| self.is_idle && is_used(name));
        all.filter_map(|(name, origin)| Some(format!("{name} {}", origin.in_idle_dram?))).collect()
    }
}
