//! What instructions of PTX do to forms (*PTX ISA* 8, chapter 9).

use std::collections::{HashMap, HashSet};

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::run::{Access, Instructions, Writes};
use crate::affine::state::State;
use crate::affine::steps::{self, Reads};
use crate::affine::value::{Kind, Truth, Value};
use crate::affine::{atom::Key, ptx_memory};
use crate::isa::ptx_operand::{Operand, every_name, written};
use crate::lift::ptx::lift;
use crate::lift::{Lifted, Operation, Place};
use crate::params::Launch;
use crate::routine::{Declared, Instruction, Routine};

/// The instructions of a routine of PTX, as a warp executes them.
pub(super) struct Ptx<'p> {
    pub(super) routine: &'p Routine<'p>,
    pub(super) launch: &'p Launch,
    pub(super) warp: Warp,
    registers: HashMap<&'p str, usize>,
    symbols: HashMap<&'p str, usize>,
    /// The most bits of each register, as far as it is declared.
    bits: HashMap<usize, u32>,
    doubtful: HashSet<usize>,
    /// The registers that may be those of the module.
    of_module: Vec<usize>,
}

impl<'p> Ptx<'p> {
    pub(super) fn new(routine: &'p Routine<'p>, launch: &'p Launch, warp: Warp) -> Self {
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
    fn symbol_of(&self, context: &mut Context, name: &str) -> Option<Form> {
        let &symbol = self.symbols.get(name).filter(|_| !self.is_doubtful(name))?;
        Some(context.unknown(Key::Symbol(symbol), crate::flow::Interval::new(0, (1 << 63) - 1)))
    }

    /// What an instruction that computes gives, among what it writes.
    fn compute(&self, context: &mut Context, state: &State, one: &Instruction<'_>, writes: &mut Writes) {
        let Some(lifted) = lift(one) else { return };
        let of = Named { ptx: self, names: every_name(one).collect() };
        for (place, value) in steps::results(&of, context, state, &lifted) {
            let name = if let Place::Named(name) = place { of.names.get(name) } else { None };
            let register = name.and_then(|name| self.register(name));
            let is_wider = name.is_some_and(|name| self.is_wider(name, lifted.bits));
            let value = if is_wider { widened(context, value, &lifted) } else { value };
            writes
                .iter_mut()
                .filter(|write| Some(write.0) == register)
                .for_each(|write| write.1 = value.clone());
        }
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

/// What a register holds that is wider than a result: the number that it is for its type.
fn widened(context: &mut Context, value: Value, lifted: &Lifted) -> Value {
    let (Value::Form(form), Some(&(_, step))) = (&value, lifted.writes.first()) else { return value };
    match lifted.steps[step] {
        // It may be known already that it is this number.
        Operation::Convert { signed, .. } if context.fits(form, lifted.bits, signed).is_some() => value,
        Operation::Convert { signed, .. } => {
            Value::maybe(context.extend(&form.modulo(lifted.bits), lifted.bits, signed))
        }
        _ if context.is_uniform(form) => Value::form(context.any_function(&[form], 64)),
        _ => Value::Unknown,
    }
}

/// The names of the operands of an instruction, as its steps count them.
struct Named<'s, 'p> {
    ptx: &'s Ptx<'p>,
    names: Vec<&'s str>,
}

impl Reads for Named<'_, '_> {
    fn held<'s>(&self, state: &'s State, place: Place) -> &'s Value {
        match place {
            Place::Named(name) => {
                self.names.get(name).map_or(&Value::Unknown, |name| self.ptx.value(state, name))
            }
            Place::Register(_) | Place::Code(_) => &Value::Unknown,
        }
    }

    fn symbol(&self, context: &mut Context, name: usize) -> Option<Form> {
        self.ptx.symbol_of(context, self.names.get(name)?)
    }

    fn number(&self, number: i128) -> Form {
        Form::number(number)
    }

    fn launch(&self) -> (&Launch, &Warp) {
        (self.ptx.launch, &self.ptx.warp)
    }
}

impl Instructions for Ptx<'_> {
    fn registers(&self) -> usize {
        self.registers.len()
    }

    fn step(
        &self,
        context: &mut Context,
        state: &State,
        one: &Instruction<'_>,
        accesses: &mut Vec<Access>,
    ) -> Writes {
        let mut writes: Writes = written(one)
            .into_iter()
            .filter_map(|name| Some((self.register(name)?, Value::Unknown)))
            .collect();
        if one.flow.is_call() {
            // Other functions have the registers of the module too.
            writes.extend(self.of_module.iter().map(|&register| (register, Value::Unknown)));
        }
        let results = match one.name() {
            "ld" | "ldu" | "st" | "atom" | "red" | "cp" => {
                ptx_memory::step(self, context, state, one, accesses)
            }
            "vote" | "redux" | "shfl" => ptx_memory::exchange(self, context, state, one),
            _ => {
                self.compute(context, state, one, &mut writes);
                return writes;
            }
        };
        for (write, result) in writes.iter_mut().zip(results) {
            write.1 = result;
        }
        writes
    }

    fn guard(&self, one: &Instruction<'_>) -> Option<(usize, bool)> {
        let guard = one.guard?;
        Some((self.register(guard.register)?, guard.negated))
    }

    fn condition(&self, context: &Context, state: &State, one: &Instruction<'_>) -> Value {
        let Some(guard) = one.guard else { return Value::truth(Kind::Any) };
        match self.value(state, guard.register) {
            Value::Truth(truth) if guard.negated => {
                let of = truth
                    .of
                    .clone()
                    .map(|of| crate::affine::value::Comparison { order: of.order.denied(), ..of });
                Value::Truth(Truth { kind: truth.kind.clone().not(), of }.into())
            }
            Value::Truth(truth) => Value::Truth(truth.clone()),
            // Lanes that diverged before may see different values.
            _ if one.uniform && context.together => Value::truth(Kind::Uniform),
            _ => Value::truth(Kind::Any),
        }
    }
}
