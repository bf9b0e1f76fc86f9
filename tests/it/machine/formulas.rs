//! The theorems of `docs/machines.md` once more, warp by warp and word by word, in fractions.
//!
//! Each ingredient can be left out or replaced by a wrong one, so that a test can show that the oracle
//! notices.

use num_rational::Ratio;
use warpspan::model::machine::{Letter, Machine};

use super::oracle::Warp;

pub(crate) type Number = Ratio<i128>;

/// What is wrong on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Flaw {
    None,
    /// Lambda is left out.
    NoLambda,
    /// Lambda counts latencies but no occupancies.
    NoOwnOccupancy,
    /// An issue is worth 1/m only, although the width limits.
    NoWidth,
    /// An issue for a unit that the warp does not use is worth nothing.
    NoSlots,
    /// An issue is worth one cycle of its unit, although it holds the unit for longer.
    NoOccupancy,
    /// Warps of other schedulers are worth nothing, although they share a unit.
    NoOtherSchedulers,
    /// A labelling takes or leaves letters at will, but each change of label costs 1.
    Labels,
    /// A neutral letter is worth 1/d, whatever other units need of the width.
    NeutralRate,
    /// Each letter of a warp has its own longest latency, although its unit has longer ones.
    OwnLatency,
    /// One warp is followed through all barriers.
    WholePath,
    /// The condition on the least latencies is left out.
    NoCondition,
    /// Warps that meet at one letter do not wait.
    NoQueue,
}

fn number(number: u64) -> Number {
    Number::from(i128::from(number))
}

/// 1/d; nothing if no scheduler has more than d warps.
fn slot(machine: &Machine, warps: &[Warp]) -> Number {
    let of =
        |scheduler| u64::try_from(warps.iter().filter(|warp| warp.scheduler == scheduler).count()).unwrap();
    let fullest = (0..machine.schedulers()).map(of).max().unwrap();
    machine.width().filter(|&width| width < fullest).map_or(Number::from(0), |width| number(width).recip())
}

/// The letters of a warp, without its barriers.
fn letters(machine: &Machine, warp: &Warp) -> Vec<Letter> {
    warp.segments.iter().flatten().map(|step| machine.letter(step.letter).clone()).collect()
}

/// What a letter keeps its warp from the next one.
fn longest(letter: &Letter, flaw: Flaw) -> i128 {
    let occupancy = if flaw == Flaw::NoOwnOccupancy { 1 } else { letter.occupancy };
    letter.latency.most.max(occupancy).into()
}

/// The weight of a letter of another warp.
fn weight(
    machine: &Machine,
    slot: Number,
    letter: &Letter,
    same: bool,
    occurs: &[Letter],
    flaw: Flaw,
) -> Number {
    let unit = &machine.units()[letter.unit];
    let one = number(unit.instances).recip();
    let occupancy = if flaw == Flaw::NoOccupancy { 1 } else { letter.occupancy };
    match (same, occurs.iter().any(|own| own.unit == letter.unit)) {
        (true, true) if flaw == Flaw::NoWidth => one * number(occupancy),
        (true, true) => one * number(occupancy - 1) + one.max(slot),
        (true, false) if flaw == Flaw::NoSlots => Number::from(0),
        (true, false) => slot,
        (false, true) if unit.shared && flaw != Flaw::NoOtherSchedulers => one * number(occupancy),
        (false, _) => Number::from(0),
    }
}

/// When the letters of a line are issued if only the line itself keeps them waiting: after the latency of the
/// one before, and after the occupancies of those on the same unit.
fn alone(own: &[Letter], flaw: Flaw) -> Vec<i128> {
    let mut issued: Vec<i128> = Vec::new();
    for (at, letter) in own.iter().enumerate() {
        let mut cycle = 1;
        for (before, earlier) in own[..at].iter().enumerate() {
            let latency = if flaw == Flaw::NoLambda { 1 } else { i128::from(earlier.latency.most) };
            let light = flaw == Flaw::NoOwnOccupancy || flaw == Flaw::NoLambda;
            let occupancy = if light { 1 } else { i128::from(earlier.occupancy) };
            if before + 1 == at {
                cycle = cycle.max(issued[before] + latency);
            }
            if earlier.unit == letter.unit {
                cycle = cycle.max(issued[before] + occupancy);
            }
        }
        issued.push(cycle);
    }
    issued
}

/// When everything of a line is over.
fn over(own: &[Letter], issued: &[i128], flaw: Flaw) -> i128 {
    let ends = own.iter().zip(issued).map(|(letter, cycle)| match flaw {
        Flaw::NoLambda => *cycle,
        _ => cycle + longest(letter, flaw) - 1,
    });
    ends.max().unwrap_or(0)
}

