//! A best path of a program: which parts act as one load/store phase, which as a compute phase, and how much
//! each adds.
//!
//! The path is found from the outside inwards: from the labels before and after a piece follow those of the
//! pieces in it. The rounds of a loop are halved again and again, so that no loop is unrolled. A letter that
//! different rounds label differently has both labels. A letter off the path has none. For an interleaved
//! branch only sums are known, and each letter is labelled as itself.

use std::collections::{BTreeMap, HashMap};

use crate::phase::Rational;
use crate::program::ProgramError;
use crate::program::matrix::Matrix;
use crate::program::value::{Rules, orders};
use warpspan_model::program::{Divergence, Piece};
use warpspan_model::{PerUnit, Unit};

/// The labels of an instruction, or of several adjacent ones, on a best path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PieceLabels {
    /// The line in the listing. It is 0 if there is no listing.
    pub line: u32,
    /// The unit of the instruction.
    pub unit: Unit,
    /// For each unit, whether the instruction has its label in some round.
    pub labels: PerUnit<bool>,
}

/// A best path of one warp from the start to the end.
pub(super) struct BestPath {
    /// The labels of all letters in the order of the text.
    pub(super) labels: Vec<PieceLabels>,
    /// By line, the sum over the letters that agree with their label of 1/sigma of their unit, in cycles.
    /// Lines that add nothing are left out.
    pub(super) adds: BTreeMap<u32, Rational>,
}

/// How often the path passes through a piece, by the labels before and after it.
type Passages = PerUnit<PerUnit<u128>>;

/// The best path of a program.
pub(super) fn best_path(rules: &Rules, program: &Piece) -> Result<BestPath, ProgramError> {
    // Each place of code that several places share has labels of its own.
    let program = &program.map(&mut |&unit| unit);
    let mut trace = Trace { rules, found: HashMap::new(), adds: BTreeMap::new() };
    let matrix = rules.path(program)?;
    let mut passages = Passages::default();
    if let Some((before, after)) = pairs().max_by_key(|&(before, after)| matrix.0[before][after]) {
        passages[before][after] = 1;
    }
    trace.piece(program, &passages)?;
    let mut labels = Vec::new();
    for piece in program.pieces() {
        if let &Piece::Letters { letter: unit, line, .. } = piece {
            let found = trace.found.get(&std::ptr::from_ref(piece)).copied().unwrap_or_default();
            labels.push(PieceLabels { line, unit, labels: found });
        }
    }
    let cycles = |(line, parts)| (line, Rational::new(parts, rules.prices.scale));
    Ok(BestPath { labels, adds: trace.adds.into_iter().map(cycles).collect() })
}

/// All pairs of a label before and a label after a piece.
fn pairs() -> impl Iterator<Item = (Unit, Unit)> {
    Unit::ALL.into_iter().flat_map(|before| Unit::ALL.map(|after| (before, after)))
}

/// The pairs of labels with which the path passes, each with its count.
fn taken_by(passages: &Passages) -> impl Iterator<Item = (Unit, Unit, u128)> + '_ {
    pairs().map(|(before, after)| (before, after, passages[before][after])).filter(|passage| passage.2 > 0)
}

/// Adds `times` passages with the given labels.
fn pass(passages: &mut Passages, before: Unit, after: Unit, times: u128) -> Result<(), ProgramError> {
    let count = &mut passages[before][after];
    *count = count.checked_add(times).ok_or(ProgramError::Overflow)?;
    Ok(())
}

/// Adds passages, each `times` as often.
fn add_passages(to: &mut Passages, passages: &Passages, times: u128) -> Result<(), ProgramError> {
    taken_by(passages).try_for_each(|(before, after, count)| {
        pass(to, before, after, count.checked_mul(times).ok_or(ProgramError::Overflow)?)
    })
}

struct Trace<'a> {
    rules: &'a Rules<'a>,
    /// The labels found for each piece. The address of a piece serves only to identify it.
    found: HashMap<*const Piece, PerUnit<bool>>,
    /// What each line adds, in parts of a cycle.
    adds: BTreeMap<u32, i128>,
}

