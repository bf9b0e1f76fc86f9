//! The schedule that attains the closed form for W = 1 and W >= 3.
//!
//! n = W - 1 *pack* warps and one *straggler* z, the last warp. Before each block z walks to the last letter of its
//! current run, one cycle a letter, while the pack, all of it standing on the first letter X of the block, waits: z
//! wants X too. Then the pack goes through the block two letters at a time: letter j of warp i issues in cycle
//! `tau + floor(j/2) n + i + (j mod 2)`. X issues without a gap, the other letter one cycle later. In an odd block z
//! never gets X; at the end of an even block z is the only one ready for X, issues the last letter of its run and
//! stands on its next run. After the last block z issues the rest alone. Every even block holds a change of letter,
//! so z does not run out of runs. Both units issue together in n floor(l/2) cycles of a block of length l.

use crate::model::Kernel;
use crate::phase::rate::blocks;
use crate::schedule::Issue;

/// The issues of the schedule, W I of them, in O(1) each.
///
/// Not for W = 2, where the pack is too small to keep a unit busy, and rarely attains I + a.
pub fn straggler(kernel: &Kernel, warps: u64) -> Vec<Issue> {
    let n = warps - 1;
    let issue = |cycle: u64, warp: u64, instruction: usize| Issue {
        cycle,
        group: 0,
        warp: index(warp),
        instruction: index(instruction as u64),
    };
    let mut issues = Vec::with_capacity(usize::try_from(warps).unwrap_or(0).saturating_mul(kernel.len()));
    if n > 0 {
        let mut run_ends = kernel.runs().scan(0, |end, (_, length)| {
            *end += length;
            Some(*end)
        });
        let mut run_end = run_ends.next().unwrap_or(kernel.len());
        let mut z = 0; // the straggler's next instruction
        let mut tau = 0; // cycles before the block
        let mut first = 0; // the block's first instruction
        for block in blocks(kernel) {
            while z + 1 < run_end {
                tau += 1;
                issues.push(issue(tau, n, z));
                z += 1;
            }
            for j in 0..block.len() {
                let start = tau + (j as u64 / 2) * n + (j as u64 % 2);
                issues.extend((0..n).map(|i| issue(start + i + 1, i, first + j)));
            }
            tau += n * (block.len() as u64).div_ceil(2);
            if block.len().is_multiple_of(2) {
                tau += 1;
                issues.push(issue(tau, n, z));
                z += 1;
                run_end = run_ends.next().unwrap_or(kernel.len());
            }
            first += block.len();
        }
        for rest in z..kernel.len() {
            tau += 1;
            issues.push(issue(tau, n, rest));
        }
    } else {
        issues.extend((0..kernel.len()).map(|i| issue(i as u64 + 1, 0, i)));
    }
    issues
}

fn index(value: u64) -> u32 {
    u32::try_from(value).expect("a schedule that is written out has fewer than 2^32 warps and instructions")
}
