//! Memory as servers: no schedule, service and freeze of random tiny systems exceeds a bound, and each ingredient of
//! the bounds is needed.
//!
//! `WARPSPAN_CASES` asks for more cases than are always run.

mod blocks;
mod cycle;
mod flaws;
mod grids;
mod known;
mod oracle;
mod pauses;
mod random;
mod served;
mod state;
mod workloads;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use warpspan::bound::Theorem;
use warpspan::engines::latency::bounds;
use warpspan::model::machine::{Machine, MachineWorkload};

use crate::common::cases::{self, cases};
use flaws::{Asked, Flaw, asked};
use known::adds_up;
use oracle::Ends;
use random::{Shape, lines, workload};
use workloads::worst;

/// How often each flaw is refuted, and how many cases there were.
type Table = Mutex<BTreeMap<(Shape, Flaw), [u64; 2]>>;

/// A random workload of a shape that is not too large, with its worst ends.
fn case(seed: u64, shape: Shape) -> (MachineWorkload, Ends) {
    let mut rng = cases::random(seed);
    loop {
        let workload = workload(&mut rng, shape);
        if let Some(ends) = worst(&workload, false) {
            return (workload, ends);
        }
    }
}

/// A case in words, for messages.
fn text(workload: &MachineWorkload) -> String {
    let machine = workload.machine();
    let servers: Vec<String> = machine.servers().iter().map(|server| format!("{server:?}")).collect();
    let units: Vec<String> = machine.units().iter().map(|unit| format!("{unit:?}")).collect();
    let code: Vec<String> =
        workload.groups().iter().map(|group| format!("{}: {:?}", group.warps, lines(&group.code))).collect();
    format!(
        "S={} d={:?} blocks of {:?}\n{}\n{}\n{}",
        machine.schedulers(),
        machine.width(),
        workload.warps_per_block(),
        code.join("\n"),
        units.join("\n"),
        servers.join("\n")
    )
}

/// What is asked of each server where a warp of a group is followed.
fn asked_of(workload: &MachineWorkload, followed: usize) -> Vec<Asked> {
    let mut groups: Vec<_> =
        workload.groups().iter().map(|group| (lines(&group.code), group.warps)).collect();
    groups.swap(0, followed);
    asked(workload.machine(), &groups)
}

/// The critical paths of the groups if no server kept anything waiting.
fn without_memory(workload: &MachineWorkload) -> Vec<u64> {
    let free = Arc::new(Machine::clone(workload.machine()).without_servers());
    let mut free = MachineWorkload::new(free, workload.groups().to_vec()).unwrap();
    if let Some(warps) = workload.warps_per_block() {
        free = free.in_blocks_of(warps).unwrap();
    }
    let found = bounds(&free).unwrap();
    assert_eq!(found.applied[0].makespan.theorem(), Theorem::CriticalPathOnMachine);
    found.applied[0].groups.iter().map(|upper| upper.cycles().0).collect()
}

fn check(workload: &MachineWorkload, worst: &Ends, table: &Table, shape: Shape, flaws: &[Flaw]) {
    let found = bounds(workload).unwrap_or_else(|error| panic!("{error}: {}", text(workload)));
    for bound in &found.applied {
        for (group, upper) in bound.groups.iter().enumerate() {
            let (end, upper) = (worst[group][0], upper.cycles().0);
            assert!(end <= upper, "{end} > {upper} of group {group}: {bound:?}:\n{}", text(workload));
        }
    }
    for (group, upper) in found.group_completions.iter().enumerate() {
        let (end, upper) = (worst[group][1], upper.cycles().0);
        assert!(end <= upper, "last result {end} > {upper} of group {group}:\n{}", text(workload));
        assert!(worst[group][0] <= found.groups[group].cycles().0);
    }
    let most = |at: usize| worst.iter().map(|end| end[at]).max().unwrap();
    assert!(most(0) <= found.makespan.cycles().0 && most(1) <= found.completion.cycles().0);
    // Bounds that count on the ends of latencies are left out if anything is asked.
    let fixed = [Theorem::PhaseWidthLatency, Theorem::Pipelined];
    if !found.traffic.is_none() {
        assert!(fixed.iter().all(|theorem| found.skipped.iter().any(|skipped| skipped.theorem == *theorem)));
        assert!(!found.applied.iter().any(|bound| fixed.contains(&bound.makespan.theorem())));
        adds_up(workload);
    }
    let servers = workload.machine().servers();
    let base = without_memory(workload);
    let all: Vec<Vec<Asked>> = (0..base.len()).map(|group| asked_of(workload, group)).collect();
    for &flaw in flaws {
        let bound = |group: usize| flaws::bound(servers, &all[group], base[group], flaw);
        let refuted = (0..base.len()).any(|group| worst[group][0] > bound(group));
        assert!(flaw != Flaw::None || !refuted, "the formula is refuted:\n{}", text(workload));
        let mut table = table.lock().unwrap();
        let row = table.entry((shape, flaw)).or_default();
        *row = [row[0] + u64::from(refuted), row[1] + 1];
    }
}

fn campaign(shape: Shape, default: u64, flaws: &[Flaw]) {
    let table = Table::default();
    (0..cases(default)).into_par_iter().for_each(|seed| {
        let (workload, worst) = case(8_000_000 + seed, shape);
        check(&workload, &worst, &table, shape, flaws);
    });
    for ((shape, flaw), [refuted, cases]) in table.into_inner().unwrap() {
        println!("{shape:?} without {flaw:?}: refuted by {refuted} of {cases} cases");
        let enough = cases >= default;
        assert!(flaw == Flaw::None || refuted > 0 || !enough, "no case refutes {shape:?} without {flaw:?}");
    }
}

#[test]
fn no_plain_schedule_exceeds_a_bound() {
    use Flaw::{FractionOfRate, None, OtherWarps, Own, SmallerServers, Term};
    campaign(Shape::Plain, 300, &[None, Term, OtherWarps, Own, SmallerServers, FractionOfRate]);
}

#[test]
fn nor_one_with_dependences() {
    campaign(Shape::Waits, 250, &[Flaw::None, Flaw::Term, Flaw::OtherWarps, Flaw::Own]);
}

#[test]
fn nor_one_of_branches() {
    campaign(Shape::Branches, 150, &[Flaw::None, Flaw::Term, Flaw::OtherWarps, Flaw::Own]);
}

#[test]
fn nor_one_with_barriers() {
    campaign(Shape::Barriers, 250, &[Flaw::None, Flaw::Term, Flaw::OtherWarps]);
}

#[test]
fn nor_one_beside_others_and_pauses() {
    use Flaw::{Burst, None, Others, OthersMeanwhile, Pauses, Postponed};
    campaign(
        Shape::Others,
        200,
        &[None, Others, Burst, OthersMeanwhile, Pauses, Flaw::FirstPause, Postponed],
    );
}

#[test]
fn nor_one_after_what_is_owed() {
    campaign(Shape::Before, 200, &[Flaw::None, Flaw::Term, Flaw::Before]);
}

/// Servers that take less than they may, or freeze nothing, make no schedule longer.
#[test]
fn the_oracle_leaves_nothing_out() {
    (0..cases(60)).into_par_iter().for_each(|seed| {
        let shape = [Shape::Plain, Shape::Waits, Shape::Before][usize::try_from(seed % 3).unwrap()];
        let (workload, ends) = case(8_500_000 + seed, shape);
        assert!(worst(&workload, true).is_none_or(|all| all == ends), "{}", text(&workload));
    });
}
