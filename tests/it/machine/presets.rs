//! The machines that the program knows, against the figures of `tests/data/machines/figures.csv` and the
//! guide's throughput.

use std::collections::BTreeSet;

use warpspan::input::{NamedMachine, find_machine};
use warpspan::listing::classes::Kind;
use warpspan::model::device::{Capability, PRESETS};

const KNOWN: [&str; 17] = [
    "2.0", "3.5", "5.2", "5.3", "6.1", "6.2", "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0",
    "11.0", "12.0",
];

/// The kinds of arithmetic with the letters that stand for them.
const KINDS: [(Kind, &str); 21] = [
    (Kind::Half, "FP16"),
    (Kind::Single, "FP32"),
    (Kind::Double, "FP64"),
    (Kind::Special, "SFU"),
    (Kind::Add, "INT"),
    (Kind::Compare, "COMPARE"),
    (Kind::Multiply, "IMUL"),
    (Kind::Shift, "SHIFT"),
    (Kind::Logic, "LOGIC"),
    (Kind::Reverse, "REVERSE"),
    (Kind::BitField, "BITFIELD"),
    (Kind::Zeros, "ZEROS"),
    (Kind::Population, "POPC"),
    (Kind::Shuffle, "SHFL"),
    (Kind::Vote, "VOTE"),
    (Kind::Reduce, "REDUX"),
    (Kind::Difference, "SAD"),
    (Kind::Video, "VIDEO"),
    (Kind::ConvertNarrow, "CVT.NARROW"),
    (Kind::ConvertWide, "CVT.WIDE"),
    (Kind::Convert, "CVT"),
];

fn machine(version: &str) -> NamedMachine {
    find_machine(version).unwrap_or_else(|error| panic!("{version}: {error}"))
}

#[test]
fn intervals_and_occupancies_cover_every_figure() {
    let text = include_str!("../../data/machines/figures.csv");
    let mut rows = 0;
    for row in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [version, letter, what, value, source] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let named = machine(version);
        let found = named.machine.letter(named.machine.find(letter).unwrap());
        let value: u64 = value.parse().unwrap();
        match what {
            "latency" => {
                let interval = found.latency.least..=found.latency.most;
                assert!(interval.contains(&value), "{row}: {interval:?}");
            }
            "occupancy" => assert!(found.occupancy >= value, "{row}: {}", found.occupancy),
            _ => panic!("{row}"),
        }
        let origin = &named.letters[letter];
        let sources: Vec<&str> = origin.sources.split("; ").collect();
        // What one figure of a source covers may be assumed beyond it.
        assert!(sources.contains(&source) || !origin.assumed.is_empty(), "{row}: {sources:?}");
        rows += 1;
    }
    assert!(rows > 140);
}

/// No letter lets more results through than the guide says. At 2.0 the guide counts cycles of the cores, of
/// which a scheduler's cycle has two.
#[test]
fn no_letter_is_faster_than_the_guide() {
    for version in KNOWN {
        let named = machine(version);
        let capability: Capability = version.parse().unwrap();
        let clock = if version == "2.0" { 2 } else { 1 };
        for (kind, name) in KINDS {
            let id = named.machine.find(name).unwrap_or_else(|| panic!("{version} {name}"));
            let (letter, unit) = (named.machine.letter(id), named.machine.unit_of(id));
            let copies = if unit.shared { 1 } else { named.machine.schedulers() };
            // Threads a cycle: 32 for each instance and its occupancy.
            let most = kind.rate(&capability) * clock * letter.occupancy;
            assert!(32 * unit.instances * copies <= most, "{version} {name}: {}", letter.occupancy);
            let spread =
                named.machine.find(&format!("{name}.SPREAD")).map(|id| named.machine.letter(id).occupancy);
            let most = kind.rate(&capability) * clock * spread.unwrap_or(letter.occupancy);
            assert!(32 * unit.instances * copies <= most, "{version} {name}.SPREAD: {spread:?}");
        }
    }
}

/// What one instruction in so many cycles was measured or is documented to be, for letters whose occupancy is below one
/// that another source has: capability, letter, instructions in cycles, and the occupancy that another source has.
/// O: 34.1 TFLOPS of BF16 (infinigence/ApxInf, pull request 74), of 64 schedulers at 1.3 GHz, where an HMMA.16816 is 4,096
/// operations; the 5.2 TFLOPS of FP32 there are 98 % of the guide's. S: docs/silicon. G: the guide's 128 results.
const FASTER: [(&str, &str, [u64; 2], u64, &str); 11] = [
    ("8.7", "FP32.SPREAD", [128, 128], 2, "G"),
    ("8.7", "TENSOR", [34_100, 4_096 * 64 * 13 / 10], 32, "O"),
    ("9.0", "FP32.SPREAD", [1, 1], 2, "S"),
    ("9.0", "FP16.SPREAD", [1, 1], 2, "S"),
    ("9.0", "TENSOR", [1, 6], 16, "S"),
    ("8.6", "FP32.SPREAD", [128, 128], 2, "G"),
    ("8.9", "FP32.SPREAD", [128, 128], 2, "G"),
    ("10.0", "FP32.SPREAD", [128, 128], 2, "G"),
    ("11.0", "FP32.SPREAD", [128, 128], 2, "G"),
    ("12.0", "FP32.SPREAD", [128, 128], 2, "G"),
    // A bank of shared memory gives 32 bits a cycle.
    ("8.7", "SHARED.NEXT", [32, 32], 4, "K"),
];

