//! Lanes whose addresses are known but for one unknown part that they share: the sectors, lines and words that they touch.

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
    /// The bytes of a lane.
    bytes: u32,
    /// The lanes, each with the residues modulo these bytes at which its access may begin, a bit for each.
    lanes: Vec<(usize, u32)>,
    /// Where accesses may begin in each phase, and how much further they may lie; each once, in order.
    spots: [Vec<(i64, i64)>; PHASES],
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
    /// The lanes of some places.
    pub(super) fn new(places: &[Place], twos: u32, bytes: u32) -> Self {
        let mut spots: [Vec<(i64, i64)>; PHASES] = Default::default();
        let mut lanes = Vec::with_capacity(places.len());
        for place in places {
            let width = i64::from(bytes);
            let bit = |point: &i64| 1_u32 << point.rem_euclid(width);
            let residues = place.points.iter().map(bit).fold(0, |all, bit| all | bit);
            lanes.push((place.lane, if place.span == 0 { residues } else { u32::MAX }));
            spots[phase_of(place.lane, bytes)].extend(place.points.iter().map(|&point| (point, place.span)));
        }
        for spots in &mut spots {
            spots.sort_unstable();
            spots.dedup();
        }
        Self { bytes, lanes, spots, twos }
    }

    /// What the lanes touch at most, where the part that they share is this modulo 128. An access of a lane that is not
    /// aligned to its size is not done, since it is a fault.
    pub(super) fn touched(&self, shared: i64) -> Touched {
        let width = i64::from(self.bytes);
        let mut found = Touched::default();
        let mut all = [Vec::new(), Vec::new()];
        for (phase, spots) in self.spots.iter().enumerate() {
            let aligned = |&&(point, span): &&(i64, i64)| span > 0 || (point + shared).rem_euclid(width) == 0;
            let reach = |&(point, span): &(i64, i64)| (point + shared, point + shared + span + width - 1);
            let spots: Vec<(i64, i64)> = spots.iter().filter(aligned).map(reach).collect();
            let [words, sectors, lines] = [4, 32, 128].map(|unit| merged(&spots, unit));
            found.passes[phase] = size(&lines);
            found.words[phase] = most_of_a_bank(&words);
            all[0].extend(sectors);
            all[1].extend(lines);
        }
        let [sectors, lines] = all.map(|units| size(&merged(&units, 1)));
        (found.sectors, found.lines) = (sectors, lines);
        // An aligned access of a lane lies in one sector.
        let residue = (-shared).rem_euclid(width);
        let lanes = self.lanes.iter().filter(|(_, residues)| residues >> residue & 1 == 1).map(|one| one.0);
        found.min(Touched::one_each(lanes, self.bytes))
    }
}

/// The units of so many bytes that ranges touch, as ranges that are apart, in order.
fn merged(ranges: &[(i64, i64)], unit: i64) -> Vec<(i64, i64)> {
    let mut units: Vec<(i64, i64)> =
        ranges.iter().map(|(first, last)| (first.div_euclid(unit), last.div_euclid(unit))).collect();
    units.sort_unstable();
    let mut found: Vec<(i64, i64)> = Vec::new();
    for (first, last) in units {
        match found.last_mut().filter(|before| first <= before.1 + 1) {
            Some(before) => before.1 = before.1.max(last),
            None => found.push((first, last)),
        }
    }
    found
}

/// How many units ranges have that are apart.
fn size(ranges: &[(i64, i64)]) -> u64 {
    ranges.iter().map(|(first, last)| (last - first).unsigned_abs() + 1).sum()
}

/// The most words that ranges have of one of 32 banks.
fn most_of_a_bank(words: &[(i64, i64)]) -> u64 {
    let mut banks = [0_u64; 32];
    for &(first, last) in words {
        let count = (last - first).unsigned_abs() + 1;
        banks.iter_mut().for_each(|bank| *bank += count / 32);
        for word in first..first + i64::try_from(count % 32).unwrap_or(0) {
            banks[usize::try_from(word.rem_euclid(32)).unwrap_or(0)] += 1;
        }
    }
    banks.into_iter().max().unwrap_or(0)
}
