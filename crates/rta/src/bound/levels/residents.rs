//! What blocks add that are on the multiprocessors when a window begins.

/// A kernel of which one launch may be on the multiprocessors when a window begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resident {
    /// Its row.
    pub(super) at: usize,
    pub(super) stream: usize,
    /// What the blocks of a launch take of the multiprocessors at once.
    pub(super) fill: u128,
    /// How long they may still run.
    pub(super) time: u64,
    /// Whether blocks of its stream may wait in the window.
    pub(super) urgent: bool,
}

/// How much of the multiprocessors is taken, for how long after the window has begun, by blocks that were there: the
/// integral of a function that falls in steps. Each step is a part of the multiprocessors, and the time until which it
/// is taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Residents {
    steps: Vec<Step>,
}

/// A part of the multiprocessors that is taken by blocks of a row until a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) at: usize,
    pub(super) part: u128,
    pub(super) time: u64,
}

impl Residents {
    /// One launch of each stream at a time, all blocks of which fit on the multiprocessors together: so what they take is no
    /// more than `all`, and no more than `urgent` is taken by those whose stream's blocks may wait. The kernels come in
    /// the order of their times, the longest first. `taken` is zero for each stream, and is so afterwards.
    pub(super) fn new(
        kernels: impl Iterator<Item = Resident>,
        taken: &mut [u128],
        all: u128,
        urgent: u128,
    ) -> Self {
        let (mut of_urgent, mut of_others, mut value) = (0_u128, 0_u128, 0_u128);
        let (mut steps, mut touched) = (Vec::new(), Vec::new());
        for kernel in kernels {
            let before = &mut taken[kernel.stream];
            if kernel.fill <= *before {
                continue;
            }
            let sum = if kernel.urgent { &mut of_urgent } else { &mut of_others };
            *sum = sum.saturating_add(kernel.fill - *before);
            *before = kernel.fill;
            touched.push(kernel.stream);
            let next = of_others.saturating_add(of_urgent.min(urgent)).min(all);
            if next > value {
                steps.push(Step { at: kernel.at, part: next - value, time: kernel.time });
                value = next;
            }
            if value == all {
                break;
            }
        }
        for stream in touched {
            taken[stream] = 0;
        }
        Self { steps }
    }

    /// What they take in the first `v` of the window.
    pub(super) fn until(&self, v: u64) -> u128 {
        self.sum(|time| time.min(v))
    }

    /// What they take in all.
    pub(super) fn whole(&self) -> u128 {
        self.sum(|time| time)
    }

    fn sum(&self, until: impl Fn(u64) -> u64) -> u128 {
        self.steps
            .iter()
            .map(|step| step.part.saturating_mul(until(step.time).into()))
            .fold(0, u128::saturating_add)
    }

    /// The first time after v at which what they take bends.
    pub(super) fn bend(&self, v: u64) -> Option<u64> {
        self.steps.iter().map(|step| step.time).filter(|time| *time > v).min()
    }

    /// The steps.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the integral, unit by unit.
        #[test]
        fn steps_are_those_of_the_integral(
            kernels in prop::collection::vec((0..4_usize, 1..9_u128, 1..12_u64), 0..7),
            all in 1..30_u128, urgent in 1..30_u128, v in 0..14_u64,
        ) {
            let mut order: Vec<Resident> = kernels
                .iter()
                .map(|&(stream, fill, time)| Resident { at: 0, stream, fill, time, urgent: stream % 2 == 0 })
                .collect();
            order.sort_by_key(|kernel| std::cmp::Reverse(kernel.time));
            let mut taken = vec![0; 4];
            let found = Residents::new(order.iter().copied(), &mut taken, all, urgent);
            prop_assert_eq!(&taken, &vec![0; 4]);
            let at = |u: u64| {
                let of = |stream: usize| {
                    let of = order.iter().filter(|kernel| kernel.stream == stream && kernel.time > u);
                    of.map(|kernel| kernel.fill).max().unwrap_or(0)
                };
                (of(1) + of(3) + (of(0) + of(2)).min(urgent)).min(all)
            };
            prop_assert_eq!(found.until(v), (0..v).map(at).sum::<u128>());
            prop_assert_eq!(found.whole(), (0..20).map(at).sum::<u128>());
        }
    }
}
