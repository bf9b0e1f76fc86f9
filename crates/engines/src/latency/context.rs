//! What the bounds need to know of a workload: which warps share schedulers and units.

use std::collections::{BTreeSet, HashSet};

use crate::latency::LatencyError;
use crate::latency::error::{plus, times};
use crate::latency::pinned::{Pinned, schedulers};
use crate::own::OwnError;
use warpspan_model::machine::{LetterId, Machine, MachineGroup, MachineWorkload, Step};
use warpspan_model::program::{MAX_DEPTH, Piece};

/// A workload with what follows from it at once.
pub(super) struct Context<'a> {
    pub(super) workload: &'a MachineWorkload,
    /// The issue width; `None` if no scheduler has more warps than that, so that it never limits.
    pub(super) width: Option<u64>,
    /// For each group the letters on any of its paths.
    pub(super) letters: Vec<BTreeSet<LetterId>>,
    /// For each group the units of these letters.
    pub(super) units: Vec<BTreeSet<usize>>,
    /// The schedulers, one for each list of numbers of warps.
    pub(super) schedulers: Vec<Pinned>,
}

impl<'a> Context<'a> {
    pub(super) fn new(workload: &'a MachineWorkload) -> Result<Self, LatencyError> {
        let machine = workload.machine();
        let of_group = |(number, group): (usize, &MachineGroup)| match letters_of(&group.code)? {
            letters if letters.is_empty() => Err(LatencyError::Empty(number)),
            letters => Ok(letters),
        };
        let letters = (1..).zip(workload.groups()).map(of_group).collect::<Result<Vec<_>, _>>()?;
        let fullest = workload.total_warps().div_ceil(machine.schedulers());
        Ok(Self {
            workload,
            width: machine.width().filter(|&width| width < fullest),
            units: letters.iter().map(|letters| units_of(machine, letters)).collect(),
            letters,
            schedulers: schedulers(workload),
        })
    }

    pub(super) fn machine(&self) -> &'a Machine {
        self.workload.machine()
    }

    /// The number of warps of a group.
    pub(super) fn warps(&self, group: usize) -> u64 {
        self.workload.groups()[group].warps
    }

    pub(super) fn code(&self, group: usize) -> &'a Piece<Step> {
        &self.workload.groups()[group].code
    }

    pub(super) fn groups(&self) -> std::ops::Range<usize> {
        0..self.letters.len()
    }

    /// The sum over all other warps than one of `group`, where each warp of a group counts a number that
    /// depends on whether it is on the same scheduler: the largest over the schedulers of the group, and how
    /// many other warps of each group that scheduler has.
    pub(super) fn others(
        &self,
        group: usize,
        near: &[i128],
        far: &[i128],
    ) -> Result<(i128, Vec<u64>), LatencyError> {
        let mut most: Option<(i128, Vec<u64>)> = None;
        for scheduler in self.schedulers.iter().filter(|scheduler| scheduler[group] > 0) {
            let (mut sum, mut together) = (0, scheduler.clone());
            together[group] -= 1;
            for other in self.groups() {
                sum = plus(sum, times(near[other], together[other])?)?;
                sum = plus(sum, times(far[other], self.warps(other) - scheduler[other])?)?;
            }
            if most.as_ref().is_none_or(|most| sum > most.0) {
                most = Some((sum, together));
            }
        }
        // Each group has a warp, and so a scheduler.
        Ok(most.unwrap_or_else(|| (0, vec![0; near.len()])))
    }

    /// All letters of all groups.
    pub(super) fn all_letters(&self) -> BTreeSet<LetterId> {
        self.letters.iter().flatten().copied().collect()
    }
}

/// The letters of a piece of code.
pub(super) fn letters_of(code: &Piece<Step>) -> Result<BTreeSet<LetterId>, LatencyError> {
    let mut found = BTreeSet::new();
    let (mut open, mut seen) = (vec![(code, 0)], HashSet::new());
    while let Some((piece, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return Err(OwnError::Depth.into());
        }
        match piece {
            Piece::Letters { letter, count, .. } if *count > 0 => {
                found.insert(letter.letter);
            }
            // Code that several places share is looked at once.
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. }
                if !piece.is_shared() || seen.insert((pieces.as_ptr(), depth)) =>
            {
                open.extend(pieces.iter().map(|piece| (piece, depth + 1)));
            }
            Piece::Loop { body, most, .. } if *most > 0 => open.push((body, depth + 1)),
            _ => {}
        }
    }
    Ok(found)
}

/// The units of letters.
pub(super) fn units_of(machine: &Machine, letters: &BTreeSet<LetterId>) -> BTreeSet<usize> {
    letters.iter().map(|&letter| machine.letter(letter).unit).collect()
}

/// A common denominator of parts of one cycle: the least common multiple of the numbers.
pub(super) fn common(numbers: impl IntoIterator<Item = u64>) -> Result<i128, LatencyError> {
    numbers.into_iter().try_fold(1_i128, |common, number| {
        let number = i128::from(number);
        let (mut a, mut b) = (common, number);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        times(common, number / a)
    })
}
