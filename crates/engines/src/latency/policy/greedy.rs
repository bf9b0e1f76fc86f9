//! Greedy schedulers: the warp that issued last goes first, and then the others by age (Theorems C and C' of
//! `docs/policy-bounds.md`).
//!
//! The warps that come after the followed one by age, the *later* ones, go before it only while one of them stays the warp that
//! issued last, with letters of one block.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::latency::LatencyError;
use crate::latency::error::{plus, times};
use crate::latency::policy::others::Line;
use crate::latency::policy::rules::{Rules, step_of};
use crate::latency::policy::waits::Tables;
use warpspan_model::machine::{Machine, Order, Step};

/// The most letters of one path of the followed warp before which a later warp may have become the one that issued last: all but
/// the first, and but those that are certain to be ready in the cycle after the one before was issued; `length` letters stand on one
/// path at most, and `line` is the only path, if its letters are those that are issued for certain.
fn starts(rules: &Rules<'_>, line: Option<&Line>, length: i128) -> i128 {
    let machine = rules.context.machine();
    let units = &rules.context.units[rules.group];
    let shared = i128::from(units.iter().any(|&unit| rules.is_shared(unit)));
    let quick: BTreeSet<usize> = units.iter().copied().filter(|&unit| rules.is_quick(unit)).collect();
    let Some(line) = line else { return (length - 1).max(0) + shared };
    let starts = line.steps.windows(2).filter(|two| {
        let certain = !rules.freezes && step_of(&two[0], machine).most <= 1;
        !(certain && !needs_tokens(&two[1]) && quick.contains(&machine.letter(two[1].letter).unit))
    });
    starts.count() as i128 + shared
}

impl Tables<'_> {
    /// The most over the warps of the group that are on the scheduler. Of these the ones that are earlier by age count with their
    /// weights, and the later ones with their blocks and with what they hold. By the number of later ones, from 1 on, the bound is
    /// concave: the K longest of blocks of which some come so many times are, and so are sums and minima of these.
    pub(super) fn greedy(&self, reached: &[usize]) -> Result<i128, LatencyError> {
        let equal = self.rules.same_scheduler(self.rules.group);
        let blocks: Vec<Blocks> =
            (0..reached.len()).map(|group| self.blocks(group, reached[group])).collect();
        let line = self.others.lines[self.rules.group].as_ref();
        let mut starts = starts(&self.rules, line, self.length);
        for (at, &(unit, _)) in self.units.iter().enumerate() {
            starts = plus(starts, self.held(at, unit, reached)?)?;
        }
        let at = |later: u64| self.greedy_parts(reached, &blocks, starts, later);
        let (mut low, mut high) = (1.min(equal), equal);
        while low < high {
            let middle = low + (high - low) / 2;
            if at(middle + 1)? > at(middle)? { low = middle + 1 } else { high = middle }
        }
        Ok(at(0)?.max(at(low)?).div_euclid(self.rules.weights.parts))
    }

    /// The bound for a warp of which so many others of its group, on its scheduler, are later, in parts of a cycle.
    fn greedy_parts(
        &self,
        reached: &[usize],
        blocks: &[Blocks],
        starts: i128,
        later_equal: u64,
    ) -> Result<i128, LatencyError> {
        let rules = &self.rules;
        let later = |group: usize| match group.cmp(&rules.group) {
            Ordering::Equal => later_equal,
            of_age if of_age.is_gt() == (rules.order == Order::GreedyOldest) => rules.same_scheduler(group),
            _ => 0,
        };
        let mut parts = self.sum(|group, counted| {
            let near = times(counted.near.first(reached[group]), rules.same_scheduler(group) - later(group))?;
            plus(near, times(counted.far.first(reached[group]), rules.other_schedulers(group))?)
        })?;
        let turns = longest(starts, blocks, &later)?;
        let one =
            |unit: usize| rules.weights.parts / i128::from(rules.context.machine().units()[unit].instances);
        let issue = self.units.iter().map(|&(unit, _)| one(unit)).fold(rules.weights.slot(), i128::max);
        parts = plus(parts, times(issue, turns)?)?;
        for at in 0..self.units.len() {
            let held =
                self.sum(|group, counted| times(counted.of_unit[at].first(reached[group]), later(group)))?;
            parts = plus(parts, held)?;
        }
        Ok(parts)
    }

    /// The blocks of a warp of a group, of which only so many letters can be issued.
    fn blocks(&self, group: usize, letters: usize) -> Blocks {
        match &self.others.lines[group] {
            // Where the letters are not those that are issued for certain, all of a warp may follow one another.
            None => Blocks::from([(self.counted[group].letters.first(letters), 1)]),
            Some(line) => sizes(&line.steps[..letters.min(line.steps.len())], self.rules.context.machine()),
        }
    }
}

/// How many blocks of each size a warp has.
type Blocks = BTreeMap<i128, i128>;

/// The sum of so many of the longest blocks of all later warps together.
fn longest(most: i128, blocks: &[Blocks], later: &dyn Fn(usize) -> u64) -> Result<i128, LatencyError> {
    let mut all = Blocks::new();
    for (group, of_warp) in blocks.iter().enumerate().filter(|&(group, _)| later(group) > 0) {
        for (&size, &count) in of_warp {
            let known = all.entry(size).or_default();
            *known = plus(*known, times(count, later(group))?)?;
        }
    }
    let (mut left, mut sum) = (most, 0);
    for (size, blocks) in all.into_iter().rev() {
        let taken = blocks.min(left);
        sum = plus(sum, times(size, taken)?)?;
        left -= taken;
    }
    Ok(sum)
}

/// The sizes of the blocks of a line: behind each letter after which its warp is certain to wait for a cycle another one begins.
fn sizes(steps: &[Step], machine: &Machine) -> Blocks {
    let (mut all, mut size) = (Blocks::new(), 0);
    for step in steps {
        size += 1;
        if step_of(step, machine).least > 1 {
            *all.entry(size).or_default() += 1;
            size = 0;
        }
    }
    *all.entry(size).or_default() += 1;
    all
}

fn needs_tokens(step: &Step) -> bool {
    step.waits.as_ref().is_some_and(|waits| !waits.needs.is_empty())
}
