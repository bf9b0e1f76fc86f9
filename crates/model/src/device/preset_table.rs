//! The table of GPUs that a file may name.

use super::memory::Memory;
use super::presets::Preset;

const DATA_SHEET: &str = "as many cores as the data sheet says, divided by those of a multiprocessor";

const BY_SIZE: &str = "bytes of the L2 a cycle: 32 for each 512 KiB, no source was found";
const LEAST: &str = "bytes of the L2 a cycle: 32, no source was found";
const BY_CHANNEL: &str =
    "bytes of the L2 a cycle: 32 for each of 16 channels of the DRAM, no source was found";
const BY_WIDTH: &str = "bytes of the L2 a cycle: 32 for each 16 wires of the DRAM, no source was found";
const BY_SLICE: &str = "bytes of the L2 a cycle: 32 from each slice";
const HOPPER: &str =
    "bytes of the L2 a cycle: 32 from each slice (Luo and others measured 4472 on an H800 PCIe)";

/// Two lines for each GPU, each with its source and what is assumed without one. Of the GPU: name, product, compute capability,
/// multiprocessors, and the highest clock in kilohertz. Of its memory, which a module shares with CPU cores: bytes a
/// second, kilohertz and bits of the DRAM; KiB of the L2 and the bytes of it a cycle.
macro_rules! presets {
    ($(
        $name:literal $title:literal $capability:literal $multiprocessors:literal $(up to $highest:literal)?:
            $source:literal $($assumed:expr)?;
        $kind:ident [$($dram:literal),+] [$($l2:literal),+]: $of_memory:literal $($assumed_of_memory:expr)?;
    )+) => {
        /// The known GPUs.
        pub const PRESETS: [Preset; [$($name),+].len()] = [$(Preset {
            name: $name,
            title: $title,
            capability: $capability,
            multiprocessors: $multiprocessors,
            memory: $kind([$($dram),+], [$($l2),+], $of_memory, or_nothing(&[$($assumed_of_memory)?])),
            source: $source,
            assumed: or_nothing(&[$($assumed)?]),
            highest_kilohertz: [$(Some($highest),)? None][0],
        }),+];
    };
}

