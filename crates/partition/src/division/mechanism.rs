//! The mechanisms that set partitions up.

use strum::{Display, IntoStaticStr};

/// What gives each partition its multiprocessors at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Mechanism {
    /// Masks of TPCs for the streams of one process.
    ///
    /// It is the library of J. Bakita, J. H. Anderson, *Hardware Compute Partitioning on NVIDIA GPUs*, RTAS 2023.
    Libsmctrl,
    /// Sets of TPCs for whole processes.
    ///
    /// It is the tool of J. Bakita, J. H. Anderson, *Hardware Compute Partitioning on NVIDIA GPUs for Composable
    /// Systems*, ECRTS 2025.
    Nvtaskset,
    /// Green contexts of CUDA.
    GreenContext,
    /// Instances of Multi-Instance GPU.
    Mig,
    /// Shares of the clients of Multi-Process Service, which limit and do not separate.
    Mps,
}

impl Mechanism {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Libsmctrl, Self::Nvtaskset, Self::GreenContext, Self::Mig, Self::Mps];

    /// The name in files, flags and records.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
