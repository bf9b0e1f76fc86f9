//! The table of GPUs that a file may name.

use super::memory::Memory;
use super::memory_table as memory;
use super::presets::Preset;

const DATA_SHEET: &str = "as many cores as the data sheet says, divided by those of a multiprocessor";

/// The known GPUs.
pub const PRESETS: [Preset; 24] = [
    up_to(
        921_600,
        preset(
            "jetson-nano",
            "Jetson Nano",
            "5.3",
            1,
            memory::JETSON_NANO,
            "deviceQuery: 1 multiprocessor of 128 cores",
        ),
    ),
    up_to(
        1_300_000,
        preset(
            "jetson-tx2",
            "Jetson TX2",
            "6.2",
            2,
            memory::JETSON_TX2,
            "deviceQuery: 2 multiprocessors of 128 cores; Pa19 section 2.2",
        ),
    ),
    up_to(
        1_377_000,
        preset(
            "jetson-xavier",
            "Jetson AGX Xavier",
            "7.2",
            8,
            memory::JETSON_XAVIER,
            "deviceQuery: 8 multiprocessors of 64 cores",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(1_100_000),
        ..preset(
            "jetson-xavier-nx",
            "Jetson Xavier NX",
            "7.2",
            6,
            memory::JETSON_XAVIER_NX,
            "data sheet: 384 cores",
        )
    },
    up_to(
        1_300_000,
        preset(
            "jetson-orin",
            "Jetson AGX Orin 64GB",
            "8.7",
            16,
            memory::JETSON_ORIN,
            "Jetson AGX Orin technical brief: 16 multiprocessors of 128 cores",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(930_000),
        ..preset(
            "jetson-orin-32gb",
            "Jetson AGX Orin 32GB",
            "8.7",
            14,
            memory::JETSON_ORIN_32GB,
            "data sheet: 1792 cores",
        )
    },
    up_to(
        765_000,
        preset(
            "jetson-orin-nx",
            "Jetson Orin NX 16GB and 8GB",
            "8.7",
            8,
            memory::JETSON_ORIN_NX,
            "deviceQuery of 16GB: 8 multiprocessors of 128 cores; data sheet: 1024 cores in both",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(625_000),
        ..preset(
            "jetson-orin-nano",
            "Jetson Orin Nano 8GB",
            "8.7",
            8,
            memory::JETSON_ORIN_NANO,
            "data sheet: 1024 cores",
        )
    },
    Preset {
        assumed: DATA_SHEET,
        highest_kilohertz: Some(625_000),
        ..preset(
            "jetson-orin-nano-4gb",
            "Jetson Orin Nano 4GB",
            "8.7",
            4,
            memory::JETSON_ORIN_NANO_4GB,
            "data sheet: 512 cores",
        )
    },
    up_to(
        1_575_000,
        preset(
            "jetson-thor",
            "Jetson T5000 (AGX Thor)",
            "11.0",
            20,
            memory::JETSON_THOR,
            "CUDA driver on the developer kit: 20 multiprocessors; data sheet: 2560 cores (the chip has 24)",
        ),
    ),
    Preset {
        assumed: DATA_SHEET,
        ..preset(
            "jetson-thor-t4000",
            "Jetson T4000",
            "11.0",
            12,
            memory::JETSON_THOR_T4000,
            "data sheet: 1536 cores",
        )
    },
    of_cores("titan", "GeForce GTX TITAN", "3.5", 14, memory::TITAN, "data sheet: 2688 cores"),
    of_cores("titan-x", "TITAN X (Pascal)", "6.1", 28, memory::TITAN_X, "data sheet: 3584 cores"),
    of_cores("titan-v", "TITAN V", "7.0", 80, memory::TITAN_V, "data sheet: 5120 cores"),
    of_cores("v100", "Tesla V100", "7.0", 80, memory::V100, "data sheet: 5120 cores"),
    of_cores("rtx-2060", "GeForce RTX 2060", "7.5", 30, memory::RTX_2060, "data sheet: 1920 cores"),
    of_cores("rtx-2070", "GeForce RTX 2070", "7.5", 36, memory::RTX_2070, "data sheet: 2304 cores"),
    of_cores("titan-rtx", "TITAN RTX", "7.5", 72, memory::TITAN_RTX, "data sheet: 4608 cores"),
    of_cores("a100", "A100", "8.0", 108, memory::A100, "data sheet: 6912 cores"),
    of_cores("rtx-3070", "GeForce RTX 3070", "8.6", 46, memory::RTX_3070, "data sheet: 5888 cores"),
    of_cores("rtx-a6000", "RTX A6000", "8.6", 84, memory::RTX_A6000, "data sheet: 10752 cores"),
    of_cores("h100", "H100 SXM", "9.0", 132, memory::H100, "data sheet: 16896 cores"),
    of_cores("h100-pcie", "H100 PCIe", "9.0", 114, memory::H100_PCIE, "data sheet: 14592 cores"),
    of_cores("h200", "H200", "9.0", 132, memory::H200, "data sheet: 16896 cores"),
];

const fn preset(
    name: &'static str,
    title: &'static str,
    capability: &'static str,
    multiprocessors: u64,
    memory: Memory,
    source: &'static str,
) -> Preset {
    Preset { name, title, capability, multiprocessors, memory, source, assumed: "", highest_kilohertz: None }
}

/// A GPU of which the data sheet says the cores.
const fn of_cores(
    name: &'static str,
    title: &'static str,
    capability: &'static str,
    multiprocessors: u64,
    memory: Memory,
    source: &'static str,
) -> Preset {
    Preset { assumed: DATA_SHEET, ..preset(name, title, capability, multiprocessors, memory, source) }
}

/// The same GPU with the highest clock that its data sheet names.
const fn up_to(kilohertz: u64, preset: Preset) -> Preset {
    Preset { highest_kilohertz: Some(kilohertz), ..preset }
}
