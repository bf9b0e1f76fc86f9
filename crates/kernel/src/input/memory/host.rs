//! Memory of the host, which the code of a GPU reaches over a link.

use warpspan_model::machine::LINE;
use warpspan_model::time::{Duration, TimeUnit};

use crate::input::memory::quantity::{Length, Rate};
use crate::input::memory::server::{HOST, NamedServer};

/// What every verdict on code that reaches memory assumes where nothing is said of memory of the host, to be read behind "if".
/// The link to memory of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMemory {
    /// The least rate at which it moves whole lines while requests wait.
    pub rate: Rate,
    /// The longest time that it adds to an access while nothing else waits for it.
    pub latency: Length,
}

impl HostMemory {
    /// A rate and a time, as `25GB/s,2us`. One without the other bounds nothing.
    ///
    /// # Errors
    /// If the text is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let want = || {
            format!(
                "{text:?}: want the least rate of the link and the longest time that it adds to an access, as 25GB/s,2us"
            )
        };
        let (rate, latency) = text.split_once(',').ok_or_else(want)?;
        // A number without a unit would be one of cycles.
        if latency.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(want());
        }
        let (rate, latency) =
            (Rate::read(rate).map_err(|_| want())?, Length::read(latency).map_err(|_| want())?);
        Ok(Self { rate, latency })
    }

    /// The link as a server. A request of a sector may cost it as much as one of a line, since it has a number of them on their way at once
    /// and not a number of bytes.
    pub(crate) fn server(self) -> NamedServer {
        let latency = match self.latency {
            Length::Cycles(cycles) => format!("{cycles} cycles"),
            Length::Picoseconds(time) => format!("{} us", TimeUnit::Microseconds.write(Duration(time))),
        };
        NamedServer {
            lone_sector: LINE,
            given: true,
            sources: format!("adds {latency} to an access at most"),
            ..NamedServer::simple(HOST, self.rate)
        }
    }
}

/// Whether something is said of memory of the host.
pub fn has_host(memory: &[NamedServer]) -> bool {
    memory.iter().any(|server| server.name == HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_and_a_time() {
        let found = HostMemory::read("25 GB/s, 1.5 us").unwrap();
        assert_eq!(
            (found.rate, found.latency),
            (Rate::PerSecond(25_000_000_000), Length::Picoseconds(1_500_000))
        );
        assert_eq!(found.server().sources, "adds 1.5 us to an access at most");
        for wrong in [
            "25GB/s",
            "25GB/s,",
            "25GB/s,2",
            "2us,25GB/s",
            "0GB/s,2us",
            "25GB/s,0us",
            "",
            ",",
            "25GB/s,2us,3us",
        ] {
            let what = HostMemory::read(wrong).unwrap_err();
            assert!(what.ends_with("as 25GB/s,2us"), "{wrong}: {what}");
        }
    }
}
