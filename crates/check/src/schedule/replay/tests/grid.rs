//! Each rule of blocks that follow one another, broken once.

use crate::schedule::{Issue, Schedule, Start, Violation, replay};
use warpspan_model::{Code, Grid, Multiprocessor};

fn grid(code: &str, sigma_l: &str, [warps, blocks, multiprocessors, resident]: [u64; 4]) -> Grid {
    let multiprocessor = Multiprocessor::new(sigma_l.parse().unwrap(), "1".parse().unwrap());
    let grid = Grid::new(code.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
    grid.on(multiprocessors, resident).unwrap()
}

/// A start from cycle, multiprocessor, slot and block, all from 1.
type At = (u64, u64, u64, u64);

/// The judgement of starts and of issues as (cycle, block, warp, instruction), all from 1.
fn judge(grid: &Grid, starts: &[At], issues: &[At]) -> Result<u64, String> {
    let start = |&(cycle, multiprocessor, slot, block): &At| Start {
        cycle,
        multiprocessor: multiprocessor - 1,
        slot: slot - 1,
        block: block - 1,
    };
    let issue = |&(cycle, block, warp, instruction): &At| Issue {
        cycle,
        group: 0,
        warp: u32::try_from((block - 1) * grid.warps_per_block() + warp - 1).unwrap(),
        instruction: u32::try_from(instruction - 1).unwrap(),
        latency: 1,
    };
    let schedule =
        Schedule::of_blocks(starts.iter().map(start).collect(), issues.iter().map(issue).collect());
    replay(grid, schedule).map(|witness| witness.makespan().0).map_err(|violation| violation.to_string())
}

/// Three blocks of LC follow one another in a slot.
const STARTS: [At; 3] = [(1, 1, 1, 1), (3, 1, 1, 2), (5, 1, 1, 3)];
const ISSUES: [At; 6] = [(1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 1), (4, 2, 1, 2), (5, 3, 1, 1), (6, 3, 1, 2)];

#[test]
fn a_valid_schedule_passes() {
    assert_eq!(judge(&grid("LC", "1", [1, 3, 1, 1]), &STARTS, &ISSUES), Ok(6));
    // On two multiprocessors either takes the third block.
    let two = grid("LC", "1", [1, 3, 2, 1]);
    for last in [1, 2] {
        let starts = [(1, 1, 1, 1), (1, 2, 1, 2), (3, last, 1, 3)];
        let issues = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2), (3, 3, 1, 1), (4, 3, 1, 2)];
        assert_eq!(judge(&two, &starts, &issues), Ok(4));
    }
}

#[test]
fn each_rule_on_starts_is_enforced() {
    let one = grid("LC", "1", [1, 3, 1, 1]);
    let broken = |at: usize, start: At, part: &str| {
        let mut starts = STARTS;
        starts[at] = start;
        let message = judge(&one, &starts, &ISSUES).unwrap_err();
        assert!(message.contains(part), "{message}");
    };
    broken(0, (0, 1, 1, 1), "cycle 0");
    broken(1, (3, 1, 1, 4), "no block 4 in the launch, which has 3");
    broken(1, (3, 2, 1, 2), "no multiprocessor 2 in the launch, which has 1");
    broken(1, (3, 1, 2, 2), "no slot 2 in the launch, which has 1");
    broken(1, (3, 1, 1, 1), "block 1 starts, but it has started before");
    broken(1, (2, 1, 1, 2), "block 2 starts in slot 1 of multiprocessor 1, which holds block 1");
    broken(1, (4, 1, 1, 2), "cycle 3: 1 slots are empty although 2 blocks wait");
    broken(2, (7, 1, 1, 3), "cycle 5: 1 slots are empty although 1 blocks wait");
    broken(0, (2, 1, 1, 1), "cycle 1: 1 slots are empty although 3 blocks wait");
    // A block that never starts leaves its slot empty.
    let message = judge(&one, &STARTS[..2], &ISSUES).unwrap_err();
    assert!(message.contains("slots are empty"), "{message}");
    // While no block waits, an empty slot is no fault, but nothing may start there later.
    let two = grid("LC", "1", [1, 2, 2, 1]);
    let issues = [(1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 1), (4, 2, 1, 2)];
    let late = judge(&two, &[(1, 1, 1, 1), (3, 2, 1, 2)], &issues).unwrap_err();
    assert!(late.contains("cycle 1: 1 slots are empty although 1 blocks wait"), "{late}");
    let three = grid("LC", "1", [1, 3, 2, 1]);
    let issues = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2), (4, 3, 1, 1), (5, 3, 1, 2)];
    let starts = [(1, 1, 1, 1), (1, 2, 1, 2), (4, 1, 1, 3)];
    let late = judge(&three, &starts, &issues).unwrap_err();
    assert!(late.contains("cycle 3: 2 slots are empty although 1 blocks wait"), "{late}");
}

