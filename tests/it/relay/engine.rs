//! What the library says of the blocks of these tests.

use num_rational::Ratio;
use warpspan::engines::relay;
use warpspan::model::{Code, Grid, Multiprocessor, Workload};

use super::gpu::Block;
use super::prices::{Cost, Number};

fn multiprocessor(sigma: [usize; 2]) -> Multiprocessor {
    let [l, c] = sigma.map(|sigma| sigma.to_string().parse().unwrap());
    Multiprocessor::new(l, c)
}

/// The bound on the makespan of equal blocks of one string.
pub(crate) fn bound(sigma: [usize; 2], block: &Block, [blocks, machines, slots]: [u64; 3]) -> u64 {
    let warps = u64::try_from(block.warps.len()).unwrap();
    let code: Code = block.warps[0].parse().unwrap();
    let grid = Grid::new(code, multiprocessor(sigma), warps, blocks).unwrap();
    relay::bound(&grid.on(machines, slots).unwrap()).unwrap().cycles().0
}

/// The costs of blocks at each theta, if each block has one string.
pub(crate) fn costs(sigma: [usize; 2], blocks: &[Block], most: usize) -> Option<Vec<Vec<Cost>>> {
    let workload = |block: &Block| {
        let equal = block.warps.iter().all(|warp| *warp == block.warps[0]);
        let warps = u64::try_from(block.warps.len()).unwrap();
        let code = || block.warps[0].parse::<Code>().unwrap();
        equal.then(|| Workload::single(code(), warps, multiprocessor(sigma)).unwrap())
    };
    let workloads: Vec<Workload> = blocks.iter().map(workload).collect::<Option<_>>()?;
    let found = relay::costs(&workloads, u64::try_from(most).unwrap()).unwrap();
    let number = |cost: Ratio<i128>| -> Number {
        Ratio::new(i64::try_from(*cost.numer()).unwrap(), i64::try_from(*cost.denom()).unwrap())
    };
    let at = |theta: usize| {
        let costs = found.of.iter().map(|block| &block[theta]);
        let cost = |cost: &relay::Cost| {
            let [a, first, next] = [cost.beside, cost.first, cost.followed].map(number);
            Cost { a, first: first - a, next: next - a }
        };
        costs.map(cost).collect()
    };
    Some((0..found.thetas.len()).map(at).collect())
}
