//! A routine as a trace is followed through it.

use std::collections::{HashMap, HashSet};

use crate::affine::{Loop, loops};
use crate::flow::ControlFlowGraph;
use crate::routine::Routine;
use crate::sass::has_condition;
use warpspan_isa::instruction::{Flow, Language};

/// Where lanes may go on that have executed an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// At one of these.
    To(Vec<usize>),
    /// They end.
    End,
    /// Anywhere, since the listing does not say.
    Anywhere,
    /// In a function that is called, whose PCs begin anew.
    Called,
}

/// What is asked of each instruction.
pub(super) struct Code<'r, 'a> {
    pub(super) routine: &'r Routine<'a>,
    /// The instruction at each address.
    at: HashMap<u64, usize>,
    /// Where lanes that executed an instruction go on.
    next: Vec<Next>,
    /// Whether lanes that are there may not execute it, because of its predicate.
    guarded: Vec<bool>,
    /// Whether lanes that execute it may go on at several places, by an operand or since it has several targets.
    parts: Vec<bool>,
    /// How many instructions before each are not guarded.
    plain_before: Vec<usize>,
    /// The last instruction of its block before it that is not guarded.
    before: Vec<Option<usize>>,
    /// The loops; none if their passes cannot be told.
    pub(super) loops: Option<Vec<Loop>>,
    /// The loops around each instruction.
    around: Vec<Vec<usize>>,
    /// The first instruction of each block, with those of the blocks that may follow it.
    pub(super) blocks: Vec<(std::ops::Range<usize>, Vec<usize>)>,
}

impl<'r, 'a> Code<'r, 'a> {
    pub(super) fn of(routine: &'r Routine<'a>) -> Self {
        let all = &routine.instructions;
        let graph = ControlFlowGraph::new(routine, Language::Sass, 0, &HashSet::new(), false);
        let guarded: Vec<bool> = all.iter().map(|one| one.guard.is_some() && one.conditional).collect();
        let by_operand: Vec<bool> = all.iter().map(has_condition).collect();
        let parts = all
            .iter()
            .zip(&by_operand)
            .map(|(one, &by_operand)| by_operand || matches!(one.flow, Flow::Switch(_) | Flow::Unknown));
        let parts = parts.collect();
        let mut plain_before = vec![0];
        for &one in &guarded {
            plain_before.push(plain_before.last().copied().unwrap_or(0) + usize::from(!one));
        }
        let mut before = vec![None; all.len()];
        let mut blocks = Vec::new();
        for (_, block) in graph.blocks() {
            let mut last = None;
            for at in block.instructions.clone() {
                before[at] = last;
                if all[at].may_reconverge() {
                    last = None;
                } else if !guarded[at] {
                    last = Some(at);
                }
            }
            let after = block.successors.iter().map(|&to| graph[to].first()).collect();
            blocks.push((block.instructions.clone(), after));
        }
        let next = (0..all.len())
            .map(|at| {
                // The condition of a branch may be an operand, too: then lanes that execute it may go on behind it.
                let behind = (by_operand[at] || all[at].conditional && !guarded[at]).then_some(at + 1);
                match &all[at].flow {
                    Flow::Next => Next::To(vec![at + 1]),
                    Flow::Branch(to) => Next::To(std::iter::once(*to).chain(behind).collect()),
                    Flow::Switch(list) => Next::To(list.iter().copied().chain(behind).collect()),
                    Flow::End if behind.is_none() => Next::End,
                    Flow::End | Flow::Unknown => Next::Anywhere,
                    Flow::Call(_) | Flow::CallInside(_) => Next::Called,
                }
            })
            .collect();
        let loops = loops(&graph);
        let mut around = vec![Vec::new(); all.len()];
        for (number, one) in loops.iter().flatten().enumerate() {
            one.body.iter().flat_map(Clone::clone).for_each(|at| around[at].push(number));
        }
        let at = all.iter().enumerate().filter_map(|(at, one)| Some((one.address?, at))).collect();
        Self { routine, at, next, guarded, parts, plain_before, before, loops, around, blocks }
    }

    /// The instruction at an address.
    pub(super) fn at(&self, address: u64) -> Option<usize> {
        self.at.get(&address).copied()
    }

    pub(super) fn next(&self, at: usize) -> &Next {
        &self.next[at]
    }

    pub(super) fn is_guarded(&self, at: usize) -> bool {
        self.guarded[at]
    }

    /// Whether lanes that execute it may go on at several places.
    pub(super) fn parts(&self, at: usize) -> bool {
        self.parts[at]
    }

    /// Whether lanes that go on at an instruction come to another one next that they execute: no predicate keeps them from it, and
    /// predicates may keep them from those between.
    pub(super) fn comes_to(&self, from: usize, to: usize) -> bool {
        from <= to && self.plain_before[from] == self.plain_before[to]
    }

    /// The last instruction before a branch, in its block, that all lanes execute which are there.
    pub(super) fn all_before(&self, branch: usize) -> Option<usize> {
        self.before[branch]
    }

    pub(super) fn is_in(&self, at: usize, number: usize) -> bool {
        self.around[at].contains(&number)
    }
}
