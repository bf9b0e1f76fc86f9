//! Simple rules for grids, whose blocks follow one another.
//!
//! Each multiprocessor orders its ready warps by one rule, and all multiprocessors after the first have
//! the same one. Rules that differ make long schedules: if the first multiprocessor runs its blocks one after
//! another while the others interleave theirs, the first takes more blocks from the queue than its share, and
//! can hold all of the last ones, untouched, when the queue has become empty.

use crate::simulate::Meter;
use warpspan_check::schedule::{Issue, Schedule, Start};
use warpspan_model::limits::Limits;
use warpspan_model::{Grid, Kernel, PerUnit, Unit};

/// Which ready warps of a multiprocessor go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Those with the fewest instructions issued.
    LeastAdvanced,
    /// Those with the most instructions issued.
    MostAdvanced,
    /// Those of the oldest block, and of these the least advanced.
    OldestBlock,
}

/// How the ready warps of a multiprocessor issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rule {
    order: Order,
    /// Whether one warp is kept back: it goes last, but first when all ready warps want the same unit and its
    /// next two letters are equal. Once it has finished, the last warp of the youngest block is kept back.
    /// This is the pack and the straggler of the closed form, with blocks that are replaced.
    keeps_one: bool,
}

impl Rule {
    const ALL: [Self; 6] = [
        Self { order: Order::LeastAdvanced, keeps_one: true },
        Self { order: Order::OldestBlock, keeps_one: false },
        Self { order: Order::LeastAdvanced, keeps_one: false },
        Self { order: Order::OldestBlock, keeps_one: true },
        Self { order: Order::MostAdvanced, keeps_one: false },
        Self { order: Order::MostAdvanced, keeps_one: true },
    ];
}

/// How all multiprocessors behave in one schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    first: Rule,
    others: Rule,
    /// The rule of all of them once no block waits.
    at_last: Option<Rule>,
    /// Whether the first multiprocessor gets a block last when several have free slots, and not first.
    first_is_last: bool,
}

fn plans(grid: &Grid) -> Vec<Plan> {
    let plan = |first, others, at_last, first_is_last| Plan { first, others, at_last, first_is_last };
    let mut plans: Vec<Plan> = Rule::ALL.iter().map(|&rule| plan(rule, rule, None, false)).collect();
    if grid.multiprocessors() > 1 {
        for at_last in [Some(Rule::ALL[0]), None] {
            for first_is_last in [false, true] {
                for first in Rule::ALL {
                    plans.extend(Rule::ALL.map(|others| plan(first, others, at_last, first_is_last)));
                }
            }
        }
    }
    plans
}

/// The number of warp-cycles that all simulations of a grid may take together, if each cycle issued one
/// letter.
const BUDGET: u64 = 100_000_000;

/// The number of bytes that an issue takes while its schedule is built, kept and replayed.
const BYTES_AN_ISSUE: u64 = 160;

/// The schedules of the rules, one after another. There are none for code with branches or loops, and fewer
/// or none if the grid is too large to simulate in a few seconds or a limit is reached.
pub fn schedules<'a>(grid: &'a Grid, limits: &'a Limits) -> impl Iterator<Item = Schedule> + 'a {
    let letters = grid.block().instance().map_or(0, |block| block.total_issues() * grid.blocks());
    // A replay looks at all multiprocessors wherever a block starts.
    let places = grid.multiprocessors().min(grid.blocks());
    let work =
        letters.saturating_mul(grid.together().total_warps()).max(places.saturating_mul(places)).max(1);
    let fits = letters > 0 && letters.saturating_mul(BYTES_AN_ISSUE) <= limits.memory;
    let most = if fits { usize::try_from(BUDGET / work).unwrap_or(usize::MAX) } else { 0 };
    plans(grid).into_iter().take(most).map_while(move |plan| schedule(grid, plan, limits))
}

/// A block in its slot.
struct Present {
    block: u64,
    slot: u64,
    next: Vec<usize>, // by warp: the instruction that is due
}

/// A multiprocessor: its blocks, from the oldest to the youngest, and the warp that is kept back.
struct Busy {
    rule: Rule,
    blocks: Vec<Present>,
    kept: Option<(u64, usize)>,
}

/// The schedule of a plan. It is `None` for code with branches or loops, and if a limit is reached.
fn schedule(grid: &Grid, plan: Plan, limits: &Limits) -> Option<Schedule> {
    let instance = grid.together().instance()?;
    let kernel = &instance.groups()[0].kernel;
    let sigma = PerUnit::from_fn(|unit| usize::try_from(instance.sigma(unit)).unwrap_or(usize::MAX));
    let warps = usize::try_from(grid.warps_per_block()).ok()?;
    let used = usize::try_from(grid.multiprocessors().min(grid.blocks())).ok()?;
    let rule = |number| if number == 0 { plan.first } else { plan.others };
    let mut all: Vec<Busy> =
        (0..used).map(|number| Busy { rule: rule(number), blocks: Vec::new(), kept: None }).collect();
    let mut order: Vec<usize> = (0..used).collect();
    if plan.first_is_last {
        order.reverse();
    }
    // The slots that can be filled, in the order in which they are. No more than there are blocks matter.
    let slots = |&number: &usize| (0..grid.at_once()).map(move |slot| (number, slot));
    let most = usize::try_from(grid.blocks()).ok()?;
    let mut free: Vec<(usize, u64)> = order.iter().flat_map(slots).take(most).collect();
    let (mut meter, mut started) = (Meter::new(limits), 0);
    let (mut starts, mut issues) = (Vec::new(), Vec::new());
    for cycle in 1.. {
        for (number, slot) in std::mem::take(&mut free) {
            if started == grid.blocks() {
                break;
            }
            all[number].blocks.push(Present { block: started, slot, next: vec![0; warps] });
            starts.push(Start { cycle, multiprocessor: number as u64, slot, block: started });
            started += 1;
        }
        let mut present = 0;
        for &number in &order {
            let busy = &mut all[number];
            busy.rule = plan.at_last.filter(|_| started == grid.blocks()).unwrap_or(busy.rule);
            present += busy.blocks.len() * warps;
            busy.issue(kernel, sigma, |block, warp, instruction| {
                issues.push(Issue::of_block(cycle, [block, warp], grid.warps_per_block(), instruction));
            });
            busy.blocks.retain(|block| {
                let ended = block.next.iter().all(|&next| next == kernel.len());
                if ended {
                    free.push((number, block.slot));
                }
                !ended
            });
        }
        if present == 0 {
            return Some(Schedule::of_blocks(starts, issues));
        }
        meter.go_on(present).ok()?;
    }
    None
}

