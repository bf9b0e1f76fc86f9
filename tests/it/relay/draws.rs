//! Random cases of each kind: the worst case that the oracle finds, and what is said of it.

use num_integer::Integer;
use rand::{Rng, RngExt};

use super::engine;
use super::formulas::{self, most_warps, smallest, weight, weighted};
use super::gpu::{Block, Gpu};
use super::oracle::{Earnings, most, worst};
use super::prices::{Cost, Flaw, Number, Prices};
use super::random::{block, half_done, sigma, states, text};

/// The most states of the blocks that are there at once.
const MOST_STATES: u64 = 3000;

/// The worst case of some blocks, and what is said of it.
pub(crate) struct Found {
    pub(crate) sigma: [usize; 2],
    pub(crate) worst: u64,
    /// The formula of this test.
    pub(crate) bound: u64,
    /// What the library says, where it says anything.
    pub(crate) engine: Option<u64>,
    /// All these numbers are parts of a cycle, so many in one.
    pub(crate) scale: u64,
    pub(crate) what: String,
}

/// Equal blocks on one multiprocessor.
pub(crate) fn equal(rng: &mut impl Rng, flaw: Flaw) -> Found {
    let sigma = sigma(rng);
    let (block, blocks, slots) = loop {
        let segments = if rng.random_bool(0.25) { 2 } else { 1 };
        let block = Block::of(&text(rng, 6, segments), rng.random_range(1..=3));
        let slots = rng.random_range(1..=4);
        let blocks = if rng.random_bool(0.1) { slots } else { rng.random_range(slots + 1..=3 * slots + 1) };
        if states(&vec![block.clone(); blocks], slots) <= MOST_STATES {
            break (block, blocks, slots);
        }
    };
    let all = vec![block.clone(); blocks];
    let (count, slots) = (u64::try_from(blocks).unwrap(), u64::try_from(slots).unwrap());
    let worst = worst(sigma, (1, slots), &all, false);
    let bound = formulas::equal(sigma, &block, count, slots, flaw);
    let engine = Some(engine::bound(sigma, &block, [count, 1, slots]));
    Found { sigma, worst, bound, engine, scale: 1, what: format!("{block:?} x {blocks}, {slots} at once") }
}

/// Equal blocks on several multiprocessors.
pub(crate) fn several(rng: &mut impl Rng, flaw: Flaw) -> Found {
    let sigma = sigma(rng);
    let (block, blocks, machines, slots) = loop {
        let segments = if rng.random_bool(0.2) { 2 } else { 1 };
        let block = Block::of(&text(rng, 6, segments), rng.random_range(1..=2));
        let machines = if rng.random_bool(0.8) { 2 } else { 3 };
        let slots = rng.random_range(1..=3);
        let blocks = rng.random_range(slots * (machines - 1) + 1..=slots * machines * 2 + 2);
        if states(&vec![block.clone(); blocks], slots * machines) <= MOST_STATES {
            break (block, blocks, machines, slots);
        }
    };
    let all = vec![block.clone(); blocks];
    let grid = [blocks, machines, slots].map(|count| u64::try_from(count).unwrap());
    let worst = worst(sigma, (machines, grid[2]), &all, false);
    let bound = formulas::several(sigma, &block, grid.into(), flaw);
    let engine = Some(engine::bound(sigma, &block, grid));
    Found {
        sigma,
        worst,
        bound,
        engine,
        scale: 1,
        what: format!("{block:?} x {blocks}, {machines} x {slots} at once"),
    }
}

/// Equal blocks that are all there, each at any point of its code, and none that waits: what comes after the
/// start of the last block of a grid. The bound is the one of blocks that have just started.
pub(crate) fn late(rng: &mut impl Rng, flaw: Flaw) -> Found {
    let sigma = sigma(rng);
    let (block, slots) = loop {
        let segments = if rng.random_bool(0.25) { 2 } else { 1 };
        let block = Block::of(&text(rng, 6, segments), rng.random_range(1..=3));
        let slots = rng.random_range(1..=4);
        if states(&vec![block.clone(); slots], slots) <= MOST_STATES {
            break (block, slots);
        }
    };
    let left: Vec<Block> = (0..slots).map(|_| half_done(rng, &block)).collect();
    let slots = u64::try_from(slots).unwrap();
    let worst = worst(sigma, (1, slots), &left, false);
    let bound = formulas::equal(sigma, &block, slots, slots, flaw);
    let engine = Some(engine::bound(sigma, &block, [slots, 1, slots]));
    Found { sigma, worst, bound, engine, scale: 1, what: format!("{left:?} of {block:?}") }
}

/// Blocks of one to three kinds, some of them half-done at the start, with sizes and without.
fn mixed(rng: &mut impl Rng, sizes: bool, most: u64) -> (Vec<Block>, u64) {
    loop {
        let kinds: Vec<Block> = (0..rng.random_range(1..=3)).map(|_| block(rng, 6, 3)).collect();
        let capacity = if sizes { rng.random_range(2..=5) } else { rng.random_range(1..=3) };
        let blocks: Vec<Block> = (0..rng.random_range(2..=6))
            .map(|_| {
                let kind = &kinds[rng.random_range(0..kinds.len())];
                kind.clone().sized(if sizes { rng.random_range(1..=capacity.min(3)) } else { 1 })
            })
            .collect();
        let smallest = blocks.iter().map(|block| block.size).min().unwrap();
        if states(&blocks, usize::try_from(capacity / smallest).unwrap()) > most {
            continue;
        }
        let started = if rng.random_bool(0.5) { 0 } else { capacity };
        let mut used = 0;
        let first = |block: Block, rng: &mut _| {
            used += block.size;
            if used <= started { half_done(rng, &block) } else { block }
        };
        let mut first = first;
        return (blocks.into_iter().map(|block| first(block, rng)).collect(), capacity);
    }
}

