//! Flags of the memory that all multiprocessors share.

use clap::{Args, ValueEnum};

use warpspan_kernel::input::{HostMemory, MemoryFlags, Rate, Share};
use warpspan_model::time::Clock;

/// What is said of the DRAM.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The memory that all multiprocessors share")]
pub(crate) struct MemoryArgs {
    /// The least rate at which the DRAM moves whole lines while requests wait: 140GB/s, or 70% of the data sheet [default:
    /// assumed 60%]
    #[arg(long, value_name = "RATE", value_parser = Share::read)]
    pub(crate) dram_rate: Option<Share>,
    /// The clock of the DRAM in megahertz, where a power mode lowers it [default: that of the data sheet]
    #[arg(long, value_name = "MHZ", value_parser = clock)]
    pub(crate) dram_clock: Option<Clock>,
    /// What others take of the DRAM at most, such as the cores of the CPU: 20GB/s [default: assumed 0]
    #[arg(long, value_name = "RATE", value_parser = Rate::read)]
    pub(crate) dram_others: Option<Rate>,
    /// How the addresses are spread over the channels and banks of the DRAM
    #[arg(long, value_name = "HOW", value_enum, default_value = "even", hide_default_value = true)]
    pub(crate) dram_spread: Spread,
    /// Pointers may be to memory of the host: the least rate of the link in whole lines, and the longest time that it adds to an access:
    /// 25GB/s,2us [default: assumed that all are to memory of the GPU]
    #[arg(long, value_name = "RATE,TIME", value_parser = HostMemory::read)]
    pub(crate) host_memory: Option<HostMemory>,
}

/// How addresses are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spread {
    /// Over all of them, as assumed by default
    Even,
    /// In no known way: all may be in one bank
    None,
}

pub(super) fn clock(text: &str) -> Result<Clock, String> {
    Clock::from_megahertz(text).ok_or_else(|| "want megahertz above 0".to_owned())
}

impl MemoryArgs {
    /// The same for the machine.
    pub(crate) fn flags(&self) -> MemoryFlags {
        MemoryFlags {
            host: self.host_memory,
            rate: self.dram_rate,
            clock: self.dram_clock,
            others: self.dram_others,
            one_bank: self.dram_spread == Spread::None,
        }
    }

    /// The first of these flags that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let MemoryFlags { rate, clock, others, one_bank, host } = self.flags();
        let flags = [
            ("--dram-rate", rate.is_some()),
            ("--dram-clock", clock.is_some()),
            ("--dram-others", others.is_some()),
            ("--dram-spread", one_bank),
            ("--host-memory", host.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}
