//! A listing that was cut off, that lost lines or that runs into another one is refused, or has no smaller bound than the whole
//! one, or its answer says that it assumes the listing to be whole. That assumption stands nowhere where the format has a mark of its end.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::cases::cases;
use crate::listing::reading::shown;
use warpspan::model::assumption::{Id, Kind};
use warpspan::realtime::launch::{Code, LaunchFacts, Listing, Question, answer, block, grid};
use warpspan::source::Remedy;

/// A whole listing, and of what the question is asked.
struct Sample {
    name: &'static str,
    text: String,
    gpu: &'static str,
    entry: Option<&'static str>,
    /// Whether its format marks where a function ends.
    marked: bool,
}

/// The bound of a launch, and whether it assumes that the listing is whole; none where it is refused. Loops of which nothing is known
/// pass ten times.
fn bound(sample: &Sample, text: &str) -> Option<(u64, bool)> {
    let mut code = Code { entry: sample.entry.map(str::to_owned), ..Code::default() };
    loop {
        let question = Question {
            listing: Listing { place: sample.name.to_owned(), bytes: text.into() },
            code: code.clone(),
            gpu: Some(sample.gpu.to_owned()),
            grid: grid("64").unwrap(),
            block: block("256").unwrap(),
            launch: LaunchFacts { registers: Some(32), ..LaunchFacts::default() },
            ..Question::default()
        };
        let failure = match answer(&question) {
            Ok(found) => {
                let whole: Vec<_> =
                    found.assumptions.iter().filter(|one| one.id == Id::ListingWhole.name()).collect();
                assert!(whole.len() < 2 && whole.iter().all(|one| one.kind == Kind::Assumed), "{whole:?}");
                let whole = whole.len();
                return found.bound_ns.map(|bound| (bound, whole > 0));
            }
            Err(failure) => failure,
        };
        let known = code.loop_bound.len();
        for remedy in failure.remedies() {
            if let Remedy::LoopBounds(labels) = remedy {
                code.loop_bound.extend(labels.iter().map(|label| format!("{label}=10")));
            }
        }
        if code.loop_bound.len() == known {
            return None;
        }
    }
}

/// Checks that damage does no harm, and whether the answer assumes that the listing is whole. `what` says how the text was damaged.
fn is_seen(sample: &Sample, whole: u64, text: &str, what: &str) -> bool {
    let Some((bound, assumed)) = bound(sample, text) else { return false };
    let name = sample.name;
    assert!(assumed || bound >= whole, "{name}, {what}: {bound} ns, and {whole} ns of the whole file");
    assumed
}

fn samples() -> Vec<Sample> {
    let read =
        |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let explorer = read("tests/data/code/explorer.sm_87.sass");
    let without = |text: &str, what: &str| -> String {
        text.lines().filter(|line| !line.contains(what)).map(|line| format!("{line}\n")).collect()
    };
    let reduce = read("tests/data/corpus/8.7/reduce.sass");
    let strip = |text: &str| -> String {
        text.lines().map(|line| format!("{}\n", line.split("  /* 0x").next().unwrap_or(line))).collect()
    };
    let of = |name, text, gpu, entry, marked| Sample { name, text, gpu, entry, marked };
    vec![
        // By cuobjdump.
        of("6.2", read("tests/data/corpus/6.2/tree.sass"), "jetson-tx2", None, true),
        of("8.7", reduce.clone(), "jetson-orin", None, true),
        of(
            "several",
            read("tests/data/corpus/8.7/tree.sass") + &reduce,
            "jetson-orin",
            Some("search_tree"),
            true,
        ),
        // By nvdisasm.
        of("vote", read("docs/tutorial/vote.sm_62.sass"), "jetson-tx2", None, true),
        of("tri", read("tests/data/code/tri.sm_87.sass"), "jetson-orin", None, true),
        // Without any mark.
        of("no sizes", without(&explorer, ".size"), "jetson-orin", None, false),
        of("no dots", without(&strip(&reduce), "....."), "jetson-orin", None, false),
        of("explorer", shown(&explorer), "jetson-orin", Some("ns::root"), false),
        // PTX.
        of("ptx", read("tests/data/code/ret.ptx"), "jetson-orin", None, true),
    ]
}

#[test]
fn cut_off() {
    let (mut random, places_of_each) = (ChaCha8Rng::seed_from_u64(57), cases(600));
    for sample in samples() {
        let (whole, assumed) = bound(&sample, &sample.text).expect(sample.name);
        assert_eq!(assumed, !sample.marked, "{}", sample.name);
        let ends = sample.text.match_indices('\n').map(|(at, _)| at + 1);
        let places: Vec<usize> =
            ends.chain((0..places_of_each).map(|_| random.random_range(0..sample.text.len()))).collect();
        for at in places {
            let Some(text) = sample.text.get(..at) else { continue };
            let assumed = is_seen(&sample, whole, text, &format!("cut behind byte {at}"));
            assert!(!(assumed && sample.marked), "{}: cut behind byte {at}", sample.name);
        }
    }
}

#[test]
fn without_some_lines() {
    let (mut random, ranges_of_each) = (ChaCha8Rng::seed_from_u64(58), cases(600));
    // A line of PTX that is not there is seen by nobody.
    for sample in samples().iter().filter(|sample| sample.name != "ptx") {
        let (whole, _) = bound(sample, &sample.text).expect(sample.name);
        let lines: Vec<&str> = sample.text.split_inclusive('\n').collect();
        let one = (0..lines.len()).step_by(if lines.len() > 100 { 7 } else { 1 }).map(|at| at..at + 1);
        let mut ranges: Vec<std::ops::Range<usize>> = one.collect();
        for _ in 0..ranges_of_each {
            let from = random.random_range(0..lines.len());
            ranges.push(from..random.random_range(from..lines.len()) + 1);
        }
        for range in ranges {
            let text = [&lines[..range.start], &lines[range.end..]].concat().concat();
            // The mark of the end may be among these lines.
            let what = format!("without the lines {} to {}", range.start + 1, range.end);
            let _assumed = is_seen(sample, whole, &text, &what);
        }
    }
}

#[test]
fn cut_off_and_followed_by_another() {
    let mut random = ChaCha8Rng::seed_from_u64(59);
    for sample in samples() {
        let (whole, _) = bound(&sample, &sample.text).expect(sample.name);
        for _ in 0..50 {
            let at = random.random_range(0..sample.text.len());
            let Some(text) = sample.text.get(..at) else { continue };
            let text = text.to_owned() + &sample.text;
            let assumed = is_seen(&sample, whole, &text, &format!("cut behind byte {at}, and whole"));
            assert!(!(assumed && sample.marked), "{}: cut behind byte {at}, and whole", sample.name);
        }
    }
}
