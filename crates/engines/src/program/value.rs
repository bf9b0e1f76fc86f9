//! The [`Track`] of a program under one kind of count, composed from the tracks of its pieces.

use crate::program::ProgramError;
use crate::program::error::Line;
use crate::program::matrix::Matrix;
use crate::program::prices::{Count, Prices};
use crate::program::track::Track;
use warpspan_model::program::{Divergence, MAX_DEPTH, Piece};
use warpspan_model::{PerUnit, Unit};

/// The largest number of arms of a divergent branch, because all their orders are tried.
pub(super) const MOST_ARMS: usize = 10;

/// The rules by which a program is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) prices: &'a Prices,
    pub(super) count: Count,
    /// The number of letters that an instruction becomes, which is its number of sub-warps.
    pub(super) times: PerUnit<u64>,
}

impl Rules<'_> {
    /// The track of a whole program.
    pub(super) fn program(&self, piece: &Piece) -> Result<Track, ProgramError> {
        self.piece(piece, true, 0)
    }

    /// The matrix over whole paths of a piece of a program that has a track.
    pub(super) fn path(&self, piece: &Piece) -> Result<Matrix, ProgramError> {
        Ok(self.piece(piece, true, 0)?.path)
    }

    /// The matrix of a letter.
    pub(super) fn letter(&self, unit: Unit) -> Result<Matrix, ProgramError> {
        self.prices.letter(self.count, unit)
    }

    /// The number of letters that `count` instructions become.
    pub(super) fn letters_of(&self, unit: Unit, count: u64) -> u128 {
        u128::from(count) * u128::from(self.times[unit])
    }

    /// The track of a piece. `ends` says that the warp has ended after it.
    ///
    /// Each kind of piece has a separate function: one function for all would keep the matrices of all kinds on the
    /// stack at every level, and without optimisation the deepest programs would overflow the stack of a thread.
    pub(super) fn piece(&self, piece: &Piece, ends: bool, depth: usize) -> Result<Track, ProgramError> {
        if depth > MAX_DEPTH {
            return Err(ProgramError::Depth);
        }
        match piece {
            &Piece::Letters { letter, count, .. } => self.letters_in_a_row(letter, count),
            Piece::Barrier { .. } => Ok(Track::barrier(self.prices.separator(self.count))),
            Piece::Sequence(pieces) => self.sequence(pieces, ends, depth),
            Piece::Branch { arms, .. } if arms.is_empty() => Ok(self.plain(Matrix::identity())),
            Piece::Branch { arms, divergence: Divergence::Uniform, line } => {
                let arms = arms.iter().map(|arm| self.piece(arm, ends, depth + 1));
                Track::branch(arms.collect::<Result<_, _>>()?, ends, Line(*line))
            }
            Piece::Branch { arms, divergence, line } => self.divergent(arms, *divergence, Line(*line), depth),
            &Piece::Loop { least, most, line, .. } if least > most => {
                Err(ProgramError::Rounds { line: Line(line), least, most })
            }
            Piece::Loop { body, least, most, .. } => self.rounds(body, *least, *most, depth),
        }
    }

    fn letters_in_a_row(&self, unit: Unit, count: u64) -> Result<Track, ProgramError> {
        Ok(self.plain(self.letter(unit)?.power(self.letters_of(unit, count))?))
    }

    fn sequence(&self, pieces: &[Piece], ends: bool, depth: usize) -> Result<Track, ProgramError> {
        let mut all = self.plain(Matrix::identity());
        for (at, piece) in pieces.iter().enumerate() {
            all.append(&self.piece(piece, ends && at + 1 == pieces.len(), depth + 1)?)?;
        }
        Ok(all)
    }

    /// The track of a branch whose arms may run one after the other.
    fn divergent(
        &self,
        arms: &[Piece],
        divergence: Divergence,
        line: Line,
        depth: usize,
    ) -> Result<Track, ProgramError> {
        if divergence == Divergence::Divergent && arms.len() > MOST_ARMS {
            return Err(ProgramError::Orders { line, arms: arms.len(), most: MOST_ARMS });
        }
        let plain = |arm| match self.piece(arm, false, depth + 1)? {
            track if track.is_plain() => Ok(track.block),
            _ => Err(ProgramError::Barrier(line)),
        };
        let matrices = arms.iter().map(plain).collect::<Result<Vec<Matrix>, _>>()?;
        Ok(self.plain(match divergence {
            Divergence::Interleaved => self.shuffle(arms, &matrices)?,
            _ => orders(&matrices)?[1..].iter().fold(Matrix::from_fn(|_, _| None), |all, one| all.or(one)),
        }))
    }

    fn rounds(&self, body: &Piece, least: u64, most: u64, depth: usize) -> Result<Track, ProgramError> {
        self.piece(body, false, depth + 1)?.rounds(least, most)
    }

    /// The matrix of the letters of several arms in any order that keeps the order within each arm. It is
    /// bounded by that of any order at all, and by a best labelling of one arm in which all letters of the
    /// other arms agree with their labels.
    fn shuffle(&self, arms: &[Piece], matrices: &[Matrix]) -> Result<Matrix, ProgramError> {
        let letters = arms.iter().map(|arm| self.letters(arm)).collect::<Result<Vec<_>, _>>()?;
        let all = letters.iter().try_fold(PerUnit::both(0), |sum, one| plus(sum, *one))?;
        let mut limit = self.prices.shuffled(self.count, all)?;
        if !matches!(self.count, Count::Gains) {
            return Ok(limit);
        }
        for (matrix, own) in matrices.iter().zip(&letters) {
            let work = self.prices.work(PerUnit::from_fn(|unit| all[unit] - own[unit]))?;
            // Perhaps no thread takes this arm. A letter of another arm may be the last one.
            let whole = matrix.or(&Matrix::identity()).then(&self.prices.last_change())?;
            for (before, after) in Unit::ALL.into_iter().flat_map(|one| Unit::ALL.map(|other| (one, other))) {
                if let Some(gain) = whole.0[before][after] {
                    let entry = &mut limit.0[before][after];
                    *entry = (*entry).min(Some(gain.plus(work)?));
                }
            }
        }
        Ok(limit)
    }

    /// A matrix that the letters of arms without barriers do not exceed in any order that keeps the order
    /// within each arm.
    pub(super) fn shuffle_of(&self, arms: &[Piece]) -> Result<Matrix, ProgramError> {
        let matrices = arms.iter().map(|arm| self.path(arm)).collect::<Result<Vec<_>, _>>()?;
        self.shuffle(arms, &matrices)
    }

    fn plain(&self, matrix: Matrix) -> Track {
        Track::plain(matrix, self.prices.separator(self.count))
    }

    /// The most letters of each unit on any path.
    pub(super) fn letters(&self, program: &Piece) -> Result<PerUnit<i128>, ProgramError> {
        program.try_fold(|piece, inside: Vec<PerUnit<i128>>| {
            let mut sum = PerUnit::both(0_i128);
            match piece {
                &Piece::Letters { letter: unit, count, .. } => {
                    let letters = i128::try_from(self.letters_of(unit, count));
                    sum[unit] = letters.map_err(|_| ProgramError::Overflow)?;
                }
                Piece::Barrier { .. } => {}
                Piece::Branch { divergence: Divergence::Uniform, .. } => {
                    sum = PerUnit::from_fn(|unit| inside.iter().map(|arm| arm[unit]).max().unwrap_or(0));
                }
                Piece::Sequence(_) | Piece::Branch { .. } => {
                    sum = inside.into_iter().try_fold(sum, plus)?;
                }
                Piece::Loop { most, .. } => {
                    for unit in Unit::ALL {
                        let letters = inside[0][unit].checked_mul((*most).into());
                        sum[unit] = letters.ok_or(ProgramError::Overflow)?;
                    }
                }
            }
            Ok(sum)
        })
    }
}

fn plus(a: PerUnit<i128>, b: PerUnit<i128>) -> Result<PerUnit<i128>, ProgramError> {
    let both = |unit| a[unit].checked_add(b[unit]).ok_or(ProgramError::Overflow);
    let (l, c) = (both(Unit::LoadStore)?, both(Unit::CudaCore)?);
    Ok(PerUnit::from_fn(|unit| if unit == Unit::LoadStore { l } else { c }))
}

/// For each set of arms, the matrix of one after the other in any order, which is the maximum over the arm
/// that comes last. The first entry is for the empty set.
pub(super) fn orders(arms: &[Matrix]) -> Result<Vec<Matrix>, ProgramError> {
    let mut best = vec![Matrix::from_fn(|_, _| None); 1 << arms.len()];
    best[0] = Matrix::identity();
    for set in 1..best.len() {
        for (at, arm) in arms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
            best[set] = best[set].or(&best[set & !(1 << at)].then(arm)?);
        }
    }
    Ok(best)
}
