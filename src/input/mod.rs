//! Workloads from TOML files and flags; flags take precedence over files.
//!
//! ```toml
//! [kernel]                      # or several [[group]] tables, each with string and warps
//! string = "LLCLL"
//! [multiprocessor]              # one of three: sigma_l and sigma_c; compute_capability; or
//! sigma_l = "1/2"               # load_store_units, cuda_cores and warp_size
//! sigma_c = 1
//! [launch]
//! warps = 4                     # or threads = 128, in warps of warp_size threads, 32 by default
//! warps_per_block = 2           # or threads_per_block; all warps of a group by default
//! same_path = true              # all warps of a group take the same path; false by default
//! # blocks = 100                # instead of warps: blocks of a grid, which follow one another
//! # resident = 2                # blocks at once on a multiprocessor; all by default
//! # multiprocessors = 4         # 1 by default
//! ```

mod code;
mod file;
mod gpu;
mod keys;
mod listings;
mod multiprocessor;

use crate::model::device::Capability;
use crate::model::{
    Code, Grid, Group, Instance, Multiprocessor, Throughput, ThroughputError, Unit, Workload,
};
use crate::source::{InputError, Message, Remedy};

pub use code::LISTING_LIMITS;
pub(crate) use code::classes_of;
pub(crate) use code::{Listed, read_listed};
pub use file::read;
pub(crate) use file::schema;
pub(crate) use gpu::{Device, GpuTable, device};
pub(crate) use listings::{ListingKeys, Listings};
pub(crate) use multiprocessor::{MultiprocessorTable, NO_SIGMAS, Sigmas, machine};

/// The contents of a file, before flags change them.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    place: String,
    /// The line of the first kernel.
    line: Option<usize>,
    kernel: Option<Code>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    same_path: bool,
    grid: GridKeys,
    groups: Vec<Group>,
    sigmas: Option<Sigmas>,
}

/// How many blocks a grid has, and the room for them, as far as it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GridKeys {
    /// The number of blocks.
    pub blocks: Option<u64>,
    /// The number of blocks that a multiprocessor holds at once; all of them if it is not given.
    pub resident: Option<u64>,
    /// The number of multiprocessors; 1 if it is not given.
    pub multiprocessors: Option<u64>,
}

/// What is to be bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// Warps that start together on one multiprocessor.
    Workload(Workload),
    /// Blocks that wait for room.
    Grid(Grid),
}

/// The values of flags, none of which has to be given.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// The code of `--kernel`, or of the listing that `--ptx` names.
    pub kernel: Option<Code>,
    /// The value of `--warps`.
    pub warps: Option<u64>,
    /// The value of `--warps-per-block`.
    pub warps_per_block: Option<u64>,
    /// The values of `--blocks`, `--resident` and `--multiprocessors`.
    pub grid: GridKeys,
    /// The values of `--group`, which replace kernel and warps.
    pub groups: Vec<Group>,
    /// The value of `--compute-capability`.
    pub capability: Option<Capability>,
    /// The target of the listing, which gives the sigmas where nothing else does.
    pub target: Option<Capability>,
    /// Whether `--same-path` is given.
    pub same_path: bool,
    /// The value of `--sigma-l`.
    pub sigma_l: Option<Throughput>,
    /// The value of `--sigma-c`.
    pub sigma_c: Option<Throughput>,
}

/// The error for a file without a multiprocessor. Flags without a file have a default.
const NO_MULTIPROCESSOR: &str = "no [multiprocessor]: want it with sigma_l and sigma_c, load_store_units and cuda_cores, or \
                                 compute_capability; or ";

impl Draft {
    /// The multiprocessor that the file and the flags give; `--sigma-l` and `--sigma-c` are not yet applied.
    fn sigmas(&self, flags: &Flags) -> Result<Option<Sigmas>, ThroughputError> {
        match (flags.capability, self.sigmas) {
            (None, Some(sigmas)) => Ok(Some(sigmas)),
            (capability, _) => capability.or(flags.target).map(Sigmas::of).transpose(),
        }
    }

    /// What a user must know about the results, if the sigmas rest on a number that is assumed.
    pub fn assumes(&self, flags: &Flags) -> Option<String> {
        let by_flag = |unit| match unit {
            Unit::LoadStore => flags.sigma_l.is_some(),
            Unit::CudaCore => flags.sigma_c.is_some(),
        };
        let others: Vec<Unit> = Unit::ALL.into_iter().filter(|&unit| !by_flag(unit)).collect();
        self.sigmas(flags).ok()??.capability?.assumes(&others)
    }

