//! The most that blocks cost that co-run with the last block of a launch and are present before it starts.
//!
//! They fit on its multiprocessor together with it. So for each resource that every block needs, their costs
//! are at most those of blocks, and of one part of a block, that are taken in the order of cost per resource
//! until the rest of this resource is used up. Of each kernel there are at most the blocks of one launch,
//! since its stream is in order.

use std::collections::HashMap;

use crate::bound::NoBound;
use crate::bound::block_costs::Scaled;
use crate::bound::numbers::{product, sum};
use crate::{Execution, System};
use warpspan_model::device::Resources;

/// For each kernel the most at each theta; nothing for a kernel whose C is measured, which includes that.
pub(super) fn beside(
    system: &System,
    executions: &[Execution],
    blocks: &[Vec<Scaled>],
) -> Result<Vec<Vec<u128>>, NoBound> {
    let mut known: HashMap<(Resources, bool), Vec<u128>> = HashMap::new();
    let orders = Orders::new(system, blocks);
    let of = |(kernel, execution): (usize, &Execution)| {
        if execution.solved.is_none() {
            return Ok(Vec::new());
        }
        let task = &system.tasks()[kernel];
        // A kernel of many blocks has as many others as fit, whichever kernel it is.
        let mut rest = system.gpu().resources;
        rest.change(&task.least, 1, true);
        let many = task.blocks > rest.fits(&task.least);
        if many && let Some(found) = known.get(&(task.least, many)) {
            return Ok(found.clone());
        }
        let found = (0..blocks[kernel].len())
            .map(|theta| orders.most(system, blocks, theta, (!many).then_some(kernel), &rest))
            .collect::<Result<Vec<u128>, NoBound>>()?;
        known.insert((task.least, many), found.clone());
        Ok(found)
    };
    executions.iter().enumerate().map(of).collect()
}

/// The kernels by their cost per resource, the largest first: for each theta and resource.
struct Orders {
    /// The resources that every block needs.
    resources: Vec<usize>,
    of: Vec<Vec<Vec<usize>>>,
}

impl Orders {
    fn new(system: &System, blocks: &[Vec<Scaled>]) -> Self {
        // Registers that are rounded up may seem to leave less room than there is.
        let usable = |r: usize| r != 2 || system.registers_add_up();
        let needed = |r: usize| system.tasks().iter().all(|task| task.least.each()[r] > 0);
        let resources: Vec<usize> = (0..4).filter(|&r| usable(r) && needed(r)).collect();
        let order = |theta: usize, r: usize| {
            let need = |kernel: usize| u128::from(system.tasks()[kernel].least.each()[r]);
            let mut order: Vec<usize> = (0..blocks.len()).collect();
            order.sort_by(|&one, &other| {
                let [x, y] = [(other, one), (one, other)]
                    .map(|(kernel, by)| blocks[kernel][theta].beside.saturating_mul(need(by)));
                x.cmp(&y)
            });
            order
        };
        let thetas = blocks.first().map_or(0, Vec::len);
        let of = (0..thetas).map(|theta| resources.iter().map(|&r| order(theta, r)).collect());
        Self { of: of.collect(), resources }
    }

    /// The most cost that fits into the rest of a multiprocessor, with one block less of kernel `own`.
    fn most(
        &self,
        system: &System,
        blocks: &[Vec<Scaled>],
        theta: usize,
        own: Option<usize>,
        rest: &Resources,
    ) -> Result<u128, NoBound> {
        let mut least = u128::MAX;
        for (&r, order) in self.resources.iter().zip(&self.of[theta]) {
            let (mut room, mut cost) = (u128::from(rest.each()[r]), 0);
            for &kernel in order {
                let task = &system.tasks()[kernel];
                let need = u128::from(task.least.each()[r]);
                let blocks_there = u128::from(task.blocks - u64::from(own == Some(kernel)));
                let one = blocks[kernel][theta].beside;
                if need * blocks_there >= room {
                    cost = sum(cost, product(one, room)?.div_ceil(need))?;
                    break;
                }
                room -= need * blocks_there;
                cost = sum(cost, product(one, blocks_there)?)?;
            }
            least = least.min(cost);
        }
        Ok(if least == u128::MAX { 0 } else { least })
    }
}
