//! What a person says of the DRAM of a GPU.

use num_rational::Ratio;
use thiserror::Error;

use crate::input::memory::host::HostMemory;
use crate::input::memory::quantity::{Rate, gigabytes};
use crate::input::memory::server::NamedServer;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::device::Preset;
use warpspan_model::machine::LINE;
use warpspan_model::time::Clock;

/// What a person says of the DRAM of a GPU, and of the memory of its host.
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
    /// The link over which all may come that the code reads and writes; none where pointers are to memory of the GPU.
    pub host: Option<HostMemory>,
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
    #[error(
        "{0} is more than the data sheet's {1} GB/s at this clock: want a rate that the DRAM moves at least"
    )]
    Above(String, String),
    /// Memory of the host that is faster than that of the GPU.
    #[error(
        "{0} over the link to the host is more than the {1} GB/s of the DRAM's data sheet: want the rate of the link"
    )]
    AboveHost(String, String),
    /// No clock makes cycles of the time that a link adds.
    #[error(
        "memory of the host: no clock makes cycles of the time that its link adds: want the clock of the GPU"
    )]
    NoClock,
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
            Some(percent) => warpspan_model::time::decimal::read(percent.trim(), 2)
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
    /// The servers as these flags change them. `preset` is the GPU whose data sheet counts, and `gpu` its clock.
    ///
    /// # Errors
    /// If there is no DRAM, or what is said of it cannot be.
    pub fn apply(
        &self,
        servers: &mut Vec<NamedServer>,
        preset: Option<&Preset>,
        gpu: Option<Clock>,
    ) -> Result<(), MemoryError> {
        if *self == Self::default() {
            return Ok(());
        }
        let dram = servers.iter_mut().find(|server| server.name == "DRAM").ok_or(MemoryError::NoDram)?;
        let at_clock = self.at_clock(preset)?;
        let sheet = preset.map(|preset| preset.memory.dram_bytes_per_second);
        let peak = preset.map(|preset| self.peak(preset)).transpose()?;
        match self.rate {
            // What is assumed is a part of what the DRAM moves at most.
            None => {
                if let (Rate::PerSecond(bytes), Some(slower)) = (dram.rate, self.clock) {
                    dram.rate = Rate::PerSecond(times(bytes, at_clock).max(1));
                    dram.sources = format!("{} at {} MHz", dram.sources, slower.megahertz());
                }
            }
            Some(Share::Parts(parts)) => {
                let peak = peak.ok_or(MemoryError::NoSheet("the rate of the DRAM in per cent"))?;
                dram.rate = Rate::PerSecond(times(peak, [parts, 10_000]).max(1));
                dram.assumed = false;
                (dram.given, dram.sources) = (true, "given".to_owned());
            }
            Some(Share::Rate(rate)) => {
                let bytes = match rate {
                    Rate::PerSecond(bytes) => Some(bytes),
                    Rate::PerCycle(_) => rate.per_second(gpu),
                };
                if let (Some(bytes), Some(peak)) = (bytes, peak)
                    && bytes > peak
                {
                    return Err(MemoryError::Above(rate.text(), gigabytes(peak)));
                }
                dram.rate = rate;
                dram.assumed = false;
                (dram.given, dram.sources) = (true, "given".to_owned());
            }
        }
        dram.declared.extend(self.clock.map(|clock| {
            let value = format!("{} MHz", clock.megahertz());
            Assumption::declared(Id::DramClock, "clock of the DRAM", value)
        }));
        if self.one_bank {
            let value = "in no known way: all may be in one bank of the DRAM";
            dram.declared.push(Assumption::declared(Id::DramSpread, "addresses", value));
            // A row is opened for each line.
            let bytes = u128::from(LINE) * 1_000_000_000_000 / u128::from(ROW_CYCLE);
            let bytes = u64::try_from(bytes).unwrap_or(1);
            dram.lone_sector = LINE;
            // No spread of addresses makes the DRAM faster than it is said to be.
            if !matches!(dram.rate, Rate::PerSecond(given) if given <= bytes) {
                dram.rate = Rate::PerSecond(bytes);
                dram.assumed = true;
                dram.given = false;
                dram.sources = "all addresses in one bank, which opens a row every 60 ns".to_owned();
            }
        }
        if let Some(others) = self.others {
            dram.others = Some((others, BURST));
        }
        let Some(host) = self.host else { return Ok(()) };
        let bytes = host.rate.per_second(gpu);
        if let (Some(bytes), Some(sheet)) = (bytes, sheet)
            && bytes > sheet
        {
            return Err(MemoryError::AboveHost(host.rate.text(), gigabytes(sheet)));
        }
        // Lanes of one address may each wait for the one before to come back over the link, besides what each takes in the GPU.
        let cycles = host.latency.cycles(gpu, true).ok_or(MemoryError::NoClock)?;
        if let Some(atomics) = servers.iter_mut().find(|server| server.name == "ATOMICS") {
            let own = atomics.rate.per_cycle(gpu).ok_or(MemoryError::NoClock)?;
            let own = own.denom().div_ceil((*own.numer()).max(1));
            atomics.rate = Rate::PerCycle(Ratio::new(1, own.saturating_add(cycles)));
            // What follows from the time of a link that is given is as sure as that time.
            atomics.given = true;
            atomics.sources = "one at a time over the link to the host".to_owned();
        }
        servers.push(host.server());
        Ok(())
    }

    /// The most bytes a second that the DRAM moves at its clock, by the data sheet.
    ///
    /// # Errors
    /// If the data sheet has no such clock.
    pub fn peak(&self, preset: &Preset) -> Result<u64, MemoryError> {
        Ok(times(preset.memory.dram_bytes_per_second, self.at_clock(Some(preset))?))
    }

    /// The clock of the DRAM as a part of that of the data sheet.
    fn at_clock(&self, preset: Option<&Preset>) -> Result<[u64; 2], MemoryError> {
        let Some(clock) = self.clock else { return Ok([1, 1]) };
        let full = preset.and_then(|preset| preset.memory.dram_kilohertz);
        let full = full.filter(|full| *full > 0).ok_or(MemoryError::NoSheet("the clock of the DRAM"))?;
        let kilohertz = clock.hertz() / 1000;
        if kilohertz > full {
            let sheet = Clock::from_hertz(full * 1000).map(Clock::megahertz).unwrap_or_default();
            return Err(MemoryError::Clock(clock.megahertz(), sheet));
        }
        Ok([kilohertz, full])
    }
}

