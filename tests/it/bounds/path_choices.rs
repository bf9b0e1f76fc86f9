//! The interval of programs against every choice of paths and every schedule of them.

use crate::common::cases::{self, cases};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use warpspan::engines::portfolio::{Solution, Solver};
use warpspan::engines::program::{ProgramError, bound};
use warpspan::model::program::Piece;
use warpspan::model::{Kernel, Multiprocessor, Unit, Workload};
use warpspan::schedule::replay;

use crate::brute::barriers::{Warp, states, worst};
use crate::brute::paths::{self, Path, Shape};

fn multiprocessor([l, c]: [usize; 2]) -> Multiprocessor {
    Multiprocessor::new(l.to_string().parse().unwrap(), c.to_string().parse().unwrap())
}

/// A small random program with more than one path, and its paths.
fn program(rng: &mut impl Rng, barriers: bool) -> (Piece, Vec<Path>) {
    loop {
        let shape = Shape { depth: rng.random_range(1..=2), barriers, straight: false };
        let program = paths::random(rng, shape);
        if program.is_straight() {
            continue;
        }
        let one = Workload::single(program.clone(), 1, Multiprocessor::default()).unwrap();
        match bound(&one) {
            Ok(_) => {}
            Err(ProgramError::Arms(_) | ProgramError::Empty(_)) => continue,
            Err(other) => panic!("{program}: {other}"),
        }
        if let Some(paths) = paths::paths(&program) {
            return (program, paths.into_iter().collect());
        }
    }
}

fn workload(program: &Piece, warps: u64, sigma: [usize; 2], same: bool) -> Workload {
    Workload::single(program.clone(), warps, multiprocessor(sigma)).unwrap().with_same_path(same)
}

/// Solves a workload, and judges its witness once more: the lines are paths of the program, as these are
/// listed by other code, and the schedule of them is as long as the lower end.
fn solved(workload: &Workload, paths: &[Path]) -> Solution {
    let solution = Solver::new().threads(1).solve(workload).unwrap();
    let worst = solution.worst_case();
    assert!(worst.lower().cycles().0 > 0 && worst.lower().cycles() <= worst.upper().cycles(), "{workload:?}");
    if let Some(lines) = solution.lines() {
        for line in lines.workload().groups() {
            let segments: Vec<Vec<Unit>> = line.code.kernel().map_or_else(Vec::new, segments);
            let is_path = |path: &Path| {
                // Barriers at the end, where a kernel string has none, hold nobody up.
                let letters = |segments: &[Vec<Unit>]| {
                    let full = segments.iter().filter(|segment| !segment.is_empty());
                    full.cloned().collect::<Vec<_>>()
                };
                letters(&path.0) == letters(&segments)
            };
            assert!(paths.iter().any(is_path), "{} is none of {workload:?}", line.code);
        }
        let witness = solution.witness().unwrap();
        let again = replay(lines.instance(), witness.schedule().clone()).unwrap();
        assert_eq!(again.makespan(), worst.lower().cycles());
    }
    solution
}

fn segments(kernel: &Kernel) -> Vec<Vec<Unit>> {
    let letters = |text: &str| text.chars().map(|letter| Unit::from_letter(letter).unwrap()).collect();
    kernel.to_string().split('|').map(letters).collect()
}

fn on(path: &Path) -> Warp {
    Warp { block: 0, segments: path.0.clone() }
}

fn has_interleaved(program: &Piece) -> bool {
    format!("{program:?}").contains("Interleaved")
}