#[test]
fn each_rule_on_issues_is_enforced() {
    let one = grid("LC", "1", [1, 3, 1, 1]);
    let broken = |at: usize, issue: At, part: &str| {
        let mut issues = ISSUES;
        issues[at] = issue;
        let message = judge(&one, &STARTS, &issues).unwrap_err();
        assert!(message.contains(part), "{message}");
    };
    broken(0, (0, 1, 1, 1), "cycle 0");
    broken(0, (1, 4, 1, 1), "no block 4");
    // The warps of all blocks are counted, so this is the first of block 2.
    broken(0, (1, 1, 2, 1), "warp 1 of block 2 issues, but the block has not started");
    broken(2, (2, 2, 1, 1), "warp 1 of block 2 issues, but the block has not started");
    broken(1, (2, 1, 1, 1), "warp 1 of block 1 issues instruction 1, its next is 2");
    broken(1, (2, 1, 1, 3), "issues instruction 3, its next is 2");
    let message = judge(&one, &STARTS, &ISSUES[..5]).unwrap_err();
    assert!(message.contains("ends after 5 of 6"), "{message}");
    let too_many = [&ISSUES[..], &[(9, 3, 1, 3)]].concat();
    let message = judge(&one, &STARTS, &too_many).unwrap_err();
    assert!(message.contains("cycle 9: warp 1 of block 3 issues instruction 3"), "{message}");
    let endless = [&ISSUES[..], &[(u64::MAX, 3, 1, 3)]].concat();
    assert!(judge(&one, &STARTS, &endless).is_err());

    let two = grid("LL", "1", [1, 2, 1, 2]);
    let starts = [(1, 1, 1, 1), (1, 1, 2, 2)];
    let judged = |issues: &[At], part: &str| {
        let message = judge(&two, &starts, issues).unwrap_err();
        assert!(message.contains(part), "{message}");
    };
    judged(
        &[(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (3, 2, 1, 2)],
        "issues on L, but all 1 instances are held",
    );
    judged(
        &[(1, 1, 1, 1), (3, 2, 1, 1), (4, 1, 1, 2), (5, 2, 1, 2)],
        "cycle 2: warp 1 of block 1 is ready for instruction 2 on L",
    );
    judged(&[(1, 1, 1, 1), (1, 1, 1, 1), (2, 1, 1, 2), (3, 2, 1, 2)], "block 1 issues twice");
    assert_eq!(judge(&two, &starts, &[(1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 1, 2), (4, 2, 1, 2)]), Ok(4));
    // With two L's a cycle both blocks go on at once.
    let wide = grid("LL", "2", [1, 2, 1, 2]);
    assert!(judge(&wide, &starts, &[(1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 1, 2), (4, 2, 1, 2)]).is_err());
    let at_once = [(1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 2), (2, 2, 1, 2)];
    assert_eq!(judge(&wide, &starts, &at_once), Ok(2));
}

#[test]
fn barriers_are_of_a_block() {
    let two = grid("L|C", "1", [2, 2, 1, 1]);
    let starts = [(1, 1, 1, 1), (5, 1, 1, 2)];
    let block = |first: u64, block: u64| {
        [(first, block, 1, 1), (first + 1, block, 2, 1), (first + 2, block, 1, 2), (first + 3, block, 2, 2)]
    };
    assert_eq!(judge(&two, &starts, &[block(1, 1), block(5, 2)].concat()), Ok(8));
    let early = [(1, 1, 1, 1), (2, 1, 2, 1), (2, 1, 1, 2), (3, 1, 2, 2)];
    let message = judge(&two, &[(1, 1, 1, 1), (4, 1, 1, 2)], &[early, block(4, 2)].concat()).unwrap_err();
    assert!(message.contains("cycle 2: warp 1 of block 1 issues instruction 2, but stands"), "{message}");
    assert_eq!(replay(&grid("[L/C]", "1", [1, 2, 1, 1]), Schedule::new(vec![])), Err(Violation::Paths));
}
