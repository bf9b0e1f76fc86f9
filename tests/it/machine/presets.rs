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
        }
    }
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
                .any(|what| what.to_string().contains("latencies in cycles that no source bounds: GLOBAL"))
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