/// A number times a ratio that is 1 at most, rounded down.
fn times(number: u64, [above, below]: [u64; 2]) -> u64 {
    let all = u128::from(number) * u128::from(above) / u128::from(below.max(1));
    u64::try_from(all).unwrap_or(number)
}

/// What others are assumed to request of the DRAM at once: 16 masters with 64 outstanding requests each, of one line
/// each.
pub(super) const BURST: u64 = 64 * 16 * LINE;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::memory::servers_of;

    fn dram(flags: &MemoryFlags) -> Result<NamedServer, MemoryError> {
        let preset = Preset::named("jetson-orin").unwrap();
        let mut servers = servers_of(&preset);
        flags.apply(&mut servers, Some(&preset), Clock::from_megahertz("1300"))?;
        Ok(servers[0].clone())
    }

    #[test]
    fn the_rate_of_an_orin() {
        assert_eq!(dram(&MemoryFlags::default()).unwrap().rate.text(), "122.8 GB/s");
        let given = |text| MemoryFlags { rate: Some(Share::read(text).unwrap()), ..MemoryFlags::default() };
        let found = dram(&given("75%")).unwrap();
        assert_eq!((found.rate.text(), found.assumed), ("153.6 GB/s".to_owned(), false));
        assert_eq!(
            dram(&given("300GB/s")).unwrap_err().to_string(),
            "300 GB/s is more than the data sheet's 204.8 GB/s at this clock: want a rate that the DRAM moves at least"
        );
        assert!(matches!(dram(&given("1000 B/cycle")), Err(MemoryError::Above(..))));
        // At two thirds of its clock it moves two thirds of its bytes at most.
        let slow = |text| MemoryFlags { clock: Clock::from_megahertz("2133.333"), ..given(text) };
        assert_eq!(dram(&slow("75%")).unwrap().rate.text(), "102.3 GB/s");
        assert!(matches!(dram(&slow("150GB/s")), Err(MemoryError::Above(..))));
        for wrong in ["0%", "101%", "-1%", "NaN%", "0 GB/s"] {
            assert!(Share::read(wrong).is_err(), "{wrong}");
        }
    }

    /// An atomic operation over the link takes its time in the GPU too, however slow a machine file says that it is.
    #[test]
    fn a_link_makes_no_atomic_operation_faster() {
        let preset = Preset::named("jetson-orin").unwrap();
        let host = Some(HostMemory::read("25GB/s,10 cycles").unwrap());
        for (own, with_link) in [("0.02 /cycle", 60), ("0.25 /cycle", 14), ("2 /cycle", 11)] {
            let mut servers = servers_of(&preset);
            let atomics = servers.iter_mut().find(|server| server.name == "ATOMICS").unwrap();
            atomics.rate = Rate::read(own).unwrap();
            let flags = MemoryFlags { host, ..MemoryFlags::default() };
            flags.apply(&mut servers, Some(&preset), None).unwrap();
            let found = servers.iter().find(|server| server.name == "ATOMICS").unwrap();
            assert_eq!(found.rate, Rate::PerCycle(Ratio::new(1, with_link)), "{own}");
            // What no source gives of the operations in the GPU stays a condition.
            assert!(found.assumed);
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
