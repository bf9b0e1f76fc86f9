//! The bounds on grids whose warps are spread over schedulers, a second time, and each of them with a part left out.
//!
//! Everything is counted in sixtieths of a cycle, of which each weight of a tiny case is a whole number.

use super::search::{Case, Letter, Step};

const PARTS: i64 = 60;

/// What is left out or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Flaw {
    None,
    /// The term for changes of scheduler.
    Boundary,
    /// One block less beside the followed one where the scheduler changes.
    OneBeside,
    /// What warps on other schedulers are worth.
    Others,
    /// The share of a scheduler is rounded down.
    ShareDown,
    /// One followed block less where all are followed.
    OneFollowed,
    /// As many followed blocks as one place has, where all are followed.
    FollowedOfAPlace,
    /// Changes of scheduler at the ends of blocks alone, and not at barriers.
    BarrierChanges,
    /// What servers add.
    Memory,
    /// A cycle less of what servers add.
    MemoryCycle,
    /// What a block asks of servers.
    MemoryOfABlock,
    /// For how long units are held after a block has ended.
    Held,
    /// What comes after the last issue of a segment.
    Arrivals,
    /// What other blocks are worth on the schedulers that are followed, where all start together.
    OtherBlocks,
}

impl Flaw {
    pub(crate) const ALL: [Self; 13] = [
        Self::Boundary,
        Self::OneBeside,
        Self::Others,
        Self::ShareDown,
        Self::OneFollowed,
        Self::FollowedOfAPlace,
        Self::BarrierChanges,
        Self::Memory,
        Self::MemoryCycle,
        Self::MemoryOfABlock,
        Self::Held,
        Self::Arrivals,
        Self::OtherBlocks,
    ];
}

/// Of each moment the bound whatever schedulers warps are on, and the two for warps that are spread.
pub(crate) type Three = [i64; 3];

/// The bounds on a case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) issued: Three,
    pub(crate) done: Three,
    /// The start of the last block, on one multiprocessor that is full before.
    pub(crate) started: Option<Three>,
    /// All multiprocessors: the last issue and the last result.
    pub(crate) all: [i64; 2],
    /// The last result of blocks with barriers that all start together, by the time of a chain by itself.
    pub(crate) together: Option<i64>,
}

/// The numbers of a case.
struct Terms {
    b: i64,
    share: i64,
    resident: i64,
    segments: i64,
    /// The most on any path, in parts: what a warp takes if it waits for each letter (A), what it is worth on any scheduler and
    /// besides on that of the followed one, and on one scheduler if any warp may be there.
    own: i64,
    far: i64,
    near: i64,
    any: i64,
    /// E of the last issue and of everything, in parts.
    last: i64,
    whole: i64,
    /// The largest `near` of a segment.
    largest: i64,
    /// What a followed warp costs more, by segments: spread, and on any scheduler.
    more: i64,
    more_any: i64,
    held: i64,
    held_private: i64,
    /// The time of a chain by itself, from barrier to barrier, in parts.
    chain: i64,
    memory: i64,
    flaw: Flaw,
}

pub(crate) fn bounds(case: &Case, flaw: Flaw) -> Bounds {
    let terms = Terms::new(case, flaw);
    let (n, m) = (i64::from(case.blocks), i64::from(case.multiprocessors));
    let resident = terms.resident;
    let alone = if n <= m * resident { resident } else { n };
    let ends = |x: i64, done: bool| terms.ends(x, done);
    let least = |all: Three| all[0].min(all[1]).min(all[2]);
    let of = |done: bool| {
        let all = if n <= m * resident || m == 1 {
            least(ends(alone, done))
        } else {
            let later = terms.held + least(ends(resident, done));
            let at = |x: i64| least(ends(x, done)).min(later + least(terms.starts((n - x) / (m - 1))));
            (1..=n).map(at).max().unwrap()
        };
        all + terms.memory
    };
    let add = |all: Three| all.map(|one| one + terms.memory);
    Bounds {
        issued: add(ends(alone, false)),
        done: add(ends(alone, true)),
        started: (m == 1 && n > resident).then(|| add(terms.starts(n - 1))),
        all: [of(false), of(true)],
        together: (n <= m * resident && terms.segments > 1).then(|| terms.together() + terms.memory),
    }
}