/// Different blocks on one multiprocessor, in equal slots or by size.
pub(crate) fn different(rng: &mut impl Rng, sizes: bool, flaw: Flaw) -> Found {
    let sigma = sigma(rng);
    let (blocks, capacity) = mixed(rng, sizes, MOST_STATES);
    let any_order = !sizes && rng.random_bool(0.5);
    let worst = worst(sigma, (1, capacity), &blocks, any_order);
    let most = most_warps(&blocks, capacity);
    let waiting = blocks.iter().map(|block| block.size).max().unwrap();
    let weights: Vec<Number> =
        blocks.iter().map(|block| weight(block.size, waiting, capacity, flaw)).collect();
    let prices = Prices::all(sigma, most, &blocks, flaw);
    let bound = smallest(&prices, |prices| weighted(&prices.costs(&blocks), &weights, flaw));
    let engine = engine::costs(sigma, &blocks, most)
        .map(|thetas| smallest(&thetas, |costs| weighted(costs, &weights, Flaw::None)));
    let what = format!("{blocks:?}, capacity {capacity}, {any_order}");
    Found { sigma, worst, bound, engine, scale: 1, what }
}

/// One block among others that are there, half-done or not, or that come later: from the start of the clock
/// to its end. If it `waits`, others are ahead of it in the queue, and the relay runs over those that are
/// present before its start.
pub(crate) fn response(rng: &mut impl Rng, waits: bool, flaw: Flaw) -> Found {
    let sigma = sigma(rng);
    let sizes = rng.random_bool(0.5);
    let (mut blocks, capacity) = mixed(rng, sizes, MOST_STATES / 2);
    let place = if waits { rng.random_range(1..blocks.len()) } else { 0 };
    blocks[place].named = true;
    for later in &mut blocks[place + 1..] {
        later.arrival = if rng.random_bool(0.5) { 1 } else { rng.random_range(2..=8) };
    }
    let (gpu, start) = Gpu::new(sigma, (1, capacity), &blocks, false);
    let most_warps = most_warps(&blocks, capacity);
    let (thetas, by_engine) = match engine::costs(sigma, &gpu.kinds, most_warps) {
        Some(thetas) if flaw == Flaw::None && rng.random_bool(0.5) => (thetas, true),
        _ => {
            let prices = Prices::all(sigma, most_warps, &blocks, flaw);
            (prices.iter().map(|prices| prices.costs(&gpu.kinds)).collect(), false)
        }
    };
    let costs = &thetas[rng.random_range(0..thetas.len())];
    let waiting = blocks[..=place].iter().map(|block| block.size).max().unwrap();
    let aim = gpu.named();
    let own = costs[usize::from(aim)];
    let own_c = if waits { own.next } else { own.first };
    let limit = own.a + if flaw == Flaw::OneLess { Number::from(0) } else { own_c };
    let each = |price: &dyn Fn(&Block, &Cost) -> Number| -> Vec<Number> {
        gpu.kinds.iter().zip(costs).map(|(kind, cost)| price(kind, cost)).collect()
    };
    let free = Number::from(0);
    let beside = each(&|kind, cost| if kind.named || flaw == Flaw::NoCompany { free } else { cost.a });
    // In equal slots, as many blocks as there are slots pay for one, which is the dearest here.
    let by_slots = waits && !sizes && flaw == Flaw::None && rng.random_bool(0.5);
    let ahead = each(&|kind, cost| {
        let unpaid = !waits || flaw == Flaw::OnlyTheLast || by_slots;
        if unpaid { free } else { cost.next * weight(kind.size, waiting, capacity, flaw) }
    });
    let dearest = if by_slots { costs.iter().map(|cost| cost.next).max().unwrap() } else { free };
    let all = || beside.iter().chain(&ahead).chain([&limit, &dearest]);
    let scale = all().fold(1, |scale: i64, price| scale.lcm(price.denom()));
    let scaled = |prices: &[Number]| prices.iter().map(|price| (price * scale).to_integer()).collect();
    let (present, ahead) = (scaled(&beside), scaled(&ahead));
    let round = (capacity, (dearest * scale).to_integer());
    let earnings = Earnings { cycle: scale, aim: Some(aim), present, ahead, round };
    // The others may cost more than there are cycles.
    let worst = u64::try_from(most(&gpu, &earnings, &start).max(0)).unwrap();
    let bound = u64::try_from((limit * scale).to_integer()).unwrap();
    let what = format!("{blocks:?}, capacity {capacity}, aim {place}, by slots {by_slots}, {costs:?}");
    let scale = u64::try_from(scale).unwrap();
    Found { sigma, worst, bound, engine: by_engine.then_some(bound), scale, what }
}
