//! States of a grid, and the numbers by which they are known.

use warpspan_model::{Grid, Kernel, PerUnit};

/// The blocks of a multiprocessor that have not ended, one after another and in rising order: by warp, the
/// number of instructions issued, in rising order for each block.
pub(super) type Blocks = Vec<u16>;

/// The number by which a state is known: the number of blocks that wait, and the numbers of instructions that
/// all warps have issued. The number of blocks and of multiprocessors follows from its length. If no block
/// waits, it is of one multiprocessor only.
pub(super) type Key = Box<[u16]>;

/// The entries of a key that hold the number of blocks that wait.
const HEAD: usize = 4;

/// What the search needs to know of a grid.
#[derive(Debug)]
pub(super) struct Rules<'a> {
    pub(super) kernel: &'a Kernel,
    /// The number of instructions, by which a finished warp is known.
    pub(super) length: u16,
    pub(super) sigma: PerUnit<u64>,
    pub(super) warps: usize,
    pub(super) resident: usize,
    pub(super) multiprocessors: usize,
    pub(super) blocks: u64,
}

impl<'a> Rules<'a> {
    /// The rules of a grid. There are none for code with branches or loops, and for code that is too long.
    pub(super) fn new(grid: &'a Grid) -> Option<Self> {
        let together = grid.together().instance()?;
        let kernel = &together.groups()[0].kernel;
        Some(Self {
            kernel,
            length: u16::try_from(kernel.len()).ok()?,
            sigma: PerUnit::from_fn(|unit| together.sigma(unit)),
            warps: usize::try_from(grid.warps_per_block()).ok()?,
            resident: usize::try_from(grid.at_once()).ok()?,
            // A multiprocessor that never holds a block does not matter.
            multiprocessors: usize::try_from(grid.multiprocessors().min(grid.blocks())).ok()?,
            blocks: grid.blocks(),
        })
    }

    /// The blocks, with so many more that have just started.
    pub(super) fn with_fresh(&self, blocks: &[u16], count: u64) -> Blocks {
        let fresh = usize::try_from(count).unwrap_or(usize::MAX) * self.warps;
        // Nothing is before a block that has just started, so the order is kept.
        std::iter::repeat_n(0, fresh).chain(blocks.iter().copied()).collect()
    }

    /// The keys of a state: one if blocks wait, or else one for each multiprocessor that has not finished.
    pub(super) fn keys(&self, waiting: u64, mut all: Vec<Blocks>) -> Vec<Key> {
        all.sort_unstable();
        if waiting > 0 {
            return vec![key(waiting, &all)];
        }
        all.dedup();
        all.retain(|blocks| !blocks.is_empty());
        all.iter().map(|blocks| key(0, std::slice::from_ref(blocks))).collect()
    }

    /// The state of a key.
    pub(super) fn state(&self, key: &Key) -> (u64, Vec<Blocks>) {
        let (head, positions) = key.split_at(HEAD);
        let waiting = head.iter().fold(0, |waiting, &part| waiting << 16 | u64::from(part));
        // While a block waits, every multiprocessor is full.
        let length = if waiting > 0 { self.resident * self.warps } else { positions.len() };
        (waiting, positions.chunks(length).map(<[u16]>::to_vec).collect())
    }

    /// Brings blocks into rising order.
    pub(super) fn sort(&self, blocks: &mut Blocks) {
        if self.warps == 1 {
            blocks.sort_unstable();
        } else if !blocks.chunks(self.warps).is_sorted() {
            let mut sorted: Vec<&[u16]> = blocks.chunks(self.warps).collect();
            sorted.sort_unstable();
            *blocks = sorted.concat();
        }
    }
}

fn key(waiting: u64, all: &[Blocks]) -> Key {
    let part = |shift: u32| u16::try_from(waiting >> shift & 0xffff).unwrap_or(u16::MAX);
    let head = [48, 32, 16, 0].map(part);
    head.into_iter().chain(all.iter().flatten().copied()).collect()
}

/// The number of ways to choose k of n, or `u64::MAX` if 64 bits do not hold it.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    let k = k.min(n.saturating_sub(k));
    let mut ways = 1_u128;
    for i in 0..k {
        ways = ways * u128::from(n - i) / u128::from(i + 1);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(ways).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::Code;

    #[test]
    fn keys_come_back() {
        let grid = Grid::new("LLC".parse::<Code>().unwrap(), Default::default(), 2, 70_010).unwrap();
        let grid = grid.on(2, 2).unwrap();
        let rules = Rules::new(&grid).unwrap();
        let all = vec![vec![0, 2, 1, 3], vec![0, 0, 0, 1]];
        let [key] = &rules.keys(70_006, all.clone())[..] else { panic!("one key while blocks wait") };
        assert_eq!(rules.state(key), (70_006, vec![all[1].clone(), all[0].clone()]));
        let apart = rules.keys(0, all.clone());
        let states: Vec<_> = apart.iter().map(|key| rules.state(key)).collect();
        assert_eq!(states, [(0, vec![all[1].clone()]), (0, vec![all[0].clone()])]);
        assert!(rules.keys(0, vec![vec![], vec![]]).is_empty());
        assert_eq!(rules.with_fresh(&[1, 3], 2), [0, 0, 0, 0, 1, 3]);
        let mut blocks = vec![1, 3, 0, 2, 0, 0];
        rules.sort(&mut blocks);
        assert_eq!(blocks, [0, 0, 0, 2, 1, 3]);
    }

    #[test]
    fn binomials_saturate() {
        assert_eq!([binomial(5, 2), binomial(3, 0), binomial(40, 20)], [10, 1, 137_846_528_820]);
        assert_eq!(binomial(u64::MAX, 1 << 40), u64::MAX);
    }
}
