//! Against what the same kernels touch when they run on a CPU (`tests/data/coalescing`).

use std::collections::BTreeMap;

mod calls;
mod carries;
mod divisions;
mod footprint;
mod widths;

use super::*;
use crate::params::Params;
use crate::{Options, Text};
use warpspan_isa::memory::of_lane;

const EXPECTED: &str = include_str!("../../../../../tests/data/coalescing/expected.txt");
const PTX: &str = include_str!("../../../../../tests/data/coalescing/kernels.ptx");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/transactions.md");

/// What `ptxas` makes of the same kernels.
const SASS: &[(&str, &str)] = &[
    ("SASS 6.1", include_str!("../../../../../tests/data/coalescing/sm_61.sass")),
    ("SASS 7.5", include_str!("../../../../../tests/data/coalescing/sm_75.sass")),
    ("SASS 8.7", include_str!("../../../../../tests/data/coalescing/sm_87.sass")),
    ("SASS 9.0", include_str!("../../../../../tests/data/coalescing/sm_90.sass")),
];

/// Whether the only access of SASS goes to shared memory, and what a warp of 32 threads touches there at most, if it is found.
fn touched(capability: &str, lines: &[&str]) -> (bool, Option<Counted>) {
    let text = crate::flow::testing::sass(capability, &[lines, &["EXIT"][..]].concat());
    let text = Text::new("k", text.into_bytes()).unwrap();
    let listing = text.listing().unwrap();
    let mut params = Params::default();
    params.add("blockDim.x=32").unwrap();
    let options = Options { params, ..Options::default() };
    let launch = crate::options::launch(&listing.routines[0], listing.language, &options).unwrap();
    let (found, _) = infer((&listing, 0), &launch, 0, &BTreeMap::new());
    // Instructions that no warp executes are among them, even those that access no memory.
    let (&(_, shared), touches) = found.iter().max_by_key(|one| (one.1.bytes.is_some(), one.0)).unwrap();
    (shared, touches.most)
}

/// A launch, with what its accesses touch.
struct Launched {
    kernel: &'static str,
    params: Vec<String>,
    accesses: Vec<(Key, Vec<&'static str>)>,
    /// The sectors that the largest block and the grid touch, by the place of the parameter.
    footprints: Vec<(usize, [u64; 2])>,
}

/// Source line, operation, bytes of a lane, whether the memory is shared.
type Key = (u32, String, u32, bool);

fn launches() -> Vec<Launched> {
    let mut all: Vec<Launched> = Vec::new();
    for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "launch" {
            let sizes = |what: &str, text: &str| -> Vec<String> {
                ["x", "y", "z"]
                    .iter()
                    .zip(text.split(','))
                    .map(|(axis, size)| format!("{what}.{axis}={size}"))
                    .collect()
            };
            let mut params = sizes("gridDim", words[2]);
            params.extend(sizes("blockDim", words[3]));
            params.extend(words[4..].iter().map(|one| (*one).to_owned()));
            all.push(Launched { kernel: words[1], params, accesses: vec![], footprints: vec![] });
            continue;
        }
        if words[0] == "footprint" {
            let number = |at: usize| words[at].parse().unwrap();
            let footprint = (words[1].parse().unwrap(), [number(2), number(3)]);
            all.last_mut().unwrap().footprints.push(footprint);
            continue;
        }
        let key =
            (words[0].parse().unwrap(), words[1].to_owned(), words[2].parse().unwrap(), words[3] == "shared");
        all.last_mut().unwrap().accesses.push((key, words[4..].to_vec()));
    }
    all
}

/// Where a parameter stands in the constant bank, by the sizes of those before it.
fn address(target: &str, kernel: &str, place: usize) -> u32 {
    let text = Text::new("kernels.ptx", PTX.as_bytes().to_vec()).unwrap();
    let listing = text.listing().unwrap();
    let routine = listing.routines.iter().find(|one| one.name == kernel).unwrap();
    let base = match target {
        "6.1" => 0x140,
        "7.5" | "8.7" => 0x160,
        _ => 0x210,
    };
    let mut at = 0_u32;
    for (number, one) in routine.layout.iter().enumerate() {
        at = at.next_multiple_of(one.bytes);
        if number == place {
            break;
        }
        at += one.bytes;
    }
    base + at
}

/// What the analysis takes of a launch.
fn launch(routine: &Routine<'_>, language: Language, launched: &Launched) -> Launch {
    let mut params = Params::default();
    for one in &launched.params {
        let place =
            one.split_once('=').and_then(|(place, value)| Some((place.parse::<usize>().ok()?, value)));
        match (language, place) {
            (Language::Sass, Some((place, value))) => {
                let at = address(routine.target.as_deref().unwrap(), launched.kernel, place);
                // Not all of them are read.
                params.add(&format!("c[0x0][{at:#x}]={value}")).unwrap();
            }
            _ => params.add(one).unwrap(),
        }
    }
    let options = Options { params, ..Options::default() };
    crate::options::launch(routine, language, &options).unwrap()
}

