//! What is known of each compute capability.
//!
//! # Sources
//!
//! Cores: the CUDA C++ Programming Guide up to 12.9, table of arithmetic throughput, and from 13.0 on the
//! CUDA C++ Best Practices Guide, "Throughput of Native Arithmetic Instructions" (results a cycle and
//! multiprocessor of 32-bit floating-point additions). Load/store units: the architecture's white paper, text
//! or drawing of the multiprocessor. Resident warps, blocks, registers and shared memory: the Programming
//! Guide, "Technical Specifications per Compute Capability" (up to 12.9) and "Compute Capabilities" (from
//! 13.0 on, <https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html>).
//! A number that was not found there is marked as assumed in its row. `docs/gpus.md` has the addresses.

use crate::device::{Assumed, Between, Capability, Resident};

const KIB: u64 = 1 << 10;

/// The limits on warps, blocks and KiB of shared memory, in all and of one block, with 64 K registers.
const fn resident(warps: u64, blocks: u64, shared_memory: u64, of_a_block: u64) -> Resident {
    Resident {
        warps,
        blocks: Between::exactly(blocks),
        registers: 64 * KIB,
        registers_per_block: 64 * KIB,
        registers_per_thread: 255,
        shared_memory: shared_memory * KIB,
        shared_memory_per_block: of_a_block * KIB,
        reserved_shared_memory: 0,
        shared_memory_unit: 256,
        registers_unit: 256,
    }
}

/// The same limits where the system takes 1 KiB of each block, which leaves that much less to a block.
const fn reserving(warps: u64, blocks: u64, shared_memory: u64) -> Resident {
    Resident {
        reserved_shared_memory: KIB,
        shared_memory_unit: 128,
        ..resident(warps, blocks, shared_memory, shared_memory - 1)
    }
}

const FERMI: Resident = Resident {
    registers: 32 * KIB,
    registers_per_block: 32 * KIB,
    registers_per_thread: 63,
    shared_memory_unit: 128,
    registers_unit: 64,
    ..resident(48, 8, 48, 48)
};
const KEPLER: Resident = resident(64, 16, 48, 48);
const ADA: Resident = reserving(48, 24, 100);
const BLACKWELL: Resident = reserving(64, 32, 228);
const THOR: Resident = reserving(48, 24, 228);
const RTX_BLACKWELL: Resident = Resident { blocks: Between { least: 24, most: 32 }, ..ADA };

const fn exactly(load_store_units: u64, cuda_cores: u64) -> (Between, u64) {
    (Between::exactly(load_store_units), cuda_cores)
}

/// An interval of 16 to 32 load/store units. Drawings of multiprocessors with four partitions show 4 or 8 in
/// each.
const fn unsettled(cuda_cores: u64) -> (Between, u64) {
    (Between { least: 16, most: 32 }, cuda_cores)
}

const NO_DRAWING: &str =
    "load/store units: no drawing of the multiprocessor was found, 16 or 32 as in others of its time";

