//! The state of barriers while schedules are simulated.

use warpspan_model::Instance;

/// Records which barriers have opened.
#[derive(Debug)]
pub(crate) struct Gates<'a> {
    instance: &'a Instance,
    /// The barriers by group and block. Groups without barriers have none.
    blocks: Vec<Vec<Gate>>,
    /// Blocks all of whose warps have reached their next barrier.
    full: Vec<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Gate {
    opened: usize,
    standing: u64,
}

impl<'a> Gates<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Self {
        let gates = |(at, group): (usize, &warpspan_model::WarpGroup)| {
            let some = !group.kernel.barriers().is_empty();
            let count = group.warps.div_ceil(size(instance, at));
            vec![Gate::default(); if some { usize::try_from(count).unwrap_or(usize::MAX) } else { 0 }]
        };
        let blocks = instance.groups().iter().enumerate().map(gates).collect();
        Self { instance, blocks, full: Vec::new() }
    }

    /// Whether a warp that has issued `next` instructions stands at a barrier.
    pub(crate) fn stands(&self, group: usize, warp: u32, next: u32) -> bool {
        if self.blocks[group].is_empty() {
            return false;
        }
        let block = self.block(group, warp);
        let before = |gate: &Gate| self.instance.groups()[group].kernel.barriers().get(gate.opened).copied();
        self.blocks[group].get(block).and_then(before) == Some(next as usize)
    }

    /// Records that a warp has issued. `next` is the instruction that is due.
    pub(crate) fn issued(&mut self, group: usize, warp: u32, next: u32) {
        if !self.stands(group, warp, next) {
            return;
        }
        let block = self.block(group, warp);
        let size = size(self.instance, group);
        let members = size.min(self.instance.groups()[group].warps - block as u64 * size);
        let gate = &mut self.blocks[group][block];
        gate.standing += 1;
        if gate.standing == members {
            self.full.push((group, block));
        }
    }

    /// Opens, at the end of a cycle, the barriers at which all warps stand, and returns the groups and blocks
    /// that may go on.
    pub(crate) fn open(&mut self) -> Vec<(usize, usize)> {
        let full = std::mem::take(&mut self.full);
        for &(group, block) in &full {
            let gate = &mut self.blocks[group][block];
            *gate = Gate { opened: gate.opened + 1, standing: 0 };
        }
        full
    }

    /// The block of a warp.
    pub(crate) fn block(&self, group: usize, warp: u32) -> usize {
        usize::try_from(u64::from(warp) / size(self.instance, group)).unwrap_or(usize::MAX)
    }
}

/// The number of warps of a full block.
fn size(instance: &Instance, group: usize) -> u64 {
    instance.warps_per_block().unwrap_or(instance.groups()[group].warps)
}