impl Terms {
    fn new(case: &Case, flaw: Flaw) -> Self {
        let b = i64::from(case.warps);
        let resident = i64::from(case.resident.min(case.blocks));
        let whole_share = i64::from(case.warps.div_ceil(case.schedulers));
        let share = if flaw == Flaw::ShareDown { b / i64::from(case.schedulers) } else { whole_share };
        let width = i64::from(case.width);
        let slot = |most: i64| if width == 0 || most <= width { 0 } else { PARTS / width };
        let letter = |step: &Step| case.letters[usize::from(step.0)];
        let used: Vec<u8> = case.paths.iter().flatten().flatten().map(|step| letter(step).unit).collect();
        let same = |letter: &Letter, slot: i64| {
            assert!(used.contains(&letter.unit));
            let one = PARTS / i64::from(case.units[usize::from(letter.unit)].instances);
            i64::from(letter.occupancy - 1) * one + one.max(slot)
        };
        let elsewhere = |letter: &Letter| {
            let unit = case.units[usize::from(letter.unit)];
            let worth = PARTS / i64::from(unit.instances) * i64::from(letter.occupancy);
            if unit.shared { worth } else { 0 }
        };
        let near = |step: &Step| same(&letter(step), slot(resident * whole_share)) - elsewhere(&letter(step));
        let far = |step: &Step| if flaw == Flaw::Others { 0 } else { elsewhere(&letter(step)) };
        let any = |step: &Step| same(&letter(step), slot(resident * b));
        let longest = |step: &Step| {
            let one = letter(step);
            let stall = step.1.map_or(1, |waits| waits.stall);
            PARTS * i64::from(one.latency[1].max(one.occupancy).max(stall))
        };
        // The most of a path, and the sum over segments of the most of each.
        let along = |of: &dyn Fn(&Step) -> i64| {
            case.paths.iter().map(|path| path.iter().flatten().map(of).sum::<i64>()).max().unwrap()
        };
        let segments = case.paths[0].len();
        let inside = |of: &dyn Fn(&Step) -> i64| -> Vec<i64> {
            let segment =
                |at: usize| case.paths.iter().map(|path| path[at].iter().map(of).sum::<i64>()).max().unwrap();
            (0..segments).map(segment).collect()
        };
        let sum = |of: &dyn Fn(&Step) -> i64| inside(of).into_iter().sum::<i64>();
        let alone: Vec<[i64; 2]> = case
            .paths
            .iter()
            .map(|path| by_itself(case, &path.iter().flatten().copied().collect::<Vec<_>>()))
            .collect();
        let over = |letter: &Letter| i64::from(letter.occupancy) - i64::from(letter.latency[0]);
        let private = |letter: &&Letter| !case.units[usize::from(letter.unit)].shared;
        let asked = |server: usize| {
            let asks = |step: &Step| i64::from(letter(step).asks[server]);
            let all = i64::from(case.blocks) - i64::from(flaw == Flaw::MemoryOfABlock);
            i64::from(case.before[server]) + along(&asks) * b * all
        };
        let waits =
            |(server, rate): (usize, &[u16; 2])| asked(server) * i64::from(rate[1]) / i64::from(rate[0]);
        let memory: i64 = case.rates.iter().enumerate().map(waits).sum();
        let more = sum(&longest) - sum(&far) - sum(&near);
        let apart = (b - 1) * sum(&any) + sum(&longest);
        let beside = b * along(&any);
        let together = beside + sum(&|step| longest(step) - any(step));
        Self {
            b,
            share,
            resident,
            segments: segments.try_into().unwrap(),
            own: along(&longest),
            far: if segments == 1 { along(&far) } else { sum(&far) },
            near: if segments == 1 { along(&near) } else { sum(&near) },
            any: along(&any),
            last: PARTS * alone.iter().map(|one| one[0]).max().unwrap(),
            whole: PARTS * alone.iter().map(|one| one[1]).max().unwrap(),
            largest: inside(&near).into_iter().max().unwrap(),
            more: more.max(0),
            more_any: apart.min(together).max(beside) - beside,
            held: case.letters.iter().map(over).max().unwrap().max(0),
            held_private: if flaw == Flaw::Held {
                0
            } else {
                case.letters.iter().filter(private).map(over).max().unwrap_or(0).max(0)
            },
            chain: PARTS * chain(case, flaw),
            memory: match flaw {
                Flaw::Memory => 0,
                Flaw::MemoryCycle => (memory - 1).max(0),
                _ => memory,
            },
            flaw,
        }
    }

    /// What the other blocks are worth at the changes of scheduler where so many segments are followed.
    fn changes(&self, number: i64) -> i64 {
        let beside = match self.flaw {
            Flaw::Boundary => 0,
            Flaw::OneBeside => (self.resident - 2).max(0),
            _ => self.resident - 1,
        };
        let number = if self.flaw == Flaw::BarrierChanges { number / self.segments } else { number };
        number * beside * self.share * self.largest
    }

