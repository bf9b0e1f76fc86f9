//! Sets of bytes as ranges, relative to a place that nobody knows.

/// The most ranges of a set.
pub(super) const MOST: usize = 1 << 13;

/// How many sectors of 32 bytes and lines of 128 bytes something touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Different sectors.
    pub sectors: u64,
    /// Different lines.
    pub lines: u64,
}

impl Extent {
    /// As much as two that touch nothing together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            sectors: self.sectors.saturating_add(other.sectors),
            lines: self.lines.saturating_add(other.lines),
        }
    }

    /// The smaller of each of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { sectors: self.sectors.min(other.sectors), lines: self.lines.min(other.lines) }
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, by: u64) -> Self {
        Self { sectors: self.sectors.saturating_mul(by), lines: self.lines.saturating_mul(by) }
    }
}

/// A set of bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Ranges {
    /// The ranges, each from its first byte to the one behind its last.
    all: Vec<(i64, i64)>,
    /// A power of two and what remains of each first byte of an access when it is divided by it. An access whose place is no multiple
    /// of its size is a fault, so that this says where the set may lie.
    grid: Option<(i64, i64)>,
}

impl Ranges {
    /// The bytes of an access of this width that begins somewhere from `first` to `last`.
    pub(super) fn of(first: i64, last: i64, width: i64) -> Option<Self> {
        let width_of_grid = if first == last { width } else { 1 };
        let grid = Some((width_of_grid, first.rem_euclid(width_of_grid)));
        Some(Self { all: vec![(first, last.checked_add(width)?)], grid })
    }

    /// Adds another set.
    pub(super) fn add(&mut self, other: &Self) {
        self.all.extend_from_slice(&other.all);
        self.grid = match (self.grid, other.grid) {
            (Some((one, rest)), Some((two, other))) => {
                let width = one.min(two);
                let agree = rest.rem_euclid(width) == other.rem_euclid(width);
                Some(if agree { (width, rest.rem_euclid(width)) } else { (1, 0) })
            }
            (one, two) => one.or(two),
        };
        if self.all.len() > MOST {
            self.merge();
        }
    }

    /// Puts ranges together that touch.
    pub(super) fn merge(&mut self) {
        self.all.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::with_capacity(self.all.len());
        for &(first, end) in &self.all {
            match merged.last_mut() {
                Some(last) if first <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((first, end)),
            }
        }
        self.all = merged;
    }

    /// The set at so many places, each `by` bytes behind the one before. Where these are too many ranges, the set is not changed and the
    /// number is given back, so that the set counts so often.
    pub(super) fn repeat(&mut self, by: i64, count: u64) -> Option<u64> {
        self.merge();
        let way = by.checked_abs()?.checked_mul(i64::try_from(count - 1).ok()?)?;
        if by < 0 {
            self.shift(-way)?;
        }
        let step = by.abs();
        if let Some((width, _)) = self.grid {
            // What is moved by less than the width of an access begins elsewhere in it.
            let width = width.min(1 << step.trailing_zeros().min(62));
            self.grid = self.grid.map(|(_, rest)| (width, rest.rem_euclid(width)));
        }
        if let [(first, end)] = self.all[..]
            && end - first >= step
        {
            self.all = vec![(first, end.checked_add(way)?)];
            return Some(1);
        }
        let all = usize::try_from(count).ok().and_then(|count| count.checked_mul(self.all.len()));
        if all.is_none_or(|all| all > MOST) {
            // If all that is between is less than what would count so often, all of it counts.
            let (first, end) = (self.all.first()?.0, self.all.last()?.1.checked_add(way)?);
            let bytes: i128 = self.all.iter().map(|(first, end)| i128::from(end - first) + 62).sum();
            if i128::from(end) - i128::from(first) <= bytes * i128::from(count) {
                self.all = vec![(first, end)];
                return Some(1);
            }
            return Some(count);
        }
        let places = (0..count).map(|at| i64::try_from(at).ok().map(|at| at * step));
        let mut moved = Vec::with_capacity(all.unwrap_or(0));
        for place in places {
            let place = place?;
            moved.extend(self.all.iter().map(|(first, end)| (first + place, end + place)));
        }
        self.all = moved;
        self.merge();
        Some(1)
    }

    /// The set so many bytes further on.
    pub(super) fn shift(&mut self, by: i64) -> Option<()> {
        for (first, end) in &mut self.all {
            *first = first.checked_add(by)?;
            *end = end.checked_add(by)?;
        }
        if let Some((width, rest)) = &mut self.grid {
            *rest = rest.checked_add(by)?.rem_euclid(*width);
        }
        Some(())
    }

    /// The most that it touches wherever it lies, if its place is a multiple of this power of two.
    pub(super) fn extent(&mut self, twos: u32) -> Extent {
        self.merge();
        let mut most = Extent::default();
        let (width, rest) = self.grid.unwrap_or((1, 0));
        for place in (0..128).step_by(1 << twos.min(7)).filter(|place| (place + rest) % width == 0) {
            most.sectors = most.sectors.max(units(&self.all, place, 32));
            most.lines = most.lines.max(units(&self.all, place, 128));
        }
        most
    }
}

/// How many units of so many bytes ranges touch that lie in order and are apart.
fn units(ranges: &[(i64, i64)], place: i64, unit: i64) -> u64 {
    let mut count = 0_u64;
    let mut behind = i64::MIN;
    for (first, end) in ranges {
        let (first, end) = ((first + place).div_euclid(unit), (end + place - 1).div_euclid(unit) + 1);
        count += end.saturating_sub(first.max(behind)).max(0).unsigned_abs();
        behind = end;
    }
    count
}
