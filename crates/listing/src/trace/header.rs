//! The header of a `.traceg` file.

use crate::message::shorten;
use crate::trace::field::{number, three};
use crate::trace::instruction::Layout;

/// The newest version of the tracer whose files are known.
const NEWEST: u64 = 5;

/// What a file says of the launch that it is of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// The kernel's name, mangled.
    pub kernel: String,
    /// The number of the launch in its program.
    pub id: u64,
    /// The sizes of the grid.
    pub grid: [u64; 3],
    /// The sizes of a block.
    pub block: [u64; 3],
    /// The capability of the code: `75` is 7.5.
    pub binary: Option<u64>,
    /// The version of the tracer.
    pub tracer: u64,
    /// Where the windows of shared and of local memory begin among generic addresses.
    pub(super) windows: [Option<u64>; 2],
    /// Whether each instruction begins with a line of the source.
    lineinfo: bool,
    /// Whether each instruction ends with an immediate; none if no line says so.
    immediate: Option<bool>,
    /// The keys that were read.
    seen: Vec<String>,
}

impl Header {
    /// Adds a line of the header.
    pub(super) fn line(&mut self, text: &str) -> Result<(), String> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| format!("{:?}: want -KEY = VALUE", shorten(text)))?;
        let (key, value) = (key.trim_start_matches('-').trim(), value.trim());
        if self.seen.iter().any(|one| one == key) {
            return Err(format!("a second line -{}", shorten(key)));
        }
        self.seen.push(key.to_owned());
        let address = |value: &str| {
            let digits = value.strip_prefix("0x").unwrap_or(value);
            u64::from_str_radix(digits, 16)
                .map_err(|_| format!("-{key} = {:?}: want an address", shorten(value)))
        };
        let of = |read: Result<u64, String>| read.map_err(|what| format!("-{key} = {what}"));
        match key {
            "kernel name" => self.kernel = value.to_owned(),
            "kernel id" => self.id = of(number(value))?,
            "grid dim" => self.grid = three(value).map_err(|what| format!("-{key} = {what}"))?,
            "block dim" => self.block = three(value).map_err(|what| format!("-{key} = {what}"))?,
            "binary version" => self.binary = Some(of(number(value))?),
            "shmem" | "nregs" | "cuda stream id" => _ = of(number(value))?,
            "shmem base_addr" => self.windows[0] = Some(address(value)?).filter(|&at| at > 0),
            "local mem base_addr" => self.windows[1] = Some(address(value)?).filter(|&at| at > 0),
            "nvbit version" => {}
            // Early versions were `1.2`.
            "accelsim tracer version" => {
                self.tracer = of(number(value.split('.').next().unwrap_or_default()))?;
            }
            "enable lineinfo" => {
                self.lineinfo = match value {
                    "0" => false,
                    "1" => true,
                    _ => return Err(format!("-{key} = {:?}: want 0 or 1", shorten(value))),
                }
            }
            _ => {
                return Err(format!(
                    "-{}: no such line is known: want a file of Accel-Sim's tracer of version {NEWEST} or earlier",
                    shorten(key)
                ));
            }
        }
        Ok(())
    }

    /// Takes what the line `#traces format = ...` says.
    pub(super) fn format(&mut self, text: &str) {
        self.immediate = Some(text.contains("immediate"));
    }

    /// Checks that nothing is missing that the numbers need.
    pub(super) fn check(&self) -> Result<(), String> {
        let needed = ["kernel name", "grid dim", "block dim", "accelsim tracer version"];
        if let Some(missing) = needed.into_iter().find(|key| !self.seen.iter().any(|one| one == key)) {
            return Err(format!("the header has no line -{missing}"));
        }
        if self.kernel.is_empty() {
            return Err("-kernel name is empty".to_owned());
        }
        if self.tracer == 0 || self.tracer > NEWEST {
            return Err(format!("version {} of the tracer: want 1 to {NEWEST}", self.tracer));
        }
        let threads = self.threads().filter(|threads| (1..=1024).contains(threads));
        if threads.is_none() || self.blocks().is_none_or(|blocks| blocks == 0) {
            let [grid, block] = [self.grid, self.block].map(|[x, y, z]| format!("({x},{y},{z})"));
            return Err(format!("a grid of {grid} blocks of {block} threads: want the sizes of a launch"));
        }
        Ok(())
    }

    /// The threads of a block.
    pub(super) fn threads(&self) -> Option<u64> {
        self.block.iter().try_fold(1_u64, |all, &one| all.checked_mul(one))
    }

    /// The blocks of the launch.
    pub(super) fn blocks(&self) -> Option<u64> {
        self.grid.iter().try_fold(1_u64, |all, &one| all.checked_mul(one))
    }

    /// How the lines of instructions look.
    pub(super) fn layout(&self) -> Layout {
        Layout { old: self.tracer < 3, lineinfo: self.lineinfo, immediate: self.immediate }
    }

    /// Whether a generic address is one of global memory; not known where the windows are not.
    pub(super) fn is_global(&self, address: i64) -> Option<bool> {
        /// How long each window is.
        const WINDOW: u64 = 1 << 24;
        let address = address.unsigned_abs();
        let [shared, local] = self.windows;
        Some([shared?, local?].iter().all(|&at| !(at..at.saturating_add(WINDOW)).contains(&address)))
    }
}
