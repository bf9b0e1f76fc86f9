//! What registers hold where a pass of a loop begins.
//!
//! A register that holds i where the loop is entered and b where a pass ends, when it held v where the pass began, holds there
//!
//! 1. i, if b is v and nothing in it changes from pass to pass;
//! 2. i + n d, if b - v is d and nothing in d changes: n counts the passes, the same n for all registers;
//! 3. i + W, if b - v is the same for all lanes: W is an unknown that all lanes share, and a multiple of what always divides b - v;
//! 4. W, if i and b are the same for all lanes;
//! 5. anything.
//!
//! Each register only goes down this list, so that this ends. A value at the end of a pass may hold what changes from pass to pass, which
//! in the next one has another value of the same name. So it may not stay: in (1) and (2) nothing changes, and in (3) and (4) W stands
//! for all of it.

use std::collections::BTreeMap;

use crate::affine::atom::{Atom, Key};
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::state::State;
use crate::affine::value::{Kind, Value};

/// What a register does from pass to pass of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Head {
    /// It moves by a form each time.
    Moves(Form),
    /// It moves by something that all lanes share, a multiple of this power of two.
    Shifts(u32),
    /// It is anything that all lanes share.
    Shared,
    /// Nothing is known of it.
    Open,
}

/// The registers that do not stay the same, by the header of the loop and their numbers.
pub(super) type Heads = BTreeMap<(usize, usize), Head>;

/// The most passes that a loop is taken to have where no bound of it is known.
const PASSES: i128 = 1 << 63;

/// A loop whose pass begins: its header and its number, and whether lanes may reconverge in it that are in different passes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loop {
    /// The header.
    pub(super) header: usize,
    /// The bit of its number.
    pub(super) bit: u64,
    /// Whether lanes of different passes may reconverge.
    pub(super) mixed: bool,
    /// The most passes, counted from 0.
    pub(super) last: Option<i128>,
}

impl Context {
    /// What the registers hold where a pass begins, from what they hold where the loop is entered.
    pub(super) fn head(&mut self, of: Loop, heads: &Heads, entered: &State) -> State {
        let mut state = entered.clone();
        let high = of.last.unwrap_or(PASSES);
        let changes = self.around;
        let shared = Atom { low: 0, high, twos: 0, changes, of_lane: None };
        let passes = Form::atom(self.atoms.make(Key::Passes(of.header), shared.clone()));
        for (&(_, register), head) in heads.range((of.header, 0)..(of.header + 1, 0)) {
            let moved = |context: &mut Self, twos: u32| {
                let atom = Atom { low: -(1 << 63), high: 1 << 63, twos, ..shared.clone() };
                Form::atom(context.atoms.make(Key::Moved(of.header, register), atom))
            };
            let mut next = |form: &Form| match head {
                Head::Moves(by) => form.plus(&self.times(&passes, by)?),
                Head::Shifts(twos) => form.plus(&moved(self, *twos)),
                Head::Shared => Some(moved(self, 0)),
                Head::Open => None,
            };
            let value = &mut state.registers[register];
            *value = match value {
                Value::Form(form) => Value::maybe(next(form)),
                Value::Upper(form) => next(form).map_or(Value::Unknown, |form| Value::Upper(form.into())),
                Value::Truth(_) if *head == Head::Shared => Value::truth(Kind::Uniform),
                Value::Truth(_) => Value::truth(Kind::Any),
                _ => Value::Unknown,
            };
        }
        state
    }

    /// What changes in what is taken of a register, from what it holds where the loop is entered, where a pass begins, and where it
    /// ends; nothing if that is right.
    pub(super) fn next_head(&self, of: Loop, head: Option<&Head>, values: [&Value; 3]) -> Option<Head> {
        if head == Some(&Head::Open) {
            return None;
        }
        let [entered, began, ended] = values;
        let (entered, began, ended) = match (entered, began, ended) {
            (Value::Form(entered), Value::Form(began), Value::Form(ended))
            | (Value::Upper(entered), Value::Upper(began), Value::Upper(ended)) => (entered, began, ended),
            (Value::Truth(entered), Value::Truth(began), Value::Truth(ended)) => {
                let same = began.kind == ended.kind && !matches!(began.kind, Kind::Threshold(..));
                let stays = match (&began.of, head) {
                    // What was compared may have changed.
                    (Some(of_began), None) => {
                        let forms = [&of_began.left, &of_began.right];
                        ended.of == began.of && forms.iter().all(|form| self.changes(form) & of.bit == 0)
                    }
                    _ => true,
                };
                let shared = entered.kind.is_uniform(self.mask) && ended.kind.is_uniform(self.mask);
                let known = matches!(began.kind, Kind::Known(_));
                return match head {
                    None if same
                        && stays
                        && (known || shared && began.kind == Kind::Uniform && began.of.is_some()) =>
                    {
                        None
                    }
                    None | Some(Head::Shared) if shared && !of.mixed => {
                        (head.is_none()).then_some(Head::Shared)
                    }
                    _ => Some(Head::Open),
                };
            }
            (Value::Unknown, ..) | (_, Value::Unknown, _) => return None,
            _ => return Some(Head::Open),
        };
        let Some(difference) = ended.minus(began) else { return Some(Head::Open) };
        let stays = self.changes(&difference) & of.bit == 0;
        let uniform = self.is_uniform(&difference);
        let twos = self.twos(&difference);
        let right = match head {
            None => difference == Form::default() && self.changes(ended) & of.bit == 0,
            Some(Head::Moves(by)) => difference == *by && stays,
            Some(Head::Shifts(of_all)) => uniform && twos >= *of_all,
            Some(Head::Shared) => self.is_uniform(entered) && self.is_uniform(ended),
            Some(Head::Open) => true,
        };
        if right {
            return None;
        }
        let next = match head {
            _ if of.mixed => None,
            None if stays && difference != Form::default() => Some(Head::Moves(difference)),
            None if uniform => Some(Head::Shifts(twos)),
            Some(Head::Moves(by)) if uniform && self.is_uniform(by) => {
                Some(Head::Shifts(twos.min(self.twos(by))))
            }
            Some(Head::Shifts(of_all)) if uniform => Some(Head::Shifts(twos.min(*of_all))),
            Some(Head::Shared | Head::Open) => None,
            _ if self.is_uniform(entered) && self.is_uniform(ended) => Some(Head::Shared),
            _ => None,
        };
        Some(next.unwrap_or(Head::Open))
    }
}
