//! The dense sweep, which computes the cycles left of every state in the order of their numbers.
//!
//! The recurrence is `f(state) = 1 + max over the choices of f(state after it)`, and 0 once all warps have
//! finished. Blocks whose two numbers have the same sum are computed in parallel. Each block depends only on
//! the blocks below it and on its own beginning, so the result is the same for any number of threads.

use crate::states::block::Block;
use crate::states::layout::Layout;
use crate::states::table::{Count, Table, index};
use crate::states::{Extreme, Meter};
use warpspan_model::Instance;
use warpspan_model::limits::{Limits, Stop};

/// Fronts with fewer states than this are done by one thread.
const FRONT: usize = 1 << 16;

impl<T: Count> Table<T> {
    /// Computes the table, in the memory of another if there is one. The meter is told of each finished
    /// block.
    pub(super) fn sweep(
        instance: &Instance,
        layout: &Layout,
        extreme: Extreme,
        other: Option<Self>,
        limits: &Limits,
        meter: &Meter<'_>,
    ) -> Result<Self, Stop> {
        let mut memory = other.into_iter().flat_map(|other| other.fronts);
        let most = layout.warps[0];
        let mut table = Self { fronts: Vec::new(), starts: Vec::new(), extreme };
        for sum in 0..=most + layout.second_most(most) {
            let outers = (0..=most.min(sum)).filter(|&outer| sum - outer <= layout.second_most(outer));
            let sizes: Vec<(u64, usize)> =
                outers.map(|outer| (outer, index(layout.block_size(sum - outer)))).collect();
            let mut front = match memory.next() {
                Some(mut front) => {
                    front.fill(T::default());
                    front
                }
                None => vec![T::default(); sizes.iter().map(|&(_, size)| size).sum()],
            };
            let (mut rest, mut blocks, mut starts, mut start) = (&mut front[..], Vec::new(), Vec::new(), 0);
            for &(outer, size) in &sizes {
                let (block, others) = rest.split_at_mut(size);
                blocks.push((outer, block));
                starts.push(start);
                (rest, start) = (others, start + size);
            }
            let block = |(outer, own): (u64, &mut [T])| {
                let states = own.len() as u64;
                Block::new(instance, layout, &table, extreme, (outer, sum - outer), own).compute(limits)?;
                meter.states(states);
                limits.stopped().map_or(Ok(()), Err)
            };
            let done: Vec<Result<(), Stop>> = if start < FRONT {
                blocks.into_iter().map(block).collect()
            } else {
                limits.side_by_side(blocks, block)
            };
            done.into_iter().collect::<Result<(), Stop>>()?;
            table.fronts.push(front);
            table.starts.push((sizes.first().map_or(0, |&(outer, _)| outer), starts));
        }
        Ok(table)
    }
}