/// The critical path of warp `w`. A barrier keeps no warp waiting.
pub(crate) fn critical(machine: &Machine, warps: &[Warp], w: usize, flaw: Flaw) -> i128 {
    let own = letters(machine, &warps[w]);
    // A block of one warp crosses its barriers when all before them is over.
    let mut finish = 0;
    let mut arrived = 0;
    for segment in &warps[w].segments {
        let part: Vec<Letter> = segment.iter().map(|step| machine.letter(step.letter).clone()).collect();
        let issued = alone(&part, flaw);
        finish = issued.last().map_or(finish, |last| arrived + last);
        arrived += over(&part, &issued, flaw);
    }
    let mut sum = Number::from(0);
    for (_, other) in warps.iter().enumerate().filter(|&(v, _)| v != w) {
        for letter in letters(machine, other) {
            let same = other.scheduler == warps[w].scheduler;
            sum += weight(machine, slot(machine, warps), &letter, same, &own, flaw);
        }
    }
    finish + sum.floor().to_integer()
}

/// The critical path of the block of warp `w`, over all chains of its warps.
pub(crate) fn chains(machine: &Machine, warps: &[Warp], w: usize, flaw: Flaw) -> i128 {
    let block: Vec<usize> = (0..warps.len()).filter(|&v| warps[v].block == warps[w].block).collect();
    let segments = block.iter().map(|&v| warps[v].segments.len()).max().unwrap();
    let mut most = 0;
    for code in 0..block.len().pow(u32::try_from(segments).unwrap()) {
        let chain: Vec<usize> = (0..segments)
            .map(|k| block[code / block.len().pow(u32::try_from(k).unwrap()) % block.len()])
            .collect();
        if flaw == Flaw::WholePath && chain.iter().any(|&v| v != chain[0]) {
            continue;
        }
        let of = |v: usize, k: usize| -> Vec<Letter> {
            let steps = warps[v].segments.get(k).into_iter().flatten();
            steps.map(|step| machine.letter(step.letter).clone()).collect()
        };
        let own: Vec<Letter> = chain.iter().enumerate().flat_map(|(k, &v)| of(v, k)).collect();
        let (mut finish, mut arrived) = (0, 0);
        for (k, &v) in chain.iter().enumerate() {
            let part = of(v, k);
            let issued = alone(&part, flaw);
            finish = issued.last().map_or(finish, |last| arrived + last);
            arrived += over(&part, &issued, flaw);
        }
        let mut sum = Number::from(0);
        for (v, other) in warps.iter().enumerate() {
            let same = chain.iter().any(|&link| warps[link].scheduler == other.scheduler);
            for (k, steps) in other.segments.iter().enumerate() {
                if chain.get(k) == Some(&v) {
                    continue;
                }
                for step in steps {
                    let letter = machine.letter(step.letter);
                    sum += weight(machine, slot(machine, warps), letter, same, &own, flaw);
                }
            }
        }
        most = most.max(finish + sum.floor().to_integer());
    }
    most
}

/// The phase bound of warp `w`: the smaller of the uniform list and all neutral ones, each on its own.
pub(crate) fn phases(machine: &Machine, warps: &[Warp], w: usize, flaw: Flaw) -> [i128; 2] {
    let all: Vec<Letter> = warps.iter().flat_map(|warp| letters(machine, warp)).collect();
    let own = letters(machine, &warps[w]);
    let mut alone = i128::try_from(own.len()).unwrap();
    for letter in own.iter().rev().skip(1) {
        let of_unit = all.iter().filter(|other| other.unit == letter.unit).map(|other| other.latency.most);
        let most = if flaw == Flaw::OwnLatency { letter.latency.most } else { of_unit.max().unwrap() };
        alone += if flaw == Flaw::NoLambda { 0 } else { i128::from(most) - 1 };
    }
    let slot = slot(machine, warps);
    let one = |unit: usize| number(machine.units()[unit].instances).recip();
    let finish = |prices: &dyn Fn(usize) -> (Number, bool), left: Number| {
        let mut sum = Number::from(0);
        for (_, other) in warps.iter().enumerate().filter(|&(v, _)| v != w) {
            let string = letters(machine, other);
            if other.scheduler == warps[w].scheduler {
                sum +=
                    if flaw == Flaw::Labels { labels(&string, prices) } else { best(&string, prices, left) };
            } else {
                let far = |letter| weight(machine, slot, letter, false, &own, flaw);
                sum += string.iter().map(far).fold(Number::from(0), |sum, one| sum + one);
            }
        }
        alone + sum.floor().to_integer()
    };
    let dear = |unit: usize| if flaw == Flaw::NoWidth { one(unit) } else { one(unit).max(slot) };
    let uniform =
        finish(&|unit| (dear(unit), false), if flaw == Flaw::NoSlots { Number::from(0) } else { slot });
    let mut units: Vec<usize> = all.iter().map(|letter| letter.unit).collect();
    units.sort_unstable();
    units.dedup();
    let mut neutral = i128::MAX;
    for set in 0_u32..1 << units.len() {
        let full: Vec<usize> =
            units.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, &unit)| unit).collect();
        let needed = number(full.iter().map(|&unit| machine.units()[unit].instances).sum());
        let rate = if slot == Number::from(0) {
            Number::from(0)
        } else if needed > slot.recip() {
            continue;
        } else if full.is_empty() || flaw == Flaw::NeutralRate {
            slot
        } else {
            (slot.recip() + 1 - needed).recip()
        };
        let price = |unit: usize| match full.contains(&unit) {
            true => (one(unit), false),
            false => (one(unit).max(rate), true),
        };
        neutral = neutral.min(finish(&price, Number::from(0)));
    }
    [uniform, neutral]
}

