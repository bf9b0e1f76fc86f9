//! The operands of SASS as text: what they are worth in a thread.

use super::{Slot, Thread, Writes, fixed};

/// An instruction as its text, and the thread that executes it.
pub(super) struct Text<'a> {
    /// The name without modifiers and without the `U` of the uniform data path.
    pub name: &'a str,
    pub modifiers: &'a [&'a str],
    pub operands: &'a [&'a str],
    /// Whether it is one of the uniform data path.
    pub uniform: bool,
    pub thread: &'a Thread,
}

/// What a sum counts: a word, and what stands before it.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    pub sign: Option<char>,
    /// The word without its sign.
    pub plain: u32,
    /// Whether its text is a number or a zero register. A minus before a number is a part of the number.
    pub literal: bool,
}

impl Counted {
    /// The word with its sign.
    pub(super) fn word(self) -> u32 {
        match self.sign {
            Some('-') => self.plain.wrapping_neg(),
            Some(_) => !self.plain,
            None => self.plain,
        }
    }

    /// What a sum with a carry counts. A word that is subtracted is added as `~x` and 1.
    pub(super) fn in_sum(self) -> u64 {
        match self.sign {
            Some('-') => u64::from(!self.plain) + 1,
            _ => self.word().into(),
        }
    }

    /// What a sum of upper words counts. The word above one that is subtracted has no 1 of its own: `x - y` of two words is the sum of `x` and
    /// `~y`, and a carry that is set unless the lower words borrow.
    pub(super) fn above(self) -> u64 {
        if self.is_negated() { (!self.plain).into() } else { self.word().into() }
    }

    /// Whether it is subtracted, as a register may be.
    pub(super) fn is_negated(self) -> bool {
        self.sign == Some('-') && !(self.literal && self.plain != 0)
    }

    /// Whether it adds nothing, whatever the thread holds.
    pub(super) fn is_nothing(self) -> bool {
        self.literal && self.sign.is_none() && self.plain == 0
    }
}

/// The digits of a number, without a sign.
pub(super) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            u64::from_str_radix(digits, 16).ok()
        }
        None if text.starts_with(|c: char| c.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// A word that is a number as it stands.
pub(super) fn small(text: &str) -> Option<u32> {
    u32::try_from(number(text)?).ok()
}

/// The number of `R5` behind its letters. The last one of a file is a constant with a name of its own.
fn numbered(text: &str, letters: &str, below: usize) -> Option<usize> {
    let digits = text.strip_prefix(letters)?;
    let known = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&number| known && number < below)
}

/// The bank and the byte of `c[0x0][0x160]`.
pub(super) fn constant(text: &str) -> Option<(u32, u32)> {
    let (bank, byte) = text.strip_prefix("c[")?.strip_suffix(']')?.split_once(']')?;
    let byte = byte.trim_start().strip_prefix('[')?;
    let byte = if byte == "RZ" { 0 } else { small(byte).filter(|_| byte.starts_with("0x"))? };
    Some((small(bank)?, byte))
}

impl<'a> Text<'a> {
    /// The word of a constant bank at a byte.
    pub(super) fn banked(&self, bank: u32, byte: u32) -> Option<u32> {
        match bank {
            0 => self.thread.constants.get(byte as usize / 4).copied(),
            _ => Some(fixed(bank, byte)),
        }
        .filter(|_| byte.is_multiple_of(4))
    }

    pub(super) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Whether each modifier is one of these and stands there once.
    pub(super) fn only(&self, known: &[&str]) -> Option<()> {
        let once = |one: &&str| self.modifiers.iter().filter(|other| other == &one).count() == 1;
        self.modifiers.iter().all(|one| known.contains(one) && once(one)).then_some(())
    }

    /// The operands, if their number is `COUNT`.
    pub(super) fn all<const COUNT: usize>(&self) -> Option<[&'a str; COUNT]> {
        self.operands.try_into().ok()
    }

