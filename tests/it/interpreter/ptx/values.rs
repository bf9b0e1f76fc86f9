//! What a thread of PTX holds, and the operands of an instruction as text.

use std::collections::BTreeMap;

use super::Position;

/// What a thread of PTX holds. The number of bits of a register is that of its name: `%rs1` has 16, `%r1` 32, and `%rd1` 64; a `%p1` is 0 or 1.
#[derive(Debug, Clone)]
pub(crate) struct Registers {
    pub held: BTreeMap<String, u64>,
    /// The bytes of the parameters that are given.
    pub parameters: BTreeMap<String, u64>,
    /// The bytes of any other parameter and the address of any symbol.
    pub symbol: u64,
    pub place: Position,
}

/// Why nothing is known of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// The text is not known to mean anything.
    Unknown,
    /// A register does not have the bits that the type says, so that no program has this instruction.
    Mismatch,
}

/// The bits of a type, and whether its numbers have a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type {
    pub letter: char,
    pub bits: u32,
}

impl Type {
    /// The type that a modifier is.
    pub(super) fn of(modifier: &str) -> Option<Self> {
        let letter = modifier.chars().next().filter(|letter| matches!(letter, 's' | 'u' | 'b'))?;
        let bits = match &modifier[1..] {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Self { letter, bits })
    }

    /// The number that the lower bits of a word are.
    pub(super) fn number(self, word: u64) -> i128 {
        let shifted = word << (64 - self.bits);
        match self.letter {
            's' => (shifted.cast_signed() >> (64 - self.bits)).into(),
            _ => (shifted >> (64 - self.bits)).into(),
        }
    }
}

/// The lower bits of a number as a word.
pub(super) fn word(number: i128) -> u64 {
    u64::try_from(number & i128::from(u64::MAX)).unwrap()
}

/// The bits of a register. One with another name may have any.
pub(crate) fn width(name: &str) -> Option<u32> {
    if is_name(name) {
        return Some(64);
    }
    let name = name.strip_prefix('%')?;
    let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    match letters {
        "rs" => Some(16),
        "r" => Some(32),
        "rd" => Some(64),
        "p" => Some(1),
        _ => None,
    }
}

/// Whether a text is a name that does not say what it is: that of a symbol, or of a register.
fn is_name(text: &str) -> bool {
    let plain = text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$'));
    plain && !text.starts_with(|c: char| c.is_ascii_digit()) && !matches!(text, "" | "WARP_SZ")
}

/// The integer of a literal (*PTX ISA*, "Integer Constants").
fn literal(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let prefix = digits.get(..2).unwrap_or_default();
    let (digits, radix) = match prefix {
        "0x" | "0X" => (&digits[2..], 16),
        "0b" | "0B" => (&digits[2..], 2),
        _ if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    let known = digits.starts_with(|c: char| c.is_digit(radix));
    u64::from_str_radix(digits, radix).ok().filter(|_| known).map(|number| sign * i128::from(number))
}

impl Registers {
    /// A thread with these parameters, which has written no register.
    pub(crate) fn new(place: Position, parameters: &[(&str, u64)]) -> Self {
        let parameters = parameters.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        Self { held: BTreeMap::new(), parameters, symbol: 0, place }
    }

    /// The bytes of a parameter.
    pub(super) fn parameter(&self, name: &str) -> u64 {
        self.parameters.get(name).copied().unwrap_or(self.symbol)
    }

    /// A register, a number, a special register or the address of a symbol, as a number of a type; nothing where it may be anything.
    pub(super) fn source(&self, text: &str, kind: Type) -> Result<Option<i128>, Doubt> {
        if let Some(number) = literal(text) {
            return Ok(Some(kind.number(word(number))));
        }
        if is_name(text) {
            return Ok(Some(kind.number(self.symbol)));
        }
        if let Some(bits) = width(text) {
            return match bits >= kind.bits && bits > 1 {
                true => Ok(Some(kind.number(self.held[text]))),
                false => Err(Doubt::Mismatch),
            };
        }
        let known =
            text.split_once('+').and_then(|(name, offset)| Some((name.trim(), literal(offset.trim())?)));
        if let Some((name, offset)) = known {
            let base = self.source(name, kind)?;
            return Ok(base.map(|base| kind.number(word(base + offset))));
        }
        let (base, axis) = text.split_once('.').unwrap_or((text, ""));
        let axis = ["x", "y", "z"].iter().position(|one| *one == axis);
        let place = &self.place;
        let found = match (base, axis) {
            ("%tid", Some(axis)) => place.thread[axis],
            ("%ctaid", Some(axis)) => place.block[axis],
            ("%ntid", Some(axis)) => place.threads[axis],
            ("%nctaid", Some(axis)) => place.blocks[axis],
            ("%laneid", None) if base == text => place.lane,
            ("WARP_SZ", None) if base == text => 32,
            _ if text.starts_with('%') => return Ok(None),
            // A number with a fraction, whose bits say something else.
            _ if text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('|') => return Ok(None),
            _ => return Err(Doubt::Unknown),
        };
        Ok(Some(kind.number(found.into())))
    }

    /// A predicate.
    pub(super) fn bit(&self, text: &str) -> Result<bool, Doubt> {
        if let Some(number) = literal(text) {
            return Ok(number != 0);
        }
        let (negated, name) = text.strip_prefix('!').map_or((false, text), |name| (true, name));
        match width(name) {
            Some(1) => Ok((self.held[name] != 0) != negated),
            Some(_) => Err(Doubt::Mismatch),
            None if name == "WARP_SZ" || name.starts_with('%') => Err(Doubt::Mismatch),
            None => Err(Doubt::Unknown),
        }
    }

    /// An amount of 32 bits.
    pub(super) fn amount(&self, text: &str) -> Result<Option<i128>, Doubt> {
        if literal(text).is_some_and(|number| !(-(1 << 31)..1 << 32).contains(&number)) {
            return Err(Doubt::Mismatch);
        }
        match width(text) {
            Some(64) => Err(Doubt::Mismatch),
            // The address of a symbol has 64 bits.
            _ if text.contains('+') => Err(Doubt::Mismatch),
            _ => self.source(text, Type { letter: 'u', bits: 32 }),
        }
    }
}
