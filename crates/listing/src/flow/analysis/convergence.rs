//! Convergence: whether threads that diverge at a branch wait for each other where its paths join.
//!
//! For PTX it is assumed that they do. In SASS the listing says where threads wait, by its *reconvergence
//! points*: the locations that `SSY`, `PBK`, `PCNT`, `PRET` and `BSSY` push and that `SYNC`, `BRK`, `CONT`,
//! `RET` and `BSYNC` take off. The reader of SASS finds the stack of these before each instruction
//! ([`Points`](crate::routine::Points)). `docs/extract-structure.md` has the rule and its proof.

use std::collections::HashSet;

use crate::flow::analysis::{Function, Scope};
use crate::flow::graph::{Edge, Node};
use crate::flow::{Obstacle, StructureError};
use warpspan_isa::instruction::Flow;
use warpspan_model::program::Divergence;

/// Where the groups of threads that diverge at a branch reconverge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reconvergence {
    /// The branch cannot diverge.
    Together,
    /// All paths lead to a node of the scope, at which their groups wait for each other.
    At(Node),
    /// Some paths leave the loop of the pass, or begin its next pass, and do not join in it.
    Leaves,
    /// The paths join at the end only.
    End,
    /// The groups stay apart behind the end of the scope, and why.
    Never(Obstacle),
}

/// Checks every branch of PTX in a scope that is not uniform. If its paths join where its threads do not wait,
/// they have diverged for longer than the program says. (In SASS the regions say for how long.)
///
/// # Errors
/// All branches of which that is not known.
pub(crate) fn check(function: &Function<'_, '_>, scope: &Scope<'_>) -> Result<(), StructureError> {
    if !function.is_ptx() {
        return Ok(());
    }
    let mut error = StructureError::default();
    for node in scope.subgraph.nodes() {
        if let Reconvergence::Never(obstacle) = reconvergence(function, scope, node) {
            let line = function.routine.line_of(scope.subgraph.block(node).last());
            error.obstacles.push((line, obstacle));
        }
    }
    error.unless_empty()
}

/// Where the groups of the branch at the end of a node reconverge.
pub(crate) fn reconvergence(function: &Function<'_, '_>, scope: &Scope<'_>, node: Node) -> Reconvergence {
    let others = scope.subgraph.edges(node).iter().filter(|&&edge| edge != Edge::End).count();
    let block = scope.subgraph.block(node);
    let returns = if function.is_ptx() { usize::from(block.joins_at_end) } else { block.returns };
    let returns = if function.called { returns } else { 0 };
    if others + returns < 2 || function.uniform(scope, node) {
        return Reconvergence::Together;
    }
    let independent = !function.is_ptx() && function.program.options.independent_threads;
    let whole_callee = independent && function.called && !scope.subgraph.is_pass();
    let first = join(scope, node).filter(|_| others > 1);
    let Some(first) = first else {
        return match (whole_callee, scope.subgraph.is_pass()) {
            (true, _) => Reconvergence::Never(Obstacle::ReturnApart),
            (_, true) => Reconvergence::Leaves,
            _ => Reconvergence::End,
        };
    };
    if function.is_ptx() {
        return match check_join_in_ptx(function, scope, node, first) {
            Ok(()) => Reconvergence::At(first),
            Err(obstacle) => Reconvergence::Never(obstacle),
        };
    }
    let from = (node, block.last());
    let place = reconvergence_block(function, scope, from, Some(first)).or_else(|why| {
        let header = back(scope, node).then_some(Node::ENTRY);
        reconvergence_block(function, scope, from, header).map_err(|_| why)
    });
    match place {
        Ok(join) => Reconvergence::At(join),
        // The threads that return from a function up to 6.x wait for each other behind the call.
        Err(obstacle) if scope.subgraph.is_pass() || whole_callee => Reconvergence::Never(obstacle),
        Err(_) => Reconvergence::End,
    }
}

