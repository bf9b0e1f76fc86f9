//! Shifts, functions of bits, comparisons and conversions of SASS.

use super::operands::{Text, small};
use super::{Writes, coded, with_code};

pub(super) fn execute(text: &Text<'_>) -> Option<Writes> {
    match text.name {
        "SHL" | "SHR" => shift(text),
        "SHF" => funnel(text),
        "LOP" | "LOP32I" => logic(text),
        "LOP3" => table_of_three(text),
        "PLOP3" => predicates_by_table(text),
        "PSETP" => predicates(text),
        "ISETP" => compare(text),
        "ISET" => mask(text),
        "IMNMX" | "VIMNMX" | "VIADDMNMX" => extreme(text),
        "VMNMX" => {
            let ["MX", "MIN"] = text.modifiers else { return None };
            let [to, a, b, c] = text.all()?;
            let [a, b, c] = [text.plain(a)?, text.plain(b)?, text.plain(c)?].map(u32::cast_signed);
            text.gives(to, a.max(b).min(c).cast_unsigned())
        }
        "POPC" | "BREV" => {
            text.only(&[])?;
            let [to, of] = text.all()?;
            let of = text.plain(of)?;
            text.gives(to, if text.name == "POPC" { of.count_ones() } else { of.reverse_bits() })
        }
        "PRMT" => bytes(text),
        "SGXT" => extended(text),
        "MUFU" | "I2F" | "I2FP" | "F2I" => float(text),
        _ => None,
    }
}

fn shift(text: &Text<'_>) -> Option<Writes> {
    text.only(if text.name == "SHL" { &["W"] } else { &["U32", "S32", "W"] })?;
    let [to, of, by] = text.all()?;
    let (of, by) = (text.plain(of)?, text.plain(by)?);
    let by = if text.has("W") { by & 31 } else { by.min(32) };
    let of = match text.has("U32") || text.name == "SHL" {
        true => i64::from(of),
        false => i64::from(of.cast_signed()),
    };
    let found = if text.name == "SHL" { of << by } else { of >> by };
    let (to, code) = coded(to);
    let writes = text.gives(to, u32::try_from(found & 0xffff_ffff).ok()?)?;
    Some(if code { with_code(writes, None, None) } else { writes })
}

/// Two words that are shifted together.
fn funnel(text: &Text<'_>) -> Option<Writes> {
    text.only(&["L", "R", "W", "U32", "S32", "U64", "S64", "HI"])?;
    let (left, upper) = (text.has("L"), text.has("HI"));
    let types: Vec<&&str> = text.modifiers.iter().filter(|one| one.starts_with(['U', 'S'])).collect();
    let [kind] = types[..] else { return None };
    if left == text.has("R") || !matches!(text.modifiers[0], "L" | "R") {
        return None;
    }
    // Up to 6.x, `SHF.L.U64` gives the upper word, and from 7.0 on the lower one.
    if left && !upper && *kind != "U32" {
        return None;
    }
    let [to, low, by, high] = text.all()?;
    let words = u64::from(text.plain(high)?) << 32 | u64::from(text.plain(low)?);
    let most = if kind.ends_with("64") { 64 } else { 32 };
    let by = text.plain(by)?;
    let by = if text.has("W") { by & (most - 1) } else { by.min(most) };
    let words = if kind.starts_with('S') { i128::from(words.cast_signed()) } else { i128::from(words) };
    let found = if left { words << by } else { words >> by } >> if upper { 32 } else { 0 };
    let (to, code) = coded(to);
    let writes = text.gives(to, u32::try_from(found & 0xffff_ffff).ok()?)?;
    Some(if code { with_code(writes, None, None) } else { writes })
}

fn logic(text: &Text<'_>) -> Option<Writes> {
    let (operation, test) = match text.modifiers[..] {
        [operation] => (operation, None),
        [operation, test @ ("NZ" | "Z")] if text.name == "LOP" => (operation, Some(test == "NZ")),
        _ => return None,
    };
    let (result, rest) = text.results(0);
    let [to, a, b] = rest[..] else { return None };
    let (to, code) = coded(to);
    let [a, b] = [text.counted(a)?, text.counted(b)?];
    if a.is_negated() || b.is_negated() {
        return None;
    }
    let (a, b) = (a.word(), b.word());
    let found = match operation {
        "AND" => a & b,
        "OR" => a | b,
        "XOR" => a ^ b,
        "PASS_B" => b,
        _ => return None,
    };
    let writes = text.gives(to, found)?;
    let writes = if code { with_code(writes, None, None) } else { writes };
    match (result.as_slice(), test) {
        ([], _) => Some(writes),
        ([bit], test) => text.and_bit(writes, bit, test.map(|test| (found != 0) == test)),
        _ => None,
    }
}

