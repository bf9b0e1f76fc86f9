//! What warps issue is a subsequence of a path of the program that `extract` gives, judged by an independent
//! executor of random listings in PTX and in SASS of both kinds; see `executor/mod.rs` for its rules.
//!
//! `WARPSPAN_CASES` says how many listings of each kind are judged, and `WARPSPAN_SEED` says which is the
//! first of them. With `WARPSPAN_SURVEY` set a violation does not end the test. Violations are then counted
//! by class, with a small example of each.

use crate::common::cases::{cases, first_seed};
use std::collections::BTreeMap;

use crate::listing::executor::Dialect;
use crate::listing::executor::counters::counters;
use crate::listing::executor::counts::judge_counts;
use crate::listing::executor::generate::Case;
use crate::listing::executor::judge::{Effort, judge};
use crate::listing::executor::passes::Count;
use crate::listing::executor::random::Random;
use crate::listing::executor::read::read;
use crate::listing::executor::shrink::shrink;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn effort() -> Effort {
    let count = if std::env::var("WARPSPAN_STRICT").is_ok() { Count::Together } else { Count::Warp };
    Effort { runs: 8, limit: 200, count }
}

/// The outcome of the random listings.
#[derive(Debug, Default)]
struct Tally {
    listings: u64,
    refused: u64,
    judged: u64,
    long: u64,
    stuck: u64,
    illegal: u64,
    undecided: u64,
    /// The number of violations of each class, with the smallest examples.
    classes: BTreeMap<&'static str, (u64, Vec<String>)>,
}

fn random_listings(dialect: Dialect) -> Tally {
    let survey = std::env::var("WARPSPAN_SURVEY").is_ok();
    let first = first_seed();
    let mut tally = Tally::default();
    for seed in first..first + cases(3000) {
        let mut random = Random::new(seed);
        let case = Case::random(dialect, &mut random);
        let listing = case.text();
        let code = case.mark(read(&listing));
        let verdict = judge(&listing, &code, &mut random, effort());
        tally.listings += 1;
        tally.refused += u64::from(verdict.refused.is_some());
        tally.judged += u64::from(verdict.judged);
        tally.long += u64::from(verdict.long);
        tally.stuck += u64::from(verdict.stuck);
        tally.illegal += u64::from(verdict.illegal);
        tally.undecided += u64::from(verdict.undecided);
        let Some(violation) = verdict.violation else { continue };
        let known = tally.classes.entry(violation.class).or_default();
        known.0 += 1;
        let most = usize::try_from(number("WARPSPAN_EXAMPLES", 2)).unwrap();
        if survey && known.1.len() >= most {
            continue;
        }
        let (small, found) = shrink(&case, violation, effort());
        let text = format!("seed {seed}, {}\n{}{}", found.class, small.text(), found.text);
        assert!(survey, "{text}");
        let shown = &mut tally.classes.entry(found.class).or_default().1;
        if shown.iter().all(|other| shape(other) != shape(&text)) && shown.len() < most {
            shown.push(text);
        }
    }
    if survey {
        let mut classes = std::mem::take(&mut tally.classes);
        println!("{dialect:?}: {tally:?}");
        for (class, (times, examples)) in &mut classes {
            println!("== {dialect:?}, {class}: {times}");
            examples.sort_by_key(String::len);
            examples.iter().for_each(|example| println!("{example}\n"));
        }
        tally.classes = classes;
    }
    tally
}

/// The opcodes of a listing.
fn shape(listing: &str) -> Vec<&str> {
    let sass = listing.lines().filter_map(|line| line.split_once("*/")).map(|line| line.1);
    let ptx = listing.lines().filter(|line| line.ends_with(';'));
    sass.chain(ptx).filter_map(|line| line.split_whitespace().find(|word| !word.starts_with('@'))).collect()
}

#[test]
fn random_ptx() {
    let tally = random_listings(Dialect::Ptx);
    assert!(tally.judged > tally.listings, "{tally:?}");
}

#[test]
fn random_sass_with_a_stack() {
    let tally = random_listings(Dialect::Stack);
    assert!(tally.judged > tally.listings, "{tally:?}");
}

#[test]
fn random_sass_with_barriers() {
    let tally = random_listings(Dialect::Groups);
    assert!(tally.judged > tally.listings, "{tally:?}");
}

