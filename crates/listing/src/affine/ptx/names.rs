//! What the names in a routine of PTX stand for: registers, symbols and numbers.

use std::collections::{HashMap, HashSet};

use crate::affine::atom::Key;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::state::State;
use crate::affine::value::Value;
use crate::params::Launch;
use crate::routine::{Declared, Routine};
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_isa::ptx_operand::Operand;

/// The instructions of a routine of PTX, as a warp executes them.
pub(in crate::affine) struct Ptx<'p> {
    pub(in crate::affine) routine: &'p Routine<'p>,
    pub(in crate::affine) launch: &'p Launch,
    pub(in crate::affine) warp: Warp,
    pub(super) registers: HashMap<&'p str, usize>,
    symbols: HashMap<&'p str, usize>,
    /// The most bits of each register, as far as it is declared.
    bits: HashMap<usize, u32>,
    doubtful: HashSet<usize>,
    /// The registers that may be those of the module.
    pub(super) of_module: Vec<usize>,
}

impl<'p> Ptx<'p> {
    pub(in crate::affine) fn new(routine: &'p Routine<'p>, launch: &'p Launch, warp: Warp) -> Self {
        let (mut registers, mut symbols) = (HashMap::new(), HashMap::new());
        for one in &routine.instructions {
            for name in written(one) {
                let next = registers.len();
                registers.entry(name).or_insert(next);
            }
        }
        // Names of inner blocks hide others there, so that nothing is known of a name that is declared twice.
        let doubtful = |name: &str| declared(routine, name).count() > 1;
        let most = |name: &str| declared(routine, name).filter_map(|one| one.bits).max();
        let bits = registers.iter().filter_map(|(name, &register)| Some((register, most(name)?))).collect();
        let doubtful =
            registers.iter().filter(|(name, _)| doubtful(name)).map(|(_, &register)| register).collect();
        let of_module = |name: &str| declared(routine, name).any(|one| !one.whole);
        let of_module =
            registers.iter().filter(|(name, _)| of_module(name)).map(|(_, &register)| register).collect();
        for name in routine.instructions.iter().flat_map(every_name) {
            if !name.starts_with('%') && !registers.contains_key(name) {
                let next = symbols.len();
                symbols.entry(name).or_insert(next);
            }
        }
        Self { routine, launch, warp, registers, symbols, bits, doubtful, of_module }
    }

    /// The number of a register.
    pub(super) fn register(&self, name: &str) -> Option<usize> {
        self.registers.get(name).copied()
    }

    /// Whether a name is declared more than once, so that it is not certain which is meant.
    pub(super) fn is_doubtful(&self, name: &str) -> bool {
        declared(self.routine, name).count() > 1
    }

    /// Whether a register has more bits than a result, which is then extended to fill it.
    pub(super) fn is_wider(&self, name: &str, bits: u32) -> bool {
        let own = self.register(name).and_then(|register| self.bits.get(&register));
        own.is_some_and(|&own| own > bits)
    }

    /// What a register or a predicate holds.
    pub(super) fn value<'s>(&self, state: &'s State, name: &str) -> &'s Value {
        let register = self.register(name).filter(|register| !self.doubtful.contains(register));
        register.map_or(&Value::Unknown, |register| &state.registers[register])
    }

    /// Where the array of a name lies. Two arrays of inner scopes may have one name.
    pub(super) fn symbol_of(&self, context: &mut Context, name: &str) -> Option<Form> {
        let &symbol = self.symbols.get(name).filter(|_| !self.is_doubtful(name))?;
        Some(context.unknown(Key::Symbol(symbol), crate::interval::Interval::new(0, (1 << 63) - 1)))
    }

    /// A register, a symbol or a number, or the sum of one of them and a number: `%rd1+-4`.
    pub(super) fn sum(&self, context: &mut Context, state: &State, text: &str) -> Option<Form> {
        let (name, offset) = text.split_once('+').unwrap_or((text, ""));
        let (name, offset) = (name.trim(), offset.trim());
        let number = |text: &str| {
            let operand = Operand::all(text);
            operand.first().and_then(|one| one.number)
        };
        let of_name = if let Some(number) = number(name) {
            Form::number(number)
        } else if name == "%laneid" {
            Form::lanes(std::array::from_fn(|lane| i64::try_from(lane).unwrap_or(0)))
        } else if let Some(symbol) = self.symbol_of(context, name) {
            symbol
        } else {
            self.value(state, name).as_form()?.clone()
        };
        if offset.is_empty() {
            return Some(of_name);
        }
        of_name.plus(&Form::number(number(offset)?))
    }
}

/// The declarations that a name may be of.
fn declared<'r>(routine: &'r Routine<'r>, name: &str) -> impl Iterator<Item = &'r Declared<'r>> {
    routine.declared.iter().filter(move |one| one.is(name))
}
