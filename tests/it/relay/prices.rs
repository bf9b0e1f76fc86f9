//! The terms A and C of blocks as `docs/relay.md` defines them, in fractions.
//!
//! Each term can be left out or replaced by a wrong one, so that a test can show that the oracle notices.

use num_rational::Ratio;

use super::gpu::Block;

pub(crate) type Number = Ratio<i64>;

/// What is wrong on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    /// The price c of a switch is left out.
    NoSwitch,
    /// The price c of a switch into a block is left out.
    NoEntry,
    /// One followed block less pays its C.
    OneLess,
    /// The blocks beside do not pay their A.
    NoCompany,
    /// K is rounded down.
    RoundedDown,
    /// A block weighs its size by the capacity.
    WholeCapacity,
    /// Only the last block is followed.
    OnlyTheLast,
    /// The rule for strings without even alternating blocks is used at all sigmas.
    EvenRule,
    /// Several multiprocessors share the blocks evenly.
    EvenShares,
    /// Of several warps the longest is followed through all barriers.
    OneWarp,
}

/// What a block costs at one theta.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// If it is present.
    pub(crate) a: Number,
    /// Besides, if it is the first that is followed.
    pub(crate) first: Number,
    /// Besides, if it is followed after another block.
    pub(crate) next: Number,
}

/// Prices at one theta.
#[derive(Debug, Clone)]
pub(crate) struct Prices {
    sigma: [i64; 2],
    theta: Number,
    /// The price of a switch of the followed warp from a slow letter to a fast one.
    pub(crate) switch: Number,
    pub(crate) flaw: Flaw,
}

impl Prices {
    /// The prices at five thetas. `most` is the largest number of warps that are on a multiprocessor at once.
    pub(crate) fn all(sigma: [usize; 2], most: usize, blocks: &[Block], flaw: Flaw) -> Vec<Self> {
        let sigma = sigma.map(|sigma| i64::try_from(sigma).unwrap());
        let (fast, slow) = (sigma[0].max(sigma[1]), sigma[0].min(sigma[1]));
        let letter = ["LL", "CC"][usize::from(sigma[1] > sigma[0])];
        let twice = blocks.iter().flat_map(|block| &block.warps).any(|warp| warp.contains(letter));
        let (low, high) = (Ratio::new(1, fast), Ratio::new(1, slow));
        let steps = if fast == slow { 0 } else { 4 };
        (0..=steps)
            .map(|step| {
                let theta = low + (high - low) * step / 4;
                let others = (fast - 1).min(i64::try_from(most).unwrap() - 1).max(0);
                let free = fast == slow || !twice || flaw == Flaw::NoSwitch;
                let switch = if free { Ratio::from(0) } else { (theta - low) * others };
                Self { sigma, theta, switch, flaw }
            })
            .collect()
    }

    fn fast(&self) -> usize {
        usize::from(self.sigma[1] > self.sigma[0])
    }

    fn is_fast(&self, letter: u8) -> bool {
        usize::from(letter == b'C') == self.fast()
    }

    /// The rate a of a segment: the best labelling.
    pub(crate) fn rate(&self, segment: &str) -> Number {
        let change = |from: usize| {
            if from == self.fast() { Ratio::new(1, self.sigma[from]) } else { self.theta }
        };
        let mut best = [Ratio::from(0); 2];
        for letter in segment.bytes() {
            let from = best;
            for label in 0..2 {
                let agrees = usize::from(letter == b'C') == label;
                let worth = if agrees { Ratio::new(1, self.sigma[label]) } else { Ratio::from(0) };
                best[label] = worth + from[label].max(from[1 - label] - change(1 - label));
            }
        }
        best[0].max(best[1])
    }

    /// A of a block: the rates of all segments of all its warps.
    pub(crate) fn a(&self, block: &Block) -> Number {
        block.warps.iter().flat_map(|warp| warp.split('|')).map(|segment| self.rate(segment)).sum()
    }