/// The nearest node at which the groups that diverge at an instruction of SASS wait for each other: `first` or
/// one that all paths from there pass.
///
/// # Errors
/// What stands in the way at the first one.
pub(crate) fn reconvergence_block(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    from: (Node, usize),
    first: Option<Node>,
) -> Result<Node, Obstacle> {
    let mut next = first;
    let mut why = None;
    while let Some(join) = next {
        match check_join_in_sass(function, scope, from, join) {
            Ok(()) => return Ok(join),
            Err(obstacle) => _ = why.get_or_insert(obstacle),
        }
        next = scope.joins.join(join).filter(|_| join != Node::ENTRY);
    }
    Err(why.unwrap_or(Obstacle::NoPoint))
}

/// Where the paths of a branch join: at its immediate postdominator, or at the header of a loop if all come
/// back to it.
fn join(scope: &Scope<'_>, node: Node) -> Option<Node> {
    scope.joins.join(node).or(back(scope, node).then_some(Node::ENTRY))
}

/// Whether all paths from a node of a pass come back to the header of the loop.
fn back(scope: &Scope<'_>, node: Node) -> bool {
    let leaves = |&edge: &Edge| scope.exits.leaves(edge);
    scope.subgraph.is_pass() && !scope.subgraph.edges(node).iter().any(leaves)
}

/// Where threads reconverge: the join, or what comes behind it if it is a `BSYNC`, which each group of
/// threads issues on its path.
pub(crate) fn behind_join(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    join: Option<Node>,
) -> Option<Node> {
    let join = join?;
    if function.is_wait(scope.subgraph.block_id(join)) {
        scope.subgraph.edges(join).iter().find_map(|edge| edge.node())
    } else {
        Some(join)
    }
}

/// How the threads of a warp may issue the arms of the branch of a node. Up to capability 6.x one arm is
/// issued after the other if threads wait at no other location before they join: otherwise the threads of one
/// arm may wait in the middle of it for those of another.
pub(crate) fn divergence(function: &Function<'_, '_>, scope: &Scope<'_>, node: Node) -> Divergence {
    let divergence = function.divergence(function.uniform(scope, node));
    if divergence != Divergence::Divergent || function.is_ptx() {
        return divergence;
    }
    let last = scope.subgraph.block(node).last();
    let innermost = function.routine.points.around(last).into_iter().flatten().next();
    let exact = !function.routine.points.varies.contains(&last);
    let innermost = innermost.filter(|_| exact).map(|(_, point)| point.place);
    match reconvergence(function, scope, node) {
        Reconvergence::At(join) if innermost == Some(scope.subgraph.block(join).first()) => divergence,
        _ => Divergence::Interleaved,
    }
}

/// Whether a location where threads of SASS wait for each other lies in a scope.
pub(crate) fn has_reconvergence_point(function: &Function<'_, '_>, scope: &Scope<'_>) -> bool {
    let points = &function.routine.points.stacks;
    let places: HashSet<usize> = points.iter().map(|point| point.place).collect();
    scope.subgraph.instructions(scope.subgraph.nodes()).any(|at| places.contains(&at))
}

/// PTX: threads are assumed to reconverge at the nearest location that all paths pass. If that is so only in the pass
/// of a loop, because some paths end there, it is no such location of the routine.
fn check_join_in_ptx(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    node: Node,
    join: Node,
) -> Result<(), Obstacle> {
    let whole = &function.whole;
    let of_routine =
        whole.subgraph.node_of(scope.subgraph.block_id(node)).and_then(|node| whole.joins.join(node));
    if of_routine.map(|join| whole.subgraph.block_id(join)) == Some(scope.subgraph.block_id(join)) {
        Ok(())
    } else {
        Err(Obstacle::MeetsInPass)
    }
}

/// Whether the groups that diverge at an instruction of SASS wait for each other at a node.
pub(crate) fn waits_at(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    from: (Node, usize),
    join: Node,
) -> bool {
    check_join_in_sass(function, scope, from, join).is_ok()
}

