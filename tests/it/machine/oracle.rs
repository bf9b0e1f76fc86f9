//! The exact worst case of a few warps on a machine, found by trying everything.
//!
//! Barriers open when all warps of a block have arrived: with all their results, or before.
//!
//! Each warp runs a straight line. A state is what each warp and each unit is doing at the start of a cycle,
//! and from each state every set of issues is tried that a work-conserving schedule may make, with every
//! latency of every issue. Nothing is left out because it resembles something else. It shares no code with
//! the library but the types that describe machines.

use std::collections::{BTreeSet, HashMap};

use warpspan::model::machine::{LetterId, Machine, MachineWorkload, Step};

/// A warp of the oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Warp {
    /// The number of its scheduler.
    pub(crate) scheduler: u64,
    /// The number of its block. Only warps of one block wait for one another at barriers.
    pub(crate) block: usize,
    /// Its instructions between barriers.
    pub(crate) segments: Vec<Vec<Step>>,
}

/// The worst cases of warps that start together, each maximised on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Worst {
    /// For each warp the last cycle in which it issues; 0 if it has no instruction.
    pub(crate) finish: Vec<u64>,
    /// For each warp the cycle at whose end its last result is there: t + l - 1 for an issue in cycle t with
    /// latency l.
    pub(crate) result: Vec<u64>,
    /// The number of states that were visited.
    pub(crate) states: usize,
}

impl Worst {
    /// The last cycle in which any warp issues.
    pub(crate) fn makespan(&self) -> u64 {
        self.finish.iter().copied().max().unwrap_or(0)
    }

    /// The cycle at whose end the last result of any warp is there.
    pub(crate) fn last_result(&self) -> u64 {
        self.result.iter().copied().max().unwrap_or(0)
    }
}

/// The warps of a workload whose groups are straight lines.
pub(crate) fn warps(workload: &MachineWorkload) -> Vec<Warp> {
    let mut all = Vec::new();
    let mut block = 0;
    for group in workload.groups() {
        let mut segments = vec![vec![]];
        for step in group.code.written_out().expect("a straight line") {
            match step {
                Some(step) => segments.last_mut().unwrap().push(step),
                None => segments.push(vec![]),
            }
        }
        for number in 0..group.warps {
            if number > 0 && number % workload.warps_per_block().unwrap_or(group.warps) == 0 {
                block += 1;
            }
            let scheduler = u64::try_from(all.len()).unwrap() % workload.machine().schedulers();
            all.push(Warp { scheduler, block, segments: segments.clone() });
        }
        block += 1;
    }
    all
}

/// The exact worst case of warps, or `None` if there are more states than `most`.
pub(crate) fn worst(machine: &Machine, warps: &[Warp], most: usize) -> Option<Worst> {
    let mut search = Search { machine, warps, most, known: HashMap::new() };
    let mut all = search.worst(&State::start(machine, warps))?;
    let result = all.split_off(warps.len());
    Some(Worst { finish: all, result, states: search.known.len() })
}

/// The exact smallest makespan of warps over all schedules and latencies, or `None` if there are more states
/// than `most`.
pub(crate) fn best(machine: &Machine, warps: &[Warp], most: usize) -> Option<u64> {
    let mut search = Search { machine, warps, most, known: HashMap::new() };
    Some(search.best(&State::start(machine, warps))?[0])
}

/// What a warp is doing at the start of a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Runner {
    /// The segment of its next instruction, and that instruction's place in it.
    pub(crate) segment: usize,
    pub(crate) at: usize,
    /// The number of cycles until its next instruction may be ready.
    pub(crate) stall: u64,
    /// The instructions whose results are not there yet: the tokens that each sets, and the cycles until its
    /// result is there.
    pub(crate) running: Vec<(Vec<u16>, u64)>,
}

/// What all warps and units are doing at the start of a cycle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) warps: Vec<Runner>,
    /// For each unit, and each scheduler if it is private, the cycles for which its held instances will still
    /// be held.
    pub(crate) held: Vec<Vec<Vec<u64>>>,
}

impl State {
    /// The start of cycle 1.
    pub(crate) fn start(machine: &Machine, warps: &[Warp]) -> Self {
        let runner = Runner { segment: 0, at: 0, stall: 0, running: vec![] };
        let held = |shared: bool| vec![vec![]; if shared { 1 } else { of(machine.schedulers()) }];
        Self {
            warps: vec![runner; warps.len()],
            held: machine.units().iter().map(|unit| held(unit.shared)).collect(),
        }
    }
}

