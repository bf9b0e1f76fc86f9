//! What `ptxas` was seen to make of instructions of PTX, against what the classes count.

use super::*;
use crate::input::find_machine;
use crate::listing::machine::{MachineAlphabet, Transactions};
use crate::listing::routine::{Flow, Instruction, Listing};

/// The measurements: capability, opcode of PTX, and the opcodes of SASS with how many there are of each.
fn measured() -> impl Iterator<Item = (&'static str, &'static str, Vec<(&'static str, u64)>)> {
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
            let class = sass.class(opcode).unwrap_or_else(|| panic!("{opcode} has no class"));
            let (c, l) = both(&class.letters);
            (compute, load_store) = (compute + c * times, load_store + l * times);
        }
        let counted = both(&classes(Language::Ptx).class(opcode).unwrap().letters);
        assert!(
            counted.0 >= compute && counted.1 >= load_store,
            "{opcode} at {capability}: counted (C, L) = {counted:?}, measured {:?}",
            (compute, load_store)
        );
        seen += 1;
    }
    assert!(seen > 500);
}

/// An instruction of a listing without control fields keeps the next one waiting for at least so long.
const LONGEST_STALL: u64 = 15;

fn instruction(opcode: &str) -> Instruction<'_> {
    let (flow, guard, control) = (Flow::Next, None, None);
    let (conditional, uniform) = (false, false);
    Instruction { line: 1, opcode, operands: "", guard, conditional, uniform, flow, control }
}

/// On a machine an instruction of PTX takes at least as many places in the order of issue, at least as long from
/// its first issue to its last result, and its units in all at least as long as what `ptxas` makes of it.
#[test]
fn no_instruction_of_ptx_takes_less_on_a_machine() {
    let none = Transactions::default();
    let mut low = Vec::new();
    for (capability, opcode, made) in measured() {
        let machine = match capability {
            "5.0" => "5.2",
            other => other,
        };
        let machine = find_machine(machine).unwrap().machine;
        // Places of issue, cycles of latency, and cycles of units.
        let cost = |language: Language, opcode: &str| {
            let listing = Listing::new(language, vec![]).unwrap();
            let classes = Classes::new(language, capability.parse().unwrap(), vec![]);
            let mut alphabet = MachineAlphabet::new(classes, &machine, &none, &listing);
            let (parts, _) = alphabet.parts(&instruction(opcode)).unwrap();
            let extended = alphabet.machine().unwrap();
            parts.iter().fold((0, 0, 0), |(issues, latency, busy), part| {
                let letter = extended.letter(part.letter);
                (
                    issues + part.count,
                    latency + part.count * letter.latency.most.max(LONGEST_STALL),
                    busy + part.count * letter.occupancy,
                )
            })
        };
        let counted = cost(Language::Ptx, opcode);
        let real = made.iter().fold((0, 0, 0), |sum, &(opcode, times)| {
            let one = cost(Language::Sass, opcode);
            (sum.0 + one.0 * times, sum.1 + one.1 * times, sum.2 + one.2 * times)
        });
        if counted.0 < real.0 || counted.1 < real.1 || counted.2 < real.2 {
            low.push(format!("{opcode} at {capability}: counted {counted:?}, measured {real:?}"));
        }
    }
    assert!(low.is_empty(), "{low:#?}");
}

#[test]
fn what_becomes_a_loop_has_no_letters() {
    let is_loop = |capability: &str, opcode: &str| {
        let mut classes = Classes::new(Language::Ptx, capability.parse().unwrap(), vec![]);
        matches!(classes.class(opcode).unwrap().letters, Letters::Refused(..))
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
