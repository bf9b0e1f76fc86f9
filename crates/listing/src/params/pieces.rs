//! What loads of PTX read of the parameters: so many bits from a byte of a parameter on, which need be neither its first
//! byte nor all of its bits.

use std::collections::{BTreeMap, BTreeSet};

use crate::interval::Interval;
use crate::params::Range;
use crate::routine::Routine;
use warpspan_isa::memory::loaded_parameters;
use warpspan_isa::ptx_operand::literal;

/// What a load reads. The lowest byte of a number comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Read {
    /// The parameter.
    name: String,
    /// The first byte.
    byte: u32,
    /// How many bits.
    pub(super) bits: u32,
}

impl Read {
    /// How users name it: `p`, `p+8`.
    pub(super) fn named(&self) -> String {
        if self.byte == 0 { self.name.clone() } else { format!("{}+{}", self.name, self.byte) }
    }

    /// How far it begins from the first byte of a whole of so many bits; none if it is not inside.
    fn inside(&self, (name, first): &(String, u32), whole: u32) -> Option<u32> {
        let from = 8 * self.byte.checked_sub(*first).filter(|_| self.name == *name)?;
        (from + self.bits <= whole).then_some(from)
    }
}

/// What is known of what loads read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pieces(BTreeMap<Read, Interval>);

impl Pieces {
    /// So many bits of a parameter from a byte on.
    pub(super) fn get(&self, name: &str, byte: u32, bits: u32) -> Option<Interval> {
        self.0.get(&Read { name: name.to_owned(), byte, bits }).copied()
    }

    /// Gives a parameter, or the number at a byte of it, its value; whether anything reads it, and whether something that was
    /// read had a value already. The error is the number of bits into which the value does not fit.
    pub(super) fn give(
        &mut self,
        routine: &Routine<'_>,
        reads: &BTreeSet<Read>,
        named: &str,
        (range, interval): (Range, Interval),
    ) -> Result<Option<bool>, u32> {
        let place = at(named);
        let declared = routine.parameters.iter().zip(&routine.layout).find(|&(name, _)| **name == place.0);
        let declared = declared.map(|(_, one)| 8 * one.bytes).filter(|&bits| bits > 0 && place.1 == 0);
        let read = || {
            reads.iter().filter(|one| (&one.name, one.byte) == (&place.0, place.1)).map(|one| one.bits).max()
        };
        let Some(whole) = declared.or_else(read) else { return Ok(None) };
        let pieces: Vec<(&Read, u32)> =
            reads.iter().filter_map(|one| Some((one, one.inside(&place, whole)?))).collect();
        if pieces.is_empty() {
            return Ok(None);
        }
        if !fits(range, whole) {
            return Err(whole);
        }
        let mut twice = false;
        for (read, from) in pieces {
            if let Some(interval) = piece(range, interval, from, read.bits) {
                twice |= self.0.insert(read.clone(), interval).is_some();
            }
        }
        Ok(Some(twice))
    }
}

/// Whether numbers are of so many bits, with or without a sign.
pub(super) fn fits(range: Range, bits: u32) -> bool {
    let fits = |value: i128| value >= -(1 << (bits - 1)) && value < 1 << bits;
    fits(range.low) && fits(range.high)
}

/// So many bits of numbers from one on; none if nothing follows of them.
fn piece(range: Range, interval: Interval, from: u32, bits: u32) -> Option<Interval> {
    if from == 0 && fits(range, bits) {
        return Some(interval);
    }
    let [low, high] = [range.low, range.high].map(|value| value.div_euclid(1 << from));
    let size = 1_i128 << bits;
    let same = low.div_euclid(size) == high.div_euclid(size);
    same.then(|| Interval::new(low.rem_euclid(size), high.rem_euclid(size)))
}

/// What the loads of a routine read, where `such` says of a parameter whether a load of it counts.
pub(super) fn reads(routine: &Routine<'_>, such: impl Fn(&str) -> bool) -> BTreeSet<Read> {
    let all = routine.instructions.iter().filter_map(loaded_parameters).flatten();
    let all = all.filter(|one| such(one.name));
    all.map(|one| Read { name: one.name.to_owned(), byte: one.byte, bits: one.number.0 }).collect()
}

/// The parameter and the byte of `p` and `p+8`.
fn at(place: &str) -> (String, u32) {
    let number = |text: &str| literal(text).and_then(|byte| u32::try_from(byte).ok());
    // No parameter is larger than the constant bank.
    let offset = place.split_once('+').and_then(|(name, text)| {
        let byte = number(text).filter(|&byte| byte < 1 << 16)?;
        Some((name.to_owned(), byte))
    });
    offset.unwrap_or_else(|| (place.to_owned(), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_numbers() {
        let of = |low: i128, high: i128, from: u32, bits: u32| {
            let range = Range { low, high };
            piece(range, Interval::new(low, high), from, bits).map(|found| (found.low, found.high))
        };
        assert_eq!(of(1000, 1000, 0, 8), Some((232, 232)));
        assert_eq!(of(1000, 1000, 8, 8), Some((3, 3)));
        assert_eq!(of(-1, -1, 0, 8), Some((-1, -1)));
        assert_eq!(of(-1, -1, 32, 32), Some((0xffff_ffff, 0xffff_ffff)));
        assert_eq!(of(-1000, -1000, 0, 8), Some((24, 24)));
        assert_eq!(of(1000, 1010, 0, 8), Some((232, 242)));
        assert_eq!((of(1000, 1030, 0, 8), of(0, 1000, 0, 8)), (None, None));
        assert_eq!(of(0, 1000, 0, 16), Some((0, 1000)));
        assert_eq!(of(1 << 63, 1 << 63, 56, 8), Some((128, 128)));
    }
}
