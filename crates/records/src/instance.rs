//! The instance that a record is about.

use std::fmt::Display;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Machine;
use warpspan_kernel::input::{Asked, MachineLaunch, OnMachine};
use warpspan_model::machine::{MachineGroup, MachineWorkload, Step};
use warpspan_model::program::Piece;
use warpspan_model::{self as model, Code, Kernel, Launchable, Multiprocessor, Throughput, Unit, Workload};

/// Warps of one or more kernels on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instance {
    /// The kernels and how many warps run each of them.
    pub groups: Vec<Group>,
    /// Load/store instructions that warps may issue in a cycle: a whole number, or a ratio such as `1/2`;
    /// absent where there is a `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_l: Option<String>,
    /// CUDA-core instructions that warps may issue in a cycle: a whole number, or a ratio such as `3/2`;
    /// absent where there is a `machine`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sigma_c: Option<String>,
    /// The machine with latency and issue width, whose letters the kernels are written in; absent for the
    /// multiprocessor of two sigmas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Warps of a block; absent unless a kernel has barriers and a group is more than one block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warps_per_block: Option<u64>,
    /// True where all warps of a group are assumed to take the same path through a program; absent elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_path: bool,
    /// The blocks of a grid, which wait for room and follow one another; absent where all warps start
    /// together on one multiprocessor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
}

/// Blocks that wait in one queue for room on equal multiprocessors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grid {
    /// How many warps a block has.
    pub warps_per_block: u64,
    /// How many blocks there are.
    pub blocks: u64,
    /// How many blocks a multiprocessor holds at once.
    pub resident: u64,
    /// How many multiprocessors there are.
    pub multiprocessors: u64,
}

impl<W: Launchable> From<&model::Grid<W>> for Grid {
    fn from(grid: &model::Grid<W>) -> Self {
        Self {
            warps_per_block: grid.warps_per_block(),
            blocks: grid.blocks(),
            resident: grid.resident(),
            multiprocessors: grid.multiprocessors(),
        }
    }
}

/// Warps that run the same kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The kernel string, or the text of a program with branches or loops.
    pub kernel: String,
    /// How many warps run it.
    pub warps: u64,
    /// On a machine, what waits for each instruction of a straight line that was read from a listing, in the order of the string and
    /// without barriers; null for one that makes the next one wait for its result. Absent where all are so, and where the code has
    /// several paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Vec<Option<Waits>>>,
}

/// What waits for an instruction, where the next one of its warp need not wait for its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waits {
    /// The next instruction of the warp issues this many cycles later at the earliest.
    pub stall: u32,
    /// The registers or scoreboards that must be free before it issues.
    pub needs: Vec<u16>,
    /// Those that it takes until its result is there.
    pub sets: Vec<u16>,
}

impl Group {
    /// Of code in which each instruction waits for the one before it.
    pub fn plain(kernel: String, warps: u64) -> Self {
        Self { kernel, warps, waits: None }
    }

    /// Of code on a machine.
    fn on_machine(machine: &model::machine::Machine, group: &MachineGroup) -> Self {
        let plain = Self::plain(machine.text(&group.code), group.warps);
        let Some(line) = group.code.written_out() else { return plain };
        let steps = line.into_iter().flatten();
        let waits: Vec<Option<Waits>> = steps.map(|step| step.waits.as_deref().map(Waits::from)).collect();
        Self { waits: waits.iter().any(Option::is_some).then_some(waits), ..plain }
    }

    /// The code of a kernel on a machine, with what waits for its instructions.
    fn with_waits(&self, code: Piece<Step>) -> Result<Piece<Step>, String> {
        let Some(waits) = &self.waits else { return Ok(code) };
        let line = code.written_out().ok_or("waits: the kernel is no straight line")?;
        let letters = line.iter().flatten().count();
        if letters != waits.len() {
            return Err(format!("waits: {} for {letters} instructions", waits.len()));
        }
        let mut waits = waits.iter();
        let piece = |step: Option<Step>| match step {
            None => Piece::Barrier { line: 0 },
            Some(step) => {
                let waits = waits.next().and_then(Option::as_ref).map(|waits| Arc::new(waits.into()));
                Piece::Letters { letter: Step { waits, ..step }, count: 1, line: 0 }
            }
        };
        Ok(Piece::Sequence(line.into_iter().map(piece).collect()))
    }
}

impl From<&model::machine::Waits> for Waits {
    fn from(waits: &model::machine::Waits) -> Self {
        let model::machine::Waits { stall, needs, sets } = waits;
        Self { stall: *stall, needs: needs.clone(), sets: sets.clone() }
    }
}

impl From<&Waits> for model::machine::Waits {
    fn from(waits: &Waits) -> Self {
        let Waits { stall, needs, sets } = waits;
        Self { stall: *stall, needs: needs.clone(), sets: sets.clone() }
    }
}

impl From<&Workload> for Instance {
    fn from(workload: &Workload) -> Self {
        let group = |group: &model::Group| Group::plain(group.code.to_string(), group.warps);
        let sigma = |unit| Some(workload.multiprocessor().sigma(unit).to_string());
        Self {
            groups: workload.groups().iter().map(group).collect(),
            sigma_l: sigma(Unit::LoadStore),
            sigma_c: sigma(Unit::CudaCore),
            machine: None,
            warps_per_block: workload.warps_per_block(),
            same_path: workload.takes_same_path(),
            grid: None,
        }
    }
}

