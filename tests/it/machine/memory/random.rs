//! Random tiny workloads on machines with servers.

use std::sync::Arc;

use num_rational::Ratio;
use rand::{Rng, RngExt};
use warpspan::model::machine::{
    Latency, LetterId, Machine, MachineGroup, MachineWorkload, Others, Pauses, Request, Server, Step, Unit,
    Waits,
};
use warpspan::model::program::{Divergence, Piece};

use super::oracle::Line;

/// What random workloads are to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// Straight lines, where each instruction waits for the one before.
    Plain,
    /// Instructions that say what waits for them.
    Waits,
    /// Branches, uniform and divergent.
    Branches,
    /// Blocks with barriers.
    Barriers,
    /// Plain, with others and pauses at the servers.
    Others,
    /// Plain, with amounts that servers owe from before.
    Before,
}

/// The steps up to which the oracle looks at a case; more are drawn again.
pub(crate) const MOST: usize = 8000;

/// A random server.
pub(crate) fn server<R: Rng>(rng: &mut R, number: usize, shape: Shape) -> Server {
    let rates = [(1, 2), (1, 1), (1, 1), (3, 2), (2, 1), (2, 3)];
    let of = |(above, below): (u64, u64)| Ratio::new(above, below);
    let mut server = Server::simple(["DRAM", "L2"][number], of(rates[rng.random_range(0..rates.len())]));
    if matches!(shape, Shape::Before) {
        server.before = rng.random_range(1..=3);
    }
    if matches!(shape, Shape::Others) {
        if rng.random_bool(0.7) {
            let rate = server.rate * Ratio::new(rng.random_range(0..=2), 4);
            server.others = Others { burst: rng.random_range(0..=1), rate };
        }
        if rng.random_bool(0.6) {
            let length = rng.random_range(1..=2);
            let every = length * 3 + rng.random_range(0..=3);
            server.pauses = Some(Pauses { length, every, postponed: rng.random_range(0..=1), of_all: false });
        }
    }
    server
}

/// A random machine with one or two servers.
pub(crate) fn machine<R: Rng>(rng: &mut R, shape: Shape) -> Machine {
    let schedulers = [1, 1, 2][rng.random_range(0..3_usize)];
    let many = if rng.random_bool(0.4) && shape != Shape::Others { 2 } else { 1 };
    let servers: Vec<Server> = (0..many).map(|number| server(rng, number, shape)).collect();
    let unit = |rng: &mut R, name: &str| {
        let least = if rng.random_bool(0.7) { 1 } else { 2 };
        let most = least + u64::from(rng.random_bool(0.4));
        let asked = |rng: &mut R| Request {
            amount: if rng.random_bool(0.4) { 0 } else { rng.random_range(1..=2) },
            displaces: if shape == Shape::Before { rng.random_range(0..=1) } else { 0 },
        };
        Unit {
            instances: if rng.random_bool(0.7) { 1 } else { 2 },
            shared: schedulers > 1 && rng.random_bool(0.5),
            occupancy: if rng.random_bool(0.7) { 1 } else { rng.random_range(2..=3) },
            latency: Latency { least, most },
            requests: (0..many).map(|_| asked(rng)).collect(),
            ..Unit::simple(name)
        }
    };
    let units = ["L", "C"].map(|name| unit(rng, name)).to_vec();
    let width = [Some(1), Some(1), Some(2), None][rng.random_range(0..4_usize)];
    Machine::new(schedulers, width, units, vec![]).unwrap().with_servers(servers).unwrap()
}

/// A random letter.
fn letter<R: Rng>(rng: &mut R, waits: bool) -> Piece<Step> {
    let letter = LetterId::new(usize::from(rng.random_bool(0.35))).unwrap();
    let mut tokens = || (0..2_u16).filter(|_| rng.random_bool(0.5)).collect::<Vec<u16>>();
    let (needs, sets) = (tokens(), tokens());
    let waits = waits.then(|| Arc::new(Waits { stall: rng.random_range(1..=2), needs, sets }));
    Piece::Letters { letter: Step { letter, waits }, count: 1, line: rng.random_range(1..=3) }
}

/// Random code of so many letters at most.
pub(crate) fn code<R: Rng>(rng: &mut R, shape: Shape, most: usize) -> Piece<Step> {
    let length = rng.random_range(1..=most);
    let waits = shape == Shape::Waits || rng.random_bool(0.15);
    let mut all: Vec<Piece<Step>> = (0..length).map(|_| letter(rng, waits)).collect();
    if shape == Shape::Branches {
        let at = rng.random_range(0..all.len());
        let arms = vec![
            all[at].clone(),
            Piece::Sequence((0..rng.random_range(0..=1)).map(|_| letter(rng, waits)).collect()),
        ];
        let divergence = [Divergence::Uniform, Divergence::Divergent][usize::from(rng.random_bool(0.4))];
        all[at] = Piece::Branch { arms: arms.into(), divergence, line: 4 };
    }
    if shape == Shape::Barriers {
        for _ in 0..rng.random_range(1..=2) {
            all.insert(rng.random_range(0..=all.len()), Piece::Barrier { line: 5 });
        }
    }
    Piece::Sequence(all.into())
}

/// All lines that a warp may run.
pub(crate) fn lines(code: &Piece<Step>) -> Vec<Line> {
    let join = |before: &Line, after: &Line| {
        let mut all = before.clone();
        let seam = all.pop().unwrap();
        all.push([&seam[..], &after[0][..]].concat());
        all.extend(after[1..].iter().cloned());
        all
    };
    let then = |one: &[Line], other: &[Line]| -> Vec<Line> {
        one.iter().flat_map(|one| other.iter().map(move |other| join(one, other))).collect()
    };
    match code {
        Piece::Letters { letter, count, .. } => {
            vec![vec![vec![letter.clone(); usize::try_from(*count).unwrap()]]]
        }
        Piece::Barrier { .. } => vec![vec![vec![], vec![]]],
        Piece::Sequence(pieces) => {
            pieces.iter().fold(vec![vec![vec![]]], |all, piece| then(&all, &lines(piece)))
        }
        Piece::Branch { arms, divergence, .. } => {
            let mut all: Vec<Line> = arms.iter().flat_map(lines).collect();
            if *divergence == Divergence::Divergent {
                all.extend(then(&lines(&arms[0]), &lines(&arms[1])));
                all.extend(then(&lines(&arms[1]), &lines(&arms[0])));
            }
            all
        }
        Piece::Loop { .. } => unreachable!("no case has one"),
    }
}

/// A random workload of one multiprocessor.
pub(crate) fn workload<R: Rng>(rng: &mut R, shape: Shape) -> MachineWorkload {
    let machine = machine(rng, shape);
    let warps = rng.random_range(1..=3_u64);
    let first = rng.random_range(1..=warps);
    let most = if warps == 3 || shape == Shape::Others { 2 } else { 3 };
    let counts = [first, warps - first];
    let group = |warps| MachineGroup { code: code(rng, shape, most), warps };
    let groups = counts.into_iter().filter(|&warps| warps > 0).map(group).collect();
    let workload = MachineWorkload::new(Arc::new(machine), groups).unwrap();
    if rng.random_bool(0.3) { workload.in_blocks_of(rng.random_range(1..=2)).unwrap() } else { workload }
}
