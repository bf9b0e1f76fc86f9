//! Which parts of a program act as one load/store phase, which as a compute phase: the labels on a best path.
//!
//! The path is found on the way back: from the labels before and after a piece to those of the pieces in it, through loops by
//! halving the rounds, so that no loop is unrolled. A letter that different rounds label differently has both labels; one off
//! the path has none. Of an interleaved branch only sums are known, and each letter stands for itself.

use std::collections::{HashMap, HashSet};

use crate::model::{PerUnit, Unit};
use crate::program::matrix::Matrix;
use crate::program::value::{Rules, orders};
use crate::program::{Divergence, Piece, ProgramError};

/// The labels of an instruction, or of some in a row, on a best path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceLabels {
    /// Where it stands in the listing; 0 without one.
    pub line: u32,
    /// Its unit.
    pub unit: Unit,
    /// Whether it is labelled with the unit in some round.
    pub labels: PerUnit<bool>,
}

/// The labels of all letters in the order of the text. The path is one of a warp from the start to the end.
pub(super) fn labels(rules: &Rules, program: &Piece) -> Result<Vec<PieceLabels>, ProgramError> {
    let mut trace = Trace { rules, found: HashMap::new(), seen: HashSet::new() };
    let matrix = rules.path(program)?;
    let ends = Unit::ALL.into_iter().flat_map(|before| Unit::ALL.map(|after| (before, after)));
    if let Some((before, after)) = ends.max_by_key(|&(before, after)| matrix.0[before][after]) {
        trace.piece(program, before, after)?;
    }
    let mut all = Vec::new();
    trace.collect(program, &mut all);
    Ok(all)
}

struct Trace<'a> {
    rules: &'a Rules<'a>,
    /// By piece; its address is only a name.
    found: HashMap<*const Piece, PerUnit<bool>>,
    /// What was gone through already: rounds of a loop often go the same way.
    seen: HashSet<(*const Piece, Unit, Unit)>,
}

impl Trace<'_> {
    /// Goes through a piece on a best path from one label to another.
    fn piece(&mut self, piece: &Piece, before: Unit, after: Unit) -> Result<(), ProgramError> {
        if !self.seen.insert((std::ptr::from_ref(piece), before, after)) {
            return Ok(());
        }
        match piece {
            &Piece::Letters { unit, count, .. } => {
                let matrix = self.rules.letter(unit)?;
                let letters = self.rules.letters_of(unit, count);
                let mut steps = HashSet::new();
                halve(&matrix, letters, before, after, &mut HashSet::new(), &mut steps)?;
                let found = self.found.entry(std::ptr::from_ref(piece)).or_default();
                steps.into_iter().for_each(|(_, label)| found[label] = true);
                Ok(())
            }
            Piece::Barrier { .. } => Ok(()),
            Piece::Sequence(pieces) => self.sequence(&pieces.iter().collect::<Vec<_>>(), before, after),
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                let mut best = None;
                for arm in arms {
                    let gain = self.rules.path(arm)?.0[before][after];
                    if best.is_none_or(|(most, _)| gain > most) {
                        best = Some((gain, arm));
                    }
                }
                best.map_or(Ok(()), |(_, arm)| self.piece(arm, before, after))
            }
            Piece::Branch { arms, divergence: Divergence::Divergent, .. } => {
                let matrices = arms.iter().map(|arm| self.rules.path(arm)).collect::<Result<Vec<_>, _>>()?;
                let order = last_to_first(&matrices, before, after)?;
                self.sequence(&order.into_iter().rev().map(|at| &arms[at]).collect::<Vec<_>>(), before, after)
            }
            Piece::Branch { arms, .. } => {
                arms.iter().for_each(|arm| self.all(arm));
                Ok(())
            }
            Piece::Loop { body, least, most, .. } => {
                let once = self.rules.path(body)?;
                let fixed = once.power((*least).into())?;
                let maybe = once.or(&Matrix::identity());
                let more = maybe.power((most - least).into())?;
                let between = between(&fixed, &more, before, after)?;
                let mut steps = HashSet::new();
                halve(&once, (*least).into(), before, between, &mut HashSet::new(), &mut steps)?;
                let mut further = HashSet::new();
                halve(&maybe, (most - least).into(), between, after, &mut HashSet::new(), &mut further)?;
                // a round that does nothing is none
                steps.extend(further.into_iter().filter(|&(a, b)| maybe.0[a][b] == once.0[a][b]));
                steps.into_iter().try_for_each(|(before, after)| self.piece(body, before, after))
            }
        }
    }

    /// Goes through pieces one after the other.
    fn sequence(&mut self, pieces: &[&Piece], before: Unit, after: Unit) -> Result<(), ProgramError> {
        let mut rests = vec![Matrix::identity()];
        let mut firsts = Vec::new();
        for piece in pieces.iter().rev() {
            let first = self.rules.path(piece)?;
            rests.push(first.then(&rests[rests.len() - 1])?);
            firsts.push(first);
        }
        let mut label = before;
        for (at, piece) in pieces.iter().enumerate() {
            let left = pieces.len() - 1 - at;
            let next = between(&firsts[left], &rests[left], label, after)?;
            self.piece(piece, label, next)?;
            label = next;
        }
        Ok(())
    }

    /// Labels every letter with its unit.
    fn all(&mut self, piece: &Piece) {
        match piece {
            &Piece::Letters { unit, .. } => {
                self.found.entry(std::ptr::from_ref(piece)).or_default()[unit] = true;
            }
            Piece::Barrier { .. } => {}
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().for_each(|piece| self.all(piece));
            }
            Piece::Loop { body, .. } => self.all(body),
        }
    }

    fn collect(&self, piece: &Piece, all: &mut Vec<PieceLabels>) {
        match piece {
            &Piece::Letters { unit, line, .. } => {
                let labels = self.found.get(&std::ptr::from_ref(piece)).copied().unwrap_or_default();
                all.push(PieceLabels { line, unit, labels });
            }
            Piece::Barrier { .. } => {}
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().for_each(|piece| self.collect(piece, all));
            }
            Piece::Loop { body, .. } => self.collect(body, all),
        }
    }
}

