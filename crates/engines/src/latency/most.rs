//! The most that a path of a piece of code counts, if each letter counts a number.
//!
//! Sums do not depend on the order, so divergent arms count the same in every order, and also if they alternate. Loops
//! are multiplied, never unrolled.

use std::collections::HashMap;

use crate::latency::LatencyError;
use crate::latency::error::{plus, times};
use crate::own::OwnError;
use warpspan_model::machine::Step;
use warpspan_model::program::{Divergence, MAX_DEPTH, Piece};

/// What one letter counts. No number is negative, and none of the others is above the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// Anywhere on a path.
    pub(super) inside: i128,
    /// As the last letter of a path, until its issue.
    pub(super) issued: i128,
    /// As the last letter of a path, until its result.
    pub(super) done: i128,
}

/// The most that the paths of a piece without barriers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Most {
    /// With every letter counted as one inside.
    pub(super) inside: i128,
    /// With the last letter counted until its issue, and until its result. There is none if no path has a
    /// letter.
    pub(super) last: Option<[i128; 2]>,
    /// Whether a path has no letter.
    pub(super) empty: bool,
}

impl Most {
    const NOTHING: Self = Self { inside: 0, last: None, empty: true };

    fn letters(count: Count, letters: u64) -> Result<Self, LatencyError> {
        let before = times(count.inside, letters - 1)?;
        let last = [plus(before, count.issued)?, plus(before, count.done)?];
        Ok(Self { inside: times(count.inside, letters)?, last: Some(last), empty: false })
    }

    /// The maximum over the paths of this piece and `next` after it.
    fn then(self, next: Self) -> Result<Self, LatencyError> {
        let moved = match next.last {
            Some(last) => Some([plus(self.inside, last[0])?, plus(self.inside, last[1])?]),
            None => None,
        };
        let last = if next.empty { larger(self.last, moved) } else { moved };
        Ok(Self { inside: plus(self.inside, next.inside)?, last, empty: self.empty && next.empty })
    }

    /// The maximum over the paths of both.
    fn or(self, other: Self) -> Self {
        Self {
            inside: self.inside.max(other.inside),
            last: larger(self.last, other.last),
            empty: self.empty || other.empty,
        }
    }

    /// The maximum over up to `most` rounds. A round more never counts less.
    fn rounds(self, least: u64, most: u64) -> Result<Self, LatencyError> {
        if most == 0 {
            return Ok(Self::NOTHING);
        }
        let before = times(self.inside, most - 1)?;
        let last = match self.last {
            Some(last) => Some([plus(before, last[0])?, plus(before, last[1])?]),
            None => None,
        };
        Ok(Self { inside: times(self.inside, most)?, last, empty: self.empty || least == 0 })
    }

    /// The count of a path that ends with this piece, until its last issue and until its last result.
    pub(super) fn ended(self) -> [i128; 2] {
        self.last.unwrap_or_default()
    }
}

fn larger(a: Option<[i128; 2]>, b: Option<[i128; 2]>) -> Option<[i128; 2]> {
    match (a, b) {
        (Some(a), Some(b)) => Some([a[0].max(b[0]), a[1].max(b[1])]),
        (one, other) => one.or(other),
    }
}

/// The most that the warps of a block count from barrier to barrier, where each segment may be that of another
/// warp on another path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segments {
    /// What is before the first barrier, or all if there is no barrier.
    head: Most,
    /// The sum over the segments between barriers, with every letter counted as one inside.
    between: i128,
    /// The largest of them.
    most: i128,
    /// What is after the last barrier, and the number of barriers, if there are any.
    tail: Option<(Most, u128)>,
    /// Whether every path has that number of barriers.
    fixed: bool,
}

impl Segments {
    fn plain(head: Most) -> Self {
        Self { head, between: 0, most: 0, tail: None, fixed: true }
    }

    /// The number of segments.
    pub(super) fn number(&self) -> u128 {
        self.tail.map_or(1, |(_, barriers)| barriers.saturating_add(1))
    }

    /// The sum over all segments with every letter counted as one inside.
    pub(super) fn inside(&self) -> Result<i128, LatencyError> {
        plus(plus(self.head.inside, self.between)?, self.tail.map_or(0, |(tail, _)| tail.inside))
    }

    /// The most of one segment with every letter counted as one inside.
    pub(super) fn largest(&self) -> i128 {
        self.head.inside.max(self.most).max(self.tail.map_or(0, |(tail, _)| tail.inside))
    }

