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
//! ```

mod code;
mod file;
mod gpu;
mod keys;
mod listings;
mod multiprocessor;

use std::fmt;

use crate::model::device::Capability;
use crate::model::{Code, Group, Instance, Multiprocessor, Throughput, ThroughputError, Unit, Workload};
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
    groups: Vec<Group>,
    sigmas: Option<Sigmas>,
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
    /// The values of `--group`, which replace kernel and warps.
    pub groups: Vec<Group>,
    /// The value of `--compute-capability`.
    pub capability: Option<Capability>,
    /// The target of the listing, which gives the sigmas where nothing else does.
    pub target: Option<Capability>,
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
    /// If something is missing, contradictory or too large.
    pub fn workload(self, flags: &Flags) -> Result<Workload, InputError> {
        let error = |what: &dyn fmt::Display| InputError::new(self.place.clone(), what);
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
            let kernel = flags.kernel.clone().or(self.kernel.clone());
            let missing = |what: &str, remedy: Remedy| {
                InputError::with(self.place.clone(), Message::text(what).remedy(remedy))
            };
            let kernel = kernel
                .ok_or_else(|| missing("no kernel is given: want [kernel] string, ", Remedy::Kernel))?;
            let warps = flags.warps.or(self.warps);
            let warps = warps.ok_or_else(|| {
                missing("no number of warps is given: want [launch] warps or ", Remedy::Warps)
            })?;
            vec![Group { code: kernel, warps }]
        };
        let given = self.sigmas(flags).map_err(|what| error(&what))?;
        let by_flags = flags.sigma_l.is_some() && flags.sigma_c.is_some();
        if given.is_none() && !by_flags && !self.place.is_empty() {
            let what = Message::text(NO_MULTIPROCESSOR).remedy(Remedy::Throughputs);
            return Err(InputError { place: self.place.clone(), line: self.line, what });
        }
        let given = given.map(|given| given.multiprocessor).unwrap_or_default();
        let sigma = |flag: Option<Throughput>, unit| flag.unwrap_or_else(|| given.sigma(unit));
        let multiprocessor =
            Multiprocessor::new(sigma(flags.sigma_l, Unit::LoadStore), sigma(flags.sigma_c, Unit::CudaCore));
        let warps_per_block = flags.warps_per_block.or(self.warps_per_block);
        let workload = Workload::new(groups, multiprocessor);
        let workload = match warps_per_block {
            Some(block) => workload.and_then(|workload| workload.in_blocks_of(block)),
            None => workload,
        };
        workload.map_err(|what| error(&what))
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
