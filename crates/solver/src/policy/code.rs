//! The code of a group, written out.

use std::sync::Arc;

use warpspan_model::machine::{LetterId, MachineWorkload, Step, Waits};
use warpspan_model::program::Piece;

/// The one path of a group.
pub(crate) struct Line {
    /// The letters in order.
    pub(super) letters: Vec<LetterId>,
    /// What waits for each instruction. It is empty where each instruction waits for the one before.
    waits: Vec<Option<Arc<Waits>>>,
    /// The number of instructions before each barrier, rising. None of them is 0 or the length: since all
    /// warps of a block run the same line, such a barrier changes nothing, nor does one right after another.
    pub(super) barriers: Vec<u32>,
    /// One more than the largest token.
    pub(super) tokens: usize,
}

impl Line {
    /// The lines of all groups, if each group has one path that is short enough to be written out.
    pub(crate) fn all(workload: &MachineWorkload) -> Option<Vec<Self>> {
        workload.groups().iter().map(|group| Self::new(group.code.written_out()?)).collect()
    }

    fn new(steps: Vec<Option<Step>>) -> Option<Self> {
        let mut line = Self { letters: Vec::new(), waits: Vec::new(), barriers: Vec::new(), tokens: 0 };
        for step in steps {
            let Some(step) = step else {
                line.barriers.push(u32::try_from(line.letters.len()).ok()?);
                continue;
            };
            line.letters.push(step.letter);
            if step.waits.is_some() && line.waits.is_empty() {
                line.waits.resize(line.letters.len() - 1, None);
            }
            if let Some(waits) = &step.waits {
                let largest = waits.needs.iter().chain(&waits.sets).max();
                line.tokens = line.tokens.max(largest.map_or(0, |&token| usize::from(token) + 1));
            }
            if step.waits.is_some() || !line.waits.is_empty() {
                line.waits.push(step.waits);
            }
        }
        let length = u32::try_from(line.letters.len()).ok()?;
        line.barriers.retain(|&at| at > 0 && at < length);
        line.barriers.dedup();
        Some(line)
    }

    /// What waits for an instruction; `None` if the next one does.
    pub(super) fn waits(&self, instruction: u32) -> Option<&Waits> {
        self.waits.get(instruction as usize)?.as_deref()
    }
}

/// The number of instructions of all warps. It is `None` if some code has several paths, or if it does not
/// fit.
pub(crate) fn total_issues(workload: &MachineWorkload) -> Option<u64> {
    let mut sum = 0_u64;
    for group in workload.groups() {
        sum = sum.checked_add(group.warps.checked_mul(letters(&group.code)?)?)?;
    }
    Some(sum)
}

fn letters(code: &Piece<Step>) -> Option<u64> {
    let letters = |piece: &Piece<Step>, inside: Vec<u64>| {
        let sum = inside.into_iter().try_fold(0_u64, u64::checked_add);
        match piece {
            &Piece::Letters { count, .. } => Some(count),
            Piece::Branch { arms, .. } if arms.len() > 1 => None,
            Piece::Barrier { .. } | Piece::Sequence(_) | Piece::Branch { .. } => sum,
            Piece::Loop { most, .. } => sum.and_then(|sum| sum.checked_mul(*most)),
        }
        .ok_or(())
    };
    code.try_fold(letters).ok()
}

/// The longest latency, occupancy or stall of an instruction, in cycles.
pub(super) fn longest(workload: &MachineWorkload) -> u64 {
    let mut longest = 1;
    for group in workload.groups() {
        for step in group.code.letters() {
            let stall = step.waits.as_ref().map_or(1, |waits| u64::from(waits.stall));
            longest = longest.max(stall).max(workload.machine().letter(step.letter).longest());
        }
    }
    longest
}
