//! What each warp can have issued by a cycle.

use crate::latency::LatencyError;
use crate::latency::context::Context;
use crate::latency::error::plus;
use crate::latency::most::along;
use warpspan_model::machine::{Machine, Step};

/// The most letters of all straight lines together that are written out, times the groups for each of which they count.
const MOST_LETTERS: usize = 1 << 19;

/// The warps of all groups, as others see them.
pub(super) struct Others<'a> {
    /// By group the line, if its code is a straight one that is not too long, and what its letters ask for is not only the worst: what
    /// may be faster may come further.
    pub(super) lines: Vec<Option<Line>>,
    context: &'a Context<'a>,
}

/// The instructions of a straight line, and the cycle in which each can be issued at the earliest.
pub(super) struct Line {
    pub(super) steps: Vec<Step>,
    /// Whether a barrier stands before an instruction.
    pub(super) gates: Vec<bool>,
    earliest: Vec<u64>,
}

/// What a number of each letter adds up to: along the longest path, or for the first so many letters of a line.
pub(super) enum Sum {
    Whole(i128),
    Before(Vec<i128>),
}

impl<'a> Others<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Result<Self, LatencyError> {
        let mut left = MOST_LETTERS / context.groups().len().max(1);
        let lines = context.groups().map(|group| {
            let exact = Some(()).filter(|()| !context.machine().has_worst_letters());
            let written =
                exact.and_then(|()| context.code(group).written_out()).filter(|steps| steps.len() <= left)?;
            left -= written.len();
            Some(Line::new(written, context.machine()))
        });
        Ok(Self { lines: lines.collect(), context })
    }

    /// The sum of a number of each letter of a warp of a group.
    pub(super) fn sum(&self, group: usize, of: &dyn Fn(&Step) -> i128) -> Result<Sum, LatencyError> {
        match &self.lines[group] {
            None => Ok(Sum::Whole(along(self.context.code(group), of)?)),
            Some(line) => Ok(Sum::Before(line.before(of)?)),
        }
    }

    /// How many letters of a warp of a group can be issued by a cycle; all of them if none is named.
    pub(super) fn reached(&self, group: usize, cycle: Option<i128>) -> usize {
        let Some(line) = &self.lines[group] else { return usize::MAX };
        match cycle {
            None => line.steps.len(),
            Some(cycle) => line.earliest.partition_point(|&earliest| i128::from(earliest) <= cycle),
        }
    }
}

impl Sum {
    /// The sum of the first so many letters, where they are known.
    pub(super) fn first(&self, letters: usize) -> i128 {
        match self {
            Self::Whole(sum) => *sum,
            Self::Before(sums) => sums[letters.min(sums.len() - 1)],
        }
    }
}

impl Line {
    fn new(written: Vec<Option<Step>>, machine: &Machine) -> Self {
        let (mut steps, mut gates, mut gate) = (Vec::new(), Vec::new(), false);
        for step in written {
            match step {
                Some(step) => {
                    steps.push(step);
                    gates.push(std::mem::take(&mut gate));
                }
                None => gate = true,
            }
        }
        let earliest = earliest(&steps, machine);
        Self { steps, gates, earliest }
    }

    fn before(&self, of: &dyn Fn(&Step) -> i128) -> Result<Vec<i128>, LatencyError> {
        let mut sums = vec![0];
        for step in &self.steps {
            sums.push(plus(sums[sums.len() - 1], of(step))?);
        }
        Ok(sums)
    }
}

/// E of each instruction with the least latencies, where only an own instance that is the only one of its unit is waited for.
/// Barriers are passed at once, since nothing comes earlier behind them than without them.
fn earliest(steps: &[Step], machine: &Machine) -> Vec<u64> {
    let mut tokens = std::collections::BTreeMap::<u16, u64>::new();
    let mut units = vec![0_u64; machine.units().len()];
    let (mut all, mut ready) = (Vec::with_capacity(steps.len()), 1_u64);
    for step in steps {
        let letter = machine.letter(step.letter);
        let needs = step.waits.iter().flat_map(|waits| &waits.needs);
        let free = needs.filter_map(|token| tokens.get(token)).copied().max().unwrap_or(0);
        let issue = ready.max(free).max(units[letter.unit]);
        all.push(issue);
        let result = issue.saturating_add(letter.latency.least);
        ready = match &step.waits {
            None => result,
            Some(waits) => {
                for &token in &waits.sets {
                    let free = tokens.entry(token).or_default();
                    *free = result.max(*free);
                }
                issue.saturating_add(u64::from(waits.stall).max(1))
            }
        };
        if machine.units()[letter.unit].instances == 1 {
            units[letter.unit] = issue.saturating_add(letter.occupancy);
        }
    }
    all
}
