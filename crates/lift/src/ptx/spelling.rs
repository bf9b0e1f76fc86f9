//! Which modifiers and types an operation on integers has in the manual. What is spelled otherwise is not looked into.

use warpspan_isa::ptx_operand::{Operand, integer_type};

/// Whether a type begins with one of these letters and has at least `least` bits.
fn is_type(kind: &str, letters: &[char], least: u32) -> bool {
    kind.starts_with(letters) && integer_type(kind).is_some_and(|(bits, _)| bits >= least)
}

/// Whether an instruction is an operation on integers or on untyped bits that its manual has, by the parts of its opcode.
pub(super) fn is_of_integers(parts: &[&str]) -> bool {
    match *parts {
        ["add" | "sub" | "div" | "rem" | "min" | "max", kind] => is_type(kind, &['u', 's'], 16),
        ["abs" | "neg", kind] => is_type(kind, &['s'], 16),
        ["and" | "or" | "xor" | "not" | "shl", kind] => is_type(kind, &['b'], 16),
        ["shr" | "mov" | "selp", kind] => is_type(kind, &['b', 'u', 's'], 16),
        ["bfe", kind] => is_type(kind, &['u', 's'], 32),
        ["brev" | "popc" | "clz", kind] => is_type(kind, &['b'], 32),
        ["mul" | "mad", "lo" | "hi", kind] => is_type(kind, &['u', 's'], 16),
        ["mul" | "mad", "wide", kind] => is_type(kind, &['u', 's'], 16) && !kind.ends_with("64"),
        ["mul24" | "mad24", "lo", kind] => matches!(kind, "u32" | "s32"),
        ["cvt", to, from] => is_type(to, &['u', 's'], 8) && is_type(from, &['u', 's'], 8),
        ["cvta", _, kind] | ["cvta", "to", _, kind] => is_type(kind, &['u'], 32),
        ["setp", relation, kind] | ["setp", relation, "and" | "or" | "xor", kind] => match relation {
            "eq" | "ne" => is_type(kind, &['b', 'u', 's'], 16),
            // Other names, for numbers without a sign.
            "lo" | "ls" | "hi" | "hs" => is_type(kind, &['u'], 16),
            _ => is_type(kind, &['u', 's'], 16),
        },
        _ => false,
    }
}

/// Whether an operand is one result, or two: `p|q`.
pub(super) fn is_result(to: &Operand<'_>) -> bool {
    let results: Vec<&str> = to.text.split('|').map(str::trim).collect();
    to.address.is_none() && results.len() <= 2 && results == to.names
}

/// Whether a load of parameters has a vector and a type and no other modifier, and names the parameter. Its result is a list where it is of a
/// vector.
pub(super) fn is_load(parts: &[&str], to: &Operand<'_>, from: &Operand<'_>) -> bool {
    let (count, kind) = match *parts {
        ["ld", "param" | "param::entry", kind] => (1, kind),
        ["ld", "param" | "param::entry", "v2", kind] => (2, kind),
        ["ld", "param" | "param::entry", "v4", kind] => (4, kind),
        _ => return false,
    };
    let list = to.text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let names: Vec<&str> = match (count, list) {
        (1, None) => vec![to.text],
        (2.., Some(list)) => list.split(',').map(str::trim).collect(),
        _ => return false,
    };
    let known = integer_type(kind).is_some() || matches!(kind, "f32" | "f64");
    let named = from.text.ends_with(']') && from.names.iter().all(|name| !name.starts_with('%'));
    known && named && names.len() == count && names == to.names
}
