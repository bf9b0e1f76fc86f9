//! On machines: one bad schedule for each rule, and small ones that keep them all.

use std::sync::Arc;

use crate::schedule::file::{Form, machine_records, write};
use crate::schedule::{Issue, MachineIssueRecord, Schedule, Violation, chart, replay};
use warpspan_model::machine::{Latency, LetterId, Machine, MachineGroup, MachineWorkload, Step, Unit, Waits};
use warpspan_model::program::Piece;

/// A workload of kernels with numbers of warps.
fn workload(machine: Machine, groups: &[(&str, u64)]) -> MachineWorkload {
    let machine = Arc::new(machine);
    let group = |&(code, warps): &(&str, u64)| MachineGroup { code: machine.code(code).unwrap(), warps };
    MachineWorkload::new(Arc::clone(&machine), groups.iter().map(group).collect()).unwrap()
}

fn unit(name: &str, instances: u64, occupancy: u64, (least, most): (u64, u64)) -> Unit {
    Unit { instances, occupancy, latency: Latency { least, most }, ..Unit::simple(name) }
}

/// One scheduler with two slots, an L with latencies of 2 to 4 and a C of 1.
fn machine() -> Machine {
    Machine::new(1, Some(2), vec![unit("L", 1, 1, (2, 4)), unit("C", 1, 1, (1, 1))], vec![]).unwrap()
}

/// Judges issues (cycle, group, warp, instruction, latency), of which all indexes are from 1.
fn judge(workload: &MachineWorkload, issues: &[(u64, u32, u32, u32, u64)]) -> Result<(u64, u64), String> {
    let issue = |&(cycle, group, warp, instruction, latency): &(u64, u32, u32, u32, u64)| Issue {
        cycle,
        group: group - 1,
        warp: warp - 1,
        instruction: instruction - 1,
        latency,
    };
    let schedule = Schedule::new(issues.iter().map(issue).collect());
    let witness = replay(workload, schedule).map_err(|violation| violation.to_string())?;
    Ok((witness.makespan().0, witness.completion().0))
}

#[track_caller]
fn broken(workload: &MachineWorkload, issues: &[(u64, u32, u32, u32, u64)], part: &str) {
    let message = judge(workload, issues).unwrap_err();
    assert!(message.contains(part), "{message}");
}

#[test]
fn names_order_and_latency() {
    let two = workload(machine(), &[("LC", 2)]);
    let good = [(1, 1, 1, 1, 4), (2, 1, 2, 1, 2), (4, 1, 2, 2, 1), (5, 1, 1, 2, 1)];
    assert_eq!(judge(&two, &good), Ok((5, 5)));
    let with = |at: usize, issue| {
        let mut issues = good;
        issues[at] = issue;
        issues
    };
    broken(&two, &with(0, (0, 1, 1, 1, 4)), "cycle 0: cycles count from 1");
    broken(&two, &with(0, (1, 2, 1, 1, 4)), "no group 2 in the launch, which has 1");
    broken(&two, &with(0, (1, 1, 3, 1, 4)), "no warp 3 in the group, which has 2");
    broken(&two, &with(0, (1, 1, 1, 2, 1)), "warp 1 of group 1 issues instruction 2, its next is 1");
    broken(&two, &with(3, (5, 1, 1, 3, 1)), "issues instruction 3, its next is 2");
    broken(&two, &with(3, (1, 1, 1, 2, 1)), "warp 1 of group 1 issues twice");
    broken(&two, &with(3, (4, 1, 1, 2, 1)), "instruction 2, which is ready from cycle 5 on");
    broken(&two, &with(0, (1, 1, 1, 1, 5)), "issues L with a latency of 5: want 2 to 4");
    broken(&two, &with(0, (1, 1, 1, 1, 1)), "issues L with a latency of 1: want 2 to 4");
    broken(&two, &with(3, (6, 1, 1, 2, 1)), "cycle 5: warp 1 of group 1 is ready for instruction 2 on C");
    broken(&two, &good[..3], "ends after 3 of 4");
    broken(&two, &good[..1], "ends after 1 of 4");
    broken(&two, &[(u64::MAX, 1, 1, 1, 2), (u64::MAX, 1, 2, 1, 2)], "cycle 1: warp 1");
}

