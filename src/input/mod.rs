//! Naming a workload: a TOML file, flags, or both, where flags win.
//!
//! ```toml
//! [kernel]                      # or several [[group]] tables, each with string and warps
//! string = "LLCLL"
//! [multiprocessor]              # one of: sigma_l and sigma_c; load_store_units, cuda_cores, warp_size; compute_capability; or flags say it
//! sigma_l = "1/2"
//! sigma_c = 1
//! [launch]
//! warps = 4                     # or threads = 128, in warps of [multiprocessor] warp_size, default 32
//! warps_per_block = 2           # or threads_per_block; all warps of a group if not given; matters where there is a barrier
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

pub(crate) use code::classes_of;
pub use code::{LISTING_LIMITS, Listed, read_listed};
pub use file::read;
pub(crate) use file::schema;
pub(crate) use gpu::{Device, GpuTable, device};
pub(crate) use listings::{ListingKeys, Listings};
pub(crate) use multiprocessor::{MultiprocessorTable, NO_SIGMAS, Sigmas, machine};

/// What a file says, before flags change it.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    place: String,
    /// Of the first kernel.
    line: Option<usize>,
    kernel: Option<Code>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    groups: Vec<Group>,
    sigmas: Option<Sigmas>,
}

/// What flags say.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--kernel`, or what `--ptx` names.
    pub kernel: Option<Code>,
    /// `--warps`.
    pub warps: Option<u64>,
    /// `--warps-per-block`.
    pub warps_per_block: Option<u64>,
    /// `--group`, instead of kernel and warps.
    pub groups: Vec<Group>,
    /// `--compute-capability`.
    pub capability: Option<Capability>,
    /// The code's target, where nothing else says sigmas.
    pub target: Option<Capability>,
    /// `--sigma-l`.
    pub sigma_l: Option<Throughput>,
    /// `--sigma-c`.
    pub sigma_c: Option<Throughput>,
}

/// A file says what it runs on; without a file the flags have defaults.
const NO_MULTIPROCESSOR: &str = "no [multiprocessor]: want it with sigma_l and sigma_c, load_store_units and cuda_cores, or \
                                 compute_capability; or ";

impl Draft {
    /// What the file and flags say of the multiprocessor, but for sigmas by flags.
    fn sigmas(&self, flags: &Flags) -> Result<Option<Sigmas>, ThroughputError> {
        match (flags.capability, self.sigmas) {
            (None, Some(sigmas)) => Ok(Some(sigmas)),
            (capability, _) => capability.or(flags.target).map(Sigmas::of).transpose(),
        }
    }

    /// What is to be said beside numbers for it, if its sigmas rest on a figure that is assumed.
    pub fn assumes(&self, flags: &Flags) -> Option<String> {
        let by_flag = |unit| match unit {
            Unit::LoadStore => flags.sigma_l.is_some(),
            Unit::CudaCore => flags.sigma_c.is_some(),
        };
        let others: Vec<Unit> = Unit::ALL.into_iter().filter(|&unit| !by_flag(unit)).collect();
        self.sigmas(flags).ok()??.capability?.assumes(&others)
    }

    /// The workload of a file and flags, which win.
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

/// The instance of a workload, for what needs a schedule; `place` names the workload in the message.
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
