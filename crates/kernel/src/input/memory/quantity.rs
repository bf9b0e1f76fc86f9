//! Rates and sizes as people write them: `123.4 GB/s`, `20.5 B/cycle`, `512 MB`, `380 ns`.

use num_rational::Ratio;

use warpspan_model::time::{Clock, decimal};

/// How much a server of the memory serves, by the second or by the cycle of the multiprocessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// An amount in each cycle.
    PerCycle(Ratio<u64>),
    /// Bytes in each second.
    PerSecond(u64),
}

/// A length of time, by the second or by the cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Cycles of the multiprocessors.
    Cycles(u64),
    /// Picoseconds.
    Picoseconds(u64),
}

/// The units of bytes, by their names.
const UNITS: [(&str, u64); 9] = [
    ("B", 1),
    ("kB", 1_000),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];

/// The digits behind the point that a number may have.
const PLACES: usize = 9;

/// A number and the text after it.
fn number(text: &str) -> Option<(Ratio<u64>, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = decimal::read(digits, PLACES).ok()?;
    Some((Ratio::new(number, 1_000_000_000), rest.trim()))
}

/// A size in bytes, rounded up: `512 MB`, `4MiB`, or a plain number.
///
/// # Errors
/// If the text is none.
pub fn size(text: &str) -> Result<u64, String> {
    let want = || format!("{text:?}: want bytes, as 512 MB, 4 MiB or 1048576");
    let (number, unit) = number(text.trim()).ok_or_else(want)?;
    let unit = if unit.is_empty() { "B" } else { unit };
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(want)?;
    let bytes = u128::from(*number.numer()) * u128::from(*factor);
    u64::try_from(bytes.div_ceil((*number.denom()).into())).map_err(|_| want())
}

impl Rate {
    /// A rate above 0: `123.4 GB/s`, rounded down, `20.5 B/cycle`, or `1 /cycle`.
    ///
    /// # Errors
    /// If the text is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let want = || format!("{text:?}: want a rate above 0, as 123.4 GB/s, 20.5 B/cycle or 1 /cycle");
        let (amount, per) = text.trim().rsplit_once('/').ok_or_else(want)?;
        let (number, unit) = number(amount.trim()).ok_or_else(want)?;
        let factor = match unit {
            "" => 1,
            unit => UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(want)?.1,
        };
        if *number.numer() == 0 {
            return Err(want());
        }
        match per.trim() {
            "cycle" => {
                let numer = number.numer().checked_mul(factor).ok_or_else(want)?;
                Ok(Self::PerCycle(Ratio::new(numer, *number.denom())))
            }
            "s" if !unit.is_empty() => {
                let bytes = u128::from(*number.numer()) * u128::from(factor) / u128::from(*number.denom());
                u64::try_from(bytes).ok().filter(|&bytes| bytes > 0).map(Self::PerSecond).ok_or_else(want)
            }
            _ => Err(want()),
        }
    }

    /// What is served in a cycle of this clock; none without a clock if the rate is one by the second.
    pub fn per_cycle(self, clock: Option<Clock>) -> Option<Ratio<u64>> {
        match self {
            Self::PerCycle(rate) => Some(rate),
            Self::PerSecond(bytes) => Some(Ratio::new(bytes, clock?.hertz())),
        }
    }

    /// Bytes in each second of this clock, rounded down; none without a clock if the rate is one by the cycle.
    pub fn per_second(self, clock: Option<Clock>) -> Option<u64> {
        match self {
            Self::PerSecond(bytes) => Some(bytes),
            Self::PerCycle(rate) => {
                let all = u128::from(*rate.numer()) * u128::from(clock?.hertz()) / u128::from(*rate.denom());
                u64::try_from(all).ok()
            }
        }
    }

    /// For a person: `123.4 GB/s`, or `20.5 B/cycle`.
    pub fn text(self) -> String {
        match self {
            Self::PerCycle(rate) if rate.is_integer() => format!("{} B/cycle", rate.to_integer()),
            Self::PerCycle(rate) if rate < Ratio::new(1, 1000) => {
                format!("1 B in {} cycles", rate.denom().div_ceil((*rate.numer()).max(1)))
            }
            Self::PerCycle(rate) => {
                // Rounded down: tenths, and thousandths of what is small.
                let (places, unit) = if rate < Ratio::from(10) { (3, 1000) } else { (1, 10) };
                let parts = u128::from(*rate.numer()) * unit / u128::from(*rate.denom());
                format!("{} B/cycle", decimal::write(u64::try_from(parts).unwrap_or(u64::MAX), places))
            }
            Self::PerSecond(bytes) => format!("{} GB/s", gigabytes(bytes)),
        }
    }
}