/// At sigma 1, with W >= 3 warps in one block on one path, the interval is a single number, and it is the
/// largest makespan of any schedule on any path. Barriers may stand anywhere. Where arms may alternate, it is
/// an interval that holds this number.
#[test]
fn one_path_for_all_warps_is_exact() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(11_000 + seed);
        let (mut done, mut coupled) = (0_u64, 0_u64);
        while done < 50 {
            let barriers = rng.random_bool(0.4);
            let (program, paths) = program(&mut rng, barriers);
            let warps = rng.random_range(3..=4_u64);
            let all = |path: &Path| vec![on(path); usize::try_from(warps).unwrap()];
            if paths.len() > 40 || paths.iter().any(|path| states(&all(path)) > 5_000) {
                continue;
            }
            let exact = paths.iter().map(|path| worst(&all(path), [1, 1])).max().unwrap();
            let workload = workload(&program, warps, [1, 1], true);
            let found = solved(&workload, &paths).worst_case();
            if has_interleaved(&program) {
                assert!(found.lower().cycles().0 <= exact && exact <= found.upper().cycles().0, "{program}");
            } else {
                assert_eq!(found.lower().cycles().0, exact, "{program} {warps}");
                assert_eq!(found.upper().cycles().0, exact, "{program} {warps}");
                assert!(bound(&workload).unwrap().exact);
            }
            let apart = bound(&workload.with_same_path(false)).unwrap().makespan.cycles().0;
            assert!(found.upper().cycles().0 <= apart);
            coupled += u64::from(exact < apart);
            done += 1;
        }
        (done, coupled)
    };
    let found: Vec<(u64, u64)> = (0..cases(2_000) / 50).into_par_iter().map(chunk).collect();
    let (done, coupled) = found.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{done} programs; the bound of warps on different paths is larger for {coupled}");
    // The maximum over one path is not that of I and of a over different paths, and the test would see it.
    assert!(coupled > 0);
}

/// The largest makespan over every choice of a path for each warp. It is `None` if there are too many.
fn free(paths: &[Path], warps: usize, sigma: [usize; 2]) -> Option<u64> {
    let mut choices = vec![Vec::new()];
    for _ in 0..warps {
        let more = |choice: Vec<usize>| {
            let first = choice.last().copied().unwrap_or(0); // warps are alike, so their order does not matter
            (first..paths.len()).map(move |path| [&choice[..], &[path]].concat())
        };
        choices = choices.into_iter().flat_map(more).collect();
        if choices.len() > 300 {
            return None;
        }
    }
    let of = |choice: Vec<usize>| choice.into_iter().map(|path| on(&paths[path])).collect::<Vec<_>>();
    let choices: Vec<Vec<Warp>> = choices.into_iter().map(of).collect();
    if choices.iter().map(|warps| states(warps)).sum::<u64>() > 100_000 {
        return None;
    }
    choices.iter().map(|warps| worst(warps, sigma)).max()
}

/// At sigma 1, the interval of warps on any paths holds the worst case, and it is never wider than the theory
/// says: UB - LB <= a and UB <= (1 + 1/W) LB for W >= 3.
#[test]
fn free_paths_lie_in_the_interval() {
    let chunk = |seed: u64| {
        let mut rng = cases::random(12_000 + seed);
        let (mut done, mut exact, mut attained, mut pairs) = (0_u64, 0_u64, 0_u64, 0_u64);
        while done < 25 {
            let (program, paths) = program(&mut rng, false);
            let warps = rng.random_range(1..=4_u64);
            let Some(worst) = free(&paths, usize::try_from(warps).unwrap(), [1, 1]) else { continue };
            let workload = workload(&program, warps, [1, 1], false);
            let solution = solved(&workload, &paths);
            let [lower, upper] =
                [solution.worst_case().lower().cycles().0, solution.worst_case().upper().cycles().0];
            assert!(lower <= worst && worst <= upper, "{lower} {worst} {upper}: {program} {warps}");
            if warps >= 3 && !has_interleaved(&program) {
                let rate = bound(&workload).unwrap().rates[0].to_integer();
                assert!(i128::from(upper - lower) <= rate, "{program} {warps}");
                assert!((upper - lower) * warps <= lower, "{program} {warps}");
            }
            exact += u64::from(lower == upper);
            attained += u64::from(lower == worst);
            pairs += u64::from(solution.lines().is_some_and(|lines| lines.groups().len() == 2));
            done += 1;
        }
        [done, exact, attained, pairs]
    };
    let all = cases(1_500);
    let found: Vec<[u64; 4]> = (0..all / 25).into_par_iter().map(chunk).collect();
    let sum = |at: usize| found.iter().map(|one| one[at]).sum::<u64>();
    println!(
        "{} programs: {} exact, {} with the worst case as lower end, {} with two paths",
        sum(0),
        sum(1),
        sum(2),
        sum(3)
    );
    assert!(sum(1) * 2 > sum(0));
    // One program in about a hundred has two paths.
    assert!(sum(3) > 0 || all < 1_500);
}

