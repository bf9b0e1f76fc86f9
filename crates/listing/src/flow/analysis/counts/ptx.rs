//! What instructions of PTX write. Opcodes that are not in this file write something unknown.

use crate::flow::analysis::counts::effect::{Comparison, Condition, Effect, Operation, Source, Term};
use crate::flow::analysis::counts::interval::{IntegerType, Interval};
use crate::isa::ptx_operand::{Operand, written};
use crate::lift::Relation;
use crate::params::{Launch, spelled};
use crate::routine::Instruction;

/// What an instruction writes.
pub(super) fn effect<'a>(instruction: &Instruction<'a>, launch: &Launch) -> Effect<'a> {
    let names = written(instruction);
    let understood = match names[..] {
        [name] => result(instruction, name, launch),
        _ => None,
    };
    match understood {
        Some((bits, result)) => Effect::one(names[0], bits, result),
        None => Effect::unknown(names),
    }
}

/// The operand as a number or a register.
fn term<'a>(operand: &Operand<'a>, launch: &Launch) -> Term<'a> {
    let known = operand.number.map(Interval::point).or_else(|| special(operand, launch));
    Term::of(match (known, operand.plain()) {
        (Some(known), _) => Source::Known(known),
        // Each read may find another number.
        (None, Some(name)) if CHANGING.iter().any(|one| name.starts_with(one)) => Source::Unknown,
        (None, Some(name)) => Source::Register(name),
        (None, None) => Source::Unknown,
    })
}

/// How the names of special registers begin that change while a thread runs.
const CHANGING: [&str; 5] = ["%clock", "%globaltimer", "%pm", "%smid", "%warpid"];

/// The values of a special register.
fn special(operand: &Operand<'_>, launch: &Launch) -> Option<Interval> {
    let axis = operand.part.and_then(|part| ["x", "y", "z"].into_iter().position(|known| known == part));
    Some(match (operand.name()?, axis) {
        _ if operand.is_negated() => return None,
        ("%tid", Some(axis)) => launch.index(false, axis),
        ("%ntid", Some(axis)) => launch.size(false, axis),
        ("%ctaid", Some(axis)) => launch.index(true, axis),
        ("%nctaid", Some(axis)) => launch.size(true, axis),
        ("%laneid", None) if operand.plain().is_some() => Interval::new(0, 31),
        ("WARP_SZ", None) if operand.plain().is_some() => Interval::point(32),
        _ => return None,
    })
}

