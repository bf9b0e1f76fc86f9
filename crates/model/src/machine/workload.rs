//! Groups of warps on a machine.

use std::sync::Arc;

use crate::machine::{LetterId, Machine, MachineError, Step};
use crate::program::Piece;
use crate::{Group, Launchable};

/// Warps that run the same code over the letters of a machine.
pub type MachineGroup = Group<Piece<Step>>;

/// Groups of warps that start together on one machine, in blocks that share barriers.
///
/// The warps are numbered from 0 over all groups in their order; warp i is pinned to scheduler i mod S.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineWorkload {
    machine: Arc<Machine>,
    groups: Vec<MachineGroup>,
    warps_per_block: Option<u64>,
    total_warps: u64,
}

/// The code of a group that is a straight line: the letters between barriers. Every segment may be empty.
pub type Line = Vec<Vec<LetterId>>;

impl MachineWorkload {
    /// A workload of one or more groups, each of which is one block.
    ///
    /// # Errors
    /// If there is no group, or a group has no warps or too many.
    pub fn new(machine: Arc<Machine>, groups: Vec<MachineGroup>) -> Result<Self, MachineError> {
        if groups.is_empty() {
            return Err(MachineError::NoGroup);
        }
        let mut total_warps = 0_u64;
        for (number, group) in (1..).zip(&groups) {
            if group.warps == 0 {
                return Err(MachineError::NoWarps(number));
            }
            total_warps = total_warps
                .checked_add(group.warps)
                .filter(|&sum| sum <= 1 << 61)
                .ok_or(MachineError::Overflow)?;
        }
        Ok(Self { machine, groups, warps_per_block: None, total_warps })
    }

    /// The same workload in blocks of this many warps, where the last block of each group may be smaller. If
    /// this is not called, or with `None`, each group is one block.
    ///
    /// # Errors
    /// If the number is zero.
    pub fn in_blocks_of(self, warps: impl Into<Option<u64>>) -> Result<Self, MachineError> {
        match warps.into() {
            Some(0) => Err(MachineError::NoBlock),
            Some(warps) => Ok(Self { warps_per_block: Some(warps), ..self }),
            None => Ok(self),
        }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine, to share it.
    pub fn shared_machine(&self) -> Arc<Machine> {
        Arc::clone(&self.machine)
    }

    /// The groups.
    pub fn groups(&self) -> &[MachineGroup] {
        &self.groups
    }

    /// The number of warps in a block; if it is `None`, each group is one block. The last block of a group may
    /// have fewer.
    pub fn warps_per_block(&self) -> Option<u64> {
        self.warps_per_block
    }

    /// The number of warps of all groups.
    pub fn total_warps(&self) -> u64 {
        self.total_warps
    }

    /// Whether some code has a barrier.
    pub fn has_barriers(&self) -> bool {
        self.groups.iter().any(|group| group.code.has_barrier())
    }

    /// Whether some instruction says what waits for it, so that not each waits for the one before.
    pub fn has_dependences(&self) -> bool {
        self.groups.iter().any(|group| has_dependences(&group.code))
    }

    /// The letters of each group between barriers, if each is a straight line.
    pub fn lines(&self) -> Option<Vec<Line>> {
        self.groups.iter().map(|group| line(&group.code)).collect()
    }

    /// The numbers of the warps of a group, counted over all groups.
    pub fn warps_of(&self, group: usize) -> std::ops::Range<u64> {
        let start = self.groups[..group].iter().map(|group| group.warps).sum::<u64>();
        start..start + self.groups[group].warps
    }
}

impl Launchable for MachineWorkload {
    type Code = Piece<Step>;
    type Error = MachineError;
    const NO_ROOM: MachineError = MachineError::NoRoom;

    fn group(&self) -> &MachineGroup {
        &self.groups[0]
    }

    fn several(&self, blocks: u64) -> Result<Self, MachineError> {
        let MachineGroup { code, warps } = self.group().clone();
        let all = warps.checked_mul(blocks).ok_or(MachineError::Overflow)?;
        Self::new(self.shared_machine(), vec![Group { code, warps: all }])?.in_blocks_of(warps)
    }
}

/// The letters between barriers of a piece with one path.
fn line(code: &Piece<Step>) -> Option<Line> {
    let mut line = vec![vec![]];
    for step in code.written_out()? {
        match step {
            Some(step) => line.last_mut()?.push(step.letter),
            None => line.push(vec![]),
        }
    }
    Some(line)
}

/// Whether some instruction of a piece says what waits for it.
pub fn has_dependences(piece: &Piece<Step>) -> bool {
    piece.letters().any(|step| step.waits.is_some())
}