/// What a table of three inputs says: its bit 4 a + 2 b + c.
fn table(rows: u32, [a, b, c]: [u32; 3]) -> u32 {
    (0..8).filter(|row| rows >> row & 1 == 1).fold(0, |all, row| {
        let of = |word: u32, bit: u32| if row & bit == 0 { !word } else { word };
        all | of(a, 4) & of(b, 2) & of(c, 1)
    })
}

fn rows(text: &str) -> Option<u32> {
    small(text).filter(|rows| *rows < 256)
}

fn table_of_three(text: &Text<'_>) -> Option<Writes> {
    let (with_test, all) = match text.modifiers[..] {
        ["LUT"] => (false, false),
        ["LUT", "PAND"] => (false, true),
        ["LUT", "NZ"] => (true, false),
        _ => return None,
    };
    let (result, rest) = text.results(0);
    let (to, a, b, c, rows_of, with) = match rest[..] {
        [to, a, b, c, rows_of] => (to, a, b, c, rows_of, None),
        [to, a, b, c, rows_of, with] => (to, a, b, c, rows_of, Some(text.bit(with)?)),
        _ => return None,
    };
    let words = [text.counted(a)?, text.counted(b)?, text.counted(c)?];
    if words.iter().any(|word| word.is_negated()) {
        return None;
    }
    let found = table(rows(rows_of)?, words.map(|word| word.word()));
    let writes = text.gives(to, found)?;
    match result[..] {
        [] if !with_test => Some(writes),
        [bit] => {
            let some = found != 0;
            let value = match with {
                None => some,
                Some(with) if all => some && with,
                Some(with) => some || with,
            };
            text.and_bit(writes, bit, Some(value))
        }
        _ => None,
    }
}

fn predicates_by_table(text: &Text<'_>) -> Option<Writes> {
    let ["LUT"] = text.modifiers[..] else { return None };
    let [one, other, a, b, c, first, second] = text.all()?;
    let bit = |place: &str| Some(u32::from(text.bit(place)?));
    let bits = [bit(a)?, bit(b)?, bit(c)?];
    let row = 4 * bits[0] + 2 * bits[1] + bits[2];
    let found = |table: &str| Some(Some(rows(table)? >> row & 1 == 1));
    let writes = text.and_bit(vec![], one, found(first)?)?;
    text.and_bit(writes, other, found(second)?)
}

fn joined(logic: &str, a: bool, b: bool) -> Option<bool> {
    Some(match logic {
        "AND" => a && b,
        "OR" => a || b,
        "XOR" => a != b,
        _ => return None,
    })
}

fn predicates(text: &Text<'_>) -> Option<Writes> {
    let [first, second] = text.modifiers[..] else { return None };
    let [one, other, a, b, c] = text.all()?;
    let (a, b, c) = (text.bit(a)?, text.bit(b)?, text.bit(c)?);
    let inner = joined(first, a, b)?;
    let writes = text.and_bit(vec![], one, Some(joined(second, inner, c)?))?;
    text.and_bit(writes, other, Some(joined(second, !inner, c)?))
}

fn holds(relation: &str, order: std::cmp::Ordering) -> Option<bool> {
    Some(match relation {
        "F" => false,
        "LT" => order.is_lt(),
        "EQ" => order.is_eq(),
        "LE" => order.is_le(),
        "GT" => order.is_gt(),
        "NE" => order.is_ne(),
        "GE" => order.is_ge(),
        "T" => true,
        _ => return None,
    })
}

/// How two words of a comparison compare, as numbers of a type.
fn order(text: &Text<'_>, kind: &str, a: &str, b: &str) -> Option<std::cmp::Ordering> {
    Some(match kind {
        "U32" => text.plain(a)?.cmp(&text.plain(b)?),
        "" | "S32" => text.plain(a)?.cast_signed().cmp(&text.plain(b)?.cast_signed()),
        "U64" => text.pair(a)?.cmp(&text.pair(b)?),
        "S64" => text.pair(a)?.cast_signed().cmp(&text.pair(b)?.cast_signed()),
        _ => return None,
    })
}

