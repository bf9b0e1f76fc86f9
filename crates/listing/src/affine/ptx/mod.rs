//! What instructions of PTX do to forms (*PTX ISA* 8, chapter 9).

pub(super) mod memory;
pub(super) mod names;

use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::ptx::names::Ptx;
use crate::affine::run::{Access, Instructions, Writes};
use crate::affine::state::State;
use crate::affine::steps::{self, Reads};
use crate::affine::value::{Kind, Truth, Value};
use crate::params::Launch;
use warpspan_isa::exchange::exchanged;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::ptx_names::{every_name, written};
use warpspan_lift::ptx::lift;
use warpspan_lift::{Lifted, Operation, Place};

impl Ptx<'_> {
    /// What an instruction that computes gives, among what it writes.
    fn compute(
        &self,
        context: &mut Context,
        state: &State,
        (one, lifted): (&Instruction<'_>, &Lifted),
        writes: &mut Writes,
    ) {
        let of = Named { ptx: self, names: every_name(one).collect() };
        for (place, value) in steps::results(&of, context, state, lifted) {
            let name = if let Place::Named(name) = place { of.names.get(name) } else { None };
            let register = name.and_then(|name| self.register(name));
            let is_wider = name.is_some_and(|name| self.is_wider(name, lifted.bits));
            let value = if is_wider { widened(context, value, lifted) } else { value };
            writes
                .iter_mut()
                .filter(|write| Some(write.0) == register)
                .for_each(|write| write.1 = value.clone());
        }
    }
}

/// What a register holds that is wider than a result: the number that it is for its type.
fn widened(context: &mut Context, value: Value, lifted: &Lifted) -> Value {
    let (Value::Form(form), Some(&(_, step))) = (&value, lifted.writes.first()) else { return value };
    match lifted.steps[step] {
        // It may be known already that it is this number.
        Operation::Convert { signed, .. } if context.fits(form, lifted.bits, signed).is_some() => value,
        Operation::Parameter { number: (bits, signed), .. } => {
            Value::maybe(context.extend(form, bits, signed))
        }
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

    fn parameter(&self, context: &mut Context, name: usize, byte: u32, bits: u32) -> Option<Form> {
        let name = self.names.get(name).filter(|name| !self.ptx.is_doubtful(name))?;
        let place = self.ptx.routine.parameters.iter().position(|one| one == name)?;
        let known = self.ptx.launch.parameter(name, byte, bits);
        // A part of a parameter may be read in several widths.
        let [byte, width] = [byte, bits].map(|one| usize::try_from(one).ok());
        Some(context.parameter(((place << 16) + byte?) * 128 + width?, known, bits))
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
        if let Some(lifted) = lift(one) {
            self.compute(context, state, (one, &lifted), &mut writes);
            return writes;
        }
        let results = match exchanged(one) {
            Some(exchange) => memory::exchange(self, context, state, exchange),
            None => memory::step(self, context, state, one, accesses),
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