/// Bytes as gigabytes with a digit behind the point, rounded down.
pub fn gigabytes(bytes: u64) -> String {
    decimal::write(bytes / 100_000_000, 1)
}

impl Length {
    /// A length of time above 0: `380 ns`, `3.9us`, or a number of cycles.
    ///
    /// # Errors
    /// If the text is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let want = || format!("{text:?}: want a time above 0, as 380 ns, 3.9 us or 500 cycles");
        let (number, unit) = number(text.trim()).ok_or_else(want)?;
        let whole = |factor: u64| {
            let all = u128::from(*number.numer()) * u128::from(factor);
            u64::try_from(all.div_ceil((*number.denom()).into())).ok().filter(|&all| all > 0).ok_or_else(want)
        };
        match unit {
            "" | "cycles" => whole(1).map(Self::Cycles),
            "ns" => whole(1_000).map(Self::Picoseconds),
            "us" => whole(1_000_000).map(Self::Picoseconds),
            _ => Err(want()),
        }
    }

    /// Cycles of this clock, rounded down, or up to all those that the length may touch; none without a clock if the length
    /// is one by the second.
    pub fn cycles(self, clock: Option<Clock>, up: bool) -> Option<u64> {
        match self {
            Self::Cycles(cycles) => Some(cycles),
            Self::Picoseconds(time) => {
                let all = u128::from(time) * u128::from(clock?.hertz());
                let whole = all / 1_000_000_000_000;
                // A length that begins within a cycle touches one cycle more than fit into it.
                let cycles = if up { all.div_ceil(1_000_000_000_000) + 1 } else { whole };
                u64::try_from(cycles.max(1)).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_rates() {
        assert_eq!(size("512 MB"), Ok(512_000_000));
        assert_eq!(size("4MiB"), Ok(4 << 20));
        assert_eq!(size("1.5B"), Ok(2));
        for wrong in ["", "-1", "1 furlong", "NaN", "1e9", "99999999999 GB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Rate::read("123.4GB/s"), Ok(Rate::PerSecond(123_400_000_000)));
        assert_eq!(Rate::read("20.5 B/cycle"), Ok(Rate::PerCycle(Ratio::new(41, 2))));
        assert_eq!(Rate::read("1 /cycle"), Ok(Rate::PerCycle(Ratio::from(1))));
        for wrong in ["0 GB/s", "0/cycle", "NaN GB/s", "12", "12 GB", "1 /s", "-3 GB/s", "0.0000000001 B/s"] {
            assert!(Rate::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_cycles() {
        let clock = Clock::from_megahertz("1300");
        assert_eq!(Length::read("380 ns").unwrap().cycles(clock, true), Some(495));
        assert_eq!(Length::read("3.9us").unwrap().cycles(clock, false), Some(5070));
        assert_eq!(Length::read("500 cycles").unwrap().cycles(None, true), Some(500));
        assert_eq!(Length::read("380 ns").unwrap().cycles(None, true), None);
        assert!(Length::read("0 ns").is_err());
        let rate = Rate::read("123 GB/s").unwrap();
        assert_eq!((rate.text(), rate.per_cycle(clock)), ("123 GB/s".to_owned(), Some(Ratio::new(1230, 13))));
    }
}
