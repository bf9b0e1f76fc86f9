//! The subject of a schedule, and the rules that it sets.

use std::borrow::Cow;
use std::sync::Arc;

use crate::schedule::Violation;
use warpspan_model::machine::{LetterId, Machine, MachineWorkload, Step, Waits};
use warpspan_model::{Grid, Instance, Unit};

/// What a schedule is of.
#[derive(Debug, Clone, Copy)]
pub enum Launch<'a> {
    /// Warps that start together on the paper's multiprocessor.
    Instance(&'a Instance),
    /// Blocks that follow one another on multiprocessors of the paper.
    Grid(&'a Grid),
    /// Warps that start together on a machine.
    Machine(&'a MachineWorkload),
}

impl<'a> From<&'a Instance> for Launch<'a> {
    fn from(instance: &'a Instance) -> Self {
        Self::Instance(instance)
    }
}

impl<'a> From<&'a Grid> for Launch<'a> {
    fn from(grid: &'a Grid) -> Self {
        Self::Grid(grid)
    }
}

impl<'a> From<&'a MachineWorkload> for Launch<'a> {
    fn from(workload: &'a MachineWorkload) -> Self {
        Self::Machine(workload)
    }
}

/// What a replay has to know of a launch. The paper's multiprocessor is a machine with one scheduler, which issues any
/// number of instructions, and with sigma instances of each unit, held for one cycle.
pub(super) struct Rules<'a> {
    pub(super) machine: Cow<'a, Machine>,
    pub(super) groups: Vec<Group>,
    /// Where the blocks of the only group go, if they follow one another.
    pub(super) slots: Option<Slots>,
}

/// Warps with one line of letters.
pub(super) struct Group {
    pub(super) letters: Vec<LetterId>,
    /// What waits for each instruction; empty where each makes the next one wait for its result.
    pub(super) waits: Vec<Option<Arc<Waits>>>,
    /// The instructions before which a barrier stands. Barriers before the first letter, after the last and next to
    /// each other change nothing, and are not here.
    pub(super) gates: Vec<usize>,
    pub(super) warps: u64,
    /// The number of warps that share barriers; the last block may be smaller.
    pub(super) warps_per_block: u64,
}

/// The places for blocks.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    pub(super) blocks: u64,
    pub(super) multiprocessors: u64,
    /// The number of slots of each multiprocessor.
    pub(super) resident: u64,
}

impl<'a> Launch<'a> {
    /// The rules of the launch.
    ///
    /// # Errors
    /// If the code is no straight line.
    pub(super) fn rules(self) -> Result<Rules<'a>, Violation> {
        match self {
            Self::Instance(instance) => Ok(Rules {
                machine: Cow::Owned(of_paper(instance)?),
                groups: of_instance(instance, None).collect(),
                slots: None,
            }),
            Self::Grid(grid) => {
                let block = grid.block().instance().ok_or(Violation::Paths)?;
                Ok(Rules {
                    machine: Cow::Owned(of_paper(block)?),
                    groups: of_instance(block, Some(grid)).collect(),
                    slots: Some(Slots {
                        blocks: grid.blocks(),
                        multiprocessors: grid.multiprocessors(),
                        resident: grid.resident(),
                    }),
                })
            }
            Self::Machine(workload) => {
                let groups = workload.groups().iter().map(|group| {
                    let warps_per_block = workload.warps_per_block().unwrap_or(group.warps);
                    Some(Group::new(group.code.written_out()?, group.warps, warps_per_block))
                });
                let groups = groups.collect::<Option<_>>().ok_or(Violation::Paths)?;
                Ok(Rules { machine: Cow::Borrowed(workload.machine()), groups, slots: None })
            }
        }
    }
}

/// The paper's multiprocessor, whose letters are L and C in this order. More instances than a machine may have are never
/// held at once.
fn of_paper(instance: &Instance) -> Result<Machine, Violation> {
    let sigma = |unit| instance.given_sigma(unit).min(u64::from(u32::MAX));
    // A sigma is at least 1 after the expansion to sub-warps, so no machine is refused.
    Machine::of_sigmas(sigma(Unit::LoadStore), sigma(Unit::CudaCore)).map_err(|_| Violation::Paths)
}

/// The groups of an instance, or the warps of all blocks of a grid.
fn of_instance<'a>(instance: &'a Instance, grid: Option<&'a Grid>) -> impl Iterator<Item = Group> + 'a {
    instance.groups().iter().map(move |group| {
        let index = |unit: &Unit| LetterId::new(usize::from(*unit == Unit::CudaCore));
        let letters = group.kernel.units().iter().filter_map(index).collect();
        let gates = group.kernel.barriers().to_vec();
        let (warps, warps_per_block) = match grid {
            Some(grid) => (grid.blocks().saturating_mul(group.warps), group.warps),
            None => (group.warps, instance.warps_per_block().unwrap_or(group.warps)),
        };
        Group { letters, waits: Vec::new(), gates, warps, warps_per_block }
    })
}

impl Group {
    /// Instructions, and `None` for a barrier.
    fn new(steps: Vec<Option<Step>>, warps: u64, warps_per_block: u64) -> Self {
        let (mut letters, mut waits, mut gates) = (Vec::new(), Vec::new(), Vec::new());
        for step in steps {
            match step {
                Some(step) => {
                    letters.push(step.letter);
                    waits.push(step.waits);
                }
                None if letters.is_empty() || gates.last() == Some(&letters.len()) => {}
                None => gates.push(letters.len()),
            }
        }
        gates.pop_if(|&mut last| last == letters.len());
        if waits.iter().all(Option::is_none) {
            waits = Vec::new();
        }
        Self { letters, waits, gates, warps, warps_per_block }
    }

    /// What waits for an instruction; `None` if the next one does.
    pub(super) fn waits(&self, instruction: usize) -> Option<&Waits> {
        self.waits.get(instruction)?.as_deref()
    }

    /// The number of warps of a block.
    pub(super) fn members(&self, block: u64) -> u64 {
        self.warps_per_block.min(self.warps - block * self.warps_per_block)
    }
}

impl Rules<'_> {
    /// The number of instructions of all warps.
    pub(super) fn total_issues(&self) -> u64 {
        let of = |group: &Group| group.warps.saturating_mul(group.letters.len() as u64);
        self.groups.iter().map(of).fold(0, u64::saturating_add)
    }

    /// The number of warps that issue anything.
    pub(super) fn warps_with_code(&self) -> u64 {
        let with_code = self.groups.iter().filter(|group| !group.letters.is_empty());
        with_code.map(|group| group.warps).fold(0, u64::saturating_add)
    }
}