    /// The workload that the file and the flags describe; flags take precedence.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large, or a grid is described.
    pub fn workload(self, flags: &Flags) -> Result<Workload, InputError> {
        if self.grid != GridKeys::default() || flags.grid != GridKeys::default() {
            let what = "only solve and bound take the blocks of a grid: want a number of warps";
            return Err(InputError::new(self.place, what));
        }
        let groups = if !flags.groups.is_empty() {
            flags.groups.clone()
        } else if !self.groups.is_empty() && flags.kernel.is_none() {
            if flags.warps.is_some() {
                let what = Message::of(Remedy::Warps)
                    .then(" does not say which [[group]] it is for: use ")
                    .remedy(Remedy::Groups);
                return Err(InputError::with(self.place.clone(), what));
            }
            self.groups.clone()
        } else {
            let code = self.code(flags)?;
            let warps = flags.warps.or(self.warps);
            let warps = warps.ok_or_else(|| {
                self.missing("no number of warps is given: want [launch] warps or ", Remedy::Warps)
            })?;
            vec![Group { code, warps }]
        };
        let multiprocessor = self.multiprocessor(flags)?;
        let warps_per_block = flags.warps_per_block.or(self.warps_per_block);
        let workload = Workload::new(groups, multiprocessor);
        let workload = match warps_per_block {
            Some(block) => workload.and_then(|workload| workload.in_blocks_of(block)),
            None => workload,
        };
        let same_path = flags.same_path || self.same_path;
        workload
            .map(|workload| workload.with_same_path(same_path))
            .map_err(|what| InputError::new(self.place, what))
    }

    /// The workload or the grid that the file and the flags describe; flags take precedence. It is a grid if
    /// a number of blocks is given.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large.
    pub fn asked(self, flags: &Flags) -> Result<Asked, InputError> {
        let GridKeys { blocks, resident, multiprocessors } = self.grid;
        let resident = flags.grid.resident.or(resident);
        let multiprocessors = flags.grid.multiprocessors.or(multiprocessors);
        let Some(blocks) = flags.grid.blocks.or(blocks) else {
            if resident.is_some() || multiprocessors.is_some() {
                let what =
                    "resident blocks or multiprocessors without a number of blocks: want [launch] blocks or ";
                return Err(self.missing(what, Remedy::Blocks));
            }
            return self.workload(flags).map(Asked::Workload);
        };
        if flags.warps.is_some() {
            let what = "both a number of blocks and a number of warps: want blocks and ";
            return Err(self.missing(what, Remedy::WarpsPerBlock));
        }
        if !flags.groups.is_empty() || !self.groups.is_empty() && flags.kernel.is_none() {
            let what = "both a number of blocks and groups: the blocks of a grid run one kernel, want ";
            return Err(self.missing(what, Remedy::Kernel));
        }
        if flags.same_path || self.same_path {
            let what =
                "same_path with a number of blocks: the bounds of a grid hold whatever paths its warps take";
            return Err(InputError::new(self.place, what));
        }
        let warps = flags.warps_per_block.or(self.warps_per_block).ok_or_else(|| {
            self.missing(
                "no warps of a block are given: want [launch] warps_per_block or ",
                Remedy::WarpsPerBlock,
            )
        })?;
        let grid = Grid::new(self.code(flags)?, self.multiprocessor(flags)?, warps, blocks)
            .and_then(|grid| grid.on(multiprocessors.unwrap_or(1), resident.unwrap_or(blocks)));
        grid.map(Asked::Grid).map_err(|what| InputError::new(self.place, what))
    }

    /// The error that something is missing.
    fn missing(&self, what: &str, remedy: Remedy) -> InputError {
        InputError::with(self.place.clone(), Message::text(what).remedy(remedy))
    }

    /// The code of all warps.
    fn code(&self, flags: &Flags) -> Result<Code, InputError> {
        let code = flags.kernel.clone().or(self.kernel.clone());
        code.ok_or_else(|| self.missing("no kernel is given: want [kernel] string, ", Remedy::Kernel))
    }

    /// The multiprocessor.
    fn multiprocessor(&self, flags: &Flags) -> Result<Multiprocessor, InputError> {
        let given = self.sigmas(flags).map_err(|what| InputError::new(self.place.clone(), what))?;
        let by_flags = flags.sigma_l.is_some() && flags.sigma_c.is_some();
        if given.is_none() && !by_flags && !self.place.is_empty() {
            let what = Message::text(NO_MULTIPROCESSOR).remedy(Remedy::Throughputs);
            return Err(InputError { place: self.place.clone(), line: self.line, what });
        }
        let given = given.map(|given| given.multiprocessor).unwrap_or_default();
        let sigma = |flag: Option<Throughput>, unit| flag.unwrap_or_else(|| given.sigma(unit));
        Ok(Multiprocessor::new(sigma(flags.sigma_l, Unit::LoadStore), sigma(flags.sigma_c, Unit::CudaCore)))
    }
}

/// The instance of a workload, for commands that need a schedule; `place` is the workload's name in messages.
///
/// # Errors
/// If some code has several paths.
pub fn straight_line<'a>(place: &str, workload: &'a Workload) -> Result<&'a Instance, InputError> {
    workload.instance().ok_or_else(|| {
        let what = "the kernel has branches or loops, so there is no one schedule of it: want a straight line, or \
                    solve, bound or rta, which bound it";
        InputError::new(place, what)
    })
}
