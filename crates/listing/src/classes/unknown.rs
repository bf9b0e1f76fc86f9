//! Opcodes that no class has.
//!
//! Such an instruction counts as many letters of each unit as the most expensive instruction of the language has at the
//! capability. Whatever known class it is like, its letters are among these, so that no bound falls
//! (`docs/extract.md`, "Insertion"). Instructions that may send threads elsewhere, or make them wait, are never
//! counted so.

use crate::classes::{Class, Letters};
use warpspan_isa::class::Use;
use warpspan_isa::classes::uses;
use warpspan_isa::instruction::Language;
use warpspan_isa::rates::Kind;
use warpspan_model::device::Capability;

/// The class of such instructions.
pub(super) fn class(language: Language, capability: &Capability) -> Class {
    let (mut compute, mut load_store) = (1, 1);
    for what in uses(language) {
        match what {
            Use::Cores(kind, times) => compute = compute.max(kind.letters(capability).saturating_mul(times)),
            Use::Made(costs) => {
                for cost in costs {
                    let letters =
                        |(kind, times): &(Kind, u64)| kind.letters(capability).saturating_mul(*times);
                    compute = compute.max(cost.cores.iter().map(letters).fold(0, u64::saturating_add));
                    load_store = load_store.max(cost.memory);
                }
            }
            _ => {}
        }
    }
    let letters = Letters::Both { compute, load_store, barrier: false };
    Class { letters, why: "not known: as the most expensive instruction of each unit".to_owned() }
}

/// The largest number of instructions of each kind that one instruction of the language stands for.
pub(crate) fn most_times(language: Language) -> Vec<(Kind, u64)> {
    let mut most: Vec<(Kind, u64)> = Vec::new();
    let mut add = |kind: Kind, times: u64| match most.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, known)) => *known = times.max(*known),
        None => most.push((kind, times)),
    };
    for what in uses(language) {
        match what {
            Use::Cores(kind, times) => add(kind, times),
            Use::Made(costs) => {
                costs.iter().flat_map(|cost| cost.cores).for_each(|(kind, times)| add(*kind, *times))
            }
            _ => {}
        }
    }
    most
}