/// best(s), from the end of the string. `prices` is omega of a unit, and whether the unit is neutral.
fn best(string: &[Letter], prices: &dyn Fn(usize) -> (Number, bool), left: Number) -> Number {
    let mut best = vec![Number::from(0); string.len() + 2];
    for at in (0..string.len()).rev() {
        let (omega, neutral) = prices(string[at].unit);
        best[at] = if neutral {
            omega + best[at + 1]
        } else {
            let free =
                string.get(at + 1).is_none_or(|next| next.unit == string[at].unit || prices(next.unit).1);
            let then = if free { best[at + 1] } else { left + best[at + 2] };
            (left + best[at + 1]).max(omega + then)
        };
    }
    best[0]
}

/// The best labelling of a string if letters with their own label earn omega and each change of label costs 1.
fn labels(string: &[Letter], prices: &dyn Fn(usize) -> (Number, bool)) -> Number {
    let mut units: Vec<usize> = string.iter().map(|letter| letter.unit).collect();
    units.sort_unstable();
    units.dedup();
    let mut worth: Vec<Number> = vec![Number::from(0); units.len()];
    for letter in string {
        let changed = worth.iter().max().copied().unwrap_or_default() - 1;
        for (value, &unit) in worth.iter_mut().zip(&units) {
            let (omega, neutral) = prices(letter.unit);
            let earned = if unit == letter.unit || neutral { omega } else { Number::from(0) };
            *value = (*value).max(changed) + earned;
        }
    }
    worth.into_iter().max().unwrap_or_default()
}

/// The bound for few warps with long latencies of warp `w`, if it applies.
pub(crate) fn pipelined(machine: &Machine, warps: &[Warp], w: usize, flaw: Flaw) -> Option<i128> {
    let strings: Vec<Vec<Letter>> = warps.iter().map(|warp| letters(machine, warp)).collect();
    let all: Vec<&Letter> = strings.iter().flatten().collect();
    let shared = all.iter().any(|letter| machine.units()[letter.unit].shared);
    let kernel = strings.iter().all(|string| *string == strings[0]);
    let interval = all.iter().all(|letter| letter.latency == all[0].latency);
    let barriers = warps.iter().any(|warp| warp.segments.len() > 1);
    if barriers || shared && machine.schedulers() > 1 || !kernel && !interval {
        return None;
    }
    let of =
        |scheduler| i128::try_from(warps.iter().filter(|warp| warp.scheduler == scheduler).count()).unwrap();
    let fullest = (0..machine.schedulers()).map(of).max().unwrap();
    let occupancy = all.iter().map(|letter| i128::from(letter.occupancy)).max()?;
    let instances = all.iter().map(|letter| machine.units()[letter.unit].instances).min()?;
    let places = instances.min(machine.width().unwrap_or(u64::MAX));
    let queue = occupancy * ((fullest - 1) / i128::from(places));
    for string in &strings {
        let mut needed = queue + occupancy;
        for letter in string.iter().rev().skip(1).rev() {
            if i128::from(letter.latency.least) < needed && flaw != Flaw::NoCondition {
                return None;
            }
            needed += i128::from(letter.latency.most - letter.latency.least);
        }
    }
    let own: i128 = strings[w].iter().rev().skip(1).map(|letter| i128::from(letter.latency.most)).sum();
    Some(1 + own + if flaw == Flaw::NoQueue { 0 } else { queue })
}
