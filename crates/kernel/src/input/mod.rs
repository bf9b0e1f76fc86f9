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
mod kind;
mod listings;
mod machine;
mod memory;
mod multiprocessor;
mod ncu;
mod needs;
mod platform;

use std::collections::BTreeSet;
use std::sync::Arc;

use warpspan_model::device::Capability;
use warpspan_model::machine::{MachineGrid, MachineWorkload, Step, has_dependences};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::{
    Code, Grid, Group, Instance, Multiprocessor, Throughput, ThroughputError, Unit, Workload,
};

pub use code::LISTING_LIMITS;
#[doc(hidden)]
pub use code::ListedOnMachine;
#[doc(hidden)]
pub use code::{Listed, read_listed, read_listed_on};
#[doc(hidden)]
pub use code::{classes_of, declarations_of};
#[doc(hidden)]
pub use file::schema;
pub use file::{read, read_for};
#[doc(hidden)]
pub use gpu::{Device, GpuTable, device};
pub use kind::FileKind;
#[doc(hidden)]
pub use listings::{ListingKeys, Listings};
#[doc(hidden)]
pub use machine::schema as machine_schema;
pub use machine::{NamedMachine, Number, Origin, find_machine, read_machine};
pub use memory::{Ground, OF_PAPER};
pub use memory::{Length, MemoryError, MemoryFlags, Moved, NamedServer, Rate, Share, Stops, gigabytes, size};
#[doc(hidden)]
pub use multiprocessor::{MultiprocessorTable, NO_SIGMAS, Sigmas, machine};
pub use ncu::{Counted, read_ncu};
#[doc(hidden)]
pub use needs::{ANY, left_out};
#[doc(hidden)]
pub use platform::{CodeOn, MachineKey, Platform, platform};

/// The contents of a file, before flags change them, with code of type `C`.
#[derive(Debug, Clone)]
pub struct Draft<C = Code> {
    place: String,
    /// The line of the first kernel.
    line: Option<usize>,
    kernel: Option<C>,
    warps: Option<u64>,
    warps_per_block: Option<u64>,
    same_path: bool,
    grid: GridKeys,
    groups: Vec<Group<C>>,
    sigmas: Option<Sigmas>,
}

impl<C> Default for Draft<C> {
    fn default() -> Self {
        Self {
            place: String::new(),
            line: None,
            kernel: None,
            warps: None,
            warps_per_block: None,
            same_path: false,
            grid: GridKeys::default(),
            groups: Vec::new(),
            sigmas: None,
        }
    }
}

/// The contents of a file for the paper's multiprocessor, or for another machine.
#[derive(Debug, Clone)]
pub enum AnyDraft {
    /// Kernels of L and C, with sigmas.
    Paper(Draft),
    /// Code over the letters of a machine.
    Machine(Arc<NamedMachine>, Draft<Piece<Step>>),
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
    /// Either of these on a machine that is not the paper's.
    OnMachine(Box<OnMachine>),
}

impl Asked {
    /// Whether no warp has a choice of paths, as far as the paper's multiprocessor goes: on a machine, the search over its
    /// states says so.
    pub fn is_straight(&self) -> bool {
        match self {
            Self::Workload(workload) => workload.instance().is_some(),
            Self::Grid(grid) => grid.block().instance().is_some(),
            Self::OnMachine(_) => true,
        }
    }
}

/// What is to be bounded on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnMachine {
    /// The machine.
    pub machine: Arc<NamedMachine>,
    /// What is launched on it.
    pub launch: MachineLaunch,
}

/// What is launched on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MachineLaunch {
    /// Warps that start together.
    Workload(MachineWorkload),
    /// Blocks that wait for room.
    Grid(MachineGrid),
}

impl OnMachine {
    /// What a user must know about the results: the numbers of the letters in use that no source gives.
    pub fn assumes(&self) -> Vec<Message> {
        let codes: Vec<&Piece<Step>> = match &self.launch {
            MachineLaunch::Workload(workload) => workload.groups().iter().map(|group| &group.code).collect(),
            MachineLaunch::Grid(grid) => vec![grid.code()],
        };
        // A number behind a name says how often a memory instruction passes.
        let base = |step: &Step| {
            let name = &*self.machine.machine.letter(step.letter).name;
            match name.rsplit_once('.') {
                Some((base, _)) if !self.machine.letters.contains_key(name) => base,
                _ => name,
            }
        };
        let used: BTreeSet<&str> = codes.into_iter().flat_map(Piece::letters).map(base).collect();
        self.machine.assumes(&Vec::from_iter(used))
    }
}

