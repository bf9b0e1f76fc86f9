//! What instructions of SASS write.
//!
//! NVIDIA documents the opcodes by their names only. An instruction has an operation here if its name, its
//! modifiers and all of its operands are among those below, which are what compilers make of integer code. Of
//! all others it is known which registers the result may lie in
//! ([`written`](crate::isa::written::written)), or they may write anything.

mod halves;
mod predicates;
mod results;
mod words;

use crate::flow::analysis::counts::effect::{Condition, Effect, Operation, Source, Term, Write};
use crate::flow::analysis::counts::interval::{IntegerType, Interval};
use crate::isa::operand::{Kind, Operand};
use crate::isa::register::{File, Register};
use crate::isa::row::Output;
use crate::isa::sass::row;
use crate::isa::written::written;
use crate::params::Launch;
use crate::routine::{Flow, Instruction};

/// What an instruction writes.
pub(crate) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let name = instruction.name();
    let nothing = row(name).is_some_and(|row| row.output == Output::Nothing);
    let calls = matches!(instruction.flow, Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown);
    let Some(blocks) = written(instruction).filter(|_| nothing || !calls) else {
        return Effect::everything();
    };
    let registers = blocks.into_iter().flat_map(|block| block.first.run(block.most));
    let unknown = |register| Write { register, bits: 32, result: Operation::Unknown };
    let writes = registers.filter_map(Register::name).map(unknown).collect();
    let mut effect = Effect { writes, everything: false };
    let reader =
        Reader { operands: instruction.operands(), modifiers: instruction.modifiers().collect(), launch };
    if let ("LOP3" | "ULOP3", [test, register, rest @ ..]) = (name, reader.operands)
        && let Some(test) = test.predicate().and_then(Register::name)
        && let Some(register) = number_register(register).and_then(Register::name)
    {
        return reader.masked(test, register, rest).unwrap_or(effect);
    }
    if let Some([lower, upper]) = reader.wide(name) {
        let names = reader.operands.first().and_then(pair_of).into_iter().flatten();
        for (register, result) in names.zip([lower, upper]) {
            effect.writes.iter_mut().filter(|write| write.register == register).for_each(|write| {
                (write.bits, write.result) = (32, result.clone());
            });
        }
    } else if let Some((bits, result)) = reader.result(name) {
        if let ("IADD3" | "UIADD3", [], Operation::Sum(terms)) = (name, &reader.modifiers[..], &result) {
            // With two carries it is not known which one a sum has.
            let several =
                reader.operands.get(2).is_some_and(|one| one.is_always(true) || one.predicate().is_some());
            for write in effect.writes.iter_mut().filter(|write| is_predicate(write) && !several) {
                (write.bits, write.result) = (1, Operation::Carry(terms.clone()));
            }
        }
        let name = reader.operands.first().and_then(Operand::plain).and_then(Register::name);
        let own = effect.writes.iter_mut().find(|write| name == Some(write.register));
        if let Some(own) = own {
            (own.bits, own.result) = (bits, result);
        }
    } else if let Some(words) = reader.words(name) {
        for (write, word) in effect.writes.iter_mut().zip(words) {
            (write.bits, write.result) = (32, Operation::Sum(vec![word]));
        }
    }
    reader.sum_with_code(&mut effect, name);
    effect
}

fn is_predicate(write: &Write<'_>) -> bool {
    Register::of(write.register).is_some_and(|register| register.file.is_of_predicates())
}

/// The register of a number that an operand is, without a sign and as a whole.
fn number_register(operand: &Operand<'_>) -> Option<Register> {
    operand.plain().filter(|register| matches!(register.file, File::General | File::Uniform))
}

/// The names of the two registers that an operand stands for as a pair.
fn pair_of(operand: &Operand<'_>) -> Option<[&'static str; 2]> {
    let mut names = number_register(operand)?.run(2).filter_map(Register::name);
    Some([names.next()?, names.next()?])
}

/// An instruction that is being read.
pub(super) struct Reader<'i, 'a, 'l> {
    pub(super) operands: &'i [Operand<'a>],
    pub(super) modifiers: Vec<&'a str>,
    pub(super) launch: &'l Launch,
}

const SIGNED: IntegerType = IntegerType { signed: true, bits: 32 };
pub(super) const UNSIGNED: IntegerType = IntegerType { signed: false, bits: 32 };

impl<'i, 'a> Reader<'i, 'a, '_> {
    /// An operand that is read as 32 bits.
    pub(super) fn term(&self, operand: &Operand<'_>) -> Term<'a> {
        let source = match operand.sign {
            None | Some('-') => self.source(operand),
            Some(_) => Source::Unknown,
        };
        Term { negative: operand.sign.is_some(), source }
    }

    /// The same whatever its sign is.
    fn source(&self, operand: &Operand<'_>) -> Source<'a> {
        match operand.kind {
            Kind::Zero(_) => Source::Known(Interval::point(0)),
            Kind::Register {
                register: Register { file: File::General | File::Uniform, .. },
                whole: true,
            } => {
                operand.unsigned_register().and_then(Register::name).map_or(Source::Unknown, Source::Register)
            }
            Kind::Address { .. } => self.bank(operand, 0),
            Kind::Number(value) => Source::Known(Interval::point(value.into())),
            _ => Source::Unknown,
        }
    }

    /// What is added of an operand of the upper words: all of its bits may be changed, and ~x is -x - 1.
    fn addends(&self, operand: &Operand<'a>) -> Vec<Term<'a>> {
        if operand.sign != Some('~') {
            return vec![self.term(operand)];
        }
        vec![Term { negative: true, source: self.source(operand) }, Term::number(-1)]
    }

    /// The word behind an address of the constant bank by so many words.
    fn bank(&self, operand: &Operand<'_>, words: u32) -> Source<'a> {
        let at = operand.constant().and_then(|at| at.checked_add(4 * words));
        at.and_then(|at| self.launch.word(at)).map_or(Source::Unknown, Source::Known)
    }

    fn condition(&self, operand: &Operand<'_>) -> Option<Condition<'a>> {
        let register = operand.unsigned_register().filter(|register| register.file.is_of_predicates())?;
        Some(Condition { register: register.name()?, negated: operand.sign.is_some() })
    }

    /// The operands behind the result, without the predicates that the result may carry into.
    pub(super) fn sources(&self) -> Vec<&'i Operand<'a>> {
        let unused = |one: &&Operand<'_>| one.is_always(true) || one.predicate().is_some();
        let mut sources: Vec<&Operand<'_>> = self.operands.iter().skip(1).skip_while(unused).collect();
        // A carry that is never there.
        while sources.pop_if(|last| last.is_always(false)).is_some() {}
        sources
    }
}
