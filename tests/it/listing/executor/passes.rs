//! How often a warp passes the header of a loop.

use super::graph::Graph;
use super::{Code, Step};

/// What is one coming to the loop from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// All passes while any thread of the warp is in the loop.
    Warp,
    /// The passes of the threads that came from outside together, and of no others.
    Together,
}

/// The passes of a header for each coming from outside, with all threads of the warp.
pub(crate) fn passes(code: &Code, graph: &Graph, header: usize, steps: &[Step], count: Count) -> Vec<u64> {
    let body = graph.body(header);
    // Where each thread last issued in each of its calls; none before it starts and after it ended.
    let mut frames: Vec<Vec<usize>> = vec![vec![]; 32];
    let mut started = [false; 32];
    let mut window = [usize::MAX; 32];
    let mut passes: Vec<u64> = Vec::new();
    for step in steps {
        let threads: Vec<usize> = (0..32).filter(|thread| step.threads >> thread & 1 == 1).collect();
        if step.inst == header {
            let inside = |thread: &usize| frames[*thread].iter().any(|at| body.contains(at));
            let old: Vec<usize> = match count {
                Count::Warp => (0..32).filter(inside).map(|thread| window[thread]).collect(),
                Count::Together => {
                    let here = |thread: &&usize| frames[**thread].last().is_some_and(|at| body.contains(at));
                    threads.iter().filter(here).map(|&thread| window[thread]).collect()
                }
            };
            // A thread that came into the loop beside its header has not come to it yet.
            let old: Vec<usize> = old.into_iter().filter(|window| *window != usize::MAX).collect();
            let number = old.iter().copied().min().unwrap_or(passes.len());
            if number == passes.len() {
                passes.push(0);
            }
            // Comings that run into one another are one.
            for other in old.iter().copied().filter(|other| *other != number) {
                passes[number] += std::mem::take(&mut passes[other]);
                window.iter_mut().filter(|window| **window == other).for_each(|window| *window = number);
            }
            passes[number] += 1;
            threads.iter().for_each(|&thread| window[thread] = number);
        }
        for &thread in &threads {
            if !started[thread] {
                started[thread] = true;
                frames[thread].push(step.inst);
            }
            *frames[thread].last_mut().unwrap() = step.inst;
            let has = |mask: u32| mask >> thread & 1 == 1;
            if has(step.ended) {
                frames[thread].clear();
            } else if has(step.returned) {
                frames[thread].pop();
            } else if has(step.called) {
                frames[thread].push(code.insts.len());
            }
        }
    }
    passes.retain(|passes| *passes > 0);
    passes
}
