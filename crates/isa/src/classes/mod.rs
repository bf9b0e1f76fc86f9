//! The classes of opcodes: which unit they use, and for how long.
//!
//! In SASS the row of an opcode says it. PTX is not machine code: tables by opcode and modifiers say where an instruction counts as
//! several.

mod counted;
mod ptx;
mod ptxas_expansion;
mod table;
mod tensor;

use std::sync::OnceLock;

pub use counted::may_count;
pub use ptx::class_name;
pub use tensor::{Tensor, tensor, usual_matrix};

use crate::class::Use;
use crate::instruction::Language;
use crate::opcode::Opcode;
use crate::sass;
use table::{Index, Row};
use warpspan_model::device::Capability;

/// The tables of PTX, in the order in which they are searched.
static TABLES: [&[Row]; 5] =
    [ptx::FIRST, ptxas_expansion::MEMORY, ptxas_expansion::BARRIERS, ptxas_expansion::CORES, ptx::ROWS];

/// What the table of a language says that instructions of some opcode use.
pub fn uses(language: Language) -> Vec<Use> {
    match language {
        Language::Ptx => TABLES.into_iter().flatten().map(|row| row.what).collect(),
        Language::Sass => sass::all().flat_map(sass::Row::classes).collect(),
    }
}

/// What an opcode uses at a capability, by the tables of its language, and the reason if its kind alone does not give that.
pub fn of_opcode(
    opcode: &Opcode<'_>,
    language: Language,
    capability: &Capability,
) -> Option<(Use, &'static str)> {
    static PTX: OnceLock<Index> = OnceLock::new();
    match language {
        Language::Ptx => match ptx::loops(&opcode.0, capability.version) {
            Some(reason) => Some((Use::Refused(reason), "")),
            None => {
                let index = PTX.get_or_init(|| Index::new(&TABLES));
                index.find(&opcode.0).map(|row| (row.what, row.note))
            }
        },
        Language::Sass => sass::row(opcode.0.split('.').next()?)?.class_with(&opcode.0),
    }
}

/// An opcode for each name in the tables of a language, with modifiers that decide about the class.
pub fn examples(language: Language) -> Vec<String> {
    if language == Language::Sass {
        let with = |row: &'static sass::Row| {
            row.with.iter().map(move |with| format!("{}.{}", row.name, with.modifiers[0]))
        };
        let classed = sass::all().filter(|row| row.class.is_some());
        return classed.flat_map(|row| with(row).chain([row.name.to_owned()])).collect();
    }
    TABLES.into_iter().flatten().flat_map(|row| row.opcodes.split(' ')).flat_map(of_pattern).collect()
}

/// For each name that a pattern allows, an opcode of the pattern. Where a modifier is one of several, it has the first of them.
pub fn of_pattern(pattern: &str) -> Vec<String> {
    let (names, modifiers) = pattern.split_once('.').unwrap_or((pattern, ""));
    let first = |part: &str| part.split('|').next().unwrap_or_default().to_owned();
    let behind = modifiers.split('.').filter(|part| !part.is_empty()).map(first);
    let behind = behind.fold(String::new(), |all, modifier| format!("{all}.{modifier}"));
    names.split('|').map(|name| format!("{name}{behind}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::opcode::matches;
    use crate::ptx::ROWS;

    #[test]
    fn the_index_finds_the_first_row() {
        let index = Index::new(&TABLES);
        for opcode in examples(Language::Ptx) {
            let mut rows = TABLES.into_iter().flatten();
            let first = rows.find(|row| row.opcodes.split(' ').any(|pattern| matches(pattern, &opcode)));
            assert_eq!(first.unwrap().opcodes, index.find(&opcode).unwrap().opcodes, "{opcode}");
        }
    }

    #[test]
    fn each_opcode_of_ptx_that_has_a_class_has_one_row() {
        let named: BTreeSet<&str> = ROWS.iter().map(|row| row.name).collect();
        assert_eq!(named.len(), ROWS.len());
        let opcodes = examples(Language::Ptx);
        let classed: BTreeSet<&str> =
            opcodes.iter().map(|opcode| opcode.split('.').next().unwrap()).collect();
        // What waits and is refused has a row where something else of it is known.
        let refused = ["brkpt", "mapa", "multimem", "nanosleep"];
        let rows: BTreeSet<&str> = named.into_iter().filter(|name| !refused.contains(name)).collect();
        assert_eq!(rows, classed);
    }
}
