//! Paths at sigma 1, counted by automata that read a path letter by letter.
//!
//! A string is cut between every two equal neighbours; the pieces are its alternating blocks, of lengths
//! `l_1, l_2, ..`, and `a = sum of ceil(l / 2)`. A run is a maximal sequence of equal letters. An automaton
//! with few states counts each of these: a grows by 1 at the first, third, .. letter of a block.
//!
//! | automaton | state | first count | second count, where the first is equal |
//! |---|---|---|---|
//! | pack | last letter, and whether the block has an even length so far | a, or I + (W-1) a | fewest even blocks before the last block |
//! | straggler | last letter | I | most runs |
//!
//! These automata share nothing with the labellings of [`joint`](crate::program::joint) but the
//! theorem that both compute the same a.

use crate::program::ProgramError;
use crate::program::best::{Weights, along, automaton};
use crate::program::matrix::Gain;
use crate::program::states::Wide;
use warpspan_model::program::{Path, Piece};
use warpspan_model::{PerUnit, Unit};

/// The state before the first letter.
const START: usize = 4;

/// Whether a path may begin with a letter of a unit.
fn begins(first: Option<Unit>, unit: Unit) -> bool {
    first.is_none_or(|first| first == unit)
}

/// Counts `each` for each letter and `others` for each step of a. With a first letter, paths that begin with
/// the other one are left out.
pub(super) fn pack([each, others]: [u64; 2], first: Option<Unit>, times: PerUnit<u64>) -> Weights<'static> {
    let letter = |unit: Unit| {
        automaton(|before| {
            let (last, even) = (Unit::ALL[before / 2 % 2], before % 2 == 1);
            let (now_even, ended_even) = match before {
                START if begins(first, unit) => (false, false),
                START => return None,
                _ if last == unit => (false, even),
                _ => (!even, false),
            };
            let step = if now_even { 0 } else { i128::from(others) };
            let state = 2 * usize::from(unit == Unit::ALL[1]) + usize::from(now_even);
            Some((state, Gain::new(i128::from(each) + step, -i128::from(ended_even))))
        })
    };
    weights(letter, times)
}

/// Counts the letters, and of equally many the runs.
pub(super) fn straggler(first: Option<Unit>, times: PerUnit<u64>) -> Weights<'static> {
    let letter = |unit: Unit| {
        let own = usize::from(unit == Unit::ALL[1]);
        automaton(|before| match before {
            START if begins(first, unit) => Some((own, Gain::new(1, 1))),
            0 | 1 => Some((own, Gain::new(1, i128::from(before != own)))),
            _ => None,
        })
    };
    weights(letter, times)
}

fn weights(letter: impl Fn(Unit) -> Wide, times: PerUnit<u64>) -> Weights<'static> {
    let barrier = Wide::nowhere();
    Weights { letter: PerUnit::from_fn(letter), barrier, times, starts: vec![START], shuffle: None }
}

/// What the lower bound at sigma 1 needs to know of a path without barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) first: Unit,
    pub(super) letters: i128,
    pub(super) rate: i128,
    /// The number of blocks of even length, the last block not counted.
    pub(super) even: i128,
    pub(super) runs: i128,
}

impl Measure {
    /// Measures a path. It is `None` for an empty path, or one that is none of the program.
    pub(super) fn of(
        program: &Piece,
        path: &Path,
        times: PerUnit<u64>,
    ) -> Result<Option<Self>, ProgramError> {
        for first in Unit::ALL {
            let count = |weights: Weights<'_>| -> Result<Option<Gain>, ProgramError> {
                let found = along(&weights, program, path)?.largest(&[START], |state| state != START);
                Ok(found.map(|(gain, ..)| gain))
            };
            let pack = count(pack([0, 1], Some(first), times))?;
            let Some((pack, alone)) = pack.zip(count(straggler(Some(first), times))?) else { continue };
            let (rate, even) = (pack.value, -pack.slope);
            return Ok(Some(Self { first, letters: alone.value, rate, even, runs: alone.slope }));
        }
        Ok(None)
    }

    /// Whether a pack on this path keeps a straggler on another path back to its end, as `docs/programs.md`
    /// proves: they begin alike, and the straggler has a run for each even block that the pack passes before
    /// its last block, and one more.
    pub(super) fn holds_back(&self, straggler: &Self) -> bool {
        self.first == straggler.first && straggler.runs > self.even
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phase::rate;
    use warpspan_model::Kernel;

    /// The automata agree with the blocks and runs of every string of up to 10 letters.
    #[test]
    fn automata_count_blocks_and_runs() {
        for length in 1..=10_u32 {
            for bits in 0..1_u32 << length {
                let units: Vec<Unit> = (0..length).map(|at| Unit::ALL[(bits >> at & 1) as usize]).collect();
                let kernel = Kernel::new(units.clone()).unwrap();
                let letters = |&unit: &Unit| Piece::Letters { letter: unit, count: 1, line: 0 };
                let piece = Piece::Sequence(units.iter().map(letters).collect());
                let path = Path::Sequence(units.iter().map(|_| Path::Whole.into()).collect());
                let found = Measure::of(&piece, &path, PerUnit::both(1)).unwrap().unwrap();
                let blocks: Vec<usize> = units.chunk_by(|a, b| a != b).map(<[Unit]>::len).collect();
                let even = blocks[..blocks.len() - 1].iter().filter(|length| *length % 2 == 0).count();
                assert_eq!(found.first, units[0]);
                assert_eq!(found.letters, i128::from(length));
                assert_eq!(found.rate, i128::from(rate(&kernel)), "{kernel}");
                assert_eq!(found.even, even as i128, "{kernel}");
                assert_eq!(found.runs, units.chunk_by(|a, b| a == b).count() as i128, "{kernel}");
            }
        }
    }
}
