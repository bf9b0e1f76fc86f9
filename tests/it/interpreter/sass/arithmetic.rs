//! Sums and products of SASS.

use super::operands::{Counted, Text, constant, small};
use super::{Writes, coded, with_code};

pub(super) fn execute(text: &Text<'_>) -> Option<Writes> {
    match text.name {
        "IADD3" => sum_of_three(text),
        "IADD" if text.has("64") => {
            text.only(&["64"])?;
            let [to, a, b] = text.all()?;
            text.gives_pair(to, text.pair(a)?.wrapping_add(text.pair(b)?))
        }
        "IADD" | "IADD32I" | "VIADD" => sum(text),
        "ISCADD" => scaled(text),
        "LEA" => address(text),
        "IMAD" => product(text),
        "XMAD" => halves(text),
        "IABS" => {
            text.only(&[])?;
            let [to, of] = text.all()?;
            let of = text.counted(of).filter(|one| one.literal || one.sign != Some('~'))?;
            text.gives(to, of.word().cast_signed().unsigned_abs())
        }
        "I2I" => {
            let ["S32", "S32"] = text.modifiers else { return None };
            let [to, of] = text.all()?;
            let of = text.counted(of.strip_prefix('|')?.strip_suffix('|')?)?;
            (of.sign.is_none() && (!of.literal || of.plain == 0))
                .then(|| text.gives(to, of.plain.cast_signed().unsigned_abs()))?
        }
        _ => None,
    }
}

/// The lower word.
fn low(number: u64) -> u32 {
    u32::try_from(number & 0xffff_ffff).unwrap()
}

/// The upper word.
fn high(number: u64) -> u32 {
    low(number >> 32)
}

fn signed(word: u32) -> u64 {
    i64::from(word.cast_signed()).cast_unsigned()
}

/// How far a word is shifted.
fn places(text: &str) -> Option<u32> {
    match text {
        "RZ" | "URZ" => Some(0),
        _ => small(text).filter(|places| *places < 32),
    }
}

fn sum_of_three(text: &Text<'_>) -> Option<Writes> {
    text.only(&["X", "RS", "64"])?;
    let (to, code) = coded(text.operands.first()?);
    let (carries, sources) = text.results(1);
    let [a, b, c, into @ ..] = &sources[..] else { return None };
    if text.has("64") {
        text.only(&["64"])?;
        if carries.iter().any(|carry| text.bit_place(carry) != Some(None)) || !into.is_empty() {
            return None;
        }
        let [a, b, c] = [text.pair(a)?, text.pair(b)?, text.pair(c)?];
        return text.gives_pair(to, a.wrapping_add(b).wrapping_add(c));
    }
    let words = [text.counted(a)?, text.counted(b)?, text.counted(c)?];
    let [a, b, c] = words.map(Counted::word);
    if text.has("RS") {
        text.only(&["RS"])?;
        if !carries.is_empty() || !into.is_empty() || words[..2].iter().any(|word| word.is_negated()) {
            return None;
        }
        let writes = text.gives(to, low((u64::from(a) + u64::from(b)) >> 16).wrapping_add(c))?;
        return Some(if code { with_code(writes, None, None) } else { writes });
    }
    let x = text.has("X");
    if into.len() > if x { 2 } else { 0 }
        || x && words.iter().filter(|word| word.is_negated()).count() > 1
        || carries.len() > 2
    {
        return None;
    }
    let into = match into {
        // Up to 6.x the carry is in the condition code.
        [] if x => vec![text.thread.carry],
        _ => into.iter().map(|carry| text.bit(carry)).collect::<Option<_>>()?,
    };
    let more: u64 = into.iter().map(|&carry| u64::from(carry)).sum();
    let [one, two, three] = words.map(|word| if x { word.above() } else { word.in_sum() });
    let whole = one + two + three + more;
    let mut writes = text.gives(to, low(whole))?;
    // The two carries of three words are counted one after the other. If the last one is nothing there is one.
    let one_of_two = words[2].is_nothing();
    let known = words.iter().filter(|word| word.is_negated()).count() < 2;
    let first = if one_of_two { whole } else { one + two };
    let found = match x && !one_of_two {
        true => [None; 2],
        false => [Some(first >> 32 != 0), Some(whole >> 32 > first >> 32)],
    };
    for (carry, found) in carries.iter().zip(found) {
        writes = text.and_bit(writes, carry, found.filter(|_| known))?;
    }
    Some(leaving(code, writes, whole, known && one_of_two, x))
}