    /// The operands behind the first ones, which are split off as long as they are predicates that may be a result.
    pub(super) fn results(&self, from: usize) -> (Vec<&'a str>, Vec<&'a str>) {
        let rest = self.operands.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|text| self.bit_place(text).is_some()).count();
        (rest[..count].to_vec(), rest[count..].to_vec())
    }

    /// A register or a number without a sign: its word, and whether it stands in the text.
    fn unsigned(&self, text: &str) -> Option<(u32, bool)> {
        let letters = if text.starts_with('U') { "UR" } else { "R" };
        match text {
            "RZ" | "URZ" => return Some((0, true)),
            _ => {}
        }
        if let Some(number) = small(text) {
            return Some((number, true));
        }
        if let Some((bank, byte)) = constant(text) {
            return Some((self.banked(bank, byte)?, false));
        }
        match letters {
            "R" => Some((self.thread.general[numbered(text, "R", 255)?], false)),
            _ => Some((self.thread.uniform[numbered(text, "UR", 255)?], false)),
        }
    }

    /// A word with its sign.
    pub(super) fn counted(&self, text: &str) -> Option<Counted> {
        let sign = text.chars().next().filter(|first| matches!(first, '-' | '~'));
        let (plain, literal) = self.unsigned(&text[usize::from(sign.is_some())..])?;
        Some(Counted { sign, plain, literal })
    }

    /// The value of a word that may not have a sign, unless it is a number.
    pub(super) fn plain(&self, text: &str) -> Option<u32> {
        self.counted(text).filter(|one| one.sign.is_none() || one.literal).map(Counted::word)
    }

    /// The value of two words, the lower one of which is named.
    pub(super) fn pair(&self, text: &str) -> Option<u64> {
        if let Some(rest) = text.strip_prefix('-') {
            return self.pair(rest).map(u64::wrapping_neg);
        }
        if matches!(text, "URZ" | "RZ") {
            return Some(0);
        }
        if let Some(number) = number(text) {
            // Of what is written with 32 bits, and the upper one is set, the upper word is not known.
            return Some(number).filter(|number| !(0x8000_0000..=0xffff_ffff).contains(number));
        }
        let two = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        if let Some((bank, byte)) = constant(text) {
            return Some(two(self.banked(bank, byte)?, self.banked(bank, byte + 4)?));
        }
        let (file, letters) = match text.starts_with('U') {
            true => (&self.thread.uniform, "UR"),
            false => (&self.thread.general, "R"),
        };
        let number = numbered(text, letters, 254)?;
        Some(two(file[number], file[number + 1]))
    }

    /// The value of a predicate.
    pub(super) fn bit(&self, text: &str) -> Option<bool> {
        let (negated, name) = text.strip_prefix('!').map_or((false, text), |name| (true, name));
        let value = match name {
            "PT" | "UPT" => true,
            _ if name.starts_with('U') => self.thread.uniform_predicates[numbered(name, "UP", 8)?],
            _ => self.thread.predicates[numbered(name, "P", 7)?],
        };
        Some(value != negated)
    }

    /// Where a predicate goes; nowhere for one that is always true.
    pub(super) fn bit_place(&self, text: &str) -> Option<Option<Slot>> {
        match self.uniform {
            true if text == "UPT" => Some(None),
            true => numbered(text, "UP", 8).map(Slot::UniformPredicate).map(Some),
            false if text == "PT" => Some(None),
            false => numbered(text, "P", 7).map(Slot::Predicate).map(Some),
        }
    }

    /// Where words go: the registers from one on.
    pub(super) fn place(&self, text: &str, count: usize) -> Option<Vec<Slot>> {
        let zero = if self.uniform { "URZ" } else { "RZ" };
        if text == zero {
            return Some(vec![]);
        }
        let letters = if self.uniform { "UR" } else { "R" };
        let first = numbered(text, letters, 256 - count)?;
        let slot = if self.uniform { Slot::Uniform } else { Slot::General };
        Some((first..first + count).map(slot).collect())
    }

    /// A word is written.
    pub(super) fn gives(&self, text: &str, value: u32) -> Option<Writes> {
        Some(self.place(text, 1)?.into_iter().map(|slot| (slot, Some(value))).collect())
    }

    /// So many words are written of which nothing is known.
    pub(super) fn anything(&self, text: &str, count: usize) -> Option<Writes> {
        Some(self.place(text, count)?.into_iter().map(|slot| (slot, None)).collect())
    }

    /// Two words are written.
    pub(super) fn gives_pair(&self, text: &str, value: u64) -> Option<Writes> {
        let words = [value & 0xffff_ffff, value >> 32].map(|word| u32::try_from(word).ok());
        Some(self.place(text, 2)?.into_iter().zip(words).collect())
    }

    /// A predicate is written as well.
    pub(super) fn and_bit(&self, mut writes: Writes, text: &str, value: Option<bool>) -> Option<Writes> {
        let slot = self.bit_place(text)?;
        if slot.is_some_and(|slot| writes.iter().any(|(other, _)| *other == slot)) {
            return None;
        }
        writes.extend(slot.map(|slot| (slot, value.map(u32::from))));
        Some(writes)
    }
}