const fn or_nothing(assumed: &[&'static str]) -> &'static str {
    match assumed {
        [assumed] => assumed,
        _ => "",
    }
}

const fn card(
    [dram_bytes_per_second, dram_kilohertz, dram_bits]: [u64; 3],
    [l2_kib, l2_bytes_per_cycle]: [u64; 2],
    source: &'static str,
    assumed: &'static str,
) -> Memory {
    Memory {
        dram_bytes_per_second,
        dram_kilohertz: Some(dram_kilohertz),
        dram_bits,
        l2_bytes: l2_kib << 10,
        l2_bytes_per_cycle,
        shared_with_cpu: false,
        source,
        assumed,
    }
}

/// Of a module on which CPU cores and the GPU have one DRAM.
const fn module(dram: [u64; 3], l2: [u64; 2], source: &'static str, assumed: &'static str) -> Memory {
    Memory { shared_with_cpu: true, ..card(dram, l2, source, assumed) }
}

presets! {
    "jetson-nano" "Jetson Nano" "5.3" 1 up to 921_600: "deviceQuery: 1 multiprocessor of 128 cores";
        module [25_600_000_000, 1_600_000, 64] [256, 32]:
            "data sheet: 64 bits of LPDDR4 at 1600 MHz, 25.6 GB/s; L2: TechPowerUp" LEAST;
    "jetson-tx2" "Jetson TX2" "6.2" 2 up to 1_300_000:
        "deviceQuery: 2 multiprocessors of 128 cores; Pa19 section 2.2";
        module [59_700_000_000, 1_866_000, 128] [512, 32]:
            "TechPowerUp: 128 bits of LPDDR4 at 1866 MHz, 59.7 GB/s (58.4 in the announcement); L2: deviceQuery"
            BY_SIZE;
    "jetson-xavier" "Jetson AGX Xavier" "7.2" 8 up to 1_377_000: "deviceQuery: 8 multiprocessors of 64 cores";
        module [136_500_000_000, 2_133_000, 256] [512, 32]:
            "TechPowerUp: 256 bits of LPDDR4X at 2133 MHz, 136.5 GB/s; L2: deviceQuery" BY_SIZE;
    "jetson-xavier-nx" "Jetson Xavier NX" "7.2" 6 up to 1_100_000: "data sheet: 384 cores" DATA_SHEET;
        module [51_200_000_000, 1_600_000, 128] [512, 32]:
            "data sheet DA-09366: 128 bits of LPDDR4X at 1600 MHz, 51.2 GB/s (TechPowerUp: 1866 MHz); L2: deviceQuery"
            BY_SIZE;
    "jetson-orin" "Jetson AGX Orin 64GB, not Industrial" "8.7" 16 up to 1_300_000:
        "Jetson AGX Orin technical brief: 16 multiprocessors of 128 cores";
        module [204_800_000_000, 3_200_000, 256] [4_096, 256]:
            "TechPowerUp: 256 bits of LPDDR5 at 3200 MHz, 204.8 GB/s; L2: technical brief, deviceQuery"
            BY_SIZE;
    "jetson-orin-32gb" "Jetson AGX Orin 32GB" "8.7" 14 up to 930_000: "data sheet: 1792 cores" DATA_SHEET;
        module [204_800_000_000, 3_200_000, 256] [4_096, 256]:
            "TechPowerUp: 256 bits of LPDDR5 at 3200 MHz, 204.8 GB/s"
            "L2: that of 64GB, which has the same DRAM; bytes of the L2 a cycle: 32 for each 512 KiB, no source was found";
    "jetson-orin-nx" "Jetson Orin NX 16GB and 8GB" "8.7" 8 up to 765_000:
        "deviceQuery of 16GB: 8 multiprocessors of 128 cores; data sheet: 1024 cores in both";
        module [102_400_000_000, 3_200_000, 128] [2_048, 128]:
            "TechPowerUp: 128 bits of LPDDR5 at 3200 MHz, 102.4 GB/s; L2: deviceQuery of 16GB" BY_SIZE;
    "jetson-orin-nano" "Jetson Orin Nano 8GB" "8.7" 8 up to 624_000: "data sheet: 1024 cores" DATA_SHEET;
        module [68_000_000_000, 2_133_000, 128] [2_048, 128]:
            "data sheet: 128 bits of LPDDR5; TechPowerUp: 2133 MHz, 68 GB/s (super mode: 3200 MHz, 102 GB/s), and L2"
            BY_SIZE;
    "jetson-orin-nano-4gb" "Jetson Orin Nano 4GB" "8.7" 4 up to 624_000: "data sheet: 512 cores" DATA_SHEET;
        module [34_000_000_000, 2_133_000, 64] [2_048, 128]:
            "data sheet: 64 bits of LPDDR5; TechPowerUp: 2133 MHz, 34 GB/s, and L2" BY_SIZE;
    "jetson-thor" "Jetson T5000 (AGX Thor)" "11.0" 20 up to 1_575_000:
        "CUDA driver on the developer kit: 20 multiprocessors; data sheet: 2560 cores (the chip has 24)";
        module [273_000_000_000, 4_266_000, 256] [32_768, 512]:
            "TechPowerUp: 273 GB/s; deviceQuery: 256 bits of LPDDR5X at 4266 MHz, and L2" BY_CHANNEL;
    "jetson-thor-t4000" "Jetson T4000" "11.0" 12: "data sheet: 1536 cores" DATA_SHEET;
        module [273_000_000_000, 4_266_000, 256] [32_768, 512]:
            "TechPowerUp: 256 bits of LPDDR5X at 4266 MHz, 273 GB/s"
            "L2: that of T5000, the same chip; bytes of the L2 a cycle: 32 for each of 16 channels of the DRAM, no source was found";
    "titan" "GeForce GTX TITAN" "3.5" 14 up to 876_000: "data sheet: 2688 cores" DATA_SHEET;
        card [288_384_000_000, 3_004_000, 384] [1_536, 768]:
            "TechPowerUp: 384 bits of GDDR5 at 3004 MHz, 288.4 GB/s, and L2; Accel-Sim's configuration: 24 slices"
            BY_SLICE;
    "titan-x" "TITAN X (Pascal)" "6.1" 28 up to 1_531_000: "data sheet: 3584 cores" DATA_SHEET;
        card [480_000_000_000, 5_000_000, 384] [3_072, 768]:
            "TechPowerUp: 384 bits of GDDR5X, 10 Gbit/s, 480 GB/s, and L2; Accel-Sim's configuration: 24 slices"
            BY_SLICE;
    "titan-v" "TITAN V" "7.0" 80 up to 1_455_000: "data sheet: 5120 cores" DATA_SHEET;
        card [651_264_000_000, 848_000, 3072] [4_608, 1_536]:
            "TechPowerUp: 3072 bits of HBM2 at 848 MHz, 651.3 GB/s (653 in the data sheet), and L2; Accel-Sim's configuration: 48 slices"
            BY_SLICE;
    "v100" "Tesla V100 SXM2" "7.0" 80 up to 1_530_000: "data sheet: 5120 cores" DATA_SHEET;
        card [898_000_000_000, 877_000, 4096] [6_144, 2_048]:
            "A100 whitepaper: 4096 bits of HBM2 at 877.5 MHz, 900 GB/s (nvidia-smi: 877 MHz, which are 898), L2 and its 2048 bytes a cycle";
    "rtx-2060" "GeForce RTX 2060 6GB, desktop" "7.5" 30 up to 1_680_000: "data sheet: 1920 cores" DATA_SHEET;
        card [336_000_000_000, 7_000_000, 192] [3_072, 768]:
            "TechPowerUp: 192 bits of GDDR6, 14 Gbit/s, 336 GB/s, and L2; Accel-Sim's configuration: 24 slices"
            BY_SLICE;
    "rtx-2070" "GeForce RTX 2070, desktop" "7.5" 36 up to 1_620_000: "data sheet: 2304 cores" DATA_SHEET;
        card [448_000_000_000, 7_000_000, 256] [4_096, 1_024]:
            "TechPowerUp: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2; Accel-Sim's configuration of RTX 2060 SUPER, the same chip and width: 32 slices"
            BY_SLICE;
    "titan-rtx" "TITAN RTX" "7.5" 72 up to 1_770_000: "data sheet: 4608 cores" DATA_SHEET;
        card [672_000_000_000, 7_000_000, 384] [6_144, 384]:
            "TechPowerUp: 384 bits of GDDR6, 14 Gbit/s, 672 GB/s, and L2" BY_SIZE;
    "a100" "A100" "8.0" 108 up to 1_410_000: "data sheet: 6912 cores" DATA_SHEET;
        card [1_555_000_000_000, 1_215_000, 5120] [40_960, 5_120]:
            "whitepaper: 5120 bits of HBM2 at 1215 MHz, 1555 GB/s in the slowest product (40GB), L2 and its 5120 bytes a cycle";
    "rtx-3070" "GeForce RTX 3070" "8.6" 46 up to 1_725_000: "data sheet: 5888 cores" DATA_SHEET;
        card [448_000_000_000, 7_000_000, 256] [4_096, 1_024]:
            "TechPowerUp: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2; Accel-Sim's configuration: 32 slices"
            BY_SLICE;
    "rtx-a6000" "RTX A6000" "8.6" 84 up to 1_800_000: "data sheet: 10752 cores" DATA_SHEET;
        card [768_000_000_000, 8_000_000, 384] [6_144, 384]:
            "TechPowerUp: 384 bits of GDDR6, 16 Gbit/s, 768 GB/s, and L2" BY_SIZE;
    "h100" "H100 SXM 80GB" "9.0" 132 up to 1_980_000: "data sheet: 16896 cores" DATA_SHEET;
        card [3_350_000_000_000, 2_619_000, 5120] [51_200, 2_560]:
            "product page: 3.35 TB/s; whitepaper: 5120 bits of HBM3 at 2619 MHz and L2; Accel-Sim's configuration: 80 slices"
            HOPPER;
    "h100-pcie" "H100 PCIe" "9.0" 114 up to 1_755_000: "data sheet: 14592 cores" DATA_SHEET;
        card [2_000_000_000_000, 1_593_000, 5120] [51_200, 2_560]:
            "whitepaper: 5120 bits of HBM2e at 1593 MHz, 2039 GB/s (2 TB/s in the data sheet), and L2; Accel-Sim's configuration of the SXM: 80 slices"
            HOPPER;
    "h200" "H200 SXM" "9.0" 132 up to 1_980_000: "data sheet: 16896 cores" DATA_SHEET;
        card [4_800_000_000_000, 3_201_000, 6016] [61_440, 2_560]:
            "data sheet: 4.8 TB/s; the driver: 6016 bits of HBM3e at 3201 MHz, and L2 (docs/silicon); Accel-Sim's configuration of H100: 80 slices"
            HOPPER;
    "rtx-2080" "GeForce RTX 2080, desktop" "7.5" 46 up to 1_710_000: "data sheet: 2944 cores" DATA_SHEET;
        card [448_000_000_000, 7_000_000, 256] [4_096, 512]:
            "specification of the card: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2" BY_WIDTH;
    "rtx-2080-ti" "GeForce RTX 2080 Ti" "7.5" 68 up to 1_545_000: "data sheet: 4352 cores" DATA_SHEET;
        card [616_000_000_000, 7_000_000, 352] [5_632, 704]:
            "specification of the card: 352 bits of GDDR6, 14 Gbit/s, 616 GB/s, and L2" BY_WIDTH;
    "rtx-3060" "GeForce RTX 3060 12GB" "8.6" 28 up to 1_777_000: "data sheet: 3584 cores" DATA_SHEET;
        card [360_000_000_000, 7_500_000, 192] [2_304, 384]:
            "specification of the card: 192 bits of GDDR6, 15 Gbit/s, 360 GB/s; L2: deviceQuery" BY_WIDTH;
    "rtx-3080" "GeForce RTX 3080 10GB" "8.6" 68 up to 1_710_000: "data sheet: 8704 cores" DATA_SHEET;
        card [760_000_000_000, 9_500_000, 320] [5_120, 640]:
            "specification of the card: 320 bits of GDDR6X, 19 Gbit/s, 760 GB/s, and L2" BY_WIDTH;
    "rtx-3090" "GeForce RTX 3090" "8.6" 82 up to 1_695_000: "data sheet: 10496 cores" DATA_SHEET;
        card [936_000_000_000, 9_750_000, 384] [6_144, 768]:
            "specification of the card: 384 bits of GDDR6X, 19.5 Gbit/s, 936 GB/s, and L2" BY_WIDTH;
    "rtx-4060" "GeForce RTX 4060" "8.9" 24 up to 2_460_000: "data sheet: 3072 cores" DATA_SHEET;
        card [272_000_000_000, 8_500_000, 128] [24_576, 256]:
            "specification of the card: 128 bits of GDDR6, 17 Gbit/s, 272 GB/s, and L2" BY_WIDTH;
    "rtx-4060-ti" "GeForce RTX 4060 Ti" "8.9" 34 up to 2_535_000: "data sheet: 4352 cores" DATA_SHEET;
        card [288_000_000_000, 9_000_000, 128] [32_768, 256]:
            "specification of the card: 128 bits of GDDR6, 18 Gbit/s, 288 GB/s, and L2" BY_WIDTH;
    "rtx-4070" "GeForce RTX 4070" "8.9" 46 up to 2_475_000: "data sheet: 5888 cores" DATA_SHEET;
        card [480_000_000_000, 10_000_000, 192] [36_864, 384]:
            "specification of the card: 192 bits of GDDR6, 20 Gbit/s, 480 GB/s (GDDR6X: 504 GB/s), and L2"
            BY_WIDTH;
    "rtx-4080" "GeForce RTX 4080" "8.9" 76 up to 2_505_000: "data sheet: 9728 cores" DATA_SHEET;
        card [716_800_000_000, 11_200_000, 256] [65_536, 512]:
            "specification of the card: 256 bits of GDDR6X, 22.4 Gbit/s, 716.8 GB/s, and L2" BY_WIDTH;
    "rtx-4090" "GeForce RTX 4090" "8.9" 128 up to 2_520_000: "data sheet: 16384 cores" DATA_SHEET;
        card [1_008_000_000_000, 10_500_000, 384] [73_728, 768]:
            "specification of the card: 384 bits of GDDR6X, 21 Gbit/s, 1008 GB/s, and L2" BY_WIDTH;
    "rtx-5070" "GeForce RTX 5070" "12.0" 48 up to 2_512_000: "data sheet: 6144 cores" DATA_SHEET;
        card [672_000_000_000, 14_000_000, 192] [49_152, 384]:
            "specification of the card: 192 bits of GDDR7, 28 Gbit/s, 672 GB/s, and L2" BY_WIDTH;
    "rtx-5070-ti" "GeForce RTX 5070 Ti" "12.0" 70 up to 2_452_000: "data sheet: 8960 cores" DATA_SHEET;
        card [896_000_000_000, 14_000_000, 256] [49_152, 512]:
            "specification of the card: 256 bits of GDDR7, 28 Gbit/s, 896 GB/s, and L2" BY_WIDTH;
    "rtx-5080" "GeForce RTX 5080" "12.0" 84 up to 2_617_000: "data sheet: 10752 cores" DATA_SHEET;
        card [960_000_000_000, 15_000_000, 256] [65_536, 512]:
            "specification of the card: 256 bits of GDDR7, 30 Gbit/s, 960 GB/s, and L2" BY_WIDTH;
    "rtx-5090" "GeForce RTX 5090" "12.0" 170 up to 2_407_000: "data sheet: 21760 cores" DATA_SHEET;
        card [1_792_000_000_000, 14_000_000, 512] [98_304, 1_024]:
            "specification of the card: 512 bits of GDDR7, 28 Gbit/s, 1792 GB/s, and L2" BY_WIDTH;
    "a10" "A10" "8.6" 72 up to 1_695_000: "data sheet: 9216 cores" DATA_SHEET;
        card [600_000_000_000, 6_250_000, 384] [6_144, 768]:
            "specification of the card: 384 bits of GDDR6, 12.5 Gbit/s, 600 GB/s, and L2" BY_WIDTH;
    "a30" "A30" "8.0" 56 up to 1_440_000: "data sheet: 3584 cores" DATA_SHEET;
        card [933_000_000_000, 1_215_000, 3072] [24_576, 1_536]:
            "specification of the card: 3072 bits of HBM2 at 1215 MHz, 933 GB/s, and L2" BY_SIZE;
    "a40" "A40" "8.6" 84 up to 1_740_000: "data sheet: 10752 cores" DATA_SHEET;
        card [695_800_000_000, 7_250_000, 384] [6_144, 768]:
            "specification of the card: 384 bits of GDDR6, 14.5 Gbit/s, 695.8 GB/s, and L2" BY_WIDTH;
    "l4" "L4" "8.9" 58 up to 2_040_000: "data sheet: 7424 cores" DATA_SHEET;
        card [300_000_000_000, 6_251_000, 192] [49_152, 384]:
            "specification of the card: 192 bits of GDDR6, 12.5 Gbit/s, 300 GB/s, and L2" BY_WIDTH;
    "l40s" "L40S" "8.9" 142 up to 2_520_000: "data sheet: 18176 cores" DATA_SHEET;
        card [864_000_000_000, 9_000_000, 384] [98_304, 768]:
            "specification of the card: 384 bits of GDDR6, 18 Gbit/s, 864 GB/s, and L2" BY_WIDTH;
    "b200" "B200" "10.0" 148: "data sheet: 18944 cores" DATA_SHEET;
        card [7_672_000_000_000, 3_996_000, 7680] [129_536, 2_560]:
            "the driver, as pytorch/ao prints it: 7680 bits of HBM3e at 3996 MHz, 7.67 TB/s (8 TB/s in the data sheet), and L2"
            "bytes of the L2 a cycle: those of H100, no source was found";
}
