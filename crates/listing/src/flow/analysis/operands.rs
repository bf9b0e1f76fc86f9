//! Registers and constants among the operands of PTX.

use crate::isa::ptx::{Output, row};
use crate::routine::Instruction;

/// The operands: what stands between the commas that are outside of brackets.
pub(crate) fn split(operands: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_u32, 0);
    for (at, byte) in operands.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(operands[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(operands[from..].trim());
    parts
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
        Output::Named => names(instruction.operands).collect(),
        Output::First | Output::Answer => {
            let operands = split(instruction.operands);
            let first = operands.first().filter(|first| !first.starts_with('['));
            first.map_or(vec![], |first| names(first).collect())
        }
    }
}

/// All names in the operands of an instruction.
pub(crate) fn every_name<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    names(instruction.operands).collect()
}

/// Names that an instruction reads: those of all operands but the one that it only writes.
pub(crate) fn read<'a>(instruction: &Instruction<'a>) -> Vec<&'a str> {
    let operands = split(instruction.operands);
    let skip = usize::from(operands.first().is_some_and(|first| !first.starts_with('[')));
    operands.into_iter().skip(skip).flat_map(names).collect()
}

/// The integer of a literal such as `17`, `-1`, `0x1F` or `8U`.
pub(crate) fn number(text: &str) -> Option<i128> {
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
        assert_eq!(split("{%r1, %r2}, [%rd1+4], 7"), ["{%r1, %r2}", "[%rd1+4]", "7"]);
        assert_eq!(names("[%rd1+4]").collect::<Vec<_>>(), ["%rd1"]);
        assert_eq!(names("v.x").collect::<Vec<_>>(), ["v"]);
        let values = ["17", "-1", "0x1F", "8U", "017", "0b1", "%r1"].map(number);
        assert_eq!(values, [Some(17), Some(-1), Some(31), Some(8), None, None, None]);
    }
}
