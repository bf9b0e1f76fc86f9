//! The instruction set of SASS: one row for each opcode (*CUDA Binary Utilities*, "Instruction Set Reference", 2.0 to
//! 12.0), which all that reads SASS goes by.

mod control;
mod float;
mod integer;
mod matrix;
mod memory;
mod rows;
mod uniform;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use crate::row::Row;

/// The rows, by what their opcodes are for.
const FAMILIES: [&[Row]; 6] =
    [control::ROWS, memory::ROWS, integer::ROWS, float::ROWS, matrix::ROWS, uniform::ROWS];

/// All rows.
pub(crate) fn all() -> impl Iterator<Item = &'static Row> {
    FAMILIES.into_iter().flatten()
}

/// What is known of an opcode by its name without modifiers.
pub(crate) fn row(name: &str) -> Option<&'static Row> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Row>> = OnceLock::new();
    INDEX.get_or_init(|| all().map(|row| (row.name, row)).collect()).get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Use;
    use crate::row::{Access, Fact, Letter, Output, Shared, Space, Transfer, Value};

    #[test]
    fn each_opcode_has_one_row() {
        let mut names: Vec<&str> = all().map(|row| row.name).collect();
        names.sort_unstable();
        assert_eq!(names.windows(2).find(|pair| pair[0] == pair[1]), None);
        assert!(names.len() > 350);
        assert!(all().all(|one| row(one.name).unwrap().name == one.name));
        let plain =
            |name: &str| name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_');
        assert!(names.into_iter().all(plain));
    }

    /// What two columns of a row say must not contradict each other.
    #[test]
    fn the_facts_of_a_row_agree() {
        for row in all() {
            let name = row.name;
            let is_memory = row.class == Some(Use::Memory);
            let quiet = row.output == Output::Nothing;
            assert!(!is_memory || row.access != Access::None, "{name} is memory and has no space");
            assert!(!quiet || row.value == Value::Varies, "{name} gives what it does not write");
            assert!(row.output != Output::Anything || row.value == Value::Varies, "{name}: value of what?");
            // What changes the flow of control has the letter of control, unless it ends threads.
            let moves = row.transfer != Transfer::Next;
            let nothing = row.class == Some(Use::Nothing);
            assert!(!moves || nothing || row.letter == Letter::Control, "{name}: letter");
            assert!(
                !moves || quiet || matches!(name, "CAL" | "CALL" | "JCAL" | "LONGJMP" | "BMOV"),
                "{name} jumps"
            );
            // Fences and stores leave registers alone.
            let fences = matches!(row.access, Access::One(Space::Fence, _));
            assert!(!fences || quiet && row.has(Fact::Fence), "{name} is a fence");
            if row.access == Access::One(Space::Shared, crate::row::Moves::Nothing) {
                assert!(matches!(row.shared, Shared::Reads | Shared::Writes), "{name}: shared memory");
            }
            assert_eq!(row.access == Access::Copy, name == "LDGSTS", "{name}");
            assert!(!row.has(Fact::OfWarp) || row.value != Value::Memory, "{name}");
            assert!(row.with.is_empty() || row.class.is_some(), "{name} has a class with modifiers only");
            assert!(row.class != Some(Use::Barrier) || row.has(Fact::Holds) && quiet, "{name} is a barrier");
            let counts = row.has(Fact::Counts);
            assert!(!counts || matches!(row.output, Output::Register(_) | Output::Named), "{name} counts");
        }
    }
}