    /// C of a block: the largest sum, over one warp for each segment, of what its letters exceed its rate by,
    /// and of c for each switch from slow to fast; `after_slow` says that a slow letter comes before it all.
    pub(crate) fn c(&self, block: &Block, after_slow: bool) -> Number {
        let warps: Vec<Vec<&str>> = block.warps.iter().map(|warp| warp.split('|').collect()).collect();
        let segments = warps.iter().map(Vec::len).max().unwrap_or(0);
        if self.flaw == Flaw::OneWarp {
            let alone = |warp: &String| self.chain(&[warp.split('|').collect()], after_slow);
            return block.warps.iter().map(alone).max().unwrap();
        }
        assert!(segments > 0);
        self.chain(&warps, after_slow)
    }

    fn chain(&self, warps: &[Vec<&str>], after_slow: bool) -> Number {
        let segments = warps.iter().map(Vec::len).max().unwrap();
        // The best sums after a fast letter or nothing, and after a slow letter.
        let mut best = [None, None];
        best[usize::from(after_slow && self.flaw != Flaw::NoEntry)] = Some(Ratio::from(0));
        for at in 0..segments {
            let mut next: [Option<Number>; 2] = [None, None];
            for warp in warps {
                let segment = warp.get(at).copied().unwrap_or("");
                for (slow, from) in best.into_iter().enumerate() {
                    let Some(from) = from else { continue };
                    let (mut sum, mut slow) = (from, slow);
                    for letter in segment.bytes() {
                        if slow == 1 && self.is_fast(letter) {
                            sum += self.switch;
                        }
                        slow = usize::from(!self.is_fast(letter));
                    }
                    sum += Ratio::from(i64::try_from(segment.len()).unwrap()) - self.rate(segment);
                    next[slow] = Some(next[slow].map_or(sum, |other| other.max(sum)));
                }
            }
            best = next;
        }
        best.into_iter().flatten().max().unwrap()
    }

    /// The price of a block that is left before its end while another is followed next.
    pub(crate) fn left_early(&self) -> Number {
        self.theta - Ratio::new(1, self.sigma[self.fast()])
    }

    /// Whether equal blocks of one string pay c for the entry from one into the next.
    fn enters_fast(&self, text: &str) -> bool {
        let letters: Vec<u8> = text.bytes().filter(|&letter| letter != b'|').collect();
        !self.is_fast(*letters.last().unwrap()) && self.is_fast(letters[0])
    }

    /// The relay over `followed` equal blocks of one string.
    fn relay(&self, block: &Block, followed: u64) -> Number {
        let followed = i64::try_from(followed).unwrap() - i64::from(self.flaw == Flaw::OneLess);
        if followed <= 0 {
            return Ratio::from(0);
        }
        let paid = self.enters_fast(&block.warps[0]) && self.flaw != Flaw::NoEntry;
        let entry = if paid { self.switch } else { Ratio::from(0) };
        (self.c(block, false) + entry) * followed - entry
    }

    /// One multiprocessor, `blocks` equal blocks of one string, `slots` at once.
    pub(crate) fn equal(&self, block: &Block, blocks: u64, slots: u64) -> Number {
        let rounds = if self.flaw == Flaw::RoundedDown { blocks / slots } else { blocks.div_ceil(slots) };
        let rounds = if self.flaw == Flaw::OnlyTheLast { 1 } else { rounds };
        self.company(block, blocks) + self.relay(block, rounds)
    }

    /// The time in which one of several multiprocessors is full, if it gets that many blocks.
    pub(crate) fn while_full(&self, block: &Block, blocks: u64, slots: u64) -> Number {
        self.company(block, blocks) + self.relay(block, blocks / slots)
    }

    /// The blocks beside.
    pub(crate) fn company(&self, block: &Block, blocks: u64) -> Number {
        let beside = if self.flaw == Flaw::NoCompany { 1 } else { blocks };
        self.a(block) * i64::try_from(beside).unwrap()
    }

    /// What each block costs.
    pub(crate) fn costs(&self, blocks: &[Block]) -> Vec<Cost> {
        let cost = |block| Cost { a: self.a(block), first: self.c(block, false), next: self.c(block, true) };
        blocks.iter().map(cost).collect()
    }
}
