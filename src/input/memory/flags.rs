//! What a person says of the DRAM of a GPU.

use thiserror::Error;

use crate::input::memory::quantity::{Rate, gigabytes};
use crate::input::memory::server::NamedServer;
use crate::model::device::Preset;
use crate::model::machine::LINE;
use crate::model::time::Clock;

/// What a person says of the DRAM of a GPU.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFlags {
    /// The least rate at which it serves whole lines.
    pub rate: Option<Share>,
    /// Its clock, where power modes lower it.
    pub clock: Option<Clock>,
    /// What others take of it, such as the cores of a CPU.
    pub others: Option<Rate>,
    /// That nothing is known of how addresses are spread over its channels and banks, so all may be in one bank.
    pub one_bank: bool,
}

/// A rate, or so many percent of the data sheet's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// A rate.
    Rate(Rate),
    /// A hundredth of a percent of the data sheet.
    Parts(u64),
}

/// Why what is said of a DRAM cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MemoryError {
    /// The machine has no DRAM.
    #[error(
        "the machine has no server DRAM: want a GPU that `gpus` lists, or a [[server]] in the machine file"
    )]
    NoDram,
    /// Only the data sheet of a GPU makes a percentage a rate.
    #[error("{0}: no data sheet is known: want a GPU that `gpus` lists, or a rate as 140GB/s")]
    NoSheet(&'static str),
    /// More than the data sheet says.
    #[error("{0} is more than the data sheet's {1} GB/s: want a rate that the DRAM moves at least")]
    Above(String, String),
    /// The clock is above that of the data sheet.
    #[error("{0} MHz is above the data sheet's {1} MHz: want the clock of the DRAM")]
    Clock(String, String),
}

/// How long a DRAM takes for requests that all fall into one bank, from one row to the next: the longest of the
/// standards of LPDDR, GDDR and HBM.
const ROW_CYCLE: u64 = 60_000;

impl Share {
    /// `140GB/s`, or `70%`.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn read(text: &str) -> Result<Self, String> {
        match text.trim().strip_suffix('%') {
            None => Rate::read(text).map(Self::Rate),
            Some(percent) => crate::model::time::decimal::read(percent.trim(), 2)
                .ok()
                .filter(|parts| (1..=10_000).contains(parts))
                .map(Self::Parts)
                .ok_or_else(|| {
                    format!("{text:?}: want per cent of the data sheet above 0 and up to 100, as 70%")
                }),
        }
    }
}

impl MemoryFlags {
    /// The servers as these flags change them. `preset` is the GPU whose data sheet counts.
    ///
    /// # Errors
    /// If there is no DRAM, or what is said of it cannot be.
    pub fn apply(&self, servers: &mut [NamedServer], preset: Option<&Preset>) -> Result<(), MemoryError> {
        if *self == Self::default() {
            return Ok(());
        }
        let dram = servers.iter_mut().find(|server| server.name == "DRAM").ok_or(MemoryError::NoDram)?;
        let sheet = preset.map(|preset| preset.memory.dram_bytes_per_second);
        match self.rate {
            None => {}
            Some(Share::Parts(parts)) => {
                let sheet = sheet.ok_or(MemoryError::NoSheet("--dram-rate in per cent"))?;
                let bytes = u128::from(sheet) * u128::from(parts) / 10_000;
                dram.rate = Rate::PerSecond(u64::try_from(bytes).unwrap_or(sheet));
                dram.assumed = None;
                dram.sources = "--dram-rate".to_owned();
            }
            Some(Share::Rate(rate)) => {
                if let (Rate::PerSecond(bytes), Some(sheet)) = (rate, sheet)
                    && bytes > sheet
                {
                    return Err(MemoryError::Above(rate.text(), gigabytes(sheet)));
                }
                dram.rate = rate;
                dram.assumed = None;
                dram.sources = "--dram-rate".to_owned();
            }
        }
        if let Some(clock) = self.clock {
            let full = preset.and_then(|preset| preset.memory.dram_kilohertz);
            let full = full.ok_or(MemoryError::NoSheet("--dram-clock"))?;
            let kilohertz = clock.hertz() / 1000;
            if kilohertz > full {
                let sheet = Clock::from_hertz(full * 1000).map(Clock::megahertz).unwrap_or_default();
                return Err(MemoryError::Clock(clock.megahertz(), sheet));
            }
            // A rate that a person vouches for is that at the clock which is said beside it.
            if self.rate.is_none()
                && let Rate::PerSecond(bytes) = dram.rate
            {
                let slower = u128::from(bytes) * u128::from(kilohertz) / u128::from(full.max(1));
                dram.rate = Rate::PerSecond(u64::try_from(slower).unwrap_or(bytes).max(1));
                dram.assumed = dram.assumed.take().map(|_| super::server::moves("DRAM", dram.rate));
                dram.sources = format!("{} at {} MHz", dram.sources, clock.megahertz());
            }
        }
        if self.one_bank {
            // A row is opened for each line.
            let bytes = u128::from(LINE) * 1_000_000_000_000 / u128::from(ROW_CYCLE);
            let bytes = u64::try_from(bytes).unwrap_or(1);
            dram.lone_sector = LINE;
            // No spread of addresses makes the DRAM faster than it is said to be.
            if !matches!(dram.rate, Rate::PerSecond(given) if given <= bytes) {
                dram.rate = Rate::PerSecond(bytes);
                dram.assumed = Some("a bank of DRAM opens a row every 60 ns".to_owned());
                dram.sources = "all addresses in one bank (--dram-spread none)".to_owned();
            }
        }
        if let Some(others) = self.others {
            dram.others = Some((others, BURST));
        }
        Ok(())
    }
}

/// What others are taken to ask of the DRAM at once: a line of each of 64 requests under way of each of 16 masters.
const BURST: u64 = 64 * 16 * LINE;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::memory::servers_of;

    fn dram(flags: &MemoryFlags) -> Result<NamedServer, MemoryError> {
        let preset = Preset::named("jetson-orin").unwrap();
        let mut servers = servers_of(&preset);
        flags.apply(&mut servers, Some(&preset))?;
        Ok(servers[0].clone())
    }

    #[test]
    fn the_rate_of_an_orin() {
        assert_eq!(dram(&MemoryFlags::default()).unwrap().rate.text(), "122.8 GB/s");
        let given = |text| MemoryFlags { rate: Some(Share::read(text).unwrap()), ..MemoryFlags::default() };
        let found = dram(&given("75%")).unwrap();
        assert_eq!((found.rate.text(), found.assumed), ("153.6 GB/s".to_owned(), None));
        assert_eq!(
            dram(&given("300GB/s")).unwrap_err().to_string(),
            "300 GB/s is more than the data sheet's 204.8 GB/s: want a rate that the DRAM moves at least"
        );
        for wrong in ["0%", "101%", "-1%", "NaN%", "0 GB/s"] {
            assert!(Share::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_bank_is_slow() {
        let found = dram(&MemoryFlags { one_bank: true, ..MemoryFlags::default() }).unwrap();
        assert_eq!((found.rate.text(), found.lone_sector), ("2.1 GB/s".to_owned(), 128));
        // But no faster than it is said to be.
        let rate = Some(Share::read("1 GB/s").unwrap());
        let found = dram(&MemoryFlags { rate, one_bank: true, ..MemoryFlags::default() }).unwrap();
        assert_eq!((found.rate.text(), found.lone_sector), ("1 GB/s".to_owned(), 128));
    }
}
