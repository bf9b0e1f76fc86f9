//! Grids whose warps are spread over the schedulers: no schedule of random tiny ones exceeds a bound, the engine finds what the
//! formulas say, and each ingredient of these is needed.
//!
//! `WARPSPAN_CASES` asks for more cases than are always run.

mod formulas;
mod known;
mod random;
mod search;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use num_rational::Ratio;
use rayon::prelude::*;
use warpspan::engines::latency::{Block, Blocks, followed, grid_followed};
use warpspan::model::machine::{self as model, Latency, Machine, Others, Request, Server};
use warpspan::model::program::{Divergence, Piece};

use crate::common::cases::{cases, first_seed};
use formulas::{Bounds, Flaw, bounds};
use random::{Random, Shape};
use search::{Case, Worst, worst};

/// How many steps a search may try.
const MOST: usize = 6_000;

/// A random case of a shape, with its worst ends.
fn draw(seed: u64, shape: Shape) -> (Case, Worst) {
    let mut random = Random(seed);
    loop {
        let Some(case) = random::trimmed(random::case(&mut random, shape)) else { continue };
        if let Some(found) = worst(&case, MOST) {
            return (case, found);
        }
    }
}

/// The case in the library's types.
struct OfLibrary {
    machine: Arc<Machine>,
    code: Piece<model::Step>,
}

impl OfLibrary {
    fn new(case: &Case) -> Self {
        let letters = case.letters.iter().enumerate().map(|(number, letter)| {
            let unit = case.units[usize::from(letter.unit)];
            let [least, most] = letter.latency.map(u64::from);
            let requests = case
                .rates
                .iter()
                .enumerate()
                .map(|(server, _)| Request { amount: letter.asks[server].into(), displaces: 0 });
            (
                unit,
                model::Letter {
                    name: format!("X{number}"),
                    unit: letter.unit.into(),
                    occupancy: letter.occupancy.into(),
                    latency: Latency { least, most },
                    requests: requests.collect(),
                },
            )
        });
        let letters: Vec<model::Letter> = letters.map(|(_, letter)| letter).collect();
        let units = case.units.iter().enumerate().map(|(number, unit)| model::Unit {
            shared: unit.shared,
            instances: unit.instances.into(),
            ..model::Unit::simple(&format!("U{number}"))
        });
        let units: Vec<model::Unit> = units.collect();
        let of_units = units.len();
        let width = (case.width > 0).then(|| case.width.into());
        let servers =
            case.rates.iter().zip(&case.before).enumerate().map(|(number, (rate, before))| Server {
                name: format!("S{number}"),
                rate: Ratio::new(rate[0].into(), rate[1].into()),
                others: Others { burst: u64::from(*before), rate: Ratio::from(0) },
                before: 0,
                line: 1,
                lone_sector: 1,
                pauses: None,
            });
        let machine = Machine::new(case.schedulers.into(), width, units, letters)
            .and_then(|machine| machine.with_servers(servers.collect()))
            .unwrap();
        let step = |&(letter, waits): &search::Step| {
            let tokens = |mask: u8| (0..2_u16).filter(|bit| mask >> bit & 1 == 1).collect();
            let waits = waits.map(|waits| {
                Arc::new(model::Waits {
                    stall: waits.stall.into(),
                    needs: tokens(waits.needs),
                    sets: tokens(waits.sets),
                })
            });
            let letter = model::LetterId::new(usize::from(letter) + of_units).unwrap();
            Piece::Letters { letter: model::Step { letter, waits }, count: 1, line: 0 }
        };
        let path = |path: &Vec<Vec<search::Step>>| {
            let mut pieces = Vec::new();
            for (number, segment) in path.iter().enumerate() {
                if number > 0 {
                    pieces.push(Piece::Barrier { line: 0 });
                }
                pieces.extend(segment.iter().map(step));
            }
            Piece::Sequence(pieces.into())
        };
        let mut paths: Vec<Piece<model::Step>> = case.paths.iter().map(path).collect();
        let code = match paths.len() {
            1 => paths.remove(0),
            _ => Piece::Branch { arms: paths.into(), divergence: Divergence::Uniform, line: 0 },
        };
        Self { machine: Arc::new(machine), code }
    }

    /// The bounds on the last issue, if there are no barriers, and on the last result.
    fn bounds(&self, case: &Case, spread: bool) -> (Option<u64>, u64) {
        let block = Block { code: &self.code, warps: case.warps.into() };
        let (number, resident) = (case.blocks.into(), case.resident.into());
        let multiprocessors = case.multiprocessors.into();
        let blocks = Blocks { block, number, resident, multiprocessors, spread };
        let traffic = blocks.traffic(&self.machine).unwrap();
        let done = followed(&self.machine, &blocks, 0, &traffic).unwrap();
        let issued =
            (!self.code.has_barrier()).then(|| grid_followed(&self.machine, &blocks, 0, &traffic).unwrap());
        assert!(spread || !done.spread && issued.as_ref().is_none_or(|issued| !issued.spread));
        (issued.map(|issued| issued.upper.cycles().0), done.upper.cycles().0)
    }
}

