//! How much a piece of code adds, along one path and along a chain that may change to another warp at every
//! barrier.
//!
//! The warps of a block may take different paths between barriers, so a block needs a maximum *from barrier
//! to barrier*. A maximum over whole paths would be too low: two warps on `LC|` and `|LC` take 4 cycles at
//! sigma 1, but either path alone gives 3. For the warps of other blocks the maximum over whole paths
//! suffices.

use crate::program::ProgramError;
use crate::program::error::Line;
use crate::program::matrix::Matrix;

/// The largest number of segments that are distinguished. Branches whose arms hold more barriers are refused.
pub(super) const MOST_SEGMENTS: usize = 4_096;

/// The number of barriers that a piece holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Barriers {
    /// Every path holds this number.
    Fixed(u128),
    /// Some paths hold more than others.
    Varying,
}

/// A piece of code under one kind of count.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// The matrix over whole paths.
    pub(super) path: Matrix,
    /// The matrix over all choices of a path for each segment.
    pub(super) block: Matrix,
    /// The matrices of the single segments, if there are not too many.
    segments: Option<Vec<Matrix>>,
    pub(super) barriers: Barriers,
    /// The effect of a barrier on the count.
    separator: Matrix,
}

impl Track {
    /// The track of code without a barrier.
    pub(super) fn plain(matrix: Matrix, separator: Matrix) -> Self {
        let barriers = Barriers::Fixed(0);
        Self { path: matrix, block: matrix, segments: Some(vec![matrix]), barriers, separator }
    }

    /// The track of a barrier.
    pub(super) fn barrier(separator: Matrix) -> Self {
        Self {
            path: separator,
            block: separator,
            segments: Some(vec![Matrix::identity(); 2]),
            barriers: Barriers::Fixed(1),
            separator,
        }
    }

    /// Whether there is no barrier on any path.
    pub(super) fn is_plain(&self) -> bool {
        self.barriers == Barriers::Fixed(0)
    }

    /// Appends another piece.
    pub(super) fn append(&mut self, next: &Self) -> Result<(), ProgramError> {
        self.path = self.path.then(&next.path)?;
        self.block = self.block.then(&next.block)?;
        self.barriers = match (self.barriers, next.barriers) {
            (Barriers::Fixed(a), Barriers::Fixed(b)) => {
                Barriers::Fixed(a.checked_add(b).ok_or(ProgramError::Overflow)?)
            }
            _ => Barriers::Varying,
        };
        let long =
            |segments: &Vec<Matrix>, more: &Vec<Matrix>| segments.len() + more.len() > MOST_SEGMENTS + 1;
        self.segments = match (self.segments.take(), &next.segments) {
            (Some(mut segments), Some(more)) if !long(&segments, more) => {
                if let Some(last) = segments.last_mut() {
                    *last = last.then(&more[0])?;
                }
                segments.extend(&more[1..]);
                Some(segments)
            }
            _ => None,
        };
        Ok(())
    }

    /// The track of a choice between several pieces, which each warp makes for itself. `ends` says that a
    /// warp has ended after the piece. Later barriers then do not wait for it, as if it had empty segments.
    pub(super) fn branch(mut arms: Vec<Self>, ends: bool, line: Line) -> Result<Self, ProgramError> {
        if arms.len() == 1 {
            return arms.pop().ok_or(ProgramError::Arms(line));
        }
        let counts = arms.iter().map(|arm| match arm.barriers {
            Barriers::Fixed(count) => Ok(count),
            Barriers::Varying => Err(ProgramError::Arms(line)),
        });
        let counts = counts.collect::<Result<Vec<u128>, _>>()?;
        let most = counts.iter().copied().max().unwrap_or(0);
        let too_many = ProgramError::Barriers { line, most: MOST_SEGMENTS - 1 };
        if most >= MOST_SEGMENTS as u128 {
            return Err(too_many);
        }
        for (arm, count) in arms.iter_mut().zip(counts) {
            if count < most && !ends {
                return Err(ProgramError::Arms(line));
            }
            let barrier = Self::barrier(arm.separator);
            for _ in count..most {
                arm.append(&barrier)?;
            }
        }
        let mut rest = arms.into_iter();
        let Some(mut all) = rest.next() else { return Err(ProgramError::Arms(line)) };
        let mut segments = all.segments.take().ok_or(too_many.clone())?;
        for arm in rest {
            all.path = all.path.or(&arm.path);
            let more = arm.segments.as_ref().ok_or(too_many.clone())?;
            for (segment, more) in segments.iter_mut().zip(more) {
                *segment = segment.or(more);
            }
        }
        all.block = segments[0];
        for segment in &segments[1..] {
            all.block = all.block.then(&all.separator)?.then(segment)?;
        }
        all.segments = Some(segments);
        Ok(all)
    }

    /// The track of the piece repeated at least `least` and at most `most` times. If it holds a barrier, all
    /// warps of a block make equally many rounds.
    pub(super) fn rounds(&self, least: u64, most: u64) -> Result<Self, ProgramError> {
        let block = self.block.rounds(least, most)?;
        if self.is_plain() {
            return Ok(Self::plain(block, self.separator));
        }
        let mut all = Self::plain(Matrix::identity(), self.separator);
        if let (Barriers::Fixed(count), true) = (self.barriers, least == most) {
            let count = count.checked_mul(most.into()).ok_or(ProgramError::Overflow)?;
            if count < MOST_SEGMENTS as u128 {
                (0..most).try_for_each(|_| all.append(self))?;
                return Ok(all);
            }
            all.barriers = Barriers::Fixed(count);
        } else {
            all.barriers = Barriers::Varying;
        }
        Ok(Self { path: self.path.rounds(least, most)?, block, segments: None, ..all })
    }
}
