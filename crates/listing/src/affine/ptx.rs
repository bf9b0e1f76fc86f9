//! What instructions of PTX do to forms (*PTX ISA* 8, chapter 9).

use std::collections::{HashMap, HashSet};

use crate::affine::bits::Logic;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::run::{Access, Instructions, Writes};
use crate::affine::state::State;
use crate::affine::value::{Kind, Truth, Value};
use crate::affine::{atom::Key, ptx_compute, ptx_memory};
use crate::isa::ptx_operand::{Operand, every_name, written};
use crate::params::Launch;
use crate::routine::{Instruction, Routine};

/// The instructions of a routine of PTX, as a warp executes them.
pub(super) struct Ptx<'p> {
    pub(super) routine: &'p Routine<'p>,
    pub(super) launch: &'p Launch,
    pub(super) warp: Warp,
    registers: HashMap<&'p str, usize>,
    symbols: HashMap<&'p str, usize>,
    doubtful: HashSet<usize>,
}

/// What an operand is.
pub(super) enum Source {
    /// A number of which the form is known.
    Form(Form),
    /// A number without one that is the same for all lanes.
    Literal,
    /// Anything else.
    Unknown,
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
        let doubtful = |name: &str| routine.declared.iter().filter(|one| one.is(name)).count() > 1;
        let doubtful =
            registers.iter().filter(|(name, _)| doubtful(name)).map(|(_, &register)| register).collect();
        for name in routine.instructions.iter().flat_map(every_name) {
            if !name.starts_with('%') && !registers.contains_key(name) {
                let next = symbols.len();
                symbols.entry(name).or_insert(next);
            }
        }
        Self { routine, launch, warp, registers, symbols, doubtful }
    }

    /// The number of a register.
    pub(super) fn register(&self, name: &str) -> Option<usize> {
        self.registers.get(name).copied()
    }

    /// Whether a name is declared more than once, so that it is not certain which is meant.
    pub(super) fn is_doubtful(&self, name: &str) -> bool {
        self.routine.declared.iter().filter(|one| one.is(name)).count() > 1
    }

    /// What a register or a predicate holds.
    pub(super) fn value<'s>(&self, state: &'s State, name: &str) -> &'s Value {
        let register = self.register(name).filter(|register| !self.doubtful.contains(register));
        register.map_or(&Value::Unknown, |register| &state.registers[register])
    }

    /// The number of a symbol.
    pub(super) fn symbol(&self, name: &str) -> Option<usize> {
        self.symbols.get(name).copied()
    }

    /// What an operand is.
    pub(super) fn source(&self, context: &mut Context, state: &State, operand: &Operand<'_>) -> Source {
        if operand.names.is_empty() {
            return operand.number.map_or(Source::Literal, |number| Source::Form(Form::number(number)));
        }
        let form = match operand.part {
            Some(part) => self.special(context, operand, part),
            None => self.sum(context, state, operand.text),
        };
        form.map_or(Source::Unknown, Source::Form)
    }

    /// The form of an operand, if it is known.
    pub(super) fn form(&self, context: &mut Context, state: &State, operand: &Operand<'_>) -> Option<Form> {
        if let Source::Form(form) = self.source(context, state, operand) { Some(form) } else { None }
    }

    fn special(&self, context: &mut Context, operand: &Operand<'_>, part: &str) -> Option<Form> {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == part)?;
        Some(match operand.name()? {
            "%tid" => context.thread(&self.warp, self.launch, axis),
            "%ctaid" => context.block_index(self.launch, axis),
            "%ntid" => context.size(self.launch, false, axis),
            "%nctaid" => context.size(self.launch, true, axis),
            _ => return None,
        })
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
        } else if let Some(symbol) = self.symbol(name) {
            // Two arrays of inner scopes may have one name.
            if self.is_doubtful(name) {
                return None;
            }
            context.unknown(Key::Symbol(symbol), crate::flow::Interval::new(0, (1 << 63) - 1))
        } else {
            self.value(state, name).as_form()?.clone()
        };
        if offset.is_empty() {
            return Some(of_name);
        }
        of_name.plus(&Form::number(number(offset)?))
    }

    /// For which lanes a predicate operand holds.
    pub(super) fn kind(&self, state: &State, operand: &Operand<'_>) -> Kind {
        if let Some(number) = operand.number {
            return Kind::Known(if number == 0 { 0 } else { u32::MAX });
        }
        let Some(name) = operand.name() else { return Kind::Any };
        let mut kind = self.value(state, name).kind();
        if operand.is_negated() {
            kind = kind.not();
        }
        kind
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
        let results = match one.name() {
            "ld" | "ldu" | "st" | "atom" | "red" | "cp" => {
                ptx_memory::step(self, context, state, one, accesses)
            }
            "vote" | "redux" | "shfl" => ptx_memory::exchange(self, context, state, one),
            _ => ptx_compute::step(self, context, state, one),
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

    fn condition(&self, _: &Context, state: &State, one: &Instruction<'_>) -> Value {
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
            _ if one.uniform => Value::truth(Kind::Uniform),
            _ => Value::truth(Kind::Any),
        }
    }
}

/// The bits of a type such as `u32`, and whether its numbers have a sign; none if it is no type of integers.
pub(super) fn integer_type(part: &str) -> Option<(u32, bool)> {
    let bits: u32 = part.get(1..)?.parse().ok()?;
    let signed = match part.as_bytes()[0] {
        b's' => true,
        b'u' | b'b' => false,
        _ => return None,
    };
    matches!(bits, 8 | 16 | 32 | 64).then_some((bits, signed))
}

/// An operation on the bits that its name says.
pub(super) fn logic_of(name: &str) -> Option<Logic> {
    Some(match name {
        "and" => Logic::And,
        "or" => Logic::Or,
        "xor" => Logic::Xor,
        _ => return None,
    })
}
