//! Where control goes from each instruction, and what follows from it by leaving nodes out and looking what is reached.

use std::collections::HashSet;

use super::{Code, Dialect, Kind, Op};

/// Successors of each instruction within its routine; `len` is a return, `len + 1` an end of threads.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) next: Vec<Vec<usize>>,
    roots: Vec<usize>,
}

/// A place of the stack, or that of a barrier register.
type Place = (Option<Kind>, usize, usize);

impl Graph {
    pub(crate) fn new(code: &Code) -> Self {
        let size = code.insts.len();
        let mut next = vec![Vec::new(); size + 2];
        let mut roots: Vec<usize> = code.starts.iter().map(|start| start.0).collect();
        roots.extend(code.insts.iter().filter_map(|inst| match inst.op {
            Op::Call(to) => Some(to),
            _ => None,
        }));
        let mut seen: HashSet<(usize, Vec<Place>)> = HashSet::new();
        let mut open: Vec<(usize, Vec<Place>)> = roots.iter().map(|&root| (root, vec![])).collect();
        while let Some((at, places)) = open.pop() {
            if at >= size || seen.len() > 50_000 || !seen.insert((at, places.clone())) {
                continue;
            }
            for (to, places) in after(code, at, places) {
                if !next[at].contains(&to) {
                    next[at].push(to);
                }
                open.push((to, places));
            }
        }
        Self { next, roots }
    }

    /// What is reached from a node if one node is left out; the node itself only round a loop.
    pub(crate) fn reached(&self, from: usize, without: usize) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut open = self.next[from].clone();
        while let Some(node) = open.pop() {
            if node != without && seen.insert(node) {
                open.extend(&self.next[node]);
            }
        }
        seen
    }

    /// The code with all branches made uniform that decide whether, or how often, a barrier of the block is passed: CUDA
    /// demands that all threads of a block decide alike there. Ways that only meet at the end do not count.
    pub(crate) fn with_decided_barriers(&self, code: &Code) -> Code {
        let mut code = code.clone();
        for at in 0..code.insts.len() {
            let branches = matches!(code.insts[at].op, Op::Bra(_) | Op::Switch(_));
            let analysed = code.dialect != Dialect::Ptx || code.starts[code.routine[at]].1;
            let meet = self.meet(at, code.dialect == Dialect::Ptx);
            if branches && analysed && meet < code.insts.len() {
                let bar = |&inst: &usize| code.insts.get(inst).is_some_and(|inst| inst.op == Op::Bar);
                let decides = self.reached(at, meet).iter().any(bar);
                code.insts[at].uniform |= decides;
            }
        }
        code
    }

    /// The nodes of the loop with this header: those that it dominates, seen from one of the places where routines begin,
    /// and that come back to it.
    pub(crate) fn body(&self, header: usize) -> HashSet<usize> {
        let none = usize::MAX;
        let back = |node: usize| node == header || self.reached(node, none).contains(&header);
        let mut behind: HashSet<usize> = self.reached(header, none);
        behind.insert(header);
        behind.retain(|&node| back(node));
        let mut body = HashSet::new();
        for &root in &self.roots {
            let mut around = HashSet::new();
            if root != header {
                around = self.reached(root, header);
                around.insert(root);
            }
            if root == header || self.reached(root, none).contains(&header) {
                body.extend(behind.iter().filter(|node| !around.contains(node)));
            }
        }
        body
    }

    /// Where threads that part here meet again at the latest: the nearest node that all ways from here to the end of the
    /// routine pass. The end of a thread counts as one only for nodes that lead nowhere else; of a loop that nothing but such
    /// ends leaves, the end is where a pass ends. `early`: so is a branch to an instruction that only ends threads.
    pub(crate) fn meet(&self, from: usize, early: bool) -> usize {
        let (returns, ends) = (self.next.len() - 2, self.next.len() - 1);
        let mut graph = self.clone();
        for list in &mut graph.next {
            // To an instruction that only ends threads is to their end.
            list.iter_mut().filter(|to| early && self.next[**to] == [ends]).for_each(|to| *to = ends);
            if list.iter().any(|to| *to != ends) {
                list.retain(|to| *to != ends);
            }
        }
        let none = usize::MAX;
        let is_end = |node: &usize| *node == returns || *node == ends;
        let mut again = Vec::new();
        while let Some(node) = (0..returns).find(|&node| {
            let reached = graph.reached(node, none);
            // In a loop that nothing leaves any more.
            !reached.iter().any(is_end) && reached.iter().all(|&to| graph.reached(to, none).contains(&node))
        }) {
            let inside = graph.reached(node, none);
            let entered = |to: usize| {
                self.roots.contains(&to)
                    || (0..returns).any(|other| !inside.contains(&other) && self.next[other].contains(&to))
            };
            let headers: Vec<usize> = inside.iter().copied().filter(|&to| entered(to)).collect();
            // A node that stands for the header that the next pass begins with.
            let [header] = headers[..] else {
                graph.next[node].push(ends);
                continue;
            };
            graph.next.push(vec![ends]);
            again.push(header);
            let last = graph.next.len() - 1;
            for &other in &inside {
                graph.next[other].iter_mut().filter(|to| **to == header).for_each(|to| *to = last);
            }
        }
        let after = graph.reached(from, none);
        let passed: Vec<usize> = after
            .iter()
            .copied()
            .filter(|node| *node != from && !is_end(node))
            .filter(|&node| !graph.reached(from, node).iter().any(is_end))
            .collect();
        let nearest = |&node: &usize| {
            let before = graph.reached(from, node);
            passed.iter().all(|other| *other == node || !before.contains(other))
        };
        let found = passed.iter().copied().find(nearest).unwrap_or(returns);
        if found > ends { again[found - ends - 1] } else { found }
    }
}

