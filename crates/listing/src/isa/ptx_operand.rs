//! The operands of an instruction of PTX, decoded when it is read: registers, symbols and constants.

use crate::isa::operand::split;
use crate::isa::ptx::{Output, row};
use crate::routine::Instruction;

/// An operand of PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operand<'a> {
    /// As it is written.
    pub(crate) text: &'a str,
    /// The registers and symbols that it names, in their order; of `v.x` it is `v`.
    pub(crate) names: Vec<&'a str>,
    /// What stands behind its first dot: `x` of `%tid.x`.
    pub(crate) part: Option<&'a str>,
    /// The number that it is.
    pub(crate) number: Option<i128>,
    /// What stands in its brackets, if it is an address.
    pub(crate) address: Option<&'a str>,
    /// The most elements of a vector in it, 1 without one.
    pub(crate) elements: usize,
}

impl<'a> Operand<'a> {
    fn new(text: &'a str) -> Self {
        let lists = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default());
        Self {
            text,
            names: names(text).collect(),
            part: text.split_once('.').map(|(_, part)| part),
            number: number(text),
            address: text.strip_prefix('[').map(|rest| rest.split(']').next().unwrap_or_default()),
            elements: lists.map(|list| list.split(',').count()).max().unwrap_or(1),
        }
    }

    /// The operands in a text.
    pub(crate) fn all(text: &'a str) -> Vec<Self> {
        split(text).map(Self::new).collect()
    }

    /// Whether it is a predicate with `!` before it.
    pub(crate) fn is_negated(&self) -> bool {
        self.text.starts_with('!')
    }

    /// The name with which it begins, behind a `!`.
    pub(crate) fn name(&self) -> Option<&'a str> {
        let first = self.names.first().copied();
        first.filter(|name| self.text.strip_prefix('!').unwrap_or(self.text).starts_with(name))
    }

    /// The name that it is and nothing else.
    pub(crate) fn plain(&self) -> Option<&'a str> {
        self.name().filter(|name| name.len() == self.text.len())
    }
}

/// Names in an operand: registers and symbols, but no numbers. Of `v.x` it is `v`.
fn names(operand: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '%' | '.'));
    operand
        .split(word)
        .filter(|name| name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '%')))
        .map(|name| name.split('.').next().unwrap_or(name))
}

/// Registers that an instruction may write: those of its first operand, if that is no address. A call may
/// write whatever it names.
pub(crate) fn written<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    let output = row(instruction.name()).map_or(Output::First, |row| row.output);
    match output {
        Output::Nothing => vec![],
        // Of the barriers only the reductions write something.
        Output::Answer if !instruction.has_modifier("red") => vec![],
        Output::Named => every_name(instruction).collect(),
        Output::First | Output::Answer => result(instruction).map_or(vec![], |first| first.names.clone()),
    }
}

/// The first operand, if it is no address.
fn result<'i, 'a>(instruction: &'i Instruction<'a>) -> Option<&'i Operand<'a>> {
    instruction.ptx_operands().first().filter(|first| first.address.is_none())
}

/// All names in the operands of an instruction.
pub(crate) fn every_name<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    instruction.ptx_operands().iter().flat_map(|one| one.names.iter().copied())
}

/// Names that an instruction reads: those of all operands but the one that it only writes.
pub(crate) fn read<'a>(instruction: &Instruction<'a>) -> impl Iterator<Item = &'a str> {
    let skip = usize::from(result(instruction).is_some());
    instruction.ptx_operands().iter().skip(skip).flat_map(|one| one.names.iter().copied())
}

/// The integer of a literal such as `17`, `-1`, `0x1F` or `8U`.
fn number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        // Compilers write neither octal nor binary literals, so these are taken for unknown rather than read
        // wrongly.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_names_and_numbers() {
        let split: Vec<_> = split("{%r1, %r2}, [%rd1+4], 7").collect();
        assert_eq!(split, ["{%r1, %r2}", "[%rd1+4]", "7"]);
        assert_eq!(names("[%rd1+4]").collect::<Vec<_>>(), ["%rd1"]);
        assert_eq!(names("v.x").collect::<Vec<_>>(), ["v"]);
        let values = ["17", "-1", "0x1F", "8U", "017", "0b1", "%r1"].map(number);
        assert_eq!(values, [Some(17), Some(-1), Some(31), Some(8), None, None, None]);
    }
}
