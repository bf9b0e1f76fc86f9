//! The largest count along a path of a program, and a path that has it.
//!
//! A [`Weights`] says what a letter and a barrier count, as matrices over states. Pieces compose as in
//! [`value`](crate::program::value), but along *one* path: no maximum is taken between barriers. The
//! path is found by `trace`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::program::ProgramError;
use crate::program::error::Line;
use crate::program::matrix::Gain;
use crate::program::states::Wide;
use crate::program::value::MOST_ARMS;
use warpspan_model::PerUnit;
use warpspan_model::program::{Divergence, MAX_DEPTH, Path, Piece};

/// The matrix of an interleaved branch, by its arms.
pub(super) type Shuffle<'a> = &'a dyn Fn(&[Piece]) -> Result<Wide, ProgramError>;

/// What is counted along a path.
pub(super) struct Weights<'a> {
    /// The matrix of a letter of each unit.
    pub(super) letter: PerUnit<Wide>,
    /// The matrix of a barrier.
    pub(super) barrier: Wide,
    /// The number of letters that an instruction becomes.
    pub(super) times: PerUnit<u64>,
    /// The states in which a path may begin.
    pub(super) starts: Vec<usize>,
    /// A matrix that no interleaving exceeds. Without it the arms run one after the other, which is one
    /// interleaving of many, so that the largest count is one that some path has.
    pub(super) shuffle: Option<Shuffle<'a>>,
}

/// The matrices of a program under some weights, and its best paths.
pub(super) struct Best<'a> {
    weights: &'a Weights<'a>,
    /// The address of a piece serves only to identify it.
    matrices: HashMap<*const Piece, Wide>,
    pub(super) paths: HashMap<(*const Piece, usize, usize), Arc<Path>>,
}

impl<'a> Best<'a> {
    pub(super) fn new(weights: &'a Weights<'a>) -> Self {
        Self { weights, matrices: HashMap::new(), paths: HashMap::new() }
    }

    /// The largest count along a path of a whole program, between states that are told.
    pub(super) fn largest(&mut self, program: &Piece) -> Result<Option<(Gain, usize, usize)>, ProgramError> {
        Ok(self.matrix(program, 0)?.largest(&self.weights.starts, |_| true))
    }

    /// A path with the largest count, if there is one and it can be written in few entries.
    pub(super) fn path(&mut self, program: &Piece) -> Result<Option<(Gain, Arc<Path>)>, ProgramError> {
        let Some((gain, from, to)) = self.largest(program)? else { return Ok(None) };
        Ok(self.trace(program, from, to)?.map(|path| (gain, path)))
    }

    /// The matrix of a piece.
    pub(super) fn matrix(&mut self, piece: &Piece, depth: usize) -> Result<Wide, ProgramError> {
        if depth > MAX_DEPTH {
            return Err(ProgramError::Depth);
        }
        match piece {
            &Piece::Letters { letter: unit, count, .. } => {
                let letters = u128::from(count) * u128::from(self.weights.times[unit]);
                return self.weights.letter[unit].power(letters);
            }
            Piece::Barrier { .. } => return Ok(self.weights.barrier),
            _ => {}
        }
        if let Some(known) = self.matrices.get(&std::ptr::from_ref(piece)) {
            return Ok(*known);
        }
        let matrix = match piece {
            Piece::Letters { .. } | Piece::Barrier { .. } => Wide::identity(),
            Piece::Sequence(pieces) => pieces
                .iter()
                .try_fold(Wide::identity(), |all, piece| all.then(&self.matrix(piece, depth + 1)?))?,
            Piece::Branch { arms, .. } if arms.is_empty() => Wide::identity(),
            Piece::Branch { arms, divergence, .. } => {
                let all = arms.iter().map(|arm| self.matrix(arm, depth + 1));
                let all = all.collect::<Result<Vec<Wide>, _>>()?;
                match (divergence, self.weights.shuffle) {
                    (Divergence::Uniform, _) => all.iter().fold(Wide::nowhere(), |all, arm| all.or(arm)),
                    (Divergence::Interleaved, Some(shuffle)) => shuffle(arms)?,
                    _ => orders(&all)?[1..].iter().fold(Wide::nowhere(), |all, one| all.or(one)),
                }
            }
            &Piece::Loop { least, most, line, .. } if least > most => {
                return Err(ProgramError::Rounds { line: Line(line), least, most });
            }
            Piece::Loop { body, least, most, .. } => {
                let once = self.matrix(body, depth + 1)?;
                let further = once.or(&Wide::identity()).power((most - least).into())?;
                once.power((*least).into())?.then(&further)?
            }
        };
        self.matrices.insert(std::ptr::from_ref(piece), matrix);
        Ok(matrix)
    }
}

/// For each set of arms, the matrix of one after the other in a best order. Of more arms than can be tried in
/// all orders, only all of them in the order of the text are taken.
pub(super) fn orders(arms: &[Wide]) -> Result<Vec<Wide>, ProgramError> {
    if arms.len() > MOST_ARMS {
        let all = arms.iter().try_fold(Wide::identity(), |all, arm| all.then(arm))?;
        return Ok(vec![Wide::identity(), all]);
    }
    let mut best = vec![Wide::nowhere(); 1 << arms.len()];
    best[0] = Wide::identity();
    for set in 1..best.len() {
        for (at, arm) in arms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
            best[set] = best[set].or(&best[set & !(1 << at)].then(arm)?);
        }
    }
    Ok(best)
}

/// The matrix of a path: what its letters count, and the states that they lead to.
pub(super) fn along(weights: &Weights<'_>, piece: &Piece, path: &Path) -> Result<Wide, ProgramError> {
    match (piece, path) {
        (&Piece::Letters { letter: unit, count, .. }, _) => {
            weights.letter[unit].power(u128::from(count) * u128::from(weights.times[unit]))
        }
        (Piece::Barrier { .. }, _) => Ok(weights.barrier),
        (Piece::Sequence(pieces), Path::Sequence(paths)) => {
            let each = pieces.iter().zip(paths);
            each.map(|(piece, path)| along(weights, piece, path))
                .try_fold(Wide::identity(), |all, one| all.then(&one?))
        }
        (Piece::Branch { arms, .. }, Path::Arms(taken)) => {
            let each = taken.iter().filter_map(|(at, path)| Some((arms.get(*at)?, path)));
            each.map(|(arm, path)| along(weights, arm, path))
                .try_fold(Wide::identity(), |all, one| all.then(&one?))
        }
        (Piece::Loop { body, .. }, Path::Rounds(parts)) => {
            parts.iter().try_fold(Wide::identity(), |all, (times, paths)| {
                let mut each = paths.iter().map(|path| along(weights, body, path));
                let cycle = each.try_fold(Wide::identity(), |all, one| all.then(&one?))?;
                all.then(&cycle.power((*times).into())?)
            })
        }
        _ => Ok(Wide::nowhere()),
    }
}

/// Counts the letters alone, barriers or not.
pub(super) fn length_weights(times: PerUnit<u64>) -> Weights<'static> {
    let letter = Wide::from_fn(|before, after| (before == 0 && after == 0).then(|| Gain::new(1, 0)));
    let barrier = Wide::identity();
    Weights { letter: PerUnit::both(letter), barrier, times, starts: vec![0], shuffle: None }
}

/// The matrix of a letter that leads from each state to one state.
pub(super) fn automaton(step: impl Fn(usize) -> Option<(usize, Gain)>) -> Wide {
    Wide::from_fn(|before, after| step(before).filter(|(state, _)| *state == after).map(|(_, gain)| gain))
}
