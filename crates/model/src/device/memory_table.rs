//! The memory of each GPU of [`PRESETS`](super::PRESETS).

use super::memory::Memory;

const KIB: u64 = 1 << 10;

const BY_SIZE: &str = "bytes of the L2 a cycle: 32 for each 512 KiB, no source was found";
const LEAST: &str = "bytes of the L2 a cycle: 32, no source was found";
const BY_CHANNEL: &str =
    "bytes of the L2 a cycle: 32 for each of 16 channels of the DRAM, no source was found";
const BY_WIDTH: &str = "bytes of the L2 a cycle: 32 for each 16 wires of the DRAM, no source was found";
const BY_SLICE: &str = "bytes of the L2 a cycle: 32 from each slice";
const HOPPER: &str =
    "bytes of the L2 a cycle: 32 from each slice (Luo and others measured 4472 on an H800 PCIe)";

const fn memory(
    [dram_bytes_per_second, dram_kilohertz, dram_bits]: [u64; 3],
    [l2_bytes, l2_bytes_per_cycle]: [u64; 2],
    source: &'static str,
    assumed: &'static str,
) -> Memory {
    let dram_kilohertz = Some(dram_kilohertz);
    Memory {
        dram_bytes_per_second,
        dram_kilohertz,
        dram_bits,
        l2_bytes,
        l2_bytes_per_cycle,
        shared_with_cpu: false,
        source,
        assumed,
    }
}

/// Of a module on which CPU cores and the GPU have one DRAM.
const fn module(dram: [u64; 3], l2: [u64; 2], source: &'static str, assumed: &'static str) -> Memory {
    Memory { shared_with_cpu: true, ..memory(dram, l2, source, assumed) }
}

pub(super) const JETSON_NANO: Memory = module(
    [25_600_000_000, 1_600_000, 64],
    [256 * KIB, 32],
    "data sheet: 64 bits of LPDDR4 at 1600 MHz, 25.6 GB/s; L2: TechPowerUp",
    LEAST,
);

pub(super) const JETSON_TX2: Memory = module(
    [59_700_000_000, 1_866_000, 128],
    [512 * KIB, 32],
    "TechPowerUp: 128 bits of LPDDR4 at 1866 MHz, 59.7 GB/s (58.4 in the announcement); L2: deviceQuery",
    BY_SIZE,
);

pub(super) const JETSON_XAVIER: Memory = module(
    [136_500_000_000, 2_133_000, 256],
    [512 * KIB, 32],
    "TechPowerUp: 256 bits of LPDDR4X at 2133 MHz, 136.5 GB/s; L2: deviceQuery",
    BY_SIZE,
);

pub(super) const JETSON_XAVIER_NX: Memory = module(
    [51_200_000_000, 1_600_000, 128],
    [512 * KIB, 32],
    "data sheet DA-09366: 128 bits of LPDDR4X at 1600 MHz, 51.2 GB/s (TechPowerUp: 1866 MHz); L2: deviceQuery",
    BY_SIZE,
);

pub(super) const JETSON_ORIN: Memory = module(
    [204_800_000_000, 3_200_000, 256],
    [4_096 * KIB, 256],
    "TechPowerUp: 256 bits of LPDDR5 at 3200 MHz, 204.8 GB/s; L2: technical brief, deviceQuery",
    BY_SIZE,
);

pub(super) const JETSON_ORIN_32GB: Memory = module(
    [204_800_000_000, 3_200_000, 256],
    [4_096 * KIB, 256],
    "TechPowerUp: 256 bits of LPDDR5 at 3200 MHz, 204.8 GB/s",
    "L2: that of 64GB, which has the same DRAM; bytes of the L2 a cycle: 32 for each 512 KiB, no source was found",
);

pub(super) const JETSON_ORIN_NX: Memory = module(
    [102_400_000_000, 3_200_000, 128],
    [2_048 * KIB, 128],
    "TechPowerUp: 128 bits of LPDDR5 at 3200 MHz, 102.4 GB/s; L2: deviceQuery of 16GB",
    BY_SIZE,
);

pub(super) const JETSON_ORIN_NANO: Memory = module(
    [68_000_000_000, 2_133_000, 128],
    [2_048 * KIB, 128],
    "data sheet: 128 bits of LPDDR5; TechPowerUp: 2133 MHz, 68 GB/s (super mode: 3200 MHz, 102 GB/s), and L2",
    BY_SIZE,
);

pub(super) const JETSON_ORIN_NANO_4GB: Memory = module(
    [34_000_000_000, 2_133_000, 64],
    [2_048 * KIB, 128],
    "data sheet: 64 bits of LPDDR5; TechPowerUp: 2133 MHz, 34 GB/s, and L2",
    BY_SIZE,
);

