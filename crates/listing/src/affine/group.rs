//! Lanes whose addresses are known but for one unknown part that they share: the sectors, lines and words that they touch.

use std::collections::BTreeSet;

/// The parts into which the unit of memory takes a warp, at most: 32 lanes of 4 bytes each time.
pub(super) const PHASES: usize = 8;

/// A lane and where it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The lane.
    pub(super) lane: usize,
    /// Where its access may begin.
    pub(super) points: Vec<i64>,
    /// How much further each of these may lie.
    pub(super) span: i64,
}

/// Lanes that share an unknown part of their addresses, which is a multiple of a power of two.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The lanes.
    pub(super) places: Vec<Place>,
    /// The power of two.
    pub(super) twos: u32,
}

/// How much lanes touch at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Touched {
    /// Sectors of 32 bytes.
    pub(super) sectors: u64,
    /// Lines of 128 bytes.
    pub(super) lines: u64,
    /// Lines in each phase.
    pub(super) passes: [u64; PHASES],
    /// Words of the bank with the most, in each phase.
    pub(super) words: [u64; PHASES],
}

impl Touched {
    /// The larger of each of two.
    pub(super) fn max(self, other: Self) -> Self {
        self.each(other, u64::max)
    }

    /// The sum of each of two.
    pub(super) fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    /// The smaller of each of two.
    pub(super) fn min(self, other: Self) -> Self {
        self.each(other, u64::min)
    }

    /// What two have of each.
    pub(super) fn each(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        let all = |one: [u64; PHASES], two: [u64; PHASES]| std::array::from_fn(|at| of(one[at], two[at]));
        Self {
            sectors: of(self.sectors, other.sectors),
            lines: of(self.lines, other.lines),
            passes: all(self.passes, other.passes),
            words: all(self.words, other.words),
        }
    }

    /// As much as lanes touch that touch nothing together.
    pub(super) fn one_each(lanes: impl Iterator<Item = usize>, bytes: u32) -> Self {
        let mut all = Self::default();
        for lane in lanes {
            let phase = phase_of(lane, bytes);
            (all.sectors, all.lines) = (all.sectors + 1, all.lines + 1);
            (all.passes[phase], all.words[phase]) = (all.passes[phase] + 1, all.words[phase] + 1);
        }
        all
    }
}

/// The phases of an access of so many bytes a lane.
pub(super) const fn phases(bytes: u32) -> usize {
    if bytes <= 4 { 1 } else { (bytes / 4) as usize }
}

fn phase_of(lane: usize, bytes: u32) -> usize {
    lane * phases(bytes) / 32
}

impl Group {
    /// What the lanes touch at most, where the part that they share is this modulo 128. An access of a lane that is not
    /// aligned to its size is not done, since it is a fault.
    pub(super) fn touched(&self, shared: i64, bytes: u32) -> Touched {
        let width = i64::from(bytes);
        let mut sectors: BTreeSet<i64> = BTreeSet::new();
        let mut lines: [BTreeSet<i64>; PHASES] = Default::default();
        let mut words: [BTreeSet<i64>; PHASES] = Default::default();
        let mut lanes = Vec::new();
        for place in &self.places {
            let phase = phase_of(place.lane, bytes);
            let before = lanes.len();
            for begin in place.points.iter().map(|point| point + shared) {
                if place.span == 0 && begin.rem_euclid(width) != 0 {
                    continue;
                }
                let last = begin + place.span + width - 1;
                sectors.extend(begin.div_euclid(32)..=last.div_euclid(32));
                lines[phase].extend(begin.div_euclid(128)..=last.div_euclid(128));
                words[phase].extend(begin.div_euclid(4)..=last.div_euclid(4));
                if lanes.len() == before {
                    lanes.push(place.lane);
                }
            }
        }
        let count = |set: &BTreeSet<i64>| set.len() as u64;
        let all_lines: BTreeSet<i64> = lines.iter().flatten().copied().collect();
        let most_of_a_bank = |set: &BTreeSet<i64>| {
            let mut banks = [0_u64; 32];
            for word in set {
                banks[usize::try_from(word.rem_euclid(32)).unwrap_or(0)] += 1;
            }
            banks.into_iter().max().unwrap_or(0)
        };
        let found = Touched {
            sectors: count(&sectors),
            lines: count(&all_lines),
            passes: std::array::from_fn(|phase| count(&lines[phase])),
            words: std::array::from_fn(|phase| most_of_a_bank(&words[phase])),
        };
        // An aligned access of a lane lies in one sector.
        found.min(Touched::one_each(lanes.into_iter(), bytes))
    }
}
