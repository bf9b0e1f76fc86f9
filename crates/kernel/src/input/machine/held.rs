//! Latencies of accesses to what L2 holds.

use std::collections::BTreeMap;

use crate::input::machine::{NamedMachine, Number};
use warpspan_listing::machine::HELD;
use warpspan_model::machine::{Latency, Letter, MachineError};

/// What L2 holds of what instructions access.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Holds {
    /// Nothing for certain.
    #[default]
    Nothing,
    /// All.
    All,
    /// Some of it, which letters of their own access ([`HELD`]).
    Some,
}

impl NamedMachine {
    /// The same machine where L2 holds what its letters access, or some of it; none if no letter says how long that takes. Which letters say
    /// it, and are not given by a user, [`NamedMachine::assumptions`] names. Where `fastest` is given, the fastest access takes as many
    /// cycles, and the others as much longer as they do. Where L2 holds some of it, letters stay as they are, since other accesses have them
    /// too, and [`NamedMachine::latencies_in_l2`] has the latencies.
    ///
    /// # Errors
    /// If a number does not suit the machine.
    pub fn with_data_in_l2(
        mut self,
        holds: Holds,
        fastest: Option<u64>,
    ) -> Result<Option<Self>, MachineError> {
        let mut says = false;
        let now = self.letters.values().filter_map(|origin| origin.in_l2).min().unwrap_or_default();
        let later = |most: u64| fastest.map_or(most, |fastest| (most - now).saturating_add(fastest));
        for letter in self.machine.letters().to_vec() {
            let Some(origin) = self.letters.get_mut(&letter.name) else { continue };
            let Some(most) = origin.in_l2.map(later) else { continue };
            says = true;
            // What a user says of a letter counts.
            if origin.given.contains(&Number::Latency) {
                origin.in_l2 = None;
                continue;
            }
            // It takes no longer than an access to DRAM.
            let most = most.min(letter.latency.most);
            origin.in_l2 = Some(most);
            if holds != Holds::All {
                continue;
            }
            origin.assumed.retain(|&number| number != Number::Latency);
            let latency = Latency { least: letter.latency.least.min(most), most };
            self.machine = self.machine.with_letter(Letter { latency, ..letter })?;
        }
        self.holds = holds;
        Ok(says.then_some(self))
    }

    /// The most cycles of an access to what L2 holds, by the names of letters.
    pub fn latencies_in_l2(&self) -> BTreeMap<String, u64> {
        let all = self.letters.iter().filter(|_| self.holds != Holds::Nothing);
        all.filter_map(|(name, origin)| Some((name.clone(), origin.in_l2?))).collect()
    }

    /// The latencies of those of these letters whose data is taken to be in L2.
    pub(super) fn in_l2(&self, letters: &[&str]) -> Vec<String> {
        let is_used = |name: &str| match self.holds {
            Holds::Nothing => false,
            Holds::All => letters.iter().any(|used| used.eq_ignore_ascii_case(name)),
            Holds::Some => letters.iter().any(|used| used.strip_suffix(HELD) == Some(name)),
        };
        let of = |(name, most): (&String, u64)| format!("{name} {most}");
        let all = self.letters.iter().filter(|(name, _)| is_used(name));
        all.filter_map(|(name, origin)| Some((name, origin.in_l2?))).map(of).collect()
    }
}
