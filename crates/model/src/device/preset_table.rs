//! The table of GPUs that a file may name.

use super::memory::Memory;
use super::memory_table as memory;
use super::presets::Preset;

const DATA_SHEET: &str = "as many cores as the data sheet says, divided by those of a multiprocessor";

/// The known GPUs.
pub const PRESETS: [Preset; 44] = [
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
            "Jetson AGX Orin 64GB, not Industrial",
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
        highest_kilohertz: Some(624_000),
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
        highest_kilohertz: Some(624_000),
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
    up_to(
        876_000,
        of_cores("titan", "GeForce GTX TITAN", "3.5", 14, memory::TITAN, "data sheet: 2688 cores"),
    ),
    up_to(
        1_531_000,
        of_cores("titan-x", "TITAN X (Pascal)", "6.1", 28, memory::TITAN_X, "data sheet: 3584 cores"),
    ),
    up_to(1_455_000, of_cores("titan-v", "TITAN V", "7.0", 80, memory::TITAN_V, "data sheet: 5120 cores")),
    up_to(1_530_000, of_cores("v100", "Tesla V100 SXM2", "7.0", 80, memory::V100, "data sheet: 5120 cores")),
    up_to(
        1_680_000,
        of_cores(
            "rtx-2060",
            "GeForce RTX 2060 6GB, desktop",
            "7.5",
            30,
            memory::RTX_2060,
            "data sheet: 1920 cores",
        ),
    ),
    up_to(
        1_620_000,
        of_cores(
            "rtx-2070",
            "GeForce RTX 2070, desktop",
            "7.5",
            36,
            memory::RTX_2070,
            "data sheet: 2304 cores",
        ),
    ),
    up_to(
        1_770_000,
        of_cores("titan-rtx", "TITAN RTX", "7.5", 72, memory::TITAN_RTX, "data sheet: 4608 cores"),
    ),
    up_to(1_410_000, of_cores("a100", "A100", "8.0", 108, memory::A100, "data sheet: 6912 cores")),
    up_to(
        1_725_000,
        of_cores("rtx-3070", "GeForce RTX 3070", "8.6", 46, memory::RTX_3070, "data sheet: 5888 cores"),
    ),
    up_to(
        1_800_000,
        of_cores("rtx-a6000", "RTX A6000", "8.6", 84, memory::RTX_A6000, "data sheet: 10752 cores"),
    ),
    up_to(1_980_000, of_cores("h100", "H100 SXM 80GB", "9.0", 132, memory::H100, "data sheet: 16896 cores")),
    up_to(
        1_755_000,
        of_cores("h100-pcie", "H100 PCIe", "9.0", 114, memory::H100_PCIE, "data sheet: 14592 cores"),
    ),
    up_to(1_980_000, of_cores("h200", "H200 SXM", "9.0", 132, memory::H200, "data sheet: 16896 cores")),
    up_to(
        1_710_000,
        of_cores(
            "rtx-2080",
            "GeForce RTX 2080, desktop",
            "7.5",
            46,
            memory::RTX_2080,
            "data sheet: 2944 cores",
        ),
    ),
    up_to(
        1_545_000,
        of_cores(
            "rtx-2080-ti",
            "GeForce RTX 2080 Ti",
            "7.5",
            68,
            memory::RTX_2080_TI,
            "data sheet: 4352 cores",
        ),
    ),
    up_to(
        1_777_000,
        of_cores("rtx-3060", "GeForce RTX 3060 12GB", "8.6", 28, memory::RTX_3060, "data sheet: 3584 cores"),
    ),
    up_to(
        1_710_000,
        of_cores("rtx-3080", "GeForce RTX 3080 10GB", "8.6", 68, memory::RTX_3080, "data sheet: 8704 cores"),
    ),
    up_to(
        1_695_000,
        of_cores("rtx-3090", "GeForce RTX 3090", "8.6", 82, memory::RTX_3090, "data sheet: 10496 cores"),
    ),
    up_to(
        2_460_000,
        of_cores("rtx-4060", "GeForce RTX 4060", "8.9", 24, memory::RTX_4060, "data sheet: 3072 cores"),
    ),
    up_to(
        2_535_000,
        of_cores(
            "rtx-4060-ti",
            "GeForce RTX 4060 Ti",
            "8.9",
            34,
            memory::RTX_4060_TI,
            "data sheet: 4352 cores",
        ),
    ),
    up_to(
        2_475_000,
        of_cores("rtx-4070", "GeForce RTX 4070", "8.9", 46, memory::RTX_4070, "data sheet: 5888 cores"),
    ),
    up_to(
        2_505_000,
        of_cores("rtx-4080", "GeForce RTX 4080", "8.9", 76, memory::RTX_4080, "data sheet: 9728 cores"),
    ),
    up_to(
        2_520_000,
        of_cores("rtx-4090", "GeForce RTX 4090", "8.9", 128, memory::RTX_4090, "data sheet: 16384 cores"),
    ),
    up_to(
        2_512_000,
        of_cores("rtx-5070", "GeForce RTX 5070", "12.0", 48, memory::RTX_5070, "data sheet: 6144 cores"),
    ),
    up_to(
        2_452_000,
        of_cores(
            "rtx-5070-ti",
            "GeForce RTX 5070 Ti",
            "12.0",
            70,
            memory::RTX_5070_TI,
            "data sheet: 8960 cores",
        ),
    ),
    up_to(
        2_617_000,
        of_cores("rtx-5080", "GeForce RTX 5080", "12.0", 84, memory::RTX_5080, "data sheet: 10752 cores"),
    ),
    up_to(
        2_407_000,
        of_cores("rtx-5090", "GeForce RTX 5090", "12.0", 170, memory::RTX_5090, "data sheet: 21760 cores"),
    ),
    up_to(1_695_000, of_cores("a10", "A10", "8.6", 72, memory::A10, "data sheet: 9216 cores")),
    up_to(1_440_000, of_cores("a30", "A30", "8.0", 56, memory::A30, "data sheet: 3584 cores")),
    up_to(1_740_000, of_cores("a40", "A40", "8.6", 84, memory::A40, "data sheet: 10752 cores")),
    up_to(2_040_000, of_cores("l4", "L4", "8.9", 58, memory::L4, "data sheet: 7424 cores")),
    up_to(2_520_000, of_cores("l40s", "L40S", "8.9", 142, memory::L40S, "data sheet: 18176 cores")),
    of_cores("b200", "B200", "10.0", 148, memory::B200, "data sheet: 18944 cores"),
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