fn of(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

/// The number of segments of the warps of a block, where a warp that has fewer waits at the other barriers
/// too.
fn segments_of(block: usize, warps: &[Warp]) -> usize {
    warps.iter().filter(|warp| warp.block == block).map(|warp| warp.segments.len()).max().unwrap_or(0)
}

/// Opens all barriers at which all warps of the block have arrived with all their results.
pub(crate) fn open_barriers(warps: &[Warp], state: &mut State) {
    for block in warps.iter().map(|warp| warp.block) {
        while open_barrier(warps, state, block, false) {}
    }
}

/// The states in which one more barrier has been opened before all results of the block are there, as hardware may do that
/// does not wait for them: from the time on at which all its warps have arrived and may go on.
pub(crate) fn opened_early(warps: &[Warp], state: &State) -> Vec<State> {
    let blocks: BTreeSet<usize> = warps.iter().map(|warp| warp.block).collect();
    let opened = |block| {
        let mut state = state.clone();
        open_barrier(warps, &mut state, block, true).then_some(state)
    };
    blocks.into_iter().filter_map(opened).collect()
}

fn open_barrier(warps: &[Warp], state: &mut State, block: usize, early: bool) -> bool {
    let members = || (0..warps.len()).filter(|&number| warps[number].block == block);
    let arrived = members().all(|number| {
        let runner = &state.warps[number];
        let here = warps[number].segments.get(runner.segment).map_or(0, Vec::len);
        runner.at == here && runner.stall == 0 && (early || runner.running.is_empty())
    });
    let now = members().map(|number| state.warps[number].segment).max().unwrap();
    if !arrived || now + 1 >= segments_of(block, warps) {
        return false;
    }
    for number in members() {
        state.warps[number].segment += 1;
        state.warps[number].at = 0;
    }
    true
}

/// The next instruction of a warp, if it is ready.
fn ready<'a>(warp: &'a Warp, runner: &Runner) -> Option<&'a Step> {
    let step = warp.segments.get(runner.segment)?.get(runner.at)?;
    let free = |token: &u16| !runner.running.iter().any(|(tokens, _)| tokens.contains(token));
    let waits = step.waits.iter().any(|waits| !waits.needs.iter().all(free));
    (runner.stall == 0 && !waits).then_some(step)
}

/// Whether a warp has no instruction left.
pub(crate) fn has_ended(warp: &Warp, runner: &Runner) -> bool {
    let left = |(segment, steps): (usize, &Vec<Step>)| {
        segment > runner.segment && !steps.is_empty() || segment == runner.segment && runner.at < steps.len()
    };
    !warp.segments.iter().enumerate().any(left)
}

/// All states at the start of the next cycle. The barriers of `state` have been opened.
pub(crate) fn next(machine: &Machine, warps: &[Warp], state: &State) -> Vec<State> {
    let ready: Vec<(usize, LetterId)> = (0..warps.len())
        .filter_map(|number| Some((number, ready(&warps[number], &state.warps[number])?.letter)))
        .collect();
    let mut found = Vec::new();
    for set in 0_u32..1 << ready.len() {
        let issues = || ready.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1).map(|(_, r)| *r);
        // The instances of a unit that a scheduler sees, and how many of them are held in this cycle.
        let place =
            |unit: usize, scheduler: u64| if machine.units()[unit].shared { 0 } else { of(scheduler) };
        let held = |unit: usize, scheduler: u64| {
            let place_of = |number: usize| place(unit, warps[number].scheduler);
            let same = |&(number, letter): &(usize, LetterId)| {
                machine.letter(letter).unit == unit && place_of(number) == place(unit, scheduler)
            };
            state.held[unit][place(unit, scheduler)].len() + issues().filter(same).count()
        };
        let slots =
            |scheduler: u64| issues().filter(|&(number, _)| warps[number].scheduler == scheduler).count();
        let fits = issues().all(|(number, letter)| {
            let scheduler = warps[number].scheduler;
            let unit = machine.letter(letter).unit;
            held(unit, scheduler) <= of(machine.units()[unit].instances)
                && machine.width().is_none_or(|width| slots(scheduler) <= of(width))
        });
        let waits_for_nothing = |&(at, &(number, letter)): &(usize, &(usize, LetterId))| {
            let scheduler = warps[number].scheduler;
            let unit = machine.letter(letter).unit;
            set >> at & 1 == 0
                && held(unit, scheduler) < of(machine.units()[unit].instances)
                && machine.width().is_none_or(|width| slots(scheduler) < of(width))
        };
        if !fits || ready.iter().enumerate().any(|issue| waits_for_nothing(&issue)) {
            continue;
        }
        let mut states = vec![state.clone()];
        for (number, letter) in issues() {
            let letter = machine.letter(letter);
            let with = |mut state: State, latency: u64| {
                let runner = &mut state.warps[number];
                let step = &warps[number].segments[runner.segment][runner.at];
                runner.at += 1;
                runner.stall = step.waits.as_ref().map_or(latency, |waits| waits.stall.into());
                let tokens = step.waits.as_ref().map_or(vec![], |waits| waits.sets.clone());
                runner.running.push((tokens, latency));
                state.held[letter.unit][place(letter.unit, warps[number].scheduler)].push(letter.occupancy);
                state
            };
            states = states
                .into_iter()
                .flat_map(|state| {
                    (letter.latency.least..=letter.latency.most)
                        .map(move |latency| with(state.clone(), latency))
                })
                .collect();
        }
        found.extend(states.into_iter().map(after_a_cycle));
    }
    found
}

