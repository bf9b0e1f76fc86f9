//! The times after a piece of code, from those before it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::own::OwnError;
use crate::own::places::{LAST, NOW, OVER, Places, step_of};
use crate::own::rows::{Map, Rows};
use crate::own::scope::Scope;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::{Divergence, MAX_DEPTH, Piece};

/// Up to this number of arms, all orders of a divergent branch are tried; more arms are taken for interleaved
/// ones, which includes every order.
const MOST_ORDERED: usize = 6;
/// Equal letters beyond this number are repeated as a loop.
const WRITTEN_OUT: u64 = 8;

/// Interleaved arms: where they are kept, their depth, and what of theirs code beside them reads.
type ArmsOf = (*const Piece<Step>, usize, BTreeSet<usize>);

/// The machine, and the places of the code on it.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    pub(super) machine: &'a Machine,
    pub(super) places: &'a Places,
    /// What pieces read and raise, by where those inside of them are kept.
    pub(super) scopes: RefCell<HashMap<*const Piece<Step>, Rc<Scope>>>,
    /// What interleaved arms take.
    pub(super) interleaved: RefCell<HashMap<ArmsOf, u64>>,
}

impl Rules<'_> {
    /// Appends a piece to the times. `beside` is what interleaved code may read in between.
    pub(super) fn piece(
        &self,
        piece: &Piece<Step>,
        rows: &mut Rows,
        beside: &Scope,
        depth: usize,
    ) -> Result<(), OwnError> {
        if depth > MAX_DEPTH {
            return Err(OwnError::Depth);
        }
        match piece {
            Piece::Letters { letter, count, .. } if *count <= WRITTEN_OUT => {
                (0..*count).try_for_each(|_| self.step(letter, rows, beside))
            }
            Piece::Letters { letter, count, .. } => {
                let one = Piece::Letters { letter: letter.clone(), count: 1, line: 0 };
                self.map(&one, beside, depth)?.append_times(*count, rows)
            }
            Piece::Barrier { .. } => {
                self.barrier(rows);
                Ok(())
            }
            Piece::Sequence(pieces) => {
                pieces.iter().try_for_each(|piece| self.piece(piece, rows, beside, depth + 1))
            }
            Piece::Branch { arms, divergence: Divergence::Uniform, .. } => {
                let before = rows.clone();
                for (at, arm) in arms.iter().enumerate() {
                    if at == 0 {
                        self.piece(arm, rows, beside, depth + 1)?;
                    } else {
                        let mut after = before.clone();
                        self.piece(arm, &mut after, beside, depth + 1)?;
                        rows.or(&after);
                    }
                }
                Ok(())
            }
            Piece::Branch { line, .. } if self.scope(piece).barrier => Err(OwnError::Barrier { line: *line }),
            Piece::Branch { arms, divergence, .. } => match &arms[..] {
                [arm] => self.piece(arm, rows, beside, depth + 1),
                _ if *divergence == Divergence::Divergent && arms.len() <= MOST_ORDERED => {
                    self.in_any_order(arms, rows, beside, depth)
                }
                _ => self.interleaved(arms, rows, beside, depth),
            },
            &Piece::Loop { least, most, line, .. } if least > most => {
                Err(OwnError::Rounds { line, least, most })
            }
            Piece::Loop { most: 0, .. } => Ok(()),
            // No round lowers a time, so that the greatest number of rounds takes longest.
            Piece::Loop { body, most, .. } => self.map(body, beside, depth)?.append_times(*most, rows),
        }
    }

    /// What a piece reads and raises.
    pub(super) fn scope(&self, piece: &Piece<Step>) -> Rc<Scope> {
        let key = piece.inside().as_ptr();
        if let Some(known) = self.scopes.borrow().get(&key).filter(|_| !piece.inside().is_empty()) {
            return Rc::clone(known);
        }
        let mut scope = match piece {
            Piece::Letters { letter, .. } => Scope::of_step(letter, self.machine, self.places),
            _ => Scope { barrier: matches!(piece, Piece::Barrier { .. }), ..Scope::default() },
        };
        piece.inside().iter().for_each(|one| scope.add(&self.scope(one)));
        let scope = Rc::new(scope);
        if !piece.inside().is_empty() {
            self.scopes.borrow_mut().insert(key, Rc::clone(&scope));
        }
        scope
    }

    /// The map of a piece.
    pub(super) fn map(&self, piece: &Piece<Step>, beside: &Scope, depth: usize) -> Result<Map, OwnError> {
        let inputs = self.scope(piece).inputs();
        let mut rows = Rows::identity(self.places.len(), &inputs);
        self.piece(piece, &mut rows, beside, depth + 1)?;
        Ok(rows.map(inputs))
    }

    /// Appends one instruction.
    fn step(&self, step: &Step, rows: &mut Rows, beside: &Scope) -> Result<(), OwnError> {
        let letter = self.machine.letter(step.letter);
        let unit = self.places.unit(letter.unit);
        let [needs, sets] = match &step.waits {
            Some(waits) => [&waits.needs[..], &waits.sets[..]],
            None => [&[][..]; 2],
        };
        let tokens = |list| self.places.tokens(list);
        let issue = rows.latest([NOW].into_iter().chain(unit).chain(tokens(needs)));
        // What it waited for has passed.
        unit.into_iter().chain(tokens(needs)).for_each(|place| rows.forget(place));
        let mut next = step_of(step, letter);
        if tokens(sets).any(|token| beside.reads.contains(&token)) {
            next = next.max(letter.latency.most);
        }
        if unit.is_some_and(|unit| beside.reads.contains(&unit)) {
            next = next.max(letter.occupancy);
        }
        rows.raise_later(NOW, &issue, next)?;
        rows.raise(LAST, &issue);
        rows.raise_later(OVER, &issue, letter.longest())?;
        for unit in unit.into_iter().filter(|_| letter.occupancy > next) {
            rows.raise_later(unit, &issue, letter.occupancy)?;
        }
        for token in tokens(sets).filter(|_| letter.latency.most > next) {
            rows.raise_later(token, &issue, letter.latency.most)?;
        }
        Ok(())
    }

    /// Appends a barrier, which opens when everything is over.
    fn barrier(&self, rows: &mut Rows) {
        let opening = rows.latest([NOW, OVER]);
        rows.raise(NOW, &opening);
        self.places.of_resources().for_each(|place| rows.forget(place));
    }

    /// Appends all arms one after the other in any order. No arm lowers a time, so leaving arms out takes no
    /// longer.
    fn in_any_order(
        &self,
        arms: &[Piece<Step>],
        rows: &mut Rows,
        beside: &Scope,
        depth: usize,
    ) -> Result<(), OwnError> {
        let maps = arms.iter().map(|arm| self.map(arm, beside, depth)).collect::<Result<Vec<_>, _>>()?;
        // For each set of arms, the latest times after them, which are those over the arm that comes last.
        let mut after = vec![rows.clone()];
        for set in 1..1_usize << maps.len() {
            let mut best: Option<Rows> = None;
            for (at, map) in maps.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1) {
                let mut last = after[set & !(1 << at)].clone();
                last.append(map)?;
                match &mut best {
                    Some(best) => best.or(&last),
                    None => best = Some(last),
                }
            }
            after.extend(best);
        }
        if let Some(all) = after.pop() {
            *rows = all;
        }
        Ok(())
    }
}
