//! The forward search by levels, for long kernels and few warps: only states that can be reached are kept.
//!
//! A state is here the number of instructions each warp has issued, in rising order within its group; its level is their
//! sum. A cycle leads from a level to one of the next few, so levels are done in order, and each state remembers the
//! latest and the earliest cycle in which it can be reached. No state is dropped for another: an earlier arrival or a
//! state further ahead may be the worse one (timing anomalies).
//!
//! Levels that are done are kept for the way back while memory allows: from the end, a state one cycle earlier from which
//! a choice leads to the one at hand. Where it does not allow, both values are exact all the same, without a schedule.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::limits::{Limits, Stop};
use crate::model::{Cycles, Instance, PerUnit, Unit};
use crate::schedule::{Issue, Schedule};

/// Instructions issued by each warp: groups one after the other, rising within a group.
type State = Box<[u16]>;

/// The latest and the earliest cycle after which a state is reached.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    latest: u32,
    earliest: u32,
}

type Level = FxHashMap<State, Arrival>;

/// What the search claims.
pub(super) struct Found {
    pub(super) worst: Cycles,
    pub(super) best: Cycles,
    pub(super) schedule: Option<Schedule>,
    pub(super) states: u64,
}

/// Bytes of a state in a hash table beyond its own: box, arrival, and the table's empty places.
const BYTES_BESIDE: u64 = 64;
/// States after which the limits are looked at again.
const STATES_A_LOOK: u64 = 1 << 12;

/// Searches all reachable states.
pub(super) fn search(
    instance: &Instance,
    limits: &Limits,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Found, Stop> {
    let moves = Moves::new(instance).ok_or(Stop::MemoryLimit)?;
    let issues = usize::try_from(instance.total_issues()).map_err(|_| Stop::MemoryLimit)?;
    let bytes = BYTES_BESIDE + 2 * instance.total_warps();
    let mut live: VecDeque<Level> = VecDeque::from([Level::default()]);
    live[0].insert(moves.start(), Arrival { latest: 0, earliest: 0 });
    let mut kept: Option<Vec<Vec<(State, Arrival)>>> = Some(Vec::new());
    let (mut done, mut kept_states, mut looked) = (0_u64, 0_u64, 0_u64);
    for _ in 0..issues {
        let level = live.pop_front().unwrap_or_default();
        for (state, arrival) in &level {
            done += 1;
            if done - looked >= STATES_A_LOOK {
                progress(done - looked);
                looked = done;
                if let Some(stop) = limits.stopped() {
                    return Err(stop);
                }
                let held: u64 = live.iter().map(|level| level.len() as u64).sum::<u64>() + level.len() as u64;
                if (held + kept_states) * bytes > limits.memory {
                    (kept, kept_states) = (None, 0);
                }
                if held * bytes > limits.memory {
                    return Err(Stop::MemoryLimit);
                }
            }
            moves.each(state, &mut |next, count| {
                while live.len() < count {
                    live.push_back(Level::default());
                }
                let (latest, earliest) = (arrival.latest + 1, arrival.earliest + 1);
                match live[count - 1].get_mut(next) {
                    Some(known) => {
                        known.latest = known.latest.max(latest);
                        known.earliest = known.earliest.min(earliest);
                    }
                    None => {
                        live[count - 1].insert(next.into(), Arrival { latest, earliest });
                    }
                }
            });
        }
        if let Some(kept) = &mut kept {
            kept_states += level.len() as u64;
            kept.push(level.into_iter().collect());
        }
    }
    let last = live.pop_front().and_then(|level| level.into_iter().next());
    let (state, arrival) = last.expect("every schedule ends");
    Ok(Found {
        worst: Cycles(arrival.latest.into()),
        best: Cycles(arrival.earliest.into()),
        schedule: kept.map(|kept| moves.back(&kept, state, arrival.latest)),
        states: done + 1,
    })
}

/// The adversary's choices, warp by warp.
struct Moves<'a> {
    instance: &'a Instance,
    sizes: Vec<usize>, // warps of each group
}

/// Warps at the same instruction: the place after the last of them, and how many.
#[derive(Clone, Copy)]
struct Run {
    end: usize,
    ready: u64,
}

impl<'a> Moves<'a> {
    /// `None` where a state would not fit in memory or a kernel's positions not into 16 bits.
    fn new(instance: &'a Instance) -> Option<Self> {
        let fits = instance.total_warps() < 1 << 16
            && instance.groups().iter().all(|group| group.kernel.len() < usize::from(u16::MAX))
            && u32::try_from(instance.total_issues()).is_ok();
        let sizes =
            instance.groups().iter().map(|group| usize::try_from(group.warps)).collect::<Result<_, _>>();
        fits.then_some(Self { instance, sizes: sizes.ok()? })
    }

