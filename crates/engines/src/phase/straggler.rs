//! The schedule that attains the closed form for W = 1 and W >= 3.
//!
//! There are n = W - 1 *pack* warps and one *straggler* z, the last warp. Before each block z walks to the
//! last letter of its current run, one cycle a letter, while the whole pack stands on the first letter X of
//! the block and waits, because z wants X too. Then the pack goes through the block two letters at a time:
//! letter j of warp i issues in cycle `tau + floor(j/2) n + i + (j mod 2)`. X issues without a gap, and the
//! other letter one cycle later. In an odd block z never gets X. At the end of an even block z is the only
//! warp ready for X. It issues the last letter of its run and stands on its next run. After the last block z
//! issues the rest alone. Every even block holds a change of letter, so z does not run out of runs. Both
//! units issue together in n floor(l/2) cycles of a block of length l.
//!
//! Of its string, z needs only that it stands on its k-th run before the k-th even block of the pack and up to
//! the one after it. So z may run another string than the pack ([`held_back`]).

use crate::phase::rate::blocks;
use warpspan_check::schedule::Issue;
use warpspan_model::Kernel;

/// A stretch of cycles that follow one pattern.
#[derive(Debug, Clone, Copy)]
enum Stretch {
    /// The straggler issues one letter after `before` cycles.
    Straggler { before: u64, letter: usize },
    /// The pack goes through a block.
    Pack { before: u64, first: usize, length: usize },
}

/// The `W I` issues of the schedule, computed in O(1) each. Only the kernel's blocks are stored.
///
/// The schedule is not meant for W = 2. There the pack is too small to keep a unit busy, and the schedule
/// rarely attains I + a.
///
/// ```
/// use warpspan_engines::phase::straggler;
///
/// let last = straggler(&"LLCLL".parse()?, 600).map(|issue| issue.cycle).max();
/// assert_eq!(last, Some(2401));
/// # Ok::<(), warpspan_model::CodeError>(())
/// ```
pub fn straggler(kernel: &Kernel, warps: u64) -> impl Iterator<Item = Issue> {
    let n = warps - 1;
    issues(stretches(kernel, kernel, n), n, (0, index(n)))
}

/// The same schedule with `pack` warps on one string, group 0, and the straggler on another, group 1. It is
/// meant for at least two warps in the pack, strings that begin with the same letter, and a straggler with a
/// run more than the pack has even blocks before its last block.
pub fn held_back(pack: &Kernel, warps: u64, straggler: &Kernel) -> impl Iterator<Item = Issue> {
    issues(stretches(pack, straggler, warps), warps, (1, 0))
}

/// The issues of stretches with a pack of n warps, and a straggler of this group and index.
fn issues(stretches: Vec<Stretch>, n: u64, straggler: (u32, u32)) -> impl Iterator<Item = Issue> {
    stretches.into_iter().flat_map(move |stretch| {
        let (before, first, letters, warps) = match stretch {
            Stretch::Straggler { before, letter } => (before, letter, 0..1, 0..1),
            Stretch::Pack { before, first, length } => (before, first, 0..length, 0..n),
        };
        letters.flat_map(move |j| {
            let start = before + (j as u64 / 2) * n + (j as u64 % 2) + 1;
            warps.clone().map(move |at| {
                let (group, warp) = match stretch {
                    Stretch::Straggler { .. } => straggler,
                    Stretch::Pack { .. } => (0, index(at)),
                };
                Issue { cycle: start + at, group, warp, instruction: index((first + j) as u64), latency: 1 }
            })
        })
    })
}

/// The stretches of the schedule, block by block, with a pack of n warps on one string and a straggler on
/// another or the same.
fn stretches(pack: &Kernel, straggler: &Kernel, n: u64) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut run_ends = straggler.runs().scan(0, |end, (_, length)| {
        *end += length;
        Some(*end)
    });
    let mut run_end = run_ends.next().unwrap_or(straggler.len());
    let mut z = 0; // the straggler's next instruction
    let mut tau = 0; // the number of cycles so far
    let mut first = 0; // the block's first instruction
    for block in blocks(pack).take(if n > 0 { usize::MAX } else { 0 }) {
        while z + 1 < run_end {
            alone(&mut stretches, &mut tau, &mut z);
        }
        stretches.push(Stretch::Pack { before: tau, first, length: block.len() });
        tau += n * (block.len() as u64).div_ceil(2);
        if block.len().is_multiple_of(2) {
            alone(&mut stretches, &mut tau, &mut z);
            run_end = run_ends.next().unwrap_or(straggler.len());
        }
        first += block.len();
    }
    while z < straggler.len() {
        alone(&mut stretches, &mut tau, &mut z);
    }
    stretches
}

fn alone(stretches: &mut Vec<Stretch>, tau: &mut u64, z: &mut usize) {
    stretches.push(Stretch::Straggler { before: *tau, letter: *z });
    *tau += 1;
    *z += 1;
}

fn index(value: u64) -> u32 {
    u32::try_from(value).expect("a schedule that is written out has fewer than 2^32 warps and instructions")
}