/// The label between two pieces on a best path.
fn between(first: &Matrix, second: &Matrix, before: Unit, after: Unit) -> Result<Unit, ProgramError> {
    let mut best = (None, before);
    for label in Unit::ALL {
        if let (Some(a), Some(b)) = (first.0[before][label], second.0[label][after]) {
            best = best.max((Some(a.plus(b)?), label));
        }
    }
    Ok(best.1)
}

/// The labels before and after the rounds of a best path, by halving their number; `seen` holds what was looked at.
fn halve(
    once: &Matrix,
    rounds: u128,
    before: Unit,
    after: Unit,
    seen: &mut HashSet<(u128, Unit, Unit)>,
    steps: &mut HashSet<(Unit, Unit)>,
) -> Result<(), ProgramError> {
    if rounds == 0 || !seen.insert((rounds, before, after)) {
        return Ok(());
    }
    if rounds == 1 {
        steps.insert((before, after));
        return Ok(());
    }
    let half = rounds / 2;
    let label = between(&once.power(half)?, &once.power(rounds - half)?, before, after)?;
    halve(once, half, before, label, seen, steps)?;
    halve(once, rounds - half, label, after, seen, steps)
}

/// The arms of a best order, the last first.
fn last_to_first(arms: &[Matrix], before: Unit, after: Unit) -> Result<Vec<usize>, ProgramError> {
    let best = orders(arms)?;
    let mut set = (1..best.len()).max_by_key(|&set| best[set].0[before][after]).unwrap_or(0);
    let (mut order, mut label) = (Vec::new(), after);
    while set > 0 {
        let mut last = None;
        for at in (0..arms.len()).filter(|at| set >> at & 1 == 1) {
            let rest = &best[set & !(1 << at)];
            let middle = between(rest, &arms[at], before, label)?;
            if rest.then(&arms[at])?.0[before][label] == best[set].0[before][label] {
                last = Some((at, middle));
            }
        }
        let Some((at, middle)) = last else { break };
        order.push(at);
        (set, label) = (set & !(1 << at), middle);
    }
    Ok(order)
}
