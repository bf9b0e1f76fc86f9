//! What the letters of others count for the last warp of a group on a scheduler.

use std::collections::{BTreeMap, BTreeSet};

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::{plus, times};
use crate::latency::policy::others::{Line, Others, Sum};
use crate::latency::weights::Weights;
use warpspan_model::machine::{Latency, LetterId, Machine, Order, Step};

/// What the letters of a warp of one group count for the followed warp.
pub(super) struct Counted {
    /// One each.
    pub(super) letters: Sum,
    /// Their weights on the same scheduler, and on another one.
    pub(super) near: Sum,
    pub(super) far: Sum,
    /// The weights on the same scheduler by Theorem F, which hold for every order together.
    pub(super) narrow: Option<Sum>,
    /// The parts of these for which a unit of the followed warp is held after the issue: h/m.
    pub(super) holds: Sum,
    /// By each unit of the followed warp, if the order is known: the letters that can keep it held.
    pub(super) held: Vec<Sum>,
    /// The same: the letters that are not for it.
    pub(super) moves: Vec<Sum>,
    /// The same: the holds of it alone.
    pub(super) of_unit: Vec<Sum>,
}

/// The longest time for which a letter of some groups holds a unit; 0 if none uses it.
pub(super) fn longest_hold(context: &Context<'_>, unit: usize, groups: impl Iterator<Item = usize>) -> i128 {
    let machine = context.machine();
    let letters: BTreeSet<LetterId> =
        groups.flat_map(|group| context.letters[group].iter().copied()).collect();
    let of_unit = letters.iter().map(|&letter| machine.letter(letter)).filter(|letter| letter.unit == unit);
    of_unit.map(|letter| i128::from(letter.occupancy)).max().unwrap_or(0)
}

/// What letters weigh for the last warp of a group on a scheduler, in an order.
pub(super) struct Rules<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) order: Order,
    pub(super) group: usize,
    pub(super) pinned: &'a [u64],
    pub(super) weights: Weights<'a>,
    /// Whether memory may make latencies longer.
    pub(super) freezes: bool,
}

