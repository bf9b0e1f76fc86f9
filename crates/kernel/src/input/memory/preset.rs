//! The servers of a GPU that the program knows.

use num_rational::Ratio;

use crate::input::memory::quantity::{Length, Rate, gigabytes};
use crate::input::memory::server::{NamedServer, Stops};
use warpspan_model::device::{Memory, Preset};
use warpspan_model::time::Clock;

/// How many percent of its data sheet a DRAM is assumed to move in whole lines at least, over every time in which
/// requests wait. A Jetson AGX Orin was measured at 152.8 of 204.8 GB/s, 75 %, with linear reads.
pub(crate) const DRAM_PERCENT: u64 = 60;
/// What a sector costs that comes alone in its line, in bytes of lines: a row of the DRAM is opened for it. A
/// simulator of GDDR6 moves such sectors at a third of the peak.
pub(crate) const LONE_SECTOR: u64 = 96;
/// How many percent of what its slices give in a cycle the L2 is assumed to serve.
const L2_PERCENT: u64 = 60;
/// A clock below that of every known GPU under load, in hertz, for those whose highest clock is not known.
const SLOW: u64 = 1_000_000_000;
/// Refreshes that may come together: eight that were put off, and eight that are done ahead of time.
const TOGETHER: u64 = 16;

/// How long a refresh of all banks takes and how long it is from one to the next, for the largest chips whose figures
/// are public: 16 Gb of LPDDR4 and LPDDR5, of HBM2 and HBM3, and of GDDR6.
fn refreshes(memory: &Memory) -> Stops {
    let nanoseconds = |length: u64, every: u64| Stops {
        length: Length::Picoseconds(length * 1_000),
        every: Length::Picoseconds(every * 1_000),
        postponed: TOGETHER,
        of_all: false,
    };
    match memory.dram_bits {
        _ if memory.shared_with_cpu => nanoseconds(280, 3_900),
        // Stacks of HBM have 1,024 wires each.
        2048.. => nanoseconds(450, 3_900),
        _ => nanoseconds(120, 1_900),
    }
}

/// The servers of a GPU, with rates that are assumed.
pub(crate) fn servers_of(preset: &Preset) -> Vec<NamedServer> {
    let memory = &preset.memory;
    let dram = Rate::PerSecond(memory.dram_bytes_per_second / 100 * DRAM_PERCENT);
    // What moves through the DRAM moves through the L2 too, so that serves no less.
    let l2_cycle = Rate::PerCycle(Ratio::new(memory.l2_bytes_per_cycle * L2_PERCENT, 100));
    let clock = preset.highest_clock().map_or(SLOW, Clock::hertz);
    let slower = memory.l2_bytes_per_cycle * L2_PERCENT / 100 * clock
        < memory.dram_bytes_per_second / 100 * DRAM_PERCENT;
    let l2 = if slower { dram } else { l2_cycle };
    // An H100 was seen to do 0.67 additions of integers and 0.27 of floats a cycle at one word (docs/silicon.md).
    let lane = Rate::PerCycle(Ratio::new(1, 4));
    let sheet = gigabytes(memory.dram_bytes_per_second);
    vec![
        NamedServer {
            lone_sector: LONE_SECTOR,
            // The L2 may be full of lines that were written before and go back to DRAM when others take their places.
            before: memory.l2_bytes,
            pauses: Some(refreshes(memory)),
            sources: format!("{DRAM_PERCENT} % of the data sheet's {sheet} GB/s"),
            assumed: true,
            ..NamedServer::simple("DRAM", dram)
        },
        NamedServer {
            sources: if slower {
                "as much as the DRAM".to_owned()
            } else {
                format!("{L2_PERCENT} % of {} B/cycle", memory.l2_bytes_per_cycle)
            },
            assumed: true,
            ..NamedServer::simple("L2", l2)
        },
        NamedServer {
            line: 1,
            lone_sector: 1,
            sources: "a lane in four cycles, at one address".to_owned(),
            assumed: true,
            ..NamedServer::simple("ATOMICS", lane)
        },
    ]
}
