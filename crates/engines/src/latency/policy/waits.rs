//! How long others keep a warp waiting, by what is known of the order.

use std::collections::{BTreeMap, BTreeSet};

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::{plus, times};
use crate::latency::memory::Traffic;
use crate::latency::policy::company::{Company, Line, Sum};
use crate::latency::weights::Weights;
use warpspan_model::machine::{LetterId, Machine, Order, Step};

/// What the letters of a warp of one group count for the followed warp.
struct Counted {
    /// One each.
    letters: Sum,
    /// Their weights on the same scheduler, and on another one.
    near: Sum,
    far: Sum,
    /// The weights on the same scheduler by Theorem F, which hold for every order together.
    narrow: Option<Sum>,
    /// The parts of these for which a unit of the followed warp is held after the issue: h/m.
    holds: Sum,
    /// By each unit of the followed warp, the letters that can keep it held.
    held: Vec<Sum>,
    /// By each unit of the followed warp, the letters that are not for it.
    moves: Vec<Sum>,
    /// By each unit of the followed warp, the holds of it alone.
    of_unit: Vec<Sum>,
}

/// All that is counted for the last warp of a group on a scheduler.
pub(super) struct Tables<'a> {
    context: &'a Context<'a>,
    company: &'a Company<'a>,
    group: usize,
    pinned: &'a [u64],
    /// The number of parts of a cycle in which weights are counted.
    parts: i128,
    /// The units of the followed warp, with the most letters of one of its paths for each.
    units: Vec<(usize, i128)>,
    /// The most letters of one of its paths.
    length: i128,
    /// Whether all of its units are private, and all letters of the scheduler hold them for one cycle.
    quick: bool,
    counted: Vec<Counted>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        traffic: &Traffic,
        company: &'a Company<'a>,
        (group, pinned): (usize, &'a [u64]),
    ) -> Result<Self, LatencyError> {
        let weights = Weights::new(context)?;
        let rules = Rules { context, group, pinned, weights, freezes: !traffic.is_none() };
        let machine = context.machine();
        let of_followed = |of: &dyn Fn(&Step) -> i128| crate::latency::most::along(context.code(group), of);
        let own = &context.units[group];
        let units = own.iter().map(|&unit| {
            Ok((unit, of_followed(&|step| i128::from(machine.letter(step.letter).unit == unit))?))
        });
        let units = units.collect::<Result<Vec<_>, LatencyError>>()?;
        let counted = context.groups().map(|other| rules.counted(company, other));
        Ok(Self {
            context,
            company,
            group,
            pinned,
            parts: rules.weights.parts,
            quick: own.iter().all(|&unit| rules.is_quick(unit)),
            length: of_followed(&|_| 1)?,
            units,
            counted: counted.collect::<Result<_, _>>()?,
        })
    }

    /// The most cycles for which others keep the warp waiting, if only letters count that can be issued by a cycle.
    pub(super) fn waits(&self, order: Order, cycle: Option<i128>) -> Result<i128, LatencyError> {
        let reached: Vec<usize> =
            self.context.groups().map(|group| self.company.reached(group, cycle)).collect();
        let any = self.any(&reached)?;
        Ok(match order {
            Order::Any => any,
            Order::RoundRobin => any.min(self.round_robin(&reached)?),
            Order::Oldest => any.min(self.oldest(&reached)?),
        })
    }

    /// The other warps of a group on the same scheduler.
    fn beside(&self, group: usize) -> u64 {
        self.pinned[group] - u64::from(group == self.group)
    }

    /// The warps of a group on other schedulers.
    fn elsewhere(&self, group: usize) -> u64 {
        self.context.warps(group) - self.pinned[group]
    }

    /// A sum over all groups.
    fn sum(&self, of: impl Fn(usize, &Counted) -> Result<i128, LatencyError>) -> Result<i128, LatencyError> {
        self.counted.iter().enumerate().try_fold(0, |sum, (group, counted)| plus(sum, of(group, counted)?))
    }

    /// Theorem 1 of `docs/machines.md`, with the weights of Theorem F and (G).
    fn any(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let parts = self.sum(|group, counted| {
            let near = counted.narrow.as_ref().unwrap_or(&counted.near);
            let near = times(near.first(reached[group]), self.beside(group))?;
            plus(near, times(counted.far.first(reached[group]), self.elsewhere(group))?)
        })?;
        Ok(parts.div_euclid(self.parts))
    }

    /// Theorem A.
    fn round_robin(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let mut runs = self.length;
        if !self.quick {
            for (at, &(unit, _)) in self.units.iter().enumerate() {
                let shared = self.is_shared(unit);
                let held = self.sum(|group, counted| {
                    let far = if shared { self.elsewhere(group) } else { 0 };
                    times(counted.held[at].first(reached[group]), self.beside(group) + far)
                })?;
                let moves = self.sum(|group, counted| {
                    times(counted.moves[at].first(reached[group]), self.beside(group))
                })?;
                runs = plus(runs, held.min(moves))?;
            }
        }
        let turns = self.sum(|group, counted| {
            times(counted.letters.first(reached[group]).min(runs), self.beside(group))
        })?;
        if self.quick {
            return self.side_by_side(turns);
        }
        let holds = self.sum(|group, counted| {
            let near = times(counted.holds.first(reached[group]), self.beside(group))?;
            plus(near, times(counted.far.first(reached[group]), self.elsewhere(group))?)
        })?;
        plus(turns, holds.div_euclid(self.parts))
    }

    /// The turns of all others where several issue in a cycle: at least k warps before the followed one do in each cycle of a
    /// wait, the first of them another one each time.
    fn side_by_side(&self, turns: i128) -> Result<i128, LatencyError> {
        let machine = self.context.machine();
        let instances = self.units.iter().map(|&(unit, _)| machine.units()[unit].instances).min();
        let at_once = instances.into_iter().chain(machine.width()).min().unwrap_or(1);
        let warps: i128 = self.pinned.iter().map(|&warps| i128::from(warps)).sum();
        let rest = warps - i128::from(at_once);
        if rest <= 0 { Ok(0) } else { Ok(times(turns, rest)? / (warps - 1)) }
    }

    /// Theorem B. The last warp of its group is the youngest, and it waits the longest: one that goes before it weighs more than it
    /// holds when it comes after it.
    fn oldest(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let older = self.sum(|group, counted| match group <= self.group {
            true => times(counted.near.first(reached[group]), self.beside(group)),
            false => Ok(0),
        })?;
        let far =
            self.sum(|group, counted| times(counted.far.first(reached[group]), self.elsewhere(group)))?;
        let mut parts = plus(older, far)?;
        for (at, &(unit, letters)) in self.units.iter().enumerate() {
            let held = self.sum(|group, counted| match group > self.group {
                true => times(counted.of_unit[at].first(reached[group]), self.beside(group)),
                false => Ok(0),
            })?;
            let longest = self.longest_of(unit, self.group..self.counted.len());
            parts = plus(parts, held.min(times(letters, self.parts)?.saturating_mul(longest - 1)))?;
        }
        let waits = parts.div_euclid(self.parts);
        if self.holds_nothing() {
            // Each scheduler has the first turn in every S'-th cycle.
            let schedulers = self.schedulers();
            let mut shared = self.units.iter().filter(|(unit, _)| self.is_shared(*unit));
            let shared = shared.try_fold(0, |sum, &(_, letters)| plus(sum, letters))?;
            let turns =
                plus(times(older.div_euclid(self.parts), schedulers)?, times(shared, schedulers - 1)?)?;
            return Ok(waits.min(turns));
        }
        Ok(waits)
    }

    /// The schedulers that have warps.
    fn schedulers(&self) -> i128 {
        i128::from(self.context.machine().schedulers().min(self.context.workload.total_warps()))
    }

    /// Whether several schedulers use one unit.
    fn is_shared(&self, unit: usize) -> bool {
        self.context.machine().units()[unit].shared && self.schedulers() > 1
    }

    /// The longest time for which a letter of some groups holds a unit; 1 if none does.
    fn longest_of(&self, unit: usize, groups: std::ops::Range<usize>) -> i128 {
        let groups = groups.filter(|&group| self.beside(group) > 0);
        longest_hold(self.context, unit, groups).max(1)
    }

    /// Whether no letter of any warp holds its unit for longer than one cycle.
    fn holds_nothing(&self) -> bool {
        let machine = self.context.machine();
        self.context.all_letters().iter().all(|&letter| machine.letter(letter).occupancy == 1)
    }
}

