//! The workload or grid that the contents of a file are with the flags.

use std::sync::Arc;

use crate::input::launch::Launch;
use crate::input::multiprocessor::declared;
use crate::input::{Asked, Draft, Flags, GridKeys, MachineLaunch, NamedMachine, OnMachine, Sigmas};
use warpspan_model::assumption::{Assumption, Kind};
use warpspan_model::machine::{MachineGrid, MachineWorkload, Step, has_dependences};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Remedy};
use warpspan_model::{Grid, Group, Multiprocessor, Throughput, ThroughputError, Unit, Workload};

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

    /// What the results rest on of the sigmas: those of flags, with the words for these, and the others.
    pub fn assumes(&self, flags: &Flags, [sigma_l, sigma_c]: [&'static str; 2]) -> Vec<Assumption> {
        let by_flag = |unit| match unit {
            Unit::LoadStore => flags.sigma_l.map(|_| sigma_l),
            Unit::CudaCore => flags.sigma_c.map(|_| sigma_c),
        };
        let Ok(all) = self.multiprocessor(flags) else { return Vec::new() };
        let of_flag = |unit: Unit| Some(declared(&all, unit).by(by_flag(unit)?));
        let others: Vec<Unit> = Unit::ALL.into_iter().filter(|&unit| by_flag(unit).is_none()).collect();
        // Flags without a file take a warp of each kind a cycle.
        let default = |unit: &Unit| {
            Assumption { kind: Kind::Assumed, ..declared(&all, *unit) }.unless(Remedy::Throughputs)
        };
        let of_others = match self.sigmas(flags) {
            Ok(Some(sigmas)) => sigmas.assumes_of(&others),
            _ => others.iter().map(default).collect(),
        };
        Unit::ALL.into_iter().filter_map(of_flag).chain(of_others).collect()
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