/// Writes of a sum that also go into the condition code if it is written. Whether the zero of a sum with a carry counts what was before is not
/// known.
fn leaving(code: bool, writes: Writes, whole: u64, is_carry_known: bool, x: bool) -> Writes {
    if !code {
        return writes;
    }
    let carry = Some(whole >> 32 != 0).filter(|_| is_carry_known && !x);
    with_code(writes, carry, Some(low(whole) == 0).filter(|_| !x))
}

/// `IADD`, `IADD32I`, `VIADD`.
fn sum(text: &Text<'_>) -> Option<Writes> {
    match text.name {
        "VIADD" => matches!(text.modifiers[..], [] | ["U32" | "S32"]).then_some(())?,
        _ => text.only(&["X"])?,
    }
    let [to, a, b] = text.all()?;
    let (to, code) = if text.name == "VIADD" { (to, false) } else { coded(to) };
    let words = [text.counted(a)?, text.counted(b)?];
    let x = text.has("X");
    if x && words.iter().all(|word| word.is_negated()) {
        return None;
    }
    let [one, two] = words.map(|word| if x { word.above() } else { word.in_sum() });
    let whole = one + two + u64::from(x && text.thread.carry);
    let writes = text.gives(to, low(whole))?;
    let known = words.iter().filter(|word| word.is_negated()).count() < 2;
    Some(leaving(code, writes, whole, known, x))
}

fn scaled(text: &Text<'_>) -> Option<Writes> {
    text.only(&[])?;
    let [to, a, b, by] = text.all()?;
    let (to, code) = coded(to);
    let (a, b, by) = (text.counted(a)?, text.counted(b)?, places(by)?);
    // The shifted number is subtracted as a whole.
    let a_in_sum = if a.is_negated() { u64::from(!(a.plain << by)) + 1 } else { u64::from(a.word() << by) };
    let whole = a_in_sum + b.in_sum();
    let writes = text.gives(to, low(whole))?;
    let known = !a.is_negated() || !b.is_negated();
    Some(leaving(code, writes, whole, known, false))
}

fn address(text: &Text<'_>) -> Option<Writes> {
    text.only(&["HI", "X", "SX32"])?;
    let (to, code) = coded(text.operands.first()?);
    let (carries, sources) = text.results(1);
    if carries.len() > 1 {
        return None;
    }
    let (x, upper, extended) = (text.has("X"), text.has("HI"), text.has("SX32"));
    if extended && !upper {
        return None;
    }
    let (a, b, above, by, into) = match (&sources[..], upper && !extended) {
        ([a, b, by], false) => (a, b, None, by, None),
        ([a, b, by, into], false) if x => (a, b, None, by, Some(into)),
        ([a, b, above, by], true) => (a, b, Some(above), by, None),
        ([a, b, above, by, into], true) if x => (a, b, Some(above), by, Some(into)),
        _ => return None,
    };
    let (a, b, by) = (text.counted(a)?, text.counted(b)?, places(by)?);
    let into = match into {
        Some(into) => text.bit(into)?,
        None => x && text.thread.carry,
    };
    let above = match above {
        Some(above) => u64::from(text.plain(above)?),
        None if extended => signed(a.word()) >> 32,
        None => 0,
    };
    // Of what a minus is in two words nothing is known, and what is subtracted together with a carry is written as `~x`.
    if upper && a.is_negated() || x && (a.is_negated() || b.is_negated()) {
        return None;
    }
    let moved = (above << 32 | u64::from(a.word())) << by;
    let whole = if upper { moved >> 32 } else { moved & 0xffff_ffff } + b.in_sum() + u64::from(into);
    let mut writes = text.gives(to, low(whole))?;
    let known = !a.is_negated();
    if let [carry] = carries[..] {
        writes = text.and_bit(writes, carry, Some(whole >> 32 != 0).filter(|_| known))?;
    }
    Some(leaving(code, writes, whole, known, x))
}

