//! States as the instructions issued by each warp, and the adversary's choices between them.

use warpspan_check::schedule::Issue;
use warpspan_model::{Instance, PerUnit, Unit};

/// The number of instructions issued by each warp. Groups follow one another, and the numbers rise within a
/// group.
pub(super) type State = Box<[u16]>;

/// The adversary's choices, warp by warp.
pub(super) struct Moves<'a> {
    instance: &'a Instance,
    sizes: Vec<usize>, // the number of warps of each group
    /// The instructions of each group that are left from each position on.
    left: Vec<Vec<PerUnit<u64>>>,
}

/// Warps at the same instruction, as the index after the last of them and their number.
#[derive(Clone, Copy)]
struct Run {
    end: usize,
    ready: u64,
}

impl<'a> Moves<'a> {
    /// The choices of an instance. The result is `None` if a state would not fit in memory or a kernel's
    /// positions do not fit into 16 bits.
    pub(super) fn new(instance: &'a Instance) -> Option<Self> {
        let fits = instance.total_warps() < 1 << 16
            && instance.groups().iter().all(|group| group.kernel.len() < usize::from(u16::MAX))
            && u32::try_from(instance.total_issues()).is_ok();
        let sizes =
            instance.groups().iter().map(|group| usize::try_from(group.warps)).collect::<Result<_, _>>();
        let left = instance.groups().iter().map(|group| group.kernel.left()).collect();
        fits.then_some(Self { instance, sizes: sizes.ok()?, left })
    }

    pub(super) fn start(&self) -> State {
        vec![0; self.sizes.iter().sum()].into()
    }

    /// The state in which all warps have finished.
    pub(super) fn end(&self) -> State {
        let groups = self.instance.groups().iter().zip(&self.sizes);
        let end = |length: usize| u16::try_from(length).expect("longer kernels are refused");
        groups.flat_map(|(group, &size)| std::iter::repeat_n(end(group.kernel.len()), size)).collect()
    }

    /// The number of all warps.
    pub(super) fn warps(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// The most instructions that issue in a cycle.
    pub(super) fn most(&self) -> usize {
        let sigmas = Unit::ALL.iter().map(|&unit| self.instance.sigma(unit)).fold(0, u64::saturating_add);
        usize::try_from(sigmas).unwrap_or(usize::MAX).min(self.sizes.iter().sum())
    }

    /// The critical path from a state on: no schedule that goes through the state takes more cycles after it.
    /// The proof is that of [`critical_path`](warpspan_check::bound::critical_path), which nowhere uses that no warp
    /// has issued.
    pub(super) fn rest(&self, state: &[u16]) -> u64 {
        let mut all = PerUnit::from_fn(|_| 0);
        let warps = || {
            let groups = self.left.iter().zip(&self.sizes);
            let lefts = groups.flat_map(|(left, &size)| std::iter::repeat_n(left, size));
            lefts.zip(state).map(|(left, &issued)| left[usize::from(issued)])
        };
        for left in warps() {
            Unit::ALL.iter().for_each(|&unit| all[unit] += left[unit]);
        }
        let finish = |left: PerUnit<u64>| -> u64 {
            let on = |unit: Unit| match (left[unit], self.instance.sigma(unit)) {
                (0, _) => 0,
                (own, sigma) if sigma >= self.warps() as u64 => own,
                (own, sigma) => own + (all[unit] - own) / sigma,
            };
            Unit::ALL.into_iter().map(on).sum()
        };
        warps().map(finish).max().unwrap_or(0)
    }

    /// Calls `visit` with the state after every choice and the number of issues.
    pub(super) fn each(&self, state: &[u16], visit: &mut impl FnMut(&[u16], usize)) {
        let mut runs: PerUnit<Vec<Run>> = PerUnit::from_fn(|_| Vec::new());
        let mut begin = 0;
        for (group, &size) in self.instance.groups().iter().zip(&self.sizes) {
            for run in state[begin..begin + size].chunk_by(|a, b| a == b) {
                begin += run.len();
                if let Some(&unit) = group.kernel.units().get(usize::from(run[0])) {
                    runs[unit].push(Run { end: begin, ready: run.len() as u64 });
                }
            }
        }
        let mut next = state.to_vec();
        self.unit(&runs, &Unit::ALL, &mut next, 0, visit);
    }

    fn unit(
        &self,
        runs: &PerUnit<Vec<Run>>,
        units: &[Unit],
        next: &mut [u16],
        count: usize,
        visit: &mut impl FnMut(&[u16], usize),
    ) {
        let Some((&unit, rest)) = units.split_first() else {
            visit(next, count);
            return;
        };
        let all = runs[unit].iter().map(|run| run.ready).sum();
        let left = self.instance.sigma(unit).min(all);
        self.spread(runs, &runs[unit], left, rest, next, count, visit);
    }

    /// Tries every way in which `left` warps of the runs can issue, and then the other units.
    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn spread(
        &self,
        runs: &PerUnit<Vec<Run>>,
        on: &[Run],
        left: u64,
        rest: &[Unit],
        next: &mut [u16],
        count: usize,
        visit: &mut impl FnMut(&[u16], usize),
    ) {
        if left == 0 {
            self.unit(runs, rest, next, count, visit);
            return;
        }
        let Some((run, others)) = on.split_first() else { return };
        let most = left.min(run.ready);
        self.spread(runs, others, left, rest, next, count, visit);
        // The last warps of a run issue, which keeps the order.
        for issued in 1..=most {
            let at = usize::try_from(issued).expect("counted in a state");
            next[run.end - at] += 1;
            self.spread(runs, others, left - issued, rest, next, count + at, visit);
        }
        for at in 1..=usize::try_from(most).expect("counted in a state") {
            next[run.end - at] -= 1;
        }
    }

    /// Whether a choice leads from one state to another.
    pub(super) fn leads(&self, before: &[u16], after: &[u16]) -> bool {
        if before.iter().zip(after).any(|(&a, &b)| b < a || b > a + 1) {
            return false;
        }
        let mut found = false;
        self.each(before, &mut |next, _| found |= next == after);
        found
    }

    /// The issues of a cycle that leads from one state to another. Each index in the state is a warp, since
    /// no choice changes the order.
    pub(super) fn issues(&self, before: &[u16], after: &[u16], cycle: u64, issues: &mut Vec<Issue>) {
        let mut begin = 0;
        for (group, &size) in (0..).zip(&self.sizes) {
            let pairs = before[begin..begin + size].iter().zip(&after[begin..begin + size]);
            for (warp, (&a, _)) in (0..).zip(pairs).filter(|(_, (a, b))| a != b) {
                issues.push(Issue { cycle, group, warp, instruction: a.into(), latency: 1 });
            }
            begin += size;
        }
    }
}
