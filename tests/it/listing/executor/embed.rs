//! Whether what a warp issues is a subsequence of a path of a program.

use std::collections::{HashMap, HashSet};

use warpspan::model::program::{Divergence, Piece};

/// What is left of a piece.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Rest {
    Whole(usize),
    /// So many more of the same line.
    Letters(u64, usize),
    Sequence(Box<Rest>, usize, usize),
    Loop(Box<Rest>, usize, u64),
    /// One arm after the other: the arms that were gone.
    Divergent(Box<Rest>, usize, u64),
    Interleaved(Vec<Rest>),
}

enum Node {
    Letters(u32, u64),
    Barrier,
    Sequence(Vec<usize>),
    Branch(Vec<usize>, Divergence),
    Loop(usize, u64),
}

pub(crate) struct Program {
    nodes: Vec<Node>,
    root: usize,
    /// The lines somewhere in each node.
    lines: Vec<HashSet<u32>>,
    /// The letters of one issue of a line: the fewest that stand together.
    least: HashMap<u32, u64>,
    /// The node of each piece, so that equal arms are one node.
    known: HashMap<String, usize>,
}

/// How far a trace could be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Embedded {
    All,
    UpTo(usize),
    /// Too many ways to tell.
    Undecided,
}

impl Program {
    pub(crate) fn new(piece: &Piece) -> Self {
        let mut program =
            Self { nodes: vec![], root: 0, lines: vec![], least: HashMap::new(), known: HashMap::new() };
        program.root = program.add(piece);
        program
    }

    fn add(&mut self, piece: &Piece) -> usize {
        let name = format!("{piece:?}");
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        let mut lines = HashSet::new();
        let node = match piece {
            Piece::Letters { count, line, .. } => {
                lines.insert(*line);
                let least = self.least.entry(*line).or_insert(*count);
                *least = (*least).min(*count);
                Node::Letters(*line, *count)
            }
            Piece::Barrier { line } => {
                lines.insert(*line);
                Node::Barrier
            }
            Piece::Sequence(list) => Node::Sequence(list.iter().map(|piece| self.add(piece)).collect()),
            Piece::Branch { arms, divergence, .. } => {
                Node::Branch(arms.iter().map(|piece| self.add(piece)).collect(), *divergence)
            }
            Piece::Loop { body, most, .. } => Node::Loop(self.add(body), *most),
        };
        let inner: Vec<usize> = match &node {
            Node::Sequence(list) | Node::Branch(list, _) => list.clone(),
            Node::Loop(body, _) => vec![*body],
            Node::Letters(..) | Node::Barrier => vec![],
        };
        inner.iter().for_each(|&inner| lines.extend(&self.lines[inner]));
        self.nodes.push(node);
        self.lines.push(lines);
        self.known.insert(name, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Follows the trace of lines in all ways at once.
    pub(crate) fn embeds(&self, trace: &[u32]) -> Embedded {
        let mut rests = HashSet::from([Rest::Whole(self.root)]);
        for (at, &line) in trace.iter().enumerate() {
            let next: HashSet<Rest> = rests.iter().flat_map(|rest| self.step(rest, line)).collect();
            if next.is_empty() {
                return Embedded::UpTo(at);
            }
            if next.len() > 3000 {
                return Embedded::Undecided;
            }
            rests = next;
        }
        Embedded::All
    }

    /// What may be left behind the line. Letters that are passed over are never needed again where one stands
    /// earlier, so only arms of branches make for several ways.
    fn step(&self, rest: &Rest, line: u32) -> Vec<Rest> {
        match rest {
            Rest::Whole(node) if !self.lines[*node].contains(&line) => vec![],
            Rest::Whole(node) => match &self.nodes[*node] {
                Node::Letters(line, count) => vec![Rest::Letters(count / self.least[line] - 1, *node)],
                Node::Barrier => vec![Rest::Letters(0, *node)],
                Node::Sequence(_) => self.sequence(*node, 0, line),
                Node::Branch(arms, Divergence::Uniform) => {
                    arms.iter().flat_map(|&arm| self.step(&Rest::Whole(arm), line)).collect()
                }
                Node::Branch(_, Divergence::Divergent) => self.next_arm(*node, 0, line),
                Node::Branch(arms, Divergence::Interleaved) => {
                    self.interleaved(&arms.iter().map(|&arm| Rest::Whole(arm)).collect::<Vec<_>>(), line)
                }
                Node::Loop(_, most) => self.pass(*node, *most, line),
            },
            Rest::Letters(left, node) => {
                let again = *left > 0 && self.lines[*node].contains(&line);
                if again { vec![Rest::Letters(left - 1, *node)] } else { vec![] }
            }
            Rest::Sequence(inner, node, at) => {
                let found = self.step(inner, line);
                if found.is_empty() {
                    return self.sequence(*node, at + 1, line);
                }
                found.into_iter().map(|rest| Rest::Sequence(Box::new(rest), *node, *at)).collect()
            }
            Rest::Loop(inner, node, left) => {
                let found = self.step(inner, line);
                if found.is_empty() {
                    return self.pass(*node, *left, line);
                }
                found.into_iter().map(|rest| Rest::Loop(Box::new(rest), *node, *left)).collect()
            }
            Rest::Divergent(inner, node, gone) => {
                let found = self.step(inner, line);
                if found.is_empty() {
                    return self.next_arm(*node, *gone, line);
                }
                found.into_iter().map(|rest| Rest::Divergent(Box::new(rest), *node, *gone)).collect()
            }
            Rest::Interleaved(rests) => self.interleaved(rests, line),
        }
    }

    fn sequence(&self, node: usize, from: usize, line: u32) -> Vec<Rest> {
        let Node::Sequence(list) = &self.nodes[node] else { unreachable!() };
        for (at, &piece) in list.iter().enumerate().skip(from) {
            let found = self.step(&Rest::Whole(piece), line);
            if !found.is_empty() {
                return found.into_iter().map(|rest| Rest::Sequence(Box::new(rest), node, at)).collect();
            }
        }
        vec![]
    }

    fn pass(&self, node: usize, left: u64, line: u32) -> Vec<Rest> {
        let Node::Loop(body, _) = self.nodes[node] else { unreachable!() };
        if left == 0 {
            return vec![];
        }
        let found = self.step(&Rest::Whole(body), line);
        found.into_iter().map(|rest| Rest::Loop(Box::new(rest), node, left - 1)).collect()
    }

    fn next_arm(&self, node: usize, gone: u64, line: u32) -> Vec<Rest> {
        let Node::Branch(arms, _) = &self.nodes[node] else { unreachable!() };
        let mut all = Vec::new();
        for (number, &arm) in arms.iter().enumerate().filter(|(number, _)| gone >> number & 1 == 0) {
            let found = self.step(&Rest::Whole(arm), line);
            all.extend(
                found.into_iter().map(|rest| Rest::Divergent(Box::new(rest), node, gone | 1 << number)),
            );
        }
        all
    }

    fn interleaved(&self, rests: &[Rest], line: u32) -> Vec<Rest> {
        let mut all = Vec::new();
        // Of equal rests one is enough.
        let fresh = |&(at, rest): &(usize, &Rest)| !rests[..at].contains(rest);
        for (at, rest) in rests.iter().enumerate().filter(fresh) {
            for found in self.step(rest, line) {
                let mut rests = rests.to_vec();
                rests[at] = found;
                rests.sort();
                all.push(Rest::Interleaved(rests));
            }
        }
        all
    }
}
