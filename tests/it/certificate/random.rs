//! Random instances: the checker accepts all of their certificates, and refuses what was changed in them.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::Value;
use warpspan::bound::Theorem;
use warpspan::engines::relay;

use super::*;

const SIGMAS: [&str; 6] = ["1", "1", "2", "3", "1/2", "4"];

fn sigma(rng: &mut impl Rng) -> (&'static str, &'static str) {
    (SIGMAS[rng.random_range(0..6)], SIGMAS[rng.random_range(0..6)])
}

fn kernel(rng: &mut impl Rng, letters: &[char], length: usize) -> String {
    let rest: String = (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect();
    format!("{}{rest}", ['L', 'C'][rng.random_range(0..2)])
}

/// One or two groups, with and without barriers.
fn warps(rng: &mut impl Rng) -> Workload {
    let sigma = sigma(rng);
    let letters = ['L', 'C', 'L', 'C', 'L', 'C', 'L', 'C', '|'];
    let groups = rng.random_range(1..=2);
    let kernels: Vec<String> = (0..groups).map(|_| kernel(rng, &letters, 5)).collect();
    let groups: Vec<(&str, u64)> =
        kernels.iter().map(|kernel| (kernel.as_str(), rng.random_range(1..=4))).collect();
    let workload = workload(&groups, sigma);
    if rng.random_bool(0.5) { workload.in_blocks_of(2).unwrap() } else { workload }
}

/// What the checker must refuse: an issue less, a letter more, more letters for each L, and a bound below the makespan
/// of the schedule.
fn tampered(text: &str, rng: &mut impl Rng) -> Vec<Value> {
    let whole: Value = serde_json::from_str(text).unwrap();
    let changed = |change: &mut dyn FnMut(&mut Value)| {
        let mut file = whole.clone();
        change(&mut file);
        file
    };
    let mut files = Vec::new();
    // A search for what is false goes through all states, which may take for ever, so the schedule is changed alone.
    let whole = match whole["at_most"]["by"].as_str() {
        Some("search" | "segments") => {
            changed(&mut |file| drop(file.as_object_mut().unwrap().remove("at_most")))
        }
        _ => whole.clone(),
    };
    let changed = |change: &mut dyn FnMut(&mut Value)| {
        let mut file = whole.clone();
        change(&mut file);
        file
    };
    if whole["at_least"].is_object() {
        let cycles = whole["at_least"]["schedule"].as_array().unwrap().len();
        let at = rng.random_range(0..cycles);
        files.push(changed(&mut |file| {
            let row = file["at_least"]["schedule"][at].as_array_mut().unwrap();
            row.pop();
        }));
        files.push(changed(&mut |file| {
            let kernel = &mut file["kernels"][0]["kernel"];
            *kernel = format!("{}L", kernel.as_str().unwrap()).into();
        }));
        files.push(changed(&mut |file| {
            let unit = if file["kernels"][0]["kernel"].as_str().unwrap().contains('L') {
                "sigma_l"
            } else {
                "sigma_c"
            };
            let letters = &mut file[unit][1];
            *letters = (letters.as_u64().unwrap() + 1).into();
        }));
        if whole["at_most"].is_object() {
            files.push(changed(&mut |file| file["at_most"]["cycles"] = (cycles - 1).into()));
        }
        files.push(changed(&mut |file| file["at_least"]["cycles"] = (cycles + 1).into()));
    }
    files
}

fn check(certificates: &[Certificate]) {
    if !checker_is_here() {
        return;
    }
    certificates.par_iter().enumerate().for_each(|(seed, certificate)| {
        let text = json(certificate);
        assert!(checker_accepts(&text), "{text}");
        for file in tampered(&text, &mut ChaCha8Rng::seed_from_u64(seed as u64)) {
            assert!(!checker_accepts(&file.to_string()), "{file}");
        }
    });
}

/// Two hundred instances, of which Coq checks twelve.
#[test]
fn random_instances() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let workloads: Vec<Workload> = (0..200).map(|_| warps(&mut rng)).collect();
    let certificates: Vec<Certificate> = workloads.par_iter().map(certified).collect();
    let by =
        |what: &str| certificates.iter().filter(|c| json(c).contains(&format!("\"by\":\"{what}\""))).count();
    assert!(
        ["theorem", "phases", "search", "segments"].iter().all(|what| by(what) > 0),
        "each kind comes up"
    );
    check(&certificates);
    if coq_is_here() {
        let texts: Vec<String> = certificates.iter().take(12).map(coq).collect();
        assert!(accepted(&together(&texts)), "one of the first twelve certificates");
    }
}

/// The bound of a grid is proved by its certificate, to the cycle.
#[test]
fn bounds_of_random_grids() {
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let mut random = || {
        let length = rng.random_range(0..9);
        let (kernel, (l, c)) = (kernel(&mut rng, &['L', 'C'], length), sigma(&mut rng));
        let warps = rng.random_range(1..=5);
        let [blocks, multiprocessors, resident] = [40, 4, 4].map(|most| rng.random_range(1..=most));
        let multiprocessor = Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap());
        let grid = Grid::new(kernel.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
        grid.on(multiprocessors, resident).unwrap()
    };
    let grids: Vec<Grid> = (0..300).map(|_| random()).collect();
    let of_warps = |grid: &Grid| grid.starts_together() && grid.multiprocessors() == 1;
    assert!(grids.iter().filter(|grid| !of_warps(grid)).count() > 200);
    grids.par_iter().filter(|grid| !of_warps(grid)).for_each(|grid| {
        let certificate = Certificate::of_grid_bounds(grid).unwrap();
        let bound = relay::bound(grid).unwrap();
        assert_eq!(certificate.at_most(), bound.cycles(), "{grid:?}");
        assert_eq!(bound.theorem(), Theorem::EqualBlocks);
        if checker_is_here() {
            assert!(checker_accepts(&json(&certificate)), "{grid:?}");
        }
    });
}

/// Sixty grids of up to six blocks on one or two multiprocessors.
#[test]
fn random_grids() {
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let mut random = || {
        let (kernel, sigma) = (kernel(&mut rng, &['L', 'C'], 3), sigma(&mut rng));
        let [warps, multiprocessors, resident] = std::array::from_fn(|_| rng.random_range(1..=2));
        (kernel, sigma, [warps, rng.random_range(1..=6), multiprocessors, resident])
    };
    let cases: Vec<_> = (0..60).map(|_| random()).collect();
    let certificates: Vec<Certificate> =
        cases.par_iter().map(|(kernel, sigma, numbers)| of_grid(kernel, *sigma, *numbers)).collect();
    check(&certificates);
}
