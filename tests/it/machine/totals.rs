//! Blocks whose warps pass a loop so often in all, however that is shared out, against the worst case of a few blocks that is found
//! by trying everything.

use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::engines::latency::{Block, Blocks, Further, Traffic, followed_with};
use warpspan::model::machine::Step;

use super::blocks::{Case, Look, machine};
use super::oracle::Warp;
use crate::common::cases::{self, cases};

/// Warps that pass a loop, each as often as was drawn. A pass is `before`, the test, and then `behind` if it goes on.
struct Queue {
    case: Case,
    start: &'static str,
    before: &'static str,
    behind: &'static str,
    end: &'static str,
    /// The passes of each warp.
    passes: Vec<u64>,
    warps_per_block: u64,
    /// A path is one of these in place of the letters of the pass.
    paths: [&'static str; 2],
}

fn pick<'a>(rng: &mut ChaCha8Rng, of: &[&'a str]) -> &'a str {
    of[rng.random_range(0..of.len())]
}

impl Queue {
    /// A queue with few enough schedules; none if there are more.
    fn draw(seed: u64) -> Option<Self> {
        let mut rng = cases::random(seed);
        let machine = Arc::new(machine(&mut rng));
        let blocks = rng.random_range(1..=3_usize);
        let warps_per_block = rng.random_range(1..=2_u64);
        let ends = ["", "", "L", "C"];
        let (start, end) = (pick(&mut rng, &ends), pick(&mut rng, &ends));
        let before = pick(&mut rng, &["", "L", "C", "X", "L|"]);
        let behind = pick(&mut rng, &["L", "C", "X", "LC", "|C", "|", "L|", "C|L"]);
        let paths = [pick(&mut rng, &["", "L", "C"]), pick(&mut rng, &["", "X", "C"])];
        let barriers = before.contains('|') || behind.contains('|');
        let mut passes = Vec::new();
        let (mut texts, mut warps) = (Vec::new(), Vec::new());
        for block in 0..blocks {
            // Warps of a block come to the same barriers.
            let of_block = rng.random_range(1..=4);
            for _ in 0..warps_per_block {
                let own = if barriers { of_block } else { rng.random_range(1..=4) };
                let path = |rng: &mut ChaCha8Rng| pick(rng, &paths).to_owned();
                let mut text = format!("{start}{}{before}", path(&mut rng));
                for _ in 1..own {
                    text.push_str(&format!("{behind}{}{before}", path(&mut rng)));
                }
                text.push_str(end);
                let mut segments: Vec<Vec<Step>> = Vec::new();
                for segment in text.split('|') {
                    let steps = if segment.is_empty() {
                        vec![]
                    } else {
                        machine.code(segment).unwrap().written_out().unwrap()
                    };
                    segments.push(steps.into_iter().flatten().collect());
                }
                let scheduler = rng.random_range(0..machine.schedulers());
                warps.push(Warp { scheduler, block, segments });
                passes.push(own);
                texts.push(text);
            }
        }
        if texts.iter().any(|text| !text.contains(['L', 'C', 'X'])) {
            return None;
        }
        let codes = texts.iter().map(|text| machine.code(text).unwrap()).collect();
        let (slots, sizes) = (rng.random_range(1..=2), vec![warps_per_block; blocks]);
        let mut case =
            Case { machine, texts, codes, sizes, warps, slots, look: Look::All, before: 0, worst: 0 };
        case.worst = case.search()?;
        Some(Self { case, start, before, behind, end, passes, warps_per_block, paths })
    }

    /// The bound if each warp has two passes at most, and so many more are made in all.
    fn bound(&self, further: u64) -> u64 {
        let Self { start, before, behind, end, paths: [one, other], .. } = *self;
        let machine = &self.case.machine;
        let way = format!("[{one}/{other}]");
        let code = machine.code(&format!("{start}({way}{before}{behind})0..1{way}{before}{end}")).unwrap();
        let pass = machine.code(&format!("{way}{before}{behind}")).unwrap();
        let block = Block { code: &code, warps: self.warps_per_block };
        let number = self.case.sizes.len().try_into().unwrap();
        let resident = self.case.slots.try_into().unwrap();
        let blocks = Blocks { block, number, resident, multiprocessors: 1, spread: false };
        let further = [Further { code: &pass, passes: further }];
        followed_with(machine, &blocks, &further, &Traffic::default()).unwrap().0.upper.cycles().0
    }
}

#[test]
fn no_sharing_out_of_passes_exceeds_their_bound() {
    let found: Vec<(bool, bool, Option<String>)> = (0..cases(3000))
        .into_par_iter()
        .filter_map(Queue::draw)
        .map(|queue| {
            let further = queue.passes.iter().map(|passes| passes.saturating_sub(2)).sum();
            let (bound, worst) = (queue.bound(further), queue.case.worst);
            let wrong = (worst > bound).then(|| format!("{bound}: {}", queue.case.text()));
            let less = further > 0 && worst > queue.bound(further - 1);
            (worst == bound, less, wrong)
        })
        .collect();
    let wrong: Vec<&String> = found.iter().filter_map(|(_, _, wrong)| wrong.as_ref()).collect();
    let [tight, less] = [found.iter().filter(|one| one.0).count(), found.iter().filter(|one| one.1).count()];
    println!(
        "{} cases, {tight} tight, {less} exceed the bound of one pass less, {} violations",
        found.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{} of {} cases: {}", wrong.len(), found.len(), wrong[0]);
    assert!(
        found.len() > 100 && tight > 5 && less > 2,
        "{} cases, {tight} tight, {less} exceed less",
        found.len()
    );
}
