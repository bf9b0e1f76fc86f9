//! The bounds of `docs/relay.md`, as sums of the terms of blocks.

use num_rational::Ratio;

use super::gpu::Block;
use super::prices::{Cost, Flaw, Number, Prices};

/// One multiprocessor, blocks with weights, of which any may be the last to end.
pub(crate) fn weighted(costs: &[Cost], weights: &[Number], flaw: Flaw) -> Number {
    let all: Number = costs.iter().map(|cost| cost.a).sum();
    let before: Number = costs.iter().zip(weights).map(|(cost, weight)| cost.next * weight).sum();
    let last = |(cost, weight): (&Cost, &Number)| match flaw {
        Flaw::OneLess => before - cost.next * weight,
        Flaw::OnlyTheLast => cost.next,
        _ => before + cost.next * (Ratio::from(1) - weight),
    };
    let beside = if flaw == Flaw::NoCompany { Ratio::from(0) } else { all };
    beside + costs.iter().zip(weights).map(last).max().unwrap()
}

/// The weight of a block of this size where the head of the queue, of size `waiting` at most, has no room.
pub(crate) fn weight(size: u64, waiting: u64, capacity: u64, flaw: Flaw) -> Number {
    let room = if flaw == Flaw::WholeCapacity { capacity } else { capacity - waiting + 1 };
    let weight = Ratio::new(i64::try_from(size).unwrap(), i64::try_from(room).unwrap());
    weight.min(Ratio::from(1))
}

/// The largest sum of warps of blocks that fit on a multiprocessor together.
pub(crate) fn most_warps(blocks: &[Block], capacity: u64) -> usize {
    let fits = |set: &u32| {
        let chosen = blocks.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        chosen.map(|(_, block)| block.size).sum::<u64>() <= capacity
    };
    let warps = |set: u32| {
        let chosen = blocks.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        chosen.map(|(_, block)| block.warps.len()).sum::<usize>()
    };
    (0_u32..1 << blocks.len()).filter(fits).map(warps).max().unwrap()
}

/// The smallest value over theta, rounded down: every theta gives a bound.
pub(crate) fn smallest<T>(thetas: &[T], value: impl Fn(&T) -> Number) -> u64 {
    u64::try_from(thetas.iter().map(|theta| value(theta).floor().to_integer()).min().unwrap()).unwrap()
}

/// The even-block rule: whether no maximal alternating piece has an even length.
pub(crate) fn without_even_pieces(text: &str) -> bool {
    let mut length = 0;
    let letters = text.as_bytes();
    letters.iter().enumerate().all(|(at, letter)| {
        length += 1;
        let ends = letters.get(at + 1).is_none_or(|next| next == letter);
        let even = ends && length % 2 == 0;
        if ends {
            length = 0;
        }
        !even
    })
}

/// One multiprocessor with equal blocks of one string: all that is claimed of them.
pub(crate) fn equal(sigma: [usize; 2], block: &Block, blocks: u64, slots: u64, flaw: Flaw) -> u64 {
    let most = usize::try_from(slots.min(blocks)).unwrap() * block.warps.len();
    let prices = Prices::all(sigma, most, std::slice::from_ref(block), flaw);
    let bound = smallest(&prices, |prices| prices.equal(block, blocks, slots));
    let rule = sigma == [1, 1] || flaw == Flaw::EvenRule;
    let warps = u64::try_from(block.warps.len()).unwrap();
    let issues = |unit: char| u64::try_from(block.warps[0].matches(unit).count()).unwrap();
    let waits = |unit: char, sigma: usize| {
        let sigma = u64::try_from(sigma).unwrap();
        let rounds = blocks.div_ceil(slots);
        if sigma >= slots.min(blocks) * warps { 0 } else { (blocks * warps - rounds) * issues(unit) / sigma }
    };
    let own = blocks.div_ceil(slots) * (issues('L') + issues('C'));
    let path = own + waits('L', sigma[0]) + waits('C', sigma[1]);
    let bound = if flaw == Flaw::None && !block.warps[0].contains('|') { bound.min(path) } else { bound };
    if rule && slots >= 2 && !block.warps[0].contains('|') && without_even_pieces(&block.warps[0]) {
        return bound.min(smallest(&prices, |prices| prices.company(block, blocks) + prices.c(block, false)));
    }
    bound
}

/// Several multiprocessors with one queue of equal blocks of one string.
pub(crate) fn several(
    sigma: [usize; 2],
    block: &Block,
    (blocks, machines, slots): (u64, u64, u64),
    flaw: Flaw,
) -> u64 {
    let one = |blocks: u64| equal(sigma, block, blocks, slots, flaw);
    if blocks <= machines * slots {
        return one(slots.min(blocks));
    }
    if machines == 1 {
        return one(blocks);
    }
    if flaw == Flaw::EvenShares {
        return one(blocks.div_ceil(machines));
    }
    let most = usize::try_from(slots).unwrap() * block.warps.len();
    let prices = Prices::all(sigma, most, std::slice::from_ref(block), flaw);
    // While blocks of an odd string fill a multiprocessor, every cycle issues a letter that counts in a.
    let odd = sigma == [1, 1] && slots >= 2 && without_even_pieces(&block.warps[0]);
    let odd = odd && !block.warps[0].contains('|');
    let full = |blocks: u64| {
        let relay = smallest(&prices, |prices| prices.while_full(block, blocks, slots));
        let letters = smallest(&prices, |prices| prices.company(block, blocks));
        match blocks {
            few if few < slots => 0, // too few to fill it
            _ if odd => relay.min(letters),
            _ => relay,
        }
    };
    (1..=blocks).map(|x| one(x).min(one(slots) + full((blocks - x) / (machines - 1)))).max().unwrap()
}
