//! Where the time of the critical path goes: what each line of the code adds to it, and why.
//!
//! The bound is `E + floor(weights of the letters of all other warps)` ([`critical`]). Each letter that
//! the followed warp issues adds the cycle of its issue, and the cycles after it in which the warp could wait
//! for its result or its unit: `max(hi, n)` in all, or its stall if that is longer. The last letter adds its issue
//! alone. Each letter of another warp adds its weight, which is due to its unit or to the issue slot that it
//! takes. The path of the followed warp is the one on which these cycles are most, and the path of another
//! warp the one of the largest weight.
//!
//! These numbers add up to the bound, but for what belongs to no line:
//!
//! - the overlap of latencies. E is less than the sum of the cycles of the path where instructions do not wait
//!   for the one before, and each barrier is crossed once. It can be more where threads interleave or the
//!   bound follows parts of several paths;
//! - the weights of other warps beyond one path, where a branch holds a barrier and the bound takes the most expensive
//!   path of each segment;
//! - the rounding of the sum to whole cycles.

use std::collections::BTreeMap;

use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use crate::latency::LatencyError;
use crate::latency::bounds::{critical_path, upper};
use crate::latency::context::Context;
use crate::latency::critical::{CriticalPath, paths};
use crate::latency::memory::{Traffic, Window, window};
use crate::latency::own::longest;
use crate::latency::weights::Weights;
use crate::own::OwnError;
use crate::phase::Rational;
use crate::program::{Heaviest, ProgramError, heaviest};
use warpspan_check::bound::Upper;
use warpspan_model::machine::{MachineWorkload, Step};

/// Where the time of the critical path of a workload goes. All numbers are cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The group whose warp is followed, from 0: that with the latest finish.
    pub group: usize,
    /// The bound that is accounted for: the critical path of that group.
    pub bound: Upper,
    /// E, the time of the followed warp by itself until its last issue.
    pub own: i128,
    /// What each line adds, in each place where the code has it. Places that add nothing are left out.
    pub places: BTreeMap<Place, Parts>,
    /// What E is above the sum of the lines. It is negative where latencies overlap.
    pub overlap: Rational,
    /// What the other warps are worth beyond the sum of the lines, 0 or more. It is 0 unless a branch holds a barrier.
    pub several_paths: Rational,
    /// What rounding adds, more than -1 and at most 0. Beside memory it is more negative: each server rounds by itself.
    pub rounding: Rational,
    /// What each server of the memory adds, by their numbers.
    pub servers: Vec<i128>,
}

/// A line in the loops around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The group whose code it is in, from 0.
    pub group: usize,
    /// The lines of the loops around it, the outermost first. A passage that the program has outside of a loop
    /// is none of the loop, such as the last one of a header.
    pub loops: Vec<u32>,
    /// The line, from 1.
    pub line: u32,
}

/// What a line adds to the critical path, in cycles, by the reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// The cycles in which the followed warp issues it.
    pub own_issue: Rational,
    /// The cycles after these in which the followed warp waits for its result, its unit or its stall.
    pub own_latency: Rational,
    /// The cycles for which other warps hold the unit with it.
    pub others_unit: Rational,
    /// The cycles in which other warps take the issue slots with it.
    pub others_slots: Rational,
    /// The cycles that the servers of the memory need for what all warps ask with it.
    pub memory: Rational,
}

impl Parts {
    /// All of it.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn sum(&self) -> Result<Rational, LatencyError> {
        let Self { own_issue, own_latency, others_unit, others_slots, memory } = self;
        [own_latency, others_unit, others_slots, memory]
            .into_iter()
            .try_fold(*own_issue, |sum, part| add(sum, *part))
    }

    /// Adds other parts.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn add(&mut self, other: &Self) -> Result<(), LatencyError> {
        self.own_issue = add(self.own_issue, other.own_issue)?;
        self.own_latency = add(self.own_latency, other.own_latency)?;
        self.others_unit = add(self.others_unit, other.others_unit)?;
        self.others_slots = add(self.others_slots, other.others_slots)?;
        self.memory = add(self.memory, other.memory)?;
        Ok(())
    }
}