/// The known compute capabilities.
pub const CAPABILITIES: [Capability; 27] = [
    row("2.0", exactly(16, 32), FERMI, "Fermi white paper (2009); Be12 section 3", ""),
    row(
        "2.1",
        exactly(16, 48),
        FERMI,
        "CUDA C Programming Guide 4.2, appendix F.4",
        "load/store units: as 2.0",
    ),
    row(
        "3.0",
        exactly(32, 192),
        Resident { registers_per_thread: 63, ..KEPLER },
        "GeForce GTX 680 white paper (2012)",
        "",
    ),
    row(
        "3.2",
        unsettled(192),
        Resident { registers_per_block: 32 * KIB, ..KEPLER },
        "cores: Programming Guide 9, one column with 3.0",
        "load/store units: no drawing of Tegra K1 was found, 16 or 32 as in others of its time",
    ),
    row("3.5", exactly(32, 192), KEPLER, "Kepler GK110 white paper (2012)", ""),
    row(
        "3.7",
        exactly(32, 192),
        Resident { registers: 128 * KIB, ..resident(64, 16, 112, 48) },
        "Kepler GK110/210 white paper (2014)",
        "",
    ),
    row("5.0", exactly(32, 128), resident(64, 32, 64, 48), "GeForce GTX 750 Ti white paper (2014)", ""),
    row("5.2", exactly(32, 128), resident(64, 32, 96, 48), "GeForce GTX 980 white paper (2014)", ""),
    row(
        "5.3",
        unsettled(128),
        Resident { registers_per_block: 32 * KIB, ..resident(64, 32, 64, 48) },
        "cores: Programming Guide 9; deviceQuery of Jetson Nano",
        NO_DRAWING,
    ),
    row(
        "6.0",
        exactly(16, 64),
        resident(64, 32, 64, 48),
        "Tesla P100 white paper (2016), drawing of the GP100 multiprocessor",
        "",
    ),
    row("6.1", exactly(32, 128), resident(64, 32, 96, 48), "GeForce GTX 1080 white paper (2016)", ""),
    row(
        "6.2",
        exactly(32, 128),
        Resident { registers_per_block: 32 * KIB, ..resident(64, 32, 64, 48) },
        "cores: Programming Guide 9; deviceQuery of Jetson TX2",
        "load/store units: as 6.1, which is drawn with the same four partitions of 32 cores",
    ),
    row("7.0", exactly(32, 64), resident(64, 32, 96, 96), "Tesla V100 white paper (2017)", ""),
    and_resident(
        "resident warps, blocks, registers and shared memory: as 7.0",
        row(
            "7.2",
            unsettled(64),
            resident(64, 32, 96, 96),
            "cores: deviceQuery of Jetson AGX Xavier",
            "load/store units: no drawing of Xavier was found, 16 or 32 as in others of its time",
        ),
    ),
    row(
        "7.5",
        exactly(16, 64),
        resident(32, 16, 64, 64),
        "Turing white paper (2018), drawing of the TU102 multiprocessor",
        "",
    ),
    row(
        "8.0",
        exactly(32, 64),
        reserving(64, 32, 164),
        "A100 white paper (2020), drawing of the GA100 multiprocessor",
        "",
    ),
    row(
        "8.6",
        exactly(16, 128),
        reserving(48, 16, 100),
        "GA102 white paper (2020), drawing of the multiprocessor",
        "",
    ),
    row(
        "8.7",
        unsettled(128),
        reserving(48, 16, 164),
        "cores: Jetson AGX Orin technical brief, deviceQuery of Jetson Orin NX",
        NO_DRAWING,
    ),
    Capability {
        assumed: Assumed {
            load_store_units: "load/store units: 16 or 32",
            cuda_cores: "cores: as 8.6",
            resident: "",
        },
        ..row(
            "8.8",
            unsettled(128),
            reserving(48, 16, 100),
            "CUDA C++ Core Libraries, arch_traits: as 8.6; not in the guide",
            "",
        )
    },
    row("8.9", exactly(16, 128), ADA, "Ada white paper (2022), drawing of the AD102 multiprocessor", ""),
    row(
        "9.0",
        exactly(32, 128),
        BLACKWELL,
        "H100 white paper (2022), drawing of the GH100 multiprocessor",
        "",
    ),
    row("10.0", unsettled(128), BLACKWELL, "cores: Best Practices Guide 13", NO_DRAWING),
    row("10.1", unsettled(128), THOR, "the number of 11.0 in CUDA 12.8 and 12.9", NO_DRAWING),
    row("10.3", unsettled(128), BLACKWELL, "cores: Best Practices Guide 13", NO_DRAWING),
    row("11.0", unsettled(128), THOR, "cores: Jetson Thor, 2560 on 20 multiprocessors", NO_DRAWING),
    and_resident(
        "resident blocks: 24 in the Programming Guide 13, 32 in 12.9 and in the Blackwell Tuning Guide",
        row(
            "12.0",
            exactly(16, 128),
            RTX_BLACKWELL,
            "cores: RTX Blackwell white paper (2025); load/store units: Huerta et al., MICRO 2025, a request of a warp in two cycles",
            "",
        ),
    ),
    and_resident(
        "resident blocks: 24 in the Programming Guide 13, 32 in 12.9",
        row(
            "12.1",
            exactly(16, 128),
            RTX_BLACKWELL,
            "Programming Guide 13, one column with 12.0",
            "load/store units: as 12.0",
        ),
    ),
];

/// One row of the table. `assumed` is about its load/store units.
const fn row(
    version: &'static str,
    (load_store_units, cuda_cores): (Between, u64),
    resident: Resident,
    source: &'static str,
    assumed: &'static str,
) -> Capability {
    let assumed = Assumed { load_store_units: assumed, cuda_cores: "", resident: "" };
    Capability { version, load_store_units, cuda_cores, resident, source, assumed }
}

/// The same row with an assumption about what is resident, too.
const fn and_resident(resident: &'static str, row: Capability) -> Capability {
    Capability { assumed: Assumed { resident, ..row.assumed }, ..row }
}
