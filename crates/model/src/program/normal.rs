//! The normal form of a program, and what its shape alone shows.

use std::sync::Arc;

use crate::program::{Divergence, MAX_DEPTH, Piece};
use crate::{Kernel, MAX_KERNEL_LENGTH};

impl<L: Clone + PartialEq> Piece<L> {
    /// The same program in its simplest shape. No sequence lies in a sequence or holds one piece only.
    /// Neighbouring letters of a unit are joined. A loop of one round is replaced by its body, and a loop of
    /// letters alone with a fixed count is replaced by letters. Pieces that do nothing are left out, except
    /// for branches, which say that the program is not a straight line. All lines are 0.
    ///
    /// Pieces that are nested deeper than [`MAX_DEPTH`] are left as they are.
    #[must_use]
    pub fn normal(&self) -> Self {
        let mut pieces = Vec::new();
        self.flatten(&mut pieces, 0);
        sequence(pieces)
    }

    /// Adds the pieces of the normal form.
    fn flatten(&self, pieces: &mut Vec<Self>, depth: usize) {
        let inner = |piece: &Self| {
            let mut pieces = Vec::new();
            piece.flatten(&mut pieces, depth + 1);
            sequence(pieces)
        };
        match self {
            _ if depth > MAX_DEPTH => pieces.push(self.clone()),
            Self::Letters { letter, count, .. } => {
                if let Some(Self::Letters { letter: last, count: before, .. }) = pieces.last_mut()
                    && last == letter
                    && let Some(sum) = before.checked_add(*count)
                {
                    *before = sum;
                } else if *count > 0 {
                    pieces.push(Self::Letters { letter: letter.clone(), count: *count, line: 0 });
                }
            }
            Self::Barrier { .. } => pieces.push(Self::Barrier { line: 0 }),
            Self::Sequence(inner) => inner.iter().for_each(|piece| piece.flatten(pieces, depth + 1)),
            Self::Branch { arms, .. } if arms.len() < 2 => {
                arms.iter().for_each(|arm| arm.flatten(pieces, depth + 1));
            }
            Self::Branch { arms, divergence, .. } => {
                let arms: Vec<Self> = arms.iter().map(inner).collect();
                pieces.push(if arms.iter().all(Self::is_nothing) {
                    Self::nowhere(0)
                } else {
                    Self::Branch { arms: arms.into(), divergence: *divergence, line: 0 }
                });
            }
            Self::Loop { most: 0, least: 0, .. } => {}
            Self::Loop { body, least: 1, most: 1, .. } => body.flatten(pieces, depth + 1),
            &Self::Loop { ref body, least, most, .. } => match inner(body) {
                body if body.is_nothing() => {}
                Self::Letters { letter, count, .. } if least == most && count.checked_mul(most).is_some() => {
                    Self::Letters { letter, count: count * most, line: 0 }.flatten(pieces, depth + 1);
                }
                body => pieces.push(Self::Loop { body: Box::new(body), least, most, line: 0 }),
            },
        }
    }

