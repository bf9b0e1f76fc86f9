//! What proves the upper end of a worst case.

use crate::certificate::search;
use crate::phase::{self, PhaseBound, Rational};
use warpspan_check::bound::Interval;
use warpspan_model::limits::Limits;
use warpspan_model::{Cycles, Instance, Unit};

/// What no schedule exceeds, and what proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proved {
    /// The cycles that no schedule exceeds.
    pub cycles: Cycles,
    /// What proves it.
    pub by: Upper,
}

/// What proves the upper end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upper {
    /// The worst case itself is known in closed form, or as the longest path of two warps, so that it proves the
    /// lower end too.
    Theorem,
    /// The critical path, and the phase bound at these prices.
    Phases(Vec<Rational>),
    /// A search through all states that the phase bound at these prices does not rule out. With barriers there
    /// are no prices, and the search goes through all states.
    Search(Vec<Rational>),
    /// The sum over the segments between the barriers of one block, each proved by itself.
    Segments(Vec<Proved>),
    /// The bound for equal blocks that follow one another.
    Relay {
        /// The prices.
        thetas: Vec<Rational>,
        /// With several multiprocessors: if the one that ends last has so many blocks or fewer, the bound is P,
        /// and with more of them the other term.
        most: u64,
    },
}

/// The most states that the checker's search looks at.
const MOST_STATES: usize = 100_000;
/// The same with barriers, where a state takes Coq longer.
const MOST_STATES_OF_BLOCKS: usize = 20_000;
/// The most letters of all warps for which a search is tried.
const MOST_SEARCHED: u64 = 2_000;
/// The most pairs of positions of two warps that the checker goes through.
const MOST_PAIRS: usize = 4_000_000;

impl Proved {
    /// What proves the upper end of the worst case, or the least that can be proved if that is larger.
    pub(super) fn of(instance: &Instance, worst: Interval) -> Self {
        let known = worst.upper().cycles();
        if worst.is_exact() && theorem_tells(instance) {
            return Self { cycles: known, by: Upper::Theorem };
        }
        let phases = Self::by_phases(instance);
        let few = instance.total_issues() <= MOST_SEARCHED;
        if few
            && phases.cycles > worst.lower().cycles()
            && instance.has_barriers()
            && !instance.is_one_block()
            && let Some(found) = search::worst_of_blocks(instance, MOST_STATES_OF_BLOCKS)
        {
            return Self { cycles: found, by: Upper::Search(Vec::new()) };
        }
        if phases.cycles <= known {
            return Self { cycles: known, ..phases };
        }
        let segments = instance.segments().filter(|_| instance.has_barriers());
        let found = match segments {
            Some(segments) => Self::by_segments(&segments, known),
            None if !few || instance.has_barriers() => None,
            None => Self::by_search(instance, known, MOST_STATES).map(|(found, _)| found),
        };
        let found = found.map(|found| Self { cycles: found.cycles.max(known), ..found });
        found.filter(|found| found.cycles < phases.cycles).unwrap_or(phases)
    }

    /// The same by what takes no search: a theorem, the phase bound, or the sum over the segments of one block.
    pub(super) fn without_search(instance: &Instance) -> Self {
        if let Some(found) = Self::by_theorem(instance) {
            return found;
        }
        let phases = Self::by_phases(instance);
        let segments = instance.segments().filter(|_| instance.has_barriers());
        let found = segments.and_then(|segments| Self::by_segments(&segments, Cycles(u64::MAX)));
        found.filter(|found| found.cycles < phases.cycles).unwrap_or(phases)
    }

    /// The worst case, where a theorem tells it. With barriers it is a sum over segments.
    fn by_theorem(instance: &Instance) -> Option<Self> {
        let limits = Limits::generous();
        let closed = phase::solve(instance, &limits).ok().filter(|_| theorem_tells(instance))?;
        Some(Self { cycles: closed.upper.cycles(), by: Upper::Theorem })
    }

    fn by_phases(instance: &Instance) -> Self {
        let PhaseBound { makespan, thetas, .. } = phase::bound(instance);
        Self { cycles: makespan.cycles(), by: Upper::Phases(prices(instance, thetas)) }
    }

    /// A search that shows that no schedule of an instance without barriers takes longer, and the number of
    /// states that it looks at.
    fn by_search(instance: &Instance, cycles: Cycles, most: usize) -> Option<(Self, usize)> {
        let theta = phase::bound(instance).theta;
        let states = search::states(instance, theta, cycles, most)?;
        Some((Self { cycles, by: Upper::Search(prices(instance, vec![theta])) }, states))
    }

    /// The sum over the segments of one block: each by a theorem or by the phase bound, and if this is more than
    /// what is known, by searches that lower it.
    fn by_segments(segments: &[Instance], known: Cycles) -> Option<Self> {
        let part = |segment| Self::by_theorem(segment).unwrap_or_else(|| Self::by_phases(segment));
        let mut parts: Vec<Self> = segments.iter().map(part).collect();
        let mut sum = parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.cycles.0))?;
        let mut states_left = MOST_STATES;
        for (part, segment) in parts.iter_mut().zip(segments) {
            if matches!(part.by, Upper::Theorem) || segment.total_issues() > MOST_SEARCHED {
                continue;
            }
            let mut states_here = 0;
            while sum > known.0 && part.cycles.0 > 1 {
                let lower = Cycles(part.cycles.0 - 1);
                let Some((found, states)) = Self::by_search(segment, lower, states_left) else { break };
                (*part, states_here) = (found, states);
                sum -= 1;
            }
            states_left -= states_here;
        }
        Some(Self { cycles: Cycles(sum), by: Upper::Segments(parts) })
    }
}

/// The prices, and both ends of their range.
fn prices(instance: &Instance, thetas: Vec<Rational>) -> Vec<Rational> {
    let ends = Unit::ALL.map(|unit| Rational::new(1, instance.sigma(unit).into()));
    let mut prices: Vec<Rational> = ends.into_iter().chain(thetas).collect();
    prices.sort_unstable();
    prices.dedup();
    prices
}

/// Whether a theorem tells the worst case: at sigma 1, for one kernel on any number of warps, in one block if it
/// has barriers, and for two warps without barriers.
fn theorem_tells(instance: &Instance) -> bool {
    let groups = instance.groups();
    let pairs =
        |a: usize, b: usize| groups[a].kernel.len().saturating_mul(groups[b].kernel.len()) <= MOST_PAIRS;
    let tells = match groups {
        [group] => instance.is_one_block() && (group.warps != 2 || pairs(0, 0)),
        [a, b] => a.warps == 1 && b.warps == 1 && pairs(0, 1) && !instance.has_barriers(),
        _ => false,
    };
    tells && Unit::ALL.into_iter().all(|unit| instance.sigma(unit) == 1)
}
