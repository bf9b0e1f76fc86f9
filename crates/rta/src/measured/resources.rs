//! The rules on the resources of a multiprocessor: R1, R2 and R3.

use std::collections::BTreeSet;

use crate::measured::rules::Tally;
use crate::measured::{Block, Finding, Measurement, Rule};
use warpspan_model::time::Duration;

/// The rules with the resources that they are about, in the order of
/// [`Resources::each`](warpspan_model::device::Resources::each).
const RESOURCES: [(Rule, usize, &str); 4] = [
    (Rule::R2, 0, "threads"),
    (Rule::R3, 1, "bytes of shared memory"),
    (Rule::R1, 2, "registers"),
    (Rule::R1, 3, "block slots"),
];

pub(super) fn findings(run: &Measurement, tolerance: Duration) -> Vec<Finding> {
    let mut blocks: Vec<(&Block, [usize; 2])> = Vec::new();
    for (launch, one) in run.launches.iter().enumerate() {
        blocks.extend(one.blocks.iter().enumerate().map(|(number, block)| (block, [launch, number])));
    }
    blocks.sort_by_key(|(block, _)| (block.multiprocessor, block.start));
    let mut tallies = [Rule::R1, Rule::R2, Rule::R3].map(|rule| (rule, Tally::new(rule, tolerance)));
    for same in blocks.chunk_by(|(a, _), (b, _)| a.multiprocessor == b.multiprocessor) {
        one_multiprocessor(run, same, &mut tallies);
    }
    tallies.into_iter().map(|(_, tally)| tally.end()).collect()
}

/// Follows the blocks of a multiprocessor in the order of their starts.
fn one_multiprocessor(run: &Measurement, blocks: &[(&Block, [usize; 2])], tallies: &mut [(Rule, Tally); 3]) {
    let capacity = run.system.gpu().resources.each();
    let need = |[launch, _]: [usize; 2]| run.system.tasks()[launch].least.each();
    let mut present: BTreeSet<(Duration, [usize; 2])> = BTreeSet::new();
    let mut taken = [0_u64; 4];
    for &(block, number) in blocks {
        while let Some(&(end, gone)) = present.first().filter(|(end, _)| *end <= block.start) {
            present.remove(&(end, gone));
            for (taken, need) in taken.iter_mut().zip(need(gone)) {
                *taken -= need;
            }
        }
        present.insert((block.end, number));
        for (taken, need) in taken.iter_mut().zip(need(number)) {
            *taken += need;
        }
        for (rule, resource, what) in RESOURCES {
            // Without any need there is nothing to check.
            if need(number)[resource] == 0 {
                continue;
            }
            let mut left = taken[resource];
            let mut off = Duration::ZERO;
            for &(end, other) in &present {
                if left <= capacity[resource] {
                    break;
                }
                left -= need(other)[resource];
                off = end - block.start;
            }
            let Some((_, tally)) = tallies.iter_mut().find(|(known, _)| *known == rule) else { continue };
            tally.judge(number, block.start, off, || {
                format!(
                    "{} starts at {}, where the blocks then need {} {what} of {}: too many for {} more",
                    run.block(number[0], number[1]),
                    run.time(block.start),
                    taken[resource],
                    capacity[resource],
                    run.time(off)
                )
            });
        }
    }
}