/// What is inferred of the accesses of each source line.
fn inferred(text: &Text, launched: &Launched, aligned: u32) -> BTreeMap<Key, Touches> {
    let listing = text.listing().unwrap();
    let lines = text.source_lines();
    let number = listing.routines.iter().position(|one| one.name == launched.kernel).unwrap();
    let routine = &listing.routines[number];
    let launch = launch(routine, listing.language, launched);
    let mut found: BTreeMap<Key, Touches> = BTreeMap::new();
    for ((at, shared), touches) in infer((&listing, number), &launch, aligned, &BTreeMap::new()).0 {
        let one = &routine.instructions[at];
        let operation = match of_lane(one) {
            _ if touches.atomic => "atom",
            Some(lane) if !lane.gives => "st",
            _ => "ld",
        };
        let line = lines.get(&one.line).map_or(0, |line| line.line);
        let Some(bytes) = touches.bytes else { continue };
        let key = (line, operation.to_owned(), bytes, shared);
        let both = |one: Option<Counted>, two: Option<Counted>| Some(one?.max(two?));
        found.entry(key).and_modify(|known| known.most = both(known.most, touches.most)).or_insert(touches);
    }
    found
}

/// Compares what is inferred with what happens; the row of the page that says how many numbers are exact, above, and not there.
fn compare(what: &str, text: &Text) -> String {
    let (mut exact, mut above, mut missing) = (0, 0, 0);
    for launched in launches() {
        // Those of SASS follow from the same addresses.
        let multiples = if what == "PTX" { 3 } else { 1 };
        for (aligned, multiple) in [(8, None), (0, Some("4")), (4, Some("16"))].into_iter().take(multiples) {
            let found = inferred(text, &launched, aligned);
            for (key, expected) in &launched.accesses {
                let (line, operation, bytes, shared) = key;
                if *shared && multiple.is_some() {
                    continue;
                }
                let number = |text: &str| -> u64 { text.parse().unwrap() };
                let wanted = match multiple {
                    _ if *shared => (number(expected[0]), number(expected[1])),
                    None => (number(expected[0]), number(expected[1])),
                    Some(multiple) => {
                        let of = |one: &&&str| one.split_once(':').is_some_and(|(of, _)| of == multiple);
                        let Some(one) = expected.iter().find(of) else { continue };
                        let (sectors, lines) = one.split_once(':').unwrap().1.split_once(',').unwrap();
                        (number(lines), number(sectors))
                    }
                };
                let counted = found.get(key).and_then(|touches| touches.most);
                let Some(counted) = counted else {
                    missing += usize::from(multiple.is_none());
                    if multiple.is_none() {
                        println!(
                            "{what} {} line {line} {operation} {bytes}: nothing, not {wanted:?}",
                            launched.kernel
                        );
                    }
                    continue;
                };
                let is = if *shared {
                    (counted.conflict, counted.wavefronts)
                } else {
                    (counted.lines, counted.sectors)
                };
                assert!(
                    is.0 >= wanted.0 && is.1 >= wanted.1,
                    "{what} {} {:?} line {line} {operation} {bytes} {aligned}: {is:?} is below {wanted:?}",
                    launched.kernel,
                    launched.params
                );
                if multiple.is_none() {
                    if is == wanted {
                        exact += 1
                    } else {
                        above += 1
                    }
                    if is != wanted {
                        println!(
                            "{what} {} line {line} {operation} {bytes}: {is:?}, not {wanted:?}",
                            launched.kernel
                        );
                    }
                }
            }
        }
    }
    format!("| {what} | {exact} | {above} | {missing} |\n")
}

#[test]
fn kernels_of_ptx_and_sass() {
    let rows: String = [("PTX", PTX)]
        .iter()
        .chain(SASS)
        .map(|&(name, text)| compare(name, &Text::new(name, text.as_bytes().to_vec()).unwrap()))
        .collect();
    assert!(
        std::fs::read_to_string(PAGE).unwrap().contains(&rows),
        "docs/transactions.md: want the rows\n{rows}"
    );
}

