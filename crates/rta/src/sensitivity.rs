//! How far each kernel is from the point at which the bounds no longer prove that all deadlines are met.
//!
//! One quantity of one kernel changes and all others stay: C, the period, or the number of blocks. The bounds
//! never fall when C or the number of blocks grows or a period shrinks, so the values that are proved have an
//! edge, and bisection finds it. Releases that are exactly a period apart keep the distances that the file
//! says, and then a longer period may be worse. So the kernel whose period changes is taken as sporadic, and
//! its edge holds for all launches that are so far apart or more.
//!
//! The deadlines stay as they are, also those that the file leaves to the period.

use crate::{Execution, Source, System, is_proved};
use warpspan_model::limits::{Limits, Stop};
use warpspan_model::time::Duration;

/// The values of a kernel up to which the system is proved, if nothing else changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sensitivity {
    /// The largest C, in grains; `None` if C is that of code.
    pub execution: Option<Edge>,
    /// The smallest distance of two arrivals, in grains; `None` if there is one launch only.
    pub period: Option<Edge>,
    /// The largest number of blocks.
    pub blocks: Edge,
}

impl Sensitivity {
    /// The limit that ended one of the searches.
    pub fn stop(&self) -> Option<Stop> {
        [self.execution, self.period, Some(self.blocks)].into_iter().flatten().find_map(|edge| edge.stop)
    }
}

/// The last value at which the bounds prove the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The value; `None` if none was found. No value above [`Duration::MAX`] is tried.
    pub proved: Option<u64>,
    /// The limit that ended the search. The value is then proved, but may not be the last one.
    pub stop: Option<Stop>,
}

/// The largest value that is tried: of times, because larger ones cannot be analysed.
const MOST: u64 = Duration::MAX.0;

/// The edges of each kernel, within the limits.
pub fn sensitivity(system: &System, executions: &[Execution], limits: &Limits) -> Vec<Sensitivity> {
    // A system takes a while to be changed, and there may be thousands of edges: so the limits are asked first.
    let edge = |side, start, holds: &mut dyn FnMut(u64) -> Result<bool, Stop>| {
        edge(side, start, |value| limits.stopped().map_or_else(|| holds(value), Err))
    };
    let of = |kernel: usize| {
        let task = &system.tasks()[kernel];
        let given = matches!(task.execution, Source::Given(_)).then_some(executions.get(kernel)).flatten();
        let execution = given.map(|execution| {
            edge(Side::Largest, execution.time.0, &mut |time| {
                let time = Duration(time);
                let Ok(changed) = system.with_task(kernel, |task| task.execution = Source::Given(time))
                else {
                    return Ok(false);
                };
                let mut executions = executions.to_vec();
                executions[kernel].time = time;
                is_proved(&changed, &executions, limits)
            })
        });
        let period = task.period.map(|period| {
            edge(Side::Smallest, period.0, &mut |period| {
                let changed = system.with_task(kernel, |task| {
                    task.period = Some(Duration(period));
                    task.sporadic = true;
                });
                changed.map_or(Ok(false), |changed| is_proved(&changed, executions, limits))
            })
        });
        let blocks = edge(Side::Largest, task.blocks, &mut |blocks| {
            let changed = system.with_task(kernel, |task| {
                // What a launch moves grows with its blocks.
                for declared in &mut task.traffic {
                    let all = declared.bytes.saturating_mul(blocks.into());
                    declared.bytes = all.div_ceil(task.blocks.max(1).into());
                }
                task.blocks = blocks;
            });
            changed.map_or(Ok(false), |changed| is_proved(&changed, executions, limits))
        });
        Sensitivity { execution, period, blocks }
    };
    (0..system.tasks().len()).map(of).collect()
}

/// Which of the values that hold is searched for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// All smaller values hold too.
    Largest,
    /// All larger values hold too.
    Smallest,
}

/// The last value from 1 to [`MOST`] that holds. The search doubles or halves from `start` until it meets the
/// edge, and bisects from there.
fn edge(side: Side, start: u64, mut holds: impl FnMut(u64) -> Result<bool, Stop>) -> Edge {
    let mut proved = None;
    let mut search = || -> Result<(), Stop> {
        let at_start = holds(start)?;
        proved = at_start.then_some(start);
        let upwards = at_start == (side == Side::Largest);
        let (mut last, mut other) = (start, None);
        while other.is_none() {
            let next = if upwards { last.saturating_mul(2).min(MOST) } else { last / 2 };
            if next == last || next == 0 {
                return Ok(());
            }
            let found = holds(next)?;
            proved = if found { Some(next) } else { proved };
            if found == at_start {
                last = next;
            } else {
                other = Some(next);
            }
        }
        let Some(other) = other else { return Ok(()) };
        let (mut good, mut bad) = if at_start { (last, other) } else { (other, last) };
        while good.abs_diff(bad) > 1 {
            let middle = good.min(bad) + good.abs_diff(bad) / 2;
            if holds(middle)? {
                good = middle;
                proved = Some(middle);
            } else {
                bad = middle;
            }
        }
        Ok(())
    };
    let stop = search().err();
    Edge { proved, stop }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_found_from_either_side() {
        for at in [1, 2, 7, 64, 1000, MOST] {
            for start in [1, 6, 7, 8, 999, 1 << 40] {
                let most = edge(Side::Largest, start, |value| Ok(value <= at));
                assert_eq!(most, Edge { proved: Some(at), stop: None });
                let least = edge(Side::Smallest, start, |value| Ok(value >= at));
                assert_eq!(least, Edge { proved: Some(at), stop: None });
            }
        }
        assert_eq!(edge(Side::Largest, 9, |_| Ok(false)).proved, None);
        assert_eq!(edge(Side::Smallest, 9, |_| Ok(false)).proved, None);
    }

    #[test]
    fn a_limit_leaves_the_best_value_that_holds() {
        let mut left = 5;
        let found = edge(Side::Largest, 10, |value| {
            left -= 1;
            if left == 0 { Err(Stop::TimeLimit) } else { Ok(value <= 1000) }
        });
        assert_eq!(found, Edge { proved: Some(80), stop: Some(Stop::TimeLimit) });
    }
}
