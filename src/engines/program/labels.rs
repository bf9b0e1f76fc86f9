//! Which parts of a program act as one load/store phase, which as a compute phase, and what each adds: a best path.
//!
//! The path is found on the way back: from the labels before and after a piece to those of the pieces in it, through loops by
//! halving the rounds, so that no loop is unrolled. A letter that different rounds label differently has both labels; one off
//! the path has none. Of an interleaved branch only sums are known, and each letter stands for itself.

use std::collections::{BTreeMap, HashMap};

use crate::engines::phase::Rational;
use crate::engines::program::ProgramError;
use crate::engines::program::matrix::Matrix;
use crate::engines::program::value::{Rules, orders};
use crate::model::program::{Divergence, Piece};
use crate::model::{PerUnit, Unit};

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

/// A best path: one of a warp from the start to the end.
pub(super) struct BestPath {
    /// The labels of all letters in the order of the text.
    pub(super) labels: Vec<PieceLabels>,
    /// By line, 1/sigma of its unit for each letter that agrees with its label, in cycles; lines that add nothing are not there.
    pub(super) adds: BTreeMap<u32, Rational>,
}

/// How often the path goes through a piece, by the labels before and after it.
type Ways = PerUnit<PerUnit<u128>>;

/// The best path of a program.
pub(super) fn best_path(rules: &Rules, program: &Piece) -> Result<BestPath, ProgramError> {
    let mut trace = Trace { rules, found: HashMap::new(), adds: BTreeMap::new() };
    let matrix = rules.path(program)?;
    let mut ways = Ways::default();
    if let Some((before, after)) = pairs().max_by_key(|&(before, after)| matrix.0[before][after]) {
        ways[before][after] = 1;
    }
    trace.piece(program, &ways)?;
    let mut labels = Vec::new();
    trace.collect(program, &mut labels);
    let cycles = |(line, parts)| (line, Rational::new(parts, rules.prices.scale));
    Ok(BestPath { labels, adds: trace.adds.into_iter().map(cycles).collect() })
}

/// The labels before and after a piece.
fn pairs() -> impl Iterator<Item = (Unit, Unit)> {
    Unit::ALL.into_iter().flat_map(|before| Unit::ALL.map(|after| (before, after)))
}

/// The ways that are gone, each with how often.
fn gone(ways: &Ways) -> impl Iterator<Item = (Unit, Unit, u128)> + '_ {
    pairs().map(|(before, after)| (before, after, ways[before][after])).filter(|way| way.2 > 0)
}

/// Goes a way so often.
fn go(ways: &mut Ways, before: Unit, after: Unit, times: u128) -> Result<(), ProgramError> {
    let count = &mut ways[before][after];
    *count = count.checked_add(times).ok_or(ProgramError::Overflow)?;
    Ok(())
}

/// Goes all ways, each so many times more often.
fn add(to: &mut Ways, ways: &Ways, times: u128) -> Result<(), ProgramError> {
    gone(ways).try_for_each(|(before, after, count)| {
        go(to, before, after, count.checked_mul(times).ok_or(ProgramError::Overflow)?)
    })
}

struct Trace<'a> {
    rules: &'a Rules<'a>,
    /// By piece; its address is only a name.
    found: HashMap<*const Piece, PerUnit<bool>>,
    /// In parts of a cycle.
    adds: BTreeMap<u32, i128>,
}

