//! The bound with barriers against brute force: random warps in one to three blocks, on equal and on
//! different strings.

use crate::common::cases::{self, cases};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use warpspan::bound::critical_path;
use warpspan::check::plain_upper;
use warpspan::engines::phase::{self, bound};
use warpspan::engines::policy::{Policy, Scenario, of_model, simulate};
use warpspan::engines::portfolio::{EngineChoice, SolveError, Solver};
use warpspan::model::{Instance, Multiprocessor, Unit, WarpGroup};
use warpspan::schedule::{Issue, Schedule, replay};

use crate::brute::barriers::{Warp, finishes, states, warp, worst};
use crate::brute::theorem::Prices;
use crate::common::limits;

const SIGMAS: [[usize; 2]; 10] =
    [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [2, 3], [1, 4], [4, 2], [3, 3], [1, 6]];

fn letters(rng: &mut impl Rng, most: usize) -> Vec<Unit> {
    let share = rng.random_range(0.2..0.8);
    let length = rng.random_range(0..=most);
    (0..length).map(|_| Unit::ALL[usize::from(rng.random_bool(share))]).collect()
}

/// Random warps with a few letters in all: the warps of a block either share one string, or each has one of a
/// few strings.
fn random(rng: &mut impl Rng) -> Vec<Warp> {
    let blocks = rng.random_range(1..=3);
    loop {
        let mut warps = Vec::new();
        let count = rng.random_range(1..=4);
        let strings: Vec<Vec<Vec<Unit>>> = (0..count)
            .map(|_| {
                let segments = rng.random_range(1..=3);
                let most = [7, 4, 3][segments - 1];
                (0..segments).map(|_| letters(rng, most)).collect()
            })
            .collect();
        for block in 0..blocks {
            let mixed = rng.random_bool(0.5);
            let one = rng.random_range(0..count);
            for _ in 0..rng.random_range(1..=[5, 3, 2][blocks - 1]) {
                let which = if mixed { rng.random_range(0..count) } else { one };
                warps.push(Warp { block, segments: strings[which].clone() });
            }
        }
        if states(&warps) < 20_000 {
            return warps;
        }
    }
}

/// The theorem holds for random warps. `WARPSPAN_CASES` asks for more of them.
#[test]
fn no_block_finishes_later() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(3000 + seed);
        let (mut tight, mut all) = (0_u64, 0_u64);
        for _ in 0..100 {
            let warps = random(&mut rng);
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let exact = finishes(&warps, sigma);
            let bounds: Vec<Vec<u64>> =
                Prices::some(sigma, warps.len()).iter().map(|prices| prices.finishes(&warps)).collect();
            for bound in &bounds {
                for (block, (exact, bound)) in exact.iter().zip(bound).enumerate() {
                    assert!(exact <= bound, "block {block}: {exact} > {bound}: {sigma:?} {warps:?}");
                }
            }
            let best = (0..exact.len()).map(|b| bounds.iter().map(|bound| bound[b]).min().unwrap()).max();
            tight += u64::from(best == exact.iter().copied().max());
            all += 1;
        }
        (tight, all)
    };
    let found: Vec<(u64, u64)> = (0..cases(20_000) / 100).into_par_iter().map(chunk).collect();
    let (tight, all) = found.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{all} cases, the bound is the worst case in {tight}");
}

/// A block alone takes, in the worst case, the sum of what its segments take in the worst case.
#[test]
fn segments_of_a_block_alone_add_up() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(4000 + seed);
        for _ in 0..50 {
            let warps: Vec<Warp> = random(&mut rng).into_iter().filter(|warp| warp.block == 0).collect();
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let segments = warps.iter().map(|warp| warp.segments.len()).max().unwrap();
            let only = |at: usize| -> Vec<Warp> {
                let segment = |warp: &Warp| warp.segments.get(at).cloned().unwrap_or_default();
                warps.iter().map(|warp| Warp { block: 0, segments: vec![segment(warp)] }).collect()
            };
            let sum: u64 = (0..segments).map(|at| worst(&only(at), sigma)).sum();
            assert_eq!(worst(&warps, sigma), sum, "{sigma:?} {warps:?}");
        }
    };
    (0..40).into_par_iter().for_each(chunk);
}

/// The largest value over whole paths is too low: it would be 3 here.
#[test]
fn warps_on_different_paths() {
    let warps = [warp(0, "LC|"), warp(0, "|LC")];
    assert_eq!(worst(&warps, [1, 1]), 4);
    for prices in Prices::some([1, 1], 2) {
        assert!(prices.finishes(&warps)[0] >= 4);
    }
}

/// Groups of warps on kernels with barriers, and the same warps as brute force represents them.
fn instance(rng: &mut impl Rng, sigma: [usize; 2]) -> (Instance, Vec<Warp>) {
    let [l, c] = sigma.map(|sigma| sigma.to_string().parse().unwrap());
    loop {
        let mut groups = Vec::new();
        for _ in 0..rng.random_range(1..=2) {
            let segments = rng.random_range(1..=3);
            let most = [7, 4, 3][segments - 1];
            let segment =
                |rng: &mut _| -> String { letters(rng, most).iter().map(ToString::to_string).collect() };
            let text = (0..segments).map(|_| segment(rng)).collect::<Vec<_>>().join("|");
            let Ok(kernel) = text.parse() else { continue };
            groups.push(WarpGroup { kernel, warps: rng.random_range(1..=5) });
        }
        let Ok(instance) = Instance::new(groups, Multiprocessor::new(l, c)) else { continue };
        let size = if rng.random_bool(0.5) { 100 } else { rng.random_range(1..=3) };
        let instance = instance.in_blocks_of(size).unwrap();
        // An instance forgets a size that no barrier asks for.
        let size = instance.warps_per_block().unwrap_or(100);
        let mut warps = Vec::new();
        let mut blocks = 0;
        for group in instance.groups() {
            let kernel = group.kernel.to_string();
            warps.extend(
                (0..group.warps).map(|at| warp(blocks + usize::try_from(at / size).unwrap(), &kernel)),
            );
            blocks = warps.last().unwrap().block + 1;
        }
        if states(&warps) < 30_000 {
            return (instance, warps);
        }
    }
}

