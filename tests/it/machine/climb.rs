//! Climbing towards workloads on which the bounds are tight, and past bounds that lack an ingredient.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::engines::latency::bounds;
use warpspan::model::machine::{Machine, MachineGroup, MachineWorkload, Unit};

use super::formulas::{Flaw, critical, phases};
use super::known::unit;
use super::oracle;
use super::random::text;

/// Groups of one string and its warps.
type Strings = Vec<(String, u64)>;

fn workload(machine: &Arc<Machine>, strings: &Strings) -> MachineWorkload {
    let group =
        |(text, warps): &(String, u64)| MachineGroup { code: machine.code(text).unwrap(), warps: *warps };
    MachineWorkload::new(Arc::clone(machine), strings.iter().map(group).collect()).unwrap()
}

/// Another workload nearby: a letter changed, added or removed, or a warp more or less.
fn nearby(rng: &mut ChaCha8Rng, machine: &Machine, strings: &Strings) -> Strings {
    let mut strings = strings.clone();
    let group = rng.random_range(0..strings.len());
    let (string, warps) = &mut strings[group];
    let at = rng.random_range(0..string.len());
    let letter = machine.letters()[rng.random_range(0..machine.letters().len())].name.clone();
    match rng.random_range(0..5_u32) {
        0 if string.len() > 1 => drop(string.remove(at)),
        1 if string.len() < 6 => string.insert_str(at, &letter),
        2 if *warps > 1 => *warps -= 1,
        3 if *warps < 4 => *warps += 1,
        _ => string.replace_range(at..=at, &letter),
    }
    strings
}

/// The makespan less the smallest bound with a flaw, warp by warp, at its largest; nothing if the workload is
/// too large.
fn excess(workload: &MachineWorkload, flaw: Flaw) -> Option<i128> {
    let warps = oracle::warps(workload);
    let worst = oracle::worst(workload.machine(), &warps, 4000)?;
    let machine = workload.machine();
    let excess = (0..warps.len()).map(|w| {
        let [uniform, neutral] = phases(machine, &warps, w, flaw);
        i128::from(worst.finish[w]) - uniform.min(neutral).min(critical(machine, &warps, w, flaw))
    });
    excess.max()
}

/// Climbs from a small workload, and returns the best that was found.
fn climb(seed: u64, machine: &Arc<Machine>, flaw: Flaw, steps: u32) -> (i128, Strings) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let letters = machine.letters();
    let start = |rng: &mut ChaCha8Rng| -> Strings {
        let one = |rng: &mut ChaCha8Rng| letters[rng.random_range(0..letters.len())].name.clone();
        (0..rng.random_range(1..=2)).map(|_| ((0..4).map(|_| one(rng)).collect(), 2)).collect()
    };
    let mut now = start(&mut rng);
    let mut height = excess(&workload(machine, &now), flaw).unwrap_or(-100);
    for _ in 0..steps {
        let next = nearby(&mut rng, machine, &now);
        if let Some(found) = excess(&workload(machine, &next), flaw)
            && found >= height
        {
            (height, now) = (found, next);
        }
    }
    (height, now)
}

/// Machines with occupancies of 1 on which units, slots and latencies all matter.
fn machines() -> Vec<Arc<Machine>> {
    let one = |width, units: Vec<Unit>| Arc::new(Machine::new(1, Some(width), units, vec![]).unwrap());
    let kind = |name: &str, instances, most| unit(name, instances, 1, [1, most]);
    vec![
        one(2, vec![kind("L", 1, 1), kind("C", 1, 1), kind("F", 2, 1)]),
        one(2, vec![kind("L", 1, 2), kind("C", 1, 1)]),
        one(3, vec![kind("L", 1, 1), kind("C", 2, 1), kind("F", 3, 1)]),
        one(3, vec![kind("L", 1, 2), kind("C", 2, 1)]),
        one(2, vec![kind("L", 2, 1), kind("C", 1, 2)]),
    ]
}

/// The climb never comes past the bounds, and nearly always reaches them.
#[test]
fn climbs_end_at_the_bounds() {
    let climbs: Vec<(i128, String)> = (0..30_u64)
        .into_par_iter()
        .map(|seed| {
            let machines = machines();
            let machine = &machines[usize::try_from(seed).unwrap() % machines.len()];
            let (height, strings) = climb(seed, machine, Flaw::None, 60);
            let found = workload(machine, &strings);
            assert!(bounds(&found).is_ok());
            (height, text(&found))
        })
        .collect();
    for (height, what) in &climbs {
        assert!(*height <= 0, "{height} past the bound: {what}");
    }
    let tight = climbs.iter().filter(|(height, _)| *height == 0).count();
    println!("{tight} of {} climbs end at the bound", climbs.len());
    assert!(tight * 2 > climbs.len());
}
