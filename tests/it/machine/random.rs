//! Random small machines with random small workloads, small enough for the oracle.

use std::sync::Arc;

use rand::{Rng, RngExt};
use warpspan::model::machine::{Latency, Letter, Machine, MachineGroup, MachineWorkload, Unit};

use super::oracle::{self, Warp, Worst};

/// The number of states up to which the oracle looks for the worst case of a random workload. Nearly all
/// cases have fewer; the others are drawn again.
pub(crate) const MOST_STATES: usize = 2000;

/// What random workloads are to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Anything but barriers.
    Any,
    /// All occupancies are 1.
    Light,
    /// One kernel on one scheduler, with latencies that are long for its number of warps.
    Long,
    /// Anything, with barriers in blocks.
    Barriers,
}

/// A workload of straight lines with its exact worst case.
pub(crate) struct Case {
    pub(crate) workload: MachineWorkload,
    pub(crate) warps: Vec<Warp>,
    pub(crate) worst: Worst,
}

impl Case {
    /// The case in one line, for messages.
    pub(crate) fn text(&self) -> String {
        text(&self.workload)
    }
}

/// A workload in one line, for messages.
pub(crate) fn text(workload: &MachineWorkload) -> String {
    let machine = workload.machine();
    let groups: Vec<String> = workload
        .groups()
        .iter()
        .map(|group| format!("{}:{}", machine.text(&group.code), group.warps))
        .collect();
    let letters: Vec<String> = machine
        .letters()
        .iter()
        .map(|letter| {
            let unit = &machine.units()[letter.unit];
            let (n, Latency { least, most }) = (letter.occupancy, letter.latency);
            let shared = if unit.shared { " shared" } else { "" };
            format!("{}: {} of m={}{shared} n={n} l={least}..{most}", letter.name, unit.name, unit.instances)
        })
        .collect();
    format!(
        "{} in blocks of {:?} on S={} d={:?} [{}]",
        groups.join(" + "),
        workload.warps_per_block(),
        machine.schedulers(),
        machine.width(),
        letters.join("; ")
    )
}

/// A random case of a shape.
pub(crate) fn case(rng: &mut impl Rng, shape: Shape) -> Case {
    loop {
        let workload = workload(rng, shape);
        let warps = oracle::warps(&workload);
        if let Some(worst) = oracle::worst(workload.machine(), &warps, MOST_STATES) {
            return Case { workload, warps, worst };
        }
    }
}

/// The shape of the case of a number: a campaign runs through all of them.
pub(crate) fn shape_of(number: u64) -> Shape {
    match number % 10 {
        0..4 => Shape::Any,
        4..7 => Shape::Light,
        7 => Shape::Long,
        _ => Shape::Barriers,
    }
}

/// A random number, where small ones are likelier than large ones.
fn small(rng: &mut impl Rng, most: u64) -> u64 {
    rng.random_range(1..=most).min(rng.random_range(1..=most))
}

fn machine<R: Rng>(rng: &mut R, shape: Shape) -> Machine {
    let schedulers = match shape {
        Shape::Long => 1,
        _ => [1, 1, 1, 1, 2, 3, 4, 4, 4, 4][rng.random_range(0..10)],
    };
    let width = if rng.random_bool(0.15) { None } else { Some(small(rng, 3)) };
    let light = matches!(shape, Shape::Light) || rng.random_bool(0.4);
    let long = matches!(shape, Shape::Long);
    let numbers = |rng: &mut R| {
        let occupancy = if light { 1 } else { small(rng, 3) };
        let least = if long { rng.random_range(2..=6) } else { small(rng, 3) };
        let most = least + rng.random_range(0..=2_u64).min(rng.random_range(0..=2));
        (occupancy, Latency { least, most })
    };
    let kinds = rng.random_range(1..=3);
    let units: Vec<Unit> = ["L", "C", "F"][..kinds]
        .iter()
        .map(|&name| {
            let (occupancy, latency) = numbers(rng);
            let shared = schedulers > 1 && rng.random_bool(0.4);
            Unit { instances: small(rng, 3), shared, occupancy, latency, ..Unit::simple(name) }
        })
        .collect();
    let more = if rng.random_bool(0.3) { rng.random_range(1..=2) } else { 0 };
    let letters = ["X", "Y"][..more]
        .iter()
        .map(|&name| {
            let (occupancy, latency) = numbers(rng);
            let unit = rng.random_range(0..kinds);
            Letter { name: name.to_owned(), unit, occupancy, latency, requests: vec![] }
        })
        .collect();
    Machine::new(schedulers, width, units, letters).unwrap()
}

