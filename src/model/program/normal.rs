//! The normal form of a program, and what is seen from its shape alone.

use crate::model::program::{Divergence, MAX_DEPTH, Piece};

impl Piece {
    /// The same program in its simplest shape: no sequence in a sequence or of one piece, neighbouring letters of a unit
    /// together, no loop of one round or of letters alone and a fixed count, nothing that does nothing but branches that say that the
    /// program is no straight line; all lines 0.
    ///
    /// Pieces that lie deeper than [`MAX_DEPTH`] are left as they are.
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
            &Self::Letters { unit, count, .. } => {
                if let Some(Self::Letters { unit: last, count: before, .. }) = pieces.last_mut()
                    && *last == unit
                    && let Some(sum) = before.checked_add(count)
                {
                    *before = sum;
                } else if count > 0 {
                    pieces.push(Self::Letters { unit, count, line: 0 });
                }
            }
            Self::Barrier { .. } => pieces.push(Self::Barrier { line: 0 }),
            Self::Sequence(inner) => inner.iter().for_each(|piece| piece.flatten(pieces, depth + 1)),
            Self::Branch { arms, .. } if arms.len() < 2 => {
                arms.iter().for_each(|arm| arm.flatten(pieces, depth + 1));
            }
            Self::Branch { arms, divergence, .. } => {
                let arms: Vec<Self> = arms.iter().map(inner).collect();
                pieces.push(match arms.iter().all(Self::is_nothing) {
                    true => Self::nowhere(0),
                    false => Self::Branch { arms, divergence: *divergence, line: 0 },
                });
            }
            Self::Loop { most: 0, least: 0, .. } => {}
            Self::Loop { body, least: 1, most: 1, .. } => body.flatten(pieces, depth + 1),
            &Self::Loop { ref body, least, most, .. } => match inner(body) {
                body if body.is_nothing() => {}
                Self::Letters { unit, count, .. } if least == most && count.checked_mul(most).is_some() => {
                    Self::Letters { unit, count: count * most, line: 0 }.flatten(pieces, depth + 1);
                }
                body => pieces.push(Self::Loop { body: Box::new(body), least, most, line: 0 }),
            },
        }
    }

    /// Two ways on which there is nothing: the place of a way that is covered by the others. With it a program is no straight line.
    pub(crate) fn nowhere(line: u32) -> Self {
        let arms = vec![Self::Sequence(vec![]), Self::Sequence(vec![])];
        Self::Branch { arms, divergence: Divergence::Uniform, line }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Sequence(pieces) if pieces.is_empty())
    }

    /// Whether there is but one path.
    pub fn is_straight(&self) -> bool {
        match self {
            Self::Letters { .. } | Self::Barrier { .. } => true,
            Self::Sequence(pieces) => pieces.iter().all(Self::is_straight),
            Self::Branch { arms, .. } => arms.len() < 2 && arms.iter().all(Self::is_straight),
            Self::Loop { body, least, most, .. } => least == most && body.is_straight(),
        }
    }

    /// Whether there is a barrier.
    pub fn has_barrier(&self) -> bool {
        match self {
            Self::Letters { .. } => false,
            Self::Barrier { .. } => true,
            Self::Sequence(pieces) | Self::Branch { arms: pieces, .. } => {
                pieces.iter().any(Self::has_barrier)
            }
            Self::Loop { body, .. } => body.has_barrier(),
        }
    }
}

fn sequence(mut pieces: Vec<Piece>) -> Piece {
    match pieces.len() {
        1 => pieces.remove(0),
        _ => Piece::Sequence(pieces),
    }
}
