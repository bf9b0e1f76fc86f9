//! The operands of an instruction of PTX, decoded when it is read: registers, symbols and constants.

use crate::operand::split;

/// An operand of PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand<'a> {
    /// As it is written.
    pub text: &'a str,
    /// The registers and symbols that it names, in their order; of `v.x` it is `v`.
    pub names: Vec<&'a str>,
    /// What stands behind its first dot: `x` of `%tid.x`.
    pub part: Option<&'a str>,
    /// The number that it is.
    pub number: Option<i128>,
    /// What stands in its brackets, if it is an address.
    pub address: Option<&'a str>,
    /// The most elements of a vector in it, 1 without one.
    pub elements: usize,
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
    pub fn all(text: &'a str) -> Vec<Self> {
        split(text).map(Self::new).collect()
    }

    /// Whether it is a predicate with `!` before it.
    pub fn is_negated(&self) -> bool {
        self.text.starts_with('!')
    }

    /// The name with which it begins, behind a `!`.
    pub fn name(&self) -> Option<&'a str> {
        let first = self.names.first().copied();
        first.filter(|name| self.text.strip_prefix('!').unwrap_or(self.text).starts_with(name))
    }

    /// The name that it is and nothing else.
    pub fn plain(&self) -> Option<&'a str> {
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

/// The integer of a literal such as `17`, `-1` or `0x1F`.
fn number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    literal(digits).map(|value| sign * i128::from(value))
}

/// The integer of a literal without a sign (*PTX ISA*, "Integer Constants"): hexadecimal behind `0x`, binary behind `0b`, octal behind
/// another 0, and else decimal, with or without a `U` at its end.
pub fn literal(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('U').unwrap_or(text);
    let behind = |small, large| digits.strip_prefix('0').and_then(|rest| rest.strip_prefix([small, large]));
    let (digits, radix) = match (behind('x', 'X'), behind('b', 'B'), digits.strip_prefix('0')) {
        (Some(hex), ..) => (hex, 16),
        (_, Some(bits), _) => (bits, 2),
        (.., Some(octal)) if !octal.is_empty() => (octal, 8),
        _ => (digits, 10),
    };
    // The standard library reads a sign too.
    let is_plain = digits.starts_with(|c: char| c.is_digit(radix));
    u64::from_str_radix(digits, radix).ok().filter(|_| is_plain)
}

/// The bits of a type such as `u32`, and whether its numbers have a sign; none if it is no type of integers. Untyped bits have none.
pub fn integer_type(part: &str) -> Option<(u32, bool)> {
    let signed = match part.as_bytes().first()? {
        b's' => true,
        b'u' | b'b' => false,
        _ => return None,
    };
    let bits = match &part[1..] {
        "8" => 8,
        "16" => 16,
        "32" => 32,
        "64" => 64,
        _ => return None,
    };
    Some((bits, signed))
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
        let known =
            [("17", 17), ("-1", -1), ("0x1F", 31), ("8U", 8), ("0", 0), ("0U", 0), ("010", 8), ("0b100", 4)];
        for (text, value) in known.into_iter().chain([("-017U", -15), ("0B1U", 1), ("00", 0), ("0XfU", 15)]) {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["%r1", "", "U", "0x", "0b", "0b2", "08", "0x+1", "+1", "--1", "1.0", "0f3F800000"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
