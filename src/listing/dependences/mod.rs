//! Which instructions of a listing wait for which.
//!
//! Every answer may name more dependences than there are, and never fewer.
//!
//! | listing | tokens | rests on |
//! |---|---|---|
//! | SASS of capability 5.0 and later with control fields | the six scoreboards and some more (`scoreboards`) | what the hardware is told |
//! | SASS of capability 2.x | registers and predicates (`registers`) | the hardware tracks each register by itself |
//! | other SASS | none: each instruction waits for the one before | nothing |
//! | PTX | none: each instruction waits for the one before | nothing |
//!
//! PTX is not what runs: `ptxas` reorders it and adds dependences where it gives one register to two values.
//! SASS of capability 5.0 and later has six scoreboards for all registers, so that an instruction may wait for
//! a load whose result it does not use; without the control fields nobody knows for which.

mod registers;
mod scoreboards;

use std::sync::Arc;

use crate::listing::routine::{Language, Routine};
use crate::model::machine::Waits;

/// What each instruction of a routine waits for and sets, by its number. Either all instructions have
/// [`Waits`], or none has and each waits for the result of the one before.
pub fn dependences(language: Language, routine: &Routine<'_>) -> Vec<Option<Arc<Waits>>> {
    let found = match language {
        Language::Ptx => None,
        Language::Sass => scoreboards::of(routine).or_else(|| registers::of(routine)),
    };
    match found {
        Some(waits) => waits.into_iter().map(|waits| Some(Arc::new(waits))).collect(),
        None => vec![None; routine.instructions.len()],
    }
}