/// Where the time of the critical path goes. The best of all [`bounds`](crate::latency::bounds()) may
/// be smaller than the critical path.
///
/// ```
/// use std::sync::Arc;
/// use warpspan_engines::latency::account;
/// use warpspan_model::machine::{Latency, Machine, MachineGroup, MachineWorkload, Unit};
///
/// let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
/// let machine = Machine::new(1, Some(2), vec![load, Unit::simple("C")], vec![])?;
/// let code = machine.code("LCCL")?;
/// let workload = MachineWorkload::new(Arc::new(machine), vec![MachineGroup { code, warps: 8 }])?;
/// let found = account(&workload)?;
/// assert_eq!((found.own, found.bound.cycles().0), (4 + 9, 4 + 9 + 7 * 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`bounds`](crate::latency::bounds()).
pub fn account(workload: &MachineWorkload) -> Result<Account, LatencyError> {
    let context = Context::new(workload)?;
    let weights = Weights::new(&context)?;
    let mut latest: Option<(i128, usize, CriticalPath)> = None;
    for group in context.groups() {
        for path in paths(&context, &weights, group)? {
            let [finish, _] = path.finish(weights.parts)?;
            if latest.as_ref().is_none_or(|latest| finish > latest.0) {
                latest = Some((finish, group, path));
            }
        }
    }
    let (finish, group, path) = latest.ok_or(LatencyError::Empty(1))?;
    let mut ledger = Ledger { context: &context, weights: &weights, group, places: BTreeMap::new() };
    let own_of_lines = ledger.own()?;
    let others_of_lines = ledger.others(&path)?;
    let waits = ratio(path.waits, weights.parts);
    let traffic = Traffic::of_workload(workload)?;
    let late = window(context.machine(), &traffic, finish)?;
    let memory_of_lines = ledger.memory(&late)?;
    let servers = Rational::from(late.stalled());
    Ok(Account {
        group,
        bound: upper(late.cycles, critical_path(&traffic))?,
        own: path.own(),
        places: ledger.places,
        overlap: less(Rational::from(path.own()), own_of_lines)?,
        several_paths: less(waits, others_of_lines)?,
        rounding: add(less(waits.floor(), waits)?, less(servers, memory_of_lines)?)?,
        servers: late.servers,
    })
}

/// The places with what is known of them so far.
struct Ledger<'a> {
    context: &'a Context<'a>,
    weights: &'a Weights<'a>,
    /// The followed group.
    group: usize,
    places: BTreeMap<Place, Parts>,
}