/// A random workload of straight lines, which may be too large for the oracle.
pub(crate) fn workload<R: Rng>(rng: &mut R, shape: Shape) -> MachineWorkload {
    let machine = machine(rng, shape);
    let mut names: Vec<&str> = machine.letters().iter().map(|letter| letter.name.as_str()).collect();
    if rng.random_bool(0.3) {
        names.truncate(2);
    }
    let string = |rng: &mut R, most: usize| -> String {
        let share: f64 = rng.random_range(0.2..0.9);
        let length = rng.random_range(1..=most);
        let one = |_| {
            let at = if rng.random_bool(share) { 0 } else { rng.random_range(0..names.len()) };
            names[at]
        };
        (0..length).map(one).collect()
    };
    let mut left = match (shape, machine.schedulers()) {
        (_, 1) => rng.random_range(2..=4_u64),
        (Shape::Barriers, _) => rng.random_range(2..=4),
        (_, schedulers) => rng.random_range(schedulers..=schedulers + 2),
    };
    let most = match left {
        ..=3 => 5,
        4 => 4,
        _ => 3,
    };
    let groups = if matches!(shape, Shape::Long) { 1 } else { rng.random_range(1..=3_u64) };
    let mut all = Vec::new();
    for group in 0..groups {
        if left == 0 {
            break;
        }
        let warps = if group + 1 == groups { left } else { rng.random_range(1..=left) };
        left -= warps;
        let mut text = string(rng, most);
        if matches!(shape, Shape::Barriers) {
            for _ in 0..rng.random_range(1..=2) {
                text.insert(rng.random_range(0..=text.len()), '|');
            }
        }
        all.push(MachineGroup { code: machine.code(&text).unwrap(), warps });
    }
    let workload = MachineWorkload::new(Arc::new(machine), all).unwrap();
    match shape {
        Shape::Barriers if rng.random_bool(0.5) => workload.in_blocks_of(rng.random_range(1..=3)).unwrap(),
        _ => workload,
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rayon::prelude::*;

    use super::*;

    /// Occupancies above 1, four schedulers, a unit that several schedulers share and letters with a range of
    /// latencies are each in at least a tenth of the cases.
    #[test]
    fn nothing_is_rare() {
        let cases: Vec<Case> = (0..500_u64)
            .into_par_iter()
            .map(|seed| case(&mut ChaCha8Rng::seed_from_u64(seed), shape_of(seed)))
            .collect();
        for case in &cases {
            assert!(case.worst.makespan() <= case.worst.last_result(), "{}", case.text());
        }
        let share = |what: &str, holds: &dyn Fn(&Case) -> bool| {
            let found = cases.iter().filter(|case| holds(case)).count();
            println!("{what}: {found} of {}", cases.len());
            assert!(found * 10 >= cases.len(), "{what}: {found} of {}", cases.len());
        };
        // Only letters that some warp issues count.
        let used = |case: &Case| -> Vec<Letter> {
            let machine = case.workload.machine();
            let steps = case.warps.iter().flat_map(|warp| warp.segments.iter().flatten());
            steps.map(|step| machine.letter(step.letter).clone()).collect()
        };
        let any = |case: &Case, holds: &dyn Fn(&Letter) -> bool| used(case).iter().any(holds);
        share("an occupancy above 1", &|case| any(case, &|letter| letter.occupancy > 1));
        share("a range of latency", &|case| any(case, &|letter| letter.latency.least < letter.latency.most));
        let schedulers = |case: &Case| case.workload.machine().schedulers();
        share("four schedulers", &|case| schedulers(case) == 4 && case.warps.len() > 4);
        let shared = |case: &Case, letter: &Letter| case.workload.machine().units()[letter.unit].shared;
        share("a shared unit", &|case| any(case, &|letter| shared(case, letter)));
        share("several groups", &|case| case.workload.groups().len() > 1);
        share("barriers", &|case| case.workload.has_barriers());
        share("a width that limits", &|case| {
            case.workload.machine().width().is_some_and(|width| width < 3 && width > 1)
        });
    }
}