    /// A branch with two empty arms. It stands for a path that other paths cover, and it keeps the program
    /// from being a straight line.
    #[doc(hidden)]
    pub fn nowhere(line: u32) -> Self {
        let arms = vec![Self::Sequence(vec![].into()), Self::Sequence(vec![].into())];
        Self::Branch { arms: arms.into(), divergence: Divergence::Uniform, line }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Sequence(pieces) if pieces.is_empty())
    }

    /// Whether the program has only one path.
    pub fn is_straight(&self) -> bool {
        self.distinct().all(Self::is_one_way)
    }

    /// Whether there is only one way through a piece, but for what is inside of it.
    fn is_one_way(&self) -> bool {
        match self {
            Self::Letters { .. } | Self::Barrier { .. } | Self::Sequence(_) => true,
            Self::Branch { arms, .. } => arms.len() < 2,
            Self::Loop { least, most, .. } => least == most,
        }
    }

    /// The letters of a program of one path, with `None` for a barrier. There are none if there are several
    /// paths, or more letters than a kernel string may have.
    pub fn written_out(&self) -> Option<Vec<Option<L>>> {
        self.straight_length().filter(|&length| length <= MAX_KERNEL_LENGTH as u64)?;
        let mut line = Vec::new();
        self.write_out(&mut line);
        Some(line)
    }

    /// The number of letters and barriers of the one path, if there is only one and the number fits.
    fn straight_length(&self) -> Option<u64> {
        let length = |piece: &Self, inside: Vec<u64>| {
            let sum = inside.into_iter().try_fold(0_u64, u64::checked_add);
            match piece {
                _ if !piece.is_one_way() => None,
                &Self::Letters { count, .. } => Some(count),
                Self::Barrier { .. } => Some(1),
                Self::Sequence(_) | Self::Branch { .. } => sum,
                Self::Loop { most, .. } => sum.and_then(|sum| sum.checked_mul(*most)),
            }
            .ok_or(())
        };
        self.try_fold(length).ok()
    }

    /// Appends the one path of a straight line, with `None` for a barrier.
    fn write_out(&self, line: &mut Vec<Option<L>>) {
        match self {
            Self::Letters { letter, count, .. } => {
                line.extend((0..*count).map(|_| Some(letter.clone())));
            }
            Self::Barrier { .. } => line.push(None),
            Self::Sequence(pieces) | Self::Branch { arms: pieces, .. } => {
                pieces.iter().for_each(|piece| piece.write_out(line));
            }
            Self::Loop { body, most, .. } => {
                let start = line.len();
                body.write_out(line);
                let end = line.len();
                if *most == 0 {
                    line.truncate(start);
                } else if end > start {
                    (1..*most).for_each(|_| line.extend_from_within(start..end));
                }
            }
        }
    }

    /// Whether the program has a branch whose arms may alternate.
    #[doc(hidden)]
    pub fn is_interleaved(&self) -> bool {
        let is_one = |piece| matches!(piece, &Self::Branch { divergence: Divergence::Interleaved, .. });
        self.distinct().any(is_one)
    }
}

impl Piece {
    /// The kernel string of a program of one path. It is `None` if there are several paths, no letter, or
    /// more letters than a kernel string may have.
    pub fn straight_line(&self) -> Option<Kernel> {
        let (mut units, mut barriers) = (Vec::new(), Vec::new());
        for step in self.written_out()? {
            match step {
                Some(unit) => units.push(unit),
                None => barriers.push(units.len()),
            }
        }
        Kernel::with_barriers(units, barriers)
    }
}

impl<L> Piece<L> {
    /// Whether the program has a barrier.
    pub fn has_barrier(&self) -> bool {
        self.distinct().any(|piece| matches!(piece, Self::Barrier { .. }))
    }

    /// The same program over other letters.
    pub fn map<M>(&self, letter_of: &mut impl FnMut(&L) -> M) -> Piece<M> {
        let all = |pieces: &[Self], letter_of: &mut _| -> Arc<[Piece<M>]> {
            pieces.iter().map(|piece| piece.map(letter_of)).collect()
        };
        match self {
            Self::Letters { letter, count, line } => {
                Piece::Letters { letter: letter_of(letter), count: *count, line: *line }
            }
            Self::Barrier { line } => Piece::Barrier { line: *line },
            Self::Sequence(pieces) => Piece::Sequence(all(pieces, letter_of)),
            Self::Branch { arms, divergence, line } => {
                Piece::Branch { arms: all(arms, letter_of), divergence: *divergence, line: *line }
            }
            Self::Loop { body, least, most, line } => {
                let body = Box::new(body.map(letter_of));
                Piece::Loop { body, least: *least, most: *most, line: *line }
            }
        }
    }
}

fn sequence<L>(mut pieces: Vec<Piece<L>>) -> Piece<L> {
    match pieces.len() {
        1 => pieces.remove(0),
        _ => Piece::Sequence(pieces.into()),
    }
}
