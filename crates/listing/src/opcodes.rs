//! The number of letters that the opcodes of a routine have for each unit, and the opcodes whose number is
//! not known.

use std::collections::HashSet;

use crate::classes::{Classes, Letters};
use crate::flow::{Obstacle, StructureError};
use crate::message::{fail_with, one_line};
use crate::routine::Routine;
use warpspan_model::PerUnit;
use warpspan_model::source::{InputError, Message, Remedy};

/// The number of instructions of a routine with letters of each unit, and the number of barriers.
///
/// # Errors
/// If opcodes are in no class; the error names them all.
pub(super) fn count(
    place: &str,
    routine: &Routine<'_>,
    classes: &mut Classes,
) -> Result<(PerUnit<usize>, usize), InputError> {
    let (mut letters, mut barriers) = (PerUnit::both(0), 0);
    let (mut known, mut unknown) = (HashSet::new(), Vec::new());
    for instruction in &routine.instructions {
        let Some(class) = classes.class_of(instruction) else {
            if known.insert(instruction.opcode()) {
                unknown.push((one_line(&instruction.opcode()), instruction.line));
            }
            continue;
        };
        barriers += usize::from(class.letters.has_barrier());
        for unit in class.letters.units() {
            letters[unit] += 1;
        }
    }
    let what = match &unknown[..] {
        [] => return Ok((letters, barriers)),
        [(opcode, _)] => format!("opcode {opcode} is not known: give it a class with "),
        several => {
            let named: Vec<String> =
                several.iter().map(|(opcode, line)| format!("{opcode} (line {line})")).collect();
            format!("opcodes {} are not known: give each a class with ", named.join(", "))
        }
    };
    let first = unknown[0].1;
    let opcodes = unknown.into_iter().map(|(opcode, _)| opcode).collect();
    Err(fail_with(place, first, Message::text(what).remedy(Remedy::Classes(opcodes))))
}

/// Extends an error about an opcode whose number of letters is not known by all other such opcodes of the
/// routine. The search for a program stops at the first one, although each of them would stop it.
pub(super) fn with_all_unrated(
    mut error: StructureError,
    routine: &Routine<'_>,
    classes: &mut Classes,
) -> StructureError {
    let unrated = |(_, obstacle): &(u32, Obstacle)| match obstacle {
        Obstacle::Unrated(opcode) => Some(opcode.clone()),
        _ => None,
    };
    let mut named: HashSet<String> = error.obstacles.iter().filter_map(unrated).collect();
    if named.is_empty() {
        return error;
    }
    for instruction in &routine.instructions {
        let class = classes.class_of(instruction);
        let is_unrated = class.is_some_and(|class| matches!(class.letters, Letters::Unrated(_)));
        let opcode = instruction.opcode().to_string();
        if is_unrated && named.insert(opcode.clone()) {
            let obstacle = Obstacle::Unrated(opcode);
            error.obstacles.push((instruction.line, obstacle));
        }
    }
    error
}