/// An index that passes from the largest number to the least one in the middle of a warp, 16 bytes behind the boundary of a line: both
/// parts of the warp touch a part of one sector.
#[test]
fn a_number_that_wraps() {
    let text = "\
.version 8.0
.target sm_87
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
ld.param.u64 %rd1, [a];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
add.s32 %r3, %r1, %r2;
mul.wide.s32 %rd2, %r3, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r4, [%rd3+16];
ret;
}
";
    let text = Text::new("k.ptx", text.as_bytes().to_vec()).unwrap();
    let listing = text.listing().unwrap();
    let most = |params: &[&str], aligned| {
        let mut all = Params::default();
        params.iter().for_each(|one| all.add(one).unwrap());
        let options = Options { params: all, ..Options::default() };
        let launch = crate::options::launch(&listing.routines[0], listing.language, &options).unwrap();
        let (found, _) = infer((&listing, 0), &launch, aligned, &BTreeMap::new());
        let counted = found.values().next().unwrap().most.unwrap();
        (counted.sectors, counted.lines)
    };
    // What lanes touch for each base and each index around the boundary.
    let mut truth = (0, 0);
    for base in (0..128_i64).step_by(4) {
        for first in (1_i64 << 31) - 40..(1_i64 << 31) {
            let number = |lane: i64| {
                i64::from(i32::from_le_bytes((first + lane).to_le_bytes()[..4].try_into().unwrap()))
            };
            let places = (0..32).map(|lane| (1_i64 << 40) + base + 4 * number(lane) + 16);
            let units = |unit: i64| {
                places.clone().map(|at| at / unit).collect::<std::collections::BTreeSet<_>>().len() as u64
            };
            truth = (truth.0.max(units(32)), truth.1.max(units(128)));
        }
    }
    assert_eq!(truth, (6, 3));
    assert_eq!(most(&["blockDim.x=32"], 0), truth);
    assert_eq!(most(&["blockDim.x=32", "n=0..1000"], 0), (5, 2));
    assert_eq!(most(&["blockDim.x=32", "n=64"], 8), (5, 2));
}

/// Nothing is known of what a register of 128 bits holds, and nothing overflows.
#[test]
fn registers_of_128_bits_hold_no_numbers() {
    let loads: String = [
        "ld.param.b128 %q1, [b];",
        "ld.global.b128 %q1, [%rd1];",
        "ld.global.nc.b128 %q1, [%rd1];",
        "ld.shared.b128 %q1, [%rd2];",
        "ld.const.b128 %q1, [c];",
        "atom.global.exch.b128 %q1, [%rd1], %q1;",
        "st.global.b128 [%rd1], %q1;",
    ]
    .join("\n");
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .b128 b)\n{{\n.reg .b64 %rd<3>;\n\
         .reg .b128 %q<2>;\nld.param.u64 %rd1, [a];\nmov.u64 %rd2, 0;\n{loads}\nexit;\n}}\n"
    );
    let text = Text::new("k.ptx", text.into_bytes()).unwrap();
    let listing = text.listing().unwrap();
    let params = vec!["blockDim.x=32".to_owned()];
    let launched = Launched { kernel: "k", params, accesses: vec![], footprints: vec![] };
    let launch = launch(&listing.routines[0], listing.language, &launched);
    let (found, _) = infer((&listing, 0), &launch, 8, &BTreeMap::new());
    let bytes: Vec<_> = found.values().map(|one| one.bytes).collect();
    assert_eq!(bytes.len(), 5, "{bytes:?}");
}

/// Lanes 5, 13, 21 and 29 reach a guard, in a kernel whose address says nothing; it holds for none of them, or for one, or for any.
#[test]
fn lanes_that_may_be_anywhere_touch_a_sector_each() {
    let found = |lane: &str| {
        let guard = format!("ISETP.EQ.U32.AND P1, PT, R0, {lane}, PT");
        let lines = [
            "S2R R0, SR_TID.X",
            "LOP3.LUT R4, R0, 0x7, RZ, 0xc0, !PT",
            "ISETP.NE.AND P0, PT, R4, 0x5, PT",
            "@P0 EXIT",
            &guard,
            "@P1 LDG.E R6, [R8]",
        ];
        touched("8.7", &lines).1.map(|most| most.sectors)
    };
    assert_eq!(found("0x1f"), Some(1));
    assert_eq!(found("0x1d"), Some(1));
    assert_eq!(found("R9"), Some(4));
}

#[test]
fn a_mask_of_what_all_lanes_share_keeps_it_small() {
    let found = |more: &str| {
        let guard = format!("ISETP.GE.AND P1, PT, R1, {more}, PT");
        let mask = "LOP3.LUT R1, R1, 0xc, RZ, 0xc0, !PT";
        let lines = ["MOV R1, c[0x0][0x170]", mask, &guard, "@P1 LDG.E R6, [R8]"];
        touched("8.7", &lines).1.map(|most| most.sectors)
    };
    assert_eq!(found("0xd"), Some(1));
    assert_eq!(found("0xc"), None);
}
