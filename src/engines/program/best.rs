//! The largest count along a path of a program, and a path that has it.
//!
//! A [`Weights`] says what a letter and a barrier count, as matrices over states. Pieces compose as in
//! [`value`](crate::engines::program::value), but along *one* path: no maximum is taken between barriers. The
//! path is found from the outside inwards, and rounds that are repeated are written once.

use std::collections::HashMap;
use std::sync::Arc;

use crate::engines::program::ProgramError;
use crate::engines::program::error::Line;
use crate::engines::program::matrix::Gain;
use crate::engines::program::states::{STATES, Wide};
use crate::engines::program::value::MOST_ARMS;
use crate::model::PerUnit;
use crate::model::program::{Divergence, MAX_DEPTH, Path, Piece};

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
    paths: HashMap<(*const Piece, usize, usize), Arc<Path>>,
}

/// The most entries of the rounds of a loop in a path. A best path needs more only if no short cycle of
/// states is among the best ones, which has not been seen.
const MOST_ENTRIES: usize = 4_096;

/// The rounds of a loop: how often each cycle of states is passed.
type Cycles = Vec<(u64, Vec<(usize, usize)>)>;

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
    fn matrix(&mut self, piece: &Piece, depth: usize) -> Result<Wide, ProgramError> {
        if depth > MAX_DEPTH {
            return Err(ProgramError::Depth);
        }
        match piece {
            &Piece::Letters { unit, count, .. } => {
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

    /// A best path of a piece between two states that a path joins.
    fn trace(&mut self, piece: &Piece, from: usize, to: usize) -> Result<Option<Arc<Path>>, ProgramError> {
        let key = (std::ptr::from_ref(piece), from, to);
        if let Some(path) = self.paths.get(&key) {
            return Ok(Some(Arc::clone(path)));
        }
        let path = match piece {
            Piece::Letters { .. } | Piece::Barrier { .. } => Some(Path::Whole),
            Piece::Sequence(pieces) => self.along(pieces, from, to)?.map(Path::Sequence),
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                let mut best = None;
                for (at, arm) in arms.iter().enumerate() {
                    best = best.max(self.matrix(arm, 0)?.0[from][to].map(|gain| (gain, at)));
                }
                match best {
                    Some((_, at)) => {
                        self.trace(&arms[at], from, to)?.map(|path| Path::Arms(vec![(at, path)]))
                    }
                    None => arms.is_empty().then(|| Path::Arms(Vec::new())),
                }
            }
            Piece::Branch { arms, .. } => {
                let all = arms.iter().map(|arm| self.matrix(arm, 0)).collect::<Result<Vec<_>, _>>()?;
                let order = order(&all, from, to)?;
                let taken: Vec<&Piece> = order.iter().map(|&at| &arms[at]).collect();
                let paths = self.along(&taken, from, to)?;
                paths.map(|paths| Path::Arms(order.into_iter().zip(paths).collect()))
            }
            Piece::Loop { body, least, most, .. } => self.rounds(body, [*least, *most], from, to)?,
        };
        let path = path.map(Arc::new);
        if let Some(path) = &path {
            self.paths.insert(key, Arc::clone(path));
        }
        Ok(path)
    }

    /// The best paths of pieces that follow one another.
    fn along<P: std::borrow::Borrow<Piece>>(
        &mut self,
        pieces: &[P],
        from: usize,
        to: usize,
    ) -> Result<Option<Vec<Arc<Path>>>, ProgramError> {
        // For each piece and state before it, the most that it and the pieces after it count.
        let mut rests = vec![Wide::identity().0.map(|row| row[to])];
        for piece in pieces.iter().rev() {
            let (matrix, after) = (self.matrix(piece.borrow(), 0)?, rests[rests.len() - 1]);
            let mut rest = [None; STATES];
            for (row, entry) in matrix.0.iter().zip(&mut rest) {
                *entry = next(row, &after)?.map(|(gain, _)| gain);
            }
            rests.push(rest);
        }
        rests.pop();
        let (mut state, mut paths) = (from, Vec::with_capacity(pieces.len()));
        for piece in pieces {
            let Some(after) = rests.pop() else { break };
            let row = self.matrix(piece.borrow(), 0)?.0[state];
            let Some((_, then)) = next(&row, &after)? else { return Ok(None) };
            let Some(path) = self.trace(piece.borrow(), state, then)? else { return Ok(None) };
            paths.push(path);
            state = then;
        }
        Ok(Some(paths))
    }

    /// The best rounds of a loop.
    fn rounds(
        &mut self,
        body: &Piece,
        [least, most]: [u64; 2],
        from: usize,
        to: usize,
    ) -> Result<Option<Path>, ProgramError> {
        let once = self.matrix(body, 0)?;
        let maybe = once.or(&Wide::identity());
        let (fixed, further) = (once.power(least.into())?, maybe.power((most - least).into())?);
        let column: [Option<Gain>; STATES] = std::array::from_fn(|state| further.0[state][to]);
        let Some((_, middle)) = next(&fixed.0[from], &column)? else { return Ok(None) };
        let mut all = Cycles::new();
        let is_short = cycles(&once, least, from, middle, &mut all)?;
        let (fixed, is_short) = (all.len(), cycles(&maybe, most - least, middle, to, &mut all)? && is_short);
        if !is_short {
            return Ok(None);
        }
        let mut parts: Vec<(u64, Vec<Arc<Path>>)> = Vec::new();
        for (at, (times, steps)) in all.into_iter().enumerate() {
            // A round that need not be made counts for one that is not made if that is better.
            let is_made = |&(a, b): &(usize, usize)| at < fixed || maybe.0[a][b] == once.0[a][b];
            let made = steps.into_iter().filter(is_made);
            let mut paths = Vec::new();
            for (before, after) in made {
                let Some(path) = self.trace(body, before, after)? else { return Ok(None) };
                paths.push(path);
            }
            match parts.last_mut() {
                Some((before, last)) if *last == paths && before.checked_add(times).is_some() => {
                    *before += times;
                }
                _ if paths.is_empty() => {}
                _ => parts.push((times, paths)),
            }
        }
        Ok(Some(Path::Rounds(parts)))
    }
}

/// The best state between a row and what follows, and the count through it.
fn next(
    row: &[Option<Gain>; STATES],
    after: &[Option<Gain>; STATES],
) -> Result<Option<(Gain, usize)>, ProgramError> {
    let mut best = None;
    for (state, (first, second)) in row.iter().zip(after).enumerate() {
        if let (Some(first), Some(second)) = (first, second) {
            best = best.max(Some((first.plus(*second)?, state)));
        }
    }
    Ok(best)
}

/// Adds the steps of a best walk of `times` rounds between two states, cycles of one or two rounds at once.
/// It returns false where the walk would take too many entries.
fn cycles(once: &Wide, times: u64, from: usize, to: usize, all: &mut Cycles) -> Result<bool, ProgramError> {
    if times == 0 {
        return Ok(true);
    }
    if times == 1 {
        all.push((1, vec![(from, to)]));
        return Ok(all.len() <= MOST_ENTRIES);
    }
    let best = once.power(times.into())?.0[from][to];
    if from == to {
        let turn = |gain: Option<Gain>, times| gain.map(|gain| gain.times(times)).transpose();
        if turn(once.0[from][to], times)? == best {
            all.push((times, vec![(from, to)]));
            return Ok(all.len() <= MOST_ENTRIES);
        }
        for other in (0..STATES).filter(|_| times.is_multiple_of(2)) {
            if let (Some(away), Some(back)) = (once.0[from][other], once.0[other][from])
                && turn(Some(away.plus(back)?), times / 2)? == best
            {
                all.push((times / 2, vec![(from, other), (other, from)]));
                return Ok(all.len() <= MOST_ENTRIES);
            }
        }
    }
    let half = times / 2;
    let (first, second) = (once.power(half.into())?, once.power((times - half).into())?);
    let column: [Option<Gain>; STATES] = std::array::from_fn(|state| second.0[state][to]);
    let Some((_, middle)) = next(&first.0[from], &column)? else { return Ok(false) };
    Ok(cycles(once, half, from, middle, all)? && cycles(once, times - half, middle, to, all)?)
}

/// For each set of arms, the matrix of one after the other in a best order. Of more arms than can be tried in
/// all orders, only all of them in the order of the text are taken.
fn orders(arms: &[Wide]) -> Result<Vec<Wide>, ProgramError> {
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

/// The arms of a divergent branch in a best order.
fn order(arms: &[Wide], from: usize, to: usize) -> Result<Vec<usize>, ProgramError> {
    if arms.len() > MOST_ARMS {
        return Ok((0..arms.len()).collect());
    }
    let best = orders(arms)?;
    let mut set = (1..best.len()).max_by_key(|&set| best[set].0[from][to]).unwrap_or(0);
    let (mut order, mut state) = (Vec::new(), to);
    while set > 0 {
        let mut last = None;
        for at in (0..arms.len()).filter(|at| set >> at & 1 == 1) {
            let column: [Option<Gain>; STATES] = std::array::from_fn(|middle| arms[at].0[middle][state]);
            let found = next(&best[set & !(1 << at)].0[from], &column)?;
            last = last.max(found.map(|(gain, middle)| (gain, at, middle)));
        }
        let Some((_, at, middle)) = last else { break };
        order.push(at);
        (set, state) = (set & !(1 << at), middle);
    }
    order.reverse();
    Ok(order)
}

/// The matrix of a path: what its letters count, and the states that they lead to.
pub(super) fn along(weights: &Weights<'_>, piece: &Piece, path: &Path) -> Result<Wide, ProgramError> {
    match (piece, path) {
        (&Piece::Letters { unit, count, .. }, _) => {
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