/// The values of flags, none of which has to be given, with code of type `C`.
#[derive(Debug, Clone)]
pub struct Flags<C = Code> {
    /// The code of `--kernel`, or of the listing that `--ptx` names.
    pub kernel: Option<C>,
    /// The value of `--warps`.
    pub warps: Option<u64>,
    /// The value of `--warps-per-block`.
    pub warps_per_block: Option<u64>,
    /// The values of `--blocks`, `--resident` and `--multiprocessors`.
    pub grid: GridKeys,
    /// The values of `--group`, which replace kernel and warps.
    pub groups: Vec<Group<C>>,
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

impl<C> Default for Flags<C> {
    fn default() -> Self {
        Self {
            kernel: None,
            warps: None,
            warps_per_block: None,
            grid: GridKeys::default(),
            groups: Vec::new(),
            capability: None,
            target: None,
            same_path: false,
            sigma_l: None,
            sigma_c: None,
        }
    }
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
        let groups = self.together(flags)?;
        self.of_groups(groups, flags)
    }

    /// The workload of these groups.
    fn of_groups(&self, groups: Vec<Group>, flags: &Flags) -> Result<Workload, InputError> {
        let blocks = flags.warps_per_block.or(self.warps_per_block);
        let same_path = flags.same_path || self.same_path;
        Workload::new(groups, self.multiprocessor(flags)?)
            .and_then(|workload| workload.in_blocks_of(blocks))
            .map(|workload| workload.with_same_path(same_path))
            .map_err(|what| InputError::new(self.place.clone(), what))
    }