/// The longest time for which a letter of some groups holds a unit; 0 if none uses it.
fn longest_hold(context: &Context<'_>, unit: usize, groups: impl Iterator<Item = usize>) -> i128 {
    let machine = context.machine();
    let letters: BTreeSet<LetterId> =
        groups.flat_map(|group| context.letters[group].iter().copied()).collect();
    let of_unit = letters.iter().map(|&letter| machine.letter(letter)).filter(|letter| letter.unit == unit);
    of_unit.map(|letter| i128::from(letter.occupancy)).max().unwrap_or(0)
}

/// What letters weigh for the last warp of a group on a scheduler.
struct Rules<'a> {
    context: &'a Context<'a>,
    group: usize,
    pinned: &'a [u64],
    weights: Weights<'a>,
    /// Whether memory may make latencies longer.
    freezes: bool,
}

impl Rules<'_> {
    fn counted(&self, company: &Company<'_>, other: usize) -> Result<Counted, LatencyError> {
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
        let lone = |of: &dyn Fn(&Step) -> i128| company.sum(other, of);
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
        for &unit in own {
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
        if let Some(line) = company.lines[other].as_ref().filter(|_| self.is_narrow() && !self.freezes) {
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
                    passed = plus(passed, step_of(&line.steps[next - 1], machine))?;
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
        let others = self.context.groups().filter(|&group| self.beside(group) > 0);
        let longest = longest_hold(self.context, of.unit, others);
        after.min((longest - i128::from(machine.units()[of.unit].instances)).max(0))
    }

    /// Whether a scheduler issues one instruction a cycle.
    fn is_narrow(&self) -> bool {
        self.context.machine().width() == Some(1)
    }

    fn is_shared(&self, unit: usize) -> bool {
        let machine = self.context.machine();
        machine.units()[unit].shared && machine.schedulers().min(self.context.workload.total_warps()) > 1
    }

    /// Whether a unit is private, and all letters of the scheduler hold it for one cycle.
    fn is_quick(&self, unit: usize) -> bool {
        let present = self.context.groups().filter(|&group| self.pinned[group] > 0);
        !self.is_shared(unit) && longest_hold(self.context, unit, present) <= 1
    }

    /// The other warps of a group on the same scheduler.
    fn beside(&self, group: usize) -> u64 {
        self.pinned[group] - u64::from(group == self.group)
    }
}

/// The longest time until the next instruction of the warp may issue if it needs no result: the latency, or the stall.
fn step_of(step: &Step, machine: &Machine) -> i128 {
    match &step.waits {
        None => machine.letter(step.letter).latency.most.into(),
        Some(waits) => i128::from(waits.stall).max(1),
    }
}