/// At every sigma, with barriers and without, for warps on one path and on any paths.
#[test]
fn every_sigma() {
    const SIGMAS: [[usize; 2]; 8] = [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [2, 3], [1, 4], [3, 3]];
    let chunk = |seed: u64| {
        let mut rng = cases::random(13_000 + seed);
        let (mut done, mut sharper) = (0_u64, 0_u64);
        while done < 25 {
            let barriers = rng.random_bool(0.4);
            let (program, paths) = program(&mut rng, barriers);
            let warps = rng.random_range(1..=4_u64);
            let sigma = SIGMAS[rng.random_range(0..SIGMAS.len())];
            let all = |path: &Path| vec![on(path); usize::try_from(warps).unwrap()];
            if paths.len() > 40 || paths.iter().any(|path| states(&all(path)) > 3_000) {
                continue;
            }
            let exact = paths.iter().map(|path| worst(&all(path), sigma)).max().unwrap();
            let same = workload(&program, warps, sigma, true);
            let found = solved(&same, &paths).worst_case();
            let [lower, upper] = [found.lower().cycles().0, found.upper().cycles().0];
            assert!(lower <= exact && exact <= upper, "{lower} {exact} {upper}: {sigma:?} {same:?}");
            let apart = solved(&same.with_same_path(false), &paths).worst_case();
            assert!(upper <= apart.upper().cycles().0, "{sigma:?} {program} {warps}");
            if !barriers && let Some(worst) = free(&paths, usize::try_from(warps).unwrap(), sigma) {
                let [lower, upper] = [apart.lower().cycles().0, apart.upper().cycles().0];
                assert!(lower <= worst && worst <= upper, "{lower} {worst} {upper}: {sigma:?} {program}");
            }
            sharper += u64::from(upper < apart.upper().cycles().0);
            done += 1;
        }
        (done, sharper)
    };
    let found: Vec<(u64, u64)> = (0..cases(1_500) / 25).into_par_iter().map(chunk).collect();
    let (done, sharper) = found.into_iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{done} programs; the bound of one path is smaller for {sharper}");
}

/// The lengths of the alternating blocks of a string, the rate a, and the number of runs.
fn shape(units: &[Unit]) -> (Vec<usize>, u64, usize) {
    let blocks: Vec<usize> = units.chunk_by(|a, b| a != b).map(<[Unit]>::len).collect();
    let rate = blocks.iter().map(|length| length.div_ceil(2) as u64).sum();
    (blocks, rate, units.chunk_by(|a, b| a == b).count())
}

/// Two strings p and z that begin alike, where z has a run more than p has even blocks before its last block:
/// W - 1 warps on p and one on z have a schedule of `|z| + (W-1) a(p)` cycles. Of pairs that begin
/// differently some have none. No pair was found that has none for want of runs: the proof needs them.
#[test]
fn a_pack_keeps_a_straggler_back() {
    let strings = |length: u32| {
        (0..1_u32 << length)
            .map(move |bits| (0..length).map(|at| Unit::ALL[(bits >> at & 1) as usize]).collect::<Vec<_>>())
    };
    let pairs: Vec<(Vec<Unit>, Vec<Unit>)> = (1..=5)
        .flat_map(strings)
        .flat_map(|p| (1..=5).flat_map(strings).map(move |z| (p.clone(), z)))
        .collect();
    let judge = |(p, z): &(Vec<Unit>, Vec<Unit>)| {
        let warp = |units: &Vec<Unit>| Warp { block: 0, segments: vec![units.clone()] };
        let exact = worst(&[warp(p), warp(p), warp(z)], [1, 1]);
        let ((blocks, rate, _), (_, _, runs)) = (shape(p), shape(z));
        let even = blocks[..blocks.len() - 1].iter().filter(|length| *length % 2 == 0).count();
        let attained = exact >= z.len() as u64 + 2 * rate;
        let (alike, enough) = (p[0] == z[0], runs > even);
        assert!(attained || !(alike && enough), "{p:?} {z:?}: {exact}");
        [!attained && enough, !attained && alike].map(u64::from)
    };
    let missed: Vec<[u64; 2]> = pairs.par_iter().map(judge).collect();
    let [unlike, few] = [0, 1].map(|at| missed.iter().map(|one| one[at]).sum::<u64>());
    println!("{} pairs; not attained by {unlike} that begin differently, {few} with few runs", pairs.len());
    assert!(unlike > 0);
}