    /// The workload or the grid that the file and the flags describe; flags take precedence. It is a grid if
    /// a number of blocks is given.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large.
    pub fn asked(self, flags: &Flags) -> Result<Asked, InputError> {
        match self.launch(flags)? {
            Launch::Together { groups, .. } => self.of_groups(groups, flags).map(Asked::Workload),
            Launch::Grid { code, warps_per_block, blocks, resident, multiprocessors } => {
                let grid = Grid::new(code, self.multiprocessor(flags)?, warps_per_block, blocks)
                    .and_then(|grid| grid.on(multiprocessors, resident));
                grid.map(Asked::Grid).map_err(|what| InputError::new(self.place, what))
            }
        }
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

impl Draft<Piece<Step>> {
    /// What the file and the flags launch on a machine; flags take precedence. If the machine is the paper's
    /// multiprocessor and the code is from no listing, it is a workload or a grid on that.
    ///
    /// # Errors
    /// If something is missing, contradictory or too large.
    pub fn on_machine(
        self,
        flags: &Flags<Piece<Step>>,
        machine: &Arc<NamedMachine>,
    ) -> Result<Asked, InputError> {
        // The paper's multiprocessor knows no stalls, which code from a listing has.
        let stalls = flags.kernel.as_ref().is_some_and(has_dependences);
        if let Some(sigmas) = machine.machine.sigmas().filter(|_| !stalls) {
            return self.on_paper(flags, machine, sigmas);
        }
        if flags.same_path || self.same_path {
            let what = "same_path on a machine: its bounds hold whatever paths the warps take";
            return Err(InputError::new(self.place, what));
        }
        let shared = Arc::new(machine.machine.clone());
        let launch = match self.launch(flags)? {
            Launch::Together { groups, warps_per_block } => {
                let workload = MachineWorkload::new(shared, groups);
                workload.and_then(|all| all.in_blocks_of(warps_per_block)).map(MachineLaunch::Workload)
            }
            Launch::Grid { code, warps_per_block, blocks, resident, multiprocessors } => {
                MachineGrid::on_machine(shared, code, warps_per_block, blocks)
                    .and_then(|grid| grid.on(multiprocessors, resident))
                    .map(MachineLaunch::Grid)
            }
        };
        let launch = launch.map_err(|what| InputError::new(self.place, what))?;
        Ok(Asked::OnMachine(Box::new(OnMachine { machine: Arc::clone(machine), launch })))
    }

    /// The same on the paper's multiprocessor of these sigmas.
    fn on_paper(
        self,
        flags: &Flags<Piece<Step>>,
        machine: &NamedMachine,
        sigmas: [u64; 2],
    ) -> Result<Asked, InputError> {
        let code = |piece: &Piece<Step>| machine.code_of_paper(piece);
        let group = |group: &Group<Piece<Step>>| Group { code: code(&group.code), warps: group.warps };
        let wrong = |what: ThroughputError| InputError::new(self.place.clone(), what);
        let [sigma_l, sigma_c] = sigmas.map(|sigma| Throughput::from_units(sigma, 1));
        let flags = Flags {
            kernel: flags.kernel.as_ref().map(code),
            warps: flags.warps,
            warps_per_block: flags.warps_per_block,
            grid: flags.grid,
            groups: flags.groups.iter().map(group).collect(),
            same_path: flags.same_path,
            sigma_l: Some(sigma_l.map_err(wrong)?),
            sigma_c: Some(sigma_c.map_err(wrong)?),
            ..Flags::default()
        };
        let draft = Draft {
            kernel: self.kernel.as_ref().map(code),
            groups: self.groups.iter().map(group).collect(),
            place: self.place,
            line: self.line,
            warps: self.warps,
            warps_per_block: self.warps_per_block,
            same_path: self.same_path,
            grid: self.grid,
            sigmas: None,
        };
        draft.asked(&flags)
    }
}

/// What is launched, on whatever machine.
pub(crate) enum Launch<C> {
    /// Warps that start together.
    Together {
        /// The groups.
        groups: Vec<Group<C>>,
        /// The warps of a block, if they are given.
        warps_per_block: Option<u64>,
    },
    /// Blocks that follow one another.
    Grid {
        /// The code of all warps.
        code: C,
        /// The warps of a block.
        warps_per_block: u64,
        /// The number of blocks.
        blocks: u64,
        /// The number of blocks that a multiprocessor holds at once.
        resident: u64,
        /// The number of multiprocessors.
        multiprocessors: u64,
    },
}

impl<C: Clone> Draft<C> {
    /// What the file and the flags launch; flags take precedence. It is a grid if a number of blocks is given.
    ///
    /// # Errors
    /// If something is missing or contradictory.
    pub(crate) fn launch(&self, flags: &Flags<C>) -> Result<Launch<C>, InputError> {
        let GridKeys { blocks, resident, multiprocessors } = self.grid;
        let resident = flags.grid.resident.or(resident);
        let multiprocessors = flags.grid.multiprocessors.or(multiprocessors);
        let warps_per_block = flags.warps_per_block.or(self.warps_per_block);
        let Some(blocks) = flags.grid.blocks.or(blocks) else {
            if resident.is_some() || multiprocessors.is_some() {
                let what =
                    "resident blocks or multiprocessors without a number of blocks: want [launch] blocks or ";
                return Err(self.missing(what, Remedy::Blocks));
            }
            return Ok(Launch::Together { groups: self.together(flags)?, warps_per_block });
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
            return Err(InputError::new(self.place.clone(), what));
        }
        let warps_per_block = warps_per_block.ok_or_else(|| {
            self.missing(
                "no warps of a block are given: want [launch] warps_per_block or ",
                Remedy::WarpsPerBlock,
            )
        })?;
        Ok(Launch::Grid {
            code: self.code(flags)?,
            warps_per_block,
            blocks,
            resident: resident.unwrap_or(blocks),
            multiprocessors: multiprocessors.unwrap_or(1),
        })
    }

    /// The groups of warps that start together.
    fn together(&self, flags: &Flags<C>) -> Result<Vec<Group<C>>, InputError> {
        if !flags.groups.is_empty() {
            return Ok(flags.groups.clone());
        }
        if !self.groups.is_empty() && flags.kernel.is_none() {
            if flags.warps.is_some() {
                let what = Message::of(Remedy::Warps)
                    .then(" does not say which [[group]] it is for: use ")
                    .remedy(Remedy::Groups);
                return Err(InputError::with(self.place.clone(), what));
            }
            return Ok(self.groups.clone());
        }
        let code = self.code(flags)?;
        let warps = flags.warps.or(self.warps).ok_or_else(|| {
            self.missing("no number of warps is given: want [launch] warps or ", Remedy::Warps)
        })?;
        Ok(vec![Group { code, warps }])
    }

    /// The error that something is missing.
    fn missing(&self, what: &str, remedy: Remedy) -> InputError {
        InputError::with(self.place.clone(), Message::text(what).remedy(remedy))
    }

    /// The code of all warps.
    fn code(&self, flags: &Flags<C>) -> Result<C, InputError> {
        let code = flags.kernel.clone().or(self.kernel.clone());
        code.ok_or_else(|| self.missing("no kernel is given: want [kernel] string, ", Remedy::Kernel))
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
