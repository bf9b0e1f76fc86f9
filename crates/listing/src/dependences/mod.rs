//! Which instructions of a listing wait for which.
//!
//! Every answer may name more dependences than there are, and never fewer.
//!
//! | listing | tokens | rests on |
//! |---|---|---|
//! | SASS of capability 5.0 and later with control fields | the six scoreboards and some more (`scoreboards`) | what the hardware is told |
//! | SASS of capability 2.x | registers and predicates (`registers`) | the hardware tracks each register by itself |
//! | other SASS | none: each instruction waits for the one before | nothing |
//! | PTX, on a machine that runs it as it stands | registers and predicates (`ptx`) | the machine tracks each register by itself |
//! | other PTX | none: each instruction waits for the one before | nothing |
//!
//! On a GPU PTX is not what runs: `ptxas` reorders it and adds dependences where it gives one register to two values.
//! SASS of capability 5.0 and later has six scoreboards for all registers, so that an instruction may wait for
//! a load whose result it does not use; without the control fields nobody knows for which.

mod ptx;
mod registers;
mod scoreboards;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::memo::Memo;
use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::Language;
use warpspan_model::machine::Waits;

/// What the instruction of each line waits for, by the stall that a machine asks of PTX; empty if the listing does not say it.
pub(crate) type KnownWaits = Memo<Option<u32>, HashMap<u32, Arc<Waits>>>;

/// For each routine of a listing what each instruction waits for and sets, by its number.
///
/// Either all instructions of the routines for one target have [`Waits`], or none has and each waits for the
/// result of the one before: a routine without dependences that is called by one with them would not wait for
/// what is pending there. On a machine that runs PTX as it stands an instruction keeps the next one waiting for `ptx_stall` cycles.
pub(crate) fn dependences(listing: &Listing<'_>, ptx_stall: Option<u32>) -> Vec<Vec<Option<Arc<Waits>>>> {
    let all: Vec<Option<Vec<Waits>>> =
        listing.routines.iter().map(|routine| of(listing.language, routine, ptx_stall)).collect();
    let without: BTreeSet<Option<&str>> = all
        .iter()
        .zip(&listing.routines)
        .filter_map(|(waits, routine)| waits.is_none().then_some(routine.target.as_deref()))
        .collect();
    let of = |(waits, routine): (Option<Vec<Waits>>, &Routine<'_>)| match waits {
        Some(waits) if !without.contains(&routine.target.as_deref()) => {
            waits.into_iter().map(|waits| Some(Arc::new(waits))).collect()
        }
        _ => vec![None; routine.instructions.len()],
    };
    all.into_iter().zip(&listing.routines).map(of).collect()
}

/// The dependences of a routine by itself, if they are known.
fn of(language: Language, routine: &Routine<'_>, ptx_stall: Option<u32>) -> Option<Vec<Waits>> {
    match language {
        Language::Ptx => ptx::of(routine, ptx_stall?),
        Language::Sass => scoreboards::of(routine).or_else(|| registers::of(routine)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::Text;
    use crate::dependences::dependences;

    /// For each instruction of a listing of one routine the earlier ones that it waits for, by name; all have this stall, if one is
    /// given.
    pub(super) fn waited_for(place: &str, text: String, stall: Option<u32>) -> Option<Vec<String>> {
        let text = Text::new(place, text.into_bytes()).unwrap();
        let listing = text.listing().unwrap();
        let routine = &listing.routines[0];
        let all: Vec<_> = dependences(&listing, stall).swap_remove(0).into_iter().collect::<Option<_>>()?;
        let found = all.iter().enumerate().map(|(at, waits)| {
            assert!(stall.is_none_or(|stall| waits.stall == stall));
            let needs: BTreeSet<u16> = waits.needs.iter().copied().collect();
            let before = (0..at).filter(|&before| all[before].sets.iter().any(|token| needs.contains(token)));
            before
                .map(|before| routine.instructions[before].opcode().name().to_string())
                .collect::<Vec<_>>()
                .join(" ")
        });
        Some(found.collect())
    }
}