impl Trace<'_> {
    /// Goes through a piece, all the ways at once: so each piece is looked at once.
    fn piece(&mut self, piece: &Piece, ways: &Ways) -> Result<(), ProgramError> {
        if gone(ways).next().is_none() {
            return Ok(());
        }
        match piece {
            &Piece::Letters { unit, count, line } => {
                let (matrix, letters) = (self.rules.letter(unit)?, self.rules.letters_of(unit, count));
                let mut agreeing = 0_u128;
                for (before, after, times) in gone(ways) {
                    for (_, label, steps) in gone(&rounds(&matrix, letters, before, after)?) {
                        self.found.entry(std::ptr::from_ref(piece)).or_default()[label] = true;
                        if label == unit {
                            let more = steps.checked_mul(times).and_then(|more| agreeing.checked_add(more));
                            agreeing = more.ok_or(ProgramError::Overflow)?;
                        }
                    }
                }
                self.agree(line, unit, agreeing)
            }
            Piece::Barrier { .. } => Ok(()),
            Piece::Sequence(pieces) => {
                let matrices = pieces.iter().map(|piece| self.rules.path(piece));
                let matrices = matrices.collect::<Result<Vec<_>, _>>()?;
                let mut of = vec![Ways::default(); pieces.len()];
                for (before, after, times) in gone(ways) {
                    for (of, (before, after)) in of.iter_mut().zip(through(&matrices, before, after)?) {
                        go(of, before, after, times)?;
                    }
                }
                pieces.iter().zip(&of).try_for_each(|(piece, ways)| self.piece(piece, ways))
            }
            Piece::Branch { arms, divergence: Divergence::Interleaved, .. } => {
                let times = gone(ways).try_fold(0_u128, |sum, way| sum.checked_add(way.2));
                let times = times.ok_or(ProgramError::Overflow)?;
                arms.iter().try_for_each(|arm| self.whole(arm, PerUnit::both(times)))
            }
            Piece::Branch { arms, divergence, .. } => {
                let matrices = arms.iter().map(|arm| self.rules.path(arm)).collect::<Result<Vec<_>, _>>()?;
                let mut of = vec![Ways::default(); arms.len()];
                for (before, after, times) in gone(ways) {
                    let order = match divergence {
                        Divergence::Uniform => {
                            let best = (0..arms.len()).max_by_key(|&at| matrices[at].0[before][after]);
                            best.into_iter().collect()
                        }
                        _ => in_order(&matrices, before, after)?,
                    };
                    let taken: Vec<Matrix> = order.iter().map(|&at| matrices[at]).collect();
                    for (at, (before, after)) in order.into_iter().zip(through(&taken, before, after)?) {
                        go(&mut of[at], before, after, times)?;
                    }
                }
                arms.iter().zip(&of).try_for_each(|(arm, ways)| self.piece(arm, ways))
            }
            &Piece::Loop { ref body, least, most, .. } => {
                let once = self.rules.path(body)?;
                let fixed = once.power(least.into())?;
                let maybe = once.or(&Matrix::identity());
                let more = maybe.power((most - least).into())?;
                let mut inner = Ways::default();
                for (before, after, times) in gone(ways) {
                    let between = between(&fixed, &more, before, after)?;
                    add(&mut inner, &rounds(&once, least.into(), before, between)?, times)?;
                    let mut further = rounds(&maybe, (most - least).into(), between, after)?;
                    // a round that does nothing is none
                    let idle = pairs().filter(|&(a, b)| maybe.0[a][b] != once.0[a][b]);
                    idle.for_each(|(before, after)| further[before][after] = 0);
                    add(&mut inner, &further, times)?;
                }
                self.piece(body, &inner)
            }
        }
    }

    /// Goes through all that an interleaved arm may hold, on all ways: whichever limit holds for the arms together, a letter makes up no more
    /// of it than its own work.
    fn whole(&mut self, piece: &Piece, times: PerUnit<u128>) -> Result<(), ProgramError> {
        match piece {
            &Piece::Letters { unit, count, line } => {
                if times[unit] > 0 {
                    self.found.entry(std::ptr::from_ref(piece)).or_default()[unit] = true;
                }
                let letters = self.rules.letters_of(unit, count).checked_mul(times[unit]);
                self.agree(line, unit, letters.ok_or(ProgramError::Overflow)?)
            }
            Piece::Barrier { .. } => Ok(()),
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().try_for_each(|piece| self.whole(piece, times))
            }
            Piece::Loop { body, most, .. } => {
                let mut all = times;
                for unit in Unit::ALL {
                    let more = times[unit].checked_mul((*most).into());
                    all[unit] = more.ok_or(ProgramError::Overflow)?;
                }
                self.whole(body, all)
            }
        }
    }

    /// So many letters of a line agree with their label.
    fn agree(&mut self, line: u32, unit: Unit, letters: u128) -> Result<(), ProgramError> {
        if letters == 0 {
            return Ok(());
        }
        let each = self.rules.letter(unit)?.0[unit][unit].unwrap_or_default().value;
        let parts = i128::try_from(letters).ok().and_then(|letters| letters.checked_mul(each));
        let entry = self.adds.entry(line).or_default();
        *entry = parts.and_then(|parts| entry.checked_add(parts)).ok_or(ProgramError::Overflow)?;
        Ok(())
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

/// The labels before and after each of some pieces in a row.
fn through(pieces: &[Matrix], before: Unit, after: Unit) -> Result<Vec<(Unit, Unit)>, ProgramError> {
    let mut rests = vec![Matrix::identity()];
    for piece in pieces.iter().skip(1).rev() {
        rests.push(piece.then(&rests[rests.len() - 1])?);
    }
    let mut label = before;
    pieces
        .iter()
        .zip(rests.iter().rev())
        .map(|(piece, rest)| {
            let next = between(piece, rest, label, after)?;
            Ok((std::mem::replace(&mut label, next), next))
        })
        .collect()
}

/// The labels before and after the rounds of a best path, each with how often, by halving their number.
fn rounds(once: &Matrix, rounds: u128, before: Unit, after: Unit) -> Result<Ways, ProgramError> {
    fn halve(
        once: &Matrix,
        rounds: u128,
        (before, after): (Unit, Unit),
        seen: &mut HashMap<(u128, Unit, Unit), Ways>,
    ) -> Result<Ways, ProgramError> {
        let mut ways = Ways::default();
        if rounds == 0 {
            return Ok(ways);
        }
        if rounds == 1 {
            ways[before][after] = 1;
            return Ok(ways);
        }
        if let Some(ways) = seen.get(&(rounds, before, after)) {
            return Ok(*ways);
        }
        let (first, second) = (rounds / 2, rounds - rounds / 2);
        let label = between(&once.power(first)?, &once.power(second)?, before, after)?;
        add(&mut ways, &halve(once, first, (before, label), seen)?, 1)?;
        add(&mut ways, &halve(once, second, (label, after), seen)?, 1)?;
        seen.insert((rounds, before, after), ways);
        Ok(ways)
    }
    halve(once, rounds, (before, after), &mut HashMap::new())
}

/// The arms of a best order.
fn in_order(arms: &[Matrix], before: Unit, after: Unit) -> Result<Vec<usize>, ProgramError> {
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
    order.reverse();
    Ok(order)
}
