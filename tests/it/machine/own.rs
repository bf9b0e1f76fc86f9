//! E and scoreboards: no warp finishes later than E plus the weights of the others, whatever the schedule and
//! the latencies.
//!
//! The search here tries every schedule and every latency of a few warps on straight lines.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;
use warpspan::engines::own::{Own, own};
use warpspan::model::machine::{Latency, Letter, LetterId, Machine, Step, Unit, Waits};
use warpspan::model::program::Piece;

use super::oracle;

/// What a warp is doing at the start of a cycle: the place of its next instruction, the cycles until that may
/// be ready, and the cycles for which each token is not free.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Warp {
    at: usize,
    stall: u64,
    tokens: [u64; 3],
}

/// All warps, and for each unit and scheduler the cycles for which its instances are held.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    warps: Vec<Warp>,
    held: Vec<Vec<u64>>,
}

#[derive(Debug)]
struct Company {
    machine: Machine,
    lines: Vec<Vec<Step>>,
}

/// The largest last issue and the largest last result of each warp, in cycles from a state on.
type Ends = Vec<(u64, u64)>;

impl Company {
    fn scheduler(&self, warp: usize) -> usize {
        warp % usize::try_from(self.machine.schedulers()).unwrap()
    }

    /// The place of a unit in the vector of held instances, as a warp sees it.
    fn place(&self, unit: usize, warp: usize) -> usize {
        let schedulers = usize::try_from(self.machine.schedulers()).unwrap();
        unit * schedulers + if self.machine.units()[unit].shared { 0 } else { self.scheduler(warp) }
    }

    fn next(&self, state: &State, warp: usize) -> Option<&Step> {
        let (one, step) = (&state.warps[warp], self.lines[warp].get(state.warps[warp].at)?);
        let free = |token: &u16| one.tokens[usize::from(*token)] == 0;
        let ready = one.stall == 0 && step.waits.iter().all(|waits| waits.needs.iter().all(free));
        ready.then_some(step)
    }

    /// The ready warps that may issue beside those that have issued in this cycle.
    fn may_issue(&self, state: &State, issued: &[usize]) -> Vec<usize> {
        let fits = |&warp: &usize| {
            let Some(step) = self.next(state, warp) else { return false };
            let unit = self.machine.letter(step.letter).unit;
            let held = &state.held[self.place(unit, warp)];
            let slots = issued.iter().filter(|one| self.scheduler(**one) == self.scheduler(warp)).count();
            !issued.contains(&warp)
                && (held.len() as u64) < self.machine.units()[unit].instances
                && self.machine.width().is_none_or(|width| (slots as u64) < width)
        };
        (0..self.lines.len()).filter(fits).collect()
    }

    /// All states at the end of a cycle in which some warps have issued, with the latencies of the issues.
    fn issue(
        &self,
        state: &State,
        issued: &[usize],
        found: &mut Vec<(State, Vec<(usize, u64)>)>,
        log: &[(usize, u64)],
    ) {
        let may = self.may_issue(state, issued);
        if may.is_empty() {
            found.push((state.clone(), log.to_vec()));
        }
        for warp in may {
            // The order of issues within a cycle does not matter, unless it decides who is left out.
            let step = &self.lines[warp][state.warps[warp].at];
            let letter = self.machine.letter(step.letter);
            for latency in letter.latency.least..=letter.latency.most {
                let mut after = state.clone();
                after.held[self.place(letter.unit, warp)].push(letter.occupancy);
                let one = &mut after.warps[warp];
                one.at += 1;
                one.stall = latency;
                if let Some(waits) = &step.waits {
                    one.stall = waits.stall.into();
                    for &token in &waits.sets {
                        let token = &mut one.tokens[usize::from(token)];
                        *token = latency.max(*token);
                    }
                }
                self.issue(&after, &[issued, &[warp]].concat(), found, &[log, &[(warp, latency)]].concat());
            }
        }
    }

