//! Bounds of the launches that were simulated.

use std::collections::HashMap;
use std::sync::Arc;

use num_rational::Ratio;
use warpspan::input::{NamedMachine, NamedServer, Rate, find_machine, read_machine};
use warpspan::listing::{LoopBounds, Options, Params, Text, Transactions, entry, read_classes};
use warpspan::model::device::{Between, Capability};
use warpspan::model::machine::{Declared, Machine, Role, SECTOR};
use warpspan::model::time::Clock;
use warpspan::realtime::time::{Launch, Lone, Multiprocessors, Residency, Use};

use super::runs::{Run, file};

/// The channels of DRAM of the GPU that the simulator stands for.
const CHANNELS: u64 = 12;

/// The listing that a bound is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Ptx,
    Sass,
}

/// Bounds of a launch: with nothing declared of its traffic, with its traffic declared as sectors of which each may
/// come alone in its line, and with it declared as whole lines where it moves in whole lines.
pub(crate) type Bounds = [u64; 3];

/// The listings, each of which is read once.
#[derive(Debug, Default)]
pub(crate) struct Listings(HashMap<String, Text>);

impl Listings {
    /// The bounds of a launch on a machine.
    pub(crate) fn bounds(&mut self, run: &Run, language: Language, machine: &Machine) -> Bounds {
        let capability: Capability = "7.5".parse().unwrap();
        let (end, flags) = match language {
            Language::Ptx => ("ptx", &run.flags[0]),
            Language::Sass => ("sass", &run.flags[1]),
        };
        let (loop_bounds, transactions) = of_flags(flags);
        let mut params = Params::default();
        params.add_sizes(run.grid, run.block).unwrap();
        // The simulator does not expand instructions of PTX, so each is one letter.
        let one_each = std::fs::read_to_string(file("classes.toml")).unwrap();
        let classes = match language {
            Language::Ptx => read_classes("classes.toml", &one_each, Some(machine)).unwrap(),
            Language::Sass => Vec::new(),
        };
        let options = Options {
            entry: Some(run.kernel.clone()),
            capability: Some(capability),
            classes,
            loop_bounds,
            params,
            machine: Some(Arc::new(machine.clone())),
            transactions,
            ..Options::default()
        };
        let text = self.0.entry(format!("{}.{end}", run.file));
        let text = text
            .or_insert_with_key(|name| Text::new(name.as_str(), std::fs::read(file(name)).unwrap()).unwrap());
        let found = entry(text, &options).unwrap_or_else(|error| panic!("{}: {error}", run.name));
        let on = found.on_machine.unwrap();
        let code = on.program.unwrap_or_else(|error| panic!("{}: {error:?}", run.name));
        let [blocks, threads] = [run.grid, run.block].map(|sizes| sizes.iter().product());
        let launch = Launch { blocks, threads };
        let exactly = |number| Between { least: number, most: number };
        let (registers, shared_memory) = (exactly(run.registers), exactly(run.shared));
        let needs = Use { registers, shared_memory, least_resident: 1 };
        let residency = Residency::new(&capability, &launch, &needs).unwrap();
        let most_warps = capability.resident.warps;
        let all = Multiprocessors { number: run.multiprocessors, most_warps, dealt_evenly: false };
        let of = |declared: &[Declared]| {
            let (machine, code, launch, residency) = (&on.machine, &code, &launch, &residency);
            Lone { machine, code, launch, residency, on: all, declared, in_all: &[] }
                .bound()
                .unwrap()
                .cycles
                .0
        };
        [of(&[]), of(&declared(run, false)), of(&declared(run, run.in_lines()))]
    }
}

/// The traffic of a launch.
fn declared(run: &Run, in_lines: bool) -> [Declared; 2] {
    [(Role::Dram, run.dram_sectors, in_lines), (Role::L2, run.l2_accesses, false)].map(
        |(role, sectors, in_lines)| Declared {
            role,
            bytes: u128::from(sectors) * u128::from(SECTOR),
            in_lines,
            further: 0,
        },
    )
}

fn of_flags(flags: &str) -> (LoopBounds, Transactions) {
    let (mut bounds, mut transactions) = (LoopBounds::default(), Transactions::default());
    let words: Vec<&str> = flags.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["--loop-bound", value] => bounds.add(value).unwrap(),
            ["--transactions", value] => transactions.add(value).unwrap(),
            _ => panic!("{pair:?}"),
        }
    }
    (bounds, transactions)
}

/// The configuration that a launch ran on.
pub(crate) fn configuration(run: &Run) -> NamedMachine {
    let name = format!("machine-{}.toml", run.channels);
    read_machine(&name, &std::fs::read_to_string(file(&name)).unwrap()).unwrap()
}

/// The same without servers, with a greatest latency of memory that is to stand for all that others ask of it.
pub(crate) fn without_servers(run: &Run) -> NamedMachine {
    let name = format!("machine-{}.toml", run.channels);
    let text = std::fs::read_to_string(file(&name)).unwrap();
    let text = text.split("[[server]]").next().unwrap();
    let text = text.replace("400]", "1200]");
    read_machine(&name, &text).unwrap()
}

/// The GPU that the simulator stands for, as the program knows it, at the clock of the configuration. Of its memory it
/// has as much as a launch had channels, with refreshes or without: the simulator has none.
pub(crate) fn preset(run: &Run, refreshes: bool) -> NamedMachine {
    let named = find_machine("rtx-2060").unwrap();
    let part = |rate: Rate| match rate {
        Rate::PerSecond(bytes) => Rate::PerSecond(bytes / CHANNELS * run.channels),
        Rate::PerCycle(bytes) => Rate::PerCycle(bytes * Ratio::new(run.channels, CHANNELS)),
    };
    let of_slice = |server: NamedServer| match server.name.as_str() {
        "ATOMICS" => server,
        _ => NamedServer {
            rate: part(server.rate),
            before: server.before / CHANNELS * run.channels,
            pauses: server.pauses.filter(|_| refreshes),
            ..server
        },
    };
    let memory = named.memory.iter().cloned().map(of_slice).collect();
    let clock = Clock::from_megahertz("1365").unwrap();
    named.with_memory(memory, Some((clock, false))).unwrap()
}