fn product(text: &Text<'_>) -> Option<Writes> {
    // Before 7.0 there are the types of both factors.
    if text.modifiers != ["U32", "U32"] {
        text.only(&["U32", "MOV", "IADD", "SHL", "X", "WIDE", "HI"])?;
    }
    let (wide, upper, x) = (text.has("WIDE"), text.has("HI"), text.has("X"));
    let kinds = ["MOV", "IADD", "SHL", "WIDE", "HI"].iter().filter(|one| text.has(one)).count();
    if kinds > 1 || x && kinds > usize::from(wide) {
        return None;
    }
    let (to, code) = coded(text.operands.first()?);
    let any = |writes| if code { with_code(writes, None, None) } else { writes };
    let (carries, sources) = text.results(1);
    let (a, b, c, into) = match sources[..] {
        [a, b, c] if !x => (a, b, c, None),
        [a, b, c, into] if x => (a, b, c, Some(into)),
        _ => return None,
    };
    let into = into.map_or(Some(false), |into| text.bit(into))?;
    let [one, two] = [text.counted(a)?, text.counted(b)?];
    if !wide && !upper {
        let c = text.counted(c)?;
        if x && c.is_negated() {
            return None;
        }
        let whole = one.word().wrapping_mul(two.word()).wrapping_add(c.word()).wrapping_add(into.into());
        let writes = any(text.gives(to, whole)?);
        return match carries[..] {
            [] => Some(writes),
            [carry] => text.and_bit(writes, carry, None),
            _ => None,
        };
    }
    // What a sign does before a product of two words is not known.
    if [one, two].iter().any(|one| one.sign.is_some() && !one.literal) {
        return None;
    }
    let [one, two] = [one, two].map(Counted::word);
    let all = match text.has("U32") {
        true => u64::from(one) * u64::from(two),
        false => signed(one).wrapping_mul(signed(two)),
    };
    let c = match c {
        "RZ" | "URZ" => text.pair(c)?,
        _ if c.starts_with("c[") => {
            let (bank, byte) = constant(c)?;
            u64::from(text.banked(bank, byte + 4)?) << 32 | u64::from(text.banked(bank, byte)?)
        }
        _ if c.starts_with(['R', 'U']) => text.pair(c)?,
        _ if c.starts_with(|c: char| c.is_ascii_digit()) => {
            u64::from(small(c).filter(|number| number >> 31 == 0)?)
        }
        _ => return None,
    };
    let (whole, over) = all.overflowing_add(c);
    let (whole, more) = whole.overflowing_add(into.into());
    let writes = any(match wide {
        true => text.gives_pair(to, whole)?,
        false => text.gives(to, high(whole))?,
    });
    match carries[..] {
        [] => Some(writes),
        [carry] => text.and_bit(writes, carry, Some(over || more).filter(|_| wide && text.has("U32"))),
        _ => None,
    }
}

/// A product of two halves, and what `XMAD` adds.
fn halves(text: &Text<'_>) -> Option<Writes> {
    let half = |place: &str| -> Option<(u32, u32)> {
        let (place, upper) = place.strip_suffix(".H1").map_or((place, false), |place| (place, true));
        let place = place.trim_end_matches(".reuse");
        let whole = text.plain(place)?;
        // A number has 16 bits.
        let fits = small(place).is_none_or(|number| number < 0x1_0000 && !upper) && !place.starts_with('-');
        fits.then_some((if upper { whole >> 16 } else { whole & 0xffff }, whole))
    };
    let [to, a, b, c] = text.all()?;
    let mut modifiers = text.modifiers.to_vec();
    // The types of both factors.
    let types: Vec<&str> = modifiers.extract_if(.., |one| matches!(*one, "U16" | "S16")).collect();
    let signs = match types[..] {
        [] => [false; 2],
        [a, b] if text.modifiers.starts_with(&types) => [a == "S16", b == "S16"],
        _ => return None,
    };
    let ((a, _), (b, whole), c) = (half(a)?, half(b)?, text.plain(c)?);
    let extended =
        |half: u32, sign: bool| if sign { (half << 16).cast_signed() >> 16 } else { half.cast_signed() };
    let all = extended(a, signs[0]).wrapping_mul(extended(b, signs[1])).cast_unsigned();
    let mut once: Vec<&str> = modifiers.clone();
    once.sort_unstable();
    once.dedup();
    if once.len() != modifiers.len() {
        return None;
    }
    let is = |one: &str| modifiers.contains(&one);
    if !modifiers.iter().all(|one| matches!(*one, "PSL" | "MRG" | "CHI" | "CLO" | "CBCC")) {
        return None;
    }
    if [is("CHI"), is("CLO"), is("CBCC")].iter().filter(|one| **one).count() > 1 {
        return None;
    }
    let all = if is("PSL") { all << 16 } else { all };
    let added = match () {
        () if is("CHI") => c >> 16,
        () if is("CLO") => c & 0xffff,
        () if is("CBCC") => c.wrapping_add(whole << 16),
        () => c,
    };
    let sum = all.wrapping_add(added);
    let (to, code) = coded(to);
    let writes = text.gives(to, if is("MRG") { sum & 0xffff | whole << 16 } else { sum })?;
    Some(if code { with_code(writes, None, None) } else { writes })
}