    fn worst(&self, state: &State, known: &mut HashMap<State, Ends>) -> Ends {
        if let Some(ends) = known.get(state) {
            return ends.clone();
        }
        let mut ends = vec![(0, 0); self.lines.len()];
        if state.warps.iter().zip(&self.lines).any(|(warp, line)| warp.at < line.len()) {
            let mut found = vec![];
            self.issue(state, &[], &mut found, &[]);
            for (mut after, log) in found {
                for warp in &mut after.warps {
                    warp.stall = warp.stall.saturating_sub(1);
                    warp.tokens.iter_mut().for_each(|token| *token = token.saturating_sub(1));
                }
                for held in &mut after.held {
                    held.iter_mut().for_each(|cycles| *cycles -= 1);
                    held.retain(|cycles| *cycles > 0);
                    held.sort_unstable();
                }
                let later = self.worst(&after, known);
                for (warp, (finish, result)) in ends.iter_mut().enumerate() {
                    let issued = log.iter().find(|(one, _)| *one == warp);
                    let ends_later = later[warp].0 > 0;
                    *finish =
                        (*finish).max(if ends_later { later[warp].0 + 1 } else { issued.is_some().into() });
                    let own = issued.map_or(0, |(_, latency)| *latency);
                    let after = if later[warp].1 > 0 { later[warp].1 + 1 } else { 0 };
                    *result = (*result).max(own).max(after);
                }
            }
        }
        known.insert(state.clone(), ends.clone());
        ends
    }

    fn ends(&self) -> Ends {
        let warp = Warp { at: 0, stall: 0, tokens: [0; 3] };
        let places = self.machine.units().len() * usize::try_from(self.machine.schedulers()).unwrap();
        let start = State { warps: vec![warp; self.lines.len()], held: vec![vec![]; places] };
        self.worst(&start, &mut HashMap::new())
    }

    fn weight(&self, warp: usize, other: usize, step: &Step) -> u64 {
        let unit = |step: &Step| self.machine.letter(step.letter).unit;
        let occurs = self.lines[warp].iter().any(|one| unit(one) == unit(step));
        weight(&self.machine, step, self.scheduler(warp) == self.scheduler(other), occurs)
    }

    /// The weights of all others, in whole cycles.
    fn others(&self, warp: usize) -> u64 {
        let others = (0..self.lines.len()).filter(|other| *other != warp);
        let all = others.flat_map(|other| self.lines[other].iter().map(move |step| (other, step)));
        all.map(|(other, step)| self.weight(warp, other, step)).sum::<u64>() / 12
    }

    fn code(&self, warp: usize) -> Piece<Step> {
        code(&self.lines[warp])
    }
}

fn code(line: &[Step]) -> Piece<Step> {
    let letters = |step: &Step| Piece::Letters { letter: step.clone(), count: 1, line: 0 };
    Piece::Sequence(line.iter().map(letters).collect())
}

/// Warps in blocks with barriers, all with the same number of segments.
#[derive(Debug)]
struct Blocks {
    machine: Machine,
    warps: Vec<oracle::Warp>,
}

impl Blocks {
    /// The last issue and the last result of a block at most: the largest over chains of its warps.
    fn bound(&self, block: usize) -> (u64, u64) {
        let members: Vec<usize> =
            (0..self.warps.len()).filter(|warp| self.warps[*warp].block == block).collect();
        let segments = self.warps[members[0]].segments.len();
        let mut most = (0, 0);
        for number in 0..members.len().pow(u32::try_from(segments).unwrap()) {
            let mut rest = number;
            let chain: Vec<usize> = (0..segments)
                .map(|_| {
                    let warp = members[rest % members.len()];
                    rest /= members.len();
                    warp
                })
                .collect();
            // The last issue may be that of any segment, and so may the last result.
            let (mut before, mut last) = (0, (0, 0));
            for (number, &warp) in chain.iter().enumerate() {
                let Own { last_issue, completion, arrival } = self.segment(warp, number);
                last = (last.0.max(before + last_issue), last.1.max(before + completion));
                before += arrival;
            }
            let others = self.others(&chain);
            most = (most.0.max(last.0 + others), most.1.max(last.1 + others));
        }
        most
    }

