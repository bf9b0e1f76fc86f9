//! Naming an instance: a TOML file, flags, or both, where flags win.
//!
//! ```toml
//! [kernel]                      # or several [[group]] tables, each with string and warps
//! string = "LLCLL"
//! [multiprocessor]              # one of: sigma_l/sigma_c; load_store_units/cuda_cores/warp_size; compute_capability
//! sigma_l = "1/2"
//! sigma_c = 1
//! [launch]
//! warps = 4                     # or threads = 128, in warps of [multiprocessor] warp_size, default 32
//! warps_per_block = 2           # or threads_per_block; all warps of a group if not given; matters where there is a barrier
//! ```

mod examiner;
mod file;
mod gpu;
mod grid;
mod multiprocessor;
mod prem;
mod source;
mod system;

use std::fmt;

use thiserror::Error;

use crate::model::{Instance, Kernel, Multiprocessor, Throughput, Unit, WarpGroup};

pub use examiner::read_examiner;
pub use file::read;
pub use grid::{KEYS, Texts, read_grid};
pub(crate) use multiprocessor::{MultiprocessorTable, multiprocessor};
pub use prem::{KernelDraft, TilesFile, Time, read_tiles};
pub(crate) use source::Source;
pub use system::read_system;

/// What is wrong with an input, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct InputError {
    /// File or flag; empty where neither is to blame.
    pub place: String,
    /// Line of the file, from 1.
    pub line: Option<usize>,
    /// What was found and what would do.
    pub what: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.place.as_str(), self.line) {
            ("", _) => write!(f, "{}", self.what),
            (place, Some(line)) => write!(f, "{place}:{line}: {}", self.what),
            (place, None) => write!(f, "{place}: {}", self.what),
        }
    }
}

impl InputError {
    /// An error of a flag or a whole file.
    pub fn new(place: impl Into<String>, what: impl fmt::Display) -> Self {
        Self { place: place.into(), line: None, what: what.to_string() }
    }
}

/// What a file says, before flags change it.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    place: String,
    kernel: Option<Kernel>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    groups: Vec<WarpGroup>,
    multiprocessor: Option<Multiprocessor>,
}

/// What flags say.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--kernel`.
    pub kernel: Option<Kernel>,
    /// `--warps`.
    pub warps: Option<u64>,
    /// `--warps-per-block`.
    pub warps_per_block: Option<u64>,
    /// `--group`, instead of kernel and warps.
    pub groups: Vec<WarpGroup>,
    /// `--compute-capability`.
    pub multiprocessor: Option<Multiprocessor>,
    /// `--sigma-l`.
    pub sigma_l: Option<Throughput>,
    /// `--sigma-c`.
    pub sigma_c: Option<Throughput>,
}

impl Draft {
    /// The instance of a file and flags, which win.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large.
    pub fn instance(self, flags: &Flags) -> Result<Instance, InputError> {
        let error = |what: &dyn fmt::Display| InputError::new(self.place.clone(), what);
        let given = flags.multiprocessor.or(self.multiprocessor).unwrap_or_default();
        let sigma = |flag: Option<Throughput>, unit| flag.unwrap_or_else(|| given.sigma(unit));
        let multiprocessor =
            Multiprocessor::new(sigma(flags.sigma_l, Unit::LoadStore), sigma(flags.sigma_c, Unit::CudaCore));
        let groups = if !flags.groups.is_empty() {
            flags.groups.clone()
        } else if !self.groups.is_empty() && flags.kernel.is_none() {
            if flags.warps.is_some() {
                return Err(error(&"--warps does not say which [[group]] it is for: use --group STRING:N"));
            }
            self.groups.clone()
        } else {
            let kernel = flags.kernel.clone().or(self.kernel.clone());
            let kernel =
                kernel.ok_or_else(|| error(&"no kernel is given: want [kernel] string or --kernel"))?;
            let warps = flags.warps.or(self.warps);
            let warps =
                warps.ok_or_else(|| error(&"no number of warps is given: want [launch] warps or --warps"))?;
            vec![WarpGroup { kernel, warps }]
        };
        let instance = Instance::new(groups, multiprocessor);
        let instance = match flags.warps_per_block.or(self.warps_per_block) {
            Some(block) => instance.and_then(|instance| instance.in_blocks_of(block)),
            None => instance,
        };
        instance.map_err(|what| error(&what))
    }
}