    /// P, P' and P''.
    fn ends(&self, x: i64, done: bool) -> Three {
        let k = (x + self.resident - 1) / self.resident;
        if self.segments > 1 {
            return self.in_segments(x, k);
        }
        let Self { b, share, own, far, near, any, whole, held_private: held, .. } = *self;
        let end = if done { whole } else { self.last };
        let down = |own: i64, others: i64| (own + others).div_euclid(PARTS);
        let left = i64::from(k > 1);
        let p = [(own, 0), (whole, left)]
            .map(|(each, left)| down((k - 1) * each + end, (x * b - k + left) * any));
        let change = self.changes(k - 1);
        let one = [(own, 0), (whole, left)].map(|(each, left)| {
            let others = (x * b - k + left) * far + (x * share - k) * near + change;
            down((k - 1) * each + end, others) + (k - 1) * held
        });
        let f = match self.flaw {
            Flaw::OneFollowed => (x - 1).max(1),
            Flaw::FollowedOfAPlace => k,
            _ => x,
        };
        let dear = own.max(far + near);
        let all = [
            down((f - 1) * dear + end, (x * b - x) * far + (x * share - x) * near),
            down((f - 1) * whole + end, (x * b - 1) * far + (x * share - 1) * near),
        ];
        [p[0].min(p[1]), one[0].min(one[1]), all[0].min(all[1])]
    }

    /// The same with barriers, or where all blocks of a full multiprocessor count.
    fn in_segments(&self, x: i64, k: i64) -> Three {
        let Self { b, share, far, near, any, more, segments, .. } = *self;
        let changes = (k * segments - 1).max(0);
        let all = x * (b * far + share * near);
        let f = match self.flaw {
            Flaw::OneFollowed => (x - 1).max(1),
            Flaw::FollowedOfAPlace => k,
            _ => x,
        };
        let p = (x * b * any + k * self.more_any).div_euclid(PARTS);
        let one = (all + k * more + self.changes(changes)).div_euclid(PARTS);
        let two = (all + f * more).div_euclid(PARTS);
        [p, one + changes * self.held_private, two]
    }

    /// What R blocks take that start together, and of which one is followed.
    fn together(&self) -> i64 {
        let Self { b, share, far, near, chain, resident, .. } = *self;
        let own_block = (b - 1) * far + (share - 1) * near;
        let others = match self.flaw {
            Flaw::OtherBlocks => 0,
            _ => (resident - 1) * b * (far + near),
        };
        (chain + own_block + others).div_euclid(PARTS)
    }

    /// Q, Q' and Q''.
    fn starts(&self, y: i64) -> Three {
        let k = y / self.resident;
        if self.segments > 1 {
            return self.in_segments(y, k);
        }
        let Self { b, share, own, far, near, any, whole, held_private: held, .. } = *self;
        let down = |own: i64, others: i64| (own + others).div_euclid(PARTS);
        let changes = (k - 1).max(0);
        let q = down(k * whole, (y * b - k) * any);
        let one = down(k * whole, (y * b - k) * far + (y * share - k) * near + self.changes(changes));
        let f = if self.flaw == Flaw::OneFollowed { (y - 1).max(0) } else { y };
        let dear = own.max(far + near);
        let all = [
            down(f * dear, (y * b - y) * far + (y * share - y) * near),
            down(f * whole, y * b * far + y * share * near),
        ];
        [q, one + changes * held, all[0].min(all[1])]
    }
}

/// The longest chain of warps of a block, one for each segment: their arrivals, and when all is over.
fn chain(case: &Case, flaw: Flaw) -> i64 {
    let segments = case.paths[0].len();
    let time = |at: usize| {
        let of = |path: &Vec<Vec<Step>>| {
            let [last, over] = by_itself(case, &path[at]);
            let stall = path[at].last().and_then(|step| step.1).map_or(1, |waits| i64::from(waits.stall));
            match flaw {
                Flaw::Arrivals => last,
                _ if at + 1 < segments => over.max(last + stall - 1),
                _ => over,
            }
        };
        case.paths.iter().map(of).max().unwrap()
    };
    (0..segments).map(time).sum()
}

/// E of the last issue and of everything of a warp that is alone.
fn by_itself(case: &Case, path: &[Step]) -> [i64; 2] {
    let letter = |step: &Step| case.letters[usize::from(step.0)];
    let mut at: Vec<i64> = Vec::new();
    for (i, step) in path.iter().enumerate() {
        let mut from = 1;
        for (j, before) in path[..i].iter().enumerate() {
            let one = letter(before);
            let most = i64::from(one.latency[1]);
            let sets = before.1.map_or(0, |waits| waits.sets);
            if j + 1 == i {
                from = from.max(at[j] + before.1.map_or(most, |waits| i64::from(waits.stall)));
            }
            if sets & step.1.map_or(0, |waits| waits.needs) != 0 {
                from = from.max(at[j] + most);
            }
            if one.unit == letter(step).unit {
                from = from.max(at[j] + i64::from(one.occupancy));
            }
        }
        at.push(from);
    }
    let over = path
        .iter()
        .zip(&at)
        .map(|(step, at)| at + i64::from(letter(step).latency[1].max(letter(step).occupancy)) - 1);
    [at.last().copied().unwrap_or(0), over.max().unwrap_or(0)]
}