fn compare(text: &Text<'_>) -> Option<Writes> {
    let (&relation, rest) = text.modifiers.split_first()?;
    let (kind, rest) = match rest {
        [kind @ ("U32" | "S32" | "U64" | "S64"), rest @ ..] => (*kind, rest),
        _ => ("", rest),
    };
    let (code, logic, extended) = match rest {
        [logic] => (false, logic, false),
        ["X", logic] => (true, logic, false),
        [logic, "EX"] => (false, logic, true),
        _ => return None,
    };
    let (one, other, a, b, with, lower) = match text.operands[..] {
        [one, other, a, b, with] if !extended => (one, other, a, b, with, None),
        [one, other, a, b, with, lower] if extended => (one, other, a, b, with, Some(text.bit(lower)?)),
        _ => return None,
    };
    if (code || extended) && (matches!(relation, "F" | "T") || kind.ends_with("64")) {
        return None;
    }
    let order = order(text, kind, a, b)?;
    let lower = match () {
        // The lower words were subtracted: whether their difference carried, and whether it was zero.
        () if code => {
            let (carry, zero) = (text.thread.carry, text.thread.zero);
            Some(match relation {
                "LT" => !carry,
                "LE" => !carry || zero,
                "GT" => carry && !zero,
                "GE" => carry,
                "EQ" => zero,
                _ => !zero,
            })
        }
        () => lower,
    };
    let found = match lower {
        Some(lower) if order.is_eq() => lower,
        _ => holds(relation, order)?,
    };
    let with = text.bit(with)?;
    let writes = text.and_bit(vec![], one, Some(joined(logic, found, with)?))?;
    text.and_bit(writes, other, Some(joined(logic, !found, with)?))
}

fn mask(text: &Text<'_>) -> Option<Writes> {
    let (float, rest) = match text.modifiers {
        ["BF", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (relation, kind, logic) = match rest {
        [relation, logic] => (relation, "", logic),
        [relation, kind @ ("U32" | "S32"), logic] => (relation, *kind, logic),
        _ => return None,
    };
    let [to, a, b, with] = text.all()?;
    let found = joined(logic, holds(relation, order(text, kind, a, b)?)?, text.bit(with)?)?;
    let set = if float { 0x3f80_0000 } else { u32::MAX };
    match to.strip_suffix(".CC") {
        Some(to) => Some(with_code(text.gives(to, if found { set } else { 0 })?, None, Some(!found))),
        None => text.gives(to, if found { set } else { 0 }),
    }
}

fn extreme(text: &Text<'_>) -> Option<Writes> {
    let (kind, least_zero) = match text.modifiers {
        [kind @ .., "RELU"] => (kind, true),
        kind => (kind, false),
    };
    if !matches!(kind, [] | ["S32"]) && (kind != ["U32"] || least_zero) {
        return None;
    }
    let (to, a, b, least) = match text.operands[..] {
        [to, a, b, least] if text.name != "VIADDMNMX" => (to, text.plain(a)?, text.plain(b)?, least),
        [to, a, more, b, least] if text.name == "VIADDMNMX" => {
            (to, text.plain(a)?.wrapping_add(text.plain(more)?), text.plain(b)?, least)
        }
        _ => return None,
    };
    let least = text.bit(least)?;
    let found = match (text.has("U32"), least) {
        (true, true) => a.min(b),
        (true, false) => a.max(b),
        (false, true) => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
        (false, false) => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
    };
    let found = if least_zero && found.cast_signed() < 0 { 0 } else { found };
    text.gives(to, found)
}

/// Four bytes of two words. The fourth bit of each number of a byte copies its sign.
fn bytes(text: &Text<'_>) -> Option<Writes> {
    text.only(&[])?;
    let [to, low, which, high] = text.all()?;
    let all = u64::from(text.plain(high)?) << 32 | u64::from(text.plain(low)?);
    let which = text.plain(which)?;
    let byte = |place: u32| {
        let number = which >> (4 * place) & 15;
        let byte = u32::try_from(all >> (8 * (number & 7)) & 0xff).ok()?;
        Some(if number & 8 == 0 { byte } else { 0xff * (byte >> 7) } << (8 * place))
    };
    text.gives(to, byte(0)? | byte(1)? | byte(2)? | byte(3)?)
}

/// The lower bits of a word, with their sign or with zeros above.
fn extended(text: &Text<'_>) -> Option<Writes> {
    text.only(&["U32"])?;
    let [to, of, bits] = text.all()?;
    let (of, bits) = (text.plain(of)?, text.plain(bits)?);
    let above = 32 - (1..=32).contains(&bits).then_some(bits)?;
    let moved = of << above;
    let found = if text.has("U32") { moved >> above } else { (moved.cast_signed() >> above).cast_unsigned() };
    text.gives(to, found)
}

/// How these are rounded is not looked into.
fn float(text: &Text<'_>) -> Option<Writes> {
    let [to, from] = text.all()?;
    let plain = |from: &str| text.plain(from).is_some() || text.plain(from.trim_matches('|')).is_some();
    if !plain(from.trim_start_matches('-')) {
        return None;
    }
    match text.name {
        "MUFU" => text.only(&["RCP"])?,
        "I2F" | "I2FP" => text.only(&["F32", "U32", "S32", "RP", "RN", "RM", "RZ"])?,
        _ => text.only(&["FTZ", "U32", "S32", "F32", "TRUNC", "NTZ"])?,
    }
    text.anything(to, 1)
}