#[test]
fn an_occupancy_is_lowered_only_where_something_faster_was_seen() {
    for (version, letter, [instructions, cycles], other, source) in FASTER {
        let named = machine(version);
        let found = named.machine.letter(named.machine.find(letter).unwrap()).occupancy;
        // No faster than what was seen, and what was seen is impossible with the larger occupancy.
        assert!(
            found * instructions >= cycles,
            "{version} {letter}: {found} is below {cycles}/{instructions}"
        );
        assert!(found < other && instructions * other > cycles, "{version} {letter}");
        let sources: Vec<&str> = named.letters[letter].sources.split("; ").collect();
        assert!(sources.contains(&source), "{version} {letter}: {sources:?}");
    }
}

/// Three source registers of one bank take three cycles from 7.0 on, whatever the unit takes.
#[test]
fn three_registers_of_a_bank_take_three_cycles() {
    let mut spread = 0;
    for version in KNOWN {
        let machine = machine(version).machine;
        let two_banks = version.parse::<f64>().is_ok_and(|version| version >= 7.0);
        for (_, name) in KINDS {
            let letter = machine.letter(machine.find(name).unwrap());
            let Some(other) = machine.find(&format!("{name}.SPREAD")) else {
                // One or two registers, or a unit that is slower than its registers.
                let few = ["COMPARE", "VOTE"].contains(&name);
                assert!(!two_banks || few || letter.occupancy >= 3, "{version} {name}");
                continue;
            };
            let other = machine.letter(other);
            assert!(two_banks && letter.occupancy == 3 && other.occupancy < 3, "{version} {name}");
            assert_eq!((letter.unit, letter.latency), (other.unit, other.latency), "{version} {name}");
            spread += 1;
        }
    }
    assert!(spread > 70, "{spread}");
}

/// Each transaction of shared memory behind the first takes a cycle, and an H100 took two until the result came
/// (docs/silicon: strides of 1 to 32 words).
#[test]
fn bank_conflicts_of_an_h100_are_covered() {
    let machine = machine("9.0").machine;
    let of = |name: &str| machine.letter(machine.find(name).unwrap());
    let (first, next) = (of("SHARED"), of("SHARED.NEXT"));
    for (ways, [chain, one, all]) in [
        (1, [23, 2, 1]),
        (2, [25, 2, 2]),
        (4, [29, 4, 4]),
        (8, [37, 8, 8]),
        (16, [53, 16, 16]),
        (32, [85, 32, 32]),
    ] {
        let held = first.occupancy + (ways - 1) * next.occupancy;
        let latency = first.latency.most + (ways - 1) * next.latency.most;
        assert!(held >= one && held >= all && latency >= chain, "{ways}");
    }
    // A store takes 4 cycles of its sub-partition.
    assert!(first.occupancy >= 4);
}

#[test]
fn every_number_has_a_source_or_is_assumed() {
    for version in KNOWN {
        let named = machine(version);
        assert_eq!(named.capability.as_deref(), Some(version));
        let used: BTreeSet<&str> = named
            .letters
            .iter()
            .flat_map(|(name, origin)| {
                assert!(!origin.sources.is_empty() || origin.assumed.len() > 1, "{version} {name}");
                origin.sources.split("; ").filter(|key| !key.is_empty())
            })
            .collect();
        // Sources of memory that nothing else uses stand behind latencies that are assumed all the same.
        let of_memory = ["H", "J", "R", "E"];
        let sources = named.sources.keys().map(String::as_str);
        let sources: BTreeSet<&str> =
            sources.filter(|key| used.contains(key) || !of_memory.contains(key)).collect();
        assert_eq!(used, sources, "{version}");
        assert_eq!(named.letters.len(), named.machine.letters().len());
        // How long an access may take that the whole GPU competes for, no source bounds.
        assert!(
            named
                .assumes(&["GLOBAL"])
                .iter()
                .any(|what| what.to_string().starts_with("latencies in cycles: GLOBAL"))
        );
    }
}

/// The second instruction that older schedulers issue in one cycle is of the same warp.
#[test]
fn one_warp_a_cycle_and_scheduler() {
    for version in KNOWN {
        assert_eq!(machine(version).machine.width(), Some(1), "{version}");
    }
}

#[test]
fn gpus_are_machines_of_their_capability() {
    for preset in PRESETS.iter().filter(|preset| KNOWN.contains(&preset.capability)) {
        let (gpu, alone) = (machine(preset.name).machine, machine(preset.capability).machine);
        assert_eq!(gpu.clone().without_servers(), alone, "{}", preset.name);
        // The memory behind it is that of the GPU.
        let names: Vec<&str> = gpu.servers().iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["DRAM", "L2", "ATOMICS"], "{}", preset.name);
    }
    assert_eq!(machine("sm_87").machine, machine("8.7").machine);
}