    fn segment(&self, warp: usize, number: usize) -> Own {
        own(&code(&self.warps[warp].segments[number]), &self.machine).unwrap()
    }

    /// The weights of all letters outside of a chain, in whole cycles.
    fn others(&self, chain: &[usize]) -> u64 {
        let follows = |warp: usize, segment: usize| chain[segment] == warp;
        let steps = (0..self.warps.len()).flat_map(|warp| {
            let segments = self.warps[warp].segments.iter().enumerate();
            segments.flat_map(move |(number, steps)| steps.iter().map(move |step| (warp, number, step)))
        });
        let unit = |step: &Step| self.machine.letter(step.letter).unit;
        let inside: Vec<usize> = steps
            .clone()
            .filter(|(warp, number, _)| follows(*warp, *number))
            .map(|(_, _, step)| unit(step))
            .collect();
        let near =
            |warp: usize| chain.iter().any(|one| self.warps[*one].scheduler == self.warps[warp].scheduler);
        let outside = steps.filter(|(warp, number, _)| !follows(*warp, *number));
        let weights = outside
            .map(|(warp, _, step)| weight(&self.machine, step, near(warp), inside.contains(&unit(step))));
        weights.sum::<u64>() / 12
    }
}

/// Twelve times the weight of an instruction of another warp, which is on the same scheduler or not, and whose
/// unit occurs or not.
fn weight(machine: &Machine, step: &Step, same: bool, occurs: bool) -> u64 {
    let letter = machine.letter(step.letter);
    let unit = &machine.units()[letter.unit];
    let slot = machine.width().map_or(0, |width| 12 / width);
    let instance = 12 / unit.instances;
    match (same, occurs) {
        (true, true) => (letter.occupancy - 1) * instance + instance.max(slot),
        (true, false) => slot,
        (false, true) if unit.shared => letter.occupancy * instance,
        (false, _) => 0,
    }
}

fn step(letter: usize, waits: Option<(u32, Vec<u16>, Vec<u16>)>) -> Step {
    let waits = waits.map(|(stall, needs, sets)| Arc::new(Waits { stall, needs, sets }));
    Step { letter: LetterId::new(letter).unwrap(), waits }
}

fn machines() -> impl Strategy<Value = Machine> {
    let unit = |name: &'static str| {
        (1..3_u64, any::<bool>(), 1..4_u64, 1..3_u64, 0..3_u64).prop_map(
            move |(instances, shared, occupancy, least, more)| Unit {
                instances,
                shared,
                occupancy,
                latency: Latency { least, most: least + more },
                ..Unit::simple(name)
            },
        )
    };
    let extra = (0..2_usize, 1..4_u64, 1..5_u64).prop_map(|(unit, occupancy, most)| Letter {
        name: "X".to_owned(),
        unit,
        occupancy,
        latency: Latency { least: 1, most },
        requests: vec![],
    });
    (1..3_u64, prop::option::of(1..3_u64), unit("L"), unit("C"), extra).prop_map(
        |(schedulers, width, l, c, extra)| Machine::new(schedulers, width, vec![l, c], vec![extra]).unwrap(),
    )
}

fn steps() -> impl Strategy<Value = Step> {
    let tokens = || prop::collection::vec(0..3_u16, 0..2);
    let waits = prop::option::weighted(0.8, (1..4_u32, tokens(), tokens()));
    (0..3_usize, waits).prop_map(|(letter, waits)| step(letter, waits))
}

