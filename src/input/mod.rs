//! Naming an instance: a TOML file, flags, or both, where flags win.
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
mod listings;
mod multiprocessor;

use std::fmt;

use crate::engines::program::ProgramGroup;
use crate::model::program::Code;
use crate::model::{Capability, Instance, Multiprocessor, Throughput, ThroughputError, Unit, WarpGroup};
use crate::source::InputError;

pub use code::{LISTING_LIMITS, Listed, read_listed};
pub(crate) use code::{classes_of, toml_text};
pub use file::read;
pub(crate) use file::schema;
pub(crate) use gpu::{Device, GpuTable, device};
pub(crate) use listings::{ListingKeys, Listings};
pub(crate) use multiprocessor::{MultiprocessorTable, NO_SIGMAS, Sigmas, machine};

/// Warps that run the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeGroup {
    /// What each of them runs.
    pub code: Code,
    /// How many.
    pub warps: u64,
}

/// What a file says, before flags change it.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    place: String,
    /// Of the first kernel.
    line: Option<usize>,
    kernel: Option<Code>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    groups: Vec<CodeGroup>,
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
    pub groups: Vec<CodeGroup>,
    /// `--compute-capability`.
    pub capability: Option<Capability>,
    /// The code's target, where nothing else says sigmas.
    pub target: Option<Capability>,
    /// `--sigma-l`.
    pub sigma_l: Option<Throughput>,
    /// `--sigma-c`.
    pub sigma_c: Option<Throughput>,
}

/// What is to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Kernel strings, which all engines take.
    Instance(Instance),
    /// Programs, or programs beside kernel strings, which have a bound.
    Programs(Vec<ProgramGroup>, Multiprocessor),
}

/// A file says what it runs on; without a file the flags have defaults.
const NO_MULTIPROCESSOR: &str = "no [multiprocessor]: want it with sigma_l and sigma_c, load_store_units and cuda_cores, or \
                                 compute_capability; or --compute-capability, or --sigma-l and --sigma-c";

impl Draft {
    /// The instance of a file and flags, which win.
    ///
    /// # Errors
    /// As [`Draft::problem`], and for a program.
    pub fn instance(self, flags: &Flags) -> Result<Instance, InputError> {
        let place = self.place.clone();
        match self.problem(flags)? {
            Problem::Instance(instance) => Ok(instance),
            Problem::Programs(..) => {
                let what = "the kernel has branches or loops, so there is no one schedule of it: want a straight line, or \
                            solve, bound or rta, which bound it";
                Err(InputError::new(place, what))
            }
        }
    }

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

    /// The problem of a file and flags, which win.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large.
    pub fn problem(self, flags: &Flags) -> Result<Problem, InputError> {
        let error = |what: &dyn fmt::Display| InputError::new(self.place.clone(), what);
        let groups = if !flags.groups.is_empty() {
            flags.groups.clone()
        } else if !self.groups.is_empty() && flags.kernel.is_none() {
            if flags.warps.is_some() {
                return Err(error(&"--warps does not say which [[group]] it is for: use --group STRING:N"));
            }
            self.groups.clone()
        } else {
            let kernel = flags.kernel.clone().or(self.kernel.clone());
            let kernel = kernel
                .ok_or_else(|| error(&"no kernel is given: want [kernel] string, --kernel or --ptx"))?;
            let warps = flags.warps.or(self.warps);
            let warps =
                warps.ok_or_else(|| error(&"no number of warps is given: want [launch] warps or --warps"))?;
            vec![CodeGroup { code: kernel, warps }]
        };
        let given = self.sigmas(flags).map_err(|what| error(&what))?;
        let by_flags = flags.sigma_l.is_some() && flags.sigma_c.is_some();
        if given.is_none() && !by_flags && !self.place.is_empty() {
            let what = NO_MULTIPROCESSOR.to_owned();
            return Err(InputError { place: self.place.clone(), line: self.line, what });
        }
        let given = given.map(|given| given.multiprocessor).unwrap_or_default();
        let sigma = |flag: Option<Throughput>, unit| flag.unwrap_or_else(|| given.sigma(unit));
        let multiprocessor =
            Multiprocessor::new(sigma(flags.sigma_l, Unit::LoadStore), sigma(flags.sigma_c, Unit::CudaCore));
        let warps_per_block = flags.warps_per_block.or(self.warps_per_block);
        let string = |group: &CodeGroup| match &group.code {
            Code::Kernel(kernel) => Some(WarpGroup { kernel: kernel.clone(), warps: group.warps }),
            Code::Program(_) => None,
        };
        let Some(strings) = groups.iter().map(string).collect() else {
            let program = |group: CodeGroup| {
                let program = group.code.program().map_err(|what| error(&what))?;
                Ok(ProgramGroup { program, warps: group.warps, warps_per_block })
            };
            let programs = groups.into_iter().map(program).collect::<Result<_, InputError>>()?;
            return Ok(Problem::Programs(programs, multiprocessor));
        };
        let instance = Instance::new(strings, multiprocessor);
        let instance = match warps_per_block {
            Some(block) => instance.and_then(|instance| instance.in_blocks_of(block)),
            None => instance,
        };
        instance.map(Problem::Instance).map_err(|what| error(&what))
    }
}
