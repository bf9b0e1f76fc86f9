//! The values of flags.

use warpspan_model::device::Capability;
use warpspan_model::{Code, Group, Throughput};

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
