//! A lower bound on the worst case of a machine: what the fullest unit, the fullest scheduler and the longest
//! line need.

use crate::bound::{Lower, Theorem};
use crate::seal::SEAL;
use warpspan_model::Cycles;
use warpspan_model::machine::{Letter, Line, Machine, MachineWorkload};

/// The most cycles that some unit, some scheduler or some warp needs, whatever the schedule. Some warp takes at
/// least one cycle, and the greatest latency of every letter but the last of its line, if the adversary chooses
/// these. `None` if the code has several paths or a count overflows.
pub fn machine_bottleneck(workload: &MachineWorkload) -> Option<Lower> {
    let (machine, lines) = (workload.machine(), workload.lines()?);
    let mut least = 0;
    if !workload.has_dependences() {
        for line in &lines {
            least = least.max(alone(machine, line)?);
        }
    }
    let schedulers = u128::from(machine.schedulers());
    // The scheduler of the first warps has the most, and all of them if it is the only one.
    let of_scheduler = |scheduler: u64| -> Option<u64> {
        let mut letters = vec![0_u128; machine.letters().len()];
        for (group, line) in lines.iter().enumerate() {
            let range = workload.warps_of(group);
            let before = |end: u64| (u128::from(end) + schedulers - 1 - u128::from(scheduler)) / schedulers;
            let warps = before(range.end) - before(range.start);
            for letter in line.iter().flatten() {
                letters[letter.index()] = letters[letter.index()].checked_add(warps)?;
            }
        }
        busiest(machine, &letters, false)
    };
    for scheduler in 0..machine.schedulers().min(workload.total_warps()).min(MOST_SCHEDULERS) {
        least = least.max(of_scheduler(scheduler)?);
    }
    let mut letters = vec![0_u128; machine.letters().len()];
    for (group, line) in workload.groups().iter().zip(&lines) {
        for letter in line.iter().flatten() {
            letters[letter.index()] = letters[letter.index()].checked_add(group.warps.into())?;
        }
    }
    least = least.max(busiest(machine, &letters, true)?);
    Some(Lower::proved(Cycles(least), Theorem::Bottleneck, SEAL))
}

/// More schedulers than this are not examined one by one.
const MOST_SCHEDULERS: u64 = 64;

/// The last issue of a warp that is never made to wait, with the greatest latencies.
fn alone(machine: &Machine, line: &Line) -> Option<u64> {
    let mut letters: Vec<&Letter> = line.iter().flatten().map(|&letter| machine.letter(letter)).collect();
    if letters.pop().is_none() {
        return Some(0);
    }
    letters.iter().try_fold(1_u64, |sum, letter| sum.checked_add(letter.latency.most))
}

/// The cycles that the fullest unit needs for so many issues of each letter: that of all units which the
/// schedulers share, or of all others and the slots of one scheduler.
fn busiest(machine: &Machine, letters: &[u128], shared: bool) -> Option<u64> {
    let mut least = 0;
    for (number, unit) in machine.units().iter().enumerate().filter(|(_, unit)| unit.shared == shared) {
        let on = || {
            machine
                .letters()
                .iter()
                .zip(letters)
                .filter(|(letter, count)| letter.unit == number && **count > 0)
        };
        let mut held = 0_u128;
        for (letter, &count) in on() {
            held = held.checked_add(count.checked_mul(letter.occupancy.into())?)?;
        }
        let longest = on().map(|(letter, _)| letter.occupancy).max().unwrap_or(0);
        // At most m issues still hold their instances when the last one issues.
        let (m, longest) = (u128::from(unit.instances), u128::from(longest));
        if longest > 0 {
            let over = held.saturating_sub(m * longest);
            least = least.max(over.div_ceil(m) + 1);
        }
    }
    if let (false, Some(width)) = (shared, machine.width()) {
        let all = letters.iter().try_fold(0_u128, |sum, &count| sum.checked_add(count))?;
        least = least.max(all.div_ceil(width.into()));
    }
    u64::try_from(least).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use warpspan_model::Group;
    use warpspan_model::machine::{Latency, Unit};

    fn least(schedulers: u64, width: Option<u64>, unit: Unit, text: &str, warps: u64) -> u64 {
        let machine =
            Arc::new(Machine::new(schedulers, width, vec![unit, Unit::simple("C")], vec![]).unwrap());
        let group = Group { code: machine.code(text).unwrap(), warps };
        let workload = MachineWorkload::new(machine, vec![group]).unwrap();
        machine_bottleneck(&workload).unwrap().cycles().0
    }

    #[test]
    fn the_fullest_unit_scheduler_or_line() {
        let l = || Unit::simple("L");
        assert_eq!(least(1, None, l(), "LC", 5), 5);
        assert_eq!(least(1, Some(1), l(), "LC", 5), 10);
        assert_eq!(least(2, Some(1), l(), "LC", 5), 6);
        assert_eq!(least(2, None, Unit { shared: true, ..l() }, "LC", 5), 5);
        assert_eq!(least(1, None, Unit { occupancy: 4, ..l() }, "L", 3), 9);
        assert_eq!(least(1, None, Unit { occupancy: 4, instances: 2, ..l() }, "L", 4), 5);
        assert_eq!(least(1, None, Unit { latency: Latency { least: 1, most: 10 }, ..l() }, "LC", 1), 11);
        assert_eq!(least(1, None, l(), "L1000000", 1 << 40), 1_000_000 << 40);
    }
}