/// The same state one cycle later.
fn after_a_cycle(mut state: State) -> State {
    for runner in &mut state.warps {
        runner.stall = runner.stall.saturating_sub(1);
        runner.running.iter_mut().for_each(|(_, cycles)| *cycles -= 1);
        runner.running.retain(|(_, cycles)| *cycles > 0);
        runner.running.sort_unstable();
    }
    for instances in state.held.iter_mut().flatten() {
        instances.iter_mut().for_each(|cycles| *cycles -= 1);
        instances.retain(|cycles| *cycles > 0);
        instances.sort_unstable();
    }
    state
}

struct Search<'a> {
    machine: &'a Machine,
    warps: &'a [Warp],
    most: usize,
    known: HashMap<State, Vec<u64>>,
}

impl Search<'_> {
    /// For each warp the most cycles until its last issue, followed for each by those until its last result.
    fn worst(&mut self, state: &State) -> Option<Vec<u64>> {
        let mut state = state.clone();
        open_barriers(self.warps, &mut state);
        if let Some(known) = self.known.get(&state) {
            return Some(known.clone());
        }
        let ended: Vec<bool> =
            self.warps.iter().zip(&state.warps).map(|(warp, runner)| has_ended(warp, runner)).collect();
        let last = |runner: &Runner| runner.running.iter().map(|(_, cycles)| *cycles).max().unwrap_or(0);
        let mut all: Vec<u64> = vec![0; self.warps.len()];
        all.extend(state.warps.iter().map(last));
        if !ended.iter().all(|&ended| ended) {
            for after in next(self.machine, self.warps, &state) {
                let then = self.worst(&after)?;
                for (at, cycles) in then.into_iter().enumerate() {
                    if !ended[at % self.warps.len()] {
                        all[at] = all[at].max(1 + cycles);
                    }
                }
            }
            for early in opened_early(self.warps, &state) {
                let then = self.worst(&early)?;
                all.iter_mut().zip(then).for_each(|(most, cycles)| *most = cycles.max(*most));
            }
        }
        if self.known.len() >= self.most {
            return None;
        }
        self.known.insert(state, all.clone());
        Some(all)
    }

    /// The fewest cycles until the last issue of all warps, in a list of one.
    fn best(&mut self, state: &State) -> Option<Vec<u64>> {
        let mut state = state.clone();
        open_barriers(self.warps, &mut state);
        if let Some(known) = self.known.get(&state) {
            return Some(known.clone());
        }
        let mut fewest = u64::MAX;
        if self.warps.iter().zip(&state.warps).all(|(warp, runner)| has_ended(warp, runner)) {
            fewest = 0;
        } else {
            for after in next(self.machine, self.warps, &state) {
                fewest = fewest.min(1 + self.best(&after)?[0]);
            }
        }
        if self.known.len() >= self.most {
            return None;
        }
        self.known.insert(state, vec![fewest]);
        Some(vec![fewest])
    }
}
