//! Whether the threads of a warp come to the barriers of the block as CUDA demands: all that have not ended, or none.
//!
//! Of two threads that part at a branch, both must come to some instruction with no barrier before it, or one of them must end
//! with no barrier before, and before the ways of the branch meet. Otherwise one is at a barrier that the other passes by. This
//! looks at what threads did; nothing is known here of which ways there are.

use std::collections::{HashMap, HashSet};

use super::graph::Graph;
use super::{Code, Op, Step};

pub(crate) struct Legal<'a> {
    code: &'a Code,
    /// Where the ways of branches meet.
    meets: HashMap<usize, usize>,
}

impl<'a> Legal<'a> {
    /// None if no barrier is there.
    pub(crate) fn new(code: &'a Code, graph: &Graph) -> Option<Self> {
        if !code.insts.iter().any(|inst| inst.op == Op::Bar) {
            return None;
        }
        let branches = code.insts.iter().enumerate();
        let branches = branches.filter(|(_, inst)| matches!(inst.op, Op::Bra(_) | Op::Switch(_)));
        let meets = branches.map(|(at, _)| (at, graph.meet(at, false))).collect();
        Some(Self { code, meets })
    }

    pub(crate) fn is_legal(&self, steps: &[Step]) -> bool {
        // From the end: what each thread is still to do, the next last.
        let mut futures: Vec<Vec<usize>> = vec![vec![]; 32];
        for step in steps.iter().rev() {
            let threads = (0..32).filter(|thread| step.threads >> thread & 1 == 1);
            if let Some(&meet) = self.meets.get(&step.inst) {
                let mut ways: HashMap<Option<usize>, Vec<(HashSet<usize>, bool)>> = HashMap::new();
                for future in threads.clone().map(|thread| &futures[thread]) {
                    let way = ways.entry(future.last().copied()).or_default();
                    let seen = self.without_barrier(step.inst, meet, future);
                    if !way.contains(&seen) {
                        way.push(seen);
                    }
                }
                let ways: Vec<_> = ways.into_values().collect();
                for (number, way) in ways.iter().enumerate() {
                    let others = ways[..number].iter().flatten();
                    let mut pairs = others.flat_map(|other| way.iter().map(move |one| (one, other)));
                    if pairs.any(|(one, other)| !one.1 && !other.1 && one.0.is_disjoint(&other.0)) {
                        return false;
                    }
                }
            }
            threads.for_each(|thread| futures[thread].push(step.inst));
        }
        true
    }

    /// The instructions that a thread comes to behind a branch up to its next barrier, and whether it ends before that and before
    /// the ways of the branch meet.
    fn without_barrier(&self, branch: usize, meet: usize, future: &[usize]) -> (HashSet<usize>, bool) {
        let (mut places, mut met) = (HashSet::new(), false);
        for &at in future.iter().rev() {
            // What is called is on no way of the branch.
            if self.code.routine[at] == self.code.routine[branch] {
                places.insert(at);
            }
            met |= at == meet;
            if self.code.insts[at].op == Op::Bar {
                return (places, false);
            }
        }
        (places, !met || meet >= self.code.insts.len())
    }
}
