//! Threads that stay free after a block has come to the head of its queue.
//!
//! A block that is at the head of the most urgent queue keeps all others from being placed. So after a while, once
//! the blocks of other kernels have ended whose threads are no multiple of its own, a multiprocessor on which it
//! does not fit has floor(room / d) d threads taken, where d is what it needs. Until then only `K_d` is taken: room
//! less d, in steps of the greatest common divisor of all needs, and one step more. So weights d / K*, with K* no more
//! than floor(room / d) d for any head, add up to 1 or more on each of the M multiprocessors, but for a *loss* of
//! M (1 - `K_d` / K*) C in each episode: an episode begins where a launch comes to the head of the most urgent queue, and C
//! is the longest time of a block of another stream whose threads are no multiple of d. That happens once for each
//! launch that waits, and once more for each more urgent launch that comes in between, since what was the head before
//! is so again afterwards.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use num_integer::Integer;

use crate::{System, Task};

/// What is lost in an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Episodes {
    /// Of each kernel, on one multiprocessor: the numerator of (1 - `K_d` / K*) C; the denominator is `full`.
    of: Vec<u128>,
    /// K*.
    full: u64,
}

/// The most K* that are tried.
const MOST: usize = 4;

impl Episodes {
    /// All K* that are worth trying where only blocks of these kernels may wait, with what each loses. A block of each
    /// kernel takes at most so long.
    pub(super) fn all(system: &System, heads: &[bool], times: &[u64]) -> Vec<(u64, Self)> {
        let room = system.gpu().resources.threads;
        let needs: Vec<u64> = system.tasks().iter().map(|task| task.block.threads).collect();
        let step = needs.iter().fold(0, |step, need| need.gcd(&step));
        if step == 0 || needs.iter().all(|need| *need == needs[0]) {
            return Vec::new();
        }
        let taken = |need: u64| (room - need) / step * step + step;
        let of_heads = || needs.iter().zip(heads).filter(|(_, head)| **head).map(|(need, _)| *need);
        let most = of_heads().map(|need| room / need * need).min().unwrap_or(0);
        let least = of_heads().map(taken).min().unwrap_or(0);
        let mut full: Vec<u64> = of_heads().map(taken).chain([most]).collect();
        full.retain(|full| *full > least && *full <= most);
        full.sort_unstable_by_key(|full| Reverse(*full));
        full.dedup();
        full.truncate(MOST);
        let longest = longest(system, &needs, times);
        let at = |full: u64| {
            let of = needs
                .iter()
                .zip(&longest)
                .map(|(&need, &longest)| u128::from(full.saturating_sub(taken(need))) * u128::from(longest));
            (full, Self { of: of.collect(), full })
        };
        full.into_iter().map(at).collect()
    }

    /// What an episode of this kernel loses on all multiprocessors, in the parts of weights.
    pub(super) fn loss(&self, kernel: usize, one: u128, multiprocessors: u64) -> u128 {
        let parts = one / u128::from(self.full);
        self.of[kernel].saturating_mul(parts).saturating_mul(multiprocessors.into())
    }
}

/// Of each kernel, the longest time of a block of another stream whose threads are no multiple of its own.
fn longest(system: &System, needs: &[u64], times: &[u64]) -> Vec<u64> {
    // The longest time of each number of threads, stream by stream.
    let mut of_sizes: BTreeMap<u64, BTreeMap<usize, u64>> = BTreeMap::new();
    for ((task, &need), &time) in system.tasks().iter().zip(needs).zip(times) {
        let of_stream = of_sizes.entry(need).or_default().entry(task.stream).or_default();
        *of_stream = time.max(*of_stream);
    }
    // The two longest of each: one of them is of another stream.
    let two = of_sizes.into_iter().map(|(size, of_streams)| {
        let mut times: Vec<(u64, usize)> =
            of_streams.into_iter().map(|(stream, time)| (time, stream)).collect();
        times.sort_unstable_by_key(|of_stream| Reverse(*of_stream));
        times.truncate(2);
        (size, times)
    });
    let two: Vec<(u64, Vec<(u64, usize)>)> = two.collect();
    let of = |(task, need): (&Task, &u64)| {
        let others =
            two.iter().filter(|(size, _)| !u64::is_multiple_of(*size, *need)).flat_map(|(_, two)| two);
        others.filter(|(_, stream)| *stream != task.stream).map(|(time, _)| *time).max().unwrap_or(0)
    };
    system.tasks().iter().zip(needs).map(of).collect()
}