    fn start(&self) -> State {
        vec![0; self.sizes.iter().sum()].into()
    }

    /// Calls `visit` with the state after every choice and the number of issues.
    fn each(&self, state: &[u16], visit: &mut impl FnMut(&[u16], usize)) {
        let mut runs: PerUnit<Vec<Run>> = PerUnit::from_fn(|_| Vec::new());
        let mut begin = 0;
        for (group, &size) in self.instance.groups().iter().zip(&self.sizes) {
            for run in state[begin..begin + size].chunk_by(|a, b| a == b) {
                begin += run.len();
                if let Some(&unit) = group.kernel.units().get(usize::from(run[0])) {
                    runs[unit].push(Run { end: begin, ready: run.len() as u64 });
                }
            }
        }
        let mut next = state.to_vec();
        self.unit(&runs, &Unit::ALL, &mut next, 0, visit);
    }

    fn unit(
        &self,
        runs: &PerUnit<Vec<Run>>,
        units: &[Unit],
        next: &mut [u16],
        count: usize,
        visit: &mut impl FnMut(&[u16], usize),
    ) {
        let Some((&unit, rest)) = units.split_first() else {
            visit(next, count);
            return;
        };
        let all = runs[unit].iter().map(|run| run.ready).sum();
        let left = self.instance.sigma(unit).min(all);
        self.spread(runs, &runs[unit], left, rest, next, count, visit);
    }

    /// Every way in which `left` warps of the runs can issue, then the other units.
    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn spread(
        &self,
        runs: &PerUnit<Vec<Run>>,
        on: &[Run],
        left: u64,
        rest: &[Unit],
        next: &mut [u16],
        count: usize,
        visit: &mut impl FnMut(&[u16], usize),
    ) {
        if left == 0 {
            self.unit(runs, rest, next, count, visit);
            return;
        }
        let Some((run, others)) = on.split_first() else { return };
        let most = left.min(run.ready);
        self.spread(runs, others, left, rest, next, count, visit);
        // The last warps of a run issue, so that the order is kept.
        for issued in 1..=most {
            let at = usize::try_from(issued).expect("counted in a state");
            next[run.end - at] += 1;
            self.spread(runs, others, left - issued, rest, next, count + at, visit);
        }
        for at in 1..=usize::try_from(most).expect("counted in a state") {
            next[run.end - at] -= 1;
        }
    }

    /// The schedule whose end is reached latest: a place in the state is a warp, since no choice changes the order.
    fn back(&self, kept: &[Vec<(State, Arrival)>], end: State, latest: u32) -> Schedule {
        let mut issues = Vec::new();
        let (mut state, mut level) = (end, kept.len());
        let most = usize::try_from(Unit::ALL.iter().map(|&unit| self.instance.sigma(unit)).sum::<u64>());
        let most = most.unwrap_or(usize::MAX);
        for cycle in (1..=latest).rev() {
            let before = (level.saturating_sub(most)..level).rev().find_map(|earlier| {
                let late = kept[earlier].iter().filter(|(_, arrival)| arrival.latest + 1 == cycle);
                late.map(|(before, _)| before)
                    .find(|before| self.leads(before, &state))
                    .map(|before| (earlier, before))
            });
            let (earlier, before) = before.expect("a state is reached one cycle after another");
            self.issues(before, &state, cycle, &mut issues);
            (state, level) = (before.clone(), earlier);
        }
        Schedule::new(issues)
    }

    /// Whether a choice leads from one state to another.
    fn leads(&self, before: &[u16], after: &[u16]) -> bool {
        if before.iter().zip(after).any(|(&a, &b)| b < a || b > a + 1) {
            return false;
        }
        let mut found = false;
        self.each(before, &mut |next, _| found |= next == after);
        found
    }

    fn issues(&self, before: &[u16], after: &[u16], cycle: u32, issues: &mut Vec<Issue>) {
        let mut begin = 0;
        for (group, &size) in (0..).zip(&self.sizes) {
            let pairs = before[begin..begin + size].iter().zip(&after[begin..begin + size]);
            for (warp, (&a, _)) in (0..).zip(pairs).filter(|(_, (a, b))| a != b) {
                issues.push(Issue { cycle: cycle.into(), group, warp, instruction: a.into() });
            }
            begin += size;
        }
    }
}