/// No end is later than a bound, whether the engine or the formulas found it.
fn check(case: &Case, found: &Worst, formulas: &Bounds) {
    let library = OfLibrary::new(case);
    let [last, result, free] = [found.issued, found.done, found.freed].map(u64::from);
    for spread in [true, false] {
        let (issued, done) = library.bounds(case, spread);
        assert!(issued.is_none_or(|issued| last <= issued), "issued: {issued:?}, {found:?}, {case:?}");
        assert!(result <= done && free <= done, "done: {done}, {found:?}, {case:?}");
        if spread {
            let issued = issued.map(|issued| i64::try_from(issued).unwrap());
            assert!(
                issued.is_none_or(|issued| issued == formulas.all[0]),
                "{issued:?}, {formulas:?}, {case:?}"
            );
        }
    }
    if let (Some(together), [_]) = (formulas.together, &case.paths[..]) {
        let (_, done) = library.bounds(case, true);
        assert!(i64::try_from(done).unwrap() <= together, "{done}, {formulas:?}, {case:?}");
    }
    if let Some(flaw) = exceeded(case, found, formulas) {
        panic!("{flaw}: {found:?}, {formulas:?}, {case:?}");
    }
}

/// A moment that is later than a bound for warps that are spread.
fn exceeded(case: &Case, found: &Worst, formulas: &Bounds) -> Option<&'static str> {
    let [issued, done, freed, started] =
        [found.issued, found.done, found.freed, found.started].map(i64::from);
    let plain = case.paths[0].len() == 1;
    let later = |three: formulas::Three, end: i64| end > three[1].min(three[2]);
    if case.multiprocessors == 1 {
        if plain && later(formulas.issued, issued) {
            return Some("issued");
        }
        if later(formulas.done, done) || later(formulas.done, freed) {
            return Some("done");
        }
        if formulas.started.is_some_and(|three| later(three, started)) {
            return Some("started");
        }
    }
    if formulas.together.is_some_and(|together| done.max(freed) > together) {
        return Some("together");
    }
    if plain && issued > formulas.all[0] || done > formulas.all[1] {
        return Some("all");
    }
    None
}

fn campaign(shapes: &[Shape], whole: u64) {
    type Row = [u64; 6];
    let table: Mutex<BTreeMap<Shape, Row>> = Mutex::default();
    let flaws: Mutex<BTreeMap<Flaw, u64>> = Mutex::default();
    (0..cases(whole)).into_par_iter().for_each(|seed| {
        let shape = shapes[usize::try_from(seed).unwrap() % shapes.len()];
        let (case, found) = draw(first_seed().wrapping_add(11_000_000 + seed * 7919), shape);
        let all = bounds(&case, Flaw::None);
        check(&case, &found, &all);
        let (end, three) = match case.paths[0].len() {
            1 => (found.issued, all.issued),
            _ => (found.done, all.done),
        };
        let end = i64::from(end);
        let least = if case.paths[0].len() == 1 { all.all[0] } else { all.all[1] };
        let mut table = table.lock().unwrap();
        let row = table.entry(shape).or_default();
        let is_exact = [three[0], three[1], three[2], least].map(|bound| u64::from(end == bound));
        let smaller = u64::from(three[1].min(three[2]) < three[0]);
        for (sum, one) in row.iter_mut().zip([1].into_iter().chain(is_exact).chain([smaller])) {
            *sum += one;
        }
        drop(table);
        for flaw in Flaw::ALL {
            let refuted = exceeded(&case, &found, &bounds(&case, flaw)).is_some();
            *flaws.lock().unwrap().entry(flaw).or_default() += u64::from(refuted);
        }
    });
    for (shape, [cases, p, p1, p2, all, smaller]) in table.into_inner().unwrap() {
        println!("{shape:?}: {cases} cases, exact {p}, {p1}, {p2}, all {all}, smaller than P {smaller}");
    }
    for (flaw, refuted) in flaws.into_inner().unwrap() {
        println!("without {flaw:?}: refuted by {refuted}");
    }
}

#[test]
fn no_spread_grid_exceeds_a_bound() {
    campaign(&[Shape::Plain, Shape::Tokens, Shape::Held], 6000);
}

#[test]
fn nor_one_with_barriers() {
    campaign(&[Shape::Barriers], 2000);
}

/// Of blocks with barriers that start together and know what waits for what, the engine finds no more than the formula.
#[test]
fn nor_one_with_barriers_and_scoreboards() {
    campaign(&[Shape::BarrierTokens], 3000);
}

#[test]
fn nor_one_on_two_multiprocessors() {
    campaign(&[Shape::Several], 2000);
}

#[test]
fn nor_one_with_memory() {
    campaign(&[Shape::Memory, Shape::MemoryBarriers, Shape::MemorySeveral], 3000);
}
