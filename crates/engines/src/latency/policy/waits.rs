//! How long others keep a warp waiting, by what is known of the order.

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::{plus, times};
use crate::latency::memory::Traffic;
use crate::latency::most::along;
use crate::latency::policy::others::Others;
use crate::latency::policy::rules::{Counted, Rules, longest_hold};
use crate::latency::weights::Weights;
use warpspan_model::machine::{Order, Step};

/// All that is counted for the last warp of a group on a scheduler.
pub(super) struct Tables<'a> {
    pub(super) rules: Rules<'a>,
    pub(super) others: &'a Others<'a>,
    /// The units of the followed warp, with the most letters of one of its paths for each.
    pub(super) units: Vec<(usize, i128)>,
    /// The most letters of one of its paths.
    pub(super) length: i128,
    /// Whether all of its units are private, and all letters of the scheduler hold them for one cycle.
    quick: bool,
    pub(super) counted: Vec<Counted>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        traffic: &Traffic,
        order: Order,
        others: &'a Others<'a>,
        (group, pinned): (usize, &'a [u64]),
    ) -> Result<Self, LatencyError> {
        let weights = Weights::new(context)?;
        let rules = Rules { context, order, group, pinned, weights, freezes: !traffic.is_none() };
        let machine = context.machine();
        let of_followed = |of: &dyn Fn(&Step) -> i128| along(context.code(group), of);
        let own = &context.units[group];
        let units = own.iter().map(|&unit| {
            Ok((unit, of_followed(&|step| i128::from(machine.letter(step.letter).unit == unit))?))
        });
        let units = units.collect::<Result<Vec<_>, LatencyError>>()?;
        let counted = context.groups().map(|other| rules.counted(others, other));
        let counted = counted.collect::<Result<_, _>>()?;
        let quick = own.iter().all(|&unit| rules.is_quick(unit));
        let length = of_followed(&|_| 1)?;
        Ok(Self { quick, length, units, counted, rules, others })
    }

    /// The most cycles for which others keep the warp waiting, if only letters count that can be issued by a cycle.
    pub(super) fn waits(&self, cycle: Option<i128>) -> Result<i128, LatencyError> {
        let reached: Vec<usize> =
            self.rules.context.groups().map(|group| self.others.reached(group, cycle)).collect();
        let any = self.any(&reached)?;
        Ok(match self.rules.order {
            Order::Any => any,
            Order::RoundRobin => any.min(self.round_robin(&reached)?),
            Order::Oldest => any.min(self.oldest(&reached)?),
            Order::GreedyOldest | Order::GreedyYoungest => any.min(self.greedy(&reached)?),
        })
    }

    /// A sum over all groups.
    pub(super) fn sum(
        &self,
        of: impl Fn(usize, &Counted) -> Result<i128, LatencyError>,
    ) -> Result<i128, LatencyError> {
        self.counted.iter().enumerate().try_fold(0, |sum, (group, counted)| plus(sum, of(group, counted)?))
    }

    /// Theorem 1 of `docs/machines.md`, with the weights of Theorem F and (G).
    fn any(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let parts = self.sum(|group, counted| {
            let near = counted.narrow.as_ref().unwrap_or(&counted.near);
            let near = times(near.first(reached[group]), self.rules.same_scheduler(group))?;
            plus(near, times(counted.far.first(reached[group]), self.rules.other_schedulers(group))?)
        })?;
        Ok(parts.div_euclid(self.rules.weights.parts))
    }

    /// The letters of others that can keep a unit of the followed warp held when its scheduler has its turn (N_u).
    pub(super) fn held(&self, at: usize, unit: usize, reached: &[usize]) -> Result<i128, LatencyError> {
        let shared = self.rules.is_shared(unit);
        self.sum(|group, counted| {
            let far = if shared { self.rules.other_schedulers(group) } else { 0 };
            times(counted.held[at].first(reached[group]), self.rules.same_scheduler(group) + far)
        })
    }

    /// Theorem A.
    fn round_robin(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let mut runs = self.length;
        if !self.quick {
            for (at, &(unit, _)) in self.units.iter().enumerate() {
                let held = self.held(at, unit, reached)?;
                let moves = self.sum(|group, counted| {
                    times(counted.moves[at].first(reached[group]), self.rules.same_scheduler(group))
                })?;
                runs = plus(runs, held.min(moves))?;
            }
        }
        let turns = self.sum(|group, counted| {
            times(counted.letters.first(reached[group]).min(runs), self.rules.same_scheduler(group))
        })?;
        if self.quick {
            return self.side_by_side(turns);
        }
        let holds = self.sum(|group, counted| {
            let near = times(counted.holds.first(reached[group]), self.rules.same_scheduler(group))?;
            plus(near, times(counted.far.first(reached[group]), self.rules.other_schedulers(group))?)
        })?;
        plus(turns, holds.div_euclid(self.rules.weights.parts))
    }

    /// The turns of all others where several issue in a cycle: at least k warps before the followed one do in each cycle of a
    /// wait, the first of them another one each time.
    fn side_by_side(&self, turns: i128) -> Result<i128, LatencyError> {
        let machine = self.rules.context.machine();
        let instances = self.units.iter().map(|&(unit, _)| machine.units()[unit].instances).min();
        let at_once = instances.into_iter().chain(machine.width()).min().unwrap_or(1);
        let warps: i128 = self.rules.pinned.iter().map(|&warps| i128::from(warps)).sum();
        let rest = warps - i128::from(at_once);
        if rest <= 0 { Ok(0) } else { Ok(times(turns, rest)? / (warps - 1)) }
    }

    /// Theorem B. The last warp of its group is the youngest, and it waits the longest: one that goes before it weighs more than it
    /// holds when it comes after it.
    fn oldest(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let older = self.sum(|group, counted| match group <= self.rules.group {
            true => times(counted.near.first(reached[group]), self.rules.same_scheduler(group)),
            false => Ok(0),
        })?;
        let far = self.sum(|group, counted| {
            times(counted.far.first(reached[group]), self.rules.other_schedulers(group))
        })?;
        let mut parts = plus(older, far)?;
        for (at, &(unit, letters)) in self.units.iter().enumerate() {
            let held = self.sum(|group, counted| match group > self.rules.group {
                true => times(counted.of_unit[at].first(reached[group]), self.rules.same_scheduler(group)),
                false => Ok(0),
            })?;
            let longest = self.longest_of(unit, self.rules.group..self.counted.len());
            parts =
                plus(parts, held.min(times(letters, self.rules.weights.parts)?.saturating_mul(longest - 1)))?;
        }
        let waits = parts.div_euclid(self.rules.weights.parts);
        if self.holds_nothing() {
            // Each scheduler has the first turn in every S'-th cycle.
            let schedulers = self.rules.schedulers();
            let mut shared = self.units.iter().filter(|(unit, _)| self.rules.is_shared(*unit));
            let shared = shared.try_fold(0, |sum, &(_, letters)| plus(sum, letters))?;
            let turns = plus(
                times(older.div_euclid(self.rules.weights.parts), schedulers)?,
                times(shared, schedulers - 1)?,
            )?;
            return Ok(waits.min(turns));
        }
        Ok(waits)
    }

    /// The longest time for which a letter of some groups holds a unit; 1 if none does.
    fn longest_of(&self, unit: usize, groups: std::ops::Range<usize>) -> i128 {
        let groups = groups.filter(|&group| self.rules.same_scheduler(group) > 0);
        longest_hold(self.rules.context, unit, groups).max(1)
    }

    /// Whether no letter of any warp holds its unit for longer than one cycle.
    fn holds_nothing(&self) -> bool {
        let machine = self.rules.context.machine();
        self.rules.context.all_letters().iter().all(|&letter| machine.letter(letter).occupancy == 1)
    }
}