fn companies() -> impl Strategy<Value = Company> {
    let line = prop::collection::vec(steps(), 1..4);
    (machines(), prop::collection::vec(line, 1..4)).prop_map(|(machine, lines)| Company { machine, lines })
}

fn blocks() -> impl Strategy<Value = Blocks> {
    let segments = |number| prop::collection::vec(prop::collection::vec(steps(), 0..3), number);
    let warps =
        (2..4_usize).prop_flat_map(move |number| prop::collection::vec((0..2_usize, segments(number)), 1..4));
    (machines(), warps).prop_map(|(machine, warps)| {
        let schedulers = machine.schedulers();
        let warp = |(scheduler, (block, segments))| oracle::Warp { scheduler, block, segments };
        let warps = (0..schedulers).cycle().zip(warps).map(warp).collect();
        Blocks { machine, warps }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_warp_finishes_later(company in companies()) {
        for (warp, (finish, result)) in company.ends().into_iter().enumerate() {
            let own = own(&company.code(warp), &company.machine).unwrap();
            let others = company.others(warp);
            prop_assert!(finish <= own.last_issue + others, "{warp}: {finish} {own:?} {others}\n{:?} {:?}", company.machine, company.lines);
            prop_assert!(result <= own.completion + others, "{warp}: {result} {own:?} {others}\n{:?} {:?}", company.machine, company.lines);
            if company.lines.len() == 1 {
                // A warp alone attains it, unless a unit has an instance left that E does not count on.
                prop_assert!(finish == own.last_issue || company.machine.units().iter().any(|unit| unit.instances > 1));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_block_finishes_later(blocks in blocks()) {
        if let Some(worst) = oracle::worst(&blocks.machine, &blocks.warps, 5000) {
            for (warp, one) in blocks.warps.iter().enumerate() {
                let (issue, result) = blocks.bound(one.block);
                prop_assert!(worst.finish[warp] <= issue, "{warp}: {worst:?} {issue}\n{blocks:?}");
                prop_assert!(worst.result[warp] <= result, "{warp}: {worst:?} {result}\n{blocks:?}");
            }
        }
    }
}

/// A unit's own instructions count for E although there are two instances: the warp alone takes 2 cycles, and
/// the other warp weighs 1.5, but it takes 4.
/// A result that nobody waits for before a barrier counts in the segment that it is from, or the bound is too low where the
/// barrier opens before the result is there.
#[test]
fn a_result_that_is_pending_at_a_barrier_counts_once() {
    let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
    let machine = Machine::new(1, None, vec![load, Unit::simple("C")], vec![]).unwrap();
    let (load, used) = (step(0, Some((1, vec![], vec![0]))), step(1, Some((1, vec![0], vec![]))));
    let segments = vec![vec![load.clone()], vec![used.clone()]];
    let warp = oracle::Warp { scheduler: 0, block: 0, segments };
    let worst = oracle::worst(&machine, &[warp], 5000).unwrap();
    let [before, after] = [load, used].map(|step| own(&code(&[step]), &machine).unwrap());
    assert_eq!((worst.finish[0], before.arrival + after.last_issue), (11, 11));
    assert!(before.last_issue + after.last_issue < worst.finish[0]);
}

#[test]
fn without_the_edges_of_units_it_would_be_too_low() {
    let unit = Unit { instances: 2, occupancy: 3, ..Unit::simple("L") };
    let machine = Machine::new(1, Some(2), vec![unit], vec![]).unwrap();
    let free = || step(0, Some((1, vec![], vec![])));
    let alone = Company { machine: machine.clone(), lines: vec![vec![free(), free()]] };
    assert_eq!(alone.ends()[0].0, 2);
    let company = Company { machine, lines: vec![vec![free(), free()], vec![free()]] };
    assert_eq!(company.ends()[0].0, 4);
    assert_eq!(company.others(0), 1);
    assert_eq!(own(&company.code(0), &company.machine).unwrap().last_issue, 4);
}