/// Values computed by hand.
#[test]
fn known_intervals() {
    let ends = |text: &str, warps: u64, same: bool| {
        let piece: Piece = text.parse().unwrap();
        let worst = Solver::new().solve(&workload(&piece, warps, [1, 1], same)).unwrap().worst_case();
        [worst.lower().cycles().0, worst.upper().cycles().0]
    };
    // The long arm has a low rate: I = 8, a = 4. The short arm has I = a = 5.
    let arms = "[LCLCLCLC/LLLLL]";
    assert_eq!(ends(arms, 3, true), [8 + 2 * 4, 8 + 2 * 4]);
    assert_eq!(ends(arms, 4, true), [5 + 3 * 5, 5 + 3 * 5]);
    // On different paths, three warps on LLLLL keep one on LCLCLCLC back.
    assert_eq!(ends(arms, 4, false), [8 + 3 * 5, 8 + 3 * 5]);
    // Here the pack begins with C, which is not what the long path begins with.
    assert_eq!(ends("[LCLCLCLC/CCCCC]", 4, false)[1], 8 + 3 * 5);
    assert_eq!(ends("(LC|)0..5[LL/C]", 3, true), [12 + 2 * 7, 12 + 2 * 7]);
    assert_eq!(ends("[LC/L](LLC|)1000", 1, false), [3_002, 3_002]);
    // With c, on one path as on several: LCCC takes 9 cycles at sigma (1, 2) on four warps.
    let piece: Piece = "[LCCC/LC]".parse().unwrap();
    assert!(bound(&workload(&piece, 4, [1, 2], true)).unwrap().makespan.cycles().0 >= 9);
}

/// Every listing of the repository that has a bound has a lower end above 0 and not above the upper one, at
/// several numbers of warps and sigmas.
#[test]
fn listings_have_a_lower_end() {
    use warpspan::listing::{Options, Text, extract};

    fn files(folder: &std::path::Path, all: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, all);
            } else if path.extension().is_some_and(|end| end == "ptx" || end == "sass" || end == "cuasm") {
                all.push(path);
            }
        }
    }
    let mut all = Vec::new();
    files(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"), &mut all);
    let judge = |path: &std::path::PathBuf| {
        let mut options = Options::default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            match line.split_once(": ") {
                Some(("loop-bound", value)) => options.loop_bounds.add(value).unwrap(),
                Some(("uniform", value)) => drop(options.uniform.insert(value.to_owned())),
                _ => {}
            }
        }
        let Ok(text) = Text::new("k", std::fs::read(path).unwrap()) else { return [0, 0] };
        let Ok(found) = extract(&text, &options) else { return [0, 0] };
        let mut count = [0_u64; 2];
        for code in found.iter().filter_map(|entry| entry.code("k").ok()) {
            for (warps, sigma) in [(1, [1, 1]), (8, [1, 1]), (48, [1, 2]), (3, [2, 1])] {
                let workload = Workload::single(code.clone(), warps, multiprocessor(sigma)).unwrap();
                if workload.instance().is_some() {
                    continue; // other tests solve straight lines
                }
                let Ok(solution) = Solver::new().threads(1).solve(&workload) else { continue };
                let worst = solution.worst_case();
                assert!(worst.lower().cycles().0 > 0, "{path:?}");
                assert!(worst.lower().cycles() <= worst.upper().cycles(), "{path:?}");
                count[0] += 1;
                count[1] += u64::from(worst.is_exact());
            }
        }
        count
    };
    let found: Vec<[u64; 2]> = all.par_iter().map(judge).collect();
    let [programs, exact] = [0, 1].map(|at| found.iter().map(|one| one[at]).sum::<u64>());
    println!("{} files; {programs} intervals of programs, {exact} of them exact", all.len());
    assert!(programs > 100);
}
