//! Where the cost of a block goes, line by line and unit by unit.
//!
//! [`block_costs`](crate::latency::block_costs) add up what a warp of a followed block takes by itself and what every
//! other warp is worth. The former is the sum of max(hi, n) along the path on which that is most, and the latter the
//! weight along the path on which that is most. Here both are split by line and unit. In a block with barriers the
//! bound takes the most of each segment; here the path as a whole is followed, so the sums may be smaller than the
//! costs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_traits::CheckedMul;

use crate::latency::LatencyError;
use crate::latency::account::{Parts, error};
use crate::latency::context::Context;
use crate::latency::costs::Block;
use crate::latency::error::plus;
use crate::latency::own::longest;
use crate::latency::weights::Weights;
use crate::phase::Rational;
use crate::program::{Heaviest, Passed, heaviest};
use warpspan_model::machine::{LetterId, Machine, MachineGroup, MachineWorkload, Step};

/// What the instructions of each line add to a bound on blocks, by the units of the machine. The servers of the memory stand
/// among the units, by their names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockLines {
    costs: BTreeMap<(u32, String), Parts>,
}

impl BlockLines {
    /// The same for so many followed warps and so many other warps.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn times(&self, followed: Rational, others: Rational) -> Result<Self, LatencyError> {
        let parts = |parts: &Parts| -> Result<Parts, LatencyError> {
            let many = |part: &Rational, of: Rational| part.checked_mul(&of).ok_or(LatencyError::Overflow);
            Ok(Parts {
                own_issue: many(&parts.own_issue, followed)?,
                own_latency: many(&parts.own_latency, followed)?,
                others_unit: many(&parts.others_unit, others)?,
                others_slots: many(&parts.others_slots, others)?,
                memory: parts.memory,
            })
        };
        let all = self.costs.iter().map(|(place, one)| Ok((place.clone(), parts(one)?)));
        Ok(Self { costs: all.collect::<Result<_, LatencyError>>()? })
    }

    /// Adds what other code adds.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn add(&mut self, other: &Self) -> Result<(), LatencyError> {
        other.costs.iter().try_for_each(|((line, unit), parts)| self.add_one(*line, unit, parts))
    }

    fn add_one(&mut self, line: u32, unit: &str, parts: &Parts) -> Result<(), LatencyError> {
        self.costs.entry((line, unit.to_owned())).or_default().add(parts)
    }

    /// What each unit adds with each line of the listing.
    pub fn costs(&self) -> impl Iterator<Item = (u32, &str, &Parts)> {
        self.costs.iter().map(|((line, unit), parts)| (*line, unit.as_str(), parts))
    }

    /// The sums of what lines and units add, by what `key` makes of these.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn by<K: Ord>(
        &self,
        key: impl Fn(u32, &str) -> Option<K>,
    ) -> Result<BTreeMap<K, Parts>, LatencyError> {
        let mut found = BTreeMap::new();
        for (line, unit, parts) in self.costs() {
            if let Some(key) = key(line, unit) {
                found.entry(key).or_insert_with(Parts::default).add(parts)?;
            }
        }
        Ok(found)
    }

    /// The sum over all lines.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn sum(&self) -> Result<Parts, LatencyError> {
        let mut sum = Parts::default();
        self.costs.values().try_for_each(|parts| sum.add(parts))?;
        Ok(sum)
    }
}

/// What the lines of a block's code add: the own parts for one followed warp, those of others for one other warp,
/// where at most `most_warps` warps are on the multiprocessor at once.
///
/// # Errors
/// If the block has no warps or no letter, its code is no valid program, or numbers do not fit.
pub fn block_lines(
    machine: &Arc<Machine>,
    block: &Block<'_>,
    most_warps: u64,
) -> Result<BlockLines, LatencyError> {
    let mut found = beside(machine, block, most_warps, &|worth, _| worth)?;
    let own = path(block, |step| longest(step, machine).into())?;
    add(&mut found, machine, &own, |step| {
        let waits = longest(step, machine) - 1;
        Parts { own_issue: Rational::from(1), own_latency: waits.into(), ..Parts::default() }
    })?;
    Ok(found)
}

/// What the lines of one other warp add where the warps of blocks are spread over the schedulers: what it is worth on any
/// scheduler, and what it is worth besides on that of the followed warp.
///
/// # Errors
/// As [`block_lines`].
pub fn spread_lines(
    machine: &Arc<Machine>,
    block: &Block<'_>,
    most_warps: u64,
) -> Result<[BlockLines; 2], LatencyError> {
    // The slots of a letter are worth something on its own scheduler alone.
    let anywhere = |_, [far, _]: [i128; 2]| [far, 0];
    let same = |[unit, slot]: [i128; 2], [far, _]: [i128; 2]| {
        let of_unit = (unit - far).max(0);
        [of_unit, unit + slot - far - of_unit]
    };
    let most_warps = most_warps.div_ceil(machine.schedulers());
    Ok([beside(machine, block, most_warps, &anywhere)?, beside(machine, block, most_warps, &same)?])
}

