//! How many groups of threads may have diverged where a function of SASS ends, or return from it.
//!
//! From capability 7.0 on nobody waits at a `RET`. The groups that have diverged in a function stay apart behind the
//! call, up to a location where they wait for each other.

use std::collections::HashMap;

use crate::classes::Classes;
use crate::flow::analysis::convergence::{Reconvergence, reconvergence, reconvergence_block};
use crate::flow::analysis::split_passes::MOST_GROUPS;
use crate::flow::analysis::{Function, FunctionId, Program, Scope, control_flow_graph};
use crate::flow::fixed_point::backward;
use crate::flow::graph::{Edge, Node, PerNode};
use warpspan_isa::instruction::{Instruction, Language};

/// By function that is called: how many groups may come back from a call of it.
pub(crate) type Returns = HashMap<FunctionId, u64>;

/// The groups that come back from each function that a function calls, and from those that these call.
pub(crate) fn returns(program: Program<'_, '_>, id: FunctionId, classes: &mut Classes) -> Returns {
    let mut found = Returns::new();
    let routine = &program.listing.routines[id.routine];
    let parts = program.options.independent_threads && program.listing.language == Language::Sass;
    let calls = |one: &Instruction<'_>| one.flow.is_call();
    if parts && routine.instructions.iter().any(calls) {
        let graph = control_flow_graph(program.listing, id, |_| false, false);
        let function = Function::new(program, id, &graph, classes, false);
        callees(&function, classes, &mut found);
    }
    found
}

fn callees(function: &Function<'_, '_>, classes: &mut Classes, found: &mut Returns) {
    let whole = &function.whole.subgraph;
    let called: Vec<FunctionId> =
        whole.instructions(whole.nodes()).filter_map(|at| function.callee(at)).collect();
    for id in called {
        let routine = &function.program.listing.routines[id.routine];
        if found.contains_key(&id) || id.entry >= routine.instructions.len() {
            continue;
        }
        // A function that calls itself has no program.
        found.insert(id, MOST_GROUPS);
        let graph = control_flow_graph(function.program.listing, id, |_| false, true);
        let callee = Function::new(function.program, id, &graph, classes, true);
        callees(&callee, classes, found);
        let groups = groups(&callee, &callee.whole, found)[Node::ENTRY];
        found.insert(id, groups);
    }
}

/// For each node how many groups one that comes there may be at the end of the scope.
pub(crate) fn groups(function: &Function<'_, '_>, scope: &Scope<'_>, returns: &Returns) -> PerNode<u64> {
    ways(function, scope, returns, 1)
}

/// How many groups may leave a loop in one pass, each by a way of its own out of the code of the pass and of what follows only when it
/// is left.
pub(crate) fn leaving(function: &Function<'_, '_>, pass: &Scope<'_>, returns: &Returns) -> u64 {
    ways(function, pass, returns, 0)[Node::ENTRY]
}

/// The same for each node, where a way back to the header counts `back`.
fn ways(function: &Function<'_, '_>, scope: &Scope<'_>, returns: &Returns, back: u64) -> PerNode<u64> {
    let subgraph = &scope.subgraph;
    let reconvergences = subgraph.per_node(|node| reconvergence(function, scope, node));
    let of_calls = subgraph.per_node(|node| {
        let calls = subgraph.block(node).instructions.clone();
        calls.map(|at| parted_by_call(function, scope, (node, at), returns)).fold(1, u64::saturating_mul)
    });
    backward(subgraph, back, |node, found| {
        // Several edges may be a return at once.
        let returns = u64::try_from(subgraph.block(node).returns).unwrap_or(u64::MAX).max(1);
        let of = |edge: &Edge| match edge {
            Edge::To(to) => found[*to],
            Edge::Back => back,
            Edge::Out | Edge::End => returns,
        };
        let mut edges = subgraph.edges(node).iter().map(of);
        let groups = match reconvergences[node] {
            Reconvergence::Together => edges.max().unwrap_or(1),
            Reconvergence::At(join) => found[join],
            _ => edges.by_ref().fold(0, u64::saturating_add),
        };
        groups.saturating_mul(of_calls[node]).clamp(back, MOST_GROUPS)
    })
}

/// How many groups a call leaves apart up to the end of the scope: 1 if they wait for each other before.
fn parted_by_call(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    call: (Node, usize),
    returns: &Returns,
) -> u64 {
    let groups = of_call(function, call.1, returns);
    if groups > 1 && reconvergence_after_call(function, scope, call).is_none() { groups } else { 1 }
}

/// How many groups come back from what an instruction calls.
pub(crate) fn of_call(function: &Function<'_, '_>, at: usize, returns: &Returns) -> u64 {
    function.callee(at).and_then(|id| returns.get(&id)).copied().unwrap_or(1)
}

/// Where the groups that come back from a call wait for each other.
pub(crate) fn reconvergence_after_call(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    call: (Node, usize),
) -> Option<Node> {
    reconvergence_block(function, scope, call, scope.joins.join(call.0)).ok()
}