/// The bits and the operation of an instruction that writes one register, if it is understood.
fn result<'a>(instruction: &Instruction<'a>, name: &str, launch: &Launch) -> Option<(u32, Operation<'a>)> {
    let operands = instruction.ptx_operands();
    if operands.first().and_then(Operand::plain) != Some(name) {
        return None; // a vector, a part of a register, or two predicates
    }
    let parts: Vec<&str> = instruction.opcode.split('.').collect();
    let at = |index: usize| operands.get(index).map(|operand| term(operand, launch));
    let two = || (operands.len() == 3).then(|| Some((at(1)?, at(2)?)))?;
    if let ["and" | "or" | "not" | "mov", "pred"] = parts[..] {
        return predicate(parts[0], &operands[1..]);
    }
    if parts[0] == "setp" {
        return comparison(&parts[1..], operands, launch);
    }
    let kind = IntegerType::of(parts.last()?)?;
    let bits = kind.bits;
    Some(match parts[..] {
        ["mov", _] if operands.len() == 2 => (bits, Operation::Sum(vec![at(1)?])),
        ["add", _] => two().map(|(a, b)| (bits, Operation::Sum(vec![a, b])))?,
        ["sub", _] => two().map(|(a, b)| (bits, Operation::Sum(vec![a, negated(b)])))?,
        ["neg", _] if operands.len() == 2 => (bits, Operation::Sum(vec![negated(at(1)?)])),
        ["mul", "lo", _] => two().map(|(a, b)| (bits, Operation::Product(a, b, None)))?,
        ["mad", "lo", _] => (bits, Operation::Product(at(1)?, at(2)?, Some(at(3)?))),
        ["mul", "wide", _] if bits < 64 => {
            two().map(|(a, b)| (2 * bits, Operation::WideProduct(kind, a, b, None)))?
        }
        ["mad", "wide", _] if bits < 64 => {
            (2 * bits, Operation::WideProduct(kind, at(1)?, at(2)?, Some(at(3)?)))
        }
        ["shl", _] => two().map(|(a, b)| (bits, Operation::ShiftLeft(a, b)))?,
        ["shr", _] => two().map(|(a, b)| (bits, Operation::ShiftRight(kind, a, b)))?,
        // The upper word of a product.
        ["mul", "hi", _] if bits == 32 => {
            two().map(|(a, b)| (bits, Operation::Upper(Some((kind, a, b)), vec![])))?
        }
        ["or", _] => two().map(|(a, b)| (bits, Operation::Or(a, b)))?,
        ["and", _] => two().map(|(a, b)| (bits, Operation::And(a, b)))?,
        ["min", _] => two().map(|(a, b)| (bits, Operation::Least(kind, a, b)))?,
        ["max", _] => two().map(|(a, b)| (bits, Operation::Most(kind, a, b)))?,
        ["div", _] => two().map(|(a, b)| (bits, Operation::Quotient(kind, a, b)))?,
        ["rem", _] => two().map(|(a, b)| (bits, Operation::Remainder(kind, a, b)))?,
        // ~x is -x - 1.
        ["not", _] if operands.len() == 2 => (bits, Operation::Sum(vec![negated(at(1)?), Term::number(-1)])),
        ["selp", _] if operands.len() == 4 => {
            (bits, Operation::Either(at(1)?, at(2)?, condition(&operands[3])))
        }
        ["cvt", to, _] if operands.len() == 2 => {
            let to = IntegerType::of(to)?;
            (to.bits, Operation::Converted(kind, at(1)?))
        }
        ["ld", "param" | "param::entry", _] if operands.len() == 2 => {
            let value = launch.symbol(&spelled(operands[1].address?), bits)?;
            let value = Term::of(Source::Known(value));
            // A register may have more bits than are read, so that the load extends the number; one has 16 bits at least.
            let fits = matches!(value.source, Source::Known(known) if kind.contains(known.low) && kind.contains(known.high));
            if bits < 16 || bits < 64 && fits {
                (64, Operation::Converted(kind, value))
            } else {
                (bits, Operation::Sum(vec![value]))
            }
        }
        _ => return None,
    })
}

fn negated(term: Term<'_>) -> Term<'_> {
    Term { negative: !term.negative, ..term }
}

/// A predicate, or `!` and a predicate.
fn condition<'a>(operand: &Operand<'a>) -> Option<Condition<'a>> {
    Some(Condition { register: operand.name()?, negated: operand.is_negated() })
}

fn predicate<'a>(name: &str, operands: &[Operand<'a>]) -> Option<(u32, Operation<'a>)> {
    let given = operands.iter().map(condition).collect::<Option<Vec<_>>>()?;
    let result = match (name, given.len()) {
        ("and", 2) | ("mov", 1) => Operation::All(None, given),
        ("or", 2) => Operation::Any(None, given),
        ("not", 1) => Operation::All(
            None,
            given.into_iter().map(|one| Condition { negated: !one.negated, ..one }).collect(),
        ),
        _ => return None,
    };
    Some((1, result))
}

/// `setp.lt.s32 p, a, b` and `setp.lt.and.s32 p, a, b, q`.
fn comparison<'a>(parts: &[&str], operands: &[Operand<'a>], launch: &Launch) -> Option<(u32, Operation<'a>)> {
    let (relation, kind, with) = match (parts, operands.len()) {
        (&[relation, kind], 3) => (relation, kind, None),
        (&[relation, with @ ("and" | "or"), kind], 4) => {
            (relation, kind, Some((with, condition(&operands[3])?)))
        }
        _ => return None,
    };
    let kind = IntegerType::of(kind)?;
    let (left, right) = (term(&operands[1], launch), term(&operands[2], launch));
    let comparison = Comparison { relation: Relation::of(relation)?, kind, left, right };
    let result = match with {
        Some(("or", other)) => Operation::Any(Some(comparison), vec![other]),
        Some((_, other)) => Operation::All(Some(comparison), vec![other]),
        None => Operation::All(Some(comparison), vec![]),
    };
    Some((1, result))
}