/// What the lines of one other warp add, where `of` makes it of the worth of a letter on the same scheduler and on another
/// one, each as that of its unit and that of its slot.
fn beside(
    machine: &Arc<Machine>,
    block: &Block<'_>,
    most_warps: u64,
    of: &dyn Fn([i128; 2], [i128; 2]) -> [i128; 2],
) -> Result<BlockLines, LatencyError> {
    let group = MachineGroup { code: block.code.clone(), warps: block.warps };
    let all = MachineWorkload::new(Arc::clone(machine), vec![group]);
    let all = all.map_err(|_| LatencyError::Overflow)?;
    let mut context = Context::new(&all)?;
    context.width = machine.width().filter(|&width| width < most_warps);
    let weights = Weights::new(&context)?;
    let units: BTreeSet<usize> = context.units.iter().flatten().copied().collect();
    let mut worth: BTreeMap<LetterId, [i128; 2]> = BTreeMap::new();
    for letter in context.all_letters() {
        let far = weights.other(letter, &units)?;
        worth.insert(letter, of(weights.split(letter, &units)?, [far, 0]));
    }
    let worth = |step: &Step| worth.get(&step.letter).copied().unwrap_or_default();
    let mut found = BlockLines::default();
    let others = path(block, |step| worth(step).iter().sum::<i128>().into())?;
    let part = |number: i128| Rational::new(number, weights.parts);
    add(&mut found, machine, &others, |step| {
        let [unit, slot] = worth(step);
        Parts { others_unit: part(unit), others_slots: part(slot), ..Parts::default() }
    })?;
    Ok(found)
}

impl BlockLines {
    /// Shares out what each server of the memory adds to a bound, by their numbers, among the lines of the block's code
    /// that ask of it.
    ///
    /// # Errors
    /// If the code is no valid program, or numbers do not fit.
    pub fn add_memory(
        &mut self,
        machine: &Machine,
        block: &Block<'_>,
        servers: &[i128],
    ) -> Result<(), LatencyError> {
        for (server, &stalled) in servers.iter().enumerate().filter(|(_, stalled)| **stalled > 0) {
            let asked = |step: &Step| i128::from(machine.letter(step.letter).request(server).amount);
            let path = path(block, |step| Rational::from(asked(step)))?;
            let amount = |passed: &Passed<'_, Step>| {
                let times = i128::try_from(passed.times).map_err(|_| LatencyError::Overflow)?;
                times.checked_mul(asked(passed.letter)).ok_or(LatencyError::Overflow)
            };
            let mut all = 0_i128;
            for passed in &path.passed {
                all = plus(all, amount(passed)?)?;
            }
            for passed in &path.passed {
                let share = Rational::new(amount(passed)?, all.max(1));
                let memory = share.checked_mul(&stalled.into()).ok_or(LatencyError::Overflow)?;
                let parts = Parts { memory, ..Parts::default() };
                if memory > Rational::from(0) {
                    self.add_one(passed.line, &machine.servers()[server].name, &parts)?;
                }
            }
        }
        Ok(())
    }
}

fn path<'a>(
    block: &Block<'a>,
    weight: impl Fn(&Step) -> Rational,
) -> Result<Heaviest<'a, Step>, LatencyError> {
    heaviest(block.code, weight).map_err(error)
}

/// Adds what the letters of a path add.
fn add(
    found: &mut BlockLines,
    machine: &Machine,
    path: &Heaviest<'_, Step>,
    of: impl Fn(&Step) -> Parts,
) -> Result<(), LatencyError> {
    for passed in &path.passed {
        let times = i128::try_from(passed.times).map(Rational::from).map_err(|_| LatencyError::Overflow)?;
        let one = of(passed.letter);
        let many = |part: Rational| part.checked_mul(&times).ok_or(LatencyError::Overflow);
        let parts = Parts {
            own_issue: many(one.own_issue)?,
            own_latency: many(one.own_latency)?,
            others_unit: many(one.others_unit)?,
            others_slots: many(one.others_slots)?,
            memory: many(one.memory)?,
        };
        found.add_one(passed.line, &machine.unit_of(passed.letter.letter).name, &parts)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::block_costs;
    use warpspan_model::machine::{Latency, Unit};

    /// LCCL on a machine where each letter is worth a cycle and L takes up to 10.
    #[test]
    fn the_parts_of_a_block_without_barriers_are_its_costs() {
        let load = Unit { latency: Latency { least: 1, most: 10 }, ..Unit::simple("L") };
        let machine = Arc::new(Machine::new(1, Some(2), vec![load, Unit::simple("C")], vec![]).unwrap());
        let code = machine.code("LCCL").unwrap();
        let block = Block { code: &code, warps: 4 };
        let found = block_lines(&machine, &block, 8).unwrap();
        let units = found.by(|_, unit| Some(unit.to_owned())).unwrap();
        let [l, c] = ["L", "C"].map(|name| units[name]);
        assert_eq!((l.own_issue, l.own_latency, l.others_unit), (2.into(), 18.into(), 2.into()));
        assert_eq!((c.own_issue, c.own_latency, c.others_unit), (2.into(), 0.into(), 2.into()));
        // One warp is followed beside three others.
        let all = found.times(1.into(), 3.into()).unwrap().sum().unwrap();
        let cost = block_costs(&machine, &[block], 8).unwrap()[0];
        assert_eq!(all.sum().unwrap(), cost.followed);
    }
}