impl Ledger<'_> {
    /// Adds the cycles of the followed warp, and returns their sum.
    fn own(&mut self) -> Result<Rational, LatencyError> {
        let machine = self.context.machine();
        let path = heaviest(self.context.code(self.group), |step| longest(step, machine).into());
        let path = path.map_err(error)?;
        // Behind the last letter, nothing waits for its result.
        let last = path.passed.len().checked_sub(1).filter(|_| !path.ends_with_barrier);
        let mut sum = Rational::zero();
        for (at, passed) in path.passed.iter().enumerate() {
            let times = times_of(passed.times)?;
            let waits = Rational::from(longest(passed.letter, machine) - 1);
            let waiting = if Some(at) == last { less(times, Rational::from(1))? } else { times };
            let parts = Parts {
                own_issue: times,
                own_latency: waits.checked_mul(&waiting).ok_or(LatencyError::Overflow)?,
                ..Parts::default()
            };
            sum = add(sum, parts.sum()?)?;
            self.add(self.group, &path, at, &parts)?;
        }
        Ok(sum)
    }

    /// Adds the cycles of the other warps, and returns their sum.
    fn others(&mut self, critical: &CriticalPath) -> Result<Rational, LatencyError> {
        let (context, weights) = (self.context, self.weights);
        let units = &context.units[self.group];
        let mut sum = Rational::zero();
        for group in context.groups() {
            // The weights of all letters that the group may issue; no path has another one.
            let mut near = BTreeMap::new();
            let mut far = BTreeMap::new();
            for &letter in &context.letters[group] {
                near.insert(letter, weights.split(letter, units)?);
                far.insert(letter, [weights.other(letter, units)?, 0]);
            }
            for (warps, table) in [(critical.near[group], near), (critical.far[group], far)] {
                let of = |step: &Step| table.get(&step.letter).copied().unwrap_or_default();
                let path = heaviest(context.code(group), |step| {
                    let [unit, slot] = of(step);
                    Rational::from(unit + slot)
                });
                let path = path.map_err(error)?;
                for (at, passed) in path.passed.iter().enumerate().filter(|_| warps > 0) {
                    let times = times_of(passed.times)?.checked_mul(&Rational::from(i128::from(warps)));
                    let times = times.ok_or(LatencyError::Overflow)?;
                    let cycles = |part: i128| {
                        times.checked_mul(&ratio(part, weights.parts)).ok_or(LatencyError::Overflow)
                    };
                    let [unit, slot] = of(passed.letter);
                    let parts =
                        Parts { others_unit: cycles(unit)?, others_slots: cycles(slot)?, ..Parts::default() };
                    sum = add(sum, parts.sum()?)?;
                    self.add(group, &path, at, &parts)?;
                }
            }
        }
        Ok(sum)
    }

    /// Shares out what each server adds among the lines that use it, and returns the sum. If no line uses a server,
    /// what others or its pauses add goes to the lines that use any server.
    fn memory(&mut self, late: &Window) -> Result<Rational, LatencyError> {
        let machine = self.context.machine();
        let mut sum = Rational::zero();
        for (server, &stalled) in late.servers.iter().enumerate().filter(|(_, stalled)| **stalled > 0) {
            let of = |step: &Step, server: usize| {
                let request = machine.letter(step.letter).request(server);
                i128::from(request.amount) + i128::from(request.displaces)
            };
            let shared = match self.share(stalled, &|step| of(step, server))? {
                Some(shared) => shared,
                None => {
                    let any = |step: &Step| (0..late.servers.len()).map(|server| of(step, server)).sum();
                    self.share(stalled, &any)?.unwrap_or_default()
                }
            };
            sum = add(sum, shared)?;
        }
        Ok(sum)
    }

    /// Shares out cycles among the lines in proportion to what they ask, if they ask anything.
    fn share(
        &mut self,
        cycles: i128,
        asked: &dyn Fn(&Step) -> i128,
    ) -> Result<Option<Rational>, LatencyError> {
        let context = self.context;
        let mut paths = Vec::new();
        let mut all = Rational::zero();
        for group in context.groups() {
            let path = heaviest(context.code(group), |step| Rational::from(asked(step))).map_err(error)?;
            for passed in path.passed {
                let warps = Rational::from(i128::from(context.warps(group)));
                let amount = times_of(passed.times)?.checked_mul(&warps);
                let amount = amount.and_then(|times| times.checked_mul(&asked(passed.letter).into()));
                let amount = amount.ok_or(LatencyError::Overflow)?;
                all = add(all, amount)?;
                paths.push((group, passed, amount));
            }
        }
        if all.is_zero() {
            return Ok(None);
        }
        let mut sum = Rational::zero();
        for (group, passed, amount) in paths {
            let share = amount.checked_mul(&Rational::from(cycles)).ok_or(LatencyError::Overflow)?;
            let memory = share.checked_div(&all).ok_or(LatencyError::Overflow)?;
            sum = add(sum, memory)?;
            if memory > Rational::zero() {
                let place = Place { group, loops: passed.loops, line: passed.line };
                self.places.entry(place).or_default().add(&Parts { memory, ..Parts::default() })?;
            }
        }
        Ok(Some(sum))
    }

    /// Adds what letters of a path add to their place.
    fn add(
        &mut self,
        group: usize,
        path: &Heaviest<'_, Step>,
        at: usize,
        parts: &Parts,
    ) -> Result<(), LatencyError> {
        if *parts == Parts::default() {
            return Ok(());
        }
        let passed = &path.passed[at];
        let place = Place { group, loops: passed.loops.clone(), line: passed.line };
        self.places.entry(place).or_default().add(parts)
    }
}

fn times_of(times: u128) -> Result<Rational, LatencyError> {
    i128::try_from(times).map(Rational::from).map_err(|_| LatencyError::Overflow)
}

/// A number of parts of a cycle, in cycles. A whole cycle has one part or more.
fn ratio(number: i128, parts: i128) -> Rational {
    Rational::new(number, parts)
}

fn add(a: Rational, b: Rational) -> Result<Rational, LatencyError> {
    a.checked_add(&b).ok_or(LatencyError::Overflow)
}

fn less(a: Rational, b: Rational) -> Result<Rational, LatencyError> {
    a.checked_sub(&b).ok_or(LatencyError::Overflow)
}

pub(super) fn error(error: ProgramError) -> LatencyError {
    match error {
        ProgramError::Depth => OwnError::Depth.into(),
        _ => LatencyError::Overflow,
    }
}
