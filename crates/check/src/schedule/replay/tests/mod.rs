//! Each rule, broken once: first on the multiprocessor of the paper.

mod grid;
mod machine;

use super::*;
use crate::schedule::Issue;
use warpspan_model::{Cycles, Instance, Multiprocessor, WarpGroup};

fn instance(kernel: &str, warps: u64, sigma_l: &str) -> Instance {
    let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), "1".parse().unwrap());
    Instance::new(vec![WarpGroup { kernel: kernel.parse().unwrap(), warps }], multiprocessor).unwrap()
}

/// A schedule from triples (cycle, warp, instruction), all from 1.
fn schedule(issues: &[(u64, u32, u32)]) -> Schedule {
    let issue = |&(cycle, warp, instruction): &(u64, u32, u32)| Issue {
        cycle,
        group: 0,
        warp: warp - 1,
        instruction: instruction - 1,
        latency: 1,
    };
    Schedule::new(issues.iter().map(issue).collect())
}

fn judge(instance: &Instance, issues: &[(u64, u32, u32)]) -> Result<u64, String> {
    replay(instance, schedule(issues)).map(|w| w.makespan().0).map_err(|violation| violation.to_string())
}

/// The schedule of Be12 Fig. 2: LLC, four warps, nine cycles.
const FIG_2: [(u64, u32, u32); 12] = [
    (1, 1, 1),
    (2, 2, 1),
    (3, 3, 1),
    (4, 4, 1),
    (5, 1, 2),
    (6, 1, 3),
    (6, 2, 2),
    (7, 2, 3),
    (7, 3, 2),
    (8, 3, 3),
    (8, 4, 2),
    (9, 4, 3),
];

#[test]
fn be12_fig_2_is_valid() {
    assert_eq!(judge(&instance("LLC", 4, "1"), &FIG_2), Ok(9));
}

#[test]
fn each_rule_is_enforced() {
    let two = instance("LC", 2, "1");
    assert_eq!(judge(&two, &[(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2)]), Ok(3));
    let broken = |issues: &[(u64, u32, u32)], part: &str| {
        let message = judge(&two, issues).unwrap_err();
        assert!(message.contains(part), "{message}");
    };
    broken(&[(0, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 2)], "cycle 0");
    broken(&[(1, 3, 1), (2, 1, 1), (3, 2, 1)], "no warp 3 in the group, which has 2");
    broken(&[(1, 1, 2), (2, 1, 1)], "issues instruction 2, its next is 1");
    broken(&[(1, 1, 1), (1, 1, 2), (2, 2, 1)], "warp 1 of group 1 issues twice");
    broken(&[(1, 1, 1), (1, 2, 1), (2, 1, 2)], "warp 2 of group 1 issues on L, but all 1 instances are held");
    broken(&[(1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 2)], "ready for instruction 2 on C");
    broken(&[(2, 1, 1), (3, 1, 2), (3, 2, 1), (4, 2, 2)], "cycle 1: warp 1 of group 1 is ready");
    broken(&[(1, 1, 1), (2, 1, 2), (2, 2, 1)], "ends after 3 of 4");
    broken(&[(1, 1, 1)], "ends after 1 of 4");
    broken(&[(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2), (9, 2, 3)], "issues instruction 3, its next is 3");
    broken(&[(u64::MAX, 1, 1), (u64::MAX, 2, 1)], "cycle 1: warp 1");
}

/// With two L's a cycle no warp of two needs to wait: LL with W = 4 at sigma_L = 2 has schedules of 4 and
/// of 5 cycles.
#[test]
fn larger_sigma() {
    let instance = instance("LL", 4, "2");
    assert_eq!(
        judge(
            &instance,
            &[(1, 1, 1), (1, 2, 1), (2, 3, 1), (2, 1, 2), (3, 4, 1), (3, 2, 2), (4, 3, 2), (5, 4, 2),]
        )
        .map_err(|e| e.contains("cycle 4")),
        Err(true)
    );
    assert_eq!(
        judge(
            &instance,
            &[(1, 1, 1), (1, 2, 1), (2, 3, 1), (2, 1, 2), (3, 3, 2), (3, 2, 2), (4, 4, 1), (5, 4, 2),]
        ),
        Ok(5)
    );
}

#[test]
fn groups_complete_on_their_own() {
    let groups = vec![
        WarpGroup { kernel: "LL".parse().unwrap(), warps: 1 },
        WarpGroup { kernel: "C".parse().unwrap(), warps: 1 },
    ];
    let instance = Instance::new(groups, Multiprocessor::default()).unwrap();
    let issue = |cycle, group, instruction| Issue { cycle, group, warp: 0, instruction, latency: 1 };
    let witness =
        replay(&instance, Schedule::new(vec![issue(1, 0, 0), issue(1, 1, 0), issue(2, 0, 1)])).unwrap();
    assert_eq!(witness.completions(), [Cycles(2), Cycles(1)]);
    assert_eq!(witness.makespan(), Cycles(2));
}
