//! A path with the largest count, found from the outside inwards: from the states before and after a piece
//! follow those of the pieces in it. Rounds that are repeated are written once, so no loop is unrolled.

use std::borrow::Borrow;
use std::sync::Arc;

use crate::program::ProgramError;
use crate::program::best::{Best, orders};
use crate::program::matrix::Gain;
use crate::program::states::{STATES, Wide};
use crate::program::value::MOST_ARMS;
use warpspan_model::program::{Divergence, Path, Piece};

/// The most entries of the rounds of a loop in a path. A best path needs more only if no short cycle of
/// states is among the best ones, which has not been seen.
const MOST_ENTRIES: usize = 4_096;

/// The rounds of a loop: how often each cycle of states is passed.
type Cycles = Vec<(u64, Vec<(usize, usize)>)>;

impl Best<'_> {
    /// A best path of a piece between two states that a path joins.
    pub(super) fn trace(
        &mut self,
        piece: &Piece,
        from: usize,
        to: usize,
    ) -> Result<Option<Arc<Path>>, ProgramError> {
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
    fn along<P: Borrow<Piece>>(
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
