//! Random kernels of SASS, run lane by lane by an interpreter of their text: no access touches more sectors or lines than are inferred.

mod generate;
mod warp;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use assert_cmd::Command;
use rand::RngExt;
use serde_json::Value;

use self::generate::{Line, Writer, parameters};
use self::warp::{Access, Launch, run};
use crate::common::cases;

/// The kernels of one listing.
const KERNELS: usize = 60;
/// How often each is run, with other values of what is not known.
const RUNS: u32 = 4;

/// A kernel, with the line of the listing at which each instruction stands.
struct Kernel {
    lines: Vec<Line>,
    places: Vec<u64>,
}

impl Kernel {
    fn instructions(&self) -> Vec<&str> {
        let lines = self.lines.iter();
        lines
            .filter_map(|line| match line {
                Line::Do(text) => Some(text.as_str()),
                Line::Label(_) => None,
            })
            .collect()
    }

    /// The number of the instruction behind each label.
    fn labels(&self) -> BTreeMap<&str, usize> {
        let mut number = 0;
        let mut found = BTreeMap::new();
        for line in &self.lines {
            match line {
                Line::Label(name) => drop(found.insert(name.as_str(), number)),
                Line::Do(_) => number += 1,
            }
        }
        found
    }

    /// Puts it into a listing under a name.
    fn write(&mut self, name: &str, text: &mut String) {
        writeln!(text, "\t.section\t.text.{name},\"ax\",@progbits\n.text.{name}:").unwrap();
        for (place, line) in (text.lines().count() as u64 + 1..).zip(&self.lines) {
            match line {
                Line::Label(label) => writeln!(text, "{label}:").unwrap(),
                Line::Do(what) => {
                    writeln!(text, "        /*{:04x}*/                   {what} ;", 16 * self.places.len())
                        .unwrap();
                    self.places.push(place);
                }
            }
        }
    }
}

/// How many wavefronts an access to shared memory takes. Lanes that access 128 bytes together are a part of the warp, which takes one for each word
/// of the bank with the most words.
fn wavefronts(access: &Access) -> u64 {
    let part = usize::try_from(128 / access.bytes).unwrap();
    let of_part = |lanes: &[Option<u64>]| {
        let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for first in lanes.iter().flatten() {
            for word in (first / 4..).take(usize::try_from(access.bytes / 4).unwrap()) {
                banks.entry(word % 32).or_default().insert(word);
            }
        }
        banks.values().map(|words| words.len() as u64).max().unwrap_or(0)
    };
    access.addresses.chunks(part).map(of_part).sum()
}

/// The sectors and lines of one execution; how often it passes shared memory.
fn touched(access: &Access) -> [u64; 2] {
    if access.shared {
        return [wavefronts(access), 0];
    }
    let parts = |bytes: u64| {
        let ends = access
            .addresses
            .iter()
            .flatten()
            .flat_map(|&first| [first / bytes, (first + access.bytes - 1) / bytes]);
        ends.collect::<BTreeSet<u64>>().len() as u64
    };
    [parts(32), parts(128)]
}

/// What is inferred of the lines of each kernel: sectors and lines, or passes of shared memory.
fn inferred(text: &str, arch: u32, block: [u32; 3]) -> Vec<BTreeMap<u64, [u64; 2]>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.sass");
    fs::write(&path, text).unwrap();
    let machine = format!("sm_{arch}");
    let sizes = [format!("blockDim.x={}", block[0]), format!("blockDim.y={}", block[1])];
    let output = Command::cargo_bin("warpspan")
        .unwrap()
        .arg("extract")
        .arg(&path)
        .args(["--machine", &machine, "--format", "json", "--param", "pointers=*256"])
        .args(["--param", &sizes[0], "--param", &sizes[1]])
        .output()
        .unwrap();
    let record: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}\n{text}", String::from_utf8_lossy(&output.stderr)));
    let of_entry = |entry: &Value| {
        let all = entry["memory"].as_array().into_iter().flatten();
        let number = |one: &Value, key: &str| one[key].as_u64().unwrap();
        all.map(|one| match one["sectors"].is_u64() {
            true => (number(one, "line"), [number(one, "sectors"), number(one, "lines")]),
            false => (number(one, "line"), [number(one, "conflict"), 0]),
        })
        .collect()
    };
    let entries = record["entries"].as_array().unwrap();
    let by_name: BTreeMap<&str, &Value> =
        entries.iter().map(|entry| (entry["name"].as_str().unwrap(), entry)).collect();
    (0..KERNELS).map(|number| of_entry(by_name[format!("k{number}").as_str()])).collect()
}

