//! An interpreter of the text of SASS, for one thread. It is written from what instructions are documented and known to do, and shares nothing with what is
//! tested.

mod arithmetic;
mod bits;
mod operands;

use self::operands::Text;
use super::text::Instruction;
use super::thread::{Slot, Thread, Writes, fixed};

/// What an instruction writes in a thread that executes it; none if the text is not known to mean anything. Hints of reuse are no part of it.
pub(crate) fn execute(one: &Instruction<'_>, thread: &Thread) -> Option<Writes> {
    let name = one.name.strip_prefix('U').unwrap_or(one.name);
    let uniform = name != one.name || matches!(name, "S2UR" | "R2UR" | "LDCU");
    let text = Text { name, modifiers: &one.modifiers, operands: &one.operands, uniform, thread };
    match name {
        "MOV" | "MOV32I" | "S2R" | "S2UR" | "CS2R" | "LDC" | "LDCU" | "R2UR" | "HFMA2" | "SEL" => {
            moves(&text)
        }
        "IADD3" | "IADD" | "IADD32I" | "VIADD" | "ISCADD" | "LEA" | "IMAD" | "XMAD" | "IABS" | "I2I" => {
            arithmetic::execute(&text)
        }
        _ => bits::execute(&text),
    }
}

fn moves(text: &Text<'_>) -> Option<Writes> {
    match text.name {
        "MOV" if text.has("64") => {
            text.only(&["64"])?;
            let [to, from] = text.all()?;
            text.gives_pair(to, text.pair(from)?)
        }
        "MOV" => {
            text.only(&["SPILL", "U32"])?;
            let ([to, from] | [to, from, "0xf"]) = text.operands[..] else { return None };
            text.gives(to, text.plain(from)?)
        }
        "MOV32I" => {
            text.only(&[])?;
            let ([to, from] | [to, from, "0xf"]) = text.operands[..] else { return None };
            text.gives(to, text.plain(from)?)
        }
        "S2R" | "S2UR" => {
            text.only(&[])?;
            let [to, from] = text.all()?;
            match special(text.thread, from)? {
                Some(value) => text.gives(to, value),
                None => text.anything(to, 1),
            }
        }
        "CS2R" => {
            text.only(&["32"])?;
            let [to, from] = text.all()?;
            let count = if text.has("32") { 1 } else { 2 };
            match special(text.thread, from)? {
                Some(value) if count == 1 => text.gives(to, value),
                Some(0) if from == "SRZ" => text.gives_pair(to, 0),
                _ => text.anything(to, count),
            }
        }
        "LDC" | "LDCU" => load(text),
        // Some lane's value, and a warp has only this one.
        "R2UR" => {
            text.only(&[])?;
            let [to, from] = text.all()?;
            text.gives(to, text.plain(from)?)
        }
        "HFMA2" => {
            text.only(&["MMA"])?;
            let [to, "-RZ", "RZ", high, low] = text.all()? else { return None };
            text.gives(to, half(high)? << 16 | half(low)?)
        }
        "SEL" => {
            text.only(&["64"])?;
            let [to, a, b, which] = text.all()?;
            let one = if text.bit(which)? { a } else { b };
            match text.has("64") {
                true => text.pair(a).and(text.pair(b)).and(text.gives_pair(to, text.pair(one)?)),
                false => text.plain(a).and(text.plain(b)).and(text.gives(to, text.plain(one)?)),
            }
        }
        _ => None,
    }
}

/// A special register: its value, and nothing where that is not known.
fn special(thread: &Thread, name: &str) -> Option<Option<u32>> {
    if name == "SRZ" {
        return Some(Some(0));
    }
    let name = name.strip_prefix("SR_")?;
    let place = &thread.place;
    let (base, axis) = name.split_once('.').unwrap_or((name, ""));
    let axis = ["X", "Y", "Z"].iter().position(|one| *one == axis);
    Some(match (base, axis) {
        ("TID", Some(axis)) => Some(place.thread[axis]),
        ("CTAID", Some(axis)) => Some(place.block[axis]),
        ("NTID", Some(axis)) => Some(place.threads[axis]),
        ("NCTAID", Some(axis)) => Some(place.blocks[axis]),
        _ if name == "LANEID" => Some(place.lane),
        _ => None,
    })
}

fn load(text: &Text<'_>) -> Option<Writes> {
    text.only(&["U8", "S8", "U16", "S16", "32", "64", "128"])?;
    let [to, from] = text.all()?;
    let width = match text.modifiers[..] {
        [] => "32",
        [width] => width,
        _ => return None,
    };
    let count = match width {
        "64" => 2,
        "128" => 4,
        _ => 1,
    };
    let places = text.place(to, count)?;
    let Some((bank, byte)) = operands::constant(from) else {
        // What registers say where it stands.
        return (from.starts_with('c') && from.ends_with(']')).then(|| text.anything(to, count))?;
    };
    let part = |bits: u32| Some(text.banked(bank, byte & !3)? << (32 - bits - 8 * (byte & 3)));
    let word = |at: usize| text.banked(bank, byte + 4 * u32::try_from(at).ok()?);
    let values: Vec<u32> = match width {
        "U8" => vec![part(8)? >> 24],
        "S8" => vec![(part(8)?.cast_signed() >> 24).cast_unsigned()],
        "U16" if byte % 2 == 0 => vec![part(16)? >> 16],
        "S16" if byte % 2 == 0 => vec![(part(16)?.cast_signed() >> 16).cast_unsigned()],
        "32" => vec![word(0)?],
        "64" => vec![word(0)?, word(1)?],
        "128" => (0..4).map(word).collect::<Option<_>>()?,
        _ => return None,
    };
    Some(places.into_iter().zip(values.into_iter().map(Some)).collect())
}

/// The bits of a number of 16 bits, if it is one exactly.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let value: f64 =
        digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    // As a number of 32 bits, whose exponent has a bias of 127 where that of 16 bits is 15.
    let bits = (0..0x7c00_u32).find(|bits| {
        let (exponent, fraction) = (bits >> 10, f64::from(bits & 0x3ff) / 1024.0);
        let known = match exponent {
            0 => fraction * 2_f64.powi(-14),
            _ => (1.0 + fraction) * 2_f64.powi(exponent.cast_signed() - 15),
        };
        known == value
    })?;
    Some(bits | if text.starts_with('-') { 0x8000 } else { 0 })
}

/// Writes of a sum that also go into the condition code.
fn with_code(mut writes: Writes, carry: Option<bool>, zero: Option<bool>) -> Writes {
    writes.push((Slot::Carry, carry.map(u32::from)));
    writes.push((Slot::Zero, zero.map(u32::from)));
    writes
}

/// The place without `.CC`, and whether the condition code is written too.
fn coded(text: &str) -> (&str, bool) {
    text.strip_suffix(".CC").map_or((text, false), |place| (place, true))
}