/// Code that too many ways share stands once in the program, as steps that a way may leave out.
#[test]
fn code_that_too_many_ways_share() {
    let (first, all) = (first_seed(), 3000);
    let now = cases(all);
    let (mut programs, mut judged, mut undecided) = (0, 0, 0);
    for dialect in [Dialect::Ptx, Dialect::Stack, Dialect::Groups] {
        for seed in first..first + now.div_ceil(50) {
            let mut random = Random::new(seed);
            let case = Case::ladder(dialect, &mut random);
            let listing = case.text();
            let code = case.mark(read(&listing));
            let verdict = judge(&listing, &code, &mut random, Effort { runs: 3, limit: 400, ..effort() });
            if let Some(violation) = verdict.violation {
                panic!("seed {seed}, {}\n{listing}{}", violation.class, violation.text);
            }
            programs += u32::from(verdict.refused.is_none());
            (judged, undecided) = (judged + verdict.judged, undecided + verdict.undecided);
        }
    }
    // The few cases of a day may be such that most runs are too long.
    let enough = if now >= all { programs + undecided } else { 0 };
    assert!(programs > 0 && judged > enough, "{programs}, {judged}, {undecided}");
}

/// Kernels whose loops have inferred counts.
#[test]
fn counted_loops() {
    let survey = std::env::var("WARPSPAN_SURVEY").is_ok();
    let (first, cases) = (first_seed(), cases(3000));
    let (mut inferred, mut classes) = (0, BTreeMap::<&str, (u64, Vec<String>)>::new());
    for seed in first..first + cases {
        let mut random = Random::new(seed);
        let mut lines = counters(&mut random);
        let text = |lines: &[String]| {
            let version = if seed % 4 == 3 { 75 } else { 61 };
            format!(".version 7.0\n.target sm_{version}\n{}\n", lines.join("\n"))
        };
        let fails = |lines: &[String]| {
            let listing = text(lines);
            judge_counts(&listing, &read(&listing), &mut Random::new(seed))
        };
        let mut violation = match fails(&lines) {
            Ok(loops) => {
                inferred += loops;
                continue;
            }
            Err(violation) => violation,
        };
        let known = classes.entry(violation.class).or_default();
        known.0 += 1;
        if survey && known.1.len() > 4 {
            continue;
        }
        let mut at = 0;
        while at < lines.len() {
            let mut less = lines.clone();
            let gone = less.remove(at);
            let structure = |line: &str| line.ends_with(':') || line.starts_with('.') || line.len() < 6;
            match if structure(&gone) { Ok(0) } else { fails(&less) } {
                Err(found) => (lines, violation) = (less, found),
                Ok(_) => at += 1,
            }
        }
        let what = format!("seed {seed}, {}\n{}", violation.class, violation.text);
        assert!(survey, "{what}");
        known.1.push(what);
    }
    if survey {
        println!("{inferred} loops that are inferred");
        classes.iter().for_each(|(class, known)| println!("{class}: {}\n{}\n", known.0, known.1.join("\n")));
    }
    assert!(survey || u64::from(inferred) > cases / 4, "{inferred} of {cases}");
}

/// Judges the listing of a file.
#[test]
#[ignore = "wants WARPSPAN_LISTING"]
fn one() {
    let listing = std::fs::read_to_string(std::env::var("WARPSPAN_LISTING").unwrap()).unwrap();
    let code = read(&listing);
    let verdict = judge(&listing, &code, &mut Random::new(3), Effort { runs: 3000, ..effort() });
    println!("{verdict:?}");
    if let Some(violation) = verdict.violation {
        println!("{}\n{}", violation.class, violation.text);
    }
}

/// Prints why random listings have no program, with an example of each reason.
#[test]
#[ignore = "prints only"]
fn refusals() {
    for dialect in [Dialect::Ptx, Dialect::Stack, Dialect::Groups] {
        let mut why: BTreeMap<String, (u32, String)> = BTreeMap::new();
        for seed in 0..cases(3000) {
            let mut random = Random::new(seed);
            let case = Case::random(dialect, &mut random);
            let listing = case.text();
            let code = case.mark(read(&listing));
            let verdict = judge(&listing, &code, &mut random, Effort { runs: 0, ..effort() });
            let Some(reason) = verdict.refused else { continue };
            let reason: String = reason.chars().filter(|c| !c.is_ascii_digit()).collect();
            let known = why.entry(reason).or_insert((0, listing));
            known.0 += 1;
        }
        let mut list: Vec<_> = why.into_iter().collect();
        list.sort_by_key(|one| std::cmp::Reverse(one.1.0));
        for (reason, (times, example)) in list.iter().take(14) {
            println!("{dialect:?} {times} {reason}");
            if *times > 40 {
                println!("{example}");
            }
        }
    }
}
