//! Fixed points: states of blocks that no longer change.

use std::collections::{BTreeSet, HashMap};

use crate::flow::graph::{BlockId, ControlFlowGraph, Node, PerNode, Subgraph};

/// The state before each block that is reached from the first one, which has the state `entry`. `transfer` gives the state at the end of a
/// block from the one before it, or none, which ends the search. `along` gives the new state before a successor from the state at the end of a block and the one known before
/// the successor, or none if that stays as it is.
pub(crate) fn forward<S: Clone>(
    graph: &ControlFlowGraph,
    (first, entry): (BlockId, S),
    mut transfer: impl FnMut(BlockId, S) -> Option<S>,
    mut along: impl FnMut([BlockId; 2], &S, Option<&S>) -> Option<S>,
) -> HashMap<BlockId, S> {
    if graph.len() == 0 {
        return HashMap::new();
    }
    // Blocks that are not reached cost nothing, so that one pass of a loop of a long routine is followed in little time.
    let mut before = HashMap::from([(first, entry)]);
    let mut open = BTreeSet::from([first]);
    while let Some(block) = open.pop_first() {
        let Some(state) = before.get(&block).cloned().and_then(|state| transfer(block, state)) else {
            break;
        };
        for &to in &graph[block].successors {
            if let Some(new) = along([block, to], &state, before.get(&to)) {
                before.insert(to, new);
                open.insert(to);
            }
        }
    }
    before
}

/// A value for each node that follows from those of its successors. `of` only makes values larger or only smaller.
pub(crate) fn backward<T: Clone + PartialEq>(
    subgraph: &Subgraph<'_>,
    first: T,
    of: impl Fn(Node, &PerNode<T>) -> T,
) -> PerNode<T> {
    let mut found = subgraph.per_node(|_| first.clone());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for node in subgraph.nodes().rev() {
            let new = of(node, &found);
            changed |= new != found[node];
            found[node] = new;
        }
    }
    found
}
