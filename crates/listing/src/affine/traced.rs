//! What an access touches whose addresses are known, by the same count as for addresses that are inferred.

use std::ops::Range;

use crate::affine::count::Counted;
use crate::affine::group::{Group, Place};
use crate::affine::shape::Shape;
use crate::flow::ControlFlowGraph;

/// What an access touches in which each of these lanes, a number from 0 to 31, has its own address, which is a multiple of the bytes of a
/// lane.
pub(crate) fn touched_at(lanes: &[(usize, i64)], bytes: u32) -> Counted {
    let place = |&(lane, address): &(usize, i64)| Place { lane, points: vec![address], span: 0 };
    let places: Vec<Place> = lanes.iter().map(place).collect();
    Counted::of(Group::new(&places, 64, bytes).touched(0), bytes)
}

/// A loop of a routine.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    /// The first instruction of its header.
    pub(crate) header: usize,
    /// The instructions of its blocks.
    pub(crate) body: Vec<Range<usize>>,
}

/// The loops of a graph; none if one of them has two entries, or there are very many.
pub(crate) fn loops(graph: &ControlFlowGraph) -> Option<Vec<Loop>> {
    let blocks: Vec<_> = graph.blocks().map(|(_, block)| block).collect();
    let shape = Shape::of(graph)?;
    let of = |(header, (_, body)): (&usize, &(u32, std::collections::BTreeSet<usize>))| Loop {
        header: blocks[*header].first(),
        body: body.iter().map(|&block| blocks[block].instructions.clone()).collect(),
    };
    Some(shape.loops.iter().map(of).collect())
}
