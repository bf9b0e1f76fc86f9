//! The adversary's choices in a cycle.

use crate::states::layout::{Layout, Step};
use warpspan_model::{Instance, Unit};

/// A position and the number of warps that issue there.
pub(super) type Issues = (usize, u64);

/// Enumerates every work-conserving choice of a state. On each unit as many of the ready warps issue as it
/// takes.
pub(super) struct Choices<'a> {
    instance: &'a Instance,
    layout: &'a Layout,
    issues: Vec<Issues>, // those of the choice that is being built
}

impl<'a> Choices<'a> {
    pub(super) fn new(instance: &'a Instance, layout: &'a Layout) -> Self {
        Self { instance, layout, issues: Vec::new() }
    }

    /// Calls `visit` with the issues and the step of every choice. In the final state there is one choice,
    /// which is empty.
    pub(super) fn each(&mut self, state: &[u64], visit: &mut impl FnMut(&[Issues], Step)) {
        self.unit(state, &Unit::ALL, Step::NONE, visit);
    }

    fn unit(&mut self, state: &[u64], units: &[Unit], step: Step, visit: &mut impl FnMut(&[Issues], Step)) {
        let Some((&unit, rest)) = units.split_first() else {
            visit(&self.issues, step);
            return;
        };
        let on = &self.layout.on[unit];
        let all: u64 = on.iter().map(|&position| self.layout.ready(state, position)).sum();
        self.spread(state, on, self.instance.sigma(unit).min(all), (rest, step), visit);
    }

    /// Tries every way in which `left` warps can issue at the positions `on`, and then the other units.
    fn spread(
        &mut self,
        state: &[u64],
        on: &'a [usize],
        left: u64,
        (rest, step): (&[Unit], Step),
        visit: &mut impl FnMut(&[Issues], Step),
    ) {
        if left == 0 {
            self.unit(state, rest, step, visit);
            return;
        }
        let Some((&position, others)) = on.split_first() else { return };
        let ready = self.layout.ready(state, position);
        for count in (1..=left.min(ready)).rev() {
            self.issues.push((position, count));
            let after = step.and(self.layout.step(state, position, count));
            self.spread(state, others, left - count, (rest, after), visit);
            self.issues.pop();
        }
        self.spread(state, others, left, (rest, step), visit);
    }
}