/// Where control may go, with the places that are then in force.
fn after(code: &Code, at: usize, places: Vec<Place>) -> Vec<(usize, Vec<Place>)> {
    let size = code.insts.len();
    let inst = &code.insts[at];
    let mut found = Vec::new();
    let on = if at + 1 < size && code.routine[at + 1] == code.routine[at] { at + 1 } else { size };
    let pop = |kind: Kind| {
        let depth = places.iter().rposition(|place| place.0 == Some(kind))?;
        Some((places[depth].2, places[..depth].to_vec()))
    };
    let mut goes_on = inst.guarded;
    match &inst.op {
        Op::Bra(to) => found.push((*to, places.clone())),
        Op::Switch(list) => found.extend(list.iter().map(|&to| (to, places.clone()))),
        Op::Exit => found.push((size + 1, vec![])),
        // In a kernel a return is an end.
        Op::Ret if code.starts[code.routine[at]].1 && code.dialect == Dialect::Ptx => {
            found.push((size + 1, vec![]))
        }
        Op::Ret => found.push(pop(Kind::Pret).unwrap_or((size, vec![]))),
        Op::Pop(kind) => found.extend(pop(*kind)),
        Op::Push(kind, place) => {
            let mut places = places.clone();
            places.push((Some(*kind), 0, *place));
            places.drain(..places.len().saturating_sub(8));
            found.push((on, places));
        }
        Op::Bssy(register, place) => {
            let mut places = places.clone();
            places.retain(|place| place.1 != *register);
            places.push((None, *register, *place));
            places.sort_unstable_by_key(|place| place.1);
            found.push((on, places));
        }
        Op::Bsync(register) => {
            let place = places.iter().find(|place| place.0.is_none() && place.1 == *register);
            let to = place.map_or(on, |place| if place.2 == at { on } else { place.2 });
            found.push((to, places.clone()));
        }
        Op::Plain | Op::Bar | Op::Call(_) | Op::Break(_) => goes_on = true,
    }
    if inst.pops {
        found.extend(pop(Kind::Ssy));
    } else if goes_on {
        found.push((on, places.clone()));
    }
    found
}