impl Busy {
    /// Lets warps issue in one cycle, and calls `issued` with the block, the warp and the instruction of
    /// each.
    fn issue(&mut self, kernel: &Kernel, sigma: PerUnit<usize>, mut issued: impl FnMut(u64, u64, u64)) {
        let Rule { order, keeps_one } = self.rule;
        let is_there = |blocks: &[Present], (block, warp): (u64, usize)| {
            blocks.iter().any(|present| present.block == block && present.next[warp] < kernel.len())
        };
        if keeps_one && self.kept.is_none_or(|kept| !is_there(&self.blocks, kept)) {
            let last = |present: &Present| {
                let warp = present.next.iter().rposition(|&next| next < kernel.len())?;
                Some((present.block, warp))
            };
            self.kept = self.blocks.last().and_then(last);
        }
        let mut ready = PerUnit::from_fn(|_| Vec::new());
        for (at, block) in self.blocks.iter().enumerate() {
            let least = block.next.iter().min().copied().unwrap_or(0);
            for (warp, &next) in block.next.iter().enumerate() {
                let stands = next > least && kernel.barriers().binary_search(&next).is_ok();
                if let Some(&unit) = kernel.units().get(next).filter(|_| !stands) {
                    ready[unit].push((at, warp, next));
                }
            }
        }
        let one_unit = Unit::ALL.iter().any(|&unit| ready[unit].is_empty());
        for unit in Unit::ALL {
            let rank = |&(at, warp, next): &(usize, usize, usize)| {
                let is_kept = self.kept == Some((self.blocks[at].block, warp));
                let walks = one_unit && kernel.units().get(next) == kernel.units().get(next + 1);
                let class = if !is_kept {
                    1
                } else if walks {
                    0
                } else {
                    2
                };
                match order {
                    Order::LeastAdvanced => (class, 0, next),
                    Order::MostAdvanced => (class, 0, usize::MAX - next),
                    Order::OldestBlock => (class, at, next),
                }
            };
            ready[unit].sort_by_key(rank);
            ready[unit].truncate(sigma[unit]);
        }
        for (at, warp, next) in Unit::ALL.into_iter().flat_map(|unit| std::mem::take(&mut ready[unit])) {
            self.blocks[at].next[warp] += 1;
            issued(self.blocks[at].block, warp as u64, next as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_check::schedule::replay;
    use warpspan_model::{Code, Multiprocessor};

    fn grid(code: &str, sigma: [&str; 2], [warps, blocks, multiprocessors, resident]: [u64; 4]) -> Grid {
        let multiprocessor = Multiprocessor::new(sigma[0].parse().unwrap(), sigma[1].parse().unwrap());
        let grid = Grid::new(code.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
        grid.on(multiprocessors, resident).unwrap()
    }

    fn longest(grid: &Grid) -> Option<u64> {
        let limits = Limits::generous();
        schedules(grid, &limits).map(|schedule| replay(grid, schedule).unwrap().makespan().0).max()
    }

    #[test]
    fn every_rule_keeps_the_rules_of_grids() {
        for code in ["LLCCL", "LC|CLL|L", "C|C"] {
            for size in [[1, 1, 1, 1], [2, 5, 1, 2], [3, 7, 2, 2], [2, 3, 2, 4], [1, 9, 3, 2]] {
                for sigma in [["1", "1"], ["1", "2"], ["3", "2"], ["1/2", "1"]] {
                    assert!(longest(&grid(code, sigma, size)).is_some());
                }
            }
        }
        assert_eq!(longest(&grid("[L/C]", ["1", "1"], [1, 4, 1, 2])), None);
    }

    #[test]
    fn rules_find_what_makes_straight_rounds_unsafe() {
        assert_eq!(longest(&grid("LCL", ["1", "1"], [1, 4, 1, 2])), Some(9));
        assert_eq!(longest(&grid("LL", ["1", "1"], [1, 12, 2, 3])), Some(14));
    }

    #[test]
    fn limits_are_kept() {
        let grid = grid("LC", ["1", "1"], [1, 400, 1, 2]);
        let mut little = Limits::generous();
        little.memory = 1000;
        assert_eq!(schedules(&grid, &little).count(), 0);
        let stopped = Limits::generous();
        stopped.interrupt();
        let vast = Grid::new("LC".parse::<Code>().unwrap(), Multiprocessor::default(), 1, 1 << 20).unwrap();
        assert_eq!(schedules(&vast.on(1, 2).unwrap(), &stopped).count(), 0);
    }
}
