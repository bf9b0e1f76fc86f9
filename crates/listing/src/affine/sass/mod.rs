//! What instructions of SASS do to forms.
//!
//! What an instruction computes is lifted to steps ([`warpspan_lift`]), and these are evaluated. What is not lifted may give anything to the
//! registers that it may write ([`warpspan_isa::written`]).
//!
//! Addresses of 64 bits lie in pairs of registers, whose halves are computed one after the other. The upper half of a sum is known to be
//! that of a form of 64 bits ([`Value::Upper`]), and a pair is that form if its lower half is equal to it modulo 2^32.
//!
//! | file | is |
//! |---|---|
//! | `registers` | what registers hold, alone and as pairs |
//! | `memory` | the instructions that read and write memory |

mod memory;
mod registers;

use crate::affine::calls::Calls;
use crate::affine::context::Context;
use crate::affine::form::Form;
use crate::affine::launched::Warp;
use crate::affine::run::{Access, Instructions, Writes};
use crate::affine::state::State;
use crate::affine::steps::{self, Reads};
use crate::affine::value::{Comparison, Kind, Truth, Value};
use crate::params::Launch;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::operand::Operand;
use warpspan_isa::register::{File, Register};
use warpspan_isa::written::written;
use warpspan_lift::sass::lift;
use warpspan_lift::{Flag, Place};

/// The instructions of a routine of SASS, as a warp executes them.
pub(super) struct Sass<'p> {
    pub(super) launch: &'p Launch,
    pub(super) warp: Warp,
    pub(super) calls: &'p Calls,
}

/// Where the registers of each file begin, and the condition code behind them.
const UNIFORM: usize = 256;
const PREDICATES: usize = 512;
const UNIFORM_PREDICATES: usize = 520;
const CODE: usize = 530;

/// The number of a register; none of a barrier register.
pub(super) fn number(register: Register) -> Option<usize> {
    let first = match register.file {
        File::General => 0,
        File::Uniform => UNIFORM,
        File::Predicate => PREDICATES,
        File::UniformPredicate => UNIFORM_PREDICATES,
        File::Barrier => return None,
    };
    Some(first + register.number)
}

/// The carry of a sum is the only part of the condition code that is followed.
fn place(place: Place) -> Option<usize> {
    match place {
        Place::Register(register) => number(register),
        Place::Code(Flag::Carry) => Some(CODE),
        Place::Code(Flag::Zero) | Place::Named(_) => None,
    }
}

/// What an instruction gives: registers with their values, of those that it may write.
type Results = Vec<(usize, Value)>;

impl Reads for Sass<'_> {
    fn held<'s>(&self, state: &'s State, of: Place) -> &'s Value {
        place(of).and_then(|place| state.registers.get(place)).unwrap_or(&Value::Unknown)
    }

    fn symbol(&self, _: &mut Context, _: usize) -> Option<Form> {
        None
    }

    fn parameter(&self, _: &mut Context, _: usize, _: u32, _: u32) -> Option<Form> {
        None
    }

    fn number(&self, number: i128) -> Form {
        Form::number(number).modulo(32)
    }

    fn launch(&self) -> (&Launch, &Warp) {
        (self.launch, &self.warp)
    }
}

impl Instructions for Sass<'_> {
    fn registers(&self) -> usize {
        CODE + 1
    }

    fn step(
        &self,
        context: &mut Context,
        state: &State,
        one: &Instruction<'_>,
        accesses: &mut Vec<Access>,
    ) -> Writes {
        let registers = match self.calls.get(&context.at) {
            Some(call) => call.writes.as_ref().map(|all| {
                let numbers = all.iter().copied().filter_map(number);
                numbers.chain([CODE]).collect()
            }),
            None if one.calls() => None,
            None => written(one).map(|blocks| {
                let all = blocks.into_iter().flat_map(|block| block.first.run(block.most));
                let code = one.operands().first().filter(|first| first.names_code).map(|_| CODE);
                all.filter_map(number).chain(code).collect::<Vec<_>>()
            }),
        };
        let registers = registers.unwrap_or_else(|| (0..self.registers()).collect());
        let mut writes: Writes = registers.into_iter().map(|register| (register, Value::Unknown)).collect();
        let mut results = self.memory(context, state, one, accesses);
        if results.is_empty() {
            let lifted = lift(one);
            let given =
                lifted.map(|lifted| steps::results(self, context, state, &lifted)).unwrap_or_default();
            results = given.into_iter().filter_map(|(to, value)| Some((place(to)?, value))).collect();
        }
        for (register, value) in results {
            let of_register = writes.iter_mut().filter(|write| write.0 == register);
            of_register.for_each(|write| write.1 = value.clone());
        }
        writes
    }

    fn guard(&self, one: &Instruction<'_>) -> Option<(usize, bool)> {
        let guard = one.guard?;
        Some((number(Register::of(guard.register)?)?, guard.negated))
    }

    fn condition(&self, context: &Context, state: &State, one: &Instruction<'_>) -> Value {
        let decides = |operand: &Operand<'_>| operand.is_condition() || operand.is_predicate();
        // The predicates of an instruction that computes are what it reads and writes.
        let goes = one.flow != Flow::Next;
        let further = goes && one.operands().iter().any(decides) || one.asks_for_warp();
        match self.guard(one).map(|(register, negated)| (&state.registers[register], negated)) {
            Some((Value::Truth(truth), negated)) if !further => {
                if !negated {
                    return Value::Truth(truth.clone());
                }
                let of = truth.of.clone().map(|of| Comparison { order: of.order.denied(), ..of });
                Value::Truth(Truth { kind: truth.kind.clone().not(), of }.into())
            }
            // Lanes that diverged before may see different values.
            _ if one.uniform && context.together && !one.asks_for_warp() => Value::truth(Kind::Uniform),
            _ => Value::truth(Kind::Any),
        }
    }
}