pub(super) const JETSON_THOR: Memory = module(
    [273_000_000_000, 4_266_000, 256],
    [32_768 * KIB, 512],
    "TechPowerUp: 273 GB/s; deviceQuery: 256 bits of LPDDR5X at 4266 MHz, and L2",
    BY_CHANNEL,
);

pub(super) const JETSON_THOR_T4000: Memory = module(
    [273_000_000_000, 4_266_000, 256],
    [32_768 * KIB, 512],
    "TechPowerUp: 256 bits of LPDDR5X at 4266 MHz, 273 GB/s",
    "L2: that of T5000, the same chip; bytes of the L2 a cycle: 32 for each of 16 channels of the DRAM, no source was found",
);

pub(super) const TITAN: Memory = memory(
    [288_384_000_000, 3_004_000, 384],
    [1_536 * KIB, 768],
    "TechPowerUp: 384 bits of GDDR5 at 3004 MHz, 288.4 GB/s, and L2; Accel-Sim's configuration: 24 slices",
    BY_SLICE,
);

pub(super) const TITAN_X: Memory = memory(
    [480_000_000_000, 5_000_000, 384],
    [3_072 * KIB, 768],
    "TechPowerUp: 384 bits of GDDR5X, 10 Gbit/s, 480 GB/s, and L2; Accel-Sim's configuration: 24 slices",
    BY_SLICE,
);

pub(super) const TITAN_V: Memory = memory(
    [651_264_000_000, 848_000, 3072],
    [4_608 * KIB, 1_536],
    "TechPowerUp: 3072 bits of HBM2 at 848 MHz, 651.3 GB/s (653 in the data sheet), and L2; Accel-Sim's configuration: 48 slices",
    BY_SLICE,
);

pub(super) const V100: Memory = memory(
    [898_000_000_000, 877_000, 4096],
    [6_144 * KIB, 2_048],
    "A100 whitepaper: 4096 bits of HBM2 at 877.5 MHz, 900 GB/s (nvidia-smi: 877 MHz, which are 898), L2 and its 2048 bytes a cycle",
    "",
);

pub(super) const RTX_2060: Memory = memory(
    [336_000_000_000, 7_000_000, 192],
    [3_072 * KIB, 768],
    "TechPowerUp: 192 bits of GDDR6, 14 Gbit/s, 336 GB/s, and L2; Accel-Sim's configuration: 24 slices",
    BY_SLICE,
);

pub(super) const RTX_2070: Memory = memory(
    [448_000_000_000, 7_000_000, 256],
    [4_096 * KIB, 1_024],
    "TechPowerUp: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2; Accel-Sim's configuration of RTX 2060 SUPER, the same chip and width: 32 slices",
    BY_SLICE,
);

pub(super) const TITAN_RTX: Memory = memory(
    [672_000_000_000, 7_000_000, 384],
    [6_144 * KIB, 384],
    "TechPowerUp: 384 bits of GDDR6, 14 Gbit/s, 672 GB/s, and L2",
    BY_SIZE,
);

pub(super) const A100: Memory = memory(
    [1_555_000_000_000, 1_215_000, 5120],
    [40_960 * KIB, 5_120],
    "whitepaper: 5120 bits of HBM2 at 1215 MHz, 1555 GB/s in the slowest product (40GB), L2 and its 5120 bytes a cycle",
    "",
);

pub(super) const RTX_3070: Memory = memory(
    [448_000_000_000, 7_000_000, 256],
    [4_096 * KIB, 1_024],
    "TechPowerUp: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2; Accel-Sim's configuration: 32 slices",
    BY_SLICE,
);

pub(super) const RTX_A6000: Memory = memory(
    [768_000_000_000, 8_000_000, 384],
    [6_144 * KIB, 384],
    "TechPowerUp: 384 bits of GDDR6, 16 Gbit/s, 768 GB/s, and L2",
    BY_SIZE,
);

pub(super) const H100: Memory = memory(
    [3_350_000_000_000, 2_619_000, 5120],
    [51_200 * KIB, 2_560],
    "product page: 3.35 TB/s; whitepaper: 5120 bits of HBM3 at 2619 MHz and L2; Accel-Sim's configuration: 80 slices",
    HOPPER,
);

pub(super) const H100_PCIE: Memory = memory(
    [2_000_000_000_000, 1_593_000, 5120],
    [51_200 * KIB, 2_560],
    "whitepaper: 5120 bits of HBM2e at 1593 MHz, 2039 GB/s (2 TB/s in the data sheet), and L2; Accel-Sim's configuration of the SXM: 80 slices",
    HOPPER,
);

pub(super) const H200: Memory = memory(
    [4_800_000_000_000, 3_201_000, 6016],
    [61_440 * KIB, 2_560],
    "data sheet: 4.8 TB/s; the driver: 6016 bits of HBM3e at 3201 MHz, and L2 (docs/silicon); Accel-Sim's configuration of H100: 80 slices",
    HOPPER,
);

