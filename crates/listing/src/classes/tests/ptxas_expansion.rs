//! The classes of PTX against what `ptxas` makes of single instructions.

use crate::classes::{Classes, Letters};
use warpspan_isa::instruction::Language;
use warpspan_isa::opcode::Opcode;
use warpspan_model::Unit;

/// The measurements: capability, opcode of PTX, and the opcodes of SASS with how many there are of each.
pub(crate) fn measured() -> impl Iterator<Item = (&'static str, &'static str, Vec<(&'static str, u64)>)> {
    include_str!("measured.txt").lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        let (capability, opcode) = (words.next().unwrap(), words.next().unwrap());
        let made = words.map(|word| {
            let (opcode, times) = word.split_once('*').unwrap();
            (opcode, times.parse().unwrap())
        });
        (capability, opcode, made.collect())
    })
}

fn both(letters: &Letters) -> (u64, u64) {
    match *letters {
        Letters::Unit(Unit::CudaCore, count) => (count, 0),
        Letters::Unit(Unit::LoadStore, count) => (0, count),
        Letters::Both { compute, load_store, .. } => (compute, load_store),
        Letters::Barrier | Letters::None => (0, 0),
        Letters::Unrated(_) | Letters::Refused(..) => panic!("{letters:?} has no number"),
    }
}

#[test]
fn no_instruction_of_ptx_counts_less_than_ptxas_makes_of_it() {
    let mut seen = 0;
    for (capability, opcode, made) in measured() {
        let classes = |language| Classes::new(language, capability.parse().unwrap(), vec![]);
        let mut sass = classes(Language::Sass);
        let (mut compute, mut load_store) = (0, 0);
        for (opcode, times) in made {
            let class = sass.class(&Opcode::new(opcode)).unwrap_or_else(|| panic!("{opcode} has no class"));
            let (c, l) = both(&class.letters);
            (compute, load_store) = (compute + c * times, load_store + l * times);
        }
        let counted = both(&classes(Language::Ptx).class(&Opcode::new(opcode)).unwrap().letters);
        assert!(
            counted.0 >= compute && counted.1 >= load_store,
            "{opcode} at {capability}: counted (C, L) = {counted:?}, measured {:?}",
            (compute, load_store)
        );
        seen += 1;
    }
    assert!(seen > 500);
}

#[test]
fn what_becomes_a_loop_has_no_letters() {
    let is_loop = |capability: &str, opcode: &str| {
        let mut classes = Classes::new(Language::Ptx, capability.parse().unwrap(), vec![]);
        matches!(classes.class(&Opcode::new(opcode)).unwrap().letters, Letters::Refused(..))
    };
    // Loops in what ptxas 12.8 makes, at the capabilities 5.0 to 12.0 that have the instruction.
    for opcode in [
        "atom.shared.add.f32",
        "red.shared.add.f64",
        "atom.shared.add.u64",
        "atom.shared.max.s64",
        "atom.shared.and.b64",
        "atom.add.f32",
        "red.add.f64",
        "atom.min.u64",
        "atom.shared::cta.add.noftz.f16x2",
        "atom.global.add.noftz.f16",
        "atom.global.cas.b16",
        "atom.cas.b16",
    ] {
        for capability in ["5.0", "7.0", "8.6", "9.0", "12.0"] {
            assert!(is_loop(capability, opcode), "{opcode} at {capability}");
        }
    }
    for opcode in [
        "atom.shared.add.u32",
        "atom.shared.cas.b32",
        "atom.shared.cas.b64",
        "atom.shared.exch.b64",
        "atom.shared.inc.u32",
        "atom.global.add.f32",
        "red.global.add.f64",
        "atom.global.add.u64",
        "atom.global.add.noftz.f16x2",
        "atom.add.u32",
    ] {
        for capability in ["5.0", "7.0", "8.6", "9.0", "12.0"] {
            assert!(!is_loop(capability, opcode), "{opcode} at {capability}");
        }
    }
    // Up to 3.x shared memory has no atomic operations, only a lock.
    assert!(is_loop("3.5", "atom.shared.add.u32") && !is_loop("3.5", "atom.global.add.u32"));
    assert!(is_loop("6.1", "mov.u64.globaltimer") && !is_loop("7.0", "mov.u64.globaltimer"));
}
