//! Random tiny grids.

use super::search::{Case, Letter, Step, Unit, Waits};

/// What a case is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shape {
    Plain,
    /// Results that do not keep the warp waiting.
    Tokens,
    Barriers,
    /// Both, in blocks that all have room.
    BarrierTokens,
    /// Two multiprocessors.
    Several,
    /// Servers.
    Memory,
    /// Servers and barriers.
    MemoryBarriers,
    /// Servers and two multiprocessors.
    MemorySeveral,
    /// Occupancies above the least latency.
    Held,
}

/// A generator of random numbers: splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `least` to `most`.
    pub(crate) fn in_range(&mut self, least: u8, most: u8) -> u8 {
        least + u8::try_from(self.next() % u64::from(most - least + 1)).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// A random case, which may be too large to be searched.
pub(crate) fn case(random: &mut Random, shape: Shape) -> Case {
    use Shape::{BarrierTokens, Barriers, Held, Memory, MemoryBarriers, MemorySeveral, Several, Tokens};
    let memory = matches!(shape, Memory | MemoryBarriers | MemorySeveral);
    let several = matches!(shape, Several | MemorySeveral);
    let barriers = matches!(shape, Barriers | BarrierTokens | MemoryBarriers);
    let small = memory || several;
    let kinds = random.in_range(1, if small { 2 } else { 3 });
    let units: Vec<Unit> = (0..kinds)
        .map(|_| Unit { shared: random.chance(30), instances: if random.chance(80) { 1 } else { 2 } })
        .collect();
    let servers = if memory { random.in_range(1, 2) } else { 0 };
    let longest = if small { 2 } else { 3 };
    let mut letters: Vec<Letter> = (0..kinds)
        .map(|unit| {
            let least = if shape == Held || random.chance(70) { 1 } else { 2 };
            let most = if random.chance(50) { least } else { random.in_range(least, longest) };
            let occupancy = match shape {
                Held => random.in_range(1, 3),
                _ if random.chance(75) => 1,
                _ => 2,
            };
            let mut ask = |server: u8| if server < servers && random.chance(60) { 1 } else { 0 };
            Letter { unit, occupancy, latency: [least, most], asks: [ask(0), ask(1)] }
        })
        .collect();
    if random.chance(20) {
        let other = Letter { latency: [1, 1], asks: [0; 2], ..letters[0] };
        letters.push(other);
    }
    let numbers = u8::try_from(letters.len()).unwrap();
    let segments = if barriers { random.in_range(2, 3) } else { 1 };
    let paths = if random.chance(12) { 2 } else { 1 };
    let longest = if small { 3 } else { 4 };
    let mut path = || -> Vec<Vec<Step>> {
        let mut left = random.in_range(1, longest);
        (0..segments)
            .map(|segment| {
                let number = if segment + 1 == segments { left } else { random.in_range(0, left.min(2)) };
                left -= number;
                (0..number)
                    .map(|_| {
                        let letter = random.in_range(0, numbers - 1);
                        let waits =
                            (matches!(shape, Tokens | BarrierTokens) && random.chance(60)).then(|| Waits {
                                stall: random.in_range(1, 2),
                                needs: random.in_range(0, 3),
                                sets: random.in_range(0, 3),
                            });
                        (letter, waits)
                    })
                    .collect()
            })
            .collect()
    };
    let paths: Vec<_> = (0..paths).map(|_| path()).collect();
    let multiprocessors = if several { 2 } else { 1 };
    let resident = random.in_range(1, if small { 2 } else { 3 });
    let least = if several { 2 } else { 1 };
    let most = if small { 4 } else { 5 };
    let most = if shape == BarrierTokens { resident } else { most };
    Case {
        schedulers: 2,
        width: random.in_range(0, 2),
        units,
        letters,
        paths,
        warps: random.in_range(2, if small { 3 } else { 4 }),
        resident,
        blocks: random.in_range(least, most),
        multiprocessors,
        rates: (0..servers).map(|_| if random.chance(30) { [1, 2] } else { [1, 1] }).collect(),
        before: (0..servers).map(|_| u16::from(random.chance(25))).collect(),
    }
}

/// The same without letters that no path has.
pub(crate) fn trimmed(mut case: Case) -> Option<Case> {
    let used = |case: &Case, number: u8| case.paths.iter().flatten().flatten().any(|step| step.0 == number);
    for number in (0..u8::try_from(case.letters.len()).unwrap()).rev() {
        if !used(&case, number) {
            case.letters.remove(usize::from(number));
            for step in case.paths.iter_mut().flatten().flatten() {
                step.0 -= u8::from(step.0 > number);
            }
        }
    }
    // Nothing waits for a memory of which nothing is asked.
    if case.letters.iter().all(|letter| letter.asks == [0; 2]) {
        (case.rates, case.before) = (vec![], vec![]);
    }
    // A warp without a letter ends in no cycle, which the semantics of blocks do not have. Large cases take long.
    let length = |path: &Vec<Vec<Step>>| path.iter().flatten().count();
    let (least, most) = (case.paths.iter().map(length).min()?, case.paths.iter().map(length).max()?);
    let all = most * usize::from(case.warps) * usize::from(case.blocks);
    let small = case.multiprocessors > 1 || !case.rates.is_empty();
    (least > 0 && all <= if small { 14 } else { 26 }).then_some(case)
}
