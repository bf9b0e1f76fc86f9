//! Counts of traces against brute force over what the interpreter did.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::listing::tracer::machine::{Event, Launch};
use crate::listing::tracer::write::{Form, Style, USUAL};
use crate::listing::tracer::{SMALL, events, file, read};
use warpspan::listing::trace::Traced;

/// The units of so many bytes that lanes of four bytes touch.
fn units(addresses: &BTreeMap<usize, u64>, unit: u64) -> u64 {
    let bytes = addresses.values().flat_map(|at| *at..at + 4);
    bytes.map(|byte| byte / unit).collect::<HashSet<_>>().len() as u64
}

/// The words of the bank of which the most are touched.
fn conflict(addresses: &BTreeMap<usize, u64>) -> u64 {
    let mut banks: HashMap<u64, HashSet<u64>> = HashMap::new();
    for at in addresses.values() {
        banks.entry(at / 4 % 32).or_default().insert(at / 4);
    }
    banks.values().map(|words| words.len() as u64).max().unwrap_or(0)
}

/// The line of the listing of each PC.
fn line_of(pc: u64) -> u32 {
    4 + u32::try_from(pc / 16).unwrap()
}

fn all(launch: &Launch) -> Vec<Event> {
    events(launch).into_iter().flatten().flatten().collect()
}

/// Checks everything that is counted against what the interpreter did in some launches.
fn check(found: &Traced, launches: &[&Launch]) {
    let happened: Vec<Event> = launches.iter().flat_map(|launch| all(launch)).collect();
    for one in &found.accesses {
        let of_line: Vec<_> = happened
            .iter()
            .filter(|event| line_of(event.pc) == one.line && event.mask != 0)
            .map(|event| event.addresses.as_ref().unwrap())
            .collect();
        let most = |count: &dyn Fn(&BTreeMap<usize, u64>) -> u64| of_line.iter().map(|all| count(all)).max();
        assert_eq!(one.times, of_line.len() as u64, "line {}", one.line);
        assert_eq!(Some(one.lanes), most(&|all| all.len() as u64));
        let shared = one.instruction.contains("LDS") || one.instruction.contains("STS");
        let expected = if shared { most(&conflict) } else { most(&|all| units(all, 128)) };
        assert_eq!(one.transactions, expected, "line {}", one.line);
        if !shared {
            let touched = [most(&|all| units(all, 32)).unwrap(), most(&|all| units(all, 128)).unwrap()];
            assert_eq!(one.touched, Some(touched), "line {}", one.line);
        }
    }
    assert_eq!(found.accesses.len(), 6);
    for (launch, traced) in launches.iter().zip(&found.launches) {
        let distinct = |events: &[&Event], unit: u64| {
            let global = events.iter().filter(|event| event.opcode.contains(".E"));
            let bytes = global.flat_map(|event| event.addresses.iter().flatten()).map(|(_, at)| at / unit);
            bytes.collect::<BTreeSet<u64>>().len() as u64
        };
        let blocks = events(launch);
        let of = |block: &Vec<Vec<Event>>, unit| distinct(&block.iter().flatten().collect::<Vec<_>>(), unit);
        let most = |unit| blocks.iter().map(|block| of(block, unit)).max().unwrap();
        assert_eq!(traced.block, [most(32), most(128)]);
        let every: Vec<&Event> = blocks.iter().flatten().flatten().collect();
        assert_eq!(traced.all, [distinct(&every, 32), distinct(&every, 128)]);
        assert_eq!(traced.instructions, every.len() as u64);
        let global = every.iter().filter(|event| event.opcode.contains(".E"));
        let asked =
            global.filter_map(|event| event.addresses.as_ref()).map(|all| units(all, 32)).sum::<u64>();
        assert_eq!(traced.asked, asked);
    }
    // A warp passes the loop as often as its busiest lane, since groups reconverge.
    let passes = |warp: &Vec<Event>| warp.iter().filter(|event| event.pc == 0xc0).count() as u64;
    let of_warps: Vec<u64> =
        launches.iter().flat_map(|launch| events(launch)).flatten().map(|warp| passes(&warp)).collect();
    let came = of_warps.iter().copied().filter(|&passes| passes > 0);
    let [one] = &found.loops[..] else { panic!("{:?}", found.loops) };
    assert_eq!(one.line, line_of(0xc0));
    assert_eq!(Some(one.passes.most), came.clone().max());
    assert_eq!(Some(one.passes.least), came.clone().min());
    assert_eq!(one.passes.visits, came.count() as u64);
    let lengths = launches.iter().flat_map(|launch| events(launch)).flatten().map(|warp| warp.len() as u64);
    assert_eq!(Some(found.most_of_a_warp), lengths.max());
    // Who was there is what no trace says, and what it follows from.
    for one in &found.branches {
        let executed = happened.iter().filter(|event| line_of(event.pc) == one.line);
        let diverged = executed.filter(|event| event.mask != 0 && event.mask != event.there).count() as u64;
        assert_eq!(one.diverged, diverged, "line {}", one.line);
    }
    let lines: Vec<u32> = found.branches.iter().map(|one| one.line).collect();
    assert_eq!(lines, [line_of(0x150), line_of(0x1d0)]);
    assert_eq!(found.unreached.iter().map(|one| one.0).collect::<Vec<_>>(), [line_of(0x210)]);
}

#[test]
fn every_form_of_addresses_says_the_same() {
    for version in [1, 2, 3, 4, 5] {
        for form in [Form::All, Form::Compressed, Form::Distances] {
            for lineinfo in [false, true] {
                let style = Style { form, version, lineinfo: lineinfo && version >= 4 };
                let content = file(&SMALL, style);
                check(&read(&[("a.traceg", &content)]).unwrap(), &[&SMALL]);
            }
        }
    }
}

#[test]
fn launches_of_other_inputs() {
    for seed in 1..20 {
        let launch = Launch {
            blocks: 1 + seed % 4,
            threads: 17 * seed,
            count: 40 * u32::try_from(seed).unwrap(),
            seed,
        };
        let content = file(&launch, USUAL);
        check(&read(&[("a.traceg", &content)]).unwrap(), &[&launch]);
    }
}

#[test]
fn several_launches_give_the_most_of_all_and_name_all() {
    let other = Launch { seed: 99, ..SMALL };
    let contents = [file(&SMALL, USUAL), file(&other, USUAL)];
    let found = read(&[("a.traceg", &contents[0]), ("b.traceg", &contents[1])]).unwrap();
    check(&found, &[&SMALL, &other]);
    assert!(found.declarations.contains("of_input = [\"a.traceg\", \"b.traceg\"]"), "{}", found.declarations);
}
