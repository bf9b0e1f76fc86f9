//! The control-flow graph of a routine, or of the part of it that a call enters at an instruction.
//!
//! A *block* is a range of instructions that are executed one after the other. Only blocks that can be
//! reached are in the graph; the first one is the entry. A routine may end after a block; such an end is no
//! block of its own. [`Subgraph`] is the part of a graph that the analyses look at: all of it, or one pass of
//! a loop.

mod build;
mod subgraph;

use std::collections::BTreeMap;
use std::ops::{Index, Range};

pub(crate) use subgraph::{Edge, Node, PerNode, Shape, Subgraph};

/// A basic block of a control-flow graph, by its number. The entry is number 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(usize);

impl BlockId {
    /// The block at which control enters the graph.
    pub(crate) const ENTRY: Self = Self(0);

    /// Its number, for tables that have a row for each block.
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

/// Instructions that are executed one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BasicBlock {
    /// Its instructions, by their indexes in the routine. There is at least one.
    pub(crate) instructions: Range<usize>,
    /// The blocks that may follow, each once.
    pub(crate) successors: Vec<BlockId>,
    /// Whether the routine may end after this block.
    pub(crate) ends: bool,
    /// Whether that end is a place where the paths of the block may meet: a return, or an end that PTX
    /// branches to. Threads that end at an `exit` under a predicate leave the others alone, so that is no
    /// such place.
    pub(crate) joins_at_end: bool,
    /// How many of the edges out of the block are a return of the function.
    pub(crate) returns: usize,
}

impl BasicBlock {
    /// The first instruction.
    pub(crate) const fn first(&self) -> usize {
        self.instructions.start
    }

    /// The last instruction, which says where control goes next.
    pub(crate) const fn last(&self) -> usize {
        self.instructions.end - 1
    }
}

/// The basic blocks of a routine and the edges between them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ControlFlowGraph {
    blocks: Vec<BasicBlock>,
    /// The instructions at which the routine may end.
    pub(crate) ends: Vec<usize>,
    /// The block that begins at an instruction.
    starting_at: BTreeMap<usize, BlockId>,
    /// The blocks from which control comes to each.
    predecessors: Vec<Vec<BlockId>>,
}

impl ControlFlowGraph {
    fn of(blocks: Vec<BasicBlock>, ends: Vec<usize>, starting_at: BTreeMap<usize, BlockId>) -> Self {
        let mut predecessors = vec![vec![]; blocks.len()];
        for (from, block) in blocks.iter().enumerate() {
            for to in &block.successors {
                // Two edges may lead to one block.
                if predecessors[to.0].last() != Some(&BlockId(from)) {
                    predecessors[to.0].push(BlockId(from));
                }
            }
        }
        Self { blocks, ends, starting_at, predecessors }
    }

    /// How many blocks there are.
    pub(crate) const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// All blocks; the entry is the first.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId)
    }

    /// All blocks with their contents; the entry is the first.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (BlockId, &BasicBlock)> {
        self.ids().zip(&self.blocks)
    }

    /// The blocks from which control comes to a block, in their order.
    pub(crate) fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.0]
    }

    /// The block that begins at an instruction.
    pub(crate) fn starting_at(&self, instruction: usize) -> Option<BlockId> {
        self.starting_at.get(&instruction).copied()
    }

    /// The block that holds an instruction; none if nothing reaches it.
    pub(crate) fn holding(&self, instruction: usize) -> Option<BlockId> {
        let (_, &block) = self.starting_at.range(..=instruction).next_back()?;
        self[block].instructions.contains(&instruction).then_some(block)
    }
}

impl Index<BlockId> for ControlFlowGraph {
    type Output = BasicBlock;

    fn index(&self, block: BlockId) -> &BasicBlock {
        &self.blocks[block.0]
    }
}

#[cfg(test)]
impl ControlFlowGraph {
    /// A graph of blocks of one instruction each, by the successors of each block. A block without any ends
    /// the routine, and so does one that names a block which is not there, beside its other successors.
    pub(crate) fn of_successors(successors: &[&[usize]]) -> Self {
        let block = |(at, list): (usize, &&[usize])| BasicBlock {
            instructions: at..at + 1,
            successors: list.iter().copied().filter(|&to| to < successors.len()).map(BlockId).collect(),
            ends: list.is_empty() || list.iter().any(|&to| to >= successors.len()),
            joins_at_end: false,
            returns: 0,
        };
        let blocks: Vec<BasicBlock> = successors.iter().enumerate().map(block).collect();
        let starting_at = (0..blocks.len()).map(|at| (at, BlockId(at))).collect();
        Self::of(blocks, vec![], starting_at)
    }

    /// A block by its number.
    pub(crate) fn id(&self, number: usize) -> BlockId {
        assert!(number < self.blocks.len());
        BlockId(number)
    }
}
