//! The oracle against worst cases that were found by hand.

use std::sync::Arc;

use warpspan::model::machine::{Latency, Machine, MachineGroup, MachineWorkload, Unit};

use super::oracle::{self, Warp, Worst};

/// A unit with a number of instances, an occupancy and a latency from lo to hi.
pub(crate) fn unit(name: &str, instances: u64, occupancy: u64, [least, most]: [u64; 2]) -> Unit {
    Unit { instances, occupancy, latency: Latency { least, most }, ..Unit::simple(name) }
}

/// A workload of straight lines or programs.
pub(crate) fn workload(machine: Machine, groups: &[(&str, u64)]) -> MachineWorkload {
    let group = |&(text, warps): &(&str, u64)| MachineGroup { code: machine.code(text).unwrap(), warps };
    let groups = groups.iter().map(group).collect();
    MachineWorkload::new(Arc::new(machine), groups).unwrap()
}

/// The exact worst case of a workload of straight lines.
pub(crate) fn worst(workload: &MachineWorkload) -> Worst {
    oracle::worst(workload.machine(), &oracle::warps(workload), 1 << 20).unwrap()
}

/// The exact worst case of warps that share one block although they run different strings, with the others in
/// blocks of their own.
pub(crate) fn worst_of(machine: &Machine, block: &[&str], others: &[&str]) -> Worst {
    let warp = |(number, text): (usize, &&str)| {
        let one = workload(machine.clone(), &[(text, 1)]);
        let scheduler = u64::try_from(number).unwrap() % machine.schedulers();
        Warp {
            scheduler,
            block: number.saturating_sub(block.len() - 1),
            segments: oracle::warps(&one)[0].segments.clone(),
        }
    };
    let warps: Vec<Warp> = block.iter().chain(others).enumerate().map(warp).collect();
    oracle::worst(machine, &warps, 1 << 20).unwrap()
}

#[test]
fn the_oracle_knows_small_worst_cases() {
    let one = [1, 1];
    let machine = |width, units| Machine::new(1, Some(width), units, vec![]).unwrap();
    let makespan =
        |machine: &Machine, groups: &[(&str, u64)]| worst(&workload(machine.clone(), groups)).makespan();
    // A result that comes after the last issue.
    let slow = machine(2, vec![unit("L", 1, 1, [1, 10]), unit("C", 1, 1, one)]);
    let found = worst(&workload(slow.clone(), &[("L", 1), ("CCC", 1)]));
    assert_eq!((found.makespan(), found.last_result()), (3, 10));
    // Width: both units are wide enough, but only one warp issues a cycle.
    assert_eq!(makespan(&machine(1, vec![unit("L", 2, 1, one)]), &[("L", 2)]), 2);
    assert_eq!(makespan(&machine(1, vec![unit("L", 1, 1, one), unit("C", 1, 1, one)]), &[("LC", 2)]), 4);
    let three = vec![unit("L", 1, 1, one), unit("C", 1, 1, one), unit("S", 1, 1, one)];
    assert_eq!(makespan(&machine(3, three), &[("LCLSC", 3)]), 10);
    // The worst cases of the multiprocessor without latencies.
    assert_eq!(makespan(&Machine::of_sigmas(1, 1).unwrap(), &[("LCL", 4)]), 9);
    assert_eq!(makespan(&Machine::of_sigmas(1, 2).unwrap(), &[("LCCC", 4)]), 9);
    // A latency, and an occupancy.
    assert_eq!(makespan(&machine(1, vec![unit("L", 1, 1, [2, 2])]), &[("LL", 3)]), 7);
    assert_eq!(makespan(&machine(1, vec![unit("L", 1, 5, one)]), &[("LL", 1)]), 6);
    // Barriers wait for latencies, and a warp may be last at one and another one at the next.
    assert_eq!(worst_of(&slow, &["LL|", "|LL"], &[]).makespan(), 31);
    assert_eq!(worst_of(&machine(1, vec![unit("L", 1, 5, one)]), &["L|L"], &[]).makespan(), 6);
    let four = Machine::new(2, Some(1), vec![unit("L", 1, 1, one)], vec![]).unwrap();
    assert_eq!(worst_of(&four, &["LL|LL"; 3], &["LL|LL"]).makespan(), 10);
    // Two schedulers of their own, and a unit that they share.
    let shared =
        |shared| Machine::new(2, Some(1), vec![Unit { shared, ..unit("L", 1, 2, one) }], vec![]).unwrap();
    assert_eq!(makespan(&shared(false), &[("LL", 2)]), 3);
    assert_eq!(makespan(&shared(true), &[("LL", 2)]), 7);
    // The worst case takes a short latency for one warp, so that the other one waits twice.
    let found = workload(machine(1, vec![unit("L", 1, 1, [1, 3])]), &[("L2", 2)]);
    assert_eq!(worst(&found).makespan(), 6);
    assert_eq!(oracle::best(found.machine(), &oracle::warps(&found), 1000), Some(4));
}