#[test]
fn the_last_result_may_come_after_the_makespan() {
    let groups = workload(machine(), &[("L", 1), ("CCC", 1)]);
    let issues = [(1, 1, 1, 1, 4), (1, 2, 1, 1, 1), (2, 2, 1, 2, 1), (3, 2, 1, 3, 1)];
    assert_eq!(judge(&groups, &issues), Ok((3, 4)));
    let schedule = issues.map(|(cycle, group, warp, instruction, latency)| Issue {
        cycle,
        group: group - 1,
        warp: warp - 1,
        instruction: instruction - 1,
        latency,
    });
    let witness = replay(&groups, Schedule::new(schedule.to_vec())).unwrap();
    assert_eq!(witness.last_issues().iter().map(|cycles| cycles.0).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(witness.completions().iter().map(|cycles| cycles.0).collect::<Vec<_>>(), [4, 3]);
    assert_eq!(chart(&groups, witness.schedule(), 80), "cycle     1 2 3\n1: warp 1 L . .\n2: warp 1 C C C\n");
    assert_eq!(
        chart(&groups, witness.schedule(), 14),
        "cycle     1 2\n1: warp 1 L .\n2: warp 1 C C\n\ncycle     3\n1: warp 1 .\n2: warp 1 C\n"
    );
    let mut csv = Vec::new();
    write(&groups, witness.schedule(), Form::Csv, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert!(
        csv.starts_with("cycle,group,warp,instruction,letter,latency\n1,1,1,1,L,4\n1,2,1,1,C,1\n"),
        "{csv}"
    );
    let mut json = Vec::new();
    write(&groups, witness.schedule(), Form::Json, &mut json).unwrap();
    let read: Vec<MachineIssueRecord> = serde_json::from_slice(&json).unwrap();
    assert_eq!(read, machine_records(&groups, witness.schedule()));
}

#[test]
fn width_and_schedulers() {
    let any = |schedulers, width| {
        workload(Machine::new(schedulers, width, vec![unit("C", 9, 1, (1, 1))], vec![]).unwrap(), &[("C", 3)])
    };
    let at =
        |cycles: [u64; 3]| (1..).zip(cycles).map(|(warp, cycle)| (cycle, 1, warp, 1, 1)).collect::<Vec<_>>();
    assert_eq!(judge(&any(1, Some(2)), &at([1, 1, 2])), Ok((2, 2)));
    broken(&any(1, Some(2)), &at([1, 1, 1]), "scheduler 1 issues more than 2 instructions");
    broken(&any(1, Some(2)), &at([1, 2, 2]), "its scheduler issues only 1: not work-conserving");
    broken(&any(1, None), &at([1, 1, 2]), "its scheduler issues only 2: not work-conserving");
    assert_eq!(judge(&any(1, None), &at([1, 1, 1])), Ok((1, 1)));
    // warps 1 and 3 are pinned to the first of two schedulers
    assert_eq!(judge(&any(2, Some(1)), &at([1, 1, 2])), Ok((2, 2)));
    broken(&any(2, Some(1)), &at([1, 2, 1]), "scheduler 1 issues more than 1 instructions");
    broken(&any(2, Some(1)), &at([1, 2, 2]), "cycle 1: warp 2 of group 1 is ready");
}

/// Nothing happens in cycle 2: both units are held for longer. Yet the slot of the scheduler is free again.
#[test]
fn a_slot_is_free_in_the_cycle_behind() {
    let long = |name| unit(name, 1, 3, (1, 1));
    let one_slot = Machine::new(1, Some(1), vec![long("L"), long("C")], vec![]).unwrap();
    let groups = workload(one_slot, &[("L", 1), ("C", 1)]);
    assert_eq!(judge(&groups, &[(1, 1, 1, 1, 1), (2, 2, 1, 1, 1)]), Ok((2, 2)));
    broken(
        &groups,
        &[(1, 1, 1, 1, 1), (3, 2, 1, 1, 1)],
        "cycle 2: warp 1 of group 2 is ready for instruction 1",
    );
}

/// Warps without letters are counted where warps are pinned: warp 2 of all is on the second of two schedulers.
#[test]
fn warps_without_letters_are_pinned_too() {
    let machine = || Machine::new(2, Some(1), vec![unit("C", 9, 1, (1, 1))], vec![]).unwrap();
    let groups = workload(machine(), &[("|", 1), ("C", 2)]);
    assert_eq!(judge(&groups, &[(1, 2, 1, 1, 1), (1, 2, 2, 1, 1)]), Ok((1, 1)));
    let three = workload(machine(), &[("C", 1), ("|", 1), ("C", 1)]);
    assert_eq!(judge(&three, &[(1, 1, 1, 1, 1), (2, 3, 1, 1, 1)]), Ok((2, 2)));
    broken(&three, &[(1, 1, 1, 1, 1), (1, 3, 1, 1, 1)], "scheduler 1 issues more than 1 instructions");
}

#[test]
fn occupancy_of_private_and_shared_units() {
    let of = |schedulers, shared, warps| {
        let unit = Unit { shared, ..unit("L", 1, 3, (1, 1)) };
        workload(Machine::new(schedulers, None, vec![unit], vec![]).unwrap(), &[("L", warps)])
    };
    let at =
        |cycles: &[u64]| (1..).zip(cycles).map(|(warp, &cycle)| (cycle, 1, warp, 1, 1)).collect::<Vec<_>>();
    assert_eq!(judge(&of(1, false, 2), &at(&[1, 4])), Ok((4, 4)));
    broken(&of(1, false, 2), &at(&[1, 3]), "warp 2 of group 1 issues on L, but all 1 instances are held");
    broken(&of(1, false, 2), &at(&[1, 5]), "cycle 4: warp 2 of group 1 is ready");
    assert_eq!(judge(&of(2, false, 2), &at(&[1, 1])), Ok((1, 1)));
    broken(&of(2, false, 2), &at(&[1, 4]), "cycle 1: warp 2 of group 1 is ready");
    assert_eq!(judge(&of(2, true, 2), &at(&[1, 4])), Ok((4, 4)));
    broken(&of(2, true, 2), &at(&[1, 1]), "all 1 instances are held");
    // while warp 1 holds the unit in cycles 2 and 3, nobody needs to issue
    assert_eq!(judge(&of(1, false, 3), &at(&[1, 4, 7])), Ok((7, 7)));
}

#[test]
fn barriers_wait_for_the_latencies_of_their_block() {
    let machine = || Machine::new(1, Some(1), vec![unit("L", 1, 1, (1, 4))], vec![]).unwrap();
    let one = workload(machine(), &[("|L||L|", 2)]);
    let good = [(1, 1, 1, 1, 4), (2, 1, 2, 1, 1), (5, 1, 1, 2, 1), (6, 1, 2, 2, 2)];
    assert_eq!(judge(&one, &good), Ok((6, 7)));
    let mut early = good;
    early[2].0 = 4;
    broken(&one, &early, "which is ready from cycle 5 on");
    early[2].0 = 2;
    broken(&one, &early, "stands at the barrier before it");
    let late = [good[0], good[1], (6, 1, 1, 2, 1), (7, 1, 2, 2, 2)];
    broken(&one, &late, "cycle 5: warp 1 of group 1 is ready for instruction 2");
    // alone in its block, the second warp does not wait for the first
    let two = workload(machine(), &[("L|L", 2)]).in_blocks_of(1).unwrap();
    broken(&two, &good, "cycle 3: warp 2 of group 1 is ready for instruction 2");
    assert_eq!(judge(&two, &[good[0], good[1], (3, 1, 2, 2, 1), (5, 1, 1, 2, 1)]), Ok((5, 5)));
}

/// A step of a letter that sets and needs tokens, after which the next one may issue when its stall is over.
fn waits(letter: usize, stall: u32, sets: &[u16], needs: &[u16]) -> Step {
    let waits = Waits { stall, sets: sets.to_vec(), needs: needs.to_vec() };
    Step { waits: Some(Arc::new(waits)), ..Step::of(LetterId::new(letter).unwrap()) }
}

/// Warps of one group that run these steps; `None` is a barrier.
fn steps(steps: &[Option<Step>], warps: u64) -> MachineWorkload {
    let piece = |step: &Option<Step>| match step {
        Some(step) => Piece::Letters { letter: step.clone(), count: 1, line: 1 },
        None => Piece::Barrier { line: 1 },
    };
    let code = Piece::Sequence(steps.iter().map(piece).collect());
    MachineWorkload::new(Arc::new(machine()), vec![MachineGroup { code, warps }]).unwrap()
}

#[test]
fn instructions_wait_for_what_they_need() {
    // C needs the result of the first L, for which the second one does not wait.
    let [first, second, last] = [waits(0, 1, &[0], &[]), waits(0, 1, &[1], &[]), waits(1, 1, &[], &[0])];
    let one = steps(&[Some(first), Some(second), Some(last)], 1);
    // The last result is that of the second L.
    let good = [(1, 1, 1, 1, 4), (2, 1, 1, 2, 4), (5, 1, 1, 3, 1)];
    assert_eq!(judge(&one, &good), Ok((5, 5)));
    assert_eq!(judge(&one, &[good[0], (2, 1, 1, 2, 4), (3, 1, 1, 3, 1)]).unwrap_err(), {
        "cycle 3: warp 1 of group 1 issues instruction 3, which is ready from cycle 5 on"
    });
    broken(
        &one,
        &[good[0], (3, 1, 1, 2, 4), (5, 1, 1, 3, 1)],
        "cycle 2: warp 1 of group 1 is ready for instruction 2",
    );
    broken(
        &one,
        &[good[0], good[1], (6, 1, 1, 3, 1)],
        "cycle 5: warp 1 of group 1 is ready for instruction 3",
    );
    // With the least latency of the first L, C is ready when the stall of the second one is over.
    assert_eq!(judge(&one, &[(1, 1, 1, 1, 2), (2, 1, 1, 2, 4), (3, 1, 1, 3, 1)]), Ok((3, 5)));
}

#[test]
fn a_stall_is_longer_than_the_latency_and_a_token_is_set_twice() {
    let stalls = steps(&[Some(waits(1, 3, &[], &[])), Some(waits(1, 1, &[], &[]))], 1);
    assert_eq!(judge(&stalls, &[(1, 1, 1, 1, 1), (4, 1, 1, 2, 1)]), Ok((4, 4)));
    broken(&stalls, &[(1, 1, 1, 1, 1), (3, 1, 1, 2, 1)], "which is ready from cycle 4 on");
    // The token is free when the results of both are there, whichever comes last.
    let [long, short] = [waits(0, 1, &[0], &[]), waits(0, 1, &[0], &[])];
    let twice = steps(&[Some(long), Some(short), Some(waits(1, 1, &[], &[0]))], 1);
    assert_eq!(judge(&twice, &[(1, 1, 1, 1, 4), (2, 1, 1, 2, 2), (5, 1, 1, 3, 1)]), Ok((5, 5)));
    broken(&twice, &[(1, 1, 1, 1, 4), (2, 1, 1, 2, 2), (4, 1, 1, 3, 1)], "which is ready from cycle 5 on");
}

#[test]
fn barriers_open_when_pending_results_are_there() {
    let code = [Some(waits(0, 1, &[0], &[])), Some(waits(1, 1, &[], &[])), None, Some(waits(1, 1, &[], &[]))];
    let two = steps(&code, 2);
    // Both have come in cycle 3; the result of the second L is there for cycle 6.
    let good = [
        (1, 1, 1, 1, 2),
        (2, 1, 1, 2, 1),
        (2, 1, 2, 1, 4),
        (3, 1, 2, 2, 1),
        (6, 1, 1, 3, 1),
        (7, 1, 2, 3, 1),
    ];
    assert_eq!(judge(&two, &good), Ok((7, 7)));
    let mut early = good;
    early[4].0 = 5;
    broken(&two, &early, "which is ready from cycle 6 on");
}

#[test]
fn code_that_the_judge_does_not_know() {
    let paths = workload(machine(), &[("[L/C]", 1)]);
    assert_eq!(replay(&paths, Schedule::new(vec![])), Err(Violation::Paths));
    let nothing = workload(machine(), &[("|", 3)]);
    assert_eq!(judge(&nothing, &[]), Ok((0, 0)));
    broken(&nothing, &[(1, 1, 1, 1, 2)], "no instruction 1 in the group, which has 0");
}