impl Rules<'_> {
    pub(super) fn counted(&self, others: &Others<'_>, other: usize) -> Result<Counted, LatencyError> {
        let own = &self.context.units[self.group];
        let machine = self.context.machine();
        let size = machine.letters().len();
        let [mut near, mut far, mut holds] = [vec![0; size], vec![0; size], vec![0; size]];
        for &letter in &self.context.letters[other] {
            let unit = machine.letter(letter).unit;
            let at = letter.index();
            far[at] = self.weights.other(letter, own)?;
            near[at] = self.weights.same(letter, own)?;
            if own.contains(&unit) {
                let one = self.weights.parts / i128::from(machine.units()[unit].instances);
                let held = self.held_after(letter);
                holds[at] = times(one, held)?;
                // (G) and the slot, where one issue a cycle is all.
                if self.is_narrow() {
                    near[at] = near[at].min(plus(self.weights.parts, holds[at])?);
                }
            }
        }
        let unit_of = |step: &Step| machine.letter(step.letter).unit;
        let lone = |of: &dyn Fn(&Step) -> i128| others.sum(other, of);
        let mut counted = Counted {
            letters: lone(&|_| 1)?,
            near: lone(&|step| near[step.letter.index()])?,
            far: lone(&|step| far[step.letter.index()])?,
            holds: lone(&|step| holds[step.letter.index()])?,
            narrow: None,
            held: Vec::new(),
            moves: Vec::new(),
            of_unit: Vec::new(),
        };
        // What is told by the unit is of known orders only.
        for &unit in own.iter().filter(|_| self.order != Order::Any) {
            let shared = self.is_shared(unit);
            let held = |step: &Step| {
                let letter = machine.letter(step.letter);
                i128::from(letter.unit == unit && (shared || letter.occupancy > 1))
            };
            counted.held.push(lone(&held)?);
            counted.moves.push(lone(&|step| i128::from(unit_of(step) != unit))?);
            counted
                .of_unit
                .push(lone(&|step| if unit_of(step) == unit { holds[step.letter.index()] } else { 0 })?);
        }
        if let Some(line) = others.lines[other].as_ref().filter(|_| self.is_narrow() && !self.freezes) {
            counted.narrow = Some(self.narrow(line, &near)?);
        }
        Ok(counted)
    }

    /// The weights of a line on the same scheduler by Theorem F: while a letter holds its unit, the next ones of its warp use the
    /// slot, or others do.
    fn narrow(&self, line: &Line, near: &[i128]) -> Result<Sum, LatencyError> {
        let machine = self.context.machine();
        let own = &self.context.units[self.group];
        let mut quick = BTreeMap::new();
        let mut sums = vec![0];
        for (at, step) in line.steps.iter().enumerate() {
            let letter = machine.letter(step.letter);
            let mut weight = near[step.letter.index()];
            if own.contains(&letter.unit) && letter.occupancy > 1 {
                let (mut used, mut passed) = (0_i128, 0_i128);
                for next in at + 1..line.steps.len() {
                    passed = plus(passed, step_of(&line.steps[next - 1], machine).most.into())?;
                    let follower = &line.steps[next];
                    let unit = machine.letter(follower.letter).unit;
                    let needs = follower.waits.as_ref().is_some_and(|waits| !waits.needs.is_empty());
                    let is_quick = *quick.entry(unit).or_insert_with(|| self.is_quick(unit));
                    if line.gates[next] || needs || !is_quick || passed > i128::from(letter.occupancy) - 1 {
                        break;
                    }
                    used += 1;
                }
                let one = self.weights.parts / i128::from(machine.units()[letter.unit].instances);
                let held = i128::from(letter.occupancy) - 1 - used;
                weight = weight.min(plus(self.weights.parts, times(one, held)?)?);
            }
            sums.push(plus(sums[at], weight)?);
        }
        Ok(Sum::Before(sums))
    }

    /// h: the cycles after its own for which a letter on the same scheduler may hold its unit while the followed warp waits for it.
    fn held_after(&self, letter: LetterId) -> i128 {
        let machine = self.context.machine();
        let of = machine.letter(letter);
        let after = i128::from(of.occupancy) - 1;
        if !self.is_narrow() || self.is_shared(of.unit) {
            return after;
        }
        let others = self.context.groups().filter(|&group| self.same_scheduler(group) > 0);
        let longest = longest_hold(self.context, of.unit, others);
        after.min((longest - i128::from(machine.units()[of.unit].instances)).max(0))
    }

    /// Whether a scheduler issues one instruction a cycle.
    fn is_narrow(&self) -> bool {
        self.context.machine().width() == Some(1)
    }

    /// The schedulers that have warps.
    pub(super) fn schedulers(&self) -> u64 {
        self.context.machine().schedulers().min(self.context.workload.total_warps())
    }

    /// Whether several schedulers use one unit.
    pub(super) fn is_shared(&self, unit: usize) -> bool {
        self.context.machine().units()[unit].shared && self.schedulers() > 1
    }

    /// Whether a unit is private, and all letters of the scheduler hold it for one cycle.
    pub(super) fn is_quick(&self, unit: usize) -> bool {
        let present = self.context.groups().filter(|&group| self.pinned[group] > 0);
        !self.is_shared(unit) && longest_hold(self.context, unit, present) <= 1
    }

    /// The other warps of a group on the same scheduler.
    pub(super) fn same_scheduler(&self, group: usize) -> u64 {
        self.pinned[group] - u64::from(group == self.group)
    }

    /// The warps of a group on other schedulers.
    pub(super) fn other_schedulers(&self, group: usize) -> u64 {
        self.context.warps(group) - self.pinned[group]
    }
}

/// The time until the next instruction of the warp may issue if it needs no result: the latency, or the stall.
pub(super) fn step_of(step: &Step, machine: &Machine) -> Latency {
    match &step.waits {
        None => machine.letter(step.letter).latency,
        Some(waits) => {
            let stall = u64::from(waits.stall).max(1);
            Latency { least: stall, most: stall }
        }
    }
}
