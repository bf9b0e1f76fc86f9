//! Where lanes of a warp wait for one another, and what they get from one another.

use crate::instruction::Instruction;
use crate::ptx_operand::Operand;

/// What lanes get from one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given<'i, 'a> {
    /// A predicate, the same for all lanes that take part.
    Answer,
    /// A number, the same for all lanes that take part.
    Same,
    /// What one lane holds, of which this operand gives the number.
    OfLane(&'i Operand<'a>),
    /// A number for each lane.
    Own,
}

/// What an instruction of PTX gives that lets lanes exchange numbers, and the operand that says which lanes take part, if one does.
pub fn exchanged<'i, 'a>(one: &'i Instruction<'a>) -> Option<(Given<'i, 'a>, Option<&'i Operand<'a>>)> {
    let operands = one.ptx_operands();
    let mask = operands.last().filter(|_| one.has_modifier("sync"));
    let given = match (one.name(), operands) {
        ("vote", _) if !one.has_modifier("ballot") => Given::Answer,
        ("vote" | "redux", _) => Given::Same,
        ("shfl", [_, _, lane, clamp, ..]) if one.has_modifier("idx") && clamp.number == Some(31) => {
            Given::OfLane(lane)
        }
        ("shfl", _) => Given::Own,
        _ => return None,
    };
    Some((given, mask))
}

/// Whether lanes of a warp wait for one another at an instruction, but for what it calls.
pub fn waits(one: &Instruction<'_>) -> bool {
    stops(one) || matches!(one.name(), "SHFL" | "VOTE" | "VOTEU" | "MATCH" | "REDUX" | "CREDUX" | "ELECT")
}

/// Whether only some of the lanes that execute an instruction together may wait there.
pub fn waits_for_some(one: &Instruction<'_>) -> bool {
    one.conditional && (stops(one) || one.name() == "BSYNC")
}

/// Whether lanes wait for one another at an instruction. In SASS those that exchange numbers there have waited at an instruction before.
fn stops(one: &Instruction<'_>) -> bool {
    let name = one.name();
    let of_ptx = !matches!(name, "bar" | "barrier" | "cp") && one.has_modifier("sync")
        || name == "bar" && one.has_modifier("warp")
        || name == "barrier" && !one.has_modifier("aligned");
    of_ptx || one.is_warp_sync()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Language;

    #[test]
    fn what_lanes_get() {
        let of = |text: &'static str| {
            let (opcode, operands) = text.split_once(' ').unwrap();
            let one = Instruction::new(Language::Ptx, 1, None, opcode, operands);
            let found = exchanged(&one).map(|(given, mask)| {
                let given = match given {
                    Given::OfLane(lane) => format!("of {}", lane.text),
                    other => format!("{other:?}"),
                };
                format!("{given} {}", mask.map_or("-", |mask| mask.text))
            });
            found.unwrap_or_default()
        };
        for (text, expected) in [
            ("vote.sync.any.pred %p1, %p2, %r1", "Answer %r1"),
            ("vote.ballot.b32 %r1, %p1", "Same -"),
            ("redux.sync.add.s32 %r1, %r2, -1", "Same -1"),
            ("shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1", "of %r3 -1"),
            ("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 15, -1", "Own -1"),
            ("shfl.sync.down.b32 %r1, %r2, 1, 31, -1", "Own -1"),
            ("activemask.b32 %r1", ""),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
