//! Writing a program as text.

use std::fmt;

use crate::program::{Divergence, Piece};

/// Up to this number of equal letters are written out. More are written with a count.
const WRITTEN_OUT: u64 = 8;

impl Divergence {
    /// The brackets around the arms.
    pub(crate) const fn brackets(self) -> (char, char) {
        match self {
            Self::Uniform => ('[', ']'),
            Self::Divergent => ('{', '}'),
            Self::Interleaved => ('<', '>'),
        }
    }
}

impl Divergence {
    /// The kind of branch that a bracket opens.
    pub(crate) fn of_bracket(open: char) -> Option<Self> {
        [Self::Uniform, Self::Divergent, Self::Interleaved].into_iter().find(|one| one.brackets().0 == open)
    }
}

impl<L: fmt::Display> fmt::Display for Piece<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letters { count: 0, .. } => Ok(()),
            Self::Letters { letter, count, .. } if *count <= WRITTEN_OUT => {
                (0..*count).try_for_each(|_| write!(f, "{letter}"))
            }
            Self::Letters { letter, count, .. } => write!(f, "{letter}{count}"),
            Self::Barrier { .. } => f.write_str("|"),
            Self::Sequence(pieces) => pieces.iter().try_for_each(|piece| write!(f, "{piece}")),
            Self::Branch { arms, divergence, .. } => {
                let (open, close) = divergence.brackets();
                write!(f, "{open}")?;
                for (at, arm) in arms.iter().enumerate() {
                    write!(f, "{}{arm}", if at > 0 { "/" } else { "" })?;
                }
                write!(f, "{close}")
            }
            Self::Loop { most: 0, .. } => Ok(()),
            Self::Loop { body, least, most, .. } if least == most => write!(f, "({body}){most}"),
            Self::Loop { body, least, most, .. } => write!(f, "({body}){least}..{most}"),
        }
    }
}
