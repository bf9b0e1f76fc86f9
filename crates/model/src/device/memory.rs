//! The memory that all multiprocessors of a GPU share.

use serde::Deserialize;

use crate::device::tables::{Text, text};
use crate::time::Clock;

/// The L2 and the DRAM behind it, which all multiprocessors of a GPU share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The most bytes a second that the DRAM gives by its data sheet. No kernel gets as many, since a DRAM also
    /// refreshes, opens rows and turns from reads to writes. Power modes lower it.
    pub dram_bytes_per_second: u64,
    /// The clock of the DRAM at that rate, in kilohertz. It is the clock that data sheets of modules, `nvidia-smi`
    /// and `deviceQuery` name, at which a wire carries two bits a cycle. Where a data sheet names the rate of a
    /// wire instead, it is half of that.
    pub dram_kilohertz: Option<u64>,
    /// The number of wires for data between the GPU and its DRAM.
    pub dram_bits: u64,
    /// The size of the L2.
    pub l2_bytes: u64,
    /// The most bytes that the whole L2 gives in a cycle of the GPU.
    pub l2_bytes_per_cycle: u64,
    /// Whether CPU cores have their memory in the same DRAM.
    pub shared_with_cpu: bool,
    /// The source of these numbers.
    #[serde(deserialize_with = "text")]
    pub source: Text,
    /// What is assumed without a source. It is empty where nothing is assumed.
    #[serde(default, deserialize_with = "text")]
    pub assumed: Text,
}

impl Memory {
    /// The clock of the DRAM at the rate of the data sheet.
    pub fn dram_clock(&self) -> Option<Clock> {
        Clock::from_hertz(self.dram_kilohertz?.checked_mul(1000)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::device::{PRESETS, Preset};

    /// The rates were typed in again from the data sheets, in tenths of a gigabyte a second. Those of the TITAN,
    /// the TITAN V and the V100 are rounded there, and more than the clock gives.
    #[test]
    fn rates_of_the_data_sheets() {
        let sheets = [
            ("jetson-nano", 256),
            ("jetson-tx2", 597),
            ("jetson-xavier", 1365),
            ("jetson-xavier-nx", 512),
            ("jetson-orin", 2048),
            ("jetson-orin-32gb", 2048),
            ("jetson-orin-nx", 1024),
            ("jetson-orin-nano", 680),
            ("jetson-orin-nano-4gb", 340),
            ("jetson-thor", 2730),
            ("jetson-thor-t4000", 2730),
            ("titan", 2884),
            ("titan-x", 4800),
            ("titan-v", 6528),
            ("v100", 9000),
            ("rtx-2060", 3360),
            ("rtx-2070", 4480),
            ("titan-rtx", 6720),
            ("a100", 15550),
            ("rtx-3070", 4480),
            ("rtx-a6000", 7680),
            ("h100", 33500),
            ("h100-pcie", 20000),
            ("h200", 48000),
            ("rtx-2080", 4480),
            ("rtx-2080-ti", 6160),
            ("rtx-3060", 3600),
            ("rtx-3080", 7600),
            ("rtx-3090", 9360),
            ("rtx-4060", 2720),
            ("rtx-4060-ti", 2880),
            ("rtx-4070", 4800),
            ("rtx-4080", 7168),
            ("rtx-4090", 10080),
            ("rtx-5070", 6720),
            ("rtx-5070-ti", 8960),
            ("rtx-5080", 9600),
            ("rtx-5090", 17920),
            ("a10", 6000),
            ("a30", 9330),
            ("a40", 6958),
            ("l4", 3000),
            ("l40s", 8640),
            ("b200", 76720),
        ];
        assert_eq!(sheets.len(), PRESETS.len());
        for (name, tenths) in sheets {
            let rate = Preset::named(name).unwrap().memory.dram_bytes_per_second;
            let sheet: u64 = tenths * 100_000_000;
            let rounded = ["titan", "titan-v", "v100"].contains(&name);
            assert!(rate == sheet || (rounded && rate < sheet && rate > sheet / 1000 * 997), "{name}");
        }
    }

    /// Data sheets round the rate that the clock and the wires give down, by 3 percent at most.
    #[test]
    fn rates_are_those_of_the_clock_and_the_wires() {
        for Preset { name, memory, .. } in PRESETS.iter() {
            let clock = memory.dram_kilohertz.unwrap() * 1000;
            let most = 2 * clock * memory.dram_bits / 8;
            let rate = memory.dram_bytes_per_second;
            assert!(rate <= most && rate >= most / 100 * 97, "{name}: {rate} of {most}");
        }
    }

    #[test]
    fn modules_share_their_dram_and_each_memory_has_a_source() {
        for Preset { name, memory, .. } in PRESETS.iter() {
            assert_eq!(memory.shared_with_cpu, name.starts_with("jetson-"), "{name}");
            assert!(!memory.source.is_empty() && memory.l2_bytes >= 256 << 10, "{name}");
            // A slice of the L2 gives a sector of 32 bytes at a time.
            assert!(memory.l2_bytes_per_cycle >= 32 && memory.l2_bytes_per_cycle % 32 == 0, "{name}");
        }
    }
}
