//! Linear maps over (max, +) of times, which they never lower.
//!
//! A time is a number, one more than a number of cycles, and 0 stands for no time at all: a maximum is then that
//! of numbers. All sums are checked.

use crate::own::OwnError;
use crate::own::places::{LAST, NOW, OVER};

/// A time that is later by a number of cycles.
fn later(time: u64, cycles: u64) -> Result<u64, OwnError> {
    if time == 0 { Ok(0) } else { time.checked_add(cycles).ok_or(OwnError::Overflow) }
}

/// The maximum of two vectors of times; the first one may be empty, which is the vector of no time.
fn raise(row: &mut Vec<u64>, other: &[u64]) {
    if row.is_empty() {
        row.extend_from_slice(other);
    } else {
        row.iter_mut().zip(other).for_each(|(time, other)| *time = (*time).max(*other));
    }
}

/// A vector of times, all later by a number of cycles.
pub(super) fn plus(row: &[u64], cycles: u64) -> Result<Vec<u64>, OwnError> {
    row.iter().map(|&time| later(time, cycles)).collect()
}

/// The time of each place, as a maximum of times of inputs, each with a number of cycles added.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    width: usize,
    rows: Vec<Vec<u64>>,
}

/// A piece of code: what it raises, as a map from some places. All other places stay as they are, and those
/// that it raises do not fall below what they were.
#[derive(Debug)]
pub(super) struct Map {
    inputs: Vec<usize>,
    rows: Vec<(usize, Vec<u64>)>,
}

impl Rows {
    /// The times before the first instruction of a warp, which may issue in cycle 1.
    pub(super) fn start(places: usize) -> Self {
        let mut rows = Self { width: 1, rows: vec![vec![]; places] };
        rows.rows[NOW] = vec![2];
        rows
    }

    /// The times before a piece: each input is the time of its place.
    pub(super) fn identity(places: usize, inputs: &[usize]) -> Self {
        let mut rows = Self { width: inputs.len(), rows: vec![vec![]; places] };
        for (at, &place) in inputs.iter().enumerate() {
            rows.rows[place] = vec![0; inputs.len()];
            rows.rows[place][at] = 1;
        }
        rows
    }

    /// The cycles of a place after the start of a warp.
    pub(super) fn only(&self, place: usize) -> Option<u64> {
        self.rows[place].first().and_then(|time| time.checked_sub(1))
    }

    /// Raises the time of a place.
    pub(super) fn raise(&mut self, place: usize, row: &[u64]) {
        raise(&mut self.rows[place], row);
    }

    /// Raises the time of a place to one that is later than another by a number of cycles.
    pub(super) fn raise_later(&mut self, place: usize, row: &[u64], cycles: u64) -> Result<(), OwnError> {
        let own = &mut self.rows[place];
        own.resize(row.len(), 0);
        for (time, &other) in own.iter_mut().zip(row) {
            *time = (*time).max(later(other, cycles)?);
        }
        Ok(())
    }

    /// Forgets the time of a place, which has passed.
    pub(super) fn forget(&mut self, place: usize) {
        self.rows[place].clear();
    }

    /// The latest of the times of some places.
    pub(super) fn latest(&self, places: impl IntoIterator<Item = usize>) -> Vec<u64> {
        let mut latest = vec![0; self.width];
        places.into_iter().for_each(|place| raise(&mut latest, &self.rows[place]));
        latest
    }

    /// The later time of each place: a choice between two pieces.
    pub(super) fn or(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| raise(row, other));
    }

    /// Appends a piece.
    pub(super) fn append(&mut self, map: &Map) -> Result<(), OwnError> {
        let mut after = Vec::with_capacity(map.rows.len());
        for (place, factors) in &map.rows {
            let mut row = vec![0; self.width];
            for (&input, &factor) in map.inputs.iter().zip(factors).filter(|(_, factor)| **factor > 0) {
                for (time, &before) in row.iter_mut().zip(&self.rows[input]) {
                    *time = (*time).max(later(before, factor - 1)?);
                }
            }
            after.push((*place, row));
        }
        after.into_iter().for_each(|(place, row)| self.raise(place, &row));
        self.settle();
        Ok(())
    }

    /// Forgets the times of tokens and units that have passed on every path.
    fn settle(&mut self) {
        let (whole, resources) = self.rows.split_at_mut(OVER + 1);
        for row in resources {
            if row.iter().zip(&whole[NOW]).all(|(time, now)| time <= now) {
                row.clear();
            }
        }
    }

    /// What has been appended to the [identity](Self::identity) on these inputs.
    pub(super) fn map(mut self, inputs: Vec<usize>) -> Map {
        self.settle();
        for (at, &place) in inputs.iter().enumerate() {
            let row = &mut self.rows[place];
            // An input that is not raised needs no row.
            if row.iter().enumerate().all(|(other, &time)| time == u64::from(other == at)) {
                row.clear();
            }
        }
        let rows = self.rows.into_iter().enumerate().filter(|(_, row)| !row.is_empty()).collect();
        Map { inputs, rows }
    }
}

impl Map {
    /// Appends the piece `times` times, with one or two products for each binary digit of the number.
    pub(super) fn append_times(self, mut times: u64, rows: &mut Rows) -> Result<(), OwnError> {
        let mut square = self;
        while times > 0 {
            if times & 1 == 1 {
                rows.append(&square)?;
            }
            times >>= 1;
            if times > 0 {
                let mut twice = Rows::identity(rows.rows.len(), &square.inputs);
                twice.append(&square)?;
                twice.append(&square)?;
                square = twice.map(square.inputs);
            }
        }
        Ok(())
    }

    /// The largest number of cycles by which the piece raises a time above the latest of its inputs.
    pub(super) fn largest(&self) -> u64 {
        let all = self.rows.iter().filter(|(place, _)| *place != LAST).flat_map(|(_, row)| row);
        all.max().map_or(0, |time| time.saturating_sub(1))
    }
}