/// SASS: threads that diverge at an instruction of a node wait at the location of a reconvergence point around it,
/// if all come there by taking it off.
fn check_join_in_sass(
    function: &Function<'_, '_>,
    scope: &Scope<'_>,
    (node, instruction): (Node, usize),
    join: Node,
) -> Result<(), Obstacle> {
    let (routine, subgraph) = (function.routine, &scope.subgraph);
    let start = subgraph.block(join).first();
    if routine.instructions[start].waits_for_warp() {
        // All threads of the warp wait there for those that have not come to any WARPSYNC yet.
        let mut before = subgraph.instructions(subgraph.reached(node, Some(join)));
        let behind = |at: usize| at > instruction || !subgraph.block(node).instructions.contains(&at);
        return match before.find(|&at| behind(at) && function.may_wait_for_warp(at)) {
            None => Ok(()),
            Some(_) => Err(Obstacle::MeetsWithoutWait(routine.line_of(start))),
        };
    }
    let place = start + usize::from(function.is_wait(subgraph.block_id(join)));
    let around = routine.points.around(instruction).ok_or(Obstacle::UnknownPoint)?;
    let around: Vec<_> = around.collect();
    let nothing = || match routine.points.varies.contains(&instruction) {
        true => Obstacle::UnknownPoint,
        false => Obstacle::NoPoint,
    };
    let &(_, innermost) = around.first().ok_or_else(nothing)?;
    let line = routine.line_of(start);
    let Some((number, point)) = around.iter().find(|(_, point)| point.place == place) else {
        // The point may lie behind the join. An end of the routine lies behind all blocks.
        let end = routine.instructions.get(innermost.place).is_some_and(|end| end.flow == Flow::End);
        let behind = subgraph.reached(join, Some(node));
        let ahead = end || subgraph.instructions(behind).any(|at| at == innermost.place);
        let wait = routine.line_of(innermost.place.saturating_sub(innermost.waits.into()));
        return Err(if ahead { Obstacle::MeetsBefore(wait) } else { Obstacle::MeetsWithoutWait(line) });
    };
    let taken_off = routine.points.at.get(place).copied().flatten() == Some(point.below)
        && !routine.points.varies.contains(&place);
    // On all paths to the join the point must still be on the stack, and what takes it off must be a wait,
    // since a BREAK may stand there as well.
    let has = |at: usize| routine.points.around(at).is_some_and(|mut all| all.any(|(one, _)| one == *number));
    let comes = |edge: &Edge| *edge == Edge::To(join) || (*edge == Edge::Back && join == Node::ENTRY);
    let waits = |at: Node| {
        let straight = point.waits && start == place && subgraph.edges(at).iter().any(comes);
        !straight || routine.instructions[subgraph.block(at).last()].reconverges()
    };
    let behind = |at: usize| at > instruction;
    let kept = |at: Node| {
        let mut all = subgraph.block(at).instructions.clone();
        // What stands before the instruction in its block is not on the path, unless the path comes back to it.
        waits(at) && all.all(|at_instruction| at == node && !behind(at_instruction) || has(at_instruction))
    };
    if !taken_off || point.lost || !subgraph.reached(node, Some(join)).into_iter().all(kept) {
        return Err(Obstacle::MayPassWait(line));
    }
    Ok(())
}