/// What a campaign has compared: accesses, those with less inferred than the worst case, and those of which exactly what ran was inferred.
#[derive(Default)]
struct Counts {
    accesses: u64,
    bounded: u64,
    exact: u64,
}

fn listing(seed: u64, counts: &mut Counts) {
    let mut random = cases::random(seed);
    let arch = [75, 80, 87, 90, 120][random.random_range(0..5)];
    let block = [[32, 1, 1], [64, 1, 1], [8, 8, 1], [16, 4, 1]][random.random_range(0..4)];
    let mut text = format!("\t.target\tsm_{arch}\n\n");
    let mut kernels = Vec::new();
    for number in 0..KERNELS {
        let mut kernel = Kernel { lines: Writer::kernel(&mut random, arch), places: Vec::new() };
        kernel.write(&format!("k{number}"), &mut text);
        kernels.push(kernel);
    }
    let found = inferred(&text, arch, block);
    for (kernel, found) in kernels.iter().zip(&found) {
        let (instructions, labels) = (kernel.instructions(), kernel.labels());
        let mut most: BTreeMap<usize, [u64; 2]> = BTreeMap::new();
        for number in 0..RUNS {
            let pointer = 0x7f00_1234_5600_u64 + 256 * random.random_range(0..1_u64 << 24);
            let given: u32 =
                if random.random_bool(0.5) { random.random_range(0..100) } else { random.random() };
            let words = [pointer & 0xffff_ffff, pointer >> 32, u64::from(given)];
            let first = parameters(arch);
            let constants =
                (0..3).zip(words).map(|(at, word)| (first + 4 * at, u32::try_from(word).unwrap()));
            let warp = number % (block[0] * block[1] / 32);
            let launch = Launch { block, warp, constants: constants.collect() };
            let all = run(&instructions, &labels, &launch);
            for access in all.iter().filter(|one| one.addresses.iter().any(Option::is_some)) {
                let (now, most) = (touched(access), most.entry(access.at).or_default());
                *most = [now[0].max(most[0]), now[1].max(most[1])];
            }
        }
        for (at, ran) in most {
            let Some(&inferred) = found.get(&kernel.places[at]) else { continue };
            counts.accesses += 1;
            counts.bounded += u64::from(inferred[0] < 32);
            counts.exact += u64::from(inferred == ran);
            assert!(
                inferred[0] >= ran[0] && inferred[1] >= ran[1],
                "seed {seed}, sm_{arch}, blocks of {block:?}: {:?} touches {ran:?}, and {inferred:?} is inferred\n{}",
                instructions[at],
                instructions.join("\n")
            );
        }
    }
}

#[test]
fn no_access_touches_more_than_is_inferred() {
    let mut counts = Counts::default();
    for seed in 0..cases::cases(400) {
        listing(seed, &mut counts);
    }
    let Counts { accesses, bounded, exact } = counts;
    println!("{accesses} accesses, {bounded} with less than the worst case, {exact} exact");
    // Most are bounded, and one less of some sectors would be found to be too few.
    assert!(
        bounded * 3 > accesses && exact * 10 > accesses,
        "{accesses} accesses, {bounded} bounded, {exact} exact"
    );
}

#[test]
fn lanes_diverge_and_reconverge() {
    let lines = [
        "S2R R20, SR_TID.X",
        "ISETP.LT.AND P0, PT, R20, 0x8, PT",
        "@P0 BRA `(.L_x_1)",
        "IADD3 R20, R20, -R20, RZ",
        "IMAD.WIDE R2, R20, 0x4, c[0x0][0x160]",
        "LDG.E R8, [R2.64+0x20]",
        "EXIT",
    ];
    let constants = BTreeMap::from([(0x160, 0xffff_ff00), (0x164, 1)]);
    let launch = Launch { block: [32, 1, 1], warp: 0, constants };
    let found = run(&lines, &BTreeMap::from([(".L_x_1", 4)]), &launch);
    let [access] = &found[..] else { panic!("{}", found.len()) };
    // Lanes 0 to 7 have their own words, all others the first.
    let expected = [0, 4, 8, 12, 16, 20, 24, 28, 0].map(|at| Some(0x1_ffff_ff20 + at));
    assert_eq!(access.addresses[..9], expected);
    assert_eq!(touched(access), [1, 1]);
}