impl Trace<'_> {
    /// Follows all passages through a piece at once, so that each piece is visited once.
    fn piece(&mut self, piece: &Piece, passages: &Passages) -> Result<(), ProgramError> {
        if taken_by(passages).next().is_none() {
            return Ok(());
        }
        match piece {
            &Piece::Letters { letter: unit, count, line } => {
                let (matrix, letters) = (self.rules.letter(unit)?, self.rules.letters_of(unit, count));
                let mut agreeing = 0_u128;
                for (before, after, times) in taken_by(passages) {
                    for (_, label, steps) in taken_by(&rounds(&matrix, letters, before, after)?) {
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
                let mut inside = vec![Passages::default(); pieces.len()];
                for (before, after, times) in taken_by(passages) {
                    for (inside, (before, after)) in inside.iter_mut().zip(through(&matrices, before, after)?)
                    {
                        pass(inside, before, after, times)?;
                    }
                }
                pieces.iter().zip(&inside).try_for_each(|(piece, passages)| self.piece(piece, passages))
            }
            Piece::Branch { arms, divergence: Divergence::Interleaved, .. } => {
                let times = taken_by(passages).try_fold(0_u128, |sum, passage| sum.checked_add(passage.2));
                let times = times.ok_or(ProgramError::Overflow)?;
                arms.iter().try_for_each(|arm| self.all_of(arm, PerUnit::both(times)))
            }
            Piece::Branch { arms, divergence, .. } => {
                let matrices = arms.iter().map(|arm| self.rules.path(arm)).collect::<Result<Vec<_>, _>>()?;
                let mut inside = vec![Passages::default(); arms.len()];
                for (before, after, times) in taken_by(passages) {
                    let order = match divergence {
                        Divergence::Uniform => {
                            let best = (0..arms.len()).max_by_key(|&at| matrices[at].0[before][after]);
                            best.into_iter().collect()
                        }
                        _ => in_order(&matrices, before, after)?,
                    };
                    let taken: Vec<Matrix> = order.iter().map(|&at| matrices[at]).collect();
                    for (at, (before, after)) in order.into_iter().zip(through(&taken, before, after)?) {
                        pass(&mut inside[at], before, after, times)?;
                    }
                }
                arms.iter().zip(&inside).try_for_each(|(arm, passages)| self.piece(arm, passages))
            }
            &Piece::Loop { ref body, least, most, .. } => {
                let once = self.rules.path(body)?;
                let fixed = once.power(least.into())?;
                let maybe = once.or(&Matrix::identity());
                let more = maybe.power((most - least).into())?;
                let mut inner = Passages::default();
                for (before, after, times) in taken_by(passages) {
                    let between = between(&fixed, &more, before, after)?;
                    add_passages(&mut inner, &rounds(&once, least.into(), before, between)?, times)?;
                    let mut further = rounds(&maybe, (most - least).into(), between, after)?;
                    // a round that does nothing does not count
                    let idle = pairs().filter(|&(a, b)| maybe.0[a][b] != once.0[a][b]);
                    idle.for_each(|(before, after)| further[before][after] = 0);
                    add_passages(&mut inner, &further, times)?;
                }
                self.piece(body, &inner)
            }
        }
    }

    /// Follows all passages through everything that an interleaved arm may hold. Whichever limit applies to
    /// the arms together, a letter contributes no more to it than its own work.
    fn all_of(&mut self, piece: &Piece, times: PerUnit<u128>) -> Result<(), ProgramError> {
        match piece {
            &Piece::Letters { letter: unit, count, line } => {
                if times[unit] > 0 {
                    self.found.entry(std::ptr::from_ref(piece)).or_default()[unit] = true;
                }
                let letters = self.rules.letters_of(unit, count).checked_mul(times[unit]);
                self.agree(line, unit, letters.ok_or(ProgramError::Overflow)?)
            }
            Piece::Barrier { .. } => Ok(()),
            Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
                pieces.iter().try_for_each(|piece| self.all_of(piece, times))
            }
            Piece::Loop { body, most, .. } => {
                let mut all = times;
                for unit in Unit::ALL {
                    let more = times[unit].checked_mul((*most).into());
                    all[unit] = more.ok_or(ProgramError::Overflow)?;
                }
                self.all_of(body, all)
            }
        }
    }

    /// Records that `letters` letters of a line agree with their label.
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

/// The labels before and after each piece of a sequence.
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

/// The labels before and after the rounds of a best path, each with its count, computed by halving the number
/// of rounds.
fn rounds(once: &Matrix, rounds: u128, before: Unit, after: Unit) -> Result<Passages, ProgramError> {
    fn halve(
        once: &Matrix,
        rounds: u128,
        (before, after): (Unit, Unit),
        seen: &mut HashMap<(u128, Unit, Unit), Passages>,
    ) -> Result<Passages, ProgramError> {
        let mut passages = Passages::default();
        if rounds == 0 {
            return Ok(passages);
        }
        if rounds == 1 {
            passages[before][after] = 1;
            return Ok(passages);
        }
        if let Some(passages) = seen.get(&(rounds, before, after)) {
            return Ok(*passages);
        }
        let (first, second) = (rounds / 2, rounds - rounds / 2);
        let label = between(&once.power(first)?, &once.power(second)?, before, after)?;
        add_passages(&mut passages, &halve(once, first, (before, label), seen)?, 1)?;
        add_passages(&mut passages, &halve(once, second, (label, after), seen)?, 1)?;
        seen.insert((rounds, before, after), passages);
        Ok(passages)
    }
    halve(once, rounds, (before, after), &mut HashMap::new())
}

/// The arms of a branch in a best order.
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
