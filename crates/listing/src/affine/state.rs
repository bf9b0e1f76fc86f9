//! What the registers hold where control has come to, and how that is put together where paths join.

use std::rc::Rc;

use crate::affine::atom::{Atom, Key, OfLane};
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::value::{Kind, Value};

/// What the registers hold, and which lanes may be there.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// What each register holds.
    pub(super) registers: Vec<Value>,
    /// The lanes.
    pub(super) mask: u32,
}

/// Which of two values a lane has.
#[derive(Debug, Clone)]
pub(super) enum Which {
    /// The first for the lanes of a mask, the second for the others.
    Known(u32),
    /// The first where an unknown is 1, the second where it is 0; and whether that is the same for all lanes.
    Path(Form, bool),
}

impl Context {
    /// Which of two values lanes have, by a predicate for the first.
    pub(super) fn which(&mut self, of: &Value) -> Which {
        let kind = &of.kind();
        let uniform = kind.is_uniform(self.mask) && !self.mixed;
        let compared = of.compared().filter(|_| !matches!(kind, Kind::Known(_)));
        if let Some(path) = compared.and_then(|of| self.corrected(of)) {
            return Which::Path(path, uniform);
        }
        match (kind, self.path(kind)) {
            (Kind::Known(mask), _) => Which::Known(*mask),
            (_, Some(path)) => Which::Path(path, uniform),
            // There is a path for each predicate that is not known.
            (_, None) => Which::Path(Form::default(), uniform),
        }
    }

    /// By which of two paths lanes have come to a block.
    fn came(&mut self, block: usize, edge: usize, apart: bool) -> Which {
        let apart = apart || self.mixed;
        let of_lane = apart.then(OfLane::default);
        let key = if apart { Key::LanePath(block, edge) } else { Key::Path(block, edge) };
        let atom = Atom { low: 0, high: 1, twos: 0, changes: self.around, of_lane };
        Which::Path(Form::atom(self.atoms.make(key, atom)), !apart)
    }

    /// One of two values for each lane.
    pub(super) fn join(&mut self, first: &Value, second: &Value, which: &Which) -> Value {
        // Forms that are equal are the same number. Predicates of one kind may be different ones.
        if first == second && !matches!(first, Value::Truth(_)) {
            return first.clone();
        }
        let choose = |one: &Form, two: &Form| match which {
            Which::Known(mask) => self.choose(one, two, Some(*mask), None),
            Which::Path(path, _) => self.choose(one, two, None, Some(path)),
        };
        match (first, second) {
            (Value::Form(one), Value::Form(two)) => {
                let chosen = choose(one, two);
                Value::maybe(chosen.map(|form| self.rest(form, 64)))
            }
            (Value::Upper(one), Value::Upper(two)) => {
                choose(one, two).map_or(Value::Unknown, |form| Value::Upper(Rc::new(form)))
            }
            (Value::Truth(one), Value::Truth(two)) => Value::truth(match (which, &one.kind, &two.kind) {
                (Which::Known(mask), Kind::Known(one), Kind::Known(two)) => {
                    Kind::Known(one & mask | two & !mask)
                }
                (_, Kind::Known(one), Kind::Known(two)) if one == two => Kind::Known(*one),
                (Which::Path(_, true), one, two)
                    if one.is_uniform(self.mask) && two.is_uniform(self.mask) =>
                {
                    Kind::Uniform
                }
                _ => Kind::Any,
            }),
            _ => Value::Unknown,
        }
    }

    /// What the registers hold where several paths join at a block. `apart` says that lanes that reconverge may have come by different
    /// paths.
    pub(super) fn meet(&mut self, block: usize, paths: Vec<(usize, State)>, apart: bool) -> Option<State> {
        let mut paths = paths.into_iter();
        let (_, mut all) = paths.next()?;
        for (edge, state) in paths {
            let mask = all.mask | state.mask;
            let which = if all.mask & state.mask == 0 {
                Which::Known(all.mask)
            } else {
                self.came(block, edge, apart)
            };
            self.mask = mask;
            for (one, two) in all.registers.iter_mut().zip(&state.registers) {
                if one != two || matches!(one, Value::Truth(_)) {
                    *one = self.join(one, two, &which);
                }
            }
            all.mask = mask;
        }
        Some(all)
    }

    /// Takes a register for the upper half of the number of which another is the lower half, which any number of 32 bits without a
    /// sign may be.
    pub(super) fn make_upper(&self, state: &mut State, lower: usize, upper: usize) {
        let (Value::Form(low), Value::Form(high)) = (&state.registers[lower], &state.registers[upper]) else {
            return;
        };
        if self.fits(low, 32, false).is_some()
            && let Some(both) = low.plus(&high.scaled(1 << 32))
        {
            state.registers[upper] = Value::Upper(both.into());
        }
    }

    /// The lower half of a number of which a register holds the upper half where a loop is entered, if the number only moves by
    /// what is known until a pass ends.
    pub(super) fn lower_of(&self, entered: &State, upper: &Form, ended: &Form) -> Option<usize> {
        let moves = |value: &Value| {
            let low = value.as_form().filter(|low| self.fits(low, 32, false).is_some());
            let both = low.and_then(|low| low.plus(&upper.scaled(1 << 32)));
            both.and_then(|both| ended.minus(&both)).is_some_and(|moved| moved.is_known())
        };
        entered.registers.iter().position(moves)
    }

    /// What the registers hold for lanes that have left loops, a bit for each, in different passes.
    pub(super) fn leave(&self, state: &mut State, loops: u64) {
        if loops == 0 {
            return;
        }
        for value in &mut state.registers {
            match value {
                Value::Form(form) | Value::Upper(form) if self.changes(form) & loops == 0 => {}
                Value::Carry(all) | Value::OneCarry(all, _)
                    if all.iter().all(|form| self.changes(form) & loops == 0) => {}
                Value::Truth(truth) if matches!(truth.kind, Kind::Known(_)) && truth.of.is_none() => {}
                Value::Truth(truth) => {
                    let kind =
                        if matches!(truth.kind, Kind::Known(_)) { truth.kind.clone() } else { Kind::Any };
                    *value = Value::truth(kind);
                }
                _ => *value = Value::Unknown,
            }
        }
    }
}