/// Kernels with barriers go through bounds, engines, policies, the verifier and the certificate checker.
#[test]
fn kernels_with_barriers() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(8000 + seed);
        let mut found = [0_u64; 3];
        for _ in 0..25 {
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let (instance, warps) = instance(&mut rng, sigma);
            let finishes = finishes(&warps, sigma);
            let exact = finishes.iter().copied().max().unwrap();
            assert!(critical_path(&instance).cycles().0 >= exact, "{instance:?}");
            let phases = bound(&instance);
            assert!(
                phases.makespan.cycles().0 >= exact,
                "{instance:?}: {} < {exact}",
                phases.makespan.cycles()
            );
            let mut first = 0;
            for (group, &finish) in instance.groups().iter().zip(&phases.finish) {
                let blocks = group.warps.div_ceil(instance.warps_per_block().unwrap_or(group.warps));
                let blocks = first..first + usize::try_from(blocks).unwrap();
                first = blocks.end;
                if instance.has_barriers() {
                    assert!(finish.0 >= *finishes[blocks].iter().max().unwrap(), "{instance:?}");
                }
            }
            assert!(plain_upper(&instance, Some(phases.theta)).cycles.0 >= exact, "{instance:?}");
            let solution = Solver::new().limits(&limits()).solve(&instance).unwrap();
            let (lower, upper) =
                (solution.worst_case().lower().cycles().0, solution.worst_case().upper().cycles().0);
            assert!(lower <= exact && exact <= upper, "{instance:?}: {lower} {exact} {upper}");
            if instance.is_one_block() {
                assert_eq!(lower, upper, "{instance:?}");
                if let Some(segments) = phase::by_segments(&instance, &limits()) {
                    assert!(segments.cycles().0 >= exact);
                }
                let states =
                    Solver::new().engine(EngineChoice::States).limits(&limits()).solve(&instance).unwrap();
                assert_eq!(states.worst_case().upper().cycles().0, exact);
                assert!(states.best_case().unwrap().0 <= exact && states.best_witness().is_some());
            } else if instance.has_barriers() {
                let refused = Solver::new().engine(EngineChoice::States).limits(&limits()).solve(&instance);
                assert!(matches!(refused, Err(SolveError::NotApplicable(_))));
            }
            let workload = of_model(&instance).unwrap();
            let scenario = Scenario::of(&workload);
            for policy in [Policy::Lrr, Policy::Gto, Policy::Oldest, Policy::Random] {
                let run = simulate(&workload, policy, &scenario, &limits()).unwrap(); // The run is replayed.
                assert!(run.makespan().0 <= exact, "{instance:?} {policy}");
            }
            found[0] += u64::from(instance.has_barriers());
            found[1] += u64::from(instance.has_barriers() && !instance.is_one_block());
            found[2] += u64::from(instance.has_barriers() && !instance.is_one_block() && lower == upper);
        }
        found
    };
    let cases = cases(2_000);
    let all: Vec<[u64; 3]> = (0..cases / 25).into_par_iter().map(chunk).collect();
    let sum = |at: usize| all.iter().map(|found| found[at]).sum::<u64>();
    println!("{} with barriers, {} of them of several blocks, {} of these exact", sum(0), sum(1), sum(2));
    assert!(sum(0) > cases / 4 && sum(1) > cases / 10);
}

/// The verifier holds warps at a barrier until the last warp of the block has come, and no longer.
#[test]
fn the_verifier_knows_barriers() {
    let block = |size: u64| {
        let sigmas = Multiprocessor::new("1".parse().unwrap(), "2".parse().unwrap());
        Instance::single("L|C".parse().unwrap(), 2, sigmas).unwrap().in_blocks_of(size).unwrap()
    };
    let judge = |instance: &Instance, issues: &[(u64, u32, u32)]| {
        let issue = |&(cycle, warp, instruction)| Issue { cycle, group: 0, warp, instruction, latency: 1 };
        let schedule = Schedule::new(issues.iter().map(issue).collect());
        replay(instance, schedule)
            .map(|witness| witness.makespan().0)
            .map_err(|violation| violation.to_string())
    };
    let together = [(1, 0, 0), (2, 1, 0), (3, 0, 1), (3, 1, 1)];
    let apart = [(1, 0, 0), (2, 1, 0), (2, 0, 1), (3, 1, 1)];
    assert_eq!(judge(&block(2), &together), Ok(3));
    assert_eq!(judge(&block(1), &apart), Ok(3));
    let early = "cycle 2: warp 1 of group 1 issues instruction 2, but stands at the barrier before it, which has not opened";
    assert_eq!(judge(&block(2), &apart).unwrap_err(), early);
    assert!(
        judge(&block(1), &together)
            .unwrap_err()
            .contains("cycle 2: warp 1 of group 1 is ready for instruction 2")
    );
    let same_cycle = [(1, 0, 0), (2, 1, 0), (2, 1, 1), (3, 0, 1)];
    assert!(judge(&block(2), &same_cycle).unwrap_err().contains("warp 2 of group 1 issues twice"));
    let late = [(1, 0, 0), (2, 1, 0), (3, 0, 1), (4, 1, 1)];
    assert!(judge(&block(2), &late).unwrap_err().contains("cycle 3: warp 2 of group 1 is ready"));
}
