//! The order of the nodes of a graph: the predecessors of each, and the stretches of the graph, which never overlap.

/// A set of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(nodes: usize) -> Self {
        Self(vec![0; nodes.div_ceil(64)])
    }

    fn full(nodes: usize) -> Self {
        let mut all = Self::empty(nodes);
        (0..nodes).for_each(|node| all.add(node));
        all
    }

    fn has(&self, node: usize) -> bool {
        self.0[node / 64] >> (node % 64) & 1 == 1
    }

    fn add(&mut self, node: usize) {
        self.0[node / 64] |= 1 << (node % 64);
    }

    fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, other)| *mine |= other);
    }

    fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, other)| *mine &= other);
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, other)| mine & !other == 0)
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// The order of the nodes of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dag {
    /// All nodes, each after those that must be complete before it.
    pub(super) order: Vec<usize>,
    /// Of each node, those that must be complete before it with no other node between them. The last of all that are
    /// before it to complete is one of these.
    pub(super) before: Vec<Vec<usize>>,
    /// The nodes in stretches: all nodes of a stretch are complete before any of a later one begins.
    pub(super) stretches: Vec<Vec<usize>>,
    ancestors: Vec<Set>,
}

impl Dag {
    /// The order of nodes, each with those that it comes after; else a node on a circle.
    pub(super) fn new(after: &[Vec<usize>]) -> Result<Self, usize> {
        let nodes = after.len();
        let mut order = Vec::with_capacity(nodes);
        let mut open: Vec<usize> = after.iter().map(Vec::len).collect();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for (node, after) in after.iter().enumerate() {
            after.iter().for_each(|&before| next[before].push(node));
        }
        let mut ready: Vec<usize> = (0..nodes).rev().filter(|&node| open[node] == 0).collect();
        let mut ancestors = vec![Set::empty(nodes); nodes];
        while let Some(node) = ready.pop() {
            order.push(node);
            for &later in &next[node] {
                let mut of = ancestors[node].clone();
                of.add(node);
                ancestors[later].join(&of);
                open[later] -= 1;
                if open[later] == 0 {
                    ready.push(later);
                }
            }
        }
        if let Some(circle) = open.iter().position(|&open| open > 0) {
            return Err(circle);
        }
        let before = |node: usize| {
            let all = &after[node];
            let is_last = |&&one: &&usize| !all.iter().any(|&other| ancestors[other].has(one));
            let mut before: Vec<usize> = all.iter().filter(is_last).copied().collect();
            before.sort_unstable();
            before.dedup();
            before
        };
        let before = (0..nodes).map(before).collect();
        let stretches = stretches(&ancestors);
        Ok(Self { order, before, stretches, ancestors })
    }

    /// Whether one node is complete before another one begins.
    pub(super) fn is_before(&self, one: usize, other: usize) -> bool {
        self.ancestors[other].has(one)
    }
}

/// The finest stretches. In the order of the number of nodes before it, a node stands after all of its own; so a set of nodes
/// that is before all others is a beginning of that order.
fn stretches(ancestors: &[Set]) -> Vec<Vec<usize>> {
    let nodes = ancestors.len();
    let mut sorted: Vec<usize> = (0..nodes).collect();
    sorted.sort_by_key(|&node| (ancestors[node].len(), node));
    // What is before all nodes from this one on.
    let mut common = vec![Set::full(nodes); nodes + 1];
    for at in (0..nodes).rev() {
        let mut of = common[at + 1].clone();
        of.keep(&ancestors[sorted[at]]);
        common[at] = of;
    }
    let (mut all, mut current) = (Vec::new(), Vec::new());
    let mut done = Set::empty(nodes);
    for (at, &node) in sorted.iter().enumerate() {
        if at > 0 && done.is_within(&common[at]) {
            all.push(std::mem::take(&mut current));
        }
        current.push(node);
        done.add(node);
    }
    if !current.is_empty() {
        all.push(current);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_that_follow_from_others_are_left_out_and_circles_found() {
        let dag = Dag::new(&[vec![], vec![0], vec![1, 0]]).unwrap();
        assert_eq!(dag.before, [vec![], vec![0], vec![1]]);
        assert!(dag.is_before(0, 2) && !dag.is_before(2, 0));
        assert_eq!(Dag::new(&[vec![], vec![2], vec![1]]), Err(1));
        assert_eq!(Dag::new(&[vec![0]]), Err(0));
    }

    #[test]
    fn stretches_are_the_finest() {
        let of = |after: &[Vec<usize>]| Dag::new(after).unwrap().stretches;
        // A fork and a join; two pairs, each of one before each of the other; and two chains side by side.
        assert_eq!(of(&[vec![], vec![0], vec![0], vec![1, 2]]), [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(of(&[vec![], vec![], vec![0, 1], vec![0, 1]]), [vec![0, 1], vec![2, 3]]);
        assert_eq!(of(&[vec![], vec![0], vec![], vec![2]]), [vec![0, 2, 1, 3]]);
    }
}