    /// The sum over all segments where the last letter of the last segment counts until its issue. If that
    /// segment may be empty, the letters before it count in full.
    pub(super) fn issued(&self) -> Result<i128, LatencyError> {
        let Some((tail, _)) = self.tail else { return Ok(self.head.ended()[0]) };
        plus(plus(self.head.inside, self.between)?, tail.ended()[0])
    }

    fn then(self, next: Self) -> Result<Self, LatencyError> {
        let fixed = self.fixed && next.fixed;
        match (self.tail, next.tail) {
            (None, tail) => {
                let head = self.head.then(next.head)?;
                Ok(Self { head, between: next.between, most: next.most, tail, fixed })
            }
            (Some((tail, barriers)), None) => {
                Ok(Self { tail: Some((tail.then(next.head)?, barriers)), fixed, ..self })
            }
            (Some((tail, before)), Some((last, after))) => {
                let seam = tail.then(next.head)?.inside;
                let between = plus(plus(self.between, next.between)?, seam)?;
                let most = self.most.max(next.most).max(seam);
                let barriers = before.checked_add(after).ok_or(LatencyError::Overflow)?;
                Ok(Self { head: self.head, between, most, tail: Some((last, barriers)), fixed })
            }
        }
    }

    /// The maximum over both from barrier to barrier. The segments between the barriers of an arm are added up
    /// where their maximum would do, which is safe because no number is negative. If warps end after the arms,
    /// an arm with fewer barriers has empty segments at its end.
    fn or(self, other: Self, ends: bool, line: u32) -> Result<Self, LatencyError> {
        let head = self.head.or(other.head);
        let (few, many) = if self.number() <= other.number() { (self, other) } else { (other, self) };
        let Some((tail, barriers)) = many.tail else { return Ok(Self::plain(head)) };
        let sum = plus(few.between, many.between)?;
        let most = few.most.max(many.most);
        let fixed = few.fixed && many.fixed && few.number() == many.number();
        if !fixed && !ends {
            return Err(LatencyError::Arms(line));
        }
        let Some((other, _)) = few.tail else {
            return Ok(Self {
                head,
                between: sum,
                most,
                tail: Some((tail.or(Most::NOTHING), barriers)),
                fixed,
            });
        };
        let between = if fixed { sum } else { plus(sum, plus(tail.inside, other.inside)?)? };
        let tail = tail.or(other).or(if fixed { other } else { Most::NOTHING });
        // The last segment of the arm with fewer barriers may stand where the other has an inner one; `tail` is no less.
        Ok(Self { head, between, most, tail: Some((tail, barriers)), fixed })
    }

    fn rounds(self, least: u64, most: u64) -> Result<Self, LatencyError> {
        let Some((tail, barriers)) = self.tail.filter(|_| most > 0) else {
            return Ok(Self::plain(self.head.rounds(least, most)?));
        };
        let seam = tail.then(self.head)?.inside;
        let largest = if most > 1 { self.most.max(seam) } else { self.most };
        let seams = times(seam, most - 1)?;
        let between = plus(times(self.between, most)?, seams)?;
        let barriers = barriers.checked_mul(most.into()).ok_or(LatencyError::Overflow)?;
        // If there may be no round at all, what is before the loop may be the last segment.
        let or_nothing = |one: Most| if least == 0 { one.or(Most::NOTHING) } else { one };
        let (head, tail) = (or_nothing(self.head), or_nothing(tail));
        let fixed = self.fixed && least == most;
        Ok(Self { head, between, most: largest, tail: Some((tail, barriers)), fixed })
    }
}

/// The most that the paths of a program count, where `of` says what a letter counts.
pub(super) fn segments(program: &Piece<Step>, of: &dyn Fn(&Step) -> Count) -> Result<Segments, LatencyError> {
    Counting { of, barriers: true, known: HashMap::new() }.piece(program, true, 0)
}

/// The most that a whole path of a program counts if each letter counts a number anywhere. A barrier counts
/// nothing.
pub(super) fn along(program: &Piece<Step>, of: &dyn Fn(&Step) -> i128) -> Result<i128, LatencyError> {
    Ok(whole(program, &|step| {
        let number = of(step);
        Count { inside: number, issued: number, done: number }
    })?
    .inside)
}

/// The most that a whole path of a program counts.
pub(super) fn whole(program: &Piece<Step>, of: &dyn Fn(&Step) -> Count) -> Result<Most, LatencyError> {
    Ok(Counting { of, barriers: false, known: HashMap::new() }.piece(program, true, 0)?.head)
}