/// The warps of the group are those of all blocks.
impl From<&model::Grid> for Instance {
    fn from(grid: &model::Grid) -> Self {
        let mut instance = Self::from(grid.block());
        for group in &mut instance.groups {
            group.warps = grid.blocks() * grid.warps_per_block();
        }
        Self { grid: Some(grid.into()), ..instance }
    }
}

impl From<&OnMachine> for Instance {
    fn from(on: &OnMachine) -> Self {
        let machine = &on.machine.machine;
        let (groups, warps_per_block, grid) = match &on.launch {
            MachineLaunch::Workload(workload) => {
                let block = workload.warps_per_block().filter(|_| workload.has_barriers());
                (workload.groups().to_vec(), block, None)
            }
            MachineLaunch::Grid(grid) => {
                let warps = grid.blocks() * grid.warps_per_block();
                (vec![model::Group { code: grid.code().clone(), warps }], None, Some(grid.into()))
            }
        };
        Self {
            groups: groups.iter().map(|group| Group::on_machine(machine, group)).collect(),
            sigma_l: None,
            sigma_c: None,
            machine: Some(on.machine.as_ref().into()),
            warps_per_block,
            same_path: false,
            grid,
        }
    }
}

impl From<&Asked> for Instance {
    fn from(asked: &Asked) -> Self {
        match asked {
            Asked::Workload(workload) => workload.into(),
            Asked::Grid(grid) => grid.into(),
            Asked::OnMachine(on) => (&**on).into(),
        }
    }
}

impl Instance {
    /// The number of warps of all groups.
    pub fn total_warps(&self) -> u64 {
        self.groups.iter().map(|group| group.warps).sum()
    }

    /// The warps that start together on the machine of the record.
    ///
    /// # Errors
    /// If there is no machine, a kernel is not one of its letters, a number is not one that a workload can have,
    /// or blocks follow one another.
    pub fn on_machine(&self) -> Result<(OnMachine, MachineWorkload), String> {
        self.starts_together()?;
        let machine = self.machine.as_ref().ok_or("the record has no machine")?.named()?;
        let groups = self.groups_of(|kernel| machine.machine.code(kernel))?;
        let with_waits = groups
            .into_iter()
            .zip(&self.groups)
            .map(|(group, record)| Ok(MachineGroup { code: record.with_waits(group.code)?, ..group }));
        let groups = with_waits.collect::<Result<_, String>>()?;
        let workload = MachineWorkload::new(Arc::new(machine.machine.clone()), groups);
        let workload = workload.and_then(|workload| workload.in_blocks_of(self.warps_per_block));
        let workload = workload.map_err(|error| error.to_string())?;
        let launch = MachineLaunch::Workload(workload.clone());
        Ok((OnMachine { machine: Arc::new(machine), launch }, workload))
    }

    /// Checks that no block follows another.
    fn starts_together(&self) -> Result<(), String> {
        match self.grid {
            Some(_) => Err("the record is of a grid, whose blocks follow one another".to_owned()),
            None => Ok(()),
        }
    }

    /// The groups with what `read` makes of their kernels.
    fn groups_of<C, E: Display>(
        &self,
        read: impl Fn(&str) -> Result<C, E>,
    ) -> Result<Vec<model::Group<C>>, String> {
        let group = |Group { kernel, warps, .. }: &Group| {
            let code = read(kernel).map_err(|error| format!("kernel {kernel:?}: {error}"))?;
            Ok(model::Group { code, warps: *warps })
        };
        self.groups.iter().map(group).collect()
    }

    /// The multiprocessor of two units that the record names.
    ///
    /// # Errors
    /// If it names a machine, or a sigma that no multiprocessor can have.
    pub(super) fn multiprocessor(&self) -> Result<Multiprocessor, String> {
        match (&self.sigma_l, &self.sigma_c) {
            (Some(l), Some(c)) => Ok(Multiprocessor::new(sigma(l)?, sigma(c)?)),
            _ => Err("the record is of a machine with latency and issue width".to_owned()),
        }
    }

    /// The workload that the record names, and its instance. Only straight lines have schedules to look at.
    ///
    /// # Errors
    /// If a kernel is not a kernel string, a number is not one that a workload can have, or blocks follow one
    /// another.
    pub fn straight_lines(&self) -> Result<(Workload, model::Instance), String> {
        self.starts_together()?;
        let multiprocessor = self.multiprocessor()?;
        let groups = self.groups_of(|kernel| kernel.parse::<Kernel>().map(Code::Kernel))?;
        let workload = Workload::new(groups, multiprocessor);
        let workload = workload.and_then(|workload| workload.in_blocks_of(self.warps_per_block));
        let workload = workload.map_err(|error| error.to_string())?;
        let instance = workload.instance().ok_or("a kernel has branches or loops")?.clone();
        Ok((workload, instance))
    }
}

/// A sigma as records have it: flags take whole numbers and 1/n only, but counts of units also give ratios
/// such as 3/2.
fn sigma(text: &str) -> Result<Throughput, String> {
    let ratio = text.split_once('/').and_then(|(p, q)| Some((p.parse().ok()?, q.parse().ok()?)));
    match ratio {
        Some((p, q)) => Throughput::from_units(p, q).map_err(|error| error.to_string()),
        None => text.parse().map_err(|error| format!("{error}")),
    }
}
