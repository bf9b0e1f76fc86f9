//! Grids, whose blocks follow one another: the exhaustive search against brute force, and what makes straight
//! rounds unsafe.

use std::time::Duration;

use warpspan::bound::{Theorem, grid_bottleneck};
use warpspan::engines::grid::{Outcome, Unfinished, solve, states};
use warpspan::engines::portfolio::{EngineChoice, EngineName, NotApplicable, SolveError, Solver};
use warpspan::engines::relay;
use warpspan::limits::{Ending, Limits, NotExact, Stop};
use warpspan::model::{Code, Grid, Multiprocessor};
use warpspan::schedule::replay;

use crate::brute::grids;
use crate::common::strings;

/// The grid that the brute force has, in the words of the library.
fn grid(of: &grids::Grid) -> Grid {
    let sigma = of.sigma.map(|sigma| sigma.to_string().parse().unwrap());
    let [warps, blocks, resident, multiprocessors] =
        [of.warps, of.blocks, of.resident, of.multiprocessors].map(|count| count as u64);
    let code = of.code.parse::<Code>().unwrap();
    let grid = Grid::new(code, Multiprocessor::new(sigma[0], sigma[1]), warps, blocks).unwrap();
    grid.on(multiprocessors, resident).unwrap()
}

/// The search, with its schedule replayed.
fn searched(grid: &Grid) -> Outcome {
    let outcome = solve(grid, &Limits::generous(), &|_| ()).unwrap();
    let witness = replay(grid, outcome.schedule.clone()).unwrap();
    assert_eq!(witness.makespan(), outcome.worst.cycles());
    assert!(outcome.states <= states(grid), "{} > {}", outcome.states, states(grid));
    outcome
}

const SIGMAS: [[usize; 2]; 5] = [[1, 1], [1, 2], [2, 1], [2, 2], [2, 3]];

/// Compares the two on every grid of a code with up to so many letters in flight; returns how many there are.
fn agree_on(code: &str, warps: usize, most: usize) -> usize {
    let mut cases = 0;
    for sigma in SIGMAS {
        for multiprocessors in 1..=2 {
            for resident in 1..=3 {
                for blocks in 1..=5 {
                    let letters = code.chars().filter(|&letter| letter != '|').count();
                    if letters * warps * resident * multiprocessors > most {
                        continue;
                    }
                    let code = code.to_owned();
                    let one = grids::Grid { code, sigma, warps, blocks, resident, multiprocessors };
                    let (best, worst) = grids::makespans(&one);
                    let found = searched(&grid(&one));
                    assert_eq!((found.best.0, found.worst.cycles().0), (best, worst), "{one:?}");
                    cases += 1;
                }
            }
        }
    }
    cases
}

/// How many letters may be in flight in the grids that are compared; `WARPSPAN_LETTERS=18` takes minutes.
fn letters() -> usize {
    std::env::var("WARPSPAN_LETTERS").map_or(12, |letters| letters.parse().unwrap())
}

#[test]
fn the_search_agrees_with_brute_force() {
    let most = letters();
    let mut cases = 0;
    for length in 1..=4 {
        for code in strings(length) {
            cases += agree_on(&code, 1, most);
        }
    }
    for length in 1..=3 {
        for code in strings(length) {
            cases += agree_on(&code, 2, most);
        }
    }
    assert!(cases >= 2_000, "{cases}");
}

#[test]
fn the_search_agrees_with_brute_force_on_barriers() {
    let mut cases = 0;
    for length in 2..=3 {
        for code in strings(length) {
            for at in 1..code.len() {
                let code = format!("{}|{}", &code[..at], &code[at..]);
                cases += agree_on(&code, 2, letters());
            }
        }
    }
    cases += agree_on("L|C|L", 2, letters()) + agree_on("L|C", 3, letters());
    assert!(cases >= 500, "{cases}");
}

