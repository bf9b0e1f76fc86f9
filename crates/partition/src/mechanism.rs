//! The mechanisms that set partitions up.

use warpspan_model::words;

words! {
    /// What gives each partition its multiprocessors at run time.
    #[derive(Hash)]
    #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
    #[schemars(rename = "MechanismName", description = "What sets partitions up.")]
    Mechanism {
        /// Masks of TPCs for the streams of one process.
        ///
        /// It is the library of J. Bakita, J. H. Anderson, *Hardware Compute Partitioning on NVIDIA GPUs*, RTAS 2023.
        #[schemars(description = "Masks of TPCs for the streams of one process.")]
        Libsmctrl = "libsmctrl",
        /// Sets of TPCs for whole processes.
        ///
        /// It is the tool of J. Bakita, J. H. Anderson, *Hardware Compute Partitioning on NVIDIA GPUs for Composable
        /// Systems*, ECRTS 2025.
        #[schemars(description = "Sets of TPCs for whole processes.")]
        Nvtaskset = "nvtaskset",
        /// Green contexts of CUDA.
        GreenContext = "green-context",
        /// Instances of Multi-Instance GPU.
        Mig = "mig",
        /// Shares of the clients of Multi-Process Service, which limit and do not separate.
        #[schemars(description = "Shares of the clients of Multi-Process Service.")]
        Mps = "mps",
    }
}
