//! `extract --warps`: the bound of an entry, what each line adds to it, and the page that shows it.

use crate::brute::paths;
use approx::assert_relative_eq;
use assert_cmd::Command;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use warpspan::engines::phase::Rational;
use warpspan::engines::program::{ProgramBound, bound};
use warpspan::entry::shares;
use warpspan::model::program::Piece;
use warpspan::model::{Multiprocessor, Unit, Workload};

const TILE: &str = "tests/data/code/tile.ptx";

fn warpspan(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

/// The record of an entry; the exit code is 3 where a bound was asked for and there is none.
fn entry(name: &str, flags: &[&str]) -> Value {
    let output = warpspan(
        &[&["extract", TILE, "--format", "json", "--entry", name, "--compute-capability", "2.0"], flags]
            .concat(),
    );
    let entry = serde_json::from_slice::<Value>(&output.stdout).unwrap()["entries"][0].clone();
    let code = if entry["bound_error"].is_null() { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    entry
}

/// At sigma 1/2 and 1, C C C L C L is CC C C LL C LL, since a parameter of 64 bits is two moves. Its blocks are C, C, C, CL,
/// LCL and L, so a = 7, and the one C between the L's is hidden. The shares are 2, 1, 1, 2 and 2 of 8.
#[test]
fn a_straight_kernel() {
    let scale = entry("scale", &["--warps", "48"]);
    assert_eq!(scale["bound"]["upper"], 9 + 47 * 7);
    assert_eq!((&scale["bound"]["rate"], &scale["bound"]["exact"]), (&"7".into(), &true.into()));
    let column = |name: &str| -> Vec<Value> {
        scale["listing"].as_array().unwrap().iter().map(|line| line[name].clone()).collect()
    };
    assert_eq!(column("phase")[..6], ["C", "C", "C", "L", "L", "L"].map(Value::from));
    assert_eq!(column("adds")[..6], ["2", "1", "1", "2", "0", "2"].map(Value::from));
    let shares: Vec<f64> = column("share").iter().filter_map(Value::as_f64).collect();
    assert_relative_eq!(shares[..6], [25.0, 12.5, 12.5, 25.0, 0.0, 25.0]);
    assert_eq!(
        (&column("adds")[6], &column("share")[6]),
        (&"0".into(), &0.0.into()),
        "an exit has no letter"
    );
    assert_eq!(column("phase")[6], Value::Null);
    assert!(entry("scale", &[])["bound"].is_null());
}

/// The kernel is C, (LL LL C C C)16, a branch around C, the LL of the function, and LL.
#[test]
fn loops_calls_and_lines_of_two_instructions() {
    let sum = entry("sum", &["--warps", "8", "--warps-per-block", "4"]);
    let lines = sum["listing"].as_array().unwrap();
    let adds = |number: u64| -> Vec<&Value> {
        lines.iter().filter(|line| line["line"] == number).map(|line| &line["adds"]).collect()
    };
    assert_eq!(adds(27), [&Value::from("64"), &Value::from("0")], "two loads in a line, 16 times");
    assert_eq!(adds(19), [&Value::from("2")], "the load of the function");
    assert_eq!((&sum["bound"]["warps_per_block"], &sum["bound"]["exact"]), (&4.into(), &false.into()));
    // By hand: 64 and three times 16 in the loop, and outside of it three times 1, and 2 for each of two loads.
    let of_loop = &sum["bound"]["loops"][0];
    assert_eq!((&of_loop["label"], &of_loop["adds"]), (&"LOOP".into(), &"112".into()));
    assert_relative_eq!(of_loop["share"].as_f64().unwrap(), 94.1); // 112 of 119
    let open = entry("open", &["--warps", "8"]);
    assert!(open["bound"].is_null());
    assert!(open["bound_error"].as_str().unwrap().starts_with("no bound for loop AGAIN (line 42)"));
    let bounded = entry("open", &["--warps", "8", "--loop-bound", "AGAIN=1000000"]);
    assert_eq!(bounded["listing"][0]["adds"], "2000000");
}

/// The dearest lines and the further ones together, and all lines of the source, are all lines of the listing.
#[test]
fn lists_of_what_adds_most() {
    let filter = |flags: &[&str]| {
        let listing = "tests/data/compare/old.ptx";
        let args = [
            &[
                "extract",
                listing,
                "--entry",
                "filter",
                "--warps",
                "32",
                "--format",
                "json",
                "--compute-capability",
                "6.2",
            ],
            flags,
        ]
        .concat();
        let record: Value = serde_json::from_slice(&warpspan(&args).stdout).unwrap();
        record["entries"][0].clone()
    };
    let value = |text: &Value| -> f64 {
        let text = text.as_str().unwrap();
        let (whole, part) = text.split_once('/').unwrap_or((text, "1"));
        whole.parse::<f64>().unwrap() / part.parse::<f64>().unwrap()
    };
    let sum = |list: &Value| -> f64 { list.as_array().unwrap().iter().map(|one| value(&one["adds"])).sum() };
    let all = filter(&[]);
    let bound = &all["bound"];
    let total = sum(&all["listing"]);
    assert_relative_eq!(sum(&bound["lines"]), total);
    assert_relative_eq!(sum(&bound["source"]), total);
    assert!(bound["further"].is_null());
    let cut = &filter(&["--top", "2"])["bound"];
    assert_eq!((cut["lines"].as_array().unwrap().len(), cut["source"].as_array().unwrap().len()), (2, 2));
    assert_eq!(cut["lines"][0], bound["lines"][0]);
    assert_relative_eq!(sum(&cut["lines"]) + value(&cut["further"]["adds"]), total);
    assert_eq!(cut["loops"], bound["loops"]);
    let dearest: Vec<f64> =
        bound["lines"].as_array().unwrap().iter().map(|one| value(&one["adds"])).collect();
    assert!(dearest.is_sorted_by(|one, other| one >= other), "{dearest:?}");
    // Every share is a number.
    for list in ["lines", "source", "loops"] {
        let shares = bound[list].as_array().unwrap().iter().map(|one| one["share"].as_f64());
        assert!(shares.clone().count() > 0 && shares.clone().all(|share| share.is_some()), "{list}");
    }
    assert!(all["listing"].as_array().unwrap().iter().all(|line| line["share"].is_number()));
}

#[test]
fn flags_that_are_refused() {
    for flags in
        [&["--warps", "0"][..], &["--warps-per-block", "4"], &["--warps", "8", "--warps-per-block", "0"]]
    {
        let output = warpspan(&[&["extract", TILE], flags].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{flags:?}");
    }
}

fn at_sigma_1(program: Piece) -> ProgramBound {
    bound(&Workload::single(program, 8, Multiprocessor::default()).unwrap()).unwrap()
}

/// The units of a string of this length, whose bits say where it has an L.
fn straight(letters: u32, length: u32) -> Vec<Unit> {
    (0..length).map(|at| if letters >> at & 1 == 1 { Unit::LoadStore } else { Unit::CudaCore }).collect()
}

/// On every string of up to 9 letters, the lines add what a best labelling of the string earns at its
/// letters.
#[test]
fn adds_are_those_of_a_best_labelling() {
    for length in 1..=9 {
        for letters in 0..1 << length {
            let units = straight(letters, length);
            let piece = |(line, &unit)| Piece::Letters { letter: unit, count: 1, line };
            let found = at_sigma_1(Piece::Sequence((1..).zip(&units).map(piece).collect()));
            let gain = |labels: u32| -> i64 {
                let changes = (labels ^ labels >> 1) & ((1 << (length - 1)) - 1);
                let agree = !(labels ^ letters) & ((1 << length) - 1);
                i64::from(agree.count_ones()) - i64::from(changes.count_ones())
            };
            let best = (0..1 << length).map(gain).max().unwrap();
            assert_eq!(found.rates[0], Rational::from(i128::from(best)));
            let agrees = |line: u32| found.adds[0].get(&line).copied().unwrap_or_default();
            let agree: u32 =
                (0..length).filter(|at| agrees(at + 1) == Rational::from(1)).map(|at| 1 << at).sum();
            assert!((1..=length).all(|line| [0, 1].map(Rational::from).contains(&agrees(line))));
            assert_eq!(gain(!(agree ^ letters) & ((1 << length) - 1)), best, "{units:?}");
        }
    }
}

/// Numbers the letters, from 1.
fn number(piece: &mut Piece, last: &mut u32) {
    match piece {
        Piece::Letters { line, .. } => {
            *last += 1;
            *line = *last;
        }
        Piece::Barrier { .. } => {}
        Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
            std::sync::Arc::make_mut(pieces).iter_mut().for_each(|piece| number(piece, last));
        }
        Piece::Loop { body, .. } => number(body, last),
    }
}

/// The program without the letters of a line.
fn without(piece: &Piece, gone: u32) -> Piece {
    let mut piece = piece.clone();
    match &mut piece {
        Piece::Letters { line, .. } if *line == gone => return Piece::Sequence(vec![].into()),
        Piece::Letters { .. } | Piece::Barrier { .. } => {}
        Piece::Sequence(pieces) | Piece::Branch { arms: pieces, .. } => {
            *pieces = pieces.iter().map(|piece| without(piece, gone)).collect();
        }
        Piece::Loop { body, .. } => **body = without(body, gone),
    }
    piece
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// On random programs, taking out a line lowers a by no more than the line adds. Where no branch holds a
    /// barrier, all lines together add at least a.
    #[test]
    fn a_line_adds_what_it_can_take_away(seed in any::<u64>()) {
        let shape = paths::Shape { depth: 3, barriers: seed % 2 == 0, straight: false };
        let mut program = paths::random(&mut ChaCha8Rng::seed_from_u64(seed), shape);
        let mut lines = 0;
        number(&mut program, &mut lines);
        let of = |program| bound(&Workload::single(program, 8, Multiprocessor::default()).unwrap());
        if let Ok(found) = of(program.clone()) {
            let shares = shares(&found);
            if !program.has_barrier() {
                let all: Rational = shares.values().map(|share| share.adds).sum();
                prop_assert!(all >= found.rates[0], "{program}");
                let thousandths: u32 = shares.values().map(|share| share.thousandths).sum();
                prop_assert!((1000 - lines..=1000).contains(&thousandths), "{program}");
            }
            for (line, share) in shares {
                prop_assert_eq!(share.phase() == "-", share.phases == Default::default());
                if let (Ok(less), false) = (of(without(&program, line)), program.has_barrier()) {
                    prop_assert!(less.rates[0] >= found.rates[0] - share.adds, "{program} without letter {line}");
                    prop_assert!(less.rates[0] <= found.rates[0], "{program} without letter {line}");
                }
            }
        }
    }
}

/// An entry without a bound is not left out. It stands there with the reason, in text, in JSON and on the
/// page, and the exit code says that a bound is missing.
#[cfg(feature = "figures")]
#[test]
fn an_entry_without_a_bound_stays_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("k.json"), folder.path().join("out"));
    let page = |only: &[&str]| {
        let output = warpspan(
            &[&["extract", TILE, "--warps", "8", "--format", "json", "--compute-capability", "2.0"], only]
                .concat(),
        );
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(&file, output.stdout).unwrap();
        let done = warpspan(&["report", file.to_str().unwrap(), "-o", out.to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        std::fs::read_to_string(out.join("index.html")).unwrap()
    };
    let all = page(&[]);
    assert!(all.contains("3 answers, ") && all.contains("1 not settled"), "{all}");
    for page in [all, page(&["--entry", "open"])] {
        assert!(page.contains(">open</a>"), "{page}");
        assert!(page.contains("<dt>no program</dt><dd>no bound for loop AGAIN (line 42)"), "{page}");
        assert!(page.contains("<dt>no bound</dt><dd>it has no program"), "{page}");
    }
    let text = warpspan(&["extract", TILE, "--warps", "8"]);
    assert_eq!(text.status.code(), Some(3));
    assert!(
        String::from_utf8(text.stdout).unwrap().contains("no program    no bound for loop AGAIN (line 42)")
    );
    assert_eq!(warpspan(&["extract", TILE]).status.code(), Some(0), "no bound was asked for");
}

#[cfg(feature = "figures")]
#[test]
fn the_page_shows_listings() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("k.json"), folder.path().join("out"));
    let report = |text: &[u8]| {
        std::fs::write(&file, text).unwrap();
        warpspan(&["report", file.to_str().unwrap(), "-o", out.to_str().unwrap()])
    };
    let text =
        warpspan(&["extract", TILE, "--warps", "8", "--format", "json", "--compute-capability", "2.0"])
            .stdout;
    let done = report(&text);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    for part in [
        "<section id=\"kernels\">",
        ">scale</a>",
        "1 not settled",
        "58 cycles for 8 warps, in the paper's model: no latencies; exact for these letters; a further warp adds 7",
        ">ld.global.f32 %f1, [%rd1]<",
        "25.0%",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("No figure") && page.matches("<script").count() == 1); // its own
    let evil = String::from_utf8(text).unwrap().replace("ld.global.f32 %f1", "<script>alert(1)</script>");
    assert_eq!(report(evil.as_bytes()).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(out.join("index.html")).unwrap().matches("<script").count(), 1);
    let refused = report(b"{\"schema\":\"warpspan/extract/2\"}");
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{stderr}");
    assert!(stderr.contains(":1: missing field") && stderr.lines().count() == 1, "{stderr}");
}