/// What the brute force has as the worst case, in the interval of the solver and below the relay bound.
#[test]
fn every_interval_holds_the_worst_case() {
    let mut cases = 0;
    for code in ["LCL", "CCL", "LLCC", "L|C", "LC|L"] {
        for sigma in [[1, 1], [1, 2], [2, 1]] {
            for [warps, blocks, resident, multiprocessors] in [
                [1, 4, 2, 1],
                [2, 3, 1, 1],
                [1, 5, 1, 2],
                [1, 3, 2, 2],
                [1, 2, 2, 2],
                [2, 2, 2, 1],
                [1, 3, 3, 2],
            ] {
                let code = code.to_owned();
                let one = grids::Grid { code, sigma, warps, blocks, resident, multiprocessors };
                let (best, worst) = grids::makespans(&one);
                let of = grid(&one);
                assert!(grid_bottleneck(&of).unwrap().cycles().0 <= worst, "{one:?}");
                assert!(relay::bound(&of).unwrap().cycles().0 >= worst, "{one:?}");
                for choice in [EngineChoice::Auto, EngineChoice::Phase] {
                    let solution = Solver::new().engine(choice.clone()).solve(&of).unwrap();
                    let (lower, upper) = (solution.worst_case().lower(), solution.worst_case().upper());
                    assert!(lower.cycles().0 <= worst && upper.cycles().0 >= worst, "{one:?}");
                    if let Some(witness) = solution.witness() {
                        assert_eq!(
                            replay(&of, witness.schedule().clone()).unwrap().makespan(),
                            lower.cycles()
                        );
                    }
                    if choice == EngineChoice::Auto && (!of.starts_together() || !one.code.contains('|')) {
                        assert!(solution.worst_case().is_exact(), "{one:?}");
                        assert!(solution.best_case().is_none_or(|found| found.0 == best), "{one:?}");
                        assert_eq!(solution.ending(), Ending::Proved);
                    }
                }
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 105);
}

/// A grid of blocks of one warp at sigma 1.
fn plain(code: &str, blocks: usize, resident: usize) -> Grid {
    let code = code.to_owned();
    grid(&grids::Grid { code, sigma: [1, 1], warps: 1, blocks, resident, multiprocessors: 1 })
}

#[test]
fn the_solver_says_what_it_did() {
    let solved = |grid: &Grid, choice| Solver::new().engine(choice).solve(grid).unwrap();
    let searched = solved(&plain("LCL", 4, 2), EngineChoice::States);
    assert_eq!((searched.engine(), searched.states().is_some()), (EngineName::States, true));
    let bounded = solved(&plain("LCCL", 40, 4), EngineChoice::Phase);
    assert_eq!((bounded.engine(), bounded.states()), (EngineName::Relay, None));
    assert_eq!(bounded.worst_case().upper().theorem(), Theorem::EqualBlocks);
    let barrier = solved(&plain("LC|CL", 40, 4), EngineChoice::Phase);
    assert_eq!(barrier.worst_case().upper().theorem(), Theorem::Relay);
    let spread = |code| relay::bound(&plain(code, 4, 2).on(2, 2).unwrap()).unwrap().theorem();
    assert_eq!((spread("LCCL"), spread("LC|CL")), (Theorem::EqualBlocks, Theorem::Relay));
    assert_eq!(bounded.worst_case().lower().theorem(), Theorem::Schedule);
    let together = solved(&plain("LLCLL", 4, 4), EngineChoice::Auto);
    assert_eq!((together.engine(), together.worst_case().upper().cycles().0), (EngineName::Phase, 17));
    let paths = solved(&plain("[L/C]L", 4, 2), EngineChoice::Auto);
    assert_eq!(paths.ending(), Ending::NotExact(NotExact::Paths));
    assert_eq!((paths.worst_case().lower().cycles().0, paths.witness()), (8, None));
    for choice in [EngineChoice::Beam(10), EngineChoice::Ilp(Default::default())] {
        let refused = Solver::new().engine(choice).solve(&plain("LCL", 4, 2)).unwrap_err();
        assert!(matches!(refused, SolveError::NotApplicable(NotApplicable::Grid)), "{refused}");
    }
}

#[test]
fn the_solver_keeps_its_limits() {
    let vast = plain("LLCLLCCLLC", 60, 6);
    let stopped = Solver::new().time_limit(Duration::ZERO).solve(&vast).unwrap();
    assert_eq!(stopped.ending(), Ending::Stopped(Stop::TimeLimit));
    assert!(!stopped.worst_case().is_exact());
    let search = Solver::new().engine(EngineChoice::States).memory(1 << 20).solve(&vast).unwrap();
    assert_eq!(search.ending(), Ending::Stopped(Stop::MemoryLimit));
    assert!(search.notes()[0].to_string().starts_with("the search was stopped after"));
    let interrupted = Limits::generous();
    interrupted.interrupt();
    let stopped = Solver::new().limits(&interrupted).solve(&vast).unwrap();
    assert_eq!(stopped.ending(), Ending::Stopped(Stop::Interrupted));
}

fn exact(code: &str, [blocks, resident, multiprocessors]: [usize; 3]) -> u64 {
    let one =
        grids::Grid { code: code.to_owned(), sigma: [1, 1], warps: 1, blocks, resident, multiprocessors };
    searched(&grid(&one)).worst.cycles().0
}

/// With LCL, blocks of one warp, two at once and sigma 1, two rounds of T(2) = 4 cycles are less than four
/// blocks can take.
#[test]
fn rounds_of_the_exact_worst_case_are_unsafe() {
    assert_eq!(exact("LCL", [2, 2, 1]), 4);
    assert_eq!(exact("LCL", [4, 2, 1]), 9);
}

/// With LL on two multiprocessors that hold three blocks of one warp each, a round takes at most 6 cycles. The
/// twelve blocks make two rounds, yet they can take 14 cycles.
#[test]
fn rounds_of_a_safe_bound_are_unsafe_on_two_multiprocessors() {
    assert_eq!(exact("LL", [3, 3, 1]), 6);
    assert_eq!(exact("LL", [12, 3, 2]), 14);
}

#[test]
fn limits_stop_the_search() {
    let one = grids::Grid {
        code: "LLCLLC".to_owned(),
        sigma: [1, 1],
        warps: 2,
        blocks: 40,
        resident: 3,
        multiprocessors: 1,
    };
    let vast = grid(&one);
    assert!(states(&vast) > 100_000);
    let mut little = Limits::generous();
    little.memory = 1 << 16;
    let stopped = |limits: &Limits| solve(&vast, limits, &|_| ()).map(|_| ()).unwrap_err();
    assert!(matches!(stopped(&little), Unfinished::Stopped { stop: Stop::MemoryLimit, .. }));
    let soon = Limits::generous().within(Duration::ZERO);
    assert!(matches!(stopped(&soon), Unfinished::Stopped { stop: Stop::TimeLimit, .. }));
    let interrupted = Limits::generous();
    interrupted.interrupt();
    assert!(matches!(stopped(&interrupted), Unfinished::Stopped { stop: Stop::Interrupted, .. }));
    let paths = Grid::new("[L/C]".parse::<Code>().unwrap(), Multiprocessor::default(), 1, 4).unwrap();
    assert_eq!(states(&paths), u64::MAX);
    let none = solve(&paths, &Limits::generous(), &|_| ());
    assert_eq!(none.map(|_| ()).unwrap_err(), Unfinished::NotApplicable);
}