/// The instructions of SASS that threads of a warp may issue while others, which have not ended, are elsewhere: those
/// between a branch that is not uniform and the location where its threads wait for each other, or all behind it if there is none, and all
/// behind a call from which threads may come back one after the other. `uniform` says of the last instruction of a block whether all
/// threads leave it on the same path, and `calls` whether an instruction is such a call.
pub(crate) fn apart(
    function: &Function<'_, '_>,
    uniform: impl Fn(usize) -> bool,
    calls: impl Fn(usize) -> bool,
) -> HashSet<usize> {
    let whole = &function.whole;
    let mut apart = HashSet::new();
    for node in whole.subgraph.nodes() {
        let targets: Vec<_> = whole.subgraph.edges(node).iter().filter(|&&edge| edge != Edge::End).collect();
        if targets.len() < 2 || uniform(whole.subgraph.block(node).last()) {
            continue;
        }
        let from = (node, whole.subgraph.block(node).last());
        let place = reconvergence_block(function, whole, from, whole.joins.join(node)).ok();
        // Each group issues what stands before the wait itself.
        let join = behind_join(function, whole, place);
        let between =
            targets.iter().filter_map(|edge| edge.node()).flat_map(|to| whole.subgraph.reached(to, join));
        apart.extend(whole.subgraph.instructions(between.collect::<HashSet<_>>()));
    }
    for node in whole.subgraph.nodes() {
        let mut inside = whole.subgraph.block(node).instructions.clone();
        if let Some(call) = inside.find(|&at| calls(at) && !apart.contains(&at)) {
            let targets = whole.subgraph.edges(node).iter().filter_map(|edge| edge.node());
            let behind: HashSet<_> = targets.flat_map(|to| whole.subgraph.reached(to, None)).collect();
            apart.extend(whole.subgraph.instructions(behind));
            apart.extend(call..whole.subgraph.block(node).instructions.end);
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::analysis::testing::{kernel, sass, with_function};

    /// Where the groups of the first branch reconverge: the number of the block.
    fn meets(text: &str, capability: &str) -> Result<Option<usize>, Reconvergence> {
        with_function(text, capability, |function, _| {
            let whole = &function.whole;
            let branch = whole.subgraph.nodes().find(|&node| whole.subgraph.edges(node).len() > 1);
            match reconvergence(function, whole, branch.unwrap()) {
                Reconvergence::At(node) => Ok(Some(whole.subgraph.block_id(node).index())),
                Reconvergence::Together => Ok(None),
                other => Err(other),
            }
        })
    }

    #[test]
    fn ptx_is_assumed_to_converge() {
        let text = kernel(
            "ld.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nadd.u32 %r2, %r1, 1;\nA:\nadd.u32 %r2, %r1, 1;\nexit;",
        );
        assert_eq!(meets(&text, "6.1"), Ok(Some(2)));
    }

    #[test]
    fn a_branch_under_a_pushed_place() {
        let waits = sass("61", &["SSY 0x20", "@P0 BRA 0x18", "SYNC", "SYNC", "EXIT"]);
        assert_eq!(meets(&waits, "6.1"), Err(Reconvergence::End));
        let lines = ["SSY 0x20", "@P0 BRA 0x18", "SYNC", "SYNC", "MOV R1, R2", "EXIT"];
        assert_eq!(meets(&sass("61", &lines), "6.1"), Ok(Some(3)));
        let nowhere = sass("61", &["MOV R1, R2", "@P0 BRA 0x18", "MOV R1, R2", "MOV R1, R3", "EXIT"]);
        assert_eq!(meets(&nowhere, "6.1"), Err(Reconvergence::End));
        let uniform = sass("61", &["MOV R1, R2", "@UP0 BRA 0x18", "MOV R1, R2", "MOV R1, R3", "EXIT"]);
        assert_eq!(meets(&uniform, "6.1"), Ok(None));
    }

    #[test]
    fn a_branch_whose_paths_join_before_the_wait() {
        let lines =
            ["BSSY B0, 0x28", "@P0 BRA 0x18", "MOV R1, R2", "MOV R1, R3", "BSYNC B0", "MOV R1, R4", "EXIT"];
        // The paths join in block 2, and the threads wait in block 3.
        assert_eq!(meets(&sass("75", &lines), "7.5"), Ok(Some(3)));
        let lines = ["BSSY B0, 0x20", "@P0 BRA 0x18", "MOV R1, R2", "BSYNC B0", "MOV R1, R4", "EXIT"];
        assert_eq!(meets(&sass("75", &lines), "7.5"), Ok(Some(2)));
    }
}