pub(super) const RTX_2080: Memory = memory(
    [448_000_000_000, 7_000_000, 256],
    [4_096 * KIB, 512],
    "specification of the card: 256 bits of GDDR6, 14 Gbit/s, 448 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_2080_TI: Memory = memory(
    [616_000_000_000, 7_000_000, 352],
    [5_632 * KIB, 704],
    "specification of the card: 352 bits of GDDR6, 14 Gbit/s, 616 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_3060: Memory = memory(
    [360_000_000_000, 7_500_000, 192],
    [2_304 * KIB, 384],
    "specification of the card: 192 bits of GDDR6, 15 Gbit/s, 360 GB/s; L2: deviceQuery",
    BY_WIDTH,
);

pub(super) const RTX_3080: Memory = memory(
    [760_000_000_000, 9_500_000, 320],
    [5_120 * KIB, 640],
    "specification of the card: 320 bits of GDDR6X, 19 Gbit/s, 760 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_3090: Memory = memory(
    [936_000_000_000, 9_750_000, 384],
    [6_144 * KIB, 768],
    "specification of the card: 384 bits of GDDR6X, 19.5 Gbit/s, 936 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_4060: Memory = memory(
    [272_000_000_000, 8_500_000, 128],
    [24_576 * KIB, 256],
    "specification of the card: 128 bits of GDDR6, 17 Gbit/s, 272 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_4060_TI: Memory = memory(
    [288_000_000_000, 9_000_000, 128],
    [32_768 * KIB, 256],
    "specification of the card: 128 bits of GDDR6, 18 Gbit/s, 288 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_4070: Memory = memory(
    [480_000_000_000, 10_000_000, 192],
    [36_864 * KIB, 384],
    "specification of the card: 192 bits of GDDR6, 20 Gbit/s, 480 GB/s (GDDR6X: 504 GB/s), and L2",
    BY_WIDTH,
);

pub(super) const RTX_4080: Memory = memory(
    [716_800_000_000, 11_200_000, 256],
    [65_536 * KIB, 512],
    "specification of the card: 256 bits of GDDR6X, 22.4 Gbit/s, 716.8 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_4090: Memory = memory(
    [1_008_000_000_000, 10_500_000, 384],
    [73_728 * KIB, 768],
    "specification of the card: 384 bits of GDDR6X, 21 Gbit/s, 1008 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_5070: Memory = memory(
    [672_000_000_000, 14_000_000, 192],
    [49_152 * KIB, 384],
    "specification of the card: 192 bits of GDDR7, 28 Gbit/s, 672 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_5070_TI: Memory = memory(
    [896_000_000_000, 14_000_000, 256],
    [49_152 * KIB, 512],
    "specification of the card: 256 bits of GDDR7, 28 Gbit/s, 896 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_5080: Memory = memory(
    [960_000_000_000, 15_000_000, 256],
    [65_536 * KIB, 512],
    "specification of the card: 256 bits of GDDR7, 30 Gbit/s, 960 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const RTX_5090: Memory = memory(
    [1_792_000_000_000, 14_000_000, 512],
    [98_304 * KIB, 1_024],
    "specification of the card: 512 bits of GDDR7, 28 Gbit/s, 1792 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const A10: Memory = memory(
    [600_000_000_000, 6_250_000, 384],
    [6_144 * KIB, 768],
    "specification of the card: 384 bits of GDDR6, 12.5 Gbit/s, 600 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const A30: Memory = memory(
    [933_000_000_000, 1_215_000, 3072],
    [24_576 * KIB, 1_536],
    "specification of the card: 3072 bits of HBM2 at 1215 MHz, 933 GB/s, and L2",
    BY_SIZE,
);

pub(super) const A40: Memory = memory(
    [695_800_000_000, 7_250_000, 384],
    [6_144 * KIB, 768],
    "specification of the card: 384 bits of GDDR6, 14.5 Gbit/s, 695.8 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const L4: Memory = memory(
    [300_000_000_000, 6_251_000, 192],
    [49_152 * KIB, 384],
    "specification of the card: 192 bits of GDDR6, 12.5 Gbit/s, 300 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const L40S: Memory = memory(
    [864_000_000_000, 9_000_000, 384],
    [98_304 * KIB, 768],
    "specification of the card: 384 bits of GDDR6, 18 Gbit/s, 864 GB/s, and L2",
    BY_WIDTH,
);

pub(super) const B200: Memory = memory(
    [7_672_000_000_000, 3_996_000, 7680],
    [129_536 * KIB, 2_560],
    "the driver, as pytorch/ao prints it: 7680 bits of HBM3e at 3996 MHz, 7.67 TB/s (8 TB/s in the data sheet), and L2",
    "bytes of the L2 a cycle: those of H100, no source was found",
);
