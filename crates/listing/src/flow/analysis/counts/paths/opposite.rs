//! Comparisons of PTX of which one is the opposite of the other, as compilers write `a < b` and its negation for floating-point
//! numbers.

use warpspan_isa::comparison::Comparison;
use warpspan_isa::instruction::Instruction;

/// The relations of floating-point numbers and of integers, each with the one that holds where it does not.
const OPPOSITES: [(&str, &str); 11] = [
    ("lt", "geu"),
    ("le", "gtu"),
    ("gt", "leu"),
    ("ge", "ltu"),
    ("eq", "neu"),
    ("ne", "equ"),
    ("lt", "ge"),
    ("le", "gt"),
    ("eq", "ne"),
    ("lo", "hs"),
    ("ls", "hi"),
];

/// Whether one of two comparisons is true just where the other one is not, as long as nothing writes what they read in between.
pub(super) fn are_opposite(one: &Instruction<'_>, other: &Instruction<'_>) -> bool {
    let (Some(first), Some(second)) = (Comparison::of(one), Comparison::of(other)) else { return false };
    let pair = |a: &str, b: &str| OPPOSITES.contains(&(a, b)) || OPPOSITES.contains(&(b, a));
    // The ordinary relations of floating-point numbers are all false where one of the two is none.
    let integers = first.kind.starts_with(['s', 'u', 'b']) && !first.kind.starts_with("bf");
    let ordered = |relation: &str| !relation.ends_with('u');
    (integers || ordered(first.relation) != ordered(second.relation))
        && pair(first.relation, second.relation)
        && (first.flush, first.kind, &first.operands) == (second.flush, second.kind, &second.operands)
}

/// The registers that a comparison reads; none if it reads something that may change by itself.
pub(super) fn read<'a>(instruction: &Instruction<'a>) -> Option<Vec<&'a str>> {
    Comparison::of(instruction)?;
    let operands = instruction.ptx_operands().iter().skip(1);
    let names: Vec<&str> = operands.flat_map(|one| one.names.iter().copied()).collect();
    names.iter().all(|one| is_register(one)).then_some(names)
}

/// Whether a name is that of a register of the code, and not of a special one: it has no `%`, or is such as `%f12`.
fn is_register(name: &str) -> bool {
    if !name.starts_with('%') {
        return true;
    }
    let known = ["%f", "%fd", "%r", "%rd", "%rs", "%h"];
    let kind = name.trim_end_matches(|one: char| one.is_ascii_digit());
    known.contains(&kind) && kind.len() < name.len()
}
