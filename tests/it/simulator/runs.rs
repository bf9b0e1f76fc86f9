//! The launches that were simulated.

use std::path::PathBuf;

/// A launch on the simulator, with what is true of it.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) kernel: String,
    pub(crate) grid: [u64; 3],
    pub(crate) block: [u64; 3],
    pub(crate) multiprocessors: u64,
    pub(crate) channels: u64,
    pub(crate) registers: u64,
    pub(crate) shared: u64,
    pub(crate) simulated: u64,
    /// The sectors of 32 bytes that were read and written at DRAM.
    pub(crate) dram_sectors: u64,
    /// The accesses of L2, of a sector each.
    pub(crate) l2_accesses: u64,
    /// What is true of its transactions and loops, for the PTX and for the SASS.
    pub(crate) flags: [String; 2],
}

/// Kernels whose warps read and write whole lines at DRAM and nothing else. What `transpose_naive` writes in columns stays in L2.
const IN_LINES: [&str; 11] = [
    "vecadd",
    "saxpy",
    "stream",
    "stream8",
    "copy8",
    "read16",
    "store8",
    "reduce",
    "bank",
    "transpose_naive",
    "transpose_tiled",
];

impl Run {
    /// Whether it is a grid of several blocks.
    pub(crate) fn is_grid(&self) -> bool {
        self.grid.iter().product::<u64>() > 1
    }

    /// Whether what it moves at DRAM are whole lines.
    pub(crate) fn in_lines(&self) -> bool {
        IN_LINES.contains(&self.kernel.as_str())
    }
}

/// A file of the folder of simulations.
pub(crate) fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/simulator").join(name)
}

/// All launches.
pub(crate) fn runs() -> Vec<Run> {
    let mut table = csv::Reader::from_path(file("runs.csv")).unwrap();
    let names = table.headers().unwrap().clone();
    let of = |row: csv::StringRecord| {
        let text = |name: &str| row[names.iter().position(|one| one == name).unwrap()].to_owned();
        let number = |name: &str| text(name).parse::<u64>().unwrap();
        Run {
            name: text("run"),
            file: text("file"),
            kernel: text("kernel"),
            grid: [number("grid_x"), number("grid_y"), 1],
            block: [number("block_x"), number("block_y"), 1],
            multiprocessors: number("multiprocessors"),
            channels: number("memory_channels"),
            registers: number("registers"),
            shared: number("shared_bytes"),
            simulated: number("simulated_cycles"),
            dram_sectors: number("dram_read_sectors") + number("dram_write_sectors"),
            l2_accesses: number("l2_accesses"),
            flags: [text("ptx_flags"), text("sass_flags")],
        }
    };
    table.records().map(|row| of(row.unwrap())).collect()
}