/// What counts how much.
struct Counting<'c> {
    of: &'c dyn Fn(&Step) -> Count,
    /// Whether barriers divide a program into segments. Otherwise they count nothing.
    barriers: bool,
    /// The counts of pieces in a row, by where they are kept, whether the warp has ended after them, and their depth: code that
    /// several places share is counted once.
    known: HashMap<(*const Piece<Step>, bool, usize), Segments>,
}

impl Counting<'_> {
    /// The count of a piece. `ends` says that the warp has ended after it.
    fn piece(&mut self, program: &Piece<Step>, ends: bool, depth: usize) -> Result<Segments, LatencyError> {
        if depth > MAX_DEPTH {
            return Err(OwnError::Depth.into());
        }
        match program {
            Piece::Barrier { .. } if !self.barriers => Ok(Segments::plain(Most::NOTHING)),
            Piece::Letters { count: 0, .. } => Ok(Segments::plain(Most::NOTHING)),
            Piece::Letters { letter, count, .. } => {
                Ok(Segments::plain(Most::letters((self.of)(letter), *count)?))
            }
            Piece::Barrier { .. } => {
                Ok(Segments { tail: Some((Most::NOTHING, 1)), ..Segments::plain(Most::NOTHING) })
            }
            Piece::Sequence(pieces) => {
                let key = program.is_shared().then_some((pieces.as_ptr(), ends, depth));
                if let Some(known) = key.and_then(|key| self.known.get(&key)) {
                    return Ok(*known);
                }
                let mut all = Segments::plain(Most::NOTHING);
                for (at, one) in pieces.iter().enumerate() {
                    all = all.then(self.piece(one, ends && at + 1 == pieces.len(), depth + 1)?)?;
                }
                self.known.extend(key.map(|key| (key, all)));
                Ok(all)
            }
            Piece::Branch { arms, divergence: Divergence::Uniform, line } => {
                let mut all: Option<Segments> = None;
                for arm in arms.iter() {
                    let arm = self.piece(arm, ends, depth + 1)?;
                    all = Some(match all {
                        Some(all) => all.or(arm, ends, *line)?,
                        None => arm,
                    });
                }
                Ok(all.unwrap_or(Segments::plain(Most::NOTHING)))
            }
            Piece::Branch { arms, line, .. } => self.arms_together(arms, *line, depth),
            &Piece::Loop { least, most, line, .. } if least > most => {
                Err(OwnError::Rounds { line, least, most }.into())
            }
            Piece::Loop { body, least, most, .. } => {
                self.piece(body, false, depth + 1)?.rounds(*least, *most)
            }
        }
    }

    /// The count of arms of which several may run, in any order or interleaved: all letters of all arms, where
    /// the last letter is that of any arm.
    fn arms_together(
        &mut self,
        arms: &[Piece<Step>],
        line: u32,
        depth: usize,
    ) -> Result<Segments, LatencyError> {
        let plain = |arm| match self.piece(arm, false, depth + 1)? {
            Segments { head, tail: None, .. } => Ok(head),
            _ => Err(LatencyError::from(OwnError::Barrier { line })),
        };
        let arms = arms.iter().map(plain).collect::<Result<Vec<Most>, _>>()?;
        let inside = arms.iter().try_fold(0, |sum, arm| plus(sum, arm.inside))?;
        let mut all = Most { inside, last: None, empty: arms.is_empty() };
        for arm in arms {
            let before = Most { inside: inside - arm.inside, last: None, empty: true };
            all.last = larger(all.last, before.then(arm)?.last);
            all.empty |= arm.empty;
        }
        Ok(Segments::plain(all))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::latency::bounds;
    use crate::own::tests::{machines, shared};
    use warpspan_model::machine::{MachineGroup, MachineWorkload};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn code_in_several_places_counts_as_copies_of_it(shared in shared(), machine in machines()) {
            let machine = Arc::new(machine);
            let found = |code: Piece<Step>| {
                let groups = vec![MachineGroup { code, warps: 3 }];
                bounds(&MachineWorkload::new(Arc::clone(&machine), groups).unwrap())
            };
            let copied = shared.map(&mut Step::clone);
            // The last letter of a path counts otherwise than those before it.
            let of = |step: &Step| {
                let inside = 3 + i128::try_from(step.letter.index()).unwrap();
                Count { inside, issued: 1, done: 2 }
            };
            let counted = |code: &Piece<Step>| format!("{:?} {:?}", segments(code, &of), whole(code, &of));
            prop_assert_eq!(counted(&shared), counted(&copied));
            prop_assert_eq!(format!("{:?}", found(shared)), format!("{:?}", found(copied)));
        }
    }
}
